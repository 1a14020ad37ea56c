"""Programs entry by entry, over any arithmetic: as scalar code with shared instructions,
or as residues modulo a prime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from secrets import SystemRandom
from typing import Any, Protocol

from flint import fmpq, fmpz

from .arrays import Array, axis_of, broadcast, gather, positions, shape_of, stretch, strides
from .findings import Outcome, Rejection, demand
from .functions import BINARY, FUNCTIONS, UNARY
from .numbers import ONE, ZERO, common, rational
from .work import spend

MOST_INSTRUCTIONS = 6000
MOST_EXPONENT = 10_000
MOST_ROOTS = 6
FOLDS = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}
MATRICES = ("eigvalsh", "svdvals", "psd_sqrt", "psd_pow", "psd_log", "expm", "slogabsdet")
"""Functions of a matrix that are what they are by its entries alone."""


class Unproved(Rejection):
    """Nothing is shown of the program: an operation without a rule, too much of it,
    or a number that is none."""

    def __init__(self, sentence: str) -> None:
        super().__init__(Outcome.UNDECIDED, sentence)


class Arithmetic(Protocol):
    """What entries are, and what an operation makes of them."""

    def const(self, x: fmpq) -> Any: ...
    def input(self, name: str, k: int) -> Any: ...
    def apply(self, op: str, *args: Any) -> Any: ...
    def vanishes(self, x: Any) -> bool: ...
    def matrix(self, node: Mapping[str, Any], entries: Sequence[Any], count: int) -> list[Any]: ...


def evaluate(program: Sequence[Mapping[str, Any]], roots: Iterable[int], by: Arithmetic) -> dict[int, Any]:
    """The nodes that the roots need, entry by entry. Raises Rejection."""
    values: dict[int, Array] = {}
    for k in sorted(needed(program, roots)):
        node = program[k]
        operands = [values[j] for j in node["args"]]
        spend(10 + sum(len(x.data) for x in operands))
        values[k] = _value(node, operands, by)
    return values


def needed(program: Sequence[Mapping[str, Any]], roots: Iterable[int]) -> set[int]:
    """The nodes that some roots are made of. Raises Rejection where a node names itself or a later one."""
    found: set[int] = set()
    stack = [(root, len(program)) for root in roots]
    while stack:
        k, above = stack.pop()
        demand(type(k) is int and 0 <= k < above, "a node names none of the earlier ones")
        if k not in found:
            found.add(k)
            demand(isinstance(program[k].get("args"), list), '"args" is a list of nodes')
            stack.extend((j, k) for j in program[k]["args"])
    return found


def _value(node: Mapping[str, Any], operands: list[Array], by: Arithmetic) -> Array:
    op = node["op"]
    if op in ("input", "const"):
        shape = shape_of(node["shape"])
        demand(
            isinstance(node["data"], list) and len(node["data"]) == prod(shape), "data does not fit its shape"
        )
        if op == "input":
            return Array(shape, [by.input(node["name"], k) for k in range(prod(shape))])
        return Array(shape, [by.const(rational(x)) for x in node["data"]])
    if op == "gather":
        found = gather(operands, dict(node))
        return Array(found.shape, [by.const(ZERO) if x is ZERO else x for x in found.data])
    if op in FUNCTIONS:
        demand(len(operands) == (1 if op in UNARY else 2), f"{op} has other operands")
        shape = broadcast(*(x.shape for x in operands))
        return Array(
            shape, [by.apply(op, *xs) for xs in zip(*(stretch(x, shape) for x in operands), strict=True)]
        )
    if op in FOLDS:
        return _folded(node, operands[0], by)
    if op == "cumsum":
        return _running(node, operands[0], by)
    if op == "matmul":
        demand(len(operands) == 2, "matmul takes two operands")
        return _product(operands[0], operands[1], by)
    if op in ("solve", "inv", "det"):
        return _eliminated(op, operands, by)
    if op in MATRICES and len(operands) == 1 and len(operands[0].shape) == 2:
        shape = _of_matrix(op, operands[0].shape)
        return Array(shape, by.matrix(node, operands[0].data, prod(shape)))
    raise Unproved(f"no proof goes through the operation {str(op)[:40]}")


def _of_matrix(op: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    return {"slogabsdet": (), "eigvalsh": shape[:1], "svdvals": (min(shape),)}.get(op, shape)


def _folded(node: Mapping[str, Any], x: Array, by: Arithmetic) -> Array:
    axes = [axis_of(axis, x.shape) for axis in node["axes"]]
    demand(len(set(axes)) == len(axes) and type(node.get("keepdims", False)) is bool, "malformed axes")
    kept, steps = [a for a in range(len(x.shape)) if a not in axes], strides(x.shape)
    inner = positions([x.shape[a] for a in axes], [steps[a] for a in axes])
    outer = positions([x.shape[a] for a in kept], [steps[a] for a in kept])
    demand(bool(inner) or node["op"] in ("sum", "prod"), "largest entry of an empty array")

    def fold(start: int) -> Any:
        if not inner:
            return by.const(ONE if node["op"] == "prod" else ZERO)
        total = x.data[start + inner[0]]
        for offset in inner[1:]:
            total = by.apply(FOLDS[node["op"]], total, x.data[start + offset])
        return total

    keep = node.get("keepdims", False)
    shape = tuple(1 if a in axes else n for a, n in enumerate(x.shape) if keep or a not in axes)
    return Array(shape, [fold(start) for start in outer])


def _running(node: Mapping[str, Any], x: Array, by: Arithmetic) -> Array:
    axis, steps = axis_of(node["axis"], x.shape), strides(x.shape)
    data: list[Any] = list(x.data)
    rest = [a for a in range(len(x.shape)) if a != axis]
    for start in positions([x.shape[a] for a in rest], [steps[a] for a in rest]):
        for k in range(1, x.shape[axis]):
            here = start + k * steps[axis]
            data[here] = by.apply("add", data[here - steps[axis]], data[here])
    return Array(x.shape, data)


def _batch(x: Array, lead: tuple[int, ...]) -> list[list[list[Any]]]:
    rows, columns = x.shape[-2:]
    data, size = stretch(x, (*lead, rows, columns)), rows * columns
    return [
        [list(data[s + r * columns : s + (r + 1) * columns]) for r in range(rows)]
        for s in range(0, size * prod(lead), size)
    ]


def _product(x: Array, y: Array, by: Arithmetic) -> Array:
    demand(min(len(x.shape), len(y.shape)) >= 1, "matmul of a scalar")
    row, column = len(x.shape) == 1, len(y.shape) == 1
    a = Array((1, *x.shape), x.data) if row else x
    b = Array((*y.shape, 1), y.data) if column else y
    demand(a.shape[-1] == b.shape[-2] > 0, "matmul of shapes that do not fit")
    lead = broadcast(a.shape[:-2], b.shape[:-2])
    data: list[Any] = []
    for A, B in zip(_batch(a, lead), _batch(b, lead), strict=True):
        data += [_dot(r, [q[j] for q in B], by) for r in A for j in range(b.shape[-1])]
    return Array(lead + a.shape[-2:-1] * (not row) + b.shape[-1:] * (not column), data)


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
    found = [_gauss(A, B, by) for A, B in zip(_batch(a, lead), _batch(right, lead), strict=True)]
    if op == "det":
        return Array(lead, [det for det, _ in found])
    if not all(solved for _, solved in found):
        raise Unproved("a matrix that is to be inverted is singular")
    return Array((*lead, n, width), [x for _, solved in found for r in solved for x in r])


def _gauss(a: list[list[Any]], b: list[list[Any]], by: Arithmetic) -> tuple[Any, list[list[Any]]]:
    """The determinant, and the solution; none where the matrix is singular."""
    n, det = len(a), by.const(ONE)
    spend(n**3)
    for c in range(n):
        p = next((i for i in range(c, n) if not by.vanishes(a[i][c])), None)
        if p is None:
            return by.const(ZERO), []
        if p != c:
            a[c], a[p], b[c], b[p], det = a[p], a[c], b[p], b[c], by.apply("neg", det)
        pivot = a[c][c]
        det = by.apply("mul", det, pivot)
        a[c], b[c] = ([by.apply("div", x, pivot) for x in row] for row in (a[c], b[c]))
        for i in range(n):
            factor = a[i][c]
            if i != c and not by.vanishes(factor):
                a[i], b[i] = ([by.apply("sub", x, by.apply("mul", factor, y)) for x, y in zip(own, with_[c], strict=True)]
                              for own, with_ in ((a[i], a), (b[i], b)))  # fmt: skip
    return det, b


# scalar code


@dataclass
class Code:
    """Straight-line code of scalars: `ops[k]` is an operation and its operands;
    rationals are folded, equal instructions shared.

    `names` are those of the inputs that are free, in the order of their coordinates.
    """

    names: Sequence[str]
    ops: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    exact: dict[int, fmpq] = field(default_factory=dict)
    seen: dict[Any, int] = field(default_factory=dict)

    def const(self, x: fmpq) -> int:
        k = self._add(("const", (int(x.p), int(x.q))))
        self.exact[k] = x
        return k

    def input(self, name: str, k: int) -> int:
        demand(name in self.names and k == 0, f"the input {str(name)[:40]} is not in the set")
        return self._add(("input", (self.names.index(name),)))

    def vanishes(self, x: int) -> bool:
        return self.exact.get(x) == 0

    def matrix(self, node: Mapping[str, Any], entries: Sequence[int], count: int) -> list[int]:
        raise Unproved(f"no enclosure goes through the operation {node['op']}")

    def _add(self, instruction: tuple[str, tuple[int, ...]]) -> int:
        if instruction not in self.seen:
            if len(self.ops) >= MOST_INSTRUCTIONS:
                raise Unproved(f"the program has more than {MOST_INSTRUCTIONS} instructions")
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

    def inputs(self, roots: Iterable[int]) -> set[int]:
        """The coordinates that some instructions depend on."""
        return {self.ops[k][1][0] for k in self.behind(roots) if self.ops[k][0] == "input"}

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


# residues


@dataclass(frozen=True)
class Residue:
    """A rational function at one point modulo a prime.

    Over the integers its numerator and denominator have degree and binary length (of all coefficients
    together) at most `weight`.
    """

    value: int
    weight: int
    exact: fmpq | None = None


RESIDUE, QUOTIENT = 6, 40
"""Units of work of an operation modulo a prime."""


class NoRoot(Exception):
    """A number has no square root modulo the prime: another point is needed."""


@dataclass
class Point:
    """A point with random coordinates modulo a random prime; functions that are not algebraic take a
    random value at each argument.

    Square roots and absolute values take one of their two values: bit k of `signs` says which one the k-th
    takes. What vanishes for all signs vanishes whichever is the right one.
    """

    prime: int
    random: SystemRandom
    signs: int = 0
    inputs: dict[Any, Residue] = field(default_factory=dict)
    called: dict[Any, Any] = field(default_factory=dict)
    roots: dict[int, int] = field(default_factory=dict)
    """The number of each square root that is taken, by what it is of."""
    heaviest: int = 1
    """The largest weight of what was divided by, or used to tell arguments apart."""

    @classmethod
    def drawn(cls) -> Point:
        """A point modulo a random prime that is 3 modulo 4."""
        random = SystemRandom()
        while not fmpz(prime := random.randrange(2**127, 2**128) | 3).is_probable_prime():
            pass
        return cls(prime, random)

    def turned(self, signs: int) -> Point:
        """The same point with other signs of the roots."""
        return Point(self.prime, self.random, signs, self.inputs, self.called, {}, self.heaviest)

    def _signed(self, square: int, root: int) -> int:
        """One of the two roots of a square."""
        k = self.roots.setdefault(square, len(self.roots))
        if k >= MOST_ROOTS:
            raise Unproved(f"there are more than {MOST_ROOTS} roots")
        root = min(root, self.prime - root)
        return -root % self.prime if self.signs >> k & 1 else root

    def _root(self, x: Residue) -> Residue:
        root = pow(x.value, (self.prime + 1) // 4, self.prime)
        if root * root % self.prime != x.value:
            raise NoRoot
        self.heaviest = max(self.heaviest, x.weight)
        return Residue(self._signed(x.value, root), x.weight + 2)

    def const(self, x: fmpq) -> Residue:
        return Residue(self._quotient(int(x.p), int(x.q)), common([x]) + abs(x.p).bit_length() + 1, x)

    def input(self, name: str, k: int) -> Residue:
        return self.inputs.setdefault((name, k), Residue(self.random.randrange(self.prime), 2))

    def vanishes(self, x: Residue) -> bool:
        self.heaviest += x.weight
        return x.value == 0

    def matrix(self, node: Mapping[str, Any], entries: Sequence[Residue], count: int) -> list[Residue]:
        fixed = repr(sorted((key, value) for key, value in node.items() if key not in ("args", "op")))
        return [
            self._called((node["op"], fixed, k, *(x.value for x in entries)), entries) for k in range(count)
        ]

    def _called(self, key: Any, args: Sequence[Residue]) -> Residue:
        self.heaviest = max(self.heaviest, 2 * max((x.weight for x in args), default=1) + 1)
        if key not in self.called:
            self.called[key] = Residue(self.random.randrange(self.prime), 2)
        return self.called[key]

    def _power(self, x: Residue, half: fmpq) -> Residue:
        return self.apply("pow", self._root(x), self.const(half * 2))

    def _quotient(self, p: int, q: int) -> int:
        if q % self.prime == 0:
            raise Unproved("a denominator vanishes identically")
        return p * pow(q, -1, self.prime) % self.prime

    def apply(self, op: str, *args: Residue) -> Residue:
        spend(RESIDUE if op in ("neg", "add", "sub", "mul") else QUOTIENT)
        x, y = args[0], args[-1]
        if op == "neg":
            return Residue(-x.value % self.prime, x.weight)
        if op in ("add", "sub", "mul"):
            value = (
                x.value * y.value if op == "mul" else x.value + y.value if op == "add" else x.value - y.value
            )
            return Residue(value % self.prime, x.weight + y.weight + 1)
        if op == "div":
            self.heaviest = max(self.heaviest, y.weight)
            return Residue(self._quotient(x.value, y.value), x.weight + y.weight + 1)
        if op == "pow" and y.exact is not None and y.exact.q == 1 and abs(y.exact.p) <= MOST_EXPONENT:
            k = int(y.exact.p)
            power = pow(x.value, abs(k), self.prime)
            self.heaviest = max(self.heaviest, x.weight)
            return Residue(power if k >= 0 else self._quotient(1, power), (x.weight + 1) * max(abs(k), 1))
        half = op == "pow" and y.exact is not None and y.exact.q == 2 and abs(y.exact.p) <= MOST_EXPONENT
        if op == "sqrt" or half:
            return self._root(x) if y.exact is None or op == "sqrt" else self._power(x, y.exact)
        if op == "abs":
            return Residue(self._signed(x.value * x.value % self.prime, x.value), 2 * x.weight + 2)
        if op in ("maximum", "minimum"):
            apart = self.apply("abs", self.apply("sub", x, y))
            both = self.apply("add" if op == "maximum" else "sub", self.apply("add", x, y), apart)
            return self.apply("div", both, self.const(fmpq(2)))
        demand(op in UNARY or op in BINARY, "no function")
        return self._called((op, *(z.value for z in args)), args)


__all__ = ["Arithmetic", "Code", "NoRoot", "Point", "Residue", "Unproved", "evaluate", "needed"]
