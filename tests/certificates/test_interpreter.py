"""The interpreter of the tape against NumPy and SciPy, and against brute force where they have no answer."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import numpy as np
import pytest
import scipy.linalg
import scipy.special
import scipy.stats
from flint import arb, ctx, fmpq
from forging import Program

from boundcheck.verifier.arrays import Array
from boundcheck.verifier.conclusions import conclude
from boundcheck.verifier.counts import binomial_tail
from boundcheck.verifier.functions import BINARY, UNARY
from boundcheck.verifier.laws import groups
from boundcheck.verifier.numbers import NAN, ZERO, ascending, finite
from boundcheck.verifier.program import Tape, run

ctx.prec = 106


def floats(array: Array) -> np.ndarray:
    return np.array([float(arb(x).mid()) for x in array.data]).reshape(array.shape)


def evaluate(op, *operands, **static):
    """One operation on float arrays."""
    p = Program()
    leaves = [
        p(
            "const",
            shape=list(x.shape),
            data=["/".join(map(str, v.as_integer_ratio())) for v in x.ravel().tolist()],
        )
        for x in map(np.asarray, operands)
    ]
    p(op, *leaves, **static)
    return floats(run(p.nodes, groups([])).arrays[-1])


def uniform(*shape, seed=0):
    return np.random.default_rng(seed).uniform(0.1, 0.9, shape)


def definite(*shape, seed=0):
    X = uniform(*shape, seed=seed) - 0.5
    return X @ np.swapaxes(X, -1, -2) + 0.1 * np.eye(shape[-1])


NUMPY_NAMES = {
    "neg": "negative", "abs": "absolute",
    "sub": "subtract", "mul": "multiply", "div": "divide", "pow": "power",
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_unary_functions(name: str):
    oracle = getattr(np, NUMPY_NAMES.get(name, name), None) or getattr(scipy.special, name)
    x = uniform(40)
    np.testing.assert_allclose(evaluate(name, x), oracle(x), rtol=1e-13)
    if name in ("floor", "ceil", "rint", "sign", "abs", "neg", "exp", "sin", "gamma", "erf"):
        x = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.25])
        np.testing.assert_allclose(evaluate(name, x), oracle(x), rtol=1e-13)


@pytest.mark.parametrize("name", BINARY)
def test_binary_functions_broadcast(name: str):
    oracle = getattr(np, NUMPY_NAMES.get(name, name))
    x, y = uniform(3, 1, 2), uniform(4, 1, seed=1)
    np.testing.assert_allclose(evaluate(name, x, y), oracle(x, y), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_indeterminate_stays_indeterminate(name):
    operands = [NAN] if name in UNARY else [NAN, fmpq(1, 2)]
    function = {**UNARY, **BINARY}[name]
    for others in (operands, operands[::-1], [NAN, ZERO][: len(operands)], [ZERO, NAN][-len(operands) :]):
        assert not finite(function(*others))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("axes", [[], [0], [1, 2], [2, 0], [-1], [0, 1, 2]])
def test_reductions(name, axes):
    x = uniform(2, 3, 4)
    for keepdims in (False, True):
        result = evaluate(name, x, axes=axes, keepdims=keepdims)
        np.testing.assert_allclose(result, getattr(x, name)(axis=tuple(axes), keepdims=keepdims), rtol=1e-13)


def test_rearrangements():
    x = uniform(2, 3, 4)
    np.testing.assert_allclose(evaluate("cumsum", x, axis=1), np.cumsum(x, axis=1))
    np.testing.assert_array_equal(evaluate("sort", x, axis=-1), np.sort(x))
    np.testing.assert_array_equal(evaluate("gather", x, [7.0], shape=[2, 2], index=[24, -1, 0, 23]),
                                  [[7, 0], [x[0, 0, 0], x[1, 2, 3]]])  # fmt: skip


def test_take():
    table, index = uniform(5, 2), np.array([[4, 0, 4]])
    np.testing.assert_array_equal(evaluate("take", table, index), table[index])


def test_sorting_balls_that_overlap_encloses_every_order():
    low, high = ascending([arb(1, 2), arb(0, 1)])
    assert all(arb(low).contains(fmpq(k)) for k in (-1, 0, 1))
    assert all(arb(high).contains(fmpq(k)) for k in (0, 1, 3))


SHAPES = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((4, 2, 3), (3, 5)), ((2, 3), (4, 3, 2)),
    ((4, 1, 2, 3), (5, 3, 2)), ((3,), (4, 3, 2)), ((4, 2, 3), (3,)), ((2, 0), (0, 3)),
]  # fmt: skip


@pytest.mark.parametrize("shapes", SHAPES)
def test_matmul(shapes):
    a, b = uniform(*shapes[0]), uniform(*shapes[1], seed=1)
    result = evaluate("matmul", a, b)
    assert result.shape == (a @ b).shape
    np.testing.assert_allclose(result, a @ b, rtol=1e-13)


def over_batch(function):
    return lambda batch: np.array([function(x) for x in batch])


LINEAR_ALGEBRA = {
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "slogabsdet": lambda x: np.linalg.slogdet(x)[1],
    "cholesky": np.linalg.cholesky,
    "eigvalsh": np.linalg.eigvalsh,
    "svdvals": lambda x: np.linalg.svd(x, compute_uv=False),
    "psd_sqrt": over_batch(scipy.linalg.sqrtm),
    "psd_log": over_batch(scipy.linalg.logm),
    "expm": over_batch(scipy.linalg.expm),
}


@pytest.mark.parametrize("name", LINEAR_ALGEBRA)
@pytest.mark.parametrize("side", [1, 4, 30])
def test_linear_algebra(name, side):
    A = definite(2, side, side)
    np.testing.assert_allclose(evaluate(name, A), LINEAR_ALGEBRA[name](A), rtol=1e-9, atol=1e-11)


def test_solve_and_powers():
    A, B = definite(2, 5, 5), uniform(5, 3, seed=1)
    np.testing.assert_allclose(evaluate("solve", A, B), np.linalg.solve(A, B), rtol=1e-10)
    power = scipy.linalg.fractional_matrix_power(A[0], -1.75)
    np.testing.assert_allclose(evaluate("psd_pow", A[0], power="-7/4"), power, rtol=1e-8)


def test_laws_in_the_order_of_the_tape():
    laws = [
        {"law": "finite", "values": ["-1", "1/2"], "weights": ["1", "2"], "shape": [2]},
        {"law": "multinomial", "n": 2, "pvals": ["1/6", "2/6", "3/6"]},
    ]
    sample = groups(laws).spaces[0]
    first, second = floats(sample.values(0)), floats(sample.values(1))
    counts = [c for c in product(range(3), repeat=3) if sum(c) == 2]
    atoms = [(*signs, *c) for signs in product((-1, 0.5), repeat=2) for c in counts]
    np.testing.assert_array_equal(np.hstack([first, second]), atoms)
    weights = [float(w) for w in Tape(groups(laws)).weights()]
    signs = np.prod(np.where(first < 0, 1 / 3, 2 / 3), axis=1)
    np.testing.assert_allclose(weights, signs * scipy.stats.multinomial.pmf(second, 2, [1 / 6, 2 / 6, 3 / 6]))


def test_weights_of_binomial_and_hypergeometric_laws():
    def weights(law):
        return [float(arb(w)) for w in Tape(groups([law])).weights()]

    binomial = weights({"law": "binomial", "n": 1200, "p": "1/3", "shape": []})
    np.testing.assert_allclose(binomial, scipy.stats.binom.pmf(range(1201), 1200, 1 / 3), rtol=1e-9)
    urn = weights({"law": "hypergeometric", "good": 4, "bad": 3, "sample": 5, "shape": []})
    np.testing.assert_allclose(urn, scipy.stats.hypergeom.pmf(range(2, 5), 7, 4, 5))


def test_binomial_tail_is_exact_and_fast():
    for N, F, p in product((1, 7, 40), (0, 1, 5, 7, 40), (fmpq(1, 10), fmpq(1, 2), fmpq(0), fmpq(1))):
        if F > N:
            continue
        exact = sum((comb(N, k) * p**k * (1 - p) ** (N - k) for k in range(F, N + 1)), fmpq(0))
        assert arb(binomial_tail(N, p, F)).contains(exact)
    tail = arb(binomial_tail(10**8, fmpq(1, 100), 1_010_000))
    assert abs(float(tail) / scipy.stats.binom.sf(1_009_999, 10**8, 0.01) - 1) < 1e-6
    assert tail.rad() < tail * 1e-15


def brute_force(Z, p, q, lam, two_sided, s=7, eps=0.6):
    """P(event) by enumerating every count vector."""
    n, m = Z.shape
    K, probability = (Z * p) @ Z.T, 0.0
    bound = eps * (K + n * lam * np.eye(n))
    for counts in product(range(s + 1), repeat=m):
        if sum(counts) == s:
            D = (Z * (np.array(counts) / s * p / q)) @ Z.T - K
            sides = [bound + D, bound - D] if two_sided else [bound + D]
            if all(np.linalg.eigvalsh(side)[0] >= -1e-12 for side in sides):
                multiplicity = factorial(s) / prod(factorial(k) for k in counts)
                probability += multiplicity * np.prod(np.array(q) ** counts)
    return probability


POOLS = {
    "dense": [[2, 1, 0], [1, 1, 3]],
    "parallel": [[1, -1, 0, 0], [2, -2, 0, 0], [0, 0, 1, 2]],
    "blocks": [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 2, 1], [0, 0, 1, 1]],
    "alike": [[1, 0, 0], [0, 2, 0], [0, 0, 0]],
}


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("lam", ["1/50", "1/3"])
def test_counts_against_enumeration(name, two_sided, lam):
    rows = POOLS[name]
    m, s, eps = len(rows[0]), 7, "3/5"
    p, q = (
        (["1/4", "1/4", "1/3", "1/6"][:m], ["1/3", "1/3", "1/6", "1/6"])
        if m == 4
        else (["1/3"] * 3, ["1/2", "1/4", "1/4"])
    )
    tape = Program()
    nodes = {"Z": tape.matrix(rows), "p": tape.const(*p, shape=(m,)), "q": tape.const(*q, shape=(m,))}
    scalars = {"lam": tape.const(lam), "eps": tape.const(eps), "bound": tape.const("1/2")}
    conclusion = {"kind": "counts", **nodes, **scalars, "s": s, "two_sided": two_sided}
    found = conclude(run(tape.nodes, groups([])), conclusion).probability
    weights = [np.array([float(Fraction(x)) for x in v]) for v in (p, q)]
    expected = brute_force(np.array(rows), weights[0], weights[1], float(Fraction(lam)), two_sided)
    assert found is not None
    assert abs(float(arb(found)) - expected) < 1e-12
