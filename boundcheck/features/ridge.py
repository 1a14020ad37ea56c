"""Ridge regression with a kernel, and on the first s of its random features for every s and lam.

Z holds the features without their 1 / sqrt(s), so that prefixes need no rescaling: the weights are
(Z'Z + s n lam I)^(-1) Z'y, and for s >= n the same by push-through, Z' (Z Z' + s n lam I)^(-1) y.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, get_blas_funcs

from boundcheck.features.kernels import (
    FourierFeatures,
    Matrix,
    ShiftInvariant,
    Vector,
)

_syrk: Any = get_blas_funcs("syrk", dtype=np.float64)

BLOCK = 512  # points, or features, at a time

Sizes = Sequence[int]


@dataclass(frozen=True, eq=False)
class Problem:
    """Training inputs X (n, d) and targets y (n,), test inputs X_test (m, d), and the kernel."""

    X: Matrix
    y: Vector
    X_test: Matrix
    kernel: ShiftInvariant

    def features(self, s: int, seed: int, repeat: int) -> FourierFeatures:
        """The first s features of a repeat, whatever s is. Source: Wang (2019), Section 6.1."""
        return self.kernel.features(s, self.X.shape[1], seed, repeat)


def kernel_ridge(problem: Problem, lams: Vector) -> tuple[Matrix, Vector]:
    """Predictions (m, L) of KRR at lams (L,), and |K^(1/2) (K + n lam I)^(-1) y|^2 (L,).

    Peak memory: two n x n matrices. Source: Wang (2019), Equations (6) and (31).
    """
    k, n = problem.kernel.matrix, len(problem.y)
    K = k(problem.X, problem.X)
    alphas = np.column_stack(
        [_ridge_solve(K, n * lam, problem.y) for lam in lams]
    )
    energy = np.einsum("nl,nl->l", alphas, K @ alphas)
    del K
    return np.vstack(
        [k(X, problem.X) @ alphas for X in _blocks(problem.X_test)]
    ), energy


def feature_predictions(
    problem: Problem, features: FourierFeatures, sizes: Sizes, lams: Vector
) -> Matrix:
    """Predictions (G, m, L) of ridge regression on the first s features, at sizes (G,) and lams (L,)."""
    n = len(problem.y)
    low, high = [s for s in sizes if s < n], [s for s in sizes if s >= n]
    weights = _primal_weights(problem, features, low, lams) + _dual_weights(
        problem, features, high, lams
    )
    parts = map(features.of, _blocks(problem.X_test))
    return np.concatenate(
        [np.stack([Z[:, : len(w)] @ w for w in weights]) for Z in parts], axis=1
    )


def _primal_weights(
    problem: Problem, features: FourierFeatures, sizes: Sizes, lams: Vector
) -> list[Matrix]:
    """Weights (s, L) for each s < n, from the leading blocks of one s x s matrix Z'Z."""
    if not sizes:
        return []
    n, s = len(problem.y), sizes[-1]
    leading = FourierFeatures(features.W[:s], features.u[:s])
    G, v = np.zeros((s, s), order="F"), np.zeros(s)
    for X, y in zip(
        _blocks(problem.X),
        np.split(problem.y, range(BLOCK, n, BLOCK)),
        strict=True,
    ):
        Z = leading.of(X)
        G = _syrk(1.0, Z.T, beta=1.0, c=G, overwrite_c=True)
        v += Z.T @ y
    return [_columns(G[:s, :s], s * n * lams, v[:s]) for s in sizes]


def _dual_weights(
    problem: Problem, features: FourierFeatures, sizes: Sizes, lams: Vector
) -> list[Matrix]:
    """Weights (s, L) for each s >= n, from one matrix Z Z' that grows with s, and one product Z' alphas."""
    if not sizes:
        return []
    n = len(problem.y)
    G, alphas = np.zeros((n, n), order="F"), []
    for start, stop in itertools.pairwise([0, *sizes]):
        for part in features.parts(BLOCK, stop, start):
            Z = part.of(problem.X)
            G = _syrk(
                1.0, Z.T, trans=True, beta=1.0, c=G, overwrite_c=True
            )  # Fortran order, uncopied
        alphas.append(_columns(G, stop * n * lams, problem.y))
    every = features.parts(BLOCK, sizes[-1])
    weights = np.vstack(
        [part.of(problem.X).T @ np.hstack(alphas) for part in every]
    )
    return [
        w[:s]
        for s, w in zip(
            sizes, np.split(weights, len(sizes), axis=1), strict=True
        )
    ]


def _columns(G: Matrix, ridges: Vector, v: Vector) -> Matrix:
    return np.column_stack([_ridge_solve(G, ridge, v) for ridge in ridges])


def _ridge_solve(G: Matrix, ridge: float, v: Vector) -> Vector:
    """(G + ridge I)^(-1) v for a positive semidefinite G, of which only the upper triangle is read."""
    M: Any = np.array(G, order="F")
    M[np.diag_indices_from(M)] += ridge
    factor = cho_factor(M, lower=False, overwrite_a=True, check_finite=False)
    return cho_solve(factor, v, check_finite=False)


def _blocks(X: Matrix) -> Iterator[Matrix]:
    """The rows of X, BLOCK at a time."""
    return (X[i : i + BLOCK] for i in range(0, len(X), BLOCK))
