"""Worlds of trials: sampled, enumerated atom by atom, or enumerated on a tape; and the outcome of events in them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from boundcheck.laws import Enumerator
from boundcheck.quantities import Event, World, evaluate
from boundcheck.tape import Tape, constant

ROUNDING = 2.0**-36
"""Two sides closer than this, relatively, are a tie: a sampled tie counts for neither side."""

_SIGN = {"le": 1, "lt": 1, "ge": -1, "gt": -1}


def outcomes(event: Event, world: World) -> np.ndarray:
    """For each trial +1 (in the event), -1 (outside), 0 (a tie that rounding could decide either way)."""
    if event.relation == "not":
        return -outcomes(event.operands[0], world)
    if event.relation in ("and", "or"):
        combine = np.minimum if event.relation == "and" else np.maximum
        return combine(*(outcomes(e, world) for e in event.operands))
    left, right = (np.asarray(evaluate(x, world), dtype=float) for x in event.operands)
    result = _compared(event.relation, left, right)
    per_trial = result.reshape(len(result), -1).min(axis=1) if result.ndim else np.atleast_1d(result)
    return np.broadcast_to(per_trial, (world.size,))


def _compared(relation: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    gap = right - left
    tie = np.abs(gap) <= ROUNDING * (np.abs(left) + np.abs(right))
    whole = (left == np.rint(left)) & (right == np.rint(right)) & np.isfinite(gap)
    exact = _OPERATORS[relation](left, right) * 2 - 1
    if relation in ("eq", "ne"):
        return np.where(tie & ~whole, 0, exact)
    return np.where(whole, exact, np.where(tie | np.isnan(gap), 0, np.where(np.isnan(gap), 0, np.sign(gap) * _SIGN[relation])))


_OPERATORS = {"le": operator.le, "lt": operator.lt, "ge": operator.ge, "gt": operator.gt, "eq": operator.eq, "ne": operator.ne}


def sources(*expressions: Any) -> Enumerator:
    """The laws that expressions draw from. Raises NotFinite when one of them is not finite."""
    probe = Enumerator()
    _run(expressions, World(probe, 1))
    probe.atoms()
    return probe


def _run(expressions: Any, world: World) -> None:
    with np.errstate(all="ignore"):
        for x in expressions:
            _touch(x, world)


def _touch(x: Any, world: World) -> None:
    if isinstance(x, Event):
        for operand in x.operands:
            _touch(operand, world)
    else:
        evaluate(x, world)


def enumerated(*expressions: Any) -> World:
    """A world that holds every atom once, weighted by its probability."""
    laws = sources(*expressions).laws
    complete = Enumerator(laws=laws, position=0)
    return World(complete, complete.atoms(), complete.weights())


def enumerated_on(tape: Tape, *expressions: Any) -> World:
    """The same with every value traced; the tape then holds the laws."""
    probe, known = Enumerator(tape=tape), len(tape.hypotheses)
    _run(expressions, World(probe, 1))
    del tape.hypotheses[known:]
    tape.laws.extend(law.form for law in probe.laws)
    complete = Enumerator(tape=tape, laws=probe.laws, position=0)
    return World(complete, complete.atoms(), complete.weights())


def traced_event(event: Event, world: World, tape: Tape) -> dict[str, Any]:
    """The event as the certificate spells it."""
    if event.relation in ("and", "or"):
        return {event.relation: [traced_event(e, world, tape) for e in event.operands]}
    if event.relation == "not":
        return {"not": traced_event(event.operands[0], world, tape)}
    left, right = (constant(tape, evaluate(x, world)).node for x in event.operands)
    spelled = {"le": {"le": [left, right]}, "lt": {"lt": [left, right]}, "ge": {"le": [right, left]}, "gt": {"lt": [right, left]}}
    if event.relation in spelled:
        return spelled[event.relation]
    equal = {"and": [{"le": [left, right]}, {"le": [right, left]}]}
    return equal if event.relation == "eq" else {"not": equal}
