"""The dominant eigenvector of a symmetric operator that is known by its action on vectors alone."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import get_lapack_funcs

Vector = NDArray[Any]

_stev: Any = get_lapack_funcs("stev", dtype=np.float64)

EVERY = 4  # steps between two looks at the Ritz values
RESIDUAL = 1e-5  # of the dominant Ritz vector, relative to its value, whose error is the square of it
ROUGH = 1e-2  # of the other end, which only must not become dominant


def dominant_vector(apply: Callable[[Vector], Vector], n: int, dtype: Any = np.float64) -> Vector:
    """A unit vector x (n,) that nearly attains the eigenvalue x^T A x largest in size of a symmetric A on R^n.

    Lanczos without reorthogonalisation (Paige 1980): the copies that it makes do not move the extreme values. An
    eigenvector orthogonal to the fixed start is only seen through rounding.
    """
    v, previous, beta = _start(n, dtype), np.zeros(n, dtype), dtype(0)
    basis, diagonal, beside = [], [], []
    while True:
        w = apply(v)
        alpha = v @ w
        w -= alpha * v
        w -= beta * previous
        beta = np.sqrt(w @ w)
        basis.append(v)
        diagonal.append(float(alpha))
        beside.append(float(beta))
        last = len(basis) >= 4 * n or beta <= np.finfo(dtype).eps * max(map(abs, diagonal))
        if last or len(basis) % EVERY == 0:
            weights, converged = _ritz(diagonal, beside)
            if last or converged:
                x = weights.astype(dtype) @ np.array(basis)
                return x / np.sqrt(x @ x)
        v, previous = w / beta, v


def _start(n: int, dtype: Any) -> Vector:
    """A unit vector without structure."""
    v = 1.0 + np.cos(np.arange(1.0, n + 1.0) ** 2)
    return (v / np.sqrt(v @ v)).astype(dtype)


def _ritz(diagonal: Sequence[float], beside: Sequence[float]) -> tuple[Vector, bool]:
    """The dominant Ritz vector in the Lanczos basis, and whether the residuals of both ends are small enough."""
    values, vectors, _ = _stev(diagonal, beside[:-1] or [0.0])
    residuals = beside[-1] * np.abs(vectors[-1, [0, -1]])
    top = 0 if -values[0] > values[-1] else -1
    small = residuals[top] <= RESIDUAL * abs(values[top]) and residuals[-1 - top] <= ROUGH * abs(values[top])
    return vectors[:, top], bool(small)
