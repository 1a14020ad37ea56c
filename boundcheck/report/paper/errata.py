"""Errata of a paper as Markdown: each with its formula, counterexample, harm and repair; remarks; what is not yet argued."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.erratum import Erratum
from boundcheck.report.paper.numbers import certified_instance, shortened, spelled_instance
from boundcheck.report.paper.refuted import Refuted
from boundcheck.report.paper.written import anchor, check, fenced, formula, labelled, place, target, verdict, written

Row = dict[str, Any]


def sections(found: Refuted) -> list[str]:
    """The entries of a paper under headings of the third and fourth level; nothing where nothing is refuted."""
    lines = _contents(found) + [line for e in found.errata for line in _erratum(e, found)]
    if found.remarks:
        lines += ["### Remarks", "", "On readings and constants that are ours, and on statements that are not in the paper.", ""]
        lines += [line for e in found.remarks for line in _remark(e, found)]
    if found.not_argued:
        lines += ["### Not yet argued", "", "Refuted by the engine; nobody has written down how grave it is.", ""]
        lines += [_not_argued(r, found) for r in found.not_argued] + [""]
    return lines


def _contents(found: Refuted) -> list[str]:
    """A line with links for each severity."""
    groups = groupby(found.errata, key=lambda e: e.severity)
    lines = [f"* {severity}: " + ", ".join(_linked(e.id, found) for e in group) for severity, group in groups]
    return [*lines, ""] if lines else []


def _linked(id: str, found: Refuted) -> str:
    return f"[{code(id.removeprefix(found.paper.key + '.'))}](#{target(id)})"


def _erratum(e: Erratum, found: Refuted) -> list[str]:
    r = found.report[e.id]
    return [
        anchor(e.id), "", f"### {code(e.id)}: {e.severity}", "", f"{written(found.where(e))}. The claim: {place(r)}.", "",
        *(["Printed:", "", *formula(e.printed)] if e.printed.strip() else labelled("In our words", r["summary"])),
        *labelled("Read as", e.read_as), *labelled("Conversion", e.conversion),
        *labelled("Counterexample", e.counterexample), *fenced(e.python, "python"),
        *labelled("Width", e.width), *labelled("Harm", e.harm), *_step(e, found), *labelled("Why", e.argument),
        *_repair(e, found), *labelled("Limit", e.limit), f"**Certificate.** {_fails(r)}", "", *check(r),
    ]  # fmt: skip


def _remark(e: Erratum, found: Refuted) -> list[str]:
    r = found.report[e.id]
    return [
        anchor(e.id), "", f"#### {code(e.id)}", "", f"{written(found.where(e))}. The claim: {place(r)}.", "",
        *formula(e.printed), *labelled("Read as", e.read_as or r["summary"]), *labelled("Counterexample", e.counterexample),
        *fenced(e.python, "python"), written(e.argument), "", *labelled("Harm", e.harm), *_repair(e, found), *labelled("Limit", e.limit),
        _fails(r), "", *check(r),
    ]  # fmt: skip


def _not_argued(r: Row, found: Refuted) -> str:
    audited = found.audit.get(r["id"])
    first = f" First step refuted of those checked: {code(audited['first'])}." if audited and audited["first"] else ""
    repaired = "".join(f" Repaired: {verdict(id, found.report[id])}." for id in _repairing(r["id"], found))
    return f"* {anchor(r['id'])}{code(r['id'])}, {place(r)}: {escaped(r['summary'])} {_fails(r)}{first}{repaired}"


def _repairing(id: str, found: Refuted) -> list[str]:
    return [other["id"] for other in found.report.values() if id in other["repairs"]]


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
