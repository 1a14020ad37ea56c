"""The low-rank part of a kernel matrix, and features in its coordinates, against the whole matrix."""

import itertools

import numpy as np
import pytest

from boundcheck.features.audit.needed import Draws, Whitening, full_spectrum, pivoted_cholesky
from boundcheck.features.kernels import Gaussian, Laplace

LAM = 0.1


@pytest.fixture(params=[Gaussian, Laplace])
def kernel(request):
    return request.param(2.0)


@pytest.fixture(params=[0.3, 3.0])
def spectrum(request, kernel, data):
    found = pivoted_cholesky(kernel, data.X, request.param, 60)
    assert found is not None
    return found


def test_the_rest_is_positive_with_the_trace_that_is_said(spectrum, kernel, data):
    K = kernel.matrix(data.X, data.X)
    np.testing.assert_allclose(spectrum.V @ spectrum.V.T, np.eye(len(spectrum.V)), atol=1e-9)
    E = K - (spectrum.V.T * spectrum.values) @ spectrum.V
    assert np.linalg.eigvalsh(E)[0] > -1e-9
    assert np.trace(E) == pytest.approx(spectrum.rest, abs=1e-9)
    assert spectrum.rest <= 3.0


def test_the_effective_dimension_is_enclosed(spectrum, kernel, data):
    mu = np.linalg.eigvalsh(kernel.matrix(data.X, data.X))
    for lam in (1e-3, LAM, 1.0):
        low, high = spectrum.dimension(lam)
        assert low - 1e-9 <= np.sum(mu / (mu + 60 * lam)) <= high + 1e-9


def test_too_many_columns_are_told(kernel, data):
    assert pivoted_cholesky(kernel, data.X, 1e-6, 5) is None


def test_repeated_points_have_rank_one(kernel):
    found = pivoted_cholesky(kernel, np.ones((9, 2)), 1e-6, 9)
    assert found is not None
    assert len(found.values) == 1
    assert found.values[0] == pytest.approx(9)


def test_what_theorems_ask_for(kernel, data):
    """energy, Q and predictions by their definitions."""
    K, n, y = kernel.matrix(data.X, data.X), 60, data.y
    scene = full_spectrum(kernel, data.X).scene(y, LAM, 0.5, 0.05, n)
    alpha = np.linalg.solve(K + n * LAM * np.eye(n), y)
    assert scene.Q == pytest.approx(alpha @ K @ alpha)
    assert scene.prediction_square == pytest.approx(np.mean((K @ alpha) ** 2))
    assert scene.energy == pytest.approx(y @ K @ y / n**2)
    assert scene.D_K == pytest.approx(np.trace((np.outer(y, y) + n * np.eye(n)) @ K) / (n**2 * LAM))
    assert scene.d_K == pytest.approx(np.trace(np.linalg.solve(K + n * LAM * np.eye(n), K)))
    assert scene.lambda_1 == pytest.approx(np.linalg.eigvalsh(K)[-1] / n)


def test_scores_are_those_of_the_eigenvalues_kept(spectrum):
    whitening = Whitening(spectrum, LAM, 0.05)
    kept = spectrum.values > 0.05 * 60 * LAM
    assert whitening.rank == kept.sum() < len(kept)
    Z = np.random.default_rng(0).normal(size=(60, 5))
    A = (spectrum.V[kept].T * spectrum.values[kept]) @ spectrum.V[kept] + 60 * LAM * np.eye(60)
    np.testing.assert_allclose(whitening.scores(Z), np.einsum("ij,ij->j", Z, np.linalg.solve(A, Z)))
    K = spectrum.kernel.matrix(spectrum.X, spectrum.X)
    assert whitening.mass[0] - 1e-9 <= np.trace(np.linalg.solve(A, K)) <= whitening.mass[1] + 1e-9
    E = K - (spectrum.V[kept].T * spectrum.values[kept]) @ spectrum.V[kept]
    assert np.linalg.norm(E, 2) <= whitening.slack * 60 * LAM


@pytest.mark.parametrize("sampling", ["plain", "leverage"])
def test_features_are_unbiased_for_the_kernel(kernel, data, sampling):
    draws = Draws(Whitening(full_spectrum(kernel, data.X), LAM, 0.0), sampling, 5)
    Z = np.hstack(list(itertools.islice(draws.blocks(0), 150)))
    s, W = Z.shape[1], draws.whitening.W
    assert np.linalg.norm(W @ Z @ Z.T @ W.T / s - np.diag(draws.whitening.target), 2) < 6 / np.sqrt(s)
    assert s / (150 * 128) == pytest.approx(draws.acceptance, abs=0.03)


def test_leverage_weighted_features_all_have_the_norm_d_K(kernel, data):
    draws = Draws(Whitening(full_spectrum(kernel, data.X), LAM, 0.0), "leverage", 5)
    np.testing.assert_allclose(draws.whitening.scores(next(draws.blocks(3))), draws.whitening.spectrum.dimension(LAM)[0])


def test_prefixes_are_nested(kernel, data):
    draws = Draws(Whitening(full_spectrum(kernel, data.X), LAM, 0.0), "plain", 5)
    first, again = (list(itertools.islice(draws.blocks(1), count)) for count in (3, 20))
    assert all((a == b).all() for a, b in zip(first, again, strict=False))
