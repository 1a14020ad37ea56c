"""Bodies that take long: sizes that end in time are judged, and what is left out is said."""

import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock

from boundcheck import Count, Positive, Unit, assume, at_most, equal, integers
from boundcheck.checking import pace
from boundcheck.checking.certificate import NotTraceable, Runs
from boundcheck.checking.judge import judge
from boundcheck.checking.pace import TooLong, pacing, stated_at
from boundcheck.checking.plan import Plan
from boundcheck.checking.verdict import Outcome
from boundcheck.words.claims import Claim, make_claim
from boundcheck.words.hypotheses import AS_PRINTED, asking

PLAN = Plan("test", instances=12, work=300, trials=2000, sampled_instances=2, confirmation_trials=20_000, level=1e-3)


def claim(body: Any) -> Claim:
    return make_claim(body, "test.body", "here", "theorem")


def double_loop(n: Count):  # type: ignore[valid-type]
    total = 0
    for i in range(n):
        for j in range(n):
            total = total + i * j
    return at_most(total, n**4 / 4)


def test_a_loop_over_pairs_is_judged_at_sizes_that_end_in_time():
    began = time.process_time()
    judged = judge(claim(double_loop), PLAN, 1e-7)
    assert time.process_time() - began < 30
    assert judged.outcome is Outcome.HOLDS
    assert judged.reason.endswith("; larger ones take too long to run")
    assert "; n to " in judged.reason


def test_what_is_refuted_says_nothing_of_sizes():
    def body(n: Count):  # type: ignore[valid-type]
        return at_most(sum(1 for i in range(n) for j in range(n)), n)

    judged = judge(claim(body), PLAN, 1e-7)
    assert judged.outcome is Outcome.REFUTED
    assert "too long" not in judged.reason


def test_large_arrays_are_reached_by_small_steps(monkeypatch):
    """One call of a library cannot be ended: it is not made where half the size takes a good part of the time."""
    monkeypatch.setattr(pace, "LONGEST", 0.05)
    sizes = []

    def body(n: Count):  # type: ignore[valid-type]
        sizes.append(n)
        A = np.eye(n)
        return equal(np.trace(A @ A), n)

    with pacing(claim(body), PLAN) as paced:
        with pytest.raises(TooLong, match=r"n to [0-9]+; larger ones take too long"):
            stated_at(paced.claim, {"n": 10_000})
    *_, before, last = sizes
    assert before == last == paced.most < 10_000, "what takes long is tried twice"
    assert sizes[:-1] == [2**k for k in range(1, len(sizes))]


def test_what_takes_long_at_some_numbers_is_left_out_there(monkeypatch):
    monkeypatch.setattr(pace, "LONGEST", 0.05)

    def body(x: Positive):  # type: ignore[valid-type]
        while x > 1:
            x = x - 1e-3
        return at_most(x, 1)

    with pacing(claim(body), PLAN) as paced:
        stated_at(paced.claim, {"x": 2.0})
        with pytest.raises(TooLong):
            stated_at(paced.claim, {"x": 1e9})
        stated_at(paced.claim, {"x": 3.0})
    assert paced.sentence == "instances that take too long to run are left out"


def test_what_smaller_runs_assume_is_not_counted():
    """Each instance is looked at twice, and what is seen is the same."""
    def body(m: integers(2, 300), n: integers(2, 300)):  # type: ignore[valid-type]
        assume(m < n)
        return at_most(m + 1, n)

    assert judge(claim(body), PLAN, 1e-7).outcome is Outcome.HOLDS
    with pacing(claim(body), PLAN) as paced, asking(AS_PRINTED) as words:
        stated_at(paced.claim, {"m": 100, "n": 300})
    assert words.assumptions == 1


def test_what_is_compiled_once_is_no_long_run(monkeypatch):
    monkeypatch.setattr(pace, "LONGEST", 0.05)
    calls = []

    def body(n: integers(1, 1000)):  # type: ignore[valid-type]
        calls.append(n)
        if len(calls) == 1:
            with global_compiler_lock:
                end = time.thread_time() + 0.2
                while time.thread_time() < end:
                    pass
        return at_most(0, n)

    with pacing(claim(body), PLAN) as paced:
        stated_at(paced.claim, {"n": 1000})
    assert calls[:2] == [2, 2]
    assert calls[-1] == 1000
    assert not paced.sentence


def test_the_runs_of_one_claim_have_an_end_together(monkeypatch):
    monkeypatch.setattr(pace, "SECONDS", 1e-3)
    monkeypatch.setattr(pace, "GIVEN", 0.0)

    def body(x: Positive):  # type: ignore[valid-type]
        end = time.thread_time() + 0.1
        while time.thread_time() < end:
            pass
        return at_most(0, x)

    with pacing(claim(body), PLAN) as paced:
        for _ in range(20):
            with suppress(TooLong):
                stated_at(paced.claim, {"x": 1.0})
    assert paced.sentence == "the search ended early, for the body takes too long to run"


def test_recordings_have_an_end_together_and_short_ones_always_go(monkeypatch):
    monkeypatch.setattr(pace, "NODES", 10)
    monkeypatch.setattr(pace, "SHORT", 300)

    def body(n: integers(1, 500), x: Unit):  # type: ignore[valid-type]
        return at_most(sum([x / k for k in range(1, n + 1)]), n)

    with pacing(claim(body), PLAN) as paced:
        assert recorded(paced.claim, 400)
        for _ in range(10):
            recorded(paced.claim, 400)
        assert paced.nodes <= 0
        assert not recorded(paced.claim, 400)
        assert recorded(paced.claim, 50)
    assert recorded(paced.claim, 400)


def recorded(of: Claim, n: int) -> bool:
    return not isinstance(Runs(of, AS_PRINTED)._run({"n": n, "x": 0.5}), NotTraceable)


def test_bodies_that_end_soon_are_told_from_no_others():
    def body(n: Count):  # type: ignore[valid-type]
        return at_most(n, n * n)

    assert "too long" not in judge(claim(body), PLAN, 1e-7).reason
