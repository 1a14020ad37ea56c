"""Rate of the squared error of phi(x)^T phi(y): a band for the slope against s on logarithmic scales."""

from __future__ import annotations

import numpy as np

from boundcheck.checking.confidence import BoundedSample, pointwise_level, slope_band
from boundcheck.checking.verdict import Outcome
from boundcheck.conform.moments import NO_RANGE, SLACK, Moments
from boundcheck.conform.result import Item

SLOWEST = -0.9
"""A slope surely above this is slower than 1 / s; the tenth is for terms of higher order at sizes this small."""

ALREADY_SLOW = -0.5
"""A slope surely below this tells 1 / s from 1 / sqrt(s)."""


NO_SIZE = Item("rate", Outcome.VACUOUS, "the number of features does not follow s")


def rate(this: Moments) -> Item:
    """The slope of the squared error, averaged over the pairs, against s."""
    if len(set(this.trials.widths)) < len(this.trials.widths):
        return NO_SIZE
    ranges = ((this.reach + np.abs(this.points.k)) / this.points.scale) ** 2
    if not this.trials.finite or not np.isfinite(ranges).all():
        return Item("rate", Outcome.INCONCLUSIVE, NO_RANGE)
    errors = np.mean(((this.trials.values - this.points.k) / this.points.scale) ** 2, axis=2)
    top, level = float(ranges.mean()) * (1 + SLACK), pointwise_level(this.share / 2, len(this.plan.sizes))
    ends = [BoundedSample(0.0, top).observe(row).interval(level) for row in errors]
    band = slope_band(np.log(this.trials.widths), *zip(*ends, strict=True))
    return judged_rate(band, this.trials.widths, errors.mean(axis=1).tolist())


def judged_rate(band: tuple[float, float], widths: tuple[int, ...], errors: list[float]) -> Item:
    """The verdict on a slope known to lie in a band."""
    low, high = band
    seen = ", ".join(f"{error:.3g} at s = {s}" for s, error in zip(widths, errors, strict=True))
    numbers = {"slope": [low, high], "errors": errors, "sizes": list(widths)}
    reason = f"the slope of log mean squared error is in [{low:.3g}, {high:.3g}]; mean squared error {seen}"
    if low > SLOWEST:
        return Item("rate", Outcome.REFUTED, f"{reason}: slower than 1 / s", numbers)
    if high < ALREADY_SLOW:
        return Item("rate", Outcome.HOLDS, f"{reason}: compatible with 1 / s", numbers)
    return Item("rate", Outcome.INCONCLUSIVE, f"{reason}: the band does not tell 1 / s from 1 / sqrt(s); give more --trials", numbers)
