"""Inequalities of matrices of every size: a difference of two sides as a sum of terms that are not negative.

That the sum is the difference is an identity in words. That a term is not negative is seen from how it is made:
a product of factors that reads the same from both ends when they are transposed, C' P C with P psd or nothing in
the middle, is psd (Horn and Johnson 2013, Observation 7.1.8); so are sums, inverses and non-negative multiples of
psd matrices, and the traces and forms of such are not negative. |u'Pv|^2 <= u'Pu v'Pv (Cauchy and Schwarz).
Every polynomial in matrices that is psd for every size is such a sum of squares (Helton 2002), so that no more rules are
needed, but where hypotheses are.

What divides is positive, or divides in the sides, too: where they are defined the terms are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .findings import demand
from .numbers import rational
from .scalars import Unproved
from .uniform import POINTS, Dim, Matrix, Model, Node, check, needed

SIGNS = ("positive", "nonnegative")
PROBE = "?"
"""A vector of which nothing is known, or whose entries are not negative; no letter of a text has the name."""

Shape = tuple[Dim, ...]


@dataclass(frozen=True)
class Factor:
    """Of a product: a matrix or a vector, its inverse, or the diagonal matrix of a vector; perhaps transposed."""

    node: int
    kind: str = "plain"
    turned: bool = False

    @property
    def transposed(self) -> Factor:
        return Factor(self.node, self.kind, not self.turned)


Chain = list[Factor]


@dataclass
class Signs:
    """What is known of the nodes of a program by how they are made."""

    program: Sequence[Node]
    shapes: Sequence[Shape]
    letters: Mapping[str, str]
    given: frozenset[tuple[int, int]]
    _known: dict[tuple[str, int], bool] = field(default_factory=dict)

    def _once(self, what: str, k: int, rule: Any) -> bool:
        if (what, k) not in self._known:
            self._known[what, k] = bool(rule(self.program[k]))
        return self._known[what, k]

    def is_scalar(self, k: int) -> bool:
        return self.shapes[k] == ()

    # numbers, and all entries of an array

    def nonnegative(self, k: int) -> bool:
        """A number, or every entry of an array."""
        return self._once(
            "nonnegative", k, lambda node: self._nonnegative(k, node)
        )

    def _nonnegative(self, k: int, node: Node) -> bool:
        op, args = node["op"], node["args"]
        if op in ("const", "size", "letter", "identity") or self.positive(k):
            return self.positive(k) or self._is_zero_or_more(node)
        if op in (
            "add",
            "div",
            "transpose",
            "expand",
            "squeeze",
            "head",
            "neg",
        ):
            return op != "neg" and all(map(self.nonnegative, args))
        if op == "mul":
            return args[0] == args[1] or all(map(self.nonnegative, args))
        if op == "pow":
            return node["exponent"] % 2 == 0 or self.nonnegative(args[0])
        if op == "sqrt":
            return True
        if op == "diagonal":
            return self.nonnegative(args[0]) or self.semidefinite(args[0])
        if op == "sum":
            return (
                self.nonnegative(args[0])
                or self._contracted(node)
                or self._trace(*args)
            )
        if op == "matmul":
            return all(map(self.nonnegative, args)) or (
                self.is_scalar(k) and self._product(k)
            )
        return op == "sub" and (
            tuple(args[::-1]) in self.given or self._cauchy(*args)
        )

    def _is_zero_or_more(self, node: Node) -> bool:
        op = node["op"]
        if op == "const":
            return bool(rational(node["value"]) >= 0)
        return op == "identity" or (
            op == "letter" and node["name"] in self.letters
        )

    def positive(self, k: int) -> bool:
        """A number, or every entry of an array."""
        return self._once("positive", k, self._positive)

    def _positive(self, node: Node) -> bool:
        op, args = node["op"], node["args"]
        if op == "const":
            return bool(rational(node["value"]) > 0)
        if op == "letter":
            return self.letters.get(node["name"]) == "positive"
        if op == "add":
            return any(map(self.positive, args)) and all(
                map(self.nonnegative, args)
            )
        if op in ("mul", "div"):
            return all(map(self.positive, args))
        return op == "size" or (
            op in ("pow", "sqrt") and self.positive(args[0])
        )

    def _contracted(self, node: Node) -> bool:
        """The sum of a product entry by entry: the trace or (axis 0) the diagonal of A'B, or (axis 1) that of A B'."""
        inner = self.program[node["args"][0]]
        if (
            inner["op"] != "mul"
            or len({self.shapes[j] for j in inner["args"]}) != 1
        ):
            return False
        (one, left), (two, right) = map(self.factors, inner["args"])
        rows = node["axis"] == 1
        first = left if rows else _transposed(left)
        second = _transposed(right) if rows else right
        return self._even([*one, *two]) and self._mirrors([*first, *second])

    def _trace(self, k: int) -> bool:
        """The trace of a product of two psd matrices, tr AB = tr A^(1/2) B A^(1/2)."""
        if self.program[k]["op"] != "diagonal":
            return False
        scalars, chain = self.factors(self.program[k]["args"][0])
        splits = ((chain[:i], chain[i:]) for i in range(1, len(chain)))
        return self._even(scalars) and any(
            all(map(self._mirrors, pair)) for pair in splits
        )

    def _cauchy(self, j: int, k: int) -> bool:
        """u'Pu v'Pv - (u'Pv)^2, the latter as a square or as u'Pv v'Pu."""
        product = self.program[j]
        if product["op"] != "mul" or not all(
            map(self.is_scalar, [*product["args"], k])
        ):
            return False
        (one, first), (two, second) = map(self.factors, product["args"])
        if one or two or not (self._mirrors(first) and self._mirrors(second)):
            return False
        left, right = (
            chain[: (len(chain) + 1) // 2] for chain in (first, second)
        )
        middle, own = (
            chain[len(chain) // 2 : len(half)]
            for chain, half in ((first, left), (second, right))
        )
        mixed = [*left, *_transposed(right)[len(middle) :]]
        return self._alike(middle, own) and self._is_square(k, mixed)

    def _is_square(self, k: int, chain: Chain) -> bool:
        """Whether a number is the square of what is a product of factors."""
        node, other = self.program[k], _transposed(chain)
        if node["op"] == "pow" and node["exponent"] == 2:
            scalars, own = self.factors(node["args"][0])
            return not scalars and (
                self._alike(own, chain) or self._alike(own, other)
            )
        scalars, own = self.factors(k)
        ways = [*chain, *other], [*other, *chain]
        return not scalars and any(self._alike(own, way) for way in ways)

    # matrices

    def semidefinite(self, k: int) -> bool:
        """A matrix that is symmetric and psd."""
        return self._once(
            "semidefinite", k, lambda node: self._semidefinite(k, node)
        )

    def _semidefinite(self, k: int, node: Node) -> bool:
        op, args = node["op"], node["args"]
        if len(self.shapes[k]) != 2:
            return False
        if op in ("identity", "inv", "transpose", "add"):
            return op == "identity" or all(map(self.semidefinite, args))
        return op in ("matmul", "mul", "div", "solve") and self._product(k)

    def definite(self, k: int) -> bool:
        """A matrix that is surely psd and invertible."""
        return self._once("definite", k, lambda node: self._definite(k, node))

    def _definite(self, k: int, node: Node) -> bool:
        op, args = node["op"], node["args"]
        if op == "add":
            return any(map(self.definite, args)) and all(
                map(self.semidefinite, args)
            )
        if op in ("mul", "div"):
            a, b = args
            if op == "mul" and self.is_scalar(a):
                a, b = b, a
            return self.is_scalar(b) and self.positive(b) and self.definite(a)
        return op == "identity" or (
            op in ("inv", "transpose") and self.definite(args[0])
        )

    # products

    def _product(self, k: int) -> bool:
        """A product of factors that is the same from both ends, times what is not negative."""
        scalars, chain = self.factors(k)
        return (
            self._even(scalars)
            and chain != [Factor(k)]
            and self._mirrors(chain)
        )

    def _even(self, scalars: Sequence[int]) -> bool:
        """Whether a product of numbers is not negative: those that are there twice are squares."""
        odd = {k for k in scalars if scalars.count(k) % 2}
        return all(map(self.nonnegative, odd))

    def _mirrors(self, chain: Chain) -> bool:
        half, middle = (
            len(chain) // 2,
            chain[len(chain) // 2 : (len(chain) + 1) // 2],
        )
        back = [f.transposed for f in reversed(chain)]
        return self._alike(chain[:half], back[:half]) and all(
            map(self._is_psd, middle)
        )

    def _is_psd(self, f: Factor) -> bool:
        return (
            self.nonnegative(f.node)
            if f.kind == "diagonal"
            else self.semidefinite(f.node)
        )

    def _alike(self, one: Chain, other: Chain) -> bool:
        return len(one) == len(other) and all(
            f == g or (f == g.transposed and self._is_symmetric(f))
            for f, g in zip(one, other, strict=True)
        )

    def _is_symmetric(self, f: Factor) -> bool:
        return f.kind == "diagonal" or self.semidefinite(f.node)

    def factors(self, k: int) -> tuple[list[int], Chain]:
        """The numbers and the factors of a product; a vector is a column."""
        node, shape = self.program[k], self.shapes[k]
        op, args = node["op"], node["args"]
        if op == "transpose":
            scalars, chain = self.factors(args[0])
            return scalars, chain if len(shape) == 1 else _transposed(chain)
        if op in ("expand", "squeeze"):
            scalars, chain = self.factors(args[0])
            return scalars, chain if node["axis"] == 1 else _transposed(chain)
        if op == "matmul":
            return self._of_matmul(*args)
        if op in ("inv", "solve"):
            scalars, chain = (
                self.factors(args[1]) if op == "solve" else ([], [])
            )
            return scalars, [Factor(args[0], "inverse"), *chain]
        if op in ("mul", "div") and any(map(self.is_scalar, args)):
            a, b = (
                args if op == "div" or self.is_scalar(args[1]) else args[::-1]
            )
            if not self.is_scalar(a) and self.is_scalar(b):
                scalars, chain = self.factors(a)
                return [*scalars, b], chain
        if op == "mul":
            return self._of_mul(k, *args)
        return [], [Factor(k)]

    def _of_matmul(self, j: int, k: int) -> tuple[list[int], Chain]:
        (one, left), (two, right) = self.factors(j), self.factors(k)
        if len(self.shapes[j]) == 1:
            if len(self.shapes[k]) == 2:  # a vector as a column: B'a
                return [*one, *two], [*_transposed(right), *left]
            left = _transposed(left)
        return [*one, *two], [*left, *right]

    def _of_mul(self, k: int, a: int, b: int) -> tuple[list[int], Chain]:
        """The columns of a matrix times the entries of a vector, a vector times another of a known sign, or a column
        times a row."""
        one, other = self.shapes[a], self.shapes[b]
        if len(one) < len(other) or (one == other and self.nonnegative(b)):
            (a, one), (b, other) = (b, other), (a, one)
        if len(one) == 1 and one == other and self.nonnegative(a):
            scalars, chain = self.factors(b)
            return scalars, [Factor(a, "diagonal"), *chain]
        if len(one) == 2 and other == one[1:]:
            scalars, chain = self.factors(a)
            return scalars, [*chain, Factor(b, "diagonal")]
        if len(one) == 2 and one[1:] == other[:1] == (
            1,
        ):  # a column times a row
            return self._of_matmul(a, b)
        return [], [Factor(k)]

    # where it is defined

    def defined(self, k: int) -> bool:
        """Whether a node is defined where its operands are."""
        node = self.program[k]
        op, args = node["op"], node["args"]
        if op == "div":
            return self.positive(args[1])
        if op in ("inv", "solve"):
            return self.definite(args[0])
        if op == "pow":
            return node["exponent"] >= 0 or self.positive(args[0])
        return op != "sqrt" or self.nonnegative(args[0])


def _transposed(chain: Chain) -> Chain:
    return [f.transposed for f in reversed(chain)]


def probed(
    program: Sequence[Node], args: Sequence[int], relation: str, shape: Shape
) -> tuple[list[Node], list[int]]:
    """Sides of a shape as two numbers: the sums of the entries with any weights that are not negative, of matrices
    the forms of any vector. Raises Rejection."""
    square = relation == "loewner" and len(shape) == 2 and shape[0] == shape[1]
    demand(
        square or (relation == "at_most" and len(shape) < 2),
        "such sides have no rule",
    )
    if shape == ():
        return list(program), list(args)
    probe: Node = {
        "op": "letter",
        "args": [],
        "name": PROBE,
        "shape": list(shape[:1]),
    }
    nodes, sides, p = [*program, probe], [], len(program)
    for k in args:
        if square:
            nodes.append({"op": "matmul", "args": [p, k]})
            nodes.append({"op": "matmul", "args": [len(nodes) - 1, p]})
        else:
            nodes.append({"op": "mul", "args": [p, k]})
            nodes.append({"op": "sum", "args": [len(nodes) - 1], "axis": None})
        sides.append(len(nodes) - 1)
    return nodes, sides


KEYS = {"way", "program", "args", "signs", "given", "more", "terms"}
MOST_TERMS = 40


def by_squares(proof: Mapping[str, Any], relation: str) -> None:
    """The difference of the sides is a sum of terms that are not negative. Raises Rejection.

    `proof` has the program of the sides, the signs of its letters, which nodes are at most which, more nodes, and
    which of all nodes are the terms.
    """
    demand(proof.keys() == KEYS, "malformed proof")
    _check_taken(proof)
    nodes, sides, shape = _in_numbers(proof, relation)
    terms = _terms(proof, nodes)
    _require_signs(proof, nodes, sides, terms, shape)
    total = _summed(nodes, terms)
    nodes.append({"op": "sub", "args": sides[::-1]})
    for _ in range(POINTS):
        model = Model.drawn()
        values = model.run(nodes)
        model.require_equal(values[-1], values[total])
        if relation == "loewner":
            _require_symmetric(model, [values[k] for k in proof["args"]])


def _check_taken(proof: Mapping[str, Any]) -> None:
    """What is taken for granted is of the known form. Raises Rejection."""
    program, signs, given = proof["program"], proof["signs"], proof["given"]
    check(program, proof["args"])
    demand(
        all(n.get("name") != PROBE for n in program),
        "a letter has the name of a probe",
    )
    demand(
        isinstance(signs, dict) and all(x in SIGNS for x in signs.values()),
        "malformed signs",
    )
    demand(
        isinstance(given, list) and len(given) <= MOST_TERMS,
        "malformed hypotheses",
    )
    for entry in given:
        listed = (
            isinstance(entry, list) and len(entry) == 3 and entry[0] == "le"
        )
        demand(
            listed and _are_nodes(entry[1:], program), "malformed hypotheses"
        )


def _are_nodes(numbers: Sequence[Any], program: Sequence[Node]) -> bool:
    return all(type(k) is int and 0 <= k < len(program) for k in numbers)


def _in_numbers(
    proof: Mapping[str, Any], relation: str
) -> tuple[list[Node], list[int], Shape]:
    """The nodes of a proof, its sides as numbers, and the shape that they had. Raises Rejection."""
    values = Model.drawn().run(proof["program"])
    own = [values[k] for k in proof["args"]]
    for side in own:
        if isinstance(side, Unproved):
            raise side
    shape = max(map(shape_of, own), key=len)
    nodes, sides = probed(proof["program"], proof["args"], relation, shape)
    more = proof["more"]
    demand(isinstance(more, list), "malformed proof")
    check([*nodes, *more], sides)
    demand(all(n["op"] != "letter" for n in more), "a term has another letter")
    return [*nodes, *more], sides, shape


def _terms(proof: Mapping[str, Any], nodes: Sequence[Node]) -> list[int]:
    terms = proof["terms"]
    some = isinstance(terms, list) and 0 < len(terms) <= MOST_TERMS
    demand(some and _are_nodes(terms, nodes), "malformed terms")
    return terms


def _summed(nodes: list[Node], terms: Sequence[int]) -> int:
    total = terms[0]
    for k in terms[1:]:
        nodes.append({"op": "add", "args": [total, k]})
        total = len(nodes) - 1
    return total


def _require_symmetric(model: Model, sides: Sequence[Any]) -> None:
    for side in map(model.matrix, sides):
        model.require_equal(
            side, Matrix(side.shape, model.transpose(side.series))
        )


def _require_signs(
    proof: Mapping[str, Any],
    nodes: Sequence[Node],
    sides: Sequence[int],
    terms: Sequence[int],
    shape: Shape,
) -> None:
    """The terms are not negative, and defined where the sides and the hypotheses are. Raises Rejection."""
    values = Model.drawn().run(nodes)
    signs = {
        **proof["signs"],
        **({PROBE: "nonnegative"} if len(shape) == 1 else {}),
    }
    given = frozenset((j, k) for _, j, k in proof["given"])
    known = Signs(nodes, list(map(shape_of, values)), signs, given)
    for k in needed(nodes, terms):
        if isinstance(values[k], Unproved):
            raise values[k]
    own = needed(nodes, [*sides, *(k for pair in given for k in pair)])
    for k in needed(nodes, terms) - own:
        demand(
            known.defined(k), "a term may be undefined where the sides are not"
        )
    demand(all(known.is_scalar(k) for k in terms), "a term is a number")
    demand(all(map(known.nonnegative, terms)), "a term may be negative")


def shape_of(value: Any) -> Shape:
    """The shape of what a node is; that of a number where it has no rule."""
    return getattr(value, "shape", ())
