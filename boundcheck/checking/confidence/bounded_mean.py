"""Bounds on a mean that hold at every number of trials, by betting on samples of known range or variance.

If Y >= 0 has mean at most m, the capital prod (1 - c + c Y / m) of a bettor of any fraction c is a
supermartingale, so the mean capital over a fixed list of c ever reaches 1 / level with probability at most
`level` (Waudby-Smith and Ramdas 2024; no variance, no normal approximation, no upper range). It decreases
in m, so the m it does not reject are a ray: a lower bound on E(Y). An upper bound is one on E(high - X).

Without a range, of a variance of at most v: f(y) = 1 + y + y^2/2 for y >= 0 and 1 / (1 - y + y^2/2) below
increases, and f(y) <= 1 + y + y^2/2. If X has mean at most m, E f(b (X - m)) <= 1 + b^2 v / 2, so that the
products of f(b (X - m)) / (1 + b^2 v / 2) are supermartingales for every b > 0; their mean over a fixed list
of b ever reaches 1 / level with probability at most `level` (Catoni 2012; Wang and Ramdas 2023: no normal
approximation).
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import exp, exp2, frexp, inf, isfinite, log, nextafter

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from boundcheck.checking.confidence import (
    FARTHEST,
    OUTWARD,
    require_level,
    walk_out,
)

BITS = 12
"""Samples keep this many leading bits and each bound takes the worse end, at a cost of 2^-11 of the mean."""

BETS = 0.99 * 2.0 ** (-np.arange(33) / 2)
"""Fractions bet, from nearly everything (one zero ruins a bet of all) to what fits 1e9 noisy trials."""

ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""More than what measuring heights from an end far from zero loses, relative to that end."""

TINY = float(np.finfo(np.float64).tiny)
"""The mean to bet against where a bound is at or beyond the end of the range."""


STAKES = np.array([head * 2.0**-k for k in range(15) for head in (3, 2)])
"""What is bet per unit of scale: more than a few trials call for, down to what fits 1e8 of them."""

FINE = 2.0**-10
"""The width of a cell, in units of the scale; far away a cell keeps BITS leading bits."""

SLANDER = 1e-9
"""The probability of saying of a variance that is as stated that it is not."""

LARGEST, ROUNDED = 1e150, 2.0**-36
"""Differences count as no larger, and only beyond what rounding may make of each value, relatively."""

LOST = 2.0**-50
"""More than what measuring a distance loses of it."""


class OutOfRange(ValueError):
    """A value that the declared range does not hold."""


