"""The sides of a statement as its program computes them: their radii, and the size of their terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite, nan, prod

import numpy as np

from boundcheck.checking.certificate import NotFinite, NotTraceable, Runs, program_at
from boundcheck.checking.observe import TOUCH, Observation, worst
from boundcheck.checking.trials import TINY, VAGUE
from boundcheck.domains import Raw
from boundcheck.operations.rounding import radii
from boundcheck.tape import Tape
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Unsatisfied

WORK = 20
"""Units of work of one look at the radii of a short program."""

WORK_ENTRIES = 100
"""Entries of a program that are one unit more."""

ROUNDED = 1e-12
"""What rounding makes of equal sides, relatively; a larger gap without a program is left to a certificate."""

MARGIN = 16
"""Floats of the body itself may have lost so many times what the rules of rounding allow its program."""

MOST_WORK = 20_000
"""Laws and arrays so large are not recorded only to compare."""


KINDS = ("at_most", "equal", "loewner")


@dataclass(frozen=True)
class Sides:
    """Both sides, entry by entry, and how far rounding can have moved their gap."""

    relation: str
    lhs: np.ndarray
    rhs: np.ndarray
    slack: np.ndarray
    entries: int

    @property
    def excess(self) -> float:
        """The largest gap beyond its slack; positive for a violation that rounding cannot have made."""
        if self.relation == "loewner":
            least, rounding = self._least
            return -least - rounding if isfinite(rounding) else -inf
        gap = np.abs(self.lhs - self.rhs) if self.relation == "equal" else self.lhs - self.rhs
        return float(np.max(np.nan_to_num(gap - self.slack, nan=-np.inf), initial=-np.inf))

    def agrees(self, o: Observation) -> bool:
        """Whether the body, in floats, has these sides up to rounding; what is not finite says nothing."""
        if self.relation == "loewner":
            return self._scores(o.score)
        return not (isfinite(o.lhs) and isfinite(o.rhs)) or self._are_near(o.lhs, o.rhs)

    def _are_near(self, lhs: float, rhs: float) -> bool:
        """Whether an entry, one that is violated if any is, has these sides."""
        pairs = ((self.lhs, lhs), (self.rhs, rhs))
        near = [np.abs(own - x) <= MARGIN * self.slack + ROUNDED * np.abs(own) for own, x in pairs]
        gap = np.abs(self.lhs - self.rhs) if self.relation == "equal" else self.lhs - self.rhs
        violated = gap > self.slack
        return bool(np.any(near[0] & near[1] & (violated | ~np.any(violated))))

    def _scores(self, score: float) -> bool:
        """Whether the least eigenvalue of the difference, relative to both sides, is minus this."""
        least, rounding = self._least
        size = float(np.linalg.norm(self.lhs) + np.linalg.norm(self.rhs))
        return not isfinite(rounding) or abs(least + score * size) <= MARGIN * rounding + ROUNDED * size

    @property
    def clear(self) -> bool:
        """Whether the left side is below the right one whatever rounding has done."""
        if self.relation == "loewner":
            least, rounding = self._least
            return least > rounding
        return self.relation == "at_most" and bool(np.all(self.lhs - self.rhs < -self.slack))

    @property
    def _least(self) -> tuple[float, float]:
        """The smallest eigenvalue of the difference, and how far rounding can move it (Weyl)."""
        difference = self.rhs - self.lhs
        if not np.all(np.isfinite(difference)) or not np.all(np.isfinite(self.slack)):
            return 0.0, inf
        rounding = 1e-13 * len(difference) * float(np.linalg.norm(difference)) + float(np.linalg.norm(self.slack))
        return float(np.linalg.eigvalsh((difference + difference.T) / 2)[0]), rounding

    @property
    def vague(self) -> bool:
        """Whether floats know too little of an entry to tell which side is larger."""
        size = np.abs(self.lhs) + np.abs(self.rhs)
        if self.relation == "loewner":
            return not np.all(self.slack <= VAGUE * max(float(np.max(size, initial=0.0)), 1e-300))
        gap = np.abs(self.lhs - self.rhs)
        return not np.all((self.slack <= VAGUE * size) | (gap > self.slack) | (self.slack <= TINY))


def sides(
    runs: Runs, raw: Mapping[str, Raw], part: int, kinds: Collection[str] = KINDS, moved: float = 0.0
) -> Sides | None:
    """The sides by the program; None where it is not recorded, or only floats satisfy what it assumes."""
    try:
        return _sides(runs, raw, part, kinds, moved)
    except Unsatisfied:
        return None


def _sides(
    runs: Runs, raw: Mapping[str, Raw], part: int, kinds: Collection[str] = KINDS, moved: float = 0.0
) -> Sides | None:
    """The same. Raises Unsatisfied where only floats assume."""
    try:
        tape, conclusion = runs.trace(raw, part)
    except (NotTraceable, NotFinite) as error:
        if isinstance(error.__cause__, Unsatisfied):
            raise Unsatisfied from error
        return None
    if conclusion["kind"] not in kinds:
        return None
    i, j = conclusion["args"]
    with np.errstate(all="ignore"):
        radius = radii(tape, [i, j], moved)
        lhs, rhs = (np.asarray(tape.values[k], dtype=float) for k in (i, j))
        slack = (radius[i] + radius[j]) * (1 + 1e-12)  # type: ignore[operator]
    lhs, rhs = (lhs, rhs) if conclusion["kind"] == "loewner" else np.broadcast_arrays(lhs, rhs)
    return Sides(conclusion["kind"], lhs, rhs, slack, sum(value.size for value in tape.values))


def by_program(runs: Runs, raw: Mapping[str, Raw], o: Observation) -> Observation:
    """The observation as the program of the text has it: the body may have wrapped or rounded on the way."""
    compares = o.exact and o.pending is None and o.kind != "probability" and not o.beyond_floats
    if not compares or o.vacuous or o.work > MOST_WORK:
        return o
    try:
        found = _sides(runs, raw, o.part)
    except Unsatisfied:
        return replace(o, score=nan)
    if found is None:
        return replace(o, score=2 * TOUCH) if ROUNDED < o.score <= TOUCH else o
    return _recomputed(found, o)


def _recomputed(found: Sides, o: Observation) -> Observation:
    with np.errstate(all="ignore"):
        score, lhs, rhs = worst(found.relation, found.lhs, found.rhs)
    seen = replace(o, lhs=lhs, rhs=rhs, vague=found.vague)
    if found.excess > 0:
        return replace(seen, score=max(score, 2 * TOUCH), vague=False)
    return replace(seen, score=min(score, 0.0))


def beyond_rounding(runs: Runs, raw: Mapping[str, Raw], o: Observation) -> tuple[Observation, int]:
    """The observation, its violation taken back if rounding could have made it, and the work that it took."""
    if not o.score > TOUCH or not o.exact or o.kind == "probability" or o.beyond_floats:
        return o, 0
    try:
        found = _sides(runs, raw, o.part)
    except Unsatisfied:
        return replace(o, score=0.0), WORK
    if found is None:
        return o, WORK
    taken_back = found.excess <= 0
    return (replace(o, score=0.0, vague=found.vague) if taken_back else o), WORK + found.entries // WORK_ENTRIES


ARRANGING = ("neg", "abs", "sum", "mean", "gather", "take", "cumsum", "sort", "add", "sub", "maximum", "minimum", "max", "min")
"""Operations whose terms are those of their arguments."""

EXPANDING: dict[str, Callable[[list[float], list[np.ndarray]], float]] = {
    **dict.fromkeys(ARRANGING, lambda sizes, _: max(sizes, default=0.0)),
    **dict.fromkeys(("mul", "matmul"), lambda sizes, _: prod(sizes)),
    "div": lambda sizes, values: sizes[0] / (float(np.min(np.abs(values[1]), initial=inf)) or inf),
    "sqrt": lambda sizes, _: sizes[0] ** 0.5,
    "pow": lambda sizes, values: _power(sizes[0], values[1]),
}
"""The size of the terms of a result, once it is multiplied out, from those of its arguments."""


def size_of_terms(claim: Claim, raw: Mapping[str, Raw], part: int) -> float:
    """The largest absolute value among the terms of both sides, multiplied out; 0 where it is unknown.

    (x - y)^2 has the terms of x^2 - 2 x y + y^2. In an identity any number of its program is large enough.
    """
    try:
        tape, conclusion = program_at(claim, raw, part)
        with np.errstate(all="ignore"):
            sizes = _sizes(tape, conclusion["args"])
    except (NotTraceable, NotFinite, ArithmeticError):
        return 0.0
    seen = sizes.values() if conclusion["kind"] == "equal" else [sizes[k] for k in conclusion["args"]]
    return max((size for size in seen if isfinite(size)), default=0.0)


def _sizes(tape: Tape, roots: list[int]) -> dict[int, float]:
    """The size of each node that the sides are made of; arguments come before what is made of them."""
    needed, waiting = set(), list(roots)
    while waiting:
        k = waiting.pop()
        if k not in needed:
            needed.add(k)
            waiting += tape.nodes[k]["args"]
    sizes: dict[int, float] = {}
    for k in sorted(needed):
        args, expand = tape.nodes[k]["args"], EXPANDING.get(tape.nodes[k]["op"])
        own = float(np.max(np.abs(np.asarray(tape.values[k], dtype=float)), initial=0.0))
        sizes[k] = own if expand is None else max(own, expand([sizes[a] for a in args], [tape.values[a] for a in args]))
    return sizes


def _power(size: float, exponent: np.ndarray) -> float:
    return size ** float(exponent) if exponent.ndim == 0 and exponent > 0 else 0.0
