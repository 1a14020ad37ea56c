"""Features equal their naive twins, are nested bit for bit, and have the kernels as mean Gram matrices."""

import numpy as np
import pytest

from boundcheck.compiled import counters, features, kernels
from tests import naive
from tests.compiled.points import FREQUENCIES, POINTS, gaussian

GRID = pytest.mark.parametrize(
    ("X", "W"),
    [(X, W(X.shape[1])) for X in POINTS.values() for name, W in FREQUENCIES.items() if name != "many"]
    + [(POINTS["plain"], FREQUENCIES["many"](4)), (POINTS["one point"], FREQUENCIES["many"](3))],
)


@GRID
def test_fourier_features_equal_naive(X, W):
    u = np.random.default_rng(len(W)).random(len(W))
    fast, slow = (module.fourier_features(X, W, u) for module in (features, naive))
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-15)


@GRID
def test_fourier_pairs_equal_naive(X, W):
    np.testing.assert_allclose(features.fourier_pairs(X, W), naive.fourier_pairs(X, W), rtol=0, atol=1e-15)


@GRID
def test_sign_features_and_gram_equal_naive_exactly(X, W):
    np.testing.assert_array_equal(features.sign_features(X, W), naive.sign_features(X, W))
    np.testing.assert_array_equal(features.sign_gram(X, W), naive.sign_gram(X, W))


def test_sign_of_zero_is_plus_one():
    assert features.sign_features(np.zeros((1, 2)), np.ones((1, 2))) == 1.0
    assert features.sign_features(np.array([[1.0, -1.0]]), np.ones((1, 2))) == 1.0


def test_features_depend_on_their_own_point_and_frequency_only():
    X, W = gaussian(9, 3), gaussian(2100, 3)
    Z = features.fourier_features(X, W, np.zeros(2100))
    np.testing.assert_array_equal(features.fourier_features(X, W[:37], np.zeros(37)), Z[:, :37])
    np.testing.assert_array_equal(features.fourier_features(X[4:5], W[1029:], np.zeros(1071)), Z[4:5, 1029:])


@pytest.mark.parametrize("r", [2, 4, 6])
def test_spline_features_equal_naive_and_integrate_to_the_spline_kernel(r):
    """An equispaced rule integrates z(v, x) z(v, y) over v; its value is 1 + half the sum in k_2r."""
    x, v = np.random.default_rng(r).random(6), np.arange(4000) / 4000
    Z = features.spline_features(x, v, r)
    np.testing.assert_allclose(Z[:, ::500], naive.spline_features(x, v[::500], r), rtol=0, atol=2e-14)
    np.testing.assert_allclose(Z @ Z.T / v.size, (kernels.spline_kernel(x, x, r) + 1) / 2, atol=1e-6)


@pytest.mark.parametrize("r", [-2, 0, 1, 3])
def test_spline_features_refuse_odd_orders(r):
    with pytest.raises(ValueError, match="even order"):
        features.spline_features(np.zeros(1), np.zeros(1), r)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_one_hot_features(n):
    Z = features.one_hot_features(n)
    np.testing.assert_array_equal(Z, naive.one_hot_features(n))
    np.testing.assert_allclose(Z @ Z.T / n, np.eye(n), rtol=1e-15)


LAWS = [
    (counters.normal_frequencies, kernels.gaussian_kernel),
    (counters.cauchy_frequencies, kernels.laplace_kernel),
]


@pytest.mark.parametrize(("frequencies", "kernel"), LAWS)
def test_mean_gram_is_the_kernel(frequencies, kernel):
    """Means of s independent terms in [-2, 2]: 6 / sqrt(s) fails with probability below 1e-3 by Hoeffding."""
    X, s, sigma = gaussian(6, 3), 40_000, 1.7
    W, u = frequencies(1, 0, s, 3) / sigma, counters.phases(1, 0, s)
    for Z in (features.fourier_features(X, W, u), features.fourier_pairs(X, W)):
        np.testing.assert_allclose(Z @ Z.T / s, kernel(X, X, sigma), atol=6 / np.sqrt(s))


def test_mean_sign_gram_is_the_arcsine_kernel():
    X, s = gaussian(6, 3), 40_000
    gram = features.sign_gram(X, counters.normal_frequencies(1, 0, s, 3))
    np.testing.assert_allclose(gram / s, kernels.arcsine_kernel(X, X), atol=6 / np.sqrt(s))
