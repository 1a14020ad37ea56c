"""What perturbed twins and sharpened constants show, and how evidence makes a verdict."""

import json
from dataclasses import replace
from functools import reduce
from math import log
from operator import add
from typing import Any

import numpy as np
import pytest

from boundcheck import (
    PSD,
    E,
    Matrix,
    P,
    Positive,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    integers,
    loewner,
    marked,
    quantity,
    trace,
)  # fmt: skip
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import observe
from boundcheck.checking.sharpen import NoSuchConstant, bisected
from boundcheck.checking.twins import MOST_ATTEMPTS, MOST_UNWRITTEN, Power
from boundcheck.checking.verdict import Evidence, Judgement, Outcome, Refutation, weigh
from boundcheck.domains.instances import draw_instances
from boundcheck.report.document import Row
from boundcheck.running.kept import report_row
from boundcheck.words.claims import make_claim
from boundcheck.words.hypotheses import Question

PLAN = Plan("test", instances=25, work=400)
ALPHA = 1e-7


def claim(body: Any) -> Any:
    return make_claim(body, f"test.{body.__name__}", "here", "theorem")


def verdict(body: Any) -> Judgement:
    return judge(claim(body), PLAN, ALPHA)


def sharp(x: Positive, y: Positive):
    assume(x + y <= 4)
    return at_most(x * y, marked(1.0, "C") * ((x + y) / 2) ** 2)


def loose(x: Unit):
    return at_most(x, 100)


def test_twins_show_the_power_of_the_evidence():
    power = {twin.label: twin.refuted for twin in verdict(sharp).power}
    assert power == {
        "right-hand side x 0.9": True, "right-hand side x 0.5": True, "right-hand side x 0.1": True,
        "hypothesis 1 dropped": False, "C x 0.9": True,
    }  # fmt: skip
    assert not any(twin.refuted for twin in verdict(loose).power)


def test_a_marked_constant_is_bracketed():
    result = bisected(claim(sharp), PLAN, ALPHA, steps=3)
    assert result.constant == "C"
    assert result.refuted is not None
    assert result.not_refuted is not None
    assert 0.8 < result.refuted < 1.0 <= result.not_refuted < 1.2
    with pytest.raises(NoSuchConstant, match="has no constant 'D'; it has C"):
        bisected(claim(sharp), PLAN, ALPHA, "D")


def divided(x: Positive, y: Positive):
    assume(x + y <= 4)
    return at_most(marked(1.0, "C") * x * y, ((x + y) / 2) ** 2)


def sampled(delta: between(0.1, 0.5), s: between(0.5, 2)):
    mean = quantity(lambda rng, size: rng.normal(0, s, size))
    return P(mean <= s * np.sqrt(4 * np.log(1 / delta) / marked(1.0, "C"))) >= 1 - delta


@pytest.mark.parametrize(("body", "least", "most"), [(divided, 0.9, 1.1), (sampled, 3, 9)], ids=["exact", "sampled"])
def test_a_constant_that_says_more_when_it_is_larger_is_bracketed_from_above(body, least, most):
    result = bisected(claim(body), PLAN, ALPHA, steps=3)
    assert result.refuted is not None
    assert result.not_refuted is not None
    assert least < result.not_refuted < result.refuted < most
    assert f"refuted from {result.refuted:.6g} on, by a certificate; not refuted up to {result.not_refuted:.6g}." in repr(result)


def test_a_constant_that_is_not_positive_is_refused():
    def below(x: Unit):
        return at_most(marked(-1.0, "C"), x)

    with pytest.raises(NoSuchConstant, match="mark a positive factor"):
        bisected(claim(below), PLAN, ALPHA)


REFUTATION = Refutation({}, "sentence", 1.0)


