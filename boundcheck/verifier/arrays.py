"""Arrays as flat row-major lists with a shape, after NumPy: broadcasting, reductions, gather, sort."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod
from typing import Any

from flint import fmpq

from .findings import arithmetic, demand, malformed, on_rationals, spend
from .limits import LARGEST, MOST_AXES
from .numbers import (
    ONE,
    ZERO,
    Number,
    add,
    common,
    integer,
    mul,
)

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Array:
    """Entries in row-major order: numbers, or what another arithmetic has in their place."""

    shape: Shape
    data: Sequence[Any]

    @cached_property
    def height(self) -> int:
        """Bits of the longest rational."""
        return max(
            (x.height_bits() for x in self.data if isinstance(x, fmpq)),
            default=0,
        )

    @cached_property
    def tall(self) -> int:
        """Bits of a sum of entries, about."""
        return self.height + common(self.data)

    @property
    def scalar(self) -> Number:
        """The only entry; rejects arrays with more than one."""
        demand(len(self.data) == 1, "expected a scalar node")
        return self.data[0]


def shape_of(value: Any) -> Shape:
    """A shape from JSON."""
    demand(isinstance(value, list), "a shape is a list of sizes")
    demand(len(value) <= MOST_AXES, f"a shape has at most {MOST_AXES} axes")
    return checked(tuple(integer(size) for size in value))


def checked(shape: Shape) -> Shape:
    demand(
        prod(shape) <= LARGEST and max(shape, default=0) <= LARGEST,
        f"more than {LARGEST} entries",
    )
    return shape


def strides(shape: Shape) -> Shape:
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


def positions(shape: Sequence[int], steps: Sequence[int]) -> list[int]:
    """Flat positions of all index tuples of `shape`, the last fastest, with a step for each axis."""
    result = [0]
    for size, step in zip(shape, steps, strict=True):
        result = [start + k * step for start in result for k in range(size)]
    return result


def broadcast(*shapes: Shape) -> Shape:
    if len(set(shapes)) == 1:
        return shapes[0]
    width = max(map(len, shapes))
    padded = [(1,) * (width - len(shape)) + shape for shape in shapes]
    result = tuple(
        max(sizes) if 0 not in sizes else 0
        for sizes in zip(*padded, strict=True)
    )
    fits = all(
        size in (1, full)
        for shape in padded
        for size, full in zip(shape, result, strict=True)
    )
    demand(fits, f"shapes {shapes} do not broadcast")
    return checked(result)


def stretch(array: Array, shape: Shape) -> Sequence[Any]:
    """The entries of the array broadcast to `shape`."""
    if array.shape == shape:
        return array.data
    spend(0.2 * prod(shape))
    # A step of 0 along an axis of one entry repeats it, as NumPy does.
    padded = (1,) * (len(shape) - len(array.shape)) + array.shape
    steps = [
        0 if size == 1 else step
        for size, step in zip(padded, strides(padded), strict=True)
    ]
    return [array.data[position] for position in positions(shape, steps)]


def total(items: Sequence[Number]) -> Number:
    return reduce(add, items, ZERO)


def product(items: Sequence[Number]) -> Number:
    return reduce(mul, items, ONE)


def folded(
    array: Array, node: Mapping[str, Any], fold: Callable[[list[Any]], Any]
) -> Array:
    """What `fold` makes of all entries over "axes", of whatever kind they are."""
    shape, steps = array.shape, strides(array.shape)
    # Axes that are named twice would be summed over once here and refused by NumPy.
    axes = {axis_of(axis, shape) for axis in node["axes"]}
    demand(len(axes) == len(node["axes"]), "an axis is named twice")
    # Each entry of the result is made of the entries at its place and all offsets along the folded axes.
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    inner = positions(
        [shape[axis] for axis in axes], [steps[axis] for axis in axes]
    )
    outer = positions(
        [shape[axis] for axis in kept], [steps[axis] for axis in kept]
    )
    demand(
        bool(inner) or node["op"] in ("sum", "prod"),
        "largest entry of an empty array",
    )
    data = [
        fold([array.data[start + offset] for offset in inner])
        for start in outer
    ]
    keep = node.get("keepdims", False)
    demand(type(keep) is bool, '"keepdims" is true or false')
    return Array(
        tuple(
            1 if a in axes else n
            for a, n in enumerate(shape)
            if keep or a not in axes
        ),
        data,
    )


def axis_of(value: object, shape: Shape) -> int:
    return integer(value, -len(shape), len(shape) - 1) % len(shape)


def along_axis(
    array: Array, axis: int, function: Callable[[list[Any]], list[Any]]
) -> Array:
    """Replace every line of the array along `axis` by a list of the same length."""
    spend(len(array.data) * (3 * arithmetic() + on_rationals(array.tall)))
    shape, steps = array.shape, strides(array.shape)
    line = positions([shape[axis]], [steps[axis]])
    starts = positions(
        shape[:axis] + shape[axis + 1 :], steps[:axis] + steps[axis + 1 :]
    )
    data = list(array.data)
    for start in starts:
        values = function([array.data[start + offset] for offset in line])
        for offset, value in zip(line, values, strict=True):
            data[start + offset] = value
    return Array(shape, data)


def same_number(x: Number, y: Number) -> bool:
    """Whether two entries are surely one number: the same rational, or one ball that was copied."""
    # Two balls with the same ends may hold different numbers: only a copy of a ball is surely the same one.
    return x is y or (isinstance(x, fmpq) and isinstance(y, fmpq) and x == y)


def same_slices(array: Array, axis: int) -> bool:
    """Whether all slices along an axis are surely the same numbers."""
    spend(0.3 * len(array.data))
    line = len(array.shape) + axis
    step, length = strides(array.shape)[line], array.shape[line]
    firsts = (
        array.data[k - k // step % length * step]
        for k in range(len(array.data))
    )
    return all(map(same_number, array.data, firsts))


def take(
    arrays: Sequence[Array],
    node: Mapping[str, Any],
    place: Callable[[Any], int],
) -> Array:
    """table[index]: rows of a table; `place` is the whole number that an entry of the index is."""
    table, index = arrays
    demand(len(table.shape) > 0, "rows of a number")
    size = prod(table.shape[1:])
    spend(len(index.data) * (1 + 0.1 * size))
    rows = [integer(place(k), 0, table.shape[0] - 1) * size for k in index.data]
    return Array(
        checked(index.shape + table.shape[1:]),
        [x for r in rows for x in table.data[r : r + size]],
    )


def gather(
    arrays: Sequence[Array], node: Mapping[str, Any], zero: Any
) -> Array:
    """Entries of the concatenated operands by flat index; -1 is exact zero."""
    shape, index = shape_of(node["shape"]), node["index"]
    if not isinstance(index, list) or len(index) != prod(shape):
        raise malformed("gather needs one index for each entry")
    spend(0.1 * sum(len(array.data) for array in arrays) + 0.6 * len(index))
    # The exact zero stands at the end, where Python's index -1 finds it.
    pool = [value for array in arrays for value in array.data] + [zero]
    return Array(shape, [pool[integer(k, -1, len(pool) - 2)] for k in index])
