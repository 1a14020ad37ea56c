"""The problem that the tasks share: points, their Gaussian kernel matrix, a ridge, and drawn frequencies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boundcheck.features.kernels import Gaussian

TAU = 2 * math.pi


@dataclass(frozen=True)
class Design:
    """X (n, d), frequencies W (s, d) and phases b (s,) in radians, ridge = n lam."""

    X: np.ndarray
    W: np.ndarray
    b: np.ndarray
    sigma: float
    lam: float

    @classmethod
    def draw(cls, n: int, d: int, s: int, lam: float = 1e-3, seed: int = 0) -> Design:
        sigma = math.sqrt(d)
        points, features = np.random.default_rng([seed, n, d]), np.random.default_rng([seed, s, d])
        W, b = features.normal(size=(s, d)) / sigma, features.uniform(0, TAU, s)
        return cls(points.normal(size=(n, d)), W, b, sigma, lam)

    @cached_property
    def K(self) -> np.ndarray:
        return Gaussian(self.sigma).matrix(self.X, self.X)

    @property
    def ridge(self) -> float:
        return len(self.X) * self.lam

    @cached_property
    def whitener(self) -> np.ndarray:
        """(K + n lam I)^(-1/2), computed once and used in every trial, by peers too."""
        values, vectors = np.linalg.eigh(self.K)
        return (vectors / np.sqrt(values + self.ridge)) @ vectors.T

    @property
    def turns(self) -> np.ndarray:
        return self.W / TAU

    @property
    def phases(self) -> np.ndarray:
        return self.b / TAU
