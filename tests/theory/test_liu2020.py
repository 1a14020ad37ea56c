"""Liu et al. (2020): the samplers of the comparison, and what its setting computes, at known examples."""


import numpy as np
import pytest

from boundcheck.features.data import Sample
from theory.liu2020.classification import accuracies, in_unit_cube, signs, split
from theory.liu2020.comparison import main, one_fit
from theory.liu2020.comparison_report import (
    COLUMNS,
    ONE,
    OVER_S,
    about_the_data,
    accuracy,
    accuracy_table,
    against_the_paper,
    conclusions,
    interval,
    ridges,
    verdict,
)
from theory.liu2020.findings import findings
from theory.liu2020.findings_risk import from_surrogate, kernel, never_drawn, quantile_of_count
from theory.liu2020.orthogonal import covariance, products_of_cosines
from theory.liu2020.ridge import smooth
from theory.liu2020.samplers import METHODS, alignment_of_pairs, draw, halton, leverage_of_pairs, normal_quantiles
from theory.liu2020.surrogate_leverage import COSINES, SINES, FourierFeatures
from theory.liu2020.table3 import MULTIPLES, OURS, RFF, gains
from theory.liu2020.theorem2 import excess_risk


@pytest.fixture
def inputs():
    rng = np.random.default_rng(0)
    X = rng.random((40, 2))
    return X, np.where(X[:, 0] > 0.5, 1.0, -1.0)


def test_halton_points_are_the_known_ones():
    assert np.allclose(halton(4, 2), [[1 / 2, 1 / 3], [1 / 4, 2 / 3], [3 / 4, 1 / 9], [1 / 8, 4 / 9]])


def test_normal_quantiles():
    assert np.allclose(normal_quantiles(np.array([[0.5, 0.975]])), [[0, 1.959963985]])


def test_leverage_is_the_same_from_either_side():
    Z = np.random.default_rng(1).standard_normal((8, 6))
    total = np.trace(Z @ np.linalg.inv(Z.T @ Z + 0.8 * np.eye(6)) @ Z.T)
    assert leverage_of_pairs(Z, 0.8 / 8).sum() == pytest.approx(total)
    assert leverage_of_pairs(Z.T, 0.8 / 6).sum() == pytest.approx(total)


def test_alignment_is_the_squared_modulus():
    x, w, y = np.arange(3.0), np.array([0.3, 1.7]), np.array([1.0, -1.0, 1.0])
    Z = np.hstack([np.cos(np.outer(x, w)), np.sin(np.outer(x, w))])
    assert np.allclose(alignment_of_pairs(Z, y), np.abs(y @ np.exp(-1j * np.outer(x, w))) ** 2)


@pytest.mark.parametrize("method", METHODS)
def test_weighted_features_approximate_the_kernel(method, inputs):
    X, y = inputs
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    Z = draw(method, X, y, 4000, np.random.default_rng(2)).features(X)
    assert np.linalg.norm(K - Z @ Z.T, 2) < 0.15 * np.linalg.norm(K, 2)


def test_scaling_the_kernel_is_dividing_the_ridge(inputs):
    X, y = inputs
    Z = draw("RFF", X, y, 5, np.random.default_rng(3)).features(X)
    assert accuracies(np.sqrt(5) * Z, y, Z * np.sqrt(5), y, (0.1,)) == accuracies(Z, y, Z, y, (0.1 / 5,))


def test_data_fill_the_unit_cube_without_outliers():
    X = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1e9, 1.0]])
    inside = in_unit_cube(X, 0.3)
    assert inside.min() == 0
    assert inside.max() == 1
    assert np.all(inside[:, 1] == 0)


def test_labels_become_signs():
    assert signs(np.array([0.0, 1.0])).tolist() == [-1, 1]
    assert signs(np.array([1.0, 2.0, 3.0])).tolist() == [-1, -1, 1]


def test_split_is_disjoint():
    X = np.arange(20.0)[:, None]
    task = split(Sample("x", X, np.arange(20.0) % 2, ("a",), "b"), 0.0, 0)
    assert (len(task.X), len(task.X_test)) == (10, 10)
    assert not set(task.X.ravel()) & set(task.X_test.ravel())


