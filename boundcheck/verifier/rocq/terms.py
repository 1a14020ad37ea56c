"""Terms of Rocq's reals beside enclosures of their values, and names for them with a proved bound each.

A term is a text over names that were defined before it, and a rational or a ball that holds its value.
Defining it gives a name, and a lemma: the name equals a rational, or lies between two. A later proof sees of
an earlier name no more than that lemma, so that proofs stay small however long the program is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from flint import arb, ctx, fmpq, fmpz

from boundcheck.verifier.functions import FUNCTIONS
from boundcheck.verifier.numbers import ONE, ZERO, Number

LONGEST = 1200
"""Bits of the rationals that names are proved equal to; longer ones are enclosed."""


LONGEST_DECIMAL = 60
LARGEST_EXPONENT = 4000


class CannotFormalize(Exception):
    """This certificate has no theorem yet: the sentence says what stands in the way."""


@dataclass(frozen=True)
class Term:
    """A text, what holds its value, and the names that stand in it."""

    text: str
    value: Number
    names: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        return isinstance(self.value, fmpq)

    def literal(self, number: fmpq) -> bool:
        """Is it this number, written as such?"""
        return self.text == literal(number).text


@dataclass
class Theory:
    """A file under construction: its lines, and what is known of each name."""

    bits: int
    lines: list[str] = field(default_factory=list)
    known: dict[str, Number] = field(default_factory=dict)

    def say(self, text: str) -> None:
        self.lines.append(text)

    def define(self, name: str, term: Term, proof: str = "") -> Term:
        """The term under a name, with the lemma on its value; `proof` goes before the closing tactic."""
        self.say(f"Definition {name} : R := {term.text}.")
        return self.bound(name, term, f"unfold {name}; {proof}")

    def bound(self, name: str, term: Term, opening: str) -> Term:
        """The lemma on the value of a name that is defined already."""
        value = self._settled(term.value)
        self.known[name] = value
        self.prove(
            f"{name}_is",
            said(name, value),
            term.names,
            opening,
            isinstance(value, fmpq),
        )
        return Term(name, value, (name,))

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
        self.say(f"Lemma {lemma} : {statement}.")
        self.say(f"Proof. {opening}{self._seen(names)}{closing}. Qed.")

    def _seen(self, names: Sequence[str]) -> str:
        """Names with a rational value are rewritten, the others become numbers within their bounds."""
        distinct = list(dict.fromkeys(names))
        exact = [n for n in distinct if isinstance(self.known[n], fmpq)]
        others = [n for n in distinct if n not in exact]
        rewritten = f"rewrite {', '.join(f'?{n}_is' for n in exact)}; " if exact else ""
        return rewritten + "".join(f"forget {n} {n}_is; " for n in others)

    def _settled(self, value: Number) -> Number:
        """A rational of moderate length as it is; else a ball a little wider than the value's."""
        if isinstance(value, fmpq) and value.height_bits() <= LONGEST:
            return value
        ball = arb(value)
        if not ball.is_finite():
            raise CannotFormalize(
                "a value is not enclosed by finite bounds; more bits may help."
            )
        with ctx.workprec(2 * self.bits):
            slack = ball.rad() * fmpq(5, 4) + abs(ball.mid()) * arb(2) ** -self.bits
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
        raise CannotFormalize("a value is too large or too small to be written out.")
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


def literal(q: fmpq) -> Term:
    """A rational number as a text."""
    text = _digits(abs(q.p)) if q.q == 1 else f"{_digits(abs(q.p))} / {_digits(q.q)}"
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
    return literal(ONE) if k == 0 else power if k > 0 else div(literal(ONE), power)


def total(terms: Sequence[Term]) -> Term:
    """The sum of terms."""
    result = literal(ZERO)
    for term in terms:
        result = add(result, term)
    return result
