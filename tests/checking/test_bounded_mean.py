"""Bounds on means: exact error on two-point laws, order-free addition, power, extreme input."""

from math import inf, log

import numpy as np
import pytest

from boundcheck.checking.confidence import clopper_pearson
from boundcheck.checking.confidence.bounded_mean import BoundedSample, log_capital
from boundcheck.checking.trust import boundary, crossing_probability


@pytest.mark.parametrize("level", [0.05, 1e-4])
@pytest.mark.parametrize(
    ("small", "large", "p"), [(0, 1, 0.5), (0, 1, 0.02), (0, 1, 0.97), (0.2, 1, 0.3), (0.9, 1, 0.5)]
)
def test_the_true_mean_is_ever_rejected_at_most_at_the_level(small, large, p, level):
    """Exact crossing probability over 1500 looks, for a law on two points; a bettor
    who may not bet more than all cannot use the level where even the smallest value is near the mean."""
    mean = small + (large - small) * p

    def rejects(k, n):
        return log_capital([small, large], np.stack([n - k, k], axis=-1), mean) >= -log(level)

    crossing = crossing_probability(boundary(rejects, 1500), p)
    assert (level / 20 if small < 0.5 else 0) < crossing <= level


def test_the_lower_bound_is_where_the_capital_reaches_one_over_the_level():
    sample = BoundedSample(0, 1).observe([0.0] * 30 + [1.0] * 20)
    lower = sample.lower(1e-3)
    assert float(log_capital([0, 1], [30, 20], lower)) == pytest.approx(log(1e3), abs=1e-6)
    assert float(log_capital([0, 1], [30, 20], lower)) >= log(1e3)


def test_the_interval_and_the_evidence_decide_alike():
    x = np.random.Generator(np.random.Philox(6)).beta(2, 5, size=300)
    sample = BoundedSample(0, 1).observe(x)
    lower, upper = sample.interval(1e-4)
    for bound in np.linspace(0.15, 0.45, 31):
        against, favour = sample.log_e_values(bound)
        assert (lower > bound) == (against >= -log(1e-4))
        assert (upper <= bound) == (favour >= -log(1e-4))
    assert 0.15 < lower < upper < 0.45


def test_evidence_at_the_ends_of_the_range():
    assert BoundedSample(0, 1).log_e_values(0.5) == pytest.approx((0, 0), abs=1e-12)
    assert BoundedSample(0, 1).observe([0.5, 0.25]).log_e_values(0.0)[0] > 100
    assert BoundedSample(0, inf).observe([0.5, 0.25]).log_e_values(9.0)[1] == 0


def test_cutting_values_to_cells_never_helps_a_bound():
    """One value with a long binary expansion, repeated: no evidence against its being the mean."""
    for value in np.random.Generator(np.random.Philox(8)).uniform(size=20):
        lower, upper = BoundedSample(0, 1).observe([value] * 500).log_e_values(value)
        exact = [float(log_capital([y], [500], y)) for y in (value, 1 - value)]
        assert exact == pytest.approx([0, 0], abs=1e-9)
        assert lower < 0
        assert upper < 0


def test_an_upper_bound_is_a_mirrored_lower_bound():
    x = np.repeat([0.0, 0.25, 1.0], [40, 20, 10])
    mirrored = BoundedSample(0, 1).observe(1 - x).lower(1e-3)
    upper = BoundedSample(0, 1).observe(x).upper(1e-3)
    assert 1 - mirrored <= upper <= (1 - mirrored) * (1 + 2**-11)


def test_simulated_coverage_on_a_continuous_law():
    """300 seeded runs, 40 looks each: ever missing at level 0.2 is consistent with 0.2 at error 1e-6."""
    rng = np.random.Generator(np.random.Philox(7))
    missed = 0
    for draws in rng.beta(2, 5, size=(300, 40, 4)):
        sample, out = BoundedSample(0, 1), False
        for batch in draws:
            sample = sample.observe(batch)
            capital = float(log_capital(*_columns(sample), 2 / 7))
            out = out or capital >= log(5)
        missed += out
    assert 0 < missed
    assert clopper_pearson(missed, 300, 1e-6)[0] <= 0.2


