"""Kernel matrices equal their naive twins, and what is known in closed form."""

import math

import numpy as np
import pytest

from boundcheck.compiled import kernels
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
def test_arcsine_kernel_equals_naive(points):
    X = POINTS[points]
    Y = np.concatenate([X[:2], -3 * X[:1], gaussian(3, X.shape[1], seed=9)])
    np.testing.assert_allclose(kernels.arcsine_kernel(X, Y), naive.arcsine_kernel(X, Y), rtol=0, atol=1e-15)


def test_arcsine_kernel_is_arcsine():
    X = gaussian(20, 3)
    cosines = X @ X.T / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(X, axis=1))
    expected = 2 / math.pi * np.arcsin(np.clip(cosines, -1, 1))
    np.testing.assert_allclose(kernels.arcsine_kernel(X, X), expected, rtol=0, atol=1e-7)


def test_arcsine_kernel_is_exact_on_the_diagonal_and_at_the_antipode():
    X = gaussian(50, 5)
    np.testing.assert_array_equal(np.diag(kernels.arcsine_kernel(X, X)), 1.0)
    np.testing.assert_array_equal(np.diag(kernels.arcsine_kernel(X, -X)), -1.0)
    assert kernels.arcsine_kernel(X * 1e200, X * 1e-200).diagonal().min() > 1 - 1e-15


def test_arcsine_kernel_refuses_a_zero_point():
    with pytest.raises(ValueError, match="zero"):
        kernels.arcsine_kernel(np.zeros((1, 2)), np.ones((1, 2)))


@pytest.mark.parametrize("points", POINTS)
def test_symmetric_bit_for_bit(points):
    X = POINTS[points]
    for K in (
        kernels.gaussian_kernel(X, X, 1.3),
        kernels.laplace_kernel(X, X, 1.3),
        kernels.arcsine_kernel(X, X),
    ):
        np.testing.assert_array_equal(K, K.T)
        np.testing.assert_array_equal(np.diag(K), 1.0)


@pytest.mark.parametrize("r", [1, 2, 3, 7, 20])
def test_spline_kernel_equals_naive(r):
    x = np.concatenate([np.random.default_rng(r).random(5), [0.0, 1.0, 0.5, 1e-17]])
    y = np.concatenate([x[:3], [0.25, 0.0]])
    np.testing.assert_allclose(
        kernels.spline_kernel(x, y, r), naive.spline_kernel(x, y, r), rtol=0, atol=2e-14
    )


@pytest.mark.parametrize("r", [2, 3, 5])
def test_spline_kernel_is_its_series(r):
    x, m = np.linspace(0, 1, 9), np.arange(1, 2000)
    series = [[1 + (np.cos(2 * math.pi * m * (a - b)) / m ** (2.0 * r)).sum() for b in x] for a in x]
    np.testing.assert_allclose(kernels.spline_kernel(x, x, r), series, atol=1e-9)


def test_spline_kernel_of_order_one_on_the_diagonal():
    assert kernels.spline_kernel(np.zeros(1), np.ones(1), 1)[0, 0] == pytest.approx(
        1 + math.pi**2 / 6, rel=4 * EPS
    )
    with pytest.raises(ValueError, match="r >= 1"):
        kernels.spline_kernel(np.zeros(1), np.zeros(1), 0)
