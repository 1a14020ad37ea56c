"""Where no gradient leads: rows of a shape are varied and evolved by CMA-ES, whatever tells their scores."""

from __future__ import annotations

import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from boundcheck.checking.search.population import Shape, likeness
from boundcheck.checking.search.shapes import every, jolted, structured
from boundcheck.domains import Raw
from boundcheck.domains.instances import Parameters

Read = Callable[[Shape, np.ndarray], tuple[np.ndarray, int]]
"""Scores of rows of a shape (-inf where they do not count) and the work that finding them took."""

ELITE = 8
"""The best rows of a shape, of which others are made."""

ALONE, TOGETHER = 8, 32
"""Rows that vary at a time where they are looked at one by one, and where a program reads them."""

TURNS = 16
"""Parts of the work, of which a shape has one at a time."""

ENOUGH_WORK = 10
"""All patterns of what moves by steps are looked at for so many times the work of climbs, once."""

DIAGONAL = 60
"""Coordinates from which on CMA-ES learns variances alone."""


def by_looks(score: Callable[[dict[str, Raw]], tuple[float, int]]) -> Read:
    """Rows read by what tells the score of an instance and the work that it took."""

    def read(shape: Shape, rows: np.ndarray) -> tuple[np.ndarray, int]:
        seen = [score(shape.raw(row)) for row in rows]
        return np.array([value for value, _ in seen]), sum(
            1 + cost for _, cost in seen
        )

    return read


@dataclass
class Line:
    """The best rows of one shape, the highest first."""

    shape: Shape
    rows: np.ndarray
    scores: np.ndarray
    turns: int = 0
    run: tuple[Any, np.ndarray] | None = None
    """CMA-ES about a row, from turn to turn until it ends."""
    whole: bool = False
    """Whether all of its rows have been read."""

    @property
    def top(self) -> float:
        return float(np.max(self.scores, initial=-np.inf))

    @property
    def moves(self) -> bool:
        return not self.whole and bool(self.shape.free.size or self.shape.steps)

    def keep(self, rows: np.ndarray, scores: np.ndarray) -> None:
        """Keep the best of these and those before, each once."""
        rows = np.concatenate([self.rows, rows])
        scores = np.concatenate([self.scores, scores])
        order = np.argsort(-scores, kind="stable")
        order = order[np.isfinite(scores[order])]
        _, first = np.unique(rows[order], axis=0, return_index=True)
        best = order[np.sort(first)[:ELITE]]
        self.rows, self.scores = rows[best], scores[best]


@dataclass
class Evolution:
    """The best rows of each shape under a budget of work that does not depend on the clock.

    The shapes have turns, those with the highest scores first.
    """

    parameters: Parameters
    read: Read
    work: int
    rng: np.random.Generator
    enough: float = np.inf
    """The score that ends all."""
    together: int = ALONE
    """Rows that are read together."""
    lines: dict[object, Line] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # work beside, for all patterns of what moves by steps alone
        self.enumerable = self.work

    @property
    def ranked(self) -> list[Line]:
        """Lines with the highest scores first."""
        return sorted(self.lines.values(), key=lambda line: -line.top)

    @property
    def top(self) -> float:
        return max((line.top for line in self.lines.values()), default=-np.inf)

    @property
    def over(self) -> bool:
        return self.work <= 0 or self.top >= self.enough

    def begin(self, raws: Sequence[dict[str, Raw]]) -> None:
        """Read some instances, those of one shape together."""
        groups = defaultdict(list)
        for raw in raws:
            groups[likeness(raw)].append(raw)
        for like, some in groups.items():
            if like not in self.lines:
                shape = Shape.of(self.parameters, some[0])
                none = np.zeros((0, shape.width)), np.zeros(0)
                self.lines[like] = Line(shape, *none)
            line = self.lines[like]
            self._read(line, np.array([line.shape.row(raw) for raw in some]))

    def climb(self) -> None:
        """Vary and evolve the shapes in turn until the work is spent or a score is enough."""
        part = max(self.work // TURNS, 2)
        while lines := [
            x for x in self.ranked if x.moves and np.isfinite(x.top)
        ]:
            if self.over:
                return
            line = min(enumerate(lines), key=lambda at: at[0] + at[1].turns)[1]
            line.turns += 1
            self.work -= 1  # so that turns without a row end, too
            if (
                not line.shape.free.size
                and line.shape.patterns <= self.enumerable
            ):
                self._read_all(line)
                continue
            self._vary(line, self.work - part // 2)
            self._evolve(line, self.work - part // 2)

    def _read(self, line: Line, rows: np.ndarray) -> np.ndarray:
        """The scores of rows, of which the best are kept."""
        scores, cost = self.read(line.shape, rows)
        self.work -= cost
        line.keep(rows, scores)
        return scores

    def _read_all(self, line: Line) -> None:
        """All patterns of what moves by steps, in any order, on a budget of their own."""
        line.whole, shape, work = True, line.shape, self.work
        order = self.rng.permutation(shape.patterns)
        for first in range(0, len(order), self.together):
            spent = work - self.work
            if self.top >= self.enough or spent >= self.enumerable:
                break
            which = order[first : first + self.together]
            self._read(line, every(shape, line.rows[0], which))
        self.enumerable -= work - self.work
        self.work = work

    def _vary(self, line: Line, stop: int) -> None:
        """Rows that differ from the best ones a little, and some that are plainer."""
        while self.work > stop and not self.over:
            near = jolted(line.shape, line.rows, self.together, self.rng)
            plain = structured(line.shape, line.rows, self.together, self.rng)
            if not len(near) + len(plain):
                return
            self._read(line, np.concatenate([near, plain]))

    def _evolve(self, line: Line, stop: int) -> None:
        """CMA-ES from the best row, or where it was in the last turn."""
        if not line.shape.free.size:
            return
        if line.run is None or line.run[0].stop():
            line.run = self._strategy(line), line.rows[:1]
        strategy, row = line.run
        while self.work > stop and not self.over and not strategy.stop():
            with _unwarned():
                points = np.array(strategy.ask())
            free = points[:, : line.shape.free.size]
            rows = line.shape.moved(np.repeat(row, len(points), axis=0), free)
            scores = self._read(line, rows)
            losses = np.where(np.isfinite(scores), -scores, 1e10)
            with _unwarned():
                strategy.tell(points, losses.tolist())

    def _strategy(self, line: Line) -> Any:
        start = line.shape.coordinates(line.rows[:1])[0]
        # it needs two coordinates
        start = start if start.size > 1 else np.append(start, 0.0)
        options = {
            "popsize": max(self.together, 4 + int(3 * np.log(start.size))),
            "verbose": -9,
            "seed": int(self.rng.integers(1, 2**31)),
            "CMA_diagonal": start.size > DIAGONAL,
            "tolfun": 1e-10,
            "tolx": 1e-9,
        }
        width = 10 ** self.rng.uniform(-1.5, 0.3)
        return _cma().CMAEvolutionStrategy(start, width, options)


@cache
def _cma() -> Any:
    """CMA-ES alone: its plots and surrogate models would load packages that take longer than most climbs."""
    with without("matplotlib", "scipy.stats"), _unwarned():
        return import_module("cma")


@contextmanager
def _unwarned() -> Iterator[None]:
    """Without what CMA-ES tells of itself: that it misses matplotlib, that a step is long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@contextmanager
def without(*packages: str) -> Iterator[None]:
    """Import as where some packages are not installed; those that are loaded already stay."""
    hidden: dict[str, Any] = dict.fromkeys(set(packages) - sys.modules.keys())
    sys.modules.update(hidden)
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
