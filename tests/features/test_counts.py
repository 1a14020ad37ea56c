"""Range probabilities of equally likely multinomial counts, against exact rationals, binomial tails and their union bound."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from boundcheck.features.counts import some_count_outside


def exactly(s, m, low, high):
    """By s! times the coefficient of x^s in a power of the sum of x^k / k! over the counts allowed."""
    cell = [Fraction(low <= k <= high, math.factorial(k)) for k in range(s + 1)]
    ways = [Fraction(1)] + [Fraction(0)] * s
    for _ in range(m):
        ways = [sum((ways[i] * cell[k - i] for i in range(k + 1)), Fraction(0)) for k in range(s + 1)]
    return float(1 - ways[s] * math.factorial(s) / Fraction(m) ** s)


RANGES = [(1, 1, 0, 1), (1, 1, 0, 0), (1, 2, 0, 0), (1, 3, 0, 1), (9, 4, 1, 4), (9, 10, 0, 2), (10, 2, 6, 10), (10, 2, 3, 2),
          (10, 2, 0, 4), (20, 3, 4, 9), (60, 5, 2, 40), (100, 3, 0, 90), (7, 128, 0, 3)]  # fmt: skip


@pytest.mark.parametrize(("s", "m", "low", "high"), RANGES)
def test_equal_to_exact_rationals(s, m, low, high):
    assert some_count_outside(s, m, low, high) == pytest.approx(exactly(s, m, low, high), rel=1e-12, abs=0)


@pytest.mark.parametrize(("s", "high"), [(1000, 720), (50_000, 26_500), (900, 899)])
def test_two_cells_are_a_binomial_law_far_out(s, high):
    """N_1 > high or s - N_1 > high, which exclude each other."""
    expected = 2 * stats.binom.sf(high, s, 0.5)
    assert expected > 1e-280
    assert some_count_outside(s, 2, 0, high) == pytest.approx(expected, rel=1e-9)


def test_one_hot_at_n_100():
    """s of Lemma 27 with the one-hot pool: eps = 1/2 fails with probability 0.0103."""
    assert some_count_outside(6391, 100, 32, 95) == pytest.approx(0.0102811217456, rel=1e-10)


@pytest.mark.parametrize(("low", "high"), [(1, 200), (0, 250), (0, 400)])
def test_small_tails_agree_with_the_union_bound(low, high):
    """Many cells, tiny tails: the sum of binomial tails bounds P, and P is hardly smaller."""
    union = 100 * (stats.binom.sf(high, 6391, 0.01) + stats.binom.cdf(low - 1, 6391, 0.01))
    assert some_count_outside(6391, 100, low, high) == pytest.approx(union, rel=1e-9)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (6000, 6391), (70, 60)])
def test_impossible_ranges_are_left_for_certain(low, high):
    assert some_count_outside(6391, 100, low, high) == 1.0


def test_probabilities_too_small_for_a_float_are_none():
    assert some_count_outside(5000, 2, 0, 4999) == 0.0  # 2^-4999


@pytest.mark.parametrize("s", np.arange(1, 40, 3))
def test_no_draw_leaves_all_counts(s):
    assert some_count_outside(int(s), 7, 0, int(s)) == 0.0
