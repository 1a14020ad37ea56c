"""Averaged stochastic gradient descent for the logistic loss, on random Fourier features and on their kernel.

Yashima, Nitanda and Suzuki (2021), Algorithm 1: eta_t = 2 / (lam (gamma + t)), weights proportional to
gamma + t - 1, the start at 0. One pass over the examples, in their order.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boundcheck.features.compiled import Matrix, Vector, jitted
from boundcheck.features.compiled.kernels import _fourier_pairs, gaussian_kernel

Counts = NDArray[np.int64]

BLOCK = (
    1 << 15
)  # features, of several examples, made in one pass over W: they stay in the second cache
LANES = 64  # partial sums of an inner product


def sgd_on_features(
    X: Matrix, y: Vector, W: Matrix, ridge: tuple[float, float], steps: Counts
) -> Matrix:
    """Averaged coefficients of [cos(2 pi W x), sin(2 pi W x)] / sqrt(s) after some steps; (len(steps), 2 s).

    X (n, d), labels y (n,) in {-1, 1}, W (s, d) in turns, ridge = (lam, gamma), steps rise and are at most n.
    """

    def rows(part: slice) -> tuple[Matrix, Matrix]:
        Z = _fourier_pairs(X[part], W) / math.sqrt(len(W))
        return Z, Z

    return _averaged(rows, y, ridge, _counts(steps, len(X)), 2 * len(W))


def sgd_on_kernel(
    X: Matrix,
    y: Vector,
    sigma: float,
    ridge: tuple[float, float],
    steps: Counts,
) -> Matrix:
    """Averaged coefficients of exp(-|x - x_i|^2 / (2 sigma^2)), i <= n, after some steps; (len(steps), n)."""

    def rows(part: slice) -> tuple[Matrix, Matrix]:
        K = gaussian_kernel(X[part], X, sigma)
        return K, np.eye(len(K), len(X), part.start)

    return _averaged(rows, y, ridge, _counts(steps, len(X)), len(X))


def _averaged(
    rows: Callable[[slice], tuple[Matrix, Matrix]], y: Vector, ridge: tuple[float, float],
    steps: Counts, size: int,
) -> Matrix:  # fmt: skip
    """`rows` gives, for some examples, what makes a value of the coefficients, and what a step adds to them."""
    beta, mean, start, out = np.zeros(size), np.zeros(size), 0, []
    labels = np.ascontiguousarray(y, dtype=np.float64)
    for stop in steps.tolist():
        while start < stop:
            part = slice(start, min(start + max(1, BLOCK // size), stop))
            _take_steps(
                *rows(part), labels[part], start + 1, *ridge, beta, mean
            )
            start = part.stop
        out.append(mean.copy())
    return np.array(out)


def _counts(steps: Counts, n: int) -> Counts:
    """Raises ValueError unless the steps increase from 1 or more to n or less."""
    counts = np.ascontiguousarray(steps, dtype=np.int64)
    if (
        counts.size == 0
        or counts[0] < 1
        or counts[-1] > n
        or (np.diff(counts) <= 0).any()
    ):
        raise ValueError(
            f"steps must increase, from at least 1 to at most n = {n}."
        )
    return counts


@jitted
def _take_steps(
    Z: Matrix, P: Matrix, y: Vector, t: int, lam: float, gamma: float, beta: Vector, mean: Vector
) -> None:  # fmt: skip
    """beta <- (1 - eta lam) beta + weight p for each row p of P, and its weighted mean with it; from step t on."""
    lanes = np.empty(LANES)
    for i in range(y.size):
        p, offset = P[i], gamma + t + i
        weight = y[i] / (1.0 + math.exp(y[i] * _inner(beta, Z[i], lanes)))
        eta = 2.0 / (lam * offset)
        theta = 2.0 * offset / ((t + i + 1.0) * (gamma + offset))
        for j in range(beta.size):
            beta[j] = (1.0 - eta * lam) * beta[j] + eta * weight * p[j]
            mean[j] += theta * (beta[j] - mean[j])


@jitted
def _inner(a: Vector, b: Vector, lanes: Vector) -> float:
    """The inner product, entries LANES apart added up first: an order that vectorises, everywhere alike."""
    lanes[:] = 0.0
    whole = a.size - a.size % LANES
    for start in range(0, whole, LANES):
        x, y = a[start : start + LANES], b[start : start + LANES]
        for l in range(LANES):
            lanes[l] += x[l] * y[l]
    total = 0.0
    for j in range(whole, a.size):
        total += a[j] * b[j]
    for l in range(LANES):
        total += lanes[l]
    return total
