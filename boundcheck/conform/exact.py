"""Bias and rate of a map without randomness: one look at each size is exact up to rounding."""

from __future__ import annotations

import numpy as np

from boundcheck.checking.confidence import slope_band
from boundcheck.checking.verdict import Outcome
from boundcheck.conform.points import Points
from boundcheck.conform.rate import NO_SIZE, judged_rate
from boundcheck.conform.result import Item
from boundcheck.conform.trials import Trials

ROUNDING = 1e-9
"""A bias below this part of sqrt(k(x, x) k(y, y)) may be rounding."""


def unbiased(trials: Trials, points: Points) -> Item:
    """The bias at every pair and size."""
    bias = (trials.values[:, 0] - points.k) / points.scale
    largest = np.abs(bias).max(axis=1)
    j, p = np.unravel_index(np.abs(bias).argmax(), bias.shape)
    sizes = ", ".join(f"{value:.4g} with {width} features" for value, width in zip(largest, trials.widths, strict=True))
    reason = f"no randomness; the largest |phi(x)^T phi(y) - k| / sqrt(k(x, x) k(y, y)) is {sizes}"
    numbers = {"largest_bias": largest.tolist(), "features": list(trials.widths)}
    if largest.max() <= ROUNDING:
        return Item("unbiased", Outcome.HOLDS, reason, numbers)
    worst = f"phi(x)^T phi(y) = {trials.values[j, 0, p]:.6g} and k = {points.k[p]:.6g} at (x, y) = {points.labels[p]}"
    return Item("unbiased", Outcome.REFUTED, f"{reason}; {worst} with {trials.widths[j]} features", {**numbers, "pair": points.labels[p]})


def variance() -> Item:
    """Nothing varies."""
    return Item("variance", Outcome.VACUOUS, "the map takes no random_state: nothing varies")


def rate(trials: Trials, points: Points) -> Item:
    """The slope of the squared error, averaged over the pairs, against the number of features."""
    if len(set(trials.widths)) < len(trials.widths):
        return NO_SIZE
    errors = np.mean(((trials.values[:, 0] - points.k) / points.scale) ** 2, axis=1)
    if not np.isfinite(errors).all():
        return Item("rate", Outcome.INCONCLUSIVE, "a feature is infinite or not a number")
    if errors.max() <= ROUNDING**2:
        return Item("rate", Outcome.HOLDS, "the error is rounding at every size")
    return judged_rate(slope_band(np.log(trials.widths), errors, errors), trials.widths, errors.tolist())
