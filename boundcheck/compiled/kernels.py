"""Kernel matrices of two point sets, each entry a sum in a fixed order: symmetric bit for bit when Y is X."""

import numpy as np
from numpy.typing import NDArray

from boundcheck.compiled.exponential import exponential
from boundcheck.compiled.jit import kernel

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

TILE = 64  # points: the tile, its coordinates and its mirror image stay in the first cache


def gaussian_kernel(X: Matrix, Y: Matrix, sigma: float) -> Matrix:
    """exp(-|x - y|^2 / (2 sigma^2)) for X (n, d) and Y (m, d); shape (n, m)."""
    return _exponential_of(_rows(X), _columns(Y), -0.5 / sigma**2, False, Y is X, np.empty((len(X), len(Y))))


def laplace_kernel(X: Matrix, Y: Matrix, sigma: float) -> Matrix:
    """exp(-|x - y|_1 / sigma) for X (n, d) and Y (m, d); shape (n, m)."""
    return _exponential_of(_rows(X), _columns(Y), -1.0 / sigma, True, Y is X, np.empty((len(X), len(Y))))


def _rows(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X, dtype=np.float64)


def _columns(Y: Matrix) -> Matrix:
    return np.ascontiguousarray(np.asarray(Y, dtype=np.float64).T)


@kernel
def _exponential_of(X: Matrix, YT: Matrix, scale: float, absolute: bool, same: bool, K: Matrix) -> Matrix:
    """Fill K with exp(scale distance), absolute or squared, by tiles; on and above the diagonal if Y is X."""
    n, m = K.shape
    for a in range(0, n, TILE):
        for b in range(a if same else 0, m, TILE):
            for i in range(a, min(a + TILE, n)):
                row = K[i, b : min(b + TILE, m)]
                if absolute:
                    _absolute_distances(X[i], YT, b, row)
                else:
                    _squared_distances(X[i], YT, b, row)
                _exponentials(row, scale)
            if same:
                _mirror(K, a, b)
    return K


@kernel
def _mirror(K: Matrix, a: int, b: int) -> None:
    """Copy the tile at (a, b), transposed, to (b, a), while it is in cache."""
    stop = min(a + TILE, K.shape[0])
    for j in range(b, min(b + TILE, K.shape[0])):
        row = K[j, a:stop]
        for i in range(row.size):
            row[i] = K[a + i, j]


@kernel
def _exponentials(row: Vector, scale: float) -> None:
    for j in range(row.size):
        row[j] = exponential(scale * row[j])


@kernel
def _squared_distances(x: Vector, YT: Matrix, start: int, row: Vector) -> None:
    """|x - y|^2 for the columns y of YT from start on, summed in the order of d, five terms a pass."""
    stop, k = start + row.size, 0
    row[:] = 0.0
    while k + 5 <= x.size:
        a, b, c, d, e = x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4]
        A, B, C, D, E = YT[k, start:stop], YT[k + 1, start:stop], YT[k + 2, start:stop], YT[k + 3, start:stop], YT[k + 4, start:stop]
        for j in range(row.size):
            t, u, v, w, z = a - A[j], b - B[j], c - C[j], d - D[j], e - E[j]
            row[j] = ((((row[j] + t * t) + u * u) + v * v) + w * w) + z * z
        k += 5
    for i in range(k, x.size):
        a, A = x[i], YT[i, start:stop]
        for j in range(row.size):
            t = a - A[j]
            row[j] += t * t


@kernel
def _absolute_distances(x: Vector, YT: Matrix, start: int, row: Vector) -> None:
    """|x - y|_1 for the columns y of YT from start on, summed in the order of d, five terms a pass."""
    stop, k = start + row.size, 0
    row[:] = 0.0
    while k + 5 <= x.size:
        a, b, c, d, e = x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4]
        A, B, C, D, E = YT[k, start:stop], YT[k + 1, start:stop], YT[k + 2, start:stop], YT[k + 3, start:stop], YT[k + 4, start:stop]
        for j in range(row.size):
            t, u, v, w, z = abs(a - A[j]), abs(b - B[j]), abs(c - C[j]), abs(d - D[j]), abs(e - E[j])
            row[j] = ((((row[j] + t) + u) + v) + w) + z
        k += 5
    for i in range(k, x.size):
        a, A = x[i], YT[i, start:stop]
        for j in range(row.size):
            row[j] += abs(a - A[j])
