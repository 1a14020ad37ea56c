"""The spectrum of a kernel matrix, from a low-rank part with a bound on the rest; what the theorems ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from boundcheck.audit.demand import Scene
from boundcheck.features.kernels import Matrix, ShiftInvariant, Vector

FLOOR = 1e-10
"""Eigenvalues below FLOOR times the largest are counted to the rest."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """K = V^T diag(values) V + E on the n points X (n, d), V (r, n) with orthonormal rows, E >= 0 with trace `rest`.

    `values` (r,) decrease; each is at most the eigenvalue of K of its number, and at least that less `rest`.
    """

    kernel: ShiftInvariant
    X: Matrix = field(repr=False)
    values: Vector = field(repr=False)
    V: Matrix = field(repr=False)
    rest: float

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.X)

    def dimension(self, lam: float) -> tuple[float, float]:
        """A lower and an upper bound of the effective dimension Tr K (K + n lam I)^-1."""
        low = float(np.sum(self.values / (self.values + self.n * lam)))
        return low, low + self.rest / (self.n * lam)

    def scene(self, y: Vector, lam: float, eps: float, delta: float, n: int) -> Scene:
        """What theorems about n such points ask for; y (n,) labels. Numbers other than d_K are those of the low-rank part."""
        ridge, mu, c = self.n * lam, self.values, self.V @ y
        share = mu / (mu + ridge)
        return Scene(
            n=n, lam=lam, d_K=self.dimension(lam)[1], eps=eps, delta=delta,
            lambda_1=float(mu[0]) / self.n,
            energy=float(mu @ c**2) / self.n**2,
            Q=float((share / (mu + ridge)) @ c**2),
            label_square=float(np.mean(y**2)),
            prediction_square=float(np.sum((share * c) ** 2)) / self.n,
            z0_squared=self.kernel.bound,
        )  # fmt: skip


def low_rank(kernel: ShiftInvariant, X: Matrix, trace: float, most: int) -> Spectrum | None:
    """The spectrum with a rest of trace at most `trace`, by pivoted Cholesky; None if that takes more than `most` columns.

    Harbrecht, Peters, Schneider (2012). Memory: most x n.
    """
    G = _pivoted_cholesky(kernel, X, trace, min(most, len(X)))
    if G is None:
        return None
    values, Q = np.linalg.eigh(G @ G.T)
    values, Q = values[::-1], Q[:, ::-1]
    keep = values > FLOOR * values[0]
    V = (Q[:, keep].T @ G) / np.sqrt(values[keep])[:, None]
    rest = max(len(X) - float(np.sum(values[keep])), 0.0)  # K has trace n
    return Spectrum(kernel, X, values[keep], V, rest)


def whole(kernel: ShiftInvariant, X: Matrix) -> Spectrum:
    """The spectrum from all eigenvalues of K; n x n memory, a few times."""
    values, Q = np.linalg.eigh(kernel.matrix(X, X))
    keep = values > FLOOR * values[-1]
    V = np.ascontiguousarray(Q[:, keep][:, ::-1].T)
    return Spectrum(kernel, X, values[keep][::-1], V, float(np.sum(np.maximum(values[~keep], 0.0))))


def _pivoted_cholesky(kernel: ShiftInvariant, X: Matrix, trace: float, most: int) -> Matrix | None:
    """G (r, n) with K - G^T G >= 0 of trace at most `trace`, or None if r would exceed `most` < n."""
    n = len(X)
    G, left = np.empty((most, n)), np.ones(n)
    for r in range(most):
        if float(np.sum(left)) <= trace:
            return G[:r]
        pivot = int(np.argmax(left))
        column = kernel.matrix(X, X[pivot : pivot + 1])[:, 0] - G[:r, pivot] @ G[:r]
        G[r] = column / np.sqrt(left[pivot])
        left = np.maximum(left - G[r] ** 2, 0.0)
        left[pivot] = 0.0
    return G if most == n or float(np.sum(left)) <= trace else None
