"""The recorded values: do the numbers that the engine wrote agree with the recomputed ones?"""

from math import isfinite
from typing import Any

from flint import arb

from .conclusions import Reading
from .findings import Outcome, Rejection, demand
from .numbers import Number

TOLERANCE = arb(10) ** -6


def check_values(values: Any, reading: Reading) -> None:
    """Raise Rejection unless lhs and rhs agree with one violated entry, and the probability too."""
    demand(isinstance(values, dict) and values.keys() <= {"lhs", "rhs", "probability"}, 'malformed "values"')
    sides = {side: _decimal(values[side]) for side in ("lhs", "rhs") if side in values}
    if sides and not any(_agree(sides, *pair) for pair in reading.pairs):
        raise Rejection(Outcome.VALUE_DIFFERS, "the recorded lhs and rhs differ from the recomputed ones")
    if "probability" in values and not _within(values["probability"], reading.probability):
        raise Rejection(Outcome.VALUE_DIFFERS, "the recorded probability differs from the recomputed one")


def _agree(sides: dict[str, arb], lhs: Number, rhs: Number) -> bool:
    """Relative to the larger side, for the other one may be zero."""
    slack = TOLERANCE * abs(arb(lhs)).max(abs(arb(rhs)))
    found = {"lhs": arb(lhs), "rhs": arb(rhs)}
    return all(abs(x - found[side].mid()) <= slack + found[side].rad() for side, x in sides.items())


def _within(recorded: object, probability: Number | None) -> bool:
    """Does the interval [low, high], or a single number, hold the midpoint?"""
    if probability is None:
        return False
    low, high = map(_decimal, recorded if isinstance(recorded, list) else [recorded, recorded])
    middle = arb(probability).mid()
    slack = TOLERANCE * middle + arb(probability).rad()
    return bool(low - slack <= middle) and bool(middle <= high + slack)


def _decimal(text: Any) -> arb:
    demand(isinstance(text, str) and len(text) <= 64, "a recorded value is a short decimal string")
    value = float(text)
    if not isfinite(value):
        raise Rejection(Outcome.VALUE_DIFFERS, "a recorded value is not finite")
    return arb(value)
