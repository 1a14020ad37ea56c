"""Batches of small matrices equal their naive twins, whatever their number, rank and scale."""

import numpy as np
import pytest

from boundcheck.features.compiled import batches
from tests import naive


def stack(m, n, seed=0):
    B = np.random.default_rng([seed, m, n]).normal(size=(m, n, n))
    return B + B.swapaxes(1, 2)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (33, 3), (70, 4), (2, 5), (2, 9)])
def test_eigenvalues_equal_naive(m, n):
    A = stack(m, n)
    np.testing.assert_allclose(batches.extreme_eigenvalues(A), naive.extreme_eigenvalues(A), atol=1e-13)


@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e120])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 16, 32])
def test_eigenvalues_equal_lapack_on_nasty_matrices(n, scale):
    x = np.arange(1.0, n + 1)
    nasty = [np.zeros((n, n)), np.eye(n), np.diag(x - n), np.ones((n, n)), -np.outer(x, x), np.eye(n) + 1e-9 * stack(1, n)[0]]
    A = scale * np.array([*nasty, *stack(40, n)])
    expected = np.linalg.eigvalsh(A)[:, [0, -1]]
    np.testing.assert_allclose(batches.extreme_eigenvalues(A), expected, atol=1e-14 * n * np.abs(A).max(axis=(1, 2)).max() * n)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_graded_and_nearly_equal_eigenvalues_keep_the_error_of_the_norm(n):
    rng = np.random.default_rng(n)
    Q = np.linalg.qr(rng.normal(size=(300, n, n)))[0]
    for values in (10.0 ** -np.arange(0, 6 * n, 6), 1 + 1e-15 * np.arange(n), np.append(np.zeros(n - 1), 1.0)):
        A = (Q * values) @ Q.swapaxes(1, 2)
        found = batches.extreme_eigenvalues((A + A.swapaxes(1, 2)) / 2)
        np.testing.assert_allclose(found, [[values.min(), values.max()]] * 300, rtol=0, atol=2e-15 * n)


@pytest.mark.parametrize("n", [1, 2, 4, 6])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_has_no_eigenvalues_and_spoils_no_neighbour(n, bad):
    A = stack(5, n)
    expected = batches.extreme_eigenvalues(A)
    A[2, 0, 0] = bad
    found = batches.extreme_eigenvalues(A)
    assert np.isnan(found[2]).all()
    np.testing.assert_array_equal(np.delete(found, 2, axis=0), np.delete(expected, 2, axis=0))
