"""Expectations without a range: by a stated variance, and exactly by moments."""

import json
from dataclasses import replace
from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from flint import arb, fmpq

from boundcheck import (
    Box,
    E,
    Matrix,
    Positive,
    Real,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    indicator,
    integers,
    loewner,
    quantity,
)  # fmt: skip
from boundcheck.checking.evaluation import at
from boundcheck.checking.judge import judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.plan import PLANS
from boundcheck.checking.verdict import Outcome
from boundcheck.checking.verification import Different, compared
from boundcheck.laws import NotFinite
from boundcheck.laws.worlds import ExactAverage, enumerated
from boundcheck.operations.moments import count_points, cubature
from boundcheck.verifier import verify
from boundcheck.verifier.moments import rule
from boundcheck.verifier.seal import digest
from boundcheck.words.claims import make_claim

PLAN = replace(PLANS["quick"], instances=4, work=40, trials=6000, sampled_instances=2, confirmation_trials=40_000)


def judged(body):
    claim = make_claim(body, f"test.{body.__name__}", "test", "theorem")
    return claim, judge(claim, PLAN, 1e-7)


def heavy(s, shift=0.0):
    """A law of infinite fourth moment and its variance."""
    return quantity(lambda rng, size: s * rng.standard_t(4, size) + shift, variance=2 * s * s)


def above(s: between(1, 2)):  # type: ignore[valid-type]
    return E(heavy(s, 1)) <= 1 + 0.3 * s


def below(s: between(1, 2)):  # type: ignore[valid-type]
    return E(3 - 2 * heavy(s)) >= 3 - s


def averaged(s: between(1, 2)):  # type: ignore[valid-type]
    q = quantity(lambda rng, size: 1 + s * rng.standard_t(4, (size, 3)), variance=2 * s * s)
    return E(np.mean(q)) <= 1 + 0.3 * s, E(q[1] / 4) <= 0.25 + 0.1 * s  # type: ignore[call-overload]


@pytest.mark.parametrize("body", [above, below, averaged], ids=lambda body: body.__name__)
def test_means_without_a_range_hold_by_their_variance(body):
    _, found = judged(body)
    assert found.outcome is Outcome.HOLDS
    assert "with variances at most as stated" in found.reason


def too_low(s: between(1, 2)):  # type: ignore[valid-type]
    return E(heavy(s, 0.4)) <= 0.1


def too_high(s: between(1, 2)):  # type: ignore[valid-type]
    return E(2 * heavy(s, 0.4) - 1) >= 0.3


@pytest.mark.parametrize("body", [too_low, too_high], ids=lambda body: body.__name__)
def test_means_without_a_range_are_refuted_by_their_variance(body):
    claim, found = judged(body)
    assert found.outcome is Outcome.REFUTED
    assert "with a variance of at most" in found.reason
    certificate = json.loads(json.dumps(found.refutation.certificate))  # type: ignore[union-attr]
    assert verify(certificate).confirmed
    assert "trials drawn again" in compared(claim, certificate)
    for change in ({"variance": 10**6}, {"scale": "0"}, {"alpha": "1/10"}, {"cells": [["-1000", 5000]]}):
        forged = {**certificate, "conclusion": {**certificate["conclusion"], **change}}
        assert not verify({**forged, "seal": digest(forged)}).confirmed
    swapped = {"relation": {"le": "ge", "ge": "le"}[certificate["conclusion"]["relation"]]}
    for change in (swapped, {"origin": "-100"}, {"scale": "1/1024"}):
        forged = {**certificate, "conclusion": {**certificate["conclusion"], **change}}
        with pytest.raises(Different):
            compared(claim, forged)


def attained(s: between(1, 2)):  # type: ignore[valid-type]
    return E(heavy(s)) <= 0


def test_a_mean_that_is_attained_is_neither_refuted_nor_held():
    _, found = judged(attained)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "with a variance of at most" in found.reason


def test_a_variance_that_the_draws_contradict_is_a_mistake_of_the_claim():
    def understated(s: between(1, 2)):  # type: ignore[valid-type]
        return E(quantity(lambda rng, size: s * rng.standard_t(4, size), variance=s / 8)) <= 0

    with pytest.raises(BrokenClaim, match="spread more than"):
        judged(understated)


def test_what_is_no_variance_is_refused():
    for wrong in (-1, np.inf, np.nan, np.ones(2), "1", 1j):
        with pytest.raises((ValueError, TypeError), match="variance"):
            quantity(lambda rng, size: rng.normal(size=size), variance=wrong)


