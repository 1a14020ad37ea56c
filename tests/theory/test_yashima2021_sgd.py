"""Yashima et al. (2021), second half: helper functions at known examples, and a small run of the experiment."""

import json

import numpy as np
import pytest

from theory.yashima2021 import experiment
from theory.yashima2021.averaging import weights
from theory.yashima2021.corollary1 import features_of_theorem3, steps_for
from theory.yashima2021.findings import coin_weights, findings, minimiser
from theory.yashima2021.squares import Squares, Training, population_minimiser
from theory.yashima2021.theorem2 import gaussian_products, interpolation_constant


def test_weights_at_a_known_example():
    assert weights(3.0, 1) == pytest.approx([3 / 7, 4 / 7])


def test_gaussian_products_are_integrals():
    x, sigma, length = np.array([0.1, 0.7, 1.9]), 0.6, 2.0
    grid = (np.arange(20_000) + 0.5) * length / 20_000
    k = np.exp(-(np.subtract.outer(x, grid) ** 2) / (2 * sigma**2))
    np.testing.assert_allclose(gaussian_products(x, sigma, length), k @ k.T * length / 20_000, rtol=1e-7)


def test_interpolation_constant_of_the_unit_interval():
    assert interpolation_constant(1.0) == pytest.approx(np.sqrt(5))


def test_steps_invert_the_bound():
    t = steps_for(0.25, 0.001, experiment.MARGIN) - 1000
    assert experiment.bound(np.array([t]), 0.001, 500.0)[0] == pytest.approx(0.25)


def test_xi_at_ones():
    assert features_of_theorem3(1, 1, 1, 1, 1, 0, 1, 1) == pytest.approx([1 / 8, 1 / 768, 1 / 294912**0.5, 1 / 294912 ** (1 / 3)])


def test_features_and_kernel_values_on_the_grid():
    squares, rng = Squares(cells=3), np.random.default_rng(1)
    X, y = squares.sample(40, rng)
    training = Training(0.5, 0.01, 50.0, np.array([40]))
    W = training.frequencies(20_000, rng)
    on_features, on_kernel = training.on_features(X, y, W, squares.axis), training.on_kernel(X, y, squares.axis)
    np.testing.assert_allclose(on_features, on_kernel, atol=0.05)
    assert squares.excess_error(squares.side) == 0
    assert squares.excess_error(-squares.side) == pytest.approx(0.6)


def test_population_minimiser_is_odd_and_shrinks():
    squares = Squares(cells=4)
    g = population_minimiser(squares, 0.5, 1e-3)
    np.testing.assert_allclose(g, -g[::-1], atol=1e-8)
    assert 0 < (g * squares.side).min() < (g * squares.side).max() < 2 * experiment.MARGIN
    assert np.abs(population_minimiser(squares, 0.5, 10.0)).max() < 0.05


def test_small_run_writes_its_report(tmp_path, capsys, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(experiment, "Squares", lambda **_: Squares(cells=4))
    experiment.main(["--runs", "2", "--steps", "60", "--features", "8", "--reports", str(tmp_path)], standalone_mode=False)
    assert "The bound of Theorem 3" in capsys.readouterr().out
    record = json.loads((tmp_path / "yashima2021-experiment.json").read_text())
    assert record["columns"] == ["steps", "M = 8", "sd", "loss", "kernel", "sd", "loss", "Theorem 3"]
    assert record["rows"][-1][0] == 60
    assert (tmp_path / "yashima2021-experiment.svg").exists()


def test_senseless_options_exit_with_2(capsys):
    with pytest.raises(SystemExit) as stopped:
        experiment.main(["--runs", "0"])
    assert stopped.value.code == 2
    assert "at least 1" in capsys.readouterr().err


def test_minimiser_at_one_input_is_stationary():
    g = minimiser(np.array([0.5]), 0.1)
    assert 0.5 * (1 / (1 + np.exp(-g)) - 0.8) + 0.1 * g == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(coin_weights(3), [1 / 8, 3 / 8, 3 / 8, 1 / 8])


def test_findings_have_rows_of_their_columns():
    for finding in findings():
        assert finding.rows
        assert finding.remark
        assert all(len(row) == len(finding.columns) for row in finding.rows)
