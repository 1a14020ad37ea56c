"""Whether the spectral deviation of an approximate kernel matrix exceeds eps: rigorous answers."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, get_lapack_funcs

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

_potrf: Any = get_lapack_funcs("potrf", dtype=np.float64)

U = 2.0**-53  # unit roundoff


def deviation_exceeds(A: Matrix, D: Matrix, eps: float, slack: float = 0.0) -> int:
    """Whether |A^{-1/2} D A^{-1/2}| > eps: -1 certainly not, +1 certainly, 0 undecided in floating point.

    A (n, n) positive definite, taken as exact, D (n, n) within slack of the D that is meant, in norm; both
    symmetric. The norm is at most eps iff
    eps A - D and eps A + D are both positive semidefinite. -1 rests on Cholesky of both, shifted down by more
    than all rounding (Rump, BIT 46, 2006); +1 on a vector whose quadratic form is negative beyond rounding.
    """
    signs = [definiteness(A, sign * D, eps, slack) for sign in (1.0, -1.0)]
    return 1 if -1 in signs else 0 if 0 in signs else -1


def definiteness(A: Matrix, D: Matrix, eps: float, slack: float) -> int:
    """+1 if eps A - D is certainly positive semidefinite, -1 if it certainly is not, 0 if undecided."""
    n = len(A)
    M = eps * A
    sizes = np.abs(M) + np.abs(D)
    M -= D
    # 4 u |sizes| covers forming M and shifting it; the rest Cholesky, at four times the theory.
    shift = slack + 4 * U * sizes.sum(axis=1).max() + 4 * (n + 4) * U * np.abs(M.diagonal()).sum() + n * 1e-300
    if not math.isfinite(shift):
        return 0
    if _potrf(M - shift * np.eye(n), lower=1, clean=0)[1] == 0:
        return 1
    L, failed_at = _potrf(M + shift * np.eye(n), lower=1, clean=0)
    return -int(failed_at > 0 and _is_negative_witness(M, sizes, slack, _breakdown_vector(M, L, failed_at - 1)))


def _breakdown_vector(M: Matrix, L: Matrix, k: int) -> Vector:
    """The x with x^T M x near or below the pivot k where Cholesky broke down: (-M_kk^{-1} m, 1, 0, ...)."""
    x = np.zeros(len(M))
    x[k] = 1.0
    if k:
        x[:k] = -cho_solve((L[:k, :k], True), M[:k, k], check_finite=False)
    return x


def _is_negative_witness(M: Matrix, sizes: Matrix, slack: float, x: Vector) -> bool:
    """Whether x^T M x < 0 for certain, M being within 2 u sizes, and slack in norm, of the exact matrix."""
    error = (2 * len(x) + 16) * U * float(np.abs(x) @ (sizes @ np.abs(x))) + 2 * slack * float(x @ x) + 1e-290
    return float(x @ (M @ x)) + error < 0.0
