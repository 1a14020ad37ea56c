"""The report as Markdown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from boundcheck.report.document import Document, Proof
from boundcheck.report.files import grid, printable
from boundcheck.report.row import Row


def markdown(report: Document) -> str:
    """A table of verdicts with the command that re-checks each refutation."""
    plan, ledger = report.plan, report.ledger
    counted = ", ".join(f"{report.counts[outcome]} {outcome.name}" for outcome in report.listed)
    lines = [
        "# Verdicts", "",
        f"{len(report.rows)} claims: {counted}.", "",
        f"Plan {code(plan['name'])}, seed {plan['seed']}. A true theorem is called false at most once in"
        f" {1 / ledger['total']:.0g} runs of all {ledger['claims']} claims."
        ' "holds" speaks of the instances looked at, never of all.' + _earlier(report), "",
        *grid(("claim", "verdict", "why", "tightness", "power"), map(_verdict, report.rows)),
    ]  # fmt: skip
    lines += [*_broken(report.broken), *_proofs(report.proofs), *_repairs(report)]
    for what, refuted in (("refutations", True), ("proofs", False)):
        named = [r.certificate for r in report.rows if r.certificate and r.refuted is refuted]
        checks = (f"boundcheck verify {_argument(certificate)}" for certificate in named)
        lines += ["", f"## Re-check the {what}", "", "```sh", *checks, "```"] if named else []
    return "\n".join(lines) + "\n"


def _earlier(report: Document) -> str:
    """What the plan and the error above are not about."""
    count = len(report.taken_over)
    told = f" {count} of these verdicts are of earlier runs, with plans and errors of their own."
    return told if count else ""


def _broken(broken: Mapping[str, str]) -> list[str]:
    told = (f"* {code(name)}: {prose(sentence)}" for name, sentence in broken.items())
    return ["", "## Not judged: the text fails", "", *told] if broken else []


def _argument(path: str) -> str:
    """A path as one word of a shell, on one line."""
    return shlex.quote(" ".join(printable(path).split())).replace("`", "'")


def _proofs(proofs: Mapping[str, Proof]) -> list[str]:
    if not proofs:
        return []
    rows = []
    for claim, proof in proofs.items():
        surviving = ", ".join(map(code, proof.surviving)) or "none"
        first = code(proof.first.id) if proof.first else "none of those checked"
        rows.append((code(claim), first, surviving))
    head = ("refuted claim", "first step refuted", "steps that survive")
    return ["", "## Where the proofs fail", "", *grid(head, rows)]


def _repairs(report: Document) -> list[str]:
    repaired = [(r, report.by_id[old]) for r in report.rows for old in r.repairs if old in report.by_id]
    if not repaired:
        return []
    lines = ["", "## Repairs", "", "| as printed | | repaired | |", "| --- | --- | --- | --- |"]
    for r, old in repaired:
        lines.append(f"| {_named(old)} | {old.outcome.mark} | {_named(r)} | {r.outcome.mark} |")
    return lines


def _named(r: Row) -> str:
    return f"{code(r.id)} {prose(r.summary)}"


def _verdict(r: Row) -> tuple[str, ...]:
    return _named(r), r.outcome.mark, prose(r.why), r.tight, r.score


def escaped(text: str) -> str:
    """Text in a table cell."""
    return printable(text).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def prose(text: str) -> str:
    """Text in which Markdown and HTML find nothing to obey, and no link."""
    inert = re.sub(r"[\\`*_\[\]#!~$]", r"\\\g<0>", text.replace("&", "&amp;"))
    unlinked = re.sub(r":(?=//)|(?<=www)\.|@", lambda found: f"&#{ord(found[0])};", inert)
    return escaped(unlinked).replace("\t", " ")


def code(text: str) -> str:
    """A name in backticks, in a table cell."""
    return "`" + printable(text).replace("`", "'").replace("|", "\\|").replace("\n", " ") + "`"
