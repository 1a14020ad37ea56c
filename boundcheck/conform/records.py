"""Conformance as JSON and as Markdown; the same run gives the same bytes, for nothing in them is a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from boundcheck.conform.contract import CONTRACT, THEOREMS, Conformance, Item
from boundcheck.report import files
from boundcheck.report.files import grid, plain
from boundcheck.report.markdown import prose

SCHEMA = "boundcheck-conformance-2"


def to_json(results: Sequence[Conformance]) -> str:
    """All maps, each with its design and its items; numbers beyond the floats are null."""
    record = {"schema": SCHEMA, "contract": CONTRACT, "maps": [_record(result) for result in results]}
    return json.dumps(plain(record), indent=1, allow_nan=False) + "\n"


def _record(result: Conformance) -> dict[str, Any]:
    items = [{**asdict(item), "outcome": item.outcome.name} for item in result.items]
    return {**asdict(result), "items": items}


def to_markdown(results: Sequence[Conformance]) -> str:
    """The contract, a table of verdicts where there are several maps, and each map with its reasons."""
    title = f"# Conformance of {prose(name(results[0]))}" if len(results) == 1 else "# Conformance of feature maps"
    asked = [item.name for item in results[0].items]
    rows = [(item, "theorems" if item in THEOREMS else "an interface", prose(CONTRACT[item])) for item in asked]
    lines = [title, "", *grid(("item", "wanted by", "says"), rows), ""]
    if len(results) > 1:
        marked = [(item.name, *map(_marked, (result.item(item.name) for result in results))) for item in results[0].items]
        lines += [*grid(("item", *map(name, results)), marked), ""]
        if any(item.note for result in results for item in result.items):
            lines += ["\\* see the note in the table of the map.", ""]
    for result in results:
        lines += [*_section(result, 2 if len(results) > 1 else 0), ""]
    return "\n".join(lines).rstrip() + "\n"


def file_name(result: Conformance) -> str:
    """The name of the reports: letters, digits, dot, dash and underscore."""
    return f"conformance-{files.file_name(name(result))}"


def name(result: Conformance) -> str:
    """The class without its module."""
    return result.map.partition(":")[2]


def said(item: Item) -> str:
    """The reason, and the note if there is one."""
    return f"{item.reason} (note: {item.note})" if item.note else item.reason


def _marked(item: Item) -> str:
    return item.outcome.name + (r"\*" if item.note else "")


def _section(result: Conformance, depth: int) -> list[str]:
    design = result.design
    given = ", ".join(f"{key}={value!r}" for key, value in result.parameters.items()) or "none, all by default"
    draws = f"Draws at each size {', '.join(map(str, design.sizes))}: {result.draws}" if result.draws else "No draws"
    head = [f"{'#' * depth} {prose(name(result))}", ""] if depth else []
    return [
        *head,
        f"`{result.map}` of {prose(result.library)}; parameters: {prose(given)}; kernel: {prose(result.kernel)}. "
        f"{draws}; seed {design.seed}; all sampled items together are wrongly refuted with"
        f" probability at most {design.level:g}.", "",
        *grid(("item", "verdict", "why"), [(item.name, item.outcome.mark, prose(said(item))) for item in result.items]),
    ]  # fmt: skip
