"""Features beside a ridge: leverage scores, matrix Bernstein, and whether a deviation surely exceeds eps."""

import math
from typing import Any

import numpy as np
from scipy.linalg import (
    cho_solve,
    cholesky,
    eigh,
    get_blas_funcs,
    get_lapack_funcs,
)

from boundcheck.features.compiled import Matrix, U, Vector, jitted

_trmm: Any = get_blas_funcs("trmm", dtype=np.float64)
_syrk: Any = get_blas_funcs("syrk", dtype=np.float64)
_trtri: Any = get_lapack_funcs("trtri", dtype=np.float64)

BLOCK = 1200  # features whitened at a time; columns a power of two apart would share cache sets


def leverage_scores(Z: Matrix, p: Vector, K: Matrix, lam: float) -> Vector:
    """l_j = p_j z_j^T (K + n lam I)^{-1} z_j for the columns z_j of Z (n, s) and p (s,); shape (s,).

    Avron et al. 2017; Li et al. 2021, Eq. (5). Raises LinAlgError if K + n lam I is not positive definite.
    """
    inverse = _inverse_factor(K, lam)
    blocks = [
        _product(inverse, Z[:, i : i + BLOCK])
        for i in range(0, Z.shape[1], BLOCK)
    ]
    return np.asarray(p, dtype=np.float64) * np.concatenate(
        [square_sums(Y, np.ones(len(Y))) for Y in blocks]
    )


def _inverse_factor(K: Matrix, lam: float) -> Matrix:
    """L^{-1} for the lower triangular L (n, n) with L L^T = K + n lam I: a product is faster than a substitution.

    Raises LinAlgError if there is none.
    """
    return _trtri(
        cholesky(K + len(K) * lam * np.eye(len(K)), lower=True), lower=1
    )[0]


def _product(L: Matrix, Z: Matrix) -> Matrix:
    """L Z for a lower triangular L (n, n) and Z (n, s)."""
    return _trmm(
        1.0, L, np.ascontiguousarray(Z).T, side=1, lower=1, trans_a=1
    ).T


@jitted
def square_sums(Y: Matrix, weights: Vector) -> Vector:
    """sum over i of weights_i Y_ij^2 for each column j, added up in order; Y (n, s), weights (n,)."""
    sums = np.zeros(Y.shape[1])
    for i in range(Y.shape[0]):
        row, weight = Y[i], weights[i]
        for j in range(sums.size):
            sums[j] += weight * (row[j] * row[j])
    return sums


# the two quantities of a matrix Bernstein bound for importance-sampled, ridge-whitened features


def bernstein_quantities(
    Z: Matrix, p: Vector, q: Vector, K: Matrix, lam: float
) -> tuple[float, float, float]:
    """(max |R_j|, |E R R^T|, trace of E R R^T) of R_j = (p_j / q_j) W z_j z_j^T W.

    W = (K + n lam I)^{-1/2}, Z (n, s), p and q (s,); feature j is drawn with probability
    q_j, so that E is a sum over the pool. With L L^T = K + n lam I, L^{-1} is an orthogonal matrix times W
    and gives the same three numbers.
    Li et al. 2021, Lemmas 26 and 27. Raises ValueError where p > 0 but q <= 0.
    """
    Y = _product(_inverse_factor(K, lam), Z)
    ratio = _ratio(
        np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    )
    norms = square_sums(Y, np.ones(len(Y)))
    second = p * ratio * norms  # E R R^T = sum of q (p / q)^2 |y|^2 y y^T
    Y *= np.sqrt(second)
    return (
        float((ratio * norms).max()),
        _top_eigenvalue(Y),
        float(second @ norms),
    )


def _ratio(p: Vector, q: Vector) -> Vector:
    """p / q, and 0 where p = 0: a feature of density 0 adds nothing."""
    if ((q <= 0) & (p > 0)).any():
        raise ValueError(
            "bernstein_quantities needs q > 0 wherever p > 0: give each feature a chance."
        )
    return np.divide(p, q, out=np.zeros_like(p), where=p > 0)


def _top_eigenvalue(B: Matrix) -> float:
    """|B B^T|, from the smaller of the two Gram matrices."""
    gram = _syrk(1.0, B.T, trans=B.shape[0] <= B.shape[1], lower=1)
    top = len(gram) - 1
    (largest,) = eigh(
        gram, eigvals_only=True, subset_by_index=[top, top], driver="evr"
    )
    return float(largest)


# whether the spectral deviation of an approximate kernel matrix exceeds eps: rigorous answers


_potrf: Any = get_lapack_funcs("potrf", dtype=np.float64)


def deviation_exceeds(
    A: Matrix, D: Matrix, eps: float, slack: float = 0.0
) -> int:
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
    shift = (
        slack
        + 4 * U * sizes.sum(axis=1).max()
        + 4 * (n + 4) * U * np.abs(M.diagonal()).sum()
        + n * 1e-300
    )
    if not math.isfinite(shift):
        return 0
    if _potrf(M - shift * np.eye(n), lower=1, clean=0)[1] == 0:
        return 1
    L, failed_at = _potrf(M + shift * np.eye(n), lower=1, clean=0)
    return -int(
        failed_at > 0
        and _is_negative_witness(
            M, sizes, slack, _breakdown_vector(M, L, failed_at - 1)
        )
    )


def _breakdown_vector(M: Matrix, L: Matrix, k: int) -> Vector:
    """The x with x^T M x near or below the pivot k where Cholesky broke down: (-M_kk^{-1} m, 1, 0, ...)."""
    x = np.zeros(len(M))
    x[k] = 1.0
    if k:
        x[:k] = -cho_solve((L[:k, :k], True), M[:k, k], check_finite=False)
    return x


def _is_negative_witness(
    M: Matrix, sizes: Matrix, slack: float, x: Vector
) -> bool:
    """Whether x^T M x < 0 for certain, M being within 2 u sizes, and slack in norm, of the exact matrix."""
    error = (
        (2 * len(x) + 16) * U * float(np.abs(x) @ (sizes @ np.abs(x)))
        + 2 * slack * float(x @ x)
        + 1e-290
    )
    return float(x @ (M @ x)) + error < 0.0
