"""The formats of a report, functions of a document by name in one table; here CSV, JUnit XML, Markdown."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from boundcheck.report import cell, markdown_table, printable
from boundcheck.report.document import Derivation, Document, Row

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Format:
    """The suffix of its files, and `module:function`, imported when asked for: from a Document to a text."""

    suffix: str
    function: str

    def render(self, report: Document) -> str:
        """The report as a text."""
        module, _, name = self.function.partition(":")
        function: Callable[[Document], str] = getattr(
            import_module(module), name
        )
        return function(report)


FORMATS = {
    "terminal": Format(".txt", "boundcheck.report.terminal:terminal"),
    "markdown": Format(".md", "boundcheck.report.formats:markdown"),
    "json": Format(".json", "boundcheck.report.document:json_text"),
    "csv": Format(".csv", "boundcheck.report.formats:csv"),
    "junit": Format(".xml", "boundcheck.report.formats:junit"),
    "badge": Format(".svg", "boundcheck.report.badge:badge"),
    "html": Format(".html", "boundcheck.report.html:page"),
}


def of_suffix(output: Path | None) -> str:
    """The name of the format that a file's suffix asks for; else that of terminals."""
    suffix = output.suffix if output else ""
    return next(
        (name for name, form in FORMATS.items() if form.suffix == suffix),
        "terminal",
    )


# as a pandas table and as CSV: one row for each claim


COLUMNS = (
    "id kind outcome scope shown sizes reason tightness killed twins satisfied searched trials source location"
).split()


def frame(report: Document) -> pd.DataFrame:
    """Verdicts by claim id: outcome, tightness, twins killed, instances, trials, provenance."""
    import pandas as pd

    rows = [
        (r.json(), {"killed": sum(r.power.values()), "twins": len(r.power)})
        for r in report.rows
    ]
    cells = [{**row, **row["evidence"], **counts} for row, counts in rows]
    return pd.DataFrame(cells, columns=COLUMNS).set_index("id")


def csv(report: Document) -> str:
    """The table with no cell that a spreadsheet would compute."""
    table = frame(report)
    return (
        table.set_axis(table.index.map(cell)).map(cell).to_csv(index_label="id")
    )


# as JUnit XML, which CI systems show: a suite for each paper, a test for each claim


PROPERTIES = (
    "scope",
    "shown",
    "sizes",
    "kind",
    "source",
    "location",
    "fingerprint",
    "tightness",
    "instance",
    "certificate",
)


def junit(report: Document) -> str:
    """REFUTED is a failure, a claim or file whose text fails an error, what decides nothing is skipped.

    What the verdict rests on is in the properties.
    """
    rows, broken = report.rows, report.broken
    files = {
        name: sentence
        for name, sentence in broken.items()
        if name not in report.by_id
    }
    root = ElementTree.Element(
        "testsuites",
        {"name": "boundcheck", **_counts(rows, broken, len(files))},
    )
    for paper in sorted({r.paper for r in rows}):
        ours = [r for r in rows if r.paper == paper]
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            {"name": printable(paper), **_counts(ours, broken)},
        )
        for r in ours:
            _add(suite, r, broken.get(r.id), report.rocq.get(r.id))
    if files:
        counts = _counts([], broken, len(files))
        suite = ElementTree.SubElement(
            root, "testsuite", {"name": "files that cannot be loaded", **counts}
        )
        for name, sentence in files.items():
            case = ElementTree.SubElement(
                suite, "testcase", classname="files", name=printable(name)
            )
            _fail(case, sentence)
    ElementTree.indent(root, " ")
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        + ElementTree.tostring(root, encoding="unicode")
        + "\n"
    )


def _counts(
    rows: Sequence[Row], broken: Collection[str], files: int = 0
) -> dict[str, str]:
    kinds = Counter(r.outcome.junit for r in rows if r.id not in broken)
    errors = len(rows) - kinds.total() + files
    failed = {
        "failures": kinds["failure"],
        "errors": errors,
        "skipped": kinds["skipped"],
    }
    return {
        name: str(count)
        for name, count in {"tests": len(rows) + files, **failed}.items()
    }


def _fail(case: ElementTree.Element, sentence: str) -> None:
    ElementTree.SubElement(
        case, "error", type="BROKEN", message=printable(sentence)
    )


def _add(
    suite: ElementTree.Element, r: Row, fault: str | None, rocq: str | None
) -> None:
    names = {
        "classname": printable(r.paper),
        "name": printable(r.id.partition(".")[2] or r.paper),
    }
    case = ElementTree.SubElement(suite, "testcase", names)
    properties = ElementTree.SubElement(case, "properties")
    told = (*PROPERTIES, "reason") if r.outcome.name == "PROVED" else PROPERTIES
    values = {
        "outcome": r.outcome.name,
        **{name: getattr(r, name) for name in told},
        "rocq": rocq,
    }
    for name, value in values.items():
        if value is not None:
            ElementTree.SubElement(
                properties, "property", name=name, value=printable(str(value))
            )
    if fault is not None:
        _fail(case, fault)
    elif r.outcome.junit == "failure":
        failure = ElementTree.SubElement(
            case, "failure", type=r.outcome.name, message=printable(r.reason)
        )
        failure.text = printable(_details(r))
    elif r.outcome.junit:
        ElementTree.SubElement(
            case,
            r.outcome.junit,
            message=printable(f"{r.outcome.name}: {r.reason}"),
        )


