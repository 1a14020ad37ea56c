"""What a claim's body returns: a statement that always holds, holds with some probability, or on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.quantities import Event, Mean, as_quantity, mean


@dataclass(frozen=True, eq=False)
class Inequality:
    """lhs <= rhs, lhs == rhs entrywise, or lhs <= rhs in the Loewner order; sides may contain expectations."""

    relation: str
    lhs: Any
    rhs: Any
    trivial: Any = None

    @property
    def random(self) -> bool:
        return isinstance(self.lhs, Mean) or isinstance(self.rhs, Mean)


@dataclass(frozen=True, eq=False)
class Chance:
    """P(event) >= bound or P(event) <= bound."""

    event: Event
    relation: str
    bound: Any


@dataclass(frozen=True, eq=False)
class Rate:
    """log m(s) falls at least (or exactly) like exponent * log s over a grid fixed in advance."""

    grid: tuple[int, ...]
    quantities: tuple[Any, ...]
    exponent: float
    relation: str


@dataclass(frozen=True, eq=False)
class All:
    """Several statements at once."""

    parts: tuple[Statement, ...]


Statement = Inequality | Chance | Rate | All


@dataclass(frozen=True, eq=False)
class Probability:
    """The probability of an event, waiting for its bound."""

    event: Event

    def __ge__(self, bound: Any) -> Chance:
        return Chance(self.event, "ge", bound)

    def __le__(self, bound: Any) -> Chance:
        return Chance(self.event, "le", bound)

    def __eq__(self, bound: Any) -> All:  # type: ignore[override]
        return All((self >= bound, self <= bound))

    __gt__, __lt__ = __ge__, __le__
    __hash__ = object.__hash__

    def __rsub__(self, one: Any) -> Probability:
        if one != 1:
            raise TypeError("Write P(~event), or 1 - P(event).")
        return Probability(~self.event)


def P(event: Event) -> Probability:
    """The probability of an event: `P(q <= eps) >= 1 - delta`."""
    if not isinstance(event, Event):
        raise TypeError("P takes an event: a comparison with a random quantity, as in P(q <= eps).")
    return Probability(event)


def E(q: Any) -> Mean:
    """The expectation of a quantity; `E(q) <= b`, `equal(E(q), m)`, `loewner(E(M), B)`, or inside an expression."""
    return mean(q)


def _at_most(self: Mean, rhs: Any) -> Inequality:
    return at_most(self, rhs)


def _at_least(self: Mean, rhs: Any) -> Inequality:
    return at_most(rhs, self)


def _equal(self: Mean, rhs: Any) -> Inequality:
    return equal(self, rhs)


for _name, _method in {"__le__": _at_most, "__lt__": _at_most, "__ge__": _at_least, "__gt__": _at_least, "__eq__": _equal}.items():
    setattr(Mean, _name, _method)


def at_most(lhs: Any, rhs: Any, trivial: Any = None) -> Inequality:
    """lhs <= rhs, entrywise. `trivial` is a bound that needs no theorem: rhs above it says nothing."""
    return Inequality("at_most", lhs, rhs, trivial)


def equal(lhs: Any, rhs: Any) -> Inequality:
    """lhs == rhs, entrywise."""
    return Inequality("equal", lhs, rhs)


def loewner(A: Any, B: Any) -> Inequality:
    """A <= B in the order of symmetric matrices: B - A is positive semidefinite."""
    return Inequality("loewner", A, B)


def both(*parts: Any) -> All:
    """Several statements at once; also what returning a tuple means."""
    return All(tuple(as_statement(part) for part in parts))


class NoStatement(Exception):
    """The body of a claim returned something that is not a statement."""


def as_statement(returned: Any) -> Statement:
    """What the body returned, as a statement. Raises NoStatement with advice."""
    if isinstance(returned, (Inequality, Chance, Rate, All)):
        return returned
    if isinstance(returned, (tuple, list)) and returned:
        return both(*returned)
    if returned is None:
        raise NoStatement("returned nothing; end the body with `return` and a statement such as at_most(lhs, rhs).")
    if isinstance(returned, Event):
        raise NoStatement("returned an event; say how likely it is: P(event) >= 1 - delta.")
    if isinstance(returned, (bool, np.bool_)) or type(returned).__name__ == "Truth":
        raise NoStatement("returned a plain comparison; return at_most(lhs, rhs) or equal(lhs, rhs) so that both sides are kept.")
    raise NoStatement(f"returned a {type(returned).__name__}; return at_most, equal, loewner, P(...) >= ..., or E(...) <= ...")


__all__ = ["All", "Chance", "E", "Inequality", "NoStatement", "P", "Probability", "Rate", "as_quantity", "as_statement", "at_most", "both", "equal", "loewner"]
