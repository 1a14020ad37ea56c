"""Multinomial range probabilities lie within their radius of the exact value, and the radius is small."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from boundcheck.features.compiled import counts
from tests import naive

RANGES = [
    (1, [1.0], [0], [1]),
    (1, [1.0], [0], [0]),
    (1, [0.5, 0.5], [0, 0], [1, 0]),
    (9, [0.2, 0.3, 0.5], [1, 0, 2], [4, 5, 8]),
    (9, [0.25] * 4, [1] * 4, [4] * 4),
    (9, [0.1] * 10, [0] * 10, [2] * 10),
    (12, [0.0, 0.25, 0.75], [0, 3, 0], [0, 3, 12]),
    (12, [0.0, 0.25, 0.75], [1, 0, 0], [12, 12, 12]),
    (12, [1e-30, 1.0], [1, 0], [12, 12]),
    (12, [1e-12, 0.5 - 5e-13, 0.5 - 5e-13], [0, 1, 1], [0, 11, 11]),
    (10, [0.5, 0.5], [6, 6], [10, 10]),
    (10, [0.5, 0.5], [3, 0], [2, 10]),
    (10, [0.5, 0.5], [0, 0], [4, 4]),
    (60, [0.3, 0.3, 0.4], [5, 5, 5], [40, 40, 50]),
    (100, [0.1, 0.9], [0, 0], [70, 100]),
]


@pytest.mark.parametrize(("s", "q", "lo", "hi"), RANGES)
def test_within_the_radius_of_the_exact_value(s, q, lo, hi):
    value, radius = counts.some_count_outside(s, q, lo, hi)
    exact, _ = naive.some_count_outside(s, q, lo, hi)
    assert abs(value - exact) <= radius
    assert radius <= 1e-11 * exact + 1e-100


def test_the_radius_covers_the_law_whose_nearest_floats_were_given():
    thirds = [Fraction(1, 3)] * 3
    exact = float(1 - naive._exact_within(20, thirds, [4] * 3, [9] * 3))
    value, radius = counts.some_count_outside(20, [1 / 3] * 3, 4, 9)
    assert abs(value - exact) <= radius <= 1e-12


@pytest.mark.parametrize("cut", [2.0**-8, 2.0**-20])
def test_the_radius_covers_all_that_was_cut_off(cut, monkeypatch):
    monkeypatch.setattr(counts, "CUTS", (cut,))
    for s, q, lo, hi in RANGES:
        value, radius = counts.some_count_outside(s, q, lo, hi)
        assert abs(value - naive.some_count_outside(s, q, lo, hi)[0]) <= radius


def test_the_radius_covers_q_divided_by_its_sum():
    q = [0.4 + 3e-10, 0.6]
    normalised = [Fraction(x) / sum(map(Fraction, q)) for x in q]
    for lo, hi in [(20, 30), (0, 15)]:
        exact = float(1 - naive._exact_within(50, normalised, [lo, 0], [hi, 50]))
        value, radius = counts.some_count_outside(50, q, [lo, 0], [hi, 50])
        assert abs(value - exact) <= radius <= 1e-7 * exact


def test_far_below_the_smallest_float_the_radius_covers_what_is_left():
    q = 0.1 + 1e-4 * np.arange(10)
    value, radius = counts.some_count_outside(1300, q / q.sum(), 0, [1299, *[1300] * 9])
    first = Fraction(q[0]) / sum(map(Fraction, q))
    exact = first**1300  # below 1e-1300
    assert abs(Fraction(value) - exact) <= Fraction(radius) < Fraction(1, 10**200)


def test_scales_beyond_floats_say_that_nothing_is_known():
    assert counts._scaled(1.0, 5000) == math.inf


@pytest.mark.parametrize(("s", "q", "hi"), [(1000, 0.3, 480), (50_000, 0.001, 150), (300, 0.9, 299)])
def test_binomial_tails_far_out(s, q, hi):
    value, radius = counts.some_count_outside(s, [q, 1 - q], [0, 0], [hi, s])
    assert value == pytest.approx(stats.binom.sf(hi, s, q), rel=1e-9)
    assert radius < 1e-8 * value


def test_one_hot_at_n_100():
    """s of Lemma 27 with the one-hot pool: eps = 1/2 fails with probability 0.0103."""
    value, radius = counts.some_count_outside(6391, [0.01] * 100, 32, 95)
    assert value == pytest.approx(0.0102811217456, rel=1e-10)
    assert radius < 1e-12


def test_small_tails_agree_with_the_union_bound():
    """Many cells, tiny tails: the sum of binomial tails bounds P, and P is hardly smaller."""
    value, radius = counts.some_count_outside(6391, np.full(100, 0.01), 1, 200)
    union = 100 * (stats.binom.sf(200, 6391, 0.01) + stats.binom.cdf(0, 6391, 0.01))
    assert radius < 1e-9 * value
    assert value == pytest.approx(union, rel=1e-9)


def test_unequal_cells_and_real_bounds():
    rng = np.random.default_rng(0)
    q = rng.random(30)
    q /= q.sum()
    lo, hi = 0.2 * 500 * q, 2.1 * 500 * q
    value, radius = counts.some_count_outside(500, q, lo, hi)
    assert radius < 1e-10
    assert (value, radius) == counts.some_count_outside(500, q, np.ceil(lo), np.floor(hi))


def test_order_of_cells_does_not_matter():
    q, lo, hi = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1, 2, 3, 4]), np.array([9, 12, 13, 14])
    assert counts.some_count_outside(30, q, lo, hi) == counts.some_count_outside(30, q[::-1], lo[::-1], hi[::-1])


@pytest.mark.parametrize(("lo", "hi"), [(0, 1), (6000, 6391), (70, 60)])
def test_impossible_ranges_are_left_for_certain(lo, hi):
    assert counts.some_count_outside(6391, [0.01] * 100, lo, hi)[0] == pytest.approx(1.0, abs=1e-10)


def test_probabilities_too_small_for_a_float_keep_an_honest_radius():
    value, radius = counts.some_count_outside(5000, [0.5, 0.5], [0, 0], [4999, 5000])  # 2^-5000
    assert value <= radius <= 1e-100


@pytest.mark.parametrize(
    ("s", "q", "message"), [(0, [1.0], "draws"), (3, [0.5, 0.4], "sum to one"), (3, [1.5, -0.5], "sum")]
)
def test_bad_laws_are_refused(s, q, message):
    with pytest.raises(ValueError, match=message):
        counts.some_count_outside(s, q, 0, s)
