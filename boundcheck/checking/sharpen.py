"""How sharp is a constant? The value nearest to those that are not refuted that is, and the other way around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import (
    TOUCH,
    BrokenClaim,
    Observation,
    Skipped,
    observe,
)
from boundcheck.checking.sampling import TWIN, Stream
from boundcheck.checking.settle import settle
from boundcheck.checking.trials import Certain
from boundcheck.checking.twins import words_of
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.domains import Raw
from boundcheck.domains.instances import draw_instances, from_json
from boundcheck.exits import Refused
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Question

SIDE, THRESHOLD = "right-hand side", "threshold"
"""What can be asked about where nothing is marked: a factor on the bound, a factor on every `at_least`."""


class NoSuchConstant(Refused):
    """The claim does not have the constant; the message lists what it has."""


@dataclass(repr=False)
class Sharpening:
    """Values of a constant that were asked about, with the verdict on each."""

    claim: Claim
    constant: str
    printed: float
    plan: Plan
    alpha: float
    is_weaker_above: bool = True
    """Whether the statement says less with a larger constant, as a bound does."""
    asked: dict[float, Judgement] = field(default_factory=dict)
    known: tuple[dict[str, Raw], ...] = ()
    tell: Callable[[Sharpening], object] = lambda _: None

    @property
    def refuted(self) -> float | None:
        """The weakest value that a certificate rules out: the largest, or the smallest of what weakens downwards."""
        ruled_out = [v for v, o in self._found if o is Outcome.REFUTED]
        return max(ruled_out, key=self._weakness, default=None)

    @property
    def not_refuted(self) -> float | None:
        """The strongest value that the search could not refute, of those that are weaker than it."""
        ruled_out = self.refuted
        floor = -inf if ruled_out is None else self._weakness(ruled_out)
        left = [v for v, o in self._found if o is not Outcome.REFUTED]
        weaker = [v for v in left if self._weakness(v) > floor]
        return min(weaker, key=self._weakness, default=None)

    def __repr__(self) -> str:
        low, high = self.refuted, self.not_refuted
        down, up = ("down", "up") if self.is_weaker_above else ("up", "down")
        name = f"{self.constant} of {self.claim.id} (printed {self.printed:g})"
        if low is None:
            return f"{name}: no value asked about is refuted, {down} to {high:.6g}."
        if high is None:
            return f"{name}: every value asked about is refuted, {up} to {low:.6g}."
        if self.is_weaker_above:
            return f"{name}: refuted up to {low:.6g}, by a certificate; not refuted from {high:.6g} on."
        return f"{name}: refuted from {low:.6g} on, by a certificate; not refuted up to {high:.6g}."

    def _weakness(self, value: float) -> float:
        return value if self.is_weaker_above else -value

    @property
    def _found(self) -> list[tuple[float, Outcome]]:
        return [
            (value, verdict.outcome) for value, verdict in self.asked.items()
        ]

    def ask(self, value: float) -> bool:
        """Whether the claim with this value is refuted; counterexamples are tried on the next value first."""
        verdict = judge(
            self.claim, self.plan, self.alpha, self.known, self.question(value)
        )
        self.asked[value] = verdict
        if verdict.refutation is not None:
            self.known += (
                from_json(verdict.refutation.certificate["claim"]["instance"]),
            )
        self.tell(self)
        return verdict.outcome is Outcome.REFUTED

    def question(self, value: float) -> Question:
        label = f"{self.constant} = {value:.6g}"
        if self.constant == SIDE:
            return Question(label, bound=value)
        if self.constant == THRESHOLD:
            return Question(label, slack=value)
        return Question(label, constants=((self.constant, value),))


def constants_of(claim: Claim) -> dict[str, float]:
    """What can be asked about, with the printed values: marked constants first, then factors of 1."""
    words = words_of(claim, draw_instances(claim.parameters, 30, 0))
    return {
        **words.marked,
        **({THRESHOLD: 1.0} if words.thresholds else {}),
        SIDE: 1.0,
    }


def bisected(
    claim: Claim,
    plan: Plan,
    alpha: float,
    constant: str | None = None,
    steps: int = 7,
    tell: Callable[[Sharpening], object] = lambda _: None,
) -> Sharpening:
    """Bracket the constant by doubling or halving, then bisect on the log scale. Raises NoSuchConstant.

    `tell` hears of each value. All is done on one thread, as `check` does it.
    """
    with threadpool_limits(1), np.errstate(all="ignore"):
        known = constants_of(claim)
        name = constant or next(iter(known))
        if name not in known:
            raise NoSuchConstant(
                f"{claim.id} has no constant '{name}'; it has {', '.join(known)}."
            )
        if known[name] <= 0:
            raise NoSuchConstant(
                f"{name} of {claim.id} is {known[name]:g}; mark a positive factor of it, which can be doubled and halved."
            )
        share = alpha / (steps + BRACKETS)
        result = Sharpening(claim, name, known[name], plan, share, tell=tell)
        result.is_weaker_above = _is_weaker_above(result)
        low, high = _bracket(result)
        for _ in range(steps if low and high else 0):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if result.ask(middle) else (low, middle)
        return result


BRACKETS = 10
"""Doublings or halvings before a constant is called unbounded."""


def _is_weaker_above(result: Sharpening) -> bool:
    """Whether the statement says less with twice the constant, on most of the drawn instances that tell."""
    claim, plan = result.claim, result.plan
    raws = draw_instances(claim.parameters, plan.instances, plan.seed)
    printed, twice = (
        _scores(claim, plan, raws, result.question(factor * result.printed))
        for factor in (1, 2)
    )
    moves = [twice[key] - printed[key] for key in printed.keys() & twice.keys()]
    return sum(int(np.sign(x)) for x in moves if abs(x) > TOUCH) <= 0


def _scores(
    claim: Claim, plan: Plan, raws: Sequence[dict[str, Raw]], question: Question
) -> dict[tuple[int, int], float]:
    """How near to a violation each part is on each instance; of what is sampled on the first few that are."""
    left = plan.sampled_instances
    found: dict[tuple[int, int], float] = {}
    for k, raw in enumerate(raws):
        for o in _seen(claim, raw, question):
            if o.pending is not None and left:
                left -= 1
                stream = Stream.of(plan.seed, claim.id, TWIN, k, o.part)
                sure = Certain(claim, raw, o.part, question)
                settled = settle(o, stream, plan.trials, plan.level, sure)
                o = settled.observation or o
            if np.isfinite(o.score):
                found[k, o.part] = o.score
    return found


def _seen(
    claim: Claim, raw: dict[str, Raw], question: Question
) -> Sequence[Observation]:
    """What an instance shows; nothing where the body breaks with another constant."""
    with suppress(BrokenClaim):
        seen = observe(claim, raw, question)
        return () if isinstance(seen, Skipped) else seen
    return ()


def _bracket(result: Sharpening) -> tuple[float, float]:
    """A refuted value and the next by a factor 2, not refuted; 0 where there is none."""
    value, refuted = result.printed, result.ask(result.printed)
    for _ in range(BRACKETS - 1):
        before, value = value, _next(value, refuted == result.is_weaker_above)
        if result.ask(value) != refuted:
            return (before, value) if refuted else (value, before)
    return (value, 0.0) if refuted else (0.0, value)


def _next(value: float, above: bool) -> float:
    return value * 2 if above else value / 2


def slack_curve(result: Sharpening) -> dict[str, Any]:
    """The slack curve as data."""
    curve = [
        {
            "value": value,
            "outcome": o.outcome.name,
            "reason": o.reason,
            "tightness": o.tightness,
        }
        for value, o in sorted(result.asked.items())
    ]
    return {
        "claim": result.claim.id,
        "constant": result.constant,
        "printed": result.printed,
        "is_weaker_above": result.is_weaker_above,
        "refuted": result.refuted,
        "not_refuted": result.not_refuted,
        "curve": curve,
    }
