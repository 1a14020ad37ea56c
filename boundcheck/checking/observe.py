"""One instance of a claim in floats: how far its statement is from being violated."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from dis import get_instructions
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from boundcheck.checking.certificate import deltas, finite_law
from boundcheck.checking.pace import TooLong, has_ended, stated_at
from boundcheck.checking.perturbations import perturbed
from boundcheck.checking.search.equations import exactly_satisfied
from boundcheck.checking.search.scores import ATTAINED, FLAT
from boundcheck.checking.verdict import TOO_LONG, UNSATISFIED
from boundcheck.domains import Raw
from boundcheck.laws import NotFinite
from boundcheck.laws.quantities import (
    Event,
    World,
    averaged,
    comparable,
    evaluate,
    flagged,
    indicator,
    is_complex,
    real_pairs,
)
from boundcheck.laws.worlds import (
    Enumerated,
    ExactAverage,
    enumerated,
    outcomes,
)
from boundcheck.operations.trials import aligned
from boundcheck.tape.texts import is_installed
from boundcheck.tape.truth import NEGATED
from boundcheck.words.claims import Claim
from boundcheck.words.failures import told, undefined
from boundcheck.words.hypotheses import (
    AS_PRINTED,
    OutOfReach,
    Question,
    Unsatisfied,
    asking,
)
from boundcheck.words.meaning import FIRST, BrokenClaim
from boundcheck.words.statements import (
    Chance,
    Inequality,
    as_statement,
    parts_of,
)

TOUCH = 1e-9
"""A relative gap below this is equality as far as floats can tell; the sign of it is not evidence."""

UNRESOLVED, LOST, FAR = 1e-10, 1e-13, -1.0
"""Below it 1 - delta keeps too little of delta; it matters where nearly all is lost, or where the failure
probability is not far below."""

INFINITE = 750.0
"""Above the logarithm of every float: the score where one side is infinite on the wrong side."""

DEEP = -750.0
"""Below the logarithm of every float: where the score starts when the sides differ in sign."""


@dataclass(frozen=True)
class Observation:
    """What floats say about one part of a statement on one instance.

    `score` is positive for an apparent violation: log(lhs / rhs), or log(probability / allowed). `decided` is
    set where trials refute the part at the level of holding, which asks for confirmation.
    `tightness` is lhs / rhs. `work` counts array entries touched, the deterministic measure of cost.
    """

    part: int
    kind: str
    score: float
    lhs: float = np.nan
    rhs: float = np.nan
    exact: bool = True
    vacuous: bool = False
    work: int = 1
    pending: Any = None
    relation: str = ""
    decided: bool = False
    tied: float | None = None
    vague: bool = False
    """Whether floats know too little of the sides to tell which is larger."""
    aside: str = ""
    """Why the sides are not judged although they are numbers."""
    strict: bool = False
    about: str = ""
    """What the sides are, where the statement does not show it."""
    sides: tuple[np.ndarray, np.ndarray] | None = field(
        default=None, compare=False, repr=False
    )
    """Both sides entry by entry, of the types that the body gave them."""
    good: float = np.nan
    least: float = np.nan
    """Of a chance 1 - lhs and 1 - rhs, where they are known without the rounding of a difference."""

    def with_chances(self, bad: float, good: float = np.nan) -> Observation:
        """Where what contradicts the statement has probability `bad`, and all else `good`.

        Near 1 it is the ratio of what is left that tells how far a statement fails.
        """
        score = float(np.log(max(bad, 1e-320)) - np.log(max(self.rhs, 1e-320)))
        if good < self.least:
            score = max(
                score, float(np.log(self.least) - np.log(max(good, 1e-320)))
            )
        return replace(self, lhs=bad, good=good, score=score)

    @property
    def tightness(self) -> float:
        return self.lhs / self.rhs if self.rhs else np.nan

    @property
    def most(self) -> float:
        """The failure probability if all atoms that floats cannot place speak against the statement."""
        return self.lhs + (self.tied or 0.0)

    @property
    def hangs_on_ties(self) -> bool:
        """Whether such atoms make the difference between a violation and none."""
        return bool(self.tied) and self.score <= TOUCH and self.most > self.rhs

    @property
    def meets_by_ties(self) -> bool:
        """Whether they may bring the failure probability to what is allowed, or beyond."""
        least = self.rhs * (1 - TOUCH)
        return bool(self.tied) and self.score <= TOUCH and self.most >= least

    @property
    def guide(self) -> float:
        """What a search should raise instead of the score: the ratio of exponents of two probabilities.

        Probabilities near 1 are nearly equal, and so are sides that both vanish; neither leads anywhere.
        """
        if self.lhs == 0 == self.rhs:
            return -np.inf
        near, far = (
            1 - side if np.isnan(known) else known
            for side, known in ((self.lhs, self.good), (self.rhs, self.least))
        )
        if self.kind != "probability" or self.rhs <= 0 or far <= 0:
            return self.score
        if self.lhs == 0:
            return FLAT
        if self.rhs > 0.5:
            left, least = (np.log(max(x, 1e-320)) for x in (near, far))
            return float(left / least) - 1
        return 1 - float(np.log(max(self.lhs, 1e-320)) / np.log(self.rhs))

    @property
    def beyond_floats(self) -> bool:
        """Whether only exact arithmetic can tell: sides are infinite, or equal in a strict statement."""
        return self.strict or not np.isfinite(self.lhs - self.rhs)

    @property
    def attained(self) -> bool:
        """Whether the sides of a strict statement are one float."""
        return self.strict and self.score == ATTAINED

    @property
    def touches(self) -> bool:
        return abs(self.score) <= TOUCH and not self.vague


MOST_LINES = 4_000_000
"""Lines that a body may run at one instance."""

ENGINE = str(Path(__file__).parents[1])

UNSTEADY = "two calls with the same parameters say different things; use the parameters alone"


@dataclass(frozen=True)
class Skipped:
    """An instance that says nothing: why."""

    reason: str
    detail: str = ""


def observe(
    claim: Claim,
    raw: Mapping[str, Raw],
    question: Question = AS_PRINTED,
    orders: bool = True,
) -> list[Observation] | Skipped:
    """Run the body on one instance and look at each part of its statement. Raises BrokenClaim.

    Hypotheses that are `orders` are read exactly where floats deny them, which takes longer than the look.
    """
    if claim.fault:
        raise BrokenClaim(claim.fault)
    claim.steady.calls += 1
    if claim.steady.calls > FIRST:
        return _observed(claim, raw, question, orders)
    claim.steady.require()
    with ending(claim):
        seen = _observed(claim, raw, question, orders)
    claim.steady.require()
    again = _observed(claim, raw, question, orders)
    if not _same(seen, again):
        raise BrokenClaim(f"{claim.id} ({claim.location}): {UNSTEADY}")
    return seen


@contextmanager
def ending(claim: Claim) -> Iterator[None]:
    """Raise BrokenClaim when a body runs too many lines to have an end; under a debugger nobody counts."""
    left = MOST_LINES

    def line(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0 and has_ended():
            raise TooLong("it takes too long to run")
        if left < 0:
            place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
            raise BrokenClaim(
                f"{claim.id} ({place}): {MOST_LINES:,} lines have run; does this loop end?"
            )
        return line

    def call(frame: FrameType, event: str, _: object) -> Any:
        if (
            is_installed(frame.f_code.co_filename)
            or ENGINE in frame.f_code.co_filename
        ):
            return None
        frame.f_trace_opcodes = _is_idle(frame.f_code)
        return line

    if sys.gettrace() is not None:
        yield
        return
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(None)


@cache
def _is_idle(code: CodeType) -> bool:
    """Whether a loop does nothing on one line, which is no event of lines: `while True: pass`."""
    return any(
        step.opname.startswith("JUMP_BACKWARD") and step.argval == step.offset
        for step in get_instructions(code)
    )


def _same(
    seen: list[Observation] | Skipped, again: list[Observation] | Skipped
) -> bool:
    """Whether two looks saw the same, up to what the place in memory makes of numbers' last digits."""
    if isinstance(seen, Skipped) or isinstance(again, Skipped):
        return seen == again
    sides = [[(o.lhs, o.rhs) for o in some] for some in (seen, again)]
    return len(seen) == len(again) and np.allclose(
        *sides, rtol=1e-6, atol=1e-9, equal_nan=True
    )


