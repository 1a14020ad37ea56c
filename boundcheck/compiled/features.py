"""Random features of a point set, one row per point and one column per feature.

Entry (i, j) is a pure function of point i and feature j, summed in a fixed order: no other point or feature,
and no BLAS, changes a bit of it. Prefixes of features are therefore nested exactly.
"""

import math

import numpy as np
from numpy.typing import NDArray

from boundcheck.compiled.jit import kernel
from boundcheck.compiled.kernels import spline_kernel
from boundcheck.compiled.trig import cosine, sine

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

SQRT2 = math.sqrt(2.0)
BLOCK = 1024  # features that stay in cache while all points pass by


def fourier_features(X: Matrix, W: Matrix, u: Vector) -> Matrix:
    """sqrt(2) cos(2 pi (W x + u)) for X (n, d), W (s, d) in turns and phases u (s,); shape (n, s).

    The rounded argument is off by at most (d + 1) 2^-53 sum_k |x_k w_k| turns, roughly.
    """
    return _shifted_cosines(_rows(X), _columns(W), np.ascontiguousarray(u, dtype=np.float64))


def fourier_pairs(X: Matrix, W: Matrix) -> Matrix:
    """[cos(2 pi W x), sin(2 pi W x)] for X (n, d) and frequencies W (s, d) in turns; shape (n, 2 s)."""
    return _cosines_and_sines(_rows(X), _columns(W))


def sign_features(X: Matrix, V: Matrix) -> Matrix:
    """sgn(V x) with sgn(0) = +1, for X (n, d) and directions V (s, d); shape (n, s), entries +1 and -1."""
    return _signs(_rows(X), _columns(V))


def sign_gram(X: Matrix, V: Matrix) -> Matrix:
    """The Gram matrix Z Z^T (n, n) of sign features Z: exact integers. Raises ValueError if s > 2^24."""
    if len(V) > 1 << 24:
        raise ValueError(f"sign_gram is exact up to 2^24 features, but s = {len(V)}: add up the parts.")
    Z = sign_features(X, V).astype(np.float32)  # partial sums of +-1 are integers below 2^24: no rounding
    return (Z @ Z.T).astype(np.float64)


def spline_features(x: Vector, v: Vector, r: int) -> Matrix:
    """z(v, x) = k_r(v, x), the spline kernel of half the order, for x (n,) and v (s,); shape (n, s).

    Li et al. 2021, Section 5. Raises ValueError unless r is even: k_r of odd order is not a polynomial.
    """
    if r < 2 or r % 2:
        raise ValueError(f"spline_features needs an even order r >= 2, but r = {r}.")
    return spline_kernel(x, v, r // 2)


def one_hot_features(n: int) -> Matrix:
    """The pool sqrt(n) I (n, n): e_j sqrt(n) drawn with probability 1 / n has E z z^T = I."""
    return math.sqrt(n) * np.eye(n)


def _rows(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X, dtype=np.float64)


def _columns(W: Matrix) -> Matrix:
    return np.ascontiguousarray(np.asarray(W, dtype=np.float64).T)


@kernel
def _project(x: Vector, WT: Matrix, start: int, row: Vector) -> None:
    """Overwrite row with x times WT[:, start], WT[:, start + 1], ..., summed in the order of d."""
    stop = start + row.size
    row[:] = 0.0
    for k in range(x.size):
        c, w = x[k], WT[k, start:stop]
        for j in range(row.size):
            row[j] += c * w[j]


@kernel
def _shifted_cosines(X: Matrix, WT: Matrix, u: Vector) -> Matrix:
    n, s = X.shape[0], WT.shape[1]
    Z = np.empty((n, s))
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        phase = u[start:stop]
        for i in range(n):
            row = Z[i, start:stop]
            _project(X[i], WT, start, row)
            for j in range(row.size):
                row[j] = SQRT2 * cosine(row[j] + phase[j])
    return Z


@kernel
def _cosines_and_sines(X: Matrix, WT: Matrix) -> Matrix:
    n, s = X.shape[0], WT.shape[1]
    Z = np.empty((n, 2 * s))
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        for i in range(n):
            row, turned = Z[i, start:stop], Z[i, s + start : s + stop]
            _project(X[i], WT, start, row)
            for j in range(row.size):
                turned[j] = sine(row[j])
            for j in range(row.size):
                row[j] = cosine(row[j])
    return Z


@kernel
def _signs(X: Matrix, WT: Matrix) -> Matrix:
    n, s = X.shape[0], WT.shape[1]
    Z = np.empty((n, s))
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        for i in range(n):
            row = Z[i, start:stop]
            _project(X[i], WT, start, row)
            for j in range(row.size):
                row[j] = 1.0 if row[j] >= 0.0 else -1.0
    return Z
