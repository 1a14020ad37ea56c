"""Climbing: exchange, perturb and polish instances so that the score rises, in populations where it can."""

from __future__ import annotations

import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from boundcheck.checking.search.population import (
    CLEAR,
    Population,
    Shape,
    batches,
    likeness,
)
from boundcheck.checking.search.program import Program
from boundcheck.checking.search.shapes import jolted
from boundcheck.domains import Raw
from boundcheck.domains.chart import Discrete
from boundcheck.domains.instances import Parameters, leaves, replaced

Score = Callable[[dict[str, Raw]], tuple[float, int]]
"""Score of an instance (-inf where it does not count) and the work that finding it took."""


Entry = tuple[float, dict[str, Raw]]

MOST_PATHS, MOST_FAILED = 24, 6
"""Programs for one part and likeness, and unrecordable instances in a row after which none are tried."""

AT_ONCE, FEW = 2, 3
"""Recordings for one path of counts in one population, and instances that one is made for."""

HELD = 3
"""Apparent violations of a population that the body looks at."""

RECORDING = 120
"""Operations that take as long as recording a program."""

TOGETHER, ALONE, AROUND = 32, 8, 128
"""Instances that are looked at together in a climb, and of those that are moved discretely: these may change in
all ways, the others are rows about some of one shape."""


