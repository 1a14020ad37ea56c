"""An audit as JSON and as Markdown; the same audit gives the same bytes, for nothing in them is a time."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from boundcheck.audit.judged import Judged
from boundcheck.audit.needed import Needed
from boundcheck.audit.result import Audit
from boundcheck.audit.sentences import COLUMNS, conclusions, table
from boundcheck.report.markdown import prose

SCHEMA = "boundcheck-audit-1"


def to_json(audit: Audit) -> str:
    """One key a line; a number of features beyond the floats is null."""
    lines = (f"{json.dumps(key)}: {json.dumps(_plain(value), allow_nan=False)}" for key, value in _record(audit).items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _record(audit: Audit) -> dict[str, Any]:
    return {
        "schema": SCHEMA, "data": audit.data, "target": audit.target, "rows": audit.rows, "inputs": audit.columns,
        "plan": asdict(audit.plan), "bandwidth": audit.sigma, "scene": asdict(audit.scene),
        "effective_dimension": audit.dimension, "spectrum_points": audit.spectrum_points, "rest": audit.rest,
        "conclusions": conclusions(audit),
        "theorems": [_theorem(judged) for judged in audit.theorems], "needed": [_needed(needed) for needed in audit.needed],
        "lams": audit.lams, "effective_dimensions": audit.dimensions,
        "features_at_lams": {j.demand.claim: features for j, features in zip(audit.theorems, audit.demands, strict=True)},
        "eigenvalues": audit.eigenvalues,
    }  # fmt: skip


def _theorem(judged: Judged) -> dict[str, Any]:
    demand = judged.demand
    return {
        "claim": demand.claim, "says": demand.says, "features": demand.sampling, "hypotheses": list(demand.hypotheses),
        "unmet": judged.unmet, "printed": judged.printed, "repaired": judged.repaired,
        "vacuous": [reason.text for reason in judged.vacuous],
        "speaks_for_lam": judged.speaks, "measured": demand.spectral,
    }  # fmt: skip


def _needed(needed: Needed) -> dict[str, Any]:
    return asdict(needed) | {"too_few": needed.too_few, "enough": needed.enough}


def _plain(value: Any) -> Any:
    """The value without infinities, and with text that UTF-8 can hold."""
    if isinstance(value, dict):
        return {_plain(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def to_markdown(audit: Audit) -> str:
    """Title, conclusions, the table of theorems, what each says, and the trials."""
    lines = [f"# Audit: {prose(audit.data)}", "", *(f"- {prose(sentence)}" for sentence in conclusions(audit)), ""]
    lines += _table(COLUMNS, table(audit))
    lines += ["", "What each theorem says:", ""]
    lines += [f"- `{j.demand.claim}`: {prose(j.demand.says)}" for j in audit.theorems]
    for needed in audit.needed:
        lines += ["", f"## Trials with {needed.sampling} features", ""]
        lines += _table(("s", "failed, at least", "failed, at most", "P(fail), interval"), _trials(needed))
    return "\n".join(lines) + "\n"


def _trials(needed: Needed) -> list[tuple[str, ...]]:
    rows = zip(needed.sizes, needed.fewest, needed.most, needed.intervals, strict=True)
    return [(str(s), str(least), str(most), f"[{low:.4f}, {high:.4f}]") for s, least, most, (low, high) in rows]


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    return [_line(columns), _line(("---",) * len(columns)), *(_line(tuple(map(prose, row))) for row in rows)]


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"
