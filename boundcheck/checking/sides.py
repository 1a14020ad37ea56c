"""The sides of a statement as its program computes them: their radii, and the size of their terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite, nan, prod
from typing import Any

import numpy as np

from boundcheck.checking.certificate import (
    NotFinite,
    NotTraceable,
    Runs,
    program_at,
)
from boundcheck.checking.observe import TOUCH, Observation, worst
from boundcheck.checking.sampling import BESIDE
from boundcheck.checking.trials import TINY, VAGUE
from boundcheck.checking.verdict import UNSATISFIED
from boundcheck.domains import Raw
from boundcheck.laws.quantities import is_complex
from boundcheck.operations.rounding import radii, weights_error
from boundcheck.tape import Tape
from boundcheck.tape.exactly import rationals
from boundcheck.tape.program import law_nodes
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Unsatisfied

WORK = 20
"""Units of work of one look at the radii of a short program."""

WORK_ENTRIES = 100
"""Entries of a program that are one unit more."""

ROUNDED = 1e-12
"""What floats make of equal sides, relatively, where there is no program; and of a constant that the body
works out in floats and the program exactly."""

MARGIN = 16
"""Floats of the body itself may have lost so many times what the rules of rounding allow its program."""

MOST_WORK = 20_000
"""Laws and arrays so large are not recorded only to compare."""


KINDS = ("at_most", "equal", "less", "loewner")


class Unread(Exception):
    """A body that does not run as its text is read; nothing can be said of its claim."""


@dataclass(frozen=True)
class Sides:
    """Both sides, entry by entry, and how far rounding can have moved their gap."""

    relation: str
    lhs: np.ndarray
    rhs: np.ndarray
    slack: np.ndarray
    tape: Tape
    nodes: tuple[int, int]

    @property
    def entries(self) -> int:
        """The numbers of the program."""
        return sum(value.size for value in self.tape.values)

    @property
    def excess(self) -> float:
        """The largest gap beyond its slack; positive for a violation that rounding cannot have made."""
        if self.relation == "loewner":
            least, rounding = self._least
            return -least - rounding if isfinite(rounding) else -inf
        gap = np.abs(self._gap) if self.relation == "equal" else self._gap
        return float(
            np.max(
                np.nan_to_num(gap - self.slack, nan=-np.inf), initial=-np.inf
            )
        )

    @property
    def _gap(self) -> np.ndarray:
        """Left less right, entry by entry; two infinities have none."""
        with np.errstate(invalid="ignore"):
            return self.lhs - self.rhs

    def agrees(self, o: Observation) -> bool:
        """Whether the body, run on floats, has these sides: entry by entry, within their radii."""
        if o.sides is None:
            return True
        radius = radii(self.tape, self.nodes, folded=ROUNDED)
        return all(
            self._is_alike(node, body, radius[node])
            for node, body in zip(self.nodes, o.sides, strict=True)
        )

    def _is_alike(self, node: int, body: np.ndarray, radius: Any) -> bool:
        """Whole numbers exactly, both parts of complex ones, eigenvalues in any order."""
        if body.dtype.kind in WHOLE:
            exact = rationals(self.tape, node)
            if exact is not None:
                return _are_equal(
                    np.reshape(_objects(exact), self.tape.values[node].shape),
                    body,
                )
        own = np.asarray(self.tape.values[node], dtype=float)
        if is_complex(body):
            return _are_close(own, np.real(body), radius) and _are_close(
                0.0, np.imag(body), radius
            )
        floats = np.asarray(body, dtype=float)
        if _are_close(own, floats, radius):
            return True
        if own.shape != floats.shape or not self._is_of_eigenvalues(node):
            return False
        own, floats = np.sort(own, axis=None), np.sort(floats, axis=None)
        return _are_close(own, floats, np.max(radius, initial=0.0))

    def _is_of_eigenvalues(self, node: int) -> bool:
        """Whether entries may come in the order of np.linalg.eigvals, which says nothing."""
        return any(
            self.tape.nodes[k]["op"] == "eigvals"
            for k in _made_of(self.tape, [node])
        )

    @property
    def clear(self) -> bool:
        """Whether the left side is below the right one whatever rounding has done."""
        if self.relation == "loewner":
            least, rounding = self._least
            return least > rounding
        return self.relation in ("at_most", "less") and bool(
            np.all(self._gap < -self.slack)
        )

    @property
    def _least(self) -> tuple[float, float]:
        """The smallest eigenvalue of the difference, and how far rounding can move it (Weyl)."""
        difference = self.rhs - self.lhs
        if not np.all(np.isfinite(difference)) or not np.all(
            np.isfinite(self.slack)
        ):
            return 0.0, inf
        rounding = 1e-13 * len(difference) * float(
            np.linalg.norm(difference)
        ) + float(np.linalg.norm(self.slack))
        return float(
            np.linalg.eigvalsh((difference + difference.T) / 2)[0]
        ), rounding

    @property
    def vague(self) -> bool:
        """Whether floats know too little of an entry to tell which side is larger."""
        size = np.abs(self.lhs) + np.abs(self.rhs)
        if self.relation == "loewner":
            return not np.all(
                self.slack
                <= VAGUE * max(float(np.max(size, initial=0.0)), 1e-300)
            )
        gap = np.abs(self._gap)
        return not np.all(
            (self.slack <= VAGUE * size)
            | (gap > self.slack)
            | (self.slack <= TINY)
        )


WHOLE = "biuO"
"""Kinds of arrays of whole numbers, Python's own among them."""


