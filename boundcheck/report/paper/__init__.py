"""The report of one paper as Markdown: verdicts, how tight and how vacuous, errata, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundcheck.report.markdown import MARK, code, escaped
from boundcheck.report.paper.all_errata import all_errata, target_of_file
from boundcheck.report.paper.coverage import coverage
from boundcheck.report.paper.errata import sections
from boundcheck.report.paper.findings import tables
from boundcheck.report.paper.folders import folder_of
from boundcheck.report.paper.refuted import Row, refuted
from boundcheck.report.power import power
from boundcheck.report.reading import CannotRead
from boundcheck.words.findings import Finding


def paper_report(content: dict[str, Any], folder: Path, findings: Sequence[Finding]) -> str:
    """The Markdown of a paper, made of a report as `read` returns it and its folder. Raises CannotRead."""
    found = refuted(content, folder)
    if not found.rows:
        raise CannotRead(
            f"The report has no claim of {folder.name}; run `boundcheck check {folder.name}` first."
        )
    lines = [
        f"# {escaped(found.paper.line)}",
        "",
        _counted(found.rows),
        "",
        *_verdicts(found.rows),
        *tables(findings),
    ]
    told = sections(found)
    return (
        "\n".join([*lines, *(["## Errata", "", *told] if told else []), *coverage(folder)]).rstrip() + "\n"
    )


def _counted(rows: list[Row]) -> str:
    counts = {name: sum(r["outcome"] == name for r in rows) for name in MARK}
    return (
        f"{len(rows)} claims: "
        + ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        + "."
    )


def _verdicts(rows: list[Row]) -> list[str]:
    head = [
        "| claim | statement | verdict | tightness | power | certificate |",
        "| --- | --- | --- | --: | --: | --- |",
    ]
    return ["## Verdicts", "", *head, *map(_verdict, rows), ""]


def _verdict(r: Row) -> str:
    tightness = "" if r["tightness"] is None or r["outcome"] == "REFUTED" else f"{r['tightness']:.3g}"
    cells = (
        code(r["id"]),
        escaped(r["summary"]),
        MARK[r["outcome"]],
        tightness,
        power(r),
        link(r["certificate"]),
    )
    return "| " + " | ".join(cells) + " |"


def link(certificate: str | None) -> str:
    """A link from reports/PAPER.md to a certificate, which lies below reports/."""
    return f"[certificate]({target_of_file(certificate.removeprefix('reports/'))})" if certificate else ""


__all__ = ["all_errata", "folder_of", "paper_report"]
