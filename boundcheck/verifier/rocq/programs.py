"""The program of a certificate as definitions of Rocq: each operation by its meaning in the reals."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations, product
from math import comb
from typing import Any

from flint import arb, ctx, fmpq

from boundcheck.verifier.arrays import Array, shape_of
from boundcheck.verifier.functions import FUNCTIONS
from boundcheck.verifier.laws import Groups
from boundcheck.verifier.limits import MOST_LEIBNIZ, MOST_TERMS
from boundcheck.verifier.matrices import transpose
from boundcheck.verifier.numbers import (
    ONE,
    ZERO,
    Number,
    number,
    rational,
    whole,
)
from boundcheck.verifier.operations import Arithmetic, Node, entry
from boundcheck.verifier.program import Tape, run
from boundcheck.verifier.rocq.terms import (
    CannotFormalize,
    Term,
    Theory,
    add,
    applied,
    div,
    literal,
    mul,
    natural_power,
    sub,
)
from boundcheck.verifier.signs import UNKNOWN, Sign

Square = list[list[Term]]
MOVES = ("leaf", "gather", "take")
"""Kinds of operations that name no number anew."""

MATRICES = ("det", "solve", "inv", "eigvalsh", "svdvals")


@dataclass(frozen=True)
class Program:
    """What each node is in Rocq."""

    theory: Theory
    tape: Tape

    def terms(self, k: int) -> Sequence[Term]:
        return self.tape.operand(k).data

    def weights(self, group: int) -> list[Term]:
        """The probability of each atom of a group, as a term in the parameters of its laws."""
        with ctx.workprec(3 * self.theory.bits):
            return self.tape.weights(group)


def written(theory: Theory, program: Any, space: Groups) -> Program:
    """Say all nodes, one after the other."""
    balls = run(program, space)
    pairs = zip(balls.nodes, balls.arrays, strict=True)
    size = sum(len(x.data) for node, x in pairs if not _moves(node["op"]))
    if size > MOST_TERMS:
        raise CannotFormalize(
            f"its program has {size} terms, more than {MOST_TERMS}."
        )
    return Program(theory, run(program, space, Words(theory)))


def _moves(op: str) -> bool:
    return op == "random" or (op != "mean" and entry(op).kind in MOVES)


class Words(Arithmetic):
    """Terms: what an operation makes of an array is defined, and proved to lie where its balls say."""

    def __init__(self, theory: Theory):
        self.theory = theory
        self.node, self.part = 0, 0
        """The node that is being made, and how many of its parts have been."""

    def const(self, x: fmpq) -> Term:
        return literal(x)

    def number(self, value: object) -> Term:
        return self.outcome(number(value))

    def outcome(self, x: Number) -> Term:
        return literal(_exactly(x))

    def leaf(self, node: Node, data: Sequence[Any]) -> list[Term]:
        if node["op"] == "const":
            return [self.number(x) for x in data]
        given = str(node.get("name", self.node))
        stem = "input_" + re.sub(r"\W", "_", given, flags=re.ASCII)
        values, shape = list(map(rational, data)), shape_of(node["shape"])
        self.theory.input(stem, shape, values)
        return [
            self.theory.entry(
                "_".join([stem, *map(str, at)]), _applied(stem, at), x
            )
            for at, x in zip(product(*map(range, shape)), values, strict=True)
        ]

    def place(self, x: Term) -> int:
        row = whole(x.value)
        if row is None or x.names:
            raise CannotFormalize("an index of a table is computed.")
        return row

    # nodes are definitions

    def value(
        self,
        k: int,
        node: Node,
        operands: Sequence[Array],
        known: Sign = UNKNOWN,
    ) -> Array:
        op, kind, self.node, self.part = (
            node["op"],
            entry(node["op"]).kind,
            k,
            0,
        )
        if kind in MOVES:
            return super().value(k, node, operands, known)
        has_words = {
            "entries": op in PROVED
            or (op in FUNCTIONS and bool(FUNCTIONS[op].word)),
            "matrices": op in MATRICES,
        }
        if not has_words.get(kind, kind in ("reduction", "running", "product")):
            raise CannotFormalize(
                f"its program has {op!r}, which has no words in Rocq here yet."
            )
        make = partial(super().value, k, node, operands, known)
        return self._defined(f"node {k}: {op}", make)

    def mean(
        self, k: int, x: Array, weights: Callable[[], Sequence[Term]]
    ) -> Array:
        self.node = k
        return self._defined(
            f"node {k}: mean", partial(super().mean, k, x, weights)
        )

    def _defined(self, note: str, make: Callable[[], Array]) -> Array:
        self.theory.note(note)
        k = self.node
        with ctx.workprec(3 * self.theory.bits):
            made = make()
            # Later proofs see a name and what is proved of it, never the text behind it.
            alone = len(made.data) == 1
            named = [
                self.theory.define(f"n{k}" if alone else f"n{k}_{j}", term)
                for j, term in enumerate(made.data)
            ]
        return Array(made.shape, named)

    def weighed(self, group: int, weights: list[Term]) -> list[Term]:
        self.theory.note(f"the weights of the atoms of group {group}")
        return [
            self.theory.define(f"w{group}_{a}", w)
            for a, w in enumerate(weights)
        ]

    def _next(self) -> str:
        """The stem of the names within the next part of a node."""
        self.part += 1
        return f"n{self.node}_{self.part - 1}"

    def _need(self, *texts: str) -> None:
        """What must hold for the node to have a value."""
        self.theory.needs += [(self.node, text) for text in texts]

    # functions

    def apply(self, op: str, *args: Term) -> Term:
        """A part of a term: sums and products leave out what changes nothing."""
        return SIMPLIFIED.get(op, partial(_said, op))(*args)

    def function(self, op: str, known: bool) -> Callable[..., Term]:
        def function(*terms: Term) -> Term:
            self._need(*_needs(op, terms))
            return _said(op, *terms)

        return function

    def fold(self, op: str, line: Sequence[Term]) -> Term:
        """Largest or smallest entries two at a time, for each choice is a case of a proof."""
        if op not in ("maximum", "minimum"):
            return super().fold(op, line)
        stem, result = self._next(), line[0]
        for m, term in enumerate(line[1:]):
            if m:
                result = self.theory.define(f"{stem}_of_{m + 1}", result)
            result = _said(op, result, term)
        return result

    # laws

    def weight(self, w: Term, lawful: object) -> Term:
        return w

    def normalised(self, weights: Sequence[Term]) -> list[Term]:
        mass = self.total(weights)
        # Where the sum is 0 the law is none, and the theorem says nothing.
        self._need(*([f"{mass.text} <> 0"] if mass.names else []))
        return [div(w, mass) for w in weights]

    def binomial(self, n: int, p: Term, q: Term) -> list[Term]:
        powers = [
            mul(natural_power(p, k), natural_power(q, n - k))
            for k in range(n + 1)
        ]
        return [mul(literal(fmpq(comb(n, k))), x) for k, x in enumerate(powers)]

    def joint(self, left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
        if len(left) * len(right) > MOST_TERMS:
            raise CannotFormalize(
                f"its draws have more than {MOST_TERMS} atoms."
            )
        return super().joint(left, right)

    # matrices

    def gauss(self, A: Square, B: Square) -> tuple[Term, Square]:
        return determinant(A), []

    def solution(self, A: Square, B: Square) -> Square:
        """By Cramer's rule."""
        self.part += 1
        name = f"n{self.node}_det_{self.part - 1}"
        below = self.theory.define(name, determinant(A))
        self._need(f"{below.text} <> 0")
        columns = transpose(B)
        return [
            [div(determinant(_with_column(A, i, c)), below) for c in columns]
            for i in range(len(A))
        ]

    def of_matrix(
        self,
        node: Node,
        side: Sequence[int],
        entries: Sequence[Term],
        count: int,
    ) -> list[Term]:
        rows, columns = side
        A = [
            list(entries[i * columns : (i + 1) * columns]) for i in range(rows)
        ]
        stem, define = self._next(), self.theory.define
        if node["op"] == "eigvalsh":
            return self._eigenvalues(stem, A)
        # singular values are roots of the eigenvalues of a'a or aa', descending
        wide = rows <= columns
        gram = (
            self.multiply(A, transpose(A))
            if wide
            else self.multiply(transpose(A), A)
        )
        named = [
            [define(f"{stem}_{i}{j}", x) for j, x in enumerate(row)]
            for i, row in enumerate(gram)
        ]
        values = enumerate(self._eigenvalues(stem, named))
        squares = [define(f"{stem}_{i}", value) for i, value in values]
        return [_said("sqrt", _nonnegative(x)) for x in reversed(squares)]

    def _eigenvalues(self, stem: str, a: Square) -> list[Term]:
        """Of a symmetric matrix, ascending; (x + z -+ sqrt((x - z)^2 + 4 y^2)) / 2 for two rows."""
        if len(a) == 1:
            return [a[0][0]]
        if len(a) > 2:
            raise CannotFormalize("eigenvalues of more than two rows.")
        (x, _), (y, z) = a
        two, four = literal(fmpq(2)), literal(fmpq(4))
        squares = add(
            natural_power(sub(x, z), 2), mul(four, natural_power(y, 2))
        )
        inside = self.theory.define(f"{stem}_in", squares)
        root = self.theory.define(
            f"{stem}_root", _said("sqrt", _nonnegative(inside))
        )
        return [div(sub(add(x, z), root), two), div(add(add(x, z), root), two)]