def _objects(entries: list[Any]) -> np.ndarray:
    """An array of exact numbers."""
    made = np.empty(len(entries), dtype=object)
    made[:] = entries
    return made


def _are_equal(x: np.ndarray, y: np.ndarray) -> bool:
    return bool(np.all(x == y.astype(object)))


def _are_close(own: Any, body: np.ndarray, radius: Any) -> bool:
    """Infinities are alike; what is no number says nothing."""
    with np.errstate(all="ignore"):
        near = (
            np.isfinite(own)
            & np.isfinite(body)
            & (np.abs(own - body) <= MARGIN * radius)
        )
    return bool(np.all((own == body) | near | np.isnan(own) | np.isnan(body)))


def sides(
    runs: Runs,
    raw: Mapping[str, Raw],
    part: int,
    kinds: Collection[str] = KINDS,
    moved: float = 0.0,
) -> Sides | None:
    """The sides by the program; None where it is not recorded, or only floats satisfy what it assumes."""
    try:
        return _sides(runs, raw, part, kinds, moved)
    except Unsatisfied:
        return None


def _sides(
    runs: Runs,
    raw: Mapping[str, Raw],
    part: int,
    kinds: Collection[str] = KINDS,
    moved: float = 0.0,
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
    lhs, rhs = (
        (lhs, rhs)
        if conclusion["kind"] == "loewner"
        else np.broadcast_arrays(lhs, rhs)
    )
    return Sides(conclusion["kind"], lhs, rhs, slack, tape, (i, j))


def by_program(
    runs: Runs, raw: Mapping[str, Raw], o: Observation
) -> Observation:
    """The observation as the program of the text has it. Raises Unread where the body runs otherwise."""
    compares = o.exact and o.pending is None and o.kind != "probability"
    if not compares or o.vacuous or o.work > MOST_WORK:
        return o
    try:
        found = _sides(runs, raw, o.part)
    except Unsatisfied:
        return (
            o if o.beyond_floats else replace(o, score=nan, aside=UNSATISFIED)
        )
    if found is None:
        return replace(o, score=2 * TOUCH) if ROUNDED < o.score <= TOUCH else o
    if not found.agrees(o):
        raise Unread(f"{runs.claim.location}: {BESIDE}")
    return o if o.beyond_floats else _recomputed(found, o)


def runs_as_read(
    runs: Runs,
    raw: Mapping[str, Raw],
    o: Observation,
    values: Mapping[str, str],
) -> bool:
    """Whether the body on floats agrees with its program, of which a probability has been recomputed."""
    if not o.exact:
        return True
    if o.kind == "probability" and "probability" not in values:
        return o.rhs == 0  # of P > 1 / n at n = 1 the chance is not asked
    if o.kind == "probability":
        return o.tied is None or _is_likely(
            runs, raw, o, float(values["probability"])
        )
    found = sides(runs, raw, o.part)
    return found is None or found.agrees(o)


def _is_likely(
    runs: Runs, raw: Mapping[str, Raw], o: Observation, exact: float
) -> bool:
    """Whether P(event) lies where floats see it; ties may fall on either side."""
    tape, _ = runs.trace(raw, o.part)
    known = radii(tape, law_nodes(tape.laws))
    error = MARGIN * weights_error(tape, tape.laws, known)
    low, high = o.lhs, o.most
    low, high = (1 - high, 1 - low) if o.relation == "ge" else (low, high)
    return low - error <= exact <= high + error


def _recomputed(found: Sides, o: Observation) -> Observation:
    with np.errstate(all="ignore"):
        score, lhs, rhs = worst(found.relation, found.lhs, found.rhs)
    seen = replace(o, lhs=lhs, rhs=rhs, vague=found.vague)
    if found.excess > 0:
        return replace(seen, score=max(score, 2 * TOUCH), vague=False)
    return replace(seen, score=min(score, 0.0))


def beyond_rounding(
    runs: Runs, raw: Mapping[str, Raw], o: Observation
) -> tuple[Observation, int]:
    """The observation, its violation taken back if rounding could have made it, and the work that it took."""
    if (
        not o.score > TOUCH
        or not o.exact
        or o.kind == "probability"
        or o.beyond_floats
    ):
        return o, 0
    try:
        found = _sides(runs, raw, o.part)
    except Unsatisfied:
        return replace(o, score=0.0), WORK
    if found is None:
        return o, WORK
    taken_back = found.excess <= 0
    return (
        replace(o, score=0.0, vague=found.vague) if taken_back else o
    ), WORK + found.entries // WORK_ENTRIES


ARRANGING = (
    "neg",
    "abs",
    "sum",
    "mean",
    "gather",
    "take",
    "cumsum",
    "sort",
    "add",
    "sub",
    "maximum",
    "minimum",
    "max",
    "min",
)
"""Operations whose terms are those of their arguments."""

EXPANDING: dict[str, Callable[[list[float], list[np.ndarray]], float]] = {
    **dict.fromkeys(ARRANGING, lambda sizes, _: max(sizes, default=0.0)),
    **dict.fromkeys(("mul", "matmul"), lambda sizes, _: prod(sizes)),
    "div": lambda sizes, values: (
        sizes[0] / (float(np.min(np.abs(values[1]), initial=inf)) or inf)
    ),
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
    seen = (
        sizes.values()
        if conclusion["kind"] == "equal"
        else [sizes[k] for k in conclusion["args"]]
    )
    return max((size for size in seen if isfinite(size)), default=0.0)


def _sizes(tape: Tape, roots: list[int]) -> dict[int, float]:
    """The size of each node that the sides are made of; arguments come before what is made of them."""
    sizes: dict[int, float] = {}
    for k in sorted(_made_of(tape, roots)):
        args, expand = tape.nodes[k]["args"], EXPANDING.get(tape.nodes[k]["op"])
        own = float(
            np.max(np.abs(np.asarray(tape.values[k], dtype=float)), initial=0.0)
        )
        sizes[k] = (
            own
            if expand is None
            else max(
                own,
                expand(
                    [sizes[a] for a in args], [tape.values[a] for a in args]
                ),
            )
        )
    return sizes


def _made_of(tape: Tape, roots: list[int]) -> set[int]:
    """The nodes that these are made of, themselves among them."""
    needed, waiting = set(), list(roots)
    while waiting:
        k = waiting.pop()
        if k not in needed:
            needed.add(k)
            waiting += tape.nodes[k]["args"]
    return needed


def _power(size: float, exponent: np.ndarray) -> float:
    return (
        size ** float(exponent) if exponent.ndim == 0 and exponent > 0 else 0.0
    )
