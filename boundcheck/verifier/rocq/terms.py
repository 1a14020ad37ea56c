"""Terms of Rocq's reals beside enclosures of their values, and names for them with a proved bound each.

A term is a text over names that were defined before it, and a rational or a ball that holds its value.
Defining it gives a name, and a lemma: the name equals a rational, or lies between two. A later proof sees of
an earlier name no more than that lemma, so that proofs stay small however long the program is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from flint import arb, ctx, fmpq, fmpz

from boundcheck.verifier.functions import FUNCTIONS
from boundcheck.verifier.limits import (
    LARGEST_EXPONENT,
    LONGEST,
    LONGEST_DECIMAL,
)
from boundcheck.verifier.numbers import ONE, ZERO, Number

WORD = re.compile(r"\w+")


class CannotFormalize(Exception):
    """This certificate has no theorem yet: the sentence says what stands in the way."""


@dataclass(frozen=True)
class Term:
    """A text, what holds its value, and the names that stand in it."""

    text: str
    value: Number
    names: tuple[str, ...] = ()
    proof: str = ""
    """What opens the proof of its lemma."""

    @property
    def exact(self) -> bool:
        return isinstance(self.value, fmpq)

    def literal(self, number: fmpq) -> bool:
        """Is it this number, written as such?"""
        return self.text == literal(number).text


@dataclass(frozen=True)
class Input:
    """What a claim is about: its shape, and its entries at the instance in row-major order."""

    shape: tuple[int, ...]
    values: Sequence[fmpq]

    @property
    def type(self) -> str:
        return " -> ".join(["nat"] * len(self.shape) + ["R"])

    @property
    def witness(self) -> str:
        """The instance as a function of the indices; 0 beyond its shape."""
        if not self.shape:
            return literal(self.values[0]).text
        indices = [f"i{axis}" for axis in range(len(self.shape))]
        place = indices[0]
        for index, size in zip(indices[1:], self.shape[1:], strict=True):
            place = f"({place} * {size} + {index})%nat"
        entries = " :: ".join([literal(x).text for x in self.values] + ["nil"])
        return f"fun {' '.join(indices)} => nth {place} ({entries}) 0"


@dataclass
class Theory:
    """A file under construction: what its statement defines, the proof, and what is known of each name.

    Definitions are functions of the inputs that stand in them; the proof has them at the instance, each under
    the name that it has in the statement.
    """

    bits: int
    inputs: dict[str, Input] = field(default_factory=dict)
    statement: list[str] = field(default_factory=list)
    proof: list[str] = field(default_factory=list)
    known: dict[str, Number] = field(default_factory=dict)
    free: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The inputs that stand in each definition."""

    needs: list[tuple[int, str]] = field(default_factory=list)
    """Where the operations of a node are defined."""

    defined: list[str] = field(default_factory=list)
    """Names of the numbers that are defined, in their order."""

    def note(self, text: str) -> None:
        """A comment of the statement."""
        self.statement.append(f"\n(* {text} *)")

    def input(
        self, name: str, shape: tuple[int, ...], values: Sequence[fmpq]
    ) -> None:
        """A real number, or a function of as many indices as an array has axes, and what it is at the instance."""
        self.inputs[name] = given = Input(shape, values)
        self.free[name] = (name,)
        self.statement.append(f"Variable {name} : {given.type}.")
        self.proof.append(
            f"Definition {name} : {given.type} := {given.witness}."
        )

    def entry(self, name: str, text: str, value: fmpq) -> Term:
        """A number of an input: its text under a name, with the lemma on its value."""
        at = literal(value).text
        return self._bounded(
            name, text, Term(at, value), f"change {text} with {at}; "
        )

    def define(self, name: str, term: Term) -> Term:
        """The term under a name, with the lemma on its value."""
        self.say(name, "R", term.text)
        self.defined.append(name)
        return self._bounded(
            name, name, term, f"unfold Statement.{name}; {term.proof}"
        )

    def say(self, name: str, type: str, text: str) -> None:
        """A definition of the statement, and its name in the proof."""
        self.free[name] = self.inputs_of(text)
        self.statement.append(f"Definition {name} : {type} := {text}.")
        at = " ".join([f"Statement.{name}", *self.free[name]])
        self.proof.append(f"Local Notation {name} := ({at}).")

    def inputs_of(self, text: str) -> tuple[str, ...]:
        """The inputs that a text depends on, in their order."""
        there = {
            name
            for word in WORD.findall(text)
            for name in self.free.get(word, ())
        }
        return tuple(name for name in self.inputs if name in there)

    def at(self, name: str) -> str:
        """A definition of the statement, outside of where inputs are fixed."""
        return " ".join([name, *self.free[name]])

    def binders(self) -> str:
        """All inputs, for a quantifier."""
        return "".join(
            f" ({name} : {x.type})" for name, x in self.inputs.items()
        )

    def _bounded(self, name: str, text: str, term: Term, opening: str) -> Term:
        """The lemma on the value of a name."""
        value = self._settled(term.value)
        self.known[name] = value
        self.prove(
            f"{name}_is",
            said(text, value),
            term.names,
            opening,
            isinstance(value, fmpq),
        )
        return Term(text, value, (name,))

    def prove(
        self,
        lemma: str,
        statement: str,
        names: Sequence[str],
        opening: str = "",
        exact: bool = False,
    ) -> None:
        """A lemma on terms over these names, by what is known of each."""
        closing = "exactly" if exact else "enclosed"
        self.proof.append(f"Lemma {lemma} : {statement}.")
        self.proof.append(f"Proof. {opening}{self.seen(names)}{closing}. Qed.")

    def seen(self, names: Sequence[str]) -> str:
        """Names with a rational value are rewritten, the others become numbers within their bounds.

        Numbers of inputs come last, for inputs stand in the others.
        """
        distinct = sorted(dict.fromkeys(names), key=self._kind)
        steps = {True: "rewrite ?{}_is; ", False: "forget {}_is; "}
        return "".join(
            steps[isinstance(self.known[n], fmpq)].format(n) for n in distinct
        )

    def _kind(self, name: str) -> tuple[bool, bool]:
        given = name in self.inputs or name not in self.free
        return given, not isinstance(self.known[name], fmpq)

    def _settled(self, value: Number) -> Number:
        """A rational of moderate length as it is; else a ball a little wider than the value's."""
        # An equation is proved by `lra` or `field`, exactly; bounds are proved by `interval`.
        if isinstance(value, fmpq) and value.height_bits() <= LONGEST:
            return value
        ball = arb(value)
        if not ball.is_finite():
            raise CannotFormalize(
                "a value is not enclosed by finite bounds; more bits may help."
            )
        # A little wider than the ball: Rocq's `interval` rounds too, and must prove the bounds with its own.
        with ctx.workprec(2 * self.bits):
            slack = (
                ball.rad() * fmpq(5, 4) + abs(ball.mid()) * arb(2) ** -self.bits
            )
        low, high = (
            rounded(ball.mid() - slack, self.bits, -1),
            rounded(ball.mid() + slack, self.bits, 1),
        )
        return arb(low).union(arb(high))


