"""A body that runs on floats as its program says: within the radii, whole numbers exactly, infinities alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from flint import ctx
from hypothesis import strategies as st

from boundcheck import Box, P, Real, Simplex, Unit, at_most, equal, integers, quantity
from boundcheck.checking.certificate import Runs, refutation, with_values
from boundcheck.checking.judge import judge
from boundcheck.checking.observe import Skipped, observe
from boundcheck.checking.paths import elsewhere
from boundcheck.checking.plan import PLANS
from boundcheck.checking.sides import runs_as_read, sides
from boundcheck.checking.verdict import Outcome
from boundcheck.checking.verification import Contradiction, Different, compared
from boundcheck.domains.instances import inside, to_json
from boundcheck.proofs import proved
from boundcheck.settings import setting
from boundcheck.verifier import verify
from boundcheck.words.claims import Claim, make_claim
from boundcheck.words.hypotheses import AS_PRINTED


def claim_of(body: Any) -> Claim:
    return make_claim(body, f"guard.{body.__name__}", "here", "theorem")


def seen_and_read(claim: Claim, raw: dict[str, Any]) -> tuple[Any, Any]:
    """What a look at the body sees, and the sides by its program."""
    found, seen = sides(Runs(claim, AS_PRINTED), raw, 0), observe(claim, raw)
    assert found is not None
    assert not isinstance(seen, Skipped)
    return found, seen[0]


def proof_of(claim: Claim) -> Any:
    proof = proved(claim)
    assert proof is not None
    return proof.certificate


def thousand(x: Real):
    return at_most(1000 * x, 1)


def whole(n: integers(1, 9)):
    return at_most(10**13 * n, 1)


def enormous(x: Real):
    return at_most(np.exp(1000 + x), 1)


@pytest.mark.parametrize(("body", "raw", "lhs", "agrees"), [
    (thousand, {"x": 0.3}, 300.0, True),
    (thousand, {"x": 0.3}, np.nextafter(300.0, 301.0), True),
    (thousand, {"x": 0.3}, 300.0 + 1e-10, False),
    (thousand, {"x": 0.3}, np.inf, False),
    (thousand, {"x": 0.3}, np.nan, True),
    (whole, {"n": 1}, np.int64(10**13), True),
    (whole, {"n": 1}, np.int64(10**13 + 1), False),
    (whole, {"n": 1}, True, False),
    (enormous, {"x": 0.0}, np.inf, True),
    (enormous, {"x": 0.0}, -np.inf, False),
    (enormous, {"x": 0.0}, 1.0, False),
])  # fmt: skip
def test_sides_agree_within_the_radii(body, raw, lhs, agrees):
    found, seen = seen_and_read(claim_of(body), raw)
    assert found.agrees(replace(seen, sides=(np.asarray(lhs), seen.sides[1]))) is agrees


def test_a_whole_number_of_the_body_is_that_of_the_program_exactly():
    """10^13 + 1/1000 is within an ulp of 10^13, and none of its whole numbers."""

    def cents(rate: Unit):
        return at_most(10**13 + rate, 1)

    found, seen = seen_and_read(claim_of(cents), {"rate": 0.001})
    assert found.agrees(seen)
    assert not found.agrees(replace(seen, sides=(np.asarray(10**13), seen.sides[1])))


def test_a_probability_lies_where_floats_see_it():
    def coin(t: Unit):
        heads = quantity(lambda rng, size: rng.binomial(2, t, size))
        return P(heads >= 1) <= 0.5

    claim, raw = claim_of(coin), {"t": 0.5}
    seen = observe(claim, raw)
    assert not isinstance(seen, Skipped)
    values = dict(verify(refutation(claim, raw)).values)
    runs = Runs(claim, AS_PRINTED)
    assert values == {"probability": "0.75", "bound": "0.5"}
    assert runs_as_read(runs, raw, seen[0], values)
    assert not runs_as_read(runs, raw, seen[0], values | {"probability": "0.7501"})


def test_a_body_that_runs_otherwise_is_never_judged(monkeypatch):
    """Whatever makes the program another one: nothing is refuted, proved, or said to hold."""
    monkeypatch.setattr("boundcheck.checking.sides.Sides.agrees", lambda self, o: False)
    for body, outcome in ((thousand, Outcome.INCONCLUSIVE), (whole, Outcome.INCONCLUSIVE)):
        judgement = judge(claim_of(body), PLANS["quick"], 1e-6)
        assert judgement.outcome is outcome
        assert "not recorded as it runs" in judgement.reason


def test_a_certificate_is_compared_by_running_the_body(monkeypatch):
    claim, raw = claim_of(thousand), {"x": 0.5}
    certificate = refutation(claim, raw)
    certificate = with_values(certificate, verify(certificate).values)
    assert certificate["values"] == {"lhs": "500", "rhs": "1"}
    assert compared(claim, certificate) == "program, hypotheses"
    monkeypatch.setattr("boundcheck.checking.sides.Sides.agrees", lambda self, o: False)
    with pytest.raises(Different, match="makes other numbers of floats"):
        compared(claim, certificate)


@pytest.mark.parametrize("bits", [24, 53, 300])
def test_the_values_of_a_certificate_are_compared_with_the_digits_that_they_have(bits):
    def above(x: Real):
        return at_most(np.exp(x), 1)

    certificate = refutation(claim_of(above), {"x": 0.3})
    certificate = with_values(certificate, verify(certificate).values)
    with ctx.workprec(bits):
        assert verify(certificate).confirmed


def table(n: integers(1, 400)):
    return at_most(n % 97, 96)


def box(x: Box(3, 1, 2)):
    return equal(np.sum(2 * x), 2 * np.sum(x))


@pytest.mark.parametrize(("body", "where"), [(table, {"n": 97}), (box, {})])
def test_a_proof_is_compared_at_each_case_and_at_drawn_members(body, where, monkeypatch):
    """A body that is false at one of 400 numbers, or outside of the instance of the proof, loses its proof."""
    claim = claim_of(body)
    certificate = proof_of(claim)
    looked = []

    def seen(claim, raw, *args):
        looked.append(raw)
        return observe(claim, raw, *args)

    monkeypatch.setattr("boundcheck.checking.verification.observe", seen)
    compared(claim, certificate)
    if where:
        assert {raw["n"] for raw in looked} == set(range(1, 401))
    else:
        members = [raw["x"] for raw in looked]
        assert len({x.tobytes() for x in members}) > 3
        assert all(np.all((x >= 1) & (x <= 2)) for x in members)


def test_a_proof_without_probes_is_none(monkeypatch):
    claim = claim_of(box)
    certificate = proof_of(claim)
    monkeypatch.setattr("boundcheck.checking.verification.elsewhere", lambda *_: iter(()))
    with pytest.raises(Different, match="no other instance"):
        compared(claim, certificate)


def test_what_is_proved_is_not_violated(monkeypatch):
    claim = claim_of(box)
    certificate = proof_of(claim)
    monkeypatch.setattr("boundcheck.checking.sides.Sides.excess", property(lambda self: 1.0))
    with pytest.raises(Contradiction):
        compared(claim, certificate)


@setting
@dataclass(frozen=True)
class Masses:
    """Few have the sizes of a given instance: here none but one of a single mass."""

    p: Simplex("m")
    r: Box("m", 1, 2)

    @staticmethod
    def draw():
        return st.just({"p": np.array([1.0]), "r": np.array([1.5])})


def above(case: Masses):
    return at_most(1, np.sum(case.p * case.r))


def test_members_of_a_setting_are_moved_inside_of_its_domains():
    claim, masses = claim_of(above), {"p": np.array([0.25, 0.75]), "r": np.array([1.25, 2.0])}
    others = list(elsewhere(claim, {"instance": to_json({"case": masses})}, {}, shaped=True, count=9))
    assert len(others) == 9
    for raw in others:
        assert inside(claim.parameters, raw)
        assert np.shape(raw["case"]["r"]) == (2,)
        assert not np.array_equal(raw["case"]["r"], masses["r"])
