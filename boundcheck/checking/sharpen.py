"""How sharp is a constant? The largest value that is refuted and the smallest that is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boundcheck.checking.judge import Plan, judge
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
    asked: dict[float, Judgement] = field(default_factory=dict)
    known: tuple[dict[str, Raw], ...] = ()
    tell: Callable[[Sharpening], object] = lambda _: None

    @property
    def refuted(self) -> float | None:
        """The largest value that a certificate rules out: a larger one is necessary."""
        return max((v for v, o in self._found if o is Outcome.REFUTED), default=None)

    @property
    def not_refuted(self) -> float | None:
        """The smallest value above it that the search could not refute."""
        floor = self.refuted if self.refuted is not None else 0.0
        return min(
            (v for v, o in self._found if v > floor and o is not Outcome.REFUTED),
            default=None,
        )

    def __repr__(self) -> str:
        low, high = self.refuted, self.not_refuted
        name = f"{self.constant} of {self.claim.id} (printed {self.printed:g})"
        if low is None:
            return f"{name}: no value asked about is refuted, down to {high:.6g}."
        if high is None:
            return f"{name}: every value asked about is refuted, up to {low:.6g}."
        return f"{name}: refuted up to {low:.6g}, by a certificate; not refuted from {high:.6g} on."

    @property
    def _found(self) -> list[tuple[float, Outcome]]:
        return [(value, verdict.outcome) for value, verdict in self.asked.items()]

    def ask(self, value: float) -> bool:
        """Whether the claim with this value is refuted; counterexamples are tried on the next value first."""
        verdict = judge(
            self.claim, self.plan, self.alpha, self.known, self._question(value)
        )
        self.asked[value] = verdict
        if verdict.refutation is not None:
            self.known += (
                from_json(verdict.refutation.certificate["claim"]["instance"]),
            )
        self.tell(self)
        return verdict.outcome is Outcome.REFUTED

    def _question(self, value: float) -> Question:
        label = f"{self.constant} = {value:.6g}"
        if self.constant == SIDE:
            return Question(label, bound=value)
        if self.constant == THRESHOLD:
            return Question(label, slack=value)
        return Question(label, constants=((self.constant, value),))


def constants_of(claim: Claim) -> dict[str, float]:
    """What can be asked about, with the printed values: marked constants first, then factors of 1."""
    words = words_of(claim, draw_instances(claim.parameters, 30, 0))
    return {**words.marked, **({THRESHOLD: 1.0} if words.thresholds else {}), SIDE: 1.0}


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
        share = alpha / (steps + BRACKETS)
        result = Sharpening(claim, name, known[name], plan, share, tell=tell)
        low, high = _bracket(result)
        for _ in range(steps if low and high else 0):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if result.ask(middle) else (low, middle)
        return result


BRACKETS = 10
"""Doublings or halvings before a constant is called unbounded."""


def _bracket(result: Sharpening) -> tuple[float, float]:
    """A refuted value and twice it, not refuted; 0 where there is none."""
    value, refuted = result.printed, result.ask(result.printed)
    for _ in range(BRACKETS - 1):
        value = value * 2 if refuted else value / 2
        if result.ask(value) != refuted:
            return (value / 2, value) if refuted else (value, 2 * value)
    return (value, 0.0) if refuted else (0.0, value)


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
        "largest_refuted": result.refuted,
        "smallest_not_refuted": result.not_refuted,
        "curve": curve,
    }
