"""Instances of a shape as rows of numbers: what moves, how, and what their program says of all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, factorial, prod
from typing import Any

import numpy as np

from boundcheck.checking.search.program import Program, mirrored
from boundcheck.domains import FIXED, Domain, Raw
from boundcheck.domains.builders import correlation, gram, ridged
from boundcheck.domains.chart import Arrangement, Chart, Discrete
from boundcheck.domains.instances import Parameters, leaves, replaced

BATCH, MEMBERS, MOST_NUMBERS = 4096, 128, 1_000_000
"""Rows looked at together, those that climb together, and numbers that they hold on the way, at most."""

ENTRIES, MATRICES = 4000, 8
"""Numbers, and matrices to factorise, that take as long as one operation on a few."""

ANEW = 1 / 4
"""How often a whole number is drawn anew where it might move a little."""

CLEAR = 1e-7
"""Scores below are equality as far as a population can tell."""

EXACT = 2**53
"""Floats have all whole numbers up to here."""

REACH = 690.0
"""Coordinates beyond are the ends of a range."""


@dataclass(frozen=True)
class Place:
    """Some columns of a population: a number or an array of an instance, and how it may move."""

    path: tuple[Any, ...]
    shape: tuple[int, ...]
    chart: Any
    columns: slice

    @property
    def name(self) -> str:
        """The name of the input in a program."""
        return str(self.path[0]) + "".join(
            f"[{key}]" if isinstance(key, int) else f".{key}"
            for key in self.path[1:]
        )

    @property
    def size(self) -> int:
        return self.columns.stop - self.columns.start

    @property
    def discrete(self) -> bool:
        return isinstance(self.chart, Discrete)

    @property
    def whole(self) -> bool:
        """Whether the entries are whole numbers, held as floats."""
        return isinstance(self.chart, Arrangement) or (
            not self.discrete and self.chart.whole
        )

    @property
    def moves(self) -> bool:
        """Whether it moves continuously."""
        return (
            not self.discrete
            and not self.chart.whole
            and self.chart.low < self.chart.high
        )

    @property
    def steps(self) -> bool:
        return self.discrete or self.whole

    @property
    def patterns(self) -> int:
        """How many values a place has that moves by steps."""
        if isinstance(self.chart, Arrangement):
            return factorial(self.size)
        return len(self.values) ** self.size

    @property
    def values(self) -> Sequence[float]:
        """Those of one entry."""
        return (
            self.chart.values
            if self.discrete
            else range(ceil(self.chart.low), int(self.chart.high) + 1)
        )

    @property
    def listed(self) -> int:
        """Numbers that are written down to go through them."""
        return (
            self.patterns * self.size
            if isinstance(self.chart, Arrangement)
            else 0
        )

    def every(self, x: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Some of all values of a place, one of which is x, by their numbers, patterns x entries."""
        if isinstance(self.chart, Arrangement):
            return arrangements(tuple(x))[which]
        kinds = len(self.values)
        entries = which[:, None] // kinds ** np.arange(self.size) % kinds
        if isinstance(self.values, range):  # a long one is not written down
            return self.values.start + entries.astype(float)
        return np.asarray(self.values, dtype=float)[entries]

    def stepped(
        self, x: np.ndarray, at: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Rows of a place with one entry each exchanged, moved a little, or drawn anew; `at` says which."""
        rows = np.arange(len(x))
        x = x.copy()
        if isinstance(self.chart, Arrangement):
            other = rng.integers(self.size, size=len(x))
            x[rows, at], x[rows, other] = x[rows, other], x[rows, at]
        elif not self.discrete:
            low, high = int(self.values[0]), int(self.values[-1])
            sign = rng.choice([-1, 1], size=len(x))
            near = x[rows, at] + sign * rng.geometric(0.5, size=len(x))
            scaled = np.rint(x[rows, at] * 2.0**sign)
            near = np.where(rng.random(len(x)) < 0.5, near, scaled)
            anew = rng.random(len(x)) < ANEW
            x[rows, at] = np.where(
                anew,
                rng.integers(low, high + 1, size=len(x)),
                np.clip(near, low, high),
            )
        elif len(self.values) == 2:
            x[rows, at] = sum(self.values) - x[rows, at]
        else:
            x[rows, at] = rng.choice(self.values, size=len(x))
        return x

    def inside(self, x: np.ndarray) -> np.ndarray:
        """Which rows lie in the range; those of discrete places do by how they are made."""
        if not self.moves:
            return np.ones(len(x), dtype=bool)
        chart: Chart = self.chart
        inside = ((x > chart.low) | (chart.closed & (x == chart.low))) & (
            (x < chart.high) | (chart.closed_above & (x == chart.high))
        )
        return np.all(
            inside & np.isfinite(x) & (not chart.whole or x == np.rint(x)),
            axis=1,
        )

    def slope(self, t: np.ndarray) -> np.ndarray:
        """The derivative of `chart.bound`."""
        near = np.abs(t) < REACH
        if np.isfinite(self.chart.high):
            s = 1 / (1 + np.exp(-t.clip(-REACH, REACH)))
            return near * (self.chart.high - self.chart.low) * s * (1 - s)
        return (
            near * np.exp(t.clip(-REACH, REACH))
            if np.isfinite(self.chart.low)
            else near * 1.0
        )


@dataclass(frozen=True)
class Shape:
    """The places of the floats of instances that agree in all else."""

    start: dict[str, Raw]
    places: tuple[Place, ...]

    @classmethod
    def of(cls, parameters: Parameters, start: dict[str, Raw]) -> Shape:
        places, first = [], 0
        # instances that agree but for floats have the same columns, however they order their parts
        for path, leaf, chart in sorted(leaves(parameters, start), key=_place):
            if is_float(leaf):
                places.append(
                    Place(
                        path,
                        np.shape(leaf),
                        chart,
                        slice(first, first + np.size(leaf)),
                    )
                )
                first += np.size(leaf)
        return cls(start, tuple(places))

    @property
    def width(self) -> int:
        return self.places[-1].columns.stop if self.places else 0

    @cached_property
    def free(self) -> np.ndarray:
        """Columns that move continuously."""
        columns = [
            np.arange(p.columns.start, p.columns.stop)
            for p in self.places
            if p.moves
        ]
        return np.concatenate([np.zeros(0, dtype=int), *columns])

    @cached_property
    def steps(self) -> tuple[Place, ...]:
        """Places that move by steps."""
        return tuple(p for p in self.places if p.steps)

    @property
    def patterns(self) -> int:
        """How many instances there are that differ in these."""
        return prod(p.patterns for p in self.steps)

    @cached_property
    def whole(self) -> bool:
        """Whether it holds whole numbers as floats."""
        return any(p.whole for p in self.places)

    def row(self, raw: Raw) -> np.ndarray:
        return np.concatenate(
            [
                np.zeros(0),
                *(
                    np.ravel(np.asarray(_at(raw, p.path), dtype=float))
                    for p in self.places
                ),
            ]
        )

    def raw(self, row: np.ndarray, recorded: bool = False) -> dict[str, Raw]:
        """The instance of a row; where it is to be `recorded` with whole numbers as floats."""
        raw: Any = self.start
        for p in self.places:
            x = (
                row[p.columns]
                .reshape(p.shape)
                .astype(int if p.whole and not recorded else float)
            )
            raw = replaced(raw, p.path, x if p.shape else x.item())
        return raw

    def inside(self, rows: np.ndarray) -> np.ndarray:
        return np.logical_and.reduce(
            [
                np.ones(len(rows), dtype=bool),
                *(p.inside(rows[:, p.columns]) for p in self.places),
            ]
        )

    def coordinates(self, rows: np.ndarray) -> np.ndarray:
        """The coordinates without bounds of what moves."""
        with np.errstate(all="ignore"):
            found = [
                p.chart.free(rows[:, p.columns]) for p in self.places if p.moves
            ]
        return np.concatenate([np.zeros((len(rows), 0)), *found], axis=1)

    def moved(self, rows: np.ndarray, t: np.ndarray) -> np.ndarray:
        """Rows with their coordinates moved there."""
        rows, first = rows.copy(), 0
        for p in self.places:
            if p.moves:
                rows[:, p.columns] = p.chart.bound(t[:, first : first + p.size])
                first += p.size
        return rows

    def slopes(self, t: np.ndarray) -> np.ndarray:
        """The derivatives of the columns that move in their coordinates."""
        found, first = [np.zeros((len(t), 0))], 0
        for p in self.places:
            if p.moves:
                found.append(p.slope(t[:, first : first + p.size]))
                first += p.size
        return np.concatenate(found, axis=1)


@dataclass
class Population:
    """Rows of one shape under one program."""

    shape: Shape
    program: Program
    part: int

    def inputs(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        return {
            p.name: rows[:, p.columns].reshape(len(rows), *p.shape)
            for p in self.shape.places
        }

    def scores(self, rows: np.ndarray) -> np.ndarray:
        return self.program.scores(self.inputs(rows), len(rows))

    def mirrored(self) -> Population | None:
        """The same rows under the other branch of absolute values on the left, if there are any."""
        tape = mirrored(self.program.tape, self.program.conclusion)
        if tape is None:
            return None
        program = Program(tape, self.program.conclusion)
        return Population(self.shape, program, self.part)

    def easier(self) -> list[Population]:
        """The same rows under ever less smooth programs, and ever nearer to walls."""
        programs = [*self.program.softer(), *self.program.walled()]
        return [
            Population(self.shape, program, self.part) for program in programs
        ]

    def looks(
        self, rows: np.ndarray, t: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Scores at coordinates, what does not move as in the rows, and gradients there."""
        score, found = self.program.gradients(
            self.inputs(self.shape.moved(rows, t)), len(rows)
        )
        slopes, first, parts = (
            self.shape.slopes(t),
            0,
            [np.zeros((len(rows), 0))],
        )
        for p in self.shape.places:
            if p.moves:
                g = found.get(p.name)
                g = (
                    np.zeros((1, p.size))
                    if g is None
                    else g.reshape(len(g), -1)
                )
                parts.append(g * slopes[:, first : first + p.size])
                first += p.size
        gradient = np.concatenate(parts, axis=1)
        return score, np.where(np.isfinite(gradient), gradient, 0.0)

    @property
    def batch(self) -> int:
        """Rows that are looked at together: as many as memory is taken for."""
        return int(
            np.clip(MOST_NUMBERS // max(self.program.entries, 1), 1, BATCH)
        )

    @property
    def members(self) -> int:
        """Rows that climb together."""
        return max(min(MEMBERS, self.batch), 2)

    def cost(self, rows: int) -> int:
        """Operations that looking at so many rows takes, long arrays and matrices counted as several."""
        p = self.program
        return (
            -(-rows // self.batch) * (len(p.moving) + 5)
            + rows * p.entries // ENTRIES
            + rows * p.matrices // MATRICES
        )


@lru_cache(1)
def arrangements(x: tuple[float, ...]) -> np.ndarray:
    """All orders of some numbers."""
    found = np.array([x[:1]])
    for k in range(1, len(x)):
        found = np.concatenate(
            [np.insert(found, j, x[k], axis=1) for j in range(k + 1)]
        )
    return found


def widened(parameters: Parameters, raw: dict[str, Raw]) -> dict[str, Raw]:
    """The instance with square factors of Gram matrices, widened or rotated: a shape holds all ranks."""
    return {
        name: _widened(domain, raw[name]) for name, domain in parameters.items()
    }


def _widened(domain: Domain, raw: Raw) -> Raw:
    if each := getattr(domain.build, "each", None):
        return [_widened(each, entry) for entry in raw]
    if domain.build is ridged:
        return {**raw, "factor": _square(raw["factor"])}
    return _square(raw) if domain.build in (gram, correlation) else raw


def _square(factor: np.ndarray) -> np.ndarray:
    n, rank = factor.shape
    return (
        np.pad(factor, ((0, 0), (0, n - rank)))
        if rank <= n
        else np.asarray(np.linalg.qr(factor.T, mode="r")).T
    )


def likeness(raw: Raw) -> object:
    """What instances of one shape share: everything but their floats."""
    if isinstance(raw, dict):
        return tuple(
            (key, likeness(entry)) for key, entry in sorted(raw.items())
        )
    if isinstance(raw, (list, tuple)):
        return tuple(map(likeness, raw))
    if is_float(raw):
        return np.shape(raw)
    return (
        (raw.dtype.kind, raw.shape, raw.tobytes())
        if isinstance(raw, np.ndarray)
        else raw
    )


def bulk(raw: Raw) -> float:
    """How much an instance holds: its entries, and its whole numbers."""
    if isinstance(raw, dict):
        return sum(map(bulk, raw.values()))
    if isinstance(raw, (list, tuple)):
        return sum(map(bulk, raw))
    return abs(raw) if type(raw) is int else np.size(raw)


def as_floats(parameters: Parameters, raw: dict[str, Raw]) -> dict[str, Raw]:
    """The instance with whole numbers as floats, but for sizes: a shape holds all of them."""
    found: Any = raw
    for path, leaf, chart in leaves(parameters, raw):
        if chart is not FIXED and _is_whole(leaf) and _fits(chart):
            found = replaced(
                found,
                path,
                np.asarray(leaf, dtype=float) if np.ndim(leaf) else float(leaf),
            )
    return found


def _is_whole(leaf: object) -> bool:
    return type(leaf) is int or (
        isinstance(leaf, np.ndarray) and leaf.dtype.kind == "i"
    )


def _fits(chart: Any) -> bool:
    """Whether floats have all whole numbers of a range."""
    return (
        isinstance(chart, Arrangement)
        or -EXACT <= chart.low <= chart.high <= EXACT
    )


def is_float(leaf: object) -> bool:
    return isinstance(leaf, (float, np.floating)) or (
        isinstance(leaf, np.ndarray)
        and leaf.dtype.kind == "f"
        and leaf.size > 0
    )


def _place(leaf: tuple[Any, ...]) -> str:
    return str(leaf[0])


def _at(raw: Raw, path: tuple[Any, ...]) -> object:
    for key in path:
        raw = raw[key]
    return raw


def batches(rows: np.ndarray, size: int) -> Iterator[np.ndarray]:
    for first in range(0, len(rows), size):
        yield rows[first : first + size]
