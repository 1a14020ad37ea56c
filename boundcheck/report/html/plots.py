"""Curves as geometry: axes with round ticks, and the paths and labels that the SVG template draws."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from boundcheck.report.row import Curve, Series

WIDTH, HEIGHT = 420, 260
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 12, 46
"""The style sheet puts labels at the same places."""

STATES = ("outside the hypotheses", "vacuous", "says something", "violated")
MARKS = (" ", "∅", "✓", "✗")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


Point = tuple[int, int]


def plot(curve: Curve) -> dict[str, Any] | None:
    """What the template draws; None where nothing can be drawn."""
    return _strips(curve) if curve["kind"] == "vacuity" else _lines(curve)


def _lines(curve: Curve) -> dict[str, Any] | None:
    series = curve["series"]
    ys = [v for s in series for name in ("y", "low", "high") for v in s.get(name) or ()]
    x = axis((v for s in series for v in s["x"]), "x" in curve["log"], LEFT, WIDTH - RIGHT)
    y = axis(ys, "y" in curve["log"], HEIGHT - BOTTOM, TOP)
    lines = [] if x is None or y is None else [(s, _points(s["x"], s["y"], x, y)) for s in series]
    if x is None or y is None or not any(_extends(points) for _, points in lines):
        return None
    marker = curve.get("marker")
    marker = x.at(marker) if marker is not None and x.holds(marker) else None
    return {
        **_texts(curve), "width": WIDTH, "height": HEIGHT,
        "left": LEFT, "right": WIDTH - RIGHT, "top": TOP, "bottom": HEIGHT - BOTTOM,
        "xticks": x.ticks(), "yticks": y.ticks(), "marker": marker,
        "lines": [
            {"label": s["label"], "path": _path(points), "band": _band(s, x, y),
             "reference": _is_reference(s["label"])}
            for s, points in lines
        ],
    }  # fmt: skip


def _is_reference(label: str) -> bool:
    return label in ("allowed", "violated above") or label.startswith("1/")


def _texts(curve: Curve) -> dict[str, Any]:
    return {name: curve.get(name) or "" for name in ("kind", "title", "xlabel", "ylabel", "at")}


def _points(xs: Sequence[Any], ys: Sequence[Any], x: Axis, y: Axis) -> list[Point | None]:
    """Pixels, None where a number is missing or off the axis."""
    return [(x.at(a), y.at(b)) if x.holds(a) and y.holds(b) else None for a, b in zip(xs, ys, strict=False)]


def _extends(points: list[Point | None]) -> bool:
    """Whether a line goes from somewhere to somewhere else."""
    return len({p[0] for p in points if p}) > 1


def _path(points: list[Point | None]) -> str:
    """Lines through neighbours, broken where a point is missing, without points inside a straight line."""
    runs = [[p for p in run if p] for there, run in groupby(points, key=lambda p: p is not None) if there]
    return "".join("M" + "L".join(f"{x:g},{y:g}" for x, y in _bends(run)) for run in runs)


def _bends(run: list[Point]) -> list[Point]:
    """The ends, and of the points between them those without which the line would be half a pixel off."""
    kept = [0]
    for k in range(1, len(run) - 1):
        if any(_is_off(point, run[kept[-1]], run[k + 1]) for point in run[kept[-1] + 1 : k + 1]):
            kept.append(k)
    return [run[k] for k in kept] + run[1:][-1:]


def _is_off(point: Point, start: Point, end: Point) -> bool:
    (x, y), (x0, y0), (x1, y1) = point, start, end
    return 2 * abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) > math.dist(start, end)


def _band(series: Series, x: Axis, y: Axis) -> str:
    low, high = (_points(series["x"], series.get(name) or [], x, y) for name in ("low", "high"))
    edge = [p for p in high if p] + [p for p in reversed(low) if p]
    return _path(list(edge)) + " Z" if edge else ""


def _strips(curve: Curve) -> dict[str, Any] | None:
    """Nothing where the statement is in one state all along: the verdict says it."""
    rows = [row for s in curve["series"] if (row := _strip(s))]
    there = sorted({run["state"] for row in rows for run in row["runs"]})
    legend = [(MARKS[state], STATES[state], state) for state in there]
    return {**_texts(curve), "rows": rows, "legend": legend} if len(there) > 1 else None


def _strip(series: Series) -> dict[str, Any] | None:
    """One parameter: runs of neighbouring values at which the statement is in the same state."""
    points = zip(series["x"], series["y"], strict=False)
    cells = [(x, int(y)) for x, y in points if x is not None and y in (0, 1, 2, 3)]
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


@dataclass(frozen=True)
class Axis:
    """The range of an axis in numbers and in pixels."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def at(self, value: float) -> int:
        """The pixel of a number."""
        low, high, x = (math.log10(v) if self.log else v for v in (self.low, self.high, value))
        return round(self.start + (x - low) / (high - low) * (self.end - self.start))

    def holds(self, value: float | None) -> bool:
        return value is not None and self.low <= value <= self.high

    def ticks(self) -> list[tuple[int, str]]:
        """Pixels and labels of some round numbers in the range."""
        values = _decades(self.low, self.high) if self.log else _steps(self.low, self.high)
        return [(self.at(v), spelled(v)) for v in values if self.low <= v <= self.high]


def axis(values: Iterable[float | None], log: bool, start: float, end: float) -> Axis | None:
    """An axis that holds all values, with a margin if they are few; None if there is nothing to show."""
    usable = [v for v in values if v is not None and (v > 1e-300 if log else abs(v) < 1e300)]
    if not usable:
        return None
    low, high = float(min(usable)), float(max(usable))
    if log:
        low, high = (low / 2, high * 2) if high < 1.2 * low else (low, high)
    elif high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
        low, high = low - max(abs(low), 1) / 2, high + max(abs(high), 1) / 2
    return Axis(low, high, log, start, end)


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten, thinned; 1, 2, 5 between them where the range is short."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    if math.log10(high / low if low > high * 1e-200 else 1e200) > 2.5:
        every = max(1, math.ceil((last - first) / 6))
        return [10.0**k for k in range(first, last + 1) if k % every == 0 and -300 < k < 300]
    marks = [m * 10.0**k for k in range(first, last + 1) for m in (1, 2, 5) if -300 < k < 300]
    inside = [v for v in marks if low <= v <= high]
    return inside if len(inside) >= 2 else _steps(low, high)


def _steps(low: float, high: float) -> list[float]:
    raw = (high - low) / 4
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(m * size for m in (1, 2, 2.5, 5, 10) if m * size >= raw * 0.999)
    first = math.ceil(low / step)
    return [round(k * step, 12) if step > 1e-9 else k * step for k in range(first, first + 7)]


def spelled(value: float) -> str:
    """`0.05`, `200`, or `10⁻⁶`."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    plain = mantissa.removesuffix(".0")
    return power if plain == "1" else f"{plain}·{power}"
