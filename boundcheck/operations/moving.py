"""Entries moved about: the rearrangement of any, and the rows of a table that computed numbers name.

A function of NumPy that moves entries is a gather, found by moving the entries' numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import boundcheck.operations.ranges as ranges
from boundcheck.operations.operation import Fields, operation, spells
from boundcheck.operations.roundoff import Step
from boundcheck.operations.trials import (
    Entries,
    Trials,
    exact,
    rearranged,
    tape_beside,
)
from boundcheck.tape import NotTraceable, Traced, Truth
from boundcheck.tape.program import SPELLED, Spelling
from boundcheck.tape.traced import decided


def gather_radius(step: Step) -> np.ndarray:
    """The index -1 is an exact zero, which stands behind all operands."""
    pool = np.concatenate([r.ravel() for r in step.rs] + [np.zeros(1)])
    return pool[np.asarray(step.node["index"], dtype=int)].reshape(
        step.value.shape
    )


def take_radius(step: Step) -> np.ndarray:
    """Rows of a table; an index is known when only one integer is within its radius."""
    index = np.trunc(step.xs[1])
    known = (np.abs(step.xs[1] - index) + step.rs[1] < 0.5) & (index >= 0)
    rows = step.rs[0][np.where(known, index, 0).astype(int)]
    return np.where(
        known.reshape(known.shape + (1,) * (rows.ndim - known.ndim)),
        rows,
        np.inf,
    )


def _pool(fields: Fields, operands: tuple[np.ndarray, ...]) -> np.ndarray:
    """All entries in a row, and the exact zero behind them."""
    lead = fields.get("leading", 0)
    many = np.broadcast_shapes(*(x.shape[:lead] for x in operands))
    flat = [
        np.broadcast_to(
            x.reshape(*x.shape[:lead], -1),
            (*many, int(np.prod(x.shape[lead:]))),
        )
        for x in operands
    ]
    return np.concatenate([*flat, np.zeros((*many, 1))], axis=-1)


def _gather(fields: Fields, *operands: np.ndarray) -> np.ndarray:
    index = np.asarray(fields["index"], dtype=int)
    if len(operands) == 1 and index.min(initial=0) >= 0:
        pool = operands[0].reshape(
            *operands[0].shape[: fields.get("leading", 0)], -1
        )
    else:
        pool = _pool(fields, operands)
    return pool[..., index].reshape(pool.shape[:-1] + tuple(fields["shape"]))


def _gather_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, *operands: np.ndarray
) -> list[np.ndarray]:
    """Each entry of an operand has the sum of what became of it."""
    lead = fields.get("leading", 0)
    ends = np.cumsum([int(np.prod(x.shape[lead:])) for x in operands])
    index = np.asarray(fields["index"], dtype=int) % (ends[-1] + 1)
    back = np.zeros((*g.shape[:lead], ends[-1] + 1))
    if np.bincount(index).max(initial=0) <= 1:
        back[..., index] = g.reshape(*g.shape[:lead], -1)
    else:
        np.add.at(
            np.moveaxis(back, -1, 0),
            index,
            np.moveaxis(g.reshape(*g.shape[:lead], -1), -1, 0),
        )
    parts = np.split(back[..., :-1], ends[:-1], axis=-1)
    return [
        part.reshape(*g.shape[:lead], *x.shape[lead:])
        for part, x in zip(parts, operands, strict=True)
    ]


def _rows(
    fields: Fields, table: np.ndarray, index: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Where the rows are in an array of tables, one for each instance; one of length one is that of all."""
    lead = fields.get("leading", 0)
    with np.errstate(invalid="ignore"):
        k = np.clip(index.astype(int), 0, max(table.shape[lead] - 1, 0))
    return *(
        np.arange(n).reshape((-1,) + (1,) * (index.ndim - d - 1))
        for d, n in enumerate(table.shape[:lead])
    ), k


