"""Curves as geometry: the numbers of a plot turned into paths, ticks and labels for the SVG template."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from boundcheck.report.html.axes import Axis, axis, spelled

Curve = dict[str, Any]

WIDTH, HEIGHT = 420, 260
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 12, 46
STATES = ("outside the hypotheses", "vacuous", "says something", "violated")
MARKS = (" ", "∅", "✓", "✗")


def plot(curve: Curve) -> dict[str, Any] | None:
    """What the template draws; None where nothing can be drawn."""
    return _strips(curve) if curve["kind"] == "vacuity" else _lines(curve)


def _lines(curve: Curve) -> dict[str, Any] | None:
    series = curve["series"]
    ys = [v for s in series for name in ("y", "low", "high") for v in s.get(name) or ()]
    x = axis((v for s in series for v in s["x"]), "x" in curve["log"], LEFT, WIDTH - RIGHT)
    y = axis(ys, "y" in curve["log"], HEIGHT - BOTTOM, TOP)
    if x is None or y is None:
        return None
    marker = curve.get("marker")
    marker = x.at(marker) if marker is not None and x.holds(marker) else None
    return {
        **_texts(curve), "width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "top": TOP, "bottom": HEIGHT - BOTTOM,
        "xticks": x.ticks(), "yticks": y.ticks(), "marker": marker,
        "lines": [
            {"label": s["label"], "path": _path(_points(s["x"], s["y"], x, y)), "dots": _dots(s, x, y),
             "band": _band(s, x, y), "reference": s["label"] in ("allowed", "violated above") or s["label"].startswith("1/")}
            for s in series
        ],
    }  # fmt: skip


def _texts(curve: Curve) -> dict[str, Any]:
    return {name: curve.get(name) or "" for name in ("kind", "title", "xlabel", "ylabel", "at")}


def _points(xs: list[Any], ys: list[Any], x: Axis, y: Axis) -> list[tuple[float, float] | None]:
    """Pixels, None where a number is missing or off the axis."""
    return [(x.at(a), y.at(b)) if x.holds(a) and y.holds(b) else None for a, b in zip(xs, ys, strict=False)]


def _path(points: list[tuple[float, float] | None]) -> str:
    """Lines through neighbours, broken where a point is missing."""
    runs = [list(run) for there, run in groupby(points, key=lambda p: p is not None) if there]
    return " ".join("M" + " L".join(f"{p[0]:g},{p[1]:g}" for p in run if p) for run in runs)


def _dots(series: dict[str, Any], x: Axis, y: Axis) -> list[dict[str, Any]]:
    pairs = zip(series["x"], series["y"], _points(series["x"], series["y"], x, y), strict=False)
    return [{"x": p[0], "y": p[1], "text": f"{spelled(a)}: {spelled(b)}"} for a, b, p in pairs if p]


def _band(series: dict[str, Any], x: Axis, y: Axis) -> str:
    low, high = (_points(series["x"], series.get(name) or [], x, y) for name in ("low", "high"))
    edge = [p for p in high if p] + [p for p in reversed(low) if p]
    return _path(list(edge)) + " Z" if edge else ""


def _strips(curve: Curve) -> dict[str, Any] | None:
    rows = [row for s in curve["series"] if (row := _strip(s))]
    return {**_texts(curve), "rows": rows, "legend": list(zip(MARKS, STATES, range(4), strict=True))} if rows else None


def _strip(series: dict[str, Any]) -> dict[str, Any] | None:
    """One parameter: runs of neighbouring values at which the statement is in the same state."""
    cells = [(x, int(y)) for x, y in zip(series["x"], series["y"], strict=False) if x is not None and y in (0, 1, 2, 3)]
    if not cells:
        return None
    runs = [(state, [x for x, _ in run]) for state, run in groupby(cells, key=lambda cell: cell[1])]
    return {
        "label": series["label"], "first": _short(cells[0][0]), "last": _short(cells[-1][0]),
        "runs": [{"state": k, "mark": MARKS[k], "share": len(xs), "text": _range(xs, k)} for k, xs in runs],
    }  # fmt: skip


def _short(value: float) -> str:
    return spelled(float(f"{value:.2g}"))


def _range(xs: list[float], state: int) -> str:
    where = spelled(xs[0]) if len(xs) == 1 else f"{spelled(xs[0])} to {spelled(xs[-1])}"
    return f"{where}: {STATES[state]}"
