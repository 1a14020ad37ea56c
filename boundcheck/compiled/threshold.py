"""Whether the spectral deviation of an approximate kernel matrix exceeds eps: rigorous answers, mostly in single precision."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, get_blas_funcs, get_lapack_funcs

from boundcheck.compiled.spectral import weighted_gram

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

_potrf: Any = get_lapack_funcs("potrf", dtype=np.float64)
_potrf_single: Any = get_lapack_funcs("potrf", dtype=np.float32)
_syrk_single: Any = get_blas_funcs("syrk", dtype=np.float32)

U, U_SINGLE = 2.0**-53, 2.0**-24  # unit roundoffs
BLOCK = 256  # features whose products are summed in single precision
TINY = 1e-36  # more than a single-precision operation that underflows loses


def draw_exceeds(A: Matrix, K: Matrix, Z: Matrix, weights: Vector, eps: float) -> int:
    """Whether |A^{-1/2} (Z diag(weights) Z^T - K) A^{-1/2}| > eps: -1 certainly not, +1 certainly, 0 undecided.

    A = K + n lam I and K (n, n), Z (n, s), weights (s,), all taken as exact. What single precision cannot settle is
    settled by `deviation_exceeds`, once rounding of the Gram matrix, which is not exact, is paid for by eps.
    Raises ValueError if a weight is negative.
    """
    if _surely_within(A, K, Z, weights, eps):
        return -1
    gram = weighted_gram(Z, weights)
    # (s + 4) u |B| |B|^T bounds the rounding of B B^T, and its norm is at most the trace; then K is subtracted.
    slack = 2 * (Z.shape[1] + 8) * U * float(np.trace(gram)) + 2 * U * float(np.abs(K).sum(axis=1).max())
    return deviation_exceeds(A, gram - K, eps, slack)


def _surely_within(A: Matrix, K: Matrix, Z: Matrix, weights: Vector, eps: float) -> bool:
    """Whether Cholesky in single precision proves both eps A - (Ktilde - K) and eps A + (Ktilde - K) semidefinite."""
    gram, slack = _gram_single(Z, weights)
    gap, wide = gram - K, eps * A
    return _surely_semidefinite(wide - gap, slack) and _surely_semidefinite(wide + gap, slack)


def _gram_single(Z: Matrix, weights: Vector) -> tuple[Matrix, float]:
    """Z diag(weights) Z^T in its upper triangle, and a bound on the norm of its error: sums of BLOCK products are single."""
    B = Z.astype(np.float32) * np.sqrt(weights).astype(np.float32)
    gram = np.zeros((len(Z), len(Z)))
    for start in range(0, B.shape[1], BLOCK):
        part = np.ascontiguousarray(B[:, start : start + BLOCK]).T
        gram += _syrk_single(1.0, part, trans=1, lower=1).T
    trace = float(np.trace(gram))
    return gram, (BLOCK + 8) * U_SINGLE * trace + Z.size * TINY * (1.0 + trace)


def _surely_semidefinite(M: Matrix, slack: float) -> bool:
    """Whether all matrices within slack of M are: Cholesky of M - shift I in single precision; M's upper triangle is read."""
    n = len(M)
    # u |M| in each entry for rounding M itself; the rest Cholesky, at twice the theory (Rump, BIT 46, 2006).
    diagonal = M.diagonal()
    spread = math.sqrt(n) * float(np.linalg.norm(M))  # at least the largest row sum
    shift = slack + 2 * U_SINGLE * spread + 2 * (n + 4) * U_SINGLE * float(np.abs(diagonal).sum()) + n * TINY
    if not math.isfinite(shift):
        return False
    rounded = M.T.astype(np.float32, order="F")
    rounded[np.diag_indices(n)] = (diagonal - shift).astype(np.float32)
    return _potrf_single(rounded, lower=1, clean=0, overwrite_a=1)[1] == 0


def deviation_exceeds(A: Matrix, D: Matrix, eps: float, slack: float = 0.0) -> int:
    """Whether |A^{-1/2} D A^{-1/2}| > eps: -1 certainly not, +1 certainly, 0 undecided in floating point.

    A (n, n) positive definite, taken as exact, and D (n, n), within slack of the D that is meant, in norm; both
    symmetric. The norm is at most eps iff
    eps A - D and eps A + D are both positive semidefinite. -1 rests on Cholesky of both, shifted down by more
    than all rounding (Rump, BIT 46, 2006); +1 on a vector whose quadratic form is negative beyond rounding.
    """
    signs = [_definiteness(A, sign * D, eps, slack) for sign in (1.0, -1.0)]
    return 1 if -1 in signs else 0 if 0 in signs else -1


def _definiteness(A: Matrix, D: Matrix, eps: float, slack: float) -> int:
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
    """Whether x^T M x < 0 for certain, M being within 2 u sizes, and slack in norm, of the exact matrix, for any x."""
    error = (2 * len(x) + 16) * U * float(np.abs(x) @ (sizes @ np.abs(x))) + 2 * slack * float(x @ x) + 1e-290
    return float(x @ (M @ x)) + error < 0.0
