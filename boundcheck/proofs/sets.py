"""The sets that a proof may be about: all of a domain where that can be, else a named part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import asinh, ceil, floor, inf, isfinite, log, prod

from flint import fmpq

from boundcheck.certificates.verify.proofs import Interval
from boundcheck.domains import FIXED, Chart, Domain
from boundcheck.words.claims import Claim

MOST_CHOICES, MOST_WHOLE = 36, 1200
"""Choices of the whole numbers that are enumerated; and where they are all that there are."""

MARGINS = (Fraction(0), Fraction(1, 10**6), Fraction(1, 10**3), Fraction(1, 20))
"""How far from its ends, relatively, a range is cut; an infinite one ends at the reciprocal."""

REACH = {Fraction(1, 10**6): 1000, Fraction(1, 10**3): 30, Fraction(1, 20): 4}
"""Where the real line is cut for each margin."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of a claim by what a proof does with them:
    real numbers, whole numbers, and all others by their shapes."""

    reals: Mapping[str, Chart]
    wholes: Mapping[str, range]
    shaped: tuple[str, ...]

    @classmethod
    def of(cls, claim: Claim) -> Parameters:
        reals, wholes, shaped = {}, {}, []
        for name, domain in claim.parameters.items():
            if _is_whole(domain):
                wholes[name] = range(ceil(domain.chart.low), floor(domain.chart.high) + 1)
            elif (
                domain.axes == ()
                and isinstance(domain.chart, Chart)
                and domain.chart != FIXED
                and _is_itself(domain)
            ):
                reals[name] = domain.chart
            else:
                shaped.append(name)
        return cls(dict(sorted(reals.items())), wholes, tuple(shaped))  # in the order of a file

    def choices(self, most: int = MOST_CHOICES) -> list[dict[str, int]]:
        """All whole numbers where they are few, else the first of each, at most so many choices together."""
        counts = {name: len(values) for name, values in self.wholes.items()}
        while prod(counts.values()) > most:
            largest = max(counts, key=lambda name: counts[name])
            counts[largest] = min(
                counts[largest] - 1, max(counts[largest] // 2, most if len(counts) == 1 else 1)
            )
        ranges = [values[: counts[name]] for name, values in self.wholes.items()]
        return [dict(zip(self.wholes, values, strict=True)) for values in product(*ranges)]

    def count(self) -> int:
        """How many choices of the whole numbers there are."""
        return prod(map(len, self.wholes.values()))

    def domain(self) -> dict[str, Interval]:
        """The whole range of each real parameter."""
        return {name: _domain(chart) for name, chart in self.reals.items()}

    def boxes(self) -> Iterator[dict[str, Interval]]:
        """Closed boxes in the ranges, the largest first."""
        for margin in MARGINS:
            cut = {name: _cut(chart, margin) for name, chart in self.reals.items()}
            if all(cut.values()):
                yield {name: interval for name, interval in cut.items() if interval is not None}


def _is_whole(domain: Domain) -> bool:
    return domain.whole is True and domain.axes == ()


def _is_itself(domain: Domain) -> bool:
    """Whether a value is the raw number that is drawn for it."""
    raw = object()
    try:
        return domain.build(raw) is raw
    except Exception:  # whatever a builder of the user's makes of what is no number
        return False


def exactly(x: float) -> fmpq:
    """The number that a float prints as."""
    shown = Fraction(repr(float(x)))
    return fmpq(shown.numerator, shown.denominator)


def _domain(chart: Chart) -> Interval:
    low, high = (exactly(x) if isfinite(x) else None for x in (chart.low, chart.high))
    return Interval(low, high, chart.closed and low is not None, chart.closed_above and high is not None)


def _cut(chart: Chart, margin: Fraction) -> Interval | None:
    """A closed part of a range; none where an end is infinite and there is no margin."""
    low, high, part = chart.low, chart.high, fmpq(margin.numerator, margin.denominator)
    if isfinite(low) and isfinite(high):
        a, b = exactly(low), exactly(high)
        below, above = (
            fmpq(0) if chart.closed else part * (b - a),
            fmpq(0) if chart.closed_above else part * (b - a),
        )
        return Interval(a + below, b - above, True, True)
    if margin == 0:
        return None
    if isfinite(low):
        return Interval(
            exactly(low) + (fmpq(0) if chart.closed else part), exactly(low) + 1 / part, True, True
        )
    if isfinite(high):
        return Interval(
            exactly(high) - 1 / part, exactly(high) - (fmpq(0) if chart.closed_above else part), True, True
        )
    return Interval(fmpq(-REACH[margin]), fmpq(REACH[margin]), True, True)


def width(lo: fmpq, hi: fmpq, interval: Interval) -> float:
    """How long a part of an interval is in the coordinate that suits it: decades near its ends."""
    a, b, high = (float(x) if x is not None else inf for x in (lo, hi, interval.high))
    if lo > 0:
        length = log(b / a)
        return length + (log((high - a) / (high - b)) if high <= 1 and b < high else 0.0)
    return asinh(b) - asinh(a) if b > a else 0.0


def cut(lo: fmpq, hi: fmpq, interval: Interval) -> fmpq:
    """Where a part of an interval is cut in two: in the middle of its decades."""
    if lo < 0 < hi:
        return fmpq(0)
    if hi <= 0:
        return -cut(-hi, -lo, Interval(None, None, True, True))
    high = interval.high
    if lo > 0 and hi > 4 * lo:
        return _near(float(lo) ** 0.5 * float(hi) ** 0.5, lo, hi)
    if high is not None and high <= 1 and hi < high and high - lo > 4 * (high - hi):
        return _near(float(high) - (float(high - lo) * float(high - hi)) ** 0.5, lo, hi)
    if lo == 0 and hi > 4:
        return fmpq(1)
    return (lo + hi) / 2


def _near(x: float, lo: fmpq, hi: fmpq) -> fmpq:
    """A short number near a float, strictly between two others."""
    for digits in (2, 4, 17):
        found = exactly(float(f"{x:.{digits}g}"))
        if lo < found < hi:
            return found
    return (lo + hi) / 2
