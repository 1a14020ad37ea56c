"""The functions that the claims on Yashima, Nitanda and Suzuki (2021) are made of, at examples known by hand."""


import numpy as np
import pytest

from theory.yashima2021.concentration import beta_of, enough_features
from theory.yashima2021.finite_classification import FiniteClassification
from theory.yashima2021.losses import curvature, hinge, logistic, logistic_slope
from theory.yashima2021.minimisers import LogisticMinimiser, LogisticPair, clipped_minimiser, ridge_minimiser
from theory.yashima2021.rates import mean_over_coins


@pytest.fixture
def case():
    Z, labels = np.array([[1.0, 0.5, 0.0], [-1.0, 2.0, 1.0]]), np.array([[0.75, 0.25], [0.2, 0.8]])
    return FiniteClassification(Z, np.array([0.5, 0.25, 0.25]), np.array([0.2, 0.8]), labels)


def test_setting_is_the_kernel_and_the_law(case):
    assert np.allclose(case.K, [[0.5625, -0.25], [-0.25, 1.75]])
    assert np.allclose(case.eta, [0.75, 0.2])
    assert case.R == 2
    assert np.isclose(np.trace(case.T), 0.2 * 0.5625 + 0.8 * 1.75)
    assert np.allclose(case.kernel(np.array([2, 1, 1]), 4), case.K)
    assert np.isclose(case.risk(hinge, np.zeros(2)), 1)


def test_logistic_loss_does_not_overflow():
    assert logistic(np.array(-1000.0)) == 1000
    assert np.isclose(logistic(np.array(1.3)) - logistic(np.array(-1.3)), -1.3)
    step = 1e-5
    assert np.isclose(logistic_slope(0.7), (logistic(0.7 + step) - logistic(0.7 - step)) / (2 * step))
    assert np.isclose(curvature(0.7), (logistic_slope(0.7 + step) - logistic_slope(0.7 - step)) / (2 * step))


def test_clipped_minimiser_is_the_least_hinge_risk():
    grid = np.linspace(-2, 2, 4001)
    for k, eta, lam in ((1.0, 0.9, 2.0), (3.0, 0.2, 0.5), (0.5, 0.6, 1.0)):
        values = eta * hinge(grid) + (1 - eta) * hinge(-grid) + lam / 2 * grid**2 / k
        assert abs(grid[np.argmin(values)] - clipped_minimiser(k, 2 * eta - 1, lam)) < 2e-3


def test_ridge_minimiser_solves_kernel_ridge_regression(case):
    g = ridge_minimiser(case, case.T, 0.3) / np.sqrt(case.rho)
    a = np.linalg.solve(case.K + 0.3 * np.diag(1 / case.rho), 2 * case.eta - 1)
    assert np.allclose(g, case.K @ a)


def objective(pair, root, h):
    return pair.case.risk(logistic, pair.values(root, h)) + pair.lam / 2 * (h @ h)


def test_newton_finds_the_logistic_minimisers(case):
    pair = LogisticPair(case, np.array([0.0, 1.0, 1.0]), 0.5)
    assert pair.radius < 1e-6
    for root, h in ((pair.root, pair.h), (pair.root_M, pair.h_M)):
        nearby = [objective(pair, root, h + sign * 0.01 * d) for d in np.eye(2) for sign in (-1, 1)]
        assert objective(pair, root, h) < min(nearby)


def test_label_law_makes_g_the_minimiser():
    K = np.array([[2.0, 1.0], [1.0, 3.0]])
    case = LogisticMinimiser(K, np.array([0.3, 0.7]), np.array([0.4, -0.3]), 0.5)
    assert np.all((case.eta > 0) & (case.eta < 1))
    stationary = case.rho * (1 / (1 + np.exp(-case.g)) - case.eta) + case.lam * case.a
    assert np.allclose(stationary, 0)


def test_features_demanded_solve_lemma_2(case):
    xi, delta = 0.7, 0.1
    beta = beta_of(case.R, np.linalg.norm(case.T, 2), delta)
    M = enough_features(case.R, xi, beta)
    terms = (2 * beta / (3 * M)) ** 0.5, (2 * beta / M) ** 0.25
    assert np.isclose(max(terms), xi / (2 * case.R))


def test_mean_over_coins_is_the_binomial_mean():
    assert np.isclose(mean_over_coins(4, lambda k: np.abs(k[:, 0] - 0.5)), (2 * 0.5 + 8 * 0.25) / 16)
