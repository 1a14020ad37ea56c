"""Generic rows that climb a statement's own program; the body looks at each where it first passes equality."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from boundcheck.checking.observe import TOUCH
from boundcheck.checking.search.ascent import Ascent
from boundcheck.checking.search.population import (
    Place,
    Population,
    Shape,
    likeness,
    widened,
)
from boundcheck.checking.search.program import Program
from boundcheck.checking.search.shapes import structured
from boundcheck.domains import Raw
from boundcheck.domains.chart import Arrangement
from boundcheck.domains.domain import named_dims
from boundcheck.domains.instances import Parameters, draw_instances

STARTS, STRUCTURED, RENEWED = 128, 1 / 3, 1 / 4
"""Rows that climb together, the share of structured ones, and that of rows at rest that begins anew."""

ORDERS, EACH, SHAPES = (2, 3, 4), 2, 6
"""Sizes of which all dimensions are, instances of each, and shapes in all."""

PATHS = 2
"""Programs of a shape and part, each with the rows that take its path."""

SCALES, NEAR_ENDS = (-1.5, 1.5), (-8.0, 0.0)
"""Decades of the scales of rows of matrices, and of the distances from the end of a range."""

CLEAR = 1e-7
"""Scores below are equality as far as a population can tell."""

HALVINGS, LEADING = 3, 1
"""The other branches climb on, the better half each time, for so many times the work."""

ENOUGH = 1024
"""Rows that ran to an end, after which a shape has been searched."""

HORIZON = 1000
"""A row rests that would not pass equality in so many rounds at the pace of the last ones."""

ONWARDS = 40
"""Rounds that a violation climbs on, to be seen from afar."""

GRADIENT, LOOK, RECORDING = 3, 240, 120
"""Operations that a look with derivatives costs against one without; those of a look by the body and of a recording."""

Record = Callable[[dict[str, Raw], int, bool], Program | None]
Look = Callable[[dict[str, Raw]], float]


@dataclass(eq=False)
class Rising:
    """Rows of one shape on one path that climb; those that came to rest begin anew elsewhere."""

    population: Population
    base: np.ndarray
    rng: np.random.Generator
    mirrored: bool = False
    spent: int = 0
    settled: int = 0
    """Rows that ran to an end."""
    level: bool = False
    """Whether one ended at equality."""

    def __post_init__(self) -> None:
        self.count = max(min(STARTS, self.population.batch), 1)
        self.rows = self._generic(self.count)
        self.climb = Ascent(
            lambda t, members: self.population.looks(self.rows[members], t),
            self.population.shape.coordinates(self.rows),
        )
        self.asked = np.zeros(self.count, dtype=bool)

    def _generic(self, count: int) -> np.ndarray:
        """Generic rows, a third of which are made plain, extreme or equal somewhere."""
        shape = self.population.shape
        rows = generic(shape, self.base, count, self.rng)
        plainer = structured(shape, rows, int(STRUCTURED * count), self.rng)
        rows[: len(plainer)] = plainer
        return rows

    def round(self, look: Look) -> tuple[int, bool]:
        """One round: the looks that it took, and whether the body saw a violation where a row passed equality."""
        seen = 0
        passed = (self.climb.f > CLEAR) & ~self.asked
        for k in np.flatnonzero(passed).tolist():
            self.asked[k] = self.climb.dead[k] = True
            seen += 1
            if self._is_true(k, look):
                return self._spend(seen, self._onwards(k, look)), True
        self.climb.dead |= HORIZON * self.climb.gain < np.maximum(-self.climb.f, CLEAR)
        climbed = self.climb.round()
        self._renew()
        return self._spend(seen, climbed), False

    @property
    def leads(self) -> bool:
        """Whether it is the other branch of a statement, and no row of it ended at equality."""
        return self.mirrored and not self.level and -np.inf < self.top < -CLEAR

    @property
    def top(self) -> float:
        return float(np.max(self.climb.f))

    def _renew(self) -> None:
        dead = np.flatnonzero(self.climb.dead)
        self.level |= bool(np.any(np.abs(self.climb.f[dead]) <= CLEAR))
        if len(dead) < RENEWED * self.count:
            return
        self.settled += int(np.sum(np.isfinite(self.climb.f[dead])))
        self.rows[dead], self.asked[dead] = self._generic(len(dead)), False
        self.climb.restart(dead, self.population.shape.coordinates(self.rows[dead]))

    def _spend(self, seen: int, climbed: int) -> int:
        self.spent += LOOK * seen + GRADIENT * self.population.cost(max(climbed, 1))
        return seen + climbed

    def _is_true(self, k: int, look: Look) -> bool:
        shape = self.population.shape
        return look(shape.raw(shape.moved(self.rows, self.climb.X)[k])) > TOUCH

    def _onwards(self, k: int, look: Look) -> int:
        """Climb on with one row, as long as the body sees what it gains."""
        self.climb.dead[:] = True
        self.climb.dead[k], last = False, self.climb.f[k]
        for n in range(ONWARDS):
            self.climb.round()
            if self.climb.f[k] > 2 * last:
                last = self.climb.f[k]
                if not self._is_true(k, look):
                    return n
        return ONWARDS


@dataclass
class Crossings:
    """The search of all shapes of a claim, each with the same share of the work; `look` runs the body."""

    record: Record
    look: Look
    rng: np.random.Generator
    work: int
    looked: int = 0
    found: bool = False
    climbed: bool = False
    settled: int = 0
    """Whether rows climbed, and how many ran to an end."""

    def search(
        self, parameters: Parameters, instances: Sequence[dict[str, Raw]], parts: int
    ) -> None:
        """Climb in some shapes, round by round, the one that has spent the least next."""
        climbing: list[Rising] = []
        for raws in shapes(parameters, instances, self.rng):
            shape = Shape.of(parameters, raws[0])
            base = np.array([shape.row(raw) for raw in raws])
            for part in range(parts):
                climbing += self._started(shape, base, part)
        self._climb(climbing, self.work)
        leading = [c for c in climbing if c.leads]
        for _ in range(HALVINGS):
            self._climb(leading, LEADING * self.work)
            leading = sorted((c for c in leading if c.leads), key=lambda c: -c.top)
            leading = leading[: -(-len(leading) // 2)]
        self.climbed = bool(climbing)
        self.settled = sum(entry.settled for entry in climbing)

    def _climb(self, climbing: list[Rising], left: int) -> None:
        """Round by round, the one that has spent the least next."""
        while left > 0 and not self.found:
            going = [c for c in climbing if c.settled < ENOUGH]
            if not going:
                return
            entry = min(going, key=lambda c: c.spent)
            before = entry.spent
            looks, self.found = entry.round(self.look)
            self.looked += looks
            left -= entry.spent - before

    def _started(self, shape: Shape, base: np.ndarray, part: int) -> Iterator[Rising]:
        """Generic rows of a shape, on each of the first paths that they take."""
        rows = generic(shape, base, STARTS, self.rng)
        for _ in range(PATHS):
            if not len(rows) or self.work <= 0:
                return
            self.work -= RECORDING
            program = self.record(shape.raw(rows[0], True), part, shape.whole)
            if program is None:
                rows = rows[1:]
                continue
            population = Population(shape, program, part)
            scores = population.scores(rows)
            taken = np.isfinite(scores)
            leads = program.conclusion["kind"] != "equal" or np.any(scores > CLEAR)
            if taken.any() and leads:
                yield Rising(population, rows[taken], self.rng)
                if (mirror := population.mirrored()) is not None:
                    yield Rising(mirror, rows[taken], self.rng, mirrored=True)
            taken[0] = True
            rows = rows[~taken]


def shapes(
    parameters: Parameters,
    instances: Sequence[dict[str, Raw]],
    rng: np.random.Generator,
) -> list[list[dict[str, Raw]]]:
    """Instances of some shapes in which numbers move: of small orders, and of others that were drawn."""
    dims = sorted(named_dims(parameters))
    square = [
        raw
        for n in ORDERS
        if dims
        and all(d not in parameters or parameters[d].chart.contains(n) for d in dims)
        for raw in draw_instances(
            parameters, EACH, int(rng.integers(2**31)), dict.fromkeys(dims, n)
        )
    ]
    groups: dict[object, list[dict[str, Raw]]] = {}
    for raw in (widened(parameters, raw) for raw in [*square, *instances]):
        groups.setdefault(likeness(raw), []).append(raw)
    moving = [g for g in groups.values() if Shape.of(parameters, g[0]).free.size > 1]
    return moving[:SHAPES]


def generic(
    shape: Shape, base: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows of which all that moves is drawn anew: numbers of one scale a row, or graded.

    In a graded one each row of a matrix has a scale of its own, and what is bounded comes near an end.
    """
    rows = base[rng.integers(len(base), size=count)].copy()
    graded = np.arange(count) % 2 == 0
    for p in shape.places:
        if p.moves:
            rows[:, p.columns] = np.where(
                graded[:, None], _graded(p, count, rng), _plain(p, count, rng)
            )
        elif p.steps:
            rows[:, p.columns] = _stepped(p, rows[:, p.columns], rng)
    return rows


