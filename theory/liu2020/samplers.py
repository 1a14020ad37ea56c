"""The four ways of Section 5 to choose frequencies: plain, quasi-Monte Carlo, leverage and surrogate
leverage.

A feature is the pair (cos w^T x, sin w^T x). The kernel is exp(-||x - x'||^2), so that w is N(0, 2 I).
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
METHODS = ("RFF", "QMC", "leverage", "surrogate")
LEVERAGE_RIDGE = 0.05
"""lam of the leverage scores, the least of the paper's grid; the paper does not say."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Frequencies W (s, d) and weights (s,) that make the kernel
    sum_i weight_i cos(w_i^T (x - x')) / s unbiased for k.
    """

    W: Floats
    weights: Floats

    def features(self, X: Floats) -> Floats:
        """The n x 2 s matrix Z with Z Z^T that kernel at the rows of X."""
        scale = np.sqrt(self.weights / len(self.W))
        angles = X @ self.W.T
        return np.hstack([np.cos(angles) * scale, np.sin(angles) * scale])


def draw(method: str, X: Floats, y: Floats, s: int, rng: np.random.Generator) -> Drawn:
    """s frequencies by one of METHODS; the last two resample a pool of s plain ones with the training data
    (Algorithm 1).
    """
    d, ones = X.shape[1], np.ones(s)
    if method == "QMC":
        return Drawn(np.sqrt(2) * normal_quantiles((halton(s, d) + rng.random(d)) % 1.0), ones)
    pool = Drawn(np.sqrt(2) * rng.standard_normal((s, d)), ones)
    if method == "RFF":
        # The feature matrix is part of what the paper times.
        pool.features(X)
        return pool
    Z = pool.features(X)
    scores = leverage_of_pairs(Z, LEVERAGE_RIDGE) if method == "leverage" else alignment_of_pairs(Z, y)
    probabilities = scores / scores.sum()
    chosen = rng.choice(s, s, p=probabilities)
    return Drawn(pool.W[chosen], 1 / (s * probabilities[chosen]))


def alignment_of_pairs(Z: Floats, y: Floats) -> Floats:
    """|y^T z_w|^2 for each w, Eq. (15)."""
    s = Z.shape[1] // 2
    return np.sum((y @ Z).reshape(2, s) ** 2, axis=0)


def leverage_of_pairs(Z: Floats, lam: float) -> Floats:
    """z_w^* (Z Z^* + n lam I)^-1 z_w for each w, from the smaller of Z Z^T and Z^T Z."""
    n, width = Z.shape
    if width > n:
        scores = np.sum(Z * np.linalg.solve(Z @ Z.T + n * lam * np.eye(n), Z), axis=0)
    else:
        G = Z.T @ Z
        scores = np.diagonal(np.linalg.solve(G + n * lam * np.eye(width), G))
    return np.maximum(scores.reshape(2, width // 2).sum(axis=0), 0)


def halton(s: int, d: int) -> Floats:
    """The first s points of the Halton sequence in [0, 1)^d, from index 1; bases are the first d primes."""
    return np.stack([radical_inverse(np.arange(1, s + 1), base) for base in primes(d)], axis=1)


def radical_inverse(k: NDArray[np.int64], base: int) -> Floats:
    """The digits of k in a base, mirrored at the point."""
    value, scale = np.zeros(len(k)), 1.0
    while np.any(k > 0):
        scale /= base
        value, k = value + scale * (k % base), k // base
    return value


def primes(count: int) -> list[int]:
    """The first primes."""
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return found


def normal_quantiles(u: Floats) -> Floats:
    """The inverse of the normal distribution function, entrywise; u is kept away from 0 and 1."""
    quantile = NormalDist().inv_cdf
    inside = np.clip(u, 1e-12, 1 - 1e-12)
    return np.array([quantile(x) for x in inside.ravel()]).reshape(u.shape)
