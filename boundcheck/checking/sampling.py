"""Trials of a statement that has no finite law: counts on a stream of its own, and what they decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from boundcheck.checking.confidence import BernoulliSequence, BoundedSample, critical_failures
from boundcheck.quantities import World, evaluate
from boundcheck.statements import Chance, Inequality
from boundcheck.worlds import ROUNDING, outcomes

FIRST_CHUNK = 256
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


def count(statement: Chance, rng: np.random.Generator, size: int) -> Counts:
    """One batch of trials."""
    with np.errstate(all="ignore"):
        result = outcomes(statement.event, World(rng, size))
    against = -1 if statement.relation == "ge" else 1
    return Counts(size, int(np.sum(result == against)), int(np.sum(result == 0)))


@dataclass(frozen=True)
class Trial:
    """What sampling says about one instance: "above", "below" or "open", with the counts and an interval."""

    decision: str
    counts: Counts
    lower: float
    upper: float


def decide(statement: Chance, stream: Stream, trials: int, level: float) -> Trial:
    """Sample until the anytime-valid sequence decides P(against) <= delta, or the trials are used up."""
    delta = allowed(statement)
    sequence, total = BernoulliSequence(delta, level), Counts()
    for rng, size in chunks(stream, trials):
        total = total + count(statement, rng, size)
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
    return float(np.clip(1 - bound if statement.relation == "ge" else bound, 1e-15, 1 - 1e-12))


def confirm(statement: Chance, stream: Stream, trials: int, level: float) -> dict[str, Any] | None:
    """One planned look on fresh randomness: the counts for a certificate if they refute at `level`."""
    total = Counts()
    for rng, size in chunks(stream, trials):
        total = total + count(statement, rng, size)
    if total.against < critical_failures(allowed(statement), trials, level):
        return None
    return {
        "trials": trials, "failures": total.against, "alpha": str(_above(level)),
        "generator": f"numpy.random.Philox, chunks of {FIRST_CHUNK} doubling to {LARGEST_CHUNK}",
        "seed": [stream.entropy, *stream.key],
    }  # fmt: skip


def _above(level: float) -> Any:
    from fractions import Fraction

    return Fraction(level)


@dataclass(frozen=True)
class MeanTrial:
    """What sampling says about E(q) <= bound (or >=): an interval for E(q), and the decision."""

    decision: str
    trials: int
    lower: float
    upper: float


def decide_mean(form: MeanForm, stream: Stream, trials: int, level: float) -> MeanTrial:
    """Betting bounds on one expectation of a quantity of known range."""
    low, high, sample = float(form.low), float(form.high), BoundedSample(float(form.low), float(form.high))
    slack = ROUNDING * (abs(low) + abs(high))
    for rng, size in chunks(stream, trials):
        values = np.asarray(evaluate(form.quantity, World(rng, size)), dtype=float)
        inside = np.clip(values, low, high)
        sample = sample.observe(np.where(np.abs(inside - values) <= slack, inside, values))
        if max(sample.log_e_values(form.bound)) >= -np.log(level):
            break
    lower, upper = sample.interval(level)
    above, below = lower > form.bound, upper < form.bound
    wrong, right = (above, below) if form.relation == "le" else (below, above)
    return MeanTrial("above" if wrong else "below" if right else "open", sample.trials, lower, upper)


@dataclass(frozen=True)
class MeanForm:
    """E(quantity) relation bound, all scalar."""

    quantity: Any
    relation: str
    bound: float
    low: Any
    high: Any


def mean_form(statement: Inequality) -> MeanForm | None:
    """The statement as a bound on the expectation of one scalar quantity, if it is that."""
    for side, other, relation in ((statement.lhs, statement.rhs, "le"), (statement.rhs, statement.lhs, "ge")):
        quantity = getattr(side, "of", None)
        if quantity is not None and statement.relation == "at_most" and np.ndim(other) == 0 and not hasattr(other, "of"):
            return MeanForm(quantity, relation, float(other), quantity.low, quantity.high)
    return None


def coin(form: MeanForm) -> Chance:
    """The same bound about a coin: U <= (q - low) / (high - low) has the scaled mean as its probability."""
    from boundcheck.quantities import quantity

    uniform = quantity(lambda rng, size: rng.random(size))
    scaled = (form.quantity - form.low) / (form.high - form.low)
    event = uniform <= scaled
    return Chance(event, form.relation, (form.bound - form.low) / (form.high - form.low))
