"""Where an operation takes an axis of its operands: copies that change places, or atoms that are kept apart.

A rule for each kind of operation. It speaks of one axis of each operand that has it, along which the operand is a
list of independent things, and says along which axis of the result these things lie, each made of its own alone;
None where the result is the same in whatever order they come.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

Shape = tuple[int, ...]
Node = Mapping[str, Any]
Uniform = Callable[[int, int], bool]
"""Whether the slices of an operand (by position) along an axis (counted from the end) are all the same."""


class Broken(Exception):
    """Permuting the copies does more to the result than to permute one axis of it."""


@dataclass(frozen=True)
class Order:
    """What permuting a draw's copies does: permute one axis (counted from the end), or something else."""

    axes: dict[int, int] = field(default_factory=dict)
    broken: frozenset[int] = frozenset()

    @property
    def draws(self) -> frozenset[int]:
        """The draws whose order matters."""
        return self.broken | self.axes.keys()


FREE = Order()


@dataclass(frozen=True)
class Operands:
    """One operation: its node, the shapes of its operands and of its result, and a test for equal slices."""

    node: Node
    shapes: Sequence[Shape]
    result: Shape
    uniform: Uniform


def drawn(draw: int, shape: Shape) -> Order:
    """The order of a draw of shape (atoms, copies, ...)."""
    return Order({draw: 1 - len(shape)})


Rule = Callable[[list[int | None], Operands], int | None]
"""From the axis of each operand along which copies lie (None: none), that of the result. Raises Broken."""


def order(kind: str, orders: Sequence[Order], given: Operands) -> Order:
    """The order of the result of an operation of a kind, on operands with these orders."""
    draws = frozenset().union(*(o.draws for o in orders))
    if not draws or given.node["op"] == "mean":
        return FREE
    axes, broken = {}, set[int]()
    for draw in draws:
        try:
            axis = moved(
                kind,
                [
                    None if draw not in o.draws else _axis(o, draw)
                    for o in orders
                ],
                given,
            )
        except Broken:
            broken.add(draw)
        else:
            axes |= {} if axis is None else {draw: axis}
    return Order(axes, frozenset(broken))


def _axis(o: Order, draw: int) -> int:
    if draw in o.broken:
        raise Broken
    return o.axes[draw]


def moved(kind: str, axes: list[int | None], given: Operands) -> int | None:
    """The axis of the result, by the axis of each operand (None: it has none). Raises Broken."""
    rule = RULES.get(kind)
    if rule is None:
        raise Broken
    return rule(axes, given)


def _common(axes: Iterable[int | None]) -> int:
    found = set(axes) - {None}
    if len(found) != 1:
        raise Broken
    return found.pop()  # type: ignore[return-value]


def _pointwise(axes: list[int | None], given: Operands, own: int = 0) -> int:
    """Of a function of the last `own` axes; operands that do not move must be the same for each copy."""
    # Entry c of the result is made of the entries c of what moves, and of what does not move: which must be the same for
    # all c, or permuting the copies would pair them with other entries.
    common = _common(axes)
    if common >= -own:
        raise Broken
    for k, (axis, shape) in enumerate(zip(axes, given.shapes, strict=True)):
        if (
            axis is None
            and _length(shape, common) != 1
            and not given.uniform(k, common)
        ):
            raise Broken
    return common + max(map(len, given.shapes)) - len(given.result)


def _of_matrices(axes: list[int | None], given: Operands) -> int:
    """A function of each matrix of a batch, whose copies lie along an axis of the batch."""
    return _pointwise(axes, given, 2)


def _length(shape: Shape, axis: int) -> int:
    return shape[axis] if -axis <= len(shape) else 1


def _reduced(axes: list[int | None], given: Operands) -> int | None:
    (axis,), (shape,) = axes, given.shapes
    gone = {k % len(shape) - len(shape) for k in given.node["axes"]}
    # Sums, products and extremes over the copies do not depend on their order.
    if axis is None or axis in gone:
        return None
    return (
        axis
        if given.node.get("keepdims", False)
        else axis + sum(k > axis for k in gone)
    )