def test_the_variance_of_what_is_not_affine_is_not_known():
    q, other = (quantity(lambda rng, size: rng.standard_t(4, size), variance=2) for _ in range(2))
    c = np.ones(3)
    for unknown in (q * q, q + other, q**2, abs(q), q * c, c / q, np.sum(q), q.map(np.sin), q * (1 + 1j), q / 0.0):  # type: ignore[call-overload]
        assert unknown.variance is None
    averaged = np.mean(q, axis=-1)  # type: ignore[call-overload]
    for known, variance in ((q + c, 2), (1 - q, 2), (-3 * q, 18), (q / 2, 0.5), (q - E(q), 2), (averaged, 2)):
        assert known.variance == variance


def test_where_both_ends_are_known_the_variance_says_nothing_more():
    def ranged(t: Unit):
        return E(quantity(lambda rng, size: rng.beta(2, 2, size), low=0, high=1, variance=0.05)) <= 0.6

    _, found = judged(ranged)
    assert found.outcome is Outcome.HOLDS
    assert "variances" not in found.reason


# exactly, by moments


def gaussian(shape=()):
    return quantity(lambda rng, size: rng.standard_normal((size, *shape)))


def projected(a: Vector("n")):  # type: ignore[valid-type]
    g = quantity(lambda rng, size: rng.standard_normal((size, len(a))))
    return equal(E((g @ a) ** 2), a @ a), equal(E((g @ a) ** 4), 3 * (a @ a) ** 2)


def moments_of_one(t: Unit):
    g = gaussian()
    return E(g**4) <= 3, equal(E(g**16), 2027025), equal(E(g * g * g), 0)


def chi_square(n: integers(1, 12)):  # type: ignore[valid-type]
    square = np.sum(quantity(lambda rng, size: rng.normal(size=(size, n))) ** 2)
    return equal(E(square), n), equal(E((square - E(square)) ** 2), 2 * n)


def stein(mu: Real, s: Positive):
    g = quantity(lambda rng, size: rng.normal(mu, s, size))
    return equal(E((g - mu) * g**3), 3 * s**2 * E(g**2))


def isserlis(A: Matrix(4, 4)):  # type: ignore[valid-type]
    g = quantity(lambda rng, size: rng.standard_normal((size, 4)) @ A.T)
    S = A @ A.T
    return equal(E(np.prod(g)), S[0, 1] * S[2, 3] + S[0, 2] * S[1, 3] + S[0, 3] * S[1, 2])  # type: ignore[call-overload]


def exponentials(a: Box("n", 0, 2)):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.exponential(a, (size, len(a))))
    return equal(E(np.sum(x) ** 2), a @ a + np.sum(a) ** 2), E(x[0] ** 3) <= 6 * a[0] ** 3  # type: ignore[call-overload]


def with_coins(p: Unit, s: Positive):
    x = quantity(lambda rng, size: rng.binomial(3, p, size) * rng.normal(1, s, size) + rng.standard_exponential(size))
    return equal(E(x), 3 * p + 1)


def of_normal_means(s: Positive):
    x = quantity(lambda rng, size: rng.normal(rng.normal(1, s, size), 2, size))
    return equal(E(x**2), s**2 + 5)


def wishart(n: integers(1, 2)):  # type: ignore[valid-type]
    w = gaussian((5, n))
    square = w.mT @ w
    return loewner(E(square @ square), 5 * (n + 6) * np.eye(n)), equal(E(square.map(np.linalg.det)), float(np.prod(5.0 - np.arange(n))))


def uniforms(a: between(-2, 1), b: between(1, 3)):  # type: ignore[valid-type]
    u = quantity(lambda rng, size: rng.uniform(a, b, size), low=a, high=b)
    v = quantity(lambda rng, size: 1 - rng.random((size, 3)))
    return equal(E(u), (a + b) / 2), equal(E((u - E(u)) ** 4), (b - a) ** 4 / 80), equal(E(np.prod(v)), 1 / 8)  # type: ignore[call-overload]


def uniform_and_coin(p: Unit):
    def draw(rng, size):
        return np.stack([(rng.random(size) < p) * rng.random(size), rng.random(size) ** 2], axis=-1)

    return equal(E(quantity(draw)), np.array([p / 2, 1 / 3]))


EXACT = [
    projected, moments_of_one, chi_square, stein, isserlis, exponentials, with_coins, of_normal_means, wishart, uniforms, uniform_and_coin,
]  # fmt: skip


