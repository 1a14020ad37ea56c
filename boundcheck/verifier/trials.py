"""Trials: a node that depends on draws has its group's atoms as axis 0, and atom a depends on atoms a alone.

There is one rule for each kind of operation. What no rule covers is malformed when it is made, used or not.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

from .arrays import Array, axis_of, same_number, same_slices
from .findings import demand, malformed, spend
from .numbers import ZERO, Number

Node = dict[str, Any]
ATOMS = "the axis of the atoms"


@dataclass(frozen=True)
class Operand:
    """A value, and whether it varies with the atoms."""

    array: Array
    varies: bool

    @property
    def axes(self) -> int:
        return len(self.array.shape)


Rule = Callable[[Sequence[Operand], Node, Array], None]


def follow(
    kind: str, node: Node, operands: Sequence[Operand], result: Array, atoms: int
) -> None:
    """Raise Rejection unless a result of which an operand varies has the atoms as axis 0, each by itself."""
    rule = RULES.get(kind)
    if rule is None:
        raise malformed(
            f"{str(node['op'])[:40]!r} of what depends on a draw has no meaning for each atom"
        )
    rule(operands, node, result)
    demand(result.shape[:1] == (atoms,), f"{ATOMS} is lost")


def beside(operands: Sequence[Operand], axes: int) -> None:
    """Raise Rejection unless broadcasting to so many axes keeps the atoms of operands together, on axis 0."""
    if not any(x.varies for x in operands):
        return
    for x in operands:
        if x.varies:
            demand(x.axes == axes, f"{ATOMS} would be broadcast against another axis")
        elif x.axes == axes:
            demand(_alike(x.array), f"a fixed operand differs along {ATOMS}")


def _alike(array: Array) -> bool:
    """Whether the slices along axis 0 are the same number by number."""
    return array.shape[0] == 1 or same_slices(array, -len(array.shape))


def _pointwise(operands: Sequence[Operand], _: Node, result: Array) -> None:
    beside(operands, len(result.shape))


def _reduced(operands: Sequence[Operand], node: Node, _: Array) -> None:
    shape = operands[0].array.shape
    folded = 0 in (axis_of(axis, shape) for axis in node["axes"])
    demand(
        not folded,
        f"{node['op']} over {ATOMS}: an expectation is the operation 'mean', which weighs them",
    )


def _along(operands: Sequence[Operand], node: Node, _: Array) -> None:
    axis = axis_of(node.get("axis", -1), operands[0].array.shape)
    demand(axis != 0, f"{node['op']} along {ATOMS}")


def _taken(operands: Sequence[Operand], _: Node, __: Array) -> None:
    demand(not operands[0].varies, "rows of a table that depends on a draw")


def _multiplied(operands: Sequence[Operand], _: Node, __: Array) -> None:
    """Atoms are the rows of a product with a fixed matrix, or a batch."""
    left, right = operands
    rows = left.axes == 2 and not right.varies and right.axes <= 2
    if not rows:
        _batched(operands, _, __)


def _batched(operands: Sequence[Operand], _: Node, __: Array) -> None:
    """Of matrices: the atoms are the first of three axes or more."""
    axes = max(x.axes for x in operands)
    demand(axes >= 3, f"a matrix whose rows or columns are {ATOMS}")
    beside(operands, axes)


def _gathered(operands: Sequence[Operand], node: Node, result: Array) -> None:
    """Each atom has the entries that atom 0 has, of its own; those of fixed operands are the same numbers."""
    demand(len(result.shape) > 0, f"{ATOMS} is lost")
    index, size = node["index"], prod(result.shape[1:])
    first = index[:size]
    ends = list(accumulate(len(x.array.data) for x in operands))
    pool = [value for x in operands for value in x.array.data] + [ZERO]
    spend(0.3 * len(index))
    steps = [_step(operands, ends, k) for k in first]
    for atom in range(1, result.shape[0]):
        row = index[atom * size : (atom + 1) * size]
        if row != [k + atom * step for k, step in zip(first, steps, strict=True)]:
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
    demand(k < start + size, "an entry of another atom is taken for the first one")
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


RULES: dict[str, Rule] = {
    "entries": _pointwise,
    "reduction": _reduced,
    "running": _along,
    "ordering": _along,
    "gather": _gathered,
    "take": _taken,
    "product": _multiplied,
    "matrices": _batched,
}
"""By kind of operation."""
