"""What the page shows: totals, cards of papers, columns of tightness, each claim with its proof and plots."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from boundcheck.checking.verdict import SHOWN
from boundcheck.report.document import Document
from boundcheck.report.html.formulas import typeset
from boundcheck.report.html.plots import plot
from boundcheck.report.row import Row
from boundcheck.words.claims import KINDS

View = dict[str, Any]

TIGHT = (0.0, 1e-6, 1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999, float("inf"))
TIGHT_LABELS = ("< 10⁻⁶", "10⁻⁶", "10⁻³", "0.01", "0.1", "0.5", "0.9", "0.99", "tight")
LOOSE = (0.0, 0.0953, 0.6931, 2.3026, 6.9078, float("inf"))
LOOSE_LABELS = ("to × 1.1", "to × 2", "to × 10", "to × 10³", "beyond")


def overview(report: Document) -> View:
    """Totals, cards of papers, columns of tightness, and what the filters offer."""
    rows = report.rows
    tight = [(r.tightness, r) for r in rows if not r.refuted and r.tightness is not None]
    loose = [(r.excess, r) for r in rows if r.refuted and r.excess is not None]
    papers = sorted({r.paper for r in rows})
    return {
        "counts": [{"outcome": outcome, "count": report.counts[outcome]} for outcome in SHOWN],
        "papers": [_paper(name, [r for r in rows if r.paper == name]) for name in papers],
        "kinds": _kinds(rows), "once_in": _once_in(report.ledger["total"]),
        "tight": _columns(tight, TIGHT, TIGHT_LABELS), "loose": _columns(loose, LOOSE, LOOSE_LABELS),
    }  # fmt: skip


def _once_in(chance: float) -> str:
    return f"{1 / chance:,.0f}".replace(",", "\u202f") if chance > 1e-15 else f"1/{chance:g}"


def _paper(name: str, rows: list[Row]) -> View:
    kinds = [{"name": kind, "chips": [r for r in rows if r.kind == kind]} for kind in _kinds(rows)]
    counts = Counter(r.outcome for r in rows)
    shares = [(outcome.name, counts[outcome]) for outcome in SHOWN if counts[outcome]]
    return {"name": name, "count": len(rows), "kinds": kinds, "shares": shares}


def _kinds(rows: Iterable[Row]) -> list[str]:
    there = {r.kind for r in rows}
    return [kind for kind in KINDS if kind in there] + sorted(there - set(KINDS))


def _columns(rated: list[tuple[float, Row]], edges: tuple[float, ...], labels: tuple[str, ...]) -> list[View]:
    """Columns of claims by the largest left side / right side seen, or by the factor of the violation."""
    ranges = [(-float("inf") if k == 0 else low, high) for k, (low, high) in enumerate(pairwise(edges))]
    return [
        {"label": label, "chips": [r for value, r in rated if low <= value < high]}
        for (low, high), label in zip(ranges, labels, strict=True)
    ]


def views(report: Document) -> list[View]:
    """One view for each claim, in the order of the report."""
    return [_view(r, report) for r in report.rows]


def _view(r: Row, report: Document) -> View:
    proof, by_id = report.proofs.get(r.id), report.by_id
    return {
        **_beside(r), "twins": sorted(r.power.items()), **_plots(r),
        "steps": report.steps(r.id), "first": proof.first if proof else None,
        "false": [_beside(by_id[i]) for i in r.repairs if i in by_id],
        "repairs": [_beside(o) for o in report.rows if r.id in o.repairs],
        "serves": [(i, by_id.get(i)) for i in r.step_of], "commands": commands(r, report.plan["seed"]),
    }  # fmt: skip


def _plots(r: Row) -> View:
    """The plots, and the instance they are all around where the page does not show it yet."""
    plots = [p for c in r.curves if (p := plot(c))]
    around = {p["at"] for p in plots}
    shared = around.pop() if len(around) == 1 else ""
    plots = [{**p, "at": "" if shared else p["at"]} for p in plots]
    return {"plots": plots, "around": "" if shared == r.instance else shared}


def _beside(r: Row) -> View:
    text = r.statement
    return {"row": r, "typeset": typeset(text), "source": highlighted(text), "tightness": _tightness(r)}


def _tightness(r: Row) -> View | None:
    """The ratio as text, and the share of a bar that runs from 10^-3 to 1 on a log scale."""
    if r.tightness is None or r.refuted:
        return None
    decades = next((k / 30 for k in range(91) if r.tightness >= 10 ** (-k / 30)), 3)
    return {"text": r.tight, "share": round(100 * (1 - decades / 3))}


def highlighted(statement: str) -> Markup:
    """The text with a class on each token; Pygments escapes what it writes."""
    return Markup(highlight(statement, PythonLexer(), HtmlFormatter(nowrap=True)) if statement else "")


def commands(r: Row, seed: int) -> list[str]:
    """What re-checks a claim: the verifier on its certificate and its text, and the engine on its text."""
    file = "" if r.location.startswith("theory/") else _argument(r.location.rpartition(":")[0])
    again = f"boundcheck check {file or _argument(r.id)}" + (f" --seed {seed}" if seed else "")
    verify = f"boundcheck verify {_argument(r.certificate or '')} {file}".rstrip()
    return [verify, again] if r.certificate else [again]


def _argument(text: str) -> str:
    return shlex.quote(f"./{text}" if text.startswith("-") else text)
