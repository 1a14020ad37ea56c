"""A few steps of SGD on finitely many inputs: the minimiser is one, and the compiled kernel takes the same steps."""

import numpy as np
import pytest

from boundcheck.features.compiled.sgd import sgd_on_features
from boundcheck.laws.quantities import World, evaluate, quantity
from theory.yashima2021.sgd_paths import SgdPaths

CASES = [
    SgdPaths(np.array([[1.0], [-2.0]]), np.array([0.25, 0.75]), np.array([0.1, -0.2]), np.array([0.5]), 0.5, 1.0, 0.0, 2),
    SgdPaths(np.array([[1.0, 0.5], [2.0, 0.0], [-1.0, 1.0]]), np.ones(3) / 3, np.array([0.1, 0.0, -0.1]), np.zeros(2), 0.3, 3.0, 1.0, 3),
]


@pytest.mark.parametrize("case", CASES)
def test_the_dual_gives_the_minimiser(case):
    least = case.objective(case.minimiser)
    for shift in np.random.default_rng(0).normal(size=(40, len(case.minimiser))):
        assert case.objective(case.minimiser + 0.01 * shift) > least + 1e-7 * np.sum(shift**2)


@pytest.mark.parametrize("case", CASES)
def test_the_mean_step_is_a_gradient_step(case):
    beta, eta, h = np.full(len(case.minimiser), 0.3), 0.1, 1e-6
    rows = np.concatenate([case.Phi, -case.Phi])
    p = np.concatenate([case.rho * case.mu, case.rho * (1 - case.mu)])
    mean = p @ case.step(np.tile(beta, (len(rows), 1)), rows, eta)
    gradient = [(case.objective(beta + h * e) - case.objective(beta - h * e)) / (2 * h) for e in np.eye(len(beta))]
    np.testing.assert_allclose(mean, beta - eta * np.array(gradient), atol=1e-8)


def test_the_offset_meets_the_step_condition():
    case, gamma = CASES[0], CASES[0].offset(100.0)
    assert 2 / (case.lam * (gamma + 1)) == pytest.approx(1 / 100)
    assert 2 / (case.lam * (case.offset(1e-9) + 1)) == pytest.approx(1 / (2 * case.lam))


def test_excess_error_by_hand():
    case = CASES[0]
    right = np.sign(case.bayes)
    both = np.array([[1.0], [-1.0]])
    wrong = [np.sum(case.rho * abs(2 * case.mu - 1) * (np.where(case.Phi @ b > 0, 1, -1) != right)) for b in both]
    drawn = case.excess(quantity(lambda rng, size: both))
    np.testing.assert_allclose(evaluate(drawn, World(np.random.default_rng(0), 2)), wrong)


def test_same_steps_as_the_compiled_kernel():
    """One frequency, two inputs: Phi = (cos, sin), b = 1, the start at 0."""
    X, W, y = np.array([[0.1], [0.4]]), np.array([[0.7]]), np.array([1.0, -1.0])
    angles = 2 * np.pi * X @ W.T
    values = np.sqrt(2) * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    case = SgdPaths(values, np.ones(2) / 2, np.zeros(2), np.zeros(2), 0.2, 1.0, 0.0, 2)
    betas = case.run(case.path(0, y), np.zeros(2), 9.0)
    average = sum(w * beta for w, beta in zip(case.weights(9.0), betas, strict=True))
    np.testing.assert_allclose(average, sgd_on_features(X, y, W, (0.2, 9.0), np.array([2]))[0], rtol=1e-12)
