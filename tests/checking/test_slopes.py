"""The slope band is the exact image of the box of means."""

from itertools import product
from math import inf

import numpy as np
import pytest

from boundcheck.checking.confidence.bounded_mean import pointwise_level, slope_band

LOG_S = np.log([8.0, 20.0, 64.0, 300.0])


def test_known_means_give_the_slope_itself():
    means = 3 * np.exp(-0.5 * LOG_S)
    assert slope_band(LOG_S, means, means) == pytest.approx((-0.5, -0.5), abs=1e-12)


def test_the_band_is_attained_at_corners_of_the_box():
    rng = np.random.Generator(np.random.Philox(1))
    lower = rng.uniform(0.1, 1, size=4)
    upper = lower * rng.uniform(1, 3, size=4)
    slopes = [np.polyfit(LOG_S, np.log(corner), 1)[0] for corner in product(*zip(lower, upper, strict=True))]
    band = slope_band(LOG_S, lower, upper)
    assert band == pytest.approx((min(slopes), max(slopes)), rel=1e-10)
    assert band[0] <= min(slopes) + 1e-12
    inside = rng.uniform(lower, upper, size=(200, 4))
    assert all(band[0] < np.polyfit(LOG_S, np.log(means), 1)[0] < band[1] for means in inside)


def test_wider_boxes_give_wider_bands():
    means = np.exp(-LOG_S)
    narrow, wide = slope_band(LOG_S, means / 1.1, means * 1.1), slope_band(LOG_S, means / 2, means * 2)
    assert wide[0] < narrow[0] < -1 < narrow[1] < wide[1]


def test_unknown_means_give_an_unknown_slope():
    assert slope_band(LOG_S, [0.0] * 4, [inf] * 4) == (-inf, inf)
    smallest, largest = slope_band(LOG_S, [0.0, 1, 1, 1], [1.0] * 4)
    assert (smallest, largest) == (pytest.approx(0, abs=1e-12), inf)


def test_a_point_in_the_middle_has_no_weight():
    assert slope_band([0, 1, 2], [1, 0, 1], [1, inf, 1]) == pytest.approx((0, 0), abs=1e-12)


def test_the_union_bound_spends_the_level_once():
    assert 7 * pointwise_level(1e-6, 7) == pytest.approx(1e-6)
    with pytest.raises(ValueError, match="at least two points"):
        pointwise_level(1e-6, 1)


@pytest.mark.parametrize(("log_s", "lower", "upper"), [([1, 1], [1, 1], [2, 2]), ([1], [1], [2])])
def test_a_grid_of_one_point_is_refused(log_s, lower, upper):
    with pytest.raises(ValueError, match="spread the grid"):
        slope_band(log_s, lower, upper)


@pytest.mark.parametrize(
    ("lower", "upper"), [([2, 1], [1, 1]), ([-1, 1], [1, 1]), ([0, 0], [0, 1]), ([np.nan, 1], [1, 1])]
)
def test_crossed_bounds_are_refused(lower, upper):
    with pytest.raises(ValueError, match="check the intervals"):
        slope_band([0, 1], lower, upper)
