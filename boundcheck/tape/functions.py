"""NumPy functions of traced arrays, each spelled in recorded operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.tape.program import NotTraceable
from boundcheck.tape.traced import Traced, constant, gather, record, reduce
from boundcheck.tape.truth import Truth

MOVING = [
    np.atleast_1d, np.atleast_2d, np.atleast_3d, np.broadcast_to, np.diag, np.diagflat, np.diagonal, np.delete,
    np.expand_dims, np.flip, np.fliplr, np.flipud, np.moveaxis, np.ravel, np.repeat, np.reshape, np.resize, np.roll,
    np.rot90, np.squeeze, np.swapaxes, np.take, np.take_along_axis, np.tile, np.transpose, np.tril, np.triu,
    np.linalg.diagonal, np.linalg.matrix_transpose, np.matrix_transpose, np.permute_dims,
]  # fmt: skip
JOINING = [np.concatenate, np.stack, np.hstack, np.vstack, np.dstack, np.column_stack, np.block]


def call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Dispatch one NumPy function."""
    if function in MOVING:
        return gather([args[0]], lambda numbers: function(numbers, *args[1:], **kwargs))
    if function in JOINING:
        return join(function, args[0], args[1:], kwargs)
    spelled = DERIVED.get(function)
    if spelled is None:
        raise NotTraceable(f"np.{function.__name__} has no exact form in boundcheck; spell it with simpler functions.")
    return spelled(*args, **kwargs)


def join(function: Any, parts: Any, args: Any, kwargs: Any) -> Traced:
    """Concatenate and its kin: every part, traced or not, supplies entries."""
    tape = _first(parts).tape
    leaves: list[Traced] = []

    def number(part: Any) -> Any:
        if function is np.block and isinstance(part, (list, tuple)):
            return [number(p) for p in part]
        leaves.append(constant(tape, part))
        return len(leaves) - 1

    def fill(part: Any, numbers: Any) -> Any:
        return [fill(p, numbers) for p in part] if isinstance(part, list) else numbers[part]

    layout = [number(part) for part in parts]
    return gather(leaves, lambda *numbers: function(fill(layout, numbers), *args, **kwargs))


def split(function: Any) -> Callable[..., Any]:
    def spelled(a: Any, *args: Any, **kwargs: Any) -> Any:
        count = len(function(a.traced_value, *args, **kwargs))
        return [gather([a], lambda x, k=k: function(x, *args, **kwargs)[k]) for k in range(count)]

    return spelled


def _first(args: Any) -> Traced:
    for x in args:
        if isinstance(x, Traced):
            return x
        if isinstance(x, (list, tuple)) and any(isinstance(y, (Traced, list, tuple)) for y in x):
            return _first(x)
    raise NotTraceable("No traced argument.")


def where(condition: Any, x: Any, y: Any) -> Traced:
    """Entries of x or y; the condition becomes a hypothesis."""
    mask = condition.decided() if isinstance(condition, Truth) else np.asarray(condition)
    return gather([x, y], lambda a, b: np.where(mask, a, b), _tape_of(x, y))


def _tape_of(*operands: Any) -> Any:
    return _first(operands).tape


