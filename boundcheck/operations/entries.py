"""Entries moved about: the rearrangement of any, and the rows of a table that computed numbers name."""

from __future__ import annotations

import numpy as np

from boundcheck.operations.operation import Fields, operation
from boundcheck.operations.roundoff import Step


def gather_radius(step: Step) -> np.ndarray:
    """The index -1 is an exact zero, which stands behind all operands."""
    pool = np.concatenate([r.ravel() for r in step.rs] + [np.zeros(1)])
    return pool[np.asarray(step.node["index"], dtype=int)].reshape(step.value.shape)


def take_radius(step: Step) -> np.ndarray:
    """Rows of a table; an index is known when only one integer is within its radius."""
    index = np.trunc(step.xs[1])
    known = (np.abs(step.xs[1] - index) + step.rs[1] < 0.5) & (index >= 0)
    rows = step.rs[0][np.where(known, index, 0).astype(int)]
    return np.where(known.reshape(known.shape + (1,) * (rows.ndim - known.ndim)), rows, np.inf)


def _pool(fields: Fields, operands: tuple[np.ndarray, ...]) -> np.ndarray:
    """All entries in a row, and the exact zero behind them."""
    lead = fields.get("leading", 0)
    many = np.broadcast_shapes(*(x.shape[:lead] for x in operands))
    flat = [
        np.broadcast_to(x.reshape(*x.shape[:lead], -1), (*many, int(np.prod(x.shape[lead:]))))
        for x in operands
    ]
    return np.concatenate([*flat, np.zeros((*many, 1))], axis=-1)


def _gather(fields: Fields, *operands: np.ndarray) -> np.ndarray:
    index = np.asarray(fields["index"], dtype=int)
    if len(operands) == 1 and index.min(initial=0) >= 0:
        pool = operands[0].reshape(*operands[0].shape[: fields.get("leading", 0)], -1)
    else:
        pool = _pool(fields, operands)
    return pool[..., index].reshape(pool.shape[:-1] + tuple(fields["shape"]))


def _gather_back(fields: Fields, g: np.ndarray, _: np.ndarray, *operands: np.ndarray) -> list[np.ndarray]:
    """Each entry of an operand has the sum of what became of it."""
    lead = fields.get("leading", 0)
    ends = np.cumsum([int(np.prod(x.shape[lead:])) for x in operands])
    index = np.asarray(fields["index"], dtype=int) % (ends[-1] + 1)
    back = np.zeros((*g.shape[:lead], ends[-1] + 1))
    if np.bincount(index).max(initial=0) <= 1:
        back[..., index] = g.reshape(*g.shape[:lead], -1)
    else:
        np.add.at(np.moveaxis(back, -1, 0), index, np.moveaxis(g.reshape(*g.shape[:lead], -1), -1, 0))
    parts = np.split(back[..., :-1], ends[:-1], axis=-1)
    return [part.reshape(*g.shape[:lead], *x.shape[lead:]) for part, x in zip(parts, operands, strict=True)]


def _rows(fields: Fields, table: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, ...]:
    """Where the rows are in an array of tables, one for each instance; one of length one is that of all."""
    lead, k = fields.get("leading", 0), index.astype(int)
    return *(
        np.arange(n).reshape((-1,) + (1,) * (index.ndim - d - 1)) for d, n in enumerate(table.shape[:lead])
    ), k


def _take(fields: Fields, table: np.ndarray, index: np.ndarray) -> np.ndarray:
    return table[_rows(fields, table, index)]


def _take_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, table: np.ndarray, index: np.ndarray
) -> list[np.ndarray | None]:
    back = np.zeros(g.shape[: fields.get("leading", 0)] + table.shape[fields.get("leading", 0) :])
    np.add.at(back, _rows(fields, back, index), g)
    return [back, None]


gather = operation(
    "gather", _gather, gather_radius, pullback=_gather_back, axes=None,
    says="the entries with these numbers, of all operands in a row; -1 is an exact zero",
)  # fmt: skip
take = operation(
    "take", _take, take_radius, pullback=_take_back, axes=None,
    says="rows of the first operand by computed whole numbers",
)  # fmt: skip
