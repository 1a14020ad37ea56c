"""The beta-binomial sequence: known values, ball arithmetic, supermartingale property, extreme counts."""

from math import log, log1p

import numpy as np
import pytest
from flint import arb, ctx
from scipy import integrate, stats

from boundcheck.checking.confidence import BernoulliSequence, BetaMixture, holding_mixture, refuting_mixture


def trials_without_failure(mixture: BetaMixture, delta: float, level: float) -> int:
    n = np.arange(1, int(3 * -log(level) / delta))
    return int(n[np.argmax(mixture.log_e_value(0, n, delta) >= -log(level))])


@pytest.mark.parametrize(
    ("delta", "tuned", "uniform", "ours"), [(0.01, 1548, 2138, 1447), (0.001, 15_543, 23_885, 14_533)]
)
def test_known_numbers_of_trials(delta, tuned, uniform, ours):
    assert trials_without_failure(BetaMixture(0.5, 0.5 / delta), delta, 1e-6) == tuned
    assert trials_without_failure(BetaMixture(1, 1), delta, 1e-6) == uniform
    assert trials_without_failure(holding_mixture(delta), delta, 1e-6) == ours


@pytest.mark.parametrize(("k", "n"), [(0, 0), (3, 100), (0, 10**9), (10**7 + 10**5, 10**9), (10**9, 10**9)])
def test_untruncated_evidence_equals_ball_arithmetic(k, n):
    ctx.prec = 200
    a, b, p = arb(0.5), arb(50), arb(0.01)

    def log_beta(x, y):
        return x.lgamma() + y.lgamma() - (x + y).lgamma()

    exact = log_beta(a + k, b + (n - k)) - log_beta(a, b) - k * p.log() - (n - k) * (1 - p).log()
    mine = float(BetaMixture(0.5, 50).log_e_value(k, n, 0.01))
    assert mine == pytest.approx(float(exact.mid()), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("mixture", [refuting_mixture(0.1), holding_mixture(0.1)])
@pytest.mark.parametrize(("k", "n"), [(0, 3), (2, 9), (9, 30), (5, 5)])
def test_truncated_evidence_equals_quadrature(mixture, k, n):
    """Integrates the likelihood ratio over u = r^a, which takes the singularity at 0 away."""

    def gain(u):
        r = u ** (1 / mixture.a)
        weight = (1 - r) ** (mixture.b - 1) / mixture.a
        return weight * (r / 0.1) ** k * ((1 - r) / 0.9) ** (n - k)

    def mass(u):
        return (1 - u ** (1 / mixture.a)) ** (mixture.b - 1) / mixture.a

    ends = mixture.low**mixture.a, mixture.high**mixture.a
    ratio = integrate.quad(gain, *ends, epsabs=0)[0] / integrate.quad(mass, *ends, epsabs=0)[0]
    assert float(mixture.log_e_value(k, n, 0.1)) == pytest.approx(log(ratio), abs=1e-7)


@pytest.mark.parametrize(("delta", "trials"), [(0.3, 60), (0.01, 200)])
def test_the_expected_evidence_never_exceeds_one_under_the_null(delta, trials):
    """Exact sum over the binomial law: one at delta, at most one on the null side of it."""
    k = np.arange(trials + 1)

    def mean(mixture, p):
        return np.exp(stats.binom.logpmf(k, trials, p) + mixture.log_e_value(k, trials, delta)).sum()

    assert mean(refuting_mixture(delta), delta) == pytest.approx(1, rel=1e-10)
    assert mean(holding_mixture(delta), delta) == pytest.approx(1, rel=1e-10)
    assert max(mean(refuting_mixture(delta), f * delta) for f in (0.01, 0.5, 0.99)) < 1
    assert max(mean(holding_mixture(delta), f * delta) for f in (1.01, 1.5, 3)) < 1
    assert mean(BetaMixture(0.5, 0.5 / delta), 0.01 * delta) > 1  # why the weight is truncated


@pytest.mark.parametrize("delta", [0.5, 0.1, 0.003])
def test_the_interval_and_the_evidence_decide_alike(delta):
    test = BernoulliSequence(delta, 1e-4)
    for n in (10, 100, 3000):
        for k in np.unique(np.linspace(0, min(n, 12 * delta * n), 25).astype(int)):
            lower, upper = test.interval(int(k), n)
            against, favour = test.log_e_values(int(k), n)
            assert (lower > delta) == (against >= -log(1e-4))
            assert (upper <= delta) == (favour >= -log(1e-4))
            assert 0 <= lower <= k / n <= upper <= 1


def test_bounds_are_monotone_in_failures_and_level():
    test = BernoulliSequence(0.05, 1e-6)
    bounds = [test.interval(k, 500) for k in range(0, 501, 25)]
    assert [b[0] for b in bounds] == sorted(b[0] for b in bounds)
    assert [b[1] for b in bounds] == sorted(b[1] for b in bounds)
    assert BernoulliSequence(0.05, 1e-9).interval(60, 500)[0] < test.interval(60, 500)[0]


def test_the_estimate_is_sharp_on_both_sides():
    test = BernoulliSequence(0.01, 1e-6)
    for k in (3, 2_000):
        lower, upper = test.estimate(k, 10_000)
        assert 0 < lower < k / 10_000 < upper < 0.01 + 1.5 * k / 10_000


@pytest.mark.parametrize("delta", [1e-12, 0.01, 0.99])
@pytest.mark.parametrize(("k", "n"), [(0, 0), (0, 10**9), (10**9, 10**9), (1, 1), (0, 1), (10**5, 10**9)])
def test_extreme_counts_give_ordered_finite_bounds(delta, k, n):
    lower, upper = BernoulliSequence(delta, 1e-30).interval(k, n)
    assert 0 <= lower <= (k / n if n else 0.5) <= upper <= 1
    assert (lower == 0) or k > 0
    assert (upper == 1) or k < n


def test_nothing_seen_says_nothing():
    test = BernoulliSequence(0.2, 1e-3)
    assert test.interval(0, 0) == (0.0, 1.0)
    assert test.log_e_values(0, 0) == pytest.approx((0, 0), abs=1e-12)


def test_one_failure_is_evidence_at_most_of_its_surprise():
    """A single failure cannot count for more than 1 / delta, whatever the weight."""
    for delta in (0.5, 1e-3, 1e-9):
        assert BernoulliSequence(delta, 1e-6).log_e_values(1, 1)[0] < -log(delta)
        assert BernoulliSequence(delta, 1e-6).log_e_values(0, 1)[1] < -log1p(-delta)


@pytest.mark.parametrize(("delta", "level"), [(0, 0.1), (1, 0.1), (0.1, 0), (0.1, 0.6)])
def test_impossible_tests_are_refused(delta, level):
    with pytest.raises(ValueError, match=r"pass.*\.$"):
        BernoulliSequence(delta, level)


def test_a_mixture_cut_on_both_sides_is_refused():
    with pytest.raises(ValueError, match="leave the other end alone"):
        BetaMixture(1, 1, 0.1, 0.9)