def _exactly(value: object) -> fmpq:
    """A number that is given exactly."""
    if not isinstance(value, fmpq):
        raise CannotFormalize("it holds a number that is given by a ball.")
    return value


def _applied(name: str, place: Sequence[int]) -> str:
    return f"({' '.join([name, *map(str, place)])})" if place else name


def _nonnegative(term: Term) -> Term:
    """A sum of squares whose enclosure reaches below 0 has to be enclosed better."""
    if not term.value >= 0:
        raise CannotFormalize(
            "a square root of a number that cannot be told from 0."
        )
    return term


def determinant(a: Square) -> Term:
    """Leibniz' sum."""
    if len(a) > MOST_LEIBNIZ:
        raise CannotFormalize(
            f"a linear system or determinant of more than {MOST_LEIBNIZ} rows."
        )
    result = literal(ZERO)
    for order in permutations(range(len(a))):
        term = literal(ONE)
        for i, j in enumerate(order):
            term = mul(term, a[i][j])
        pairs = ((i, j) for j in range(len(a)) for i in range(j))
        odd = sum(order[i] > order[j] for i, j in pairs) % 2
        minus = odd and not term.literal(ZERO)
        result = sub(result, term) if minus else add(result, term)
    return result


def _with_column(a: Square, i: int, column: Sequence[Term]) -> Square:
    pairs = zip(a, column, strict=True)
    return [[*row[:i], x, *row[i + 1 :]] for row, x in pairs]


