"""Hypotheses of a claim, its marked constants, and the question under which the body runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from boundcheck.domains import Domain
from boundcheck.laws import NotFinite, TooLarge
from boundcheck.laws.quantities import COMPARE, averaged, is_complex
from boundcheck.laws.worlds import ExactAverage, TracedAverage
from boundcheck.tape import (
    Tape,
    Traced,
    Truth,
    active_tape,
    constant,
    decimal,
    value_of,
)
from boundcheck.tape.program import (
    Wish,
    assuming,
    during,
    since,
    wished_for,
    wishes,
)

LARGEST_COUNT = 10**7
"""No machine of ours draws more features or samples than this in a trial."""

SAMPLED = (
    "A hypothesis about P or E has to be decided exactly, and this law would have to be sampled:"
    " draw from finite laws, or state the hypothesis in the parameters of the law."
)
ORDER = "Complex numbers have no order; assume it of np.abs(z), np.real(z) or np.imag(z)."

HYPOTHESES = 10**6
"""Groups of draws from here on belong to hypotheses; the conclusion has the first ones."""

RELATIONS = {"at_most": "le", "less": "lt", "equal": "eq"}

ASSUMABLE = (
    "assume takes a comparison of numbers or arrays, a bool, or a statement such as equal(x, y), loewner(A, B), E(q) <= b or"
    " P(event) >= p; it was given a {}."
)


class Unsatisfied(Exception):
    """The instance does not satisfy a hypothesis."""


class OutOfReach(Exception):
    """The hypothesis asks for more than any machine can do."""


@dataclass(frozen=True)
class Question:
    """What is asked of the statement: as printed, or a perturbed twin of it.

    `slack` multiplies every `at_least`, `bound` the right-hand side or the allowed probability, `log_power`
    exponents every logarithm, `constants` replaces marked constants, `dropped` numbers an `assume` to ignore.
    `event` multiplies the thresholds inside an event, `less` is taken from a right-hand side; these and `bound`
    concern one `part` of the statement, or all of them.
    """

    label: str = "as printed"
    slack: float = 1.0
    bound: float = 1.0
    log_power: float = 1.0
    constants: tuple[tuple[str, float], ...] = ()
    dropped: int | None = None
    event: float = 1.0
    less: float = 0.0
    part: int | None = None

    def on(self, part: int) -> Question:
        """The question as it concerns one part of the statement."""
        return (
            self
            if self.part in (None, part)
            else replace(self, bound=1.0, event=1.0, less=0.0)
        )


AS_PRINTED = Question()


@dataclass
class Words:
    """What a body used as it ran: how many assumptions, thresholds, logarithms; which marked constants."""

    question: Question
    assumptions: int = 0
    thresholds: int = 0
    logarithms: int = 0
    ended: bool = False
    """Whether an assumption failed: then the instance does not count, whatever the body makes of it."""
    granted: bool = False
    """Whether exact arithmetic has found that the instance satisfies all that is assumed."""
    marked: dict[str, float] = field(default_factory=dict)


_words: ContextVar[Words | None] = ContextVar("words", default=None)


@contextmanager
def asking(question: Question, granted: bool = False) -> Iterator[Words]:
    """Run a body under a question and see what it uses; what it assumes may be granted."""
    words = Words(question, granted=granted)
    with during(_words, words):
        yield words
        if words.ended:
            raise Unsatisfied


def _current() -> Words:
    return _words.get() or Words(AS_PRINTED)


ONE_CONDITION = (
    "assume takes one condition, and was given {}; write assume((a <= b, b <= c)) for several at once, or an assume"
    " for each."
)


def assume(*condition: object) -> None:
    """A hypothesis: the body ends here on an instance that violates it, which does not count.

    The one `condition` is a comparison (of arrays: every entry), a bool, a statement, or several of these in a tuple. Statements
    about P and E are decided exactly. Raises TypeError for anything else, and where a law would have to be sampled.
    """
    if len(condition) != 1:
        raise TypeError(ONE_CONDITION.format(len(condition) or "none"))
    words = _current()
    words.assumptions += 1
    noted, staged = wishes(), since()
    if noted is not None:
        _wish(*condition, noted, staged)
        if words.assumptions >= wished_for():
            _end()
    elif words.question.dropped != words.assumptions - 1 and not words.granted:
        with assuming():
            _require(*condition)


def _wish(condition: Any, noted: list[Wish], staged: list[Wish]) -> None:
    """Note what a hypothesis compares, whether or not it holds; of a plain bool what came before it."""
    if isinstance(condition, (tuple, list)):
        for part in condition:
            _wish(part, noted, staged)
    elif hasattr(condition, "assumed"):
        with suppress(Unsatisfied, OutOfReach):
            condition.assumed()
    elif isinstance(condition, Truth):
        noted.append((condition.relation, condition.left, condition.right))
    elif isinstance(condition, (bool, np.bool_)):
        noted += [
            _meant(*wish, bool(condition))
            for wish in staged
            if wish[0] != "eq" or not condition
        ]


def _meant(relation: str, left: Any, right: Any, holds: bool) -> Wish:
    """A comparison that a plain bool was made of: `not (x != y)` is an equation."""
    negated = (
        relation == "ne"
        and not holds
        and np.all(np.not_equal(value_of(left), value_of(right)))
    )
    return ("eq" if negated else relation, left, right)


def _end(cause: Exception | None = None) -> NoReturn:
    """Raise Unsatisfied; a body that catches it has ended nevertheless."""
    _current().ended = True
    raise Unsatisfied from cause


def _require(condition: Any) -> None:
    if isinstance(condition, (tuple, list)):
        for part in condition:
            _require(part)
    elif hasattr(condition, "assumed"):
        condition.assumed()
    elif isinstance(condition, Traced) and condition.both:
        _require(condition.both)
    elif isinstance(condition, (Truth, Traced)):
        truth: Any = (
            condition if isinstance(condition, Truth) else condition != 0
        )
        if not np.all(truth.decided()):
            _end()
    elif np.asarray(condition).dtype != bool:
        raise TypeError(ASSUMABLE.format(type(condition).__name__))
    elif not np.all(condition):
        _end()


def at_least(bound: object, of: object = None) -> Any:
    """A hypothesis `x >= bound` at its boundary, where the theorem is tight.

    With `of=Count` the smallest whole number that is at least the bound. Raises TypeError for what is no domain.
    """
    if not (of is None or isinstance(of, (Domain, type))):
        raise TypeError(
            "at_least(bound, Count) takes a hypothesis at its boundary; for the statement x >= y write at_most(y, x)."
        )
    words = _current()
    words.thresholds += 1
    bound = (
        bound
        if words.question.slack == 1
        else decimal(words.question.slack) * bound
    )
    return bound if of is None else whole(bound)


def at_a_bound() -> bool:
    """Whether the body has taken a hypothesis `x >= bound` at its boundary alone."""
    return _current().thresholds > 0


def whole(bound: Any) -> int:
    """The smallest natural number that is at least `bound`. Raises OutOfReach beyond any machine."""
    plain = float(value_of(bound))
    if not plain <= LARGEST_COUNT:
        raise OutOfReach(f"needs a count of {plain:.3g}")
    return max(1, int(np.ceil(bound)))


def marked(value: float, name: str = "C") -> float:
    """A constant of the statement that a reader may ask about; `sharpen` bisects it."""
    words = _current()
    words.marked[name] = float(value_of(value))
    other = dict(words.question.constants).get(name)
    return value if other is None else decimal(other)


def log_taken(x: Any) -> Any:
    """A logarithm of the statement, to the power that the question asks for."""
    words = _current()
    words.logarithms += 1
    power = words.question.log_power
    return x if power == 1 else np.abs(x) ** power


def suppose(sign: str, lhs: object, rhs: object) -> None:
    """The hypothesis lhs <= rhs, < or ==, or the Loewner order.

    Raises Unsatisfied where it fails, is not a number, or a law does not exist; OutOfReach where a law is too large to
    enumerate; TypeError where it would have to be sampled, and for an order of complex numbers.
    """
    tape = active_tape()
    average: Any = (
        ExactAverage()
        if tape is None
        else TracedAverage(tape, HYPOTHESES + len(tape.laws))
    )
    try:
        left, right = (averaged(x, average) for x in (lhs, rhs))
    except TooLarge as error:
        raise OutOfReach(str(error)) from error
    except NotFinite as error:
        if isinstance(
            error.__cause__, (ValueError, ArithmeticError)
        ):  # no such law on this instance
            _end(error)
        raise TypeError(SAMPLED) from error
    if sign != "equal" and (is_complex(left) or is_complex(right)):
        raise TypeError(ORDER)
    decide: Callable[..., bool] = _loewner if sign == "loewner" else _entrywise
    left, right = (
        np.asarray(x) if tape is None else constant(tape, x)
        for x in (left, right)
    )
    noted = wishes()
    if noted is None and not decide(
        tape, RELATIONS.get(sign, sign), left, right
    ):
        _end()
    if noted is not None and sign in RELATIONS and tape is not None:
        noted.append((RELATIONS[sign], left, right))


def _entrywise(tape: Tape | None, relation: str, left: Any, right: Any) -> bool:
    if tape is None:
        return bool(np.all(COMPARE[relation](left, right)))
    holds = bool(
        np.all(COMPARE[relation](left.traced_value, right.traced_value))
    )
    if holds:
        tape.suppose(relation, left.node, right.node)
    return holds


def _loewner(tape: Tape | None, _: str, left: Any, right: Any) -> bool:
    difference = right - left
    symmetric = (difference + difference.T) / 2
    plain = (
        symmetric.traced_value if isinstance(symmetric, Traced) else symmetric
    )
    holds = bool(
        np.all(np.isfinite(plain)) and np.linalg.eigvalsh(plain)[0] >= 0
    )
    if tape is not None and holds:
        tape.suppose("psd", symmetric.node)
    return holds
