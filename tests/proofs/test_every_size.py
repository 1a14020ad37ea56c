"""Identities of matrices of every size: what is shown in words, and what is true at some sizes alone and is not."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from making import claimed, sealed

from boundcheck import (
    PSD,
    Few,
    Matrix,
    Orthogonal,
    Positive,
    PositiveDefinite,
    Real,
    Simplex,
    SquareMatrix,
    Symmetric,
    Unit,
    Vector,
    assume,
    equal,
    identity,
    inverse,
    norm,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.checking.certificate import NotFinite, NotTraceable
from boundcheck.checking.uniform import uniform
from boundcheck.checking.verification import Different, compared
from boundcheck.proofs import proved
from boundcheck.verifier import verify
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.uniform import Model

# pyright: reportInvalidTypeForm=false


def push_through(Z: Matrix("n", "s"), lam: Positive):
    n, s = Z.shape
    return equal(solve(Z @ Z.T + lam * identity(n), Z), Z @ inverse(Z.T @ Z + lam * identity(s)))


def woodbury(A: PositiveDefinite("n"), U: Matrix("n", "k")):
    small = identity(U.shape[1]) + U.T @ inverse(A) @ U
    return equal(inverse(A + U @ U.T), inverse(A) - inverse(A) @ U @ inverse(small) @ U.T @ inverse(A))


def hua(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    I = identity(len(A))
    return equal(inverse(I + A) @ A, I - inverse(I + A)), equal(inverse(A @ B), inverse(B) @ inverse(A))


def cyclic(A: Matrix("n", "m"), B: Matrix("m", "k"), C: Matrix("k", "n")):
    return equal(trace(A @ B @ C), trace(C @ A @ B)), equal(np.sum(A * A), trace(A.T @ A))


def parallelogram(x: Vector("n"), y: Vector("n"), a: Real):
    return equal(norm(x + a * y) ** 2 + norm(x - a * y) ** 2, 2 * (x @ x) + 2 * a**2 * (y @ y))


def commutator(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return equal(trace(A @ B - B @ A), 0)


def of_identity(Z: Matrix("n", "s")):
    n, s = Z.shape
    return equal(trace(identity(n)) * s, n * trace(identity(s)))


def weighted(Z: Matrix("n", "m"), p: Simplex("m"), lam: Positive):
    K = (Z * p) @ Z.T
    R = inverse(K + lam * identity(len(K)))
    return equal(np.sum(p * np.sum(Z * (R @ Z), axis=0)), trace(R @ K)), equal(np.sum(p), 1)


def replicas(Z: Matrix("n", "s"), m: Few):
    return equal(trace(m * Z @ Z.T) / m, np.sum(Z**2))


TRUE = [push_through, woodbury, hua, cyclic, parallelogram, commutator, of_identity, weighted, replicas]


def commute(A: SquareMatrix("n"), B: SquareMatrix("n")):
    """For n = 1 alone."""
    return equal(A @ B, B @ A)


def cubes(A: SquareMatrix("n"), B: SquareMatrix("n")):
    """For n = 1: a trace of order three is not symmetric."""
    C = A @ B
    return equal(trace(A @ B @ C), trace(B @ A @ C))


def symmetric_words(A: Symmetric("n"), B: Symmetric("n"), C: Symmetric("n")):
    """For n <= 2: tr ABC = tr CBA holds for all symmetric matrices; with another factor it does not."""
    return equal(trace(A @ B @ C @ B @ A @ A @ C), trace(C @ B @ A @ B @ A @ A @ C))


def symmetric_alone(A: SquareMatrix("n")):
    return equal(A, A.T)


def normal_alone(A: SquareMatrix("n")):
    return equal(A @ A.T, A.T @ A)


def hall(A: SquareMatrix("n"), B: SquareMatrix("n")):
    """Hall's identity: the square of a commutator is central for n <= 2."""
    C = A @ B - B @ A
    return equal(C @ C @ A, A @ C @ C)


def cayley_hamilton(A: SquareMatrix("n")):
    """For n <= 2."""
    t = trace(A)
    return equal(A @ A - t * A + (t**2 - trace(A @ A)) / 2 * identity(len(A)), 0 * A)


