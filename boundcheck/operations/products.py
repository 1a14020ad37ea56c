"""Matrix products, inverses, solutions, determinants and Cholesky factors; their radii are from residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import lu

from boundcheck.operations.enclosed import enclosed
from boundcheck.operations.functions import Rule
from boundcheck.operations.operation import (
    Fields,
    Operation,
    deepened,
    entrywise,
    operation,
)
from boundcheck.operations.reductions import product_radius, product_shift
from boundcheck.operations.roundoff import TINY, Step, gamma, on_grid

ROWS: dict[str, Any] = {"axis": -1, "keepdims": False}


def _finite(rule: Rule) -> Rule:
    """Matrices that are not finite, or of which nothing is known, become zero, and their radius inf."""

    def bounded(step: Step) -> np.ndarray:
        pairs = list(zip(step.xs, step.rs, strict=True))
        sound = [
            np.isfinite(x + r).all(axis=(-2, -1), keepdims=True)
            for x, r in pairs
        ]
        xs, rs = (
            [np.where(s, z, 0.0) for s, z in zip(sound, zs, strict=True)]
            for zs in (step.xs, step.rs)
        )
        r = rule(Step(step.node, step.value, xs, rs))
        fine = np.logical_and.reduce(np.broadcast_arrays(*sound))[..., 0, 0]
        return np.where(
            fine.reshape(fine.shape + (1,) * (r.ndim - fine.ndim)),
            r + TINY,
            np.inf,
        )

    return bounded


def matmul_radius(step: Step) -> np.ndarray:
    """gamma_n |A| |B|, where n counts the terms of an entry that are not zero."""
    (a, b), (r, t) = step.xs, step.rs
    size, other = np.abs(a), np.abs(b)
    n = ((a != 0) | (r > 0)).astype(float) @ ((b != 0) | (t > 0)).astype(float)
    products = size @ other
    exact = on_grid(a, 12).all() & on_grid(b, 12).all() & (products <= 2.0**28)
    rounding = np.where(exact, 0.0, gamma(n) * products + TINY)
    moved = size @ t + r @ other + r @ t
    inexact = (
        moved + np.where((r > 0).any() | (t > 0).any(), TINY, 0.0) + rounding
    )
    return np.where(n > 0, inexact, np.where(np.isfinite(moved), 0.0, np.inf))


def near_inverse(A: np.ndarray) -> np.ndarray:
    """An approximate inverse, without any guarantee."""
    try:
        return np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(A)


def inverse_radius(A: np.ndarray, r: np.ndarray, R: np.ndarray) -> np.ndarray:
    """|X^-1 - R| for every X within r of A: X^-1 = sum of G^k R with G = I - R X. inf unless |G| < 1."""
    G, alpha = _defect(A, r, R)
    return _series(G @ np.abs(R), alpha)


def _defect(
    A: np.ndarray, r: np.ndarray, R: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A bound of |I - R X| for every X within r of A, and its largest row sum."""
    n = A.shape[-1]
    G = (
        np.abs(np.eye(n) - R @ A)
        + gamma(n + 1) * (np.abs(R) @ np.abs(A))
        + np.abs(R) @ r
        + TINY
    )
    return G, G.sum(axis=-1).max(axis=-1, initial=0.0)[..., None, None] * (
        1 + 1e-10
    )