@pytest.mark.parametrize("body", EXACT, ids=lambda body: body.__name__)
def test_means_of_polynomials_are_exact(body):
    _, found = judged(body)
    assert found.outcome is Outcome.HOLDS
    assert found.evidence.exact == found.evidence.satisfied > 0
    assert not found.evidence.trials


def not_projected(a: Vector("n")):  # type: ignore[valid-type]
    g = quantity(lambda rng, size: rng.standard_normal((size, len(a))))
    return E((g @ a) ** 2) <= 0.999 * (a @ a)


def too_small_fourth(t: Unit):
    return E(gaussian() ** 4) <= 2.999


def not_stein(mu: Real, s: Positive):
    g = quantity(lambda rng, size: rng.normal(mu, s, size))
    return equal(E((g - mu) * g**3), 2 * s**2 * E(g**2))


def not_isserlis(A: Matrix(4, 4)):  # type: ignore[valid-type]
    g = quantity(lambda rng, size: rng.standard_normal((size, 4)) @ A.T)
    S = A @ A.T
    return equal(E(np.prod(g)), S[0, 1] * S[2, 3] + S[0, 2] * S[1, 3])  # type: ignore[call-overload]


def too_small_kurtosis(s: between(0.1, 3)):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.exponential(s, size))
    return E((x - E(x)) ** 4) <= 8.9 * s**4


def one_too_few(t: Unit):
    return E(gaussian() ** 24) <= 316234143224


def assumed(a: Real):
    x = quantity(lambda rng, size: rng.normal(a, 1, size))
    assume(E(x**2) <= 2)
    return at_most(a * a, 0.9)


def too_small_square(t: Unit):
    return E(quantity(lambda rng, size: rng.random(size), low=0, high=1) ** 2) <= 0.333


REFUTED = [too_small_square, not_projected, too_small_fourth, not_stein, not_isserlis, too_small_kurtosis, one_too_few, assumed]


@pytest.mark.parametrize("body", REFUTED, ids=lambda body: body.__name__)
def test_false_means_of_polynomials_are_refuted_exactly_and_by_the_text(body):
    claim, found = judged(body)
    assert found.outcome is Outcome.REFUTED
    certificate = json.loads(json.dumps(found.refutation.certificate))  # type: ignore[union-attr]
    assert verify(certificate).confirmed
    assert not verify(certificate).sampled
    assert compared(claim, certificate) == "program, hypotheses"


