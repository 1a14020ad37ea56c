"""How a twin differs from its claim: the perturbations that make sense, and the statement as each has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boundcheck.domains import Raw
from boundcheck.laws.quantities import (
    Event,
    Mean,
    Quantity,
    as_quantity,
    averaged,
    evaluate,
)
from boundcheck.tape import decimal, value_of
from boundcheck.words.hypotheses import Question, Words
from boundcheck.words.statements import (
    Chance,
    Inequality,
    as_statement,
    parts_of,
)

MOST_PARTS = 4
"""Parts of a statement that are perturbed one by one; of more, all together."""

FACTORS = (0.9, 0.5, 0.1)


@dataclass(frozen=True)
class _Carrier:
    """What carries one part of a statement: a bound, thresholds of an event, or terms compared with 0."""

    bound: bool
    event: bool = False
    terms: bool = False

    def __or__(self, other: _Carrier) -> _Carrier:
        """The same part seen on two instances; it is compared with 0 only where it always is."""
        return _Carrier(
            self.bound or other.bound,
            self.event or other.event,
            self.terms and other.terms,
        )


def _part_of(statement: Inequality | Chance) -> _Carrier:
    """What can be perturbed in one part of a statement."""
    if isinstance(statement, Chance):
        return _Carrier(True, event=_has_threshold(statement.event))
    sides = (statement.lhs, statement.rhs)
    if statement.relation == "loewner" and any(
        isinstance(side, Mean) for side in sides
    ):
        return _Carrier(True)
    zero = any(map(_is_zero, sides))
    return _Carrier(not zero, terms=zero)


def _is_zero(side: object) -> bool:
    return not isinstance(side, Mean) and bool(np.all(np.asarray(side) == 0))


def _has_threshold(event: Event) -> bool:
    """Whether a comparison of the event has a threshold that is not the number 0."""
    if event.relation in ("and", "or", "not"):
        return any(_has_threshold(e) for e in event.operands)
    k = _threshold_of(event)
    return k is not None and not (
        event.operands[k].low is not None and _is_zero(event.operands[k].low)
    )


def twins(
    words: Words, parts: Sequence[_Carrier] = (_Carrier(True),)
) -> Iterator[Question]:
    """The perturbations that make sense for a body that used these words and states these parts."""
    one_by_one = 1 < len(parts) <= MOST_PARTS
    for k, part in enumerate(parts if one_by_one else [_together(parts)]):
        place, number = (f"part {k + 1}: ", k) if one_by_one else ("", None)
        if part.bound:
            yield from (
                Question(
                    f"{place}right-hand side x {f:g}", bound=f, part=number
                )
                for f in FACTORS
            )
        if part.event:
            moved = f"{place}threshold of the event x"
            yield from (
                Question(f"{moved} {f:g}", event=f, part=number)
                for f in FACTORS[:2]
            )
    if words.thresholds:
        yield Question("thresholds x 0.9", slack=0.9)
        yield Question("thresholds x 0.5", slack=0.5)
    if words.logarithms:
        yield Question("logarithms dropped", log_power=0.0)
    for k in range(words.assumptions):
        yield Question(f"hypothesis {k + 1} dropped", dropped=k)
    for name, value in words.marked.items():
        yield Question(f"{name} x 0.9", constants=((name, 0.9 * value),))


def _together(parts: Sequence[_Carrier]) -> _Carrier:
    return _Carrier(
        any(part.bound for part in parts), any(part.event for part in parts)
    )


def flipped(name: str, raw: dict[str, Raw]) -> Question:
    """The normalisation flipped: the right-hand side over the root of a size of the instance."""
    return Question("flipped", bound=raw[name] ** -0.5)


def parts_seen(returned: Sequence[Any]) -> list[_Carrier]:
    """The parts of the statement as they are on all instances together."""
    parts: list[_Carrier] = []
    for statement in returned:
        seen = [_part_of(part) for part in parts_of(as_statement(statement))]
        both = min(len(parts), len(seen))
        parts = (
            [a | b for a, b in zip(parts, seen, strict=False)]
            + parts[both:]
            + seen[both:]
        )
    return parts


def perturbed(
    statement: Inequality | Chance, question: Question
) -> Inequality | Chance:
    """The statement as a question has it: a factor on its bound or inside its event, or less on the right."""
    factor = question.bound if question.bound == 1 else decimal(question.bound)
    if isinstance(statement, Chance):
        return _scaled_chance(statement, factor, question.event)
    if question.less:
        return _lessened(statement, decimal(question.less))
    if question.bound == 1:
        return statement
    if statement.relation == "equal":
        return replace(statement, lhs=(2 - factor) * statement.lhs)
    rhs = (
        factor * statement.rhs
        if statement.relation == "loewner"
        else _lowered(statement.rhs, factor)
    )
    return replace(statement, rhs=rhs)


def _scaled_chance(statement: Chance, factor: object, event: float) -> Chance:
    rarer = statement.relation == "ge"
    moved = (
        statement.event
        if event == 1
        else _tightened(statement.event, decimal(event), rarer)
    )
    bound = statement.bound
    if not (isinstance(factor, (int, float)) and factor == 1):
        bound = 1 - factor * (1 - bound) if rarer else factor * bound
    return replace(statement, event=moved, bound=bound)


def _lessened(statement: Inequality, less: object) -> Inequality:
    """So much less on the right; in the order of matrices, less on the diagonal."""
    if statement.relation == "loewner":
        less = less * np.eye(
            max(np.shape(statement.lhs) + np.shape(statement.rhs)), dtype=int
        )
    return replace(statement, rhs=statement.rhs - less)


def _lowered(x: Any, factor: Any) -> Any:
    """The entries of x times a factor below 1, those below 0 times 2 - factor: a bound that asks for more."""
    if isinstance(x, Mean):
        return Mean(lambda averager: _lowered(averaged(x, averager), factor))
    if np.all(value_of(x) >= 0):
        return factor * x
    if np.all(value_of(x) <= 0):
        return (2 - factor) * x
    return factor * np.maximum(x, 0) + (2 - factor) * np.minimum(x, 0)


def _tightened(event: Event, factor: Any, rarer: bool) -> Event:
    """The event with its thresholds moved by a factor below 1, so that it is rarer, or more frequent."""
    if event.relation in ("and", "or"):
        return Event(
            event.relation,
            tuple(_tightened(e, factor, rarer) for e in event.operands),
        )
    if event.relation == "not":
        return Event("not", (_tightened(event.operands[0], factor, not rarer),))
    k = _threshold_of(event)
    if k is None:
        return event
    upper = (k == 1) == (event.relation in ("le", "lt"))
    moved = list(event.operands)
    moved[k] = _moved(moved[k], factor if rarer == upper else 2 - factor)
    return Event(event.relation, tuple(moved))


def _threshold_of(event: Event) -> int | None:
    """The operand that is the threshold of a comparison: the one without randomness, else the larger side."""
    if event.relation not in ("le", "lt", "ge", "gt"):
        return None
    left, right = event.operands
    if left.random != right.random:
        return 1 if left.random else 0
    return 1 if event.relation in ("le", "lt") else 0


def _moved(x: Quantity, factor: object) -> Quantity:
    if not x.random and x.low is not None and x.low is x.high:
        return as_quantity(_lowered(x.low, factor))
    return Quantity(
        lambda world: _lowered(evaluate(x, world), factor), random=x.random
    )
