"""The points at which a feature map is examined, ordinary and nasty, and the pairs of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import starmap
from math import isinf

import numpy as np
from numpy.typing import NDArray

from boundcheck.conform.kernels import Kernel
from boundcheck.features.kernels import Matrix, Vector

FAR = 10.0
NEAR = 1e-6
PAIRS = (
    ("zero", "zero"), ("a", "a"), ("a", "a again"), ("a", "near a"), ("a", "b"), ("a", "c"), ("zero", "a"), ("a", "far"), ("far", "far"),
)  # fmt: skip


@dataclass(frozen=True)
class Points:
    """Probe points X (p, d), data (rows, d) to fit on, and pairs as two arrays of rows of X; k is the kernel at the pairs."""

    X: Matrix
    data: Matrix
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    k: Vector
    scale: Vector
    """sqrt(k(x, x) k(y, y)), or 1 where it is 0: what a bias is small against."""

    @property
    def labels(self) -> list[str]:
        return list(starmap("({}, {})".format, PAIRS))

    @property
    def same(self) -> NDArray[np.bool_]:
        """Where x = y, so that phi(x)^T phi(y) is a square."""
        return np.array([np.array_equal(self.X[i], self.X[j]) for i, j in zip(self.left, self.right, strict=True)])

    def products(self, phi: NDArray) -> Vector:
        """phi(x)^T phi(y) at the pairs, for phi (p, s)."""
        return np.einsum("ij,ij->i", phi[self.left], phi[self.right])


def probe(kernel: Kernel, inputs: int, rows: int, rng: np.random.Generator) -> Points:
    """Points and data within the domain of the kernel: `length` is its unit, `lowest` its end."""
    a, b, c, *data = _draw(kernel, rng, 3 + rows, inputs)
    origin = np.zeros(inputs) if kernel.lowest < 0 or kernel.closed else np.full(inputs, kernel.lowest + kernel.length)
    step = np.eye(inputs)[0] * kernel.length
    named = {"zero": origin, "a": a, "a again": a.copy(), "near a": a + NEAR * step, "b": b, "c": c, "far": FAR * np.abs(a) + FAR * step}
    X, places = np.stack(list(named.values())), {name: place for place, name in enumerate(named)}
    left, right = (np.array([places[pair[side]] for pair in PAIRS]) for side in (0, 1))
    k, own = kernel.at(X[left], X[right]), kernel.at(X, X)
    scale = np.sqrt(own[left] * own[right])
    return Points(X, np.stack(data), left, right, k, np.where(scale > 0, scale, 1.0))


def _draw(kernel: Kernel, rng: np.random.Generator, n: int, inputs: int) -> Matrix:
    """b is a kernel's length from a, about: entries are normal with variance 1 / (2 d), or exponential above `lowest`."""
    if isinf(kernel.lowest):
        return kernel.length * rng.normal(size=(n, inputs)) / np.sqrt(2 * inputs)
    return kernel.lowest + kernel.length * rng.exponential(size=(n, inputs))
