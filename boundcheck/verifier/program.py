"""The interpreter of the tape: every node of a straight-line program recomputed, node by node."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flint.utils.flint_exceptions import FlintError

from .arrays import Array, average, broadcast, same_slices
from .findings import Rejection, TooMuch, demand, malformed, spend
from .functions import Made, Sign, known_sign
from .laws import Groups
from .moments import Degree, degree
from .numbers import Number, integer, number
from .operations import Node, entry, order
from .symmetry import FREE, Operands, Order, drawn
from .trials import Operand, beside, follow

MOST_NODES = 100_000
MOST_ENTRIES = 20_000_000
NODE = 40
"""What a node takes besides its entries."""

LEAVES = ("input", "const", "random")
ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    FlintError,
)


@dataclass(frozen=True)
class Tape:
    """The values of all nodes, the group whose atoms their first axis is (if any), and the atoms' weights.

    `orders` says which nodes depend on the order of copies that come without it: they are no results. `signs` says
    what is known of a node by how it was made.
    """

    space: Groups
    nodes: list[Node] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    groups: list[int | None] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    weighted: dict[int, list[Number]] = field(default_factory=dict)
    degrees: list[Degree] = field(default_factory=list)
    """Of each node as a polynomial in draws of known moments, whose only results are means of polynomials."""

    def node(self, j: object) -> Array:
        """The value of a node as a result."""
        j = integer(j, 0, len(self.arrays) - 1)
        demand(
            self.degrees[j] == 0,
            f"operation {j} depends on a draw of which only moments are known",
        )
        return self._ordered(j)

    def averaged(self, j: Any, group: int) -> Array:
        """The value of a node whose mean is taken: a polynomial that the points of its group are made for."""
        j = integer(j, 0, len(self.arrays) - 1)
        degree, most = self.degrees[j], self.space.spaces[group].degree or 0
        fits = degree is not None and degree <= most
        demand(
            fits,
            f"operation {j} is no polynomial of degree {most} in draws of known moments",
        )
        return self._ordered(j)

    def _ordered(self, j: int) -> Array:
        demand(
            self.orders[j] == FREE,
            f"operation {j} depends on the order of copies that are given without it",
        )
        return self.arrays[j]

    def operand(self, j: object) -> Array:
        return self.arrays[integer(j, 0, len(self.arrays) - 1)]

    def group(self, j: object) -> int | None:
        return self.groups[integer(j, 0, len(self.groups) - 1)]

    def varies(self, j: object) -> bool:
        return self.group(j) is not None

    def common_group(self, nodes: Sequence[Any]) -> int | None:
        """The group that the varying ones among some nodes belong to; two groups never meet."""
        groups = {self.group(j) for j in nodes} - {None}
        demand(len(groups) <= 1, "two groups of draws are mixed")
        return next(iter(groups), None)

    def weights(self, group: int = 0) -> list[Number]:
        """Weights of the atoms of a group; events belong to the first one."""
        if group not in self.weighted:
            self.weighted[group] = self.space.spaces[group].weights(self.numbers)
        return self.weighted[group]

    def fixed(self, j: object) -> Array:
        """A node that is the same at every atom."""
        demand(not self.varies(j), f"operation {j} must not be random")
        return self.node(j)

    def pair(self, i: object, j: object) -> tuple[Array, Array]:
        """Two results that are compared entry by entry, each atom by itself; something must be compared."""
        self.common_group((i, j))
        x, y = self.node(i), self.node(j)
        shape = broadcast(x.shape, y.shape)
        demand(0 not in shape, "nothing is said of an empty array")
        beside([Operand(x, self.varies(i)), Operand(y, self.varies(j))], len(shape))
        return x, y

    def numbers(self, value: object) -> list[Number]:
        """A number, a list of numbers, or the entries of {"node": j}."""
        if isinstance(value, dict) and "node" in value:
            return list(self.fixed(value["node"]).data)
        return [
            number(item) for item in (value if isinstance(value, list) else [value])
        ]


def run(program: Any, space: Groups) -> Tape:
    """Recompute all nodes at the current precision."""
    demand(isinstance(program, list), '"program" is a list of nodes')
    demand(len(program) <= MOST_NODES, f"more than {MOST_NODES} nodes")
    tape, size = Tape(space), 0
    for k, node in enumerate(program):
        try:
            spend(NODE)
            size += _append(tape, node)
        except TooMuch:
            raise
        except Rejection as rejection:
            raise Rejection(rejection.outcome, f"operation {k}: {rejection}") from None
        except ERRORS as error:
            raise malformed(
                f"operation {k} is malformed ({type(error).__name__})"
            ) from None
        demand(
            size <= MOST_ENTRIES, f"the program has more than {MOST_ENTRIES} entries"
        )
    return tape


def _append(tape: Tape, node: Node) -> int:
    """Add the value of a node to the tape; the number of its entries."""
    args = node["args"]
    demand(isinstance(args, list), '"args" is a list of nodes')
    arrays = [tape.operand(j) for j in args]
    group, array = _value(node, arrays, tape)
    moved = _order(node, arrays, array, tape)
    spend(0.1 * len(array.data))
    signs = [tape.signs[j] for j in args]
    if node["op"] == "mean" and any(
        tape.degrees[j] != 0 for j in args
    ):  # weights may be negative
        signs = [Sign() for _ in args]
    tape.signs.append(known_sign(Made(tape.nodes, node, arrays, signs, array)))
    tape.degrees.append(_degree(node, arrays, array, tape))
    tape.orders.append(moved)
    tape.nodes.append(node)
    tape.arrays.append(array)
    tape.groups.append(group)
    return len(array.data)


def _value(node: Node, arrays: Sequence[Array], tape: Tape) -> tuple[int | None, Array]:
    """The node's value and the group whose atoms its first axis is: a mean ends it, and nothing else does."""
    op, args = node["op"], node["args"]
    if op in LEAVES:
        demand(not args, f"{op} takes no operands")
    if op == "random":
        return tape.space.values(integer(node["draw"], 0, len(tape.space.places) - 1))
    group = tape.common_group(args)
    if op == "mean":
        (j,) = args
        if group is None:
            raise malformed("the mean of a node that does not depend on a draw")
        return None, average(tape.averaged(j, group), tape.weights(group))
    known = entry(op)
    array = known.on([tape.signs[j] for j in args])(arrays, node)
    if group is not None:
        operands = [
            Operand(x, tape.varies(j)) for j, x in zip(args, arrays, strict=True)
        ]
        follow(known.kind, node, operands, array, tape.space.spaces[group].size)
    return group, array


def _degree(node: Node, arrays: Sequence[Array], array: Array, tape: Tape) -> Degree:
    if node["op"] == "random":
        return int(tape.space.is_smooth(node["draw"]))
    if node["op"] == "mean":
        return 0
    return degree(node["op"], [tape.degrees[j] for j in node["args"]], arrays, array)


def _order(node: Node, arrays: Sequence[Array], array: Array, tape: Tape) -> Order:
    if node["op"] == "random":
        return (
            drawn(node["draw"], array.shape)
            if tape.space.unordered(node["draw"])
            else FREE
        )
    orders = [tape.orders[j] for j in node["args"]]
    if all(o == FREE for o in orders):
        return FREE
    spend(2 * (len(array.data) + sum(len(x.data) for x in arrays)))
    return order(
        orders,
        Operands(
            node,
            [x.shape for x in arrays],
            array.shape,
            lambda k, axis: same_slices(arrays[k], axis),
        ),
    )
