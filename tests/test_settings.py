"""Settings draw what they promise: every number inside its range, every drawn case buildable."""

import numpy as np
import pytest

from boundcheck import settings
from boundcheck.domains.instances import build, draw_instances, inside
from boundcheck.features import data_set, pools
from boundcheck.laws.quantities import evaluate
from boundcheck.laws.worlds import enumerated
from theory.liu2020 import surrogate_leverage
from theory.ma2025 import bump_activation
from theory.wang2019 import circle, random_features, random_inputs, ridge_pair, sign_features
from theory.yashima2021 import finite_classification, logistic_minimiser, sgd_paths

MODULES = [
    settings, data_set, pools, bump_activation, circle, finite_classification, logistic_minimiser, random_features, random_inputs, ridge_pair,
    sgd_paths, sign_features, surrogate_leverage,
]  # fmt: skip
FAMILIES = {name: x for module in MODULES for name, x in vars(module).items() if hasattr(x, "domain") and name != "setting"}


def parameters_of(name):
    return {"case": FAMILIES[name].domain}


@pytest.mark.parametrize("name", FAMILIES)
def test_drawn_instances_lie_inside_their_ranges(name):
    parameters = parameters_of(name)
    for raw in draw_instances(parameters, 40, 1):
        assert inside(parameters, raw)
        with np.errstate(all="ignore"):
            build(parameters, raw)


def test_weighted_features_are_what_lemma_27_assumes():
    parameters = parameters_of("WeightedFeatures")
    for raw in draw_instances(parameters, 60, 2):
        case = build(parameters, raw)["case"]
        K = (case.Z * case.p) @ case.Z.T
        ridge = case.n * case.lam * np.eye(case.n)
        scores = case.p * np.sum(case.Z * np.linalg.solve(K + ridge, case.Z), axis=0)
        np.testing.assert_allclose(case.K, K, atol=1e-9 * np.abs(K).max())
        np.testing.assert_allclose(np.tile(case.leverage, case.copies), scores, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(case.d_eff, np.trace(np.linalg.solve(K + ridge, K)), rtol=1e-6)
        assert np.isclose(case.q.sum(), 1)
        assert np.all(case.l_tilde >= case.leverage)


def test_a_finite_law_has_the_moments_of_its_samples():
    parameters = parameters_of("FiniteLaw")
    for raw in draw_instances(parameters, 30, 3):
        X = build(parameters, raw)["case"]
        every = enumerated(X.sample())
        values = np.asarray(evaluate(X.sample(), enumerated(X.sample()).world), dtype=float)
        np.testing.assert_allclose([every.weights @ values, every.weights @ values**2], [X.mean, X.moment(2)], rtol=1e-9, atol=1e-12)
        assert X.variance <= (X.high - X.low) ** 2 / 4 * (1 + 1e-9) + 1e-12 * X.moment(2)


def test_kernels_of_a_data_set_are_positive_semidefinite():
    parameters = parameters_of("DataSet")
    for raw in draw_instances(parameters, 30, 4):
        data = build(parameters, raw)["case"]
        for K in (data.linear_kernel(), data.gaussian_kernel(0.5)):
            assert K.shape == (data.n, data.n)
            assert np.linalg.eigvalsh(K)[0] >= -1e-12 * max(1, np.trace(K))
        np.testing.assert_array_equal(np.diag(data.gaussian_kernel(0.5)), 1)