def _ordered(axes: list[int | None], given: Operands) -> int | None:
    """Order statistics of the copies are the same in every order."""
    (axis,), (shape,) = axes, given.shapes
    along = given.node.get("axis", -1) % len(shape) - len(shape)
    return None if axis == along else axis


def _cumulated(axes: list[int | None], given: Operands) -> int | None:
    (axis,), (shape,) = axes, given.shapes
    # A running sum over the copies has another first summand in every order.
    if axis == given.node["axis"] % len(shape) - len(shape):
        raise Broken
    return axis


def _taken(axes: list[int | None], given: Operands) -> int | None:
    table, index = axes
    # A row is found by an entry of the index alone; a table that moves would have its rows renamed.
    if table is not None or index is None:
        raise Broken
    return index - (len(given.shapes[0]) - 1)


def _multiplied(axes: list[int | None], given: Operands) -> int | None:
    """Copies that are summed over on both sides, or on one where the other is constant, cease to matter.

    Others are rows of the left side, columns of the right one, or a batch of both; a side of one axis has no rows
    or columns, so that those of the other are an axis later.
    """
    (left, right), (_, b) = axes, given.shapes
    right = -2 if len(b) == 1 and right == -1 else right
    if left == -1 or right == -2:
        alike = (left is None and given.uniform(0, -1)) or (
            right is None and given.uniform(1, -2 if len(b) > 1 else -1)
        )
        if alike or (left == -1 and right == -2):
            return None
        raise Broken
    if left is not None and right is not None and not left == right < -2:
        raise Broken
    axis, k = (left, 1) if left is not None else (right, 0)
    other = given.shapes[k]
    assert axis is not None
    if (
        axis < -2
        and None in axes
        and _length(other, axis) != 1
        and not given.uniform(k, axis)
    ):
        raise Broken
    return axis + (len(other) == 1 and axis < -1)


def _gathered(axes: list[int | None], given: Operands) -> int | None:
    """Entries moved about: the copies must end up along one axis of the result, all else the same."""
    sources = _sources(axes, given)
    if all(copy is None for copy, _ in sources):
        return None
    copies = {
        shape[axis]
        for axis, shape in zip(axes, given.shapes, strict=True)
        if axis is not None
    }
    # Axis 0 is that of the atoms, and copies never lie along it.
    for axis in range(1, len(given.result)):
        if {given.result[axis]} == copies and _along(
            sources, given.result, axis
        ):
            return axis - len(given.result)
    raise Broken


def _sources(
    axes: list[int | None], given: Operands
) -> list[tuple[int | None, int]]:
    """For each entry of the result: the copy that it shows, if any, and where it lies apart from that."""
    pool: list[tuple[int | None, int]] = []
    for axis, shape in zip(axes, given.shapes, strict=True):
        start, size = len(pool), prod(shape)
        if axis is None:
            pool += [(None, start + k) for k in range(size)]
        else:
            step, length = prod(shape[len(shape) + axis + 1 :]), shape[axis]
            pool += [
                (k // step % length, start + k - k // step % length * step)
                for k in range(size)
            ]
    pool.append((None, -1))
    return [pool[k] for k in given.node["index"]]


def _along(
    sources: Sequence[tuple[int | None, int]], shape: Shape, axis: int
) -> bool:
    step, length = prod(shape[axis + 1 :]), shape[axis]
    for start in range(len(sources)):
        if start // step % length == 0:
            line = [sources[start + j * step] for j in range(length)]
            copies, places = (
                [copy for copy, _ in line],
                {place for _, place in line},
            )
            if len(places) != 1 or copies not in (
                [None] * length,
                list(range(length)),
            ):
                return False
    return True


RULES: dict[str, Rule] = {
    "entries": _pointwise,
    "reduction": _reduced,
    "running": _cumulated,
    "ordering": _ordered,
    "gather": _gathered,
    "take": _taken,
    "product": _multiplied,
    "matrices": _of_matrices,
}
"""By kind of operation."""
