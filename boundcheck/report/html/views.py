"""What the page shows of each claim."""

from __future__ import annotations

import shlex
from typing import Any

from boundcheck.report.audit import steps
from boundcheck.report.html.notation import typeset
from boundcheck.report.html.overview import GLYPHS, paper_of
from boundcheck.report.html.plots import plot
from boundcheck.report.html.source import highlighted
from boundcheck.report.power import power

Row = dict[str, Any]


def views(content: dict[str, Any]) -> list[dict[str, Any]]:
    """One view for each claim, in the order of the report."""
    rows = content["claims"]
    by_id = {r["id"]: r for r in rows}
    return [_view(r, by_id, content["audit"].get(r["id"]), content["plan"]["seed"]) for r in rows]


def _view(r: Row, by_id: dict[str, Row], found: dict[str, Any] | None, seed: int) -> dict[str, Any]:
    return {
        **_named(r), "row": r, "paper": paper_of(r), "typeset": typeset(r["statement"]), "source": highlighted(r["statement"]),
        "tightness": _tightness(r), "power": power(r), "twins": sorted(r["power"].items()), **_plots(r),
        "steps": _steps(r, list(by_id.values())), "first": found["first"] if found else None,
        "false": [_beside(by_id[i]) for i in r["repairs"] if i in by_id],
        "repairs": [_beside(o) for o in by_id.values() if r["id"] in o["repairs"]],
        "serves": [_named(by_id[i]) if i in by_id else {"id": i, "outcome": None} for i in r["step_of"]], "commands": commands(r, seed),
    }  # fmt: skip


def _plots(r: Row) -> dict[str, Any]:
    """The plots, and the instance they are all around where the page does not show it yet."""
    plots = [p for c in r["curves"] if (p := plot(c))]
    around = {p["at"] for p in plots}
    shared = around.pop() if len(around) == 1 else ""
    return {"plots": [{**p, "at": "" if shared else p["at"]} for p in plots], "around": "" if shared == r["instance"] else shared}


def _named(r: Row) -> dict[str, Any]:
    return {"id": r["id"], "outcome": r["outcome"], "glyph": GLYPHS[r["outcome"]], "summary": r["summary"]}


def _beside(r: Row) -> dict[str, Any]:
    return {**_named(r), "typeset": typeset(r["statement"]), "source": highlighted(r["statement"]), "tightness": _tightness(r)}


def _tightness(r: Row) -> dict[str, Any] | None:
    """The ratio as text, and the share of a bar that runs from 10^-3 to 1 on a log scale."""
    ratio = r["tightness"]
    if ratio is None or r["outcome"] == "REFUTED":
        return None
    decades = next((k / 30 for k in range(91) if ratio >= 10 ** (-k / 30)), 3)
    return {"text": f"{ratio:.3g}", "share": round(100 * (1 - decades / 3))}


def _steps(r: Row, rows: list[Row]) -> list[dict[str, Any]]:
    return [_named(step) for step in steps(r["id"], rows)]


def commands(r: Row, seed: int) -> list[str]:
    """What re-checks a claim: the verifier on its certificate, and the engine on its text."""
    target = r["id"] if r["location"].startswith("theory/") else r["location"].rpartition(":")[0]
    again = f"boundcheck check {_argument(target)}" + (f" --seed {seed}" if seed else "")
    return ([f"python -m boundcheck.certificates.verify {_argument(r['certificate'])}"] if r["certificate"] else []) + [again]


def _argument(text: str) -> str:
    return shlex.quote(f"./{text}" if text.startswith("-") else text)
