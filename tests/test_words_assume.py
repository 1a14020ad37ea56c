"""Hypotheses that are statements: decided exactly, recorded in certificates, refused where they would be sampled."""

from typing import Any

import numpy as np
import pytest

from boundcheck import (
    PSD,
    E,
    P,
    Real,
    Symmetric,
    Unit,
    Vector,
    assume,
    at_most,
    both,
    equal,
    integers,
    less,
    loewner,
    quantity,
    trace,
)  # fmt: skip
from boundcheck.checking.certificate import NotTraceable, Runs, followed, refutation
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import BrokenClaim, Skipped, observe
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.settings import FiniteLaw
from boundcheck.tape.program import selecting
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim
from boundcheck.words.hypotheses import AS_PRINTED, Unsatisfied

PLAN = Plan("test", instances=40, work=1200, trials=2000, sampled_instances=2, confirmation_trials=10_000, level=1e-3)


def verdict(body: Any) -> Judgement:
    return judge(make_claim(body, f"test.{body.__name__}", "here", "theorem"), PLAN, 1e-7)


def coins(p: Any, n: int = 3) -> Any:
    return quantity(lambda rng, size: rng.binomial(n, p, size))


def cauchy() -> Any:
    return quantity(lambda rng, size: rng.standard_cauchy(size=size))


def opposite(x: Real, y: Real):  # type: ignore[valid-type]
    assume(equal(x + y, 0))
    return equal(x, -y)


def ordered_entries(x: Vector("n"), y: Vector("n")):  # type: ignore[valid-type]
    assume(at_most(x, y))
    return at_most(np.sum(x), np.sum(y))


def ordered_matrices(A: PSD("n"), B: PSD("n")):  # type: ignore[valid-type]
    assume(loewner(A, B))
    return at_most(trace(A), trace(B))


def psd_by_hypothesis(A: Symmetric("n")):  # type: ignore[valid-type]
    assume(loewner(0, A))
    return at_most(0, trace(A))


def several(x: Real, y: Real, z: Real):  # type: ignore[valid-type]
    assume((at_most(x, y), y <= z))
    assume(both(less(x, 1), at_most(0, z + 100)))
    return at_most(x, z)


def mean_is_positive(law: FiniteLaw):  # type: ignore[valid-type]
    X = law.sample()
    assume(E(X) >= 0)
    return at_most(0, E(X))


def ordered_means(p: Unit, q: Unit):  # type: ignore[valid-type]
    X, Y = coins(p), coins(q)
    assume(E(X) <= E(Y))
    return P(X >= 2) <= P(Y >= 2), at_most(p, q)


def likely(p: Unit):  # type: ignore[valid-type]
    assume(P(coins(p) >= 1) >= 0.5)
    return at_most(0.2, p)


def strictly(x: Real):  # type: ignore[valid-type]
    assume(less(0, x))
    return less(0, 2 * x)


@pytest.mark.parametrize(
    "body", [opposite, ordered_entries, ordered_matrices, psd_by_hypothesis, several, mean_is_positive, ordered_means, likely, strictly]
)
def test_a_true_claim_with_such_a_hypothesis_holds(body):
    result = verdict(body)
    assert result.outcome == Outcome.HOLDS
    assert 0 < result.evidence.satisfied <= result.evidence.instances


def squares(A: PSD("n"), B: PSD("n")):  # type: ignore[valid-type]
    assume(loewner(A, B))
    return loewner(A @ A, B @ B)


def too_much(p: Unit):  # type: ignore[valid-type]
    X = coins(p)
    assume(P(X >= 1) >= 0.5)
    return P(X >= 2) >= 0.2


def wrong_way(p: Unit, q: Unit):  # type: ignore[valid-type]
    X, Y = coins(p), coins(q)
    assume(E(X) < E(Y))
    return P(X <= 1) <= P(Y <= 1)


def never_equal(x: Real, y: Real):  # type: ignore[valid-type]
    assume(at_most(x, y))
    return less(x, y)


