"""Exact tails of multinomial counts: the probability that some cell holds more than so many of the draws."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.signal import fftconvolve
from scipy.stats import poisson

from benchmarks.task import OURS, Contender, task
from boundcheck.features.counts import some_count_outside

Pair = tuple[np.ndarray, np.ndarray]


@task("max-count tail of a multinomial", "n = 1000, s = 1e5", best=8, plain=8, tolerance=1e-9)
def max_count_tail(quick: bool) -> Iterator[Contender]:
    n, s = (50, 5000) if quick else (1000, 100_000)
    most = s // n + round(6 * math.sqrt(s / n))
    yield Contender(OURS, lambda: some_count_outside(s, n, 0, most))
    yield Contender("scipy", lambda: by_fft(n, s, most))


def by_fft(n: int, s: int, most: int) -> float:
    """(none above, some above) by repeated squaring with FFT convolutions, the tail never by subtraction from one."""
    k = np.arange(min(s, most + 40 * math.isqrt(most)) + 1)  # as much of a cell as floats can tell from zero
    weights = poisson.pmf(k, s / n)
    cell = np.where(k <= most, weights, 0), np.where(k > most, weights, 0)
    return float(power(cell, n, s)[1][s] / poisson.pmf(s, s))


def power(cell: Pair, copies: int, s: int) -> Pair:
    if copies == 1:
        return cell
    half = power(cell, copies // 2, s)
    square = together(half, half, s)
    return together(square, cell, s) if copies % 2 else square


def together(a: Pair, b: Pair, s: int) -> Pair:
    """Of two groups of cells: none above, some above; counts above s are dropped."""
    inside = fftconvolve(a[0], b[0])[: s + 1]
    return inside, fftconvolve(a[1], b[0] + b[1])[: s + 1] + fftconvolve(a[0], b[1])[: s + 1]
