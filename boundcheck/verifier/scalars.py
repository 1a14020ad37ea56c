"""Programs entry by entry, over any arithmetic; as scalar code with shared instructions.

Finite laws are sums over their atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from math import comb, factorial, prod
from typing import Any, Protocol

from flint import fmpq

from .arrays import Array, broadcast, cumsum, folded, gather, shape_of, stretch
from .findings import Outcome, Rejection, demand, spend
from .functions import FUNCTIONS, UNARY
from .laws import Draw, Groups, groups
from .matrices import matmul, matrices, transpose
from .numbers import ONE, ZERO, integer, rational, whole
from .operations import entry
from .trials import Operand, beside, follow

MOST_INSTRUCTIONS = 6000
POSITIVE, NONNEGATIVE, UNKNOWN = 2, 1, 0
"""What is known of the sign of a number; of a negative one the opposite."""

INCREASING = {
    "log",
    "sqrt",
    "exp",
    "log1p",
    "expm1",
    "tanh",
    "arctan",
    "erf",
    "sinh",
    "floor",
    "ceil",
}
DEEPEST = 40
FOLDS = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}
MATRICES = (
    "eigvalsh",
    "svdvals",
    "psd_sqrt",
    "psd_pow",
    "psd_log",
    "expm",
    "slogabsdet",
)
"""Functions of a matrix that are what they are by its entries alone."""


class Unproved(Rejection):
    """Nothing is shown of the program: an operation without a rule, too much of it,
    or a number that is none."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Outcome.UNDECIDED, sentence)


class Arithmetic(Protocol):
    """What entries are, and what an operation makes of them."""

    def exactly(self, x: Any) -> fmpq | None: ...
    def const(self, x: fmpq) -> Any: ...
    def input(self, name: str, k: int) -> Any: ...
    def apply(self, op: str, *args: Any) -> Any: ...
    def vanishes(self, x: Any) -> bool: ...
    def matrix(
        self, node: Mapping[str, Any], entries: Sequence[Any], count: int
    ) -> list[Any]: ...


