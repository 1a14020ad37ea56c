"""Trials: a node that depends on draws has its group's atoms as axis 0, and atom a depends on atoms a alone.

Where the atoms go is what `symmetry` says of copies. What it does not say is malformed when it is made, used or not.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

from .arrays import Array, same_number, same_slices
from .findings import demand, spend
from .numbers import ZERO, Number
from .symmetry import Broken, Operands, moved

Node = Mapping[str, Any]
ATOMS = "the axis of the atoms"


@dataclass(frozen=True)
class Operand:
    """A value, and whether it varies with the atoms."""

    array: Array
    varies: bool

    @property
    def axes(self) -> int:
        return len(self.array.shape)


def follow(
    kind: str,
    node: Node,
    operands: Sequence[Operand],
    result: Array,
    atoms: int,
) -> None:
    """Raise Rejection unless a result of which an operand varies has the atoms as axis 0, each by itself."""
    # The rule of copies would do for moved entries too; this one compares rows of the index, where that one makes a place
    # of each entry, and lets fixed entries be the same number at different places.
    if kind == "gather":
        _gathered(operands, node, result)
    else:
        beside(kind, node, operands, result.shape)
    demand(result.shape[:1] == (atoms,), f"{ATOMS} is lost")


def beside(
    kind: str, node: Node, operands: Sequence[Operand], shape: Sequence[int]
) -> None:
    """Raise Rejection unless atoms are axis 0 of a result of that shape as they are of what varies."""
    arrays = [x.array for x in operands]
    axes = [-x.axes if x.varies else None for x in operands]
    shapes = [x.shape for x in arrays]

    def uniform(k: int, axis: int) -> bool:
        return same_slices(arrays[k], axis)

    try:
        axis = moved(kind, axes, Operands(node, shapes, tuple(shape), uniform))
    except Broken:
        axis = None
    demand(
        axis == -len(shape),
        f"{str(node['op'])[:40]!r} of what depends on a draw has no meaning for each atom",
    )


def _gathered(operands: Sequence[Operand], node: Node, result: Array) -> None:
    """Each atom has the entries that atom 0 has, of its own; those of fixed operands are the same numbers."""
    demand(len(result.shape) > 0, f"{ATOMS} is lost")
    index, size = node["index"], prod(result.shape[1:])
    first = index[:size]
    ends = list(accumulate(len(x.array.data) for x in operands))
    pool = [value for x in operands for value in x.array.data] + [ZERO]
    spend(0.3 * len(index))
    # Entry e of atom 0 is at some place of an operand; that of atom a must be so many places further on as the operand has
    # entries for each atom, or the same number if the operand is fixed.
    steps = [_step(operands, ends, k) for k in first]
    for atom in range(1, result.shape[0]):
        row = index[atom * size : (atom + 1) * size]
        if row != [
            k + atom * step for k, step in zip(first, steps, strict=True)
        ]:
            fits = all(
                _own(operands, ends, pool, *one, atom)
                for one in zip(row, first, steps, strict=True)
            )
            demand(fits, "an entry of one atom is taken for another one")


def _place(ends: Sequence[int], k: int) -> int | None:
    """The operand that an entry lies in; None for the exact zero."""
    return None if k < 0 else bisect_right(ends, k)


def _step(operands: Sequence[Operand], ends: Sequence[int], k: int) -> int:
    """How far the entry of the next atom lies; the entry itself must be one of atom 0."""
    place = _place(ends, k)
    if place is None or not operands[place].varies:
        return 0
    start, size = (
        (ends[place - 1] if place else 0),
        prod(operands[place].array.shape[1:]),
    )
    demand(
        k < start + size, "an entry of another atom is taken for the first one"
    )
    return size


def _own(
    operands: Sequence[Operand],
    ends: Sequence[int],
    pool: Sequence[Number],
    k: int,
    first: int,
    step: int,
    atom: int,
) -> bool:
    if step or k == first:
        return k == first + atom * step
    place = _place(ends, k)
    return (place is None or not operands[place].varies) and same_number(
        pool[k], pool[first]
    )