def test_setting_agrees_with_complex_arithmetic():
    k = np.outer([0, 1, 3], np.arange(4)) % 4
    case = FourierFeatures(COSINES[k], SINES[k], np.array([0.4, 0.2, 0.2, 0.2]), np.array([1.0, -1.0, 2.0]), 0.1)
    z = np.exp(-0.5j * np.pi * k)
    A = case.y[:, None] * case.y + 3 * np.eye(3)
    assert np.allclose(case.K, (z * case.p) @ z.conj().T)
    assert np.allclose(case.surrogate, case.p * np.real(np.sum(z.conj() * (A @ z), axis=0)) / (9 * 0.1))
    assert case.q.sum() == pytest.approx(1)


def test_excess_risk_of_one_feature_is_that_of_its_multiples():
    r, lam, c = 0.5, 0.01, 0.4
    shrunk = (1 - r**2) * 0.5 / (0.5 + lam)
    assert excess_risk((0.5, 0.0), r, lam) == pytest.approx(c * (1 - r**2 - 2 * shrunk * (1 - r**2) + shrunk**2))


def test_findings_are_numbers():
    tables = findings()
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    assert all(table.remark for table in tables)


def test_missing_data_is_one_sentence(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["nowhere.csv"])
    assert capsys.readouterr().err.count("\n") == 1


def test_quantile_of_a_fair_coin():
    assert [quantile_of_count(2, 0.5, level) for level in (0.2, 0.3, 0.8)] == [0, 1, 2]


def test_needed_feature_is_missed_ever_more_often():
    few, many = (never_drawn(n, int(100 * n**0.5), np.random.default_rng(4)) for n in (10**4, 10**8))
    assert 0 < few < many < 1
    assert many > 0.9


def test_features_from_the_surrogate_are_unbiased():
    x = np.linspace(0, 1, 5)
    w, weights = from_surrogate(x, np.sign(x - 0.4), 4000, np.random.default_rng(5))
    Z = np.exp(-1j * np.outer(x, w)) * np.sqrt(weights / 4000)
    assert len(w) == 4000
    assert np.abs(kernel(x, x) - np.real(Z @ Z.conj().T)).max() < 0.1


@pytest.mark.parametrize("copies", [1, 50])
def test_more_examples_do_not_mend_the_proof_chain(copies):
    x, p, lam = np.tile([0, 1], copies), np.array([0.5, 0.5, 3, 0.5]) / 4.5, 0.25
    k = np.outer(x, np.arange(4)) % 4
    case = FourierFeatures(COSINES[k], SINES[k], p, np.ones(2 * copies), lam)
    Kt = case.real(case.p / case.q * np.array([0, 0, 1, 0]))
    values, vectors = np.linalg.eigh(case.K + case.ridge)
    W = vectors / np.sqrt(values)
    assert np.abs(np.linalg.eigvalsh(W.T @ (Kt - case.K) @ W)).max() <= 0.5
    excess = np.sum((case.y - smooth(Kt, case.y, lam)) ** 2) - np.sum((case.y - smooth(case.K, case.y, lam)) ** 2)
    assert excess / case.n > 1.4 * 2 * lam


def test_table3_against_the_text():
    assert gains("cod-RNA")[2] == pytest.approx(5.39)
    assert max(gains("EEG")) == pytest.approx(11.23)


def test_a_narrow_ridge_is_the_kernel_s_times_as_large(inputs):
    X, y = inputs
    Z = draw("surrogate", X, y, 7, np.random.default_rng(6)).features(X)
    ridge = ridges(len(y), 7)
    narrow = accuracies(Z, y, Z, y, (ridge[OVER_S],))
    assert narrow == accuracies(np.sqrt(7) * Z, y, np.sqrt(7) * Z, y, (ridge[ONE],))


def test_interval_is_that_of_student():
    mean, half = interval(np.array([[1.0], [3.0]]))
    assert (mean[0], half[0]) == (2.0, pytest.approx(12.706))


@pytest.mark.parametrize(
    ("whole", "ridge", "sampling", "words"),
    [
        ([5.0, 5.1], [5.0, 5.1], [0.0, 0.0], "is due to the ridge; that of leverage sampling cannot be told from 0"),
        ([5.0, 5.1], [9.0, 9.1], [-4.0, -4.0], "takes some of it away"),
        ([5.0, 5.1], [2.0, 2.1], [3.0, 3.0], "due to both"),
        ([5.0, 5.1], [-1.0, -1.1], [6.0, 6.1], "due to leverage sampling"),
        ([-5.0, -5.1], [1.0, 1.1], [-6.0, -6.2], "gains nothing"),
        ([-5.0, 6.0], [1.0, 1.1], [-6.0, 6.0], "gains nothing"),
    ],
)
def test_the_verdict_says_what_makes_the_gain(whole, ridge, sampling, words):
    spread = np.array([0, 1e-3])
    assert words in verdict(*(np.asarray(x, float) + spread for x in (whole, ridge, sampling)))


