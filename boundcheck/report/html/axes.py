"""Axes of a plot: numbers to pixels, and round ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """The range of an axis in numbers and in pixels."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a number."""
        low, high, x = (math.log10(v) if self.log else v for v in (self.low, self.high, value))
        return round(self.start + (x - low) / (high - low) * (self.end - self.start), 1)

    def holds(self, value: float | None) -> bool:
        return value is not None and self.low <= value <= self.high

    def ticks(self) -> list[tuple[float, str]]:
        """Pixels and labels of some round numbers in the range."""
        values = _decades(self.low, self.high) if self.log else _steps(self.low, self.high)
        return [(self.at(v), spelled(v)) for v in values if self.low <= v <= self.high]


def axis(values: Iterable[float | None], log: bool, start: float, end: float) -> Axis | None:
    """An axis that holds all values, with a margin if they are few or one; None if there is nothing to show on it."""
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
        return [10.0**k for k in range(first, last + 1) if k % max(1, math.ceil((last - first) / 6)) == 0 and -300 < k < 300]
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