ELSEWHERE = {
    "abs": np.abs, "floor": np.floor, "mod": lambda x: x % 1, "exp": np.exp, "sqrt": lambda x: np.sqrt(x * x),
    "root": lambda x: (x * x) ** 1.5, "where": lambda x: np.where(x > 0, x, 0), "mask": lambda x: x * (x > 0),
    "clip": lambda x: np.clip(x, -1, 1), "inverse": lambda x: 1 / (2 + x), "max": lambda x: np.maximum(x, 0),
    "sort": lambda x: np.sort(np.stack([x, -x], axis=-1), axis=-1)[:, 0], "whole": lambda x: x.astype(int),
    "list": lambda x: np.array(x.tolist()) ** 2, "float": lambda x: np.array([float(v) for v in x]), "high": lambda x: x**26,
    "branch": lambda x: np.array([v if v > 0 else 0 for v in x]), "solve": lambda x: np.linalg.inv(x[:, None, None])[:, 0, 0],
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_no_polynomial_in_the_draws_is_sampled(name):
    """At the few points of a rule these would have other means."""
    q = quantity(lambda rng, size: ELSEWHERE[name](rng.standard_normal(size)))
    with pytest.raises(NotFinite):
        ExactAverage()(q)
    with pytest.raises(NotFinite):
        ExactAverage()(indicator(q <= 1))


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_no_polynomial_in_uniform_draws_is_sampled(name):
    q = quantity(lambda rng, size: ELSEWHERE[name](rng.random(size)))
    with pytest.raises(NotFinite):
        ExactAverage()(q)


COINS = {
    "and a number": lambda u, v: u * (u < 0.5), "and before": lambda u, v: (u < 0.5) * u, "two draws": lambda u, v: (u < v) * 1.0,
    "turned": lambda u, v: (v > u) * 1.0, "a shifted one": lambda u, v: (u < 1 - v) * 1.0, "equal": lambda u, v: (u == 0.5) * 1.0,
}  # fmt: skip


@pytest.mark.parametrize("name", COINS)
def test_uniform_draws_are_coins_or_numbers(name):
    q = quantity(lambda rng, size: COINS[name](rng.random(size), rng.random(size)))
    with pytest.raises(NotFinite):
        ExactAverage()(q)


def test_uniform_draws_of_a_coin_are_compared_from_both_sides():
    p = np.array([0.25, 0.5])
    q = quantity(lambda rng, size: np.stack([p[0] > rng.random(size), rng.random(size) <= 0.5], axis=-1) * 1.0)
    np.testing.assert_allclose(ExactAverage()(q), p)


def test_events_of_draws_of_known_moments_are_sampled():
    with pytest.raises(NotFinite, match="not finite"):
        enumerated(gaussian() <= 1)


RULES = [
    (("normal",) * 3, 6), (("exponential",) * 2, 5), (("normal", "exponential", "normal"), 5), (("normal",), 11), (("exponential",), 9),
    (("uniform",) * 2, 7), (("uniform", "exponential", "normal"), 4),
]  # fmt: skip


@pytest.mark.parametrize(("names", "degree"), RULES)
def test_a_rule_is_exact_up_to_the_degree_in_rationals_and_in_floats(names, degree):
    even = {"normal": lambda k: prod(range(1, k, 2)), "uniform": lambda k: fmpq(1, k + 1)}
    moment = {"exponential": factorial} | {name: lambda k, f=f: 0 if k % 2 else f(k) for name, f in even.items()}
    mine, (points, weights) = cubature(names, degree), rule(names, degree)
    assert len(points) == len(mine.points) == count_points(names, degree)
    theirs = dict(zip(points, weights, strict=True))
    for powers in product(range(degree + 1), repeat=len(names)):
        if sum(powers) <= degree:
            expected = prod((moment[name](k) for name, k in zip(names, powers, strict=True)), start=fmpq(1))
            assert sum((w * prod(x**k for x, k in zip(p, powers, strict=True)) for p, w in theirs.items()), fmpq(0)) == expected
            found = np.sum(mine.weights * np.prod(mine.points ** np.array(powers), axis=-1))
            assert found == pytest.approx(float(arb(expected)), rel=1e-9, abs=1e-9 * mine.mass)


def forged(change):
    """The verdict of the verifier on a changed certificate of E(g^4) <= 2.999."""
    certificate = json.loads(json.dumps(judged(too_small_fourth)[1].refutation.certificate))  # type: ignore[union-attr]
    change(certificate)
    return verify({**certificate, "seal": digest(certificate)})


def test_a_certificate_cannot_take_a_rule_for_more_than_it_is_exact_for():
    assert forged(lambda c: None).confirmed
    for degree in (0, 3):
        assert "no polynomial of degree" in forged(lambda c, degree=degree: c["laws"][0].update(degree=degree)).sentence
    assert not forged(lambda c: c["laws"][0].update(law="exponential", degree=2)).confirmed
    assert not forged(lambda c: c["laws"][0].update(unordered=True)).confirmed
    assert not forged(lambda c: c["laws"][0].pop("degree")).confirmed


def test_a_certificate_says_nothing_of_points_of_a_rule():
    """Neither a hypothesis, nor an event, nor a side of the conclusion may be of a draw of which only moments are known."""
    event = {"kind": "probability", "relation": "le"}
    drawn = [
        lambda c, k, b: c["hypotheses"].append({"relation": "le", "args": [k, k]}),
        lambda c, k, b: c["hypotheses"].append({"relation": "whole", "args": [k]}),
        lambda c, k, b: c.update(conclusion={"kind": "at_most", "args": [k, b]}),
        lambda c, k, b: c.update(conclusion={**event, "event": {"le": [k, k]}, "bound": b}),
    ]
    for change in drawn:

        def changed(c, change=change):
            change(c, next(k for k, node in enumerate(c["program"]) if node["op"] == "random"), c["conclusion"]["args"][1])

        assert "only moments are known" in forged(changed).sentence
    for op in ("abs", "exp", "sqrt"):
        def other(c, op=op):
            k = next(k for k, node in enumerate(c["program"]) if node["op"] == "pow")
            c["program"][k] = {"op": op, "args": [c["program"][k]["args"][0]]}
        assert "no polynomial" in forged(other).sentence


def test_one_instance_says_what_is_supposed_and_what_is_exact():
    heavy_tailed, exact = (make_claim(b, f"test.{b.__name__}", "test", "theorem") for b in (above, too_small_kurtosis))
    seen = at(heavy_tailed, s=1.5)
    assert seen.outcome == "holds"
    assert "with a variance of at most what is stated" in repr(seen)
    assert "violated, 9 > 8.9" in repr(at(exact, s=1.0))
