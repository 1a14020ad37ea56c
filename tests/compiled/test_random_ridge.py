"""Ridge regression on random features equals its naive twin, with a good preconditioner and with a useless one."""

import numpy as np
import pytest

from boundcheck.compiled import leverage, random_ridge
from tests import naive
from tests.compiled.points import gaussian

SIZES = [(1, [1, 3]), (5, [2, 5, 40]), (12, [3, 12, 13, 500])]


@pytest.mark.parametrize(("n", "sizes"), SIZES)
@pytest.mark.parametrize("ridge", [1e-6, 0.01, 10.0])
def test_coefficients_equal_naive(n, sizes, ridge):
    Z, y = gaussian(n, sizes[-1]), gaussian(n, 1, seed=5)[:, 0]
    for K in (Z @ Z.T / sizes[-1], np.zeros((n, n))):
        L = leverage.ridge_factor(K, ridge / n)
        fast, slow = (module.random_ridge_coefficients(L, ridge, Z, y, sizes) for module in (random_ridge, naive))
        np.testing.assert_allclose(fast, slow, rtol=1e-7, atol=1e-9 * np.abs(slow).max())


@pytest.mark.parametrize("s", [4, 300])
def test_slow_convergence_falls_back_to_a_factorisation(s):
    """Eigenvalues over many orders of magnitude, and the identity as preconditioner."""
    n, ridge = 150, 1e-4
    Z, y = np.logspace(0, -6, n)[:, None] * gaussian(n, s), gaussian(n, 1, seed=5)[:, 0]
    a = random_ridge.random_ridge_coefficients(np.eye(n), ridge, Z, y, [s])[0]
    np.testing.assert_allclose(Z @ (Z.T @ a) / s + ridge * a, y, atol=1e-9)
