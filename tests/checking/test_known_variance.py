"""Bounds on means of values without a range, by their variance: exact error on two-point laws, heavy tails, order-free addition."""

from math import inf, log

import numpy as np
import pytest

from boundcheck.checking.confidence import clopper_pearson
from boundcheck.checking.confidence.bounded_mean import BoundedSample, OutOfRange, SpreadSample
from boundcheck.checking.trust import boundary, crossing_probability


@pytest.mark.parametrize("level", [0.05, 1e-4])
@pytest.mark.parametrize(("small", "large", "p"), [(0, 1, 0.5), (0, 1, 0.02), (0, 1, 0.97), (-3, 100, 0.3), (5.0, 5.5, 0.001)])
def test_the_true_mean_is_ever_rejected_at_most_at_the_level(small, large, p, level):
    """Exact crossing probability over 300 looks, for a law on two points and its variance, which the law attains."""
    mean, variance = small + (large - small) * p, (large - small) ** 2 * p * (1 - p)

    ends = [SpreadSample(mean, variance).observe([value])._distances()[0][0] for value in (small, large)]

    def rejects(k, n):
        sample = SpreadSample(mean, variance)
        counts = np.stack([n - k, k], axis=-1).astype(float)
        return np.array([sample._log_capital(np.array(ends), c, 0.0) >= -log(level) for c in counts])

    crossing = crossing_probability(boundary(rejects, 300), p)
    assert crossing <= level


@pytest.mark.parametrize("draw", ["standard_t", "skew", "pareto"])
def test_simulated_coverage_on_laws_without_a_range(draw):
    """80 seeded runs, 25 looks each, on each side: ever missing at level 0.2 is consistent with 0.2 at error 1e-6."""
    rng = np.random.Generator(np.random.Philox(7))
    x, mean, variance = {
        "standard_t": lambda: (rng.standard_t(3, (80, 25, 8)), 0.0, 3.0),
        "skew": lambda: (rng.exponential(2, (80, 25, 8)), 2.0, 4.0),
        "pareto": lambda: (rng.pareto(3, (80, 25, 8)), 0.5, 0.75),
    }[draw]()
    missed = np.zeros(2, dtype=int)
    for draws in x:
        sample, out = SpreadSample(0.3, variance), np.zeros(2, dtype=bool)
        for batch in draws:
            sample = sample.observe(batch)
            out |= np.array(sample.log_e_values(mean)) >= log(5)
        missed += out
    assert all(clopper_pearson(int(m), 80, 1e-6)[0] <= 0.2 for m in missed)


def test_the_interval_and_the_evidence_decide_alike():
    x = np.random.Generator(np.random.Philox(6)).standard_t(4, size=3000)
    sample = SpreadSample(0.0, 2.0).observe(x)
    lower, upper = sample.interval(1e-4)
    assert -0.2 < lower < x.mean() < upper < 0.2
    for bound in np.linspace(-0.3, 0.3, 61):
        against, favour = sample.log_e_values(bound)
        assert (lower > bound) == (against >= -log(1e-4))
        assert (upper <= bound) == (favour >= -log(1e-4))


def test_a_thousand_trials_tell_a_fifth_of_a_standard_deviation():
    x = np.random.Generator(np.random.Philox(9)).standard_normal(2000)
    for scale in (1.0, 1e6, 1e-120):
        sample = SpreadSample(0.0, scale**2).observe(scale * (x + 0.2))
        assert sample.log_e_values(0.0)[0] > log(1e3)


def test_cutting_values_to_cells_never_helps_a_bound():
    for value in np.random.Generator(np.random.Philox(8)).standard_normal(20):
        above, below = SpreadSample(0.1, 1.0).observe([value] * 500).log_e_values(value)
        assert max(above, below) < 0


@pytest.mark.parametrize("values", [[1e200, -1e-200, 3.0], [0.0, 5e-324, -1e300]])
def test_values_of_all_magnitudes_give_finite_evidence(values):
    sample = SpreadSample(0.0, 1.0).observe(values)
    assert np.all(np.isfinite(sample.log_e_values(0.5)))
    for value in values:
        single = SpreadSample(0.0, 1.0).observe([value])
        assert single.cells[0][0] <= value <= -single.depths[0][0]


def test_samples_form_a_commutative_monoid():
    rng = np.random.Generator(np.random.Philox(1))
    empty = SpreadSample(-1, 2)
    a, b, c = (empty.observe(rng.standard_normal(50)) for _ in range(3))
    assert (a + b) + c == a + (b + c) == c + b + a
    assert empty + a == a == a + empty
    assert (a + b + c).trials == 150
    with pytest.raises(ValueError, match="do not add up"):
        _ = SpreadSample(0, 1) + SpreadSample(0, 2)


def test_nothing_seen_says_nothing():
    assert SpreadSample(0, 1).interval(1e-3) == (-inf, inf)
    assert SpreadSample(0, 1).log_e_values(0.3) == pytest.approx((0, 0))


def test_values_that_spread_more_than_stated_are_noticed_and_others_are_not():
    x = np.random.Generator(np.random.Philox(3)).standard_normal(4000)
    assert SpreadSample(0, 0.5).observe(x).contradicts
    assert not SpreadSample(0, 1.0).observe(x).contradicts
    assert not SpreadSample(0, 0.0).observe(np.full(4000, 0.1) * (1 + 1e-15 * x)).contradicts


@pytest.mark.parametrize("value", [np.nan, inf])
def test_values_that_are_no_numbers_are_refused(value):
    with pytest.raises(OutOfRange, match="not finite"):
        SpreadSample(0, 1).observe([0.5, value])
    with pytest.raises(ValueError, match="not negative"):
        SpreadSample(0, -1)


def test_a_variance_tells_less_than_a_range_and_not_much_less():
    x = np.random.Generator(np.random.Philox(4)).uniform(size=10_000)
    ranged, spread = BoundedSample(0, 1).observe(x).interval(1e-6), SpreadSample(0.5, 1 / 12).observe(x).interval(1e-6)
    assert spread[0] < x.mean() < spread[1]
    assert np.ptp(spread) < 1.5 * np.ptp(ranged)
