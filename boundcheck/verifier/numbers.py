"""Numbers: exact rationals (fmpq) while they stay small, balls (arb) otherwise, and three-valued comparison.

A ball stands for one real number that is known to exist; anything indeterminate decides nothing.
"""

import re
from collections.abc import Iterable
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from .findings import demand, malformed
from .limits import HEIGHT, LONGEST_NUMBER

Number = fmpq | arb
Truth = bool | None

ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)
NAN = arb.nan()
_RATIONAL = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")


def integer(value: Any, low: int = 0, high: int = 10**15) -> int:
    """A JSON integer between low and high."""
    demand(
        type(value) is int and low <= value <= high,
        f"expected an integer from {low} to {high}",
    )
    return value


def rational(value: Any) -> fmpq:
    """An exact rational: "3" or "-7/2"."""
    if type(value) is int:
        value = str(integer(value, -(10**15)))
    demand(
        isinstance(value, str) and len(value) <= LONGEST_NUMBER,
        f"a number is a string of up to {LONGEST_NUMBER} digits",
    )
    match = _RATIONAL.fullmatch(value)
    if match is None:
        raise malformed(f"not an exact rational: {value[:40]!r}")
    p, q = fmpz(match[1]), fmpz(match[2] or 1)
    demand(q != 0, f"zero denominator: {value[:40]!r}")
    return fmpq(p, q)


def number(value: object) -> Number:
    """An exact rational, or the ball {"mid": ..., "rad": ...}."""
    if not isinstance(value, dict):
        return shorten(rational(value))
    demand(
        value.keys() == {"mid", "rad"},
        'a ball has exactly the keys "mid" and "rad"',
    )
    mid, rad = rational(value["mid"]), rational(value["rad"])
    demand(rad >= 0, "a radius is not negative")
    return arb(mid) + arb(rad) * arb(0, 1) if rad > 0 else shorten(mid)


def shorten(x: Number) -> Number:
    """Give up exactness when numerator or denominator is long."""
    return arb(x) if isinstance(x, fmpq) and x.height_bits() > HEIGHT else x


def common(items: Iterable[Number]) -> int:
    """Bits of the least common denominator of the rationals among them; HEIGHT + 1 beyond HEIGHT."""
    least = fmpz(1)
    for x in items:
        if isinstance(x, fmpq) and least % x.q != 0:
            least = least.lcm(x.q)
            if least.bit_length() > HEIGHT:
                return HEIGHT + 1
    return least.bit_length()


def finite(x: Number) -> bool:
    return isinstance(x, fmpq) or x.is_finite()


def lower(x: Number) -> Number:
    return x if isinstance(x, fmpq) else arb(x).lower()


def upper(x: Number) -> Number:
    return x if isinstance(x, fmpq) else arb(x).upper()


def hull(x: Number, y: Number) -> Number:
    """A ball that holds both numbers and all between."""
    return x if isinstance(x, fmpq) and x == y else arb(x).union(arb(y))


def whole(x: Number) -> int | None:
    """The integer that x certainly is, if any."""
    if isinstance(x, fmpq):
        return int(x.p) if x.q == 1 else None
    # A ball of positive radius holds numbers that are not whole, even where it holds one integer.
    unique = (
        arb(x).unique_fmpz() if arb(x).is_exact() and abs(x) < 2**64 else None
    )
    return None if unique is None else int(unique)


def add(x: Number, y: Number) -> Number:
    return shorten(x + y)


def sub(x: Number, y: Number) -> Number:
    return shorten(x - y)


def mul(x: Number, y: Number) -> Number:
    """Zero times a finite number is exactly zero, which keeps the zero pattern of matrices."""
    return _exact_zero(x * y)


def div(x: Number, y: Number) -> Number:
    """Indeterminate when y may be zero."""
    # A ball that holds 0 and other numbers makes an infinite one by itself; a rational 0 would raise.
    return NAN if y == 0 else _exact_zero(x / y)


def _exact_zero(x: Number) -> Number:
    # Of balls, x == 0 is true only of the ball that is the point 0; a product with it is 0, for the other factor is a
    # real number that exists, unless it is NAN, and then the product is NAN and no zero.
    return ZERO if x == 0 else shorten(x)


def lt(x: Number, y: Number) -> Truth:
    # Arb says x < y only if it is so for all numbers of both balls, and x >= y likewise: neither is the answer for balls
    # that overlap. What is not finite may stand for no number at all, so nothing follows from it.
    if not (finite(x) and finite(y)):
        return None
    return True if x < y else False if x >= y else None


def eq(x: Number, y: Number) -> Truth:
    if not (finite(x) and finite(y)):
        return None
    return True if x == y else False if x != y else None


def le(x: Number, y: Number) -> Truth:
    return negation(lt(y, x))


def ne(x: Number, y: Number) -> Truth:
    return negation(eq(x, y))


def negation(truth: Truth) -> Truth:
    return None if truth is None else not truth


def every(truths: Iterable[Truth]) -> Truth:
    """Kleene conjunction."""
    undecided = False
    for truth in truths:
        if truth is False:
            return False
        undecided |= truth is None
    return None if undecided else True


def maximum(x: Number, y: Number) -> Number:
    if le(y, x):
        return x
    return y if le(x, y) else arb(x).max(arb(y))


def minimum(x: Number, y: Number) -> Number:
    if le(x, y):
        return x
    return y if le(y, x) else arb(x).min(arb(y))


def ascending(items: list[Number]) -> list[Number]:
    """Order statistics: the k-th smallest lies between the k-th smallest lower and upper ends."""
    if all(isinstance(x, fmpq) for x in items):
        return sorted(items)  # pyright: ignore[reportArgumentType]
    if not all(finite(x) for x in items):
        return [NAN] * len(items)
    # The k-th smallest of numbers is monotone in each of them: it is least where all are at their lower ends, and
    # largest where all are at their upper ones.
    lows, highs = sorted(map(lower, items)), sorted(map(upper, items))  # pyright: ignore[reportArgumentType]
    return [hull(low, high) for low, high in zip(lows, highs, strict=True)]


def contrast(x: Number, y: Number) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to tell them apart; equal ones with few."""
    if eq(x, y) is True:
        return decimal(x), decimal(y)
    pair = ("?", "?")
    for digits in (8, 17, 40, 120):
        pair = decimal(x, digits), decimal(y, digits)
        if pair[0] != pair[1]:
            break
    return pair


def decimal(x: Number, digits: int = 8) -> str:
    # all digits of a fraction are right, whatever balls are computed with
    with ctx.workprec(max(ctx.prec, 4 * digits)):
        text = arb(x).mid().str(digits, radius=False)
    mantissa, mark, exponent = text.partition("e")
    return (
        (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa)
        + mark
        + exponent
    )
