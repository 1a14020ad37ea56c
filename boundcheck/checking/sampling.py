"""Trials of a statement that has no finite law: of an event, a mean or a rate, on a stream of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any
from zlib import crc32

import numpy as np

from boundcheck.checking.confidence import (
    BernoulliSequence,
    critical_failures,
    trials_to_decide,
)
from boundcheck.checking.confidence.bounded_mean import (
    BoundedSample,
    OutOfRange,
    SpreadSample,
    pointwise_level,
    slope_band,
)
from boundcheck.checking.draws import Drawn
from boundcheck.checking.trials import DIGITS, VAGUE, Certain, Pick, mean_of
from boundcheck.laws.quantities import Mean, Quantity, World, evaluate
from boundcheck.laws.worlds import ROUNDING, outcomes
from boundcheck.tape import NotTraceable
from boundcheck.words.statements import Chance, Inequality, MeanForm

BESIDE = "the body gives other floats than its program, beyond rounding: it is not recorded as it runs"

FIRST_CHUNK = 64
LARGEST_CHUNK = 16_384
MORE = 4
"""How many times the trials of a plan are made where a decision is near."""

FEW, ENTRIES = 128, 8192
"""Trials that speak against a statement and are looked at with more digits, and their draws in all."""

TRIED, HOPELESS = 1 / 8, 1 / 4
"""The share of the trials after which a confirmation may give up, and of the pace it then has to have."""

SEARCH, CONFIRM, TWIN, FIRST_LOOK, ATTEMPT, FURTHER = 1, 2, 3, 5, 6, 7
"""Streams. A candidate found on the first counts only after new trials on the second; the last two show if
draws are trials, at the first look and at each attempt at a refutation."""


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
        return np.random.Generator(
            np.random.Philox(
                np.random.SeedSequence(self.entropy, spawn_key=self.key)
            )
        )

    def number(self) -> int:
        """A seed for a library that wants an integer."""
        return int(
            np.random.SeedSequence(
                self.entropy, spawn_key=self.key
            ).generate_state(1, np.uint64)[0]
        )


@dataclass(frozen=True)
class Counts:
    """Trials made, those that surely count against the statement, and ties."""

    trials: int = 0
    against: int = 0
    ties: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.trials + other.trials,
            self.against + other.against,
            self.ties + other.ties,
        )


def chunks(
    stream: Stream, trials: int
) -> Iterator[tuple[np.random.Generator, int]]:
    """Generators and sizes: chunk k of a stream is the same however many chunks are made."""
    done, size, k = 0, FIRST_CHUNK, 0
    while done < trials:
        take = min(size, trials - done)
        yield stream.child(k).rng(), take
        done, size, k = done + take, min(2 * size, LARGEST_CHUNK), k + 1


def batch_counts(
    statement: Chance, rng: np.random.Generator, size: int, sure: Certain
) -> Counts:
    """One batch of trials; one that floats count against the statement does so only if it surely does.

    Where floats cannot tell, exact arithmetic may speak for it.
    """
    return _counted(statement, rng, size, sure)[0]


def _counted(
    statement: Chance,
    rng: np.random.Generator,
    size: int,
    sure: Certain,
    thorough: bool = False,
) -> tuple[Counts, bool]:
    """The same, and whether floats were right on trials in favour; if thorough, they count only as surely."""
    drawn = Drawn(rng.bit_generator)
    with np.errstate(all="ignore"):
        result = outcomes(statement.event, World(drawn, size)).copy()
    against, floats = -1 if statement.relation == "ge" else 1, result.copy()
    rows = np.flatnonzero(result == against)
    if rows.size:
        result[rows] = np.where(
            sure.outcomes(drawn.log, size, rows) == against, against, 0
        )
    rows = np.flatnonzero(floats == -against) if thorough else rows[:0]
    if rows.size:
        before, exact = (
            len(sure.doubts),
            sure.outcomes(drawn.log, size, rows, trusting=True),
        )
        result[rows] = (
            result[rows]
            if len(sure.doubts) > before and not sure.too_wide
            else exact
        )
    right = bool(np.all((floats != -against) | (result == -against)))
    rows = np.flatnonzero(result == 0)
    result[rows] = np.where(
        sure.exactly(drawn.log, size, rows) == -against, -against, 0
    )
    return Counts(
        size, int(np.sum(result == against)), int(np.sum(result == 0))
    ), right


@dataclass(frozen=True)
class Trial:
    """What sampling says about one instance: "above", "below" or "open", with the counts and an interval."""

    decision: str
    counts: Counts
    lower: float
    upper: float


def decide(
    statement: Chance,
    stream: Stream,
    trials: int,
    level: float,
    sure: Certain,
    before: Counts = Counts(),
    further: bool = False,
) -> Trial:
    """Sample until the anytime-valid sequence decides P(against) <= delta, or so many trials are used up.

    The first trials show whether floats can be trusted with those in favour; if not, all are looked at again.

    More are made where a decision is near, unless these are such `further` ones. `before` are trials of the same
    statement on other streams: the sequence goes on where they ended.
    """
    delta = allowed(statement)
    sequence, total = BernoulliSequence(delta, level), before
    thorough = True
    for rng, size in chunks(stream, trials):
        counts, right = _counted(statement, rng, size, sure, thorough)
        thorough, total = thorough and not right, total + counts
        against, _ = sequence.log_e_values(total.against, total.trials)
        _, favour = sequence.log_e_values(
            total.against + total.ties, total.trials
        )
        if max(against, favour) >= -np.log(level):
            return _trial(
                "above" if against > favour else "below", sequence, total
            )
    surely, perhaps = (
        total.against / total.trials,
        (total.against + total.ties) / total.trials,
    )
    rate = surely if surely > delta else perhaps if perhaps < delta else delta
    if (
        not further
        and trials_to_decide(delta, rate, level)
        <= total.trials + (MORE - 1) * trials
    ):
        return decide(
            statement,
            stream.child(FURTHER),
            (MORE - 1) * trials,
            level,
            sure,
            total,
            further=True,
        )
    return _trial("open", sequence, total)


def _trial(decision: str, sequence: BernoulliSequence, total: Counts) -> Trial:
    lower, _ = sequence.estimate(total.against, total.trials)
    _, upper = sequence.estimate(total.against + total.ties, total.trials)
    return Trial(decision, total, lower, upper)


def allowed(statement: Chance) -> float:
    """The failure probability that the statement tolerates, kept inside (0, 1) for the tests."""
    bound = float(statement.bound)
    return float(
        np.clip(
            1 - bound if statement.relation == "ge" else bound, 1e-18, 1 - 1e-12
        )
    )


def confirm(
    statement: Chance, stream: Stream, trials: int, level: float, sure: Certain
) -> dict[str, Any] | None:
    """One planned look on fresh randomness: the counts for a certificate if they refute at `level`.

    Half of the level is for the counts, half for the digits that draws have beyond those of floats.
    """
    half = level / 2
    total, enough = (
        Counts(),
        critical_failures(allowed(statement), trials, half),
    )
    for rng, size in chunks(stream, trials):
        total = total + batch_counts(statement, rng, size, sure)
    if total.against < enough:
        return None
    if _sharp(statement, stream, trials, half, sure) < enough:
        raise NotTraceable(DIGITS)
    return {
        "trials": trials,
        "failures": total.against,
        **provenance(stream, level),
    }


def _sharp(
    statement: Chance, stream: Stream, trials: int, level: float, sure: Certain
) -> float:
    """How many trials speak against the statement whatever digits their draws have beyond those of floats.

    Some of those that may not are looked at with digits of their own: if all n still do, so does a share of
    level^(1/n) of them, or `level` is not the chance of an error. Raises NotTraceable if one does not.
    """
    clear, blurry, looked, against = (
        0,
        0,
        0,
        -1 if statement.relation == "ge" else 1,
    )
    for rng, size in chunks(stream, trials):
        drawn = Drawn(rng.bit_generator)
        with np.errstate(all="ignore"):
            rows = np.flatnonzero(
                outcomes(statement.event, World(drawn, size)) == against
            )
        sharp = (
            sure.whatever_digits().outcomes(drawn.log, size, rows) == against
        )
        clear, rows = clear + int(np.sum(sharp)), rows[~sharp]
        rows = rows[sure.outcomes(drawn.log, size, rows) == against]
        some = rows[: max(_few(drawn, size) - looked, 0)]
        if some.size:
            sure.require_sharp(drawn.log, size, some)
        looked, blurry = looked + some.size, blurry + rows.size
    return clear + (
        blurry if looked == blurry else blurry * level ** (1 / looked)
    )


def confirm_mean(
    form: MeanForm,
    stream: Stream,
    trials: int,
    level: float,
    sure: Certain,
    patient: bool = False,
) -> dict[str, Any] | None:
    """Fresh trials until bets on them refute the bound at `level`: the cells for a certificate, or None.

    Unless `patient` it gives up, which makes no error, where bets win too slowly for the trials that there are:
    their logarithm grows with the trials.
    """
    sample, blurred = sample_of(form), sample_of(form)
    enough, made = -np.log(level), 0
    for rng, size in chunks(stream, trials):
        sample, made = (
            surely_observed(sample, form, rng, size, sure),
            made + size,
        )
        won = evidence(sample, form)[0]
        if won >= enough:
            for again, few in chunks(stream, made):
                blurred = surely_observed(
                    blurred, form, again, few, sure.whatever_digits()
                )
            if evidence(blurred, form)[0] < enough:
                raise NotTraceable(DIGITS)
            return {**_kept(sample, form), **provenance(stream, level)}
        hopeless = won < HOPELESS * enough * made / trials
        if made >= TRIED * trials and hopeless and not patient:
            return None
    return None


def _kept(
    sample: BoundedSample | SpreadSample, form: MeanForm
) -> dict[str, Any]:
    """What a certificate keeps of the values of a mean."""
    known = (
        {"scale": sample.scale, "origin": sample.origin}
        if isinstance(sample, SpreadSample)
        else {}
    )
    cells = _spelled(sample.cells if form.relation == "le" else sample.depths)
    return {
        **{key: str(Fraction(x)) for key, x in known.items()},
        "cells": cells,
    }


def _few(drawn: Drawn, size: int) -> int:
    """How many trials are looked at with more digits."""
    each = sum(np.size(draw.value) for draw in drawn.log) / size
    return int(np.clip(ENTRIES / max(each, 1), 1, FEW))


def provenance(stream: Stream, level: float) -> dict[str, Any]:
    """Where the trials came from, and the error level as a rational not below it."""
    generator = f"numpy.random.Philox, chunks of {FIRST_CHUNK} doubling to {LARGEST_CHUNK}"
    return {
        "alpha": str(Fraction(level)),
        "generator": generator,
        "seed": [stream.entropy, *stream.key],
    }


@dataclass(frozen=True)
class MeanTrial:
    """What sampling says about E(q) <= bound (or >=): new trials, all of them, an interval, the decision."""

    decision: str
    trials: int
    sample: BoundedSample | SpreadSample
    lower: float
    upper: float
    mean: float


def sample_of(form: MeanForm) -> BoundedSample | SpreadSample:
    """No values yet; a bound from below needs a finite lower end, one from above an upper one, or a variance.

    Where only the upper end is known the quantity is looked at upside down.
    """
    if form.variance is not None:
        return SpreadSample(float(form.bound), float(form.variance))
    low, high = (
        np.inf if x is None else float(x) for x in (form.low, form.high)
    )
    return BoundedSample(
        low if np.isfinite(low) else -high, high if np.isfinite(low) else np.inf
    )


def observed(
    sample: Any, form: MeanForm, rng: np.random.Generator, size: int
) -> Any:
    """The sample with one batch more; what rounding pushed out of the range is put back to its end."""
    values = np.asarray(evaluate(form.quantity, World(rng, size)), dtype=float)
    if isinstance(sample, SpreadSample):
        return sample.observe(values)
    values = values if form.low is not None else -values
    inside = np.clip(values, sample.low, sample.high)
    slack = ROUNDING * (abs(sample.low) + np.abs(values))
    return sample.observe(
        np.where(np.abs(inside - values) <= slack, inside, values)
    )


def surely_observed(
    sample: Any,
    form: MeanForm,
    rng: np.random.Generator,
    size: int,
    sure: Certain,
    pick: Pick = mean_of,
) -> Any:
    """The same, values moved by their rounding in favour of the statement; unknown ones are at that end."""
    drawn = Drawn(rng.bit_generator)
    with np.errstate(all="ignore"):
        floats = np.asarray(
            evaluate(form.quantity, World(drawn, size)), dtype=float
        )
        values, radius = sure.values(drawn.log, size, pick)
        radius = np.where(_beside(values, radius, floats), np.inf, radius)
        moved = values - radius if form.relation == "le" else values + radius
    if isinstance(sample, SpreadSample):
        nothing = -FARTHEST if form.relation == "le" else FARTHEST
        return sample.observe(np.where(np.isfinite(moved), moved, nothing))
    moved = moved if form.low is not None else -moved
    return sample.observe(
        np.clip(
            np.nan_to_num(moved, nan=sample.low),
            sample.low,
            _top(sample, values, form),
        )
    )


def _beside(
    values: np.ndarray, radius: np.ndarray, floats: np.ndarray
) -> np.ndarray:
    """For each trial whether the body has another value than its program, beyond rounding."""
    return np.abs(values - floats) > radius + VAGUE * np.maximum(
        np.abs(values), 1.0
    )


def as_recorded(
    quantities: Iterable[Quantity],
    stream: Stream,
    sure: Certain,
    picks: Iterable[Pick] = (mean_of,),
) -> bool:
    """Whether the body gives its program's floats on the first trials, as far as these are recorded."""
    for q, pick in zip(quantities, picks):
        rng, size = next(chunks(stream, FIRST_CHUNK))
        drawn = Drawn(rng.bit_generator)
        with np.errstate(all="ignore"):
            floats = np.asarray(evaluate(q, World(drawn, size)), dtype=float)
            if np.any(_beside(*sure.values(drawn.log, size, pick), floats)):
                return False
    return True


