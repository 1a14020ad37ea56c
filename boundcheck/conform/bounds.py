"""Whether features stay within their stated bounds, or grow without one."""

from __future__ import annotations

from math import isfinite

import numpy as np

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.kernels import Kernel
from boundcheck.conform.maps import FeatureMap
from boundcheck.conform.points import Points
from boundcheck.conform.result import Item
from boundcheck.conform.trials import Trials

ROUNDING = 1e-9
"""What rounding may add to a bound, relative to it."""

STRETCHES = (1.0, 10.0, 100.0, 1000.0)


def bounded(subject: FeatureMap, kernel: Kernel, points: Points, trials: Trials) -> Item:
    """The largest |phi(x)|^2 and s phi_i(x)^2 of all draws against what is stated; without a bound, growth along a ray."""
    if not trials.finite:
        return Item("bounded", Outcome.REFUTED, "a feature is infinite or not a number at the probe points")
    norm, feature = float(trials.norms.max()), float(trials.features.max())
    seen = f"the largest |phi(x)|^2 is {norm:.4g}, the largest s phi_i(x)^2 is {feature:.4g}"
    numbers = {"largest_norm": norm, "largest_feature": feature}
    if isfinite(kernel.bound):
        return _against(kernel, norm, feature, seen, numbers)
    return _growing(subject, kernel, points, trials, seen, numbers)


def _against(kernel: Kernel, norm: float, feature: float, seen: str, numbers: dict[str, float]) -> Item:
    stated = f"stated are {kernel.bound:g} and {f'{kernel.feature:g}' if isfinite(kernel.feature) else 'nothing'}"
    over = norm > kernel.bound * (1 + ROUNDING) or feature > kernel.feature * (1 + ROUNDING)
    return Item("bounded", Outcome.REFUTED if over else Outcome.HOLDS, f"{seen}; {stated}", {**numbers, "stated": kernel.bound})


def _growing(subject: FeatureMap, kernel: Kernel, points: Points, trials: Trials, seen: str, numbers: dict[str, float]) -> Item:
    """|phi(t x)|^2 at t = 1, 10, 100, 1000: a map whose square norm at least doubles at each step has no bound."""
    reaches = kernel.reaches(points.X)
    kept = f"; at each x |phi(x)|^2 stays within its own bound, {reaches.max():.4g} at most" if _within(trials, reaches) else ""
    ray = points.X[1] * np.array(STRETCHES)[:, None]
    grown = np.square(subject.features(trials.sizes[-1], 0, points.data, ray), dtype=np.float64).sum(axis=1)
    numbers = {**numbers, "growth": grown.tolist()}
    if np.all(np.diff(np.log(np.maximum(grown, 1e-300))) > np.log(2)):
        values = ", ".join(f"{value:.3g}" for value in grown)
        return Item("bounded", Outcome.REFUTED, f"|phi(t x)|^2 = {values} at t = 1, 10, 100, 1000: no bound for all x{kept}", numbers)
    return Item("bounded", Outcome.INCONCLUSIVE, f"{seen}; no bound is stated: give one with --bound", numbers)


def _within(trials: Trials, reaches: np.ndarray) -> bool:
    return bool(np.isfinite(reaches).all() and (trials.norms <= reaches * (1 + ROUNDING)).all())
