"""The operations of a program, a row each, and what each kind of them makes of arrays of any entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import accumulate
from math import comb, prod
from typing import Any, ClassVar

from flint import fmpq

from .arrays import (
    Array,
    along_axis,
    axis_of,
    broadcast,
    folded,
    gather,
    shape_of,
    stretch,
    take,
)
from .findings import Unproved, demand, malformed, spend
from .functions import BINARY, UNARY
from .limits import NODE
from .matrices import matmul, matrices, transpose
from .numbers import ONE, ZERO, Number, rational
from .signs import UNKNOWN, Sign
from .symmetry import Operands, Order
from .symmetry import order as ordered

Node = Mapping[str, Any]
Rows = list[list[Any]]


@dataclass(frozen=True)
class Entry:
    """One operation: its kind says what it does to arrays, to each atom alone and to copies that move.

    `fold` is the function of two numbers that a reduction, or a running one, repeats.
    """

    kind: str
    fold: str = ""


_MATRICES = Entry("matrices")

OPERATIONS: dict[str, Entry] = {
    **dict.fromkeys(("input", "const"), Entry("leaf")),
    "gather": Entry("gather"),
    "take": Entry("take"),
    **dict.fromkeys(UNARY, Entry("entries")),
    **dict.fromkeys(BINARY, Entry("entries")),
    "sum": Entry("reduction", "add"),
    "prod": Entry("reduction", "mul"),
    "max": Entry("reduction", "maximum"),
    "min": Entry("reduction", "minimum"),
    "cumsum": Entry("running", "add"),
    "sort": Entry("ordering"),
    "matmul": Entry("product"),
    **dict.fromkeys(
        ("inv", "solve", "det", "slogabsdet", "cholesky"), _MATRICES
    ),
    **dict.fromkeys(("eigvalsh", "eigvals", "svdvals"), _MATRICES),
    **dict.fromkeys(("psd_sqrt", "psd_log", "psd_pow", "psd_raise"), _MATRICES),
    "expm": _MATRICES,
    "eigenvectors": Entry("one matrix"),
}
"""Every operation that a program may name. A function of entries is a row of `functions` too, one of matrices
of `balls`."""


def entry(op: Any) -> Entry:
    """The operation of that name. Raises Rejection."""
    found = OPERATIONS.get(op)
    if found is None:
        raise malformed(f"unknown operation {str(op)[:40]!r}")
    return found


def order(orders: Sequence[Order], given: Operands) -> Order:
    """What permuting the copies of each draw does to the result of an operation."""
    found = OPERATIONS.get(given.node["op"])
    return ordered("" if found is None else found.kind, orders, given)


def orders(counts: Sequence[int]) -> fmpq:
    """In how many orders so many of each kind may come."""
    return fmpq(prod(map(comb, accumulate(counts), counts)))


class Arithmetic:
    """What entries are: balls, instructions, residues, terms of Rocq.

    Who says what a constant, an input and a function of entries are, and which are known, has arrays of them:
    broadcasting, sums, products and elimination are the same for all. So is what they rest on: the value of
    an operation on arrays is what its functions of numbers make of the entries.
    """

    price: ClassVar[float] = NODE
    """Work of a node, besides its entries."""

    def const(self, x: fmpq) -> Any:
        """An exact number."""
        raise NotImplementedError

    def input(self, name: str, k: int) -> Any:
        """Entry k of an input."""
        raise NotImplementedError

    def apply(self, op: str, *args: Any) -> Any:
        """A function of entries."""
        raise NotImplementedError

    def exactly(self, x: Any) -> fmpq | None:
        """The number that an entry is known to be."""
        raise NotImplementedError

    def vanishes(self, x: Any) -> bool:
        """Whether it is known to be 0."""
        raise NotImplementedError

    def matrix(
        self, node: Node, entries: Sequence[Any], count: int
    ) -> list[Any]:
        """A function of a matrix that is what it is by its entries alone, as so many numbers."""
        raise Unproved(
            f"no proof goes through the operation {str(node['op'])[:40]}"
        )

    # numbers that are given

    def number(self, value: object) -> Any:
        """A number of a law, as JSON has it."""
        return self.const(rational(value))

    def outcome(self, x: Number) -> Any:
        """A value of a law."""
        if not isinstance(x, fmpq):
            raise Unproved("a value of a law is no exact number")
        return self.const(x)

    def weight(self, w: Any, lawful: list[tuple[Any, Any]]) -> Any:
        """The weight of an outcome; what must hold of it, p <= q, is noted."""
        lawful.append((self.const(ZERO), w))
        return w

    def chance(self, p: Any, lawful: list[tuple[Any, Any]]) -> Any:
        """A probability."""
        return self.weight(p, lawful)

    def normalised(self, weights: Sequence[Any]) -> list[Any]:
        """Shares of their sum."""
        mass = self.total(weights)
        return [self.apply("div", w, mass) for w in weights]

    def binomial(self, n: int, p: Any, q: Any) -> list[Any]:
        """The probabilities of 0, ..., n successes."""
        return self.arranged([p, q], [(k, n - k) for k in range(n + 1)])

    def arranged(
        self, parts: Sequence[Any], counts: Sequence[Sequence[int]]
    ) -> list[Any]:
        """The probabilities of some counts of independent outcomes."""
        return [self._arranged(parts, each) for each in counts]

    def _arranged(self, parts: Sequence[Any], counts: Sequence[int]) -> Any:
        powers = [
            p if n == 1 else self.apply("pow", p, self.const(fmpq(n)))
            for p, n in zip(parts, counts, strict=True)
            if n
        ]
        return reduce(
            partial(self.apply, "mul"), powers, self.const(orders(counts))
        )

    def joint(self, left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
        """The probabilities of pairs of independent outcomes."""
        spend(2 * len(left) * len(right))
        return [self.apply("mul", w, v) for w in left for v in right]

    def weighed(self, group: int, weights: list[Any]) -> list[Any]:
        """The probabilities of the atoms of a group, as they are kept."""
        return weights

    # arrays

    def value(
        self,
        k: int,
        node: Node,
        operands: Sequence[Array],
        known: Sign = UNKNOWN,
    ) -> Array:
        """What node k makes of its operands; of the first so much is `known`."""
        kind = entry(node["op"]).kind
        return KINDS[kind](self, node, operands, known)

    def function(self, op: str, known: bool) -> Callable[..., Any]:
        """A function of entries; `known`: the first operand is not negative by how it was made."""
        return partial(self.apply, op)

    def leaf(self, node: Node, data: Sequence[Any]) -> list[Any]:
        if node["op"] == "input":
            return [self.input(node["name"], k) for k in range(len(data))]
        return [self.const(rational(x)) for x in data]

    def place(self, x: Any) -> int:
        """The row of a table that an entry of an index says."""
        known = self.exactly(x)
        if known is None or known.q != 1:
            raise Unproved("an index of a table is not known")
        return int(known.p)

    def ascending(self, line: list[Any]) -> list[Any]:
        raise Unproved("no proof goes through the operation sort")

    def total(self, xs: Sequence[Any]) -> Any:
        return self.fold("add", xs)

    def dot(self, xs: Sequence[Any], ys: Sequence[Any]) -> Any:
        spend(len(xs))
        terms = map(partial(self.apply, "mul"), xs, ys)
        return reduce(partial(self.apply, "add"), terms)

    def multiply(self, A: Rows, B: Rows) -> Rows:
        return [[self.dot(row, column) for column in transpose(B)] for row in A]

    def fold(self, op: str, line: Sequence[Any]) -> Any:
        """A function of two entries over and over; of none what changes nothing."""
        if not line:
            return self.const(ONE if op == "mul" else ZERO)
        return reduce(partial(self.apply, op), line)

    def mean(
        self, k: int, x: Array, weights: Callable[[], Sequence[Any]]
    ) -> Array:
        """The weighted sum over the atoms, which lie along the first axis."""
        # Atoms are the slowest axis, so that entry e of all of them is every size-th one.
        size, w = prod(x.shape[1:]), weights()
        return Array(
            x.shape[1:], [self.dot(w, x.data[e::size]) for e in range(size)]
        )

    def matrices(
        self, node: Node, operands: Sequence[Array], known: bool
    ) -> Array:
        """A function of each matrix of a batch."""
        op = node["op"]
        if op in ("solve", "inv", "det"):
            return self.eliminated(op, operands)
        if (
            op not in BY_ENTRIES
            or len(operands) != 1
            or len(operands[0].shape) < 2
        ):
            raise Unproved(
                f"no proof goes through the operation {str(op)[:40]}"
            )
        (x,) = operands
        side, size = x.shape[-2:], prod(x.shape[-2:])
        square = len(set(side)) == 1
        demand(square or op != "eigvalsh", "eigenvalues take square matrices")
        shape = BY_ENTRIES[op](side)
        starts = range(0, len(x.data), size or 1)
        made = [
            self.of_matrix(node, side, x.data[s : s + size], prod(shape))
            for s in starts
        ]
        return Array(
            (*x.shape[:-2], *shape),
            [entry for entries in made for entry in entries],
        )

    def of_matrix(
        self,
        node: Node,
        side: Sequence[int],
        entries: Sequence[Any],
        count: int,
    ) -> list[Any]:
        """Of rows, columns and numbers the values are known: an entry, or the length of a vector."""
        if count == 1 and node["op"] == "eigvalsh":
            return [entries[0]]
        if count == 1 and node["op"] == "svdvals":
            alone = len(entries) == 1
            return [
                self.apply("abs", entries[0])
                if alone
                else self.apply("sqrt", self.dot(entries, entries))
            ]
        return self.matrix(node, entries, count)

    def eliminated(self, op: str, operands: Sequence[Array]) -> Array:
        """Solutions, inverses and determinants by elimination."""
        a = operands[0]
        rows, n = a.shape[-2:] if len(a.shape) >= 2 else (0, 0)
        demand(rows == n > 0, "elimination takes square matrices")
        unit: Any = [
            self.const(fmpq(i == j)) for i in range(n) for j in range(n)
        ]
        right = operands[1] if op == "solve" else Array((n, n), unit)
        height, width = right.shape[-2:] if len(right.shape) >= 2 else (0, 0)
        demand(height == n, "elimination takes a right side that fits")
        lead = broadcast(a.shape[:-2], right.shape[:-2])
        pairs = zip(matrices(a, lead), matrices(right, lead), strict=True)
        if op == "det":
            return Array(lead, [self.gauss(A, B)[0] for A, B in pairs])
        solved = [self.solution(A, B) for A, B in pairs]
        return Array(
            (*lead, n, width), [x for X in solved for row in X for x in row]
        )

    def solution(self, A: Rows, B: Rows) -> Rows:
        """X with A X = B."""
        _, found = self.gauss(A, B)
        if not found:
            raise Unproved("a matrix that is to be inverted is singular")
        return found

    def gauss(self, A: Rows, B: Rows) -> tuple[Any, Rows]:
        """The determinant, and the solution by Gauss and Jordan; none where the matrix is singular.

        A pivot is any entry that is not known to vanish, and the quotient by it says whether it does.
        """
        n, det = len(A), self.const(ONE)
        spend(n**3)
        for c in range(n):
            # What is not known to vanish is divided by, and the division is refused unless it is shown not to vanish.
            p = next(
                (i for i in range(c, n) if not self.vanishes(A[i][c])), None
            )
            if p is None:
                return self.const(ZERO), []
            if p != c:
                A[c], A[p] = A[p], A[c]
                B[c], B[p] = B[p], B[c]
                det = self.apply("neg", det)
            pivot = A[c][c]
            det = self.apply("mul", det, pivot)
            A[c], B[c] = (
                [self.apply("div", x, pivot) for x in M[c]] for M in (A, B)
            )
            for i in range(n):
                factor = A[i][c]
                if i != c and not self.vanishes(factor):
                    A[i], B[i] = (
                        self._less(M[i], factor, M[c]) for M in (A, B)
                    )
        return det, B

    def _less(self, row: list[Any], factor: Any, other: list[Any]) -> list[Any]:
        pairs = zip(row, other, strict=True)
        return [
            self.apply("sub", x, self.apply("mul", factor, y)) for x, y in pairs
        ]

    def sign(
        self,
        nodes: Sequence[Node],
        node: Node,
        operands: Sequence[Array],
        signs: Sequence[Sign],
        result: Array,
    ) -> Sign:
        """What is known of a node by how it was made of operands of known signs."""
        return UNKNOWN


BY_ENTRIES: dict[str, Callable[[Sequence[int]], Sequence[int]]] = {
    "eigvalsh": lambda side: side[:1],
    "svdvals": lambda side: (min(side),),
    "slogabsdet": lambda side: (),
    **dict.fromkeys(
        ("psd_sqrt", "psd_pow", "psd_log", "expm"), lambda side: side
    ),
}
"""The shapes of what is made of a matrix and is what it is by its entries alone."""


def _leaf(by: Arithmetic, node: Node, _: Sequence[Array], __: Sign) -> Array:
    shape, data = shape_of(node["shape"]), node["data"]
    # Shapes are recomputed, not believed: each kind makes its own from those of its operands.
    fits = isinstance(data, list) and len(data) == prod(shape)
    demand(fits, "data does not fit its shape")
    return Array(shape, by.leaf(node, data))


def _entries(
    by: Arithmetic, node: Node, xs: Sequence[Array], known: Sign
) -> Array:
    op = node["op"]
    arity = 1 if op in UNARY else 2
    demand(len(xs) == arity, f"{op} takes {arity} operands")
    shape = broadcast(*(x.shape for x in xs))
    given = (stretch(x, shape) for x in xs)
    return Array(shape, list(map(by.function(op, known.entries), *given)))


def _reduced(by: Arithmetic, node: Node, xs: Sequence[Array], _: Sign) -> Array:
    (x,) = xs
    return folded(x, node, partial(by.fold, entry(node["op"]).fold))


def _running(by: Arithmetic, node: Node, xs: Sequence[Array], _: Sign) -> Array:
    (x,), add = xs, partial(by.apply, entry(node["op"]).fold)
    axis = axis_of(node["axis"], x.shape)
    return along_axis(x, axis, lambda line: list(accumulate(line, add)))


def _ordered(by: Arithmetic, node: Node, xs: Sequence[Array], _: Sign) -> Array:
    (x,) = xs
    return along_axis(x, axis_of(node.get("axis", -1), x.shape), by.ascending)


def _multiplied(
    by: Arithmetic, node: Node, xs: Sequence[Array], _: Sign
) -> Array:
    left, right = xs
    return matmul(left, right, by.multiply, by.const(ZERO))


def _of_matrices(
    by: Arithmetic, node: Node, xs: Sequence[Array], known: Sign
) -> Array:
    return by.matrices(node, xs, known.psd)


def _of_one(
    by: Arithmetic, node: Node, xs: Sequence[Array], known: Sign
) -> Array:
    one = len(xs) == 1 and len(xs[0].shape) == 2
    demand(one, "eigenvectors are those of one matrix")
    return by.matrices(node, xs, known.psd)


KINDS: dict[str, Callable[[Arithmetic, Node, Sequence[Array], Sign], Array]] = {
    "leaf": _leaf,
    "entries": _entries,
    "reduction": _reduced,
    "running": _running,
    "ordering": _ordered,
    "gather": lambda by, node, xs, _: gather(xs, node, by.const(ZERO)),
    "take": lambda by, node, xs, _: take(xs, node, by.place),
    "product": _multiplied,
    "matrices": _of_matrices,
    "one matrix": _of_one,
}
