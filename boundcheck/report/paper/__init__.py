"""The report of one paper as Markdown: verdicts, findings that its module computes, errata, coverage."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from boundcheck.checking.verdict import SHOWN
from boundcheck.report import in_six_digits, markdown_table, printable
from boundcheck.report.document import Document, Row
from boundcheck.report.findings import Finding
from boundcheck.report.formats import code, table_cell
from boundcheck.report.paper.folders import (
    MOST_FINDINGS,
    SEVERITIES,
    TEXT,
    Erratum,
    Reference,
    folders,
    read_errata,
    reference,
    require_ranks,
    toml_tables,
)
from boundcheck.report.reading import CannotRead
from boundcheck.words.loading import CannotLoad, module_of


def paper_report(report: Document, folder: Path, findings: Sequence[Finding]) -> str:
    """The Markdown of a paper, made of a report and the paper's folder. Raises CannotRead."""
    found = refuted(report, folder)
    if not found.rows:
        name = folder.name
        raise CannotRead(
            f"The report has no claim of {name}; run `boundcheck check {name}` first."
        )
    told = sections(found)
    lines = [
        f"# {table_cell(found.paper.line)}", "", _counted(found.rows), "", *_verdicts(found),
        *finding_tables(findings), *(["## Errata", "", *told] if told else []), *coverage(folder),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def _counted(rows: list[Row]) -> str:
    counts = Counter(r.outcome for r in rows)
    told = ", ".join(
        f"{counts[outcome]} {outcome.name}" for outcome in SHOWN if counts[outcome]
    )
    return f"{len(rows)} claims: {told}."


def _verdicts(found: Refuted) -> list[str]:
    head = ("claim", "statement", "verdict", "tightness", "power", "certificate")
    cells = (
        (
            code(r.id),
            table_cell(r.summary),
            r.outcome.mark,
            r.tight,
            r.score,
            _joined(certificate(r), found.rocq(r)),
        )
        for r in found.rows
    )
    return ["## Verdicts", "", *markdown_table(head, cells, right=(3, 4)), ""]


def coverage(folder: Path) -> list[str]:
    """The table of `coverage.toml`. Raises CannotRead."""
    required, optional = {"id": TEXT, "status": TEXT}, {"reason": TEXT, "command": TEXT}
    listed = toml_tables(folder / "coverage.toml", "entry", required, optional)
    if not listed:
        return []
    counts = Counter(entry["status"] for entry in listed)
    told = ", ".join(
        f"{count} {table_cell(status)}" for status, count in sorted(counts.items())
    )
    table = markdown_table(
        ("entry", "status", "why"),
        ((code(e["id"]), table_cell(e["status"]), _why(e)) for e in listed),
    )
    return ["## Not stated as a claim", "", f"{told}.", "", *table]


def _why(e: dict[str, Any]) -> str:
    """The reason, and the command that shows it if there is one."""
    return table_cell(e.get("reason", "")) + (
        f" {code(e['command'])}" if "command" in e else ""
    )


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
        lines += [
            f"### {table_cell(finding.title)}",
            "",
            *markdown_table([*map(table_cell, finding.columns)], rows),
        ]
        lines += ["", table_cell(finding.remark), ""] if finding.remark else [""]
    return lines


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else table_cell(str(value))


# errata


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

    def rocq(self, r: Row) -> str:
        """Whether a proof assistant has checked the certificate of a claim; empty where nobody asked it."""
        return table_cell(self.report.rocq.get(r.id, ""))

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
    lines = _contents(found) + [
        line for e in found.errata for line in _erratum(e, found)
    ]
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
    lines = [
        f"* {name}: " + ", ".join(_linked(e.id, found) for e in group)
        for name, group in groups
    ]
    return [*lines, ""] if lines else []


def _linked(id: str, found: Refuted) -> str:
    return f"[{code(id.removeprefix(found.paper.key + '.'))}](#{target(id)})"


def _erratum(e: Erratum, found: Refuted) -> list[str]:
    r = found.row(e)
    ours = labelled("In our words", r.summary)
    printed = ["Printed:", "", *display_math(e.printed)] if e.printed.strip() else ours
    return [
        *_heading(f"### {code(e.id)}: {e.severity}", e, found), *printed,
        *labelled("Read as", e.read_as), *labelled("Conversion", e.conversion),
        *labelled("Counterexample", e.counterexample), *_fenced(e.python, "python"),
        *labelled("Width", e.width), *labelled("Harm", e.harm),
        *_step(e, found), *labelled("Why", e.argument),
        *_repair(e, found), *labelled("Limit", e.limit), f"**Certificate.** {_fails(r)}", "", *confirmation(r, found),
    ]  # fmt: skip


def _remark(e: Erratum, found: Refuted) -> list[str]:
    r = found.row(e)
    return [
        *_heading(f"#### {code(e.id)}", e, found),
        *display_math(e.printed), *labelled("Read as", e.read_as or r.summary),
        *labelled("Conversion", e.conversion),
        *labelled("Counterexample", e.counterexample), *_fenced(e.python, "python"),
        paragraphs(e.argument), "", *labelled("Width", e.width), *labelled("Harm", e.harm),
        *_repair(e, found), *labelled("Limit", e.limit),
        _fails(r), "", *confirmation(r, found),
    ]  # fmt: skip


def _heading(heading: str, e: Erratum, found: Refuted) -> list[str]:
    stands = f"{paragraphs(found.where(e))}. The claim: {_place(found.row(e))}."
    return [anchor(e.id), "", heading, "", stands, ""]


def _not_argued(r: Row, found: Refuted) -> str:
    proof = found.report.proofs.get(r.id)
    told = [
        f"{anchor(r.id)}{code(r.id)}, {_place(r)}: {table_cell(r.summary)} {_fails(r)}"
    ]
    told += [f"The certificate is {said}." for said in [found.rocq(r)] if said]
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
    told = " ".join(
        filter(None, [paragraphs(e.repaired), *found.told(found.repairs(e))])
    )
    return [f"**Repair.** {told or 'None is stated.'}", ""]


def _fails(r: Row) -> str:
    """What the certificate shows, and where: the instance as the claim sees it."""
    return table_cell(in_six_digits(r.reason)) + (
        f" at {code(r.instance)}." if r.instance else "."
    )


def all_errata(report: Document) -> str:
    """The Markdown of what a report refutes of all papers. Raises CannotRead."""
    papers = [refuted(report, folder) for folder in folders()]
    require_ranks(e for paper in papers for e in (*paper.errata, *paper.remarks))
    lines = [ERRATA, *_findings(papers), *_table(papers), HOW_TO_READ]
    for paper in papers:
        lines += [
            anchor(paper.paper.key),
            "",
            f"## {table_cell(paper.paper.line)}",
            "",
            *sections(paper),
        ]
        lines += [] if paper.rows else ["The report has no claim of this paper.", ""]
    return "\n".join(lines).rstrip() + "\n"


def _findings(papers: list[Refuted]) -> list[str]:
    """The findings that matter, in the order of their ranks, each with links to its evidence."""
    found = [
        (e.finding, e, paper)
        for paper in papers
        for e in (*paper.errata, *paper.remarks)
        if e.finding
    ]
    ranked = sorted(found, key=lambda triple: triple[0].rank)[:MOST_FINDINGS]
    lines = [
        f"{k}. {' '.join(paragraphs(finding.text).split())} {_evidence(e, paper)}"
        for k, (finding, e, paper) in enumerate(ranked, 1)
    ]
    return ["## What matters", "", *lines, ""] if lines else []


def _evidence(e: Erratum, paper: Refuted) -> str:
    return _joined(f"[{code(e.id)}](#{target(e.id)})", certificate(paper.row(e), UP))


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _table(papers: list[Refuted]) -> list[str]:
    """How many errata of each severity each paper has."""
    counts = [
        [sum(e.severity == name for e in p.errata) for name in SEVERITIES]
        for p in papers
    ]
    rows = [
        [*row, sum(row), len(p.remarks), len(p.not_argued)]
        for row, p in zip(counts, papers)
    ]
    totals = [sum(column) for column in zip(*rows)]
    head = ["paper", *SEVERITIES, "errata", "remarks", "not yet argued"]
    cells = [
        [f"[{table_cell(p.paper.name)}](#{target(p.paper.key)})", *row]
        for p, row in zip(papers, rows)
    ]
    filled = ([cell or "" for cell in row] for row in [*cells, ["all", *totals]])
    meanings = (f"* *{name}*: {meaning}" for name, meaning in GRAVITY.items())
    return [
        "## By paper and severity",
        "",
        *markdown_table(head, filled, range(1, len(head))),
        "",
        *meanings,
        "",
    ]


# texts of a person as Markdown: paragraphs and tables stay what they are, and HTML finds nothing to obey


UP = "../"
"""From a page (docs/errata.md, reports/PAPER.md) to the folder of theory/ and reports/."""


COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")
TABLE = re.compile(r"((?:^.*\S {2,}\S.*\n?){2,})", re.M)
"""Two or more lines whose columns are two spaces apart."""


def tables(text: str) -> list[str | list[list[str]]]:
    """A text as prose and tables, these as rows of cells."""
    pieces = [piece.strip("\n") for piece in TABLE.split(text.strip())]
    cells = [
        [COLUMNS.split(line.strip()) for line in piece.splitlines()] for piece in pieces
    ]
    return [cells[k] if k % 2 else piece for k, piece in enumerate(pieces) if piece]


def parts(text: str) -> list[tuple[str, str]]:
    """A text in pieces, each with its kind: "text", "code" (between backticks), "math" (between $)."""
    found = re.split(r"(\$`[^`\n]+`\$|`[^`\n]*`|\$[^$\n]+\$)", printable(text.strip()))
    kinds = ["code" if part.startswith("`") else "math" for part in found]
    return [
        (kinds[k], part.strip("$").strip("`")) if k % 2 else ("text", part)
        for k, part in enumerate(found)
        if part
    ]


def display(tex: str) -> str | None:
    """A formula without delimiters and empty lines, which end a display; None for a text with formulas."""
    bare = printable(tex).strip().strip("$").removeprefix(r"\[").removesuffix(r"\]")
    return (
        None
        if "$" in bare
        else "\n".join(line.rstrip() for line in bare.splitlines() if line.strip())
    )


def paragraphs(text: str) -> str:
    """Prose of a person: paragraphs and tables stay; neither HTML nor Markdown touches a `<` or a formula."""
    text = "\n\n".join(
        t if isinstance(t, str) else _written_table(t) for t in tables(text)
    )
    text = re.sub(r"^(?!\|)(.+)\n(?=\|)", r"\1\n\n", text, flags=re.M)
    marked = {
        "text": lambda part: part.replace("<", "&lt;"),
        "code": "`{}`".format,
        "math": "$`{}`$".format,
    }
    return "".join(marked[kind](part) for kind, part in parts(text))


def _written_table(rows: list[list[str]]) -> str:
    """Rows of cells as Markdown, the first of them the head."""
    head, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(markdown_table(head, body, range(1, len(head))))


def labelled(label: str, text: str) -> list[str]:
    """`**Harm.** text`, or nothing where there is no text."""
    told = paragraphs(text)
    between = "\n\n" if told.startswith("|") else " "
    return [f"**{label}.**{between}{told}", ""] if told else []


def _fenced(text: str, language: str) -> list[str]:
    """A block whose fence is longer than any inside, or nothing where there is no text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return (
        [fence + language, printable(text).strip("\n"), fence, ""]
        if text.strip()
        else []
    )


def display_math(tex: str) -> list[str]:
    """A displayed formula, or a text that has formulas in it."""
    shown = display(tex)
    return [paragraphs(tex), ""] if shown is None else _fenced(shown, "math")


def anchor(id: str) -> str:
    """A target for links that does not change when a heading does."""
    return f'<a id="{target(id)}"></a>'


def target(id: str) -> str:
    """An id as the end of an address."""
    return re.sub(r"[^\w.\-]", "_", id)


def _place(r: Row) -> str:
    """`theory/li2021/spectral.py:30`, linked where it lies in theory/."""
    path, _, line = r.location.rpartition(":")
    found = (
        re.fullmatch(r"theory/[\w./-]+\.py", path)
        and ".." not in path
        and line.isdigit()
    )
    return f"[{code(r.location)}]({UP}{path}#L{line})" if found else code(r.location)


def certificate(r: Row, up: str = "") -> str:
    """A link from docs/errata.md, or from reports/PAPER.md, to the certificate of a claim that has one."""
    path = (
        (r.certificate or "") if up else (r.certificate or "").removeprefix("reports/")
    )
    quoted = table_cell(
        path.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    )
    return f"[certificate]({up}{quoted})" if path else ""


def verdict(id: str, r: Row | None) -> str:
    """A claim with its verdict, how tight it is, and how many perturbed twins its evidence refutes."""
    if r is None:
        return f"{code(id)}, which is not in the report"
    seen = {"tightness": r.tight, "power": r.score}
    measured = ", ".join(f"{name} {value}" for name, value in seen.items() if value)
    measured += f"; shown {table_cell(r.shown)}" if r.shown else ""
    known = f"{r.outcome.mark} ({measured})" if measured else r.outcome.mark
    return f"{code(id)}, {known}: {table_cell(r.summary)}".rstrip(".")


def confirmation(r: Row, found: Refuted) -> list[str]:
    """The command that checks the certificate of a refutation, and whether a proof assistant has."""
    told = found.rocq(r)
    if told.startswith("checked"):
        told = f"the negation of the statement is {told}"
    said = [f"{told[0].upper()}{told[1:]}.", ""] if told else []
    return [
        *(_fenced(f"boundcheck verify {r.certificate}", "sh") if r.certificate else []),
        *said,
    ]
