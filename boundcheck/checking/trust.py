"""What the engine has to know of itself: its stopping rules exactly, known verdicts, changed certificates."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.checking.confidence import holding_mixture, refuting_mixture
from boundcheck.checking.judge import judge
from boundcheck.checking.plan import Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.domains import Unit
from boundcheck.settings import FiniteLaw
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim
from boundcheck.words.statements import E

Line = tuple[bool, str]


def stopping_rules() -> Iterator[Line]:
    """The exact probability that each rule ever errs, against its level."""
    for delta, level, horizon in DESIGNS:
        crossing = certify(delta, level, horizon)
        errs = f"errs with probability {max(crossing.refuted, crossing.held):.3g} <= {level:g}"
        yield (
            crossing.honest,
            f"delta = {delta:g}: looking after each of {horizon:,} trials {errs}",
        )


def known_verdicts() -> Iterator[Line]:
    """An equality that holds, a false twin of it, and every one-digit change of the twin's certificate."""
    plan = Plan(
        "selftest", instances=25, work=400, trials=4000, sampled_instances=3
    )
    claims = (
        make_claim(body, f"selftest.{body.__name__}", "selftest", "theorem")
        for body in (coin, low_coin)
    )
    true, false = (judge(claim, plan, 1e-9) for claim in claims)
    yield (
        true.outcome is Outcome.HOLDS,
        f"a coin shows heads p times on average, at most: {true.outcome.name}",
    )
    yield (
        false.outcome is Outcome.REFUTED,
        f"0.98 p times, at most: {false.outcome.name}, {false.reason}",
    )
    if false.refutation is not None:
        certificate = false.refutation.certificate
        confirmed = verify(json.loads(json.dumps(certificate))).confirmed
        yield (
            confirmed,
            f"the verifier {'confirms' if confirmed else 'rejects'} the certificate",
        )
        forged = list(_tampered(certificate))
        passed = sum(verify(c).confirmed for c in forged)
        yield (
            not passed,
            f"the verifier rejects {len(forged) - passed} of {len(forged)} changed certificates",
        )


def coin(p: Unit) -> Any:
    """A coin that shows heads with probability p does so p times on average."""
    return E(_heads(p)) <= p


def low_coin(p: Unit) -> object:
    """The same, two percent less."""
    return E(_heads(p)) <= 0.98 * p


def _heads(p: Any) -> object:
    return FiniteLaw(np.array([0.0, 1.0]), np.array([1 - p, p])).sample(1)[0]


def _tampered(certificate: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The certificate with each of its digits, one at a time, raised by one."""
    text = json.dumps(certificate)
    for place, character in enumerate(text):
        if character.isdigit():
            changed = (
                text[:place]
                + str((int(character) + 1) % 10)
                + text[place + 1 :]
            )
            try:
                yield json.loads(changed)
            except ValueError:
                continue  # a number with a leading zero is no JSON


# the exact probability that each Bernoulli stopping rule ever errs: dynamic programming, no simulation


DESIGNS = (
    (0.5, 1e-3, 2_000),
    (0.3, 1e-6, 2_000),
    (0.1, 0.05, 5_000),
    (0.1, 1e-6, 5_000),
    (0.01, 1e-3, 10_000),
    (0.01, 1e-6, 10_000),
    (0.001, 1e-9, 30_000),
)
"""The (delta, level, horizon) that `boundcheck selftest` certifies."""

NEGLIGIBLE = 1e-300
"""States below this probability are counted as stopped, which keeps every result an upper bound."""


@dataclass(frozen=True)
class Crossing:
    """Probability that a rule, looking after every trial up to a horizon, errs at the true rate delta."""

    delta: float
    level: float
    horizon: int
    refuted: float
    held: float

    @property
    def honest(self) -> bool:
        """Whether both errors are at most the level."""
        return max(self.refuted, self.held) <= self.level


def certify(delta: float, level: float, horizon: int) -> Crossing:
    """Both errors of a BernoulliSequence at the rate where they are largest, exact up to rounding (1e-10)."""
    against, favour, enough = (
        refuting_mixture(delta),
        holding_mixture(delta),
        -log(level),
    )
    refutes = boundary(
        lambda k, n: against.log_e_value(k, n, delta) >= enough, horizon
    )
    holds = boundary(
        lambda j, n: favour.log_e_value(n - j, n, delta) >= enough, horizon
    )
    refuted, held = (
        crossing_probability(refutes, delta),
        crossing_probability(holds, 1 - delta),
    )
    return Crossing(delta, level, horizon, refuted, held)


def boundary(
    stops: Callable[[NDArray, NDArray], NDArray], horizon: int
) -> NDArray[np.int64]:
    """Smallest count that stops at each of the trials 1..horizon, n + 1 where none does: shape (horizon,).

    `stops(counts, trials)` is a rule on integer arrays, increasing in the count.
    """
    trials = np.arange(1, horizon + 1)
    under, over = np.full(horizon, -1), trials + 1
    while np.any(over - under > 1):
        middle = (under + over) // 2
        stop = stops(np.maximum(middle, 0), trials) & (middle >= 0)
        under, over = (
            np.where(stop, under, middle),
            np.where(stop, middle, over),
        )
    return over


def crossing_probability(stop_at: NDArray[np.int64], p: float) -> float:
    """P(some n has Bin(n, p) >= stop_at[n - 1]) for i.i.d. trials and a non-decreasing boundary (horizon,).

    All terms are positive, so the relative rounding error is at most about horizon * 1e-16.
    """
    alive = np.zeros(int(stop_at.max()) + 2)
    alive[0], low, top, crossed = (
        1.0,
        0,
        1,
        0.0,
    )  # the states low..top - 1 are alive
    for stop in stop_at.tolist():
        kept = alive[low:top] * (1 - p)
        alive[low + 1 : top + 1] = alive[low:top] * p
        alive[low], alive[low + 1 : top] = (
            kept[0],
            alive[low + 1 : top] + kept[1:],
        )
        top = min(top + 1, stop)
        crossed += float(alive[top])
        while low < top and alive[low] < NEGLIGIBLE:
            crossed, low = crossed + float(alive[low]), low + 1
        if low == top:
            break
    return crossed
