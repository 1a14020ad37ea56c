"""Settings draw what they promise: every number inside its range, every drawn case buildable."""

import numpy as np
import pytest

from boundcheck import DataSet, FiniteLaw, P, Positive, assume, at_most, equal, setting, theorem
from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.verdict import Outcome
from boundcheck.domains.instances import build, build_traced, draw_instances, inside
from boundcheck.features.pools import FeaturePool, PlainFeatures, WeightedFeatures
from boundcheck.laws.quantities import evaluate
from boundcheck.laws.worlds import enumerated
from boundcheck.tape import Tape
from theory.liu2020.surrogate_leverage import FourierFeatures, SurrogateFeatures
from theory.ma2025.bump_activation import BumpActivation
from theory.wang2019.finite_laws import RandomDesign, RandomFeatures, RandomInputs, SignFeatures
from theory.yashima2021.finite_classification import FiniteClassification
from theory.yashima2021.minimisers import LogisticMinimiser
from theory.yashima2021.sgd_paths import SgdPaths

FAMILIES = [
    FiniteLaw, DataSet, FeaturePool, WeightedFeatures, PlainFeatures, RandomInputs, RandomDesign, RandomFeatures,
    SignFeatures, FiniteClassification, LogisticMinimiser, SgdPaths, FourierFeatures, SurrogateFeatures,
    BumpActivation,
]  # fmt: skip


def parameters_of(family):
    return {"case": family.domain}


@pytest.mark.parametrize("family", FAMILIES)
def test_drawn_instances_lie_inside_their_ranges_and_say_so_in_a_program(family):
    parameters = parameters_of(family)
    for raw in draw_instances(parameters, 40, 1):
        assert inside(parameters, raw)
        build_traced(parameters, raw, tape := Tape())
        assert tape.hypotheses or family is DataSet  # which any points and targets are


def test_weighted_features_are_what_lemma_27_assumes():
    parameters = parameters_of(WeightedFeatures)
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


def test_plain_features_are_drawn_from_their_own_law():
    """q = p and d_tilde = z0^2 / lam, however many copies there are; l_tilde is at least the leverage
    score.
    """
    parameters = parameters_of(PlainFeatures)
    for raw in draw_instances(parameters, 60, 2):
        case = build(parameters, raw)["case"]
        np.testing.assert_allclose(case.q, case.p)
        np.testing.assert_allclose(case.d_tilde, np.max(case.Z**2) / case.lam)
        assert np.all(case.l_tilde >= case.leverage * (1 - 1e-9))


def test_a_finite_law_has_the_moments_of_its_samples():
    parameters = parameters_of(FiniteLaw)
    for raw in draw_instances(parameters, 30, 3):
        X = build(parameters, raw)["case"]
        every = enumerated(X.sample())
        values = np.asarray(evaluate(X.sample(), enumerated(X.sample()).world), dtype=float)
        np.testing.assert_allclose(
            [every.weights @ values, every.weights @ values**2], [X.mean, X.moment(2)], rtol=1e-9, atol=1e-12
        )
        assert X.variance <= (X.high - X.low) ** 2 / 4 * (1 + 1e-9) + 1e-12 * X.moment(2)


def test_kernels_of_a_data_set_are_positive_semidefinite():
    parameters = parameters_of(DataSet)
    for raw in draw_instances(parameters, 30, 4):
        data = build(parameters, raw)["case"]
        for K in (data.linear_kernel(), data.gaussian_kernel(0.5)):
            assert K.shape == (data.n, data.n)
            assert np.linalg.eigvalsh(K)[0] >= -1e-12 * max(1, np.trace(K))
        np.testing.assert_array_equal(np.diag(data.gaussian_kernel(0.5)), 1)


@setting
class Ordered:
    """Two numbers, the second at least the first."""

    a: Positive
    b: Positive

    @staticmethod
    def member(case):
        return [case.b >= case.a]


@setting
class Misspelled:
    """A promise about a field that there is not."""

    a: Positive

    @staticmethod
    def member(case):
        return [case.c >= case.a]


def in_order(case: Ordered):
    return at_most(case.a, case.b)


def in_any_order(case: Misspelled):
    return at_most(0, case.a)


def test_draws_that_break_a_promise_do_not_count():
    verdict = judge(theorem("ordered")(in_order), PLANS["quick"], 1e-8)
    assert verdict.outcome is Outcome.HOLDS
    assert verdict.evidence.skipped["unsatisfied"] > 0


def test_a_promise_that_fails_is_told():
    with pytest.raises(BrokenClaim, match=r"what a setting promises fails: nothing here has a \.c;"):
        judge(theorem("misspelled")(in_any_order), PLANS["quick"], 1e-8)


def largest_value_of_a_constant(law: FiniteLaw):
    assume(law.variance == 0)
    return equal(law.high, law.mean)


def largest_value_is_taken(law: FiniteLaw):
    return P(law.sample() >= law.high) > 0


@pytest.mark.parametrize("body", [largest_value_of_a_constant, largest_value_is_taken])
def test_values_of_a_law_have_mass(body):
    assert judge(theorem("a law")(body), PLANS["quick"], 1e-8).outcome is Outcome.HOLDS
