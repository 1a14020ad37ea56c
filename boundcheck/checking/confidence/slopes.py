"""The slope of log m(s) against log s, when each m(s) is only known up to a confidence interval."""

import numpy as np
from numpy.typing import ArrayLike


def pointwise_level(level: float, points: int) -> float:
    """Error level of each pointwise bound that makes each end of `slope_band` err at most at `level`.

    An end of the band uses one bound per point, so this is the union bound over the grid.
    """
    if points < 2:
        raise ValueError("A slope takes a grid of at least two points; add a point to the grid.")
    return level / points


def slope_band(log_s: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> tuple[float, float]:
    """Smallest and largest least-squares slope of log m(s) over all m with lower <= m <= upper.

    Arrays of shape (points,) on a grid fixed in advance. The slope is linear in the log means, so both
    extremes are at corners of the box: no approximation. An end is infinite where a bound is 0 or inf.
    Raises ValueError for a grid without two different points or for crossed bounds.
    """
    x, low, high = (np.asarray(value, dtype=np.float64) for value in (log_s, lower, upper))
    if x.size < 2 or np.ptp(x) == 0:
        raise ValueError("A slope takes two different values of s; spread the grid.")
    if not np.all((low >= 0) & (low <= high) & (low < np.inf) & (high > 0)):
        raise ValueError("Each mean takes bounds 0 <= lower <= upper, upper > 0; check the intervals.")
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
