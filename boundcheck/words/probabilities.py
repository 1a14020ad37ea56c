"""P and E as a body writes them: comparing them gives statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from boundcheck.laws.means import Mean, mean
from boundcheck.laws.quantities import Event, Quantity, indicator
from boundcheck.laws.undecided import Undecided
from boundcheck.tape import value_of
from boundcheck.words.statements import All, Chance, Inequality, equal, ordered


@dataclass(frozen=True, eq=False)
class Probability(Undecided):
    """The probability of an event, waiting for its bound: a number, or another probability or expectation."""

    event: Event

    truth = "A probability has no truth value; compare it in the statement that you return, or in assume(...)."
    entries = "A probability is not run through."
    number = "A probability is no number before the statement is judged; write E(indicator(event)) to calculate with it."
    __array_ufunc__ = None

    def as_mean(self) -> Mean:
        return mean(indicator(self.event))

    def __ge__(self, bound: Any) -> Chance | Inequality:
        return _likely(self, "ge", bound)

    def __le__(self, bound: Any) -> Chance | Inequality:
        return _likely(self, "le", bound)

    def __gt__(self, bound: Any) -> Chance | Inequality:
        return _likely(self, "ge", bound, strict=True)

    def __lt__(self, bound: Any) -> Chance | Inequality:
        return _likely(self, "le", bound, strict=True)

    def __eq__(self, bound: Any) -> All:  # type: ignore[override]
        return All((self >= bound, self <= bound))

    def __ne__(self, bound: Any) -> NoReturn:  # type: ignore[override]
        raise TypeError("Numbers that are not equal can be as near as one likes; state P(event) < b or P(event) > b.")

    __hash__ = object.__hash__

    def __rsub__(self, one: Any) -> Probability:
        if isinstance(one, (Probability, Mean)) or np.ndim(value_of(one)) or value_of(one) != 1:
            return self._calculated()
        return Probability(~self.event)

    def _calculated(self, *_: Any) -> NoReturn:
        raise TypeError("Probabilities are not calculated with, except for 1 - P(event); write E(indicator(event)), which is P(event).")

    __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = _calculated


def _likely(p: Probability, relation: str, bound: Any, strict: bool = False) -> Chance | Inequality:
    """P(event) against a bound. One that no probability reaches says that it lies in [0, 1], which is false."""
    if isinstance(bound, (Probability, Mean)):
        return ordered(relation, p, bound, strict)
    plain = value_of(bound)
    if isinstance(plain, (Undecided, str, complex)) or plain is None or np.ndim(plain):
        raise TypeError("P(event) is compared with one real number, or with another P or E.")
    end, edge = (1, float(plain) - 1) if relation == "ge" else (0, -float(plain))
    if edge > 0 or (strict and edge == 0 and isinstance(plain, int)):
        return ordered(relation, end, bound, strict)
    return Chance(p.event, relation, bound, strict)


def P(event: Any) -> Probability:
    """The probability of an event: `P(q <= eps) >= 1 - delta`."""
    if not isinstance(event, Event):
        raise TypeError("P takes an event: a comparison with a random quantity, as in P(q <= eps).")
    return Probability(event)


def E(q: Any) -> Mean:
    """The expectation of a quantity; `E(q) <= b`, `equal(E(q), m)`, `loewner(E(M), B)`, or inside an expression."""
    return mean(q)


def _comparison(relation: str, strict: bool) -> Any:
    def compare(self: Mean, other: Any) -> Inequality:
        return NotImplemented if isinstance(other, (Quantity, Event)) else ordered(relation, self, other, strict)

    return compare


def _equal(self: Mean, rhs: Any) -> Inequality:
    return NotImplemented if isinstance(rhs, (Quantity, Event)) else equal(self, rhs)


def _unequal(self: Mean, rhs: Any) -> Any:
    if isinstance(rhs, (Quantity, Event)):
        return NotImplemented
    raise TypeError("Numbers that are not equal can be as near as one likes; state E(q) < b or E(q) > b.")


for _name, _relation in {"__le__": "le", "__lt__": "le", "__ge__": "ge", "__gt__": "ge"}.items():
    setattr(Mean, _name, _comparison(_relation, _name in ("__lt__", "__gt__")))
Mean.__eq__, Mean.__ne__ = _equal, _unequal  # type: ignore[method-assign,assignment]
