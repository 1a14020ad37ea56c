"""What a claim's body returns: a statement that always holds, holds with some probability, or on average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.hypotheses import Question
from boundcheck.quantities import Event, Mean, Quantity, as_quantity, averaged, evaluate, mean
from boundcheck.tape import decimal, value_of
from boundcheck.tape.traced import lift


@dataclass(frozen=True, eq=False)
class Inequality:
    """lhs <= rhs, lhs == rhs entrywise, or lhs <= rhs in the Loewner order; sides may contain expectations."""

    relation: str
    lhs: Any
    rhs: Any
    trivial: Any = None
    slope: Slope | None = None
    """What lhs is the slope of, if it is one."""

    @property
    def random(self) -> bool:
        return isinstance(self.lhs, Mean) or isinstance(self.rhs, Mean)


@dataclass(frozen=True, eq=False)
class Slope:
    """log values[k] against log sizes[k], fitted by least squares; the values may be expectations."""

    sizes: tuple[int, ...]
    values: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Chance:
    """P(event) >= bound or P(event) <= bound."""

    event: Event
    relation: str
    bound: Any


@dataclass(frozen=True, eq=False)
class All:
    """Several statements at once."""

    parts: tuple[Statement, ...]


Statement = Inequality | Chance | All


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


def rate(values: Mapping[int, Any], at_most: float, margin: float = 0.05) -> Inequality:
    """m(s) falls like s^at_most or faster: the least-squares slope of log m against log s over the sizes in `values`.

    The sizes are fixed in advance; `values[s]` is a number or an expectation. Finitely many sizes never prove a rate: what
    is judged is that the slope over them is at most `at_most + margin`. Sizes that span less than a factor 8 say nothing.
    """
    sizes = sorted(values)
    if len(sizes) < 3:
        raise NoStatement("gave a rate fewer than three sizes; three or more are needed for a slope.")
    x = [np.log(lift(s)) for s in sizes]
    centred = [entry - sum(x) / len(x) for entry in x]
    spread: Any = sum(entry * entry for entry in centred)
    slope: Any = sum(entry / spread * np.log(lift(values[s])) for entry, s in zip(centred, sizes, strict=True))
    trivial = -np.inf if sizes[-1] < 8 * sizes[0] else None
    return Inequality("at_most", slope, at_most + margin, trivial, Slope(tuple(sizes), tuple(values[s] for s in sizes)))


class NoStatement(Exception):
    """The body of a claim returned something that is not a statement."""


def as_statement(returned: Any) -> Statement:
    """What the body returned, as a statement. Raises NoStatement with advice."""
    if isinstance(returned, (Inequality, Chance, All)):
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


def parts_of(statement: Statement) -> list[Inequality | Chance]:
    """The atomic statements."""
    return [p for part in statement.parts for p in parts_of(part)] if isinstance(statement, All) else [statement]


def scaled(statement: Inequality | Chance, question: Question) -> Inequality | Chance:
    """The statement as a question has it: a factor on its bound or inside its event, or a number taken from its right-hand side."""
    factor = question.bound if question.bound == 1 else decimal(question.bound)
    if isinstance(statement, Chance):
        return _scaled_chance(statement, factor, question.event)
    if question.less:
        return _lessened(statement, decimal(question.less))
    if question.bound == 1:
        return statement
    if statement.relation == "equal":
        return Inequality("equal", (2 - factor) * statement.lhs, statement.rhs)
    rhs = factor * statement.rhs if statement.relation == "loewner" else lowered(statement.rhs, factor)
    return Inequality(statement.relation, statement.lhs, rhs, statement.trivial, statement.slope)


def _scaled_chance(statement: Chance, factor: Any, event: float) -> Chance:
    rarer = statement.relation == "ge"
    moved = statement.event if event == 1 else tightened(statement.event, decimal(event), rarer)
    bound = statement.bound
    if not (isinstance(factor, float) and factor == 1):
        bound = 1 - factor * (1 - bound) if rarer else factor * bound
    return Chance(moved, statement.relation, bound)


def _lessened(statement: Inequality, less: Any) -> Inequality:
    """So much less on the right; in the order of matrices, less on the diagonal."""
    if statement.relation == "loewner":
        less = less * np.eye(max(np.shape(statement.lhs) + np.shape(statement.rhs)), dtype=int)
    return Inequality(statement.relation, statement.lhs, statement.rhs - less, statement.trivial, statement.slope)


def lowered(x: Any, factor: Any) -> Any:
    """The entries of x times a factor below 1, those below 0 times 2 - factor: a bound that asks for more. Above 1, for less."""
    if isinstance(x, Mean):
        return Mean(lambda averager: lowered(averaged(x, averager), factor))
    if np.all(value_of(x) >= 0):
        return factor * x
    if np.all(value_of(x) <= 0):
        return (2 - factor) * x
    return factor * np.maximum(x, 0) + (2 - factor) * np.minimum(x, 0)


def tightened(event: Event, factor: Any, rarer: bool) -> Event:
    """The event with the thresholds of its comparisons moved by a factor below 1, so that it is rarer, or more frequent."""
    if event.relation in ("and", "or"):
        return Event(event.relation, tuple(tightened(e, factor, rarer) for e in event.operands))
    if event.relation == "not":
        return Event("not", (tightened(event.operands[0], factor, not rarer),))
    k = threshold_of(event)
    if k is None:
        return event
    upper = (k == 1) == (event.relation in ("le", "lt"))
    moved = list(event.operands)
    moved[k] = _moved(moved[k], factor if rarer == upper else 2 - factor)
    return Event(event.relation, tuple(moved))


def threshold_of(event: Event) -> int | None:
    """The operand that is the threshold of a comparison: the one without randomness, else the larger side."""
    if event.relation not in ("le", "lt", "ge", "gt"):
        return None
    left, right = event.operands
    if left.random != right.random:
        return 1 if left.random else 0
    return 1 if event.relation in ("le", "lt") else 0


def _moved(x: Quantity, factor: Any) -> Quantity:
    if not x.random and x.low is not None and x.low is x.high:
        return as_quantity(lowered(x.low, factor))
    return Quantity(lambda world: lowered(evaluate(x, world), factor), random=x.random)


__all__ = [
    "All",
    "Chance",
    "E",
    "Inequality",
    "NoStatement",
    "P",
    "Probability",
    "as_quantity",
    "as_statement",
    "at_most",
    "both",
    "equal",
    "loewner",
]