@dataclass(frozen=True)
class BoundedSample:
    """Values in [low, high] as counts of cells: samples add up exactly, in any order, on any workers.

    A cell is the height above `low`, cut to BITS leading bits. `high` may be infinite: then no upper bound.
    """

    low: float
    high: float
    cells: tuple[tuple[float, int], ...] = ()

    def __post_init__(self) -> None:
        if not (isfinite(self.low) and self.low <= self.high):
            raise ValueError(
                f"A range has a finite low, not above high; give one, not [{self.low}, {self.high}]."
            )

    @property
    def trials(self) -> int:
        """How many values were observed."""
        return sum(count for _, count in self.cells)

    @property
    def mean(self) -> float:
        """The sample mean, cut as the cells are."""
        return self.low + sum(
            height * count for height, count in self.cells
        ) / max(self.trials, 1)

    @property
    def depths(self) -> list[tuple[float, int]]:
        """Cells as seen from `high`: each value is at least so far below it."""
        depths, counts = self._depths()
        return [
            (depth, int(count))
            for depth, count in zip(
                depths.tolist(), counts.tolist(), strict=True
            )
        ]

    def observe(self, values: ArrayLike) -> "BoundedSample":
        """This sample and the new values (any shape). Raises OutOfRange where one is outside [low, high]."""
        x = np.asarray(values, dtype=np.float64).ravel()
        if not np.all((x >= self.low) & (x <= self.high) & np.isfinite(x)):
            ends = f"[{self.low}, {self.high}]"
            raise OutOfRange(
                f"a value is outside {ends} or not finite; give the range that the hypotheses imply."
            )
        heights, counts = np.unique(
            _leading_bits(np.abs(x - self.low)), return_counts=True
        )
        new = zip(heights.tolist(), counts.tolist(), strict=True)
        return self + replace(self, cells=tuple(new))

    def __add__(self, other: "BoundedSample") -> "BoundedSample":
        if (self.low, self.high) != (other.low, other.high):
            raise ValueError(
                "Samples of two ranges do not add up; observe both with the same low and high."
            )
        merged = Counter(dict(self.cells)) + Counter(dict(other.cells))
        return replace(self, cells=tuple(sorted(merged.items())))

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds on the mean; each of the two ever fails with probability at most `level`."""
        return self.lower(level), self.upper(level)

    def lower(self, level: float) -> float:
        """Lower bound on the mean, at most the sample mean; `low` before anything is known."""
        bound = self.low + _positive_mean_lower_bound(*self._heights(), level)
        return max(self.low, nextafter(bound - ROUNDING * abs(self.low), -inf))

    def upper(self, level: float) -> float:
        """Upper bound on the mean, at least the sample mean; `high` before anything is known."""
        if not isfinite(self.high):
            return inf
        bound = self.high - _positive_mean_lower_bound(*self._depths(), level)
        return min(
            self.high,
            nextafter(bound + ROUNDING * (abs(self.low) + abs(self.high)), inf),
        )

    def log_e_values(self, bound: float) -> tuple[float, float]:
        """log of the evidence against and for "E(X) <= bound"; much cheaper than the interval.

        Evidence of 1 / level decides. There is none for a bound where the range has no upper end.
        """
        against = log_capital(*self._heights(), max(bound - self.low, TINY))
        favour = (
            log_capital(*self._depths(), max(self.high - bound, TINY))
            if isfinite(self.high)
            else 0.0
        )
        return float(against), float(favour)

    def _heights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        columns = np.asarray(self.cells, dtype=np.float64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def _depths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        heights, counts = self._heights()
        return np.maximum(
            self.high - self.low - heights * (1 + 2.0 ** (1 - BITS)), 0.0
        ), counts


NO_HALVES = BoundedSample(0.0, inf)


@dataclass(frozen=True)
class SpreadSample:
    """Values of a variance of at most `variance`, as counts of cells: samples add up exactly, in any order.

    A cell is the lower end of the distances from `origin` that it holds, measured upwards.
    """

    origin: float
    variance: float
    cells: tuple[tuple[float, int], ...] = ()
    halves: BoundedSample = NO_HALVES
    """Half of the squared differences of pairs of values, whose mean is the variance."""

    def __post_init__(self) -> None:
        if not (isfinite(self.origin) and 0 <= self.variance < inf):
            raise ValueError(
                f"A variance is not negative, an origin finite; not {self.variance} and {self.origin}."
            )

    @property
    def scale(self) -> float:
        """The power of two next to the standard deviation; where it is 0 what is small beside the origin."""
        return exp2(
            frexp(self.variance**0.5 or max(abs(self.origin), 1.0) * LOST)[1]
            - 1
        )

    @property
    def trials(self) -> int:
        """How many values were observed."""
        return sum(count for _, count in self.cells)

    @property
    def mean(self) -> float:
        """The sample mean, cut as the cells are."""
        return self.origin + sum(
            distance * count for distance, count in self.cells
        ) / max(self.trials, 1)

    @property
    def depths(self) -> list[tuple[float, int]]:
        """Cells as seen from above: each value is at least so far below the origin."""
        depths, counts = self._depths()
        return [
            (depth, int(count))
            for depth, count in zip(
                depths.tolist(), counts.tolist(), strict=True
            )
        ]

    def observe(self, values: ArrayLike) -> "SpreadSample":
        """This sample and the new values (any shape). Raises OutOfRange where one is no finite number."""
        x = np.asarray(values, dtype=np.float64).ravel()
        if not np.all(np.isfinite(x)):
            raise OutOfRange(
                "a value is not finite; its variance would not be what the hypotheses say."
            )
        pairs = x[: x.size // 2 * 2].reshape(-1, 2)
        apart = np.maximum(
            np.abs(pairs[:, 0] - pairs[:, 1])
            - ROUNDED * np.abs(pairs).sum(axis=1),
            0.0,
        )
        halves = NO_HALVES.observe(np.minimum(apart, LARGEST) ** 2 / 2)
        distance = x - self.origin
        distance -= LOST * np.abs(distance)
        width = self._widths(distance)
        lower, counts = np.unique(
            np.floor(distance / width) * width, return_counts=True
        )
        cells = tuple(zip(lower.tolist(), counts.tolist(), strict=True))
        return self + replace(self, cells=cells, halves=halves)

    def __add__(self, other: "SpreadSample") -> "SpreadSample":
        if (self.origin, self.variance) != (other.origin, other.variance):
            raise ValueError(
                "Samples of two variances do not add up; observe both with the same origin."
            )
        merged = Counter(dict(self.cells)) + Counter(dict(other.cells))
        return replace(
            self,
            cells=tuple(sorted(merged.items())),
            halves=self.halves + other.halves,
        )

    @property
    def contradicts(self) -> bool:
        """Whether values show a larger variance; if it is none, with probability at most SLANDER, ever."""
        return self.halves.log_e_values(self.variance)[0] >= -log(SLANDER)

    def interval(self, level: float) -> tuple[float, float]:
        """Bounds on the mean; each of the two ever fails with probability at most `level`."""
        return self.lower(level), self.upper(level)

    def lower(self, level: float) -> float:
        """Lower bound on the mean; -inf before anything is known."""
        return nextafter(
            self.origin + self.scale * self._bound(*self._distances(), level),
            -inf,
        )

    def upper(self, level: float) -> float:
        """Upper bound on the mean; inf before anything is known."""
        return nextafter(
            self.origin - self.scale * self._bound(*self._depths(), level), inf
        )

    def log_e_values(self, bound: float) -> tuple[float, float]:
        """log of the evidence against and for "E(X) <= bound"; evidence of 1 / level decides."""
        against = self._log_capital(*self._distances(), bound - self.origin)
        return against, self._log_capital(*self._depths(), self.origin - bound)

    def _widths(self, distance: NDArray[np.float64]) -> NDArray[np.float64]:
        """The width of the cell that holds a distance."""
        fine = self.scale * FINE
        return np.ldexp(
            fine, np.maximum(np.frexp(distance / fine)[1] - BITS, 0)
        )

    def _distances(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        columns = np.asarray(self.cells, dtype=np.float64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def _depths(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What lies between an end of a cell and a value was lost once below and is lost twice here."""
        lower, counts = self._distances()
        return -(lower + self._widths(lower) + 4 * LOST * np.abs(lower)), counts

    def _log_capital(
        self, distances: NDArray, counts: NDArray, mean: float
    ) -> float:
        """log of the mean capital after betting that the mean distance is above `mean`."""
        y = np.multiply.outer((distances - mean) / self.scale, STAKES)
        size = np.abs(y)
        gains = np.sign(y) * (
            np.log1p(size) + np.log1p(size * (size / (2 + 2 * size)))
        )  # size^2 may overflow
        cost = np.log1p((STAKES * (self.variance**0.5 / self.scale)) ** 2 / 2)
        capital = np.einsum("c,cb->b", counts, gains) - counts.sum() * cost
        highest = float(np.max(capital))
        return highest + log(
            float(np.exp(capital - highest).sum()) / len(STAKES)
        )

    def _bound(
        self, distances: NDArray, counts: NDArray, level: float
    ) -> float:
        """Lower bound on the mean distance in units of the scale."""
        require_level(level)
        if not counts.size:
            return -inf
        start = (
            float(np.sum(distances * counts))
            / float(np.sum(counts))
            / self.scale
        )

        def rejected(t: float) -> float:
            return self._log_capital(
                distances, counts, (start + t) * self.scale
            ) + log(level)

        step = 1.0
        while (
            rejected(step) >= 0 and step < FARTHEST
        ):  # the sample mean itself may be rejected
            step *= 2
        return start + walk_out(rejected, step, -0.01) - OUTWARD


