"""The report as JUnit XML, which CI systems show: a suite for each paper, a test for each claim."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from boundcheck.report.printable import printable

Row = dict[str, Any]

FAILING, SKIPPED = ("REFUTED",), ("INCONCLUSIVE", "VACUOUS")
PROPERTIES = ("outcome", "scope", "kind", "source", "location", "fingerprint", "tightness", "instance", "certificate")


def junit(report: dict[str, Any]) -> str:
    """REFUTED is a failure, INCONCLUSIVE and VACUOUS are skipped; what the verdict rests on is in the properties."""
    rows = report["claims"]
    root = ElementTree.Element("testsuites", {"name": "boundcheck", **_counts(rows)})
    for paper in sorted({_paper(r) for r in rows}):
        ours = [r for r in rows if _paper(r) == paper]
        suite = ElementTree.SubElement(root, "testsuite", {"name": printable(paper), **_counts(ours)})
        for r in ours:
            _add(suite, r)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _paper(r: Row) -> str:
    return r["id"].split(".")[0]


def _counts(rows: list[Row]) -> dict[str, str]:
    failures, skipped = (sum(r["outcome"] in kinds for r in rows) for kinds in (FAILING, SKIPPED))
    return {"tests": str(len(rows)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}


def _add(suite: ElementTree.Element, r: Row) -> None:
    paper, _, label = r["id"].partition(".")
    case = ElementTree.SubElement(suite, "testcase", classname=printable(paper), name=printable(label or paper))
    properties = ElementTree.SubElement(case, "properties")
    for name in PROPERTIES:
        if r[name] is not None:
            ElementTree.SubElement(properties, "property", name=name, value=printable(str(r[name])))
    if r["outcome"] in FAILING:
        failure = ElementTree.SubElement(case, "failure", type="REFUTED", message=printable(r["reason"]))
        failure.text = printable(_details(r))
    elif r["outcome"] in SKIPPED:
        ElementTree.SubElement(case, "skipped", message=printable(f"{r['outcome']}: {r['reason']}"))


def _details(r: Row) -> str:
    lines = [r["summary"], r["reason"], f"at {r['instance']}" if r["instance"] else "", r["location"]]
    lines += [f"re-check: python -m boundcheck.certificates.verify {r['certificate']}"] if r["certificate"] else []
    return "\n".join(line for line in lines if line)
