"""The report as JUnit XML, which CI systems show: a suite for each paper, a test for each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from xml.etree import ElementTree

from boundcheck.checking.verdict import Outcome
from boundcheck.report.document import Document
from boundcheck.report.printable import printable
from boundcheck.report.row import Row

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
    for name, value in {"outcome": r.outcome.name, **{name: getattr(r, name) for name in PROPERTIES}, **_set(r)}.items():
        if value is not None:
            ElementTree.SubElement(properties, "property", name=name, value=printable(str(value)))
    if fault is not None:
        _fail(case, fault)
    elif r.outcome.junit == "failure":
        failure = ElementTree.SubElement(case, "failure", type=r.outcome.name, message=printable(r.reason))
        failure.text = printable(_details(r))
    elif r.outcome.junit:
        ElementTree.SubElement(case, r.outcome.junit, message=printable(f"{r.outcome.name}: {r.reason}"))


def _set(r: Row) -> dict[str, str]:
    """Where it is proved, which is no message: a test that passes has none."""
    return {"reason": r.reason} if r.outcome is Outcome.PROVED else {}


def _details(r: Row) -> str:
    lines = [r.summary, r.why, r.location]
    lines += [f"re-check: boundcheck verify {r.certificate}"] if r.certificate else []
    return "\n".join(line for line in lines if line)
