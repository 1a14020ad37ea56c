"""Compressed deviations: the pivots are the greedy ones, and the full deviation lies within the radius."""

import numpy as np
import pytest

from boundcheck.compiled import compressed, counters, features, kernels, leverage, spectral
from tests import naive
from tests.compiled.points import gaussian


def problem(n, d, sigma):
    X = gaussian(n, d)
    return X, kernels.gaussian_kernel(X, X, sigma), n * 1e-4


def draw(X, sigma, seed, s):
    W = counters.normal_frequencies(seed, 0, s, X.shape[1]) / sigma
    return features.fourier_features(X, W, counters.phases(seed, 0, s)), np.full(s, 1 / s)


@pytest.mark.parametrize(("n", "d"), [(3, 1), (12, 2), (30, 1)])
def test_pivots_are_the_greedy_ones(n, d):
    _, K, ridge = problem(n, d, 1.0)
    c = compressed.compress(K, leverage.ridge_factor(K, ridge / n), ridge, 1e-6)
    assert list(c.pivots) == naive.compress(K, None, ridge, 1e-6)


@pytest.mark.parametrize(("n", "d"), [(3, 1), (12, 2)])
def test_deviation_equals_naive(n, d):
    X, K, ridge = problem(n, d, 1.0)
    Z, weights = draw(X, 1.0, 0, 20)
    c = compressed.compress(K, leverage.ridge_factor(K, ridge / n), ridge)
    value, radius = compressed.compressed_deviation(c, Z[c.pivots], weights, c.neglected / 1e-3)
    assert abs(value - naive.compressed_deviation(K, ridge, Z, weights)) <= radius < 0.02


@pytest.mark.parametrize("tolerance", [1e-3, 1e-8, 1e-14])
def test_the_full_deviation_lies_within_the_radius(tolerance):
    X, K, ridge = problem(300, 2, 2.0)
    L = leverage.ridge_factor(K, ridge / 300)
    c = compressed.compress(K, L, ridge, tolerance)
    assert len(c.pivots) < 120
    for seed in range(10):
        Z, weights = draw(X, 2.0, seed, 100)
        exact = spectral.spectral_deviation(L, ridge, Z, weights)
        for neglected in (compressed.neglected_energy(c, Z, weights), c.neglected / 0.01):
            value, radius = compressed.compressed_deviation(c, Z[c.pivots], weights, neglected)
            assert abs(value - exact) <= radius


def test_the_neglected_energy_is_that_of_the_features():
    """An average over many features comes close to the expectation, and the bound is not far above it."""
    X, K, ridge = problem(40, 1, 1.0)
    c = compressed.compress(K, leverage.ridge_factor(K, ridge / 40), ridge, 0.2)
    Z, weights = draw(X, 1.0, 5, 100_000)
    energy = compressed.neglected_energy(c, Z, weights)
    assert energy == pytest.approx(c.neglected, rel=0.1)


def test_the_energy_of_a_draw_equals_naive():
    X, K, ridge = problem(12, 2, 1.0)
    c = compressed.compress(K, leverage.ridge_factor(K, ridge / 12), ridge, 0.01)
    Z, weights = draw(X, 1.0, 1, 7)
    assert compressed.neglected_energy(c, Z, weights) == pytest.approx(naive.neglected_energy(c, Z, weights), rel=1e-3)
