"""Spectral deviations equal their naive twins."""

import numpy as np
import pytest

from boundcheck.compiled import leverage, spectral
from tests import naive
from tests.compiled.points import SHAPES, ridge_problem


def whitened_norm(A, D):
    L = np.linalg.cholesky(A)
    return float(np.linalg.norm(np.linalg.solve(L, np.linalg.solve(L, D).T), 2))


@pytest.mark.parametrize(("n", "s"), SHAPES)
def test_deviations_equal_naive(n, s):
    Z, _, q, K, lam = ridge_problem(n, s)
    L, sizes = leverage.ridge_factor(K, lam), list(range(1, s + 1, 3))
    np.testing.assert_allclose(spectral.weighted_gram(Z, q), naive.weighted_gram(Z, q), atol=1e-13)
    for fast, slow in zip(spectral.nested_grams(Z, sizes), naive.nested_grams(Z, sizes), strict=True):
        np.testing.assert_allclose(fast, slow, atol=1e-13)
    for name, argument in [("spectral_deviation", q), ("spectral_deviations_nested", sizes)]:
        fast, slow = (getattr(module, name)(L, n * lam, Z, argument) for module in (spectral, naive))
        np.testing.assert_allclose(fast, slow, rtol=1e-10, atol=1e-14)


def test_the_pool_itself_does_not_deviate():
    Z, p, _, K, lam = ridge_problem(6, 30)
    assert spectral.spectral_deviation(leverage.ridge_factor(K, lam), 6 * lam, Z, p) < 1e-13


@pytest.mark.parametrize(("n", "s"), [(65, 30), (80, 400), (130, 131)])
def test_lanczos_equals_all_eigenvalues(n, s):
    Z, _, q, K, lam = ridge_problem(n, s)
    L, sizes = leverage.ridge_factor(K, lam), [1, s // 2, s]
    fast = [spectral.spectral_deviation(L, n * lam, Z, q), *spectral.spectral_deviations_nested(L, n * lam, Z, sizes)]
    slow = [whitened_norm(L @ L.T, spectral.weighted_gram(Z, w) - K) for w in (q, *(np.where(np.arange(s) < t, 1 / t, 0) for t in sizes))]
    np.testing.assert_allclose(fast, slow, rtol=1e-10)


def test_nested_prefixes_are_single_deviations():
    Z, _, _, K, lam = ridge_problem(6, 30)
    L, sizes = leverage.ridge_factor(K, lam), [1, 7, 8, 30]
    single = [spectral.spectral_deviation(L, 6 * lam, Z[:, :s], np.full(s, 1 / s)) for s in sizes]
    np.testing.assert_allclose(spectral.spectral_deviations_nested(L, 6 * lam, Z, sizes), single, rtol=1e-12)


@pytest.mark.parametrize("sizes", [[0], [3, 3], [4, 2], [31]])
def test_sizes_must_increase_within_the_draw(sizes):
    with pytest.raises(ValueError, match="increase strictly within 1"):
        spectral.nested_grams(np.ones((2, 30)), sizes)


def test_negative_weights_are_refused():
    with pytest.raises(ValueError, match="weights >= 0"):
        spectral.weighted_gram(np.ones((2, 2)), np.array([1.0, -1.0]))
