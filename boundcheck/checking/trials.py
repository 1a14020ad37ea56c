"""Draws that are remembered: what makes trials of them, and which trials surely speak against a statement.

A float that a sampler or a statement computes is not the number it stands for. What is drawn is exact; all
that is made of it is recorded, on the trials in question, and its rounding bounded as in any program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from boundcheck.checking.certificate import follow
from boundcheck.checking.draws import (
    TOO_WIDE,
    Draw,
    Drawn,
    Log,
    Replayed,
    more_digits,
    on_rows,
)
from boundcheck.domains import Raw
from boundcheck.laws import NotFinite
from boundcheck.laws.quantities import (
    Event,
    Mean,
    NotPerTrial,
    Quantity,
    World,
    evaluate,
    flagged,
)
from boundcheck.operations.rounding import radii
from boundcheck.operations.trials import aligned
from boundcheck.tape import NotTraceable, Tape, constant
from boundcheck.tape.exactly import PRECISION, refined, truths
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Question
from boundcheck.words.statements import Chance, Inequality, mean_form

VAGUE, TINY = 1e-6, 1e-290
"""A wider slack, relative to both sides, says that the rules of rounding do not reach so far."""

DIGITS = "what speaks against it lies in digits that the draws of a generator do not have"

BATCH = 2048
"""Trials that are recorded at once."""

Pick = Callable[[Any], Quantity]
Tell = Callable[[Any, World, Tape], np.ndarray]


@dataclass
class Certain:
    """Which trials of a claim's part surely count against it, on an instance; and why some are undecided."""

    claim: Claim
    raw: dict[str, Raw]
    part: int
    question: Question = AS_PRINTED
    doubts: list[str] = field(default_factory=list)
    too_wide: bool = False
    """Whether a draw was too wide for a float, so that nothing is known of what is made of it."""
    precisions: tuple[int, ...] = (PRECISION, 32 * PRECISION)
    """At which balls have decided most of the trials that are left."""
    blurred: bool = False
    """Whether a draw of a continuous law stands for all numbers that a generator rounds to it."""

    def whatever_digits(self) -> Certain:
        """The same of trials whose draws have any digits beyond those of floats."""
        return replace(self, blurred=True, doubts=[])

    def outcomes(
        self, log: Log, size: int, rows: np.ndarray, trusting: bool = False
    ) -> np.ndarray:
        """For some trials +1 (surely in the event), -1 (outside) or 0; trusting, floats alone count too."""

        def tell(statement: Chance, world: World, tape: Tape) -> np.ndarray:
            known = trusting and not any(
                drawn.is_vague for drawn in world.rng.log
            )
            return np.broadcast_to(
                certain(statement.event, world, tape, known), (1, world.size)
            )

        (told,) = self._told(log, size, rows, tell, np.zeros((1, len(rows))))
        return told.astype(int)

    def exactly(self, log: Log, size: int, rows: np.ndarray) -> np.ndarray:
        """The same in rationals and balls, of draws with more digits; all 0 once balls knew little."""
        told = np.zeros(len(rows), dtype=int)
        for bits in self.precisions:

            def tell(
                statement: Chance, world: World, tape: Tape, bits: int = bits
            ) -> np.ndarray:
                held = _with_more_digits(
                    statement.event, world, tape, world.rng.log, bits
                )
                return np.broadcast_to(held, (1, world.size))

            left = np.flatnonzero(told == 0)
            if left.size:
                told[left] = self._told(
                    log, size, rows[left], tell, np.zeros((1, left.size))
                )[0].astype(int)
                if 2 * np.count_nonzero(told[left]) < left.size:
                    self.precisions = tuple(
                        b for b in self.precisions if b != bits
                    )
        return told

    def values(
        self, log: Log, size: int, pick: Pick
    ) -> tuple[np.ndarray, np.ndarray]:
        """The quantity that is picked, on all trials, and how far rounding can have moved each value."""

        def tell(statement: Inequality, world: World, tape: Tape) -> np.ndarray:
            x = constant(tape, evaluate(pick(statement), world))
            return np.stack([x.traced_value, radii(tape, [x.node])[x.node]])  # type: ignore[list-item]

        values, radius = self._told(
            log, size, np.arange(size), tell, np.full((2, size), np.inf)
        )
        return values, radius

    def require_sharp(self, log: Log, size: int, rows: np.ndarray) -> None:
        """Raise NotTraceable if trials that speak against the statement do not where draws have more digits.

        A continuous draw is rounded: that U is a multiple of 2^-53, that X > 0 is 0, that two draws of single
        precision agree are no events of the law.
        """
        kept = on_rows(log, size, rows)

        def then(tape: Tape, statement: Chance) -> bool:
            world = World(
                Replayed(kept or log, tape), len(rows) if kept else size
            )
            told = _with_more_digits(statement.event, world, tape, kept or log)
            return bool(
                np.any(
                    (told if kept else told[rows])
                    == (1 if statement.relation == "ge" else -1)
                )
            )

        if follow(self.claim, self.raw, self.part, self.question, then)[1]:
            raise NotTraceable(DIGITS)

    def _told(
        self,
        log: Log,
        size: int,
        rows: np.ndarray,
        tell: Tell,
        result: np.ndarray,
    ) -> np.ndarray:
        """What `tell` says of the rows, batch by batch, in place of `result`, which stays where it cannot."""
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            kept = on_rows(log, size, some)
            try:
                if kept is None:
                    return self._followed(tell, log, size)[:, rows]
                result[:, start : start + BATCH] = self._followed(
                    tell, kept, len(some)
                )
            except (NotTraceable, NotFinite) as error:
                self.doubts.append(str(error))
                self.too_wide |= TOO_WIDE in str(error)
                break
        return result

    def _followed(self, tell: Tell, log: Log, size: int) -> np.ndarray:
        def then(tape: Tape, statement: object) -> np.ndarray:
            return tell(
                statement, World(Replayed(log, tape, self.blurred), size), tape
            )

        return follow(self.claim, self.raw, self.part, self.question, then)[1]


