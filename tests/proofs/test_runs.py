"""Whole numbers as real ones: what is shown for all numbers of a run at once, and bodies of which that must not be said."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from making import claimed, sealed

from boundcheck import Count, Positive, Real, Unit, assume, at_most, equal, integers, less, log, proofs, sin, sqrt
from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.verifier import verify

# pyright: reportInvalidTypeForm=false

Many = integers(1, 10**6)


def proof_of(body: Any) -> Any:
    return proved(claimed(body))


def costs(n: Many, s: integers(1, 10**4)):
    assume(s <= n)
    return at_most(n * s**2 + s**3, 2 * n * s**2)


def logarithms(n: Count):
    assume(n >= 3)
    return at_most(log(n**2 / log(n) ** 2), 2 * log(n))


def halves_of(d: Count, delta: Unit):
    return equal((1 + 1 / delta) ** (d / (4 * d)), (1 + 1 / delta) ** (1 / 4))


def ranks(n: integers(2, 300), rank: integers(1, 5), x: Positive):
    return at_most(sum((x for _ in range(min(rank, n))), 0 * x), rank * x)


@pytest.mark.parametrize("body", [costs, logarithms, halves_of, ranks])
def test_whole_numbers_are_variables(body):
    proof = proof_of(body)
    assert (proof.whole, proof.sizes) == (True, "every")
    assert proof.words.startswith("for every ")


def false_at_one_place(n: Many):
    return at_most(n, n - 1 if n == 777_777 else n)


def false_at_the_end(n: Many):
    return less(n, 10**6)


def false_behind_a_turn(n: Many):
    return at_most(1, 0) if n > 999_990 else at_most(0, n)


def false_among_some(n: Many):
    return at_most(n, 0 if n in (5, 500_000) else n)


def false_of_odd_numbers(n: Many):
    return equal(n // 2 * 2, n)


def false_of_remainders(n: Many):
    return at_most(n % 1000, 998)


def false_of_a_count(n: Many):
    return at_most(len(range(n)), 900_000)


def false_in_a_table(n: integers(0, 40)):
    return at_most([*range(40), 100][n], n)


def false_of_a_loop(n: integers(1, 60)):
    return at_most(sum(1 for _ in range(n)), minimum_of(n))


def minimum_of(n: Any) -> Any:
    return min(n, 59)


def false_where_it_is_assumed(n: Many):
    assume(n >= 500_000)
    return at_most(n, 999_999)


def false_before_it_is_assumed(n: Many, x: Positive):
    y = x - 1 if n > 10 else x
    assume(n <= 10)
    return at_most(x + x * (n > 9), y)


def false_of_arrays(n: integers(1, 50)):
    return at_most(np.arange(n).sum(), n * (n - 1) / 2 - (n == 50))


def false_of_powers(n: Many):
    return at_most((-1) ** n, 0)


def false_of_waves(n: Many):
    return at_most(sin(n), 0.999)


def false_of_roots(n: Many):
    return at_most(sqrt(n), 999.9)


def false_of_copies(n: integers(1, 50)):
    return at_most(n - 1, max([1] * n) if n > 40 else n)


def false_of_many_copies(n: integers(1, 50)):
    return at_most(n - 1, (n * (1,))[0] if n > 40 else n)


def false_of_a_repeated_list(n: integers(1, 50)):
    entries = [1]
    entries *= n
    return at_most(n - 1, entries[0] if n > 40 else n)


def false_of_slices(n: integers(1, 50)):
    return at_most(sum([1] * 49), sum(([1] * 60)[:n]) + 49 * (n < 48))


def false_of_truth(n: integers(0, 50)):
    return at_most(1, n or 0)


FALSE = [value for name, value in list(globals().items()) if name.startswith("false_")]


@pytest.fixture
def little(monkeypatch):
    """Less work than a proof is given: what is false does not become true by more of it."""
    monkeypatch.setattr(proofs, "WORK", (5e4, 2e5))
    monkeypatch.setattr(proofs, "ALL", 5e5)
    monkeypatch.setattr(proofs, "RUNS", 2e5)


@pytest.mark.parametrize("body", FALSE)
def test_what_is_false_at_one_number_is_not_proved(body, little):
    proof = proof_of(body)
    assert proof is None or not proof.whole


def kinds(n: Many):
    return at_most(n, n if type(n) is int else n + 1)


def objects(n: Many):
    return at_most(n, n - 1 if np.asarray(n).dtype.kind == "i" and n > 500 else n)


def instances(n: Many):
    return at_most(n, n - 1 if isinstance(n, int) else n)


def digits(n: Many):
    return at_most(0, len(str(n)))


@pytest.mark.parametrize("body", [kinds, instances, objects, digits])
def test_what_looks_at_the_kind_of_a_number_is_not_proved(body, little):
    proof = proof_of(body)
    assert proof is None or not proof.whole


def close(n: integers(4, 10**6)):
    return at_most(4 * n, n * n)


def edited(where: str, value: str) -> Any:
    found = copy.deepcopy(dict(proof_of(close).certificate))
    found["set"]["choices"][0][0][1] = value
    if where == "both":
        found["cases"][0]["choice"][0][1] = value
    return sealed(found)


@pytest.mark.parametrize(("where", "value"), [
    ("both", "3..1000000"), ("both", "-7..1000000"), ("set", "4..2000000"), ("both", "4..4"), ("both", "1000000..4"),
    ("both", "4..1e6"), ("both", "04..1000000"), ("both", "500..1000"), ("both", "4 ..1000000"),
])  # fmt: skip
def test_a_run_that_was_tampered_with_is_refused(where, value):
    finding = verify(edited(where, value))
    assert not finding.confirmed


def test_a_run_beyond_the_domain_is_not_that_of_the_text():
    certificate = edited("both", "4..1000001")
    assert verify(certificate).confirmed
    with pytest.raises(Different, match="beyond its domain"):
        compared(claimed(close), certificate)


def test_choices_that_a_run_has_are_refused():
    found = copy.deepcopy(dict(proof_of(close).certificate))
    twice = copy.deepcopy(found["cases"][0])
    twice["choice"] = [["n", 100]]
    found["cases"].append(twice)
    found["set"]["choices"].append([["n", 100]])
    assert not verify(sealed(found)).confirmed


def test_a_program_of_one_number_is_none_of_a_run():
    found = copy.deepcopy(dict(proof_of(close).certificate))
    route = found["cases"][0]["routes"][0]
    node = next(n for n in route["program"] if n["op"] == "input")
    for key in ("name",):
        del node[key]
    node["op"] = "const"
    certificate = sealed(found)
    if verify(certificate).confirmed:
        with pytest.raises(Different):
            compared(claimed(close), certificate)


def spoiled(certificate: Any, way: str) -> Any:
    """A certificate in which one thing is wrong that a rule rests on."""
    found = copy.deepcopy(dict(certificate))
    for case in found["cases"]:
        (route,) = case["routes"]
        if way == "the sides are exchanged":
            route["conclusion"]["args"].reverse()
        elif way == "the relation is another":
            route["conclusion"]["kind"] = "less"
        elif way == "a path is what is assumed":
            route["assumed"] = [True] * len(route["assumed"])
        elif way == "nothing is assumed":
            route["hypotheses"], route["assumed"] = [], []
        elif way == "a number is another":
            for node in route["program"]:
                if node["op"] == "const" and node["data"] == ["2"]:
                    node["data"] = ["1"]
    return sealed(found)


@pytest.mark.parametrize(("body", "way"), [
    (costs, "the sides are exchanged"), (costs, "the relation is another"), (costs, "nothing is assumed"), (costs, "a number is another"),
    (logarithms, "the sides are exchanged"), (logarithms, "nothing is assumed"),
    (halves_of, "the relation is another"), (ranks, "the sides are exchanged"), (ranks, "the relation is another"),
    (ranks, "a path is what is assumed"),
])  # fmt: skip
def test_a_proof_in_which_one_thing_is_wrong_is_refused(body, way):
    claim = claimed(body)
    shown = proved(claim)
    assert shown is not None
    certificate = spoiled(shown.certificate, way)
    if verify(certificate).confirmed:  # of another statement: then it is not the text's
        assert way in ("a path is what is assumed", "nothing is assumed")
        with pytest.raises(Different):
            compared(claim, certificate)


def factors(x: Positive, y: Positive):
    return at_most(x * log(y), x * log(2 * y))


def products(x: Unit, y: Unit):
    return at_most((1 + x) * log((2 + x) / y), 2 * log(3 / y))


@pytest.mark.parametrize("body", [factors, products])
def test_sides_are_compared_factor_by_factor(body):
    assert proof_of(body).whole


def factors_of_any_sign(x: Real, y: Positive):
    return at_most(x * log(y), x * log(2 * y))


def products_of_any_sign(x: Unit, y: Unit):
    return at_most((1 + x) * log((1 + x) * y), 2 * log(2 * y))


def factors_exchanged(x: Positive, y: Positive):
    return at_most(x * log(2 * y), x * log(y))


def products_exchanged(x: Unit, y: Unit):
    return at_most(2 * log(3 / y), (1 + x) * log((2 + x) / y))


@pytest.mark.parametrize("body", [factors_of_any_sign, products_of_any_sign, factors_exchanged, products_exchanged])
def test_factors_of_unknown_sign_are_not_compared(body, little):
    proof = proof_of(body)
    assert proof is None or not proof.whole
