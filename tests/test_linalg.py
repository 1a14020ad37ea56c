"""The words of linear algebra mean the same on floats, on random quantities and on expectations."""

from typing import Any

import numpy as np
import pytest

from boundcheck import PSD, Vector, at_most, between, loewner, psd_power, theorem
from boundcheck.checking.judge import PLANS, judge
from boundcheck.checking.verdict import Outcome
from boundcheck.laws.quantities import World, evaluate, quantity
from boundcheck.words import functions
from boundcheck.words.claims import make_claim

MATRICES = np.array([[[2.0, 1.0], [1.0, 3.0]], [[5.0, -1.0], [-1.0, 1.0]], [[1.0, 0.0], [0.0, 4.0]]])


def raised(A):
    return functions.psd_power(A, functions.trace(A) / 4)


FUNCTIONS = [
    functions.opnorm, functions.frobenius, functions.nuclear, functions.eigenvalues, functions.largest_eigenvalue,
    functions.smallest_eigenvalue, functions.trace, functions.inverse, functions.logdet, functions.psd_sqrt,
    functions.inverse_sqrt, functions.logm, functions.expm, functions.symmetric, raised,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_on_a_quantity_they_act_inside_each_trial(function):
    q = quantity(lambda rng, size: MATRICES[:size])
    together = evaluate(function(q), World(None, 3))
    for matrix, result in zip(MATRICES, together, strict=True):
        np.testing.assert_allclose(result, function(matrix), rtol=1e-12)


def test_norm_and_solve_act_inside_each_trial():
    q = quantity(lambda rng, size: MATRICES[:size])
    solved = evaluate(functions.solve(q, np.array([1.0, 2.0])), World(None, 3))
    lengths = evaluate(functions.norm(functions.solve(q, np.array([1.0, 2.0]))), World(None, 3))
    for matrix, x, length in zip(MATRICES, solved, lengths, strict=True):
        np.testing.assert_allclose(x, np.linalg.solve(matrix, [1.0, 2.0]), rtol=1e-12)
        np.testing.assert_allclose(length, np.linalg.norm(x), rtol=1e-12)


def test_a_matrix_times_a_random_vector_is_taken_trial_by_trial():
    x = quantity(lambda rng, size: MATRICES[:size, 0])
    product = evaluate(MATRICES[0] @ x, World(None, 3))
    np.testing.assert_allclose(product, MATRICES[:, 0] @ MATRICES[0].T)
    scaled = evaluate(quantity(lambda rng, size: np.arange(1.0, size + 1)) * x, World(None, 3))
    np.testing.assert_allclose(scaled, MATRICES[:, 0] * np.array([[1.0], [2.0], [3.0]]))


@pytest.mark.parametrize("function", [functions.psd_sqrt, functions.inverse_sqrt, functions.logm])
def test_spectral_functions_refuse_what_is_not_positive(function):
    with pytest.raises(np.linalg.LinAlgError, match="not positive semidefinite"):
        function(np.diag([1.0, -1.0]))


@pytest.mark.parametrize(("p", "outcome"), [(0.3, "holds"), (0.75, "holds"), (1.5, "violated"), (2.5, "violated")])
def test_a_power_with_a_computed_exponent_is_decided_at_singular_matrices(p: float, outcome: str):
    @theorem("Loewner 1934, Heinz 1951 for p <= 1")
    def powers_rise(A: PSD("n"), C: PSD("n"), p: between(0, 3)):
        return loewner(psd_power(A, p), psd_power(A + C, p))

    once, more = np.outer([1.0, 2, 3], [1, 2, 3]), np.outer([1.0, -1, 0], [1, -1, 0])
    C = more + np.eye(3) if p < 1 else more  # at equal kernels no ball says that the order holds
    assert powers_rise.at(A=once, C=C, p=p).outcome == outcome


def below_the_sum(x: Vector(2)):
    return at_most(np.linalg.norm(x, 0.5), np.linalg.norm(x, 1))


def above_the_length(x: Vector(2)):
    return at_most(np.linalg.norm(x, 2), np.linalg.norm(x, 1.5))


@pytest.mark.parametrize(("body", "outcome"), [(below_the_sum, Outcome.REFUTED), (above_the_length, Outcome.HOLDS)])
def test_norms_have_orders_between_whole_numbers(body: Any, outcome: Outcome):
    found = judge(make_claim(body, "test.norm", "here", "theorem"), PLANS["quick"], 1e-8)
    assert found.outcome is outcome
    assert "in floats alone" not in found.reason
