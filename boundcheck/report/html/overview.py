"""What stands at the top of the page: totals, the matrix of verdicts by paper and kind, and how tight the claims are."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from boundcheck.words.claims import KINDS

Row = dict[str, Any]

GLYPHS = {"REFUTED": "✗", "HOLDS": "✓", "VACUOUS": "∅", "INCONCLUSIVE": "?"}
"""Verdicts are told apart by a sign as well as by a colour."""

MEANINGS = {
    "REFUTED": "an instance violates the statement, and an independent program has confirmed it",
    "HOLDS": "no instance looked at violates the statement",
    "VACUOUS": "on every instance looked at, the statement says nothing, or nothing comes near it",
    "INCONCLUSIVE": "nothing was refuted, and something could not be decided",
}

TIGHT = (0.0, 1e-6, 1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999, float("inf"))
TIGHT_LABELS = ("< 10⁻⁶", "10⁻⁶", "10⁻³", "0.01", "0.1", "0.5", "0.9", "0.99", "tight")
LOOSE = (0.0, 0.0953, 0.6931, 2.3026, 6.9078, float("inf"))
LOOSE_LABELS = ("to × 1.1", "to × 2", "to × 10", "to × 10³", "beyond")


def paper_of(r: Row) -> str:
    """The key of the paper, or the name of the file, that a claim belongs to."""
    return r["id"].split(".")[0]


def overview(content: dict[str, Any]) -> dict[str, Any]:
    """Totals, cards of papers, columns of tightness, and what the filters offer."""
    rows = content["claims"]
    counts = [(name, sum(r["outcome"] == name for r in rows)) for name in GLYPHS]
    return {
        "counts": [{"name": name, "glyph": GLYPHS[name], "count": count, "meaning": MEANINGS[name]} for name, count in counts],
        "papers": [_paper(name, [r for r in rows if paper_of(r) == name]) for name in sorted({paper_of(r) for r in rows})],
        "kinds": _kinds(rows), "tight": _tight(rows), "loose": _loose(rows), "once_in": _once_in(content["ledger"]["total"]),
    }  # fmt: skip


def _once_in(chance: float) -> str:
    return f"{1 / chance:,.0f}".replace(",", "\u202f") if chance > 1e-15 else f"1/{chance:g}"


def _paper(name: str, rows: list[Row]) -> dict[str, Any]:
    kinds = [{"name": kind, "chips": [_chip(r) for r in rows if r["kind"] == kind]} for kind in _kinds(rows)]
    shares = [{"outcome": o, "count": sum(r["outcome"] == o for r in rows)} for o in GLYPHS]
    return {"name": name, "count": len(rows), "kinds": kinds, "shares": [s for s in shares if s["count"]]}


def _kinds(rows: Iterable[Row]) -> list[str]:
    there = {r["kind"] for r in rows}
    return [kind for kind in KINDS if kind in there] + sorted(there - set(KINDS))


def _chip(r: Row) -> dict[str, str]:
    return {"id": r["id"], "outcome": r["outcome"], "glyph": GLYPHS[r["outcome"]], "summary": r["summary"]}


def _tight(rows: list[Row]) -> list[dict[str, Any]]:
    """Columns of what was not refuted, by the largest left side / right side seen."""
    measured = [r for r in rows if r["outcome"] != "REFUTED" and r["tightness"] is not None]
    return _columns(measured, "tightness", TIGHT, TIGHT_LABELS)


def _loose(rows: list[Row]) -> list[dict[str, Any]]:
    """Columns of what was refuted, by the factor of the violation."""
    return _columns([r for r in rows if r["outcome"] == "REFUTED" and r["excess"] is not None], "excess", LOOSE, LOOSE_LABELS)


def _columns(rows: list[Row], name: str, edges: tuple[float, ...], labels: tuple[str, ...]) -> list[dict[str, Any]]:
    ranges = [(-float("inf") if k == 0 else low, high) for k, (low, high) in enumerate(pairwise(edges))]
    return [
        {"label": label, "chips": [_chip(r) for r in rows if low <= r[name] < high]}
        for (low, high), label in zip(ranges, labels, strict=True)
    ]
