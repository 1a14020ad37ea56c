"""The helper functions behind Section 4 and Appendix E of Ma et al. (2025), at examples whose values are known."""

from math import erfc, log, sqrt

import numpy as np
import pytest

from theory.ma2025.algorithm1 import effective_dimension, line_3, line_4, pool_kernel
from theory.ma2025.comparison import conclusions, interval, main, markdown
from theory.ma2025.findings_risk import SHARP, at_most_so_many, largest_dimension, least_factor, missing_probability, of_the_risk
from theory.ma2025.rademacher import top_singular_value
from theory.ma2025.rflaf import Basis, Features, fit, leverage_distribution, ridge
from theory.ma2025.ridge_error import objective, resolvent
from theory.ma2025.two_stages import dimension, spectrum


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_line_3_of_one_hot_features():
    Z = np.diag([1.0, 2.0])
    assert line_3(Z, 0.5) == pytest.approx([1 / 1.5, 4 / 3])
    assert effective_dimension(pool_kernel(Z), 0.5) == pytest.approx(0.5 / 1.5 + 2 / 3)
    assert line_4(Z, 0.5) == pytest.approx(leverage_distribution(Z, 0.5))


def test_resolvent_minimises(rng):
    Z, f, lam = rng.standard_normal((4, 3)), rng.standard_normal(4), 0.1
    v = Z.T @ resolvent(Z @ Z.T / 3, f, lam) / 3
    assert ridge(Z, f, lam) == pytest.approx(v)
    assert objective(Z, f, v, lam) < min(objective(Z, f, v + 0.01 * step, lam) for step in np.vstack([np.eye(3), -np.eye(3)]))


def test_top_singular_value(rng):
    u, v, w = rng.standard_normal(5), rng.standard_normal(5), rng.random(5)
    assert top_singular_value(u, v, w) == pytest.approx(np.linalg.norm(np.vstack([u, v]) * np.sqrt(w), 2))


def test_splines_sum_to_one_between_the_centres():
    basis = Basis.make("B-spline", 10, 2.0)
    x = basis.low + basis.step * np.arange(len(basis.table))
    inside = np.abs(x) < 2 - 2 * 4 / 9
    assert basis.table.sum(axis=1)[inside] == pytest.approx(1)


@pytest.mark.parametrize("kind", ["RBF", "B-spline"])
def test_tabulated_features(rng, kind):
    basis, X, W = Basis.make(kind, 12, 3.0), rng.standard_normal((20, 2)), rng.standard_normal((2, 5))
    features, a, v = Features.of(basis, X, W, rng.random(5)), rng.standard_normal(12), rng.standard_normal(5)
    assert features.per_basis_function(v) @ a == pytest.approx(features.matrix(a) @ v)


def test_tabulated_bump(rng):
    basis, X, W = Basis.make("RBF", 7, 3.0), rng.standard_normal((20, 2)), rng.standard_normal((2, 5))
    features = Features.of(basis, X, W, np.ones(5))
    assert features.matrix(np.eye(7)[3]) == pytest.approx(np.exp(-((X @ W) ** 2) / 2), abs=1e-3)


def test_fit_finds_a_model_of_its_own_kind(rng):
    basis, X, W = Basis.make("RBF", 8, 3.0), rng.standard_normal((200, 2)), rng.standard_normal((2, 6))
    features, a = Features.of(basis, X, W, np.ones(6)), rng.standard_normal(8)
    y = features.matrix(a) @ rng.standard_normal(6)
    found, v = fit(features, y, np.ones(8), 1e-9, rounds=30)
    assert np.mean((features.matrix(found) @ v - y) ** 2) < 0.05 * np.var(y)
    assert np.mean(features.matrix(found) ** 2) == pytest.approx(1)


def test_binomial_tail():
    assert at_most_so_many(1, 3, 0.5) == pytest.approx(0.5)
    assert at_most_so_many(450, 1000, 0.5) == pytest.approx(erfc(49.5 / sqrt(500)) / 2, rel=0.01)