@dataclass
class Evaluated:
    """The entries of nodes; the group of draws whose atoms their first axis is, if any; and what laws demand.

    Each pair of `lawful` is one p <= q without which a law is none: no probability is negative, nor above 1.
    """

    space: Groups
    by: Arithmetic
    arrays: dict[int, Array] = field(default_factory=dict)
    groups: dict[int, int | None] = field(default_factory=dict)
    lawful: list[tuple[Any, Any]] = field(default_factory=list)
    weighted: dict[int, list[Any]] = field(default_factory=dict)

    def varies(self, nodes: Iterable[int]) -> int | None:
        """The group that the varying ones of some nodes belong to. Raises Rejection where there are two."""
        found = {self.groups[j] for j in nodes} - {None}
        demand(len(found) <= 1, "two groups of draws are mixed")
        return next(iter(found), None)

    def pairs(self, args: Sequence[int]) -> list[tuple[Any, Any]]:
        """The entries of two nodes that are compared, each atom by itself; something must be compared."""
        x, y = (self.arrays[j] for j in args)
        shape = broadcast(x.shape, y.shape)
        demand(0 not in shape, "nothing is said of an empty array")
        self.varies(args)
        beside([self._operand(j) for j in args], len(shape))
        return list(zip(stretch(x, shape), stretch(y, shape), strict=True))

    def add(self, k: int, node: Mapping[str, Any]) -> None:
        """Make a node of the earlier ones. Raises Rejection."""
        operands = [self.arrays[j] for j in node["args"]]
        spend(10 + sum(len(x.data) for x in operands))
        if node["op"] == "random":
            demand(not operands, "random takes no operands")
            group, outcomes = self.space.values(
                integer(node["draw"], 0, len(self.space.places) - 1)
            )
            self.arrays[k] = Array(
                outcomes.shape, [self._const(x) for x in outcomes.data]
            )
            self.groups[k] = group
            return
        group = self.varies(node["args"])
        if node["op"] == "mean":
            demand(
                group is not None and len(operands) == 1,
                "the mean of what does not depend on a draw",
            )
            self.arrays[k], self.groups[k] = (
                self._mean(operands[0], self.weights(group or 0)),
                None,
            )
            return
        self.arrays[k], self.groups[k] = _value(node, operands, self.by), group
        if group is not None:
            given, size = (
                [self._operand(j) for j in node["args"]],
                self.space.spaces[group].size,
            )
            follow(entry(node["op"]).kind, dict(node), given, self.arrays[k], size)

    def _operand(self, j: int) -> Operand:
        return Operand(self.arrays[j], self.groups[j] is not None)

    def _const(self, x: object) -> Any:
        if not isinstance(x, fmpq):
            raise Unproved("a value of a law is no exact number")
        return self.by.const(x)

    def _mean(self, x: Array, weights: Sequence[Any]) -> Array:
        """The weighted sum over the atoms."""
        size = prod(x.shape[1:])
        return Array(
            x.shape[1:], [_dot(weights, x.data[e::size], self.by) for e in range(size)]
        )

    def weights(self, group: int) -> list[Any]:
        """The probability of every atom of a group. Raises Rejection."""
        if group not in self.weighted:
            joint = [self.by.const(ONE)]
            for draw in self.space.spaces[group].draws:
                single = self._single(draw)
                for _ in range(draw.copies):
                    spend(2 * len(joint) * len(single))
                    joint = [self.by.apply("mul", w, v) for w in joint for v in single]
            self.weighted[group] = joint
        return self.weighted[group]

    def _single(self, draw: Draw) -> list[Any]:
        """The probability of each outcome of one copy, as NumPy draws them."""
        by, law = self.by, draw.law
        if law["law"] == "finite":
            given = self._parameters(law["weights"])
            demand(
                len(given) == len(draw.outcomes),
                "a finite law needs one weight for each value",
            )
            self._positive(given)
            mass = self._sum(given)
            return [by.apply("div", w, mass) for w in given]
        if law["law"] == "hypergeometric":
            good, bad, sample = (law[key] for key in ("good", "bad", "sample"))
            seen = [whole(k) or 0 for (k,) in draw.outcomes]
            ways = comb(good + bad, sample)
            return [
                by.const(fmpq(comb(good, k) * comb(bad, sample - k), ways))
                for k in seen
            ]
        if law["law"] == "binomial":
            (p,) = self._parameters(law["p"])
            most = len(draw.outcomes) - 1
            parts, counts = (
                [by.apply("sub", by.const(ONE), p), p],
                [(most - k, k) for k in range(most + 1)],
            )
        else:
            given = self._parameters(law["pvals"])
            fits = len(given) == len(draw.outcomes[0])
            demand(fits, "a multinomial law needs one probability for each category")
            parts = [*given[:-1], by.apply("sub", by.const(ONE), self._sum(given[:-1]))]
            counts = [
                tuple(whole(k) or 0 for k in outcome) for outcome in draw.outcomes
            ]
        self._positive(parts)
        return [self._power(parts, count) for count in counts]

    def _parameters(self, given: object) -> list[Any]:
        """Numbers of a law, or the entries of a node that is the same at every atom."""
        if not isinstance(given, dict):
            return [
                self.by.const(rational(x))
                for x in (given if isinstance(given, list) else [given])
            ]
        j: Any = given.get("node")
        made = j in self.arrays and self.groups[j] is None
        demand(made, "a law has parameters that are drawn, or not made before it")
        return list(self.arrays[j].data)

    def _positive(self, parts: Sequence[Any]) -> None:
        self.lawful += [(self.by.const(ZERO), p) for p in parts]

    def _sum(self, parts: Sequence[Any]) -> Any:
        return (
            reduce(partial(self.by.apply, "add"), parts)
            if parts
            else self.by.const(ZERO)
        )

    def _power(self, parts: Sequence[Any], counts: Sequence[int]) -> Any:
        """The probability of some counts of independent outcomes."""
        by, ways = self.by, factorial(sum(counts)) // prod(map(factorial, counts))
        taken = [(p, n) for p, n in zip(parts, counts, strict=True) if n]
        powers = [
            by.apply("pow", p, by.const(fmpq(n))) if n > 1 else p for p, n in taken
        ]
        return reduce(partial(by.apply, "mul"), powers, by.const(fmpq(ways)))


def evaluate(
    program: Sequence[Mapping[str, Any]],
    laws: Any,
    roots: Iterable[int],
    by: Arithmetic,
) -> Evaluated:
    """The nodes that the roots and the laws need, entry by entry. Raises Rejection."""
    found, program = (
        Evaluated(groups(laws), by),
        [_of_square(program, node) for node in program],
    )
    if any(
        draw.multisets is not None
        for space in found.space.spaces
        for draw in space.draws
    ):
        raise Unproved("no proof goes through copies without their order")
    parameters: list[Any] = [
        x.get("node") for law in laws for x in law.values() if isinstance(x, dict)
    ]
    for k in sorted(needed(program, [*roots, *parameters])):
        found.add(k, program[k])
    return found


