"""What a claim's body returns: a statement that always holds, holds with some probability, or on average."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boundcheck.laws.means import Mean, mean
from boundcheck.laws.quantities import Event, Quantity, indicator
from boundcheck.laws.undecided import Undecided
from boundcheck.tape import value_of
from boundcheck.words.supposed import suppose


class Stated(Undecided):
    """A statement: it is returned, joined or assumed, and has no truth value of its own."""

    truth = (
        "A statement has no truth value: join statements by both(...) or a tuple, split a <= E(q) <= b into two, write maximum"
        " and minimum for max and min, np.where for a branch, and assume(...) for a hypothesis."
    )
    entries = "A statement is not run through; join statements by both(...) or a tuple."
    number = "A statement is no number; use its sides."

    def __eq__(self, other: object) -> bool:
        return self is other or super().__bool__()

    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False)
class Inequality(Stated):
    """lhs <= rhs, lhs == rhs entrywise, or lhs <= rhs in the Loewner order; sides may contain expectations.

    If it is `strict`, lhs <= rhs stands for lhs < rhs.
    """

    relation: str
    lhs: Any
    rhs: Any
    trivial: Any = None
    slope: Slope | None = None
    """What lhs is the slope of, if it is one."""
    strict: bool = False

    @property
    def random(self) -> bool:
        return isinstance(self.lhs, Mean) or isinstance(self.rhs, Mean)

    @property
    def sign(self) -> str:
        """The relation as certificates call it."""
        return "less" if self.strict else self.relation

    def sampled(self) -> Inequality:
        """The statement that trials decide: a slope gets its margin."""
        return self if self.slope is None else replace(self, rhs=self.rhs + self.slope.margin)

    def assumed(self) -> None:
        suppose(self.sign, self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class Slope:
    """log values[k] against log sizes[k], fitted by least squares; the values may be expectations.

    `margin` is added to the bound where the expectations are sampled.
    """

    sizes: tuple[int, ...]
    values: tuple[Any, ...]
    margin: float = 0.0

    def __str__(self) -> str:
        return f"the slope over the sizes {', '.join(map(str, self.sizes))}"


@dataclass(frozen=True, eq=False)
class Chance(Stated):
    """P(event) >= bound or P(event) <= bound; if it is `strict`, > or <."""

    event: Event
    relation: str
    bound: Any
    strict: bool = False

    @property
    def sign(self) -> str:
        """The relation as certificates call it."""
        return {"ge": "gt", "le": "lt"}[self.relation] if self.strict else self.relation

    def assumed(self) -> None:
        ordered(self.relation, mean(indicator(self.event)), self.bound, self.strict).assumed()


@dataclass(frozen=True, eq=False)
class All(Stated):
    """Several statements at once."""

    parts: tuple[Statement, ...]

    def assumed(self) -> None:
        for part in self.parts:
            part.assumed()


Statement = Inequality | Chance | All


def ordered(relation: str, left: Any, right: Any, strict: bool) -> Inequality:
    """left >= right or left <= right, or > or <."""
    lhs, rhs = (right, left) if relation == "ge" else (left, right)
    return Inequality("at_most", side(lhs), side(rhs), strict=strict)


def at_most(lhs: Any, rhs: Any, trivial: Any = None) -> Inequality:
    """lhs <= rhs, entrywise. `trivial` is a bound that needs no theorem: rhs above it says nothing."""
    return Inequality("at_most", side(lhs), side(rhs), trivial)


def less(lhs: Any, rhs: Any) -> Inequality:
    """lhs < rhs, entrywise."""
    return Inequality("at_most", side(lhs), side(rhs), strict=True)


def equal(lhs: Any, rhs: Any) -> Inequality:
    """lhs == rhs, entrywise; complex numbers in both parts."""
    return Inequality("equal", side(lhs), side(rhs))


def loewner(A: Any, B: Any) -> Inequality:
    """A <= B in the order of symmetric matrices: B - A is positive semidefinite. A side may be 0."""
    A, B = side(A), side(B)
    return Inequality("loewner", _matrix(A, B), _matrix(B, A))


def side(x: Any) -> Any:
    """A side of a statement: numbers, or expectations. Raises TypeError for what is random or no number."""
    x = x.as_mean() if hasattr(x, "as_mean") else x
    if isinstance(x, (Quantity, Event)):
        raise TypeError("A side of a statement is random; write P(x <= y) >= 1 - delta, or its expectation E(x).")
    if x is None or isinstance(x, (str, Stated)):
        raise TypeError(f"A side of a statement is a number, an array or an expectation; it was given a {type(x).__name__}.")
    return x


def _matrix(x: Any, other: Any) -> Any:
    """A square matrix; the number 0 is a matrix as well."""
    shape = getattr(value_of(x), "shape", () if isinstance(x, (int, float)) else None)
    if shape == () and value_of(x) == 0 and getattr(value_of(other), "shape", (1,)) != ():
        return 0 * other
    if isinstance(x, Mean) or shape is None or (len(shape) == 2 and shape[0] == shape[1]):
        return x
    raise TypeError(f"loewner compares square matrices, not an array of shape {shape}; write c * np.eye(n) for a number c.")


def both(*parts: Any) -> All:
    """Several statements at once; also what returning a tuple means."""
    return All(tuple(as_statement(part) for part in parts))


NOTHING = Inequality("at_most", np.zeros(0), np.zeros(0))
"""A statement about no entries: what is said where a tuple of statements is empty."""


@dataclass(frozen=True, eq=False)
class MeanForm:
    """E(quantity) <= bound ("le") or >= bound ("ge"), all scalar, with the range of the quantity if it is known."""

    quantity: Quantity
    relation: str
    bound: Any

    @property
    def low(self) -> Any:
        return self.quantity.low

    @property
    def high(self) -> Any:
        return self.quantity.high


def mean_form(statement: Inequality) -> MeanForm | None:
    """The statement as a bound on the expectation of one scalar quantity, if it is that."""
    for side, other, relation in ((statement.lhs, statement.rhs, "le"), (statement.rhs, statement.lhs, "ge")):
        if isinstance(side, Mean) and side.of is not None and statement.relation == "at_most":
            if not isinstance(other, Mean) and np.ndim(other) == 0:
                return MeanForm(side.of, relation, other)
    return None


class NoStatement(Exception):
    """The body of a claim returned something that is not a statement."""


def as_statement(returned: Any) -> Statement:
    """What the body returned, as a statement. Raises NoStatement with advice."""
    if isinstance(returned, (Inequality, Chance, All)):
        return returned
    if isinstance(returned, (tuple, list)):
        return both(*returned)
    if returned is None:
        raise NoStatement("returned nothing; end the body with `return` and a statement such as at_most(lhs, rhs).")
    if isinstance(returned, Event):
        raise NoStatement("returned an event; say how likely it is: P(event) >= 1 - delta.")
    if isinstance(returned, (bool, np.bool_)) or type(returned).__name__ == "Truth":
        raise NoStatement("returned a plain comparison; return at_most(lhs, rhs) or equal(lhs, rhs) so that both sides are kept.")
    raise NoStatement(f"returned a {type(returned).__name__}; return at_most, equal, loewner, P(...) >= ..., or E(...) <= ...")


def parts_of(statement: Statement) -> list[Inequality | Chance]:
    """The atomic statements, at least one."""
    if not isinstance(statement, All):
        return [statement]
    return [p for part in statement.parts for p in parts_of(part)] or [NOTHING]
