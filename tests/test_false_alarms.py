"""True theorems that once looked false: equalities hidden by cancellation, laws and shapes that are easy to mistake."""

from typing import Any

import numpy as np
import pytest

from boundcheck import (
    PSD,
    Count,
    E,
    Few,
    P,
    Positive,
    Real,
    Simplex,
    Size,
    Unit,
    Vector,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    psd_sqrt,
    quantity,
    smallest_eigenvalue,
    sqrt,
)  # fmt: skip
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import Outcome
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=25, work=600, trials=4000, sampled_instances=3, confirmation_trials=60_000, level=1e-3)


def outcome(body: Any) -> Outcome:
    return judge(make_claim(body, f"test.{body.__name__}", "here", "theorem"), PLAN, 1e-7).outcome


def large_difference(x: Vector("n"), c: Positive):  # type: ignore[valid-type]
    return equal((1e8 * x + c) - 1e8 * x, c)


def small_difference(x: between(0, 1e-6)):  # type: ignore[valid-type]
    return at_most((1 + x) - 1, x)


def reordered_sum(x: Vector("n")):  # type: ignore[valid-type]
    return equal(np.sum(x) - np.sum(x[::-1]), 0)


def binomial_square(x: Real, y: Real):
    return equal((x + y) ** 2 - x**2 - y**2, 2 * x * y)


def euler(n: Count):
    return at_most((1 + 1 / n) ** n, exp(1))


def complement(n: Count):
    return equal(1 - (1 - np.exp(-n)), exp(-n))


def difference_of_roots(n: Count):
    return at_most(np.sqrt(n + 1) - np.sqrt(n), 1 / (2 * sqrt(n)))


def large_powers(n: integers(15, 40), x: Positive):  # type: ignore[valid-type]
    return equal(x * (10**n + 1) - x * 10**n, x)


def root_of_a_product(A: PSD("n")):  # type: ignore[valid-type]
    return equal(psd_sqrt(A) @ psd_sqrt(A), A)


def log_of_a_product(x: Positive, y: Positive):
    return equal(log(x * y) - log(x) - log(y), 0)


def plain_constant(x: Unit):
    return equal(np.cos(np.pi / 2) * x, 0), at_most(np.sin(np.pi) * x, 0)


def computed_tenth(x: Unit):
    return at_most(x * (0.1 + 0.2) - x * 0.3, 0)


def exact_tie(n: integers(1, 12)):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.binomial(n, 0.1, size) / n)
    return P(x <= 0.1 * 3 / 3 + 0.9) >= 1


def fair_coin(n: integers(1, 12)):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.binomial(2 * n - 1, 0.5, size))
    return P(x >= n) == 0.5


def sum_of_weights(w: Simplex("n")):  # type: ignore[valid-type]
    return equal(np.sum(w) - 1, 0)


def determinants(A: PSD(3), B: PSD(3)):  # type: ignore[valid-type]
    return equal(np.linalg.det(A @ B) - np.linalg.det(A) * np.linalg.det(B), 0)


def scaled_noise(x: Unit):
    return equal(1e9 * np.cos(np.pi / 2) * x, 0)


def sum_of_a_vector(n: Size, x: Vector("n")):  # type: ignore[valid-type]
    return at_most(np.sum(x) ** 2, n * np.sum(x * x))


def largest_weight(n: Size, w: Simplex("n")):  # type: ignore[valid-type]
    return at_most(1, n * np.max(w))


def one_uniform(p: Unit):
    def sample(rng: Any, size: int) -> Any:
        u = rng.random(size)
        return (u < p) * 1.0 - (u < p) * 1.0

    return P(abs(quantity(sample)) <= 0.5) >= 1


def mean_over_a_trial(p: Unit, n: Few):
    return equal(E(np.mean(quantity(lambda rng, size: rng.binomial(1, p, (size, n))))), p)  # type: ignore[call-overload]


def sum_over_a_trial(p: Unit, n: Few):
    return P(np.sum(quantity(lambda rng, size: rng.binomial(1, p, (size, n)))) <= n) >= 1  # type: ignore[call-overload]


HIDDEN = [
    large_difference, small_difference, reordered_sum, binomial_square, euler, complement, difference_of_roots, large_powers,
    one_uniform, mean_over_a_trial, sum_over_a_trial, root_of_a_product, log_of_a_product, plain_constant, computed_tenth,
    exact_tie, fair_coin, sum_of_weights, determinants,
]  # fmt: skip


@pytest.mark.parametrize("body", HIDDEN, ids=lambda body: body.__name__)
def test_they_are_never_refuted(body):
    assert outcome(body) is not Outcome.REFUTED


@pytest.mark.parametrize("body", [scaled_noise, sum_of_a_vector, largest_weight], ids=lambda body: body.__name__)
def test_untraced_floats_and_sizes_of_vectors_never_refute(body):
    assert outcome(body) is not Outcome.REFUTED


def gram_of_few_rows(n: integers(1, 2), d: integers(3, 4)):  # type: ignore[valid-type]
    X = quantity(lambda rng, size: rng.standard_normal((size, n, d)))
    return P(smallest_eigenvalue(X.mT @ X) >= 0) >= 0.9


def product_beyond_64_bits(k: integers(15, 20)):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.poisson(50, (size, k)))
    return P(np.prod(x) >= 0) >= 0.99  # type: ignore[call-overload]


def softplus(s: between(100, 900)):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.normal(0, s, size))
    return P(log(1 + exp(x)) > 0) >= 0.99


@pytest.mark.parametrize("body", [gram_of_few_rows, product_beyond_64_bits, softplus], ids=lambda body: body.__name__)
def test_trials_that_floats_lose_are_decided_in_exact_arithmetic(body: Any):
    claim = make_claim(body, f"test.{body.__name__}", "here", "theorem")
    found = judge(claim, Plan("test", instances=4, work=20, trials=2000, sampled_instances=2, confirmation_trials=2000), 1e-7)
    assert found.outcome is Outcome.VACUOUS
    assert "no trial fails" in found.reason
    assert not found.evidence.undecided


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, size: 3 * rng.choice(np.array([0.1, 0.2]), size) + 0 * rng.standard_normal(size),
        lambda rng, size: rng.permuted(np.tile([0.1, 0.1, 0.1], (size, 1)), axis=1) @ np.ones(3) + 0 * rng.standard_normal(size),
    ],
    ids=["chosen", "permuted"],
)
def test_chosen_decimals_are_not_their_floats(draw):
    """3 * 0.1 is 0.3 and no more, whatever floats say."""

    def more():
        return P(quantity(draw) > 0.3) >= 0.99

    claim = make_claim(more, "test.more", "here", "theorem")
    plan = Plan("test", instances=2, work=100, trials=2_000, sampled_instances=1)
    assert judge(claim, plan, 1e-6).outcome is Outcome.INCONCLUSIVE