def cayley_hamilton_traced(A: SquareMatrix("n")):
    """For n <= 2: the trace of the identity of Cayley and Hamilton times A."""
    t1, t2, t3 = trace(A), trace(A @ A), trace(A @ A @ A)
    return equal(t3, 3 / 2 * t1 * t2 - t1**3 / 2)


def standard_four(A: SquareMatrix("n"), B: SquareMatrix("n"), C: SquareMatrix("n"), D: SquareMatrix("n")):
    """For n <= 2 (Amitsur and Levitzki)."""
    from_pairs = 0 * A
    for x, y, z, w, sign in (
        (A, B, C, D, 1), (A, C, B, D, -1), (A, D, B, C, 1), (B, C, A, D, 1), (B, D, A, C, -1), (C, D, A, B, 1),
    ):  # fmt: skip
        from_pairs = from_pairs + sign * (x @ y - y @ x) @ (z @ w - w @ z)
    return equal(from_pairs, 0 * A)


def order_in_a_coefficient(A: SquareMatrix("n")):
    """For n = 1 and 2: (n - 1)(n - 2) is a size in a coefficient."""
    n = len(A)
    return equal((n - 1) * (n - 2) * A, 0 * A)


def trace_of_ones(Z: Matrix("n", "s")):
    """For n = s."""
    n, s = Z.shape
    return equal(trace(identity(n)) * trace(Z @ Z.T), s * trace(Z.T @ Z))


def diagonal_alone(A: SquareMatrix("n")):
    return equal(np.sum(A), trace(A))


def vector_of_one(x: Vector("n"), y: Vector("n")):
    """For n = 1."""
    return equal((x @ y) ** 2, (x @ x) * (y @ y))


def rank_one_alone(Z: Matrix("n", "s")):
    """Where Z has one row or one column."""
    K = Z @ Z.T
    return equal(K @ K, trace(K) * K)


