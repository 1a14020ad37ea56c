"""Settling an observation that has no finite law: trials, what they show, and a sentence if they decide nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from boundcheck.checking.confidence import trials_to_decide
from boundcheck.checking.observe import Observation
from boundcheck.checking.sampling import Stream, decide, decide_mean
from boundcheck.quantities import World, evaluate
from boundcheck.statements import Chance, Inequality, MeanForm, mean_form

NO_RANGE = "an expectation of a quantity whose range is not known cannot be judged by sampling; give quantity(..., low=, high=)"

NOT_ALONE = "of statements about means without a finite law only E(q) <= b and E(q) >= b can be judged, by sampling"
NOT_SCALAR = "only the expectation of one number can be judged by sampling; state it for each entry, q[0], q[1], ..."


@dataclass(frozen=True)
class Settled:
    """How many trials were made, the observation with its estimate, and what stays open."""

    trials: int
    observation: Observation | None
    undecided: tuple[str, ...] = ()


def settle(o: Observation, stream: Stream, trials: int, level: float) -> Settled:
    """Sample the pending statement of an observation. A sampler that fails leaves it open."""
    try:
        if isinstance(o.pending, Chance):
            return _chance(o, o.pending, stream, trials, level)
        assert isinstance(o.pending, Inequality)
        form = mean_form(o.pending)
        return Settled(0, None, (NOT_ALONE,)) if form is None else _mean(o, form, stream, trials, level)
    except (ValueError, ArithmeticError, IndexError, MemoryError, np.linalg.LinAlgError) as error:
        return Settled(0, None, (f"the sampler fails on an instance: {type(error).__name__} {error}",))


def _chance(o: Observation, statement: Chance, stream: Stream, trials: int, level: float) -> Settled:
    if not 0 < o.rhs < 1:
        return Settled(0, None)
    trial = decide(statement, stream, trials, level)
    made, rate = trial.counts.trials, trial.counts.against / trial.counts.trials
    undecided: tuple[str, ...] = ()
    if trial.decision == "open":
        more = trials_to_decide(o.rhs, rate, level)
        if not trial.counts.against and more > trials:
            return Settled(made, None)
        interval = f"[{trial.lower:.3g}, {trial.upper:.3g}], around {o.rhs:.3g}"
        undecided = (f"after {made} trials the failure probability lies in {interval}; about {more:.3g} trials would decide",)
    return Settled(made, replace(o, score=float(np.log(max(rate, 1e-12) / o.rhs)), lhs=rate, decided=trial.decision == "above"), undecided)


def _mean(o: Observation, form: MeanForm, stream: Stream, trials: int, level: float) -> Settled:
    if form.low is None and form.high is None:
        return Settled(0, None, (NO_RANGE,))
    if np.shape(evaluate(form.quantity, World(stream.rng(), 2))) != (2,):
        return Settled(0, None, (NOT_SCALAR,))
    trial = decide_mean(form, stream, trials, level)
    undecided: tuple[str, ...] = ()
    if trial.decision == "open":
        undecided = (
            f"after {trial.trials} trials the mean lies in [{trial.lower:.4g}, {trial.upper:.4g}], around {float(form.bound):.4g}",
        )
    bound = float(form.bound)
    lhs, rhs = (trial.mean, bound) if form.relation == "le" else (bound, trial.mean)
    score = float((lhs - rhs) / (abs(lhs) + abs(rhs) + 1e-300))
    return Settled(trial.trials, replace(o, score=score, lhs=lhs, rhs=rhs, decided=trial.decision == "above"), undecided)
