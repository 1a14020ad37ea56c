"""Statements as hypotheses: decided exactly, and recorded where a program is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.laws import NotFinite, TooLarge
from boundcheck.laws.comparing import COMPARE, is_complex
from boundcheck.laws.means import averaged
from boundcheck.laws.worlds import ExactAverage, TracedAverage
from boundcheck.tape import Tape, Traced, active_tape, constant
from boundcheck.words.hypotheses import OutOfReach, Unsatisfied

SAMPLED = (
    "A hypothesis about P or E has to be decided exactly, and this law would have to be sampled:"
    " draw from finite laws, or state the hypothesis in the parameters of the law."
)
ORDER = "Complex numbers have no order; assume it of np.abs(z), np.real(z) or np.imag(z)."

HYPOTHESES = 10**6
"""Groups of draws from here on belong to hypotheses; the conclusion has the first ones."""

RELATIONS = {"at_most": "le", "less": "lt", "equal": "eq"}


def suppose(sign: str, lhs: Any, rhs: Any) -> None:
    """The hypothesis lhs <= rhs, < or ==, or the Loewner order.

    Raises Unsatisfied where it fails, is not a number, or a law does not exist; OutOfReach where a law is too large to
    enumerate; TypeError where it would have to be sampled, and for an order of complex numbers.
    """
    tape = active_tape()
    average: Any = ExactAverage() if tape is None else TracedAverage(tape, HYPOTHESES + len(tape.laws))
    try:
        left, right = (averaged(x, average) for x in (lhs, rhs))
    except TooLarge as error:
        raise OutOfReach(str(error)) from error
    except NotFinite as error:
        if isinstance(error.__cause__, (ValueError, ArithmeticError)):  # there is no such law on this instance
            raise Unsatisfied from error
        raise TypeError(SAMPLED) from error
    if sign != "equal" and (is_complex(left) or is_complex(right)):
        raise TypeError(ORDER)
    decide: Callable[..., bool] = _loewner if sign == "loewner" else _entrywise
    left, right = (np.asarray(x) if tape is None else constant(tape, x) for x in (left, right))
    if not decide(tape, RELATIONS.get(sign, sign), left, right):
        raise Unsatisfied


def _entrywise(tape: Tape | None, relation: str, left: Any, right: Any) -> bool:
    if tape is None:
        return bool(np.all(COMPARE[relation](left, right)))
    holds = bool(np.all(COMPARE[relation](left.traced_value, right.traced_value)))
    if holds:
        tape.suppose(relation, left.node, right.node)
    return holds


def _loewner(tape: Tape | None, _: str, left: Any, right: Any) -> bool:
    difference = right - left
    symmetric = (difference + difference.T) / 2
    plain = symmetric.traced_value if isinstance(symmetric, Traced) else symmetric
    holds = bool(np.all(np.isfinite(plain)) and np.linalg.eigvalsh(plain)[0] >= 0)
    if tape is not None and holds:
        tape.suppose("psd", symmetric.node)
    return holds
