"""Verdicts on small theorems: true ones are never refuted, false ones always, and what is open is said to be open."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boundcheck import (
    PSD,
    E,
    Few,
    P,
    Positive,
    Simplex,
    Symmetric,
    Unit,
    Vector,
    at_most,
    between,
    eigenvalues,
    equal,
    integers,
    largest_eigenvalue,
    loewner,
    log,
    opnorm,
    quantity,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.named import at_named_numbers
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=25, work=600, trials=4000, sampled_instances=3, confirmation_trials=60_000, level=1e-3)
ALPHA = 1e-7


def verdict(body: Any, plan: Plan = PLAN) -> Judgement:
    return judge(make_claim(body, f"test.{body.__name__}", "here", "theorem"), plan, ALPHA)


# Each factor is 1 in the theorem, which is then true and often an equality, and less in its false twin.


def am_gm(c: float):
    def statement(x: Positive, y: Positive):
        return at_most(sqrt(x * y), c * (x + y) / 2)

    return statement


def cauchy_schwarz(c: float):
    def statement(x: Vector("n"), y: Vector("n")):  # type: ignore[valid-type]
        return at_most((x @ y) ** 2, c * (x @ x) * (y @ y))

    return statement


def lagrange(c: float):
    def statement(x: Vector("n"), y: Vector("n")):  # type: ignore[valid-type]
        return equal((x @ x) * (y @ y) - (x @ y) ** 2, c * np.sum((np.outer(x, y) - np.outer(y, x)) ** 2) / 2)

    return statement


def jensen_operator(c: float):
    def statement(A: PSD("n"), B: PSD("n")):  # type: ignore[valid-type]
        return loewner((A + B) @ (A + B), 2 * c * (A @ A + B @ B))

    return statement


def spectral_trace(c: float):
    def statement(A: Symmetric("n")):  # type: ignore[valid-type]
        return equal(np.sum(eigenvalues(A) ** 2), c * trace(A @ A)), at_most(largest_eigenvalue(A), opnorm(A))

    return statement


def hoeffding(c: float):
    def statement(bias: Unit, n: integers(1, 30), delta: Unit):  # type: ignore[valid-type]
        mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
        return P(mean - bias <= sqrt(c * log(1 / delta) / (2 * n))) >= 1 - delta

    return statement


def union(c: float):
    def statement(p: between(0, 0.5), q: between(0, 0.5)):  # type: ignore[valid-type]
        x = quantity(lambda rng, size: rng.binomial(1, p, size))
        y = quantity(lambda rng, size: rng.binomial(1, q, size))
        return P((x == 1) | (y == 1)) <= c * (p + q - p * q)

    return statement


def variance(c: float):
    def statement(n: integers(1, 6), p: Unit):  # type: ignore[valid-type]
        x = quantity(lambda rng, size: rng.binomial(n, p, size))
        return equal(E((x - n * p) ** 2), c * n * p * (1 - p))

    return statement


def markov(c: float):
    def statement(p: Unit, n: Few):
        x = quantity(lambda rng, size: rng.binomial(n, p, size))
        return E(x**2) <= c * (n * p + n * n * p * p)

    return statement


def second_moment(c: float):
    def statement(w: Simplex("n")):  # type: ignore[valid-type]
        z = quantity(lambda rng, size: rng.choice(np.eye(len(w)), size))
        return loewner(E(z[:, None] * z[None, :]), c * np.eye(len(w)) / len(w))

    return statement


def uniform_tail(c: float):
    def statement(t: between(0.2, 0.8)):  # type: ignore[valid-type]
        return P(quantity(lambda rng, size: rng.uniform(0, 1, size)) <= t) >= 1 - c * (1 - t)

    return statement


def uniform_mean(c: float):
    def statement(t: between(0.2, 0.8)):  # type: ignore[valid-type]
        return E(quantity(lambda rng, size: t * rng.uniform(0, 1, size), low=0, high=1)) <= c * t / 2

    return statement


THEOREMS = [am_gm, cauchy_schwarz, lagrange, jensen_operator, spectral_trace, hoeffding, union, variance, markov, second_moment]
SAMPLED = [uniform_tail, uniform_mean]


@pytest.mark.parametrize("theorem", [*THEOREMS, *SAMPLED])
@pytest.mark.parametrize("seed", [0, 1])
def test_true_theorems_are_never_refuted(theorem, seed):
    found = verdict(theorem(1.0), plan=replace(PLAN, seed=seed))
    assert found.outcome in ((Outcome.HOLDS,) if theorem in THEOREMS else (Outcome.HOLDS, Outcome.INCONCLUSIVE))
    assert found.refutation is None
    assert found.scope == "population"


@pytest.mark.parametrize("theorem", [*THEOREMS, *SAMPLED])
def test_false_twins_are_refuted_with_a_certificate_that_survives_json(theorem):
    found = verdict(theorem(0.7))
    assert (found.outcome, found.scope) == (Outcome.REFUTED, "universal")
    assert found.refutation is not None
    certificate = json.loads(json.dumps(found.refutation.certificate))
    finding = verify(certificate)
    assert finding.confirmed
    assert finding.sentence == found.reason
    assert certificate["claim"]["source"] == "here"


LARGE = 99_999


def at_one_number(n: integers(1, 10**6)):  # type: ignore[valid-type]
    return at_most(1, 0) if n == 8191 else at_most(0, n)


def beside_a_named_number(n: integers(1, 10**6)):  # type: ignore[valid-type]
    return at_most(1, 0) if LARGE + 1 < n < LARGE + 3 else at_most(0, n)


def at_a_decimal(x: between(-100, 100)):  # type: ignore[valid-type]
    return at_most(np.where(x == -8.191, 1, 0), 0)


def between_two_squares(n: integers(1, 10**6)):  # type: ignore[valid-type]
    return at_most(0, (n - 123456) * (n - 123458))


def in_a_narrow_gap(x: between(0, 10)):  # type: ignore[valid-type]
    return at_most(x, 1) if 1 < x < 1.00001 else at_most(x, 10)


@pytest.mark.parametrize("body", [at_one_number, at_a_decimal, between_two_squares, in_a_narrow_gap])
def test_numbers_that_the_text_names_are_tried(body):
    assert verdict(body).outcome is Outcome.REFUTED


def test_numbers_of_a_text_are_read_through_names_of_the_module_and_with_both_signs():
    claim = make_claim(beside_a_named_number, "test.named", "here", "theorem")
    tried = {raw["n"] for raw in at_named_numbers(claim, [{"n": 1}])}
    assert tried == {2, 3, 4, 99_998, 99_999, 100_000}


def test_numbers_that_are_compared_with_are_tried_with_what_lies_between():
    claim = make_claim(in_a_narrow_gap, "test.gap", "here", "theorem")
    assert {raw["x"] for raw in at_named_numbers(claim, [{"x": 1.0}])} == {1.00001, 1.000005}


def test_a_size_is_no_number_that_is_tried():
    def sized(n: integers(1, 100), x: Vector("n")):  # type: ignore[valid-type]
        return at_most(0, x @ x) if n != 50 else at_most(0, n)

    claim = make_claim(sized, "test.sized", "here", "theorem")
    assert [*at_named_numbers(claim, [{"n": 2, "x": np.ones(2)}])] == []


def test_a_chance_below_every_float_of_its_bound_is_compared_with_delta_itself():
    def rarely(n: integers(70, 80), delta: between(1e-20, 1e-17)):  # type: ignore[valid-type]
        return P(quantity(lambda rng, size: rng.binomial(n, 0.5, size)) <= n - 1) >= 1 - delta

    found = verdict(rarely)
    assert found.outcome is Outcome.HOLDS
    assert found.tightness is not None
    assert found.tightness > 1e-6


@pytest.mark.parametrize(("bound", "further"), [(0.0075, True), (0.0063, False)])
def test_more_trials_are_made_where_a_decision_is_near(bound, further):
    """P(X > 2.5) = 0.0062: near to one bound, nearer to the other than any trials of the plan."""

    def tail():
        return P(quantity(lambda rng, size: rng.standard_normal(size)) <= 2.5) >= 1 - bound

    seen = verdict(tail, replace(PLAN, trials=20_000))
    assert seen.outcome is (Outcome.HOLDS if further else Outcome.INCONCLUSIVE)
    assert (20_000 < seen.evidence.trials <= 80_000) == further


def test_a_mean_near_its_bound_is_sampled_further():
    def mean():
        return E(quantity(lambda rng, size: np.sin(rng.standard_normal(size)) ** 2, low=0, high=1)) <= 0.45

    seen = verdict(mean, replace(PLAN, trials=8_000))
    assert seen.outcome is Outcome.HOLDS
    assert seen.evidence.trials > 8_000
