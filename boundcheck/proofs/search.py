"""The sets that a proof may be about, a domain or a named part of it, and growing the trees of boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import asinh, ceil, floor, inf, isfinite, log, prod
from typing import Any

from flint import fmpq

import boundcheck.verifier.boxes as boxes
from boundcheck.checking.certificate import NotFinite, NotTraceable
from boundcheck.checking.paths import Inadmissible, Route, spelled
from boundcheck.domains import FIXED, Chart, Domain
from boundcheck.verifier.boxes import Box, Look, Side
from boundcheck.verifier.proofs import Interval, Run
from boundcheck.verifier.scalars import Code, Unproved
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
    fixed: bool
    """Whether all instances are of one shape, and of no whole number."""

    @classmethod
    def of(cls, claim: Claim) -> Parameters:
        reals, wholes, shaped = {}, {}, []
        for name, domain in claim.parameters.items():
            if domain.is_integer:
                wholes[name] = range(
                    ceil(domain.chart.low), floor(domain.chart.high) + 1
                )
            elif _is_real(domain):
                reals[name] = domain.chart
            else:
                shaped.append(name)
        fixed = not wholes and all(
            _is_fixed(claim.parameters[name]) for name in shaped
        )
        # in the order of a file
        return cls(dict(sorted(reals.items())), wholes, tuple(shaped), fixed)

    def choices(self, most: int = MOST_CHOICES) -> list[dict[str, int]]:
        """All whole numbers where they are few, else the first of each, at most so many choices together."""
        counts = {name: len(values) for name, values in self.wholes.items()}
        while prod(counts.values()) > most:
            largest = max(counts, key=lambda name: counts[name])
            fewer = max(counts[largest] // 2, most if len(counts) == 1 else 1)
            counts[largest] = min(counts[largest] - 1, fewer)
        ranges = [
            values[: counts[name]] for name, values in self.wholes.items()
        ]
        return [
            dict(zip(self.wholes, values, strict=True))
            for values in product(*ranges)
        ]

    def choices_but(
        self, names: Sequence[str], most: int
    ) -> list[dict[str, Any]]:
        """The same with runs of some. Raises Stuck where there are more than so many."""
        ranges = [
            [_all_of(values)] if name in names else list(values)
            for name, values in self.wholes.items()
        ]
        if prod(map(len, ranges)) > most:
            raise Stuck("there are too many other whole numbers")
        return [
            dict(zip(self.wholes, values, strict=True))
            for values in product(*ranges)
        ]

    def count(self) -> int:
        """How many choices of the whole numbers there are."""
        return prod(map(len, self.wholes.values()))

    def domain(self) -> dict[str, Interval]:
        """The whole range of each real parameter."""
        return {name: _domain(chart) for name, chart in self.reals.items()}

    def boxes(self) -> Iterator[dict[str, Interval]]:
        """Closed boxes in the ranges, the largest first."""
        for margin in MARGINS:
            cut = {
                name: _cut(chart, margin) for name, chart in self.reals.items()
            }
            if all(cut.values()):
                yield {
                    name: interval
                    for name, interval in cut.items()
                    if interval is not None
                }


def _all_of(values: range) -> Any:
    return Run(values[0], values[-1]) if len(values) > 1 else values[0]


def _is_real(domain: Domain) -> bool:
    """Whether a value is a number of a range, and the raw number that is drawn for it."""
    if (
        domain.axes != ()
        or not isinstance(domain.chart, Chart)
        or domain.chart == FIXED
    ):
        return False
    return _is_raw(domain)


def _is_fixed(domain: Domain) -> bool:
    """Whether all values are arrays of one shape, and the raw numbers that are drawn for them."""
    sized = domain.axes is not None and all(
        type(dim) is int for dim in domain.dims
    )
    return sized and _is_raw(domain)


def _is_raw(domain: Domain) -> bool:
    raw = object()
    try:
        return domain.build(raw) is raw
    except (
        Exception
    ):  # whatever a builder of the user's makes of what is no number
        return False


def exactly(x: float) -> fmpq:
    """The number that a float prints as."""
    shown = Fraction(repr(float(x)))
    return fmpq(shown.numerator, shown.denominator)


def _domain(chart: Chart) -> Interval:
    low, high = (
        exactly(x) if isfinite(x) else None for x in (chart.low, chart.high)
    )
    return Interval(
        low,
        high,
        chart.closed and low is not None,
        chart.closed_above and high is not None,
    )


def _cut(chart: Chart, margin: Fraction) -> Interval | None:
    """A closed part of a range; none where an end is infinite and there is no margin."""
    part, whole = fmpq(margin.numerator, margin.denominator), _domain(chart)
    low, high = whole.low, whole.high
    if margin == 0 and (low is None or high is None):
        return None
    off = part if low is None or high is None else part * (high - low)
    below, above = (
        fmpq(0) if closed else off
        for closed in (chart.closed, chart.closed_above)
    )
    if low is not None:
        return Interval(
            low + below,
            low + 1 / part if high is None else high - above,
            True,
            True,
        )
    if high is not None:
        return Interval(high - 1 / part, high - above, True, True)
    return Interval(fmpq(-REACH[margin]), fmpq(REACH[margin]), True, True)


def width(lo: fmpq, hi: fmpq, interval: Interval) -> float:
    """How long a part of an interval is in the coordinate that suits it: decades near its ends."""
    a, b, high = (
        float(x) if x is not None else inf for x in (lo, hi, interval.high)
    )
    if lo > 0:
        length = log(b / a)
        return length + (
            log((high - a) / (high - b)) if high <= 1 and b < high else 0.0
        )
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
    if (
        high is not None
        and high <= 1
        and hi < high
        and high - lo > 4 * (high - hi)
    ):
        return _near(
            float(high) - (float(high - lo) * float(high - hi)) ** 0.5, lo, hi
        )
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


# where to cut, which path, when to come down to a face; all bounded by counts


Tree = Any

NARROW = 1e-7
"""A coordinate that is no wider than this is not cut."""

DEEPEST = 90
"""Cuts, one below the other."""

FEWEST = 4
"""After so many cuts a box may be shown by several paths together."""

MOST_PATHS = 24

STRAY = (Inadmissible, NotTraceable, NotFinite, Unproved)


class Stuck(Exception):
    """No proof was found with the work allowed; the message says where."""


class Effort:
    """Instructions that may still be run, and the parts of which no normal form was found at a choice."""

    def __init__(self, left: float):
        self.left, self.spent = left, 0.0
        self.hard: set[int] = set()

    def spend(self, units: float) -> None:
        """Raises Stuck."""
        self.left -= units
        self.spent += units
        if self.left < 0:
            raise Stuck("it takes more work than a proof is given")


class Paths:
    """The paths of one case that are known so far, and how more are recorded."""

    def __init__(
        self,
        record: Callable[[Mapping[str, float]], Route],
        names: Sequence[str],
    ):
        self.record, self.names = record, names
        self.code = Code(names)
        self.recorded: list[Route] = []
        self.routes: list[boxes.Route] = []
        self.seen: dict[str, int] = {}

    def at(self, point: Mapping[str, float]) -> int:
        """The number of the path at an instance. Raises what STRAY lists."""
        found = self.record(point)
        known = spelled(found)
        if known not in self.seen:
            if len(self.routes) == MOST_PATHS:
                raise Stuck(f"there are more than {MOST_PATHS} paths")
            self.routes.append(boxes.Route(found, self.names, self.code))
            self.recorded.append(found)
            self.seen[known] = len(self.routes) - 1
        return self.seen[known]


class Grower:
    """The tree of one side of a case."""

    def __init__(
        self,
        paths: Paths,
        number: int,
        intervals: Mapping[str, Interval],
        effort: Effort,
    ):
        self.paths, self.number, self.effort = paths, number, effort
        self.names, self.intervals = list(intervals), list(intervals.values())
        self.last = 0

    def side(self, k: int) -> Side:
        route = self.paths.routes[k]
        if (
            self.number >= len(route.sides)
            or route.relation != self.paths.routes[0].relation
        ):
            raise Stuck("paths of different statements")
        return route.sides[self.number]

    def grow(self, box: Box, face: int | None = None, depth: int = 0) -> Tree:
        """A tree that shows the side on a box, or on a face that path `face` came down to. Raises Stuck."""
        if depth > DEEPEST:
            raise Stuck(f"the sides touch near {self._named(box)}")
        k, look = self._looked(box, face)
        if look is not None and look.shown:
            return k
        if (
            look is not None
            and look.face is not None
            and not look.linked
            and k is not None
        ):
            return ["face", k, self.grow(look.face, k, depth + 1)]
        if (
            look is None
            and face is None
            and len(self.paths.routes) > 1
            and depth > FEWEST
        ):
            found = self._together(box)
            if found is not None:
                return found
        return self._cut(box, look, face, depth)

    def _together(self, box: Box) -> Tree | None:
        """The paths that show a box together."""
        possible = [
            k
            for k in range(len(self.paths.routes))
            if self._look(k, box).state != "other"
        ]
        sides = [self.side(k) for k in possible]
        self.effort.spend(
            sum(len(side.steps[0]) for side in sides) * (2 + 2 * len(box))
        )
        return (
            ["paths", possible]
            if sides and boxes.shown_on_all(sides, box)
            else None
        )

    def _looked(
        self, box: Box, face: int | None
    ) -> tuple[int | None, Look | None]:
        """The path that a box takes as far as is known, and what it shows there."""
        if face is not None:
            return face, self._look(face, box, True)
        order = sorted(
            range(len(self.paths.routes)), key=lambda k: k != self.last
        )
        for k in order:
            look = self._look(k, box)
            if look.shown or look.state == "taken":
                self.last = k
                return k, look
        before = len(self.paths.routes)
        try:
            k = self.paths.at(
                {
                    name: _middle(*ends)
                    for name, ends in zip(self.names, box, strict=True)
                }
            )
        except STRAY:
            return None, None
        self.effort.spend(200)
        if k < before:
            return None, None
        look = self._look(k, box)
        return (
            (k, look) if look.shown or look.state == "taken" else (None, None)
        )

    def _look(self, k: int, box: Box, face: bool = False) -> Look:
        side = self.side(k)
        self.effort.spend(len(side.steps[0]) * (1 + 2 * len(box)))
        return side.look(box, face)

    def _cut(
        self, box: Box, look: Look | None, face: int | None, depth: int
    ) -> Tree:
        known = zip(box, self.intervals, strict=True)
        widths = [width(lo, hi, x) if lo < hi else 0.0 for (lo, hi), x in known]
        weights = list(look.weights) if look is not None else []
        score = (
            weights
            if all(map(isfinite, weights)) and max(weights, default=0) > 0
            else widths
        )
        wide = [i for i in range(len(box)) if widths[i] > NARROW]
        if not wide:
            raise Stuck(f"the sides touch near {self._named(box)}")
        axis = max(wide, key=lambda i: (score[i], widths[i]))
        lo, hi = box[axis]
        at = cut(lo, hi, self.intervals[axis])
        parts = [
            (*box[:axis], part, *box[axis + 1 :])
            for part in ((lo, at), (at, hi))
        ]
        return [
            axis,
            str(at),
            *(self.grow(part, face, depth + 1) for part in parts),
        ]

    def _named(self, box: Box) -> str:
        named = zip(self.names, box, strict=True)
        return (
            ", ".join(f"{name} = {_middle(*ends):.4g}" for name, ends in named)
            or "a number"
        )


def _middle(lo: Any, hi: Any) -> float:
    return (
        float(cut(lo, hi, Interval(None, None, True, True)))
        if lo < hi
        else float(lo)
    )