def _series(M: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """M + G M + G^2 M + ... for G with row sums at most alpha."""
    return np.where(
        alpha < 1,
        M + alpha / (1 - alpha) * M.max(axis=-2, keepdims=True, initial=0.0),
        np.inf,
    )


def inv_radius(step: Step) -> np.ndarray:
    """The columns of a computed inverse solve A X = I well, so A X and not X A is looked at."""
    A, r, X = (
        np.swapaxes(z, -1, -2) for z in (step.xs[0], step.rs[0], step.value)
    )
    return np.swapaxes(inverse_radius(A, r, X), -1, -2)


def solve_radius(step: Step) -> np.ndarray:
    """x - X^-1 y = X^-1 (X x - y) for all X and y within the radii."""
    (A, b), (r, t), x = step.xs, step.rs, step.value
    R = near_inverse(A)
    _, alpha = _defect(A, r, R)
    size = np.abs(x)
    residual = (
        np.abs(b - A @ x)
        + gamma(A.shape[-1] + 1) * (np.abs(A) @ size)
        + r @ size
        + t
        + TINY
    )
    return _series(np.abs(R) @ residual, alpha)


def det_radius(step: Step) -> np.ndarray:
    """det X = det(LV) / det(I - X^-1 (X - LV)), or by Hadamard's inequality for each row that moved."""
    (A,), (r,) = step.xs, step.rs
    diagonal, sign, F = _factors(A, r)
    found = sign * diagonal.prod(axis=-1)
    rounding = product_radius(diagonal, np.zeros_like(diagonal), found, ROWS)
    shift = (np.abs(found) + rounding) * np.expm1(_log_ratio(A, r, F))
    moved = np.sqrt((F**2).sum(axis=-1)) * (1 + 1e-10) + TINY
    hadamard = product_shift(
        np.sqrt((A**2).sum(axis=-1)) * (1 + 1e-10) + moved, moved, ROWS
    )
    return np.abs(step.value - found) + rounding + np.fmin(shift, hadamard)


def _factors(
    A: np.ndarray, r: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """diag(V) and det(P) of A = P L V, and a bound of |X - P L V| for every X within r of A."""
    factors: Any = lu(A)
    P, L, V = factors
    rounding = gamma(A.shape[-1] + 1) * (P @ (np.abs(L) @ np.abs(V)))
    error = np.abs(A - P @ (L @ V)) + rounding + r + TINY
    return np.diagonal(V, axis1=-2, axis2=-1), np.rint(np.linalg.det(P)), error


def _log_ratio(A: np.ndarray, r: np.ndarray, F: np.ndarray) -> np.ndarray:
    """|log det(I - E)| <= -n log(1 - beta) for |E| <= |X^-1| F with row sums at most beta."""
    R = near_inverse(A)
    E = (np.abs(R) + inverse_radius(A, r, R)) @ F
    beta = E.sum(axis=-1).max(axis=-1) * (1 + 1e-10)
    return np.where(
        beta < 1, -A.shape[-1] * np.log1p(-np.minimum(beta, 1.0)), np.inf
    )


def from_lower(A: np.ndarray) -> np.ndarray:
    """The symmetric matrix with the same lower triangle, which is the one LAPACK reads."""
    return np.tril(A) + np.swapaxes(np.tril(A, -1), -1, -2)


def transpose(A: np.ndarray) -> np.ndarray:
    return np.swapaxes(A, -1, -2)


def symmetrised(A: np.ndarray) -> np.ndarray:
    return (A + transpose(A)) / 2


def _inv_back(
    _: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    return [-transpose(value) @ g @ transpose(value)]


def _solve_back(
    _: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray, b: np.ndarray
) -> list[np.ndarray]:
    back = np.linalg.solve(transpose(A), g)
    return [-back @ transpose(value), back]


def _det_back(
    _: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    return [(g * value)[..., None, None] * transpose(near_inverse(A))]


def _slogabsdet_back(
    _: Fields, g: np.ndarray, value: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    return [g[..., None, None] * transpose(near_inverse(A))]


def _cholesky_back(
    _: Fields, g: np.ndarray, L: np.ndarray, A: np.ndarray
) -> list[np.ndarray]:
    """Giles, Collected matrix derivative results for algorithmic differentiation, 4.2; A stays symmetric."""
    P = np.tril(transpose(L) @ g)
    P = P - P * np.eye(P.shape[-1]) / 2
    R = np.linalg.inv(L)
    return [symmetrised(transpose(R) @ P @ R)]


def of_matrix(
    name: str, value: Any, radius: Rule, pullback: Any, *names: Any, **rest: Any
) -> Operation:
    """An operation on each matrix of a stack."""
    return operation(
        name,
        value,
        _finite(radius),
        pullback=pullback,
        numpy=names,
        axes=2,
        **rest,
    )


inv = of_matrix(
    "inv", entrywise(np.linalg.inv), inv_radius, _inv_back, np.linalg.inv
)
solve = of_matrix(
    "solve",
    entrywise(np.linalg.solve),
    solve_radius,
    _solve_back,
    says="`np.linalg.solve` of matrices",
)
det = of_matrix(
    "det", entrywise(np.linalg.det), det_radius, _det_back, np.linalg.det
)
slogabsdet = of_matrix(
    "slogabsdet",
    entrywise(lambda A: np.linalg.slogdet(A)[1]),
    enclosed,
    _slogabsdet_back,
    says="the logarithm of `np.linalg.slogdet`",
)
cholesky = of_matrix(
    "cholesky",
    entrywise(np.linalg.cholesky),
    enclosed,
    _cholesky_back,
    says="`np.linalg.cholesky`",
)


def _as_matrices(
    fields: Fields, x: np.ndarray, y: np.ndarray
) -> tuple[list[np.ndarray], bool, bool]:
    """The operands of a product, vectors as a row or a column; and which of them are vectors."""
    lead = fields.get("leading", 0)
    row, column = x.ndim - lead == 1, y.ndim - lead == 1
    return (
        deepened(
            [x[..., None, :] if row else x, y[..., None] if column else y], lead
        ),
        row,
        column,
    )


def _matmul(fields: Fields, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if not fields.get("leading"):
        return np.matmul(x, y)
    (x, y), row, column = _as_matrices(fields, x, y)
    product = x @ y
    product = product[..., 0] if column else product
    return (
        product
        if not row
        else product[..., 0]
        if column
        else product[..., 0, :]
    )


def _matmul_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, x: np.ndarray, y: np.ndarray
) -> list[np.ndarray]:
    (a, b), row, column = _as_matrices(fields, x, y)
    g = g[..., None] if column else g
    g = g[..., None] if row and column else g[..., None, :] if row else g
    left, right = g @ transpose(b), transpose(a) @ g
    return [
        left[..., 0, :] if row else left,
        right[..., 0] if column else right,
    ]


matmul = operation(
    "matmul",
    _matmul,
    matmul_radius,
    pullback=_matmul_back,
    numpy=[np.matmul],
    axes=2,
)
