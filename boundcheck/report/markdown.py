"""The report as Markdown."""

from __future__ import annotations

import re
import shlex
from typing import Any

from boundcheck.report.power import power
from boundcheck.report.printable import printable

MARK = {"REFUTED": "✗ REFUTED", "HOLDS": "✓ HOLDS", "VACUOUS": "∅ VACUOUS", "INCONCLUSIVE": "? INCONCLUSIVE"}


def markdown(report: dict[str, Any]) -> str:
    """A table of verdicts with the command that re-checks each refutation."""
    plan, ledger = report["plan"], report["ledger"]
    lines = [
        "# Verdicts", "",
        f"{len(report['claims'])} claims: " + ", ".join(f"{report['summary'][name]} {name}" for name in MARK) + ".", "",
        f"Plan {code(plan['name'])}, seed {plan['seed']}. A true theorem is called false at most once in {1 / ledger['total']:.0g} runs of"
        f" all {ledger['claims']} claims. \"holds\" speaks of the instances looked at, never of all.", "",
        "| claim | verdict | why | tightness | power |", "| --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    lines += [_row(r) for r in report["claims"]]
    lines += _broken(report.get("broken", {})) + _audit(report.get("audit", {})) + _repairs(report["claims"])
    refuted = [r for r in report["claims"] if r["certificate"]]
    if refuted:
        lines += ["", "## Re-check the refutations", "", "```sh"]
        lines += [f"boundcheck verify {_argument(r['certificate'])}" for r in refuted] + ["```"]
    return "\n".join(lines) + "\n"


def _broken(broken: dict[str, str]) -> list[str]:
    if not broken:
        return []
    return ["", "## Not judged: the text fails", "", *(f"* {code(name)}: {prose(sentence)}" for name, sentence in broken.items())]


def _argument(path: str) -> str:
    """A path as one word of a shell, on one line."""
    return shlex.quote(" ".join(printable(path).split())).replace("`", "'")


def _audit(audit: dict[str, Any]) -> list[str]:
    if not audit:
        return []
    lines = ["", "## Where the proofs fail", "", "| refuted claim | first step refuted | steps that survive |", "| --- | --- | --- |"]
    for claim, found in audit.items():
        surviving = ", ".join(map(code, found["surviving"])) or "none"
        first = code(found["first"]) if found["first"] else "none of those checked"
        lines.append(f"| {code(claim)} | {first} | {surviving} |")
    return lines


def _repairs(rows: list[dict[str, Any]]) -> list[str]:
    by_id = {r["id"]: r for r in rows}
    repaired = [(r, by_id[old]) for r in rows for old in r["repairs"] if old in by_id]
    if not repaired:
        return []
    lines = ["", "## Repairs", "", "| as printed | | repaired | |", "| --- | --- | --- | --- |"]
    return lines + [f"| {_named(old)} | {MARK[old['outcome']]} | {_named(r)} | {MARK[r['outcome']]} |" for r, old in repaired]


def _named(r: dict[str, Any]) -> str:
    return f"{code(r['id'])} {prose(r['summary'])}"


def _row(r: dict[str, Any]) -> str:
    tightness = "" if r["tightness"] is None or r["outcome"] == "REFUTED" else f"{r['tightness']:.3g}"
    return f"| {_named(r)} | {MARK[r['outcome']]} | {_why(r)} | {tightness} | {power(r)} |"


def _why(r: dict[str, Any]) -> str:
    return prose(f"{r['reason']} at {r['instance']}" if r.get("instance") else r["reason"])


def escaped(text: str) -> str:
    """Text in a table cell."""
    return printable(text).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def prose(text: str) -> str:
    """Text in which Markdown and HTML find nothing to obey, and no link."""
    inert = re.sub(r"[\\`*_\[\]#!~$]", r"\\\g<0>", text.replace("&", "&amp;"))
    return escaped(re.sub(r":(?=//)|(?<=www)\.|@", lambda found: f"&#{ord(found[0])};", inert)).replace("\t", " ")


def code(text: str) -> str:
    """A name in backticks, in a table cell."""
    return "`" + printable(text).replace("`", "'").replace("|", "\\|").replace("\n", " ") + "`"
