"""The interval for a median misses exactly as often as it says, found by going through all outcomes."""

import itertools
import math
from fractions import Fraction

import pytest

from theory.wang2019.sweep.median import median_interval, median_rank, miss_probability, repeats_needed


@pytest.mark.parametrize("repeats", [2, 5, 8, 13])
@pytest.mark.parametrize("level", [0.001, 0.01, 0.05, 0.3, 0.9])
def test_a_continuous_law_is_missed_as_often_as_stated(repeats, level):
    misses = 0
    for signs in itertools.product((-1, 1), repeat=repeats):  # equally likely: the median is 0
        low, high = median_interval([sign * (i + 1) for i, sign in enumerate(signs)], level)
        misses += not low <= 0 <= high
    rank = median_rank(repeats, level)
    assert Fraction(misses, 2**repeats) == miss_probability(repeats, rank) <= level


@pytest.mark.parametrize(("repeats", "level"), [(13, 0.01), (40, 1e-6), (100, 0.01 / 6)])
def test_no_shorter_interval_keeps_the_level(repeats, level):
    assert miss_probability(repeats, median_rank(repeats, level) + 1) > level


def test_ties_miss_no_more_often():
    law = {0: Fraction(3, 10), 1: Fraction(4, 10), 2: Fraction(3, 10)}
    missed = Fraction(0)
    for values in itertools.product(law, repeat=7):
        low, high = median_interval(values, 0.2)
        missed += math.prod(law[v] for v in values) * (not low <= 1 <= high)
    assert 0 < missed <= miss_probability(7, median_rank(7, 0.2)) <= 0.2


def test_the_ends_are_order_statistics():
    assert median_interval([5.0, 1.0, 4.0, 2.0, 3.0, 6.0], 0.25) == (2.0, 5.0)


def test_too_few_values_say_nothing():
    needed = repeats_needed(0.01)
    assert (needed, miss_probability(needed, 1) <= 0.01 < miss_probability(needed - 1, 1)) == (8, True)
    assert median_interval(range(needed - 1), 0.01) == (-math.inf, math.inf)
    assert median_interval(range(needed), 0.01) == (0, needed - 1)
