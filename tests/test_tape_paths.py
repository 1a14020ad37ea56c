"""What the tape writes beside the arithmetic: constants, path conditions, and refusals with advice."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from boundcheck import exp, log
from boundcheck.tape import NotTraceable, Tape, Traced, constant, trace_input, value_of
from boundcheck.tape.program import recording, selecting
from boundcheck.verifier.conclusions import hypothesis
from boundcheck.verifier.laws import groups
from boundcheck.verifier.program import run
from boundcheck.words import functions


@pytest.fixture
def tape() -> Tape:
    return Tape()


@pytest.fixture
def x(tape: Tape) -> Traced:
    return trace_input(tape, "x", np.array([0.3, -1.5, 2.0]))


@pytest.fixture
def A(tape: Tape) -> Traced:
    return trace_input(tape, "A", np.array([[2.0, 1.0], [1.0, 3.0]]))


def entry(tape: Tape, number: Any) -> Any:
    """The first entry of a node, recomputed."""
    node = constant(tape, number).node
    with ctx.workprec(128):
        return run(tape.nodes, groups([])).arrays[node].data[0]


@pytest.mark.parametrize(("number", "meant"), [
    (0.1, "1/10"), (0.25, "1/4"), (2, "2"), (-7, "-7"), (1e-6, "1/1000000"), (12.5, "25/2"), (0.01, "1/100"), (2.0**-16, "1/65536"),
])  # fmt: skip
def test_a_short_literal_means_its_decimal(tape, number, meant):
    assert entry(tape, number) == fmpq(*Fraction(meant).as_integer_ratio())


@pytest.mark.parametrize("number", [math.cos(math.pi / 2), 1 / 3, 0.1 + 0.2, math.sqrt(2), math.pi, np.array([0.5, math.exp(3.0)])])
def test_a_float_that_was_computed_beside_the_program_is_refused(tape, number):
    with pytest.raises(NotTraceable, match="computed beside the program"):
        constant(tape, number)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(tape, number):
    with pytest.raises(NotTraceable, match="finite"):
        constant(tape, number)
    with pytest.raises(NotTraceable, match="The input y is not finite"):
        trace_input(tape, "y", np.array([1.0, number]))


def test_inputs_are_the_decimals_that_were_drawn(tape):
    assert entry(tape, trace_input(tape, "x", 0.1)) == fmpq(1, 10)
    assert entry(tape, trace_input(tape, "x", np.nextafter(0.1, 1))) > fmpq(1, 10)


def test_boundchecks_functions_record_plain_numbers_while_a_tape_runs(tape):
    with recording(tape):
        recorded = log(2)
    assert isinstance(recorded, Traced)
    with ctx.workprec(128):
        assert entry(tape, recorded).overlaps(arb(2).log())
        assert entry(tape, recorded).rad() < 1e-30
    assert isinstance(log(2), float)
    assert exp(0.0) == 1


def conditions(tape: Tape) -> list[Any]:
    """The truth of every recorded hypothesis, in exact arithmetic."""
    recomputed = run(tape.nodes, groups([]))
    return [hypothesis(recomputed, h) for h in tape.hypotheses]


PATHS = {
    "where": lambda x: np.where(x > 0, x, -x),
    "comparison": lambda x: bool(x[0] < x[2]),
    "if": lambda x: 1 if x[1] else 2,
    "all": lambda x: (x <= 2).all(),
    "np.any": lambda x: np.any(x > 1),
    "argmax": lambda x: np.argmax(x),
    "argmin": lambda x: np.argmin(x),
    "unique": lambda x: np.unique(np.append(x, 2)),
    "searchsorted": lambda x: np.searchsorted(np.array([-2, 0, 1]), x),
    "matrix_rank": lambda x: np.linalg.matrix_rank(x[:, None]),
    "int": lambda x: int(x[2]),
    "ceil": lambda x: math.ceil(x[1]),
    "floor": lambda x: math.floor(x[1]),
    "index": lambda x: np.arange(5)[np.floor(x[2])],
    "mask": lambda x: x[x > 0],
    "and": lambda x: (x > 0) & (x < 1),
    "or": lambda x: (x > 0) | (x < -1),
    "not": lambda x: ~(x > 0),
    "equal": lambda x: np.count_nonzero(x),
}


@pytest.mark.parametrize("name", PATHS)
def test_a_path_taken_is_recorded_and_true_here(tape, x, name):
    PATHS[name](x)
    assert tape.hypotheses
    assert conditions(tape) == [True] * len(tape.hypotheses)


@pytest.mark.parametrize("name", PATHS)
def test_a_path_not_taken_elsewhere_is_a_false_hypothesis(tape, x, name):
    """The program recorded at x does not pass for a point where the body would have gone another way."""
    PATHS[name](x)
    tape.nodes[x.node]["data"] = ["3", "0", "-1/2"]
    assert False in conditions(tape)


def test_a_whole_number_is_recorded_as_such(tape, x):
    assert int(x[2]) == 2
    assert int(-x[0] / 4) == 0
    assert [10, 20, 30][x[2]] == 30
    assert conditions(tape) == [True, True, True]


def test_arrays_of_several_truths_are_ambiguous(x):
    with pytest.raises(ValueError, match="ambiguous"):
        bool(x > 0)


REFUSED = {
    "float": (lambda x, A: float(x[0]), "numpy or boundcheck"),
    "math": (lambda x, A: math.sqrt(x[2]), "numpy or boundcheck"),
    "eigh": (lambda x, A: np.linalg.eigh(np.stack([A, A])), "one matrix at a time"),
    "svd": (lambda x, A: np.linalg.svd(A)[0] @ x, "svdvals"),
    "qr": (lambda x, A: np.linalg.qr(A[:1]), "not wide"),
    "eigvals": (lambda x, A: np.linalg.eigvals(np.stack([A, A])), "one matrix at a time"),
    "fft": (lambda x, A: np.fft.fft(x), "no exact form"),
    "histogram": (lambda x, A: np.histogram(x), "no exact form"),
    "ufunc": (lambda x, A: np.nextafter(x, 1), "np.nextafter has no exact form"),
    "accumulate": (lambda x, A: np.hypot.accumulate(x), "np.hypot.accumulate with these options has no exact form"),
    "reduction": (lambda x, A: np.hypot.reduce(x), "no exact form"),
    "out": (lambda x, A: np.add(x, x, out=np.zeros(3)), "no exact form"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_exact_form_is_refused_with_advice(x, A, name):
    function, advice = REFUSED[name]
    with pytest.raises(NotTraceable, match=advice):
        function(x, A)


@pytest.mark.parametrize("name", ["opnorm", "frobenius", "nuclear", "trace", "inverse", "logdet", "psd_sqrt", "inverse_sqrt", "logm",
                                  "expm", "symmetric", "eigenvalues", "largest_eigenvalue", "smallest_eigenvalue"])  # fmt: skip
def test_matrix_functions_agree_with_floats_and_recompute(tape, A, name):
    function = getattr(functions, name)
    found, expected = function(A), np.asarray(function(A.traced_value))
    np.testing.assert_allclose(found.traced_value, expected, rtol=1e-12, atol=1e-13)
    with ctx.workprec(128):
        balls = run(tape.nodes, groups([])).arrays[found.node].data
    assert all(abs(float(arb(b)) - e) < 1e-11 for b, e in zip(balls, expected.ravel(), strict=True))


def test_square_root_and_power_of_a_matrix_are_inverse_to_each_other(A):
    root = functions.psd_sqrt(A)
    np.testing.assert_allclose((root @ root).traced_value, A.traced_value, rtol=1e-13)
    np.testing.assert_allclose(functions.psd_power(functions.psd_power(A, 3), 1 / 3).traced_value, A.traced_value, rtol=1e-12)


def test_entries_put_into_an_array_keep_their_programs(tape, x):
    together = constant(tape, np.array([x[0], x[1] * x[2]]))
    np.testing.assert_array_equal(together.traced_value, [0.3, -3.0])
    assert entry(tape, together[1]) == fmpq(-3)


@pytest.mark.parametrize("combine", [np.logical_and, np.logical_or])
def test_logical_functions_of_comparisons(x, combine):
    assert np.array_equal(combine(x > 0, x < 1), combine(x.traced_value > 0, x.traced_value < 1))


def test_where_with_plain_branches_is_plain_and_recorded(tape, x):
    assert np.array_equal(np.where(x > 0, 1.0, 0.0), [1, 0, 1])
    assert conditions(tape) == [True, True]


@pytest.mark.parametrize("number", [10**25 + 1, np.int64(2**60 + 1)])
def test_a_large_whole_number_is_exact(tape, number):
    assert entry(tape, number) == int(number)


def test_truncation_is_never_silent(x):
    try:
        truncated = x.astype(int)
    except NotTraceable:
        return
    assert np.array_equal(truncated.traced_value, [0, -1, 2])


@pytest.mark.parametrize("axis", [None, 0])
def test_rows_are_taken_by_computed_numbers(axis):
    tape = Tape()
    table, k = trace_input(tape, "A", np.arange(6.0).reshape(3, 2)), trace_input(tape, "k", np.array([2.0, 0.0, 1.0]))
    found: Any = np.take(table, k * 1, axis=axis)  # type: ignore[call-overload]
    np.testing.assert_array_equal(found.traced_value, np.take(np.arange(6.0).reshape(3, 2), [2, 0, 1], axis=axis))
    assert found.tape.nodes[found.node]["op"] == "take"


def test_places_that_are_constants_of_the_program_are_plain():
    tape = Tape()
    x: Any = trace_input(tape, "x", np.array([0.5, 1.5, 2.5]))
    k: Any = constant(tape, np.array([2, 0]))
    assert np.array_equal(value_of(np.take_along_axis(x, k, -1)), [2.5, 0.5])
    assert np.array_equal(value_of(np.delete(x, k)), [1.5])
    with pytest.raises(NotTraceable, match="computed"):
        np.delete(x, k * x[:2])


MASKS = {"not": lambda t: ~t, "and": lambda t: t & t, "or": lambda t: t | t, "xor": lambda t: t ^ ~t, "itself": lambda t: t.astype(float)}


@pytest.mark.parametrize("name", MASKS)
def test_a_mask_that_is_a_number_of_the_program_names_no_places(name):
    with selecting(), recording(Tape()) as tape:
        x = trace_input(tape, "x", np.array([1.0, -2.0]))
        mask = MASKS[name](x > 0)
        with pytest.raises(NotTraceable, match=r"np\.where"):
            x[mask]


SWALLOWED = {
    "a start": lambda x: np.sum(x, initial=1e-12),
    "a mask": lambda x: np.sum(x, where=x > 0),
    "a correction": lambda x: np.var(x, correction=1),
    "whole numbers": lambda x: np.cumsum(x, dtype=int),
    "other axes": lambda x: np.trace(np.reshape(x, (2, 1, 1)), axis1=1, axis2=2),
}


@pytest.mark.parametrize("name", SWALLOWED)
def test_an_option_that_a_spelling_ignores_is_refused_however_small_the_numbers(name):
    with recording(Tape()) as tape, pytest.raises((NotTraceable, TypeError)):
        SWALLOWED[name](trace_input(tape, "x", np.array([1e-11, -2e-11])))