@pytest.mark.parametrize(("body", "relation"), [(squares, "psd"), (too_much, "le"), (wrong_way, "lt"), (never_equal, "le")])
def test_a_refutation_records_the_hypothesis(body, relation):
    result = verdict(body)
    assert result.outcome == Outcome.REFUTED
    assert result.refutation is not None
    assert relation in [h["relation"] for h in result.refutation.certificate["hypotheses"]]
    assert verify(result.refutation.certificate).confirmed


def test_the_verifier_sees_the_mean_of_a_hypothesis():
    """At p = 0.1 the hypothesis P(X >= 1) >= 1/2 fails: no program is made; with the instance changed the seal would break."""
    claim = make_claim(too_much, "test.too_much", "here", "theorem")
    with pytest.raises(NotTraceable, match="a hypothesis fails"):
        refutation(claim, {"p": 0.1})
    certificate = refutation(claim, {"p": 0.25})
    assert [law["group"] for law in certificate["laws"]] == [0, 1]
    assert "mean" in [node["op"] for node in certificate["program"]]


def test_the_body_ends_at_a_failed_hypothesis():
    def body(x: Real):  # type: ignore[valid-type]
        assume(less(x, 0))
        raise AssertionError("the body went on")

    claim = make_claim(body, "test.body", "here", "theorem")
    seen = observe(claim, {"x": 1.0})
    assert isinstance(seen, Skipped)
    assert seen.reason == "unsatisfied"
    with pytest.raises(BrokenClaim, match="the body went on"):
        observe(claim, {"x": -1.0})


UNSATISFIED = {
    "NaN": lambda: equal(np.nan, np.nan),
    "NaN below": lambda: at_most(np.nan, 1),
    "a NaN entry": lambda: at_most(np.array([0, np.nan]), 1),
    "NaN in a matrix": lambda: loewner(np.eye(2), np.full((2, 2), np.nan)),
    "strict equality": lambda: less(1, 1),
    "a complex part": lambda: equal(1 + 1j, 1),
    "a mean": lambda: E(coins(0.5)) >= 2,
    "a strict mean": lambda: E(coins(0.5, 2)) < 1,
    "a probability": lambda: P(coins(0.5) >= 1) < 0.5,
    "no probability": lambda: P(coins(0.5) >= 1) >= 1.5,
    "two probabilities": lambda: P(coins(0.5) >= 1) <= P(coins(0.5) >= 2),
    "one of several": lambda: (at_most(1, 2), at_most(2, 1)),
    "one of both": lambda: both(at_most(1, 2), at_most(2, 1)),
    "no such law": lambda: E(quantity(lambda rng, size: rng.choice(2, size, p=[-1.0, 2.0]))) >= 0,
    "False": lambda: False,
    "an entry": lambda: np.array([1, 2]) < 2,
}


@pytest.mark.parametrize("name", UNSATISFIED)
def test_what_fails_or_is_no_number_is_not_satisfied(name):
    with pytest.raises(Unsatisfied):
        assume(UNSATISFIED[name]())


SATISFIED = {
    "equal": lambda: equal(1 + 1j, 1 + 1j),
    "no entries": lambda: at_most(np.ones(0), np.zeros(0)),
    "a mean": lambda: E(coins(0.5, 2)) <= 1,
    "two means": lambda: E(coins(0.25)) < E(coins(0.5)),
    "a probability": lambda: P(coins(0.5, 1) >= 1) == 0.5,
    "its complement": lambda: 1 - P(coins(0.5) >= 1) <= 0.2,
    "nothing": lambda: (),
}


@pytest.mark.parametrize("name", SATISFIED)
def test_what_holds_is_satisfied(name):
    assume(SATISFIED[name]())