@dataclass
class Readings:
    """What programs say of instances that agree but for floats; `spent` operations, `looked` instances."""

    parameters: Parameters
    record: Callable[[dict[str, Raw], int], Program | None]
    parts: int
    known: dict[Any, list[Population]]
    failed: Counter[Any] = field(default_factory=Counter)
    spent: int = 0
    looked: int = 0

    def by_ratio(self) -> Readings:
        """The same, probabilities compared by their ratio."""

        def record(raw: dict[str, Raw], part: int) -> Program | None:
            program = self.record(raw, part)
            return program and program.by_ratio()

        known = {
            like: [p.by_ratio() for p in found] for like, found in self.known.items()
        }
        return Readings(self.parameters, record, self.parts, known)

    def scores(self, like: object, shape: Shape, rows: np.ndarray) -> np.ndarray | None:
        """The highest score of any part for each row, -inf where it does not count, nan where none knows it.

        None where nothing can be recorded.
        """
        worst = np.full(len(rows), -np.inf)
        for part in range(self.parts):
            worst = np.maximum(worst, self._of_part(like, shape, rows, part))
        return worst if self.known[like] else None

    def _of_part(
        self, like: object, shape: Shape, rows: np.ndarray, part: int
    ) -> np.ndarray:
        """A whole number that is made of floats has a program for each of its values."""
        found = np.full(len(rows), np.nan)
        known = [p for p in self.known.setdefault(like, []) if p.part == part]
        first = (
            known[0]
            if known
            else next(
                (
                    p
                    for row in rows[:MOST_FAILED]
                    if (p := self._recorded(like, shape, row, part))
                ),
                None,
            )
        )
        if first is None:
            return found
        scores, counts = self._read(first, rows)
        paths: dict[bytes, list[int]] = {}
        for k, path in enumerate(counts):
            paths.setdefault(path.tobytes(), []).append(k)
        for path, members in paths.items():
            on = [
                p
                for p in self.known[like]
                if p.part == part and p.program.counts == path
            ]
            left = np.array(members)
            for k in range(len(on) + AT_ONCE):
                new = k >= len(on)
                if not left.size or (
                    new and (len(left) < FEW or len(self.known[like]) >= MOST_PATHS)
                ):
                    break
                population = (
                    self._recorded(like, shape, rows[left[0]], part) if new else on[k]
                )
                if population is not None:
                    found[left] = (
                        scores[left]
                        if population is first
                        else self._read(population, rows[left])[0]
                    )
                    left = left[~np.isfinite(found[left])]
        return found

    def _read(
        self, population: Population, rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        self.spent += population.cost(len(rows))
        self.looked += len(rows)
        scores, counts = zip(
            *map(population.read, batches(rows, population.batch)), strict=True
        )
        return np.concatenate(scores), np.concatenate(counts)

    def _recorded(
        self, like: object, shape: Shape, row: np.ndarray, part: int
    ) -> Population | None:
        if self.failed[like, part] >= MOST_FAILED:
            return None
        self.spent += RECORDING
        program = self.record(shape.raw(row), part)
        if program is None:
            self.failed[like, part] += 1
            return None
        self.failed[like, part] = 0
        self.known[like].append(Population(shape, program, part))
        return self.known[like][-1]


@dataclass
class Climber:
    """The best instances found of each shape, under a budget of work that does not depend on the clock.

    Where there are readings, work counts in operations: a look by the body takes `LOOK`, and `CHECK` for each
    unit of its work.
    """

    parameters: Parameters
    score: Score
    work: int
    rng: np.random.Generator
    readings: Readings | None = None
    pools: dict[str, list[Entry]] = field(default_factory=dict)
    polished: Counter[str] = field(default_factory=Counter)
    seen: dict[bytes, float] = field(default_factory=dict)
    """What the body says of instances that populations found."""
    false: int = 0
    """Apparent violations of populations that rounding had made."""

    ALIKE = 4
    LADDERS = 3
    ROUNDS = 8
    LEVEL = 1e-9
    PATIENCE = 3
    LOOK, CHECK = 24, 10
    MOST_FALSE = 4

    def consider(self, raw: dict[str, Raw]) -> float:
        """Score an instance and keep it if it is among the best of its shape."""
        value = self._look(raw)
        self._keep(value, raw)
        return value

    def consider_all(self, raws: Sequence[dict[str, Raw]]) -> list[float]:
        """Score instances, those that a program reads together."""
        if self.readings is None:
            return [self.consider(raw) for raw in raws]
        groups, values = defaultdict(list), [-np.inf] * len(raws)
        for k, raw in enumerate(raws):
            groups[likeness(raw)].append(k)
        for like, members in groups.items():
            shape = Shape.of(self.parameters, raws[members[0]])
            together = shape.width > 0 and (
                len(members) >= FEW or bool(self.readings.known.get(like))
            )
            scores = (
                self._read(like, shape, np.array([shape.row(raws[k]) for k in members]))
                if together
                else None
            )
            for j, k in enumerate(members):
                values[k] = (
                    self.consider(raws[k]) if scores is None else float(scores[j])
                )
        return values

    def _read(self, like: object, shape: Shape, rows: np.ndarray) -> np.ndarray | None:
        """The scores of rows by their programs, the best kept, and held against the body if they violate."""
        assert self.readings is not None
        before = self.readings.spent
        scores = self.readings.scores(like, shape, rows)
        self.work -= 1 + self.readings.spent - before
        if scores is None:
            return None
        for k in np.flatnonzero(np.isnan(scores)):
            scores[k] = (
                self._look(shape.raw(rows[k])) if not self.exhausted else -np.inf
            )
        scores = np.where(np.isnan(scores), -np.inf, scores)
        order = np.argsort(-scores, kind="stable")
        apparent = order[scores[order] > CLEAR]
        values = np.array([self._held(shape, rows[k]) for k in apparent[:HELD]])
        scores[apparent] = -np.inf
        scores[apparent[:HELD]] = values
        for k in np.argsort(-scores, kind="stable")[: self.ALIKE]:
            if np.isfinite(scores[k]):
                self._keep(float(scores[k]), shape.raw(rows[k]))
        return scores

    def _held(self, shape: Shape, row: np.ndarray) -> float:
        """The score of an apparent violation by the body; what rounding has made leads nowhere."""
        key = row.tobytes()
        if key not in self.seen:
            value = self._look(shape.raw(row))
            self.seen[key] = value if abs(value) > self.LEVEL else -np.inf
            self.false += not value > self.LEVEL
        return self.seen[key]

    def _look(self, raw: dict[str, Raw]) -> float:
        value, cost = self.score(raw)
        self.work -= (
            1 + cost if self.readings is None else self.LOOK + self.CHECK * cost
        )
        return value

    def _keep(self, value: float, raw: dict[str, Raw]) -> None:
        if np.isfinite(value):
            pool = self.pools.setdefault(repr(_shape(raw, _magnitude)), [])
            pool.append((value, raw))
            pool.sort(key=lambda entry: -entry[0])
            del pool[self.ALIKE :]

    @property
    def exhausted(self) -> bool:
        return self.work <= 0

    @property
    def shapes(self) -> list[str]:
        """Shapes of instances, the one with the worst instance for the claim first."""
        return sorted(self.pools, key=lambda shape: -self.pools[shape][0][0])

    @property
    def best(self) -> Entry:
        return self.pools[self.shapes[0]][0]

    def climb(self, good_enough: float = np.inf) -> None:
        """Alternate discrete moves and continuous polish until the work is spent or the score is good enough.

        Where equality is attained, nothing but a violation is better, and a third of the work has to find it.
        """
        budget, level = (
            max(self.work // self.ROUNDS, 100),
            self.work - self.work // self.PATIENCE,
        )
        for raw in self._starts():
            self._ladder(raw, budget)
        while (
            self.parameters
            and not self.exhausted
            and self.pools
            and self.best[0] < good_enough
        ):
            before = self.work
            if before <= level and abs(self.best[0]) <= (
                self.LEVEL if self.readings is None else CLEAR
            ):
                break
            self._discrete(budget // 2)
            self._polish(budget)
            if self.work == before:
                break
        if self.readings is not None and self.pools:
            self._look(self.best[1])

    def _starts(self) -> list[dict[str, Raw]]:
        """The best instance of each of the first shapes, or the best few if there are not so many shapes."""
        ranked = [
            self.pools[s][k]
            for k in range(self.ALIKE)
            for s in self.shapes
            if k < len(self.pools[s])
        ]
        return [raw for _, raw in ranked[: self.LADDERS]]

    def _ladder(self, start: dict[str, Raw], budget: int) -> None:
        """Each scalar in turn over its decades, keeping what is better, until nothing is."""
        stop, best, improved = self.work - budget, self.consider_all([start])[0], True
        while improved and self.work > stop and not self.exhausted:
            improved = False
            for path, leaf, chart in list(leaves(self.parameters, start)):
                if self.work <= stop or _names_dimension(self.parameters, path):
                    continue
                candidates = [
                    replaced(start, path, rung) for rung in rungs(leaf, chart)
                ]
                for some in (
                    [[c] for c in candidates] if self.readings is None else [candidates]
                ):
                    if self.work > stop:
                        for value, candidate in zip(
                            self.consider_all(some), some, strict=True
                        ):
                            if value > best + 1e-9:
                                start, best, improved = candidate, value, True

    def _discrete(self, budget: int) -> None:
        stop = self.work - budget
        while self.work > stop and not self.exhausted:
            shapes = self.shapes
            self.consider_all(
                [
                    self._child(shapes)
                    for _ in range(1 if self.readings is None else ALONE)
                ]
            )
            if self.readings is not None:
                self._jolt(shapes)

    def _jolt(self, shapes: list[str]) -> None:
        """Look at rows about an instance."""
        start = self._parent(shapes)
        like, shape = likeness(start), Shape.of(self.parameters, start)
        if shape.free.size or shape.steps:
            self._read(
                like, shape, jolted(shape, shape.row(start)[None], AROUND, self.rng)
            )

    def _child(self, shapes: list[str]) -> dict[str, Raw]:
        parents = self._parent(shapes), self._parent(shapes)
        return mutate(
            self.parameters, exchange(self.parameters, *parents, self.rng), self.rng
        )

    def _parent(self, shapes: list[str]) -> dict[str, Raw]:
        """An instance, likelier the worse it is for the claim; every shape has its turn."""
        rank = (
            0
            if self.rng.random() < 0.5
            else int(self.rng.integers(len(shapes)) * self.rng.random())
        )
        pool = self.pools[shapes[rank]]
        return pool[int(self.rng.integers(len(pool)))][1]

    def _polish(self, budget: int) -> None:
        """CMA-ES from the best instance of the shape that has had it least."""
        name = min(self.shapes, key=lambda name: self.polished[name])
        self.polished[name] += 1
        start = self.pools[name][0][1]
        shape, like = Shape.of(self.parameters, start), likeness(start)
        row = shape.row(start)
        if not shape.free.size:
            return

        def at(points: np.ndarray) -> np.ndarray:
            rows = shape.moved(np.repeat(row[None], len(points), axis=0), points)
            scores = None if self.readings is None else self._read(like, shape, rows)
            return (
                np.array([self.consider(shape.raw(row)) for row in rows])
                if scores is None
                else scores
            )

        evolve(self, at, shape.coordinates(row[None])[0], self.work - budget)


def rungs(leaf: Any, chart: Any) -> list[Any]:
    """Values of a scalar over many decades, inside its range; neighbours of what is discrete."""
    if isinstance(chart, Discrete):
        return list(chart.neighbours(leaf))
    if isinstance(leaf, (int, np.integer)) and not isinstance(leaf, bool):
        return [
            k
            for k in (1, 2, 3, leaf // 2, 2 * leaf, 10 * leaf, 100)
            if k != leaf and chart.contains(k)
        ]
    if not isinstance(leaf, (float, np.floating)):
        return []
    decades = [10.0**k for k in (-12, -9, -6, -4, -3, -2, -1, 0, 1, 2, 4)]
    values = [*decades, 0.5, 0.9, 0.99, 0.999, leaf / 2, 2 * leaf]
    if np.isfinite(chart.high):
        values = [chart.low + (chart.high - chart.low) * v for v in values]
    signed = (
        values
        if chart.contains(0.5) and not chart.contains(-0.5)
        else [*values, *(-v for v in values)]
    )
    return [v for v in signed if chart.contains(v) and v != leaf]


def _names_dimension(parameters: Parameters, path: Any) -> bool:
    return len(path) == 1 and any(
        path[0] in domain.dims for domain in parameters.values()
    )


def exchange(
    parameters: Parameters,
    parent: dict[str, Raw],
    other: dict[str, Raw],
    rng: np.random.Generator,
) -> dict[str, Raw]:
    """A parameter taken from another instance, where the shapes agree; never the size of a dimension."""
    name = list(parent)[int(rng.integers(len(parent)))] if parent else None
    if (
        name is None
        or _names_dimension(parameters, (name,))
        or rng.random() < 0.5
        or _shape(parent[name]) != _shape(other[name])
    ):
        return parent
    return {**parent, name: other[name]}


def _magnitude(leaf: Any) -> Any:
    """What instances of one pool share: shapes, and the magnitudes of counts."""
    return (
        int(leaf).bit_length()
        if isinstance(leaf, (int, np.integer))
        else np.shape(leaf)
    )


def _shape(raw: Raw, of_leaf: Callable[[Any], Any] = np.shape) -> object:
    if isinstance(raw, dict):
        return {key: _shape(entry, of_leaf) for key, entry in raw.items()}
    return (
        [_shape(entry, of_leaf) for entry in raw]
        if isinstance(raw, (list, tuple))
        else of_leaf(raw)
    )


def mutate(
    parameters: Parameters, raw: dict[str, Raw], rng: np.random.Generator
) -> dict[str, Raw]:
    """One leaf changed: a count doubled or shifted, a number moved, an entry flipped, zero, or another's."""
    if not raw:
        return raw
    name = list(raw)[int(rng.integers(len(raw)))]
    places = [
        at
        for at in leaves(parameters, raw)
        if at[0][0] == name and not isinstance(at[1], (str, bool))
    ]
    if not places:
        return raw
    path, leaf, chart = places[int(rng.integers(len(places)))]
    if isinstance(chart, Discrete):
        return replaced(raw, path, chart.moved(leaf, rng))
    if isinstance(leaf, (int, np.integer)):
        return (
            raw
            if _names_dimension(parameters, path)
            else replaced(raw, path, _shifted(int(leaf), chart, rng))
        )
    if np.ndim(leaf) == 0:
        moved = chart.bound(
            chart.free(np.asarray(leaf))
            + rng.standard_normal() * 10.0 ** rng.uniform(-2, 0.7)
        )
        return replaced(raw, path, float(moved)) if chart.contains(float(leaf)) else raw
    return (
        replaced(raw, path, _jolted(np.array(leaf, dtype=float), chart, rng))
        if np.size(leaf)
        else raw
    )


def _shifted(k: int, chart: Any, rng: np.random.Generator) -> int:
    options = [
        j
        for j in (k + 1, k - 1, 2 * k, k // 2, 10 * k, k + int(rng.integers(1, 5)))
        if chart.contains(j)
    ]
    return options[int(rng.integers(len(options)))] if options else k


def _jolted(leaf: np.ndarray, chart: Any, rng: np.random.Generator) -> np.ndarray:
    flat = leaf.reshape(-1)
    k, j = rng.integers(flat.size, size=2)
    if not chart.contains(float(flat[k])):
        return leaf
    kind = rng.integers(5)
    if kind == 0:
        flat[k] = flat[j]
    elif kind == 1 and chart.contains(0.0):
        flat[k] = 0.0
    elif kind == 2 and chart.contains(-float(flat[k])):
        flat[k] = -flat[k]
    elif kind == 3:
        flat[:] = chart.bound(chart.free(flat) + 0.3 * rng.standard_normal(flat.size))
    else:
        flat[k] = chart.bound(
            chart.free(flat[k]) + rng.standard_normal() * 10.0 ** rng.uniform(-2, 0.7)
        )
    return leaf


@cache
def _cma() -> Any:
    """CMA-ES alone: its plots and surrogate models would load two packages, which take longer than most climbs."""
    with without("matplotlib", "scipy.stats"), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it misses matplotlib
        return import_module("cma")


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


def evolve(
    climber: Climber,
    at: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    stop: int,
) -> None:
    """CMA-ES from some coordinates, `at` being the scores of several; in many dimensions its diagonal form.

    Where it leads to rounding again and again, it ends.
    """
    cma = _cma()
    options = {
        "verbose": -9,
        "seed": int(climber.rng.integers(1, 2**31)),
        "maxfevals": 10**9,
        "CMA_diagonal": start.size > 60,
        "tolfun": 1e-10,
        "tolx": 1e-9,
    } | ({} if climber.readings is None else {"popsize": TOGETHER})
    x0 = start if start.size > 1 else np.append(start, 0.0)
    strategy = cma.CMAEvolutionStrategy(
        x0, 10 ** climber.rng.uniform(-1.5, 0.3), options
    )
    most = climber.false + climber.MOST_FALSE
    while (
        climber.work > stop
        and not climber.exhausted
        and climber.false < most
        and not strategy.stop()
    ):
        points = strategy.ask()
        values = -at(np.array(points)[:, : start.size])
        strategy.tell(points, np.where(np.isfinite(values), values, 1e10).tolist())
