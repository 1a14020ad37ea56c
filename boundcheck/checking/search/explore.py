"""Plain rows of a claim's shapes: drawn, scanned, counted through, exchanged; the best of them are climbed from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from boundcheck.checking.search.crossing import (
    Rising,
    climbs,
    generic,
    of_orders,
)
from boundcheck.checking.search.equations import (
    STARTS,
    STEPS,
    Equations,
    hypotheses_of,
)
from boundcheck.checking.search.evolve import ENOUGH_WORK, TOGETHER, Evolution
from boundcheck.checking.search.population import (
    CLEAR,
    MEMBERS,
    Population,
    Shape,
    as_floats,
    batches,
    bulk,
    likeness,
    widened,
)
from boundcheck.checking.search.program import Program
from boundcheck.checking.search.programs import Programs
from boundcheck.checking.search.scores import FOLD
from boundcheck.checking.search.shapes import (
    SIZES,
    by_steps,
    counts,
    every,
    exchanged,
    grid,
    larger,
    smallest_sums,
    structured,
)
from boundcheck.domains import FIXED, Raw
from boundcheck.domains.instances import leaves, replaced
from boundcheck.words.claims import Claim

MOST_SHAPES, MOST_PROGRAMS = 16, 3
"""Shapes that are looked at, and paths of each."""

CLIMBED = 6
"""Shapes that are climbed in, beside larger ones."""

MOST_FAILED = 3
"""Rows of a shape that are not recorded, after which no more are tried."""

DRAWS, CHEAP = 512, 3200
"""Plain rows of a shape at first; the operations of more of them, where nothing climbs."""

FEWEST, POINTS = 64, 4096
"""Points of a scan of one column that moves, and about as many of two: at least, and at most."""

KEPT, OTHERS = 128, 8
"""Rows kept of many plain ones, and others kept of these."""

ROUNDS, LEVEL, WIDTH = 8, 32, 4
"""Rounds of the first chains, of the last at equality, and populations that have chains."""

EXCHANGES, ROWS = 6, 512
"""Exchanges of what moves by steps for each round, and rows that make them."""

ENUMERATED = 2**22
"""All orders are written down up to so many numbers."""

COUNTED, ONE_COUNTED, MANY, LOOK = 128, 2000, 3, 3
"""Values of the first of several whole numbers, of one alone, how many get half of the work only, and what a
look at one instance costs."""

COUNTED_ROWS = 64
"""Rows that satisfy the hypotheses, after which no more are counted."""

FOLLOWED, LEADERS = 6, 24
"""Rounds along the equations among the hypotheses, and rows that each begins at."""

IDLE = 0.01
"""Chains end after a pass in which the highest score rose by such a share at most."""

PROPOSED, DENIED = 3, 24
"""Rows of one look at a population that the body looks at, and how many of a part it denies before all are
rounding alone."""

Instance = Callable[[bytes], dict[str, Raw]]
"""The instance of a row, the same one for the same row."""


@dataclass
class Chains:
    """A population in which something moves by steps, its best rows and their scores."""

    population: Population
    rows: np.ndarray
    scores: np.ndarray
    guide: Population | None = None
    """The same without kinks, by which chains are led."""

    @property
    def top(self) -> float:
        """The highest score; of those at equality none is higher."""
        best = float(np.max(self.scores, initial=-np.inf))
        return 0.0 if abs(best) < CLEAR else best

    @property
    def rank(self) -> tuple[float, int]:
        """The highest score first; among those at equality the larger shape."""
        return self.top, self.population.shape.width

    def keep(self, rows: np.ndarray, scores: np.ndarray) -> None:
        """Keep the best of these and those before."""
        rows, scores = (
            np.concatenate([self.rows, rows]),
            np.concatenate([self.scores, scores]),
        )
        best = np.argsort(-scores)[: 2 * KEPT]
        self.rows, self.scores = rows[best], scores[best]


@dataclass
class Explorer:
    """A search of one claim under a budget of operations; `look` runs the body: its score counts."""

    programs: Programs
    look: Callable[[dict[str, Raw]], float]
    enough: float
    work: int
    rng: np.random.Generator
    chains: list[Chains] = field(default_factory=list)
    rising: list[Rising] = field(default_factory=list)
    climbed: int = 0
    """Rows that are to climb, and the shapes of which they are."""
    looked: int = 0
    covered: float = 0.0
    """The share of the instances whose shapes have programs."""
    ended: bool = False
    populations: dict[object, list[Population]] = field(default_factory=dict)
    proposed: dict[bytes, float] = field(default_factory=dict)
    """What the body says of rows that populations found."""
    denied: Counter[int] = field(default_factory=Counter)
    counted: set[bytes] = field(default_factory=set)
    """Some of the rows that satisfy the hypotheses."""
    scored: dict[str, float] = field(default_factory=dict)
    """The scores of instances of whole numbers."""

    def __post_init__(self) -> None:
        self.plain, self.enumerable = self.work, ENOUGH_WORK * self.work

    @property
    def claim(self) -> Claim:
        return self.programs.claim

    def explore(self, instances: Sequence[dict[str, Raw]], parts: int) -> None:
        """Look at populations about some instances, the best first; then at larger ones."""
        self._count(instances)
        if (numbers := self._by_steps(instances)) and not self.ended:
            self._shapes(numbers, parts)
        if not self.chains:
            parameters = self.claim.parameters
            small = of_orders(parameters, self.rng)
            self.covered = self._shapes(instances, parts, first=small)
            self._shapes(
                larger(parameters, self.rng), parts, CLIMBED + len(SIZES)
            )
        self._anneal()
        best_first = sorted(self.chains, key=lambda entry: -entry.top)
        for entry in best_first[:PROPOSED]:
            self._propose(
                entry.population, entry.rows, entry.scores, -np.inf, 1
            )

    def evolve(
        self,
        instances: Sequence[dict[str, Raw]],
        look: Callable[[dict[str, Raw]], float],
        work: int,
        rng: np.random.Generator,
    ) -> None:
        """Rows evolve where programs read them and gradients may not lead; `look` runs the body."""
        parameters, self.look, self.work = self.claim.parameters, look, work
        evolution = Evolution(
            parameters, self._by_programs, work, rng, self.enough, TOGETHER
        )
        raws = [widened(parameters, raw) for raw in instances]
        evolution.begin(
            [raw for raw in raws if likeness(raw) in self.populations]
        )
        evolution.climb()

    def _by_programs(
        self, shape: Shape, rows: np.ndarray
    ) -> tuple[np.ndarray, int]:
        """The highest score of any part, and the operations; the body looks at what passes equality."""
        before, worst = self.work, np.full(len(rows), -np.inf)
        for population in self.populations[likeness(shape.start)]:
            scores = self._scores(population, rows)
            worst = np.maximum(worst, self._propose(population, rows, scores))
        return worst, before - self.work

    def reads(self, instances: Sequence[dict[str, Raw]]) -> bool:
        """Whether only continuous numbers move, and programs read all instances."""
        moving = (
            place
            for raw in instances
            for place in leaves(self.claim.parameters, raw)
        )
        continuous = not any(by_steps(x, chart) for _, x, chart in moving)
        branches = any(program.branches for program in self._programs)
        return self.covered == 1 and continuous and not branches

    @property
    def kinked(self) -> bool:
        """Whether ascents may end at a kink of some program."""
        return any(program.kinked for program in self._programs)

    @property
    def _programs(self) -> list[Program]:
        return [p.program for some in self.populations.values() for p in some]

    def _by_steps(
        self, instances: Sequence[dict[str, Raw]]
    ) -> list[dict[str, Raw]]:
        """The instances with whole numbers as floats, if there are such numbers and all moves by steps."""
        places = (
            place
            for raw in instances
            for place in leaves(self.claim.parameters, raw)
        )
        if not all(
            by_steps(leaf, chart)
            for _, leaf, chart in places
            if chart is not FIXED
        ):
            return []
        found = [as_floats(self.claim.parameters, raw) for raw in instances]
        return (
            found
            if any(
                new is not raw
                for new, raw in zip(found, instances, strict=True)
            )
            else []
        )

    def _count(self, instances: Sequence[dict[str, Raw]]) -> None:
        """Claims about one to three whole numbers: first values of all but one, with the best of that one."""
        paths = (
            list(counts(self.claim.parameters, instances[0]).items())
            if instances
            else []
        )
        share = (
            self.work // (len(paths) if len(paths) < MANY else 2 * len(paths))
            if paths
            else 0
        )
        for k in range(len(paths)):
            first, last = (
                (paths[k + 1 :] + paths[:k], paths[k])
                if len(paths) > 1
                else (paths, None)
            )
            stop = self.work - share
            for values in smallest_sums(
                [whole for _, whole in first], COUNTED if last else ONE_COUNTED
            ):
                raw = instances[0]
                for (path, _), value in zip(first, values, strict=True):
                    raw = replaced(raw, path, value)
                if last:
                    summit = self._summit(
                        lambda j, raw=raw, at=last[0]: replaced(raw, at, j),
                        last[1],
                    )
                    raw = replaced(raw, last[0], summit)
                self._looked_at(raw)
                if self.ended:
                    return
                if self.work <= stop:
                    break

    def _summit(self, at: Callable[[int], dict[str, Raw]], whole: range) -> int:
        """Where the score is highest among some whole numbers, if it rises and falls once."""
        low, high = whole.start, whole.stop - 1
        while low < high and not self.ended:
            middle = (low + high) // 2
            rises = self._looked_at(at(middle)) < self._looked_at(
                at(middle + 1)
            )
            low, high = (middle + 1, high) if rises else (low, middle)
        return low

    def _looked_at(self, raw: dict[str, Raw]) -> float:
        """The score by the body, of each instance once."""
        key = repr(raw)
        if key not in self.scored:
            self.work -= LOOK
            self.scored[key] = self.look(raw)
            self.ended |= self.scored[key] >= self.enough
        return self.scored[key]

    def _shapes(
        self,
        instances: Sequence[dict[str, Raw]],
        parts: int,
        climbed: int = CLIMBED,
        first: Sequence[dict[str, Raw]] = (),
    ) -> float:
        """Populations of the shapes of some instances; the share of those whose shapes have programs.

        So many shapes, with those before, are climbed in; those of the `first` instances come first.
        """
        covered, parameters = 0, self.claim.parameters
        groups: dict[object, list[dict[str, Raw]]] = {}
        for raw in first:
            groups[likeness(widened(parameters, raw))] = []
        for raw in (widened(parameters, raw) for raw in [*instances, *first]):
            groups.setdefault(likeness(raw), []).append(raw)
        shapes = list(groups.values())
        if shapes and not first:  # the plainest one costs next to nothing
            shapes.insert(
                0, shapes.pop(int(np.argmin([bulk(x[0]) for x in shapes])))
            )
        for raws in shapes[:MOST_SHAPES]:
            shape = Shape.of(self.claim.parameters, raws[0])
            if shape.width:
                climbing = shape.free.size > 0 and self.climbed < climbed
                self.climbed += climbing
                rows = np.array([shape.row(raw) for raw in raws])
                drawn = structured(shape, rows, DRAWS, self.rng)
                # many drawn instances are singular, and of those no program may be recorded
                count = MEMBERS if shape.free.size else 0
                anew = generic(shape, rows, count, self.rng)
                rows = np.concatenate([rows[:1], anew, rows[1:], drawn])
                # one instance for all parts
                instance = cache(
                    lambda key, shape=shape: shape.raw(np.frombuffer(key), True)
                )
                known = [
                    self._prepare(shape, rows, instance, part, climbing)
                    for part in range(parts)
                ]
                covered += all(known) * len(raws)
            if self.ended or self.work <= 0:
                break
        return covered / max(len(instances) + len(first), 1)

    def _prepare(
        self,
        shape: Shape,
        rows: np.ndarray,
        instance: Instance,
        part: int,
        climbing: bool,
    ) -> bool:
        """Populations of one shape, one for each path that some rows take; whether there is one."""
        programs = failed = 0
        most_failed = 1 if shape.whole else MOST_FAILED
        while (
            len(rows)
            and programs < MOST_PROGRAMS
            and failed < most_failed
            and not self.ended
        ):
            program = self.programs.recorded(
                instance(rows[0].tobytes()), part, shape.whole
            )
            if program is None:
                rows, failed = rows[1:], failed + 1
                continue
            programs += 1
            population = Population(shape, program, part)
            if not shape.whole:
                self.populations.setdefault(likeness(shape.start), []).append(
                    population
                )
            scores = self._scores(population, rows)
            taken = np.isfinite(scores)
            scores = self._propose(population, rows, scores)
            first = instance(rows[0].tobytes())
            follows = taken.any() and not shape.whole
            equations = (
                hypotheses_of(self.claim).to_follow(first) if follows else None
            )
            climbs = shape.free.size and equations is None
            if programs == 1 and not climbs:
                rows, scores, taken = self._draw(
                    population, rows, scores, taken
                )
            if equations is not None:
                self._follow(population, equations, rows[taken], scores[taken])
            if 0 < shape.free.size <= 2 and taken.any():
                found = self._scan(population, rows[np.argmax(scores)])
                old = rows, scores, taken
                rows, scores, taken = map(
                    np.concatenate, zip(old, found, strict=True)
                )
            if shape.steps and self._every(population, rows[0]):
                return True
            leads = program.conclusion["kind"] != "equal" or np.any(
                scores > CLEAR
            )  # identities do not
            if taken.any() and leads:
                self._lead(population, rows[taken], scores[taken], climbing)
            taken[0] = True
            rows = rows[~taken]
        return programs > 0

    def _lead(
        self,
        population: Population,
        rows: np.ndarray,
        scores: np.ndarray,
        climbing: bool,
    ) -> None:
        """Chains and climbs are to begin at these rows."""
        shape, part = population.shape, population.part
        if shape.steps:
            softer = [
                Population(shape, p, part) for p in population.program.softer()
            ]
            self.chains.append(Chains(population, rows, scores, *softer[:1]))
        if climbing:
            best = rows[np.argsort(-scores)[:KEPT]]
            self.rising += climbs(population, best, self.rng)

    def _draw(
        self,
        population: Population,
        rows: np.ndarray,
        scores: np.ndarray,
        taken: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Many more plain rows about some: these and a few of those, scores, and whether they count.

        The best of many are plain instances of equality that lead nowhere: chains begin at them only if few
        others count.
        """
        kept, base = [(rows, scores, taken)], rows
        few = max(KEPT - int(np.sum(taken)), 0)
        left, denied = min(CHEAP, self.plain), self.denied[population.part]
        while left > 0 and not self.ended:
            new = structured(population.shape, base, population.batch, self.rng)
            left -= population.cost(len(new))
            self.plain -= population.cost(len(new))
            found = self._read(population, new)
            counts = np.isfinite(found)
            if self.denied[population.part] == denied:
                found = self._propose(population, new, found)
            else:  # what rounding makes of so many rows is denied once
                found = np.where(found > CLEAR, -np.inf, found)
            best = np.argsort(-found)[:few]
            some = np.union1d(best, np.arange(min(OTHERS, len(new))))
            kept.append((new[some], found[some], counts[some]))
        rows, scores, taken = map(np.concatenate, zip(*kept, strict=True))
        return rows, scores, taken

    def _follow(
        self,
        population: Population,
        equations: Equations,
        rows: np.ndarray,
        scores: np.ndarray,
    ) -> None:
        """Rows about the best ones that stay on the equations among the hypotheses, which no ascent does."""
        for k in range(FOLLOWED):
            if self.ended or self.work <= 0:
                return
            start = STARTS[1 + k % 2](population.shape, rows, DRAWS, self.rng)
            new = equations.onto(start, self.rng)
            self.work -= (STEPS + population.shape.width) * population.cost(
                DRAWS
            )
            found = self._propose(
                population, new, self._scores(population, new)
            )
            rows, scores = (
                np.concatenate([rows, new]),
                np.concatenate([scores, found]),
            )
            best = np.argsort(-scores)[:LEADERS]
            rows, scores = rows[best], scores[best]

    def _scores(self, population: Population, rows: np.ndarray) -> np.ndarray:
        self.work -= population.cost(len(rows))
        return self._read(population, rows)

    def _read(self, population: Population, rows: np.ndarray) -> np.ndarray:
        self.looked += len(rows)
        scores = np.concatenate(
            [
                np.zeros(0),
                *map(population.scores, batches(rows, population.batch)),
            ]
        )
        if len(self.counted) < COUNTED_ROWS:
            self.counted.update(
                row.tobytes()
                for row in rows[np.isfinite(scores)][:COUNTED_ROWS]
            )
        return scores

    def _scan(
        self, population: Population, row: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The whole range of the one or two columns that move: the best rows, scores, and whether they count.

        As many points as half of the work that is left is enough for.
        """
        affordable = (
            population.batch
            * self.work
            // (2 * population.cost(population.batch))
        )
        points = min(POINTS, max(affordable, FEWEST))
        rows = grid(population.shape, row, points)
        scores = self._propose(population, rows, self._scores(population, rows))
        best = np.argsort(-scores)[:KEPT]
        return rows[best], scores[best], np.isfinite(scores[best])

    def _every(self, population: Population, row: np.ndarray) -> bool:
        """Look at all patterns of what moves by steps, if few are and only they move; whether it was done."""
        shape, cost = (
            population.shape,
            population.cost(population.shape.patterns),
        )
        if (
            shape.free.size
            or cost > self.enumerable
            or any(p.listed > ENUMERATED for p in shape.steps)
        ):
            return False
        self.enumerable -= cost
        for first in range(0, shape.patterns, population.batch):
            if not self.ended:
                rows = every(
                    shape,
                    row,
                    np.arange(
                        first, min(first + population.batch, shape.patterns)
                    ),
                )
                self._propose(population, rows, self._read(population, rows))
        return True

    def _anneal(self) -> None:
        """Short runs of the best chains, the larger ones first, and longer ones of those that lead."""
        rounds, width = ROUNDS, WIDTH
        while self.chains and self.work > 0 and not self.ended:
            self.chains.sort(key=lambda entry: entry.rank, reverse=True)
            before = max(entry.top for entry in self.chains)
            for entry in self.chains[:width]:
                self._exchange(entry, rounds)
            top = max(entry.top for entry in self.chains)
            if _idle(before, top) or (abs(top) <= CLEAR and rounds >= LEVEL):
                return
            rounds, width = 2 * rounds, max(width // 2, 1)

    def _exchange(self, entry: Chains, rounds: int) -> None:
        """Many chains that exchange what moves by steps, at ever lower temperatures."""
        population = entry.population
        order = np.resize(
            np.argsort(-entry.scores)[: population.members // 2],
            min(population.batch, ROWS),
        )
        guide = entry.guide
        rows, scores = entry.rows[order], entry.scores[order]
        scores = scores if guide is None else self._scores(guide, rows)
        known, steps = scores[np.isfinite(scores)], EXCHANGES * rounds
        hot = 1e-3 + (float(np.std(known)) if known.size else 0.0)
        for k in range(steps):
            if self.work <= 0 or self.ended:
                break
            new = exchanged(population.shape, rows, self.rng)
            found = self._scores(population, new)
            guided = found if guide is None else self._scores(guide, new)
            with np.errstate(all="ignore"):
                better = self.rng.random(len(new)) < np.exp(
                    (guided - scores) / (hot * (1 - k / steps) ** 2)
                )
            rows, scores = (
                np.where(better[:, None], new, rows),
                np.where(better, guided, scores),
            )
            entry.keep(new, self._propose(population, new, found))

    def _propose(
        self,
        population: Population,
        rows: np.ndarray,
        scores: np.ndarray,
        above: float = CLEAR,
        most: int = PROPOSED,
    ) -> np.ndarray:
        """Let the body look at the highest rows. The scores; -inf for violations where it denied all."""
        seen: list[float] = []
        if self.denied[population.part] >= DENIED:
            return np.where(scores > CLEAR, -np.inf, scores)
        for k in np.argsort(-scores)[:most]:
            if not scores[k] > above or not np.isfinite(scores[k]):
                break
            key = rows[k].tobytes()
            if key not in self.proposed:
                self.proposed[key] = self.look(population.shape.raw(rows[k]))
                self.denied[population.part] += self.proposed[key] <= 0
            seen.append(self.proposed[key])
        self.ended |= max(seen, default=-np.inf) >= self.enough
        return (
            np.where(scores > CLEAR, -np.inf, scores)
            if seen and max(seen) <= 0
            else scores
        )


def _idle(score: float, now: float) -> bool:
    """Whether nothing improved; equality may hide what comes after it."""
    return abs(now) > CLEAR and now <= score + IDLE * min(abs(score), FOLD)