REFUSED = {
    "nothing": (lambda: None, "assume takes a comparison"),
    "a text": (lambda: "x > 0", "given a str"),
    "a number": (lambda: 0.5, "given a float"),
    "an array": (lambda: np.ones(2), "given a ndarray"),
    "an event": (lambda: coins(0.5) >= 1, "given a Event"),
    "a quantity": (lambda: coins(0.5), "given a Quantity"),
    "a mean": (lambda: E(coins(0.5)), "given a Mean"),
    "a probability": (lambda: P(coins(0.5) >= 1), "given a Probability"),
    "a sampled mean": (lambda: E(cauchy()) >= 0, "would have to be sampled"),
    "a sampled probability": (lambda: P(cauchy() >= 0) >= 0.1, "would have to be sampled"),
    "an order of complex numbers": (lambda: at_most(1j, 2), "no order"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_hypothesis_gets_a_sentence(name):
    condition, sentence = REFUSED[name]
    with pytest.raises(TypeError, match=sentence):
        assume(condition())


@pytest.mark.parametrize("conditions", [(), (True, True), (True, "x is positive")])
def test_conditions_are_one(conditions):
    with pytest.raises(TypeError, match=r"one condition, .* write assume\(\(a <= b, b <= c\)\)"):
        assume(*conditions)


def test_the_sentence_reaches_the_reader():
    def body(x: Real):  # type: ignore[valid-type]
        assume(E(cauchy()) >= x)
        return at_most(0, 1)

    with pytest.raises(BrokenClaim, match="draw from finite laws"):
        observe(make_claim(body, "test.body", "here", "theorem"), {"x": 0.0})


def thirds_that_differ(x: Unit):  # type: ignore[valid-type]
    assume(abs((x + 1 / 3) - x - 1 / 3) > 0)
    return at_most(x, 2)


def test_what_only_floats_assume_has_no_sides():
    from boundcheck.checking.sides import sides
    from boundcheck.words.hypotheses import AS_PRINTED

    claim = make_claim(thirds_that_differ, "test.thirds", "here", "theorem")
    assert not isinstance(observe(claim, {"x": 0.9}), str)
    assert sides(Runs(claim, AS_PRINTED), {"x": 0.9}, 0) is None
    assert verdict(thirds_that_differ).outcome in (Outcome.VACUOUS, Outcome.INCONCLUSIVE)


def test_hypotheses_that_are_joined_are_several_also_where_programs_choose_by_numbers():
    def body(x: Unit, y: Unit, z: Unit):  # type: ignore[valid-type]
        assume((x <= y) & (y <= z) & (z >= 0.1))
        return at_most(x, z)

    joined = make_claim(body, "test.body", "here", "theorem")
    with selecting():
        tape, _ = followed(joined, {"x": 0.1, "y": 0.2, "z": 0.3}, AS_PRINTED, lambda *_: None)
    assert [h["relation"] for h in tape.hypotheses[-3:]] == ["le", "le", "le"]


def three_tenths(n: integers(1, 5)):
    assume(n * 0.1 <= 0.3)
    return at_most(n, 2)


def two_sums(x: Vector(2)):
    assume(np.array([0.1 + 0.2, 0.1]) <= np.array([0.3, 0.2]))
    return at_most(x[0], 1)


def three_tenths_at_most(n: integers(1, 5)):
    assume(n * 0.1 <= 0.3)
    return at_most(n, 3)


def less_than_three_tenths(n: integers(1, 5)):
    assume(n * 0.1 < 0.3)
    return at_most(n, 2)


@pytest.mark.parametrize("body", [three_tenths, two_sums])
def test_decimals_are_in_order_although_floats_deny_it(body: Any):
    assert verdict(body).outcome is Outcome.REFUTED


def test_decimals_are_in_order_however_many_instances_were_out_of_it_before():
    def body(n: integers(1, 100)):
        assume(n * 0.1 <= 0.3)
        return at_most(n, 3)

    claim = make_claim(body, "test.body", "here", "theorem")
    assert all(isinstance(observe(claim, {"n": n}), Skipped) for n in range(4, 40))
    assert not isinstance(observe(claim, {"n": 3}), Skipped)


@pytest.mark.parametrize(("body", "counted"), [(three_tenths_at_most, 3), (less_than_three_tenths, 2)])
def test_decimals_beside_the_end_of_an_order_count_as_what_they_are(body: Any, counted: int):
    found = verdict(body)
    assert (found.outcome, found.evidence.satisfied) == (Outcome.HOLDS, counted)
