"""Generic rows that climb a statement's own program; the body looks at each where it first passes equality."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from boundcheck.checking.observe import TOUCH
from boundcheck.checking.search.ascent import Ascent
from boundcheck.checking.search.population import (
    CLEAR,
    Place,
    Population,
    Shape,
)
from boundcheck.checking.search.shapes import structured
from boundcheck.domains import Raw
from boundcheck.domains.chart import Arrangement
from boundcheck.domains.domain import named_dims
from boundcheck.domains.instances import Parameters, draw_instances

STRUCTURED, RENEWED = 1 / 3, 1 / 4
"""The share of structured ones among rows that climb together, and that of rows at rest that begins anew."""

LED = 24
"""Rounds in each of the easier programs that lead to one with kinks or walls."""

ORDERS, EACH = (2, 3, 4), 2
"""Sizes of which all dimensions are, and instances of each."""

SCALES, NEAR_ENDS = (-1.5, 1.5), (-8.0, 0.0)
"""Decades of the scales of rows of matrices, and of the distances from the end of a range."""

STINT = 48
"""Rounds that a climb has at a time: about as many as rows take to come to rest."""

ENOUGH = 1024
"""Rows that ran to an end, after which a shape has been searched."""

HORIZON = 1000
"""A row rests that would not pass equality in so many rounds at the pace of the last ones."""

SUMMITS = 3
"""The highest rows of as many climbs that the body looks at in the end."""

ONWARDS = 40
"""Rounds that a violation climbs on, to be seen from afar."""

GRADIENT, STEP, LOOK = 3, 100, 240
"""What a look with derivatives costs against one without; operations of a step of all rows, and of a look by the body."""

Look = Callable[[dict[str, Raw]], float]


@dataclass(eq=False)
class Rising:
    """Rows of one shape on one path that climb; those that came to rest begin anew elsewhere."""

    population: Population
    base: np.ndarray
    rng: np.random.Generator
    easier: Sequence[Population] = ()
    """Smoother and roomier ones, through which rows come to this one."""
    spent: int = 0
    settled: int = 0
    """Rows that ran to an end."""
    top: float = -np.inf
    summit: np.ndarray | None = None
    """The highest score of rows that the body has not denied, and such a row."""
    rounds: int = 0
    stage: int = 0
    """How many of the easier programs the rows have passed."""
    rows: np.ndarray = field(init=False)
    climb: Ascent = field(init=False)
    asked: np.ndarray = field(init=False)

    @property
    def count(self) -> int:
        return self.population.members

    def _generic(self, count: int) -> np.ndarray:
        """Generic rows, a third of which are made plain, extreme or equal somewhere."""
        rows = generic(self.population.shape, self.base, count, self.rng)
        plainer = structured(
            self.population.shape, self.base, int(STRUCTURED * count), self.rng
        )
        rows[: len(plainer)] = plainer
        return rows

    def begin(self) -> None:
        """At first some of the best plain rows climb as they are, too."""
        rows, best = self._generic(self.count), self.base[: self.count // 4]
        rows[self.count - len(best) :] = best
        self._enter(0, rows)

    def _enter(self, stage: int, rows: np.ndarray) -> None:
        """All rows climb in the next of the programs that lead to this one, or in this one."""
        population = [*self.easier, self.population][stage]
        self.stage, self.rows = stage, rows
        self.asked = np.zeros(self.count, dtype=bool)
        self.climb = Ascent(
            lambda t, members: population.looks(self.rows[members], t),
            population.shape.coordinates(rows),
        )

    @property
    def here(self) -> np.ndarray:
        """The rows where they are now."""
        return self.population.shape.moved(self.rows, self.climb.X)

    def round(self, look: Look) -> tuple[int, bool]:
        """One round: the looks that it took, and whether the body saw a violation where a row passed equality."""
        self.rounds += 1
        if self.stage < len(self.easier):
            return self._led(), False
        seen = 0
        passed = (self.climb.f > CLEAR) & ~self.asked
        for k in np.flatnonzero(passed).tolist():
            self.asked[k] = self.climb.dead[k] = True
            seen += 1
            if self._is_true(k, look):
                return self._spend(seen, self._onwards(k, look)), True
        self.climb.dead |= HORIZON * self.climb.gain < np.maximum(
            -self.climb.f, CLEAR
        )
        climbed = self.climb.round()
        self._renew()
        return self._spend(seen, climbed), False

    def _led(self) -> int:
        """One round in an easier program, the looks of it; after some the rows go on to the next."""
        climbed, easier = self.climb.round(), self.easier[self.stage]
        self.spent += STEP + GRADIENT * easier.cost(max(climbed, 1))
        if self.climb.rounds >= LED or not climbed:
            self._enter(self.stage + 1, self.here)
        return climbed

    def _renew(self) -> None:
        """Rows at rest begin anew; those that are led do so together."""
        dead = np.flatnonzero(self.climb.dead)
        if len(dead) < (1 - RENEWED if self.easier else RENEWED) * self.count:
            return
        self.remember()
        self.settled += int(np.sum(np.isfinite(self.climb.f[dead])))
        if self.easier:
            self._enter(0, self._generic(self.count))
            return
        self.rows[dead], self.asked[dead] = self._generic(len(dead)), False
        self.climb.restart(
            dead, self.population.shape.coordinates(self.rows[dead])
        )

    def remember(self) -> None:
        """Keep the row that is highest now, if none was higher."""
        if self.stage < len(self.easier):
            return
        scores = np.where(self.asked, -np.inf, self.climb.f)
        k = int(np.argmax(scores))
        if scores[k] > self.top:
            self.top = float(scores[k])
            self.summit = self.here[k]

    def _spend(self, seen: int, climbed: int) -> int:
        looks = GRADIENT * self.population.cost(max(climbed, 1))
        self.spent += LOOK * seen + STEP + looks
        return seen + climbed

    def _is_true(self, k: int, look: Look) -> bool:
        return look(self.population.shape.raw(self.here[k])) > TOUCH

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


def climbs(
    population: Population, base: np.ndarray, rng: np.random.Generator
) -> Iterator[Rising]:
    """Rows that climb the statement's own program, that come to it by easier ones, and under its other branch."""
    yield Rising(population, base, rng)
    if easier := population.easier():
        yield Rising(population, base, rng, easier=easier)
    if (mirror := population.mirrored()) is not None:
        yield Rising(mirror, base, rng)


