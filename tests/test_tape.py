"""NumPy functions of traced arrays: the float value is NumPy's, and the recorded program recomputes to it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.linalg
from flint import arb, ctx
from scipy import special

from boundcheck.operations import Operation
from boundcheck.tape import Tape, Traced, Truth, trace_input
from boundcheck.tape.program import SPELLED
from boundcheck.tape.table import known
from boundcheck.verifier.laws import groups
from boundcheck.verifier.program import run

BITS = 128


class Numbers(NamedTuple):
    """A scalar, vectors inside (0, 1), one with signs and a zero, a positive definite matrix and a wide one."""

    s: Any
    x: Any
    y: Any
    z: Any
    A: Any
    B: Any


NUMBERS = Numbers(
    np.array(0.7),
    np.array([0.3, 0.9, 0.125, 0.6, 0.45]),
    np.array([0.5, 0.2, 0.8, 0.35, 0.7]),
    np.array([-1.5, 2.25, 0.0, -0.4, 3.7]),
    np.array([[2.0, 0.5, -0.25], [0.5, 1.5, 0.125], [-0.25, 0.125, 1.0]]),
    np.array([[0.1, -0.7, 0.3, 1.2], [2.0, 0.4, -1.1, 0.6], [-0.9, 0.8, 0.25, -0.3]]),
)

COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
Case = Callable[[Numbers], Any]
CASES: dict[str, list[Case]] = {
    "atleast_1d": [lambda v: np.atleast_1d(v.s)],
    "atleast_2d": [lambda v: np.atleast_2d(v.x)],
    "broadcast_to": [lambda v: np.broadcast_to(v.x, (2, 5))],
    "diag": [lambda v: np.diag(v.x), lambda v: np.diag(v.A, 1)],
    "diagonal": [lambda v: np.diagonal(v.B, 1)],
    "delete": [lambda v: np.delete(v.x, [1, 3])],
    "expand_dims": [lambda v: np.expand_dims(v.x, 0)],
    "flip": [lambda v: np.flip(v.B), lambda v: np.flip(v.B, 1)],
    "moveaxis": [lambda v: np.moveaxis(v.B, 0, 1)],
    "ravel": [lambda v: np.ravel(v.B)],
    "repeat": [lambda v: np.repeat(v.B, [1, 2, 1], axis=0)],
    "reshape": [lambda v: np.reshape(v.B, (4, 3))],
    "roll": [lambda v: np.roll(v.B, 1, axis=1)],
    "squeeze": [lambda v: np.squeeze(v.B[:1])],
    "swapaxes": [lambda v: np.swapaxes(v.B, 0, 1)],
    "take": [lambda v: np.take(v.B, [2, 0], axis=0), lambda v: np.take(v.x, [[1, 0], [4, 4]])],
    "take_along_axis": [lambda v: np.take_along_axis(v.B, np.array([[3], [0], [1]]), 1)],
    "tile": [lambda v: np.tile(v.x, (2, 2))],
    "transpose": [lambda v: np.transpose(v.B), lambda v: v.B.T],
    "tril": [lambda v: np.tril(v.A, -1)],
    "triu": [lambda v: np.triu(v.A)],
    "concatenate": [lambda v: np.concatenate([v.x, np.ones(2)]), lambda v: np.concatenate([v.A, v.B], axis=1)],
    "stack": [lambda v: np.stack([v.x, v.y], axis=1)],
    "hstack": [lambda v: np.hstack([v.A, v.B])],
    "vstack": [lambda v: np.vstack([v.x, v.y])],
    "column_stack": [lambda v: np.column_stack([v.x, v.y])],
    "block": [lambda v: np.block([[v.A, v.B], [np.zeros((1, 3)), np.ones((1, 4))]])],
    "append": [lambda v: np.append(v.x, v.y), lambda v: np.append(v.A, v.B, axis=1)],
    "where": [lambda v: np.where(v.x > 0.5, v.x, v.y), lambda v: np.where(v.z > 0, v.z, 0)],
    "mean": [lambda v: np.mean(v.B), lambda v: np.mean(v.B, axis=1, keepdims=True), lambda v: v.B.mean(axis=0)],
    "average": [lambda v: np.average(v.x), lambda v: np.average(v.x, weights=v.y)],
    "var": [lambda v: np.var(v.B), lambda v: np.var(v.B, axis=0, ddof=1)],
    "std": [lambda v: np.std(v.B, axis=1)],
    "trace": [lambda v: np.trace(v.A)],
    "dot": [lambda v: np.dot(v.A, v.B), lambda v: np.dot(v.x, v.y), lambda v: np.dot(v.s, v.x)],
    "vdot": [lambda v: np.vdot(v.A, v.A)],
    "inner": [lambda v: np.inner(v.x, v.y), lambda v: np.inner(v.A, v.A)],
    "outer": [lambda v: np.outer(v.x, v.y)],
    "einsum": [
        lambda v: np.einsum("ij,jk->ik", v.A, v.B), lambda v: np.einsum("ii->i", v.A), lambda v: np.einsum("ii", v.A),
        lambda v: np.einsum("ij,ij->j", v.B, v.B), lambda v: np.einsum("i,j->ji", v.x, v.y), lambda v: np.einsum("ij->ji", v.B),
    ],
    "convolve": [lambda v: np.convolve(v.x, v.z), lambda v: np.convolve(v.z[:2], v.x)],
    "trapezoid": [lambda v: np.trapezoid(v.x, dx=0.5), lambda v: np.trapezoid(v.x, np.cumsum(v.y))],
    "vander": [lambda v: np.vander(v.x), lambda v: np.vander(v.x, 3)],
    "kron": [lambda v: np.kron(v.A, v.B)],
    "norm": [
        *(lambda v, p=p: np.linalg.norm(v.z, p) for p in (None, 1, 2, 3, np.inf, -np.inf, 0)),
        *(lambda v, p=p: np.linalg.norm(v.B, p) for p in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)),
        lambda v: np.linalg.norm(v.B, axis=1),
    ],
    "matmul": [lambda v: np.matmul(v.A, v.B), lambda v: np.matmul(v.A, v.B[:, 0])],
    "inv": [lambda v: np.linalg.inv(v.A)],
    "det": [lambda v: np.linalg.det(v.A)],
    "eigvalsh": [lambda v: np.linalg.eigvalsh(v.A)],
    "svdvals": [lambda v: np.linalg.svdvals(v.B)],
    "svd": [lambda v: np.linalg.svd(v.B, compute_uv=False), lambda v: np.linalg.svd(v.B)[1]],
    "eigh": [lambda v: tuple(np.linalg.eigh(v.A)), lambda v: np.linalg.eigh(v.A - 2 * np.eye(len(v.A))).eigenvectors],
    "qr": [lambda v: tuple(np.linalg.qr(v.A)), lambda v: tuple(np.linalg.qr(v.B.T))],
    "pinv": [lambda v: np.linalg.pinv(v.B), lambda v: np.linalg.pinv(v.B.T)],
    "cholesky": [lambda v: np.linalg.cholesky(v.A)],
    "slogdet": [lambda v: tuple(np.linalg.slogdet(-v.A))],
    "solve": [lambda v: np.linalg.solve(v.A, v.B), lambda v: np.linalg.solve(v.A, v.B[:, 1])],
    "matrix_power": [lambda v, k=k: np.linalg.matrix_power(v.A, k) for k in (0, 3, -2)],
    "multi_dot": [lambda v: np.linalg.multi_dot([v.A, v.A, v.B])],
    "sum": [lambda v: np.sum(v.B), lambda v: np.sum(v.B, axis=(0, 1)), lambda v: v.B.sum(axis=1, keepdims=True)],
    "prod": [lambda v: np.prod(v.x), lambda v: v.B.prod(axis=0)],
    "max": [lambda v: np.max(v.B, axis=0), lambda v: v.B.max()],
    "min": [lambda v: np.min(v.B, axis=1), lambda v: v.B.min()],
    "expm": [lambda v: SPELLED[scipy.linalg.expm](v.A)],
    "ptp": [lambda v: np.ptp(v.z)],
    "poly": [lambda v: np.poly(v.z)],
    "polyval": [lambda v: np.polyval(v.z, v.A), lambda v: np.polyval(v.z, v.z[0])],
    "roots": [lambda v: np.max(np.abs(np.roots(v.z))), lambda v: np.sum(np.roots(v.z).real)],
    "eigvals": [lambda v: np.max(np.abs(np.linalg.eigvals(v.A)))],
    "cumsum": [lambda v: np.cumsum(v.B), lambda v: np.cumsum(v.B, axis=1)],
    "cumprod": [lambda v: np.cumprod(v.B), lambda v: np.cumprod(v.B, axis=1)],
    "sort": [lambda v: np.sort(v.z), lambda v: np.sort(v.B, axis=0), lambda v: np.sort(v.B, axis=None)],
    "argmax": [lambda v: np.argmax(v.z), lambda v: np.argmax(v.B, axis=1)],
    "argmin": [lambda v: np.argmin(v.z)],
    "argsort": [lambda v: np.argsort(v.z), lambda v: np.argsort(v.B, axis=0), lambda v: np.argsort(v.B, axis=None)],
    "divmod": [lambda v: np.divmod(v.x, v.y), lambda v: np.divmod(v.z, 0.7)],
    "unique": [lambda v: np.unique(v.z)],
    "searchsorted": [lambda v: np.searchsorted(np.sort(v.x), v.y), lambda v: np.searchsorted(np.sort(v.x), 0.5, side="right")],
    "matrix_rank": [lambda v: np.linalg.matrix_rank(v.B), lambda v: np.linalg.matrix_rank(np.outer(v.x, v.x))],
    "diff": [lambda v: np.diff(v.x), lambda v: np.diff(v.B, axis=0)],
    "median": [lambda v: np.median(v.x), lambda v: np.median(v.B, axis=1), lambda v: np.median(v.B, axis=0)],
    "clip": [lambda v: np.clip(v.z, -1, 2), lambda v: np.clip(v.z, 0, None)],
    "ones_like": [lambda v: np.ones_like(v.B)],
    "zeros_like": [lambda v: np.zeros_like(v.B)],
    "full_like": [lambda v: np.full_like(v.x, 2.5)],
    "shape": [lambda v: np.shape(v.B)],
    "ndim": [lambda v: np.ndim(v.B)],
    "size": [lambda v: np.size(v.B), lambda v: np.size(v.B, 1)],
    "real": [lambda v: np.real(v.x)],
    "imag": [lambda v: np.imag(v.x), lambda v: np.imag(v.B)],
    "round": [lambda v: np.round(v.x, 1), lambda v: np.round(v.z)],
    "all": [lambda v: np.all(v.x > 0), lambda v: np.all(v.x > 0.5)],
    "any": [lambda v: np.any(v.z < -1), lambda v: np.any(v.z > 9)],
    "broadcast_arrays": [lambda v: list(np.broadcast_arrays(v.s, v.x))],
    "count_nonzero": [lambda v: np.count_nonzero(v.z), lambda v: np.count_nonzero(v.z > 1)],
    "nonzero": [lambda v: np.nonzero(v.z)],
    "flatnonzero": [lambda v: np.flatnonzero(v.z)],
    "ix_": [lambda v: v.A[np.ix_(_whole(v), [1])]],
    "meshgrid": [lambda v: list(np.meshgrid(v.x, v.z)), lambda v: list(np.meshgrid(v.x, [1, 2], indexing="ij"))],
    # universal functions
    **{name: [lambda v, f=name: _function(f)(v.x)] for name in ("sqrt exp expm1 log log1p sin cos tan arcsin arccos arctan sinh"
       " cosh tanh erf erfc gamma gammaln psi square positive cbrt log2 log10 exp2 expit logit"
       " ndtr log_ndtr ndtri entr").split()},
    **{name: [lambda v, f=name: _function(f)(v.z)] for name in "sign floor ceil rint negative absolute fabs".split()},
    **{name: [lambda v, f=name: _function(f)(v.x, v.y), lambda v, f=name: _function(f)(v.x, 0.5)] for name in ("add subtract multiply"
       " divide power maximum minimum remainder arctan2 hypot logaddexp floor_divide xlogy xlog1py rel_entr"
       " kl_div").split()},
    **{name: [lambda v, f=name: _truth(getattr(np, f)(v.z, 2.25))] for name in COMPARISONS},
}  # fmt: skip
CASES["xlogy"].append(lambda v: special.xlogy(v.z * 0, v.z * 0))
BESIDE = {"bitwise_and", "bitwise_or", "bitwise_xor", "invert", "positive", "divmod", "broadcast_arrays", "ndim", "take_along_axis"}
"""What operators of Python are, and what the engine calls; all else that is spelled is a function that a text may call."""


def _whole(v: Numbers) -> Any:
    """0 and 1, computed."""
    return np.rint(v.x[:2]).astype(int)


def _coin(comparison: Any) -> Any:
    """Truth values that are numbers of a program, or those of NumPy."""
    return comparison.coin() if isinstance(comparison, Truth) else comparison


JOINED: dict[str, list[Any]] = {
    **{
        name: [lambda v, name=name: getattr(np, name)(_coin(v.z > -1), v.z < 1) * 1.0]
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor")
    },
    **{
        name: [lambda v, name=name: np.where(getattr(np, name)(v.z > -1, v.z < 1), 1.0, 0.0)]
        for name in ("logical_and", "logical_or")
    },
    "logical_not": [lambda v: np.where(np.logical_not(v.z > 0), 1.0, 0.0), lambda v: np.where(np.logical_not(v.z), 1.0, 0.0)],
    "invert": [lambda v: ~_coin(v.z > 0) * 1.0],
    "array_equal": [lambda v: np.array_equal(v.z, v.z), lambda v: np.array_equal(v.z, v.z + 1), lambda v: np.array_equal(v.z, v.z[:1])],
}
"""What joins truth values, which are numbers of the program here."""


def _function(name: str) -> Any:
    return getattr(np, name, None) or getattr(special, name)


def _truth(comparison: Any) -> np.ndarray:
    return comparison if isinstance(comparison, np.ndarray) else comparison.decided()


def traced_numbers(tape: Tape) -> Numbers:
    return Numbers(*(trace_input(tape, name, x) for name, x in NUMBERS._asdict().items()))


def assert_encloses(tape: Tape, result: Traced) -> None:
    """The ball of every entry holds the float, up to the rounding of the float."""
    with ctx.workprec(BITS):
        recomputed = run(tape.nodes, groups([])).arrays[result.node]
        assert recomputed.shape == result.shape
        scale = max(1.0, float(np.max(np.abs(result.traced_value), initial=0)))
        for x, ball in zip(result.traced_value.ravel().tolist(), recomputed.data, strict=True):
            assert arb(x, 1e-12 * scale).overlaps(arb(ball)), (x, ball)
            assert arb(ball).rad() < 1e-10 * scale


def test_every_supported_function_has_a_case():
    supported = {f.__name__ for f in SPELLED if not isinstance(f, Operation)}
    assert supported == set(CASES | JOINED)


def test_nothing_is_spelled_that_no_text_may_call():
    assert {f.__name__ for f in SPELLED if not isinstance(f, Operation) and id(f) not in known()} == BESIDE


@pytest.mark.parametrize(("name", "k"), [(name, k) for name, cases in (CASES | JOINED).items() for k in range(len(cases))])
def test_value_is_numpys_and_the_program_recomputes_to_it(name: str, k: int):
    tape = Tape()
    case = (CASES | JOINED)[name][k]
    expected, found = case(NUMBERS), case(traced_numbers(tape))
    several = isinstance(expected, (list, tuple)) and not isinstance(found, Traced)
    pairs = list(zip(expected, found, strict=True)) if several else [(expected, found)]
    for e, f in pairs:
        plain = f.traced_value if isinstance(f, Traced) else f
        assert np.shape(plain) == np.shape(e)
        np.testing.assert_allclose(plain, e, rtol=1e-12, atol=1e-15)
        if isinstance(f, Traced):
            assert_encloses(tape, f)
