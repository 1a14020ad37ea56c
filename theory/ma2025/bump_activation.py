"""Random features whose activation is a combination of Gaussian bumps: the model of Ma et al. (2025),
Sections 2.2 and 2.4.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.domains import Matrix, Simplex, Unit, Vector
from boundcheck.settings import setting


def even_grid(N: int, low: float = -1.0, high: float = 1.0) -> np.ndarray:
    """N evenly spaced points from low to high, (N,); the midpoint if N = 1."""
    return low + (high - low) * np.arange(N) / (N - 1) if N > 1 else np.array([(low + high) / 2])


@setting
class BumpActivation:
    """Points X (n x d), directions W (d x s) with probabilities p (s,), coefficients a (N,), width h,
    amplitudes v (s,).

    The bumps stand on an even grid of N points of [-1, 1].
    """

    X: Matrix("n", "d")
    W: Matrix("d", "s")
    p: Simplex("s")
    v: Vector("s")
    a: Vector("N")
    h: Unit

    @cached_property
    def B(self) -> Any:
        """Values B_k(w_j . x_i) of the basis, N x n x s."""
        distance = (self.X @ self.W)[None, :, :] - even_grid(len(self.a))[:, None, None]
        return np.exp(-(distance**2) / (2 * self.h**2))

    @cached_property
    def sigma(self) -> Any:
        """sigma_a(w_j . x_i), n x s."""
        return np.sum(self.a[:, None, None] * self.B, axis=0)

    @cached_property
    def K(self) -> Any:
        """The kernel matrix E_w sigma_a(X w) sigma_a(X w)^T, n x n."""
        return (self.sigma * self.p) @ np.transpose(self.sigma)
