"""Ridge leverage scores of features, and features whitened by the ridge."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, get_blas_funcs, get_lapack_funcs

from boundcheck.compiled.jit import kernel

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

_trmm: Any = get_blas_funcs("trmm", dtype=np.float64)
_trsm: Any = get_blas_funcs("trsm", dtype=np.float64)
_trtri: Any = get_lapack_funcs("trtri", dtype=np.float64)

BLOCK = 1200  # features whitened at a time; columns a power of two apart would share cache sets


def ridge_leverage_scores(Z: Matrix, p: Vector, K: Matrix, lam: float) -> Vector:
    """l_j = p_j z_j^T (K + n lam I)^{-1} z_j for the columns z_j of Z (n, s) and p (s,); shape (s,).

    Avron et al. 2017; Li et al. 2021, Eq. (5). Raises LinAlgError if K + n lam I is not positive definite.
    """
    inverse, _ = _trtri(_ridge_factor(K, lam), lower=1)  # a product is faster than a substitution
    blocks = [_product(inverse, Z[:, i : i + BLOCK]) for i in range(0, Z.shape[1], BLOCK)]
    return np.asarray(p, dtype=np.float64) * np.concatenate([square_sums(Y, np.ones(len(Y))) for Y in blocks])


def _ridge_factor(K: Matrix, lam: float) -> Matrix:
    """The lower triangular L (n, n) with L L^T = K + n lam I. Raises LinAlgError if there is none."""
    return cholesky(K + len(K) * lam * np.eye(len(K)), lower=True)


def whitened(L: Matrix, Z: Matrix) -> Matrix:
    """L^{-1} Z for a lower triangular L (n, n) and Z (n, s), by substitution; shape (n, s)."""
    return _trsm(1.0, L, np.ascontiguousarray(Z).T, side=1, lower=1, trans_a=1).T  # Fortran order, uncopied


def _product(L: Matrix, Z: Matrix) -> Matrix:
    """L Z for a lower triangular L (n, n) and Z (n, s)."""
    return _trmm(1.0, L, np.ascontiguousarray(Z).T, side=1, lower=1, trans_a=1).T


@kernel
def square_sums(Y: Matrix, weights: Vector) -> Vector:
    """sum over i of weights_i Y_ij^2 for each column j, added up in order; Y (n, s), weights (n,)."""
    sums = np.zeros(Y.shape[1])
    for i in range(Y.shape[0]):
        row, weight = Y[i], weights[i]
        for j in range(sums.size):
            sums[j] += weight * (row[j] * row[j])
    return sums
