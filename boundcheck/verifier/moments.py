"""Draws of known moments: degrees of what is made of them, and points and weights for means of polynomials.

A law is known here by E X^k, rational numbers. On the points of level i a rule of one variable is exact for
x^0, ..., x^c with c = i times the price of a level. The sum of products of differences of successive rules,
those whose c add up to at most T, is exact for all polynomials of total degree T: monomials are products of
powers of the variables.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, factorial
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_poly

from .arrays import Array
from .findings import demand, on_rationals, spend
from .limits import LARGEST, MOST_DEGREE
from .numbers import Number, integer, whole

Degree = int | None
"""As a polynomial in draws of known moments; None for what is not known to be one."""


@dataclass(frozen=True)
class Known:
    """A law: E X^k, and for its rules the price of a level and whether points lie on both sides of 0."""

    moment: Callable[[int], int | fmpq]
    price: int
    both: bool

    def points(self, level: int) -> list[int]:
        return list(range(-level if self.both else 0, level + 1))


def _gaussian(k: int) -> int:
    """(k - 1)!! for even k."""
    return 0 if k % 2 else comb(k, k // 2) * factorial(k // 2) // 2 ** (k // 2)


KNOWN = {
    "normal": Known(_gaussian, 2, True),
    "exponential": Known(factorial, 1, False),
    "uniform": Known(lambda k: fmpq(0 if k % 2 else 1, k + 1), 2, True),
}
"""The standard normal law, the exponential law of mean 1, the uniform law on [-1, 1]; of symmetric ones
an odd power more costs nothing."""


def degree_of(laws: Sequence[dict[str, Any]]) -> int:
    """The degree that draws of one group are given for; it must be one for all."""
    given = {integer(law["degree"], 0, MOST_DEGREE) for law in laws}
    demand(
        len(given) == 1, "draws of known moments have one degree in each group"
    )
    return given.pop()


def rule(
    names: Sequence[str], degree: int
) -> tuple[list[tuple[int, ...]], list[fmpq]]:
    """Points and weights for polynomials of that total degree in independent variables of the named laws."""
    points: list[tuple[tuple[int, ...], int]] = [((), degree)]
    for name in names:
        law = KNOWN[name]
        deeper = [
            (p, left, x)
            for p, left in points
            for x in law.points(left // law.price)
        ]
        points = [((*p, x), left - law.price * abs(x)) for p, left, x in deeper]
        spend(len(points) * (1 + len(names) / 20))
        demand(
            len(points) * len(names) <= LARGEST, f"more than {LARGEST} entries"
        )
    weights: dict[Any, fmpq] = {}
    found = []
    for p, _ in points:
        kind = frozenset(
            Counter(
                (name, abs(x)) for name, x in zip(names, p, strict=True)
            ).items()
        )
        if kind not in weights:
            weights[kind] = _weight(kind, degree)
        found.append(weights[kind])
    return [p for p, _ in points], found


def _weight(kind: frozenset[tuple[tuple[str, int], int]], degree: int) -> fmpq:
    """The coefficients up to the degree of the product of what each variable gives, by price."""
    product = fmpq_poly([1])
    for (name, x), times in sorted(kind):
        spend(times * degree**2 * 0.2)
        series = fmpq_poly(_differences(name, x, degree))
        for _ in range(times):
            product = fmpq_poly(list(product * series)[: degree + 1])
    return sum(product, fmpq(0))


def _differences(name: str, x: int, degree: int) -> list[fmpq]:
    """What the rule of each level adds at the point x to the rule of the level before, at its price."""
    law, found, before = KNOWN[name], [fmpq(0)] * (degree + 1), fmpq(0)
    for level in range(degree // law.price + 1):
        weight = _weights_of(law, level).get(x, fmpq(0))
        found[level * law.price], before = weight - before, weight
    return found


def _weights_of(law: Known, level: int) -> dict[int, fmpq]:
    """The weights on the points of a level, by as many moments as there are points."""
    points = law.points(level)
    n = len(points)
    spend(n**3 * (1 + on_rationals(10 * n)))
    powers = fmpq_mat(n, n, [fmpq(x**k) for k in range(n) for x in points])
    solved = powers.solve(
        fmpq_mat(n, 1, [fmpq(law.moment(k)) for k in range(n)])
    )
    return {x: solved[i, 0] for i, x in enumerate(points)}


def degree(
    op: str, degrees: Sequence[Degree], arrays: Sequence[Array], result: Array
) -> Degree:
    """The degree of what an operation makes of operands of these degrees."""
    if all(d == 0 for d in degrees):
        return 0
    first, *others = degrees
    # What follows rests on degrees alone: a polynomial of degree d in the draws has the mean that the rule gives it.
    if None in degrees or first is None:
        return None
    known = [d for d in degrees if d is not None]
    if op in ("neg", "add", "sub", "sum", "cumsum", "gather"):
        return max(known)
    if op in ("mul", "matmul"):
        return sum(known)
    if op == "div":
        # A quotient is a polynomial only where the divisor does not depend on the draws.
        return first if others == [0] else None
    if op == "pow":
        return _power(first, arrays[1].data) if others == [0] else None
    if op == "prod":
        return first * (len(arrays[0].data) // max(1, len(result.data)))
    return first * arrays[0].shape[-1] if op == "det" else None


def _power(base: int, exponents: Sequence[Number]) -> Degree:
    """Of a power whose exponents are certainly whole and not negative."""
    known = [y for x in exponents if (y := whole(x)) is not None and y >= 0]
    return base * max(known) if known and len(known) == len(exponents) else None
