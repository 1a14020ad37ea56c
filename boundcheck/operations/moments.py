"""Means of polynomials in independent draws of known moments: points and weights that give them, and degrees.

In one variable the rule on the points of level i is exact for x^0, ..., x^c, c the cost of the level. The sum
of products of differences of successive rules whose costs add up to at most T (Smolyak 1963) is exact for
polynomials of total degree T. Its points are few, whole numbers, its weights rational; some are negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod
from typing import Any

import numpy as np

from boundcheck.tape import Tape

MOST_DEGREE = 24
"""Of a polynomial; the weights of higher ones cancel too much."""


@dataclass(frozen=True)
class _Moments:
    """A law by its moments and rules: level i has the points `points(i)`, exact up to degree i * `cost`."""

    moment: Callable[[int], int | Fraction]
    cost: int
    points: Callable[[int], Sequence[int]]


KNOWN = {
    "normal": _Moments(
        lambda k: (k + 1) % 2 * prod(range(1, k, 2)), 2, lambda i: range(-i, i + 1)
    ),
    "exponential": _Moments(factorial, 1, lambda i: range(i + 1)),
    "uniform": _Moments(
        lambda k: Fraction((k + 1) % 2, k + 1), 2, lambda i: range(-i, i + 1)
    ),
}
"""Standard laws whose draws may be made exact, the uniform one on [-1, 1]; the verifier has its own table."""


@dataclass(frozen=True)
class Cubature:
    """Points (count x variables) and the weights of a rule; `mass` is the sum of the absolute weights."""

    points: np.ndarray
    weights: np.ndarray
    mass: float


def count_points(names: tuple[str, ...], degree: int) -> int:
    """How many points the rule has: those whose levels together cost no more than the degree."""
    ways = np.zeros(degree + 1)
    ways[0] = 1
    for name in names:
        law, before, ways = KNOWN[name], ways, np.zeros(degree + 1)
        for i in range(degree // law.cost + 1):
            new = len(law.points(i)) - (len(law.points(i - 1)) if i else 0)
            ways[i * law.cost :] += new * before[: degree + 1 - i * law.cost]
    return int(ways.sum())


@lru_cache(maxsize=32)
def cubature(names: tuple[str, ...], degree: int) -> Cubature:
    """The rule for polynomials of this total degree in independent variables of the named laws."""
    points: list[tuple[tuple[int, int], ...]] = [()]
    costs = [0]
    for k, name in enumerate(names):
        law = KNOWN[name]
        grown = [
            ((*point, (k, x)) if x else point, cost + law.cost * abs(x))
            for point, cost in zip(points, costs, strict=True)
            for x in law.points((degree - cost) // law.cost)
        ]
        points, costs = [point for point, _ in grown], [cost for _, cost in grown]
    values = np.zeros((len(points), len(names)))
    known: dict[Any, float] = {}
    weights = np.zeros(len(points))
    for row, point in enumerate(points):
        for k, x in point:
            values[row, k] = x
        key = tuple(sorted((names[k], abs(x)) for k, x in point))
        if key not in known:
            known[key] = float(_weight(key, names, degree))
        weights[row] = known[key]
    values.flags.writeable = weights.flags.writeable = False
    return Cubature(values, weights, float(np.abs(weights).sum()))


def _weight(
    moved: tuple[tuple[str, int], ...], names: tuple[str, ...], degree: int
) -> Fraction:
    """The weight of a point by its coordinates that are not 0: a sum over all levels not too dear."""
    total = [Fraction(1)] + [Fraction(0)] * degree
    still = [
        (name, 0)
        for name in (Counter(names) - Counter(name for name, _ in moved)).elements()
    ]
    for name, x in (*moved, *still):
        total = _product(total, _differences(name, x, degree))
    return sum(total, Fraction(0))


def _product(left: Sequence[Fraction], right: Sequence[Fraction]) -> list[Fraction]:
    """Of two polynomials in the cost, cut at the same degree."""
    return [
        sum((left[j] * right[k - j] for j in range(k + 1)), Fraction(0))
        for k in range(len(left))
    ]


@lru_cache(maxsize=256)
def _differences(name: str, x: int, degree: int) -> tuple[Fraction, ...]:
    """By cost, what the rule of each level gives the point x more than the rule of the level before."""
    law, result, before = KNOWN[name], [Fraction(0)] * (degree + 1), Fraction(0)
    for i in range(degree // law.cost + 1):
        weight = _lagrange(law, tuple(law.points(i)), x)
        result[i * law.cost], before = weight - before, weight
    return tuple(result)


def _lagrange(law: _Moments, points: tuple[int, ...], x: int) -> Fraction:
    """The mean of the polynomial that is 1 at x and 0 at the other points; 0 where x is none of them."""
    if x not in points:
        return Fraction(0)
    others = [y for y in points if y != x]
    coefficients = [Fraction(1)]
    for y in others:
        shifted, same = [Fraction(0), *coefficients], [*coefficients, Fraction(0)]
        coefficients = [a - y * b for a, b in zip(shifted, same, strict=True)]
    mean = sum((c * law.moment(k) for k, c in enumerate(coefficients)), Fraction(0))
    return mean / prod(x - y for y in others)


def degrees(tape: Tape, drawn: Collection[int]) -> list[int | None]:
    """For each node its degree as a polynomial in some drawn nodes; None where it is not known to be one."""
    found: list[int | None] = []
    for k, node in enumerate(tape.nodes):
        args = [found[j] for j in node["args"]]
        if node["op"] == "mean" or not any(d != 0 for d in args):
            found.append(1 if k in drawn else 0)
        elif None in args or node["op"] not in DEGREES:
            found.append(None)
        else:
            found.append(
                DEGREES[node["op"]](
                    args, [tape.values[j] for j in node["args"]], tape.values[k]
                )
            )
    return found


def _of_power(degree: list[Any], values: list[np.ndarray], _: np.ndarray) -> int | None:
    exponent = np.asarray(values[1], dtype=float)
    whole = (
        degree[1] == 0
        and exponent.size > 0
        and np.all((exponent >= 0) & (exponent == np.rint(exponent)))
    )
    return (
        int(degree[0] * exponent.max())
        if whole and exponent.max() <= MOST_DEGREE
        else None
    )


def _of_prod(degree: list[Any], values: list[np.ndarray], value: np.ndarray) -> int:
    return degree[0] * (values[0].size // max(value.size, 1))


DEGREES: dict[str, Callable[[list[Any], list[np.ndarray], np.ndarray], int | None]] = {
    **dict.fromkeys(
        ("neg", "add", "sub", "sum", "cumsum", "gather"), lambda degree, *_: max(degree)
    ),
    **dict.fromkeys(("mul", "matmul"), lambda degree, *_: sum(degree)),
    "div": lambda degree, *_: degree[0] if degree[1] == 0 else None,
    "pow": _of_power,
    "prod": _of_prod,
    "det": lambda degree, values, _: degree[0] * values[0].shape[-1],
}
"""The degree of a result from those of its operands."""