def rounded(ball: arb, bits: int, side: int) -> fmpq:
    """A dyadic rational of about so many bits, not above (side -1) or not below (side 1) the ball."""
    exact = dyadic(ball.lower() if side < 0 else ball.upper())
    if exact == 0:
        return ZERO
    shift = bits - (exact.p.bit_length() - exact.q.bit_length())
    scaled = exact * (
        fmpq(fmpz(2) ** shift) if shift >= 0 else fmpq(1, fmpz(2) ** -shift)
    )
    whole = fmpq(scaled.floor() if side < 0 else scaled.ceil())
    return (
        whole / fmpq(fmpz(2) ** shift)
        if shift >= 0
        else whole * fmpq(fmpz(2) ** -shift)
    )


def dyadic(point: arb) -> fmpq:
    """The rational that a ball of radius 0 is."""
    mantissa, exponent = point.mid().man_exp()
    mantissa, exponent = fmpz(mantissa), int(exponent)
    if abs(exponent) > LARGEST_EXPONENT:
        raise CannotFormalize(
            "a value is too large or too small to be written out."
        )
    return (
        fmpq(mantissa * fmpz(2) ** exponent)
        if exponent >= 0
        else fmpq(mantissa, fmpz(2) ** -exponent)
    )


def ends(value: Number) -> tuple[fmpq, fmpq]:
    """The rationals that a known value lies between."""
    return (
        (value, value)
        if isinstance(value, fmpq)
        else (dyadic(value.lower()), dyadic(value.upper()))
    )


def said(text: str, value: Number) -> str:
    """What the lemma says of a text."""
    if isinstance(value, fmpq):
        return f"{text} = {literal(value).text}"
    low, high = ends(value)
    return f"{literal(low).text} <= {text} <= {literal(high).text}"


@lru_cache(maxsize=4096)
def literal(q: fmpq) -> Term:
    """A rational number as a text."""
    text = (
        _digits(abs(q.p))
        if q.q == 1
        else f"{_digits(abs(q.p))} / {_digits(q.q)}"
    )
    whole = q.q == 1 and q >= 0
    return Term(text if whole else f"(- ({text}))" if q < 0 else f"({text})", q)


def _digits(k: fmpz) -> str:
    """A natural number as Rocq reads it; a long one in hexadecimal: decimals take it their length squared."""
    text = str(k)
    return text if len(text) <= LONGEST_DECIMAL else hex(int(k))


def applied(op: str, shape: str, *terms: Term) -> Term:
    """An operation of the verifier on terms; `shape` is the text of the result, with {} for each of them."""
    value = FUNCTIONS[op](*(term.value for term in terms))
    names = tuple(name for term in terms for name in term.names)
    return Term(shape.format(*(term.text for term in terms)), value, names)


def add(a: Term, b: Term) -> Term:
    """a + b, without a literal 0."""
    return (
        b
        if a.literal(ZERO)
        else a
        if b.literal(ZERO)
        else applied("add", "({} + {})", a, b)
    )


def sub(a: Term, b: Term) -> Term:
    """a - b, without a literal 0."""
    return a if b.literal(ZERO) else applied("sub", "({} - {})", a, b)


def mul(a: Term, b: Term) -> Term:
    """a b, without a literal 0 or 1."""
    if a.literal(ZERO) or b.literal(ZERO):
        return literal(ZERO)
    return (
        b
        if a.literal(ONE)
        else a
        if b.literal(ONE)
        else applied("mul", "({} * {})", a, b)
    )


def div(a: Term, b: Term) -> Term:
    return a if b.literal(ONE) else applied("div", "({} / {})", a, b)


def natural_power(a: Term, k: int) -> Term:
    """a^k for a whole number k."""
    value = FUNCTIONS["pow"](a.value, fmpq(abs(k)))
    power = a if abs(k) == 1 else Term(f"({a.text} ^ {abs(k)})", value, a.names)
    return (
        literal(ONE) if k == 0 else power if k > 0 else div(literal(ONE), power)
    )


def total(terms: Sequence[Term]) -> Term:
    """The sum of terms."""
    result = literal(ZERO)
    for term in terms:
        result = add(result, term)
    return result
