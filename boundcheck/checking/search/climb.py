"""Climbing: exchange, perturb and polish instances so that the score rises."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boundcheck.domains import Raw
from boundcheck.domains.chart import Discrete
from boundcheck.domains.instances import Parameters, leaves, replaced

Score = Callable[[dict[str, Raw]], tuple[float, int]]
"""Score of an instance (-inf where it does not count) and the work that finding it took."""


Entry = tuple[float, dict[str, Raw]]


@dataclass
class Climber:
    """The best instances found of each shape, under a budget of work that does not depend on the clock."""

    parameters: Parameters
    score: Score
    work: int
    rng: np.random.Generator
    pools: dict[str, list[Entry]] = field(default_factory=dict)
    polished: Counter[str] = field(default_factory=Counter)

    ALIKE = 4
    LADDERS = 3
    ROUNDS = 8
    LEVEL = 1e-9
    PATIENCE = 3

    def consider(self, raw: dict[str, Raw]) -> float:
        """Score an instance and keep it if it is among the best of its shape."""
        value, cost = self.score(raw)
        self.work -= 1 + cost
        if np.isfinite(value):
            pool = self.pools.setdefault(repr(_shape(raw, _magnitude)), [])
            pool.append((value, raw))
            pool.sort(key=lambda entry: -entry[0])
            del pool[self.ALIKE :]
        return value

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
        budget, level = max(self.work // self.ROUNDS, 100), self.work - self.work // self.PATIENCE
        for raw in self._starts():
            self._ladder(raw, budget)
        while not self.exhausted and self.pools and self.best[0] < good_enough:
            before = self.work
            if before <= level and abs(self.best[0]) <= self.LEVEL:
                return
            self._discrete(budget // 2)
            self._polish(budget)
            if self.work == before:
                return

    def _starts(self) -> list[dict[str, Raw]]:
        """The best instance of each of the first shapes, or the best few if there are not so many shapes."""
        ranked = [self.pools[shape][k] for k in range(self.ALIKE) for shape in self.shapes if k < len(self.pools[shape])]
        return [raw for _, raw in ranked[: self.LADDERS]]

    def _ladder(self, start: dict[str, Raw], budget: int) -> None:
        """Each scalar in turn over its decades, keeping what is better, until nothing is."""
        stop, best, improved = self.work - budget, self.score(start)[0], True
        while improved and self.work > stop and not self.exhausted:
            improved = False
            for path, leaf, chart in list(leaves(self.parameters, start)):
                for rung in rungs(leaf, chart):
                    candidate = replaced(start, path, rung)
                    if (
                        self.work > stop
                        and not _names_dimension(self.parameters, path)
                        and (value := self.consider(candidate)) > best + 1e-9
                    ):
                        start, best, improved = candidate, value, True

    def _discrete(self, budget: int) -> None:
        stop = self.work - budget
        while self.work > stop and not self.exhausted:
            child = mutate(self.parameters, exchange(self.parameters, self._parent(), self._parent(), self.rng), self.rng)
            self.consider(child)

    def _parent(self) -> dict[str, Raw]:
        """An instance, likelier the worse it is for the claim; every shape has its turn."""
        shapes = self.shapes
        rank = 0 if self.rng.random() < 0.5 else int(self.rng.integers(len(shapes)) * self.rng.random())
        pool = self.pools[shapes[rank]]
        return pool[int(self.rng.integers(len(pool)))][1]

    def _polish(self, budget: int) -> None:
        """CMA-ES from the best instance of the shape that has had it least."""
        shape = min(self.shapes, key=lambda name: self.polished[name])
        self.polished[shape] += 1
        start = self.pools[shape][0][1]
        coordinates = Coordinates.of(self.parameters, start)
        if coordinates.free.size:
            evolve(self, coordinates, self.work - budget)


def rungs(leaf: Any, chart: Any) -> list[Any]:
    """Values of a scalar over many decades, inside its range, and the neighbours of what is discrete; nothing for other leaves."""
    if isinstance(chart, Discrete):
        return list(chart.neighbours(leaf))
    if isinstance(leaf, (int, np.integer)) and not isinstance(leaf, bool):
        return [k for k in (1, 2, 3, leaf // 2, 2 * leaf, 10 * leaf, 100) if k != leaf and chart.contains(k)]
    if not isinstance(leaf, (float, np.floating)):
        return []
    decades = [10.0**k for k in (-12, -9, -6, -4, -3, -2, -1, 0, 1, 2, 4)]
    values = [*decades, 0.5, 0.9, 0.99, 0.999, leaf / 2, 2 * leaf]
    if np.isfinite(chart.high):
        values = [chart.low + (chart.high - chart.low) * v for v in values]
    signed = values if chart.contains(0.5) and not chart.contains(-0.5) else [*values, *(-v for v in values)]
    return [v for v in signed if chart.contains(v) and v != leaf]


def _names_dimension(parameters: Parameters, path: Any) -> bool:
    return len(path) == 1 and any(path[0] in domain.dims for domain in parameters.values())


def exchange(parameters: Parameters, parent: dict[str, Raw], other: dict[str, Raw], rng: np.random.Generator) -> dict[str, Raw]:
    """A parameter taken from another instance, where the shapes agree; never the size of a dimension."""
    name = list(parent)[int(rng.integers(len(parent)))] if parent else None
    if name is None or _names_dimension(parameters, (name,)) or rng.random() < 0.5 or _shape(parent[name]) != _shape(other[name]):
        return parent
    return {**parent, name: other[name]}


def _magnitude(leaf: Any) -> Any:
    """What instances of one pool share: shapes, and the magnitudes of counts."""
    return int(leaf).bit_length() if isinstance(leaf, (int, np.integer)) else np.shape(leaf)


def _shape(raw: Raw, of_leaf: Callable[[Any], Any] = np.shape) -> Any:
    if isinstance(raw, dict):
        return {key: _shape(entry, of_leaf) for key, entry in raw.items()}
    return [_shape(entry, of_leaf) for entry in raw] if isinstance(raw, (list, tuple)) else of_leaf(raw)


def mutate(parameters: Parameters, raw: dict[str, Raw], rng: np.random.Generator) -> dict[str, Raw]:
    """One leaf changed: a count doubled or shifted, a number moved, an entry flipped, made zero or equal to another."""
    if not raw:
        return raw
    name = list(raw)[int(rng.integers(len(raw)))]
    places = [place for place in leaves(parameters, raw) if place[0][0] == name and not isinstance(place[1], (str, bool))]
    if not places:
        return raw
    path, leaf, chart = places[int(rng.integers(len(places)))]
    if isinstance(chart, Discrete):
        return replaced(raw, path, chart.moved(leaf, rng))
    if isinstance(leaf, (int, np.integer)):
        return raw if _names_dimension(parameters, path) else replaced(raw, path, _shifted(int(leaf), chart, rng))
    if np.ndim(leaf) == 0:
        moved = chart.bound(chart.free(np.asarray(leaf)) + rng.standard_normal() * 10.0 ** rng.uniform(-2, 0.7))
        return replaced(raw, path, float(moved)) if chart.contains(float(leaf)) else raw
    return replaced(raw, path, _jolted(np.array(leaf, dtype=float), chart, rng)) if np.size(leaf) else raw


def _shifted(k: int, chart: Any, rng: np.random.Generator) -> int:
    options = [j for j in (k + 1, k - 1, 2 * k, k // 2, 10 * k, k + int(rng.integers(1, 5))) if chart.contains(j)]
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
        flat[k] = chart.bound(chart.free(flat[k]) + rng.standard_normal() * 10.0 ** rng.uniform(-2, 0.7))
    return leaf


def evolve(climber: Climber, start: Coordinates, stop: int) -> None:
    """CMA-ES from one instance; in many dimensions its diagonal form."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it warns where matplotlib is not installed
        import cma

    size = start.free.size
    options = {
        "verbose": -9, "seed": int(climber.rng.integers(1, 2**31)), "maxfevals": 10**9,
        "CMA_diagonal": size > 60, "tolfun": 1e-10, "tolx": 1e-9,
    }  # fmt: skip
    x0 = start.free if size > 1 else np.append(start.free, 0.0)
    strategy = cma.CMAEvolutionStrategy(x0, 10 ** climber.rng.uniform(-1.5, 0.3), options)
    while climber.work > stop and not climber.exhausted and not strategy.stop():
        points = strategy.ask()
        values = [-climber.consider(start.at(x[:size])) for x in points]
        strategy.tell(points, [v if np.isfinite(v) else 1e10 for v in values])


