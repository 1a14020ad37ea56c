"""Worlds of trials: sampled, enumerated by atoms or on a tape; and the outcome of events in them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from boundcheck.laws import Law, NotFinite
from boundcheck.laws.enumerator import NO_POLYNOMIAL, Enumerator
from boundcheck.laws.quantities import (
    COMPARE,
    Event,
    NotPerTrial,
    Quantity,
    World,
    comparable,
    evaluate,
    flagged,
)
from boundcheck.operations.trials import aligned
from boundcheck.tape import NotTraceable, Tape, Traced, constant
from boundcheck.tape.exactly import ordered_draws
from boundcheck.tape.program import recording
from boundcheck.tape.traced import record

ROUNDING = 2.0**-36
"""Two sides closer than this, relatively, are a tie: a sampled tie counts for neither side."""

FEW_ATOMS = 2000
"""So many atoms are enumerated one by one without asking whether fewer would do."""

UNRECORDED = (
    NotTraceable,
    NotFinite,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    np.linalg.LinAlgError,
)
"""What recording may end in where the sampler itself runs."""

_SIGN = {"le": 1, "lt": 1, "ge": -1, "gt": -1}


def outcomes(event: Event, world: World) -> np.ndarray:
    """For each trial +1 (in the event), -1 (outside), 0 (a tie that rounding could decide either way)."""
    if event.relation == "not":
        return -outcomes(event.operands[0], world)
    if event.relation in ("and", "or"):
        combine = np.minimum if event.relation == "and" else np.maximum
        return combine(*(outcomes(e, world) for e in event.operands))
    sides = comparable(
        event.relation, aligned([flagged(x, world) for x in event.operands])
    )
    left, right = (np.asarray(x, dtype=float) for x in sides)
    result = _compared(event.relation, left, right)
    per_trial = (
        result.reshape(len(result), -1).min(axis=1, initial=1)
        if result.ndim
        else np.atleast_1d(result)
    )
    return np.broadcast_to(per_trial, (world.size,))


def _compared(relation: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    gap = right - left
    tie = np.abs(gap) <= ROUNDING * (np.abs(left) + np.abs(right))
    whole = (
        (left == np.rint(left)) & (right == np.rint(right)) & np.isfinite(gap)
    )
    exact = COMPARE[relation](left, right) * 2 - 1
    if relation in ("eq", "ne"):
        return np.where(tie & ~whole, 0, exact)
    apart = np.where(tie | np.isnan(gap), 0, np.sign(gap) * _SIGN[relation])
    return np.where(whole, exact, apart)


def laws_of(*expressions: Any, averaging: bool = False) -> list[Law]:
    """The laws that expressions draw from. Raises NotFinite when one is not finite, or all are too large.

    Copies whose order does not matter are given as multisets where there would be many atoms otherwise. For means
    (`averaging`) of polynomials, laws of known moments count as finite.
    """
    probe = Enumerator(averaging=averaging)
    try:
        _run(expressions, World(probe, 1, ExactAverage()))
    except (
        NotFinite,
        NotPerTrial,
        np.linalg.LinAlgError,
        ArithmeticError,
        MemoryError,
    ) as error:
        if any(law.is_smooth for law in probe.laws) and not isinstance(
            error, (NotFinite, NotPerTrial)
        ):
            raise NotFinite(
                NO_POLYNOMIAL
            ) from None  # at the point that stands for all, and for no other
        raise
    except (
        TypeError,
        ValueError,
        AttributeError,
        IndexError,
        KeyError,
        NotImplementedError,
    ) as error:
        raise NotFinite(
            f"The sampler does not run on atoms: {error}"
        ) from error
    plain = _as_they_are(probe.laws) and not any(
        law.is_smooth for law in probe.laws
    )
    laws = probe.laws if plain else _merged(probe.laws, expressions, averaging)
    Enumerator(laws=laws).atoms()
    return laws


def _as_they_are(laws: list[Law]) -> bool:
    """Whether nothing is won by merging copies: there are few atoms, or no copies along one axis."""
    return prod(law.atoms() for law in laws) <= FEW_ATOMS or not any(
        len(law.copies) == 1 for law in laws
    )


def _merged(laws: list[Law], expressions: Any, averaging: bool) -> list[Law]:
    """The laws, draws whose order does not matter given as multisets, as far as the program shows.

    Raises NotFinite where draws of known moments enter the program otherwise than in a polynomial.
    """
    tape = Tape(exactly=False)
    probe = Enumerator(tape=tape, averaging=averaging)
    try:
        with recording(tape):
            results = _run(expressions, World(probe, 1, TracedAverage(tape, 1)))
    except UNRECORDED as error:
        if any(law.is_smooth for law in laws):
            raise NotFinite(f"{NO_POLYNOMIAL} {error}") from None
        return laws
    laws = probe.exact_for(tape, results)
    return laws if _as_they_are(laws) else _unordered(laws, tape, results)


def _unordered(
    laws: list[Law], tape: Tape, results: list[Any], first: int = 0
) -> list[Law]:
    copied = {
        first + k
        for k, law in enumerate(laws)
        if len(law.copies) == 1 and not law.is_smooth
    }
    free = copied - ordered_draws(
        tape, copied, [x.node for x in results if isinstance(x, Traced)]
    )
    return [
        law.unordered() if first + k in free else law
        for k, law in enumerate(laws)
    ]


def _run(expressions: Any, world: World) -> list[Any]:
    with np.errstate(all="ignore"):
        return [y for x in expressions for y in _touch(x, world)]


def _touch(x: object, world: World) -> list[Any]:
    """The values of an expression, or of all that an event compares."""
    return (
        [y for operand in x.operands for y in _touch(operand, world)]
        if isinstance(x, Event)
        else [evaluate(x, world)]
    )


@dataclass(frozen=True)
class Enumerated:
    """A world that holds every atom once, and the probability of each."""

    world: World
    weights: np.ndarray


def enumerated(*expressions: Any, averaging: bool = False) -> Enumerated:
    """All atoms of laws that expressions draw from, or what stands for them in means. Raises NotFinite."""
    complete = Enumerator(
        laws=laws_of(*expressions, averaging=averaging),
        position=0,
        averaging=averaging,
    )
    return Enumerated(
        World(complete, complete.atoms(), ExactAverage()), complete.weights()
    )


def enumerated_on(
    tape: Tape, *expressions: Any, group: int = 0, averaging: bool = False
) -> Enumerated:
    """The same with every value traced; the tape then holds the laws, as one group of independent draws."""
    hypotheses, start = len(tape.hypotheses), len(tape.laws)
    probe = Enumerator(tape=tape, first=start, averaging=averaging)
    results = _run(expressions, World(probe, 1, TracedAverage(tape, group + 1)))
    laws = probe.exact_for(tape, results, hypotheses)
    del (
        tape.hypotheses[hypotheses:],
        tape.assumed[hypotheses:],
        tape.laws[start:],
    )
    laws = (
        laws if _as_they_are(laws) else _unordered(laws, tape, results, start)
    )
    complete = Enumerator(
        tape=tape, laws=laws, position=0, first=start, averaging=averaging
    )
    tape.laws.extend({**law.form, "group": group} for law in laws)
    return Enumerated(
        World(complete, complete.atoms(), TracedAverage(tape, group + 1)),
        complete.weights(),
    )


@dataclass
class ExactAverage:
    """Means by enumeration; counts the atoms."""

    atoms: int = 0

    def __call__(self, q: Quantity) -> Any:
        every = enumerated(q, averaging=True)
        self.atoms += every.world.size
        x = evaluate(q, every.world)
        return x if np.ndim(x) == 0 else np.tensordot(every.weights, x, axes=1)


@dataclass
class TracedAverage:
    """Means by enumeration on a tape, each quantity in a group of its own."""

    tape: Tape
    groups: int = 0

    def __call__(self, q: Quantity) -> Any:
        every = enumerated_on(self.tape, q, group=self.groups, averaging=True)
        x = evaluate(q, every.world)
        self.groups = every.world.averager.groups  # type: ignore[union-attr]  # behind averages inside
        if not isinstance(x, Traced) or x.ndim == 0:
            return x
        return record(
            self.tape,
            "mean",
            [x],
            np.tensordot(every.weights, x.traced_value, axes=1),
        )


def traced_event(event: Event, world: World, tape: Tape) -> dict[str, Any]:
    """The event as the certificate spells it."""
    if event.relation in ("and", "or"):
        return {
            event.relation: [
                traced_event(e, world, tape) for e in event.operands
            ]
        }
    if event.relation == "not":
        return {"not": traced_event(event.operands[0], world, tape)}
    left, right = (
        constant(tape, x).node
        for x in aligned([flagged(x, world) for x in event.operands])
    )
    spelled = {
        "le": {"le": [left, right]},
        "lt": {"lt": [left, right]},
        "ge": {"le": [right, left]},
        "gt": {"lt": [right, left]},
    }
    return spelled.get(event.relation, {event.relation: [left, right]})