def slope_picks(sizes: int) -> list[Pick]:
    """Each of the quantities whose means make a slope."""
    return [lambda x, j=j: x.slope.values[j].of for j in range(sizes)]


FARTHEST = 1e300
"""Where a value counts of which nothing is known, not even a range: one of these outweighs all others."""


def _top(sample: BoundedSample, values: np.ndarray, form: MeanForm) -> float:
    """The upper end; where there is none, what a value without a bound counts as."""
    finite = values[np.isfinite(values)]
    return (
        sample.high
        if np.isfinite(sample.high)
        else float(np.max(np.abs(finite), initial=abs(sample.low) + 1.0))
    )


def evidence(sample: Any, form: MeanForm) -> tuple[float, float]:
    """log evidence against and for the statement."""
    bound, upright = float(form.bound), _upright(form)
    above, below = sample.log_e_values(bound if upright else -bound)
    return (
        (above, below) if (form.relation == "le") == upright else (below, above)
    )


def _upright(form: MeanForm) -> bool:
    """Whether values are looked at as they are, and not upside down."""
    return form.low is not None or form.variance is not None


def decide_mean(
    form: MeanForm,
    stream: Stream,
    trials: int,
    level: float,
    cells: Any = (),
    further: bool = False,
) -> MeanTrial:
    """Bounds on one expectation, of known range or variance, after the `cells` of trials on other streams.

    More are made where a decision is near, unless these are such `further` ones.
    """
    before = replace(
        sample_of(form),
        cells=tuple((float(height), int(count)) for height, count in cells),
    )
    sample, wrong, right, enough = before, 0.0, 0.0, -np.log(level)
    for rng, size in chunks(stream, trials):
        sample = observed(sample, form, rng, size)
        wrong, right = evidence(sample, form)
        if isinstance(sample, SpreadSample) and sample.contradicts:
            said = f"quantity(..., variance={sample.variance:.6g})"
            raise OutOfRange(
                f"values spread more than {said} says; give what the hypotheses imply."
            )
        if max(wrong, right) >= enough:
            break
    lower, upper = sample.interval(level)
    lower, upper = (lower, upper) if _upright(form) else (-upper, -lower)
    decision = (
        "above" if wrong >= enough else "below" if right >= enough else "open"
    )
    mean, bound = (
        sample.mean if _upright(form) else -sample.mean,
        float(form.bound),
    )
    made, width = (
        sample.trials - before.trials,
        upper - mean if bound > mean else mean - lower,
    )
    if (
        decision == "open"
        and not further
        and abs(bound - mean) * np.sqrt(MORE) >= width
    ):
        more = decide_mean(
            form,
            stream.child(FURTHER),
            (MORE - 1) * trials,
            level,
            sample.cells,
            further=True,
        )
        return replace(more, trials=made + more.trials)
    return MeanTrial(decision, made, sample, lower, upper, mean)


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
    if slope is None or not all(
        isinstance(value, Mean) and value.of is not None
        for value in slope.values
    ):
        return None
    quantities = tuple(value.of for value in slope.values)
    ranged = all(q.low is not None and q.high is not None for q in quantities)
    return RateForm(slope.sizes, quantities, statement.rhs) if ranged else None


