"""Averaged stochastic gradient descent: naive twins, and where the two models meet."""

import numpy as np
import pytest

from boundcheck.features.compiled import sgd
from boundcheck.features.compiled.kernels import _fourier_pairs
from tests import naive
from tests.compiled.points import gaussian

RIDGE = (0.01, 5.0)
CASES = [(1, 1, 1), (7, 2, 5), (12, 3, 40)]


def labels(n):
    return np.where(gaussian(n, 1, seed=7)[:, 0] > 0, 1.0, -1.0)


@pytest.mark.parametrize(("n", "d", "s"), CASES)
def test_features_equal_naive(n, d, s):
    X, W, steps = gaussian(n, d), gaussian(s, d, seed=1), np.unique([1, (n + 1) // 2, n])
    fast, slow = (module.sgd_on_features(X, labels(n), W, RIDGE, steps) for module in (sgd, naive))
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(("n", "d"), [(1, 1), (5, 2), (8, 3)])
def test_kernel_equals_naive(n, d):
    X, steps = gaussian(n, d), np.unique([1, n])
    fast, slow = (module.sgd_on_kernel(X, labels(n), 0.4, RIDGE, steps) for module in (sgd, naive))
    np.testing.assert_allclose(fast, slow, rtol=1e-7, atol=1e-8)


def test_many_features_follow_the_kernel():
    """The Gaussian kernel of width sigma has frequencies N(0, 1 / (2 pi sigma)^2) in turns."""
    X, sigma = gaussian(30, 2), 0.7
    W = gaussian(20_000, 2, seed=3) / (2 * np.pi * sigma)
    beta = sgd.sgd_on_features(X, labels(30), W, (0.1, 20.0), np.array([30]))[0]
    c = sgd.sgd_on_kernel(X, labels(30), sigma, (0.1, 20.0), np.array([30]))[0]
    on_kernel = naive.gaussian_kernel(X, X, sigma) @ c
    np.testing.assert_allclose(_fourier_pairs(X, W) @ beta / np.sqrt(len(W)), on_kernel, atol=0.02)


@pytest.mark.parametrize("steps", [[], [0, 1], [2, 2], [5]])
def test_steps_must_increase_within_the_data(steps):
    with pytest.raises(ValueError, match="steps must increase"):
        sgd.sgd_on_features(np.ones((4, 1)), np.ones(4), np.ones((2, 1)), RIDGE, np.array(steps, dtype=int))