def _details(r: Row) -> str:
    lines = [r.summary, r.why, r.location]
    lines += (
        [f"re-check: boundcheck verify {r.certificate}"]
        if r.certificate
        else []
    )
    return "\n".join(line for line in lines if line)


# as Markdown


def markdown(report: Document) -> str:
    """A table of verdicts with the command that re-checks each refutation."""
    plan, ledger = report.plan, report.ledger
    counted = ", ".join(
        f"{report.counts[outcome]} {outcome.name}" for outcome in report.listed
    )
    rows = (
        (_named(r), r.outcome.mark, prose(r.why), r.tight, r.score)
        for r in report.rows
    )
    lines = [
        "# Verdicts",
        "",
        f"{len(report.rows)} claims: {counted}.",
        "",
        f"Plan {code(plan['name'])}, seed {plan['seed']}. A true theorem is called false at most once in"
        f" {1 / ledger['total']:.0g} runs of all {ledger['claims']} claims."
        ' "holds" speaks of the instances looked at, never of all.'
        + _earlier(report),
        "",
        *markdown_table(
            ("claim", "verdict", "why", "tightness", "power"), rows
        ),
    ]
    lines += [
        *_broken(report.broken),
        *_proofs(report.proofs),
        *_repairs(report),
        *_rocq(report.rocq),
    ]
    for what, refuted in (("refutations", True), ("proofs", False)):
        named = [
            r.certificate
            for r in report.rows
            if r.certificate and r.refuted is refuted
        ]
        checks = (
            f"boundcheck verify {_argument(certificate)}"
            for certificate in named
        )
        lines += (
            ["", f"## Re-check the {what}", "", "```sh", *checks, "```"]
            if named
            else []
        )
    return "\n".join(lines) + "\n"


def _earlier(report: Document) -> str:
    """What the plan and the error above are not about."""
    count = len(report.taken_over)
    told = f" {count} of these verdicts are of earlier runs, with plans and errors of their own."
    return told if count else ""


def _broken(broken: Mapping[str, str]) -> list[str]:
    told = (
        f"* {code(name)}: {prose(sentence)}"
        for name, sentence in broken.items()
    )
    return ["", "## Not judged: the text fails", "", *told] if broken else []


def _argument(path: str) -> str:
    """A path as one word of a shell, on one line."""
    return shlex.quote(" ".join(printable(path).split())).replace("`", "'")


def _proofs(proofs: Mapping[str, Derivation]) -> list[str]:
    if not proofs:
        return []
    rows = []
    for claim, proof in proofs.items():
        surviving = ", ".join(map(code, proof.surviving)) or "none"
        first = code(proof.first.id) if proof.first else "none of those checked"
        rows.append((code(claim), first, surviving))
    head = ("claim", "first step refuted", "steps that survive")
    return ["", "## Where the proofs fail", "", *markdown_table(head, rows)]


def _repairs(report: Document) -> list[str]:
    repaired = [
        (r, report.by_id[old])
        for r in report.rows
        for old in r.repairs
        if old in report.by_id
    ]
    if not repaired:
        return []
    lines = [
        "",
        "## Repairs",
        "",
        "| as printed | | repaired | |",
        "| --- | --- | --- | --- |",
    ]
    for r, old in repaired:
        lines.append(
            f"| {_named(old)} | {old.outcome.mark} | {_named(r)} | {r.outcome.mark} |"
        )
    return lines


def _rocq(told: Mapping[str, str]) -> list[str]:
    """Which certificates a proof assistant has checked, and why not the others; the most common first."""
    if not told:
        return []
    common = Counter(told.values()).most_common()
    named = (
        (prose(said), n, ", ".join(code(id) for id in told if told[id] == said))
        for said, n in common
    )
    return [
        "",
        "## What a proof assistant says of the certificates",
        "",
        *markdown_table(("", "", "claims"), named, right=(1,)),
    ]


def _named(r: Row) -> str:
    return f"{code(r.id)} {prose(r.says)}".rstrip()


def table_cell(text: str) -> str:
    """Text in a table cell."""
    return (
        printable(text)
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("\n", " ")
    )


def prose(text: str) -> str:
    """Text in which Markdown and HTML find nothing to obey, and no link."""
    inert = re.sub(r"[\\`*_\[\]#!~$]", r"\\\g<0>", text.replace("&", "&amp;"))
    unlinked = re.sub(
        r":(?=//)|(?<=www)\.|@", lambda found: f"&#{ord(found[0])};", inert
    )
    return table_cell(unlinked).replace("\t", " ")


def code(text: str) -> str:
    """A name in backticks, in a table cell."""
    return (
        "`"
        + printable(text)
        .replace("`", "'")
        .replace("|", "\\|")
        .replace("\n", " ")
        + "`"
    )
