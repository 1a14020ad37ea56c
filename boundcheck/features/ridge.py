"""Kernel ridge regression: bandwidth, test predictions, and the energy that the bounds are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from boundcheck.compiled.kernels import gaussian_kernel, laplace_kernel
from boundcheck.data import DataError

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

BLOCK = 512  # points at a time

KERNEL: dict[str, Callable[[Matrix, Matrix, float], Matrix]] = {
    "gaussian": gaussian_kernel,
    "laplace": laplace_kernel,
}


@dataclass(frozen=True, eq=False)
class Problem:
    """Training inputs X (n, d) and targets y (n,), test inputs X_test (m, d), and the kernel."""

    X: Matrix
    y: Vector
    X_test: Matrix
    kernel: str
    sigma: float


def bandwidth(X: Matrix, kernel: str) -> float:
    """Wang (2019), Section 6.1: root mean squared distance, or mean L1 distance, pairs i = j included.

    Raises DataError if all points are one.
    """
    sigma = float(np.sqrt(2.0 * X.var(axis=0).sum())) if kernel == "gaussian" else _mean_l1_distance(X)
    if not sigma > 0:
        raise DataError("All training inputs are the same point; give more rows or columns that vary.")
    return sigma


def _mean_l1_distance(X: Matrix) -> float:
    """Sorted, the i-th of n numbers (from 0) enters the sum of their distances 2 i - n + 1 times."""
    n = len(X)
    return float(2.0 / n**2 * ((2.0 * np.arange(n) - n + 1) @ np.sort(X, axis=0)).sum())


def kernel_ridge(problem: Problem, lams: Vector) -> tuple[Matrix, Vector]:
    """Predictions (m, L) of KRR at lams (L,), and |K^(1/2) (K + n lam I)^(-1) y|^2 (L,).

    Peak memory: two n x n matrices. Source: Wang (2019), Equations (6) and (31).
    """
    k, n = KERNEL[problem.kernel], len(problem.y)
    K = k(problem.X, problem.X, problem.sigma)
    alphas = np.column_stack([ridge_solve(K, n * lam, problem.y) for lam in lams])
    energy = np.einsum("nl,nl->l", alphas, K @ alphas)
    del K
    return np.vstack([k(X, problem.X, problem.sigma) @ alphas for X in blocks(problem.X_test)]), energy


def ridge_solve(G: Matrix, ridge: float, v: Vector) -> Vector:
    """(G + ridge I)^(-1) v for a positive semidefinite G, of which only the upper triangle is read."""
    M: Any = np.array(G, order="F")
    M[np.diag_indices_from(M)] += ridge
    factor = cho_factor(M, lower=False, overwrite_a=True, check_finite=False)
    return cho_solve(factor, v, check_finite=False)


def blocks(X: Matrix) -> Iterator[Matrix]:
    """The rows of X, BLOCK at a time."""
    return (X[i : i + BLOCK] for i in range(0, len(X), BLOCK))
