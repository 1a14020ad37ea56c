"""Kernels are objects: built-in ones and one that is written by the documentation alone go through every command."""

import importlib
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from boundcheck.commands.audit import command as audit_command
from boundcheck.features.audit import AuditPlan
from boundcheck.features.audit.run import audit
from boundcheck.features.conform import Design, conformance
from boundcheck.features.data import DataError, Sample
from boundcheck.features.kernels import CITY_BLOCK, KERNELS, Gaussian, Laplace, ShiftInvariant, kernel_named
from boundcheck.laws.quantities import World, evaluate
from tests.docs.pages import ROOT, blocks
from theory.wang2019.sweep.plan import SweepPlan
from theory.wang2019.sweep.run import sweep

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
DATA = Sample("made", X, np.sin(X[:, 0]), ("a", "b", "c"), "y")


@pytest.fixture
def matern(tmp_path, monkeypatch):
    """The kernel of the page on kernels, saved where a user would save it."""
    text = next(block.text for block in blocks(ROOT / "docs/audit.md") if block.file == "matern.py")
    (tmp_path / "matern.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    importlib.invalidate_caches()
    sys.modules.pop("matern", None)
    yield kernel_named("matern:Matern")
    sys.modules.pop("matern", None)


@pytest.fixture(params=[*KERNELS, "matern:Matern"])
def kernel(request, matern):
    return kernel_named(request.param)


@pytest.mark.parametrize("sigma", [0.7, 3.0])
def test_features_have_the_kernel_as_mean(kernel, sigma):
    """Means of 40000 terms in [-2, 2] are off by 0.03, six deviations, with a chance below 1e-3 for all pairs."""
    k = kernel(sigma)
    Z = k.features(40_000, 3, seed=1, trial=2).of(X[:8])
    np.testing.assert_allclose(Z @ Z.T / 40_000, k.value(X[:8], X[:8]), atol=0.03)
    assert (Z**2).max() <= k.bound * (1 + 1e-12)


def test_the_product_of_a_feature_at_two_points_has_the_kernel_as_mean_and_its_range(kernel):
    product = kernel(1.5).product(X[0], X[1])
    drawn = np.asarray(evaluate(product, World(np.random.default_rng(5), 20_000)))
    assert abs(drawn.mean() - kernel(1.5).value(X[:1], X[1:2])[0, 0]) < 0.05
    assert product.low <= drawn.min() < drawn.max() <= product.high


def test_the_first_features_do_not_depend_on_their_number(kernel):
    few, many = (kernel(2.0).features(s, 3, seed=1, trial=2) for s in (5, 50))
    np.testing.assert_array_equal(few.W, many.W[:5])
    np.testing.assert_array_equal(few.u, many.u[:5])


def test_values_and_matrices_agree(kernel):
    k = kernel(1.3)
    np.testing.assert_allclose(k.matrix(X, X[:7]), k.value(X, X[:7]), rtol=1e-12)
    np.testing.assert_array_equal(np.diag(k.value(X, X)), 1.0)


def test_bandwidths_are_distances_of_the_kernel(kernel):
    gaps = np.abs(X[:, None] - X[None])
    each = gaps.sum(axis=-1) if kernel.distance is CITY_BLOCK else np.sqrt((gaps**2).sum(axis=-1))
    assert kernel.median_bandwidth(X) == pytest.approx(np.median(each[np.triu_indices(40, 1)]))
    typical = each.mean() if kernel.distance is CITY_BLOCK else np.sqrt((each**2).mean())
    assert kernel.typical_bandwidth(X) == pytest.approx(typical)
    with pytest.raises(DataError, match="same point"):
        kernel.median_bandwidth(np.ones((4, 2)))


def test_a_kernel_of_ones_own_is_taken_for_no_other(matern):
    """The audit and the sweep with it differ from those with each kernel that is built in."""
    names = (*KERNELS, "matern:Matern")
    found = [audit(DATA, AuditPlan(kernel=name, bandwidth=1.0, trials=2), []).eigenvalues for name in names]
    mu = np.linalg.eigvalsh(matern(1.0).value(DATA.scaled().X, DATA.scaled().X))[::-1] / 40
    np.testing.assert_allclose(found[-1][:5], mu[:5], rtol=1e-6)
    assert len({values[0] for values in found}) == len(names)
    gaps = [sweep(DATA, SweepPlan(kernel=name, sizes=(4, 8), repeats=2, train=20)).mse for name in names]
    assert not np.allclose(gaps[2], gaps[0])
    assert not np.allclose(gaps[2], gaps[1])


@pytest.mark.usefixtures("matern")
def test_two_workers_of_the_sweep_find_a_kernel_of_ones_own(tmp_path):
    np.savetxt(tmp_path / "data.csv", X, delimiter=",", header="a,b,c", comments="")
    options = ["--kernel", "matern:Matern", "--sizes", "4,8", "--repeats", "4", "--workers", "2"]
    command = [sys.executable, "-m", "boundcheck.commands.main", "sweep", "data.csv", *options, "--reports", "."]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    assert (tmp_path / "sweep-data-matern_Matern.json").exists()


def test_the_command_takes_a_kernel_of_ones_own(matern, tmp_path):
    np.savetxt(tmp_path / "data.csv", X, delimiter=",", header="a,b,c", comments="")
    result = CliRunner().invoke(audit_command, ["data.csv", "--kernel", "matern:Matern", "--trials", "2", "--lam", "0.3"])
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "reports/audit-data.json").read_text())["plan"]["kernel"] == "matern:Matern"


class Sampler:
    """Fourier features of a kernel object, in the style of scikit-learn."""

    def __init__(self, kernel: Any = None, n_components=10, random_state=0):
        self.kernel, self.n_components, self.random_state = kernel, n_components, random_state

    def get_params(self, deep=True):
        return vars(self).copy() if deep else {}

    def fit(self, data):
        self.features = self.kernel.features(self.n_components, data.shape[1], self.random_state, 0)
        return self

    def transform(self, points):
        return self.features.of(points) / np.sqrt(self.n_components)


def test_features_of_a_kernel_object_conform_with_it_and_with_no_other(kernel):
    design = Design(trials=2000)
    own = conformance(Sampler, kernel(2.0), {"kernel": kernel(2.0)}, design=design)
    wrong = (Laplace if kernel is Gaussian else Gaussian)(0.5)
    other = conformance(Sampler, wrong, {"kernel": kernel(2.0)}, design=design)
    outcomes = {item: own.item(item).outcome.name for item in ("unbiased", "bounded", "variance")}
    assert "REFUTED" not in outcomes.values(), outcomes
    assert outcomes["bounded"] == "HOLDS"
    assert other.item("unbiased").outcome.name == "REFUTED"


def test_a_kernel_needs_values_and_frequencies():
    class Half(ShiftInvariant):
        name = "half"

    with pytest.raises(TypeError, match="frequencies"):
        Half(1.0)  # pyright: ignore[reportAbstractUsage]
