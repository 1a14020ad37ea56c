"""Multinomial counts of equally likely cells: the probability that one of them leaves its range.

With weights w_k = r^k / k!, r = s / m, w(x) = sum of w_k x^k, and f(x) the same over the counts k in the range,
all m counts are in it with probability [x^s] f(x)^m / [x^s] w(x)^m. The weights of (all inside, some outside)
are carried along for groups of cells, and nothing is ever subtracted: the relative accuracy holds at 1e-30 as
well as at 0.5.
"""

import math

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Group = tuple[
    int, Vector, Vector
]  # weights of a sum of counts, from the first one on

# Weights below are left out: the first for speed, the last is where floats end.
CUTS = (1e-50, 1e-100, 1e-300)


def some_count_outside(s: int, m: int, low: int, high: int) -> float:
    """P(N_j < low or N_j > high for some j), N ~ Multinomial(s, (1/m, ..., 1/m)); relative error below 1e-9."""
    P = float(not low <= s <= high)
    for cut in CUTS if m > 1 else ():
        cell = _cell(s, s / m, low, high, cut)
        half = _power(cell, m // 2, s, cut)
        rest = _together(half, cell, s, cut) if m % 2 else half
        P = _outside(s, half, rest)
        if (
            P > 1e30 * cut
        ):  # what was left out is at most m s cut: nothing beside P
            break
    return P


def _outside(s: int, a: Group, b: Group) -> float:
    """The share of (some outside) in the weight of the sum s: no convolution, which is most of the work."""
    (i, A, B), (j, C, D) = a, b
    low, high = max(i, s - j - len(C) + 1), min(i + len(A), s - j + 1)
    own, other = (
        slice(low - i, high - i),
        slice(s - j - high + 1, s - j - low + 1),
    )
    A, B, C, D = A[own], B[own], C[other][::-1], D[other][::-1]
    outside = B @ (C + D) + A @ D
    return float(outside / (A @ C + outside))


def _cell(s: int, mean: float, low: int, high: int, cut: float) -> Group:
    """The weights of one cell, from that of the most likely count outwards, as far as floats tell them from 0."""
    mode = int(mean)
    reach = 40 * math.isqrt(mode) + 200
    first = max(mode - reach, 0)
    k = np.arange(float(first), min(mode + reach, s) + 1)
    at = mode - first
    below, above = np.cumprod(k[at:0:-1] / mean), np.cumprod(mean / k[at + 1 :])
    weights = np.concatenate([below[::-1], [1.0], above])
    weights /= weights.sum()
    inside = (low <= k) & (k <= high)
    return _kept(first, weights * inside, weights * ~inside, cut)


def _power(cell: Group, m: int, s: int, cut: float) -> Group:
    """m cells together, by repeated squaring."""
    if m == 1:
        return cell
    half = _power(cell, m // 2, s, cut)
    even = _together(half, half, s, cut)
    return _together(even, cell, s, cut) if m % 2 else even


def _together(a: Group, b: Group, s: int, cut: float) -> Group:
    """Two groups of cells as one; counts above s are left out."""
    first = a[0] + b[0]
    inside = np.convolve(a[1], b[1])
    if a is b:
        outside = np.convolve(a[2], 2 * b[1] + b[2])
    else:
        outside = np.convolve(a[2], b[1] + b[2]) + np.convolve(a[1], b[2])
    return _kept(first, inside[: s + 1 - first], outside[: s + 1 - first], cut)


def _kept(first: int, inside: Vector, outside: Vector, cut: float) -> Group:
    """Without the counts at both ends whose weights are below the cut."""
    kept = np.flatnonzero(inside + outside > cut)
    part = slice(kept[0], kept[-1] + 1)
    return first + int(kept[0]), inside[part], outside[part]
