"""Draws of a feature map at each size, and what is kept of them: products at the pairs and the largest features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boundcheck.checking.sampling import Stream
from boundcheck.conform.maps import FeatureMap, MapError
from boundcheck.conform.plan import Plan
from boundcheck.conform.points import Points

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


def draw(subject: FeatureMap, points: Points, plan: Plan, advance: Callable[[], object] = lambda: None) -> Trials:
    """Fit and transform with fresh seeds, `plan.trials` times at each size, once if the map is not random. Raises MapError."""
    random = subject.random or _varies(subject, points, plan)
    trials = plan.trials if random else 1
    values = np.empty((len(plan.sizes), trials, len(points.k)))
    norms, features = np.zeros((2, len(plan.sizes), len(points.X)))
    widths = []
    for j, s in enumerate(plan.sizes):
        seeds = Stream(plan.seed, (1, s)).rng().integers(SEEDS, size=trials)
        width = 0
        for t, seed in enumerate(seeds.tolist()):
            phi = _features(subject, s, seed, points)
            squares = phi * phi
            values[j, t], width = points.products(phi), phi.shape[1]
            np.maximum(norms[j], squares.sum(axis=1), out=norms[j])
            np.maximum(features[j], width * squares.max(axis=1), out=features[j])
            advance()
        widths.append(width)
    return Trials(plan.sizes, tuple(widths), values, norms, features, random)


def _varies(subject: FeatureMap, points: Points, plan: Plan) -> bool:
    """Whether a map without a seed is random all the same."""
    one, two = (subject.features(plan.sizes[-1], 0, points.data, points.X) for _ in range(2))
    return one.tobytes() != two.tobytes()


def _features(subject: FeatureMap, s: int, seed: int, points: Points) -> NDArray[np.float64]:
    phi = np.asarray(subject.features(s, seed, points.data, points.X), dtype=np.float64)
    if phi.ndim != 2 or len(phi) != len(points.X) or phi.shape[1] == 0:
        raise MapError(f"transform of {subject.name} gives shape {phi.shape} for {len(points.X)} points; it must give one row a point.")
    return phi
