"""The helper functions behind the findings and experiments of Wang (2019), at examples whose values are known."""

import json

import numpy as np
import pytest

from boundcheck.features.data import load
from boundcheck.features.ridge import kernel_ridge
from theory.wang2019 import bound_against_n, worst_labels
from theory.wang2019.findings import findings


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture(scope="module")
def data():
    return load("diabetes").scaled()


def angular(X):
    return 2 / np.pi * np.arcsin(np.clip(X @ X.T, -1, 1))


def test_points_lie_on_the_sphere(rng):
    assert np.linalg.norm(worst_labels.sphere(rng, 5, 3), axis=1) == pytest.approx(np.ones(5))


def test_subspace_is_that_of_the_leading_eigenvectors(rng):
    K = np.diag(10.0 ** -np.arange(40))
    U = worst_labels.leading_eigenvectors(rng, K)
    assert U.T @ U == pytest.approx(np.eye(worst_labels.LEADING))
    assert np.linalg.norm(U[:4], axis=1) == pytest.approx(np.ones(4))


def test_mean_form_is_the_gap_at_the_training_points(rng, monkeypatch):
    """For one draw: n times the mean of (ftilde - f)^2 over the training points is alpha^T (mean form) alpha."""
    monkeypatch.setattr(worst_labels, "DRAWS", 1)
    n, s, lam = 6, 3, 0.2
    X, y = worst_labels.sphere(rng, n, 2), rng.normal(size=n)
    K = angular(X)
    M = worst_labels.mean_form(np.random.default_rng(1), X, K, np.eye(n), s, lam)
    Psi = np.sign(X @ np.random.default_rng(1).normal(size=(2, s))) / np.sqrt(s)
    f, ft = (A @ np.linalg.solve(A + n * lam * np.eye(n), y) for A in (K, Psi @ Psi.T))
    alpha = np.linalg.solve(K + n * lam * np.eye(n), y)
    assert alpha @ M @ alpha == pytest.approx(np.sum((ft - f) ** 2))


@pytest.mark.parametrize("d", [2, 10])
def test_worst_labels_respect_the_repaired_constant(d):
    s, lam, ratio = worst_labels.least_ratio(64, d)
    assert (s, lam) == (8, 0.125)
    assert ratio > (lam / (1 + lam)) ** 2


def test_remark_counts_the_violations():
    rows = [(d, n, 8, 1.0, 0.1 / n, 0.25, 0.01) for d in worst_labels.DIMENSIONS for n in (4, 16)]
    sentence = worst_labels.remark(rows)
    assert "slope" in sentence
    assert "-1.00 (d = 2)" in sentence
    assert f"in {len(worst_labels.DIMENSIONS)} of {len(rows)} cases" in sentence


def test_problem_has_the_bandwidth_of_the_paper(data):
    case = bound_against_n.problem(data, "gaussian", 50, 0)
    gaps = case.X[:, None] - case.X
    assert case.kernel.sigma**2 == pytest.approx((gaps**2).sum(axis=2).mean())
    assert len(case.X_test) == 50
    laplace = bound_against_n.problem(data, "laplace", 50, 0)
    assert laplace.kernel.sigma == pytest.approx(np.abs(gaps).sum(axis=2).mean())


def test_ratio_is_bound_over_mean_squared_gap(data, monkeypatch):
    """With very many features the gap tends to 0 like 1 / s, and the ratio stays what it is."""
    few = bound_against_n.ratios(data, "gaussian", 50, 0)
    monkeypatch.setattr(bound_against_n, "FEATURES", 1600)
    many = bound_against_n.ratios(data, "gaussian", 50, 0)
    assert many / few == pytest.approx(np.ones(3), rel=0.5)


def test_growth_is_the_slope_of_the_medians():
    rows = [("laplace", c, n, 0.1, n**power, 9.0) for c, power in ((1.0, 0.25), (5.0, 0.5)) for n in (16, 256)]
    assert bound_against_n.growth(rows) == "The median ratio changes like n to the power 0.25 to 0.50. "
    assert bound_against_n.growth(rows[:1]) == ""


def test_energy_of_the_bound(data):
    case = bound_against_n.problem(data, "gaussian", 30, 0)
    K = np.exp(-((case.X[:, None] - case.X) ** 2).sum(axis=2) / (2 * case.kernel.sigma**2))
    alpha = np.linalg.solve(K + 30 * 0.3 * np.eye(30), case.y)
    assert kernel_ridge(case, np.array([0.3]))[1] == pytest.approx([alpha @ K @ alpha])


def test_findings_have_full_rows():
    tables = findings()
    assert [len(table.rows) for table in tables] == [8, 9, 3, 10]
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    assert all(table.remark for table in tables)
    assert all(row[2] >= 1 for row in tables[1].rows)


def test_experiments_write_their_reports(tmp_path):
    bound_against_n.main(["--reports", str(tmp_path), "--sizes", "20,40", "--subsets", "2"], standalone_mode=False)
    worst_labels.main(["--reports", str(tmp_path), "--sizes", "8,32"], standalone_mode=False)
    figures = json.loads((tmp_path / "wang2019-bound_against_n-diabetes.json").read_text())
    assert len(figures["rows"]) == 12
    assert all(row[3] <= row[4] <= row[5] for row in figures["rows"])
    assert len(json.loads((tmp_path / "wang2019-worst_labels.json").read_text())["rows"]) == 10


@pytest.mark.parametrize(("module", "argv"), [
    (bound_against_n, ["--sizes", "100000"]), (bound_against_n, ["--subsets", "0"]), (bound_against_n, ["--sizes", "x"]),
    (bound_against_n, ["nowhere.csv"]), (worst_labels, ["--sizes", "64"]), (worst_labels, ["--sizes", "1,64"]),
])  # fmt: skip
def test_wrong_requests_are_one_sentence(module, argv, capsys):
    with pytest.raises(SystemExit) as stopped:
        module.main(argv)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.split("Error: ")[1].count("\n") == 1
