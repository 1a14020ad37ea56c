"""Plans keep what they promise: the sequence decides there, the planned test has the stated power."""

from math import inf

import pytest

from boundcheck.checking.confidence import (
    BernoulliSequence,
    binomial_tail,
    clopper_pearson,
    critical_failures,
    detectable_rate,
    trials_to_decide,
)


@pytest.mark.parametrize(("delta", "trials"), [(0.01, 1447), (0.001, 14_533)])
def test_without_failures_the_plan_is_the_first_decision(delta, trials):
    test = BernoulliSequence(delta, 1e-6)
    assert trials_to_decide(delta, 0.0, 1e-6) == trials
    assert test.interval(0, trials)[1] <= delta < test.interval(0, trials - 1)[1]


def test_with_failures_only_the_plan_is_the_first_refutation():
    n = trials_to_decide(0.01, 1.0, 1e-6)
    test = BernoulliSequence(0.01, 1e-6)
    assert test.interval(int(n), int(n))[0] > 0.01 >= test.interval(int(n) - 1, int(n) - 1)[0]


@pytest.mark.parametrize("ratio", [1.5, 2, 5])
def test_a_refutation_at_the_planned_rate_is_reached(ratio):
    n = int(trials_to_decide(0.02, ratio * 0.02, 1e-6))
    assert BernoulliSequence(0.02, 1e-6).interval(int(ratio * 0.02 * n) + 1, n)[0] > 0.02


def test_plans_grow_towards_delta_and_with_strictness():
    below = [trials_to_decide(0.1, rate, 1e-6) for rate in (0.0, 0.02, 0.05, 0.09)]
    above = [trials_to_decide(0.1, rate, 1e-6) for rate in (1.0, 0.5, 0.2, 0.11)]
    assert below == sorted(below)
    assert above == sorted(above)
    assert trials_to_decide(0.1, 0.05, 1e-9) > below[2]


def test_a_rate_at_delta_is_never_decided():
    assert trials_to_decide(0.1, 0.1, 1e-6) == inf


@pytest.mark.parametrize(("delta", "trials", "level"), [(0.01, 1375, 1e-6), (0.3, 40, 0.05), (0.5, 10, 0.25)])
def test_the_critical_count_is_where_clopper_pearson_refutes(delta, trials, level):
    k = critical_failures(delta, trials, level)
    assert clopper_pearson(k, trials, level)[0] > delta >= clopper_pearson(k - 1, trials, level)[0]
    assert binomial_tail(k, trials, delta) <= level < binomial_tail(k - 1, trials, delta)


@pytest.mark.parametrize("power", [0.5, 0.9, 0.999])
def test_the_detectable_rate_has_exactly_the_power(power):
    p = detectable_rate(0.01, 1375, 1e-6, power)
    k = critical_failures(0.01, 1375, 1e-6)
    assert binomial_tail(k, 1375, p) == pytest.approx(power, rel=1e-9)
    assert 0.01 < p < 0.1


def test_more_trials_detect_smaller_rates():
    rates = [detectable_rate(0.01, n, 1e-6, 0.9) for n in (100, 1_000, 10_000, 10**6)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.0107


def test_a_test_that_cannot_refute_detects_nothing():
    assert critical_failures(0.5, 3, 1e-6) == 4
    assert detectable_rate(0.5, 3, 1e-6, 0.9) == inf


def test_impossible_plans_are_refused():
    with pytest.raises(ValueError, match="failure rate lies in"):
        trials_to_decide(0.1, 1.5, 1e-6)
    with pytest.raises(ValueError, match="power lies between"):
        detectable_rate(0.1, 100, 0.05, 0.01)