def mean_of(statement: Inequality) -> Quantity:
    """The quantity whose mean is bounded. Raises NotTraceable if there is not one alone."""
    form = mean_form(statement)
    if form is None:
        raise NotTraceable(
            "Only the expectation of one quantity is looked at trial by trial."
        )
    return form.quantity


def certain(
    event: Event, world: World, tape: Tape, trusting: bool = False
) -> np.ndarray:
    """For each trial of a recorded world +1 (surely in the event), -1 (surely outside) or 0."""
    if event.relation == "not":
        return -certain(event.operands[0], world, tape, trusting)
    if event.relation in ("and", "or"):
        combine = np.minimum if event.relation == "and" else np.maximum
        return combine(
            *(certain(e, world, tape, trusting) for e in event.operands)
        )
    left, right = (
        constant(tape, x)
        for x in aligned([flagged(x, world) for x in event.operands])
    )
    radius = radii(tape, [left.node, right.node])
    slack = (radius[left.node] + radius[right.node]) * (1 + 1e-12)  # type: ignore[operator]
    if trusting:
        with np.errstate(all="ignore"):
            known = slack <= VAGUE * (
                np.abs(left.traced_value) + np.abs(right.traced_value)
            )
        slack = np.where(known | (slack <= TINY), slack, 0.0)
    each = satisfied(
        event.relation, left.traced_value, right.traced_value, slack
    )
    return (
        each.reshape(len(each), -1).min(axis=1, initial=1)
        if each.ndim
        else np.atleast_1d(each)
    )


def satisfied(
    relation: str, left: np.ndarray, right: np.ndarray, slack: np.ndarray
) -> np.ndarray:
    """+1, -1 or 0 for each entry: what the exact numbers behind two floats satisfy, given gap and slack."""
    with np.errstate(all="ignore"):
        gap = np.nan_to_num(
            right - left, nan=0.0, posinf=np.inf, neginf=-np.inf
        ) * np.ones(np.shape(slack))
    slack = np.where(np.isnan(left + right + slack), np.inf, slack)
    apart, same = np.abs(gap) > slack, (gap == 0) & (slack == 0)
    if relation in ("eq", "ne"):
        return np.where(apart, -1, np.where(same, 1, 0)) * (
            1 if relation == "eq" else -1
        )
    upright = gap if relation in ("le", "lt") else -gap
    strict = 1 if relation in ("le", "ge") else -1
    return np.where(apart, np.sign(upright), np.where(same, strict, 0)).astype(
        int
    )


def _with_more_digits(
    event: Event, world: World, tape: Tape, log: Log, bits: int = PRECISION
) -> np.ndarray:
    """For each trial +1, -1 or 0, as `certain`, where draws have digits beyond those of floats."""
    if event.relation == "not":
        return -_with_more_digits(event.operands[0], world, tape, log, bits)
    if event.relation in ("and", "or"):
        combine = np.minimum if event.relation == "and" else np.maximum
        return combine(
            *(
                _with_more_digits(e, world, tape, log, bits)
                for e in event.operands
            )
        )
    left, right = (
        constant(tape, x)
        for x in aligned([flagged(x, world) for x in event.operands])
    )
    found = refined(tape, [left.node, right.node], more_digits(tape, log), bits)
    if found is None:
        return np.zeros(world.size, dtype=int)
    each = truths(event.relation, *found)
    return np.broadcast_to(
        each.reshape(len(each), -1).min(axis=1, initial=1)
        if each.ndim
        else each,
        (world.size,),
    )


