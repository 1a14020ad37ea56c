"""The report of one paper as Markdown: verdicts, findings that its module computes, errata, coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundcheck.checking.verdict import SHOWN
from boundcheck.report.document import Document
from boundcheck.report.files import grid
from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.errata import all_errata, certificate, refuted, sections
from boundcheck.report.paper.folders import TEXT, entries, folder_of
from boundcheck.report.reading import CannotRead
from boundcheck.report.row import Row
from boundcheck.words.findings import Finding
from boundcheck.words.loading import CannotLoad, module_of

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
        *finding_tables(findings), *(["## Errata", "", *told] if told else []), *coverage(folder),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def _counted(rows: list[Row]) -> str:
    counts = Counter(r.outcome for r in rows)
    told = ", ".join(f"{counts[outcome]} {outcome.name}" for outcome in SHOWN if counts[outcome])
    return f"{len(rows)} claims: {told}."


def _verdicts(rows: list[Row]) -> list[str]:
    head = ("claim", "statement", "verdict", "tightness", "power", "certificate")
    cells = ((code(r.id), escaped(r.summary), r.outcome.mark, r.tight, r.score, certificate(r)) for r in rows)
    return ["## Verdicts", "", *grid(head, cells, right=(3, 4)), ""]


def coverage(folder: Path) -> list[str]:
    """The table of `coverage.toml`. Raises CannotRead."""
    required, optional = {"id": TEXT, "status": TEXT}, {"reason": TEXT, "command": TEXT}
    listed = entries(folder / "coverage.toml", "entry", required, optional)
    if not listed:
        return []
    counts = Counter(entry["status"] for entry in listed)
    told = ", ".join(f"{count} {escaped(status)}" for status, count in sorted(counts.items()))
    table = grid(("entry", "status", "why"), ((code(e["id"]), escaped(e["status"]), _why(e)) for e in listed))
    return ["## Not stated as a claim", "", f"{told}.", "", *table]


def _why(e: dict[str, Any]) -> str:
    """The reason, and the command that shows it if there is one."""
    return escaped(e.get("reason", "")) + (f" {code(e['command'])}" if "command" in e else "")


# the findings of a paper


def computed(folder: Path) -> list[Finding]:
    """What `findings()` of a folder's findings.py returns; nothing without it. Raises CannotRead."""
    file = folder / "findings.py"
    if not file.is_file():
        return []
    try:
        found = list(module_of(file).findings())
    except CannotLoad as error:
        raise CannotRead(str(error)) from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise CannotRead(f"{file} fails ({why}); mend it or move it away.") from error
    if not all(isinstance(f, Finding) for f in found):
        wrong = f"findings() of {file} returns something that is no Finding"
        raise CannotRead(f"{wrong}; return a list of Findings.")
    return found


def finding_tables(findings: Sequence[Finding]) -> list[str]:
    """A table and a remark for each finding."""
    lines = ["## Tightness and vacuity", ""] if findings else []
    for finding in findings:
        rows = (map(_cell, row) for row in finding.rows)
        lines += [f"### {escaped(finding.title)}", "", *grid([*map(escaped, finding.columns)], rows)]
        lines += ["", escaped(finding.remark), ""] if finding.remark else [""]
    return lines


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else escaped(str(value))
