"""Bias of phi(x)^T phi(y): bets at every pair and size, and intervals at the largest size."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log

import numpy as np

from boundcheck.checking.confidence import BoundedSample
from boundcheck.checking.verdict import Outcome
from boundcheck.conform.moments import NO_RANGE, SLACK, Moments
from boundcheck.conform.result import Item

RESOLVED = 0.1
"""A bias of this part of sqrt(k(x, x) k(y, y)) must be excluded at the largest size before "unbiased" holds."""


@dataclass(frozen=True)
class Bias:
    """What is known of E phi(x)^T phi(y) at a pair and a size; `width` is the largest bias left, relative to the scale."""

    pair: str
    s: int
    k: float
    interval: tuple[float, float]
    width: float
    refuted: bool

    @property
    def size(self) -> float:
        """How far the interval is from k."""
        return max(self.interval[0] - self.k, self.k - self.interval[1])


def unbiased(this: Moments) -> Item:
    """Every pair at every size, both sides; an interval at the largest size."""
    level = this.share / (2 * len(this.points.k) * len(this.plan.sizes))
    found = [_bias(this, j, p, level) for j in range(len(this.plan.sizes)) for p in range(len(this.points.k))]
    wrong = [bias for bias in found if bias.refuted]
    if wrong:
        worst = max(wrong, key=lambda bias: bias.size)
        numbers = {"interval": list(worst.interval), "k": worst.k, "pair": worst.pair, "s": worst.s}
        return Item("unbiased", Outcome.REFUTED, _biased(this, worst, len(wrong), len(found)), numbers)
    return _none_biased(this, found[-len(this.points.k) :])


def _none_biased(this: Moments, last: list[Bias]) -> Item:
    worst = max(last, key=lambda bias: bias.width)
    numbers = {"largest_bias_possible": worst.width, "pair": worst.pair}
    looked = f"no pair of {len(last)} at s = {_list(this.plan.sizes)} is biased, by {this.plan.trials} trials each"
    if worst.width <= RESOLVED:
        reason = f"{looked}; at s = {worst.s} a bias is at most {worst.width:.2g} of sqrt(k(x, x) k(y, y))"
        return Item("unbiased", Outcome.HOLDS, reason, numbers)
    reason = f"{looked}, but a bias of {RESOLVED:g} would have been missed at {worst.pair}: {_more(this, worst.width)}"
    return Item("unbiased", Outcome.INCONCLUSIVE, reason, numbers)


def _more(this: Moments, width: float) -> str:
    if not isfinite(width):
        return NO_RANGE
    return f"about {this.plan.trials * (width / RESOLVED) ** 2:.1g} trials would show it"


def _bias(this: Moments, j: int, p: int, level: float) -> Bias:
    k, scale, s = this.points.k[p], this.points.scale[p], this.plan.sizes[j]
    sample = _sample(this, j, p)
    if sample is None:
        return Bias(this.points.labels[p], s, k, (-inf, inf), inf, False)
    refuted = max(sample.log_e_values(k)) >= -log(level)
    if not refuted and s != this.plan.sizes[-1]:
        return Bias(this.points.labels[p], s, k, (-inf, inf), inf, False)
    low, high = sample.interval(level)
    return Bias(this.points.labels[p], s, k, (low, high), float(max(high - k, k - low) / scale), refuted)


def _sample(this: Moments, j: int, p: int) -> BoundedSample | None:
    """The products of a pair; squares are not negative whatever the range."""
    reach, low = float(this.reach[p]), 0.0 if this.points.same[p] else -float(this.reach[p])
    if not isfinite(low) or not this.trials.finite:
        return None
    return BoundedSample(low, reach).observe(this.trials.values[j, :, p])


def _biased(this: Moments, bias: Bias, wrong: int, tests: int) -> str:
    low, high = bias.interval
    draws = this.trials.values[this.plan.sizes.index(bias.s), :, this.points.labels.index(bias.pair)]
    alike = f", where all draws are {draws[0]:.6g}" if np.ptp(draws) <= SLACK else ""
    return (
        f"E phi(x)^T phi(y) is in [{low:.4g}, {high:.4g}] and k = {bias.k:.4g} at (x, y) = {bias.pair}, s = {bias.s}{alike};"
        f" {wrong} of {tests} pairs and sizes, {this.plan.trials} trials each"
    )


def _list(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes))