SIZES = (2, 3, 7)


def require_trials(statements: Iterable[Any], rng: np.random.Generator) -> None:
    """Raise NotPerTrial unless every random quantity has one entry a trial, made of its draws alone."""
    for x in _quantities(statements):
        _require_trials(x, rng)


def draw_once(statements: Iterable[Any], rng: np.random.Generator) -> None:
    """Draw every random quantity for a few trials: what fails in a text, fails here."""
    for x in _quantities(statements):
        evaluate(x, World(Drawn(rng.bit_generator), SIZES[-1]))


def _quantities(statements: Iterable[Any]) -> Iterator[Quantity]:
    for statement in statements:
        sides = (
            statement.event
            if isinstance(statement, Chance)
            else (statement.lhs, statement.rhs)
        )
        yield from _inside(sides)


def _inside(x: object) -> Iterator[Quantity]:
    if isinstance(x, Event):
        yield from _inside(x.operands)
    elif isinstance(x, Mean):
        if x.of is not None:
            yield x.of
    elif isinstance(x, (tuple, list)):
        for entry in x:
            yield from _inside(entry)
    elif isinstance(x, Quantity) and x.random:
        yield x


def _require_trials(x: Quantity, rng: np.random.Generator) -> None:
    runs = []
    for size in SIZES:
        drawn = Drawn(rng.bit_generator)
        try:
            with np.errstate(all="ignore"):
                value = evaluate(x, World(drawn, size))
        except (NotPerTrial, NotFinite):
            raise
        except (
            ValueError,
            IndexError,
            TypeError,
            ArithmeticError,
            np.linalg.LinAlgError,
        ) as error:
            if runs:
                raise NotPerTrial(
                    f"a quantity can be drawn for {SIZES[0]} trials and not for {size}: {error}"
                ) from error
            return
        runs.append((size, drawn.log, value))
    _require_own([(size, log) for size, log, _ in runs])
    size, log, value = runs[-1]
    if np.shape(value)[:1] != (size,):
        raise NotPerTrial(
            f"a quantity has the shape {np.shape(value)} for {size} trials: keep one entry for each along the first axis."
        )
    _require_same(
        x,
        log,
        size,
        value,
        "gives other values for the same draws: it draws from elsewhere, or keeps a state.",
    )
    before = {_form(draw) for _, log, _ in runs[:-1] for draw in log}
    if before & set(
        map(_form, log)
    ):  # of a loop over the trials: its arrays are not
        return
    for rows in ([size - 2, 0, 3], *([k] for k in range(size))):
        kept = on_rows(log, size, np.array(rows))
        if kept is not None:
            _require_same(
                x,
                kept,
                len(rows),
                np.asarray(value)[rows],
                "mixes its trials: each may depend on its own draws alone.",
            )


def _require_own(logs: Sequence[tuple[int, Log]]) -> None:
    """Raise NotPerTrial where no trial has draws of its own, or their law depends on how many trials there are."""
    counts = [Counter(map(_form, log)) for _, log in logs]
    for (name, shape), count in counts[0].items():
        if all(other[name, shape] == count for other in counts):
            what = "an array" if shape else "a number"
            raise NotPerTrial(
                f"{what} is drawn once for all trials by rng.{name}; pass `size`, so that each trial has one of its own."
            )
    mixing = [{x.name for x in log if x.mixes(size)} for size, log in logs]
    for name in sorted(set.intersection(*mixing)):
        raise NotPerTrial(
            f"rng.{name} exchanges trials; draw in each by itself, as rng.permuted(x, axis=1) does for x of one row a trial."
        )
    for calls in zip(*(log for _, log in logs)) if _alike(logs) else ():
        laws = [x.law for x in calls]
        for key, number in laws[0].items():
            if any(law.get(key, number) != number for law in laws):
                raise NotPerTrial(
                    f"{key} of rng.{calls[0].name} depends on the number of trials; give numbers that do not."
                )


def _form(x: Draw) -> tuple[str, tuple[int, ...]]:
    return x.name, np.shape(x.value)


def _alike(logs: Sequence[tuple[int, Log]]) -> bool:
    """Whether all are the same calls."""
    return len({tuple(x.name for x in log) for _, log in logs}) == 1


def _require_same(
    x: Quantity, log: Log, size: int, value: object, sentence: str
) -> None:
    try:
        with np.errstate(all="ignore"):
            again = np.asarray(evaluate(x, World(Replayed(log), size)))
    except NotTraceable:
        return
    value = np.asarray(value)
    if again.shape != value.shape or not np.allclose(
        again, value, rtol=1e-6, atol=1e-6, equal_nan=True
    ):
        raise NotPerTrial(f"a quantity {sentence}")