def _observed(
    claim: Claim,
    raw: Mapping[str, Raw],
    question: Question,
    orders: bool,
    granted: bool = False,
) -> list[Observation] | Skipped:
    try:
        with np.errstate(all="ignore"), asking(question, granted) as words:
            statement = as_statement(stated_at(claim, raw))
            seen = [
                _seen(k, perturbed(part, question.on(k)))
                for k, part in enumerate(parts_of(statement))
            ]
            return _resolved(claim, raw, seen, question)
    except Unsatisfied:
        exactly = not granted and exactly_satisfied(
            claim, raw, question, words.assumptions if orders else 0
        )
        return (
            _observed(claim, raw, question, orders, granted=True)
            if exactly
            else Skipped(UNSATISFIED)
        )
    except TooLong as long:
        return Skipped(TOO_LONG, str(long))
    except OutOfReach as reach:
        return Skipped("out of reach", str(reach))
    except MemoryError:
        return Skipped("out of reach", "more memory than there is")
    except (KeyboardInterrupt, BrokenClaim):
        raise
    except BaseException as error:  # whatever the text raises, exit() too
        if why := undefined(error):
            return Skipped(f"undefined by {why}")
        raise BrokenClaim(
            f"{claim.id} ({claim.failed_at(error)}): {told(error)}"
        ) from error


