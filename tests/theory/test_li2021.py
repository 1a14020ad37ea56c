"""The helper functions behind the claims, findings and experiments of Li et al. (2021), at examples whose values are known."""

import json
from math import comb, log

import numpy as np
import pytest

from boundcheck.features.data import Sample
from theory.li2021 import comparison, spline_simulation, synthetic
from theory.li2021.algorithm1 import line3
from theory.li2021.effective_dimension import effective_dimension, power
from theory.li2021.findings import d_K, failure, findings, gaussian_spectrum, least, risk_bound
from theory.li2021.lemma22 import SHARP
from theory.li2021.lemma24 import smooth, within_unit_ball
from theory.li2021.lipschitz import scores
from theory.li2021.ridge import objective, ridge_solution
from theory.li2021.sampling import features, fit, frequencies, resampled, rmse, spread
from theory.li2021.theorem12 import psi
from theory.li2021.theorem12_classes import largest
from theory.li2021.theorem15 import penalised


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_fit_is_the_minimiser(rng):
    Z, y, lam = rng.normal(size=(5, 3)), rng.normal(size=5), 0.1
    b = fit(Z, y, lam)
    assert b == pytest.approx(ridge_solution(Z, y, lam))
    assert objective(Z, y, b, lam) < min(objective(Z, y, b + 0.01 * step, lam) for step in np.vstack([np.eye(3), -np.eye(3)]))


def test_features_approximate_the_gaussian_kernel(rng):
    X, sigma = rng.normal(size=(6, 2)), 1.5
    Z = features(X, frequencies(rng, 100_000, 2, sigma))
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * sigma**2))
    assert np.abs(Z @ Z.T / 100_000 - K).max() < 0.02


def test_resampled_features_approximate_the_kernel_of_the_pool(rng):
    Z = rng.normal(size=(4, 6))
    index, weights = resampled(rng, Z, 200_000, 0.1)
    Z_m = Z[:, index] * weights
    assert np.abs(Z_m @ Z_m.T / 200_000 - Z @ Z.T / 6).max() < 0.05


def test_line_3_of_one_hot_features():
    assert line3(np.diag([1.0, 2.0]), 0.5) == pytest.approx([1 / 1.5, 4 / 3])


def test_spread_and_rmse():
    assert spread([3.0, 1.0, 2.0]) == (2, 1, 3)
    assert rmse(np.array([3.0, -4.0, 0.0, 0.0])) == 2.5


@pytest.mark.parametrize(("wins", "chance"), [(10, 2 / 1024), (0, 2 / 1024), (8, 112 / 1024), (5, 1)])
def test_sign_test(wins, chance):
    assert comparison.sign_test(wins, 10) == pytest.approx(chance)


def test_prediction_within_the_unit_ball():
    y = within_unit_ball(np.eye(2), np.array([10.0, 0.0]), 0.5)
    assert y == pytest.approx([2, 0])
    assert smooth(np.eye(2), y, 0.5) == pytest.approx([1, 0])


@pytest.mark.parametrize("y", [0.2, 5.0])
def test_penalised_solution_is_optimal(y):
    L, Kt, lam = 2.0, 0.5, 0.4
    g = penalised(y, L, Kt, lam)
    cost = [L * abs(y - x) + lam * x**2 / Kt for x in (g, g - 1e-3, g + 1e-3)]
    assert cost[0] == min(cost)


def test_scores_of_two_orthogonal_features():
    K = np.diag([1.0, 0.25])
    assert scores(0.25, 0.1) == pytest.approx(np.diag(K @ np.linalg.inv(K + 0.2 * np.eye(2))))


def test_largest_of_a_parabola():
    a = np.linspace(-0.5, 1, 100_001)
    for A, B in ((1.0, -1.0), (2.0, 0.5), (-1.0, 0.3), (0.0, 0.0)):
        assert largest(A, B, -0.5) == pytest.approx(np.abs(A * a**2 + B * a).max(), abs=1e-8)
        assert largest(A, B, -0.5, absolute=False) == pytest.approx((A * a**2 + B * a).max(), abs=1e-8)


def test_sub_root_function():
    assert psi(0.5, np.array([1.0, 0.25]), 2.0, 0.1) == pytest.approx(2 * np.sqrt(0.75) + 0.1)


def test_effective_dimension():
    assert effective_dimension([1.0, 1.0], 1.0) == 1
    assert power(3, 2) == pytest.approx(9)


@pytest.mark.parametrize("d", [1, 5, 10])
def test_gaussian_spectrum_has_trace_one(d):
    values, times = gaussian_spectrum(d, 400)
    assert values @ times == pytest.approx(1)


def test_gaussian_spectrum_is_that_of_gauss_hermite_quadrature():
    x, w = np.polynomial.hermite_e.hermegauss(60)
    root = np.sqrt(w / w.sum())
    values = np.linalg.eigvalsh(root[:, None] * np.exp(-((x[:, None] - x) ** 2) / 2) * root)[::-1]
    assert values[:8] == pytest.approx(gaussian_spectrum(1)[0][:8])
    assert d_K(1, 0.01) == pytest.approx(np.sum(values / (values + 0.01)))


