"""The two quantities of a matrix Bernstein bound for importance-sampled, ridge-whitened features."""

import numpy as np
from numpy.typing import NDArray

from boundcheck.compiled.leverage import _ridge_factor, square_sums, whitened

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


def bernstein_quantities(
    Z: Matrix, p: Vector, q: Vector, K: Matrix, lam: float
) -> tuple[float, float, float]:
    """(max |R_j|, |E R R^T|, trace of E R R^T) of R_j = (p_j / q_j) W z_j z_j^T W.

    W = (K + n lam I)^{-1/2}, Z (n, s), p and q (s,); feature j is drawn with probability
    q_j, so that E is a sum over the pool. With L L^T = K + n lam I, L^{-1} is an orthogonal matrix times W
    and gives the same three numbers.
    Li et al. 2021, Lemmas 26 and 27. Raises ValueError where p > 0 but q <= 0.
    """
    Y = whitened(_ridge_factor(K, lam), Z)
    ratio = _ratio(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    norms = square_sums(Y, np.ones(len(Y)))
    second = p * ratio * norms  # E R R^T = sum of q (p / q)^2 |y|^2 y y^T
    return float((ratio * norms).max()), _top_eigenvalue(Y * np.sqrt(second)), float(second @ norms)


def _ratio(p: Vector, q: Vector) -> Vector:
    """p / q, and 0 where p = 0: a feature of density 0 adds nothing."""
    if ((q <= 0) & (p > 0)).any():
        raise ValueError("bernstein_quantities needs q > 0 wherever p > 0: give each feature a chance.")
    return np.divide(p, q, out=np.zeros_like(p), where=p > 0)


def _top_eigenvalue(B: Matrix) -> float:
    """|B B^T|, from the smaller of the two Gram matrices."""
    gram = B @ B.T if B.shape[0] <= B.shape[1] else B.T @ B
    return float(np.linalg.eigvalsh(gram)[-1])