def mean(a: Any, axis: Any = None, keepdims: bool = False, **_: Any) -> Any:
    total = reduce("sum", a, axis=axis, keepdims=bool(keepdims) if keepdims is not np._NoValue else False)
    return total / (a.size // max(total.size, 1))


def var(a: Any, axis: Any = None, ddof: int = 0, **_: Any) -> Any:
    centred = a - mean(a, axis, keepdims=True)
    total = reduce("sum", centred * centred, axis=axis)
    return total / (a.size // max(total.size, 1) - ddof)


def trace(a: Any, **_: Any) -> Any:
    return np.sum(np.diagonal(a, axis1=-2, axis2=-1), axis=-1)


def dot(a: Any, b: Any) -> Any:
    return a * b if np.ndim(a) == 0 or np.ndim(b) == 0 else a @ b


def outer(a: Any, b: Any) -> Any:
    return np.reshape(a, (-1, 1)) * np.reshape(b, (1, -1))


def einsum(subscripts: str, *operands: Any, **_: Any) -> Any:
    """Sum over products, by broadcasting all operands over all indices."""
    left, _arrow, out = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    letters = sorted(set("".join(terms)))
    out = out if _arrow else "".join(c for c in letters if left.count(c) == 1)
    product: Any = 1
    for term, x in zip(terms, operands, strict=True):
        term, x = _diagonalised(term, x)
        x = np.transpose(x, [term.index(c) for c in letters if c in term])
        product = product * np.reshape(x, [x.shape[sorted(term).index(c)] if c in term else 1 for c in letters])
    axes = tuple(k for k, c in enumerate(letters) if c not in out)
    summed = np.sum(product, axis=axes) if axes else product
    kept = [c for c in letters if c in out]
    return np.transpose(summed, [kept.index(c) for c in out])


def _diagonalised(term: str, x: Any) -> tuple[str, Any]:
    for c in set(term):
        while term.count(c) > 1:
            i, j = (k for k, letter in list(enumerate(term))[: len(term)] if letter == c and k in _two(term, c))
            x, term = np.diagonal(x, axis1=i, axis2=j), term[:i] + term[i + 1 : j] + term[j + 1 :] + c
    return term, x


def _two(term: str, c: str) -> list[int]:
    return [k for k, letter in enumerate(term) if letter == c][:2]


def kron(a: Any, b: Any) -> Any:
    product = a[:, None, :, None] * b[None, :, None, :]
    return np.reshape(product, (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """np.linalg.norm: vectors and matrices."""
    if keepdims:
        raise NotTraceable("np.linalg.norm(keepdims=True) has no exact form; reshape instead.")
    if isinstance(axis, tuple) or (axis is None and x.ndim == 2 and ord is not None):
        return _matrix_norm(x, "fro" if ord is None else ord)
    return _vector_norm(x if axis is not None or x.ndim == 1 else np.ravel(x), 2 if ord is None else ord, -1 if axis is None else axis)


def _vector_norm(x: Any, ord: Any, axis: int) -> Any:
    if ord == 2:
        return np.sqrt(np.sum(x * x, axis=axis))
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(np.abs(x), axis=axis)
    if ord == 0:
        return np.sum(np.sign(np.abs(x)), axis=axis)
    return np.sum(np.abs(x) ** ord, axis=axis) ** (1 / constant(x.tape, ord))


def _matrix_norm(x: Any, ord: Any) -> Any:
    if ord in ("fro", "f"):
        return np.sqrt(np.sum(x * x, axis=(-2, -1)))
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1)
        return (np.max if ord > 0 else np.min)(sums, axis=-1)
    singular = svdvals(x)
    return {"nuc": lambda: np.sum(singular, axis=-1), 2: lambda: singular[..., 0], -2: lambda: singular[..., -1]}[ord]()


def _linear_algebra(op: str, function: Callable[..., Any], name: str | None = None, **static: Any) -> Any:
    def spelled(*operands: Any, **_: Any) -> Any:
        traced = [constant(_tape_of(*operands), x) for x in operands]
        with np.errstate(all="ignore"):
            value = function(*(x.traced_value for x in traced))
        return record(traced[0].tape, op, list(traced), value, **static)

    spelled.__name__ = name or op
    return spelled


inv = _linear_algebra("inv", np.linalg.inv)
det = _linear_algebra("det", np.linalg.det)
eigvalsh = _linear_algebra("eigvalsh", np.linalg.eigvalsh)
svdvals = _linear_algebra("svdvals", lambda a: np.linalg.svd(a, compute_uv=False))
cholesky = _linear_algebra("cholesky", np.linalg.cholesky)
slogabsdet = _linear_algebra("slogabsdet", lambda a: np.linalg.slogdet(a)[1])
_solve = _linear_algebra("solve", np.linalg.solve)
sort = _linear_algebra("sort", lambda a: np.sort(a, axis=-1), axis=-1)


def solve(a: Any, b: Any) -> Any:
    return _solve(a, np.reshape(b, (-1, 1)))[:, 0] if np.ndim(b) == 1 else _solve(a, b)


def slogdet(a: Any) -> Any:
    return np.sign(det(a)), slogabsdet(a)


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, **_: Any) -> Any:
    if compute_uv:
        raise NotTraceable("Singular vectors are not unique; ask np.linalg.svdvals for the values.")
    return svdvals(a)


def cumsum(a: Any, axis: int | None = None, **_: Any) -> Any:
    a, axis = (np.ravel(a), 0) if axis is None else (a, axis % a.ndim)
    return record(a.tape, "cumsum", [a], np.cumsum(a.traced_value, axis=axis), axis=axis)


def sort_along(a: Any, axis: int | None = -1, **_: Any) -> Any:
    a = np.ravel(a) if axis is None else np.moveaxis(a, axis, -1)
    return sort(a) if axis is None else np.moveaxis(sort(a), -1, axis)


def argbest(sign: int) -> Callable[..., Any]:
    def spelled(a: Any, axis: int | None = None, **_: Any) -> Any:
        a, axis = (np.ravel(a), 0) if axis is None else (a, axis)
        best = np.argmax(sign * a.traced_value, axis=axis)
        chosen = np.take_along_axis(a, np.expand_dims(best, axis), axis)
        ((chosen >= a) if sign > 0 else (chosen <= a)).decided()
        return best

    return spelled


def matrix_power(a: Any, k: int) -> Any:
    if k < 0:
        return matrix_power(inv(a), -k)
    result: Any = np.eye(a.shape[-1])
    for _ in range(k):
        result = result @ a
    return constant(a.tape, result)


def diff(a: Any, axis: int = -1, **_: Any) -> Any:
    a = np.moveaxis(a, axis, -1)
    return np.moveaxis(a[..., 1:] - a[..., :-1], -1, axis)


def median(a: Any, axis: int | None = None, **_: Any) -> Any:
    a = sort_along(a, axis if axis is None else -1) if axis in (None, -1) else sort_along(np.moveaxis(a, axis, -1))
    k = a.shape[-1]
    return (a[..., (k - 1) // 2] + a[..., k // 2]) / 2


def clip(a: Any, low: Any = None, high: Any = None, **_: Any) -> Any:
    a = a if low is None else np.maximum(a, low)
    return a if high is None else np.minimum(a, high)


def _full(value: float) -> Callable[..., Any]:
    return lambda a, *_, **__: np.full(a.shape, value)


def xlogy(x: Any, y: Any) -> Any:
    """x log y with 0 log 0 = 0: where x is zero the logarithm is not taken."""
    tape = _tape_of(x, y)
    x, y = np.broadcast_arrays(constant(tape, x), constant(tape, y)) if np.shape(x) != np.shape(y) else (x, y)
    zero = (constant(tape, x) == 0).decided()
    return x * np.log(where(zero, np.ones(np.shape(x)), y))


UFUNCS: dict[str, Callable[..., Any]] = {
    "square": lambda x: x * x,
    "positive": lambda x: x,
    "conjugate": lambda x: x,
    "reciprocal": lambda x: 1 / x,
    "cbrt": lambda x: np.sign(x) * np.abs(x) ** (1 / constant(x.tape, 3)),
    "log2": lambda x: np.log(x) / np.log(constant(x.tape, 2)),
    "log10": lambda x: np.log(x) / np.log(constant(x.tape, 10)),
    "exp2": lambda x: np.exp(x * np.log(constant(x.tape, 2))),
    "hypot": lambda x, y: np.sqrt(x * x + y * y),
    "logaddexp": lambda x, y: np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y))),
    "floor_divide": lambda x, y: np.floor(x / y),
    "heaviside": lambda x, y: where(x > 0, np.ones(x.shape), where(x < 0, np.zeros(x.shape), y * np.ones(x.shape))),
    "vecdot": lambda x, y: np.sum(x * y, axis=-1),
    "xlogy": xlogy,
    "xlog1py": lambda x, y: xlogy(x, 1 + y),
    "entr": lambda x: -xlogy(x, x),
    "rel_entr": lambda x, y: xlogy(x, x / y),
    "kl_div": lambda x, y: xlogy(x, x / y) - x + y,
    "expit": lambda x: 1 / (1 + np.exp(-x)),
    "logit": lambda x: np.log(x / (1 - x)),
    "log_expit": lambda x: -np.log1p(np.exp(-x)),
    "ndtr": lambda x: _erfc(-x / np.sqrt(constant(x.tape, 2))) / 2,
    "log_ndtr": lambda x: np.log(_erfc(-x / np.sqrt(constant(x.tape, 2))) / 2),
    "isfinite": lambda x: np.isfinite(x.traced_value),
    "isnan": lambda x: np.isnan(x.traced_value),
    "logical_and": lambda x, y: Truth.__and__(x, y) if isinstance(x, Truth) else Truth.__and__(y, x),
    "logical_not": lambda x: ~x,
}


def _erfc(x: Any) -> Any:
    from scipy.special import erfc

    return erfc(x)


DERIVED: dict[Any, Callable[..., Any]] = {
    np.split: split(np.split), np.array_split: split(np.array_split), np.append: lambda a, b, axis=None: join(np.concatenate, [np.ravel(a), np.ravel(b)] if axis is None else [a, b], (axis or 0,), {}),
    np.where: where, np.mean: mean, np.average: lambda a, weights=None, **k: mean(a, **k) if weights is None else np.sum(a * weights) / np.sum(weights),
    np.var: var, np.std: lambda a, **k: np.sqrt(var(a, **k)), np.trace: trace, np.linalg.trace: trace,
    np.dot: dot, np.vdot: lambda a, b: np.ravel(a) @ np.ravel(b), np.inner: lambda a, b: dot(a, np.transpose(b)),
    np.outer: outer, np.linalg.outer: outer, np.einsum: einsum, np.kron: kron, np.linalg.norm: norm,
    np.linalg.vector_norm: lambda x, ord=2, axis=None, **_: _vector_norm(np.ravel(x) if axis is None else x, ord, -1 if axis is None else axis),
    np.linalg.matrix_norm: lambda x, ord="fro", **_: _matrix_norm(x, ord), np.linalg.vecdot: lambda x, y, **_: np.sum(x * y, axis=-1),
    np.linalg.matmul: lambda a, b: a @ b, np.linalg.cond: lambda a, p=None: svdvals(a)[..., 0] / svdvals(a)[..., -1] if p in (None, 2) else norm(a, p) * norm(inv(a), p),
    np.linalg.inv: inv, np.linalg.det: det, np.linalg.eigvalsh: lambda a, UPLO="L": eigvalsh(a), np.linalg.svdvals: svdvals, np.linalg.svd: svd,
    np.linalg.cholesky: lambda a, **_: cholesky(a), np.linalg.slogdet: slogdet, np.linalg.solve: solve, np.linalg.matrix_power: matrix_power,
    np.linalg.multi_dot: lambda xs, **_: _product(xs), np.sum: lambda a, axis=None, keepdims=False, **_: reduce("sum", a, axis, keepdims is True),
    np.prod: lambda a, axis=None, keepdims=False, **_: reduce("prod", a, axis, keepdims is True),
    np.max: lambda a, axis=None, keepdims=False, **_: reduce("max", a, axis, keepdims is True),
    np.min: lambda a, axis=None, keepdims=False, **_: reduce("min", a, axis, keepdims is True),
    np.ptp: lambda a, axis=None, **_: reduce("max", a, axis) - reduce("min", a, axis),
    np.cumsum: cumsum, np.sort: sort_along, np.argmax: argbest(1), np.argmin: argbest(-1), np.diff: diff, np.median: median, np.clip: clip,
    np.ones_like: _full(1.0), np.zeros_like: _full(0.0), np.empty_like: _full(0.0), np.full_like: lambda a, v, **_: v * np.ones(a.shape),
    np.shape: lambda a: a.shape, np.ndim: lambda a: a.ndim, np.size: lambda a, axis=None: a.size if axis is None else a.shape[axis],
    np.copy: lambda a, **_: a, np.real: lambda a: a, np.round: lambda a, decimals=0, **_: np.rint(a * 10**decimals) / 10**decimals,
    np.isscalar: lambda a: a.ndim == 0, np.all: lambda a, **k: np.all(a, **k), np.any: lambda a, **k: np.any(a, **k),
    np.allclose: lambda *_, **__: _no_tolerance(), np.isclose: lambda *_, **__: _no_tolerance(),
    np.broadcast_arrays: lambda *xs, **_: [np.broadcast_to(x, np.broadcast_shapes(*(np.shape(y) for y in xs))) for x in xs],
    np.count_nonzero: lambda a, **_: np.count_nonzero(a if isinstance(a, np.ndarray) else (a != 0).decided()),
}  # fmt: skip


def _product(matrices: Any) -> Any:
    result = matrices[0]
    for matrix in matrices[1:]:
        result = result @ matrix
    return result


def _no_tolerance() -> bool:
    raise NotTraceable("A theorem has no tolerance; return equal(a, b) or at_most(a, b) instead of allclose.")
