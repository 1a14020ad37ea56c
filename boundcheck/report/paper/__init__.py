"""The report of one paper as Markdown: verdicts, how tight and how vacuous, errata, coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundcheck.checking.verdict import SHOWN
from boundcheck.report.document import Document
from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.errata import all_errata, refuted, sections
from boundcheck.report.paper.findings import tables
from boundcheck.report.paper.folders import TEXT, entries, folder_of
from boundcheck.report.paper.written import certificate
from boundcheck.report.reading import CannotRead
from boundcheck.report.row import Row
from boundcheck.words.findings import Finding

__all__ = ["all_errata", "folder_of", "paper_report"]


def paper_report(report: Document, folder: Path, findings: Sequence[Finding]) -> str:
    """The Markdown of a paper, made of a report and the paper's folder. Raises CannotRead."""
    found = refuted(report, folder)
    if not found.rows:
        name = folder.name
        raise CannotRead(f"The report has no claim of {name}; run `boundcheck check {name}` first.")
    told = sections(found)
    lines = [
        f"# {escaped(found.paper.line)}", "", _counted(found.rows), "", *_verdicts(found.rows),
        *tables(findings), *(["## Errata", "", *told] if told else []), *coverage(folder),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def _counted(rows: list[Row]) -> str:
    counts = Counter(r.outcome for r in rows)
    told = ", ".join(f"{counts[outcome]} {outcome.name}" for outcome in SHOWN if counts[outcome])
    return f"{len(rows)} claims: {told}."


def _verdicts(rows: list[Row]) -> list[str]:
    head = "| claim | statement | verdict | tightness | power | certificate |"
    return ["## Verdicts", "", head, "| --- | --- | --- | --: | --: | --- |", *map(_verdict, rows), ""]


def _verdict(r: Row) -> str:
    cells = (code(r.id), escaped(r.summary), r.outcome.mark, r.tight, r.score, certificate(r))
    return "| " + " | ".join(cells) + " |"


def coverage(folder: Path) -> list[str]:
    """The table of `coverage.toml`. Raises CannotRead."""
    required, optional = {"id": TEXT, "status": TEXT}, {"reason": TEXT, "command": TEXT}
    listed = entries(folder / "coverage.toml", "entry", required, optional)
    if not listed:
        return []
    counts = Counter(entry["status"] for entry in listed)
    told = ", ".join(f"{count} {escaped(status)}" for status, count in sorted(counts.items()))
    lines = ["## Not stated as a claim", "", f"{told}.", ""]
    lines += ["| entry | status | why |", "| --- | --- | --- |"]
    return lines + [f"| {code(e['id'])} | {escaped(e['status'])} | {_why(e)} |" for e in listed]


def _why(e: dict[str, Any]) -> str:
    """The reason, and the command that shows it if there is one."""
    return escaped(e.get("reason", "")) + (f" {code(e['command'])}" if "command" in e else "")
