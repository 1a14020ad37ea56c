"""How near an observation comes to its bound: the ratio of two sides that are both away from 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from boundcheck.checking.certificate import (
    NotFinite,
    NotTraceable,
    Runs,
    follow,
)
from boundcheck.checking.observe import DEEP, TOUCH, Observation
from boundcheck.checking.sides import WORK, sides
from boundcheck.checking.trials import certain
from boundcheck.domains import Raw
from boundcheck.laws.worlds import enumerated_on
from boundcheck.tape import Tape
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Question
from boundcheck.words.statements import Chance, Inequality

SMALLEST = 1e-300
ROUNDED = 1e-13
"""Sides so small, against the largest number of the instance, may be rounding alone."""

LITTLE = 0.01
"""Sides that rounding moves by no more than this, relatively, show how near they are."""

MOST_CHECKED, ATOMS_AT_ONCE = 40, 500
"""Instances whose rounding is looked at: they come nearer than those before; so many atoms count as one."""

ATOMS = 20
"""Atoms whose rounding takes one more unit of work."""

NEAR = 5.0
"""Sides apart by less, on the log scale, are told apart more finely."""

SAME = 1e-5
"""Sides that differ by more than this and cross each other within their rounding are rounding alone."""


def nearness(o: Observation, raw: Mapping[str, Raw]) -> float:
    """log(lhs / rhs), at most 0; DEEP if the left side is 0 or has the other sign; -inf: nothing can be said.

    That is so of a violation, of a trivial bound, and of two sides that both vanish: 0 <= 0 attains no bound.
    An identity that is met is as near as can be, whatever its sides.
    """
    if np.isnan(o.score) or o.score > TOUCH or o.vague or o.vacuous:
        return -np.inf
    if o.relation == "equal":
        return 0.0
    if isinstance(o.pending, Inequality) and o.pending.slope is not None:
        return min(o.score, 0.0)
    return (
        _log_ratio(o.lhs, o.rhs)
        if o.kind == "probability" or away_from_0(o, raw)
        else -np.inf
    )


@dataclass
class Nearest:
    """The nearest that a search came to a bound, and where; rounding cannot have made it."""

    claim: Claim
    question: Question
    value: float = -np.inf
    where: list[dict[str, Raw]] = field(default_factory=list)
    checked: int = 0

    def __post_init__(self) -> None:
        self.runs = Runs(self.claim, self.question)

    def look(self, seen: Iterable[Observation], raw: dict[str, Raw]) -> None:
        """Keep an instance that comes nearer, by enough that it is worth a look at its rounding."""
        for near, o in sorted(
            ((nearness(o, raw), o) for o in seen), key=lambda entry: -entry[0]
        ):
            if near == -np.inf or near <= self.value + self._step(o):
                return
            if self._is_sure(o, raw):
                self.value, self.where = near, [raw]
                return

    def _step(self, o: Observation) -> float:
        """A tenth of what is missing on the log scale, at most 5 % near the bound; 0 without rounding."""
        gap = abs(self.value)
        return (
            0.0
            if _is_plain(o)
            else 0.1 * gap
            if gap > NEAR
            else min(0.1 * gap, 0.05)
        )

    def _is_sure(self, o: Observation, raw: dict[str, Raw]) -> bool:
        """Whether rounding moves the sides by little, as far as the program of the text shows."""
        if _is_plain(o):
            return True
        self.checked += 1 + o.work // ATOMS_AT_ONCE
        if self.checked > MOST_CHECKED:
            return False
        if o.kind == "probability":
            known = surely_against(self.claim, raw, o.part, self.question)
            return known is None or known[0] >= o.lhs / 2
        found, little = (
            sides(self.runs, raw, o.part),
            LITTLE * max(abs(o.lhs), abs(o.rhs)),
        )
        return (
            found is None or float(np.max(found.slack, initial=0.0)) <= little
        )


def surely_against(
    claim: Claim, raw: Mapping[str, Raw], part: int, question: Question
) -> tuple[float, float] | None:
    """The probability of the atoms that are surely against P(...), and that of others; None where no program shows it."""

    def then(tape: Tape, statement: Chance) -> tuple[float, float]:
        every = enumerated_on(tape, statement.event)
        told = certain(statement.event, every.world, tape)
        against = told == (-1 if statement.relation == "ge" else 1)
        bad, good = (
            np.sum(every.weights[which]) for which in (against, ~against)
        )
        return float(bad), float(good)

    try:
        with np.errstate(all="ignore"):
            return follow(claim, dict(raw), part, question, then)[1]
    except (NotTraceable, NotFinite):
        return None


def surely(
    claim: Claim, raw: Mapping[str, Raw], o: Observation, question: Question
) -> tuple[Observation, int]:
    """An apparent violation with the probability of what is surely against it, and the work."""
    if not o.score > TOUCH or _is_plain(o):
        return o, 0
    known, work = (
        surely_against(claim, raw, o.part, question),
        WORK + o.work // ATOMS,
    )
    if known is None or known[0] > o.rhs:
        return o, work
    return o.with_chances(*known), work


def _is_plain(o: Observation) -> bool:
    """Whether no rounding is looked at: trials, an identity, a failure probability 0 or in closed form."""
    known = o.kind == "probability" and (o.lhs == 0 or o.tied is None)
    return not o.exact or o.relation == "equal" or known


def away_from_0(o: Observation, raw: Mapping[str, Raw]) -> bool:
    """Whether one of the sides is more than rounding could make of 0."""
    return max(abs(o.lhs), abs(o.rhs)) > ROUNDED * _largest(raw)


def _log_ratio(lhs: float, rhs: float) -> float:
    if (
        not (np.isfinite(lhs) and np.isfinite(rhs))
        or max(abs(lhs), abs(rhs)) <= SMALLEST
    ):
        return -np.inf
    if lhs == 0 or rhs == 0 or (lhs > 0) != (rhs > 0):
        return DEEP if lhs < rhs else -np.inf
    ratio = float(np.log(abs(lhs)) - np.log(abs(rhs))) * (1 if rhs > 0 else -1)
    return min(ratio, 0.0) if ratio <= SAME else -np.inf


def _largest(raw: Mapping[str, Raw]) -> float:
    """The largest absolute value among the numbers of an instance that are not whole by nature."""
    return max(
        (float(np.max(np.abs(x), initial=0.0)) for x in _floats(dict(raw))),
        default=0.0,
    )


def _floats(raw: Raw) -> Iterator[np.ndarray]:
    if isinstance(raw, (dict, list, tuple)):
        for entry in raw.values() if isinstance(raw, dict) else raw:
            yield from _floats(entry)
    elif np.asarray(raw).dtype.kind == "f":
        yield np.asarray(raw)
