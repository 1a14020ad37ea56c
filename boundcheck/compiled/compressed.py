"""Spectral deviations in few dimensions, for kernel matrices whose spectrum decays: features at pivot points stand for all.

With pivots P and a matrix T, z(X) = T z(X_P) + R, and E |R|^2 over the feature law is a number that K gives exactly.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import get_lapack_funcs, solve_triangular

from boundcheck.compiled.spectral import weighted_gram

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

_pstrf: Any = get_lapack_funcs("pstrf", dtype=np.float64)

U = 2.0**-53


@dataclass(frozen=True, eq=False)
class Compression:
    """Pivots (r,) among the points, T (n, r), S (r, r) and the compressed kernel matrix S K_PP S^T, whitened.

    S^T S = T^T (K + ridge I)^{-1} T. `neglected` is at least E |R|_F^2 / ridge for one feature, or a mean of many.
    """

    pivots: NDArray[np.int64]
    T: Matrix
    S: Matrix
    kernel: Matrix
    ridge: float
    neglected: float


def compress(K: Matrix, L: Matrix, ridge: float, tolerance: float = 1e-14) -> Compression:
    """Pivoted Cholesky of K (n, n) down to diagonal residuals of `tolerance`; L L^T = K + ridge I.

    Harbrecht, Peters, Schneider 2012. Costs n r^2, for a rank r that decay keeps small.
    """
    C, order, rank, _ = _pstrf(K, tol=tolerance, lower=1)
    pivots, C = order[:rank] - 1, np.tril(C)[np.argsort(order), :rank]
    T = solve_triangular(C[pivots].T, C.T, lower=False).T
    S: Any = np.linalg.qr(solve_triangular(L, T, lower=True), mode="r")
    return Compression(pivots, T, S, S @ K[np.ix_(pivots, pivots)] @ S.T, ridge, _energy(K, T, pivots) / ridge)


def _energy(K: Matrix, T: Matrix, pivots: NDArray[np.int64]) -> float:
    """At least tr(K - 2 T K_P + T K_PP T^T) = E |R|_F^2, for T as it is: no trust in the factorisation."""
    TK = T @ K[np.ix_(pivots, pivots)]
    value = float((K.diagonal() - 2 * np.einsum("ir,ir->i", T, K[:, pivots]) + np.einsum("ir,ir->i", TK, T)).sum())
    reach = np.abs(T).sum(axis=1)
    rounding = 3 * (len(pivots) + 4) * U * float(np.abs(K).max()) * float(((1 + reach) ** 2).sum())
    return max(value, 0.0) + rounding


def compressed_deviation(c: Compression, Z: Matrix, weights: Vector, neglected: float) -> tuple[float, float]:
    """The deviation of a draw and its radius, for features Z (r, s) at the pivots, by the triangle inequality.

    `neglected` bounds |R diag(weights)^(1/2)|_F^2 / ridge: `neglected_energy` of the draw, or c.neglected / p, which an
    unbiased draw exceeds with probability p at most (Markov). Raises ValueError if a weight is negative.
    """
    gram = weighted_gram(c.S @ Z, weights)
    eigenvalues = np.linalg.eigvalsh(gram - c.kernel)
    value = float(max(-eigenvalues[0], eigenvalues[-1]))
    rest = 2 * U * len(gram) * Z.shape[1] * float(np.trace(gram))  # rounding, and of K the same
    # |S K S^T| < 1 but for rounding, so that the draw's norm is below 1 + value.
    return value, rest + _cross(1.01 + value, neglected) + _cross(1.01, c.neglected)


def neglected_energy(c: Compression, Z: Matrix, weights: Vector) -> float:
    """At least |R diag(weights)^(1/2)|_F^2 / ridge of a draw with features Z (n, s) at all points."""
    R = Z - c.T @ Z[c.pivots]
    rounding = (len(c.pivots) + 2) * U * (1 + np.abs(c.T).sum(axis=1)) * np.abs(Z).max()  # of an entry, in each row
    root = np.sqrt(weights @ np.einsum("ij,ij->j", R, R)) + np.sqrt(weights.sum()) * np.linalg.norm(rounding)
    return float(1.0001 * root**2 / c.ridge)


def _cross(size: float, energy: float) -> float:
    """Bound on |(H + E)(H + E)^T - H H^T| where |H|^2 <= size and |E|^2 <= energy."""
    return 2 * (size * energy) ** 0.5 + energy
