"""Section 4 on data: random Fourier features, ridge regression on them, and Algorithm 1 as repaired."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boundcheck.features.kernels import FourierFeatures

from .algorithm1 import line3


def frequencies(rng: np.random.Generator, s: int, d: int, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (s, d) of the Gaussian kernel of width sigma, in turns, and phases (s,)."""
    return rng.normal(size=(s, d)) / (2 * np.pi * sigma), rng.random(s)


def features(
    X: np.ndarray, pool: tuple[np.ndarray, np.ndarray], weights: np.ndarray | float = 1.0
) -> np.ndarray:
    """sqrt(2) cos(2 pi (W x + u)), times the weights of the features; (n, s)."""
    return FourierFeatures(*pool).of(X) * weights


def resampled(rng: np.random.Generator, Z: np.ndarray, m: int, lam: float) -> tuple[np.ndarray, np.ndarray]:
    """m features of the pool Z (n, s), drawn by Algorithm 1, and their weights sqrt(1 / (s q)), as repaired
    (alg1.weights).
    """
    q = np.maximum(line3(Z, lam), 0)
    q = q / q.sum()
    chosen = rng.choice(len(q), m, p=q)
    return chosen, np.sqrt(1 / (len(q) * q[chosen]))


def fit(Z: np.ndarray, y: np.ndarray, lam: float) -> np.ndarray:
    """(Z^T Z + n s lam I)^-1 Z^T y, the solution of (7)."""
    n, s = Z.shape
    return np.linalg.solve(Z.T @ Z + n * s * lam * np.eye(s), Z.T @ y)


def rmse(errors: np.ndarray) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(errors**2)))


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, least and largest of independent repeats; the last two hold the median of their law but for a
    chance of 2^(1 - repeats).
    """
    return float(np.median(values)), float(min(values)), float(max(values))
