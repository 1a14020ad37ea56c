"""Binomial tails in logarithms, the interval of Clopper and Pearson, and a walk to the ends of intervals."""

from collections.abc import Callable
from math import copysign, exp, inf, log, log1p

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

FARTHEST = 700.0
"""No walk goes beyond this logarithm: exp(-700) is about the smallest double."""

OUTWARD = 1e-9
"""Every bound is moved outward by this much in logarithm, far more than rounding can have moved it inward."""


def log_binomial_tail(failures: int, trials: int, p: float) -> float:
    """log P(Bin(trials, p) >= failures), to about 1e-10 for up to 1e9 trials however small it is."""
    require_counts(failures, trials)
    if not 0 <= p <= 1:
        raise ValueError(f"A probability lies in [0, 1]; pass such a p instead of {p}.")
    return log_tail(failures, trials, p, 1 - p)


def binomial_tail(failures: int, trials: int, p: float) -> float:
    """P(Bin(trials, p) >= failures) with full relative accuracy down to 1e-300."""
    return exp(log_binomial_tail(failures, trials, p))


def clopper_pearson(failures: int, trials: int, level: float) -> tuple[float, float]:
    """Lower and upper bound on a failure probability, for a number of trials fixed in advance.

    Each of the two bounds fails with probability at most `level` (both together: at most 2 * level).
    Clopper and Pearson (1934); a bound is moved outward by 1e-9 of itself against rounding.
    Raises ValueError unless 0 <= failures <= trials and 0 < level <= 1/2.
    """
    require_counts(failures, trials)
    require_level(level)
    lower, upper = 0.0, 1.0
    if failures > 0:
        lower = rate(_tail_end(lambda p, q: log_tail(failures, trials, p, q), failures, trials, level, -1))
    if failures < trials:
        successes = trials - failures
        upper = rate(_tail_end(lambda p, q: log_tail(successes, trials, q, p), failures, trials, level, +1))
    return lower, upper


def log_tail(k: int, n: int, p: float, q: float) -> float:
    """log P(Bin(n, p) >= k) where q = 1 - p is given apart, so that a p close to 1 loses nothing."""
    if k <= 0 or p == 1:
        return 0.0
    if k > n or p == 0:
        return -inf
    if k > n * p:
        return float(log_pmf(k, n, p, q)) + log(_terms_from(k, n, p / q))
    below = float(log_pmf(k - 1, n, p, q)) + log(_terms_from(n - k + 1, n, q / p))
    return log1p(-exp(below))  # k is at most the median, so nothing cancels


def log_pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, q: ArrayLike) -> NDArray[np.float64]:
    """log of n! / (k! (n - k)!) p^k q^(n - k) for real 0 <= k <= n, without cancellation.

    Shapes broadcast. Source: Loader (2000), Fast and accurate computation of binomial probabilities.
    """
    k, n, p, q = (np.asarray(value, dtype=np.float64) for value in (k, n, p, q))
    inner_k, inner_n = np.where((k > 0) & (k < n), k, 1.0), np.where((k > 0) & (k < n), n, 2.0)
    rest = inner_n - inner_k
    inner = _stirling_error(inner_n) - _stirling_error(inner_k) - _stirling_error(rest)
    inner = inner - _deviance(inner_k, inner_n * p) - _deviance(rest, inner_n * q)
    inner = inner + 0.5 * np.log(inner_n / (2 * np.pi * inner_k * rest))
    return np.where(k <= 0, n * _log(q, p), np.where(k >= n, n * _log(p, q), inner))


def logit(p: float) -> float:
    """log(p / (1 - p))."""
    return float(special.logit(p))


def odds_pair(theta: float) -> tuple[float, float]:
    """(p, 1 - p) of a log-odds, both to full relative accuracy."""
    return float(special.expit(theta)), float(special.expit(-theta))


def rate(theta: float) -> float:
    """The probability of a log-odds, infinities included."""
    return odds_pair(theta)[0]


def require_counts(failures: float, trials: float) -> None:
    """Raises ValueError unless 0 <= failures <= trials."""
    if not 0 <= failures <= trials:
        raise ValueError(f"Failures lie between 0 and trials; pass such counts, not {failures} of {trials}.")


def require_level(level: float) -> None:
    """Raises ValueError unless 0 < level <= 1/2."""
    if not 0 < level <= 0.5:
        raise ValueError(f"An error level lies in (0, 1/2]; pass, say, 1e-6 instead of {level}.")


def _tail_end(
    tail: Callable[[float, float], float], failures: int, trials: int, level: float, sign: int
) -> float:
    """Log-odds at which a tail has fallen to `level`, walking from the observed rate, where it is >= 1/2."""
    start = logit(min(max(failures, 0.5), trials - 0.5) / trials)
    return walk_out(lambda theta: log(level) - tail(*odds_pair(theta)), start, sign * 0.1) + sign * OUTWARD


def _terms_from(k: int, n: int, odds: float) -> float:
    """Sum over j >= k of pmf(j) / pmf(k): positive terms only, each ratio below 1."""
    total, term, block = 1.0, 1.0, 64
    while k < n and term > 1e-18 * total:
        j = np.arange(k, min(k + block, n), dtype=np.float64)
        terms = term * np.cumprod((n - j) / (j + 1) * odds)
        total, term = total + float(terms.sum()), float(terms[-1])
        k, block = k + block, min(2 * block, 1 << 16)
    return total


def _stirling_error(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log of x! over Stirling's formula, for x > 0."""
    small = np.minimum(x, 16.0)
    exact = special.gammaln(small + 1) - (small + 0.5) * np.log(small) + small - 0.5 * np.log(2 * np.pi)
    y = 1 / np.maximum(x, 16.0)
    series = y * (1 / 12 - y**2 * (1 / 360 - y**2 * (1 / 1260 - y**2 * (1 / 1680 - y**2 / 1188))))
    return np.where(x < 16.0, exact, series)


def _deviance(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """x log(x / y) - x + y for positive x and y, accurate when they are close."""
    d = (x - y) / np.maximum(y, x / 4)
    near = y * ((1 + d) * np.log1p(np.maximum(d, -0.75)) - d)
    return np.where(np.abs(d) < 0.5, near, x * (np.log(x) - np.log(y)) - x + y)


def _log(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """log p for p + q = 1."""
    return np.where(p < 0.5, np.log(p), np.log1p(-np.minimum(q, 0.5)))


def walk_out(f: Callable[[float], float], start: float, step: float) -> float:
    """End of the set f < 0 that contains `start`, in the direction of `step`; never inside the set.

    An infinity of the sign of `step` if f stays negative. The values of f may be infinite.
    """
    near, far = start, start + step
    while not f(far) >= 0:
        if abs(far) >= FARTHEST:
            return copysign(inf, step)
        step *= 2
        near, far = far, min(max(far + step, -FARTHEST), FARTHEST)
    while abs(far - near) > 1e-13 * max(1.0, abs(far)):
        middle = (near + far) / 2
        near, far = (near, middle) if f(middle) >= 0 else (middle, far)
    return far
