"""Atoms at the end of an event: floats that are made of a draw cannot place them, exact arithmetic can."""

from typing import Any

import numpy as np
import pytest

from boundcheck import P, Positive, Unit, assume, at_most, between, integers, less, quantity, sqrt
from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.verdict import Outcome
from boundcheck.words.claims import make_claim


def fair_bit():
    return quantity(lambda rng, size: rng.integers(0, 2, size))


def third():
    return quantity(lambda rng, size: rng.integers(0, 3, size))


def below_a_half(m: integers(1, 2)):
    return P(fair_bit() - 1 / 2 >= m / 2) < 1 / 2


def never(k: between(0.5, 1, closed=True)):
    return P(fair_bit() - 1 / 2 >= k) <= 0


def below_a_third(m: integers(1, 2)):
    return P(third() / 3 - 1 / 3 >= m / 3) < 1 / 3


def above_two_thirds(m: integers(1, 2)):
    return P(third() / 3 - 1 / 3 < m / 3) > 2 / 3


def cantelli_is_not_attained(p: Unit, k: between(0.2, 3)):
    X = quantity(lambda rng, size: (rng.random(size) < p) - p)
    return P(X >= k * sqrt(p * (1 - p))) < 1 / (1 + k**2)


FALSE = [below_a_half, never, below_a_third, above_two_thirds, cantelli_is_not_attained]


def at_most_a_half(m: integers(1, 2)):
    return P(fair_bit() - 1 / 2 >= m / 2) <= 1 / 2


def at_most_a_third(m: integers(1, 2)):
    return P(third() / 3 - 1 / 3 >= m / 3) <= 1 / 3


def at_least_two_thirds(m: integers(1, 2)):
    return P(third() / 3 - 1 / 3 < m / 3) >= 2 / 3


def cantelli(p: Unit, k: between(0.2, 3)):
    X = quantity(lambda rng, size: (rng.random(size) < p) - p)
    return P(X >= k * sqrt(p * (1 - p))) <= 1 / (1 + k**2)


TRUE = [at_most_a_half, at_most_a_third, at_least_two_thirds, cantelli]


def verdict(body: Any):
    return judge(make_claim(body, f"test.{body.__name__}", "here", "theorem"), PLANS["quick"], 1e-8)


@pytest.mark.parametrize("body", FALSE, ids=lambda body: body.__name__)
def test_what_fails_by_a_tie_alone_is_refuted(body):
    assert verdict(body).outcome is Outcome.REFUTED


@pytest.mark.parametrize("body", TRUE, ids=lambda body: body.__name__)
def test_what_a_tie_attains_holds(body):
    assert verdict(body).outcome is Outcome.HOLDS


def test_where_the_tie_is_the_bound_is_met():
    assert verdict(at_most_a_half).tightness == 1


def two_roots(n: integers(1, 3)):
    return less(2 * sqrt(2) * n, sqrt(8) * n)


def both_ways(n: integers(1, 1)):
    return less(2 * sqrt(2), sqrt(8)), less(sqrt(8), 2 * sqrt(2))


def behind_a_tie(x: Positive):
    assume(sqrt(8) * x <= 2 * sqrt(2) * x)
    return at_most(x, 2)


@pytest.mark.parametrize("body", [two_roots, both_ways, behind_a_tie])
def test_equality_that_no_arithmetic_decides_is_no_evidence(body: Any):
    assert judge(make_claim(body, "test.tie", "here", "theorem"), PLANS["quick"], 1e-8).outcome is Outcome.INCONCLUSIVE


def below_one(x: Positive):
    return less(np.tanh(x), 1)


def test_a_strict_statement_may_come_nearer_than_floats_tell():
    assert judge(make_claim(below_one, "test.tie", "here", "theorem"), PLANS["quick"], 1e-8).outcome is Outcome.HOLDS
