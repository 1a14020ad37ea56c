"""Elementary functions that read the same on floats, traced numbers, quantities and expectations."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from boundcheck.tape.traced import lift
from boundcheck.words.hypotheses import log_taken

pi = math.pi


def log(x: Any) -> Any:
    """Natural logarithm; the one that mutation may drop."""
    return log_taken(np.log(lift(x)))


def sqrt(x: Any) -> Any:
    return np.sqrt(lift(x))


def exp(x: Any) -> Any:
    return np.exp(lift(x))


def ceil(x: Any) -> Any:
    return np.ceil(lift(x))


def floor(x: Any) -> Any:
    return np.floor(lift(x))


def cos(x: Any) -> Any:
    return np.cos(lift(x))


def sin(x: Any) -> Any:
    return np.sin(lift(x))


def arcsin(x: Any) -> Any:
    return np.arcsin(lift(x))


def sign(x: Any) -> Any:
    return np.sign(lift(x))


def maximum(x: Any, y: Any) -> Any:
    return np.maximum(lift(x), y)


def minimum(x: Any, y: Any) -> Any:
    return np.minimum(lift(x), y)


def largest(values: Iterable[Any]) -> Any:
    """The largest of several numbers, arrays (entrywise), quantities (in each trial) or expectations: a maximum over a finite class."""
    return reduce(maximum, _some(values))


def smallest(values: Iterable[Any]) -> Any:
    """The smallest of several."""
    return reduce(minimum, _some(values))


def _some(values: Iterable[Any]) -> list[Any]:
    several = list(values)
    if not several:
        raise ValueError("The largest or smallest of no values does not exist; give one or more.")
    return several


def erf(x: Any) -> Any:
    from scipy import special

    return special.erf(lift(x))


def gammaln(x: Any) -> Any:
    from scipy import special

    return special.gammaln(lift(x))
