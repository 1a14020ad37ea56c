"""What follows a paper's page in Markdown: its findings, a line for each claim, and what no claim states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from boundcheck.checking.verdict import SHOWN
from boundcheck.report.findings import Finding
from boundcheck.report.paper import Refuted
from boundcheck.report.paper.blocks import (
    Block,
    Grid,
    Heading,
    Line,
    Link,
    Paragraph,
)
from boundcheck.report.paper.folders import TEXT, toml_arrays
from boundcheck.report.reading import CannotRead
from boundcheck.words.loading import CannotLoad, module_of


def appendix(
    p: Refuted, folder: Path, findings: Sequence[Finding]
) -> Iterator[Block]:
    """Tables of what was computed, of all verdicts, and of what is not stated. Raises CannotRead."""
    yield from _findings(findings)
    yield from _verdicts(p)
    yield from _coverage(folder)


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
        raise CannotRead(
            f"{file} fails ({why}); mend it or move it away."
        ) from error
    if not all(isinstance(f, Finding) for f in found):
        wrong = f"findings() of {file} returns something that is no Finding"
        raise CannotRead(f"{wrong}; return a list of Findings.")
    return found


def _findings(findings: Sequence[Finding]) -> Iterator[Block]:
    """A table and a remark for each finding."""
    if findings:
        yield Heading(2, ("Tightness and vacuity",))
    for finding in findings:
        yield Heading(3, (finding.title,))
        head = [(name,) for name in finding.columns]
        yield Grid(
            head, [[(_cell(value),) for value in row] for row in finding.rows]
        )
        if finding.remark:
            yield Paragraph("", (finding.remark,))


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _verdicts(p: Refuted) -> Iterator[Block]:
    counts = Counter(r.outcome for r in p.rows)
    told = ", ".join(f"{counts[o]} {o.name}" for o in SHOWN if counts[o])
    yield Heading(2, ("Verdicts",))
    yield Paragraph("", (f"{len(p.rows)} claims: {told}.",))
    head = (
        "claim",
        "statement",
        "verdict",
        "tightness",
        "power",
        "certificate",
    )
    rows: list[list[Line]] = []
    remarks = {
        id for id in p.refuted if id in p.errata and p.errata[id].is_remark
    }
    for r in p.rows:
        path = (r.certificate or "").removeprefix("reports/")
        certificate = (Link("certificate", path),) if path else ()
        rocq = p.report.rocq.get(r.id, "")
        shown: Line = (*certificate, f", {rocq}" if rocq else "")
        about = (
            f" {r.reason.partition(';')[0]}"
            if r.outcome.name == "PROVED"
            else ""
        )
        about += f", shown {r.shown}" if r.shown else ""
        about += ", a remark" if r.id in remarks else ""
        rows.append(
            [
                (Link(r.id, ""),),
                (r.summary,),
                (r.outcome.mark + about,),
                (r.tight,),
                (r.score,),
                shown,
            ]
        )
    yield Grid([(name,) for name in head], rows)


def _coverage(folder: Path) -> Iterator[Block]:
    """The table of `coverage.toml`. Raises CannotRead."""
    shape = {"id": TEXT, "status": TEXT}, {"reason": TEXT, "command": TEXT}
    listed = toml_arrays(folder / "coverage.toml", {"entry": shape})["entry"]
    if not listed:
        return
    counts = Counter(entry["status"] for entry in listed)
    told = ", ".join(
        f"{count} {status}" for status, count in sorted(counts.items())
    )
    yield Heading(2, ("Not stated as a claim",))
    yield Paragraph("", (f"{told}.",))
    rows: list[list[Line]] = []
    for e in listed:
        command = (" ", Link(e["command"], "")) if "command" in e else ()
        rows.append(
            [
                (Link(e["id"], ""),),
                (e["status"],),
                (e.get("reason", ""), *command),
            ]
        )
    yield Grid([("entry",), ("status",), ("why",)], rows)
