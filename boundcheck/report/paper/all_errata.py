"""The page of all errata: findings that matter, a table by paper and severity, the entries of each paper."""

from __future__ import annotations

from typing import Any

from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.errata import sections
from boundcheck.report.paper.erratum import MOST_FINDINGS, SEVERITIES, Erratum, require_ranks
from boundcheck.report.paper.folders import folders
from boundcheck.report.paper.refuted import Refuted, refuted
from boundcheck.report.paper.written import UP, anchor, target, written

ERRATA = """\
# Errata

What the papers print and the engine refutes. Each entry has a certificate, which the command below it
checks without the engine, and a few lines of Python that show the same by themselves. Which claims are here
is the verdict's decision; the words are a person's.
"""

HOW_TO_READ = """\
*Tightness* is the largest share of its bound that a repaired statement reaches on the instances looked at.
*Power* 5/6 says that of six twins of it, each made false on purpose, the same evidence refutes five.
*Certificate* has the refuted numbers and the instance as the engine holds it; the counterexample is the same
object in words, or a simpler one. Nothing outside of an entry's *Harm* is said to fail.
"""

GRAVITY = {
    "conclusion false": "the statement fails, and no hypothesis in sight saves it",
    "proof gap": "a step fails; the statement may stand",
    "hypothesis missing": "it stands under a condition that is not stated",
    "order": "it stands with another rate",
    "constant": "it stands with another constant",
    "misprint": "a slip of the pen",
}


def all_errata(content: dict[str, Any]) -> str:
    """The Markdown of what a report as `read` returns it refutes of all papers. Raises CannotRead."""
    papers = [refuted(content, folder) for folder in folders()]
    require_ranks(e for paper in papers for e in (*paper.errata, *paper.remarks))
    lines = [ERRATA, *_findings(papers), *_table(papers), HOW_TO_READ]
    for paper in papers:
        lines += [anchor(paper.paper.key), "", f"## {escaped(paper.paper.line)}", "", *sections(paper)]
        lines += [] if paper.rows else ["The report has no claim of this paper.", ""]
    return "\n".join(lines).rstrip() + "\n"


def _findings(papers: list[Refuted]) -> list[str]:
    """The findings that matter, in the order of their ranks, each with links to its evidence."""
    found = [(e.finding, e, paper) for paper in papers for e in (*paper.errata, *paper.remarks) if e.finding]
    ranked = sorted(found, key=lambda triple: triple[0].rank)[:MOST_FINDINGS]
    lines = [
        f"{k}. {_indented(finding.text)} {_evidence(e, paper)}"
        for k, (finding, e, paper) in enumerate(ranked, 1)
    ]
    return ["## What matters", "", *lines, ""] if lines else []


def _indented(text: str) -> str:
    return " ".join(written(text).split())


def _evidence(e: Erratum, paper: Refuted) -> str:
    links = [f"[{code(e.id)}](#{target(e.id)})"]
    certificate = paper.report[e.id]["certificate"]
    return ", ".join(links + ([f"[certificate]({UP}{target_of_file(certificate)})"] if certificate else []))


def target_of_file(path: str) -> str:
    """A path in a link."""
    return escaped(path.replace(" ", "%20").replace("(", "%28").replace(")", "%29"))


def _table(papers: list[Refuted]) -> list[str]:
    """How many errata of each severity each paper has."""
    counts = [[sum(e.severity == name for e in p.errata) for name in SEVERITIES] for p in papers]
    rows = [[*row, sum(row), len(p.remarks), len(p.not_argued)] for row, p in zip(counts, papers)]
    totals = [sum(column) for column in zip(*rows)]
    head = ["paper", *SEVERITIES, "errata", "remarks", "not yet argued"]
    lines = ["## By paper and severity", "", _row(head), _row(["---", *["--:"] * len(head[1:])])]
    lines += [
        _row([f"[{escaped(p.paper.name)}](#{target(p.paper.key)})", *map(_count, row)])
        for p, row in zip(papers, rows)
    ]
    lines += [_row(["all", *map(_count, totals)]), ""]
    return [*lines, *(f"* *{name}*: {meaning}" for name, meaning in GRAVITY.items()), ""]


def _count(count: int) -> str:
    return str(count or "")


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