@dataclass
class Crossings:
    """Climbs of all shapes of a claim, a stint of each in turn as long as there is work; `look` runs the body."""

    climbing: Sequence[Rising]
    look: Look
    work: int
    looked: int = 0
    found: bool = False

    def climb(self) -> None:
        """Round by round; few shapes are climbed to an end rather than all of them a little."""
        while self.work > 0 and not self.found:
            going = [c for c in self.climbing if c.settled < ENOUGH]
            if not going:
                break
            entry = min(going, key=lambda c: c.rounds // STINT)
            if not entry.rounds:
                entry.begin()
            before = entry.spent
            looks, self.found = entry.round(self.look)
            self.looked += looks
            self.work -= entry.spent - before
        self._look_at_summits()

    def _look_at_summits(self) -> None:
        """Let the body look at the highest rows: how near they come is told."""
        begun = [c for c in self.climbing if c.spent]
        for entry in begun:
            entry.remember()
        highest = sorted(begun, key=lambda c: -c.top)[:SUMMITS]
        for entry in highest:
            if entry.summit is not None:
                self.look(entry.population.shape.raw(entry.summit))

    @property
    def settled(self) -> int:
        """How many rows ran to an end."""
        return sum(entry.settled for entry in self.climbing)


def of_orders(
    parameters: Parameters, rng: np.random.Generator
) -> list[dict[str, Raw]]:
    """Instances whose dimensions are all of one small order, if they have names."""
    dims = sorted(named_dims(parameters))
    given = [parameters[d].chart for d in dims if d in parameters]
    return [
        raw
        for n in ORDERS
        if dims and all(chart.contains(n) for chart in given)
        for raw in draw_instances(
            parameters, EACH, int(rng.integers(2**31)), dict.fromkeys(dims, n)
        )
    ]


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
    x = rng.standard_normal((count, p.size)) * np.exp(
        rng.standard_normal((count, 1))
    )
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
