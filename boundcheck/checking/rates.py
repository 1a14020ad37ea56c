"""Trials of a rate: means at several sizes, sampled side by side, and the band that they leave for the slope."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from boundcheck.checking.confidence import BoundedSample, pointwise_level, slope_band
from boundcheck.checking.sampling import Stream, chunks, observed, provenance, sample_of, surely_observed
from boundcheck.checking.trials import Certain
from boundcheck.laws.means import Mean
from boundcheck.laws.quantities import Quantity
from boundcheck.words.statements import Inequality, MeanForm


@dataclass(frozen=True)
class RateForm:
    """The slope of log E(q_s) against log s is at most `bound`; every q_s >= 0 has a known range."""

    sizes: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    bound: Any


@dataclass(frozen=True)
class RateTrial:
    """What sampling says about a rate: the trials at each size, the band of the slope, and the decision."""

    decision: str
    trials: int
    lower: float
    upper: float


def rate_form(statement: Inequality) -> RateForm | None:
    """The statement as a bound on the slope of expectations of known range, if it is that."""
    slope = statement.slope
    if slope is None or not all(isinstance(value, Mean) and value.of is not None for value in slope.values):
        return None
    quantities = tuple(value.of for value in slope.values)
    ranged = all(q.low is not None and q.high is not None for q in quantities)
    return RateForm(slope.sizes, quantities, statement.rhs) if ranged else None


class Sampled:
    """The means of a rate as trials come in, a stream for each size."""

    def __init__(self, form: RateForm, level: float, sure: Certain | None = None):
        """With `sure`, values are moved by their rounding, down for the lower bounds and up for the upper ones."""
        self.sizes, self.bound, self.sure = form.sizes, float(form.bound), sure
        self.level = pointwise_level(level, len(form.sizes))
        self.means = [MeanForm(q, "le", 0.0) for q in form.quantities]
        self.lows = self.highs = [sample_of(mean) for mean in self.means]

    def add(self, stream: Stream, k: int, size: int) -> None:
        """One batch more at every size."""
        rngs = [lambda j=j: stream.child(j, k).rng() for j in range(len(self.means))]
        if self.sure is None:
            self.lows = self.highs = [observed(s, m, rng(), size) for s, m, rng in zip(self.lows, self.means, rngs, strict=True)]
            return
        for relation in ("le", "ge"):
            samples = self.lows if relation == "le" else self.highs
            moved = [
                surely_observed(s, replace(m, relation=relation), rng(), size, self.sure, lambda x, j=j: x.slope.values[j].of)
                for j, (s, m, rng) in enumerate(zip(samples, self.means, rngs, strict=True))
            ]
            self.lows, self.highs = (moved, self.highs) if relation == "le" else (self.lows, moved)

    def intervals(self) -> tuple[list[float], list[float]]:
        return [max(low.lower(self.level), 0.0) for low in self.lows], [high.upper(self.level) for high in self.highs]

    def band(self) -> tuple[float, float]:
        return slope_band(np.log(self.sizes), *self.intervals())


def decide_rate(form: RateForm, stream: Stream, trials: int, level: float) -> RateTrial:
    """Sample until the band of the slope lies on one side of the bound, or the trials are used up."""
    sampled, made, band = Sampled(form, level), 0, (-np.inf, np.inf)
    for k, (_, size) in enumerate(chunks(stream, trials)):
        sampled.add(stream, k, size)
        made, band = made + size, sampled.band()
        if band[0] > sampled.bound or band[1] <= sampled.bound:
            break
    decision = "above" if band[0] > sampled.bound else "below" if band[1] <= sampled.bound else "open"
    return RateTrial(decision, made, *band)


def confirm_rate(form: RateForm, stream: Stream, trials: int, level: float, sure: Certain) -> dict[str, Any] | None:
    """Fresh trials until they refute the bound on the slope at `level`: what a certificate keeps, or None."""
    sampled = Sampled(form, level, sure)
    for k, (_, size) in enumerate(chunks(stream, trials)):
        sampled.add(stream, k, size)
        if sampled.band()[0] > sampled.bound:
            return {"sizes": list(form.sizes), "points": _points(sampled), **provenance(stream, level)}
    return None


def _points(sampled: Sampled) -> list[dict[str, Any]]:
    """For each size the bound of its mean that makes the slope small, and the cells that show it."""
    ends = zip(sampled.lows, sampled.highs, _sides(sampled.sizes), strict=True)
    return [_point(low if side == "above" else high, side, sampled.level) for low, high, side in ends]


def _sides(sizes: tuple[int, ...]) -> list[str]:
    """Which bound of the mean makes the slope small: by the sign of log s - mean of the logs, exactly."""
    product = prod(sizes)
    return ["above" if s ** len(sizes) > product else "below" if s ** len(sizes) < product else "none" for s in sizes]


def _point(sample: BoundedSample, side: str, level: float) -> dict[str, Any]:
    if side == "none":
        return {"side": side, "mean": "1", "cells": []}
    mean, cells = (sample.lower(level), sample.cells) if side == "above" else (sample.upper(level), sample.depths)
    return {"side": side, "mean": str(Fraction(mean)), "cells": [[str(Fraction(height)), count] for height, count in cells if count]}