def log_capital(
    heights: ArrayLike, counts: ArrayLike, mean: float
) -> NDArray[np.float64]:
    """log of the mean capital after betting that E(Y) > mean; (cells,) and (..., cells) -> (...)."""
    with np.errstate(over="ignore"):
        odds = np.asarray(heights, dtype=np.float64)[:, None] / mean
        gains = np.log1p(BETS * (odds - 1))
    # einsum and not BLAS: the order of adding must not depend on the number of threads.
    capital = np.einsum(
        "...c,cb->...b", np.asarray(counts, dtype=np.float64), gains
    )
    return special.logsumexp(capital, axis=-1) - log(len(BETS))


def _positive_mean_lower_bound(
    heights: NDArray, counts: NDArray, level: float
) -> float:
    require_level(level)
    total = float(np.sum(counts * heights))
    if not total > 0:
        return 0.0

    def rejected(log_mean: float) -> float:
        return float(log_capital(heights, counts, exp(log_mean))) + log(level)

    start = log(
        total / counts.sum()
    )  # at the sample mean no bet has gained anything (Jensen)
    return exp(walk_out(rejected, start, -0.01) - OUTWARD)


def _leading_bits(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """x >= 0 rounded down to BITS leading bits."""
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.floor(np.ldexp(mantissa, BITS)), exponent - BITS)


