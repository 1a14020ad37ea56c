"""Batches of small matrices equal their naive twins, whatever their number, rank and scale."""

import numpy as np
import pytest

from boundcheck.compiled import batches
from tests import naive


def stack(m, n, seed=0):
    B = np.random.default_rng([seed, m, n]).normal(size=(m, n, n))
    return B + B.swapaxes(1, 2)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (33, 3), (2, 9)])
def test_eigenvalues_equal_naive(m, n):
    A = stack(m, n)
    np.testing.assert_allclose(batches.extreme_eigenvalues(A), naive.extreme_eigenvalues(A), atol=1e-13)


@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e120])
@pytest.mark.parametrize("n", [1, 2, 5, 16, 32])
def test_eigenvalues_equal_lapack_on_nasty_matrices(n, scale):
    x = np.arange(1.0, n + 1)
    nasty = [np.zeros((n, n)), np.eye(n), np.diag(x - n), np.ones((n, n)), -np.outer(x, x), np.eye(n) + 1e-9 * stack(1, n)[0]]
    A = scale * np.array([*nasty, *stack(40, n)])
    expected = np.linalg.eigvalsh(A)[:, [0, -1]]
    np.testing.assert_allclose(batches.extreme_eigenvalues(A), expected, atol=1e-14 * n * np.abs(A).max(axis=(1, 2)).max() * n)
