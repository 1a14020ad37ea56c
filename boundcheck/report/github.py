"""The gate as GitHub shows it: an annotation at the line that states the claim, and a summary of the step."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from boundcheck.report.gate import NEW, Change, Comparison
from boundcheck.report.markdown import code, prose
from boundcheck.report.printable import printable


def is_here() -> bool:
    """Whether this is a run of GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def errors(result: Comparison, rejected: Sequence[str] = ()) -> list[str]:
    """A workflow command for each regression, at the line of the claim, and for each rejected certificate."""
    worse = (f"{_place(c)}title={_property(_title(c))}::{_escaped(str(c))}" for c in result.regressions)
    others = (f"title=a certificate is rejected::{_escaped(line)}" for line in rejected)
    return [f"::error {told}" for told in (*worse, *others)]


def _title(change: Change) -> str:
    return f"{change.id} is new and refuted" if change.before == NEW else f"{change.id} got worse"


def _place(change: Change) -> str:
    """`file=...,line=...,` if the file is found from here; a location may begin with our folder."""
    name, _, line = change.location.rpartition(":")
    parts = Path(name).parts
    found = (Path(*parts[k:]) for k in range(len(parts)) if not Path(name).is_absolute())
    file = next((f for f in found if f.is_file()), None)
    return "" if file is None else f"file={_property(file.as_posix())},line={line},"


def _escaped(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def append_summary(result: Comparison, rejected: Sequence[str], totals: str) -> None:
    """Add the comparison to the summary of the step, if there is a file for it. Raises OSError."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(summary(result, rejected, totals))


def summary(result: Comparison, rejected: Sequence[str], totals: str) -> str:
    """The comparison as Markdown."""
    accepted = tuple(c for c, _ in result.accepted)
    kinds = {
        "regression": result.regressions, "accepted": accepted, "improved": result.improvements,
        "restated": result.restated, "new": result.new,
    }  # fmt: skip
    changes = [(label, c) for label, cs in kinds.items() for c in cs]
    cells = ((label, code(c.id), *map(prose, (c.before, c.after, c.why))) for label, c in changes)
    rows = [f"| {' | '.join(row)} |" for row in cells]
    rows += [f"| certificate rejected | | | | {prose(line)} |" for line in rejected]
    table = ["| | claim | before | now | why |", "| --- | --- | --- | --- | --- |", *rows, ""] if rows else []
    return "\n".join(["## boundcheck gate", "", totals, "", *table]) + "\n"