@dataclass(frozen=True)
class Coordinates:
    """An instance, the places of its numbers that may move, and these numbers in coordinates without bounds."""

    start: dict[str, Raw]
    places: list[tuple[Any, np.ndarray, Any]]
    free: np.ndarray

    @classmethod
    def of(cls, parameters: Parameters, start: dict[str, Raw]) -> Coordinates:
        places = [(path, np.asarray(leaf, dtype=float), chart) for path, leaf, chart in leaves(parameters, start) if _moves(leaf, chart)]
        return cls(start, places, np.concatenate([np.zeros(0), *(chart.free(leaf).ravel() for _, leaf, chart in places)]))

    def at(self, free: np.ndarray) -> dict[str, Raw]:
        """The instance with its continuous numbers moved there."""
        raw, first = self.start, 0
        for path, leaf, chart in self.places:
            moved = chart.bound(free[first : first + leaf.size]).reshape(leaf.shape)
            raw = replaced(raw, path, moved if leaf.ndim else float(moved))
            first += leaf.size
        return raw


def _moves(leaf: Any, chart: Any) -> bool:
    if isinstance(chart, Discrete):
        return False
    is_float = isinstance(leaf, (float, np.floating)) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
    return bool(is_float and np.size(leaf) and all(chart.contains(float(x)) for x in np.ravel(leaf)))
