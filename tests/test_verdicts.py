"""What a verdict says besides true or false: open and empty cases, determinism, power, and fresh randomness."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck import (
    Count,
    E,
    Few,
    P,
    Real,
    SquareMatrix,
    Unit,
    assume,
    at_least,
    at_most,
    between,
    equal,
    integers,
    inverse,
    less,
    log,
    opnorm,
    psd_sqrt,
    quantity,
    rate,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.sampling import CONFIRM, Stream
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.domains.instances import from_json
from boundcheck.running.kept import report_row
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=25, work=400, trials=4000, sampled_instances=3, confirmation_trials=60_000, level=1e-3)
ALPHA = 1e-7


def claim(body: Any) -> Any:
    return make_claim(body, f"test.{body.__name__}", "here", "theorem")


def verdict(body: Any, known: Any = (), plan: Plan = PLAN) -> Judgement:
    return judge(claim(body), plan, ALPHA, known)


def no_range(x: Unit):
    return E(quantity(lambda rng, size: x + rng.standard_t(3, size))) <= x


def no_trace(x: Unit):
    return at_most(x, 0.5 * np.nextafter(x, 1))


def infinite(x: Unit):
    return at_most(x / (x - x), 1)


def singular(A: SquareMatrix("n")):  # type: ignore[valid-type]
    return at_most(opnorm(inverse(A - A)), 1)


def too_close(x: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, 1, size)) <= 0.3) >= 0.3


def nowhere(x: Unit):
    return at_most(np.log(-x), 1)


def not_psd(x: Unit):
    return at_most(trace(psd_sqrt(-x * np.eye(2))), 1)


INCONCLUSIVE = {
    no_range: "range is not known .* give quantity",
    no_trace: "has no certificate: .*`np.nextafter` is not in the language",
    infinite: "could not be evaluated on any instance .*undefined",
    singular: "could not be evaluated on any instance .*undefined",
    too_close: "about .* trials would decide",
}
@pytest.mark.parametrize("body", INCONCLUSIVE, ids=lambda body: body.__name__)
def test_what_is_open_is_said_to_be_open_and_why(body):
    found = verdict(body)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert re.search(INCONCLUSIVE[body], found.reason), found.reason


def outside_and_true(x: Unit):
    return at_most(x, np.nextafter(x, 2))


def outside_and_equal(x: Unit):
    return equal(np.nextafter(10**13 + x, 0), 10**13 + x)


def outside_with_atoms(x: Unit):
    return P(quantity(lambda rng, size: np.float32(1) * rng.integers(0, 2, size)) >= 1) <= 0.3


def outside_by_trials(x: Unit):
    return P(quantity(lambda rng, size: np.float32(1) * rng.normal(0, 1, size)) >= 0) <= 0.3


def outside_on_average(x: Unit):
    return E(quantity(lambda rng, size: np.float32(1) * rng.random(size), low=0, high=1)) <= 0.3


OUTSIDE = {
    outside_and_true: Outcome.HOLDS,
    outside_and_equal: Outcome.INCONCLUSIVE,
    outside_with_atoms: Outcome.INCONCLUSIVE,
    outside_by_trials: Outcome.INCONCLUSIVE,
    outside_on_average: Outcome.INCONCLUSIVE,
}
@pytest.mark.parametrize("body", OUTSIDE, ids=lambda body: body.__name__)
def test_what_is_outside_of_the_language_is_searched_in_floats_alone_and_never_refuted(body):
    found = verdict(body, plan=replace(PLAN, instances=5, work=40, trials=1000, sampled_instances=1))
    assert found.outcome is OUTSIDE[body], found.reason
    assert "is not in the language of statements" in found.reason


@pytest.mark.parametrize("body", [nowhere, not_psd], ids=lambda body: body.__name__)
def test_a_statement_that_is_never_defined_does_not_hold(body):
    assert verdict(body).outcome is Outcome.INCONCLUSIVE


def unsatisfiable(x: Unit):
    assume(x > 2)
    return at_most(x, 0)


def trivial(x: Unit):
    return at_most(x, 1.5, trivial=1)


def sure(x: Unit):
    return P(quantity(lambda rng, size: rng.binomial(3, x, size)) <= 1) >= 0 * x


def out_of_reach(x: Unit):
    s = at_least(1e9 / x, Count)
    return at_most(1 / s, 0)


def sampled_and_trivial(x: Unit):
    return P(quantity(lambda rng, size: rng.standard_normal(size)) >= x) <= 1 + x


def rarely_trivial(x: Unit):
    return at_most(x, 2 * x, trivial=1)


VACUOUS = {
    unsatisfiable: "none of 25 instances satisfies the hypotheses", trivial: "the bound is trivial on all 25",
    sure: "the bound is trivial on all", sampled_and_trivial: "the bound is trivial on all 25",
    out_of_reach: "more than any machine can do",
}  # fmt: skip


@pytest.mark.parametrize("body", VACUOUS, ids=lambda body: body.__name__)
def test_what_says_nothing_is_vacuous(body):
    found = verdict(body)
    assert found.outcome is Outcome.VACUOUS
    assert VACUOUS[body] in found.reason
    assert found.refutation is None


def test_a_bound_that_is_sometimes_trivial_is_not_vacuous():
    found = verdict(rarely_trivial)
    assert found.outcome is Outcome.HOLDS
    assert 0 < found.evidence.vacuous < found.evidence.satisfied


def test_only_instances_that_satisfy_the_hypotheses_count():
    def halves(x: Unit, y: Unit):
        assume(x < y)
        return at_most(x / y, 1)

    found = verdict(halves)
    assert found.outcome is Outcome.HOLDS
    assert found.evidence.skipped["unsatisfied"] > 0
    assert found.evidence.satisfied + found.evidence.skipped["unsatisfied"] == found.evidence.instances == 25


def broken_type(x: Unit):
    return at_most(x + "a", 1)  # type: ignore[operator]


def broken_shape(x: Unit):
    return at_most(np.ones(2) * x, np.ones(3))


@pytest.mark.parametrize("body", [broken_type, broken_shape])
def test_a_body_that_fails_for_another_reason_than_arithmetic_is_named(body):
    with pytest.raises(BrokenClaim, match=rf"test\.{body.__name__} \(.*test_verdicts\.py:\d+\)"):
        verdict(body)


def half_hoeffding(bias: Unit, n: Count, delta: Unit):
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (4 * n))) >= 1 - delta


def sampled_tail(t: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, 1, size)) <= t) >= t


@pytest.mark.parametrize("body", [half_hoeffding, sampled_tail, no_trace, rarely_trivial])
def test_the_same_plan_and_share_give_the_same_row(body):
    rows = [json.dumps(report_row(claim(body), verdict(body), None).json(), sort_keys=True) for _ in range(2)]
    assert rows[0] == rows[1]


def absolute_errors(exponent):
    """The error of s Gaussian features, whose mean falls like s^(-1/2)."""

    def mean_error(x, s):
        draw = lambda rng, size: np.abs(np.cos(x * rng.standard_normal((size, s))).mean(axis=1) - np.exp(-(x**2) / 2))  # noqa: E731
        return E(quantity(draw, low=0, high=2))

    def body(x: between(1, 3)):  # type: ignore[valid-type]
        return rate({s: mean_error(x, s) for s in (4, 16, 64)}, at_most=exponent)

    return body


@pytest.mark.parametrize(("exponent", "outcome"), [(-0.3, Outcome.HOLDS), (-0.9, Outcome.REFUTED)])
def test_rates_of_sampled_means_are_decided(exponent, outcome):
    assert verdict(absolute_errors(exponent)).outcome is outcome


def test_another_seed_looks_at_other_instances():
    assert verdict(sampled_tail) != verdict(sampled_tail, plan=replace(PLAN, seed=1))


def test_a_known_counterexample_is_tried_first():
    def rare(x: Real, y: Real):
        return at_most(0, (x - 0.123456) ** 2 + (y + 7.654321) ** 2 - 1e-12)

    plan = replace(PLAN, instances=1, work=1)
    assert verdict(rare, plan=plan).outcome is not Outcome.REFUTED
    found = verdict(rare, known=({"x": 0.123456, "y": -7.654321},), plan=plan)
    assert found.outcome is Outcome.REFUTED
    assert found.refutation is not None
    assert from_json(found.refutation.certificate["claim"]["instance"]) == {"x": 0.123456, "y": -7.654321}


def test_confirmation_is_on_fresh_randomness_and_pays_for_itself():
    def low_tail(t: Unit):
        return P(quantity(lambda rng, size: rng.uniform(0, 1, size)) <= 0.5) >= 0.6

    found = verdict(low_tail)
    assert found.refutation is not None
    proof = found.refutation.certificate["conclusion"]
    assert proof["seed"] == [0, *Stream.of(0, "test.low_tail").child(CONFIRM, 1).key]
    assert proof["seed"][2:] == [CONFIRM, 1]
    share = float(Fraction(proof["alpha"]))
    assert share == pytest.approx(ALPHA * 6 / np.pi**2)
    assert verdict(low_tail) == found


def unlikely(t: Unit):
    return P(quantity(lambda rng, size: rng.uniform(0, 1, size)) <= 0.5) >= 0.9


def test_trials_against_a_statement_that_no_confirmation_repeats_leave_it_open(monkeypatch):
    monkeypatch.setattr("boundcheck.checking.refute.fresh_trials", lambda *_: None)
    found = verdict(unlikely)
    assert found.evidence.sampled > 0
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "fresh trials" in found.reason


def test_a_sampler_that_looks_at_its_stream_is_a_mistake_of_the_claim():
    def lucky(t: Unit):
        def sample(rng: Any, size: int) -> Any:
            return np.full(size, float(rng.bit_generator.seed_seq.spawn_key[1] != CONFIRM))

        return P(quantity(sample) <= 0.5) >= 0.5

    with pytest.raises(BrokenClaim, match="draws nothing from `rng`"):
        verdict(lucky)


def test_streams_are_fixed_by_claim_and_key():
    stream = Stream.of(5, "a.b", 1)
    assert stream.rng().random() == Stream.of(5, "a.b", 1).rng().random()
    others = [Stream.of(6, "a.b", 1), Stream.of(5, "a.c", 1), Stream.of(5, "a.b", 2), stream.child(0)]
    assert len({s.rng().random() for s in [stream, *others]}) == 5


def test_an_identity_is_seen_to_be_touched():
    def same(x: Unit):
        return equal(x, x)

    assert verdict(same).evidence.touches == 25


def nearly_half(t: Unit):
    """Holds with little room, so that a few trials leave it open."""
    return P(quantity(lambda rng, size: rng.uniform(0, 1, size)) <= 0.5) >= 0.49


def nearly_half_on_average(t: Unit):
    return E(quantity(lambda rng, size: rng.beta(1, 1, size), low=0, high=1)) <= 0.505


@pytest.mark.parametrize(("body", "trials"), [(nearly_half, 10_000), (nearly_half_on_average, 6_000)])
def test_trials_add_up_over_runs_at_fresh_seeds(body, trials):
    few = replace(PLAN, instances=2, sampled_instances=2, trials=trials, work=100)
    first = judge(claim(body), few, 1e-7)
    assert first.outcome is Outcome.INCONCLUSIVE
    assert len(first.evidence.open) == 2
    verdicts, before = [first], first.evidence
    for seed in range(1, 40):
        verdicts.append(judge(claim(body), replace(few, seed=seed), 1e-7, before=before))
        before = verdicts[-1].evidence
        if verdicts[-1].outcome is Outcome.HOLDS:
            break
    assert verdicts[-1].outcome is Outcome.HOLDS
    assert verdicts[-1].evidence.trials > 2 * first.evidence.trials


def test_an_open_instance_goes_on_where_it_ended():
    few = replace(PLAN, instances=1, sampled_instances=1, trials=1_000, work=10)
    first = judge(claim(nearly_half), few, 1e-7).evidence
    second = judge(claim(nearly_half), replace(few, seed=1), 1e-7, before=first).evidence
    again = [entry.seen[0][0] for entry in second.open if entry.instance == first.open[0].instance]
    assert again == [2_000]


@pytest.mark.parametrize(
    ("event", "outcome"),
    [
        (lambda x: np.sum(x[0] * x[1]) ** 2 <= np.sum(x[0] ** 2) * np.sum(x[1] ** 2), "VACUOUS"),
        (lambda x: np.sum(x[0] - np.mean(x[0])) == 0, "VACUOUS"),
        (lambda x: np.exp(-1000 * x[0][0] ** 2 - 1000) > 0, "VACUOUS"),
        (lambda x: np.sum(x[0] - np.mean(x[0])) != 0, "INCONCLUSIVE"),
        (lambda x: x[0][0] * 2**53 == np.rint(x[0][0] * 2**53), "INCONCLUSIVE"),
    ],
)
def test_trials_that_floats_cannot_place_may_speak_for_a_statement_exactly(event, outcome):
    def body(k: Few):  # type: ignore[valid-type]
        x = quantity(lambda rng, size: rng.random((size, 2, 2 + k % 3)) + 0.5)
        return P(event(x)) >= 0.9

    claim = make_claim(body, "test.body", "here", "theorem")
    plan = Plan("small", instances=3, work=20, trials=400, sampled_instances=2, confirmation_trials=1000)
    found = judge(claim, plan, 1e-6).outcome.name
    assert found == outcome or (outcome == "VACUOUS" and found == "HOLDS")


@pytest.mark.parametrize(("least", "outcome"), [(1e-12, "HOLDS"), (1.01e-12, "REFUTED"), (2e-12, "REFUTED")])
@pytest.mark.parametrize("asked", ["at least", "at most"])
def test_what_is_rare_is_refuted_by_the_ratio_of_what_is_left(least: float, asked: str, outcome: str):
    def four_of_four(p: between(0.001, 0.5)):
        heads = quantity(lambda rng, size: rng.binomial(4, p, size))
        return P(heads == 4) >= least

    def not_all_of_four(p: between(0.001, 0.5)):
        heads = quantity(lambda rng, size: rng.binomial(4, p, size))
        return P(heads <= 3) <= 1 - least

    assert verdict({"at least": four_of_four, "at most": not_all_of_four}[asked]).outcome.name == outcome


def test_a_strict_bound_that_no_chance_passes_is_refuted():
    def collision(n: integers(1, 5)):
        q = quantity(lambda rng, size: rng.integers(0, n, (size, 2)))
        return P(q[0] == q[1]) > 1 / n

    assert verdict(collision).outcome is Outcome.REFUTED


def test_equality_at_one_whole_number_of_a_million_refutes_a_strict_order():
    def never_equal(n: integers(1, 10**6)):
        return less(1, 1 + abs(n - 777_777))

    def always_less(n: integers(1, 10**6)):
        return less(1, 1.5 + abs(n - 777_777))

    assert verdict(never_equal, plan=Plan()).outcome is Outcome.REFUTED
    assert verdict(always_less, plan=Plan()).outcome is Outcome.HOLDS


def test_events_are_counted_in_a_stack():
    def coupons(n: integers(1, 4)):
        q = quantity(lambda rng, size: rng.integers(0, n, (size, n)))
        seen = np.stack([np.any(q == k) for k in range(n)])
        return E(np.sum(seen)) <= n * (1 - (1 - 1 / n) ** n)

    assert verdict(coupons).outcome is Outcome.HOLDS


def truth(p: Any) -> Any:
    return quantity(lambda rng, size: rng.random(size) < p)


def either(p: Unit, r: Unit):
    A, B = truth(p), truth(r)
    return P(A | B) >= p + r - p * r, P(~A) <= 1 - p, P(A, given=B) <= p


def either_and_more(p: Unit, r: Unit):
    return P(truth(p) | truth(r)) >= 1.01 * (p + r - p * r)


def all_of_none(n: Few):  # type: ignore[valid-type]
    bits = quantity(lambda rng, size: rng.integers(0, 2, (size, n)))
    return P(np.all(bits[1:] >= bits[:-1])) >= 0.5


def test_what_is_drawn_as_truth_values_is_an_event():
    assert verdict(either).outcome is Outcome.HOLDS
    assert verdict(either_and_more).outcome is Outcome.REFUTED


def test_all_of_no_entries_hold_in_each_trial():
    assert verdict(all_of_none).outcome is Outcome.HOLDS


def test_a_text_that_fails_inside_of_a_mean_is_told_as_it_fails():
    def along_the_trials():
        bits = quantity(lambda rng, size: rng.binomial(1, 0.5, (size, 3)))
        return E(bits.sum(axis=0)) == 1.5

    with pytest.raises(BrokenClaim, match="Axis 0 is that of the trials"):
        verdict(along_the_trials)
