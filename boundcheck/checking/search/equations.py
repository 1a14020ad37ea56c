"""Hypotheses that are equations, or hardly ever hold: instances that fail are moved; the program decides."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, islice
from math import ceil, inf
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from boundcheck.checking.certificate import NotFinite, NotTraceable, followed
from boundcheck.checking.pace import stated_at
from boundcheck.checking.search.population import Shape, likeness
from boundcheck.checking.search.program import (
    ORDERS,
    RELATIONS,
    Program,
    Values,
    slack,
)
from boundcheck.checking.search.shapes import by_steps, shortened, structured
from boundcheck.domains import Raw
from boundcheck.domains.chart import Discrete
from boundcheck.domains.instances import inside, leaves, replaced, to_json
from boundcheck.operations.operation import deepened
from boundcheck.tape import Tape
from boundcheck.tape.program import Wish, value_of, wishing
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, Question, asking
from boundcheck.words.meaning import Steady

CLOSE = 1e-9
"""Sides of an equation that differ by less, relatively, may be equal."""

STEPS = 12
"""Steps of Newton's method."""

DIGITS = (1, 2, 3)
"""Rows that are moved keep so many digits of what is not solved for: floats may have the rest then."""

SHORT = 13
"""Solutions with more digits are not exact."""

MOST_RECORDED = 100
"""Recordings for one claim that look for equations: one for each choice of shapes and whole numbers."""

ENOUGH = 3
"""Recordings without an equation, after which none is looked for."""

MOST_EQUATIONS = 40
"""Of more equations at once no solutions are looked for."""

TRIED = 4
"""Solutions that are read exactly for each instance that is to be moved."""

GIVEN_UP = 6
"""Instances of one shape for which nothing new is found, after which no more are tried."""

ROWS = 512
"""Starts that are solved together."""

DEPTHS, SIZES = (-6.0, -0.3), (0.0, 1e-9, 1e-3, 1.0)
"""How far inside narrow hypotheses rows end: powers of ten, relative to both sides and one of these more."""

NUDGE, NUDGED = 0.01, 12
"""How far instances that satisfy hypotheses are moved, relatively, to see if they are narrow; how many."""

SECANTS = 6
"""Steps to where two sides that are whole numbers meet."""

NEIGHBOURS, LOOKS = 256, 12_000
"""Values of one whole number, or choices a step away, that are tried, and looks of this kind at one claim."""


