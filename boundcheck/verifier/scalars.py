"""Programs as scalar code with shared instructions: each entry of a node is an instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, ClassVar

from flint import fmpq

from .arrays import shape_of
from .findings import Unproved, demand
from .functions import FUNCTIONS
from .laws import groups
from .limits import DEEPEST, MOST_INSTRUCTIONS, WRITING
from .numbers import rational
from .operations import Arithmetic
from .program import Tape, run

POSITIVE, NONNEGATIVE, UNKNOWN = 2, 1, 0
"""What is known of the sign of a number; of a negative one the opposite."""


def evaluate(
    program: Sequence[Mapping[str, Any]],
    laws: Any,
    roots: Iterable[int],
    by: Arithmetic,
) -> Tape:
    """The nodes that the roots and the laws need, in some arithmetic. Raises Rejection."""
    space = groups(laws)
    draws = [draw for one in space.spaces for draw in one.draws]
    if any(draw.multisets is not None for draw in draws):
        raise Unproved("no proof goes through copies without their order")
    given = [x for law in laws for x in law.values() if isinstance(x, dict)]
    parameters: list[Any] = [x.get("node") for x in given]
    nodes = [_of_square(program, node) for node in program]
    return run(nodes, space, by, [*roots, *parameters])


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


@dataclass
class Code(Arithmetic):
    """Straight-line code of scalars: `ops[k]` is an operation and its operands;
    rationals are folded, equal instructions shared.

    `names` are those of the free inputs, in the order of their coordinates; of an array each entry has one.
    """

    price: ClassVar[float] = WRITING
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
        # a + b and b + a are one instruction: equal sides then are one number, whatever balls say.
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
        # A square is known not to be negative; a product of two equal balls is not.
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
            return [
                x for p, q in pairs for x in self.alike(p, q, sign, depth + 1)
            ]

        if FUNCTIONS[op].increases:
            return both((a[0], b[0]))
        if op == "neg":
            return both((b[0], a[0]))
        # a b <= c d follows from a <= c and b <= d where a and d, or b and c, or what is common, are not negative: by a d or
        # b c between them; of sums and extremes from the pairs alone.
        if op in ("add", "mul", "maximum", "minimum"):
            if self._is_crossed(a, b):
                b = (b[1], b[0])
            shared = {p for p, q in zip(a, b, strict=True) if p == q}
            needed = [shared] if shared else [{a[0], b[1]}, {a[1], b[0]}]
            if op == "mul" and not any(
                all(sign(k) >= NONNEGATIVE for k in either) for either in needed
            ):
                return [(l, r)]
            return both((a[0], b[0]), (a[1], b[1]))
        # a - b <= c - d from a <= c and d <= b.
        if op == "sub":
            return both((a[0], b[0]), (b[1], a[1]))
        if (
            op == "div"
            and sign(a[0]) >= NONNEGATIVE <= sign(b[0])
            and sign(a[1]) == POSITIVE == sign(b[1])
        ):
            return both((a[0], b[0]), (b[1], a[1]))
        if (
            op == "pow"
            and a[1] == b[1]
            and min(sign(a[0]), sign(b[0])) == POSITIVE
        ):
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

    def values(
        self,
        roots: Iterable[int],
        inputs: Callable[[int], Any],
        by: Arithmetic,
        known: Mapping[int, Any] | None = None,
    ) -> dict[int, Any]:
        """What instructions are in another arithmetic, where the inputs are so; what is known of them is not made again."""
        found = dict(known or {})
        for k in sorted(self.behind(roots) - found.keys()):
            op, args = self.ops[k]
            if op == "const":
                found[k] = by.const(self.exact[k])
            elif op == "input":
                found[k] = inputs(args[0])
            else:
                found[k] = by.apply(op, *(found[a] for a in args))
        return found

    def inputs(self, roots: Iterable[int]) -> set[int]:
        """The coordinates that some instructions depend on."""
        return {
            self.ops[k][1][0]
            for k in self.behind(roots)
            if self.ops[k][0] == "input"
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
