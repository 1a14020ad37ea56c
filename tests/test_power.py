"""What perturbed twins and sharpened constants show, and how evidence makes a verdict."""

from typing import Any

import pytest

from boundcheck import Positive, Unit, assume, at_most, integers, marked
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import Evidence, Outcome, Refutation, Verdict, weigh
from boundcheck.claims import make_claim
from boundcheck.sharpen import NoSuchConstant, sharpen

PLAN = Plan("test", instances=25, work=400)
ALPHA = 1e-7


def claim(body: Any) -> Any:
    return make_claim(body, f"test.{body.__name__}", "here", "theorem")


def verdict(body: Any) -> Verdict:
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
    result = sharpen(claim(sharp), PLAN, ALPHA, steps=3)
    assert result.constant == "C"
    assert result.refuted is not None
    assert result.not_refuted is not None
    assert 0.8 < result.refuted < 1.0 <= result.not_refuted < 1.2
    with pytest.raises(NoSuchConstant, match="has no constant 'D'; it has C"):
        sharpen(claim(sharp), PLAN, ALPHA, "D")


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


def test_evidence_adds_up_in_any_order():
    a = Evidence(instances=1, skipped={"x": 1}, undecided=("b",))
    b = Evidence(satisfied=2, tightest=-1.0, skipped={"x": 1}, undecided=("a",))
    assert a + b == b + a
    assert (a + b).skipped == {"x": 2}


def test_a_flipped_normalisation_is_refuted_where_it_matters():
    def mean_of_ones(n: integers(1, 9), c: Positive):
        return at_most(c * n, n * c)

    power = {twin.label: twin.refuted for twin in verdict(mean_of_ones).power}
    assert power["right-hand side / sqrt(n)"]
