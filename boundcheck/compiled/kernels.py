"""Kernel matrices of two point sets, each entry a sum in a fixed order: symmetric bit for bit when Y is X."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import zeta

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


def arcsine_kernel(X: Matrix, Y: Matrix) -> Matrix:
    """(2 / pi) arcsin(cos angle(x, y)) for X (n, d) and Y (m, d), the kernel of sign features; shape (n, m).

    With unit vectors it is 1 - (4 / pi) arctan(|x - y| / |x + y|) (Kahan), which keeps full accuracy where
    arcsin does not, at angles near 0 and pi: k(x, x) = 1 exactly. Raises ValueError if a point is zero.
    """
    K = _squared_tangents(_unit_rows(X), np.ascontiguousarray(_unit_rows(Y).T))
    np.arctan(np.sqrt(K, out=K), out=K)
    K *= -4.0 / math.pi
    K += 1.0
    return K


def spline_kernel(x: Vector, y: Vector, r: int) -> Matrix:
    """k_2r(x, y) = 1 + sum over m > 0 of cos(2 pi m (x - y)) / m^(2r), for x (n,) and y (m,); shape (n, m).

    Li et al. 2021, Section 5, as printed there: the sum has no factor 2. Raises ValueError if r < 1.
    """
    if r < 1:
        raise ValueError(f"spline_kernel needs an order r >= 1, but r = {r}.")
    return _even_polynomial(_vector(x), _vector(y), _spline_coefficients(r))


def _spline_coefficients(r: int) -> Vector:
    """The kernel as a polynomial in h^2, where h = 1/2 - |x - y| on the circle.

    cos(2 pi m (1/2 + h)) = (-1)^m cos(2 pi m h), and term by term the sums over m of the cosine series are
    -eta(2r - 2j), with eta(0) = 1/2 and zero beyond j = r: what is left is the Bernoulli polynomial of degree
    2r, up to (-1)^(r+1) (2 pi)^(2r) / (2 (2r)!), expanded about 1/2.
    """
    j = range(r + 1)
    signed = [(-1) ** (i + 1) * (2 * math.pi) ** (2 * i) / math.factorial(2 * i) for i in j]
    coefficients = np.array([c * _eta(2 * r - 2 * i) for i, c in zip(j, signed, strict=True)])
    coefficients[0] += 1.0
    return coefficients


def _eta(m: int) -> float:
    """Dirichlet's sum of (-1)^(i+1) / i^m over i > 0."""
    return (1.0 - 2.0 ** (1 - m)) * float(zeta(m)) if m else 0.5


def _rows(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X, dtype=np.float64)


def _columns(Y: Matrix) -> Matrix:
    return np.ascontiguousarray(np.asarray(Y, dtype=np.float64).T)


def _vector(x: Vector) -> Vector:
    return np.ascontiguousarray(x, dtype=np.float64)


def _unit_rows(X: Matrix) -> Matrix:
    X = _rows(X)  # scaled first, so that no norm overflows
    scaled = X / np.maximum(np.abs(X).max(axis=1, keepdims=True), np.finfo(float).tiny)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    if not norms.all():
        raise ValueError("arcsine_kernel is undefined at a zero point: drop the zero rows.")
    return scaled / norms


@kernel
def _exponential_of(X: Matrix, YT: Matrix, scale: float, absolute: bool, same: bool, K: Matrix) -> Matrix:
    """Fill K with exp(scale distance), absolute or squared, tile by tile, and where Y is X only on and above the diagonal."""
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


@kernel
def _squared_tangents(X: Matrix, YT: Matrix) -> Matrix:
    n, d = X.shape
    K = np.zeros((n, YT.shape[1]))
    sums = np.empty(YT.shape[1])
    for i in range(n):
        row = K[i]
        sums[:] = 0.0
        for k in range(d):
            x, y = X[i, k], YT[k]
            for j in range(row.size):
                t, u = x - y[j], x + y[j]
                row[j] += t * t
                sums[j] += u * u
        for j in range(row.size):
            row[j] /= sums[j]
    return K


@kernel
def _even_polynomial(x: Vector, y: Vector, coefficients: Vector) -> Matrix:
    K = np.empty((x.size, y.size))
    last = coefficients.size - 1
    for i in range(x.size):
        row = K[i]
        row[:] = coefficients[last]
        for k in range(last - 1, -1, -1):
            c = coefficients[k]
            for j in range(y.size):
                t = x[i] - y[j]
                h = 0.5 - abs(t - np.rint(t))
                row[j] = c + h * h * row[j]
    return K
