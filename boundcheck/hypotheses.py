"""Hypotheses of a claim, its marked constants, and the question under which the body runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boundcheck.tape import Truth, value_of

LARGEST_COUNT = 10**7
"""No machine of ours draws more features or samples than this in a trial."""


class Unsatisfied(Exception):
    """The instance does not satisfy a hypothesis."""


class OutOfReach(Exception):
    """The hypothesis asks for more than any machine can do."""


@dataclass
class Question:
    """What is asked of the statement: as printed, or a perturbed twin of it.

    `slack` multiplies every `at_least`, `log_power` exponents every logarithm, `constants` replaces marked constants,
    `dropped` is the number of an `assume` to ignore.
    """

    slack: float = 1.0
    log_power: float = 1.0
    constants: dict[str, float] = field(default_factory=dict)
    dropped: int | None = None
    assumptions: int = 0
    logarithms: int = 0
    thresholds: int = 0
    marked: dict[str, float] = field(default_factory=dict)

    @property
    def as_printed(self) -> bool:
        return self.slack == 1 and self.log_power == 1 and not self.constants and self.dropped is None


_question: ContextVar[Question] = ContextVar("question", default=Question())


@contextmanager
def asking(question: Question) -> Iterator[Question]:
    """Run bodies under a question."""
    token = _question.set(question)
    question.assumptions = question.logarithms = question.thresholds = 0
    try:
        yield question
    finally:
        _question.reset(token)


def assume(condition: Any) -> None:
    """A hypothesis: an instance that violates it does not count.

    `condition` is a comparison (of arrays: every entry) or a plain bool.
    """
    question = _question.get()
    question.assumptions += 1
    if question.dropped == question.assumptions - 1:
        return
    if not np.all(condition.value if isinstance(condition, Truth) else condition):
        raise Unsatisfied
    if isinstance(condition, Truth):
        condition.decided()


def at_least(bound: Any, of: Any = None) -> Any:
    """A hypothesis `x >= bound` at its boundary, where the theorem is tight.

    With `of=Count` the smallest whole number that is at least the bound.
    """
    question = _question.get()
    question.thresholds += 1
    bound = bound if question.slack == 1 else question.slack * bound
    return bound if of is None else whole(bound)


def whole(bound: Any) -> int:
    """The smallest natural number that is at least `bound`. Raises OutOfReach beyond any machine."""
    plain = float(value_of(bound))
    if not plain <= LARGEST_COUNT:
        raise OutOfReach(f"needs a count of {plain:.3g}")
    return max(1, int(np.ceil(bound)))


def marked(value: float, name: str = "C") -> float:
    """A constant of the statement that a reader may ask about; `sharpen` bisects it."""
    question = _question.get()
    question.marked[name] = float(value)
    return question.constants.get(name, value)


def log_taken(x: Any) -> Any:
    """A logarithm of the statement, to the power that the question asks for."""
    question = _question.get()
    question.logarithms += 1
    return x if question.log_power == 1 else np.abs(x) ** question.log_power
