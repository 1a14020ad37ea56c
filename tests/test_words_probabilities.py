"""Probabilities in arithmetic, conditional ones, and means that are scaled and added: exact where laws are finite, by trials elsewhere."""

from typing import Any

import numpy as np
import pytest

from boundcheck import E, P, Unit, between, both, equal, quantity
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=8, work=300, trials=4000, sampled_instances=2, confirmation_trials=20_000, level=1e-3)


def verdict(body: Any) -> Judgement:
    return judge(make_claim(body, "test.body", "here", "theorem"), PLAN, 1e-7)


def heads(p: Any, n: int = 1) -> Any:
    return quantity(lambda rng, size: rng.binomial(n, p, size))


def uniform() -> Any:
    return quantity(lambda rng, size: rng.uniform(0, 1, size), low=0, high=1)


def normal(m: Any) -> Any:
    return quantity(lambda rng, size: rng.normal(m, 1, size))


def sums(p: Unit, q: Unit):  # type: ignore[valid-type]
    x, y = heads(p), heads(q)
    return P(x == 1) + P(y == 1) <= p + q, 3 - P(x == 1) - 2 * P(y == 1) >= 3 - p - 2 * q


def product(p: Unit, q: Unit):  # type: ignore[valid-type]
    x, y = heads(p), heads(q)
    return P((x == 1) & (y == 1)) == P(x == 1) * P(y == 1)


def markov(p: Unit, t: Unit):  # type: ignore[valid-type]
    x = heads(p, 3)
    return t * P(x >= t) <= E(x), np.maximum(P(x >= 3), P(x >= 2)) <= 1  # pyright: ignore


def conditional(p: Unit):  # type: ignore[valid-type]
    x = heads(p, 2)
    return both(P(x == 2, given=x >= 1) == p / (2 - p), P(x == 2, given=x >= 1) <= p)


def quotients(p: Unit):  # type: ignore[valid-type]
    x = heads(p, 2)
    both = P(x == 2, given=x >= 1)
    return 2 * both <= 2 * p, both <= P(x == 2, given=x >= 2), 1 - both >= 1 - p


def scaled(c: Unit):  # type: ignore[valid-type]
    x = uniform()
    return -2 * E(np.exp(-x)) <= -1.2, E(np.exp(-x)) - P(x < 0.5) / 2 >= 0.35


@pytest.mark.parametrize("body", [sums, product, markov, conditional, quotients, scaled])
def test_true_ones_hold(body):
    assert verdict(body).outcome == Outcome.HOLDS


def not_independent(p: Unit):  # type: ignore[valid-type]
    x = heads(p)
    return P((x == 1) & (x == 0)) == P(x == 1) * P(x == 0)


def more_than_a_sum(p: Unit):  # type: ignore[valid-type]
    x = heads(p, 4)
    return P(x >= 3) <= 0.5 * P(x >= 2) + 0.1 * P(x == 0)


def larger_given(p: Unit):  # type: ignore[valid-type]
    x = heads(p, 2)
    return P(x == 2, given=x >= 1) >= p


def strictly_less(p: Unit):  # type: ignore[valid-type]
    return P(heads(p) == 1, given=heads(p) <= 1) < p


def given_or_not(p: Unit):  # type: ignore[valid-type]
    x = heads(p, 2)
    return P(x == 2, given=x >= 1) <= P(x == 2)


def larger_given_sampled(m: Unit):  # type: ignore[valid-type]
    x = normal(m)
    return P(x >= 2, given=x >= 1) >= 0.5


def scaled_too_far(c: Unit):  # type: ignore[valid-type]
    return 1 - 2 * E(np.exp(-uniform())) >= -0.2


def two_means(c: Unit):  # type: ignore[valid-type]
    x = uniform()
    return E(2 * np.exp(-x)) - 1 <= 0.2 * E(x)


FALSE = [not_independent, more_than_a_sum, larger_given, strictly_less, given_or_not, larger_given_sampled, scaled_too_far, two_means]


@pytest.mark.parametrize("body", FALSE)
def test_false_ones_are_refuted(body):
    judged = verdict(body)
    assert judged.outcome == Outcome.REFUTED
    assert judged.refutation is not None
    assert verify(judged.refutation.certificate).confirmed


def test_a_condition_that_never_happens_says_nothing():
    def never(p: Unit):  # type: ignore[valid-type]
        x = heads(p)
        return P(x == 1, given=x == 2) <= 0.5

    def strictly(p: Unit):  # type: ignore[valid-type]
        x = heads(p)
        return P(x == 1, given=x == 2) < 0.5

    assert verdict(never).outcome == Outcome.VACUOUS
    assert verdict(strictly).outcome == Outcome.INCONCLUSIVE


def test_how_near_a_sampled_condition_comes_to_its_bound_is_seen():
    def memoryless(p: between(0.4, 0.6)):  # type: ignore[valid-type]
        x = quantity(lambda rng, size: rng.geometric(0.5, size))
        return P(x > 2, given=x > 1) <= 0.6

    judged = verdict(memoryless)
    assert judged.outcome == Outcome.HOLDS
    assert judged.tightness is not None
    assert 0.75 < judged.tightness < 0.92


def test_one_that_is_computed_turns_the_path():
    def less(c: between(0.5, 2, closed=True), p: Unit):  # type: ignore[valid-type]
        return c - P(heads(p) == 1) >= 0

    judged = verdict(less)
    assert judged.outcome == Outcome.REFUTED
    assert judged.refutation is not None
    assert verify(judged.refutation.certificate).confirmed


def test_products_of_sampled_means_are_not_one_mean():
    def squared(c: Unit):  # type: ignore[valid-type]
        return E(np.exp(-uniform())) * E(np.exp(uniform())) <= 1

    assert verdict(squared).outcome == Outcome.INCONCLUSIVE


@pytest.mark.parametrize("given", [0.5, "x", heads(0.5)])
def test_what_a_condition_is_not_is_refused(given):
    with pytest.raises(TypeError):
        P(heads(0.5) <= 1, given=given)


def test_one_less_a_probability_stays_one():
    assert equal(1 - P(heads(0.5) == 1), 0.5).relation == "equal"
    assert isinstance(1 - P(heads(0.5) == 1), type(P(heads(0.5) == 1)))
