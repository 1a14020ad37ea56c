"""Inequalities of matrices of every size: what is shown by squares, and what lies just outside and is not."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from making import claimed, sealed

from boundcheck import (
    PSD,
    Matrix,
    NonNegative,
    Positive,
    PositiveDefinite,
    Real,
    Simplex,
    SquareMatrix,
    Symmetric,
    Unit,
    Vector,
    assume,
    at_most,
    equal,
    identity,
    inverse,
    less,
    loewner,
    norm,
    solve,
    trace,
)  # fmt: skip
from boundcheck.checking.uniform import uniform
from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.proofs.squares import squares
from boundcheck.verifier import verify
from boundcheck.verifier.findings import Rejection, allowance
from boundcheck.verifier.squares import by_squares, probed

# pyright: reportInvalidTypeForm=false


def ridge_minimises(Z: Matrix("n", "s"), y: Vector("n"), b: Vector("s"), lam: Positive):
    n, s = Z.shape
    best = solve(Z.T @ Z + n * lam * identity(s), Z.T @ y)
    least, value = (norm(y - Z @ a) ** 2 / n + lam * (a @ a) for a in (best, b))
    return at_most(least, value)


def energy(K: PSD("n"), y: Vector("n"), lam: Positive):
    alpha = solve(K + lam * identity(len(y)), y)
    return at_most(alpha @ K @ alpha, y @ y / (4 * lam))


def inverses(A: PositiveDefinite("n"), B: PSD("n")):
    return loewner(inverse(A + B), inverse(A))


def weighted_cauchy(Z: Matrix("n", "m"), p: Simplex("m"), g: Vector("m"), c: Vector("n")):
    K = (Z * p) @ Z.T
    return at_most((c @ (Z @ (p * g))) ** 2, (c @ K @ c) * (p * g * g).sum())


def on_the_ball(Z: Matrix("n", "m"), p: Simplex("m"), g: Vector("m")):
    assume((p * g * g).sum() <= 1)
    f = Z @ (p * g)
    return equal(f, Z @ (p * g)), loewner(f[:, None] * f[None, :], (Z * p) @ Z.T)


def triangle(x: Vector("n"), y: Vector("n"), t: Unit):
    return at_most(norm(x + y) ** 2 + t, 2 * (x @ x) + 2 * (y @ y) + 1)


def scores(Z: Matrix("n", "m"), p: Simplex("m"), lam: Positive):
    R = inverse((Z * p) @ Z.T + lam * identity(len(Z)))
    return at_most(0, p * np.sum(Z * (R @ Z), axis=0))


TRUE = [ridge_minimises, energy, inverses, weighted_cauchy, on_the_ball, triangle, scores]


def no_order_of_squares(A: PSD("n"), C: PSD("n")):
    """A <= A + C does not give A^2 <= (A + C)^2."""
    return loewner(A @ A, (A + C) @ (A + C))


def inverses_reversed(A: PositiveDefinite("n"), B: PSD("n")):
    return loewner(inverse(A), inverse(A + B))


def cauchy_reversed(x: Vector("n"), y: Vector("n")):
    return at_most((x @ x) * (y @ y), (x @ y) ** 2)


def too_sharp(K: PSD("n"), y: Vector("n"), lam: Positive):
    alpha = solve(K + lam * identity(len(y)), y)
    return at_most(alpha @ K @ alpha, (1 - 1 / 10**6) * (y @ y) / (4 * lam))


def size_in_a_coefficient(x: Vector("n")):
    """For n <= 3."""
    return at_most(np.sum(x) ** 2, 3 * (x @ x))


def few_columns(Z: Matrix("n", "s")):
    """For s <= 3: (tr ZZ')^2 <= 3 tr (ZZ')^2."""
    K = Z @ Z.T
    return at_most(trace(K) ** 2, 3 * trace(K @ K))


def strictly(x: Vector("n")):
    return less(0, x @ x)


def outside_the_ball(x: Vector("n")):
    assume(x @ x <= 1)
    return at_most(1, x @ x)


def of_no_number(a: Real, b: Real):
    """Where a = b; (a - b) / (b - a) is -1."""
    assume(a <= b)
    assume(b <= a)
    return at_most(1, 0 * a)


def not_commuting(A: PSD("n"), B: PSD("n"), x: Vector("n")):
    return at_most(x @ A @ B @ x, x @ A @ A @ x + x @ B @ B @ x / 8)


def commuting_alone(A: PSD("n"), B: PSD("n")):
    """2 AB <= A^2 + B^2, whose left side is no symmetric matrix."""
    return loewner(2 * A @ B, A @ A + B @ B)


FALSE = [
    no_order_of_squares, inverses_reversed, cauchy_reversed, too_sharp, size_in_a_coefficient, few_columns, strictly,
    outside_the_ball, of_no_number, not_commuting,
]  # fmt: skip


def two_psd(A: PSD("n"), B: PSD("n")):
    return at_most(0, trace(A @ B))


def sandwiched(A: PSD("n"), B: PSD("n"), x: Vector("n")):
    return at_most(0, x @ A @ B @ A @ x)


def weights(p: Simplex("m"), x: Vector("m")):
    return at_most(0, (p * x * x).sum())


def inverse_of_psd(A: PSD("n"), x: Vector("n"), c: Positive):
    return at_most(0, x @ inverse(A + c * identity(len(x))) @ x)


SEEN = [two_psd, sandwiched, weights, inverse_of_psd]
"""What is not negative by how it is made."""


def three_psd(A: PSD("n"), B: PSD("n"), C: PSD("n")):
    return at_most(0, trace(A @ B @ C))


def psd_and_symmetric(A: PSD("n"), B: Symmetric("n")):
    return at_most(0, trace(A @ B))


def not_sandwiched(A: PSD("n"), B: PSD("n"), x: Vector("n")):
    return at_most(0, x @ A @ B @ x)


def not_turned(A: SquareMatrix("n"), B: PSD("n"), x: Vector("n")):
    return at_most(0, x @ A @ B @ A @ x)


def a_symmetric_form(A: Symmetric("n"), x: Vector("n")):
    return at_most(0, x @ A @ x)


def an_inverse(A: Symmetric("n"), x: Vector("n")):
    return at_most(0, x @ inverse(A) @ x)


def two_vectors(A: PSD("n"), x: Vector("n"), y: Vector("n")):
    return at_most(0, x @ A @ y)


def a_real_multiple(x: Vector("n"), a: Real):
    return at_most(0, a * (x @ x))


def real_weights(w: Vector("m"), x: Vector("m")):
    return at_most(0, (w * x * x).sum())


def a_difference(K: PSD("n"), x: Vector("n"), lam: NonNegative):
    return at_most(0, x @ (K - lam * identity(len(x))) @ x)


def entries_of_psd(A: PSD("n")):
    """The diagonal is not negative, other entries may be."""
    return at_most(0, np.sum(A, axis=0))


def a_product(A: PSD("n"), B: PSD("n")):
    return loewner(0 * A, A @ B)


def columns_times_rows(x: Vector("n"), y: Vector("n")):
    return at_most(0, np.sum(x[:, None] * y[None, :]))


UNSEEN = [
    three_psd, psd_and_symmetric, not_sandwiched, not_turned, a_symmetric_form, an_inverse, two_vectors, a_real_multiple,
    real_weights, a_difference, entries_of_psd, a_product, columns_times_rows,
]  # fmt: skip


@pytest.mark.parametrize("body", TRUE)
def test_an_inequality_is_proved_for_every_size(body):
    proof = proved(claimed(body))
    assert proof is not None
    assert (proof.whole, proof.sizes) == (True, "every")


@pytest.mark.parametrize("body", [*FALSE, *UNSEEN])
def test_what_holds_at_some_sizes_or_for_some_matrices_alone_is_not_found(body):
    with pytest.raises(Rejection), allowance(60_000_000):
        squares(uniform(claimed(body)), 0)


def own_side(body: Any) -> tuple[dict[str, Any], str]:
    """A proof whose only term is the larger side itself, where the smaller is 0."""
    text = uniform(claimed(body))
    relation, made = text.parts[0][0], text.part(0, granted=True)
    shape = max((text.program.shapes[k] for k in text.parts[0][1]), key=len)
    _, sides = probed(made["program"], made["args"], relation, tuple(getattr(d, "name", d) for d in shape))
    return {"way": "squares", **made, "more": [], "terms": [sides[1]]}, relation


@pytest.mark.parametrize("body", SEEN)
def test_a_term_is_not_negative_by_how_it_is_made(body):
    with allowance(60_000_000):
        by_squares(*own_side(body))


@pytest.mark.parametrize("body", UNSEEN)
def test_a_term_that_may_be_negative_is_refused(body):
    with pytest.raises(Rejection), allowance(60_000_000):
        by_squares(*own_side(body))


def test_matrices_that_are_not_symmetric_have_no_order():
    """A form of 2 AB is at most that of A^2 + B^2, whose difference is symmetric where A and B commute."""
    text = uniform(claimed(commuting_alone))
    with pytest.raises(Rejection), allowance(60_000_000):
        by_squares({"way": "squares", **squares(text, 0)}, "loewner")


# the format


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    proof = proved(claimed(on_the_ball))
    assert proof is not None
    return dict(proof.certificate)


def altered(certificate: dict[str, Any], change: Any) -> dict[str, Any]:
    made = copy.deepcopy(certificate)
    change(made["cases"][1]["proof"])
    return sealed(made)


def _fewer(proof: Any) -> None:
    proof["terms"] = proof["terms"][:-1]


def _twice(proof: Any) -> None:
    proof["terms"] = [*proof["terms"], proof["terms"][0]]


def _none(proof: Any) -> None:
    proof["terms"] = []


def _turned_hypothesis(proof: Any) -> None:
    proof["given"] = [[relation, k, j] for relation, j, k in proof["given"]]


def _no_hypothesis(proof: Any) -> None:
    proof["given"] = []


def _another_relation(proof: Any) -> None:
    proof["given"] = [["lt", j, k] for _, j, k in proof["given"]]


def _no_sign(proof: Any) -> None:
    proof["signs"] = {}


def _unknown_sign(proof: Any) -> None:
    proof["signs"] = {**proof["signs"], "g": "negative"}


def _another_letter(proof: Any) -> None:
    proof["more"] = [*proof["more"], {"op": "letter", "args": [], "name": "h", "shape": []}]


def _another_probe(proof: Any) -> None:
    for node in proof["program"]:
        if node.get("name") == "g":
            node["name"] = "?"


def _no_more(proof: Any) -> None:
    proof["more"] = []


CHANGES = [
    _fewer, _twice, _none, _turned_hypothesis, _no_hypothesis, _another_relation, _no_sign, _unknown_sign, _another_letter,
    _another_probe, _no_more,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_proof_is_refused(certificate, change):
    assert verify(dict(certificate)).confirmed
    assert not verify(altered(certificate, change)).confirmed


def test_a_sign_that_the_domain_does_not_say_is_refused(certificate):
    def more(proof: Any) -> None:
        proof["signs"] = {**proof["signs"], "Z": "nonnegative"}

    with pytest.raises(Different, match="not that of the text"):
        compared(claimed(on_the_ball), altered(certificate, more))


def test_a_term_that_divides_by_what_may_vanish_is_refused():
    """-1 is (a - b) / (b - a), of two numbers of which each is at most the other."""
    made = uniform(claimed(of_no_number)).part(0, granted=True)
    start = len(made["program"])
    (_, a, b), _ = made["given"]
    more = [
        {"op": "sub", "args": [a, b]},
        {"op": "sub", "args": [b, a]},
        {"op": "div", "args": [start, start + 1]},
    ]
    with pytest.raises(Rejection, match="undefined"), allowance(60_000_000):
        by_squares({"way": "squares", **made, "more": more, "terms": [start + 2]}, "at_most")


def test_a_root_is_not_taken_of_what_may_be_negative():
    def real(a: Real):
        return at_most(0, a**2)

    made = uniform(claimed(real)).part(0, granted=True)
    letter, start = made["args"][1] - 1, len(made["program"])
    more = [{"op": "sqrt", "args": [letter]}, {"op": "pow", "args": [start], "exponent": 4}]
    with pytest.raises(Rejection, match="undefined"), allowance(60_000_000):
        by_squares({"way": "squares", **made, "more": more, "terms": [start + 1]}, "at_most")


def test_bounds_of_numbers_are_hypotheses():
    def below(t: Unit, x: Vector("n")):
        return at_most(t * (x @ x), x @ x)

    def above(t: Unit, x: Vector("n")):
        return at_most(x @ x, t * (x @ x))

    assert proved(claimed(below)).sizes == "every"  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(Rejection), allowance(60_000_000):
        squares(uniform(claimed(above)), 0)


def test_the_first_entries_of_a_vector_are_a_vector():
    def first(Z: Matrix("n", "m"), c: Vector(3)):
        c = c[: Z.shape[0]]
        return at_most(0, c @ Z @ Z.T @ c), equal(c @ Z @ Z.T @ c, norm(Z.T @ c) ** 2)

    text = uniform(claimed(first))
    with allowance(60_000_000):
        by_squares({"way": "squares", **squares(text, 0)}, "at_most")
