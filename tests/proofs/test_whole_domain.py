"""PROVED is for all of a claim's domain; what is shown on a part of it holds, and says on which."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boundcheck import Count, Matrix, Positive, Unit, Vector, assume, at_most, equal, integers, log, trace
from boundcheck.checking.judge import judge
from boundcheck.checking.plan import PLANS
from boundcheck.checking.verdict import Outcome
from boundcheck.running.kept import report_row
from boundcheck.running.suite import Start, with_proof_of
from boundcheck.words.claims import make_claim

# pyright: reportInvalidTypeForm=false

PLAN = replace(PLANS["quick"], instances=8, work=200)


def bernoulli(x: Positive, n: integers(1, 12)):
    return at_most(1 + n * x, (1 + x) ** n)


def squares(k: integers(0, 30)):
    assume(k >= 3)
    return at_most(2 * k, k * k - 3)


def halves(t: Unit):
    return at_most(t * t, t)


def logarithm(x: Positive):
    return at_most(log(1 + x), x)


def cyclic(A: Matrix("n", "m"), B: Matrix("m", "n")):
    return equal(trace(A @ B), trace(B @ A))


def doubled(x: Vector("n")):
    return equal(sum(2 * t for t in x), 2 * np.sum(x))


def sums(n: Count, x: Positive):
    return at_most(n * x, n * x + n)


def ladder(n: Count, x: Positive):
    return at_most(sum((x**2 for _ in range(n)), 0 * x), (n + 1) * x**2)


def shown(body: Any, prove: bool = True, **start: Any) -> Any:
    claim = make_claim(body, f"test.{body.__name__}", "here", "theorem")
    verdict = with_proof_of(claim, judge(claim, PLAN, 1e-6), Start(1e-6, prove=prove, **start))
    return claim, verdict


@pytest.mark.parametrize("body", [bernoulli, squares, halves, sums, cyclic])
def test_what_is_shown_on_all_of_its_domain_is_proved(body):
    claim, verdict = shown(body)
    assert (verdict.outcome, verdict.scope) == (Outcome.PROVED, "domain")
    assert report_row(claim, verdict, None).shown is None


@pytest.mark.parametrize(("body", "words"), [
    (logarithm, "for x in [0.000001, 1000000]"),
    (doubled, "for the shapes"),
    (ladder, "(36 of 10000 choices of whole numbers)"),
])  # fmt: skip
def test_what_is_shown_on_a_part_holds_and_says_on_which(body, words):
    claim, verdict = shown(body)
    row = report_row(claim, verdict, None)
    assert (row.outcome, row.scope) == (Outcome.HOLDS, "population")
    assert row.shown is not None
    assert words in row.shown
    assert verdict.reason.endswith(f"; shown {row.shown}")
    assert type(row).of_json(row.json()) == row


def test_a_run_that_does_not_ask_for_proofs_keeps_those_that_are_there():
    _, proved = shown(halves)
    _, kept = shown(halves, prove=False, proof=proved.proof.certificate)
    assert kept.outcome is Outcome.PROVED
    _, other = shown(logarithm, prove=False, proof=proved.proof.certificate)
    assert other.outcome is Outcome.HOLDS
    assert other.proof is None
