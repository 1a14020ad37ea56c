"""Radii of float values against exact recomputation, on ill-conditioned, repeated and cancelling numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from scipy import special

from boundcheck.operations.rounding import radii
from boundcheck.tape import Tape, Traced, constant, trace_input, value_of
from boundcheck.tape.traced import record
from boundcheck.verifier.laws import groups
from boundcheck.verifier.numbers import finite
from boundcheck.verifier.program import run
from boundcheck.words import functions

BITS = 320
NUMBERS = [0.0, 1.0, -1.0, 2.0, 3.0, 0.1, 0.2, 0.3, -0.7, 0.5, 1 + 1e-15, 1 - 1e-15, 1e-8]
NUMBERS += [-1e-8, 1e8, 1e-17, 123.456, 1e16, 2 / 3]
UNARY = [
    np.sqrt, np.exp, np.expm1, np.log, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan,
    np.sinh, np.cosh, np.tanh, np.sign, np.floor, np.ceil, np.rint, np.abs, np.negative, special.erf,
    special.erfc, special.gamma, special.gammaln, special.psi, special.ndtri,
]  # fmt: skip
BINARY = [
    np.add, np.subtract, np.multiply, np.divide, np.power, np.maximum, np.minimum, np.remainder, np.arctan2,
]  # fmt: skip
REDUCTIONS = [np.sum, np.prod, np.max, np.min, np.cumsum, np.sort]


@dataclass(frozen=True)
class Comparison:
    """Error and radius of all entries of all nodes whose exact value exists."""

    errors: np.ndarray
    radii: np.ndarray

    @property
    def looseness(self) -> np.ndarray:
        kept = (self.errors > 0) & np.isfinite(self.radii)
        return self.radii[kept] / self.errors[kept]


def compare(tape: Tape, nodes: list[int] | None = None) -> Comparison:
    """Recompute in balls (of radius 1e-90, unless on a jump); the point nearest to the float counts."""
    bounds = radii(tape)
    with ctx.workprec(BITS):
        exact = run(tape.nodes, groups(tape.laws)).arrays
        pairs = []
        for k in range(len(tape.nodes)) if nodes is None else nodes:
            value, bound = tape.values[k], bounds[k]
            assert bound is not None
            assert bound.shape == value.shape == exact[k].shape
            for v, r, x in zip(value.ravel().tolist(), bound.ravel().tolist(), exact[k].data, strict=True):
                if np.isfinite(v) and finite(x):
                    pairs.append((float(abs(arb(v) - arb(x)).lower()), r))
    return Comparison(*np.array(pairs).reshape(-1, 2).T)


def _entries(rng, *shape):
    return rng.choice(NUMBERS, shape) * rng.choice([1.0, 1.0, 1.0, 1 / 3, 1.7], shape)


def _step(rng, pool):
    """One random operation on vectors of length 4."""
    kind, a, b = rng.integers(8), *(pool[k] for k in rng.integers(len(pool), size=2))
    if kind < 3:
        return UNARY[rng.integers(len(UNARY))](a)
    if kind < 6:
        return BINARY[rng.integers(len(BINARY))](a, b)
    if kind == 6:
        found = REDUCTIONS[rng.integers(len(REDUCTIONS))](a)
        return found if found.ndim else found * np.ones(4) - a
    return np.concatenate([a[1:], b[:1]])[::-1]


def random_program(seed: int) -> Tape:
    rng, tape = np.random.default_rng(seed), Tape()
    pool: list[Any] = [trace_input(tape, name, _entries(rng, 4)) for name in "xy"]
    pool.append(constant(tape, rng.integers(-3, 4, 4)))
    for _ in range(8):
        with np.errstate(all="ignore"):
            new = _step(rng, pool)
        value = value_of(new)
        if np.all(np.isfinite(value)) and np.max(np.abs(value)) < 1e60:
            pool.append(new)
    return tape


def _matrix(rng, n: int, kind: int) -> np.ndarray:
    """Hilbert, nearly singular, repeated, graded, or plain."""
    X = rng.standard_normal((n, n))
    if kind == 0:
        return 1 / (1 + np.add.outer(np.arange(n), np.arange(n)))
    if kind == 1:
        return np.outer(X[0], X[0]) + 1e-7 * X @ X.T
    if kind == 2:
        return np.eye(n) * 0.3 + 0.1
    scale = 10.0 ** -np.arange(n) if kind == 3 else np.ones(n)
    return (X @ X.T + 0.1 * np.eye(n)) * np.outer(scale, scale)


MATRIX_OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "inv": np.linalg.inv,
    "solve": lambda A: np.linalg.solve(A, A[:, :2] + 1),
    "det": np.linalg.det,
    "slogabsdet": functions.logdet,
    "cholesky": np.linalg.cholesky,
    "eigvalsh": np.linalg.eigvalsh,
    "eigenvectors": lambda A: np.linalg.eigh(A).eigenvectors,
    "svdvals": lambda A: np.linalg.svdvals(A[:, :-1]),
    "psd_sqrt": functions.psd_sqrt,
    "psd_pow": lambda A: functions.psd_power(A, 0.75),
    "psd_pow_above_1": lambda A: functions.psd_power(A, 2.5),
    "psd_pow_below_0": lambda A: functions.psd_power(A, -0.5),
    "psd_raise": lambda A: functions.psd_power(A, functions.trace(A @ A) / 2),
    "psd_raise_below_0": lambda A: functions.psd_power(A, -functions.trace(A)),
    "psd_log": functions.logm,
    "expm": functions.expm,
    "matmul": lambda A: A @ A - A,
}


def matrix_program(name: str, seed: int, kind: int, blur: float = 0.0) -> Tape:
    """The operation on a symmetric matrix known up to rounding, or to a larger error if blur is large."""
    rng, tape = np.random.default_rng(seed), Tape()
    A = trace_input(tape, "A", _matrix(rng, 4, kind))
    MATRIX_OPERATIONS[name](functions.symmetric(A / 3 + blur - blur))
    return tape


def assert_within(comparison: Comparison) -> None:
    wrong = ~(comparison.errors <= comparison.radii)
    assert not wrong.any(), f"{comparison.errors[wrong][:3]} beyond the radius {comparison.radii[wrong][:3]}"


@pytest.mark.parametrize("block", range(10))
def test_random_programs_lie_within_their_radii(block):
    for seed in range(30 * block, 30 * block + 30):
        assert_within(compare(random_program(seed)))


@pytest.mark.parametrize("name", MATRIX_OPERATIONS)
def test_matrix_programs_lie_within_their_radii(name):
    for kind, seed, blur in product(range(5), range(2), (0.0, 1e5)):
        assert_within(compare(matrix_program(name, seed, kind, blur)))


def radius(x: Any) -> np.ndarray:
    """The radius of one traced array."""
    found = radii(x.tape, [x.node])[x.node]
    assert found is not None
    return found


def rounding_error() -> Any:
    """Exactly zero, but not in floats."""
    tape = Tape()
    x, y, z = (trace_input(tape, name, value) for name, value in (("x", 0.1), ("y", 0.2), ("z", 0.3)))
    return x + y - z


BATCHED = {k: MATRIX_OPERATIONS[k] for k in ("inv", "det", "eigvalsh", "psd_sqrt", "cholesky", "psd_log")} | {
    "solve": lambda A: np.linalg.solve(A, A),
    "svdvals": np.linalg.svdvals,
}


@pytest.mark.parametrize("name", BATCHED)
def test_a_batch_has_the_radii_of_its_matrices(name):
    rng = np.random.default_rng(7)
    stack = np.stack([_matrix(rng, 3, kind) for kind in range(3)])
    whole = trace_input(Tape(), "A", stack)
    together = radius(BATCHED[name](whole))
    alone = [radius(BATCHED[name](trace_input(Tape(), "A", A))) for A in stack]
    assert_within(compare(whole.tape))
    np.testing.assert_allclose(together, alone, rtol=0.5)


def _looseness(tapes) -> np.ndarray:
    found = [compare(tape, [len(tape.nodes) - 1]) for tape in tapes]
    assert all(np.isfinite(c.radii).all() for c in found)
    return np.concatenate([c.looseness for c in found])


def test_simple_chains_have_sensible_radii():
    def chain(seed: int) -> Tape:
        rng, tape = np.random.default_rng(seed), Tape()
        x, y = (trace_input(tape, name, rng.uniform(0.1, 5, 20)) for name in "xy")
        np.sum(np.log(np.exp(-x) + np.sqrt(x * y)) / (1 + y))
        return tape

    assert np.median(_looseness(chain(seed) for seed in range(40))) < 100


@pytest.mark.parametrize("name", MATRIX_OPERATIONS)
def test_well_conditioned_matrices_have_sensible_radii(name):
    loose = _looseness(matrix_program(name, seed, 4) for seed in range(6))
    assert np.median(loose) < 1e4


INTEGER_ARITHMETIC = [
    lambda x: x + x, lambda x: x * x, lambda x: x @ x.T, np.sum, np.prod, lambda x: np.sqrt(x * x),
    lambda x: x**3, np.ceil, lambda x: (x * x) / x, np.cumsum, np.sign, lambda x: x % 4,
]  # fmt: skip


@pytest.mark.parametrize("function", INTEGER_ARITHMETIC)
def test_integer_arithmetic_is_exact(function):
    x = trace_input(Tape(), "x", np.arange(1.0, 7.0).reshape(2, 3))
    assert not radius(function(x)).any()


def test_structural_zeros_stay_exact():
    A = trace_input(Tape(), "A", np.kron(np.eye(2), np.full((2, 2), 0.1)))
    assert np.array_equal(radius(A @ A) > 0, A.traced_value > 0)


POLES = {
    "reciprocal": lambda z: 1 / z,
    "log": np.log,
    "power": lambda z: np.abs(z) ** -0.5,
    "gammaln": special.gammaln,
    "remainder": lambda z: 1 % z,
    "tanh": lambda z: np.tanh(1 / z),
    "inv": lambda z: np.linalg.inv(z * np.eye(2)),
    "logdet": lambda z: functions.logdet(z * np.eye(3)),
}


@pytest.mark.parametrize("name", POLES)
def test_nothing_is_said_near_a_pole(name):
    r = radius(POLES[name](rounding_error()))
    assert np.isinf(np.diagonal(r) if name == "inv" else r).all()


@pytest.mark.parametrize(("f", "error"), [
    (np.floor, 1.0), (np.ceil, 1.0), (np.sign, 2.0), (np.rint, 0.0), (lambda z: np.arctan2(z, -1.0), 2 * np.pi),
])  # fmt: skip
def test_a_jump_within_the_radius_counts(f, error):
    assert radius(f(rounding_error())) == pytest.approx(error)


def test_an_inexact_exponent_of_a_negative_base_may_be_any_integer():
    """1e16 - 1 is odd, and the float beside it even."""
    tape = Tape()
    exponent = trace_input(tape, "x", 1e16) / 3 * 3 - trace_input(tape, "y", 1.0)
    assert np.isinf(radius(np.power(trace_input(tape, "z", -1.0), exponent)))
    assert np.isfinite(radius(np.power(trace_input(tape, "z", 0.0), trace_input(tape, "y", 0.5) / 3)))


def test_the_larger_operand_alone_counts():
    tape = Tape()
    x = trace_input(tape, "x", np.array([1.0, 0.1]))
    y = trace_input(tape, "y", np.array([0.1, 1.0])) / 3
    assert np.array_equal(radius(np.maximum(x, y)) > 0, [False, True])


def test_an_average_over_atoms_moves_with_the_probabilities():
    """p is known to 1e-8 only, and that reaches the weights."""
    tape = Tape()
    p, n = trace_input(tape, "p", 0.1) * 3 + 1e8 - 1e8, 5
    tape.laws.append({"law": "binomial", "n": n, "p": {"node": p.node}, "shape": []})
    draw = Traced(tape, tape.add("random", [], np.arange(n + 1.0), draw=0))
    value: Any = np.exp(draw)
    k = np.arange(n + 1)
    weights = special.binom(n, k) * p.traced_value**k * (1 - p.traced_value) ** (n - k)
    record(tape, "mean", [value], np.tensordot(weights, value.traced_value, axes=1))
    found = compare(tape)
    assert_within(found)
    assert found.radii[-1] < 1e-4


def test_only_what_is_wanted_is_bounded():
    tape = Tape()
    x, y = trace_input(tape, "x", 0.1), trace_input(tape, "y", 0.2)
    z: Any = np.exp(x)
    found = radii(tape, [z.node])
    assert found[y.node] is None
    assert found[x.node] is not None
    assert found[z.node] is not None
