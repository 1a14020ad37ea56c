"""What a part of the report gives: tables, and a sentence for each thing that went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from boundcheck.report.findings import Finding
from boundcheck.report.formats import table_cell

MOST_FAILURES = 20


@dataclass(frozen=True)
class Part:
    """Tables, what went wrong, and a note on how it was measured."""

    findings: Sequence[Finding]
    failures: Sequence[str] = field(default_factory=tuple)
    note: str = ""

    @property
    def passed(self) -> bool:
        return not self.failures


def section(part: Part) -> str:
    """The part as Markdown, without its heading."""
    lines = [f"**{'passed' if part.passed else f'FAILED, {len(part.failures)} times'}.** {part.note}".rstrip(), ""]
    for finding in part.findings:
        lines += [f"### {finding.title}", "", _line(finding.columns), _line(["---"] * len(finding.columns))]
        lines += [_line(row) for row in finding.rows] + [""]
        lines += [finding.remark, ""] if finding.remark else []
    if part.failures:
        lines += ["### What went wrong", "", *(f"- {table_cell(f)}" for f in part.failures[:MOST_FAILURES])]
        lines += [f"- and {len(part.failures) - MOST_FAILURES} more"] if len(part.failures) > MOST_FAILURES else []
    return "\n".join(lines).rstrip() + "\n"


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(table_cell(_text(c)) for c in cells)} |"


def _text(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)
