"""Features equal their naive twins, are nested bit for bit, and have the kernels as mean Gram matrices."""

import numpy as np
import pytest

from boundcheck.features.compiled import kernels
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
    fast, slow = (module.fourier_features(X, W, u) for module in (kernels, naive))
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-15)


@GRID
def test_fourier_pairs_equal_naive(X, W):
    np.testing.assert_allclose(kernels._fourier_pairs(X, W), naive._fourier_pairs(X, W), rtol=0, atol=1e-15)


def test_features_depend_on_their_own_point_and_frequency_only():
    X, W = gaussian(9, 3), gaussian(2100, 3)
    Z = kernels.fourier_features(X, W, np.zeros(2100))
    np.testing.assert_array_equal(kernels.fourier_features(X, W[:37], np.zeros(37)), Z[:, :37])
    np.testing.assert_array_equal(kernels.fourier_features(X[4:5], W[1029:], np.zeros(1071)), Z[4:5, 1029:])


LAWS = [
    (kernels.normal_frequencies, kernels.gaussian_kernel),
    (kernels.cauchy_frequencies, kernels.laplace_kernel),
]


@pytest.mark.parametrize(("frequencies", "kernel"), LAWS)
def test_mean_gram_is_the_kernel(frequencies, kernel):
    """Means of s independent terms in [-2, 2]: 6 / sqrt(s) fails with probability below 1e-3 by Hoeffding."""
    X, s, sigma = gaussian(6, 3), 40_000, 1.7
    W, u = frequencies(1, 0, s, 3) / sigma, kernels.phases(1, 0, s)
    for Z in (kernels.fourier_features(X, W, u), kernels._fourier_pairs(X, W)):
        np.testing.assert_allclose(Z @ Z.T / s, kernel(X, X, sigma), atol=6 / np.sqrt(s))
