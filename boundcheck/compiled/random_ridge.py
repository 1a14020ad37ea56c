"""Ridge regression on the first s of a draw of features, for a grid of s, preconditioned by kernel ridge regression."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, get_blas_funcs

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Solve = Callable[[Vector], Vector]

_trsv: Any = get_blas_funcs("trsv", dtype=np.float64)

STEPS = 40  # of conjugate gradients, beyond which a Cholesky factorisation costs less
TOLERANCE = 1e-9  # of the residual, relative to that of the zero vector, in the norm of the preconditioner


def random_ridge_coefficients(L: Matrix, ridge: float, Z: Matrix, y: Vector, sizes: Sequence[int]) -> Matrix:
    """(Z_s Z_s^T / s + ridge I)^{-1} y for the first s columns Z_s of Z (n, S), s in sizes; shape (len(sizes), n).

    L L^T = K + ridge I for the kernel matrix K that the features approximate: a good approximation makes it a
    preconditioner with condition (1 + deviation) / (1 - deviation), and each s starts where the one before ended.
    Predictions are Z_test (Z_s^T a) / s.
    """
    L, rows, a = np.asfortranarray(L), [], np.zeros(len(y))
    for s in sizes:
        few = s < len(y)  # then s x s matrices cost less
        a = _factored(Z[:, :s], ridge, y) if few else _iterated(Z[:, :s], ridge, y, a, partial(_solve, L))
        rows.append(a)
    return np.array(rows)


def _solve(L: Matrix, v: Vector) -> Vector:
    return _trsv(L, _trsv(L, v, lower=1), lower=1, trans=1, overwrite_x=1)


def _iterated(Z: Matrix, ridge: float, y: Vector, start: Vector, precondition: Solve) -> Vector:
    """By preconditioned conjugate gradients from start on, or by Cholesky where these are slow."""
    enough = TOLERANCE**2 * (y @ precondition(y))
    a, residual = start.copy(), y - _applied(Z, ridge, start)
    solved = precondition(residual)
    direction, energy = solved, residual @ solved
    for _ in range(STEPS):
        if energy <= enough:
            return a
        image = _applied(Z, ridge, direction)
        step = energy / (direction @ image)
        a += step * direction
        residual -= step * image
        solved = precondition(residual)
        energy, previous = residual @ solved, energy
        direction = solved + (energy / previous) * direction
    return _factored(Z, ridge, y)


def _applied(Z: Matrix, ridge: float, v: Vector) -> Any:
    return Z @ (Z.T @ v) / Z.shape[1] + ridge * v


def _factored(Z: Matrix, ridge: float, y: Vector) -> Vector:
    """By push-through, in the smaller of the two dimensions."""
    n, s = Z.shape
    if n <= s:
        return cho_solve(cho_factor(Z @ Z.T / s + ridge * np.eye(n)), y)
    inner = cho_factor(Z.T @ Z + s * ridge * np.eye(s))
    return (y - Z @ cho_solve(inner, Z.T @ y)) / ridge
