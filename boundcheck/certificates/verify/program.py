"""The interpreter of the tape: every node of a straight-line program recomputed, node by node."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

from flint.utils.flint_exceptions import FlintError

from .arrays import REDUCTIONS, Array, average, cumsum, elementwise, gather, reduction, same_slices, shape_of, sort, take
from .findings import Rejection, demand, malformed
from .functions import BINARY, UNARY
from .laws import Groups
from .matrices import (
    Matrix,
    balls,
    check_square,
    cholesky,
    determinant,
    entries,
    inverse,
    matmul,
    over_batch,
    solve,
)
from .numbers import Number, integer, number, rational
from .spectra import eigenvectors, eigvalsh, log, psd_log, psd_power, svdvals
from .symmetry import FREE, Operands, Order, drawn, order

Node = dict[str, Any]
Operation = Callable[[Sequence[Array], Node], Array]
MOST_NODES = 100_000
MOST_ENTRIES = 20_000_000
ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError, FlintError)


@dataclass(frozen=True)
class Tape:
    """The values of all nodes, the group whose atoms their first axis is (if any), and the weights of the atoms.

    `orders` says which nodes depend on the order of copies that are given without it: those are no results.
    """

    arrays: list[Array]
    groups: list[int | None]
    weighted: dict[int, list[Number]]
    orders: list[Order]

    def node(self, j: Any) -> Array:
        """The value of a node as a result."""
        j = integer(j, 0, len(self.arrays) - 1)
        demand(self.orders[j] == FREE, f"node {j} depends on the order of copies that are given without it")
        return self.arrays[j]

    def operand(self, j: Any) -> Array:
        return self.arrays[integer(j, 0, len(self.arrays) - 1)]

    def group(self, j: Any) -> int | None:
        return self.groups[integer(j, 0, len(self.groups) - 1)]

    def varies(self, j: Any) -> bool:
        return self.group(j) is not None

    @property
    def weights(self) -> list[Number]:
        """Weights of the atoms of the first group, that of events."""
        return self.weighted[0]

    def fixed(self, j: Any) -> Array:
        """A node that is the same at every atom."""
        demand(not self.varies(j), f"node {j} must not be random")
        return self.node(j)

    def numbers(self, value: Any) -> list[Number]:
        """A number, a list of numbers, or the entries of {"node": j}."""
        if isinstance(value, dict) and "node" in value:
            return list(self.fixed(value["node"]).data)
        return [number(item) for item in (value if isinstance(value, list) else [value])]


def run(program: Any, space: Groups) -> Tape:
    """Recompute all nodes at the current precision."""
    demand(isinstance(program, list), '"program" is a list of nodes')
    demand(len(program) <= MOST_NODES, f"more than {MOST_NODES} nodes")
    tape, size = Tape([], [], {}, []), 0
    for k, node in enumerate(program):
        try:
            group, array = _value(node, tape, space)
        except Rejection as rejection:
            raise Rejection(rejection.outcome, f"node {k}: {rejection}") from None
        except ERRORS as error:
            raise malformed(f"node {k} is malformed ({type(error).__name__})") from None
        size += len(array.data)
        demand(size <= MOST_ENTRIES, f"the program has more than {MOST_ENTRIES} entries")
        tape.orders.append(_order(node, array, tape, space))
        tape.arrays.append(array)
        tape.groups.append(group)
    _weights(tape, space, 0)
    return tape


def _weights(tape: Tape, space: Groups, group: int) -> list[Number]:
    if group not in tape.weighted:
        tape.weighted[group] = space.spaces[group].weights(tape.numbers)
    return tape.weighted[group]


def _group(node: Node, array: Array, tape: Tape, space: Groups) -> int | None:
    """The group whose atoms the first axis is. A reduction over that axis ends it; two groups never meet."""
    groups = {tape.group(j) for j in node["args"]} - {None}
    demand(len(groups) <= 1, "a node mixes two groups of draws")
    summed = node["op"] in REDUCTIONS and 0 in (axis % len(tape.operand(node["args"][0]).shape) for axis in node["axes"])
    group = None if summed else next(iter(groups), None)
    return group if group is not None and array.shape[:1] == (space.spaces[group].size,) else None


def _value(node: Node, tape: Tape, space: Groups) -> tuple[int | None, Array]:
    """The node's value and the group whose atoms its first axis is."""
    if node["op"] == "random":
        return space.values(integer(node["draw"], 0, len(space.places) - 1))
    arrays = [tape.operand(j) for j in node["args"]]
    if node["op"] == "mean":
        array, group = tape.node(*node["args"]), tape.group(node["args"][0])
        return None, array if group is None else average(array, _weights(tape, space, group))
    operation = OPERATIONS.get(node["op"])
    if operation is None:
        raise malformed(f"unknown operation {str(node['op'])[:40]!r}")
    array = operation(arrays, node)
    return _group(node, array, tape, space), array


