"""The points at which a feature map is examined, ordinary and nasty, and its draws there at each size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import starmap
from math import isinf

import numpy as np
from numpy.typing import NDArray

from boundcheck.checking.sampling import Stream
from boundcheck.conform.contract import Design
from boundcheck.conform.kernels import Kernel
from boundcheck.conform.maps import FeatureMap, MapError
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


# draws


SEEDS = 2**32
"""A random_state is a whole number below this: what numpy.random.RandomState takes."""


@dataclass(frozen=True)
class Trials:
    """`values` (sizes, trials, pairs) are phi(x)^T phi(y); `norms` and `features` (sizes, points) the largest |phi(x)|^2 and
    s phi_i(x)^2 seen at each point; `random` is whether two fits can differ."""

    sizes: tuple[int, ...]
    widths: tuple[int, ...]
    values: NDArray[np.float64]
    norms: NDArray[np.float64]
    features: NDArray[np.float64]
    random: bool

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.norms).all())


def draw(subject: FeatureMap, points: Points, design: Design, advance: Callable[[str], object] = lambda now: None) -> Trials:
    """Fit and transform with fresh seeds, `design.trials` times at each size, once if the map is not random. Raises MapError."""
    random = subject.random or _varies(subject, points, design)
    trials = design.trials if random else 1
    values = np.empty((len(design.sizes), trials, len(points.k)))
    norms, features = np.zeros((2, len(design.sizes), len(points.X)))
    widths = []
    for j, s in enumerate(design.sizes):
        seeds = Stream(design.seed, (1, s)).rng().integers(SEEDS, size=trials)
        width = 0
        for t, seed in enumerate(seeds.tolist()):
            phi = _features(subject, s, seed, points)
            squares = phi * phi
            values[j, t], width = points.products(phi), phi.shape[1]
            np.maximum(norms[j], squares.sum(axis=1), out=norms[j])
            np.maximum(features[j], width * squares.max(axis=1), out=features[j])
            advance(f"draws at s = {s}")
        widths.append(width)
    return Trials(design.sizes, tuple(widths), values, norms, features, random)


def _varies(subject: FeatureMap, points: Points, design: Design) -> bool:
    """Whether a map without a seed is random all the same."""
    one, two = (subject.features(design.sizes[-1], 0, points.data, points.X) for _ in range(2))
    return one.tobytes() != two.tobytes()


def _features(subject: FeatureMap, s: int, seed: int, points: Points) -> NDArray[np.float64]:
    phi = np.asarray(subject.features(s, seed, points.data, points.X), dtype=np.float64)
    if phi.ndim != 2 or len(phi) != len(points.X) or phi.shape[1] == 0:
        raise MapError(f"transform of {subject.name} gives shape {phi.shape} for {len(points.X)} points; it must give one row a point.")
    return phi
