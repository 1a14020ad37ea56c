"""Means of polynomials in independent draws of known moments: the verifier's points and weights, as floats.

Its rule on so many variables is exact up to a total degree (Smolyak 1963). Its points are few, whole numbers,
its weights rational; some are negative.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from boundcheck.tape import Tape
from boundcheck.verifier.arrays import Array
from boundcheck.verifier.moments import KNOWN, MOST_DEGREE, degree, rule

__all__ = [
    "KNOWN",
    "MOST_DEGREE",
    "Cubature",
    "count_points",
    "cubature",
    "degrees",
]


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
        for i in range(degree // law.price + 1):
            new = len(law.points(i)) - (len(law.points(i - 1)) if i else 0)
            ways[i * law.price :] += new * before[: degree + 1 - i * law.price]
    return int(ways.sum())


@lru_cache(maxsize=32)
def cubature(names: tuple[str, ...], degree: int) -> Cubature:
    """The rule for polynomials of this total degree in independent variables of the named laws."""
    points, exact = rule(names, degree)
    values = np.array(points, dtype=float).reshape(len(points), len(names))
    weights = np.array([int(w.p) / int(w.q) for w in exact])
    values.flags.writeable = weights.flags.writeable = False
    return Cubature(values, weights, float(np.abs(weights).sum()))


def degrees(tape: Tape, drawn: Collection[int]) -> list[int | None]:
    """For each node its degree as a polynomial in some drawn nodes; None where it is not known to be one."""
    found: list[int | None] = []
    for k, node in enumerate(tape.nodes):
        if node["op"] == "mean" or not node["args"]:
            found.append(int(k in drawn))
        else:
            *arrays, made = (_array(tape.values[j]) for j in (*node["args"], k))
            of = [found[j] for j in node["args"]]
            found.append(degree(node["op"], of, arrays, made))
    return found


def _array(x: np.ndarray) -> Array:
    return Array(x.shape, np.ravel(x).astype(float))  # type: ignore[arg-type]
