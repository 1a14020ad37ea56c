"""Instances that are left aside: it is said whether they have no value, are too close to call, or tie."""

from typing import Any

import numpy as np
import pytest

from boundcheck import Few, Positive, Real, Vector, equal, less, pi, sin
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import TIED, TOO_CLOSE, Judgement, Outcome
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=25, work=300, trials=2000, sampled_instances=2, confirmation_trials=20_000, level=1e-3)


def verdict(body: Any) -> Judgement:
    return judge(make_claim(body, "test.body", "here", "theorem"), PLAN, 1e-7)


def test_determinants_of_singular_matrices_are_too_close_and_not_undefined():
    def body(x: Vector("n")):
        y = np.append(x, 1)
        return equal(np.linalg.det(np.outer(y, y)), 0)

    judged = verdict(body)
    assert judged.outcome is Outcome.HOLDS
    assert set(judged.evidence.skipped) == {TOO_CLOSE}


def test_a_strict_tie_is_equal_and_not_undefined():
    def body(x: Positive):
        return less(np.sqrt(x) * np.sqrt(x), x)

    assert TIED in verdict(body).evidence.skipped
    assert "undefined" not in verdict(body).evidence.skipped


def test_what_is_no_number_is_undefined():
    def body(x: Real):
        return less(np.log(-(x**2) - 1), 0)

    assert set(verdict(body).evidence.skipped) == {"undefined"}


@pytest.mark.parametrize("value", [lambda n: sin(pi * n), lambda n: np.sin(np.pi * n)], ids=["ours", "of NumPy"])
def test_digits_that_agree_are_told_what_to_write(value):
    def body(n: Few):
        return equal(value(n), 0)

    judged = verdict(body)
    assert judged.outcome is Outcome.INCONCLUSIVE
    assert judged.reason.startswith("the sides are equal as far as can be told, on 3 of 3 instances")
