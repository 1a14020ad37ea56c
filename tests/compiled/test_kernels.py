"""Kernel matrices equal their naive twins, and what is known in closed form."""


import numpy as np
import pytest

from boundcheck.features.compiled import kernels
from tests import naive
from tests.compiled.points import POINTS, gaussian

EPS = 2.0**-52


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("sigma", [0.5, 3.0, 1e8])
@pytest.mark.parametrize("name", ["gaussian_kernel", "laplace_kernel"])
def test_shift_invariant_kernels_equal_naive(name, sigma, points):
    X = POINTS[points]
    Y = np.concatenate([X[:2], gaussian(3, X.shape[1], seed=9)])
    fast, slow = (getattr(module, name)(X, Y, sigma) for module in (kernels, naive))
    np.testing.assert_allclose(fast, slow, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize("points", POINTS)
def test_symmetric_bit_for_bit(points):
    X = POINTS[points]
    for K in (kernels.gaussian_kernel(X, X, 1.3), kernels.laplace_kernel(X, X, 1.3)):
        np.testing.assert_array_equal(K, K.T)
        np.testing.assert_array_equal(np.diag(K), 1.0)