@pytest.mark.parametrize(("evidence", "refutation", "outcome"), [
    (Evidence(instances=9, satisfied=9, undecided=("open",)), REFUTATION, Outcome.REFUTED),
    (Evidence(instances=9, satisfied=9, vacuous=9, undecided=("open",)), None, Outcome.INCONCLUSIVE),
    (Evidence(instances=9, satisfied=9, vacuous=9), None, Outcome.VACUOUS),
    (Evidence(instances=9, satisfied=9, vacuous=8), None, Outcome.HOLDS),
    (Evidence(instances=9, skipped={"unsatisfied": 9}), None, Outcome.VACUOUS),
    (Evidence(instances=9, skipped={"unsatisfied": 8, "undefined": 1}), None, Outcome.INCONCLUSIVE),
    (Evidence(instances=9, skipped={"out of reach": 1, "unsatisfied": 8}), None, Outcome.VACUOUS),
])  # fmt: skip
def test_refuted_dominates_then_open_then_vacuous(evidence, refutation, outcome):
    assert weigh(evidence, refutation, 1e-3)[0] is outcome


FAR, NEAR = log(0.009), log(0.011)


@pytest.mark.parametrize(("tightest", "killed", "twins", "outcome"), [
    (FAR, (), True, Outcome.VACUOUS),
    (float("-inf"), (), True, Outcome.VACUOUS),
    (FAR, ("a twin",), True, Outcome.HOLDS),
    (NEAR, (), True, Outcome.HOLDS),
    (FAR, (), False, Outcome.HOLDS),
])  # fmt: skip
def test_evidence_that_could_not_have_failed_is_not_called_holds(tightest, killed, twins, outcome):
    evidence = Evidence(instances=9, satisfied=9, exact=9, tightest=tightest, killed=killed)
    assert weigh(evidence, None, 1e-3, twins)[0] is outcome


def test_evidence_adds_up_in_any_order():
    a = Evidence(instances=1, skipped={"x": 1}, undecided=("b",), killed=("q", "p"))
    b = Evidence(satisfied=2, tightest=-1.0, skipped={"x": 1}, undecided=("a",), killed=("p",))
    assert a + b == b + a
    assert (a + b).skipped == {"x": 2}
    assert (a + b).killed == ("p", "q")


def test_a_merge_does_not_hide_that_few_instances_counted():
    few = Evidence(instances=10, satisfied=2, exact=2, skipped={"unsatisfied": 7, "undefined": 1}, tightest=0.0)
    reason = weigh(reduce(add, [few] * 6), None, 1e-3, twins=True)[2]
    assert reason == "on 12 of 60 instances (12 exactly) and 0 more in the search; left aside: 6 undefined, 42 unsatisfied"
    assert weigh(few + Evidence(instances=9, satisfied=9, exact=9), None, 1e-3)[2].startswith("on 11 instances (11 exactly)")
    assert weigh(replace(few, vacuous=2), None, 1e-3)[2].endswith("that satisfy the hypotheses, of 10")
    assert "; trivial on 8 of these" in weigh(Evidence(instances=9, satisfied=9, vacuous=8), None, 1e-3)[2]


def test_a_flipped_normalisation_is_refuted_where_it_matters():
    def mean_of_ones(n: integers(1, 9), c: Positive):
        return at_most(c * n, n * c)

    power = {twin.label: twin.refuted for twin in verdict(mean_of_ones).power}
    assert power["right-hand side / sqrt(n)"]


def coin(rng: Any, size: int) -> Any:
    return rng.integers(0, 2, size)