def _of_square(
    program: Sequence[Mapping[str, Any]], node: Mapping[str, Any]
) -> Mapping[str, Any]:
    """An even power of |x| as that of x."""
    if node["op"] != "pow" or not all(
        type(j) is int and 0 <= j < len(program) for j in node["args"]
    ):
        return node
    base, exponent = (program[j] for j in node["args"])
    if base["op"] != "abs" or exponent["op"] != "const":
        return node
    even = all((rational(k) / 2).q == 1 for k in exponent["data"])
    return {**node, "args": [*base["args"], node["args"][1]]} if even else node


def entries(program: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """The names of the entries of all inputs."""
    return [
        (n["name"], k)
        for n in program
        if n["op"] == "input"
        for k in range(prod(shape_of(n["shape"])))
    ]


def needed(program: Sequence[Mapping[str, Any]], roots: Iterable[int]) -> set[int]:
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


def _value(node: Mapping[str, Any], operands: list[Array], by: Arithmetic) -> Array:
    op = node["op"]
    if op in ("input", "const"):
        shape, data = shape_of(node["shape"]), node["data"]
        demand(
            isinstance(data, list) and len(data) == prod(shape),
            "data does not fit its shape",
        )
        if op == "input":
            return Array(shape, [by.input(node["name"], k) for k in range(len(data))])
        return Array(shape, [by.const(rational(x)) for x in data])
    if op == "gather":
        found = gather(operands, dict(node))
        return Array(
            found.shape, [by.const(ZERO) if x is ZERO else x for x in found.data]
        )
    if op == "take":
        return _taken(operands, by)
    if op in FUNCTIONS:
        demand(len(operands) == (1 if op in UNARY else 2), f"{op} has other operands")
        shape = broadcast(*(x.shape for x in operands))
        entries = zip(*(stretch(x, shape) for x in operands), strict=True)
        return Array(shape, [by.apply(op, *xs) for xs in entries])
    if op in FOLDS:
        return _folded(node, operands[0], by)
    if op == "cumsum":
        return cumsum(operands[0], node, partial(by.apply, "add"))
    if op == "matmul":
        demand(len(operands) == 2, "matmul takes two operands")
        return _product(operands[0], operands[1], by)
    if op in ("solve", "inv", "det"):
        return _eliminated(op, operands, by)
    if op in MATRICES and len(operands) == 1 and len(operands[0].shape) >= 2:
        return _of_matrices(node, operands[0], by)
    raise Unproved(f"no proof goes through the operation {str(op)[:40]}")


def _of_matrices(node: Mapping[str, Any], x: Array, by: Arithmetic) -> Array:
    """A function of each matrix of a batch; of rows, columns and numbers the values are known."""
    op, side, size = node["op"], x.shape[-2:], prod(x.shape[-2:])
    demand(op != "eigvalsh" or len(set(side)) == 1, "eigenvalues take square matrices")
    shape = {"slogabsdet": (), "eigvalsh": side[:1], "svdvals": (min(side),)}.get(
        op, side
    )
    each = [x.data[start : start + size] for start in range(0, len(x.data), size or 1)]
    if op in ("eigvalsh", "svdvals") and 1 in side and size:
        made = [
            [entries[0] if op == "eigvalsh" else _length(entries, by)]
            for entries in each
        ]
    else:
        made = [by.matrix(node, entries, prod(shape)) for entries in each]
    return Array(
        (*x.shape[:-2], *shape), [entry for entries in made for entry in entries]
    )


def _length(x: Sequence[Any], by: Arithmetic) -> Any:
    """The norm of a vector, which is the singular value of a row or a column."""
    return by.apply("abs", x[0]) if len(x) == 1 else by.apply("sqrt", _dot(x, x, by))


def _taken(operands: list[Array], by: Arithmetic) -> Array:
    """Rows of a table by numbers that are known exactly."""
    table, index = operands
    demand(len(table.shape) > 0, "rows of a number")
    known = [by.exactly(k) for k in index.data]
    if any(k is None or k.q != 1 or not 0 <= k < table.shape[0] for k in known):
        raise Unproved("an index of a table is not known")
    size = prod(table.shape[1:])
    spend(len(known) * (1 + 0.1 * size))
    rows: Any = [int(k.p) * size for k in known if k is not None]
    return Array(
        (*index.shape, *table.shape[1:]),
        [x for r in rows for x in table.data[r : r + size]],
    )


def _folded(node: Mapping[str, Any], x: Array, by: Arithmetic) -> Array:
    op = FOLDS[node["op"]]
    nothing = by.const(ONE if op == "mul" else ZERO)
    return folded(
        x, node, lambda line: reduce(partial(by.apply, op), line) if line else nothing
    )


def _product(x: Array, y: Array, by: Arithmetic) -> Array:
    demand(x.shape[-1:] != (0,), "matmul of shapes that do not fit")
    return matmul(
        x,
        y,
        lambda A, B: [[_dot(row, column, by) for column in transpose(B)] for row in A],
    )


def _dot(x: Sequence[Any], y: Sequence[Any], by: Arithmetic) -> Any:
    spend(len(x))
    total = by.apply("mul", x[0], y[0])
    for p, q in zip(x[1:], y[1:], strict=True):
        total = by.apply("add", total, by.apply("mul", p, q))
    return total


def _eliminated(op: str, operands: list[Array], by: Arithmetic) -> Array:
    """Gauss and Jordan; a pivot is any entry that is not known to vanish,
    and the quotient by it says whether it does."""
    a = operands[0]
    rows, n = a.shape[-2:] if len(a.shape) >= 2 else (0, 0)
    demand(rows == n > 0, "elimination takes square matrices")
    unit: Any = [by.const(fmpq(i == j)) for i in range(n) for j in range(n)]
    right = operands[1] if op == "solve" else Array((n, n), unit)
    height, width = right.shape[-2:] if len(right.shape) >= 2 else (0, 0)
    demand(height == n, "elimination takes a right side that fits")
    lead = broadcast(a.shape[:-2], right.shape[:-2] if op == "solve" else ())
    found = [
        _gauss(A, B, by)
        for A, B in zip(matrices(a, lead), matrices(right, lead), strict=True)
    ]
    if op == "det":
        return Array(lead, [det for det, _ in found])
    if not all(solved for _, solved in found):
        raise Unproved("a matrix that is to be inverted is singular")
    return Array(
        (*lead, n, width), [x for _, solved in found for r in solved for x in r]
    )


def _gauss(
    a: list[list[Any]], b: list[list[Any]], by: Arithmetic
) -> tuple[Any, list[list[Any]]]:
    """The determinant, and the solution; none where the matrix is singular."""
    n, det = len(a), by.const(ONE)
    spend(n**3)
    for c in range(n):
        p = next((i for i in range(c, n) if not by.vanishes(a[i][c])), None)
        if p is None:
            return by.const(ZERO), []
        if p != c:
            a[c], a[p] = a[p], a[c]
            b[c], b[p] = b[p], b[c]
            det = by.apply("neg", det)
        pivot = a[c][c]
        det = by.apply("mul", det, pivot)
        a[c], b[c] = ([by.apply("div", x, pivot) for x in row] for row in (a[c], b[c]))
        for i in range(n):
            factor = a[i][c]
            if i != c and not by.vanishes(factor):
                a[i], b[i] = (
                    [
                        by.apply("sub", x, by.apply("mul", factor, y))
                        for x, y in zip(own, with_[c], strict=True)
                    ]
                    for own, with_ in ((a[i], a), (b[i], b))
                )
    return det, b


# scalar code


@dataclass
class Code:
    """Straight-line code of scalars: `ops[k]` is an operation and its operands;
    rationals are folded, equal instructions shared.

    `names` are those of the free inputs, in the order of their coordinates; of an array each entry has one.
    """

    names: Sequence[Any]
    ops: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    exact: dict[int, fmpq] = field(default_factory=dict)
    seen: dict[Any, int] = field(default_factory=dict)

    def const(self, x: fmpq) -> int:
        k = self._add(("const", (int(x.p), int(x.q))))
        self.exact[k] = x
        return k

    def input(self, name: str, k: int) -> int:
        key = (name, k) if (name, k) in self.names else name
        demand(
            key in self.names and (k == 0 or key != name),
            f"the input {str(name)[:40]} is not in the set",
        )
        return self._add(("input", (self.names.index(key),)))

    def exactly(self, x: int) -> fmpq | None:
        return self.exact.get(x)

    def vanishes(self, x: int) -> bool:
        return self.exact.get(x) == 0

    def matrix(
        self, node: Mapping[str, Any], entries: Sequence[int], count: int
    ) -> list[int]:
        raise Unproved(f"no enclosure goes through the operation {node['op']}")

    def _add(self, instruction: tuple[str, tuple[int, ...]]) -> int:
        if instruction not in self.seen:
            if len(self.ops) >= MOST_INSTRUCTIONS:
                raise Unproved(
                    f"the program has more than {MOST_INSTRUCTIONS} instructions"
                )
            self.seen[instruction] = len(self.ops)
            self.ops.append(instruction)
        return self.seen[instruction]

    def apply(self, op: str, *args: int) -> int:
        given = [self.exact.get(a) for a in args]
        if None not in given:
            value = FUNCTIONS[op].value(*given)
            if isinstance(value, fmpq):
                return self.const(value)
        if op in ("add", "mul"):
            args = tuple(sorted(args))
            given = [self.exact.get(a) for a in args]
        unit = {"add": 0, "sub": 0, "mul": 1, "div": 1, "pow": 1}.get(op)
        if unit is not None and given[1] is not None and given[1] == unit:
            return args[0]
        if op in ("add", "mul") and given[0] is not None and given[0] == unit:
            return args[1]
        if op == "neg" and self.ops[args[0]][0] == "neg":
            return self.ops[args[0]][1][0]
        if op == "mul" and args[0] == args[1]:
            return self._add(("pow", (args[0], self.const(fmpq(2)))))
        return self._add((op, args))

    def alike(
        self, l: int, r: int, sign: Callable[[int], int], depth: int = 0
    ) -> list[tuple[int, int]]:
        """Pairs p <= q that imply l <= r where both are built alike by monotone operations."""
        if l == r:
            return []
        (op, a), (other, b) = self.ops[l], self.ops[r]
        if op != other or op in ("const", "input") or depth > DEEPEST:
            return [(l, r)]

        def both(*pairs: tuple[int, int]) -> list[tuple[int, int]]:
            return [x for p, q in pairs for x in self.alike(p, q, sign, depth + 1)]

        if op in INCREASING:
            return both((a[0], b[0]))
        if op == "neg":
            return both((b[0], a[0]))
        if op in ("add", "mul", "maximum", "minimum"):
            if self._is_crossed(a, b):
                b = (b[1], b[0])
            shared = {p for p, q in zip(a, b, strict=True) if p == q}
            needed = shared if op == "mul" and shared else (*a, *b)
            if op == "mul" and not all(sign(k) >= NONNEGATIVE for k in needed):
                return [(l, r)]
            return both((a[0], b[0]), (a[1], b[1]))
        if op == "sub":
            return both((a[0], b[0]), (b[1], a[1]))
        if (
            op == "div"
            and sign(a[0]) >= NONNEGATIVE <= sign(b[0])
            and sign(a[1]) == POSITIVE == sign(b[1])
        ):
            return both((a[0], b[0]), (b[1], a[1]))
        if op == "pow" and a[1] == b[1] and min(sign(a[0]), sign(b[0])) == POSITIVE:
            exponent = sign(a[1])
            if exponent >= NONNEGATIVE:
                return both((a[0], b[0]))
            if exponent <= -NONNEGATIVE:
                return both((b[0], a[0]))
        return [(l, r)]

    def _is_crossed(self, a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        """Whether the first of a pair looks like the second of another, or the second like the first."""
        if a[0] == b[0] or a[1] == b[1]:
            return False
        if a[0] == b[1] or a[1] == b[0]:
            return True
        p, q, r, s = (self.ops[k][0] for k in (*a, *b))
        return p != r and q != s and (p == s or q == r)

    def inputs(self, roots: Iterable[int]) -> set[int]:
        """The coordinates that some instructions depend on."""
        return {
            self.ops[k][1][0] for k in self.behind(roots) if self.ops[k][0] == "input"
        }

    def behind(self, roots: Iterable[int]) -> set[int]:
        """The instructions that some are made of, themselves included."""
        found: set[int] = set()
        stack = list(roots)
        while stack:
            k = stack.pop()
            if k not in found:
                found.add(k)
                if self.ops[k][0] not in ("const", "input"):
                    stack.extend(self.ops[k][1])
        return found
