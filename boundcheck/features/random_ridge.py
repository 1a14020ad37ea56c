"""One repeat: ridge regression on the first s random features, for every s and lam, and its errors.

Z holds the features sqrt(2) cos without their 1 / sqrt(s), so that prefixes need no rescaling: the weights
are (Z'Z + s n lam I)^(-1) Z'y, and for s >= n the same by push-through, Z' (Z Z' + s n lam I)^(-1) y.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import get_blas_funcs

from boundcheck.compiled.counters import cauchy_frequencies, normal_frequencies, phases
from boundcheck.compiled.features import fourier_features
from boundcheck.features.ridge import BLOCK, Matrix, Problem, Vector, blocks, ridge_solve

_syrk: Any = get_blas_funcs("syrk", dtype=np.float64)

FREQUENCIES: dict[str, Callable[[int, int, int, int], Matrix]] = {
    "gaussian": normal_frequencies,
    "laplace": cauchy_frequencies,
}


@dataclass(frozen=True, eq=False)
class Features:
    """Random frequencies W (s, d), in turns, and phases u (s,)."""

    W: Matrix
    u: Vector

    def of(self, X: Matrix) -> Matrix:
        """sqrt(2) cos(2 pi (W x + u)) for X (n, d); shape (n, s)."""
        return fourier_features(X, self.W, self.u)

    def parts(self, stop: int, start: int = 0) -> Iterator[Features]:
        """The features start ... stop - 1, BLOCK at a time."""
        for i in range(start, stop, BLOCK):
            j = min(i + BLOCK, stop)
            yield Features(self.W[i:j], self.u[i:j])


def draw_features(problem: Problem, s: int, seed: int, repeat: int) -> Features:
    """The first s features of a repeat, whatever s is. Source: Wang (2019), Section 6.1."""
    W = FREQUENCIES[problem.kernel](seed, repeat, s, problem.X.shape[1])
    return Features(W / problem.sigma, phases(seed, repeat, s))


def feature_predictions(problem: Problem, features: Features, sizes: tuple[int, ...], lams: Vector) -> Matrix:
    """Predictions (G, m, L) of ridge regression on the first s features, at sizes (G,) and lams (L,)."""
    n = len(problem.y)
    low, high = [s for s in sizes if s < n], [s for s in sizes if s >= n]
    weights = _primal_weights(problem, features, low, lams) + _dual_weights(problem, features, high, lams)
    return np.concatenate([_predict(features.of(X), weights) for X in blocks(problem.X_test)], axis=1)


def _predict(Z: Matrix, weights: list[Matrix]) -> Matrix:
    return np.stack([Z[:, : len(w)] @ w for w in weights])


def _primal_weights(problem: Problem, features: Features, sizes: list[int], lams: Vector) -> list[Matrix]:
    """Weights (s, L) for each s < n, from the leading blocks of one s x s matrix Z'Z."""
    if not sizes:
        return []
    n, s = len(problem.y), sizes[-1]
    leading = Features(features.W[:s], features.u[:s])
    G, v = np.zeros((s, s), order="F"), np.zeros(s)
    for X, y in zip(blocks(problem.X), np.split(problem.y, range(BLOCK, n, BLOCK)), strict=True):
        Z = leading.of(X)
        G = _syrk(1.0, Z.T, beta=1.0, c=G, overwrite_c=True)
        v += Z.T @ y
    return [_columns(G[:s, :s], s * n * lams, v[:s]) for s in sizes]


def _dual_weights(problem: Problem, features: Features, sizes: list[int], lams: Vector) -> list[Matrix]:
    """Weights (s, L) for each s >= n, from one n x n matrix Z Z' that grows with s, and one product Z' alphas for all s."""
    if not sizes:
        return []
    n = len(problem.y)
    G, alphas = np.zeros((n, n), order="F"), []
    for start, stop in itertools.pairwise([0, *sizes]):
        for part in features.parts(stop, start):
            G = _syrk(1.0, part.of(problem.X).T, trans=True, beta=1.0, c=G, overwrite_c=True)  # Fortran order, uncopied
        alphas.append(_columns(G, stop * n * lams, problem.y))
    weights = np.vstack([part.of(problem.X).T @ np.hstack(alphas) for part in features.parts(sizes[-1])])
    return [w[:s] for s, w in zip(sizes, np.split(weights, len(sizes), axis=1), strict=True)]


def _columns(G: Matrix, ridges: Vector, v: Vector) -> Matrix:
    return np.column_stack([ridge_solve(G, ridge, v) for ridge in ridges])
