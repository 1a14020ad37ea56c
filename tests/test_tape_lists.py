"""Arrays that a body puts together from its numbers: traced like any other, and NumPy is itself again afterwards."""

import math
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy import array, diag
from scipy import special
from scipy.special import logsumexp

from boundcheck import PSD, E, FiniteLaw, Size, Unit, Vector, at_most, quantity
from boundcheck.checking.certificate import program_at
from boundcheck.domains.instances import draw_instances
from boundcheck.words.claims import make_claim


def matrix(p: Unit, q: Unit):
    return at_most(np.linalg.norm(np.array([[1, p], [p, q]]), 2), 2)


def determinant(x: Vector(2), y: Vector(2)):  # type: ignore[valid-type]
    return at_most(np.linalg.det([[x @ x, x @ y], [x @ y, y @ y]]), 1)


def blocks(x: Vector("n"), q: Unit):  # type: ignore[valid-type]
    return at_most(np.linalg.norm(np.block([[np.array([[q]]), np.zeros((1, len(x)))], [x[:, None], np.eye(len(x))]])), 9)


def imported_names(p: Unit, q: Unit):
    return at_most(np.linalg.norm(diag([p, q]), "nuc"), np.sum(array([p, q])))


def ufuncs(p: Unit, q: Unit):
    return at_most(np.mean(np.sqrt([p, q])), np.sqrt(np.mean([p, q])))


def entropies(x: Vector("n")):  # type: ignore[valid-type]
    return at_most(np.sum(np.array([-(t * np.log(t)) if t > 0 else 0.0 for t in np.abs(x)])), len(x))


def weights(p: Unit):
    return E(quantity(lambda rng, size: rng.choice([0.0, 1.0], size, p=[1 - p, p]))) <= p


def law(p: Unit):
    return E(FiniteLaw(np.array([0.0, 1.0]), np.array([1 - p, p])).sample()) <= p


def values(p: Unit, q: Unit):
    return E(quantity(lambda rng, size: rng.choice([p, q], size))) <= (p + q) / 2


def counts(p: Unit, n: Size):
    return E(quantity(lambda rng, size: rng.multinomial(n, [p, 1 - p], size)[:, 0])) <= n * p


def of_math(p: Unit, q: Unit, n: Size):
    return at_most(sqrt(p) + math.log(p, 2) + math.hypot(p, q) + math.erf(q) + math.comb(n, 2) * math.ceil(p) ** 2, math.e + math.pi * n**3)


def of_math_lists(x: Vector("n")):  # type: ignore[valid-type]
    return at_most(math.fsum(t * t for t in x), math.dist(x, -x) ** 2 + math.prod([abs(t) for t in x]))


def of_scipy(A: PSD("n"), B: PSD("n")):  # type: ignore[valid-type]
    return at_most(np.linalg.eigvalsh(A + B)[-1] + logsumexp([A[0, 0], 1]), np.linalg.norm(A, 2) + special.softmax([B[0, 0], 1])[0])


BODIES = [
    of_scipy, of_math, of_math_lists, matrix, determinant, blocks,
    imported_names, ufuncs, entropies, weights, law, values, counts,
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_what_a_body_puts_together_is_traced(body):
    claim = make_claim(body, f"test.{body.__name__}", "here", "theorem")
    for raw in draw_instances(claim.parameters, 5, 0):
        tape, conclusion = program_at(claim, raw)
        assert any(node["op"] == "input" for node in tape.nodes)
        assert conclusion["kind"] == "at_most"


def test_numpy_is_itself_again():
    def fails(p: Unit) -> Any:
        x: Any = np.array([p])
        return at_most(x.no_such_method(), 1)

    before = np, array, diag, math, sqrt
    claim = make_claim(fails, "test.fails", "here", "theorem")
    with pytest.raises(Exception, match="no_such_method"):
        program_at(claim, {"p": 0.5})
    assert (np, array, diag, math, sqrt) == before
    assert type(np.array([1.0])) is np.ndarray
