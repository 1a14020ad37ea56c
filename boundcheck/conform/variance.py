"""Variance of phi(x)^T phi(y): bets on halves of squared differences of two draws, whose mean it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf, log

import numpy as np

from boundcheck.checking.confidence import BoundedSample
from boundcheck.checking.verdict import Outcome
from boundcheck.conform.moments import NO_RANGE, SLACK, Moments
from boundcheck.conform.result import Item

COARSE = 2.0
"""A variance of so many times the stated one must be excluded at the smallest size before "variance" holds."""


@dataclass(frozen=True)
class Spread:
    """The variance at a pair with s features: stated, seen, a lower bound if above the stated one, an upper one where looked at."""

    pair: str
    s: int
    stated: float
    mean: float
    low: float
    high: float


def variance(this: Moments) -> Item:
    """Var <= V / s at every pair and size: halves of squared differences of two draws have the variance as their mean."""
    if this.kernel.variance is None or not this.trials.finite or not np.isfinite(this.reach).all():
        return _no_variance(this)
    stated = this.kernel.variance(this.points.X[this.points.left], this.points.X[this.points.right])
    cells = [(j, p) for j in range(len(this.plan.sizes)) for p in range(len(this.points.k))]
    level = this.share / (2 * len(cells))
    found = [_spread(this, j, p, float(stated[p]), level) for j, p in cells]
    wrong = [spread for spread in found if spread.low > spread.stated * (1 + SLACK)]
    if wrong:
        spread = max(wrong, key=lambda spread: spread.low / max(spread.stated, 1e-300))
        reason = f"Var is at least {spread.low:.3g} and stated is {spread.stated:.3g} at (x, y) = {spread.pair}, s = {spread.s}"
        return Item("variance", Outcome.REFUTED, reason, asdict(spread))
    return _within(this, found)


def _within(this: Moments, found: list[Spread]) -> Item:
    stated = [spread for spread in found if spread.stated > 0]
    tightest = max(stated, key=lambda spread: spread.mean / spread.stated)
    loosest = max((spread for spread in stated if spread.s == this.trials.widths[0]), key=lambda spread: spread.high / spread.stated)
    reason = (
        f"the largest sample variance is {tightest.mean / tightest.stated:.3g} of the stated one, at {tightest.pair}, s = {tightest.s};"
        f" none of {len(found)} pairs and sizes is surely above it, and at s = {loosest.s} none"
        f" above {loosest.high / loosest.stated:.3g} of it"
    )
    if loosest.high > COARSE * loosest.stated:
        return Item("variance", Outcome.INCONCLUSIVE, f"{reason}: give more --trials", asdict(loosest))
    return Item("variance", Outcome.HOLDS, reason, asdict(tightest))


def _no_variance(this: Moments) -> Item:
    if not np.isfinite(this.reach).all() or not this.trials.finite:
        return Item("variance", Outcome.INCONCLUSIVE, NO_RANGE)
    seen = float(np.var(this.trials.values[-1], axis=0).max())
    why = f"no variance is stated for these features; the largest seen at s = {this.plan.sizes[-1]} is {seen:.3g}"
    return Item("variance", Outcome.VACUOUS, why)


def _spread(this: Moments, j: int, p: int, stated: float, level: float) -> Spread:
    draws = this.trials.values[j, :, p]
    half = len(draws) // 2
    halves = (draws[:half] - draws[half : 2 * half]) ** 2 / 2
    low = 0.0 if this.points.same[p] else -this.reach[p]
    sample = BoundedSample(0.0, float((this.reach[p] - low) ** 2 / 2) * (1 + SLACK)).observe(halves)
    s = this.trials.widths[j]
    above = sample.log_e_values(stated / s)[0] >= -log(level)
    low, high = sample.lower(level) if above else 0.0, inf if j else sample.upper(level)
    return Spread(this.points.labels[p], s, stated / s, float(np.mean(halves)) if half else 0.0, low, high)
