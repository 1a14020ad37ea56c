"""Settling an observation that has no finite law: trials, what they show, and a sentence if they decide nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from boundcheck.checking.confidence import trials_to_decide
from boundcheck.checking.observe import Observation
from boundcheck.checking.rates import RateForm, decide_rate, rate_form
from boundcheck.checking.sampling import Counts, Stream, decide, decide_mean
from boundcheck.quantities import World, evaluate
from boundcheck.statements import Chance, Inequality, MeanForm, mean_form

Seen = tuple[tuple[float, ...], ...]
"""Trials as a report keeps them: (trials, against, ties) of an event, or cells (height, count) of a quantity."""

NO_RANGE = "an expectation of a quantity whose range is not known cannot be judged by sampling; give quantity(..., low=, high=)"

NOT_ALONE = (
    "of statements about means without a finite law only E(q) <= b, E(q) >= b and rates of E(q) can be judged, by sampling;"
    " give quantity(..., low=, high=)"
)
NOT_SCALAR = "only the expectation of one number can be judged by sampling; state it for each entry, q[0], q[1], ..."
UNJUDGED = (NO_RANGE, NOT_ALONE, NOT_SCALAR)
"""What sampling can never judge, however many trials are made."""


@dataclass(frozen=True)
class Settled:
    """How many trials were made, the observation with its estimate, what stays open, and all trials so far if they may go on."""

    trials: int
    observation: Observation | None
    doubt: str | None = None
    seen: Seen | None = None


def settle(o: Observation, stream: Stream, trials: int, level: float, seen: Seen = ()) -> Settled:
    """Sample the pending statement of an observation, after what was `seen` on other streams.

    Arithmetic that fails in a sampler leaves it open; any other error is one of the text, and goes on to whoever judges it.
    """
    try:
        if isinstance(o.pending, Chance):
            return _chance(o, o.pending, stream, trials, level, seen)
        assert isinstance(o.pending, Inequality)
        slope = rate_form(o.pending)
        if slope is not None:
            return _rate(o, slope, stream, trials, level)
        form = mean_form(o.pending)
        return Settled(0, None, NOT_ALONE) if form is None else _mean(o, form, stream, trials, level, seen)
    except (ArithmeticError, MemoryError, np.linalg.LinAlgError) as error:
        return Settled(0, None, f"the sampler fails on an instance: {type(error).__name__} {error}")


def _chance(o: Observation, statement: Chance, stream: Stream, trials: int, level: float, seen: Seen) -> Settled:
    if not 0 < o.rhs < 1:
        return Settled(0, None)
    before = Counts(*(int(count) for entry in seen for count in entry))
    trial = decide(statement, stream, trials, level, before)
    counts, rate = trial.counts, trial.counts.against / trial.counts.trials
    made = counts.trials - before.trials
    estimate = replace(o, score=float(np.log(max(rate, 1e-12) / o.rhs)), lhs=rate, decided=trial.decision == "above")
    if trial.decision != "open":
        return Settled(made, estimate)
    more = trials_to_decide(o.rhs, rate, level)
    if not counts.against and more > trials:
        return Settled(made, None)
    interval = f"[{trial.lower:.3g}, {trial.upper:.3g}], around {o.rhs:.3g}"
    sentence = f"after {counts.trials} trials the failure probability lies in {interval}; about {more:.3g} trials would decide"
    return Settled(made, estimate, sentence, ((counts.trials, counts.against, counts.ties),))


def _mean(o: Observation, form: MeanForm, stream: Stream, trials: int, level: float, seen: Seen) -> Settled:
    if form.low is None and form.high is None:
        return Settled(0, None, NO_RANGE)
    if np.shape(evaluate(form.quantity, World(stream.rng(), 2))) != (2,):
        return Settled(0, None, NOT_SCALAR)
    trial = decide_mean(form, stream, trials, level, seen)
    bound = float(form.bound)
    lhs, rhs = (trial.mean, bound) if form.relation == "le" else (bound, trial.mean)
    score = float((lhs - rhs) / (abs(lhs) + abs(rhs) + 1e-300))
    estimate = replace(o, score=score, lhs=lhs, rhs=rhs, decided=trial.decision == "above")
    if trial.decision != "open":
        return Settled(trial.trials, estimate)
    sentence = f"after {trial.sample.trials} trials the mean lies in [{trial.lower:.4g}, {trial.upper:.4g}], around {bound:.4g}"
    return Settled(trial.trials, estimate, sentence, trial.sample.cells)


def _rate(o: Observation, form: RateForm, stream: Stream, trials: int, level: float) -> Settled:
    trial = decide_rate(form, stream, trials, level)
    bound, middle = float(form.bound), (trial.lower + trial.upper) / 2
    estimate = replace(o, score=middle - bound, lhs=middle, rhs=bound, decided=trial.decision == "above")
    if trial.decision != "open":
        return Settled(trial.trials, estimate)
    sentence = f"after {trial.trials} trials at each size the slope lies in [{trial.lower:.4g}, {trial.upper:.4g}], around {bound:.4g}"
    return Settled(trial.trials, estimate if np.isfinite(middle) else None, sentence)