def _order(node: Node, array: Array, tape: Tape, space: Groups) -> Order:
    if node["op"] == "random":
        return drawn(node["draw"], array.shape) if space.unordered(node["draw"]) else FREE
    operands = [tape.operand(j) for j in node["args"]]
    orders = [tape.orders[j] for j in node["args"]]
    return order(orders, Operands(node, [x.shape for x in operands], array.shape, lambda k, axis: same_slices(operands[k], axis)))


def _leaf(parse: Callable[[Any], Number]) -> Operation:
    def operation(_: Sequence[Array], node: Node) -> Array:
        shape, data = shape_of(node["shape"]), node["data"]
        demand(isinstance(data, list) and len(data) == prod(shape), "data does not fit its shape")
        return Array(shape, [parse(value) for value in data])

    return operation


def _pointwise(arity: int, function: Callable[..., Number]) -> Operation:
    def operation(arrays: Sequence[Array], node: Node) -> Array:
        demand(len(arrays) == arity, f"{node['op']} takes {arity} operands")
        return elementwise(function, *arrays)

    return operation


def _unary(function: Callable[[Array, Node], Array]) -> Operation:
    def operation(arrays: Sequence[Array], node: Node) -> Array:
        (array,) = arrays
        return function(array, node)

    return operation


def _matrices(function: Callable[..., Matrix], result_axes: int = 2) -> Operation:
    """A function of matrices; it returns a 1 x k matrix for a vector and 1 x 1 for a number."""

    def operation(arrays: Sequence[Array], node: Node) -> Array:
        result = over_batch(function, *arrays)
        lead, tail = result.shape[:-2], result.shape[-2:]
        return Array(lead + tail[2 - result_axes :], result.data)

    return operation


def _psd_pow(arrays: Sequence[Array], node: Node) -> Array:
    return over_batch(partial(psd_power, t=rational(node["power"])), *arrays)


def _eigenvectors(arrays: Sequence[Array], node: Node) -> Array:
    demand(isinstance(node["lead"], list) and len(arrays) == 1 and len(arrays[0].shape) == 2, "eigenvectors are those of one matrix")
    return over_batch(partial(eigenvectors, lead=[integer(i, -MOST_ENTRIES, MOST_ENTRIES) for i in node["lead"]]), *arrays)


def _matmul(arrays: Sequence[Array], node: Node) -> Array:
    left, right = arrays
    return matmul(left, right)


def _det(a: Matrix) -> Matrix:
    return [[determinant(a)]]


def _slogabsdet(a: Matrix) -> Matrix:
    return [[log(abs(determinant(a)))]]


def _expm(a: Matrix) -> Matrix:
    check_square(a)
    return entries(balls(a).exp())


OPERATIONS: dict[str, Operation] = {
    "input": _leaf(rational),
    "const": _leaf(number),
    "gather": gather,
    "take": take,
    **{name: _pointwise(1, function) for name, function in UNARY.items()},
    **{name: _pointwise(2, function) for name, function in BINARY.items()},
    **{name: _unary(reduction) for name in REDUCTIONS},
    "cumsum": _unary(cumsum),
    "sort": _unary(sort),
    "matmul": _matmul,
    "inv": _matrices(inverse),
    "solve": _matrices(solve),
    "det": _matrices(_det, 0),
    "slogabsdet": _matrices(_slogabsdet, 0),
    "cholesky": _matrices(cholesky),
    "eigvalsh": _matrices(eigvalsh, 1),
    "eigenvectors": _eigenvectors,
    "svdvals": _matrices(svdvals, 1),
    "psd_sqrt": _matrices(partial(psd_power, t=rational("1/2"))),
    "psd_log": _matrices(psd_log),
    "psd_pow": _psd_pow,
    "expm": _matrices(_expm),
}
