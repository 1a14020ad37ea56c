"""Sums up to a whole number: what is shown for all numbers of a run at once, and bodies of which that must not be said."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from making import claimed, sealed

from boundcheck import Positive, Unit, assume, at_most, exp, integers, less, log, pi, proofs, sin, sqrt
from boundcheck.checking.residues import Field, OtherText, require_text
from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.verifier import verify

# pyright: reportInvalidTypeForm=false

Many = integers(1, 60)


def proof_of(body: Any) -> Any:
    return proved(claimed(body))


def dimension(spectrum: Any, lam: Any) -> Any:
    return sum((x / (x + lam) for x in spectrum), 0 * lam)


def geometric(n: Many, r: Unit, lam: Positive):
    return at_most(dimension([r**i for i in range(1, n + 1)], lam), log(1 + 1 / lam) / log(1 / r))


def exponential(n: Many, c: Positive):
    lam = 1 / sqrt(n)
    return at_most(dimension([exp(-c * i) for i in range(1, n + 1)], lam), log(1 + sqrt(n)) / c)


def polynomial(n: Many, t: integers(2, 4), lam: Positive):
    angle = pi / t
    d = dimension([1 / i**t for i in range(1, n + 1)], lam)
    return at_most(d, exp(log(1 / lam) / t) * angle / sin(angle))


def squares(n: Many, lam: Positive):
    return at_most(dimension([1 / i**2 for i in range(1, n + 1)], lam), pi / 2 * sqrt(1 / lam))


def harmonic(n: Many, c: Positive):
    return at_most(sum(c / i for i in range(1, n + 1)), c * (1 + log(n)))


def trace(n: Many, lam: Positive):
    total = sum(1 / i for i in range(1, n + 1))
    return at_most(dimension([1 / (i * total) for i in range(1, n + 1)], lam), 1 / lam)


def features(n: Many, lam: Unit, delta: Unit):
    d, bound = dimension([1 / i**2 for i in range(1, n + 1)], lam), pi / 2 * sqrt(1 / lam)
    return at_most(5 * d * log(16 * d / delta), 5 * bound * log(16 * bound / delta))


def where_it_is_assumed(n: Many, a: Positive, b: Positive):
    assume(a <= b)
    return at_most(sum(a / i for i in range(1, n + 1)), b * (1 + log(n)))


TRUE = [geometric, exponential, polynomial, squares, harmonic, trace, features, where_it_is_assumed]


@pytest.mark.parametrize("body", TRUE)
def test_sums_are_shown_for_all_numbers_of_a_run(body):
    proof = proof_of(body)
    assert (proof.whole, proof.sizes) == (True, "every")
    assert {case["proof"]["way"] for case in proof.certificate["cases"]} == {"sums"}


def false_at_the_end(n: Many):
    return at_most(sum(1 / i for i in range(1, n + 1)), 4.67)


def false_at_the_beginning(n: Many):
    return at_most(sum(1 / i for i in range(1, n + 1)), 0.99 + log(n))


def false_at_one_number(n: Many):
    terms = [1 / i for i in range(1, n + 1)]
    return at_most(sum(terms), (1 + log(n)) * (0 if len(terms) == 37 else 1))


def false_of_a_whole_number(n: Many):
    terms = [1 / i for i in range(1, n + 1)]
    return at_most(sum(terms), (1 + log(n)) * (0 if isinstance(n, int) and len(terms) == 37 else 1))


def false_where_n_is(n: Many):
    return at_most(sum(1 / i for i in range(1, n + 1)), (1 + log(n)) * (0 if n == 37 else 1))


def false_of_an_entry(n: Many):
    return at_most(sum(1 / i for i in range(1, n + 1)), (1 + log(n)) * ([1] * 36 + [0] + [1] * 23)[n - 1])


def false_by_little_at_one_number(n: Many, c: Positive):
    terms = [c / i for i in range(1, n + 1)]
    return at_most(sum(terms) + 1e-13 * c * (len(terms) == 1), c * (1 + log(n)))


def false_of_one_term(n: Many):
    return at_most(sum(9 if i == 23 else 1 / i for i in range(1, n + 1)), 1 + log(n))


def false_of_the_last_term(n: Many):
    return at_most(sum(1 if i == n else 1 / i for i in range(1, n + 1)), 1 + log(n))


def false_of_one_term_more(n: Many):
    return at_most(sum(1 / i for i in range(1, n + 2)), 1 + log(n))


def false_of_a_longer_sum(n: Many):
    return at_most(sum(1 / i for i in range(1, 2 * n)), 1 + log(n))


def false_of_squares_too_large(n: Many, lam: Positive):
    return at_most(dimension([1 / i**2 for i in range(1, n + 1)], lam), 1.3 * sqrt(1 / lam))


def false_of_a_constant_term(n: Many, c: Positive):
    return at_most(sum(c for _ in range(1, n + 1)), c * (1 + log(n)))


def false_of_a_growing_spectrum(n: Many, lam: Positive):
    return at_most(dimension([2**i for i in range(1, n + 1)], lam), log(1 + 1 / lam) / log(2))


def false_of_a_sum_in_the_wrong_order(n: Many, c: Positive):
    return at_most(c * (1 + log(n)), sum(c / i for i in range(1, n + 1)))


def false_where_both_are_equal(n: Many):
    return less(sum(1 / i for i in range(1, n + 1)), 1 + log(n))


def false_where_nothing_is_assumed(n: Many, a: Positive, b: Positive):
    return at_most(sum(a / i for i in range(1, n + 1)), b * (1 + log(n)))


def false_of_few_features(n: Many, r: Unit, delta: Unit):
    d, bound = dimension([r**i for i in range(1, n + 1)], 1 / n), log(1 + n) / log(1 / r)
    return at_most(5 * d * log(16 * d / delta), 5 * bound * log(16 * bound / delta))


def false_of_no_terms(n: integers(0, 60), c: Positive):
    return less(0, sum((c / i for i in range(1, n + 1)), 0 * c))


def false_where_a_side_is_not_defined(n: Many, lam: Positive):
    d, bound = dimension([1 / i**2 for i in range(1, n + 1)], lam), pi / 2 * sqrt(1 / lam)
    return at_most(sqrt(d - 1), sqrt(bound - 1))


def false_where_a_term_is_not_defined(n: Many, c: Positive):
    total = sum(log(i - c) for i in range(1, n + 1))
    return at_most(total, total + 1)


def false_of_terms_without_a_sum(n: integers(1, 10**6)):
    return at_most(sum(1 / i for i in range(1, n + 1)), log(n) + 1 / n)


FALSE = [value for name, value in list(globals().items()) if name.startswith("false_")]


@pytest.fixture
def little(monkeypatch):
    """Less work than a proof is given: what is false does not become true by more of it."""
    monkeypatch.setattr(proofs, "WORK", (5e4, 2e5))
    monkeypatch.setattr(proofs, "ALL", 5e5)


@pytest.mark.parametrize("body", FALSE)
def test_what_is_false_of_a_sum_is_not_proved(body, little):
    proof = proof_of(body)
    assert proof is None or not proof.whole


# certificates in which something is wrong


def changed(body: Any, change: Any) -> Any:
    """The certificate of a body with its case changed, and what it says of its set."""
    found = copy.deepcopy(dict(proof_of(body).certificate))
    change(found["cases"][0], found["set"])
    return sealed(found)


def narrowed(case, extent):
    extent["choices"][0][0][1] = case["choice"][0][1] = "1..30"


def widened(case, extent):
    extent["choices"][0][0][1] = case["choice"][0][1] = "0..60"


def lengthened(case, extent):
    extent["choices"][0][0][1] = case["choice"][0][1] = "1..61"


def open_ended(case, extent):
    extent["reals"]["lam"] = [None, None, False, False]


def exchanged(case, extent):
    case["proof"]["args"].reverse()


def without_bounds(case, extent):
    case["proof"]["bounds"] = []


def of_a_larger_power(case, extent):
    bounds = [[*bound[:2], "3"] for bound in case["proof"]["bounds"] if bound[0] == "power"]
    case["proof"]["bounds"] = bounds


def of_smaller_terms(case, extent):
    for node in case["proof"]["program"]:
        if node["op"] == "const" and node["value"] == "-2":
            node["value"] = "-3"


def assuming(case, extent):
    case["proof"]["given"].append(["le", *case["proof"]["args"]])
    case["proof"]["bounds"] = []


def outside_of_its_sum(case, extent):
    program = case["proof"]["program"]
    case["proof"]["args"][0] = next(k for k, node in enumerate(program) if node["op"] == "index")


def named_like_the_index(case, extent):
    case["proof"]["program"].append({"op": "input", "name": "the index"})


def of_less(case, extent):
    case["routes"][0]["conclusion"]["kind"] = "less"


@pytest.mark.parametrize("change", [
    widened, open_ended, exchanged, without_bounds, of_a_larger_power, of_smaller_terms, assuming, outside_of_its_sum,
    named_like_the_index, of_less,
])  # fmt: skip
def test_a_sum_of_which_one_thing_is_wrong_is_refused(change):
    assert verify(proof_of(squares).certificate).confirmed
    assert not verify(changed(squares, change)).confirmed


def test_a_part_of_a_run_is_no_whole_domain():
    certificate = changed(squares, narrowed)
    assert verify(certificate).confirmed
    claim = claimed(squares)
    assert not proofs.covers(claim, proofs.Parameters.of(claim), certificate["set"])


@pytest.mark.parametrize(("body", "change"), [(squares, lengthened), (harmonic, None)])
def test_a_sum_is_that_of_the_text(body, change):
    certificate = changed(squares, change or (lambda case, extent: None))
    assert verify(certificate).confirmed
    with pytest.raises(Different):
        compared(claimed(body), certificate)


def tail(n: Many, lam: Positive):
    terms = [1 / i**2 for i in range(1, n + 1)]
    own = dimension(terms, lam)
    return at_most(own if len(terms) != 41 else own + lam, pi / 2 * sqrt(1 / lam))


def test_a_text_is_compared_at_every_number():
    (case,) = proof_of(squares).certificate["cases"]
    for n in (1, 40, 42, 60):
        require_text(claimed(tail), case, 1, {}, n, Field())
    with pytest.raises(OtherText):
        require_text(claimed(tail), case, 1, {}, 41, Field())
