"""Rates: a slope over stated sizes, exact where the values are, and orders with their constants."""

from typing import Any

import numpy as np
import pytest

from boundcheck import E, Few, Positive, marked, of_order, quantity, rate
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.observe import observe
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.settings import FiniteLaw
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim
from boundcheck.words.statements import NoStatement, parts_of

PLAN = Plan("test", instances=8, work=200, trials=8000, sampled_instances=1, confirmation_trials=60_000, level=1e-3)
SIZES = (4, 16, 64)


def verdict(statement: Any) -> Judgement:
    def body(k: Few, c: Positive):  # type: ignore[valid-type]
        return statement(c)

    return judge(make_claim(body, "test.body", "here", "theorem"), PLAN, 1e-7)


def error(s: int) -> Any:
    """The squared error of a mean of s uniform numbers: 1 / (12 s)."""
    return quantity(lambda rng, size: (rng.beta(1, 1, (size, s)).mean(axis=1) - 0.5) ** 2, low=0, high=0.25)


def throws(s: int) -> Any:
    """The squared error of a mean of s coins: 1 / (4 s), exactly."""
    return quantity(lambda rng, size: (rng.binomial(s, 0.5, size) / s - 0.5) ** 2, low=0, high=0.25)


FALSE = {
    "a little": lambda c: rate({s: c * s**-0.4997 for s in SIZES}, at_most=-0.53),
    "very little": lambda c: rate({s: c * s**-0.4997 for s in SIZES}, at_most=-0.5),
    "beyond the margin": lambda c: rate({s: c * s**-0.5 for s in SIZES}, at_most=-0.53, margin=0.02),
    "an enumerated mean": lambda c: rate({s: E(throws(s)) for s in SIZES}, at_most=-1.02),
    "large sizes": lambda c: rate({10**k: c * 10.0 ** (-k / 2) for k in (10, 20, 40)}, at_most=-0.51),
    "sampled": lambda c: rate({s: E(error(s)) for s in SIZES}, at_most=-2),
    "an order": lambda c: of_order({s: (2 + (-1) ** s) * c / s for s in (4, 5, 64)}, lambda s: c / s, constant=2.5),
    "an order at the end": lambda c: of_order({4: c / 4, 5: c / 5, 100: c / 50}, {4: c, 5: c, 100: c / 100}),
    "an order of means": lambda c: of_order({s: E(throws(s)) for s in SIZES}, lambda s: 1 / s, constant=marked(0.2)),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_rates_are_refuted(name):
    result = verdict(FALSE[name])
    assert result.outcome == Outcome.REFUTED
    assert result.refutation is not None
    assert verify(result.refutation.certificate).confirmed


TRUE = {
    "attained": lambda c: rate({s: c / s for s in SIZES}, at_most=-1),
    "attained by a mean": lambda c: rate({s: E(throws(s)) for s in SIZES}, at_most=-1),
    "within its margin": lambda c: rate({s: c * s**-0.5 for s in SIZES}, at_most=-0.53, margin=0.05),
    "large sizes": lambda c: rate({10**k: c * 10.0 ** (-k / 2) for k in (10, 20, 40)}, at_most=-0.49),
    "an oscillation": lambda c: of_order({s: (2 + (-1) ** s) * c / s for s in (4, 5, 16, 64)}, lambda s: c / s, constant=3),
    "an order of means": lambda c: of_order({s: E(throws(s)) for s in SIZES}, lambda s: 1 / s, constant=0.25),
    "a sampled order": lambda c: of_order({s: E(error(s)) for s in SIZES}, lambda s: 1 / s, constant=0.2),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_rates_hold(name):
    assert verdict(TRUE[name]).outcome == Outcome.HOLDS


def test_the_verdict_says_that_a_slope_was_judged():
    result = verdict(FALSE["a little"])
    assert "the slope over the sizes 4, 16, 64" in result.reason
    assert "slope" not in verdict(FALSE["an order"]).reason


def test_only_sampled_slopes_have_a_margin():
    """Slope -1 is what one has; -1.04 is refuted where it is exact, and within the margin of trials."""
    (exact,) = observe_body(lambda: rate({s: E(throws(s)) for s in SIZES}, at_most=-1.04))
    (sampled,) = observe_body(lambda: rate({s: E(error(s)) for s in SIZES}, at_most=-1.04))
    assert exact.rhs == -1.04 < exact.lhs
    assert sampled.pending.rhs == pytest.approx(-0.99)


def observe_body(body: Any) -> Any:
    return observe(make_claim(body, "test.body", "here", "theorem"), {})


def test_a_slope_is_that_of_least_squares():
    values = {3: 5.0, 10: 2.0, 70: 3.0, 400: 0.1}
    slope = np.polyfit(np.log(list(values)), np.log(list(values.values())), 1)[0]
    assert float(rate(values, at_most=0).lhs) == pytest.approx(slope)


def test_an_order_says_one_thing_for_each_size():
    parts: Any = parts_of(of_order({2: 1.0, 8: 0.5}, lambda s: 1 / s, constant=3))
    assert [(p.relation, p.lhs, p.rhs) for p in parts] == [("at_most", 1.0, 1.5), ("at_most", 0.5, 0.375)]
    with pytest.raises(NoStatement, match="one or more"):
        of_order({}, lambda s: 1 / s)


def test_a_law_may_stand_for_the_constant():
    def body(law: FiniteLaw):  # type: ignore[valid-type]
        return of_order({n: E((law.sample(n).mean() - law.mean) ** 2) for n in (1, 2, 3)}, lambda n: 1 / n, constant=law.variance)

    assert judge(make_claim(body, "test.body", "here", "theorem"), PLAN, 1e-7).outcome == Outcome.HOLDS