def _columns(sample: BoundedSample) -> tuple[np.ndarray, np.ndarray]:
    heights, counts = zip(*sample.cells, strict=True)
    return np.array(heights), np.array(counts)


def test_samples_form_a_commutative_monoid():
    rng = np.random.Generator(np.random.Philox(1))
    empty = BoundedSample(-1, 2)
    parts = [empty.observe(rng.uniform(-1, 2, size=50)) for _ in range(3)]
    a, b, c = parts
    assert (a + b) + c == a + (b + c) == c + b + a
    assert empty + a == a == a + empty
    assert (a + b + c).trials == 150
    assert empty.observe([0.1, 0.7]) == empty.observe([0.7]) + empty.observe([[0.1]])


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_bounds_scale_and_shift_with_the_data(scale):
    x = np.random.Generator(np.random.Philox(2)).uniform(size=400)
    lower, upper = BoundedSample(0, 1).observe(x).interval(1e-6)
    assert np.array(BoundedSample(0, scale).observe(x * scale).interval(1e-6)) / scale == pytest.approx(
        [lower, upper], rel=1e-3
    )
    assert BoundedSample(5, 6).observe(x + 5).interval(1e-6) == pytest.approx(
        (5 + lower, 5 + upper), rel=1e-3
    )
    assert 0.35 < lower < x.mean() < upper < 0.65


def test_a_small_excess_is_refuted_whatever_the_upper_range():
    """A mean of 1.2 refutes E(X) <= 1 in 200 trials although the range allows 1e6, or anything."""
    x = np.random.Generator(np.random.Philox(3)).uniform(0.9, 1.5, size=200)
    assert BoundedSample(0, 1e6).observe(x).lower(1e-6) > 1
    assert BoundedSample(0, inf).observe(x).lower(1e-6) > 1
    assert BoundedSample(0, inf).observe(x).upper(1e-6) == inf


def test_bounds_tighten_with_trials_and_with_a_looser_level():
    x = np.random.Generator(np.random.Philox(4)).uniform(size=10_000)
    widths = [np.ptp(BoundedSample(0, 1).observe(x[:n]).interval(1e-6)) for n in (10, 100, 1000, 10_000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.04
    sample = BoundedSample(0, 1).observe(x[:100])
    assert sample.lower(1e-9) < sample.lower(1e-3) < sample.upper(1e-3) < sample.upper(1e-9)


@pytest.mark.parametrize(("value", "end"), [(0.0, 0), (1.0, 1)])
def test_constant_samples_keep_their_end(value, end):
    bounds = BoundedSample(0, 1).observe([value] * 1000).interval(1e-6)
    assert bounds[end] == value
    assert 0 < abs(bounds[1 - end] - value) < 0.02


def test_nothing_seen_says_nothing():
    assert BoundedSample(-1, 3).interval(1e-3) == (-1.0, 3.0)


@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan, np.inf])
def test_values_outside_the_range_are_refused(value):
    with pytest.raises(ValueError, match="hypotheses imply"):
        BoundedSample(0, 1).observe([0.5, value])


@pytest.mark.parametrize(("low", "high"), [(2, 1), (-inf, 0), (np.nan, 1), (0, np.nan)])
def test_impossible_ranges_are_refused(low, high):
    with pytest.raises(ValueError, match="finite low, not above high"):
        BoundedSample(low, high)


@pytest.mark.parametrize("end", [0, -0.3, 1e300])
def test_a_range_of_one_value_is_that_value(end):
    lower, upper = BoundedSample(end, end).observe([end] * 1000).interval(1e-6)
    assert lower == upper == end


def test_values_of_all_magnitudes_give_finite_bounds():
    lower, upper = BoundedSample(0, inf).observe([1e-300, 1.0, 1e300]).interval(1e-6)
    assert 0 <= lower < 1e300
    assert upper == inf


def test_different_ranges_do_not_add_up():
    with pytest.raises(ValueError, match="same low and high"):
        _ = BoundedSample(0, 1) + BoundedSample(0, 2)
