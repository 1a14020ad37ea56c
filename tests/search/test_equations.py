"""Hypotheses that are equations: instances are moved onto them exactly, and few that satisfy them are no evidence."""

from typing import Any

import numpy as np
import pytest

from boundcheck import (
    Count,
    Matrix,
    Positive,
    Real,
    Signs,
    Symmetric,
    Unit,
    Vector,
    assume,
    at_most,
    equal,
    identity,
    integers,
)  # fmt: skip
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import Skipped, observe
from boundcheck.checking.search.equations import hypotheses_of
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.domains.instances import draw_instances
from boundcheck.verifier import verify
from boundcheck.words.claims import Claim, make_claim

PLAN = Plan("test", instances=24, work=900, trials=2000, sampled_instances=2, confirmation_trials=10_000, level=1e-3)


def claim_of(body: Any) -> Claim:
    return make_claim(body, f"test.{body.__name__}", "here", "theorem")


def verdict(body: Any) -> Judgement:
    return judge(claim_of(body), PLAN, 1e-7)


def reciprocal(x: Positive, y: Positive):
    assume(x * y == 1)
    return at_most(x + y, 2)


def shares(p: Unit, q: Unit, r: Unit):
    assume(p + q + r == 1)
    return at_most(p * q + q * r + r * p, 0.3)


def orthogonal(a: Vector("n"), b: Vector("n")):
    assume(a @ b == 0)
    return at_most(np.sum((a + b) ** 2), 1.1 * np.sum(a**2))


def circle(x: Real, y: Real):
    assume(x**2 + y**2 == 1)
    return at_most(x + y, 1.3)


def twice(n: Count, m: Count):
    assume(n == 2 * m)
    return at_most(n, 600)


def tenths(i: integers(1, 40)):
    assume(i * 0.1 == 0.3)
    return at_most(i, 2)


def rows(A: Matrix("n", 3)):
    assume(np.all(A.sum(axis=1) == 1))
    return at_most(1, np.max(A))


def inverses(A: Matrix(2, 2), B: Matrix(2, 2)):
    assume(equal(A @ B, identity(2)))
    return at_most(np.sum(A**2), np.sum(B**2))


def balanced(s: Signs("n")):
    assume(np.sum(s) == 0)
    return at_most(len(s), 2)


def mixed(x: Positive, n: integers(1, 9), p: Unit):
    assume((n * p == x, x <= 2))
    return at_most(p, 0.4)


def traceless(A: Symmetric("n")):
    assume(equal(np.trace(A), 0))
    return at_most(np.max(np.diagonal(A)), 0)


@pytest.mark.parametrize("body", [reciprocal, shares, orthogonal, circle, twice, tenths, rows, inverses, balanced, mixed, traceless])
def test_what_is_false_on_an_equation_is_refuted(body):
    result = verdict(body)
    assert result.outcome is Outcome.REFUTED
    assert result.refutation is not None
    assert verify(result.refutation.certificate).confirmed


def mean_inequality(x: Positive, y: Positive):
    assume(x * y == 1)
    return at_most(2, x + y)


def rotation(c: Real, s: Real, x: Vector(2)):
    assume(c * c + s * s == 1)
    return equal(np.sum((np.array([[c, -s], [s, c]]) @ x) ** 2), np.sum(x**2))


def centred(x: Vector("n")):
    assume(np.sum(x) == 0)
    return at_most(np.max(x) ** 2, (1 - 1 / len(x)) * np.sum(x**2))


@pytest.mark.parametrize("body", [mean_inequality, rotation, centred])
def test_what_is_true_on_an_equation_holds_on_many_instances(body):
    result = verdict(body)
    assert result.outcome is Outcome.HOLDS
    assert result.evidence.satisfied > 10


def test_moved_instances_satisfy_the_hypotheses_exactly():
    claim = claim_of(shares)
    drawn = [x for x in draw_instances(claim.parameters, 20, 0) if isinstance(observe(claim, x), Skipped)]
    moved = hypotheses_of(claim).moved(drawn, np.random.default_rng(0))
    assert len(moved) > 10
    assert all(hypotheses_of(claim).exactly(raw) and not isinstance(observe(claim, raw), Skipped) for raw in moved.values())


