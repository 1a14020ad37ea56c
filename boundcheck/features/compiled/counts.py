"""Multinomial counts: the probability that all cells stay within their ranges, or that some cell does not.

With f_j(x) = sum over allowed k of r_j^k x^k / k!, r_j = s q_j (truncated Poisson weights, not normalised),
    P(lo_j <= N_j <= hi_j for all j) = (s! / s^s) [x^s] f_1(x) ... f_m(x).
Nothing is ever subtracted, so each computed number is the true one times at most (1 + u)^(+-k), where k
counts the roundings on the longest path to it, plus at most `lost`, which bounds all that underflowed or was
cut off as negligible. Both are carried along and become the radius. To stay free of subtraction, P(some cell
outside) sums over the first group with a cell outside, O(a b) = O(a) (I(b) + O(b)) + I(a) O(b): its relative
accuracy holds at 1e-30 as well as at 0.5.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from boundcheck.features.compiled import U, Vector, jitted

T = TypeVar("T")
Times = Callable[[T, T], T]

ETA = 2.0**-1074  # the largest absolute error of an operation that underflows
CUTS = (
    2.0**-120,
    2.0**-400,
)  # entries below the cut times the largest are booked as lost; the next if that shows
FLOOR = 2.0**-960  # where a Poisson recursion stops, well above underflow


@dataclass(frozen=True)
class _Weights:
    """w_k = 2^exponent values[k - start] or zero; each is off by (1 + u)^roundings and by 2^exponent lost."""

    values: Vector
    start: int
    exponent: int
    roundings: int
    lost: float
    cut: float


def some_count_outside(
    s: int, q: ArrayLike, lo: ArrayLike, hi: ArrayLike
) -> tuple[float, float]:
    """(P, radius) with P(N_j < lo_j or N_j > hi_j for some j) within radius of P, for N ~ Multinomial(s, q).

    Not computed as one minus the rest, so that the relative error stays small when P is tiny. q, lo, hi (m,);
    lo and hi are any reals. The radius covers q as given, q / sum(q), and any q whose nearest floats were given.
    Raises ValueError if s < 1, if q has a negative entry or does not sum to one within 1e-9.
    """
    cells, times, last = (
        _cells(s, q, lo, hi),
        partial(_chain, 0, s),
        partial(_chain, s, s),
    )
    return _probability(
        s,
        q,
        _sharp(
            s,
            lambda cut: _product(
                [(_cell(s, *c, cut), m) for c, m in cells], times, last
            )[1],
        ),
    )


def _sharp(s: int, weights: Callable[[float], _Weights]) -> _Weights:
    """The weights at the first cut whose losses are below rounding at s; where all are felt, at the last."""
    w = weights(CUTS[0])
    for cut in CUTS[1:]:
        if w.lost > U * _entry(s, w):
            w = weights(cut)
    return w


def _entry(k: int, w: _Weights) -> float:
    return float(w.values[k - w.start]) if 0 <= k - w.start < len(w.values) else 0.0


def _cells(
    s: int, q: ArrayLike, lo: ArrayLike, hi: ArrayLike
) -> list[tuple[tuple[float, int, int], int]]:
    """The distinct (q_j, lo_j, hi_j), each with how often it occurs."""
    q = np.asarray(q, dtype=np.float64)
    if s < 1:
        raise ValueError(f"the number of draws must be at least 1, but s = {s}.")
    if not (q.min() >= 0 and abs(math.fsum(q) - 1) <= 1e-9):
        raise ValueError("q must be non-negative and sum to one: divide it by its sum.")
    table = np.column_stack(
        np.broadcast_arrays(
            q, np.ceil(np.clip(lo, 0, s + 1)), np.floor(np.clip(hi, -1, s))
        )
    )
    rows, copies = np.unique(table, axis=0, return_counts=True)
    return [
        ((float(a), int(b), int(c)), int(g))
        for (a, b, c), g in zip(rows, copies, strict=True)
    ]


def _cell(s: int, q: float, lo: int, hi: int, cut: float) -> tuple[_Weights, _Weights]:
    """The weights (s q)^k / k! of one cell, split into those inside and those outside lo .. hi."""
    rate = s * q
    mode = min(int(rate), s)
    values = _poisson_ratios(rate, mode, s)
    factor, exponent = _ratio_product(rate, mode)
    inside = np.zeros(s + 1, dtype=bool)
    inside[lo : hi + 1] = True
    ratios = (
        _Weights(np.where(part, values, 0.0), 0, exponent, 0, FLOOR, cut)
        for part in (inside, ~inside)
    )
    within, outside = (_anchored(_tidy(w), mode, factor) for w in ratios)
    return within, outside


def _anchored(w: _Weights, mode: int, factor: float) -> _Weights:
    """Multiply ratios to the weight at the mode by that weight; each step of either costs two roundings."""
    reach = max(abs(w.start - mode), abs(w.start + len(w.values) - mode))
    roundings = 2 * reach + 2 * mode + 1
    return replace(w, values=w.values * factor, roundings=roundings)


def _product(powers: list[tuple[T, int]], times: Times[T], last: Times[T]) -> T:
    """The product of the x^copies, in pairs of pairs; the last multiplication, the largest, by `last`."""
    if len(powers) == 1:
        return _power(*powers[0], times, last)
    factors = [_power(x, copies, times, times) for x, copies in powers]
    while len(factors) > 2:
        pairs = [times(a, b) for a, b in zip(factors[::2], factors[1::2])]
        factors = pairs + factors[2 * len(pairs) :]
    return last(*factors)


def _power(x: T, copies: int, times: Times[T], last: Times[T]) -> T:
    """x times x times ... x, by repeated squaring."""
    if copies == 1:
        return x
    half = _power(x, copies // 2, times, times)
    return last(times(half, half), x) if copies % 2 else last(half, half)


def _chain(
    first: int, s: int, a: tuple[_Weights, _Weights], b: tuple[_Weights, _Weights]
) -> tuple[_Weights, _Weights]:
    """(all inside, some outside) of two groups of cells together."""
    inside = _convolve(first, s, a[0], b[0])
    if a is b:
        return inside, _convolve(first, s, a[1], _add(_add(*b), b[0]))
    outside = _add(_convolve(first, s, a[1], _add(*b)), _convolve(first, s, a[0], b[1]))
    return inside, outside


def _convolve(first: int, s: int, a: _Weights, b: _Weights) -> _Weights:
    """The weights of the sum of two independent counts, from first to s."""
    start = max(a.start + b.start, first)
    values = _convolution(
        a.values, b.values, start - a.start - b.start, s + 1 - a.start - b.start
    )
    crossed = (
        a.lost * float(b.values.sum())
        + b.lost * float(a.values.sum())
        + (s + 1) * (3 * a.lost * b.lost + ETA)
    )
    roundings = a.roundings + b.roundings + min(len(a.values), len(b.values))
    return _tidy(
        _Weights(
            values, start, a.exponent + b.exponent, roundings, 1.01 * crossed, a.cut
        )
    )


def _add(a: _Weights, b: _Weights) -> _Weights:
    """The entrywise sum, in the larger of the two scales."""
    exponent = max(
        (w.exponent for w in (a, b) if len(w.values)),
        default=max(a.exponent, b.exponent),
    )
    start = min(a.start, b.start)
    values = np.zeros(max(a.start + len(a.values), b.start + len(b.values)) - start)
    lost = 0.0
    for w in (a, b):
        values[w.start - start :][: len(w.values)] += np.ldexp(
            w.values, w.exponent - exponent
        )
        lost += _scaled(w.lost, w.exponent - exponent) + ETA
    return _tidy(
        _Weights(
            values,
            start,
            exponent,
            max(a.roundings, b.roundings) + 1,
            1.01 * lost,
            a.cut,
        )
    )


def _tidy(w: _Weights) -> _Weights:
    """Scale the largest entry into [1/2, 1) and drop what is negligible at both ends."""
    top = w.values.max(initial=0.0)
    if top == 0.0:
        return replace(w, values=w.values[:0])
    shift = math.frexp(top)[1]
    values = np.ldexp(w.values, -shift)
    kept = np.flatnonzero(values >= w.cut)
    lost = 1.01 * (_scaled(w.lost, -shift) + w.cut)
    values = values[kept[0] : kept[-1] + 1]
    return _Weights(
        values, w.start + int(kept[0]), w.exponent + shift, w.roundings, lost, w.cut
    )


def _probability(s: int, q: ArrayLike, w: _Weights) -> tuple[float, float]:
    """(s! / s^s) w_s with its radius.

    P is homogeneous of degree s in q: relative errors of q, and the rounding of s q, enter s times.
    """
    value = _entry(s, w)
    factor, exponent = _ratio_product(float(s), s)  # s^s / s!
    off = math.ceil(abs(math.fsum(np.asarray(q)) - 1) / U)
    relative = math.expm1(1.01 * (w.roundings + 2 * s + s * (2 + off) + 2) * U)
    radius = 1.01 * ((value + w.lost) * relative + w.lost)
    P, radius = (_scaled(x / factor, w.exponent - exponent) for x in (value, radius))
    return min(P, 1.0), radius + 2 * ETA if radius < 1.0 else 1.0


def _scaled(x: float, exponent: int) -> float:
    """x 2^exponent, or infinity where that is too large: a radius of infinity says "nothing is known"."""
    try:
        return math.ldexp(x, exponent)
    except OverflowError:
        return math.inf


@jitted
def _convolution(a: Vector, b: Vector, first: int, stop: int) -> Vector:
    """sum over i of a_i b_(k-i) for first <= k < stop, added up in the order of i, eight terms a pass."""
    stop = min(stop, a.size + b.size - 1)
    c, padded = np.zeros(max(stop - first, 0)), np.zeros(b.size + 14)
    padded[7 : 7 + b.size] = b
    for i in range(0, min(a.size, stop), 8):
        low, high = max(i, first), min(i + 7 + b.size, stop)
        if low < high:
            _add_eight(a[i : i + 8], padded[low - i :], c[low - first : high - first])
    return c


@jitted
def _add_eight(a: Vector, b: Vector, row: Vector) -> None:
    """Add a_0 b_(k+7) + ... + a_7 b_k to row_k; a may be shorter."""
    if a.size < 8:
        for i in range(a.size):
            for k in range(row.size):
                row[k] += a[i] * b[k + 7 - i]
        return
    p, q, r, s, t, u, v, w = a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
    b0, b1, b2, b3, b4, b5, b6 = b[7:], b[6:], b[5:], b[4:], b[3:], b[2:], b[1:]
    for k in range(row.size):
        x = (((row[k] + p * b0[k]) + q * b1[k]) + r * b2[k]) + s * b3[k]
        row[k] = (((x + t * b4[k]) + u * b5[k]) + v * b6[k]) + w * b[k]


@jitted
def _poisson_ratios(rate: float, mode: int, s: int) -> Vector:
    """(rate^k / k!) / (rate^mode / mode!) for k = 0 .. s, zero once below FLOOR."""
    ratios = np.zeros(s + 1)
    ratios[mode] = 1.0
    for k in range(mode + 1, s + 1):
        ratios[k] = ratios[k - 1] * (rate / k)
        if ratios[k] < FLOOR:
            ratios[k] = 0.0
            break
    for k in range(mode, 0, -1):
        ratios[k - 1] = ratios[k] * (k / rate)
        if ratios[k - 1] < FLOOR:
            ratios[k - 1] = 0.0
            break
    return ratios


@jitted
def _ratio_product(rate: float, k: int) -> tuple[float, int]:
    """(m, e) with m 2^e = rate^k / k! up to 2 k roundings."""
    factor, exponent = 1.0, 0
    for i in range(1, k + 1):
        factor, shift = math.frexp(factor * (rate / i))
        exponent += shift
    return factor, exponent
