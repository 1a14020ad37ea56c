"""Programs that count up to a number as one program with sums, and bounds of these that are likely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flint import fmpq

from boundcheck.verifier.findings import Unproved
from boundcheck.verifier.scalars import Code, evaluate

Node = dict[str, Any]

EXPONENTS = range(12, 1, -1)
"""Of powers whose integrals are tried as bounds."""


class Unfolded(Code):
    """Instructions as they were recorded, so that terms which are numbers are still seen to be added."""

    def apply(self, op: str, *args: int) -> int:
        return self._add((op, args))


class Summed:
    """The program of a path at a number n, on which n terms that differ in the index alone are added, as one
    with sums."""

    def __init__(self, route: Mapping[str, Any], names: list[str], n: int):
        """`names` are the inputs, n among them. Raises Rejection."""
        self.code, self.n = Unfolded(names), n
        self.nodes: list[Node] = []
        self.places: dict[str, int] = {}
        self.lifted: dict[int, int] = {}
        kept = [
            given
            for given, flag in zip(
                route["hypotheses"], route["assumed"], strict=True
            )
            if flag and given["relation"] in ("le", "lt")
        ]
        sides = route["conclusion"]["args"]
        roots = [*sides, *(j for given in kept for j in given["args"])]
        made = evaluate(route["program"], route["laws"], roots, self.code)
        self.args = self._pair(made.pairs(sides))
        self.given = [
            [given["relation"], *map(self._lift, pair)]
            for given in kept
            for pair in made.pairs(given["args"])
        ]

    def _pair(self, pairs: list[tuple[int, int]]) -> list[int]:
        if len(pairs) != 1:
            raise Unproved("sums are sides that are numbers")
        return [*map(self._lift, pairs[0])]

    def _put(self, op: str, *args: int, **more: str) -> int:
        node = {"op": op, **({"args": [*args]} if args else {}), **more}
        k = self.places.setdefault(repr(node), len(self.nodes))
        if k == len(self.nodes):
            self.nodes.append(node)
        return k

    def _lift(self, k: int) -> int:
        """The node of an instruction that does not depend on the index."""
        if k not in self.lifted:
            found = self._sum(k)
            self.lifted[k] = self._plain(k) if found is None else found
        return self.lifted[k]

    def _plain(self, k: int) -> int:
        op, args = self.code.ops[k]
        if op == "const":
            return self._const(self.code.exact[k])
        if op == "input":
            return self._put("input", name=self.code.names[args[0]])
        return self._put(op, *map(self._lift, args))

    def _const(self, x: fmpq) -> int:
        return self._put("const", value=str(x))

    def _sum(self, k: int) -> int | None:
        """What n terms, one for each index, are added to."""
        terms, (op, args) = [], self.code.ops[k]
        while op == "add" and len(terms) < self.n:
            terms.append(args[1])
            k = args[0]
            op, args = self.code.ops[k]
        whole = (
            len(terms) == self.n - 1
        )  # nothing is there before the first term
        if self.n < 4 or len(terms) < self.n - 1:
            return None
        second, fourth = (terms[::-1][i] for i in ((0, 2) if whole else (1, 3)))
        term = self._unified(second, fourth)
        if term is None or second == fourth:
            return None
        start = self._const(fmpq(0)) if whole else self._lift(k)
        return self._put("sum", term, start)

    def _unified(self, x: int, y: int) -> int | None:
        """The term in the index that is x at 2 and y at 4; None where none is seen."""
        if x == y:
            return self._lift(x)
        (op, args), (other, more) = self.code.ops[x], self.code.ops[y]
        if op == other == "const":
            return self._monomial(self.code.exact[x], self.code.exact[y])
        if op != other or op == "input":
            return None
        found = [self._unified(a, b) for a, b in zip(args, more, strict=True)]
        return None if None in found else self._put(op, *found)  # type: ignore[arg-type]

    def _monomial(self, x: fmpq, y: fmpq) -> int | None:
        """c i^k."""
        ratio = y / x if x != 0 else fmpq(0)
        k = int(ratio.p).bit_length() - int(ratio.q).bit_length()
        if ratio != fmpq(2) ** k:
            return None
        index, c = self._put("index"), x / fmpq(2) ** k
        power = (
            index if k == 1 else self._put("pow", index, self._const(fmpq(k)))
        )
        return power if c == 1 else self._put("mul", self._const(c), power)

    @property
    def sums(self) -> list[int]:
        return [k for k, node in enumerate(self.nodes) if node["op"] == "sum"]

    def proof(self) -> dict[str, Any]:
        """The program as a proof has it, of which no bounds are known yet."""
        made = {"program": self.nodes, "args": self.args, "given": self.given}
        return {"way": "sums", **made, "bounds": []}

    def likely(self) -> Iterator[list[list[Any]]]:
        """What each sum may be at most, by rows of the verifier's table, of which the first that is shown is enough."""
        for k in self.sums:
            yield from ([["other", k, j]] for j in self.sums if j != k)
            yield [["harmonic", k, None]]
            yield [["exponential", k, None]]
            yield [["power", k, str(a)] for a in EXPONENTS]
            yield [["square", k, None]]