def test_an_equation_that_floats_deny_is_decided_exactly():
    claim = claim_of(tenths)
    assert not isinstance(observe(claim, {"i": 3}), Skipped)
    assert isinstance(observe(claim, {"i": 4}), Skipped)


def cubes(x: Unit, y: Unit):
    assume(x**3 + y**3 == 1)
    return at_most(x + y, 2)


def pinned(x: Real):
    assume(x**2 == 2 * x)
    return at_most(x, 2)


def ordered(x: Real, y: Real):
    assume((x > y, x + 2 > y))
    return at_most(y, x)


def test_a_handful_is_no_evidence_where_more_numbers_move():
    """Of x^3 + y^3 = 1 only the corners are rational; x^2 = 2 x leaves nothing that moves."""
    result = verdict(cubes)
    assert result.outcome is not Outcome.HOLDS
    assert verdict(pinned).outcome is Outcome.HOLDS


def test_claims_without_equations_are_left_alone():
    claim = claim_of(ordered)
    drawn = [x for x in draw_instances(claim.parameters, 20, 0) if isinstance(observe(claim, x), Skipped)]
    assert drawn
    assert not hypotheses_of(claim).moved(drawn, np.random.default_rng(0))
    assert not hypotheses_of(claim).some
    assert hypotheses_of(claim).without


def nearly_reciprocal(x: Positive, y: Positive):
    assume(abs(x * y - 1) <= 1e-9)
    return at_most(x + y, 2)


def nearly_of_norm_one(x: Vector("n")):
    assume(np.abs(np.linalg.norm(x) - 1) <= 1e-6)
    return at_most(np.sum(np.abs(x)), 1.5)


def nearly_shares(w: Vector("n")):
    assume(np.all(w >= 0))
    assume((np.sum(w) >= 1) & (np.sum(w) <= 1.001))
    return at_most(np.max(w), 0.9)


def shell(x: Real, y: Real):
    assume(x**2 + y**2 < 1.0001)
    assume(x**2 + y**2 > 1)
    return at_most(x + y, 1.4)


def nearly_stochastic(A: Matrix("n", "n")):
    assume(np.all(np.abs(np.sum(A, axis=1) - 1) <= 1e-9))
    assume(np.all(A >= 0))
    return at_most(np.max(A), 0.9)


NARROW = [nearly_reciprocal, nearly_of_norm_one, nearly_shares, shell, nearly_stochastic]


@pytest.mark.parametrize("body", NARROW, ids=lambda body: body.__name__)
def test_instances_are_moved_into_narrow_hypotheses(body: Any):
    found = verdict(body)
    assert found.outcome is Outcome.REFUTED
    assert found.refutation is not None
    assert verify(found.refutation.certificate).confirmed


def nearly_reciprocal_truly(x: Positive, y: Positive):
    assume(abs(x * y - 1) <= 1e-9)
    return at_most(1.9999, x + y)


def nearly_of_norm_one_truly(x: Vector("n")):
    assume(np.abs(np.linalg.norm(x) - 1) <= 1e-6)
    return at_most(np.max(np.abs(x)), 1 + 1e-6)


@pytest.mark.parametrize("body", [nearly_reciprocal_truly, nearly_of_norm_one_truly], ids=lambda body: body.__name__)
def test_what_is_true_under_narrow_hypotheses_holds_on_most_instances(body: Any):
    found = verdict(body)
    assert found.outcome is Outcome.HOLDS
    assert found.evidence.satisfied > PLAN.instances / 2


def never(x: Real, y: Real):
    assume(x * x + y * y < 2 * x * y)
    return at_most(x, 1)


def test_what_no_instance_satisfies_stays_vacuous():
    assert verdict(never).outcome is Outcome.VACUOUS


def wide(x: Real, y: Real):
    assume(x > 2)
    assume(y > 0)
    return at_most(0, x + y)


def test_hypotheses_that_some_instances_satisfy_with_room_to_spare_move_none():
    claim = claim_of(wide)
    found = judge(claim, PLAN, 1e-7)
    assert 0 < found.evidence.satisfied <= PLAN.instances / 4
    assert not hypotheses_of(claim).narrow