class RateSample:
    """The means of a rate as trials come in, a stream for each size."""

    def __init__(
        self, form: RateForm, level: float, sure: Certain | None = None
    ):
        """With `sure`, values are moved by their rounding, down for lower bounds and up for upper ones."""
        self.sizes, self.bound, self.sure = form.sizes, float(form.bound), sure
        self.level = pointwise_level(level, len(form.sizes))
        self.means = [MeanForm(q, "le", 0.0) for q in form.quantities]
        self.lows: list[Any] = [sample_of(mean) for mean in self.means]
        self.highs = self.lows

    def add(self, stream: Stream, k: int, size: int) -> None:
        """One batch more at every size."""
        rngs = [
            lambda j=j: stream.child(j, k).rng() for j in range(len(self.means))
        ]
        if self.sure is None:
            sampled = zip(self.lows, self.means, rngs, strict=True)
            self.lows = self.highs = [
                observed(s, m, rng(), size) for s, m, rng in sampled
            ]
            return
        for relation in ("le", "ge"):
            samples = self.lows if relation == "le" else self.highs
            moved = []
            for s, m, rng, pick in zip(
                samples, self.means, rngs, slope_picks(len(rngs)), strict=True
            ):
                moved.append(
                    surely_observed(
                        s,
                        replace(m, relation=relation),
                        rng(),
                        size,
                        self.sure,
                        pick,
                    )
                )
            self.lows, self.highs = (
                (moved, self.highs) if relation == "le" else (self.lows, moved)
            )

    def intervals(self) -> tuple[list[float], list[float]]:
        return [max(low.lower(self.level), 0.0) for low in self.lows], [
            high.upper(self.level) for high in self.highs
        ]

    def band(self) -> tuple[float, float]:
        return slope_band(np.log(self.sizes), *self.intervals())


