"""Trials of a statement that has no finite law: counts on a stream of its own, and what they decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np

from boundcheck.checking.confidence import BernoulliSequence, BoundedSample, critical_failures
from boundcheck.checking.trials import Certain, Drawn, Pick, mean_of
from boundcheck.laws.quantities import World, evaluate
from boundcheck.laws.worlds import ROUNDING, outcomes
from boundcheck.words.statements import Chance, MeanForm

FIRST_CHUNK = 64
LARGEST_CHUNK = 16_384
SEARCH, CONFIRM = 1, 2
"""Streams: a candidate found on the first counts only after fresh trials on the second."""


@dataclass(frozen=True)
class Stream:
    """Where randomness comes from: entropy and key fix every number, on any machine."""

    entropy: int
    key: tuple[int, ...]

    @classmethod
    def of(cls, entropy: int, claim_id: str, *key: int) -> Stream:
        return cls(entropy, (crc32(claim_id.encode()), *key))

    def child(self, *key: int) -> Stream:
        return Stream(self.entropy, (*self.key, *key))

    def rng(self) -> np.random.Generator:
        return np.random.Generator(np.random.Philox(np.random.SeedSequence(self.entropy, spawn_key=self.key)))

    def number(self) -> int:
        """A seed for a library that wants an integer."""
        return int(np.random.SeedSequence(self.entropy, spawn_key=self.key).generate_state(1, np.uint64)[0])


@dataclass(frozen=True)
class Counts:
    """Trials made, those that surely count against the statement, and ties."""

    trials: int = 0
    against: int = 0
    ties: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.trials + other.trials, self.against + other.against, self.ties + other.ties)


def chunks(stream: Stream, trials: int) -> Iterator[tuple[np.random.Generator, int]]:
    """Generators and sizes: chunk k of a stream is the same however many chunks are made."""
    done, size, k = 0, FIRST_CHUNK, 0
    while done < trials:
        take = min(size, trials - done)
        yield stream.child(k).rng(), take
        done, size, k = done + take, min(2 * size, LARGEST_CHUNK), k + 1


def count(statement: Chance, rng: np.random.Generator, size: int, sure: Certain) -> Counts:
    """One batch of trials; one that floats count against the statement does so only if it surely does."""
    return _counted(statement, rng, size, sure)[0]


def _counted(statement: Chance, rng: np.random.Generator, size: int, sure: Certain, thorough: bool = False) -> tuple[Counts, bool]:
    """The same, and whether floats were right about the trials in favour; if thorough, these count only as surely too."""
    drawn = Drawn(rng.bit_generator)
    with np.errstate(all="ignore"):
        result = outcomes(statement.event, World(drawn, size)).copy()
    against, floats = -1 if statement.relation == "ge" else 1, result.copy()
    rows = np.flatnonzero(result == against)
    if rows.size:
        result[rows] = np.where(sure.outcomes(drawn.log, size, rows) == against, against, 0)
    rows = np.flatnonzero(floats == -against) if thorough else rows[:0]
    if rows.size:
        before, exact = len(sure.doubts), sure.outcomes(drawn.log, size, rows, trusting=True)
        result[rows] = result[rows] if len(sure.doubts) > before and not sure.too_wide else exact
    right = bool(np.all((floats != -against) | (result == -against)))
    return Counts(size, int(np.sum(result == against)), int(np.sum(result == 0))), right


@dataclass(frozen=True)
class Trial:
    """What sampling says about one instance: "above", "below" or "open", with the counts and an interval."""

    decision: str
    counts: Counts
    lower: float
    upper: float


def decide(statement: Chance, stream: Stream, trials: int, level: float, sure: Certain, before: Counts = Counts()) -> Trial:
    """Sample until the anytime-valid sequence decides P(against) <= delta, or so many trials more are used up.

    The first trials show whether floats can be trusted with those in favour; if not, all are looked at beyond rounding.

    `before` are trials of the same statement on other streams: the sequence goes on where they ended.
    """
    delta = allowed(statement)
    sequence, total = BernoulliSequence(delta, level), before
    thorough = True
    for rng, size in chunks(stream, trials):
        counts, right = _counted(statement, rng, size, sure, thorough)
        thorough, total = thorough and not right, total + counts
        against, _ = sequence.log_e_values(total.against, total.trials)
        _, favour = sequence.log_e_values(total.against + total.ties, total.trials)
        if max(against, favour) >= -np.log(level):
            return _trial("above" if against > favour else "below", sequence, total)
    return _trial("open", sequence, total)


def _trial(decision: str, sequence: BernoulliSequence, total: Counts) -> Trial:
    lower, _ = sequence.estimate(total.against, total.trials)
    _, upper = sequence.estimate(total.against + total.ties, total.trials)
    return Trial(decision, total, lower, upper)


def allowed(statement: Chance) -> float:
    """The failure probability that the statement tolerates, kept inside (0, 1) for the tests."""
    bound = float(statement.bound)
    return float(np.clip(1 - bound if statement.relation == "ge" else bound, 1e-18, 1 - 1e-12))


def confirm(statement: Chance, stream: Stream, trials: int, level: float, sure: Certain) -> dict[str, Any] | None:
    """One planned look on fresh randomness: the counts for a certificate if they refute at `level`."""
    total = Counts()
    for rng, size in chunks(stream, trials):
        total = total + count(statement, rng, size, sure)
    if total.against < critical_failures(allowed(statement), trials, level):
        return None
    return {"trials": trials, "failures": total.against, **provenance(stream, level)}


def confirm_mean(form: MeanForm, stream: Stream, trials: int, level: float, sure: Certain) -> dict[str, Any] | None:
    """Fresh trials until bets on them refute the bound at `level`: the cells for a certificate, or None."""
    sample = sample_of(form)
    for rng, size in chunks(stream, trials):
        sample = surely_observed(sample, form, rng, size, sure)
        if evidence(sample, form)[0] >= -np.log(level):
            cells = sample.cells if form.relation == "le" else sample.depths
            kept = [[str(Fraction(height)), count] for height, count in cells if count]
            return {"cells": kept, **provenance(stream, level)}
    return None


def provenance(stream: Stream, level: float) -> dict[str, Any]:
    """Where the trials came from, and the error level as a rational not below it."""
    generator = f"numpy.random.Philox, chunks of {FIRST_CHUNK} doubling to {LARGEST_CHUNK}"
    return {"alpha": str(Fraction(level)), "generator": generator, "seed": [stream.entropy, *stream.key]}


@dataclass(frozen=True)
class MeanTrial:
    """What sampling says about E(q) <= bound (or >=): new trials, all of them, an interval for E(q), and the decision."""

    decision: str
    trials: int
    sample: BoundedSample
    lower: float
    upper: float
    mean: float


def sample_of(form: MeanForm) -> BoundedSample:
    """No values yet; a bound from below needs a finite lower end, one from above a finite upper end.

    Where only the upper end is known the quantity is looked at upside down.
    """
    low, high = (np.inf if x is None else float(x) for x in (form.low, form.high))
    return BoundedSample(low if np.isfinite(low) else -high, high if np.isfinite(low) else np.inf)


def observed(sample: BoundedSample, form: MeanForm, rng: np.random.Generator, size: int) -> BoundedSample:
    """The sample with one batch more; what rounding pushed out of the range is put back to its end."""
    values = np.asarray(evaluate(form.quantity, World(rng, size)), dtype=float)
    values = values if form.low is not None else -values
    inside = np.clip(values, sample.low, sample.high)
    slack = ROUNDING * (abs(sample.low) + np.abs(values))
    return sample.observe(np.where(np.abs(inside - values) <= slack, inside, values))


def surely_observed(
    sample: BoundedSample, form: MeanForm, rng: np.random.Generator, size: int, sure: Certain, pick: Pick = mean_of
) -> BoundedSample:
    """The same, every value moved by its rounding in favour of the statement; one of which nothing is known is at that end."""
    drawn = Drawn(rng.bit_generator)
    evaluate(form.quantity, World(drawn, size))
    values, radius = sure.values(drawn.log, size, pick)
    moved = values - radius if form.relation == "le" else values + radius
    moved = moved if form.low is not None else -moved
    return sample.observe(np.clip(np.nan_to_num(moved, nan=sample.low), sample.low, _top(sample, values, form)))


def _top(sample: BoundedSample, values: np.ndarray, form: MeanForm) -> float:
    """The upper end; where there is none, what a value without a bound counts as."""
    finite = values[np.isfinite(values)]
    return sample.high if np.isfinite(sample.high) else float(np.max(np.abs(finite), initial=abs(sample.low) + 1.0))


def evidence(sample: BoundedSample, form: MeanForm) -> tuple[float, float]:
    """log evidence against and for the statement."""
    bound = float(form.bound)
    above, below = sample.log_e_values(bound if form.low is not None else -bound)
    upright = (form.relation == "le") == (form.low is not None)
    return (above, below) if upright else (below, above)


def decide_mean(form: MeanForm, stream: Stream, trials: int, level: float, cells: Any = ()) -> MeanTrial:
    """Betting bounds on one expectation of a quantity of known range, after the `cells` of trials on other streams."""
    before = replace(sample_of(form), cells=tuple((float(height), int(count)) for height, count in cells))
    sample, wrong, right = before, 0.0, 0.0
    for rng, size in chunks(stream, trials):
        sample = observed(sample, form, rng, size)
        wrong, right = evidence(sample, form)
        if max(wrong, right) >= -np.log(level):
            break
    lower, upper = sample.interval(level)
    lower, upper = (lower, upper) if form.low is not None else (-upper, -lower)
    decision = "above" if wrong >= -np.log(level) else "below" if right >= -np.log(level) else "open"
    mean = sample.mean if form.low is not None else -sample.mean
    return MeanTrial(decision, sample.trials - before.trials, sample, lower, upper, mean)
