"""The search in populations: plain rows by the thousand, scans, and ascents. It proposes; the body decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from boundcheck.checking.certificate import NotFinite, NotTraceable, trace
from boundcheck.checking.search.ascent import Ascent
from boundcheck.checking.search.population import Population, Shape, batches, likeness, widened
from boundcheck.checking.search.program import Program
from boundcheck.checking.search.shapes import grid, shortened, structured
from boundcheck.domains import Raw
from boundcheck.laws import at_most_atoms
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import Question

MOST_SHAPES, MOST_PROGRAMS = 24, 3
"""Shapes that are looked at, and paths of each."""

MOST_ATOMS = 3000
"""Larger laws are looked at one instance after the other."""

MOST_FAILED = 3
"""Rows of a shape that cannot be recorded, after which no more are tried."""

DRAWS = 768
POINTS = 4096
"""Points of a scan of one column that moves, and about as many of two."""

KEPT, ROUNDS, WIDTH = 128, 16, 8
"""Rows kept of a scan, rounds of the first ascents, and populations that climb."""

CLEAR = 1e-7
"""Scores below are equality as far as a population can tell."""

PROPOSED = 3
"""Rows of one look at a population that the body looks at."""

SHORTENED, DIGITS = 24, (1, 2, 3)
"""Rows whose numbers are rounded where they violate the statement, and to how many digits."""

GRADIENT = 3
"""What a look with derivatives costs against one without."""


@dataclass
class Climbing:
    """A population, its best rows and their scores."""

    population: Population
    rows: np.ndarray
    scores: np.ndarray

    @property
    def top(self) -> float:
        """The highest score; of those at equality none is higher."""
        best = float(np.max(self.scores, initial=-np.inf))
        return min(best, 0.0) if best < CLEAR else best


@dataclass
class Explorer:
    """A search of one claim under a budget of operations; `look` runs the body and gives the score that counts."""

    claim: Claim
    question: Question
    look: Callable[[dict[str, Raw]], float]
    enough: float
    work: int
    rng: np.random.Generator
    climbing: list[Climbing] = field(default_factory=list)
    looked: int = 0
    covered: float = 0.0
    """The share of the instances whose shapes have programs."""
    ended: bool = False
    populations: dict[object, list[Population]] = field(default_factory=dict)
    proposed: set[bytes] = field(default_factory=set)

    def explore(self, instances: Iterable[dict[str, Raw]], parts: int) -> None:
        """Look at populations about some instances, the best first."""
        groups: dict[object, list[dict[str, Raw]]] = {}
        for raw in (instances := [widened(self.claim.parameters, raw) for raw in instances]):
            groups.setdefault(likeness(raw), []).append(raw)
        for raws in list(groups.values())[:MOST_SHAPES]:
            shape = Shape.of(self.claim.parameters, raws[0])
            if shape.width:
                rows = np.array([shape.row(raw) for raw in raws])
                rows = np.concatenate([rows, structured(shape, rows, DRAWS, self.rng)])
                known = [self._prepare(shape, rows, part) for part in range(parts)]
                self.covered += all(known) * len(raws) / len(instances)
            if self.ended or self.work <= 0:
                return
        self._ascend()
        for entry in sorted(self.climbing, key=lambda entry: -entry.top)[:PROPOSED]:
            self._propose(entry.population, entry.rows, entry.scores, -np.inf, 1)

    def _prepare(self, shape: Shape, rows: np.ndarray, part: int) -> bool:
        """Populations of one shape, one for each path that some rows take; whether there is one."""
        programs = failed = 0
        while len(rows) and programs < MOST_PROGRAMS and failed < MOST_FAILED and not self.ended:
            program = self.recorded(shape.raw(rows[0]), part)
            if program is None:
                rows, failed = rows[1:], failed + 1
                continue
            programs += 1
            population = Population(shape, program, part)
            self.populations.setdefault(likeness(shape.start), []).append(population)
            scores = self._scores(population, rows)
            self._propose(population, rows, scores)
            taken = np.isfinite(scores)
            if 0 < shape.free.size <= 2 and taken.any():
                self._scan(population, rows[np.argmax(scores)])
            if shape.free.size and taken.any():
                self.climbing.append(Climbing(population, rows[taken], scores[taken]))
            taken[0] = True
            rows = rows[~taken]
        return programs > 0

    def recorded(self, raw: dict[str, Raw], part: int) -> Program | None:
        """The program of one part on an instance; None where populations do not read it."""
        try:
            with at_most_atoms(MOST_ATOMS):
                return Program(*trace(self.claim, raw, part, None, self.question))
        except (NotTraceable, NotFinite):
            return None

    def _scores(self, population: Population, rows: np.ndarray) -> np.ndarray:
        self.looked += len(rows)
        self.work -= population.cost(len(rows))
        return np.concatenate([np.zeros(0), *(population.scores(some) for some in batches(rows, population.batch))])

    def _scan(self, population: Population, row: np.ndarray) -> None:
        """The whole range of the one or two columns that move."""
        rows = grid(population.shape, row, POINTS)
        scores = self._scores(population, rows)
        self._propose(population, rows, scores)
        best = np.argsort(-scores)[:KEPT]
        best = best[np.isfinite(scores[best])]
        if best.size:
            self.climbing.append(Climbing(population, rows[best], scores[best]))

    def _ascend(self) -> None:
        """Short climbs of the best populations, longer ones of those that lead."""
        rounds, width = ROUNDS, WIDTH
        while self.climbing and self.work > 0 and not self.ended:
            self.climbing.sort(key=lambda entry: -entry.top)
            for entry in self.climbing[:width]:
                if self.work > 0 and not self.ended:
                    self._climb(entry, rounds)
            rounds, width = 2 * rounds, max(width // 2, 2)

    def _climb(self, entry: Climbing, rounds: int) -> None:
        population, shape = entry.population, entry.population.shape
        rows = self._members(entry)
        climb = Ascent(lambda t, members: population.looks(rows[members], t), shape.coordinates(rows))
        for _ in range(rounds):
            looks = climb.round()
            self.looked += looks
            self.work -= GRADIENT * population.cost(looks)
            if not looks or self.work <= 0:
                break
        rows = shape.moved(rows, climb.X)
        self._propose(population, rows, climb.f)
        self._shorten(population, rows[np.argsort(-climb.f)[:SHORTENED]], float(np.max(climb.f)))
        entry.rows, entry.scores = np.concatenate([entry.rows, rows]), np.concatenate([entry.scores, climb.f])
        best = np.argsort(-entry.scores)[: 2 * KEPT]
        entry.rows, entry.scores = entry.rows[best], entry.scores[best]

    def _shorten(self, population: Population, rows: np.ndarray, top: float) -> None:
        """Violations in short numbers: away from the ends of the hypotheses, and fit to be read and certified."""
        if top > CLEAR and not self.ended:
            short = np.concatenate([shortened(rows, digits) for digits in DIGITS])
            short = short[population.shape.inside(short)]
            self._propose(population, short, self._scores(population, short))

    def _members(self, entry: Climbing) -> np.ndarray:
        """The best so far, two of those at equality, noise about them, and rows from nowhere."""
        level = np.abs(entry.scores) < CLEAR
        order = [*np.flatnonzero(level)[:2], *np.flatnonzero(~level)[np.argsort(-entry.scores[~level])]]
        kept = entry.rows[order[: entry.population.members // 2]]
        more = structured(entry.population.shape, entry.rows, entry.population.members - len(kept), self.rng)
        return np.concatenate([kept, more])

    def _propose(
        self, population: Population, rows: np.ndarray, scores: np.ndarray, above: float = CLEAR, most: int = PROPOSED
    ) -> None:
        """Let the body look at the highest rows."""
        for k in np.argsort(-scores)[:most]:
            if not scores[k] > above or not np.isfinite(scores[k]):
                return
            key = rows[k].tobytes()
            if key not in self.proposed:
                self.proposed.add(key)
                self.ended |= self.look(population.shape.raw(rows[k])) >= self.enough