def decide_rate(
    form: RateForm, stream: Stream, trials: int, level: float
) -> RateTrial:
    """Sample until the band of the slope lies on one side of the bound, or the trials are used up."""
    sampled, made, band = RateSample(form, level), 0, (-np.inf, np.inf)
    for k, (_, size) in enumerate(chunks(stream, trials)):
        sampled.add(stream, k, size)
        made, band = made + size, sampled.band()
        if band[0] > sampled.bound or band[1] <= sampled.bound:
            break
    decision = (
        "above"
        if band[0] > sampled.bound
        else "below"
        if band[1] <= sampled.bound
        else "open"
    )
    return RateTrial(decision, made, *band)


def confirm_rate(
    form: RateForm, stream: Stream, trials: int, level: float, sure: Certain
) -> dict[str, Any] | None:
    """Fresh trials until they refute the bound on the slope at `level`: what a certificate keeps, or None."""
    sampled = RateSample(form, level, sure)
    blurred = RateSample(form, level, sure.whatever_digits())
    for k, (_, size) in enumerate(chunks(stream, trials)):
        sampled.add(stream, k, size)
        blurred.add(stream, k, size)
        if sampled.band()[0] > sampled.bound:
            if not blurred.band()[0] > blurred.bound:
                raise NotTraceable(DIGITS)
            return {
                "sizes": list(form.sizes),
                "points": _points(sampled),
                **provenance(stream, level),
            }
    return None