def below(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    return P(c * quantity(coin) <= c) >= 1 - delta / 2


def below_on_the_left(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    return P(c >= c * quantity(coin)) >= 1 - delta / 2


def seldom_above(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    return P(c * quantity(coin) >= 1.05 * c) <= delta / 2


def not_above(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    return P(~(c * quantity(coin) > c)) >= 1 - delta / 2


def between_two(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    q = c * quantity(coin)
    return P((q <= c) & (q >= -c)) >= 1 - delta / 2


def above_a_negative_number(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    return P(-c * quantity(coin) >= -c) >= 1 - delta / 2


@pytest.mark.parametrize("body", [below, below_on_the_left, seldom_above, not_above, between_two, above_a_negative_number])
def test_a_constant_inside_an_event_has_a_twin(body):
    found = verdict(body)
    power = {twin.label: twin.refuted for twin in found.power}
    assert found.outcome is Outcome.HOLDS
    assert power["threshold of the event x 0.9"]
    assert power["threshold of the event x 0.5"]
    assert not power["right-hand side x 0.9"]


def far_below(c: between(1, 9), delta: Unit):  # type: ignore[valid-type]
    return P(c * quantity(coin) <= 9 * c) >= 1 - delta / 2


def binomial_formula(x: Positive, y: Positive):
    return equal((x + y) ** 2 - x**2 - 2 * x * y - y**2, 0)


def zero_on_the_left(x: Positive, y: Positive):
    return equal(0, x * y - y * x)


def cyclic(A: Matrix("n", "n"), B: Matrix("n", "n")):  # type: ignore[valid-type]
    return equal(trace(A @ B) - trace(B @ A), 0)


def residuals(x: Vector("n")):  # type: ignore[valid-type]
    return equal(np.sum(x - x.mean()), 0)


def unbiased(p: Unit):
    return equal(E(quantity(lambda rng, size: rng.binomial(3, p, size)) - 3 * p), 0)


def entries(A: Matrix("n", "n")):  # type: ignore[valid-type]
    return equal((A + A.T) - (A + A.T).T, np.zeros(A.shape))


def square(x: Positive, y: Positive):
    return at_most(0, (x - y) ** 2)


def difference(x: Unit):
    return at_most(x * (1 - x) - 0.25, 0)


def psd(A: Matrix("n", "n")):  # type: ignore[valid-type]
    return loewner(np.zeros(A.shape), A @ A.T)


@pytest.mark.parametrize("body", [binomial_formula, zero_on_the_left, cyclic, residuals, unbiased, entries, square, difference, psd])
def test_what_is_compared_with_0_has_a_twin_that_is_false(body):
    found = verdict(body)
    assert found.outcome is Outcome.HOLDS
    assert {twin.label: twin.refuted for twin in found.power}["right-hand side less 0.1 of the terms"]
    assert "right-hand side x 0.9" not in {twin.label for twin in found.power}


def positive(x: Unit):
    return at_most(0, x**2 + 1)


def sum_of_squares(x: Vector("n")):  # type: ignore[valid-type]
    return at_most(-np.sum(x * x), 1)


def a_thousand(x: Unit):
    return at_most(x, 1000 + x)


def nothing_at_all(x: Unit):
    return at_most(0 * x, 100 * (0 * x))


def far_apart(K: PSD("n")):  # type: ignore[valid-type]
    return loewner(K, 1000 * K)


NEVER = "the left side, or the failure probability, is never above 0"
FAR_AWAY = {
    positive: NEVER, sum_of_squares: NEVER, far_below: NEVER, a_thousand: "the largest left side is 0.001 of",
    far_apart: "the largest left side is 0.001 of", nothing_at_all: "both sides are 0",
}  # fmt: skip


@pytest.mark.parametrize("body", FAR_AWAY, ids=lambda body: body.__name__)
def test_what_nothing_comes_near_is_vacuous_and_the_reason_says_by_how_much(body):
    found = verdict(body)
    assert (found.outcome, found.scope) == (Outcome.VACUOUS, "population")
    assert found.reason.startswith(f"nothing looked at comes near the bound: {FAR_AWAY[body]}"), found.reason
    assert "no perturbed twin is refuted; on " in found.reason
    assert not any(twin.refuted for twin in found.power)


def test_each_part_is_perturbed_by_itself():
    def met_and_far(x: Unit, y: Unit):
        assume(x <= y)
        return at_most(x, y), at_most(x, 100 * y + 1), equal(x - x, 0)

    power = {twin.label: twin.refuted for twin in verdict(met_and_far).power}
    assert all(power[f"part 1: right-hand side x {f}"] for f in (0.9, 0.5, 0.1))
    assert not any(power[f"part 2: right-hand side x {f}"] for f in (0.9, 0.5, 0.1))
    assert power["part 3: right-hand side less 0.1 of the terms"]


def third_entry(x: Vector("n")):  # type: ignore[valid-type]
    assume(len(x) >= 3)
    return at_most(x[2], x[2] + abs(x[0]) / 10)


def chosen_by_name(k: integers(0, 5), x: Unit):  # type: ignore[valid-type]
    assume(k <= 1)
    return at_most({0: x, 1: x / 2}[k], x)


def found_in_a_list(k: integers(0, 5), x: Unit):  # type: ignore[valid-type]
    assume(k >= 4)
    return at_most([4, 5].index(k) * x, x)


def of_one_shape(A: Matrix("m", "n"), x: Unit):  # type: ignore[valid-type]
    assume(A.shape[0] == A.shape[1])
    return at_most(x, x + trace(A @ A + A @ A) ** 2)


def factored(x: between(-3, 3)):  # type: ignore[valid-type]
    assume(x > 0)
    return at_most(np.sum(np.linalg.cholesky(x * np.eye(2))), 2.0 * (1 + x))


@pytest.mark.parametrize("body", [third_entry, chosen_by_name, found_in_a_list, of_one_shape, factored])
def test_a_hypothesis_without_which_the_body_breaks_can_be_dropped(body):
    found = verdict(body)
    assert found.outcome is Outcome.HOLDS
    assert "hypothesis 1 dropped" in {twin.label for twin in found.power}


def half(x: Unit):
    return at_most(x / 2, x)


def half_of_some(x: Unit):
    return at_most(np.stack([x - x, x / 2]), np.stack([x - x, x]))


def half_where_there_is_something(x: Unit, k: integers(0, 3)):  # type: ignore[valid-type]
    return at_most(k * x / 2, k * x)


def half_and_rounding(x: between(1, 2), y: between(1, 2)):  # type: ignore[valid-type]
    return both_of(abs((x + y) - y - x), x / 2, x)


def both_of(rounding: Any, left: Any, right: Any) -> Any:
    return at_most(rounding, 2 * rounding), at_most(left, right)


def half_in_the_order(K: PSD("n")):  # type: ignore[valid-type]
    return loewner(K, 2 * K)


def twice_as_negative(x: Unit):
    return at_most(-2 * x, -x)


@pytest.mark.parametrize("body", [
    half, half_of_some, half_where_there_is_something, half_and_rounding, half_in_the_order, twice_as_negative,
])  # fmt: skip
def test_tightness_is_the_ratio_of_sides_that_are_away_from_0(body):
    found = verdict(body)
    assert found.tightness == pytest.approx(0.5)
    assert found.outcome is Outcome.HOLDS


def test_a_negative_bound_has_a_twin_that_asks_for_more():
    def negative(x: Unit):
        return at_most(-1 - x, -1)

    power = {twin.label: twin.refuted for twin in verdict(negative).power}
    assert power == {f"right-hand side x {f}": True for f in (0.9, 0.5, 0.1)}


def test_twins_that_an_earlier_run_refuted_stay_refuted_and_are_read_back():
    first = verdict(sharp)
    kept = Row.of_json(json.loads(json.dumps(report_row(claim(sharp), first, None).json()))).evidence
    assert kept == first.evidence
    later = judge(claim(loose), replace(PLAN, seed=1), ALPHA, before=replace(kept, killed=("right-hand side x 0.9",)))
    assert {twin.label: twin.refuted for twin in later.power}["right-hand side x 0.9"]
    assert later.outcome is Outcome.HOLDS


def test_a_twin_that_asks_for_more_than_a_refuted_one_is_refuted_too():
    """A smaller factor on the same part or on all; not of an order of matrices, and not of an identity."""

    def trying(body: Any, raw: Any) -> Power:
        return Power(claim(body), [raw], None, 0)  # type: ignore[arg-type]

    raw, known = draw_instances(claim(unsharp).parameters, 1, 0)[0], Question("", bound=0.9, part=0)
    power = trying(unsharp, raw)
    implied = [Question("", bound=0.5, part=0), Question("", bound=0.9), Question("", bound=0.5, event=0.9)]
    others = [Question("", bound=0.95), Question("", bound=0.5, part=1), Question("", bound=0.5, slack=0.9)]
    others += [Question("", event=0.5), None]  # type: ignore[list-item]
    assert [power._is_implied(q, raw, known) for q in implied] == [True] * 3
    assert [power._is_implied(q, raw, known) for q in others] == [False] * 5

    def identity(x: Positive):
        return equal(x, 1 * x)

    raw = {"x": 1.0}
    assert not trying(identity, raw)._is_implied(Question("", bound=0.5), raw, Question("", bound=0.9))


def unsharp(x: Positive, y: Positive, p: Unit):
    heads: Any = quantity(lambda rng, size: rng.binomial(3, p, size))
    return at_most(x * y, (x * x + y * y) / 2 + p), at_most(-x - 1, -x), P(heads >= 2) <= 3 * p


def test_a_twin_is_looked_at_wherever_it_may_be_refuted():
    """The instances that are passed over for a smaller bound are those that a look at the twin would not count."""
    raws = draw_instances(claim(unsharp).parameters, 40, 0)
    power = Power(claim(unsharp), raws, None, 0)  # type: ignore[arg-type]
    passed = found = 0
    for raw in raws:
        for question in (Question("", bound=f, part=part) for f in (0.9, 0.5, 0.1) for part in (0, 1, 2, None)):
            seen = observe(power.claim, raw, question)
            assert isinstance(seen, list)
            refuted = any(o.score > 1e-9 and not o.vacuous for o in seen if question.part in (None, o.part))
            may = power._may_refute(raw, question)
            assert may or not refuted
            passed, found = passed + (not may), found + refuted
    assert passed > 50
    assert found > 20


def test_without_a_hypothesis_that_is_met_a_twin_is_the_claim():
    """Only what the hypothesis leaves out is looked at, and a violation that nothing has decided."""

    def supposing(x: Positive, y: Positive):
        assume(x >= y)
        return at_most(y, x)

    raws, dropped = draw_instances(claim(supposing).parameters, 30, 0), Question("", dropped=0)
    power = Power(claim(supposing), raws, None, 0)  # type: ignore[arg-type]
    met = [raw["x"] >= raw["y"] for raw in raws]
    assert 5 < sum(met) < 25
    assert [power._may_refute(raw, dropped) for raw in raws] == [not m for m in met]
    assert all(observe(power.claim, raw, dropped) == power._as_printed(raw) for raw, m in zip(raws, met, strict=True) if m)


def test_where_no_certificate_can_be_written_few_instances_of_twins_are_tried(monkeypatch: pytest.MonkeyPatch):
    asked: list[Any] = []
    monkeypatch.setattr("boundcheck.checking.twins.exact_finding", lambda *args: asked.append(args))
    raws = draw_instances(claim(sharp).parameters, 40, 0)
    power = Power(claim(sharp), raws, None, 0)  # type: ignore[arg-type]
    assert not any(twin.refuted for twin in power.twins())
    assert 0 < len(asked) < MOST_UNWRITTEN + MOST_ATTEMPTS


def test_what_is_written_has_no_digits_that_differ_from_machine_to_machine():
    seen = [Evidence(tightest=near) for near in (log(2 / 3), np.nextafter(log(2 / 3), 0), 0.0, -1e-16, float("-inf"))]
    assert [e.rounded.tightest for e in seen] == [-0.405465, -0.405465, 0, 0, float("-inf")]
    assert [e.rounded.tightness for e in seen] == [0.666667, 0.666667, 1, 1, None]
    for body in (loose, sharp):
        found = verdict(body).evidence
        assert found == found.rounded

    def twice(x: Unit, y: Unit):
        return at_most(x + 0.3 * y, 0.1)

    refuted = verdict(twice).refutation
    assert refuted is not None
    assert refuted.excess == float(f"{refuted.excess:.6g}") > 0
