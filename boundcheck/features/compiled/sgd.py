"""Averaged stochastic gradient descent for the logistic loss, on random Fourier features and on their kernel.

Yashima, Nitanda and Suzuki (2021), Algorithm 1: eta_t = 2 / (lam (gamma + t)), weights proportional to
gamma + t - 1, the start at 0. One pass over the examples, in their order.
"""

import math

import numpy as np
from numpy.typing import NDArray

from boundcheck.features.compiled import Matrix, Vector, jitted
from boundcheck.features.compiled.kernels import _fourier_pairs, _rows

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
    X, y, steps = _rows(X), _rows(y), _counts(steps, len(X))
    beta, mean, t, out = np.zeros(2 * len(W)), np.zeros(2 * len(W)), 0, []
    rows = max(1, BLOCK // len(W))
    for stop in steps:
        for start in range(t, stop, rows):
            end = min(start + rows, stop)
            _steps_on_features(
                _fourier_pairs(X[start:end], W),
                y[start:end],
                start + 1,
                *ridge,
                beta,
                mean,
            )
        out.append(mean.copy())
        t = stop
    return np.array(out)


def sgd_on_kernel(
    X: Matrix, y: Vector, sigma: float, ridge: tuple[float, float], steps: Counts
) -> Matrix:
    """Averaged coefficients of exp(-|x - x_i|^2 / (2 sigma^2)), i <= n, after some steps; (len(steps), n)."""
    return _on_kernel(
        _rows(X), _rows(y), 0.5 / sigma**2, *ridge, _counts(steps, len(X))
    )


def _counts(steps: Counts, n: int) -> Counts:
    """Raises ValueError unless the steps increase from 1 or more to n or less."""
    counts = np.ascontiguousarray(steps, dtype=np.int64)
    if (
        counts.size == 0
        or counts[0] < 1
        or counts[-1] > n
        or (np.diff(counts) <= 0).any()
    ):
        raise ValueError(f"steps must increase, from at least 1 to at most n = {n}.")
    return counts


@jitted
def _advance(
    beta: Vector, mean: Vector, push: Vector, t: int, lam: float, gamma: float
) -> None:
    """beta <- (1 - eta lam) beta + eta push, and its weighted mean with it."""
    eta = 2.0 / (lam * (gamma + t))
    theta = 2.0 * (gamma + t) / ((t + 1.0) * (2.0 * gamma + t))
    for j in range(beta.size):
        beta[j] = (1.0 - eta * lam) * beta[j] + eta * push[j]
        mean[j] += theta * (beta[j] - mean[j])


@jitted
def _steps_on_features(
    Z: Matrix, y: Vector, t: int, lam: float, gamma: float, beta: Vector, mean: Vector
) -> None:
    """A step for each row z of Z, without the 1 / sqrt(s), and its label; the first is step t."""
    scale = math.sqrt(2.0 / beta.size)
    lanes, push = np.empty(LANES), np.empty(beta.size)
    for i in range(y.size):
        z = Z[i]
        margin = scale * _inner(beta, z, lanes)
        weight = scale * y[i] / (1.0 + math.exp(y[i] * margin))
        for j in range(push.size):
            push[j] = weight * z[j]
        _advance(beta, mean, push, t + i, lam, gamma)


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


@jitted
def _on_kernel(
    X: Matrix, y: Vector, scale: float, lam: float, gamma: float, steps: Counts
) -> Matrix:
    n = steps[-1]
    beta, mean, push, out = (
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros((steps.size, X.shape[0])),
    )
    row = 0
    for t in range(1, n + 1):
        margin = 0.0
        for i in range(t - 1):
            far = 0.0
            for k in range(X.shape[1]):
                far += (X[i, k] - X[t - 1, k]) ** 2
            margin += beta[i] * math.exp(-scale * far)
        push[t - 1] = y[t - 1] / (1.0 + math.exp(y[t - 1] * margin))
        _advance(beta[:t], mean[:t], push[:t], t, lam, gamma)
        push[t - 1] = 0.0
        if t == steps[row]:
            out[row, :n] = mean
            row += 1
    return out