def _take(fields: Fields, table: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Nothing stands where a table ends: an instance of another size has no value there."""
    found = table[_rows(fields, table, index)]
    outside = ~((index >= 0) & (index < table.shape[fields.get("leading", 0)]))
    if not np.any(outside):
        return found
    outside = np.reshape(
        outside, outside.shape + (1,) * (found.ndim - index.ndim)
    )
    return np.where(outside, np.nan, found)


def _take_back(
    fields: Fields,
    g: np.ndarray,
    _: np.ndarray,
    table: np.ndarray,
    index: np.ndarray,
) -> list[np.ndarray | None]:
    back = np.zeros(
        g.shape[: fields.get("leading", 0)]
        + table.shape[fields.get("leading", 0) :]
    )
    np.add.at(back, _rows(fields, back, index), g)
    return [back, None]


operation(
    "gather",
    _gather,
    gather_radius,
    pullback=_gather_back,
    axes=None,
    says="the entries with these numbers, of all operands in a row; -1 is an exact zero",
)
take = operation(
    "take",
    _take,
    take_radius,
    pullback=_take_back,
    axes=None,
    says="rows of the first operand by computed whole numbers",
)


# functions of NumPy


MOVING = [
    np.atleast_1d,
    np.atleast_2d,
    np.broadcast_to,
    np.diag,
    np.diagonal,
    np.delete,
    np.expand_dims,
    np.flip,
    np.moveaxis,
    np.ravel,
    np.repeat,
    np.reshape,
    np.roll,
    np.squeeze,
    np.swapaxes,
    np.take_along_axis,
    np.tile,
    np.transpose,
    np.tril,
    np.triu,
]
ASKING = (np.delete, np.take_along_axis)
"""Functions that hand a call over for the sake of the places, too."""

JOINING = [
    np.concatenate,
    np.stack,
    np.hstack,
    np.vstack,
    np.column_stack,
    np.block,
]


def _moving(function: Callable[..., Any]) -> Spelling:
    def spelled(a: Any, *args: Any, **kwargs: Any) -> Any:
        where = [_plain(function, x) for x in args]
        named = {name: _plain(function, x) for name, x in kwargs.items()}
        return rearranged(
            [a], lambda numbers: function(numbers, *where, **named)
        )

    return spelled


def _plain(function: Callable[..., Any], x: Any) -> Entries:
    """Where entries go, in plain numbers. Raises NotTraceable where that is computed, or drawn."""
    if isinstance(x, Traced) and x.exact is not None:
        return decided(x)
    asked = isinstance(x, Traced) and (x.ndim > 0 or function in ASKING)
    if asked or isinstance(x, Trials):
        name = function.__name__
        raise NotTraceable(
            f"np.{name} moves entries to places that are computed; index with plain numbers."
        )
    return x


def _joining(function: Callable[..., Any]) -> Spelling:
    return lambda parts, *args, **kwargs: join(function, parts, *args, **kwargs)


SPELLED.update(
    {f: _moving(f) for f in MOVING} | {f: _joining(f) for f in JOINING}
)


def join(
    function: Callable[..., Any], parts: Any, *args: Any, **kwargs: Any
) -> Any:
    """Concatenate and its kin: every part, of whatever kind, supplies entries."""
    tape, leaves = tape_beside(parts), []

    def number(part: Any) -> Any:
        if function is np.block and isinstance(part, (list, tuple)):
            return [number(p) for p in part]
        leaves.append(exact(part, tape))
        return len(leaves) - 1

    def fill(part: Any, numbers: Any) -> Any:
        return (
            [fill(p, numbers) for p in part]
            if isinstance(part, list)
            else numbers[part]
        )

    layout = [number(part) for part in parts]
    return rearranged(
        leaves,
        lambda *numbers: function(fill(layout, numbers), *args, **kwargs),
    )


@spells(np.take)
def taken(a: Any, indices: Any, axis: int | None = None) -> Any:
    """Entries or rows, by plain numbers or by computed ones."""
    if (
        isinstance(a, Traced)
        and isinstance(indices, Traced)
        and indices.exact is None
        and axis in (None, 0)
    ):
        return take(np.ravel(a) if axis is None else a, indices)
    return _moving(np.take)(a, indices, axis)


@spells(np.append)
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    parts = [np.ravel(arr), np.ravel(values)] if axis is None else [arr, values]
    return join(np.concatenate, parts, axis or 0)


@spells(np.where, range=ranges.either)
def where(condition: Any, *either: Any) -> Any:
    """Entries of x or y; a comparison becomes a hypothesis, a traced coin (0 or 1) chooses arithmetically.

    Alone, the places where a condition holds.
    """
    if not either:
        return np.nonzero(condition)
    x, y = either
    condition = condition.plain() if isinstance(condition, Truth) else condition
    if isinstance(condition, Traced):
        _require_coin(condition)
        return x * condition + y * (1 - condition)
    tape = tape_beside(x, y)
    return rearranged(
        [exact(x, tape), exact(y, tape)],
        lambda a, b: np.where(np.asarray(condition), a, b),
    )


def _require_coin(condition: Traced) -> None:
    """That a condition is 0 or 1 is a hypothesis, unless it is a coin by how it was made."""
    if condition.node not in condition.tape.random:
        (condition * (1 - condition) == 0).decided()
    elif not np.all(np.isin(condition.traced_value, (0.0, 1.0))):
        raise NotTraceable("np.where needs a comparison, or a random 0 or 1.")


@spells(np.meshgrid)
def meshgrid(*xs: Any, **options: Any) -> tuple[Any, ...]:
    def grid(k: int) -> Any:
        sizes = [np.arange(np.size(x)) for x in xs]
        return rearranged(
            [xs[k]],
            lambda own: np.meshgrid(
                *sizes[:k], own, *sizes[k + 1 :], **options
            )[k],
        )

    return tuple(map(grid, range(len(xs))))


@spells(np.broadcast_arrays)
def broadcast_arrays(*arrays: Any) -> list[Any]:
    shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
    return [np.broadcast_to(a, shape) for a in arrays]


@spells(np.real)
def unchanged(a: Entries) -> Entries:
    return a.copy()


@spells(np.imag)
def imaginary(a: Any) -> Any:
    return a.imag


@spells(np.ones_like)
def ones_like(a: Any) -> Any:
    return exact(np.ones(a.shape, int if a.is_whole else float), a.tape)


@spells(np.zeros_like)
def zeros_like(a: Any) -> Any:
    return exact(np.zeros(a.shape, int if a.is_whole else float), a.tape)


@spells(np.full_like)
def full_like(a: Any, fill_value: Any) -> Any:
    filled = ones_like(a)
    filled[...] = fill_value
    return filled


@spells(np.shape)
def shape(a: Entries) -> tuple[int, ...]:
    return a.shape


@spells(np.ndim)
def ndim(a: Entries) -> int:
    return a.ndim


@spells(np.size)
def size(a: Entries, axis: int | None = None) -> int:
    return a.size if axis is None else a.shape[axis]
