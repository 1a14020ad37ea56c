"""The evaluator: every node of a straight-line program, one after the other, in some arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flint.utils.flint_exceptions import FlintError

from .arrays import Array, broadcast, same_slices, stretch
from .balls import Balls
from .findings import Rejection, TooMuch, Unproved, demand, malformed, spend
from .laws import Groups
from .limits import MOST_ENTRIES, MOST_NODES, NODE
from .moments import Degree, degree
from .numbers import integer
from .operations import Arithmetic, Node, entry, order
from .signs import UNKNOWN, Sign
from .symmetry import FREE, Operands, Order, drawn
from .trials import Operand, beside, follow

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
    what is known of a node by how it was made. Where a node is not needed, no array is made.
    """

    space: Groups
    by: Arithmetic = field(default_factory=Balls)
    nodes: list[Node] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    groups: list[int | None] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    signs: list[Sign] = field(default_factory=list)
    weighted: dict[int, list[Any]] = field(default_factory=dict)
    lawful: list[tuple[Any, Any]] = field(default_factory=list)
    """Pairs p <= q without which a law is none: no probability is negative, nor above 1."""

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
        groups = {self.group(j) for j in nodes}
        groups.discard(None)
        # Atom a of one group has nothing to do with atom a of another: they are independent, not the same.
        demand(len(groups) <= 1, "two groups of draws are mixed")
        return next(iter(groups), None)

    def weights(self, group: int = 0) -> list[Any]:
        """Weights of the atoms of a group; events belong to the first one."""
        if group not in self.weighted:
            space = self.space.spaces[group]
            found = space.weights(self.by, self.numbers, self.lawful)
            self.weighted[group] = self.by.weighed(group, found)
        return self.weighted[group]

    def fixed(self, j: object) -> Array:
        """A node that is the same at every atom."""
        demand(not self.varies(j), f"operation {j} must not be random")
        return self.node(j)

    def pair(self, i: object, j: object) -> tuple[Array, Array]:
        """Two results that are compared entry by entry, each atom by itself; something must be compared."""
        x, y = self.node(i), self.node(j)
        shape = broadcast(x.shape, y.shape)
        demand(0 not in shape, "nothing is said of an empty array")
        if self.common_group((i, j)) is not None:
            sides = Operand(x, self.varies(i)), Operand(y, self.varies(j))
            beside("entries", {"op": "comparison"}, sides, shape)
        return x, y

    def pairs(self, args: Sequence[object]) -> list[tuple[Any, Any]]:
        """The entries of two nodes that are compared."""
        x, y = self.pair(*args)
        shape = broadcast(x.shape, y.shape)
        return list(zip(stretch(x, shape), stretch(y, shape), strict=True))

    def numbers(self, value: object) -> list[Any]:
        """A number of a law, a list of numbers, or the entries of {"node": j}."""
        if isinstance(value, dict) and "node" in value:
            return list(self.fixed(value["node"]).data)
        return list(map(self.by.number, value if isinstance(value, list) else [value]))


def run(
    program: Any,
    space: Groups,
    by: Arithmetic | None = None,
    roots: Iterable[int] | None = None,
) -> Tape:
    """Compute all nodes, or what some roots are made of, in an arithmetic: balls of the current precision."""
    demand(isinstance(program, list), '"program" is a list of nodes')
    demand(len(program) <= MOST_NODES, f"more than {MOST_NODES} nodes")
    tape, size = Tape(space, Balls() if by is None else by), 0
    wanted = range(len(program)) if roots is None else needed(program, roots)
    for k, node in enumerate(program):
        try:
            size += _append(tape, node) if k in wanted else _skip(tape, node)
        except (TooMuch, Unproved):
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


def needed(program: Sequence[Node], roots: Iterable[int]) -> set[int]:
    """The nodes that some roots are made of. Raises Rejection where a node names itself or a later one."""
    found: set[int] = set()
    stack = [(root, len(program)) for root in roots]
    while stack:
        k, above = stack.pop()
        demand(
            type(k) is int and 0 <= k < above, "a node names none of the earlier ones"
        )
        if k not in found:
            found.add(k)
            demand(
                isinstance(program[k].get("args"), list), '"args" is a list of nodes'
            )
            stack.extend((j, k) for j in program[k]["args"])
    return found


NOTHING = Array((), ())
"""In place of what is not needed."""


def _skip(tape: Tape, node: Node) -> int:
    _add(tape, node, NOTHING, None, UNKNOWN, None, FREE)
    return 0


def _add(
    tape: Tape,
    node: Node,
    array: Array,
    group: int | None,
    sign: Sign,
    degree: Degree,
    moved: Order,
) -> None:
    tape.nodes.append(node)
    tape.arrays.append(array)
    tape.groups.append(group)
    tape.signs.append(sign)
    tape.degrees.append(degree)
    tape.orders.append(moved)


def _append(tape: Tape, node: Node) -> int:
    """Add the value of a node to the tape; the number of its entries."""
    spend(NODE)
    args = node["args"]
    demand(isinstance(args, list), '"args" is a list of nodes')
    operands = [tape.operand(j) for j in args]
    group, array = _value(node, operands, tape)
    spend(0.1 * len(array.data))
    moved, degree = FREE, 0
    if not tape.space.plain:
        moved = _order(node, operands, array, tape)
        degree = _degree(node, operands, array, tape)
    signs = [tape.signs[j] for j in args]
    if node["op"] == "mean" and any(tape.degrees[j] != 0 for j in args):
        signs = [UNKNOWN for _ in args]  # weights of a rule may be negative
    sign = tape.by.sign(tape.nodes, node, operands, signs, array)
    _add(tape, node, array, group, sign, degree, moved)
    return len(array.data)


def _value(
    node: Node, operands: Sequence[Array], tape: Tape
) -> tuple[int | None, Array]:
    """The value of a node, and the group whose atoms its first axis is."""
    op, args, by, k = node["op"], node["args"], tape.by, len(tape.nodes)
    if op in LEAVES:
        demand(not args, f"{op} takes no operands")
    if op == "random":
        draw = integer(node["draw"], 0, len(tape.space.places) - 1)
        group, outcomes = tape.space.values(draw)
        return group, Array(outcomes.shape, list(map(by.outcome, outcomes.data)))
    group = tape.common_group(args)
    if op == "mean":
        (j,) = args
        if group is None:
            raise malformed("the mean of a node that does not depend on a draw")
        return None, by.mean(k, tape.averaged(j, group), partial(tape.weights, group))
    # Only the first operand is cut: the base of a power, what a root is taken of.
    known = tape.signs[args[0]] if args else UNKNOWN
    array = by.value(k, node, operands, known)
    if group is not None:
        given = [
            Operand(x, tape.varies(j)) for j, x in zip(args, operands, strict=True)
        ]
        size = tape.space.spaces[group].size
        follow(entry(op).kind, dict(node), given, array, size)
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
            dict(node),
            [x.shape for x in arrays],
            array.shape,
            lambda k, axis: same_slices(arrays[k], axis),
        ),
    )
