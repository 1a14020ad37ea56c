"""The evaluator: every node of a straight-line program, one after the other, in some arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from flint.utils.flint_exceptions import FlintError

from .arrays import Array, broadcast, same_slices, stretch
from .balls import Balls
from .findings import Rejection, TooMuch, Unproved, demand, malformed, spend
from .laws import Groups
from .limits import MOST_ENTRIES, MOST_NODES
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


class Value(NamedTuple):
    """What is known of a node: its array, and the group whose atoms the first axis is (if any).

    `sign` is what is known of it by how it was made, `degree` that of a polynomial in draws of known moments (only
    means of polynomials are results), and `order` says how it depends on the order of copies that come without it.
    """

    array: Array
    group: int | None = None
    sign: Sign = UNKNOWN
    degree: Degree = 0
    order: Order = FREE


UNNEEDED = Value(Array((), ()), degree=None)


@dataclass(frozen=True)
class Tape:
    """The values of all nodes that are needed, and the weights of the atoms."""

    space: Groups
    by: Arithmetic = field(default_factory=Balls)
    nodes: list[Node] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    weighted: dict[int, list[Any]] = field(default_factory=dict)
    lawful: list[tuple[Any, Any]] = field(default_factory=list)
    """Pairs p <= q without which a law is none: no probability is negative, nor above 1."""

    @property
    def arrays(self) -> list[Array]:
        return [x.array for x in self.values]

    def value(self, j: object) -> Value:
        return self.values[integer(j, 0, len(self.values) - 1)]

    def operand(self, j: object) -> Array:
        return self.value(j).array

    def group(self, j: object) -> int | None:
        return self.value(j).group

    def node(self, j: object) -> Array:
        """The value of a node as a result."""
        demand(
            self.value(j).degree == 0,
            f"operation {j} depends on a draw of which only moments are known",
        )
        return self._ordered(j)

    def averaged(self, j: object, group: int) -> Array:
        """The value of a node whose mean is taken: a polynomial that the points of its group are made for."""
        degree, most = (
            self.value(j).degree,
            self.space.spaces[group].degree or 0,
        )
        demand(
            degree is not None and degree <= most,
            f"operation {j} is no polynomial of degree {most} in draws of known moments",
        )
        return self._ordered(j)

    def _ordered(self, j: object) -> Array:
        demand(
            self.value(j).order == FREE,
            f"operation {j} depends on the order of copies that are given without it",
        )
        return self.operand(j)

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
        return list(
            map(self.by.number, value if isinstance(value, list) else [value])
        )


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
            made = _made(tape, node) if k in wanted else UNNEEDED
            tape.nodes.append(node)
            tape.values.append(made)
            size += len(made.array.data)
        except (TooMuch, Unproved):
            raise
        except Rejection as rejection:
            raise Rejection(
                rejection.outcome, f"operation {k}: {rejection}"
            ) from None
        except ERRORS as error:
            raise malformed(
                f"operation {k} is malformed ({type(error).__name__})"
            ) from None
        demand(
            size <= MOST_ENTRIES,
            f"the program has more than {MOST_ENTRIES} entries",
        )
    return tape


def needed(program: Sequence[Node], roots: Iterable[int]) -> set[int]:
    """The nodes that some roots are made of. Raises Rejection where a node names itself or a later one."""
    found: set[int] = set()
    stack = [(root, len(program)) for root in roots]
    while stack:
        k, above = stack.pop()
        demand(
            type(k) is int and 0 <= k < above,
            "a node names none of the earlier ones",
        )
        if k not in found:
            found.add(k)
            demand(
                isinstance(program[k].get("args"), list),
                '"args" is a list of nodes',
            )
            stack.extend((j, k) for j in program[k]["args"])
    return found


def _made(tape: Tape, node: Node) -> Value:
    """The value of the next node."""
    spend(tape.by.price)
    args = node["args"]
    demand(isinstance(args, list), '"args" is a list of nodes')
    given = [tape.value(j) for j in args]
    operands = [x.array for x in given]
    group, array = _value(node, given, tape)
    spend(0.1 * len(array.data))
    order, degree = FREE, 0
    if not tape.space.plain:
        order = _order(node, given, array, tape)
        degree = _degree(node, given, array, tape)
    signs = [x.sign for x in given]
    if node["op"] == "mean" and any(x.degree != 0 for x in given):
        signs = [UNKNOWN for _ in args]  # weights of a rule may be negative
    sign = tape.by.sign(tape.nodes, node, operands, signs, array)
    return Value(array, group, sign, degree, order)


def _value(
    node: Node, given: Sequence[Value], tape: Tape
) -> tuple[int | None, Array]:
    """The array of a node, and the group whose atoms its first axis is."""
    op, args, by, k = node["op"], node["args"], tape.by, len(tape.nodes)
    if op in LEAVES:
        demand(not args, f"{op} takes no operands")
    if op == "random":
        draw = integer(node["draw"], 0, len(tape.space.places) - 1)
        group, outcomes = tape.space.values(draw)
        return group, Array(
            outcomes.shape, list(map(by.outcome, outcomes.data))
        )
    group = tape.common_group(args)
    if op == "mean":
        (j,) = args
        if group is None:
            raise malformed("the mean of a node that does not depend on a draw")
        weights = partial(tape.weights, group)
        return None, by.mean(k, tape.averaged(j, group), weights)
    # Only the first operand is cut: the base of a power, what a root is taken of.
    known = given[0].sign if given else UNKNOWN
    array = by.value(k, node, [x.array for x in given], known)
    if group is not None:
        operands = [Operand(x.array, x.group is not None) for x in given]
        size = tape.space.spaces[group].size
        follow(entry(op).kind, node, operands, array, size)
    return group, array


def _degree(
    node: Node, given: Sequence[Value], array: Array, tape: Tape
) -> Degree:
    if node["op"] == "random":
        return int(tape.space.is_smooth(node["draw"]))
    if node["op"] == "mean":
        return 0
    degrees, arrays = [x.degree for x in given], [x.array for x in given]
    return degree(node["op"], degrees, arrays, array)


def _order(
    node: Node, given: Sequence[Value], array: Array, tape: Tape
) -> Order:
    if node["op"] == "random":
        free = not tape.space.unordered(node["draw"])
        return FREE if free else drawn(node["draw"], array.shape)
    orders, arrays = [x.order for x in given], [x.array for x in given]
    if all(o == FREE for o in orders):
        return FREE
    spend(2 * (len(array.data) + sum(len(x.data) for x in arrays)))

    def uniform(k: int, axis: int) -> bool:
        return same_slices(arrays[k], axis)

    shapes = [x.shape for x in arrays]
    return order(orders, Operands(node, shapes, array.shape, uniform))
