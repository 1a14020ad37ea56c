"""Ma et al. (2025), the model: bumps, grids, effective dimensions and the one-hot cells of the counterexamples."""

import numpy as np
import pytest

from theory.ma2025.activation import bumps, error_of_bumps, hat
from theory.ma2025.bump_activation import BumpActivation, even_grid
from theory.ma2025.effective_dimension import count_above, decay, effective_dimension
from theory.ma2025.findings_model import of_the_model, one_hot_excess, promised_error
from theory.ma2025.findings_risk import largest_dimension
from theory.ma2025.ridge_error import enough_features
from theory.ma2025.squared_loss import LEVELS, mass_seen_once, objective, solution
from theory.ma2025.tables import polynomial


def test_the_grid_is_even_and_reaches_both_ends():
    np.testing.assert_allclose(even_grid(5), [-1, -0.5, 0, 0.5, 1])
    np.testing.assert_allclose(even_grid(1), [0])


def test_a_bump_activation_is_the_combination_of_its_basis():
    case = BumpActivation(np.ones((1, 1)), np.array([[0.0, 1.0]]), np.array([0.25, 0.75]), np.ones(2), np.array([2.0, 3.0]), 0.5)
    far = np.exp(-2.0)
    np.testing.assert_allclose(case.sigma, [[5 * far, 2 * np.exp(-8) + 3]])
    np.testing.assert_allclose(case.K, [[0.25 * case.sigma[0, 0] ** 2 + 0.75 * case.sigma[0, 1] ** 2]])


def test_overlapping_bumps_sum_to_a_constant():
    c = np.arange(-40, 41) * 0.1
    total = bumps(np.linspace(-1, 1, 50), c, 0.1).sum(axis=1) * 0.1 / (0.1 * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(total, 1, atol=6e-9)
    assert np.abs(total - 1).max() > 5e-9


def test_the_error_falls_with_the_grid_and_the_hat_has_its_height():
    z = np.linspace(-1, 1, 201)
    coarse, fine = (error_of_bumps(z, N, 2 / (N - 1), 1.0, 1.0).max() for N in (9, 65))
    assert fine < coarse / 6
    assert hat(0.25, 1.0, 2.0) == 0.5


def test_one_hot_features_in_three_dimensions():
    i = np.arange(1, 7)
    w, x = np.stack([i**2 + 1, -2 * i, np.ones(6)]), np.stack([np.ones(6), i, i**2])
    np.testing.assert_array_equal(hat(x.T @ w - 1, 1, 1), np.eye(6))


@pytest.mark.parametrize("n", [2**16, 2**32])
def test_mass_seen_once_is_a_lower_bound_near_the_mean(n):
    exact = sum(2.0**-k * np.exp(np.log(n) - 16 * k * np.log(2) + (n - 1) * np.log1p(-(2.0 ** (-16 * k)))) for k in range(1, LEVELS + 1))
    assert exact * (1 - 1e-4) < mass_seen_once(n) <= exact * (1 + 1e-12)


def test_ridge_solution_minimises():
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(5, 3)), rng.normal(size=5)
    v = solution(Z, y, 0.1)
    assert all(objective(Z, y, v, 0.1) < objective(Z, y, v + step, 0.1) for step in 1e-3 * np.eye(3))


def test_effective_dimension_and_count():
    assert effective_dimension([1.0, 0.5], 0.5) == pytest.approx(2 / 3 + 1 / 2)
    assert count_above([1.0, 0.5, 0.4], 0.5) == 2
    assert decay(3, 2) == pytest.approx(1 / 9)
    assert sum(polynomial(50, 1)) == pytest.approx(1)


def test_one_hot_excess_is_a_mean_over_binomial_counts():
    n, rng = 200, np.random.default_rng(1)
    c = rng.binomial(n, 1 / n, 200000)
    assert one_hot_excess(n, 1.0) == pytest.approx(np.mean(c / (c + 1) ** 2), abs=2e-3)


def test_numbers_of_the_findings_solve_their_equations():
    eps = promised_error(16)
    assert np.log(1 / eps) ** 1.5 / eps == pytest.approx(16)
    d = largest_dimension(1000)
    assert enough_features(d, d, 0.05) == pytest.approx(1000)


def test_findings_have_full_rows_and_remarks():
    for finding in of_the_model():
        assert finding.remark
        assert all(len(row) == len(finding.columns) for row in finding.rows)
