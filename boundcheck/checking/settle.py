"""Settling an observation that has no finite law: trials, what they show, a sentence if nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from boundcheck.checking.confidence import trials_to_decide
from boundcheck.checking.confidence.bounded_mean import OutOfRange
from boundcheck.checking.observe import BrokenClaim, Observation
from boundcheck.checking.sampling import (
    BESIDE,
    Counts,
    RateForm,
    Stream,
    allowed,
    as_recorded,
    decide,
    decide_mean,
    decide_rate,
    rate_form,
    slope_picks,
)
from boundcheck.checking.trials import Certain, draw_once
from boundcheck.laws import NotFinite
from boundcheck.laws.quantities import (
    Mean,
    NoOrder,
    NotPerTrial,
    World,
    averaged,
    evaluate,
    is_complex,
)
from boundcheck.operations.trials import MixedTrials
from boundcheck.words.failures import told
from boundcheck.words.statements import Chance, Inequality, MeanForm, mean_form

Seen = tuple[tuple[float, ...], ...]
"""Trials as a report keeps them: (trials, against, ties) of an event, or cells (height, count)."""

NO_RANGE = (
    "an expectation of a quantity whose range is not known cannot be judged by sampling;"
    " give quantity(..., low=, high=), or quantity(..., variance=)"
)

NOT_ALONE = (
    "of statements about means without a finite law only E(q) <= b, E(q) >= b and rates of E(q) can be judged, by sampling;"
    " write E(q) <= E(r) as E(q - r) <= 0, with quantity(..., low=, high=), or draw from a finite law, with sizes and chances"
    " that are not drawn themselves: rng.random((size, n)) < p for rng.binomial(n, p, size)"
)
NOT_SCALAR = "only the expectation of one number can be judged by sampling; state it for each entry, q[0], q[1], ..."
NOT_REAL = "the expectation of a complex number has no order; state it for np.real(q) and np.imag(q)"
UNJUDGED = (NO_RANGE, NOT_ALONE, NOT_SCALAR, NOT_REAL)
"""What sampling can never judge, however many trials are made."""

ALMOST_SURE = 4096
"""Trials of "with probability 1": one failure refutes it, and no number of successes decides it."""


@dataclass(frozen=True)
class Settled:
    """How many trials were made, the observation and its estimate, what stays open, and all trials so far."""

    trials: int
    observation: Observation | None
    doubt: str | None = None
    seen: Seen | None = None


def settle(
    o: Observation,
    stream: Stream,
    trials: int,
    level: float,
    sure: Certain,
    seen: Seen = (),
) -> Settled:
    """Sample the pending statement of an observation, after what was `seen` on other streams.

    Arithmetic that fails in a sampler leaves it open; any other error is the text's, and goes to the judge.
    """
    try:
        if isinstance(o.pending, Chance):
            return _chance(o, o.pending, stream, trials, level, sure, seen)
        assert isinstance(o.pending, Inequality)
        slope = rate_form(o.pending)
        if slope is not None:
            if not as_recorded(
                slope.quantities, stream, sure, slope_picks(len(slope.sizes))
            ):
                return Settled(0, None, BESIDE)
            return _rate(o, slope, stream, trials, level)
        form = mean_form(o.pending)
        if form is None:
            draw_once([o.pending], stream.rng())
            return Settled(0, None, NOT_ALONE)
        return _mean(o, form, stream, trials, level, sure, seen)
    except (NotPerTrial, MixedTrials, NoOrder, OutOfRange) as error:
        raise BrokenClaim(
            f"{sure.claim.id} ({sure.claim.location}): {error}"
        ) from error
    except NotFinite as error:
        return Settled(0, None, str(error))
    except (ArithmeticError, MemoryError, np.linalg.LinAlgError) as error:
        return Settled(
            0,
            None,
            f"the sampler fails on an instance: {told(error)}",
        )


def _chance(
    o: Observation,
    statement: Chance,
    stream: Stream,
    trials: int,
    level: float,
    sure: Certain,
    seen: Seen,
) -> Settled:
    delta = allowed(statement)
    trials = min(trials, ALMOST_SURE) if o.rhs == 0 else trials
    before = Counts(*(int(count) for entry in seen for count in entry))
    trial = decide(statement, stream, trials, level, sure, before)
    counts, rate = trial.counts, trial.counts.against / trial.counts.trials
    made = counts.trials - before.trials
    wrong = trial.decision == "above" or (o.rhs == 0 and counts.against > 0)
    estimate = replace(
        o,
        score=float(np.log(max(rate, 1e-12) / delta)),
        lhs=rate,
        rhs=delta,
        decided=wrong,
    )
    if wrong or trial.decision != "open":
        return Settled(made, estimate)
    more = trials_to_decide(delta, rate, level)
    if not counts.against and more > trials:
        return Settled(made, None)
    if 2 * counts.ties > counts.trials * o.rhs:
        why = f": {sure.doubts[0]}" if sure.doubts else " within their rounding"
        return Settled(
            made,
            None,
            f"{counts.ties} of {counts.trials} trials cannot be decided{why}",
        )
    interval = f"[{trial.lower:.3g}, {trial.upper:.3g}], around {o.rhs:.3g}"
    enough = (
        f"about {more:.3g} trials"
        if np.isfinite(more)
        else "more trials than any machine makes"
    )
    sentence = f"after {counts.trials} trials the failure probability lies in {interval}; {enough} would decide"
    return Settled(
        made,
        estimate,
        sentence,
        ((counts.trials, counts.against, counts.ties),),
    )


def _mean(
    o: Observation,
    form: MeanForm,
    stream: Stream,
    trials: int,
    level: float,
    sure: Certain,
    seen: Seen,
) -> Settled:
    if not any(
        end is not None and np.isfinite(float(end))
        for end in (form.low, form.high, form.variance)
    ):
        return Settled(0, None, NO_RANGE)
    values = np.asarray(evaluate(form.quantity, World(stream.rng(), 2)))
    if values.shape != (2,) or is_complex(values):
        return Settled(0, None, NOT_REAL if is_complex(values) else NOT_SCALAR)
    if not as_recorded([form.quantity], stream, sure):
        return Settled(0, None, BESIDE)
    trial = decide_mean(form, stream, trials, level, seen)
    bound = float(form.bound)
    lhs, rhs = (
        (trial.mean, bound) if form.relation == "le" else (bound, trial.mean)
    )
    score = float((lhs - rhs) / (abs(lhs) + abs(rhs) + 1e-300))
    lhs, rhs = _both_means(o.pending, stream) or (lhs, rhs)
    estimate = replace(
        o, score=score, lhs=lhs, rhs=rhs, decided=trial.decision == "above"
    )
    end = form.high if form.relation == "le" else form.low
    trivial = end is not None and (
        float(end) < bound if form.relation == "le" else float(end) > bound
    )
    if (
        trial.decision == "open" and trivial
    ):  # it holds whatever is drawn in the range
        return Settled(trial.trials, replace(estimate, vacuous=True))
    if trial.decision != "open":
        return Settled(trial.trials, estimate)
    sentence = f"after {trial.sample.trials} trials the mean lies in [{trial.lower:.4g}, {trial.upper:.4g}], around {bound:.4g}"
    if form.variance is not None:
        given = (
            f"{sentence}, with a variance of at most {float(form.variance):.4g}"
        )
        return Settled(trial.trials, estimate, given, trial.sample.cells)
    unknown = (
        "low" if form.low is None else "high" if form.high is None else None
    )
    more = (
        f"; quantity(..., {unknown}=) would bound it, and so would variance="
        if unknown
        else ""
    )
    return Settled(trial.trials, estimate, sentence + more, trial.sample.cells)


def _both_means(
    statement: Inequality, stream: Stream
) -> tuple[float, float] | None:
    """About what both sides are where both are means, for their difference does not show how near they are."""
    sides = (statement.lhs, statement.rhs)
    if not all(isinstance(x, Mean) for x in sides):
        return None
    world = World(stream.rng(), ALMOST_SURE)
    means = [
        averaged(x, lambda q: np.mean(evaluate(q, world), axis=0))
        for x in sides
    ]
    return float(means[0]), float(means[1])


def supposes(o: Observation) -> bool:
    """Whether trials judged an observation by what the claim says of a variance."""
    form = (
        mean_form(o.pending)
        if isinstance(o.pending, Inequality) and not o.vacuous
        else None
    )
    return form is not None and form.variance is not None


def _rate(
    o: Observation, form: RateForm, stream: Stream, trials: int, level: float
) -> Settled:
    trial = decide_rate(form, stream, trials, level)
    bound, middle = float(form.bound), (trial.lower + trial.upper) / 2
    estimate = replace(
        o,
        score=middle - bound,
        lhs=middle,
        rhs=bound,
        decided=trial.decision == "above",
    )
    if trial.decision != "open":
        return Settled(trial.trials, estimate)
    sentence = f"after {trial.trials} trials at each size {o.about} lies in [{trial.lower:.4g}, {trial.upper:.4g}], around {bound:.4g}"
    return Settled(
        trial.trials, estimate if np.isfinite(middle) else None, sentence
    )
