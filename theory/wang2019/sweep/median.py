"""An interval for the median of independent values of one law, valid for every law: order statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction


def miss_probability(repeats: int, rank: int) -> Fraction:
    """2 P(Bin(repeats, 1/2) < rank): how often [rank-th smallest, rank-th largest] misses the median.

    Exact for a continuous law, an upper bound for any other.
    """
    return Fraction(2 * sum(math.comb(repeats, j) for j in range(rank)), 2**repeats)


def median_rank(repeats: int, level: float) -> int:
    """The largest rank with a miss probability of at most `level`; 0 if there is none."""
    rank = 0
    while 2 * (rank + 1) <= repeats and miss_probability(repeats, rank + 1) <= level:
        rank += 1
    return rank


def repeats_needed(level: float) -> int:
    """The least number of repeats that gives a bounded interval at `level`."""
    return next(repeats for repeats in range(2, 1100) if median_rank(repeats, level))


def median_interval(values: Iterable[float], level: float) -> tuple[float, float]:
    """Interval that misses the median of the law with probability at most `level`; the line if too few.

    The values are independent and of one law, nothing else is assumed. Source: Thompson (1936).
    """
    ordered = sorted(values)
    rank = median_rank(len(ordered), level)
    return (ordered[rank - 1], ordered[-rank]) if rank else (-math.inf, math.inf)
