"""Means over draws for every size: what is affine in the counts is shown, and nothing else is."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from making import claimed, sealed

from boundcheck import (
    E,
    Few,
    Matrix,
    Positive,
    Simplex,
    Vector,
    assume,
    equal,
    identity,
    quantity,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.checking.certificate import NotFinite, NotTraceable
from boundcheck.checking.uniform import uniform
from boundcheck.proofs import proved
from boundcheck.verifier import verify
from boundcheck.verifier.findings import Rejection
from boundcheck.verifier.proofs import by_words
from boundcheck.verifier.uniform import Model

# pyright: reportInvalidTypeForm=false


def drawn(s, law):
    return quantity(lambda rng, size: rng.multinomial(s, law, size))


def kernel(Z, shares):
    return (Z * shares[..., None, :]) @ Z.T


def counts(p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p)), s * p), equal(E(drawn(s, p).sum()), s)


def plain(Z: Matrix("n", "m"), p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p).map(lambda N: kernel(Z, N / s))), (Z * p) @ Z.T)


def weighted(Z: Matrix("n", "m"), p: Simplex("m"), q: Simplex("m"), s: Few):
    assume(q > 0)
    return equal(E(drawn(s, q).map(lambda N: kernel(Z, p * N / (q * s)))), (Z * p) @ Z.T)


def by_scores(Z: Matrix("n", "m"), lam: Positive, s: Few):
    G = Z.T @ Z
    scores = solve(G + lam * identity(Z.shape[1]), G).diagonal()
    assume(scores > 0)
    q = scores / scores.sum()
    return equal(E(drawn(s, q).map(lambda N: kernel(Z, N / (s * q)))), Z @ Z.T)


def by_alignment(Z: Matrix("n", "m"), y: Vector("n"), p: Simplex("m"), s: Few):
    a = (y @ Z) ** 2
    assume(a > 0)
    assume(p > 0)
    law = p * a / (p * a).sum()
    return equal(E((drawn(s, law) * ((p * a).sum() / a)).sum()) / s, 1)


def dependent(p: Simplex("m"), g: Vector("m"), s: Few):
    """The draws may have any joint law."""
    N, M = drawn(s, p), drawn(s, p)
    return equal(E(N - M), 0 * p), equal(E((N * g).sum() + (N * g).sum() - (M * g).sum()), s * (p @ g))


def of_diagonals(Z: Matrix("n", "m"), p: Simplex("m"), s: Few):
    K = drawn(s, p).map(lambda N: kernel(Z, N / s))
    diagonal = K.map(lambda A: np.diagonal(A, axis1=-2, axis2=-1))
    return equal(E(diagonal), ((Z * p) @ Z.T).diagonal()), equal(E(trace(K)), np.sum(p * np.sum(Z * Z, axis=0)))


def as_many_as_points(Z: Matrix("n", "m"), p: Simplex("m")):
    n = len(Z)
    return equal(E(drawn(n, p).map(lambda N: kernel(Z, N))), n * (Z * p) @ Z.T)


def entries(w: Simplex(3), Z: Matrix("n", 4), s: Few):
    law = np.stack([w[0], w[1], w[2], w[1]]) / (w[0] + w[1] + w[1] + w[2])
    return equal(law.sum(), 1), equal(E(drawn(s, law).map(lambda N: kernel(Z, N / s))), (Z * law) @ Z.T)


def quotients(x: Vector("m"), y: Vector("m"), z: Vector("m"), t: Positive):
    assume(x * y > 0)
    return equal(t * x * y / (y * x) * z, t * z), equal(x * x / x, x)


def sums_of_ones(x: Vector("m"), t: Positive):
    assume(x * x > 0)
    return equal((x / (t * x)).sum(), len(x) / t), equal((1 + x).sum(), len(x) + x.sum())


def commuting(p: Vector("m"), v: Vector("m"), u: Vector("m")):
    return equal(v @ (p * v), (p * v * v).sum()), equal((p * ((v + u) ** 2 + (v - u) ** 2 - 2 * u**2)).sum(), 2 * (p * v**2).sum())


def forms_and_traces(Z: Matrix("n", "m"), y: Vector("n"), p: Vector("m")):
    A = y[:, None] * y[None, :]
    return equal(trace(A @ Z @ Z.T), (Z.T @ y) @ (Z.T @ y)), equal((p * np.sum(Z * (A @ Z), axis=0)).sum(), (p * (y @ Z) ** 2).sum())


TRUE = [
    counts, plain, weighted, by_scores, by_alignment, dependent, of_diagonals, as_many_as_points, entries, quotients,
    sums_of_ones,     commuting, forms_and_traces,
]  # fmt: skip


def square_of_a_count(p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p) ** 2), (s * p) ** 2)


def product_of_one_sample(Z: Matrix("n", "m"), p: Simplex("m"), s: Few):
    K = drawn(s, p).map(lambda N: kernel(Z, N / s))
    return equal(E(K @ K), (Z * p) @ Z.T @ (Z * p) @ Z.T)


def product_of_two_samples(p: Simplex("m"), s: Few):
    """True, of degree two: there is no rule."""
    return equal(E(drawn(s, p) * drawn(s, p)), (s * p) ** 2)


def inverse_of_a_count(p: Simplex("m"), s: Few):
    return equal(E(1 / (1 + drawn(s, p))), 1 / (1 + s * p))


def root_of_a_total(p: Simplex("m"), g: Vector("m"), s: Few):
    return equal(E(sqrt((drawn(s, p) * g * g).sum())) ** 2, s * (p * g * g).sum())


def inverse_of_a_kernel(Z: Matrix("n", "m"), p: Simplex("m"), s: Few):
    K = drawn(s, p).map(lambda N: kernel(Z, N / s) + np.eye(len(Z)))
    return equal(E(K.map(np.linalg.inv)), np.linalg.inv((Z * p) @ Z.T + identity(len(Z))))


def twice_drawn(p: Simplex("m"), s: Few):
    """True by the law of the draws; a law that is drawn has no rule."""
    N = drawn(s, p)
    return equal(E(N.map(lambda n: n * n / s)), s * p * p)


def no_law(w: Vector("m"), s: Few):
    return equal(E(drawn(s, w * w)), s * w * w)


def other_weights(Z: Matrix("n", "m"), p: Simplex("m"), q: Simplex("m"), s: Few):
    assume(q > 0)
    return equal(E(drawn(s, q).map(lambda N: kernel(Z, p * N / (p * s)))), (Z * p) @ Z.T)


def other_law(Z: Matrix("n", "m"), p: Simplex("m"), q: Simplex("m"), s: Few):
    assume(q > 0)
    return equal(E(drawn(s, p).map(lambda N: kernel(Z, p * N / (q * s)))), (Z * p) @ Z.T)


def number_of_draws(p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p).sum()), len(p))


def without_the_number(p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p)), p)


def number_as_exponent(p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p)) ** s, (s * p) ** s)


def one_and_a_sum(x: Vector("m")):
    return equal((1 + x).sum(), 1 + x.sum())


def quotient_of_sums(x: Vector("m"), y: Vector("m")):
    return equal((x / y).sum(), x.sum() / y.sum())


def quotient_of_others(x: Vector("m"), y: Vector("m"), z: Vector("m")):
    return equal(x * y / (x * z), x / z)


def square_over_itself(x: Vector("m")):
    return equal(x * x / x, x / x)


def other_entries(w: Vector(3)):
    return equal(np.stack([w[0], w[1]]), np.stack([w[1], w[0]]))


def an_entry_of_another(w: Vector(3)):
    return equal(w[0] * w[2], w[1] * w[2])


def trace_of_a_form(A: Matrix("n", "m"), y: Vector("n")):
    return equal(trace(y[:, None] * y[None, :] @ A @ A.T), (y @ y) * trace(A @ A.T))


FALSE = [
    square_of_a_count, product_of_one_sample, product_of_two_samples, inverse_of_a_count, root_of_a_total,
    inverse_of_a_kernel, twice_drawn, no_law, other_weights, other_law, number_of_draws, without_the_number,
    number_as_exponent, one_and_a_sum, quotient_of_sums, quotient_of_others, square_over_itself, other_entries, an_entry_of_another,
    trace_of_a_form,
]  # fmt: skip


def without_replacement(Z: Matrix("n", 3), s: Few):
    N = quantity(lambda rng, size: rng.multivariate_hypergeometric([1, 1, 1], s, size=size))
    return equal(E(N.map(lambda n: kernel(Z, n / s))), Z @ Z.T / 3)


def permuted(Z: Matrix("n", "m")):
    order = quantity(lambda rng, size: rng.permuted(np.tile(np.arange(Z.shape[1]), (size, 1)), axis=1))
    return equal(E(order.map(lambda k: Z[:, k])), Z)


def mixed_trials(p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p).map(lambda N: N - N.sum(axis=0))), 0 * p)


def beside_the_trials(Z: Matrix("n", "m"), p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p).map(lambda N: Z * N)), s * Z * p)


def on_the_left(A: Matrix("m", "m"), p: Simplex("m"), s: Few):
    return equal(E(drawn(s, p).map(lambda N: A @ N)), s * A @ p)


OTHER = [without_replacement, permuted, mixed_trials, beside_the_trials, on_the_left]


@pytest.mark.parametrize("body", TRUE)
def test_a_mean_of_what_is_affine_in_the_counts_is_proved(body):
    proof = proved(claimed(body))
    assert proof is not None
    assert (proof.whole, proof.sizes) == (True, "every")


@pytest.mark.parametrize("body", FALSE)
def test_what_is_not_affine_or_not_true_is_not_shown(body):
    with pytest.raises((Rejection, NotTraceable)):
        by_words(uniform(claimed(body)).part(0) | {"way": "words"})


@pytest.mark.parametrize("body", OTHER)
def test_other_draws_and_trials_that_are_mixed_have_no_rule(body):
    with pytest.raises((NotTraceable, NotFinite)):
        uniform(claimed(body))


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    proof = proved(claimed(weighted))
    assert proof is not None
    return dict(proof.certificate)


def _node(proof: Any, op: str) -> Any:
    return next(n for n in proof["program"] if n["op"] == op)


def _place(proof: Any, name: str) -> int:
    return next(k for k, n in enumerate(proof["program"]) if n.get("name") == name)


def _another_law(proof: Any) -> None:
    """The first letter is one of those that stand before the draw."""
    _node(proof, "counts")["args"][1] = next(k for k, n in enumerate(proof["program"]) if n["op"] == "div")


def _real_draws(proof: Any) -> None:
    proof["program"][_place(proof, "s")]["name"] = "t"


def _no_mean(proof: Any) -> None:
    node = _node(proof, "mean")
    node["op"] = "neg"


def _squared(proof: Any) -> None:
    node = _node(proof, "mean")
    node |= {"op": "pow", "exponent": 2}


@pytest.mark.parametrize("change", [_another_law, _real_draws, _no_mean, _squared])
def test_a_changed_mean_is_refused(certificate, change):
    assert verify(certificate).confirmed
    made = copy.deepcopy(certificate)
    change(made["cases"][0]["proof"])
    assert made != certificate
    assert not verify(sealed(made)).confirmed


def _letter(name: str, *shape: Any) -> dict[str, Any]:
    return {"op": "letter", "args": [], "name": name, "shape": list(shape)}


def _op(op: str, *args: int, **static: Any) -> dict[str, Any]:
    return {"op": op, "args": list(args), **static}


START = [_letter("w", "m"), _op("sum", 0, axis=None), _op("div", 0, 1), _letter("s"), _op("counts", 3, 2), _op("mul", 3, 2)]
"""Weights, a law, a number of draws, their counts and the mean of these."""


@pytest.mark.parametrize(
    ("more", "sides"),
    [
        ([_op("mul", 4, 4), _op("mean", 6), _op("mul", 5, 5)], [7, 8]),
        ([_op("mul", 4, 4), _op("mean", 6), _op("mean", 7), _op("mul", 5, 5)], [8, 9]),
        ([], [4, 5]),
        ([_op("counts", 3, 0), _op("mean", 6), _op("mul", 3, 0)], [7, 8]),
        ([_op("sum", 4, axis=None), _op("div", 4, 6), _op("counts", 3, 7), _op("mean", 8)], [9, 5]),
    ],
)  # fmt: skip
def test_a_mean_that_is_none_by_the_rule_is_refused(more, sides):
    def shown(program: Any, args: Any) -> None:
        by_words({"way": "words", "program": program, "args": args})

    shown([*START, _op("mean", 4)], [6, 5])
    with pytest.raises(Rejection):
        shown([*START, *more], sides)


def test_what_is_known_of_ones_and_of_a_stack_is_their_sum_alone():
    model = Model.drawn()
    program = [
        _letter("a"), _letter("b"), _op("stack", 0, 1), _op("stack", 1, 0), _op("sum", 2, axis=None),
        _op("sum", 3, axis=None), _op("matmul", 2, 2), _op("matmul", 3, 3), _op("entry", 2, index=0),
    ]  # fmt: skip
    values = model.run(program)
    model.require_equal(values[4], values[5])
    for one, other in ((2, 3), (6, 7), (8, 0), (8, 1)):
        with pytest.raises(Rejection):
            model.require_equal(values[one], values[other])