def _resolved(
    claim: Claim,
    raw: Mapping[str, Raw],
    seen: list[Observation],
    question: Question,
) -> list[Observation]:
    """Small failure probabilities against the delta of 1 - delta as the body computes it, recorded once."""
    tiny = [
        o for o in seen if o.relation == "ge" and 0 < o.lhs < UNRESOLVED > o.rhs
    ]
    small = {o.part for o in tiny if o.rhs < LOST or o.score > FAR}
    exact = deltas(claim, raw, question) if small else {}
    some = small & exact.keys()
    return [
        _allowing(o, exact[o.part] * question.on(o.part).bound)
        if o.part in some
        else o
        for o in seen
    ]


def _allowing(o: Observation, delta: float) -> Observation:
    return replace(o, rhs=delta).with_chances(o.lhs)


def _seen(part: int, statement: Inequality | Chance) -> Observation:
    """The observation of one atomic statement."""
    if isinstance(statement, Inequality):
        return _inequality(part, statement)
    return _chance(part, statement)


def _inequality(part: int, statement: Inequality) -> Observation:
    averager, about = (
        ExactAverage(),
        "" if statement.slope is None else str(statement.slope),
    )
    try:
        given = [
            np.asarray(averaged(x, averager))
            for x in (statement.lhs, statement.rhs)
        ]
        lhs, rhs = _real_sides(statement, *given)
    except NotFinite:
        return Observation(
            part,
            "expectation",
            np.nan,
            exact=False,
            pending=statement.sampled(),
            about=about,
        )
    work = max(lhs.size, rhs.size) * max(averager.atoms, 1)
    kind = "expectation" if statement.random else statement.relation
    empty = 0 in np.broadcast_shapes(lhs.shape, rhs.shape)
    score, left, right = -np.inf, 0.0, 0.0
    if not empty:
        score, left, right = _beyond_differences(statement, lhs, rhs) or worst(
            statement.relation, lhs, rhs
        )
    vacuous = empty or (
        statement.trivial is not None
        and bool(np.all(rhs >= np.asarray(statement.trivial, dtype=float)))
    )
    return Observation(
        part,
        kind,
        score,
        left,
        right,
        vacuous=vacuous,
        work=work,
        relation=statement.relation,
        strict=statement.strict,
        about=about,
        sides=(given[0], given[1]),
    )


