"""The search where laws can only be sampled: few trials on common draws propose; they decide nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import log_ndtr, rel_entr

from boundcheck.checking.draws import Drawn
from boundcheck.checking.observe import Observation, Skipped, observe
from boundcheck.checking.sampling import RateForm, Stream, allowed, rate_form
from boundcheck.checking.search.evolve import Evolution, by_looks
from boundcheck.checking.search.population import as_floats
from boundcheck.checking.settle import Settled, settle
from boundcheck.checking.trials import Certain
from boundcheck.domains import Raw
from boundcheck.domains.instances import inside, leaves
from boundcheck.laws.quantities import (
    Event,
    World,
    comparable,
    evaluate,
    flagged,
)
from boundcheck.laws.worlds import outcomes
from boundcheck.operations.trials import aligned
from boundcheck.tape.truth import NEGATED
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Question
from boundcheck.words.statements import Chance, Inequality, mean_form

FEW, MANY = 256, 4096
"""Trials of an instance in the first climb and in the second."""

LEAST, MOST_NUMBERS = 32, 500_000
"""An instance is left out whose so many trials take more than so many numbers."""

LOOK, NUMBERS = 8, 400
"""The work of a look, and numbers of all trials that are one unit more."""

SEEN = 16
"""Trials that speak against a statement about chances; to fewer ones a normal tail is added."""

KEPT, TRIED = 8, 2
"""Instances that the second climb begins at, and that are tried in earnest."""

REFINED = 1 / 4
"""The share of the work that is spent on many trials."""

ENOUGH, CLEAR = 20.0, 3.0
"""The log likelihood that ends a climb, and that is worth trials in earnest."""

HIGHEST = 1e6
"""The score of quantities that are constant on the wrong side."""

COMMON, AGAIN, EARNEST = 0, 1, 2
"""Streams: the draws in common, those of the second climb, and those of trials in earnest."""


@dataclass
class Sampled:
    """The score that a climber raises, and the best instances it met."""

    claim: Claim
    question: Question
    stream: Stream
    never: Collection[int]
    """Parts that no number of trials can judge."""
    best: list[tuple[float, dict[str, Raw]]] = field(default_factory=list)
    looked: int = 0
    common: tuple[int, int] = (COMMON, FEW)
    """The stream of the draws that all instances have in common, and how many trials they are."""

    def climb(self, raws: Sequence[dict[str, Raw]], work: int) -> None:
        """Climb from some instances on few trials, then from the best ones on many."""
        for self.common, share in (
            ((COMMON, FEW), 1 - REFINED),
            ((AGAIN, MANY), REFINED),
        ):
            evolution = Evolution(
                self.claim.parameters,
                by_looks(self.score),
                int(share * work),
                self.stream.rng(),
                ENOUGH,
            )
            raws, self.best = [raw for _, raw in self.best] or raws, []
            evolution.begin(
                [as_floats(self.claim.parameters, raw) for raw in raws]
            )
            evolution.climb()

    def tried(
        self, trials: int, level: float
    ) -> Iterator[tuple[Settled, dict[str, Raw]]]:
        """What trials in earnest, on streams of their own, say of the best instance, and of like ones."""
        for k, (score, raw) in enumerate(self.best[:TRIED]):
            _, o, _ = (
                self._look(raw)
                if k == 0 or score >= CLEAR
                else (score, None, 0)
            )
            if o is not None:
                sure = Certain(self.claim, raw, o.part, self.question)
                yield (
                    settle(
                        o, self.stream.child(EARNEST, k), trials, level, sure
                    ),
                    raw,
                )

    def score(self, raw: dict[str, Raw]) -> tuple[float, int]:
        """Score of an instance and the work it took; -inf where there is nothing to sample."""
        score, o, work = self._look(raw)
        if o is not None and not any(raw is known for _, known in self.best):
            self.best = sorted(
                [*self.best, (score, raw)], key=lambda entry: -entry[0]
            )[:KEPT]
        return score, work

    def _look(
        self, raw: dict[str, Raw]
    ) -> tuple[float, Observation | None, int]:
        """The highest score of a part, the part, and the work; whatever fails on the way has no score."""
        self.looked += 1
        work, (stream, trials) = LOOK, self.common
        found: list[tuple[float, Observation | None]] = [(-np.inf, None)]
        entries = sum(
            np.size(leaf) for _, leaf, _ in leaves(self.claim.parameters, raw)
        )
        try:
            seen = (
                observe(self.claim, raw, self.question, orders=False)
                if inside(self.claim.parameters, raw)
                else Skipped("outside")
            )
            for o in [] if isinstance(seen, Skipped) else seen:
                if (
                    o.pending is not None
                    and not o.vacuous
                    and o.part not in self.never
                ):
                    score, numbers = promise(
                        o.pending, self.stream.child(stream), trials, entries
                    )
                    found.append((score, o))
                    work += numbers // NUMBERS
        except (
            Exception
        ):  # of a sampler, at an instance that nobody has to look at
            return -np.inf, None, work
        score, o = max(found, key=lambda entry: entry[0])
        return score, o, work


def promise(
    statement: Chance | Inequality,
    stream: Stream,
    trials: int,
    entries: int = 0,
) -> tuple[float, int]:
    """What a few trials say against a statement, and how many numbers they drew or held, `entries` each.

    The log likelihood of what was seen against the statement, if that speaks against it; else how far it is
    from doing so, at most 0. It is -inf for a statement that cannot be sampled, or one whose trials take too many numbers.
    """
    drawn = Drawn(stream.rng().bit_generator)
    with np.errstate(all="ignore"):
        _values(statement, World(drawn, 2))
        each = max(sum(np.size(draw.value) for draw in drawn.log), 2 * entries)
        trials = min(
            _trials(statement, trials), 2 * MOST_NUMBERS // max(each, 1)
        )
        if trials < LEAST:
            return -np.inf, each
        world = World(stream.rng(), trials)
        score = np.nan_to_num(
            _against(statement, world),
            nan=-np.inf,
            posinf=HIGHEST,
            neginf=-np.inf,
        )
        return float(min(score, HIGHEST)), each * trials // 2


def _trials(statement: Chance | Inequality, trials: int) -> int:
    """More for rare events."""
    if isinstance(statement, Inequality):
        return trials
    delta = allowed(statement)
    return int(np.clip(4 / min(delta, 1 - delta), trials, max(trials, MANY)))


def _values(statement: Chance | Inequality, world: World) -> list[np.ndarray]:
    """What is sampled: the margins of an event, the values of a mean, or those of the means of a rate."""
    if isinstance(statement, Chance):
        return [_margins(statement.event, world)]
    rate, mean = rate_form(statement), mean_form(statement)
    quantities = rate.quantities if rate else [mean.quantity] if mean else []
    return [np.asarray(evaluate(q, world), dtype=float) for q in quantities]


def _against(statement: Chance | Inequality, world: World) -> float:
    if isinstance(statement, Chance):
        return _chance(statement, world)
    values, rate, mean = (
        _values(statement, world),
        rate_form(statement),
        mean_form(statement),
    )
    if rate is not None:
        return _rate(rate, values)
    if (
        mean is None
        or values[0].shape != (world.size,)
        or (mean.low if mean.relation == "le" else mean.high) is None
    ):
        return -np.inf
    bound = float(mean.bound)
    gap = values[0] - bound if mean.relation == "le" else bound - values[0]
    if np.mean(gap) > 0:
        return float(
            world.size * np.mean(gap) ** 2 / (2 * np.var(gap) + 1e-300)
        )
    return float(
        np.mean(gap) / (np.mean(np.abs(values[0])) + abs(bound) + 1e-300)
    )


def _rate(form: RateForm, values: list[np.ndarray]) -> float:
    """By the slope of the means, and by how much it varies (the delta method)."""
    logs = np.log(form.sizes)
    weights = (logs - np.mean(logs)) / np.sum((logs - np.mean(logs)) ** 2)
    means = np.array([np.mean(x) for x in values])
    gap = float(np.sum(weights * np.log(means))) - float(form.bound)
    spread = sum(
        w**2 * np.var(x) / (m**2 * len(x))
        for w, x, m in zip(weights, values, means, strict=True)
    )
    return float(gap**2 / (2 * spread + 1e-300)) if gap > 0 else gap


def _chance(statement: Chance, world: World) -> float:
    delta, rarer = allowed(statement), statement.relation == "ge"
    bad = int(np.sum(outcomes(statement.event, world) == (-1 if rarer else 1)))
    share = bad / world.size
    if bad < SEEN:
        margins = _margins(statement.event, world) * (-1 if rarer else 1)
        margins = margins[np.isfinite(margins)]
        spread = np.std(margins)
        tail = (
            float(log_ndtr(np.mean(margins) / spread))
            if margins.size and spread > 0
            else -np.inf
        )
        share = (bad + np.exp(tail)) / (world.size + 1)
        if not bad and share <= delta < 1:
            return min(
                float(1 - (tail - np.log(world.size + 1)) / np.log(delta)), 0.0
            )
    if share > delta:
        return float(
            world.size
            * (rel_entr(share, delta) + rel_entr(1 - share, 1 - delta))
        )
    return min(
        Observation(0, "probability", 0.0, lhs=share, rhs=delta).guide, 0.0
    )


def _margins(event: Event, world: World) -> np.ndarray:
    """For each trial by how much it is in the event, below 0 by how much it is not."""
    if event.relation == "not":
        return -_margins(event.operands[0], world)
    if event.relation not in NEGATED:
        return (np.minimum if event.relation == "and" else np.maximum)(
            *(_margins(e, world) for e in event.operands)
        )
    left, right = comparable(
        event.relation, aligned([flagged(x, world) for x in event.operands])
    )
    gap = np.asarray(right, dtype=float) - np.asarray(left, dtype=float)
    signed = {
        "le": gap,
        "lt": gap,
        "ge": -gap,
        "gt": -gap,
        "eq": -np.abs(gap),
        "ne": np.abs(gap),
    }[event.relation]
    return np.broadcast_to(
        signed.reshape(len(signed), -1).min(axis=1) if signed.ndim else signed,
        (world.size,),
    )
