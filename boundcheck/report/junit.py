"""The report as JUnit XML, which CI systems show: a suite for each paper, a test for each claim."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from xml.etree import ElementTree

from boundcheck.report.printable import printable

Row = dict[str, Any]

FAILING, SKIPPED = ("REFUTED",), ("INCONCLUSIVE", "VACUOUS")
PROPERTIES = ("outcome", "scope", "kind", "source", "location", "fingerprint", "tightness", "instance", "certificate")


def junit(report: dict[str, Any]) -> str:
    """REFUTED is a failure, a claim or file whose text fails an error, INCONCLUSIVE and VACUOUS are skipped.

    What the verdict rests on is in the properties.
    """
    rows, broken = report["claims"], report.get("broken", {})
    files = {name: sentence for name, sentence in broken.items() if name not in {r["id"] for r in rows}}
    root = ElementTree.Element("testsuites", {"name": "boundcheck", **_counts(rows, broken, len(files))})
    for paper in sorted({_paper(r) for r in rows}):
        ours = [r for r in rows if _paper(r) == paper]
        suite = ElementTree.SubElement(root, "testsuite", {"name": printable(paper), **_counts(ours, broken)})
        for r in ours:
            _add(suite, r, broken.get(r["id"]))
    if files:
        suite = ElementTree.SubElement(root, "testsuite", {"name": "files that cannot be loaded", **_counts([], broken, len(files))})
        for name, sentence in files.items():
            _fail(ElementTree.SubElement(suite, "testcase", classname="files", name=printable(name)), sentence)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _paper(r: Row) -> str:
    return r["id"].split(".")[0]


def _counts(rows: list[Row], broken: Collection[str], files: int = 0) -> dict[str, str]:
    whole = [r["outcome"] for r in rows if r["id"] not in broken]
    failures, skipped = (sum(outcome in kinds for outcome in whole) for kinds in (FAILING, SKIPPED))
    errors = len(rows) - len(whole) + files
    return {"tests": str(len(rows) + files), "failures": str(failures), "errors": str(errors), "skipped": str(skipped)}


def _fail(case: ElementTree.Element, sentence: str) -> None:
    ElementTree.SubElement(case, "error", type="BROKEN", message=printable(sentence))


def _add(suite: ElementTree.Element, r: Row, fault: str | None) -> None:
    paper, _, label = r["id"].partition(".")
    case = ElementTree.SubElement(suite, "testcase", classname=printable(paper), name=printable(label or paper))
    properties = ElementTree.SubElement(case, "properties")
    for name in PROPERTIES:
        if r[name] is not None:
            ElementTree.SubElement(properties, "property", name=name, value=printable(str(r[name])))
    if fault is not None:
        _fail(case, fault)
    elif r["outcome"] in FAILING:
        failure = ElementTree.SubElement(case, "failure", type="REFUTED", message=printable(r["reason"]))
        failure.text = printable(_details(r))
    elif r["outcome"] in SKIPPED:
        ElementTree.SubElement(case, "skipped", message=printable(f"{r['outcome']}: {r['reason']}"))


def _details(r: Row) -> str:
    lines = [r["summary"], r["reason"], f"at {r['instance']}" if r["instance"] else "", r["location"]]
    lines += [f"re-check: boundcheck verify {r['certificate']}"] if r["certificate"] else []
    return "\n".join(line for line in lines if line)