def _real_sides(
    statement: Inequality, lhs: np.ndarray, rhs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Both sides in real numbers. Raises TypeError for an order of complex numbers or no square matrices."""
    if is_complex(lhs) or is_complex(rhs):
        if statement.relation != "equal":
            raise TypeError(
                "complex numbers have no order; compare np.abs(z), np.real(z) or np.imag(z)"
            )
        lhs, rhs = (real_pairs(x) for x in np.broadcast_arrays(lhs, rhs))
    if (
        statement.relation == "loewner"
        and not lhs.shape == rhs.shape == 2 * lhs.shape[:1]
    ):
        shapes = f"arrays of shapes {lhs.shape} and {rhs.shape}"
        raise TypeError(
            f"loewner compares square matrices of one size, not {shapes}"
        )
    return np.asarray(lhs, dtype=float), np.asarray(rhs, dtype=float)


def _beyond_differences(
    statement: Inequality, lhs: np.ndarray, rhs: np.ndarray
) -> tuple[float, float, float] | None:
    """What no difference of floats shows: an infinite side, or equality where the statement is strict.

    Two sides that are both infinite may have overflowed: nothing is known of them.
    """
    if statement.relation == "loewner":
        return None
    lhs, rhs = (x.ravel() for x in np.broadcast_arrays(lhs, rhs))
    gap = lhs - rhs
    finite = np.isfinite(gap)
    if finite.all() and not statement.strict:  # nearly always
        return None
    wrong = (
        gap > 0 if statement.relation == "at_most" else np.abs(gap) == np.inf
    )
    attained = statement.strict & (lhs == rhs)
    unclear = np.isinf(lhs) & (lhs == rhs)
    for entries, score in (
        (wrong & ~finite, INFINITE),
        (unclear, np.nan),
        (attained & ~np.any(wrong), ATTAINED),
    ):
        if np.any(entries) and not np.any(np.isnan(lhs) | np.isnan(rhs)):
            worst = int(np.argmax(entries))
            return score, float(lhs[worst]), float(rhs[worst])
    return None


def _at_most(lhs: np.ndarray, rhs: np.ndarray) -> tuple[float, float, float]:
    lhs, rhs = (x.ravel() for x in np.broadcast_arrays(lhs, rhs))
    if not lhs.size:
        return -np.inf, 0.0, 0.0
    some = (lhs != 0) | (rhs != 0)  # 0 <= 0 hides no other entry
    if some.any():
        lhs, rhs = lhs[some], rhs[some]
    scores = _log_ratio(lhs, rhs)
    worst = int(np.argmax(scores))  # NaN before all others
    return float(scores[worst]), float(lhs[worst]), float(rhs[worst])


def _log_ratio(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """log(lhs / rhs) where both are positive, log(rhs / lhs) where negative; it rises in lhs - rhs."""
    with np.errstate(all="ignore"):
        size, sign = np.abs(lhs) + np.abs(rhs), np.sign(rhs)
        gap = np.where(size > 0, (lhs - rhs) / size, 0.0)
        ratio = sign * (np.log(np.abs(lhs)) - np.log(np.abs(rhs)))
        result = np.where(
            lhs * sign > 0, ratio, np.where(gap < 0, DEEP + gap, gap)
        )
        finite = np.isfinite(size)
        if finite.all():
            return result
        infinite = np.isinf(rhs) & (rhs > 0)
        return np.where(
            infinite & ~np.isnan(lhs), -np.inf, np.where(finite, result, np.nan)
        )


def _equal(lhs: np.ndarray, rhs: np.ndarray) -> tuple[float, float, float]:
    lhs, rhs = np.broadcast_arrays(lhs, rhs)
    size = float(
        np.max(np.abs(lhs), initial=0.0) + np.max(np.abs(rhs), initial=0.0)
    )
    gap = np.abs(lhs - rhs).ravel()
    worst = int(np.argmax(gap)) if gap.size else 0
    score = float(gap[worst] / size) if size and gap.size else 0.0
    return score, float(lhs.ravel()[worst]), float(rhs.ravel()[worst])


def _loewner(lhs: np.ndarray, rhs: np.ndarray) -> tuple[float, float, float]:
    n = max(lhs.shape[-1] if lhs.ndim else 1, rhs.shape[-1] if rhs.ndim else 1)
    difference = np.broadcast_to(rhs, (n, n)) - np.broadcast_to(lhs, (n, n))
    size = float(np.linalg.norm(lhs) + np.linalg.norm(rhs))
    if not np.isfinite(size):
        return np.nan, np.nan, np.nan
    values, vectors = np.linalg.eigh((difference + difference.T) / 2)
    score = -float(values[0]) / size if size else 0.0
    left, right = (np.sum(vectors * (x @ vectors), axis=0) for x in (lhs, rhs))
    k = (
        0
        if score > TOUCH
        else int(
            np.argmax(np.where(right > TOUCH * size, left / right, -np.inf))
        )
    )
    return score, float(left[k]), float(right[k])


_COMPARE = {"at_most": _at_most, "equal": _equal, "loewner": _loewner}


def worst(
    relation: str, lhs: np.ndarray, rhs: np.ndarray
) -> tuple[float, float, float]:
    """The score of two sides, and their worst entries."""
    return _COMPARE[relation](lhs, rhs)


def _chance(part: int, statement: Chance) -> Observation:
    bound = float(statement.bound)
    if np.isnan(bound):
        return Observation(part, "probability", np.nan)
    least, most = bound, 1 - bound
    if statement.relation == "le":
        least, most = most, least
    allowed = max(most, 0.0)
    vacuous = least < 0 or (least == 0 and not statement.strict)
    seen = Observation(
        part,
        "probability",
        np.nan,
        rhs=allowed,
        vacuous=vacuous,
        relation=statement.relation,
        strict=statement.strict,
        least=least,
    )
    law: Any = finite_law(statement)
    try:
        every = enumerated(statement.event) if law is None else None
        if every is not None:
            bad, good, tied = failure(statement, every)
            work = every.world.size
        else:
            (bad, work), good, tied = law.failure(), np.nan, None  # pyright: ignore[reportOptionalMemberAccess]
    except NotFinite:
        return replace(seen, exact=False, relation="", pending=statement)
    told = replace(seen.with_chances(bad, good), work=work, tied=tied)
    if statement.relation == "ge" and not bad:  # 1 - delta has no smaller delta
        resolved = replace(seen, rhs=max(allowed, 2.0**-53))
        told = replace(told, score=resolved.with_chances(bad, good).score)
    lost = (
        bad
        if every is None or not tied or told.score > TOUCH
        else bad + lost_failure(statement, every)
    )
    if lost > max(bad, allowed):
        return replace(seen, lhs=lost, work=work)
    attained = abs(bad - allowed) <= TOUCH * allowed
    if statement.strict and not vacuous and attained:
        return replace(told, score=max(told.score, ATTAINED))
    return told


def failure(statement: Chance, every: Enumerated) -> tuple[float, float, float]:
    """Probability that surely counts against the statement, that of all else, and that of ties."""
    result = outcomes(statement.event, every.world)
    against = result == (-1 if statement.relation == "ge" else 1)
    chosen = (against, ~against, result == 0)
    bad, good, tied = (float(np.sum(every.weights[which])) for which in chosen)
    return bad, good, tied


def lost_failure(statement: Chance, every: Enumerated) -> float:
    """The probability that counts against the statement because some side is no number.

    There a comparison is false, as in NumPy, but a NaN of floats may be their own doing: it decides nothing.
    """
    event, world = statement.event, every.world
    lost = (outcomes(event, world) == 0) & _no_number(event, world)
    if not np.any(lost):
        return 0.0
    against = 0 if statement.relation == "ge" else 1
    counted = lost & (evaluate(indicator(event), world) == against)
    return float(np.sum(every.weights[counted]))


def _no_number(event: Event, world: World) -> Any:
    """The trials in which some side of the event is NaN."""
    if event.relation not in NEGATED:
        return np.logical_or.reduce(
            [_no_number(e, world) for e in event.operands]
        )
    left, right = comparable(
        event.relation, aligned([flagged(x, world) for x in event.operands])
    )
    lost = np.asarray(np.isnan(left) | np.isnan(right))
    return lost.reshape(len(lost), -1).any(axis=1) if lost.ndim else lost
