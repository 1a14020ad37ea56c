"""The formats of a report, functions of a document found by name in one table; here CSV and JUnit XML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from boundcheck.report.files import cell, printable

if TYPE_CHECKING:
    import pandas as pd

    from boundcheck.report.document import Document
    from boundcheck.report.row import Row


@dataclass(frozen=True)
class Format:
    """The suffix of its files, and `module:function`, imported when asked for: from a Document to a text."""

    suffix: str
    function: str

    def render(self, report: Document) -> str:
        """The report as a text."""
        module, _, name = self.function.partition(":")
        function: Callable[[Document], str] = getattr(import_module(module), name)
        return function(report)


FORMATS = {
    "terminal": Format(".txt", "boundcheck.report.terminal:terminal"),
    "markdown": Format(".md", "boundcheck.report.markdown:markdown"),
    "json": Format(".json", "boundcheck.report.document:json_text"),
    "csv": Format(".csv", "boundcheck.report.formats:csv"),
    "junit": Format(".xml", "boundcheck.report.formats:junit"),
    "html": Format(".html", "boundcheck.report.html:page"),
}


def of_suffix(output: Path | None) -> str:
    """The name of the format that a file's suffix asks for; else that of terminals."""
    suffix = output.suffix if output else ""
    return next((name for name, form in FORMATS.items() if form.suffix == suffix), "terminal")


# as a pandas table and as CSV: one row for each claim


COLUMNS = (
    "id kind outcome scope reason tightness killed twins satisfied searched trials source location"
).split()


def frame(report: Document) -> pd.DataFrame:
    """Verdicts by claim id: outcome, tightness, twins killed, instances, trials, provenance."""
    import pandas as pd

    rows = [(r.json(), {"killed": sum(r.power.values()), "twins": len(r.power)}) for r in report.rows]
    cells = [{**row, **row["evidence"], **counts} for row, counts in rows]
    return pd.DataFrame(cells, columns=COLUMNS).set_index("id")


def csv(report: Document) -> str:
    """The table with no cell that a spreadsheet would compute."""
    table = frame(report)
    return table.set_axis(table.index.map(cell)).map(cell).to_csv(index_label="id")


# as JUnit XML, which CI systems show: a suite for each paper, a test for each claim


PROPERTIES = ("scope", "kind", "source", "location", "fingerprint", "tightness", "instance", "certificate")


def junit(report: Document) -> str:
    """REFUTED is a failure, a claim or file whose text fails an error, what decides nothing is skipped.

    What the verdict rests on is in the properties.
    """
    rows, broken = report.rows, report.broken
    files = {name: sentence for name, sentence in broken.items() if name not in report.by_id}
    root = ElementTree.Element("testsuites", {"name": "boundcheck", **_counts(rows, broken, len(files))})
    for paper in sorted({r.paper for r in rows}):
        ours = [r for r in rows if r.paper == paper]
        suite = ElementTree.SubElement(root, "testsuite", {"name": printable(paper), **_counts(ours, broken)})
        for r in ours:
            _add(suite, r, broken.get(r.id))
    if files:
        counts = _counts([], broken, len(files))
        suite = ElementTree.SubElement(root, "testsuite", {"name": "files that cannot be loaded", **counts})
        for name, sentence in files.items():
            case = ElementTree.SubElement(suite, "testcase", classname="files", name=printable(name))
            _fail(case, sentence)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _counts(rows: Sequence[Row], broken: Collection[str], files: int = 0) -> dict[str, str]:
    kinds = Counter(r.outcome.junit for r in rows if r.id not in broken)
    errors = len(rows) - kinds.total() + files
    failed = {"failures": kinds["failure"], "errors": errors, "skipped": kinds["skipped"]}
    return {name: str(count) for name, count in {"tests": len(rows) + files, **failed}.items()}


def _fail(case: ElementTree.Element, sentence: str) -> None:
    ElementTree.SubElement(case, "error", type="BROKEN", message=printable(sentence))


def _add(suite: ElementTree.Element, r: Row, fault: str | None) -> None:
    names = {"classname": printable(r.paper), "name": printable(r.id.partition(".")[2] or r.paper)}
    case = ElementTree.SubElement(suite, "testcase", names)
    properties = ElementTree.SubElement(case, "properties")
    told = (*PROPERTIES, "reason") if r.outcome.name == "PROVED" else PROPERTIES
    for name, value in {"outcome": r.outcome.name, **{name: getattr(r, name) for name in told}}.items():
        if value is not None:
            ElementTree.SubElement(properties, "property", name=name, value=printable(str(value)))
    if fault is not None:
        _fail(case, fault)
    elif r.outcome.junit == "failure":
        failure = ElementTree.SubElement(case, "failure", type=r.outcome.name, message=printable(r.reason))
        failure.text = printable(_details(r))
    elif r.outcome.junit:
        ElementTree.SubElement(case, r.outcome.junit, message=printable(f"{r.outcome.name}: {r.reason}"))


def _details(r: Row) -> str:
    lines = [r.summary, r.why, r.location]
    lines += [f"re-check: boundcheck verify {r.certificate}"] if r.certificate else []
    return "\n".join(line for line in lines if line)
