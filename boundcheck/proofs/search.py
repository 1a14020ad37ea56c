"""Growing the trees of a proof by boxes: where to cut, which path, when to come down to a face;
all bounded by counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

import boundcheck.certificates.verify.boxes as boxes
from boundcheck.certificates.verify.boxes import Box, Look, Side
from boundcheck.certificates.verify.proofs import Interval
from boundcheck.certificates.verify.scalars import Code, Unproved
from boundcheck.checking.paths import NoInstance, NotFinite, NotTraceable, Route
from boundcheck.proofs.sets import cut, width

Tree = Any

DEEPEST = 90
"""Cuts, one below the other."""

FEWEST = 4
"""After so many cuts a box may be shown by several paths together."""

MOST_PATHS = 24

STRAY = (NoInstance, NotTraceable, NotFinite, Unproved)


class Stuck(Exception):
    """No proof was found with the work allowed; the message says where."""


class Effort:
    """Instructions that may still be run, and the parts of which no normal form was found at a choice."""

    def __init__(self, left: float):
        self.left, self.spent = left, 0.0
        self.hard: set[int] = set()

    def spend(self, units: float) -> None:
        """Raises Stuck."""
        self.left -= units
        self.spent += units
        if self.left < 0:
            raise Stuck("it takes more work than a proof is given")


class Paths:
    """The paths of one case that are known so far, and how more are recorded."""

    def __init__(self, record: Callable[[Mapping[str, float]], Route], names: Sequence[str]):
        self.record, self.names = record, names
        self.code = Code(names)
        self.recorded: list[Route] = []
        self.routes: list[boxes.Route] = []
        self.seen: dict[str, int] = {}

    def at(self, point: Mapping[str, float], key: Callable[[Route], str]) -> int:
        """The number of the path at an instance. Raises what STRAY lists."""
        found = self.record(point)
        known = key(found)
        if known not in self.seen:
            if len(self.routes) == MOST_PATHS:
                raise Stuck(f"there are more than {MOST_PATHS} paths")
            self.routes.append(boxes.Route(found, self.names, self.code))
            self.recorded.append(found)
            self.seen[known] = len(self.routes) - 1
        return self.seen[known]


class Grower:
    """The tree of one side of a case."""

    def __init__(
        self,
        paths: Paths,
        number: int,
        intervals: Mapping[str, Interval],
        key: Callable[[Route], str],
        effort: Effort,
    ):
        self.paths, self.number, self.key, self.effort = paths, number, key, effort
        self.names, self.intervals = list(intervals), list(intervals.values())
        self.last = 0

    def side(self, k: int) -> Side:
        route = self.paths.routes[k]
        if self.number >= len(route.sides) or route.relation != self.paths.routes[0].relation:
            raise Stuck("paths of different statements")
        return route.sides[self.number]

    def grow(self, box: Box, face: int | None = None, depth: int = 0) -> Tree:
        """A tree that shows the side on a box, or on a face that path `face` came down to. Raises Stuck."""
        if depth > DEEPEST:
            raise Stuck(f"the sides touch near {self._named(box)}")
        k, look = self._looked(box, face)
        if look is not None and look.shown:
            return k
        if look is not None and look.face is not None and not look.linked and k is not None:
            return ["face", k, self.grow(look.face, k, depth + 1)]
        if look is None and face is None and len(self.paths.routes) > 1 and depth > FEWEST:
            found = self._together(box)
            if found is not None:
                return found
        return self._cut(box, look, face, depth)

    def _together(self, box: Box) -> Tree | None:
        """The paths that show a box together."""
        possible = [k for k in range(len(self.paths.routes)) if self._look(k, box).state != "other"]
        sides = [self.side(k) for k in possible]
        self.effort.spend(sum(len(side.steps[0]) for side in sides) * (2 + 2 * len(box)))
        return ["paths", possible] if sides and boxes.shown_on_all(sides, box) else None

    def _looked(self, box: Box, face: int | None) -> tuple[int | None, Look | None]:
        """The path that a box takes as far as is known, and what it shows there."""
        if face is not None:
            return face, self._look(face, box, True)
        order = sorted(range(len(self.paths.routes)), key=lambda k: k != self.last)
        for k in order:
            look = self._look(k, box)
            if look.shown or look.state == "taken":
                self.last = k
                return k, look
        before = len(self.paths.routes)
        try:
            k = self.paths.at(
                {name: _middle(*ends) for name, ends in zip(self.names, box, strict=True)}, self.key
            )
        except STRAY:
            return None, None
        self.effort.spend(200)
        if k < before:
            return None, None
        look = self._look(k, box)
        return (k, look) if look.shown or look.state == "taken" else (None, None)

    def _look(self, k: int, box: Box, face: bool = False) -> Look:
        side = self.side(k)
        self.effort.spend(len(side.steps[0]) * (1 + 2 * len(box)))
        return side.look(box, face)

    def _cut(self, box: Box, look: Look | None, face: int | None, depth: int) -> Tree:
        widths = [
            width(lo, hi, x) if lo < hi else 0.0 for (lo, hi), x in zip(box, self.intervals, strict=True)
        ]
        weights = list(look.weights) if look is not None and look.weights else []
        score = weights if weights and all(map(isfinite, weights)) and max(weights) > 0 else widths
        axis = (
            max(range(len(box)), key=lambda i: (score[i] if widths[i] > 1e-7 else 0.0, widths[i]))
            if box
            else -1
        )
        if axis < 0 or widths[axis] <= 1e-7:
            raise Stuck(f"the sides touch near {self._named(box)}")
        lo, hi = box[axis]
        at = cut(lo, hi, self.intervals[axis])
        parts = [(*box[:axis], part, *box[axis + 1 :]) for part in ((lo, at), (at, hi))]
        return [axis, str(at), *(self.grow(part, face, depth + 1) for part in parts)]

    def _named(self, box: Box) -> str:
        return (
            ", ".join(f"{name} = {_middle(*ends):.4g}" for name, ends in zip(self.names, box, strict=True))
            or "a number"
        )


def _middle(lo: Any, hi: Any) -> float:
    return float(cut(lo, hi, Interval(None, None, True, True))) if lo < hi else float(lo)
