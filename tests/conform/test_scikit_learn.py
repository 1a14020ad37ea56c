"""The maps of scikit-learn: what is true of them holds, and what is false of them is refuted with its number."""

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn import kernel_approximation as maps
from sklearn.metrics.pairwise import additive_chi2_kernel, polynomial_kernel, rbf_kernel

from boundcheck.checking.verdict import Outcome
from boundcheck.features.conform import NAMED, Design, MapError, conformance
from boundcheck.features.conform.fits import attributes, differences

QUICK = Design(trials=150)


def refuted(result):
    return {item.name for item in result.found([Outcome.REFUTED])}


def test_the_sampler_of_the_gaussian_kernel_conforms():
    assert refuted(conformance(maps.RBFSampler, params={"gamma": 0.7}, design=QUICK)) == set()


def test_a_gaussian_kernel_of_another_gamma_is_not_its_kernel():
    other = conformance(maps.RBFSampler, "gaussian", {"gamma": 0.7}, kernel_params={"gamma": 1.4}, design=Design(trials=400))
    assert "unbiased" in refuted(other)


def test_the_skewed_sampler_conforms_but_for_a_shape_in_its_documentation():
    result = conformance(maps.SkewedChi2Sampler, params={"skewedness": 0.5}, design=QUICK)
    assert refuted(result) <= {"documented"}
    assert result.item("bounded").outcome is Outcome.HOLDS


@pytest.mark.parametrize("params", [{}, {"degree": 3, "coef0": 1.0}])
def test_the_sketch_is_unbiased_and_unbounded(params):
    result = conformance(maps.PolynomialCountSketch, params=params, design=QUICK)
    assert refuted(result) <= {"bounded", "documented"}
    growth = result.item("bounded").numbers["growth"]
    assert growth[-1] > 1e3 * growth[0]
    assert "stays within its own bound" in result.item("bounded").reason


def test_nystroem_is_neither_unbiased_nor_oblivious():
    result = conformance(maps.Nystroem, params={"gamma": 1.0}, design=Design(trials=80, sizes=(4, 16, 64)))
    assert {"unbiased", "data-independent"} <= refuted(result)
    low, high = result.item("unbiased").numbers["interval"]
    assert not low <= result.item("unbiased").numbers["k"] <= high
    assert result.item("bounded").outcome is Outcome.HOLDS
    assert result.item("deterministic").outcome is Outcome.HOLDS
    for name in ("unbiased", "data-independent"):
        assert "does not promise this: it approximates a kernel map with a subset of the training data" in result.item(name).note
    assert result.item("bounded").note == ""


def test_the_additive_sampler_is_exact_about_its_bias():
    result = conformance(maps.AdditiveChi2Sampler)
    bias = result.item("unbiased").numbers["largest_bias"]
    assert result.item("unbiased").outcome is Outcome.REFUTED
    assert bias == sorted(bias, reverse=True)
    own = np.array([[1.0, 1.0]])
    phi = maps.AdditiveChi2Sampler(sample_steps=1).fit_transform(own)
    assert bias[0] >= abs((phi @ phi.T).item() - 2) / 2
    assert result.item("variance").outcome is Outcome.VACUOUS
    assert result.draws == 1
    assert "at regular intervals" in result.item("unbiased").note
    assert "no map of this kernel has" in result.item("bounded").reason


def test_the_kernels_are_those_of_scikit_learn():
    X, Y = np.random.default_rng(0).exponential(size=(2, 4, 3))
    assert NAMED["gaussian"](gamma=0.3).matrix(X, Y) == pytest.approx(rbf_kernel(X, Y, gamma=0.3))
    assert NAMED["polynomial"](0.3, 3, 2).matrix(X, Y) == pytest.approx(polynomial_kernel(X, Y, gamma=0.3, degree=3, coef0=2))
    # (x - y)^2 / (x + y) = x + y - 4 x y / (x + y)
    sums = X.sum(axis=1)[:, None] + Y.sum(axis=1)
    assert NAMED["additive_chi2"]().matrix(X, Y) == pytest.approx((sums + additive_chi2_kernel(X, Y)) / 2)


def test_a_kernel_that_depends_on_the_data_is_refused():
    with pytest.raises(MapError, match="gamma=NUMBER"):
        conformance(maps.RBFSampler, params={"gamma": "scale"})


def test_attributes_of_a_docstring():
    said = "W : ndarray of shape (n, s), \\\n    dtype=float32\n    W : no.\nb : float\n"
    doc = f"x.\n\nAttributes\n----------\n{said}\nSee Also\n--------\nc : no"
    assert list(attributes(doc)) == [("W", "ndarray of shape (n, s), dtype=float32"), ("b", "float")]
    sizes = {"n": 3, "s": 4}
    assert list(differences("W", "ndarray of shape (n, s), dtype=float32", np.zeros((3, 4), np.float32), sizes)) == []
    assert len(list(differences("W", "ndarray of shape (n, s), dtype=float32", np.zeros((4, 3)), sizes))) == 2
    assert list(differences("W", "ndarray of shape (unknown, s)", np.zeros((1, 1)), sizes)) == []
