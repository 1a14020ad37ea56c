"""Both ridge regressions against their dense formulas, in Wang's own letters."""

import numpy as np
import pytest

from boundcheck.features import ridge
from boundcheck.features.data import DataError
from boundcheck.features.kernels import Gaussian
from boundcheck.features.ridge import feature_predictions, kernel_ridge

LAMS = np.array([0.003, 0.1])
SIZES = (3, 59, 60, 61, 200)


def dense_kernel(X, Y, problem):
    D = X[:, None] - Y[None]
    if isinstance(problem.kernel, Gaussian):
        return np.exp(-(D**2).sum(-1) / (2 * problem.kernel.sigma**2))
    return np.exp(-np.abs(D).sum(-1) / problem.kernel.sigma)


def test_kernel_ridge_is_equation_6(problem):
    K, n = dense_kernel(problem.X, problem.X, problem), len(problem.y)
    K_test = dense_kernel(problem.X_test, problem.X, problem)
    mu, U = np.linalg.eigh(K)
    f, energy = kernel_ridge(problem, LAMS)
    for j, lam in enumerate(LAMS):
        alpha = np.linalg.solve(K + n * lam * np.eye(n), problem.y)
        np.testing.assert_allclose(f[:, j], K_test @ alpha, atol=1e-11)
        half = U * np.sqrt(np.maximum(mu, 0)) @ U.T
        np.testing.assert_allclose(energy[j], np.sum((half @ alpha) ** 2), rtol=1e-10)


@pytest.mark.parametrize("block", [16, 512])
def test_feature_ridge_is_equation_8(problem, block, monkeypatch):
    monkeypatch.setattr(ridge, "BLOCK", block)
    features = problem.features(SIZES[-1], seed=5, repeat=2)
    g = feature_predictions(problem, features, SIZES, LAMS)
    assert g.shape == (len(SIZES), len(problem.X_test), len(LAMS))
    for i, s in enumerate(SIZES):
        for j, lam in enumerate(LAMS):
            np.testing.assert_allclose(g[i, :, j], dense_ridge(problem, features, s, lam, 2.0), atol=1e-10)


def dense_ridge(problem, features, s, lam, square):
    """Equation (8) with features sqrt(square) cos(...) / sqrt(s)."""
    Psi, Psi_test = (
        np.sqrt(square / s) * np.cos(2 * np.pi * (X @ features.W[:s].T + features.u[:s]))
        for X in (problem.X, problem.X_test)
    )
    A = Psi.T @ Psi + len(Psi) * lam * np.eye(s)
    return Psi_test @ np.linalg.solve(A, Psi.T @ problem.y)


@pytest.mark.parametrize("s", [20, 80])
def test_printed_features_with_lam_are_unbiased_features_with_twice_lam(problem, s):
    features = problem.features(s, seed=5, repeat=0)
    g = feature_predictions(problem, features, (s,), 2 * LAMS)[0]
    for j, lam in enumerate(LAMS):
        printed = dense_ridge(problem, features, s, lam, 1.0)
        np.testing.assert_allclose(g[:, j], printed, atol=1e-10)
        assert np.abs(printed - dense_ridge(problem, features, s, lam, 2.0)).max() > 1e-3


def test_features_are_prefixes_whatever_their_number(problem):
    few, many = (problem.features(s, seed=5, repeat=1) for s in (10, 100))
    np.testing.assert_array_equal(few.of(problem.X), many.of(problem.X)[:, :10])
    assert not np.array_equal(few.W, problem.features(10, seed=5, repeat=2).W)


def test_features_are_unbiased_for_the_kernel(problem):
    Z = problem.features(40_000, seed=5, repeat=0).of(problem.X)
    K = dense_kernel(problem.X, problem.X, problem)
    assert np.abs(Z @ Z.T / 40_000 - K).max() < 0.03  # six standard deviations of at most 1 / sqrt(s)


def test_bandwidths_are_those_of_section_6_1(problem):
    X = problem.X[:20]
    D = X[:, None] - X[None]
    gaussian = isinstance(problem.kernel, Gaussian)
    expected = np.sqrt((D**2).sum(-1).mean()) if gaussian else np.abs(D).sum(-1).mean()
    assert problem.kernel.typical_bandwidth(X) == pytest.approx(expected, rel=1e-13)


def test_one_point_has_no_bandwidth(problem):
    with pytest.raises(DataError, match="give more rows"):
        problem.kernel.typical_bandwidth(np.ones((5, 2)))
