"""Membership: what does not lie in its domain is refused, and what does is said by the certificate and decided by the verifier."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from boundcheck import FiniteLaw, Simplex, Unit, Vector, at_most, setting
from boundcheck import domains as ranges
from boundcheck.checking.certificate import NotTraceable, refutation
from boundcheck.checking.search.population import Shape, as_floats
from boundcheck.checking.search.shapes import jolted
from boundcheck.checking.search.shrink import shrink
from boundcheck.domains.instances import draw_instances, from_json, inside, to_json
from boundcheck.running.kept import kept_counterexample as known_of
from boundcheck.running.kept import save_certificate
from boundcheck.verifier import Outcome, verify
from boundcheck.verifier.seal import digest
from boundcheck.words.claims import Claim
from tests.test_domains import NAMES, PROMISES
from theory.wang2019.finite_laws import SignFeatures

domains: Any = ranges


def false_claim(**parameters: Any) -> Claim:
    """Refuted by every instance in its domains."""
    return Claim("mine.false", lambda **_: at_most(1, 0), "a book", "theorem", parameters=parameters)


def test_moved_and_shrunk_instances_stay_in_their_domains():
    rng = np.random.default_rng(1)
    for name in NAMES:
        parameters = {"x": PROMISES[name][0]}
        for raw in draw_instances(parameters, 15, 2):
            assert inside(parameters, raw), name
            wide = as_floats(parameters, raw)
            shape = Shape.of(parameters, wide)
            rows = jolted(shape, shape.row(wide)[None], 3, rng) if shape.width else []
            degenerate = name in ("UnitVector", "UnitRows", "Correlation", "Channel", "Orthogonal", "SymmetricBetween")
            assert degenerate or all(inside(parameters, shape.raw(row)) for row in rows), name
            assert inside(parameters, shrink(parameters, raw, lambda candidate, p=parameters: inside(p, candidate)))


@cache
def known(relation: str) -> bool:
    """Whether the verifier at hand knows a relation; what it does not know cannot be tried on it."""
    node = {"op": "const", "args": [], "shape": [], "data": ["0"]}
    one = {**node, "data": ["1"]}
    args = [0] if relation == "whole" else [0, 0]
    body = {
        "certificate_version": 1, "claim": {"id": "a", "source": "b", "statement": "c"}, "program": [node, one], "laws": [],
        "hypotheses": [{"relation": relation, "args": args}], "conclusion": {"kind": "at_most", "args": [1, 0]},
    }  # fmt: skip
    return verify({**body, "seal": digest(body)}).outcome != Outcome.MALFORMED


def tried(certificate: dict[str, Any]) -> Any:
    if not all(known(h["relation"]) for h in certificate["hypotheses"] if h["relation"] != "psd"):
        pytest.skip("the verifier does not know a relation yet")
    return verify(certificate, (106, 212, 424))


@pytest.mark.parametrize("name", NAMES)
def test_the_verifier_decides_every_promise(name: str):
    claim = false_claim(x=PROMISES[name][0])
    for raw in draw_instances(claim.parameters, 12, 3):
        certificate = refutation(claim, raw)
        assert certificate["hypotheses"] or name in ("Real", "Vector", "Matrix", "SquareMatrix", "Points")
        assert tried(certificate).confirmed, raw


SINGULAR: dict[str, tuple[Any, Any]] = {
    "PSD of rank 1": (domains.PSD(8), np.arange(1, 9).reshape(8, 1) / 7),
    "PSD of rank 20": (domains.PSD(40), np.random.default_rng(0).standard_normal((40, 20))),
    "zero": (domains.PSD(3), np.zeros((3, 1))),
    "correlation of rank 1": (domains.Correlation(8), np.arange(1, 9).reshape(8, 1) * np.array([[1.0, 0.3]]) / 7),
    "nearly singular": (domains.PositiveDefinite(6), {"factor": np.ones((6, 1)), "ridge": 1e-30}),
    "a spectrum at its ends": (
        domains.SymmetricBetween(6, 0, 0.333333333333),
        {"mirrors": np.random.default_rng(0).standard_normal((6, 6)), "spectrum": np.array([0, 1, 0, 1, 0, 0]) * 0.333333333333},
    ),
    "rank 2 of 8": (domains.LowRank(8, 8, 2), [np.random.default_rng(k).standard_normal((8, 2)) for k in (1, 2)]),
    "reflections with long decimals": (domains.Orthogonal(8), np.random.default_rng(0).standard_normal((8, 8))),
    "an end that is no short decimal": (domains.between(0, 0.333333333333, closed=True), 0.333333333333),
    "an end that was computed": (domains.between(0, 1 / 3, closed=True), 0.333333333333),
}  # fmt: skip


@pytest.mark.parametrize("name", SINGULAR)
def test_what_lies_at_the_edge_is_decided_too(name: str):
    domain, raw = SINGULAR[name]
    assert tried(refutation(false_claim(x=domain), {"x": raw})).confirmed


FORGED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a count that is no integer": ({"n": domains.Count}, {"n": 2.5}),
    "a count in floats": ({"n": domains.Count}, {"n": 2.0}),
    "a boolean for a count": ({"n": domains.Count}, {"n": True}),
    "a word for a count": ({"n": domains.Count}, {"n": "2"}),
    "a count of 0": ({"n": domains.Count}, {"n": 0}),
    "a count beyond its end": ({"n": domains.integers(2, 4)}, {"n": 5}),
    "an array for a count": ({"n": domains.Count}, {"n": np.array([2])}),
    "1 for a number below 1": ({"x": domains.Unit}, {"x": 1.0}),
    "an integer for a real": ({"x": domains.Positive}, {"x": 1}),
    "a boolean for a real": ({"x": domains.Real}, {"x": True}),
    "infinity": ({"x": domains.Positive}, {"x": np.inf}),
    "nan": ({"x": domains.Real}, {"x": np.nan}),
    "an end of an open interval": ({"x": domains.between(-1, 2)}, {"x": 2.0}),
    "beyond a closed interval": ({"x": domains.between(-1, 2, closed=True)}, {"x": 2.1}),
    "a size outside of the range of its name": ({"n": domains.integers(2, 4), "A": domains.PSD("n")}, {"n": 6, "A": np.ones((6, 1))}),
    "a size that is not that of the array": ({"n": domains.integers(2, 4), "A": domains.PSD("n")}, {"n": 2, "A": np.ones((3, 1))}),
    "two arrays of one size that differ": ({"x": domains.Vector("n"), "y": domains.Simplex("n")}, {"x": np.ones(2), "y": np.ones(3)}),
    "not as long as the number says": ({"x": domains.Vector(3)}, {"x": np.ones(2)}),
    "a matrix for a vector": ({"x": domains.Vector("n")}, {"x": np.ones((2, 2))}),
    "a number for a vector": ({"x": domains.Vector("n")}, {"x": 1.0}),
    "an empty vector": ({"x": domains.Vector("n")}, {"x": np.ones(0)}),
    "a vector of integers": ({"x": domains.Vector("n")}, {"x": np.ones(2, dtype=int)}),
    "not square": ({"A": domains.SquareMatrix("n")}, {"A": np.ones((2, 3))}),
    "a negative probability": ({"p": domains.Simplex("n")}, {"p": np.array([2.0, -1.0])}),
    "no probabilities": ({"p": domains.Simplex("n")}, {"p": np.zeros(2)}),
    "a sign of 1/2": ({"e": domains.Signs("n")}, {"e": np.array([1.0, 0.5])}),
    "a bit of 2": ({"e": domains.Bits("n")}, {"e": np.array([1.0, 2.0])}),
    "outside of the box": ({"e": domains.Box("n", 0, 1)}, {"e": np.array([1.0, 1.5])}),
    "an order with a place twice": ({"p": domains.Permutation("n")}, {"p": np.array([0, 1, 1])}),
    "an order in floats": ({"p": domains.Permutation("n")}, {"p": np.array([0.0, 1.0])}),
    "a subset with an element more": ({"S": domains.Subset(4, 2)}, {"S": np.array([1, 1, 0, 1])}),
    "a rank above the size of its name": ({"r": domains.Few, "A": domains.LowRank(4, 4, "r")}, {"r": 1, "A": [np.eye(4), np.eye(4)]}),
    "a family with a member less": ({"k": domains.Few, "x": domains.Family(domains.Unit, "k")}, {"k": 3, "x": [0.5, 0.5]}),
    "a family with one outside": ({"x": domains.Family(domains.Unit, 2)}, {"x": [0.5, 1.5]}),
    "a family of counts with one outside": ({"x": domains.Family(domains.Few, 2)}, {"x": [1, 2.0]}),
    "a ridge of 0": ({"A": domains.PositiveDefinite("n")}, {"A": {"factor": np.ones((2, 1)), "ridge": 0.0}}),
    "a field missing": ({"A": domains.PositiveDefinite("n")}, {"A": {"factor": np.ones((2, 1))}}),
    "an eigenvalue beyond its end": (
        {"A": domains.SymmetricBetween("n", 0, 1)}, {"A": {"mirrors": np.ones((1, 2)), "spectrum": np.array([0.0, 2.0])}}
    ),
    "a parameter missing": ({"x": domains.Unit, "y": domains.Unit}, {"x": 0.5}),
    "a parameter more": ({"x": domains.Unit}, {"x": 0.5, "y": 0.5}),
    "no numbers at all": ({"x": domains.Vector("n")}, {"x": None}),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_instance_is_never_used(name: str):
    parameters, raw = FORGED[name]
    assert not inside(parameters, raw)
    assert not inside(parameters, from_json(json.loads(json.dumps(to_json(raw)))))
    with pytest.raises(NotTraceable, match="outside"):
        refutation(false_claim(**parameters), raw)


@setting
class Coins:
    """A setting of settings: a law, a bias and weights."""

    law: FiniteLaw
    bias: Unit
    w: Simplex("k")


@setting
class Halves:
    """A setting with its own draw and build, which says what its cases are."""

    x: Any

    charts = {"x": domains.FIXED}  # noqa: RUF012
    draw = staticmethod(lambda: domains.Vector.draw(2).map(lambda x: {"x": np.rint(x) / 2}))

    @classmethod
    def build(cls, raw: Any) -> Any:
        return cls(raw["x"])

    @staticmethod
    def member(case: Any) -> Any:
        return [2 * case.x == np.rint(2 * case.x), abs(case.x) <= 1000]


LAW = {"values": np.ones(2), "p": np.ones(2)}
COINS = {"law": LAW, "bias": 0.5, "w": np.ones(3)}
@setting
class Positives(Halves):  # type: ignore[misc, valid-type]
    """One comparison that stands alone."""

    draw = staticmethod(lambda: domains.Vector.draw(2).map(lambda x: {"x": abs(x) + 1}))

    @staticmethod
    def member(case: Any) -> Any:
        return case.x > 0


@setting
class Likely:
    """Fields with domains, a draw that goes with neither, and a promise beyond them."""

    x: Vector("k")
    p: Simplex("k")

    @staticmethod
    def draw() -> Any:
        return st.sampled_from((1, 5)).map(lambda k: {"x": np.full(k, 7.0), "p": np.ones(k)})

    @staticmethod
    def member(case: Any) -> Any:
        return case.p > 0


def test_the_draw_of_a_setting_is_taken_before_those_of_its_domains():
    raws = draw_instances({"case": Likely.domain}, 20, 1)  # type: ignore[attr-defined]
    assert sorted(len(raw["case"]["x"]) for raw in raws) == [1, 5]
    assert all(np.all(raw["case"]["x"] == 7) for raw in raws)


LIKELY = {"x": np.ones(2), "p": np.array([1.0, 3.0])}

CASES: dict[str, tuple[Any, list[Any]]] = {
    "a law": (FiniteLaw, [LAW, {**LAW, "p": np.array([1.0, -0.5])}, {**LAW, "p": np.ones(3)}, {"values": np.ones(2)}]),
    "a setting of settings": (
        Coins,
        [
            COINS, {**COINS, "bias": 1.0}, {**COINS, "bias": 1}, {**COINS, "w": np.zeros(3)},
            {**COINS, "law": {**LAW, "values": np.ones(3)}},
        ],
    ),
    "a setting with a draw of its own": (Halves, [{"x": np.array([0.5, 1])}, {"x": np.array([0.3, 1])}, {"x": np.array([1e4, 1])}]),
    "fields with a draw of their own": (
        Likely,
        [
            LIKELY, {**LIKELY, "p": np.array([1.0, 0.0])}, {**LIKELY, "p": np.array([2.0, -1.0])}, {**LIKELY, "x": np.ones(3)},
            {**LIKELY, "x": np.ones((2, 1))},
        ],
    ),
    "one comparison": (Positives, [{"x": np.array([0.5, 1])}, {"x": np.array([0.5, -1])}]),
    "signs": (SignFeatures, [{"values": np.ones((2, 1)), "p": np.ones(1)}, {"values": np.full((2, 1), 0.5), "p": np.ones(1)}]),
}  # fmt: skip
"""Raw numbers of a case, and then some of what is none."""


@pytest.mark.parametrize("name", CASES)
def test_fields_of_settings_are_looked_at(name: str):
    family, raws = CASES[name]
    claim = false_claim(case=getattr(family, "domain", family))
    right, *wrong = ({"case": raw} for raw in raws)
    assert inside(claim.parameters, right)
    certificate = refutation(claim, right)
    assert certificate["hypotheses"]
    assert tried(certificate).confirmed
    assert not any(inside(claim.parameters, raw) for raw in wrong)


def reversed_keys(raw: Any) -> Any:
    """The same instance, its dictionaries filled from behind."""
    return {key: reversed_keys(raw[key]) for key in reversed(raw)} if isinstance(raw, dict) else raw


@pytest.mark.parametrize("name", CASES)
def test_an_instance_has_one_program_however_its_fields_are_ordered(name: str):
    family, (right, *_) = CASES[name]
    claim = false_claim(case=getattr(family, "domain", family))
    kept = from_json(json.loads(json.dumps(to_json({"case": right}), sort_keys=True)))
    programs = [refutation(claim, raw)["program"] for raw in ({"case": right}, reversed_keys({"case": right}), kept)]
    assert programs[0] == programs[1] == programs[2]


def resealed(certificate: dict[str, Any], **changes: Any) -> dict[str, Any]:
    body = {**certificate, **changes}
    body.pop("seal")
    return {**body, "seal": digest(body)}


OUTSIDE: dict[str, tuple[Any, Any, list[str]]] = {
    "Unit": (domains.Unit, 0.5, ["1"]),
    "Positive": (domains.Positive, 0.5, ["0"]),
    "NonNegative": (domains.NonNegative, 0.5, ["-1/1000000"]),
    "between": (domains.between(-1, 1), 0.5, ["-1"]),
    "Simplex": (domains.Simplex(2), np.array([1.0, 1.0]), ["-1", "2"]),
    "Signs": (domains.Signs(2), np.array([1.0, -1.0]), ["1", "1/2"]),
    "Bits": (domains.Bits(2), np.array([1.0, 0.0]), ["1", "-1"]),
    "Box": (domains.Box(2, 0, 1), np.array([1.0, 0.0]), ["1", "1000000001/1000000000"]),
    "Spectrum": (domains.Spectrum(2), np.array([1.0, 1.0]), ["-1", "2"]),
    "a member of a family": (domains.Family(domains.Box(1, 0, 1), 1), [np.array([0.5])], ["2"]),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_program_whose_input_lies_outside_is_rejected(name: str):
    domain, raw, data = OUTSIDE[name]
    certificate = refutation(false_claim(x=domain), {"x": raw})
    assert tried(certificate).confirmed
    program = [{**node, "data": data} if node["op"] == "input" else node for node in certificate["program"]]
    assert verify(resealed(certificate, program=program)).outcome == Outcome.HYPOTHESIS_FALSE


@pytest.mark.parametrize("size", ["2", "3", "4"])
@pytest.mark.parametrize("forged", ["1", "5", "5/2"])
def test_a_program_whose_size_lies_outside_is_rejected(size: str, forged: str):
    claim = false_claim(n=domains.integers(2, 4), A=domains.Vector("n"))
    certificate = refutation(claim, {"n": int(size), "A": np.ones(int(size))})
    assert tried(certificate).confirmed
    ((n,),) = (h["args"] for h in certificate["hypotheses"] if h["relation"] == "whole")
    program = [{**node, "data": [forged]} if k == n else node for k, node in enumerate(certificate["program"])]
    assert verify(resealed(certificate, program=program)).outcome == Outcome.HYPOTHESIS_FALSE


def test_the_promises_do_not_ask_the_builders():
    """A domain that builds something else than it promises is found out."""
    broken = {"PSD": -np.eye(3), "Simplex": np.ones(4), "Orthogonal": 2 * np.eye(3), "Symmetric": np.triu(np.ones((3, 3))),
              "UnitVector": np.ones(4), "Correlation": np.ones((3, 3)) * 2, "Channel": np.ones((3, 2)), "Spectrum": np.arange(4.0),
              "LowRank": np.eye(4, 5), "UnitRows": np.ones((4, 2)), "SymmetricBetween": 3 * np.eye(3), "JointLaw": np.ones((3, 2)),
              "PositiveDefinite": np.diag([1.0, -1.0, 1.0]), "Subset": np.array([3, 2]),
              "Permutation": np.array([0, 1, 3, 3, 2])}  # fmt: skip
    for name, value in broken.items():
        parameters = {"x": replace(PROMISES[name][0], build=lambda raw, value=value: value)}
        raw = draw_instances({"x": PROMISES[name][0]}, 1, 1)[0]
        assert not inside(parameters, raw), name


MISUSE: list[tuple[Callable[[], Any], str]] = [
    (lambda: domains.Vector("n", "m"), r"R\^n has 1 dimensions, not 2"),
    (lambda: domains.Unit("n"), "has 0 dimensions, not 1"),
    (lambda: domains.Vector(0), "a whole number from 1 on, not 0"),
    (lambda: domains.Vector(2.5), "a whole number from 1 on, not 2.5"),
    (lambda: domains.Vector(True), "a whole number from 1 on, not True"),
    (lambda: domains.PSD(np.eye(2)), "A dimension is a name"),
    (lambda: domains.Matrix("n + 1", "m"), "A dimension is a name"),
    (lambda: domains.between(1, 0), "between with the ends 1 and 0 is no interval"),
    (lambda: domains.between(1, 1, closed=True), "is no interval"),
    (lambda: domains.between(0, np.inf), "two finite numbers"),
    (lambda: domains.between(np.nan, 1), "two finite numbers"),
    (lambda: domains.integers(5, 2), r"integers\(5, 2\) is empty"),
    (lambda: domains.integers(0.5, 2), "both ends are whole numbers"),
    (lambda: domains.integers(0, np.inf), "both ends are whole numbers"),
    (lambda: domains.integers(False, True), "both ends are whole numbers"),
    (lambda: domains.Box("n", 1, 0), "Box with the ends 1 and 0"),
    (lambda: domains.Box("n"), "Box with the ends nan and nan"),
    (lambda: domains.SymmetricBetween("n", 2, 1), "SymmetricBetween with the ends 2 and 1"),
    (lambda: domains.Subset(2, 3), "2 positions have no subset of 3"),
    (lambda: domains.Family(3, 2), "Family takes a domain"),
    (lambda: domains.Family(domains.Unit, 0), "a whole number from 1 on, not 0"),
]


@pytest.mark.parametrize("case", range(len(MISUSE)))
def test_misuse_ends_in_a_sentence(case: int):
    wrong, sentence = MISUSE[case]
    with pytest.raises((TypeError, ValueError), match=sentence):
        wrong()


def test_labels_name_the_sizes():
    labels = {
        "R^d": domains.Vector("d"), "R^3": domains.Vector(3), "PSD, d x d": domains.PSD("d"), "2..4": domains.integers(2, 4),
        "(0, 1)": domains.between(0, 1), "[0, 1]": domains.between(0, 1, closed=True), "{0, 1}^(m x n)": domains.Bits("m", "n"),
        "{-1, 1}^5": domains.Signs(5), "[0, 0.5]^k": domains.Box("k", 0, 0.5),
        "families of k: PSD, d x d": domains.Family(domains.PSD("d"), "k"),
    }  # fmt: skip
    assert {domain.label: label for label, domain in labels.items()} == {label: label for label in labels}


@pytest.mark.parametrize("n", [5, 2.5, True, "2"])
def test_a_kept_counterexample_outside_of_its_domains_is_not_tried(n: Any, tmp_path: Any):
    claim = false_claim(n=domains.integers(2, 4))
    certificate = refutation(claim, {"n": 3})
    save_certificate(certificate, tmp_path, claim.id)
    assert known_of(claim, tmp_path) == ({"n": 3},)
    certificate["claim"]["instance"] = {"n": n}
    save_certificate(certificate, tmp_path, claim.id)
    assert known_of(claim, tmp_path) == ()