def inverse_of_sum(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    return equal(inverse(A + B), inverse(A) + inverse(B))


def wrong_ridge(Z: Matrix("n", "s"), lam: Positive):
    n, s = Z.shape
    return equal(solve(Z @ Z.T + n * lam * identity(n), Z), Z @ inverse(Z.T @ Z + s * lam * identity(s)))


def small_error(Z: Matrix("n", "s"), lam: Positive):
    n, s = Z.shape
    return equal(solve(Z @ Z.T + lam * identity(n), Z), (1 + 1 / 10**30) * Z @ inverse(Z.T @ Z + lam * identity(s)))


def deep(A: SquareMatrix("n"), B: SquareMatrix("n")):
    """The first difference is in words of length 12."""
    P = A
    for _ in range(11):
        P = P @ A
    return equal(trace(P @ B + B), trace(P @ B.T + B))


def unweighted(p: Vector("m"), g: Vector("m")):
    return equal(np.sum(p * g * g), np.sum(p) * np.sum(g * g))


def given(x: Vector("n"), y: Vector("n")):
    assume(x @ y == 0)
    return equal(norm(x + y) ** 2, x @ x + y @ y)


def turning(Z: Matrix("n", "s")):
    n = len(Z)
    return equal(Z, Z if n < 100 else 2 * Z)


def counting(x: Vector("n")):
    return equal(sum(x[k] for k in range(len(x))), np.sum(x))


def entry(A: SquareMatrix("n")):
    return equal(A[0, 0], A[0, 0])


def by_order(x: Vector("n")):
    return equal(np.sort(x), np.sort(x))


def by_sign(x: Vector("n"), a: Real):
    return equal(a * x, abs(a) * x if a > 0 else a * x)


def rotations(Q: Orthogonal("n")):
    return equal(Q @ Q.T, identity(len(Q)))


FALSE = [
    commute, cubes, symmetric_words, symmetric_alone, normal_alone, hall, cayley_hamilton, cayley_hamilton_traced, standard_four,
    order_in_a_coefficient, trace_of_ones, diagonal_alone, vector_of_one, rank_one_alone, inverse_of_sum, wrong_ridge, small_error, deep,
    unweighted, given,
]  # fmt: skip
OTHER = [turning, counting, entry, by_order, by_sign, rotations]
"""Texts that are not the same for every size, or have no rule."""


@pytest.mark.parametrize("body", TRUE)
def test_an_identity_is_proved_for_every_size(body):
    proof = proved(claimed(body))
    assert proof is not None
    assert (proof.whole, proof.sizes) == (True, "every")
    assert proof.words.startswith("for every size")


@pytest.mark.parametrize("body", FALSE)
def test_what_holds_at_some_sizes_or_for_some_matrices_alone_is_not_the_same_in_words(body):
    text = uniform(claimed(body))
    (_, args), model = *text.parts, Model.drawn()
    values = model.run(text.program.nodes)
    sides = [values[k] for k in args]
    with pytest.raises(Rejection):
        model.require_equal(*sides)


@pytest.mark.parametrize("body", OTHER)
def test_a_text_that_is_not_the_same_for_every_size_has_no_such_program(body):
    with pytest.raises((NotTraceable, NotFinite)):
        uniform(claimed(body))


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    proof = proved(claimed(push_through))
    assert proof is not None
    return dict(proof.certificate)


def altered(certificate: dict[str, Any], change: Any) -> dict[str, Any]:
    made = copy.deepcopy(certificate)
    change(made["cases"][0]["proof"], made)
    return sealed(made)


def _another_program(proof: Any, _: Any) -> None:
    proof["program"] = [{"op": "letter", "args": [], "name": "Z", "shape": ["n", "s"]}]
    proof["args"] = [0, 0]


def _another_sign(proof: Any, _: Any) -> None:
    node = next(n for n in proof["program"] if n["op"] == "add")
    node["op"] = "sub"


def _other_sizes(proof: Any, _: Any) -> None:
    proof["program"] = [{**n, "shape": ["n", "n"]} if n["op"] == "letter" and n["name"] == "Z" else n for n in proof["program"]]


def _more(_: Any, made: Any) -> None:
    made["set"]["choices"].append([["Z", [1, 1]], ["lam", []]])


def _unshaped(_: Any, made: Any) -> None:
    made["set"]["shaped"] = False


def _word(_: Any, made: Any) -> None:
    made["set"]["sizes"] = "all"


@pytest.mark.parametrize("change", [_another_program, _another_sign, _other_sizes, _more, _unshaped, _word])
def test_a_changed_proof_is_refused(certificate, change):
    assert verify(dict(certificate)).confirmed
    assert not verify(altered(certificate, change)).confirmed


def test_a_proof_of_another_text_is_refused(certificate):
    def push_through(Z: Matrix("n", "s"), lam: Positive):
        n, s = Z.shape
        return equal(solve(Z @ Z.T + lam * identity(n), Z), solve(Z @ Z.T + lam * identity(n), Z) * (s / s))

    with pytest.raises(Different):
        compared(claimed(push_through), certificate)


def test_sides_that_are_not_those_of_the_text_are_refused(certificate):
    def same(proof: Any, _: Any) -> None:
        proof["args"] = [proof["args"][0]] * 2

    with pytest.raises(Different, match="not that of the text"):
        compared(claimed(push_through), altered(certificate, same))


def test_a_root_is_what_its_square_says():
    def lengths(x: Vector("n"), y: Vector("n")):
        return equal(norm(x + y) ** 2, norm(x) ** 2 + 2 * (x @ y) + norm(y) ** 2), equal(norm(x - y), norm(y - x))

    def halves(x: Vector("n")):
        return equal(norm(2 * x), 2 * norm(x))

    assert proved(claimed(lengths)).sizes == "every"  # pyright: ignore[reportOptionalMemberAccess]
    text, model = uniform(claimed(halves)), Model.drawn()
    values = model.run(text.program.nodes)
    with pytest.raises(Rejection):
        model.require_equal(*(values[k] for k in text.parts[0][1]))


def test_a_sized_array_in_a_text_of_every_size_is_its_own():
    def fixed(Z: Matrix(2, "s"), t: Unit):
        return equal(trace(Z @ Z.T + t * identity(2)), np.sum(Z * Z) + 2 * t), equal(sqrt(4 * t) ** 2, 4 * t)

    assert proved(claimed(fixed)).sizes == "every"  # pyright: ignore[reportOptionalMemberAccess]


def test_semidefinite_matrices_are_products():
    def squares(K: PSD("n"), x: Vector("n")):
        return equal(x @ K @ x, K @ x @ x), equal(K, K.T)

    assert proved(claimed(squares)).sizes == "every"  # pyright: ignore[reportOptionalMemberAccess]
