"""The report as Markdown."""

from __future__ import annotations

from typing import Any

MARK = {"REFUTED": "✗ REFUTED", "HOLDS": "✓ HOLDS", "VACUOUS": "∅ VACUOUS", "INCONCLUSIVE": "? INCONCLUSIVE"}


def markdown(report: dict[str, Any]) -> str:
    """A table of verdicts with the command that re-checks each refutation."""
    plan, ledger = report["plan"], report["ledger"]
    lines = [
        "# Verdicts", "",
        f"{len(report['claims'])} claims: " + ", ".join(f"{n} {name}" for name, n in report["summary"].items()) + ".", "",
        f"Plan `{plan['name']}`, seed {plan['seed']}. A true theorem is called false at most once in {1 / ledger['total']:.0g} runs of"
        f" all {ledger['claims']} claims. \"holds\" speaks of the instances looked at, never of all.", "",
        "| claim | verdict | why | tightness |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    lines += [_row(r) for r in report["claims"]]
    refuted = [r for r in report["claims"] if r["certificate"]]
    if refuted:
        lines += ["", "## Re-check the refutations", "", "```sh"]
        lines += [f"python -m boundcheck.certificates.verify {r['certificate']}" for r in refuted] + ["```"]
    return "\n".join(lines) + "\n"


def _row(r: dict[str, Any]) -> str:
    tightness = "" if r["tightness"] is None or r["outcome"] == "REFUTED" else f"{r['tightness']:.3g}"
    return f"| `{r['id']}` {_escaped(r['summary'])} | {MARK[r['outcome']]} | {_escaped(r['reason'])} | {tightness} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
