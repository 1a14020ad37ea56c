"""Generic rows cross equality where structured ones stay at it, for every spelling and every larger budget."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from boundcheck import PSD, Matrix, PositiveDefinite, Unit, at_most, integers, opnorm, theorem, trace
from boundcheck.checking.judge import PLANS, Judge, judge
from boundcheck.checking.plan import Plan
from boundcheck.checking.search.ascent import Ascent
from boundcheck.checking.search.crossing import generic, of_orders
from boundcheck.checking.search.population import Shape, widened
from boundcheck.checking.verdict import Outcome
from boundcheck.domains.instances import draw_instances


def claims():
    """Claims that the tests judge, and pytest does not."""

    @theorem("a word in two positive matrices may have a negative trace")
    def word(A: PositiveDefinite(3), B: PositiveDefinite(3)):
        return at_most(0, trace(B @ A @ B @ A @ A @ B))

    @theorem("named sizes")
    def named(A: PSD("n"), B: PSD("n")):
        return at_most(opnorm(A @ B), opnorm(A) * opnorm(B))

    @theorem("declared sizes")
    def declared(n: integers(1, 8), A: PSD("n"), B: PSD("n")):
        return at_most(opnorm(A @ B), opnorm(A) * opnorm(B))

    @theorem("a matrix and a share")
    def graded(X: Matrix(3, 4), p: Unit):
        return at_most(p * opnorm(X), opnorm(X))

    return SimpleNamespace(word=word, named=named, declared=declared, graded=graded)


CLAIMS = claims()


def shape_of(claim):
    raw = widened(claim.parameters, draw_instances(claim.parameters, 1, 0)[0])
    return Shape.of(claim.parameters, raw), raw


@pytest.mark.parametrize("seed", [0, 1])
def test_a_violation_far_from_equality_is_found(seed: int):
    verdict = judge(CLAIMS.word, replace(PLANS["quick"], seed=seed), 1e-8)
    assert verdict.outcome is Outcome.REFUTED


def test_what_is_true_with_equality_holds_and_says_its_sizes():
    verdict = judge(CLAIMS.named, PLANS["quick"], 1e-8)
    assert verdict.outcome is Outcome.HOLDS
    assert "sizes 1 to " in verdict.reason


def test_rows_of_a_matrix_have_scales_of_their_own_and_stay_in_range():
    shape, raw = shape_of(CLAIMS.graded)
    rows = generic(shape, shape.row(raw)[None], 200, np.random.default_rng(0))
    X, p = rows[::2, :12].reshape(-1, 3, 4), rows[:, 12]
    sizes = np.linalg.norm(X, axis=2)
    assert np.median(sizes.max(axis=1) / sizes.min(axis=1)) > 5
    assert np.all((p >= 0) & (p <= 1))
    assert np.min(p) < 1e-3


def test_sizes_declared_or_named_are_searched_alike():
    found = []
    for claim in (CLAIMS.named, CLAIMS.declared):
        some = [widened(claim.parameters, raw) for raw in of_orders(claim.parameters, np.random.default_rng(0))]
        found.append([np.shape(raw["A"]["factor"] if isinstance(raw["A"], dict) else raw["A"]) for raw in some])
    assert found[0] == found[1] == [(n, n) for n in (2, 3, 4) for _ in range(2)]


def test_steps_towards_a_pole_get_as_short_as_they_have_to():
    # log 1 / |x - pi / 4| rises without end, and is convex: no curvature tells how far to go
    climb = Ascent(lambda X, _: (-np.log(np.abs(X[:, 0] - np.pi / 4)), -1 / (X - np.pi / 4)), np.ones((1, 1)))
    with np.errstate(divide="ignore"):
        for _ in range(200):
            climb.round()
    assert np.abs(climb.X[0, 0] - np.pi / 4) < 1e-11


def test_a_member_begins_anew_elsewhere():
    climb = Ascent(lambda X, _: (-np.sum(X * X, axis=1), -2 * X), np.ones((3, 2)))
    climb.dead[:] = True
    assert climb.round() == 0
    climb.restart(np.array([1]), np.array([[2.0, 0.0]]))
    assert climb.dead.tolist() == [True, False, True]
    assert climb.f.tolist() == [-2.0, -4.0, -2.0]
    for _ in range(60):
        climb.round()
    assert climb.f[1] > -1e-8


def test_a_larger_budget_begins_with_the_smaller_ones():
    for name, before in (("quick", []), ("ci", ["quick"]), ("nightly", ["quick", "ci"])):
        plan = replace(PLANS[name], seed=3)
        assert [p.name for p in plan.stages] == [*before, name]
        assert {p.seed for p in plan.stages} == {3}
    own = Plan("quick", 5, 10)
    assert own.stages == (own,)


def test_what_a_smaller_budget_refutes_a_larger_one_refutes_alike():
    quick = Judge(CLAIMS.word, PLANS["quick"], 1e-8).verdict()
    ci = Judge(CLAIMS.word, PLANS["ci"], 1e-8).verdict()
    assert quick.outcome is ci.outcome is Outcome.REFUTED
    assert quick.refutation is not None
    assert ci.refutation is not None
    assert quick.refutation.certificate == ci.refutation.certificate
