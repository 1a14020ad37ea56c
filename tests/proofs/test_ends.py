"""Ends that are computed, or have more digits than a float: domains lie inside of what is meant, and are not all of it."""

import math

import numpy as np
import pytest
from making import claimed

from boundcheck import (
    PSD,
    Box,
    Convex,
    E,
    Family,
    FiniteLaw,
    SmoothConvex,
    Vector,
    at_most,
    between,
    less,
    loewner,
    quantity,
    setting,
    sqrt,
)
from boundcheck.checking.certificate import NotTraceable, program_at
from boundcheck.checking.verification import Different, compared
from boundcheck.domains.domain import domain_of, is_inner
from boundcheck.proofs import proved


def two_thirds(x: between(0, 2 / 3)):
    return at_most(3 * x, 2 - 1e-12)


def a_root(x: between(-sqrt(2), sqrt(2), closed=True)):
    return less(x**2, 2)


def sixteen_digits(x: between(0, 1.000000000000001, closed=True)):
    return at_most(x, 1)


def a_third(x: between(0, 1 / 3, closed=True)):
    return less(3 * x, 1)


def two_sides(x: between(1 / 3, 1, closed=True), y: between(0, 1 / 3, closed=True)):
    return less(y, x)


def a_logarithm(x: between(0, math.log(2), closed=True)):
    return at_most(x, 0.693147180559)


def a_mean(p: between(0, 1 / 3, closed=True)):
    return at_most(E(quantity(lambda rng, size: rng.binomial(3, p, size))), 1 - 1e-13)


def a_box(x: Box(2, 0, 1.000000000000001)):
    return at_most(x, 1)


FALSE = [two_thirds, a_root, sixteen_digits, a_third, two_sides, a_logarithm, a_mean, a_box]


@pytest.mark.parametrize("body", FALSE, ids=lambda body: body.__name__)
def test_what_is_false_at_the_end_that_is_meant_is_not_proved_on_the_whole_domain(body):
    proof = proved(claimed(body))
    assert proof is None or not proof.whole, proof.words


def on_thirds(x: between(0, 3, closed=True)):
    return at_most(x / 3, 1)


def on_decimals(x: between(0.25, 0.987654321)):
    return at_most(x, 0.987654321)


@pytest.mark.parametrize("body", [on_thirds, on_decimals], ids=lambda body: body.__name__)
def test_an_end_as_it_is_written_is_the_end(body):
    proof = proved(claimed(body))
    assert proof is not None
    assert proof.whole


def a_factor_of_every_size(x: Vector("n"), c: between(0, 1 / 3)):
    return at_most(c * (x @ x), 0.333333333333 * (x @ x))


def a_root_of_every_size(A: PSD("n"), c: between(-1 / 3, math.sqrt(2))):
    return loewner(c * A, 1.41421356237 * A)


def a_box_of_every_size(x: Box("n", 0, 1 / 3)):
    return at_most(x @ x, 0.333333333333 * np.sum(x))


@setting
class Third:
    """A number."""

    x: between(0, 1 / 3)


@setting
class Outer:
    """A setting in a setting."""

    third: Third


def a_field(case: Third):
    return at_most(case.x, 0.333333333333)


def a_field_of_a_field(case: Outer):
    return at_most(case.third.x, 0.333333333333)


def a_family(x: Family(between(0, 1 / 3), 2)):
    return at_most(x, 0.333333333333)


def one_entry(x: Box(1, 0, 2 / 3)):
    return at_most(x, 0.666666666666)


SHAPED = [a_factor_of_every_size, a_root_of_every_size, a_box_of_every_size, a_field, a_field_of_a_field, a_family, one_entry]


@pytest.mark.parametrize("body", SHAPED, ids=lambda body: body.__name__)
def test_of_arrays_and_settings_with_a_computed_end_nothing_is_shown(body):
    """No set of shapes, and no size, says where a domain was cut."""
    assert proved(claimed(body)) is None


def written(x: Box("n", 0, 0.333333333333)):
    return at_most(x @ x, 0.333333333333 * np.sum(x))


def test_a_proof_about_shapes_is_not_that_of_a_text_with_a_computed_end():
    proof, claim = proved(claimed(written)), claimed(a_box_of_every_size)
    assert proof is not None
    about = {**proof.certificate["claim"], "id": claim.id, "statement": claim.statement, "fingerprint": claim.fingerprint}
    with pytest.raises(Different, match="it has a computed end"):
        compared(claim, {**proof.certificate, "claim": about})


@pytest.mark.parametrize("domain", [between(0, 1 / 3), Third, Outer, Family(Third, 2), Box("n", 0, 2 / 3), SmoothConvex(1 / 3)])
def test_what_is_made_of_a_cut_domain_is_cut(domain):
    assert is_inner(domain_of(domain))


@pytest.mark.parametrize("domain", [between(0, 1), Box("n", 0, 0.25), Family(PSD("d"), 2), SmoothConvex(4), FiniteLaw])
def test_what_is_as_it_is_written_is_not(domain):
    assert not is_inner(domain_of(domain))


def test_an_end_with_more_digits_than_a_float_is_not_read():
    def body(x: between(0, 1.00000000000000000001)):
        return at_most(x, 1)

    with pytest.raises(NotTraceable, match=r"`1\.00000000000000000001` has more digits than a float"):
        program_at(claimed(body), {"x": 0.5})


END = 1.00000000000000000001
RANGE = between(0, END)


def below_an_end_of_the_module(x: between(0, END)):
    return at_most(x, 1)


def in_a_range_of_the_module(x: RANGE):
    return at_most(x, 1)


@pytest.mark.parametrize("body", [below_an_end_of_the_module, in_a_range_of_the_module], ids=lambda body: body.__name__)
def test_nor_is_one_that_the_module_names(body):
    with pytest.raises(NotTraceable, match=r"`1\.00000000000000000001` has more digits than a float"):
        program_at(claimed(body), {"x": 0.5})


@pytest.mark.parametrize("domain", [SmoothConvex(math.sqrt(2), 1 / 3), Convex(1 / 3)], ids=["smooth", "kinks"])
def test_a_computed_constant_of_a_class_lies_inside(domain):
    slopes = domain.chart["slopes"]
    assert slopes.high**2 < 2 or math.isinf(slopes.high)
    assert slopes.low * 3 > 1