# functions: a text of the row of the function, or one with a proof of its own


def _said(op: str, *terms: Term) -> Term:
    return PROVED[op](*terms) if op in PROVED else _shaped(op, terms)


def _shaped(op: str, terms: Sequence[Term]) -> Term:
    """Of slopes of sines and cosines beyond half a turn `interval` knows only that they are at most 1."""
    term = applied(op, FUNCTIONS[op].word, *terms)
    if op not in ("sin", "cos", "tan") or abs(terms[0].value) <= 3:
        return term
    if op == "tan":
        raise CannotFormalize(
            "the tan of more than half a turn, which `interval` cannot reduce."
        )
    return replace(
        term, value=arb(term.value) + arb(0, arb(terms[0].value).rad())
    )


def _needs(op: str, terms: Sequence[Term]) -> list[str]:
    """Where an operation on terms has a value, unless the text of the terms shows it."""
    need = FUNCTIONS[op].where
    if op == "pow" and not terms[1].names:
        k = whole(terms[1].value)
        need = need if k is None else "{0} <> 0" if k < 0 else ""
    about = terms[1] if "{1}" in need else terms[0]
    return (
        [need.format(*(x.text for x in terms))] if need and about.names else []
    )


def _extreme(op: str, name: str, a: Term, b: Term) -> Term:
    term = applied(op, f"({name} {{}} {{}})", a, b)
    return replace(term, proof=f"unfold {name}; ")


def _sign(a: Term) -> Term:
    return replace(applied("sign", "(sgn {})", a), proof="unfold sgn; ")


def _whole(op: str, a: Term) -> Term:
    term = applied(op, f"({op} {{}})", a)
    value = (
        whole(term.value)
        if isinstance(term.value, fmpq)
        else _unique(term.value)
    )
    if value is None:
        raise CannotFormalize(f"a {op} lies too close to a jump.")
    proof = f"rewrite ({op}_is _ {parenthesised(value)}); [lra |]; "
    return Term(term.text, fmpq(value), term.names, proof)


def _unique(ball: arb) -> int | None:
    found = ball.unique_fmpz()
    return None if found is None else int(found)


def parenthesised(k: int) -> str:
    return f"({k})" if k < 0 else str(k)


def _power(a: Term, b: Term) -> Term:
    """A whole exponent written out is a product; one computed is read off its lemma; others: exp(b log a)."""
    k = whole(b.value)
    if k is not None and b.literal(fmpq(k)):
        return natural_power(a, k)
    text, names = f"(power {a.text} {b.text})", (*a.names, *b.names)
    if k is not None and k >= 0:
        value, known = (
            natural_power(a, k).value,
            f"{b.names[0]}_is" if b.names else "",
        )
        proof = f"rewrite (power_is_whole _ _ {k}) by exactly_known {known}; "
        return Term(text, value, names, proof)
    if not a.value > 0:
        raise CannotFormalize("a power of a base that may be negative.")
    value = arb(applied("pow", "", a, b).value)
    return Term(text, value, names, "rewrite power_is_exp; ")


def _modulus(a: Term, b: Term) -> Term:
    """What is left of the quotient rests on the names too: no `lra` ends it before they are seen."""
    floor = _whole("floor", applied("div", "({} / {})", a, b))
    opening = floor.proof.replace("[lra |]; ", "")
    return replace(sub(a, mul(b, floor)), proof=opening)


PROVED: dict[str, Callable[..., Term]] = {
    "maximum": partial(_extreme, "maximum", "Rmax"),
    "minimum": partial(_extreme, "minimum", "Rmin"),
    "floor": partial(_whole, "floor"),
    "ceil": partial(_whole, "ceil"),
    "sign": _sign,
    "pow": _power,
    "mod": _modulus,
}
"""Functions whose lemma needs more than `interval`."""

SIMPLIFIED: dict[str, Callable[..., Term]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
}
