"""NumPy functions inside each trial: trials are the first axis of every random array, and never mix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boundcheck.tape import NotTraceable, is_traced

REDUCING = {
    np.sum, np.prod, np.mean, np.average, np.max, np.min, np.amax, np.amin, np.ptp, np.var, np.std, np.median, np.any, np.all,
    np.argmax, np.argmin, np.count_nonzero, np.linalg.norm, np.linalg.vector_norm,
}  # fmt: skip
"""Without an axis they reduce all axes of a trial."""

TRAILING = {
    np.linalg.eigvalsh, np.linalg.svdvals, np.linalg.svd, np.linalg.inv, np.linalg.pinv, np.linalg.det, np.linalg.slogdet,
    np.linalg.cholesky, np.linalg.matrix_power, np.linalg.cond, np.linalg.matrix_norm, np.linalg.matrix_rank,
    np.linalg.matrix_transpose, np.linalg.diagonal, np.linalg.trace, np.linalg.vecdot, np.linalg.matmul, np.matrix_transpose,
    np.sort, np.diff, np.clip, np.real, np.imag, np.round, np.copy, np.nan_to_num, np.ones_like, np.zeros_like,
}  # fmt: skip
"""They act on the last axes, or on each entry, and leave leading axes alone."""

AXIS_GIVEN = {np.cumsum, np.cumprod, np.flip, np.repeat, np.concatenate, np.stack, np.moveaxis, np.swapaxes, np.expand_dims, np.take}
"""Allowed with an axis that is not the one of the trials."""

Evaluated = Sequence[tuple[Any, bool]]
"""Values, and whether the first axis of each is that of the trials."""


def aligned(values: Evaluated) -> list[Any]:
    """The values with axes of length one put behind the trials, so that broadcasting acts inside each trial."""
    depth = max((np.ndim(x) - random for x, random in values), default=0)
    return [_deepened(x, depth) if random and 0 < np.ndim(x) <= depth else x for x, random in values]


def _deepened(x: Any, depth: int) -> Any:
    shape = np.shape(x)
    return np.reshape(x, (shape[0],) + (1,) * (depth + 1 - len(shape)) + tuple(shape[1:]))


def matmul(left: tuple[Any, bool], right: tuple[Any, bool]) -> Any:
    """x @ y inside each trial, vectors included."""
    (x, fx), (y, fy) = left, right
    row, column = np.ndim(x) - fx == 1, np.ndim(y) - fy == 1
    x = np.expand_dims(x, -2) if row else x
    y = np.expand_dims(y, -1) if column else y
    product = x @ y
    product = product[..., 0] if column else product
    return (product[..., 0] if column else product[..., 0, :]) if row else product


def call(function: Any, args: Evaluated, kwargs: dict[str, Any]) -> Any:
    """`function` inside each trial, of all at once where that is the same, else one by one."""
    values = [x for x, _ in args]
    special = SPECIAL.get(function)
    if special is not None:
        return _checked(function, args, kwargs, lambda: special(*args, **kwargs))
    if function in (np.stack, np.concatenate) and _axis(values, kwargs) is None:
        return function(values[0], axis=1)
    if function in REDUCING:
        return _reduced(function, values, kwargs)
    if function in TRAILING or (function in AXIS_GIVEN and _axis(values, kwargs) not in (None, 0)):
        return _checked(function, args, kwargs, lambda: function(*values, **kwargs))
    return _one_by_one(function, args, kwargs)


def _checked(function: Any, args: Evaluated, kwargs: dict[str, Any], at_once: Callable[[], Any]) -> Any:
    """All trials at once, if that gives the first trial what the function gives it alone; else one by one."""
    drawn = [x for x, random in args if random]
    if not drawn or any(map(is_traced, drawn)) or (function not in SPECIAL and len(args) == 1 and not kwargs):
        return at_once()
    try:
        result, alone = at_once(), function(*(x[0] if random else x for x, random in args), **kwargs)
        with np.errstate(all="ignore"):
            alike = np.shape(result[0]) == np.shape(alone) and np.allclose(result[0], alone, rtol=1e-6, atol=1e-9, equal_nan=True)
    except (TypeError, ValueError, IndexError):
        alike = False
    return result if alike else _one_by_one(function, args, kwargs)


MOST_ONE_BY_ONE = 4096
"""Trials that a function is applied to one after the other while a tape records."""


def _one_by_one(function: Any, args: Evaluated, kwargs: dict[str, Any]) -> Any:
    """The results of a function applied to each trial alone. Raises NotTraceable where that would be too long a program."""
    drawn = [x for x, random in args if random]
    if not drawn or any(isinstance(x, (list, tuple)) and any(map(np.ndim, x)) for x, _ in args):
        raise TypeError(f"np.{function.__name__} would mix the trials of a random quantity; write q.map(f), with the trials along axis 0.")
    size = np.shape(drawn[0])[0]
    if size > MOST_ONE_BY_ONE and any(map(is_traced, drawn)):
        raise NotTraceable(f"np.{function.__name__} of {size} trials, one by one, is too long a program.")
    return np.stack([function(*(x[k] if random else x for x, random in args), **kwargs) for k in range(size)])


def _axis(values: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    return kwargs.get("axis", values[1] if len(values) > 1 else None)


def _reduced(function: Callable[..., Any], values: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    x, ndim = values[0], np.ndim(values[0])
    order = function is np.linalg.norm or function is np.linalg.vector_norm
    axis = kwargs.get("axis", None if order or len(values) < 2 else values[1])
    if axis is None:
        axis = tuple(range(1, ndim))
        if not axis:
            return np.abs(x) if order else x if function in _UNCHANGED else function(x[..., None], axis=-1)
        axis = axis[0] if len(axis) == 1 else axis
    elif 0 in np.atleast_1d(axis) or -ndim in np.atleast_1d(axis):
        raise TypeError("Axis 0 is that of the trials; leave the axis out, or count axes from the end.")
    rest = values[1:2] if order else []
    return function(x, *rest, **{**kwargs, "axis": axis})


_UNCHANGED = {np.sum, np.prod, np.mean, np.max, np.min, np.amax, np.amin, np.median}


def _einsum(subscripts: tuple[Any, bool], *operands: tuple[Any, bool], **kwargs: Any) -> Any:
    """Sums over products inside each trial: the trials are one more index."""
    left, arrow, out = subscripts[0].replace(" ", "").partition("->")
    trial = next(c for c in "tTzZyYxX" if c not in left)
    terms = left.split(",")
    out = out if arrow else "".join(sorted(c for c in set(left) - {","} if left.count(c) == 1))
    spelled = ",".join(trial * bool(random) + term for term, (_, random) in zip(terms, operands, strict=True))
    return np.einsum(f"{spelled}->{trial}{out}", *(x for x, _ in operands), **kwargs)


def _trace(x: tuple[Any, bool], offset: int = 0, **_: Any) -> Any:
    return np.sum(_diagonal(x, offset), axis=-1)


def _diagonal(x: tuple[Any, bool], offset: int = 0, **_: Any) -> Any:
    return np.diagonal(x[0], offset=offset, axis1=-2, axis2=-1)


def _dot(x: tuple[Any, bool], y: tuple[Any, bool], **_: Any) -> Any:
    scalar = np.ndim(x[0]) - x[1] == 0 or np.ndim(y[0]) - y[1] == 0
    return np.multiply(*aligned([x, y])) if scalar else matmul(x, y)


def _outer(x: tuple[Any, bool], y: tuple[Any, bool], **_: Any) -> Any:
    return np.expand_dims(x[0], -1) * np.expand_dims(y[0], -2)


def _solve(A: tuple[Any, bool], b: tuple[Any, bool]) -> Any:
    vector = np.ndim(b[0]) - b[1] == 1
    return np.linalg.solve(A[0], np.expand_dims(b[0], -1))[..., 0] if vector else np.linalg.solve(A[0], b[0])


SPECIAL: dict[Any, Callable[..., Any]] = {
    np.trace: _trace, np.diagonal: _diagonal, np.dot: _dot, np.inner: _dot, np.vdot: _dot, np.outer: _outer, np.linalg.outer: _outer,
    np.linalg.solve: _solve, np.einsum: _einsum, np.where: lambda c, x, y: np.where(*aligned([c, x, y])),
}  # fmt: skip