def pointwise_level(level: float, points: int) -> float:
    """Error level of each pointwise bound that makes each end of `slope_band` err at most at `level`.

    An end of the band uses one bound per point, so this is the union bound over the grid.
    """
    if points < 2:
        raise ValueError(
            "A slope takes a grid of at least two points; add a point to the grid."
        )
    return level / points


def slope_band(
    log_s: ArrayLike, lower: ArrayLike, upper: ArrayLike
) -> tuple[float, float]:
    """Smallest and largest least-squares slope of log m(s) over all m with lower <= m <= upper.

    Arrays of shape (points,) on a grid fixed in advance. The slope is linear in the log means, so both
    extremes are at corners of the box: no approximation. An end is infinite where a bound is 0 or inf.
    Raises ValueError for a grid without two different points or for crossed bounds.
    """
    x, low, high = (
        np.asarray(value, dtype=np.float64) for value in (log_s, lower, upper)
    )
    if x.size < 2 or np.ptp(x) == 0:
        raise ValueError(
            "A slope takes two different values of s; spread the grid."
        )
    if not np.all((low >= 0) & (low <= high) & (low < np.inf) & (high > 0)):
        raise ValueError(
            "Each mean takes bounds 0 <= lower <= upper, upper > 0; check the intervals."
        )
    centred = x - x.mean()
    weights = centred / (centred @ centred)
    smallest = _end(weights, np.where(weights > 0, low, high), -1)
    return smallest, _end(weights, np.where(weights > 0, high, low), +1)


def _end(weights: np.ndarray, means: np.ndarray, outward: int) -> float:
    """The slope at a corner, moved outward by its rounding; a zero weight silences an infinite logarithm."""
    used = weights != 0
    with np.errstate(divide="ignore"):
        terms = weights[used] * np.log(means[used])
    return float(terms.sum() + outward * 1e-14 * (1 + np.abs(terms).sum()))