def test_failure_is_a_binomial_tail():
    s = int(np.ceil(2 * 1000 * log(16 / 0.01)))
    low = int(np.ceil(s / 2000))
    exact = sum(comb(s, i) * 0.001**i * 0.999 ** (s - i) for i in range(low))
    assert failure(2, 0.01, two_sided=False) == pytest.approx(exact)
    assert failure(2, 0.01, two_sided=True) > failure(2, 0.01, two_sided=False)


def test_least_and_bounds():
    assert least(lambda x: x >= 30, 1, 1000, 30) == pytest.approx(30, rel=1e-6)
    assert risk_bound(1e6) == pytest.approx(risk_bound(1e4) / 10)
    assert pytest.approx(6.5178, abs=1e-4) == SHARP


def test_spline_features_have_the_spline_kernel():
    v, r = np.arange(501) / 501, 2
    C = spline_simulation.coefficients(v, r, repaired=True)
    m = np.arange(1, spline_simulation.TERMS + 1)
    K = spline_simulation.basis(np.array([0.1, 0.4]))
    kernel = K @ (C @ C.T / 501) @ K.T
    assert kernel[0, 1] == pytest.approx(1 + np.sum(np.cos(2 * np.pi * m * 0.3) / m ** (2 * r)))
    assert kernel[0, 0] == pytest.approx(1 + np.sum(1.0 / m ** (2 * r)))


def test_spline_function_is_the_printed_one():
    f = spline_simulation.coefficients(np.array([0.3]), 2, repaired=False)[:, 0]
    m = np.arange(1, spline_simulation.TERMS + 1)
    assert spline_simulation.basis(np.array([0.5])) @ f == pytest.approx(1 + np.sum(np.cos(0.4 * np.pi * m) / m**2))


def test_slopes_of_the_spline_simulation_are_read_off():
    cases = [(r, t, e, n) for r, t in spline_simulation.CASES for e in (1 / 2, 1 / 3) for n in (8, 64)]
    rows = [(r, t, e, n, 9, n ** -(0.8 if t > r + 0.5 else 0.3)) for r, t, e, n in cases]
    sentence = spline_simulation.remark(rows)
    assert sentence.count("-0.80 to -0.80 where f lies in the space") == 2
    assert sentence.count("-0.30 to -0.30 where its norm grows") == 2


def test_without_noise_a_smaller_ridge_is_better(rng, monkeypatch):
    monkeypatch.setattr(spline_simulation, "SIGMA", 0.0)
    risks, sizes = zip(*(spline_simulation.excess_risk(rng, 128, lam, 1, 2) for lam in (0.1, 0.01)), strict=True)
    assert risks[1] < risks[0] / 4
    assert sizes[1] > sizes[0]


def test_findings_have_full_rows():
    tables = findings()
    assert [len(table.rows) for table in tables] == [8, 7, 3]
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    assert all(table.remark for table in tables)


def test_constants_that_are_too_small_fail():
    for _, delta, needed, over, enough in findings()[0].rows:
        assert over > 1
        assert needed < enough
        assert failure(1.02 * enough, delta, two_sided=enough > 8) <= delta


def test_comparison_writes_a_report(tmp_path, monkeypatch, rng):
    monkeypatch.setattr(comparison, "RIDGES", (1e-3,))
    comparison.main(["--reports", str(tmp_path), "--sizes", "5,10", "--repeats", "2"], standalone_mode=False)
    written = json.loads((tmp_path / "li2021-comparison-diabetes.json").read_text())
    assert [len(row) for row in written["rows"]] == [8, 8]


def test_comparison_tells_the_better_method(rng):
    X = rng.normal(size=(60, 2))
    data = Sample("plane", X, X[:, 0], ("a", "b"), "y")
    (s, *_, wins), = comparison.table(data, (5,), 2)
    assert s == 5
    assert 0 <= wins <= 2


def test_synthetic_targets_have_deviation_one(rng):
    X, f = synthetic.sample(rng, 4000)
    assert X.std() == pytest.approx(np.sqrt(5), rel=0.05)
    assert f.std() == pytest.approx(1, rel=0.2)


@pytest.mark.parametrize(("module", "argv"), [
    (comparison, ["--repeats", "1"]), (comparison, ["--sizes", "0"]), (comparison, ["nowhere.csv"]),
    (synthetic, ["--features", "9", "--pool", "9"]), (spline_simulation, ["--sizes", "64"]),
])  # fmt: skip
def test_wrong_requests_are_one_sentence(module, argv, capsys):
    with pytest.raises(SystemExit) as stopped:
        module.main(argv)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.split("Error: ")[1].count("\n") == 1