def _plain(p: Place, count: int, rng: np.random.Generator) -> np.ndarray:
    low, high = p.chart.low, p.chart.high
    if np.isfinite(high):
        return low + (high - low) * rng.uniform(size=(count, p.size))
    x = rng.standard_normal((count, p.size)) * np.exp(rng.standard_normal((count, 1)))
    return low + np.exp(x) if np.isfinite(low) else x


def _graded(p: Place, count: int, rng: np.random.Generator) -> np.ndarray:
    low, high = p.chart.low, p.chart.high
    if np.isfinite(low):
        near = 10.0 ** rng.uniform(*NEAR_ENDS, (count, p.size))
        if not np.isfinite(high):
            return low + near
        share = np.where(rng.random((count, p.size)) < 0.5, near, 1 - near)
        return low + (high - low) * share
    x, rows = (
        rng.standard_normal((count, p.size)),
        p.shape[0] if len(p.shape) == 2 else p.size,
    )
    scale = 10.0 ** rng.uniform(*SCALES, (count, rows))
    return x * np.repeat(scale, p.size // rows, axis=1)


def _stepped(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Any order, or any values."""
    if isinstance(p.chart, Arrangement):
        return rng.permuted(x, axis=1)
    if p.discrete:
        return rng.choice(np.asarray(p.values, dtype=float), size=x.shape)
    first, last = int(p.values[0]), int(p.values[-1])
    return rng.integers(first, last, size=x.shape, endpoint=True).astype(float)