@dataclass(eq=False)
class Equations:
    """The equations that instances of one shape must satisfy, read for many rows at once."""

    shape: Shape
    program: Program
    pairs: tuple[tuple[int, int], ...]
    others: tuple[tuple[str, int, int], ...] = ()
    """The comparisons among the hypotheses that are no equations."""
    narrow: bool = False
    """Whether these are to be met as well: hardly an instance satisfies them."""

    def gaps(
        self, rows: np.ndarray, depths: np.ndarray | None = None
    ) -> np.ndarray:
        """Left less right of equations, and what narrow hypotheses lack at some depths: rows x equations."""
        values = self._values(rows)
        gaps = self._sides(values, len(rows), self.pairs)[:1]
        for relation, *pair in self.others:
            if depths is not None and relation in ORDERS:
                gap, size = self._sides(values, len(rows), (pair,))
                gap = gap if relation in ("le", "lt") else -gap
                gaps.append(
                    np.maximum(
                        gap + depths[:, :1] * (size + depths[:, 1:]), 0.0
                    )
                )
        return np.concatenate(gaps, axis=1)

    def near(self, rows: np.ndarray) -> np.ndarray:
        """Which rows satisfy them up to rounding."""
        return (
            self._close(self._values(rows), len(rows))
            if self.pairs
            else np.zeros(len(rows), dtype=bool)
        )

    def count(self, rows: np.ndarray) -> np.ndarray:
        """Which rows satisfy them up to rounding, and the other hypotheses."""
        values = self._values(rows)
        holds = self._close(values, len(rows))
        for relation, *pair in self.others:
            true = RELATIONS[relation](*deepened([values[k] for k in pair], 1))
            holds &= true.reshape(len(true), -1).all(axis=1)
        return holds

    def _values(self, rows: np.ndarray) -> Values:
        inputs = {
            p.name: rows[:, p.columns].reshape(len(rows), *p.shape)
            for p in self.shape.places
        }
        with np.errstate(all="ignore"):
            return self.program.run(inputs)

    @staticmethod
    def _sides(
        values: Values, count: int, pairs: Iterable[Sequence[int]]
    ) -> list[np.ndarray]:
        """Left less right, and the size of both, of every pair: rows x entries."""
        gaps, sizes = [np.zeros((count, 0))], [np.zeros((count, 0))]
        for pair in pairs:
            left, right = deepened([values[k] for k in pair], 1)
            with np.errstate(all="ignore"):
                gap, size = np.broadcast_arrays(
                    left - right, np.abs(left) + np.abs(right)
                )
            gaps.append(
                np.broadcast_to(gap, (count, *gap.shape[1:])).reshape(count, -1)
            )
            sizes.append(
                np.broadcast_to(size, (count, *size.shape[1:])).reshape(
                    count, -1
                )
            )
        return [np.concatenate(gaps, axis=1), np.concatenate(sizes, axis=1)]

    def _close(self, values: Values, count: int) -> np.ndarray:
        gap, size = self._sides(values, count, self.pairs)
        return np.all(np.abs(gap) <= CLOSE * np.maximum(size, 1), axis=1)

    def onto(self, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Rows of short numbers near the given ones that satisfy the equations as far as floats can tell."""
        columns = self.shape.free
        if not columns.size:
            return rows[:0]
        rows = self._plain(rows, rng)
        depths = self._depths(len(rows), rng) if self.narrow else None
        gap = self.gaps(rows, depths)
        if gap.shape[1] > MOST_EQUATIONS:
            return rows[:0]
        slopes = self._slopes(
            rows,
            gap,
            np.broadcast_to(columns, (len(rows), len(columns))),
            depths,
        )
        weights = self._weights(len(rows), rng)
        chosen = columns[_independent(slopes * weights[:, None, :])]
        with np.errstate(all="ignore"):
            rows = self._short(self._newton(rows, chosen, depths), chosen)
        rows = rows[np.all(np.isfinite(rows), axis=1)] + 0.0
        rows = np.unique(rows[self.shape.inside(rows)], axis=0)
        rows = rows[self.count(rows)] if len(rows) else rows
        return rows[rng.permutation(len(rows))]

    def _plain(self, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Rows with what moves in few digits, as signs and zeros, or as powers of two, within its range."""
        size = np.abs(rows)
        with np.errstate(all="ignore"):
            powers = np.where(
                rows != 0, np.sign(rows) * 2.0 ** np.rint(np.log2(size)), 0.0
            )
            units = np.sign(rows) * (
                size > np.median(size, axis=1, keepdims=True)
            )
        kinds = [*(shortened(rows, digits) for digits in DIGITS), powers, units]
        chosen = rng.integers(len(kinds), size=len(rows))
        plain = np.stack(kinds)[chosen, np.arange(len(rows))]
        for p in self.shape.places:
            plain[:, p.columns] = np.where(
                p.inside(plain[:, p.columns])[:, None] & p.moves,
                plain[:, p.columns],
                rows[:, p.columns],
            )
        return plain

    def _weights(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Which columns are solved for rather: any of one place, another for each row."""
        places = [
            np.repeat(rng.random((count, 1)) ** 4, p.size, axis=1)
            for p in self.shape.places
            if p.moves
        ]
        return (
            np.concatenate(places, axis=1)
            * rng.uniform(0.1, 1, (count, len(self.shape.free)))
            + 1e-9
        )

    def _depths(self, count: int, rng: np.random.Generator) -> np.ndarray:
        return np.stack(
            [10 ** rng.uniform(*DEPTHS, count), rng.choice(SIZES, count)],
            axis=1,
        )

    def _slopes(
        self,
        rows: np.ndarray,
        gap: np.ndarray,
        columns: np.ndarray,
        depths: np.ndarray | None,
    ) -> np.ndarray:
        """The derivatives of the equations in some columns of each row: rows x equations x columns."""
        found, at, part = (
            [],
            np.arange(len(rows)),
            1e-7 if depths is None else 1e-9,
        )  # the kink of |x - y| is near
        for k in columns.T:
            step, moved = (
                part * np.maximum(np.abs(rows[at, k]), 1e-3),
                rows.copy(),
            )
            moved[at, k] += step
            found.append(
                (self.gaps(moved, depths) - gap)
                / (moved[at, k] - rows[at, k])[:, None]
            )
        slopes = np.stack(found, axis=2)
        return np.where(np.isfinite(slopes), slopes, 0.0)

    def _newton(
        self, rows: np.ndarray, chosen: np.ndarray, depths: np.ndarray | None
    ) -> np.ndarray:
        at = np.arange(len(rows))[:, None]
        for _ in range(STEPS):
            gap = np.nan_to_num(
                self.gaps(rows, depths), nan=0.0, posinf=0.0, neginf=0.0
            )
            if not np.any(gap):
                break
            step = (
                np.linalg.pinv(self._slopes(rows, gap, chosen, depths))
                @ gap[:, :, None]
            )
            rows = rows.copy()
            rows[at, chosen] -= step[:, :, 0]
        return rows

    def _short(self, rows: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """What was solved for, in the shortest decimals that rounding allows; nan if long and to be exact."""
        rows, at = rows.copy(), np.arange(len(rows))[:, None]
        solved = rows[at, chosen]
        best = (
            np.full(solved.shape, np.nan)
            if self.pairs
            else shortened(solved, SHORT)
        )
        size = np.max(np.abs(rows), axis=1, keepdims=True)
        for digits in range(SHORT, 0, -1):
            short = shortened(solved, digits)
            best = np.where(
                np.abs(short - solved) <= 1e-14 * size + 4e-15 * np.abs(solved),
                short,
                best,
            )
        rows[at, chosen] = np.where(np.abs(solved) <= 1e-14 * size, 0.0, best)
        return rows


def _independent(slopes: np.ndarray) -> np.ndarray:
    """For each row as many columns as there are equations, each of which moves what those before leave."""
    count, equations, width = slopes.shape
    left, chosen = slopes.copy(), []
    for _ in range(min(equations, width)):
        size = np.linalg.norm(left, axis=1)
        for k in chosen:
            size[np.arange(count), k] = -1.0
        best = np.argmax(size, axis=1)
        chosen.append(best)
        way = left[np.arange(count), :, best]
        way = way / np.maximum(
            np.linalg.norm(way, axis=1, keepdims=True), 1e-300
        )
        left = (
            left
            - way[:, :, None] * np.einsum("re,rec->rc", way, left)[:, None, :]
        )
    return np.stack(chosen, axis=1)


@dataclass(eq=False)
class Hypotheses:
    """What is known of the equations of one claim, for each choice of shapes and whole numbers."""

    claim: Claim
    known: dict[Any, Equations | None] = field(default_factory=dict)
    without: int = 0
    """Recordings that showed no equation among the hypotheses."""
    some: bool = False
    """Whether one showed some."""
    narrow: bool = False
    """Whether orders among the hypotheses are to be met like equations."""
    looks: int = 0
    denied: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Whether rounding may have denied an order among so many hypotheses of an instance."""
    exhausted: Counter[Any] = field(default_factory=Counter)
    """How often nothing new was found for a choice of shapes and whole numbers."""

    def at(self, raw: dict[str, Raw]) -> Equations | None:
        """The equations of the shape of an instance; None where there are none that populations read."""
        like = likeness(raw)
        if (
            self.without < ENOUGH
            and like not in self.known
            and len(self.known) < MOST_RECORDED
        ):
            self.known[like] = self._recorded(raw)
        return self.known.get(like)

    def to_follow(self, raw: dict[str, Raw]) -> Equations | None:
        """The same, for claims some instance of which failed an equation."""
        return self.at(raw) if any(self.known.values()) else None

    def hardly_hold(
        self, instances: Sequence[dict[str, Raw]], rng: np.random.Generator
    ) -> bool:
        """Whether no instance that satisfies them still does with numbers a hundredth more or less."""
        for raw in instances[:NUDGED]:
            shape = Shape.of(self.claim.parameters, raw)
            row = shape.row(raw)
            row[shape.free] *= rng.choice(
                [1 - NUDGE, 1 + NUDGE], shape.free.size
            )
            if shape.inside(row[None])[0] and self._holds(shape.raw(row)):
                return False
        return True

    def narrowly(self) -> None:
        """From now on orders are met like equations."""
        self.narrow, self.without = True, 0
        self.known.clear()
        self.exhausted.clear()

    def _recorded(self, raw: dict[str, Raw]) -> Equations | None:
        wished, tape = self._wished(raw)
        self.some |= any(relation == "eq" for relation, *_ in wished)
        self.without += (
            tape is not None and not self.some and not (self.narrow and wished)
        )
        tapes = [left.tape for _, left, _ in wished if hasattr(left, "tape")]
        if tape is None and not tapes:
            return None
        return _equations(
            self.claim, raw, tape or tapes[0], wished, self.narrow
        )

    def _wished(
        self, raw: dict[str, Raw], most: float = inf
    ) -> tuple[list[Wish], Tape | None]:
        """The first hypotheses at one instance, and the program if the body runs to its end."""
        with wishing(most) as wished:
            tape = self._program(raw, AS_PRINTED)
        return [*wished, *_both_ways(wished)], tape

    def _program(self, raw: dict[str, Raw], question: Question) -> Tape | None:
        """The program of the body, if it runs to its end."""
        with suppress(NotTraceable, NotFinite):
            return followed(self.claim, raw, question, lambda *_: None)[0]
        return None

    def satisfies(
        self, raw: dict[str, Raw], question: Question, order: int
    ) -> bool:
        """Whether the program says so of an instance, although floats do not, which are near.

        If the hypothesis of number `order` has failed, and may be one; not asked where this is 0.
        """
        equations = self.at(raw)
        near = (
            order > 0 and self._nearly_in_order(raw, order)
            if equations is None
            else equations.near(equations.shape.row(raw)[None])[0]
        )
        return bool(near) and self.exactly(raw, question)

    def _nearly_in_order(self, raw: dict[str, Raw], order: int) -> bool:
        """Whether rounding may have denied an order among so many hypotheses, as of 3 * 0.1 <= 0.3."""
        key = order, json.dumps(to_json(raw), sort_keys=True)
        if key not in self.denied:
            wished, _ = self._wished(raw, order)
            self.denied[key] = any(
                _denied_by_rounding(relation, value_of(left), value_of(right))
                for relation, left, right in wished
                if relation in ORDERS
            )
        return self.denied[key]

    def exactly(
        self, raw: dict[str, Raw], question: Question = AS_PRINTED
    ) -> bool:
        """Whether the program satisfies all hypotheses, read exactly."""
        return (
            inside(self.claim.parameters, raw)
            and self._program(raw, question) is not None
        )

    def leaves_free(self, raw: dict[str, Raw]) -> bool:
        """Whether numbers still move where the equations hold, so that many instances may satisfy them."""
        moving = Shape.of(self.claim.parameters, raw).free.size
        moving += sum(
            np.size(leaf)
            for _, leaf, chart in leaves(self.claim.parameters, raw)
            if by_steps(leaf, chart)
        )
        wished, _ = self._wished(raw)
        return moving > sum(
            _entries(pair) for relation, *pair in wished if relation == "eq"
        )

    def moved(
        self, instances: Sequence[dict[str, Raw]], rng: np.random.Generator
    ) -> dict[int, dict[str, Raw]]:
        """Different instances on the equations near some that fail them, by their number."""
        found: dict[int, dict[str, Raw]] = {}
        known: set[str] = set()
        for k, raw in enumerate(instances):
            for near in self._near(raw, rng):
                new = [x for x in near if repr(x) not in known]
                one = next(
                    (x for x in islice(new, TRIED) if self.exactly(x)), None
                )
                if one is not None:
                    known.add(repr(one))
                    found[k] = one
                    break
            else:
                self.exhausted[likeness(raw)] += 1
        return found

    def _near(
        self, raw: dict[str, Raw], rng: np.random.Generator
    ) -> Iterator[Iterable[dict[str, Raw]]]:
        """Instances that may be on the equations, near one that fails them; those of a kind together."""
        equations = self.at(raw)
        if (
            equations is not None
            and equations.shape.free.size
            and self.exhausted[likeness(raw)] < GIVEN_UP
        ):
            row = equations.shape.row(raw)[None]
            for k in rng.permutation(len(STARTS)):
                yield map(
                    equations.shape.raw,
                    equations.onto(
                        STARTS[k](equations.shape, row, ROWS, rng), rng
                    ),
                )
        if self.some:
            places = [
                place
                for place in leaves(self.claim.parameters, raw)
                if by_steps(*place[1:])
            ]
            places = [places[k] for k in rng.permutation(len(places))]
            yield [
                replaced(raw, path, other)
                for path, leaf, chart in places
                for other in self._by_secants(raw, path, leaf, chart)
            ]
            for path, leaf, chart in places:
                yield (
                    x
                    for other in _beside(leaf, chart, rng)
                    if self._holds(x := replaced(raw, path, other))
                )

    def _holds(self, raw: dict[str, Raw]) -> bool:
        """Whether floats satisfy the hypotheses, as often as this may be asked."""
        self.looks += 1
        if self.looks > LOOKS:
            return False
        with suppress(Exception), np.errstate(all="ignore"), asking(AS_PRINTED):
            stated_at(self.claim, raw)
            return True
        return False

    def _by_secants(
        self, raw: Any, path: Any, leaf: Any, chart: Any
    ) -> list[int]:
        """Values of a whole number where the sides meet, were they straight between the last values."""
        if isinstance(chart, Discrete):
            return []
        found: list[int] = []
        values = [leaf, leaf + 1 if chart.contains(leaf + 1) else leaf - 1]
        gaps = [self._gap(replaced(raw, path, value)) for value in values]
        while len(found) < SECANTS:
            before, now = gaps[-2:]
            if before is None or now is None or now in (0, before):
                break
            new = values[-1] - round(
                now * (values[-1] - values[-2]) / (now - before)
            )
            if not chart.contains(new) or new in values:
                break
            found.append(new)
            values.append(new)
            gaps.append(self._gap(replaced(raw, path, new)))
        return found

    def _gap(self, raw: dict[str, Raw]) -> Fraction | None:
        """Left less right of the only equation between two numbers; None unless there is just one."""
        wished, _ = self._wished(raw)
        sides = [
            [np.asarray(value_of(side)) for side in pair]
            for relation, *pair in wished
            if relation == "eq"
        ]
        if len(sides) != 1 or any(
            side.size != 1 or not np.isfinite(side.ravel()[0])
            for side in sides[0]
        ):
            return None
        left, right = (Fraction(side.ravel().tolist()[0]) for side in sides[0])
        return left - right


def _denied_by_rounding(relation: str, left: Any, right: Any) -> bool:
    """Whether an order fails, and nowhere by more than sides of a path may differ."""
    less, more = (left, right) if relation in ("le", "lt") else (right, left)
    excess = np.asarray(less) - np.asarray(more)
    near = excess <= slack(np.asarray(less), np.asarray(more))
    return bool(np.all(near) and np.any(excess > 0))


def _both_ways(wished: list[Wish]) -> list[Wish]:
    """The equations that are said by two orders."""
    orders = [
        (left, right) for relation, left, right in wished if relation == "le"
    ]
    pairs = combinations(orders, 2)
    return [
        ("eq", *one)
        for one, other in pairs
        if all(
            np.array_equal(value_of(x), value_of(y))
            for x, y in zip(one, other[::-1])
        )
    ]


def _entries(pair: list[Any]) -> int:
    return np.broadcast(*map(value_of, pair)).size


def _copies(
    shape: Shape, base: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    return base[rng.integers(len(base), size=min(count, 8 * TRIED))].copy()


def _scattered(
    shape: Shape, base: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows of quarters, tenths or hundredths of 1, or of their range."""
    rows, parts = (
        base[rng.integers(len(base), size=count)].copy(),
        rng.choice([4, 10, 100], (count, 1)),
    )
    for p in shape.places:
        if p.moves:
            low, high = max(p.chart.low, -1.0), min(p.chart.high, 1.0)
            low, high = (
                (low, high) if low < high else (p.chart.low, p.chart.high)
            )
            steps = parts * (2 if high - low == 2 else 1)
            rows[:, p.columns] = (
                low
                + (high - low)
                * rng.integers(0, steps + 1, (count, p.size))
                / steps
            )
    return rows[shape.inside(rows)]


STARTS = (_copies, structured, _scattered)


def _beside(leaf: Any, chart: Any, rng: np.random.Generator) -> list[Any]:
    """Other values of a whole number, or of a choice, in any order."""
    if isinstance(chart, Discrete):
        others = list(chart.neighbours(leaf))[:NEIGHBOURS]
    else:
        low, high = ceil(chart.low), int(chart.high)
        others = list(range(low, min(high, low + NEIGHBOURS) + 1))
    return [others[k] for k in rng.permutation(len(others))]


def _equations(
    claim: Claim,
    raw: dict[str, Raw],
    tape: Tape,
    wished: list[Wish],
    narrow: bool,
) -> Equations | None:
    nodes = [
        (relation, left.node, right.node)
        for relation, left, right in wished
        if hasattr(left, "node")
    ]
    pairs = tuple(
        (left, right) for relation, left, right in nodes if relation == "eq"
    )
    if (
        not (pairs or (narrow and nodes))
        or {k for _, *pair in nodes for k in pair} & tape.random
    ):
        return None
    own = Tape(
        nodes=tape.nodes, values=tape.values, laws=tape.laws, random=tape.random
    )
    own.hypotheses = [
        {"relation": relation, "args": pair} for relation, *pair in nodes
    ]
    with suppress(NotTraceable, NotFinite):
        program = Program(own, {"kind": "equal", "args": list(nodes[0][1:])})
        others = tuple(n for n in nodes if n[0] != "eq")
        return Equations(
            Shape.of(claim.parameters, raw), program, pairs, others, narrow
        )
    return None


_known: WeakKeyDictionary[Steady, Hypotheses] = WeakKeyDictionary()


def hypotheses_of(claim: Claim) -> Hypotheses:
    """What is known of the equations of a claim as long as what it reads stays as it is."""
    found = _known.get(claim.steady)
    if found is None:
        found = _known[claim.steady] = Hypotheses(
            replace(claim)
        )  # which does not hold what it is kept under
    return found


def exactly_satisfied(
    claim: Claim, raw: Mapping[str, Raw], question: Question, order: int
) -> bool:
    """Whether an instance that floats put out satisfies the hypotheses: its equations, and orders, hold exactly."""
    return hypotheses_of(claim).satisfies(dict(raw), question, order)
