"""Leverage scores and Bernstein quantities: naive twins and identities."""

import numpy as np
import pytest

from boundcheck.features.compiled import ridge
from tests import naive
from tests.compiled.points import SHAPES, ridge_problem


@pytest.mark.parametrize(("n", "s"), SHAPES)
def test_leverage_scores_equal_naive(n, s):
    Z, p, _, K, lam = ridge_problem(n, s)
    fast, slow = (module.leverage_scores(Z, p, K, lam) for module in (ridge, naive))
    np.testing.assert_allclose(fast, slow, rtol=1e-12)


@pytest.mark.parametrize(("n", "s"), [*SHAPES, (5, 600)])
def test_leverage_scores_sum_to_the_effective_dimension(n, s):
    Z, p, _, K, lam = ridge_problem(n, s)
    mu = np.linalg.eigvalsh(K)
    assert ridge.leverage_scores(Z, p, K, lam).sum() == pytest.approx((mu / (mu + n * lam)).sum(), rel=1e-11)


@pytest.mark.parametrize(("n", "s"), SHAPES)
def test_factor_and_whitening_equal_naive(n, s):
    Z, _, _, K, lam = ridge_problem(n, s)
    inverse, L = ridge._inverse_factor(K, lam), naive._ridge_factor(K, lam)
    np.testing.assert_allclose(inverse @ L, np.eye(n), atol=1e-13)
    np.testing.assert_allclose(ridge._product(inverse, Z), naive._whitened(L, Z), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(L @ L.T, K + n * lam * np.eye(n), atol=1e-14)


@pytest.mark.parametrize(("n", "s"), SHAPES)
def test_square_sums_equal_naive(n, s):
    Y, weights = np.random.default_rng([n, s]).normal(size=(n, s)), np.random.default_rng(n).random(n)
    np.testing.assert_allclose(ridge.square_sums(Y, weights), naive.square_sums(Y, weights), rtol=1e-14)


@pytest.mark.parametrize(("n", "s"), SHAPES)
def test_bernstein_quantities_equal_naive(n, s):
    Z, p, q, K, lam = ridge_problem(n, s)
    if s > 1:
        p[0] = q[0] = 0.0  # a feature that is never drawn adds nothing
    fast, slow = (module.bernstein_quantities(Z, p, q, K, lam) for module in (ridge, naive))
    np.testing.assert_allclose(fast, slow, rtol=1e-10)


def test_bernstein_under_leverage_sampling():
    """With q = leverage / d_eff every |R_j| is d_eff, and E R R^T = d_eff W K W."""
    Z, p, _, K, lam = ridge_problem(5, 40)
    scores = ridge.leverage_scores(Z, p, K, lam)
    d_eff, mu = scores.sum(), np.linalg.eigvalsh(K)[-1]
    expected = (d_eff, d_eff * mu / (mu + 5 * lam), d_eff**2)
    np.testing.assert_allclose(
        ridge.bernstein_quantities(Z, p, scores / d_eff, K, lam), expected, rtol=1e-12
    )


def test_bernstein_refuses_features_that_are_never_sampled():
    Z, p, q, K, lam = ridge_problem(3, 4)
    q[2] = 0.0
    with pytest.raises(ValueError, match="wherever p > 0"):
        ridge.bernstein_quantities(Z, p, q, K, lam)
