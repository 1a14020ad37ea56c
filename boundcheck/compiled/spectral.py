"""The spectral deviation of an approximate kernel matrix in the ridge norm: its value and a rigorous test."""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, get_lapack_funcs

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

_potrf, _sygst = get_lapack_funcs(("potrf", "sygst"), dtype=np.float64)

U = 2.0**-53  # unit roundoff


def spectral_deviation(L: Matrix, K: Matrix, Z: Matrix, weights: Vector) -> float:
    """|L^{-1} (Z diag(weights) Z^T - K) L^{-T}|, where L L^T = K + n lam I, for Z (n, s) and weights (s,).

    Li et al. 2021, Lemma 27. A float value without a radius; `deviation_exceeds` brackets it rigorously.
    Raises ValueError if a weight is negative.
    """
    return _whitened_norm(L, weighted_gram(Z, weights) - K)


def spectral_deviations_nested(L: Matrix, K: Matrix, Z: Matrix, sizes: Sequence[int]) -> Vector:
    """The deviation for the first s columns of Z with weights 1 / s, for s in sizes; shape (len(sizes),).

    Raises ValueError unless sizes increase strictly, from 1 at least to the width of Z at most.
    """
    return np.array([_whitened_norm(L, gram - K) for gram in nested_grams(Z, sizes)])


def nested_grams(Z: Matrix, sizes: Sequence[int]) -> Iterator[Matrix]:
    """(1 / s) Z_s Z_s^T (n, n) for the first s columns Z_s of Z, s in sizes; each column is multiplied once.

    Raises ValueError unless sizes increase strictly, from 1 at least to the width of Z at most.
    """
    ends = [0, *sizes]
    if any(a >= b for a, b in itertools.pairwise(ends)) or ends[-1] > Z.shape[1]:
        raise ValueError(f"sizes must increase strictly within 1 .. {Z.shape[1]}: sort them.")
    return _accumulated(Z, ends)


def weighted_gram(Z: Matrix, weights: Vector) -> Matrix:
    """Z diag(weights) Z^T (n, n), symmetric bit for bit. Raises ValueError if a weight is negative."""
    if (np.asarray(weights) < 0).any():
        raise ValueError("weighted_gram needs weights >= 0: they are p / (q s), a density ratio.")
    B = Z * np.sqrt(weights)
    return B @ B.T


def deviation_exceeds(A: Matrix, D: Matrix, eps: float) -> int:
    """Whether |A^{-1/2} D A^{-1/2}| > eps: -1 certainly not, +1 certainly, 0 undecided in floating point.

    A (n, n) positive definite and D (n, n), symmetric and taken as exact. The norm is at most eps iff
    eps A - D and eps A + D are both positive semidefinite. -1 rests on Cholesky of both, shifted down by more
    than all rounding (Rump, BIT 46, 2006); +1 on a vector whose quadratic form is negative beyond rounding.
    """
    signs = [_definiteness(A, sign * D, eps) for sign in (1.0, -1.0)]
    return 1 if -1 in signs else 0 if 0 in signs else -1


def _definiteness(A: Matrix, D: Matrix, eps: float) -> int:
    """+1 if eps A - D is certainly positive semidefinite, -1 if it certainly is not, 0 if undecided."""
    n = len(A)
    M = eps * A
    sizes = np.abs(M) + np.abs(D)
    M -= D
    # 4 u |sizes| covers forming M and shifting it; the rest Cholesky, at four times the theory.
    shift = 4 * U * sizes.sum(axis=1).max() + 4 * (n + 4) * U * np.abs(M.diagonal()).sum() + n * 1e-300
    if not math.isfinite(shift):
        return 0
    if _potrf(M - shift * np.eye(n), lower=1, clean=0)[1] == 0:
        return 1
    L, failed_at = _potrf(M + shift * np.eye(n), lower=1, clean=0)
    return -int(failed_at > 0 and _is_negative_witness(M, sizes, _breakdown_vector(M, L, failed_at - 1)))


def _breakdown_vector(M: Matrix, L: Matrix, k: int) -> Vector:
    """The x with x^T M x near or below the pivot k where Cholesky broke down: (-M_kk^{-1} m, 1, 0, ...)."""
    x = np.zeros(len(M))
    x[k] = 1.0
    if k:
        x[:k] = -cho_solve((L[:k, :k], True), M[:k, k], check_finite=False)
    return x


def _is_negative_witness(M: Matrix, sizes: Matrix, x: Vector) -> bool:
    """Whether x^T M x < 0 for certain, M being within 2 u sizes of the exact matrix, for any x."""
    error = (2 * len(x) + 16) * U * float(np.abs(x) @ (sizes @ np.abs(x))) + 1e-290
    return float(x @ (M @ x)) + error < 0.0


def _accumulated(Z: Matrix, ends: Sequence[int]) -> Iterator[Matrix]:
    total = np.zeros((len(Z), len(Z)))
    for start, stop in itertools.pairwise(ends):
        total += Z[:, start:stop] @ Z[:, start:stop].T
        yield total / stop


def _whitened_norm(L: Matrix, D: Matrix) -> float:
    """|L^{-1} D L^{-T}| of a symmetric D, as its largest absolute eigenvalue."""
    whitened, _ = _sygst(D, L, lower=1)
    eigenvalues = np.linalg.eigvalsh(whitened, UPLO="L")
    return float(max(-eigenvalues[0], eigenvalues[-1]))
