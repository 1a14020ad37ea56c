"""Elementary functions that read the same on floats, traced numbers, quantities and expectations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np
from scipy import special

from boundcheck.operations.operation import written
from boundcheck.tape import Operand
from boundcheck.tape.traced import lift
from boundcheck.words.hypotheses import log_taken

pi = math.pi


def log(x: Operand) -> Any:
    """Natural logarithm; the one that mutation may drop."""
    return log_taken(np.log(lift(x)))


def sqrt(x: Operand) -> Any:
    """Square root."""
    return np.sqrt(lift(x))


def exp(x: Operand) -> Any:
    """Exponential function."""
    return np.exp(lift(x))


@written("⌈#⌉")
def ceil(x: Operand) -> Any:
    """The least whole number that is not below x."""
    return np.ceil(lift(x))


@written("⌊#⌋")
def floor(x: Operand) -> Any:
    """The largest whole number that is not above x."""
    return np.floor(lift(x))


def cos(x: Operand) -> Any:
    """Cosine."""
    return np.cos(lift(x))


def sin(x: Operand) -> Any:
    """Sine."""
    return np.sin(lift(x))


def arcsin(x: Operand) -> Any:
    """Inverse sine."""
    return np.arcsin(lift(x))


def sign(x: Operand) -> Any:
    """-1, 0 or 1."""
    return np.sign(lift(x))


@written("max")
def maximum(x: Operand, y: Any) -> Any:
    """The larger of two, entry by entry."""
    return np.maximum(lift(x), y)


@written("min")
def minimum(x: Operand, y: Any) -> Any:
    """The smaller of two, entry by entry."""
    return np.minimum(lift(x), y)


def largest(values: Iterable[Operand]) -> Any:
    """The largest of several numbers, arrays (entrywise), quantities (in each trial) or expectations: a maximum over a finite class."""
    return reduce(maximum, _some(values))


def smallest(values: Iterable[Operand]) -> Any:
    """The smallest of several."""
    return reduce(minimum, _some(values))


def _some(values: Iterable[Operand]) -> list[Operand]:
    several = list(values)
    if not several:
        raise ValueError("The largest or smallest of no values does not exist; give one or more.")
    return several


def erf(x: Operand) -> Any:
    """Error function."""
    return special.erf(lift(x))


@written("log Γ")
def gammaln(x: Operand) -> Any:
    """Logarithm of the absolute value of the gamma function."""
    return special.gammaln(lift(x))
