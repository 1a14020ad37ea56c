"""Errata as Markdown: what a report refutes of a paper, what a person wrote of it, the page of all papers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from boundcheck.report.document import Document
from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.erratum import MOST_FINDINGS, SEVERITIES, Erratum, read_errata, require_ranks
from boundcheck.report.paper.folders import Reference, folders, reference
from boundcheck.report.paper.numbers import certified_instance, shortened, spelled_instance
from boundcheck.report.paper.written import (
    UP,
    anchor,
    certificate,
    check,
    fenced,
    formula,
    labelled,
    place,
    target,
    verdict,
    written,
)
from boundcheck.report.row import Row

REMARKS = "On readings and constants that are ours, and on what is said of experiments and of other papers."
NOT_ARGUED = "Refuted by the engine; nobody has written down how grave it is."

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


@dataclass(frozen=True)
class Refuted:
    """What a report refutes of a paper. The verdict decides: an entry whose claim is not refuted is not here.

    `errata` begin with the gravest, and within a severity have the order of `errata.toml`, as `remarks` have.
    """

    paper: Reference
    errata: tuple[Erratum, ...]
    remarks: tuple[Erratum, ...]
    not_argued: tuple[Row, ...]
    report: Document

    @property
    def rows(self) -> list[Row]:
        """The paper's claims."""
        return rows_of(self.report, self.paper.key)

    def row(self, e: Erratum) -> Row:
        """The claim of an entry."""
        return self.report.by_id[e.id]

    def where(self, e: Erratum) -> str:
        """The place in the paper, without a full stop."""
        known = self.row(e).source.removeprefix(f"{self.paper.key}, ")
        return (e.where or known).strip().rstrip(".")

    def repairs(self, e: Erratum) -> list[str]:
        """The claims that an entry names, and those that say of themselves that they repair its claim."""
        return list(dict.fromkeys([*e.repair, *self.repairing(e.id)]))

    def repairing(self, id: str) -> list[str]:
        """The claims that say of themselves that they repair a claim."""
        return [r.id for r in self.report.rows if id in r.repairs]

    def told(self, ids: Iterable[str]) -> list[str]:
        """A sentence with the verdict of each of these claims."""
        return [f"{verdict(id, self.report.by_id.get(id))}." for id in ids]


def rows_of(report: Document, paper: str) -> list[Row]:
    """The rows of a paper's claims."""
    return [r for r in report.rows if r.id.startswith(paper + ".")]


def refuted(report: Document, folder: Path) -> Refuted:
    """What a report refutes of the paper of a folder. Raises CannotRead."""
    false = {r.id: r for r in rows_of(report, folder.name) if r.refuted}
    argued = {e.id: e for e in read_errata(folder) if e.id in false}
    remarks = tuple(e for e in argued.values() if e.is_remark)
    errata = [e for e in argued.values() if not e.is_remark]
    errata = tuple(sorted(errata, key=lambda e: SEVERITIES.index(e.severity)))
    not_argued = tuple(r for r in false.values() if r.id not in argued)
    return Refuted(reference(folder), errata, remarks, not_argued, report)


def sections(found: Refuted) -> list[str]:
    """The entries of a paper under headings of the third and fourth level."""
    lines = _contents(found) + [line for e in found.errata for line in _erratum(e, found)]
    if found.remarks:
        lines += ["### Remarks", "", REMARKS, ""]
        lines += [line for e in found.remarks for line in _remark(e, found)]
    if found.not_argued:
        lines += ["### Not yet argued", "", NOT_ARGUED, ""]
        lines += [_not_argued(r, found) for r in found.not_argued] + [""]
    return lines


def _contents(found: Refuted) -> list[str]:
    """A line with links for each severity."""
    groups = groupby(found.errata, key=lambda e: e.severity)
    lines = [f"* {name}: " + ", ".join(_linked(e.id, found) for e in group) for name, group in groups]
    return [*lines, ""] if lines else []


def _linked(id: str, found: Refuted) -> str:
    return f"[{code(id.removeprefix(found.paper.key + '.'))}](#{target(id)})"


def _erratum(e: Erratum, found: Refuted) -> list[str]:
    r = found.row(e)
    ours = labelled("In our words", r.summary)
    printed = ["Printed:", "", *formula(e.printed)] if e.printed.strip() else ours
    return [
        *_heading(f"### {code(e.id)}: {e.severity}", e, found), *printed,
        *labelled("Read as", e.read_as), *labelled("Conversion", e.conversion),
        *labelled("Counterexample", e.counterexample), *fenced(e.python, "python"),
        *labelled("Width", e.width), *labelled("Harm", e.harm),
        *_step(e, found), *labelled("Why", e.argument),
        *_repair(e, found), *labelled("Limit", e.limit), f"**Certificate.** {_fails(r)}", "", *check(r),
    ]  # fmt: skip


def _remark(e: Erratum, found: Refuted) -> list[str]:
    r = found.row(e)
    return [
        *_heading(f"#### {code(e.id)}", e, found),
        *formula(e.printed), *labelled("Read as", e.read_as or r.summary),
        *labelled("Conversion", e.conversion),
        *labelled("Counterexample", e.counterexample), *fenced(e.python, "python"),
        written(e.argument), "", *labelled("Width", e.width), *labelled("Harm", e.harm),
        *_repair(e, found), *labelled("Limit", e.limit),
        _fails(r), "", *check(r),
    ]  # fmt: skip


def _heading(heading: str, e: Erratum, found: Refuted) -> list[str]:
    stands = f"{written(found.where(e))}. The claim: {place(found.row(e))}."
    return [anchor(e.id), "", heading, "", stands, ""]


def _not_argued(r: Row, found: Refuted) -> str:
    proof = found.report.proofs.get(r.id)
    told = [f"{anchor(r.id)}{code(r.id)}, {place(r)}: {escaped(r.summary)} {_fails(r)}"]
    if proof and proof.first:
        told.append(f"First step refuted of those checked: {code(proof.first.id)}.")
    told += [f"Repaired: {sentence}" for sentence in found.told(found.repairing(r.id))]
    return "* " + " ".join(told)


def _step(e: Erratum, found: Refuted) -> list[str]:
    if not e.step_claim:
        return labelled("First step that fails", e.step)
    return ["**First step that fails.** " + "".join(found.told([e.step])), ""]


def _repair(e: Erratum, found: Refuted) -> list[str]:
    """What is true instead, with the verdicts of the claims that say so."""
    told = " ".join(filter(None, [written(e.repaired), *found.told(found.repairs(e))]))
    return [f"**Repair.** {told or 'None is stated.'}", ""]


def _fails(r: Row) -> str:
    """What the certificate shows, and where: the instance as the claim sees it."""
    told = r.instance or spelled_instance(certified_instance(r.certificate) or {})
    return f"{escaped(shortened(r.reason))}" + (f" at {code(told)}." if told else ".")


def all_errata(report: Document) -> str:
    """The Markdown of what a report refutes of all papers. Raises CannotRead."""
    papers = [refuted(report, folder) for folder in folders()]
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
        f"{k}. {' '.join(written(finding.text).split())} {_evidence(e, paper)}"
        for k, (finding, e, paper) in enumerate(ranked, 1)
    ]
    return ["## What matters", "", *lines, ""] if lines else []


def _evidence(e: Erratum, paper: Refuted) -> str:
    return ", ".join(filter(None, (f"[{code(e.id)}](#{target(e.id)})", certificate(paper.row(e), UP))))


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
