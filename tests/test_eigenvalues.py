"""Eigenvalues of general square matrices: what is true of all of them is not refuted, what is false is, exactly."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from boundcheck import (
    PSD,
    P,
    SquareMatrix,
    Symmetric,
    Vector,
    assume,
    at_most,
    between,
    both,
    equal,
    integers,
    quantity,
    spectral_radius,
)  # fmt: skip
from boundcheck.checking.certificate import followed
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import Outcome
from boundcheck.domains.instances import draw_instances
from boundcheck.operations import OPERATIONS
from boundcheck.operations.rounding import radii
from boundcheck.tape import NotTraceable, Tape, trace_input
from boundcheck.verifier import verify
from boundcheck.verifier.matrices import eigvals, eigvalsh
from boundcheck.verifier.numbers import lower, upper
from boundcheck.verifier.seal import digest
from boundcheck.words.claims import make_claim
from boundcheck.words.hypotheses import AS_PRINTED

PLAN = Plan("test", instances=20, work=400, trials=400, sampled_instances=1, confirmation_trials=2000)


def verdict(body: Any) -> Any:
    return judge(make_claim(body, f"test.{body.__name__}", "here", "theorem"), PLAN, 1e-7)


# pyright: reportInvalidTypeForm=false
def below_the_norm(A: SquareMatrix("n")):
    return at_most(np.abs(np.linalg.eigvals(A)), np.linalg.norm(A, 2))


def schur(A: SquareMatrix("n")):
    return at_most(np.linalg.norm(np.linalg.eigvals(A)), np.linalg.norm(A))


def gelfand(A: SquareMatrix("n"), k: integers(1, 4)):
    return at_most(spectral_radius(A) ** k, np.linalg.norm(np.linalg.matrix_power(A, k), 2))


def jordan(n: integers(1, 6), c: between(-2, 2)):
    block = c * np.eye(n) + np.eye(n, k=1)
    return both(equal(max(abs(np.linalg.eigvals(block))), np.abs(c)), equal(np.linalg.eigvals(block).imag, 0))


def rotation(a: between(-1, 1), b: between(-1, 1)):
    lam = np.linalg.eigvals(np.array([[a, -b], [b, a]]))
    return both(equal(np.max(np.abs(lam)), np.sqrt(a * a + b * b)), equal(np.min(lam.real), a), equal(lam.imag.max(), np.abs(b)))


def row_sums(B: SquareMatrix("n")):
    A = np.abs(B)
    return both(at_most(spectral_radius(A), np.max(np.sum(A, axis=1))), at_most(np.min(np.sum(A, axis=1)), spectral_radius(A)))


def cyclic(n: integers(1, 7)):
    return equal(np.abs(np.linalg.eigvals(np.roll(np.eye(n), 1, axis=0))), 1)


def power_sums(A: SquareMatrix("n")):
    lam = np.linalg.eigvals(A)
    return both(equal(np.sum(lam), np.trace(A)), equal(np.sum(lam**2).real, np.trace(A @ A)), equal(np.prod(lam), np.linalg.det(A)))


def one_singular_value(A: SquareMatrix("n")):
    _, singular, _ = np.linalg.svd(A)
    return at_most(spectral_radius(A), singular[0])


def shifted(A: SquareMatrix("n"), c: between(-3, 3)):
    lam = np.linalg.eigvals(A)
    return equal(np.max((2 * lam - c).real), np.max(2 * lam.real - c))


def transposed(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return equal(np.max(np.linalg.eigvals(A @ B).real), np.max(np.linalg.eigvals(B @ A).real))


def of_symmetric_ones(A: Symmetric("n")):
    lam = np.linalg.eigvals(A)
    return both(equal(np.sort(lam.real), np.linalg.eigvalsh(A)), equal(lam.imag, 0))


def of_semidefinite_ones(A: PSD("n")):
    return at_most(0, np.min(np.linalg.eigvals(A).real))


def assumed_stable(A: SquareMatrix("n")):
    assume(np.max(np.abs(np.linalg.eigvals(A))) < 1)
    return at_most(0, np.linalg.det(np.eye(len(A)) - A))


def wilkinson(n: integers(2, 12)):
    k = np.arange(1.0, n + 1)
    return equal(np.sort(np.real(np.roots(np.poly(k)))), k)


def vieta(p: Vector(4)):
    assume(p[0] != 0)
    return both(equal(np.sum(np.roots(p)), -p[1] / p[0]), equal(np.prod(np.roots(p)), -p[3] / p[0]))


TRUE = [
    wilkinson,
    below_the_norm, schur, gelfand, jordan, rotation, row_sums, cyclic, power_sums, one_singular_value, shifted, transposed,
    of_symmetric_ones, of_semidefinite_ones, assumed_stable,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_sums_of_roots_are_as_exact_as_roots(seed: int):
    """The program of a sum is a trace, whose own rounding is smaller than that of the roots."""
    found = judge(make_claim(vieta, "test.vieta", "here", "theorem"), replace(PLAN, seed=seed), 1e-7)
    assert found.outcome is Outcome.HOLDS


@pytest.mark.parametrize("body", TRUE, ids=lambda body: body.__name__)
def test_what_is_true_holds(body: Any):
    assert verdict(body).outcome is Outcome.HOLDS


def half_of_the_norm(A: SquareMatrix("n")):
    return at_most(np.linalg.norm(A, 2) / 2, np.max(np.abs(np.linalg.eigvals(A))))


def submultiplicative(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return at_most(spectral_radius(A @ B), spectral_radius(A) * spectral_radius(B))


def normal(A: SquareMatrix("n")):
    return equal(np.sum(np.abs(np.linalg.eigvals(A)) ** 2), np.sum(A * A))


def real(A: SquareMatrix("n")):
    return equal(np.linalg.eigvals(A).imag, 0)


def abscissa(A: SquareMatrix("n")):
    return at_most(np.max(np.linalg.eigvals(A).real), np.trace(A) / len(A) + 1)


def mean_row_sum(B: SquareMatrix("n")):
    A = np.abs(B)
    return at_most(np.mean(np.sum(A, axis=1)), spectral_radius(A))


def cauchy_without_one(p: Vector(3)):
    assume(p[0] != 0)
    return at_most(np.abs(np.roots(p)), np.max(np.abs(p[1:] / p[0])))


FALSE = [cauchy_without_one, half_of_the_norm, submultiplicative, normal, real, abscissa, mean_row_sum]


@pytest.mark.parametrize("body", FALSE, ids=lambda body: body.__name__)
def test_what_is_false_is_refuted_with_a_certificate(body: Any):
    found = verdict(body)
    assert found.outcome is Outcome.REFUTED
    assert found.refutation is not None
    assert any(node["op"] == "eigvals" for node in found.refutation.certificate["program"])


def first(A: SquareMatrix("n")):
    return at_most(np.linalg.eigvals(A)[0].real, 1)


def positions(A: SquareMatrix("n")):
    return equal(np.cumsum(np.linalg.eigvals(A).real)[-1], 1)


def paired(A: SquareMatrix("n")):
    return at_most(np.linalg.eigvals(A).real, np.diagonal(A))


def parts_of_one(A: SquareMatrix("n")):
    lam = np.linalg.eigvals(A)
    return at_most(np.max(lam.real * lam.imag), 1)


@pytest.mark.parametrize("body", [first, positions, paired, parts_of_one], ids=lambda body: body.__name__)
def test_what_hangs_on_the_order_has_no_certificate(body: Any):
    claim = make_claim(body, "test.order", "here", "theorem")
    (raw,) = draw_instances(claim.parameters, 1, 0)
    with pytest.raises(NotTraceable, match="order of np"):
        followed(claim, raw, AS_PRINTED, lambda *_: None)
    assert verdict(body).outcome is not Outcome.REFUTED


def test_complex_eigenvalues_have_no_order():
    tape = Tape()
    A = trace_input(tape, "A", np.array([[0.0, -1.0], [1.0, 0.0]]))
    with pytest.raises(NotTraceable, match="no order"):
        np.max(np.linalg.eigvals(A))
    B = trace_input(tape, "B", np.array([[2.0, 1.0], [0.0, 1.0]]))
    largest: Any = np.max(np.linalg.eigvals(B))
    assert largest.traced_value == 2
    assert tape.hypotheses


@pytest.mark.parametrize("part", ["abs", "real", "imag"])
def test_floats_near_multiple_eigenvalues_lie_within_their_radius(part: str):
    """Matrices whose eigenvectors nearly meet: the radius grows, and what is computed stays within it."""
    rng = np.random.default_rng(0)
    for k in range(40):
        n = int(rng.integers(2, 6))
        A = np.diag(rng.integers(-2, 3, n).astype(float)) + np.triu(rng.integers(-3, 4, (n, n)), 1) + 2.0**-k * rng.standard_normal((n, n))
        tape = Tape()
        found = OPERATIONS["eigvals"](trace_input(tape, "A", A), part=part)
        radius = radii(tape)[found.node]
        assert radius is not None
        with ctx.workprec(300):
            matrix: Any = [[fmpq(*float(x).as_integer_ratio()) for x in row] for row in A]
            exact = eigvals(matrix, part)[0]
            errors = [float(abs(arb(v) - arb(x)).lower()) for v, x in zip(found.traced_value.tolist(), exact, strict=True)]
        assert np.all(errors <= radius + 1e-15 * np.abs(found.traced_value))


def test_rationals_and_balls_agree():
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 5):
        A: Any = [[fmpq(int(x), 8) for x in row] for row in rng.integers(-40, 40, (n, n))]
        for part in ("abs", "real", "imag"):
            (exact,), (balls,) = eigvals(A, part), eigvals([[arb(x) for x in row] for row in A], part)
            assert all(lower(x) <= upper(y) and lower(y) <= upper(x) for x, y in zip(exact, balls, strict=True))


def test_a_jordan_block_of_balls_is_undecided_and_of_rationals_exact():
    J: Any = [[fmpq(1, 3), fmpq(1)], [fmpq(0), fmpq(1, 3)]]
    assert eigvals(J, "abs") == [[fmpq(1, 3)] * 2]
    balls = eigvals([[arb(x) for x in row] for row in J], "abs")[0]
    assert all(not (x < arb(1) / 3) and not (x > arb(1) / 3) for x in balls)


def test_inside_of_trials_floats_are_compared():
    def body(n: integers(1, 3)):
        A = quantity(lambda rng, size: rng.choice([-1.0, 1.0], (size, n, n)))
        return P(A.map(lambda A: np.max(np.abs(np.linalg.eigvals(A)), axis=-1)) <= n) >= 1

    assert verdict(body).outcome is not Outcome.REFUTED


def test_symmetric_rationals_have_their_zero_eigenvalues_exactly():
    x = [fmpq(3, 7), fmpq(-5, 11), fmpq(13, 2**40)]
    gram: Any = [[a * b for b in x] for a in x]
    (values,) = eigvalsh(gram)
    assert values[:2] == [0, 0]
    assert values[2] == sum((a * a for a in x), fmpq(0))


def certificate(part: object, shape: list[int], right: str = "1") -> dict[str, Any]:
    """That the largest part of the eigenvalues of ((2, 1), (0, 1)), or of zeros of a shape, is above `right`."""
    data = ["2", "1", "0", "1"] if shape == [2, 2] else ["0"] * int(np.prod(shape))
    program = [
        {"op": "const", "args": [], "shape": shape, "data": data},
        {"op": "eigvals", "args": [0], **({} if part is None else {"part": part})},
        {"op": "max", "args": [1], "axes": [0], "keepdims": False},
        {"op": "const", "args": [], "shape": [], "data": [right]},
    ]
    body = {
        "certificate_version": 1, "claim": {"id": "a.b", "source": "s", "statement": ""}, "program": program, "laws": [], "hypotheses": [],
        "conclusion": {"kind": "at_most", "args": [2, 3]},
    }  # fmt: skip
    return {**body, "seal": digest(body)}


def test_the_verifier_takes_what_eigenvalues_have_and_no_more():
    assert verify(certificate("abs", [2, 2])).confirmed
    assert not verify(certificate("abs", [2, 2], right="2")).confirmed
    assert not verify(certificate("imag", [2, 2])).confirmed
    for part in (None, "median", ["abs"], 1, {"abs": 1}):
        assert not verify(certificate(part, [2, 2], right="-1")).confirmed
    for shape in ([2, 3], [3], [0, 0], [200, 200]):
        assert not verify(certificate("abs", shape, right="-1")).confirmed
