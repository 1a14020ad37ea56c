"""Random feature models with a learnable activation, fitted by alternating ridge regressions
(Sections 2.2, 3.1 and 4).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NODES = 512
"""An activation is a table of its values at so many points, and linear in between."""

MARGIN = 4
"""Widths of a basis function beyond its centre after which it is taken as zero."""


@dataclass(frozen=True, eq=False)
class Basis:
    """N basis functions on [-reach, reach], tabulated: table is NODES x N, its rows at `step` from each
    other.
    """

    table: Floats
    low: float
    step: float

    @classmethod
    def make(cls, kind: str, N: int, reach: float) -> "Basis":
        """Evenly spaced centres; `kind` is "RBF", exp(-(x - c)^2 / (2 h^2)) with h the spacing,
        or "B-spline", cubic.
        """
        h = 2 * reach / (N - 1)
        half = reach + MARGIN * h
        x = np.linspace(-half, half, NODES)
        t = np.abs(x[:, None] - np.linspace(-reach, reach, N)) / h
        spline = np.where(t < 1, 4 - 6 * t**2 + 3 * t**3, np.maximum(0, 2 - t) ** 3) / 6
        return cls(np.exp(-(t**2) / 2) if kind == "RBF" else spline, -half, x[1] - x[0])


@dataclass(frozen=True, eq=False)
class Features:
    """Where the n x S numbers w_j . x_i fall in the table, and the weights Q (S,) of the features."""

    basis: Basis
    node: NDArray[np.int64]
    rest: Floats
    Q: Floats

    @classmethod
    def of(cls, basis: Basis, X: Floats, W: Floats, Q: Floats) -> "Features":
        """X is n x d, W is d x S."""
        t = np.clip((X @ W - basis.low) / basis.step, 0, NODES - 1.001)
        node = t.astype(np.int64)
        return cls(basis, node, t - node, Q)

    def matrix(self, a: Floats) -> Floats:
        """Z_q(a), n x S."""
        values = self.basis.table @ a
        return (values[self.node] * (1 - self.rest) + values[self.node + 1] * self.rest) * self.Q

    def per_basis_function(self, v: Floats) -> Floats:
        """B_k(X W) Q v for each k, n x N."""
        n = len(self.node)
        at = self.node + NODES * np.arange(n)[:, None]
        c = self.Q * v
        mass = np.bincount(at.ravel(), (c * (1 - self.rest)).ravel(), n * NODES)
        mass += np.bincount(at.ravel() + 1, (c * self.rest).ravel(), n * NODES)
        return mass.reshape(n, NODES) @ self.basis.table


def ridge(Z: Floats, y: Floats, lam: float) -> Floats:
    """The minimiser v of (1/n) ||Z v - y||^2 + lam s ||v||^2."""
    n, s = Z.shape
    return np.linalg.solve(Z.T @ Z + n * lam * s * np.eye(s), Z.T @ y)


def fit(features: Features, y: Floats, a: Floats, lam: float, rounds: int = 5) -> tuple[Floats, Floats]:
    """(a, v) of problem (5) by alternating minimisation from `a`, which is scaled so that Z(a) has mean
    square 1.

    The scale stands for the bound R on ||a||: without one, a larger a makes every v cheaper.
    """
    v = np.zeros(features.node.shape[1])
    for k in range(rounds + 1):
        Z = features.matrix(a)
        scale = np.sqrt(np.mean(Z**2))
        a, v = a / scale, ridge(Z / scale, y, lam)
        if k < rounds:
            G = features.per_basis_function(v)
            A = G.T @ G
            a = np.linalg.solve(A + 1e-6 * np.trace(A) / len(a) * np.eye(len(a)), G.T @ y)
    return a, v


def leverage_distribution(Z: Floats, lam: float) -> Floats:
    """q of line 4 of Algorithm 1 from Z_p(a~), n x s."""
    n, s = Z.shape
    G = Z.T @ Z
    p = np.maximum(np.diagonal(np.linalg.solve(G / s + n * lam * np.eye(s), G)), 0)
    return p / p.sum()