def rows_of(accuracies, multiples=(1, 2)):
    """Two splits at some numbers of features; each method has the same five accuracies everywhere."""
    return [
        {"s": 14 * m, "multiple": m, "method": method, "split": k, "accuracy": found, "error": 0.1, "seconds": 0.1}
        for m in multiples
        for k in (0, 1)
        for method, found in accuracies.items()
    ]


def test_the_report_leads_with_ridge_or_sampling():
    rows = rows_of({method: [70.0, 80.0, 81.0, 75.0, 60.0] for method in METHODS})
    sentences = conclusions("other", rows)
    assert sentences[0].startswith("**Ridge or sampling: the gain is due to the ridge")
    assert not any("the paper's RFF" in sentence for sentence in sentences)
    assert accuracy(rows, COLUMNS["plain, r = 1 / s"]).tolist() == [[80.0, 80.0], [80.0, 80.0]]
    assert "paper" not in accuracy_table("eeg", rows)


def test_the_factor_is_said_to_suffice_only_where_it_does():
    """Rows that are the paper's own cells, and rows that are not."""
    own = [
        {**row, "accuracy": [RFF["EEG"][j], OURS["EEG"][j], 50.0, 50.0, 50.0]}
        for row in rows_of({method: [] for method in METHODS}, MULTIPLES)
        for j in [MULTIPLES.index(row["multiple"])]
    ]
    (like,) = against_the_paper("EEG", own)
    (unlike,) = against_the_paper("cod-RNA", own)
    assert "suffices for the gain" in like
    assert "speaks against the n" in like
    assert "does not give the accuracies" in unlike
    (equal,) = against_the_paper("EEG", [{**row, "accuracy": [*row["accuracy"][:4], 79.79]} for row in own])
    assert "speaks against" not in equal


@pytest.mark.parametrize("name", ["EEG", "eeg", "cod-rna", "covtype", "Magic04"])
def test_cells_of_the_paper_stand_beside_the_same_data_set(name):
    rows = rows_of({method: [70.0, 80.0, 81.0, 75.0, 60.0] for method in METHODS}, MULTIPLES)
    assert any("the paper's RFF at every s" in sentence for sentence in conclusions(name, rows))
    table = accuracy_table(name, rows).splitlines()
    assert len(table) == 2 + len(MULTIPLES)
    assert len({line.count("|") for line in table}) == 1
    assert "paper: ours" in table[0]


@pytest.mark.parametrize(
    ("name", "y", "said", "unsaid"),
    [
        ("eeg", [0.0, 1.0, 1.0], "3 examples with 2 columns, two classes.", "median"),
        ("other", [0.0, 1.0, 1.0], "two classes. The paper does not have these data", "median"),
        ("magic04", [1.0, 2.0, 4.0], "above its median, 2, else -1.", "does not have"),
        ("other", [1.0, 2.0, 4.0], "The paper does not have these data", "two classes"),
    ],
)
def test_the_report_says_what_its_data_are(name, y, said, unsaid):
    sentence = about_the_data(Sample(name, np.zeros((3, 2)), np.array(y), ("a", "b"), "c"))
    assert said in sentence
    assert unsaid not in sentence


def test_a_fit_has_an_accuracy_for_each_ridge(inputs):
    X, y = inputs
    fit = one_fit(split(Sample("x", X, y, ("a", "b"), "c"), 0.0, 1), "surrogate", 6, 0)
    assert len(fit["accuracy"]) == len(ridges(20, 6))
    assert all(0 <= share <= 100 for share in fit["accuracy"])


@pytest.mark.parametrize(("m", "x"), [(1, 0.7), (2, 6.0), (3, 2.0), (6, 1.5)])
def test_covariance_of_orthogonal_cosines_is_what_is_drawn(m, x):
    drawn = products_of_cosines(m, x, np.random.default_rng(m), 200_000)
    assert drawn.mean() - np.exp(-2 * x) == pytest.approx(covariance(m, x), abs=4 / np.sqrt(200_000))


def test_four_orthogonal_frequencies_are_worse_far_away():
    assert covariance(2, 6) == pytest.approx(np.exp(-6) - np.exp(-12))
    assert 1 + 3 * covariance(2, 6) / ((1 - np.exp(-12)) ** 2 / 2) == pytest.approx(1.0148, abs=1e-4)
