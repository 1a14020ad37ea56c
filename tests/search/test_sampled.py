"""Where laws can only be sampled, the search climbs on small samples; fresh trials alone refute."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boundcheck import E, P, Vector, between, integers, quantity, rate, theorem
from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.sampling import Stream
from boundcheck.checking.search.sampled import MOST_NUMBERS, promise
from boundcheck.checking.verdict import Outcome

STREAM = Stream.of(0, "small samples")
SMALL = replace(PLANS["quick"], instances=20, trials=4_000, sampled_instances=3, confirmation_trials=50_000)


def normal(shift: float = 0.0, shape: tuple[int, ...] = ()) -> Any:
    return quantity(lambda rng, size: shift + rng.standard_normal((size, *shape)))


def uniform() -> Any:
    return quantity(lambda rng, size: rng.random(size), low=0, high=1)


def window(most: float) -> Any:
    @theorem("s")
    def window(t: between(0, 100)):
        return P(np.abs(normal(3.7) - t) <= 1) <= most

    return window


def bump(most: float) -> Any:
    @theorem("s")
    def bump(a: between(0, 200)):
        return E(quantity(lambda rng, size: 1 / (1 + (rng.standard_normal(size) + 31 - a) ** 2), low=0, high=1)) <= most

    return bump


def gates(most: float) -> Any:
    @theorem("s")
    def gates(a: between(0, 20), b: between(0, 20)):
        return P((np.abs(normal(13) - a) <= 1) & (np.abs(normal(5) - b) <= 1)) <= most

    return gates


def spread(factor: float) -> Any:
    """Attained where all entries have one size."""

    @theorem("s")
    def spread(x: Vector(5)):
        return E(quantity(lambda rng, size: np.abs(rng.standard_normal((size, 5)) @ x), low=0)) <= factor * np.sqrt(5) * np.max(np.abs(x))

    return spread


def size(most: float) -> Any:
    @theorem("s")
    def size(n: integers(1, 4000)):
        return P(uniform() <= np.exp(-(((n - 1200) / 300.0) ** 2))) <= most

    return size


def slope(most: float) -> Any:
    """Larger samples help, save where a constant error is as large as they are."""

    @theorem("s")
    def slope(x: between(0, 60)):
        constant = 0.2 * float(np.exp(-np.abs(x - 41.0) / 4))

        def error(s: int) -> Any:
            return E(quantity(lambda rng, size: np.abs(rng.random((size, s)).mean(axis=1) - 0.5) + constant, low=0, high=2))

        return rate({s: error(s) for s in (2, 8, 32)}, at_most=most)

    return slope


FALSE = (window(0.64), bump(0.6), gates(0.42), spread(0.74), size(0.9), slope(-0.25))
TRUE = (window(0.69), bump(0.67), gates(0.4721), spread(0.8), size(1.0), slope(0.1))


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.id)
def test_what_is_false_in_a_narrow_place_is_refuted_by_fresh_trials(claim: Any) -> None:
    verdict = judge(claim, replace(PLANS["quick"], sampled_instances=3), 1e-9)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.refutation is not None
    assert verdict.refutation.certificate["conclusion"]["kind"].startswith("sampled")


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.id)
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_nearly_attained_is_not_refuted(claim: Any, seed: int) -> None:
    assert judge(claim, replace(SMALL, seed=seed), 1e-9).outcome is not Outcome.REFUTED


@pytest.mark.parametrize(("statement", "more"), [
    (P(normal() <= 0) >= 0.6, P(normal() <= 0) >= 0.9),
    (P(normal() >= 6) <= 0.01, P(normal() >= 3) <= 0.01),
    (P(~(normal() >= 8)) >= 0.99, P(~(normal() >= 4)) >= 0.99),
    (E(uniform()) <= 0.6, E(uniform()) <= 0.5001),
])  # fmt: skip
def test_a_score_rises_towards_a_violation_and_where_no_trial_shows_one(statement: Any, more: Any) -> None:
    assert promise(statement, STREAM, 256)[0] < promise(more, STREAM, 256)[0]


def test_what_speaks_against_a_statement_has_a_positive_score() -> None:
    against, numbers = promise(P(normal(shape=(3,))[0] <= 0) >= 0.9, STREAM, 256)
    assert against > 0
    assert numbers == 3 * 256
    assert promise(P(normal(shape=(3,))[0] <= 0) >= 0.1, STREAM, 256)[0] < 0


def test_trials_that_draw_too_much_are_left_out() -> None:
    assert promise(P(normal(shape=(MOST_NUMBERS // 16,))[0] <= 0) >= 0.9, STREAM, 256)[0] == -np.inf


def test_the_search_draws_the_same_whatever_was_looked_at_before() -> None:
    verdicts = [judge(gates(0.42), SMALL, 1e-9) for _ in range(2)]
    assert verdicts[0].refutation == verdicts[1].refutation