def _points(sampled: RateSample) -> list[dict[str, Any]]:
    """For each size the bound of its mean that makes the slope small, and the cells that show it."""
    ends = zip(sampled.lows, sampled.highs, _ends(sampled.sizes), strict=True)
    return [
        _point(low if side == "above" else high, side, sampled.level)
        for low, high, side in ends
    ]


def _ends(sizes: tuple[int, ...]) -> list[str]:
    """Which bound of the mean makes the slope small: by the sign of log s - mean of the logs, exactly."""
    product = prod(sizes)
    return [
        "above"
        if s ** len(sizes) > product
        else "below"
        if s ** len(sizes) < product
        else "none"
        for s in sizes
    ]


def _point(sample: BoundedSample, side: str, level: float) -> dict[str, Any]:
    if side == "none":
        return {"side": side, "mean": "1", "cells": []}
    mean, cells = (
        (sample.lower(level), sample.cells)
        if side == "above"
        else (sample.upper(level), sample.depths)
    )
    return {"side": side, "mean": str(Fraction(mean)), "cells": _spelled(cells)}


def _spelled(cells: Iterable[tuple[float, int]]) -> list[list[Any]]:
    """The cells that hold something, their heights as rationals."""
    return [[str(Fraction(height)), count] for height, count in cells if count]
