"""NumPy's linear algebra on traced arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.tape.program import NotTraceable
from boundcheck.tape.registry import SPELLED, spells
from boundcheck.tape.structure import tape_of
from boundcheck.tape.traced import constant, record


def _recorded(op: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is one operation of the program."""

    def spelled(*operands: Any, **_: Any) -> Any:
        tape = tape_of(*operands)
        traced = [constant(tape, x) for x in operands]
        with np.errstate(all="ignore"):
            value = function(*(x.traced_value for x in traced))
        return record(tape, op, list(traced), value)

    return spelled


inv = _recorded("inv", np.linalg.inv)
det = _recorded("det", np.linalg.det)
svdvals = _recorded("svdvals", lambda a: np.linalg.svd(a, compute_uv=False))
_eigvalsh = _recorded("eigvalsh", np.linalg.eigvalsh)
_cholesky = _recorded("cholesky", np.linalg.cholesky)
_slogabsdet = _recorded("slogabsdet", lambda a: np.linalg.slogdet(a)[1])
_solve = _recorded("solve", np.linalg.solve)
SPELLED.update({np.linalg.inv: inv, np.linalg.det: det, np.linalg.svdvals: svdvals})


@spells(np.linalg.eigvalsh)
def eigvalsh(a: Any, *_: Any, **__: Any) -> Any:
    return _eigvalsh(a)


@spells(np.linalg.cholesky)
def cholesky(a: Any, **_: Any) -> Any:
    return _cholesky(a)


@spells(np.linalg.solve)
def solve(a: Any, b: Any) -> Any:
    return _solve(a, np.reshape(b, (-1, 1)))[..., 0] if np.ndim(b) == 1 else _solve(a, b)


@spells(np.linalg.slogdet)
def slogdet(a: Any) -> Any:
    return np.sign(det(a)), _slogabsdet(a)


@spells(np.linalg.svd)
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, **_: Any) -> Any:
    if compute_uv:
        raise NotTraceable("Singular vectors are not unique; ask np.linalg.svdvals for the values.")
    return svdvals(a)


@spells(np.linalg.eigh)
def eigh(*_: Any, **__: Any) -> Any:
    raise NotTraceable("Eigenvectors are not unique; use eigenvalues(A), psd_sqrt(A), psd_power(A, t) or projections.")


@spells(np.linalg.matrix_power)
def matrix_power(a: Any, k: int) -> Any:
    if k < 0:
        return matrix_power(inv(a), -k)
    result: Any = np.eye(a.shape[-1])
    for _ in range(k):
        result = result @ a
    return constant(a.tape, result)


@spells(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """np.linalg.norm: vectors and matrices."""
    if isinstance(axis, tuple) or (axis is None and x.ndim == 2 and ord is not None):
        x = x if axis is None else np.moveaxis(x, axis, (-2, -1))
        result, kept = matrix_norm(x, "fro" if ord is None else ord), axis or (-2, -1)
    else:
        x, kept = (np.ravel(x), 0) if axis is None else (np.moveaxis(x, axis, -1), axis)
        result = _vector_norm(x, 2 if ord is None else ord)
    return np.expand_dims(result, kept) if keepdims else result


@spells(np.linalg.vector_norm)
def vector_norm(x: Any, ord: Any = 2, axis: Any = None, **_: Any) -> Any:
    return _vector_norm(np.ravel(x) if axis is None else np.moveaxis(x, axis, -1), ord)


def _vector_norm(x: Any, ord: Any) -> Any:
    """Along the last axis."""
    if ord == 2:
        return np.sqrt(np.sum(x * x, axis=-1))
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(np.abs(x), axis=-1)
    if ord == 0:
        return np.sum(np.sign(np.abs(x)), axis=-1)
    total = np.sum(np.abs(x) ** ord, axis=-1)
    return total if ord == 1 else total ** (1 / constant(x.tape, ord))


@spells(np.linalg.matrix_norm)
def matrix_norm(x: Any, ord: Any = "fro", **_: Any) -> Any:
    """Over the last two axes."""
    if ord in ("fro", "f"):
        return np.sqrt(np.sum(x * x, axis=(-2, -1)))
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1)
        return (np.max if ord > 0 else np.min)(sums, axis=-1)
    singular = svdvals(x)
    if ord == "nuc":
        return np.sum(singular, axis=-1)
    return singular[..., 0 if ord == 2 else -1]


@spells(np.linalg.cond)
def cond(a: Any, p: Any = None) -> Any:
    if p in (None, 2):
        singular = svdvals(a)
        return singular[..., 0] / singular[..., -1]
    return norm(a, p) * norm(inv(a), p)
