"""Errata of a paper as Markdown: formula, counterexample, harm, repair; remarks; what is not yet argued."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.erratum import Erratum
from boundcheck.report.paper.numbers import certified_instance, shortened, spelled_instance
from boundcheck.report.paper.refuted import Refuted
from boundcheck.report.paper.written import (
    anchor,
    check,
    fenced,
    formula,
    labelled,
    place,
    target,
    verdict,
    written,
)

Row = dict[str, Any]

REMARKS = "On readings and constants that are ours, and on statements that are not in the paper."
NOT_ARGUED = "Refuted by the engine; nobody has written down how grave it is."


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
    r = found.report[e.id]
    return [
        *_heading(f"### {code(e.id)}: {e.severity}", e, found),
        *(["Printed:", "", *formula(e.printed)] if e.printed.strip() else labelled("In our words", r["summary"])),
        *labelled("Read as", e.read_as), *labelled("Conversion", e.conversion),
        *labelled("Counterexample", e.counterexample), *fenced(e.python, "python"),
        *labelled("Width", e.width), *labelled("Harm", e.harm), *_step(e, found), *labelled("Why", e.argument),
        *_repair(e, found), *labelled("Limit", e.limit), f"**Certificate.** {_fails(r)}", "", *check(r),
    ]  # fmt: skip


def _remark(e: Erratum, found: Refuted) -> list[str]:
    r = found.report[e.id]
    return [
        *_heading(f"#### {code(e.id)}", e, found),
        *formula(e.printed), *labelled("Read as", e.read_as or r["summary"]),
        *labelled("Counterexample", e.counterexample), *fenced(e.python, "python"),
        written(e.argument), "", *labelled("Harm", e.harm), *_repair(e, found), *labelled("Limit", e.limit),
        _fails(r), "", *check(r),
    ]  # fmt: skip


def _heading(heading: str, e: Erratum, found: Refuted) -> list[str]:
    stands = f"{written(found.where(e))}. The claim: {place(found.report[e.id])}."
    return [anchor(e.id), "", heading, "", stands, ""]


def _not_argued(r: Row, found: Refuted) -> str:
    audited = found.audit.get(r["id"])
    told = [f"{anchor(r['id'])}{code(r['id'])}, {place(r)}: {escaped(r['summary'])} {_fails(r)}"]
    if audited and audited["first"]:
        told.append(f"First step refuted of those checked: {code(audited['first'])}.")
    told += [f"Repaired: {verdict(id, found.report[id])}." for id in found.repairing(r["id"])]
    return "* " + " ".join(told)


def _step(e: Erratum, found: Refuted) -> list[str]:
    if not e.step_claim:
        return labelled("First step that fails", e.step)
    return [f"**First step that fails.** {verdict(e.step, found.report.get(e.step))}.", ""]


def _repair(e: Erratum, found: Refuted) -> list[str]:
    """What is true instead, with the verdicts of the claims that say so."""
    claims = [f"{verdict(id, found.report.get(id))}." for id in found.repairs(e)]
    told = " ".join(filter(None, [written(e.repaired), *claims]))
    return [f"**Repair.** {told or 'None is stated.'}", ""]


def _fails(r: Row) -> str:
    """What the certificate shows, and where. A long array is described by the entry's counterexample."""
    instance = certified_instance(r["certificate"])
    told = spelled_instance(instance) if instance is not None else r["instance"]
    return f"{escaped(shortened(r['reason']))}" + (f" at {code(told)}." if told else ".")