def test_least_factor_grows_to_the_sharp_one():
    factors = [least_factor(30, 1, delta) for delta in (1e-4, 1e-16, 1e-64)]
    assert factors == sorted(factors)
    assert 5 < factors[1] < factors[2] < SHARP


def test_design_of_theorem_4_1():
    strong, weak = spectrum(10, 0.5, 0.5)
    assert (strong, weak) == (0.25, 0.0025)
    assert dimension(10, strong, weak, 0.25) == pytest.approx(0.5 + 10 * 0.0025 / 0.2525)
    assert missing_probability(300, 1e-2, 1e-2)[1] < 1e-20 < 0.5 < missing_probability(300, 1e-8, 1e-2)[1]


def test_largest_dimension_is_on_the_boundary():
    d = largest_dimension(300)
    assert 5 * d * log(16 * d / 0.05) == pytest.approx(300)


def test_every_finding_has_a_remark_and_full_rows():
    for finding in of_the_risk():
        assert finding.remark.endswith(".")
        assert all(len(row) == len(finding.columns) for row in finding.rows)


def row(S, plain, weighted, half):
    return {"S": S, "plain": (plain, 0.1), "weighted": (weighted, 0.1), "gain": (plain - weighted, half)}


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (0.9, 0.5, "**S matters here**: from S = 10 to 300 the test error of plain features falls by 0.40 to 0.40"),
        (0.73, 0.74, "**This run cannot decide"),
        (0.9, 0.75, "**This run cannot decide"),
    ],
)
def test_the_report_leads_with_whether_the_width_matters(first, last, words):
    said = conclusions([row(10, first, first, 0.1), row(30, 0.8, 0.8, 0.1), row(100, 0.7, 0.7, 0.1), row(300, last, last, 0.1)])
    assert said[0].startswith(words)


def test_the_report_says_how_it_deviates():
    rows = [{"basis": "RBF", "N": 16, **row(S, 0.9, 0.9, 0.1)} for S in (10, 30, 100, 300)]
    assert "Unlike the paper: alternating ridge regressions in place of SGD" in markdown("x", rows)


def test_the_report_says_which_weights_were_run():
    rows = [{"basis": "RBF", "N": 16, **row(S, 0.9, 0.9, 0.1)} for S in (10, 30, 100, 300)]
    assert "1 / sqrt(s q), which are unbiased" in markdown("x", rows)
    assert "1 / sqrt(q), as line 5 of Algorithm 1 prints them" in markdown("x", rows, printed=True)


def test_printed_weights_act_as_a_smaller_ridge(rng):
    """A kernel that is c times too large at the ridge lam gives the predictions of the ridge lam / c."""
    Z, y, c = rng.normal(size=(6, 3)), rng.normal(size=6), 5.0
    assert np.sqrt(c) * Z @ ridge(np.sqrt(c) * Z, y, 0.3) == pytest.approx(Z @ ridge(Z, y, 0.3 / c))


def test_conclusions_count_the_pairs():
    said = conclusions([row(10, 2.0, 1.0, 0.5), row(30, 1.0, 2.0, 0.5), row(100, 1.0, 0.9, 0.5), row(300, 0.9, 0.9, 0.5)])
    assert "lower test error in 1, plain ones in 1, and the 80% interval of the difference contains 0 in 2" in said[1]
    assert said[2].endswith("in 1 of 1 configurations, 100 plain ones in 0.")


def test_interval_of_two_seeds():
    assert interval(np.array([1.0, 3.0])) == pytest.approx((2.0, 1.415))


def test_missing_data_is_one_sentence(capsys, tmp_path):
    with pytest.raises(SystemExit, match="2"):
        main(["nothing.csv", "--reports", str(tmp_path)])
    assert len(capsys.readouterr().err.splitlines()) == 1
