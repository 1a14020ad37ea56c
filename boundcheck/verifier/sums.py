"""Sums over i = 1..n of a formula in i, shown for all n of a run at once.

A text that counts up to n has another program for each n. Here they are one, in which a sum is an instruction; that
it is the text's program at a number is compared exactly, instruction by instruction. Of a sum only its sign is used,
and that it is at most the sum of larger terms, of which an integral or another sum is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq

from .boxes import KINDS, Route
from .findings import Unproved, demand
from .forms import shows
from .functions import BINARY, FUNCTIONS
from .limits import MOST_NODES
from .numbers import ONE, ZERO, rational
from .rings import ABOVE, REAL, UP, Kind
from .scalars import NONNEGATIVE, POSITIVE, UNKNOWN, Code

Node = Mapping[str, Any]
Instruction = int
Total = Callable[["Written", int], Any]

KEYS = {"way", "program", "args", "given", "bounds"}
INDEX = "the index"
LEAVES = {"const": {"value"}, "input": {"name"}, "index": set()}
MOST_BOUNDS = 20


@dataclass(frozen=True)
class Program:
    """Nodes in the order in which they are made.

    A `sum` has two operands: its term, in which `index` is i, and what is there before the first term.
    """

    nodes: Sequence[Node]

    @classmethod
    def of(cls, given: Any) -> Program:
        """Raises Rejection."""
        told = isinstance(given, list) and len(given) <= MOST_NODES
        demand(told, "malformed program of sums")
        for k, node in enumerate(given):
            told = isinstance(node, dict) and type(node.get("op")) is str
            demand(told, "malformed node")
            _require_node(node, k)
        found = cls(given)
        outside = {node["args"][1] for node in given if node["op"] == "sum"}
        demand(not found.open & outside, "an index is used outside of its sum")
        return found

    @cached_property
    def open(self) -> set[int]:
        """The nodes that depend on the index; a sum does not."""
        found: set[int] = set()
        for k, node in enumerate(self.nodes):
            inside = node["op"] != "sum" and found & {*node.get("args", [])}
            if node["op"] == "index" or inside:
                found.add(k)
        return found

    @property
    def sums(self) -> list[int]:
        return [k for k, node in enumerate(self.nodes) if node["op"] == "sum"]

    @cached_property
    def cones(self) -> dict[int, list[int]]:
        """For each sum the nodes with the index that its term is made of, in order."""
        return {k: self._behind(self.nodes[k]["args"][0]) for k in self.sums}

    def _behind(self, k: int) -> list[int]:
        found: set[int] = set()
        stack = [k]
        while stack:
            j = stack.pop()
            if j in self.open and j not in found:
                found.add(j)
                stack += self.nodes[j].get("args", [])
        return sorted(found)


def _require_node(node: Node, k: int) -> None:
    """Node k is well formed, of earlier ones. Raises Rejection."""
    op = node["op"]
    demand(
        op in LEAVES or op == "sum" or op in FUNCTIONS, f"unknown {op[:40]!r}"
    )
    demand(node.keys() == {"op", *LEAVES.get(op, {"args"})}, "malformed node")
    args = node.get("args", [])
    count = 0 if op in LEAVES else 2 if op == "sum" or op in BINARY else 1
    demand(isinstance(args, list) and len(args) == count, "malformed operands")
    earlier = all(type(j) is int and 0 <= j < k for j in args)
    demand(earlier, "malformed operands")


class Written:
    """A program as instructions of some code, or in other arithmetic, where it is said what inputs and sums are."""

    def __init__(
        self,
        program: Program,
        code: Any,
        inputs: Callable[[str], Any],
        total: Total,
    ):
        self.program, self.code = program, code
        self.made: dict[int, Any] = {}
        for k, node in enumerate(program.nodes):
            if node["op"] == "input":
                self.made[k] = inputs(node["name"])
            elif node["op"] == "sum":
                self.made[k] = total(self, k)
            elif k not in program.open:
                self.made[k] = self._made(node, self.made)

    def _made(self, node: Node, made: Mapping[int, Any]) -> Any:
        if node["op"] == "const":
            return self.code.const(rational(node["value"]))
        return self.code.apply(node["op"], *(made[j] for j in node["args"]))

    def start(self, k: int) -> Any:
        """What is there before the first term of a sum."""
        return self.made[self.program.nodes[k]["args"][1]]

    def term(self, k: int, index: Any) -> Any:
        """The term of a sum at an index."""
        term, made = self.program.nodes[k]["args"][0], dict(self.made)
        for j in self.program.cones[k]:
            node = self.program.nodes[j]
            made[j] = index if node["op"] == "index" else self._made(node, made)
        return made[term]


# that it is the program of a text


def require_at(
    route: Mapping[str, Any],
    proof: Mapping[str, Any],
    names: Sequence[str],
    counted: str,
    n: int,
) -> None:
    """At a number n the program of a path is that with sums, turns nowhere, and assumes what is used.

    `names` are the real parameters, `counted` that of n. Raises Rejection.
    """
    demand(route["laws"] == [], "no sum goes through a draw")
    code = Code(names)
    own = Route(route, names, code)

    def inputs(name: str) -> Instruction:
        return code.const(fmpq(n)) if name == counted else code.input(name, 0)

    def total(written: Written, k: int) -> Instruction:
        found = written.start(k)
        for i in range(1, n + 1):
            found = code.apply(
                "add", found, written.term(k, code.const(fmpq(i)))
            )
        return found

    made = Written(Program.of(proof["program"]), code, inputs, total).made
    sides = [(side.left, side.right) for side in own.sides]
    demand(
        sides == [tuple(made[k] for k in proof["args"])], "its sides are others"
    )
    demand(not own.turns, "the path turns")
    assumed = {
        (c.relation, pair)
        for c in own.conditions
        if c.assumed
        for pair in c.entries
    }
    for relation, p, q in proof["given"]:
        pair = made[p], made[q]
        known = (relation, pair) in assumed or own.is_sure(relation, pair)
        demand(known, "it assumes what the text does not")


# that it is true


def by_sums(
    proof: Mapping[str, Any], kind: str, counted: str, *sets: Mapping[str, Kind]
) -> None:
    """Normal forms show the sides on one of some sets, of all inputs, that hold all instances. Raises Rejection.

    The sums run from 1 to the input `counted`, of which all numbers are at least 1.
    """
    require_form(proof)
    demand(kind in KINDS, "the conclusion is none about numbers")
    for kinds in sets[:-1]:
        with suppress(Unproved):
            return Facts(proof, counted, kinds).require(KINDS[kind])
    return Facts(proof, counted, sets[-1]).require(KINDS[kind])


def require_form(proof: Mapping[str, Any]) -> None:
    """Raises Rejection."""
    demand(proof.keys() == KEYS, "malformed proof")
    program = Program.of(proof["program"])
    closed = {*range(len(program.nodes))} - program.open
    given, bounds = proof["given"], proof["bounds"]
    told = isinstance(given, list) and isinstance(bounds, list)
    demand(told and len(bounds) <= MOST_BOUNDS, "malformed proof")
    demand(isinstance(proof["args"], list), "malformed proof")
    for entry in [["", *proof["args"]], *given]:
        told = (
            isinstance(entry, list)
            and len(entry) == 3
            and type(entry[0]) is str
        )
        demand(
            told and all(type(k) is int for k in entry[1:]), "malformed pair"
        )
        demand({*entry[1:]} <= closed, "an index is used outside of its sum")
    for entry in bounds:
        told = (
            isinstance(entry, list)
            and len(entry) == 3
            and type(entry[0]) is str
        )
        demand(told and entry[0] in ROWS, "malformed bound")
        own = type(entry[1]) is int and entry[1] in program.sums
        demand(own, "a bound is none of a sum")


class Facts:
    """What is known of the sums of a program on a set: their signs, and what they are at most."""

    def __init__(
        self, proof: Mapping[str, Any], counted: str, kinds: Mapping[str, Kind]
    ):
        self.proof, self.program = proof, Program.of(proof["program"])
        self.sums = self.program.sums
        names = [*kinds, INDEX, *map(_named, self.sums)]
        self.code, self.counted = Code(names), counted
        low = kinds[counted].low
        demand(low is not None and low >= 1, "a sum has a term")
        unknown = [REAL] * len(self.sums)
        self.intervals: list[Kind] = [*kinds.values(), Kind(ONE), *unknown]
        self.index = self.code.input(INDEX, 0)
        self.given: list[tuple[Instruction, Instruction]] = []
        self.most: dict[Instruction, list[Instruction]] = {}
        self.kinds = kinds
        self.written = Written(
            self.program, self.code, self._input, self._total
        )
        made = self.written.made
        self.given += [
            (made[p], made[q])
            for r, p, q in proof["given"]
            if r in ("le", "lt")
        ]

    def _input(self, name: str) -> Instruction:
        demand(name in self.kinds, "an input is not in the set")
        return self.code.input(name, 0)

    def _total(self, written: Written, k: int) -> Instruction:
        """What is there before it, and a variable for all terms together, of the sign that all terms have."""
        term, zero = written.term(k, self.index), self.code.const(ZERO)
        self._require_defined(term)
        own = self.code.input(_named(k), 0)
        signs = (("lt", ABOVE), ("le", UP))
        known = (
            kind for relation, kind in signs if self.holds(relation, zero, term)
        )
        place = self.code.names.index(_named(k))
        self.intervals[place] = next(known, REAL)
        return self.code.apply("add", written.start(k), own)

    def holds(
        self, relation: str, left: Instruction, right: Instruction
    ) -> bool:
        return shows(
            self.code, left, right, relation, self.intervals, self.given
        )

    def require(self, relation: str) -> None:
        """Both sides are so related. Raises Unproved."""
        known = [
            (k, self.bound(row, k, detail))
            for row, k, detail in self.proof["bounds"]
        ]
        self.given += [
            (self.code.input(_named(k), 0), most) for k, most in known
        ]
        for k, most in known:
            most = self.code.apply("add", self.written.start(k), most)
            self.most.setdefault(self.written.made[k], []).append(most)
        left, right = (self.written.made[k] for k in self.proof["args"])
        self._require_defined(left, right)
        if not self._follows(relation, left, right):
            raise Unproved("normal forms do not show it of the sums")

    def _require_defined(self, *sides: Instruction) -> None:
        """They are defined on all of the set, for only then are they at most themselves. Raises Unproved."""
        if not all(self.holds("le", side, side) for side in sides):
            raise Unproved("a side or a term of a sum may not be defined")

    def _follows(
        self, relation: str, left: Instruction, right: Instruction
    ) -> bool:
        """By normal forms, of a sum or of what it is at most, or part by part where both sides are alike."""
        if self.holds(relation, left, right):
            return True
        if relation != "le":
            return False
        if any(
            self.holds("le", most, right) for most in self.most.get(left, [])
        ):
            return True
        parts = self.code.alike(left, right, self._sign)
        alike = parts != [(left, right)]
        return alike and all(self._follows("le", *pair) for pair in parts)

    def _sign(self, k: Instruction) -> int:
        """The sign of an instruction; a logarithm has that of what it is of, less 1."""
        op, args = self.code.ops[k]
        x, least = (args[0], ONE) if op == "log" else (k, ZERO)
        low = self.code.const(least)
        if self.holds("lt", low, x):
            return POSITIVE
        return NONNEGATIVE if self.holds("le", low, x) else UNKNOWN

    def is_bounded(self, bound: Sequence[Any]) -> bool:
        """Whether a bound of a sum is shown."""
        try:
            return self.bound(*bound) >= 0
        except Unproved:
            return False

    def bound(self, row: str, k: int, detail: Any) -> Instruction:
        """What the terms of a sum are together at most, by a row of the table. Raises Rejection."""
        return ROWS[row](Terms(self, k), detail)


@dataclass(frozen=True)
class Terms:
    """The terms of one sum, and what its rows are made of."""

    facts: Facts
    k: int

    def __call__(self, index: Instruction) -> Instruction:
        return self.facts.written.term(self.k, index)

    def at(self, i: int) -> Instruction:
        return self(self.number(i))

    def number(self, x: fmpq | int) -> Instruction:
        return self.facts.code.const(fmpq(x))

    def make(self, op: str, *args: Instruction) -> Instruction:
        return self.facts.code.apply(op, *args)

    def odds(self, i: int) -> Instruction:
        """1 / f(i) - 1."""
        one = self.number(1)
        return self.make("sub", self.make("div", one, self.at(i)), one)

    def share(self, odds: Instruction) -> Instruction:
        """1 / (1 + odds)."""
        one = self.number(1)
        return self.make("div", one, self.make("add", one, odds))

    def require(
        self, relation: str, left: Instruction, right: Instruction
    ) -> None:
        """Raises Unproved."""
        if not self.facts.holds(relation, left, right):
            raise Unproved("normal forms do not show a bound of a sum")

    def require_at_most(self, majorant: Instruction) -> None:
        """f(i) is at most that for all real i from 1 on. Raises Unproved."""
        self.require("le", self(self.facts.index), majorant)


def _exponential(f: Terms, detail: Any) -> Instruction:
    """f(i) <= g(i) = 1 / (1 + c exp(b i)), b and c > 0: the sum is at most log(1 + 1 / c) / b.

    g decreases, so that its sum is at most its integral over x > 0.
    """
    demand(detail is None, "malformed bound")
    make, one, zero = f.make, f.number(1), f.number(0)
    ratio = make("div", f.odds(2), f.odds(1))
    b, c = make("log", ratio), make("div", f.odds(1), ratio)
    f.require("lt", zero, b)
    f.require("lt", zero, c)
    growth = make("exp", make("mul", b, f.facts.index))
    f.require_at_most(f.share(make("mul", c, growth)))
    total = make("log", make("add", one, make("div", one, c)))
    return make("div", total, b)


def _power(f: Terms, detail: Any) -> Instruction:
    """f(i) <= g(i) = 1 / (1 + c i^a), c > 0 and a > 1: the sum is at most c^(-1/a) (pi / a) / sin(pi / a).

    g decreases, and that is its integral over x > 0 (Gradshteyn and Ryzhik 2007, 3.241.2).
    """
    a = rational(detail)
    demand(a > 1, "an integral is infinite")
    total, angle = _of_power(f, a)
    return f.make("div", total, f.make("sin", angle))


def _square(f: Terms, detail: Any) -> Instruction:
    """The same for a = 2, where the sine is 1."""
    demand(detail is None, "malformed bound")
    return _of_power(f, fmpq(2))[0]


def _of_power(f: Terms, a: fmpq) -> tuple[Instruction, Instruction]:
    """c^(-1/a) (pi / a), and pi / a, where f(i) is at most 1 / (1 + c i^a). Raises Unproved."""
    make, c, exponent = f.make, f.odds(1), f.number(a)
    f.require("lt", f.number(0), c)
    growth = make("pow", f.facts.index, exponent)
    f.require_at_most(f.share(make("mul", c, growth)))
    pi = make("mul", f.number(4), make("arctan", f.number(1)))
    angle = make("div", pi, exponent)
    scale = make("exp", make("div", make("neg", make("log", c)), exponent))
    return make("mul", scale, angle), angle


def _other(f: Terms, detail: Any) -> Instruction:
    """f(i) <= K g(i), with the term g of another sum: the sum is at most K times that."""
    facts = f.facts
    demand(type(detail) is int and detail in facts.sums, "malformed bound")
    g, own = Terms(facts, detail), facts.code.input(_named(detail), 0)
    return f.make("mul", _times(f, g(facts.index), g.at(1)), own)


def _harmonic(f: Terms, detail: Any) -> Instruction:
    """f(i) <= K / i, K >= 0: the sum is at most K (1 + log n)."""
    demand(detail is None, "malformed bound")
    make, one = f.make, f.number(1)
    K = _times(f, make("div", one, f.facts.index), one)
    f.require("le", f.number(0), K)
    n = f.facts.code.input(f.facts.counted, 0)
    return make("mul", K, make("add", one, make("log", n)))


def _times(f: Terms, g: Instruction, first: Instruction) -> Instruction:
    """A number K with f <= K g, where g begins with `first`: f(1) / g(1), or that of what f is less than."""
    for top in (f.at(1), f.make("div", f.number(1), f.odds(1))):
        K = f.make("div", top, first)
        with suppress(Unproved):
            f.require_at_most(f.make("mul", K, g))
            return K
    raise Unproved("normal forms do not show a bound of a sum")


ROWS: dict[str, Callable[[Terms, Any], Instruction]] = {
    "exponential": _exponential,
    "power": _power,
    "square": _square,
    "other": _other,
    "harmonic": _harmonic,
}
"""Why a sum is at most something; all that is used of it is shown by normal forms."""


def _named(k: int) -> str:
    """The variable of a sum."""
    return f"the terms of {k}"
