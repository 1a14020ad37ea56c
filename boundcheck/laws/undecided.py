"""What is undecided until it is judged, and what its comparisons are called and mean."""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from boundcheck.tape import value_of


class Undecided:
    """It has no truth value, no length and no number, and is not run through.

    Python asks for a truth value in `if`, `and`, `max`, `sorted`, a <= b <= c, and for entries in `sum`, `for`.

    All of these end in a sentence of the class on what to write: `truth` where a truth value, `entries`
    where entries, and `number` where a number is asked for.
    """

    truth: str
    entries: str
    number: str

    def __bool__(self) -> NoReturn:
        raise TypeError(self.truth)

    def __iter__(self) -> NoReturn:
        raise TypeError(self.entries)

    def __len__(self) -> NoReturn:
        raise TypeError(self.entries)

    def __contains__(self, _: object) -> NoReturn:
        raise TypeError(self.entries)

    def __float__(self) -> NoReturn:
        raise TypeError(self.number)

    def __int__(self) -> NoReturn:
        raise TypeError(self.number)

    def __index__(self) -> NoReturn:
        raise TypeError(self.number)

    def __complex__(self) -> NoReturn:
        raise TypeError(self.number)


RELATIONS = {"less_equal": "le", "less": "lt", "greater_equal": "ge", "greater": "gt", "equal": "eq", "not_equal": "ne"}
"""NumPy's names of comparisons, and ours."""

NEGATED = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le", "eq": "ne", "ne": "eq"}
COMPARE = {"le": operator.le, "lt": operator.lt, "ge": operator.ge, "gt": operator.gt, "eq": operator.eq, "ne": operator.ne}


class NoOrder(ValueError):
    """An order of complex numbers: a mistake in the claim."""


def comparable(relation: str, sides: list[Any]) -> list[Any]:
    """Both sides as real numbers: complex ones are equal in both parts, and have no order (NoOrder)."""
    if not any(is_complex(x) for x in sides):
        return sides
    if relation != "eq":
        raise NoOrder("complex numbers have no order: compare np.abs(z), np.real(z) or np.imag(z); for != write ~(z == w).")
    return [parts(x) for x in np.broadcast_arrays(*sides)]


def is_complex(x: object) -> bool:
    """Whether the entries are complex numbers by their type."""
    return np.asarray(value_of(x)).dtype.kind == "c"


def parts(z: Any) -> np.ndarray:
    """Real and imaginary parts along a new last axis."""
    return np.stack([np.real(z), np.imag(z)], axis=-1)
