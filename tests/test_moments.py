"""Expectations without a range: by a stated variance, and exactly by moments."""

import json
from dataclasses import replace

import numpy as np
import pytest

from boundcheck import E, Unit, between, quantity
from boundcheck.certificates.verify import verify
from boundcheck.certificates.verify.seal import digest
from boundcheck.checking.judge import judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.plan import PLANS
from boundcheck.checking.verdict import Outcome
from boundcheck.checking.verification import Different, compared
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
    return E(np.mean(q)) <= 1 + 0.3 * s, E(q[1] / 4) <= 0.25 + 0.1 * s


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
    certificate = json.loads(json.dumps(found.refutation.certificate))
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
    for unknown in (q * q, q + other, q**2, abs(q), q * c, c / q, np.sum(q), q.map(np.sin), q * (1 + 1j), q / 0.0):
        assert unknown.variance is None
    for known, variance in ((q + c, 2), (1 - q, 2), (-3 * q, 18), (q / 2, 0.5), (q - E(q), 2), (np.mean(q, axis=-1), 2)):
        assert known.variance == variance


def test_where_both_ends_are_known_the_variance_says_nothing_more():
    def ranged(t: Unit):
        return E(quantity(lambda rng, size: rng.beta(2, 2, size), low=0, high=1, variance=0.05)) <= 0.6

    _, found = judged(ranged)
    assert found.outcome is Outcome.HOLDS
    assert "variances" not in found.reason
