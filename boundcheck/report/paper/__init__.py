"""The report of one paper as Markdown: verdicts, how tight and how vacuous, errata, coverage."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundcheck.findings import Finding
from boundcheck.report.markdown import MARK, code, escaped
from boundcheck.report.paper.coverage import coverage
from boundcheck.report.paper.errata import errata, sections
from boundcheck.report.paper.findings import tables
from boundcheck.report.power import power
from boundcheck.report.reading import CannotRead
from boundcheck.suite import theory

Row = dict[str, Any]


def folder_of(paper: str) -> Path:
    """The folder of a paper in theory/. Raises CannotRead."""
    folder = theory() / paper
    if not paper.isidentifier() or not (folder / "__init__.py").is_file():
        known = ", ".join(sorted(p.parent.name for p in theory().glob("*/__init__.py"))) or "none"
        raise CannotRead(f"There is no paper '{paper}' in {theory()}; there is {known}.")
    return folder


def paper_report(content: dict[str, Any], folder: Path, findings: Sequence[Finding]) -> str:
    """The Markdown of a paper, made of a report as `read` returns it and the files of its folder. Raises CannotRead."""
    rows = [r for r in content["claims"] if r["id"].startswith(folder.name + ".")]
    if not rows:
        raise CannotRead(f"The report has no claim of {folder.name}; run `boundcheck check {folder.name}` first.")
    lines = [f"# {_heading(folder)}", "", _counted(rows), ""]
    lines += _verdicts(rows) + tables(findings) + errata(rows, content["audit"], folder) + coverage(folder)
    return "\n".join(lines).rstrip() + "\n"


ERRATA = """\
# Errata

What the papers print and the engine refutes, under the text that was judged. Each refutation is a certificate, which the command below
it checks again. Severity, argument and repair are a person's; a claim that is not refuted in the report is not listed.
"""


def all_errata(content: dict[str, Any]) -> str:
    """The Markdown of the refuted claims of every paper in theory/, made of a report as `read` returns it. Raises CannotRead."""
    lines = [ERRATA]
    for folder in (folder_of(p.parent.name) for p in sorted(theory().glob("*/__init__.py"))):
        rows = [r for r in content["claims"] if r["id"].startswith(folder.name + ".")]
        lines += [f"## {_heading(folder)}", "", _counted(rows) if rows else "The report has no claim of this paper.", ""]
        lines += sections(rows, content["audit"], folder)
    return "\n".join(lines).rstrip() + "\n"


def _heading(folder: Path) -> str:
    """The first line of the docstring of the paper's package."""
    try:
        text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        text = ""
    return escaped((text or folder.name).split("\n")[0])


def _counted(rows: list[Row]) -> str:
    counts = {name: sum(r["outcome"] == name for r in rows) for name in MARK}
    return f"{len(rows)} claims: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count) + "."


def _verdicts(rows: list[Row]) -> list[str]:
    head = ["| claim | statement | verdict | tightness | power | certificate |", "| --- | --- | --- | --: | --: | --- |"]
    return ["## Verdicts", "", *head, *map(_verdict, rows), ""]


def _verdict(r: Row) -> str:
    tightness = "" if r["tightness"] is None or r["outcome"] == "REFUTED" else f"{r['tightness']:.3g}"
    cells = code(r["id"]), escaped(r["summary"]), MARK[r["outcome"]], tightness, power(r), link(r["certificate"])
    return "| " + " | ".join(cells) + " |"


def link(certificate: str | None) -> str:
    """A link from reports/PAPER.md to a certificate, which lies below reports/."""
    if not certificate:
        return ""
    target = certificate.removeprefix("reports/").replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return f"[certificate]({escaped(target)})"
