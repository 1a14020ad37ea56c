"""Statements shown on a box of real parameters: enclosures, mean values, monotone coordinates,
sides that are built alike.

All numbers are balls. A program counts on a box only where every condition of its path holds on all of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from flint import arb, fmpq

from .balls import Balls
from .findings import demand, spend
from .functions import FUNCTIONS, power
from .limits import SLOPE, STEP
from .program import Tape
from .rings import Kind
from .scalars import NONNEGATIVE, POSITIVE, UNKNOWN, Code, Unproved, evaluate

RATIO = fmpq(5, 4)
"""A coordinate whose ends are in a larger ratio is measured by its logarithm."""


Box = tuple[tuple[fmpq, fmpq], ...]
Values = list[Any]
Slope = tuple[arb, arb | None]
"""The derivative of an instruction, and its elasticity: the derivative of its logarithm, where it has one."""

ZERO, ONE, NAN = arb(0), arb(1), arb.nan()
UNIT = ZERO.union(ONE)
NONE: Slope = (ZERO, ZERO)

# A comparison of balls is true only where it is so for all numbers that they hold: neither of two opposite ones may be.
TRUE = {
    "le": operator.le,
    "lt": operator.lt,
    "eq": operator.eq,
    "ne": operator.ne,
}
FALSE = {
    "le": operator.gt,
    "lt": operator.ge,
    "eq": operator.ne,
    "ne": operator.eq,
}
KINDS = {"at_most": "le", "less": "lt", "equal": "eq"}

Entry = tuple[int, int]


@dataclass(frozen=True)
class Condition:
    """A hypothesis of a program, entry by entry; one that is `assumed` excludes instances,
    another leads to another path."""

    relation: str
    entries: tuple[Entry, ...]
    assumed: bool


class Route:
    """One path of the body, for the whole numbers and shapes that it was recorded with:
    its conditions and its sides."""

    def __init__(
        self,
        recorded: Mapping[str, Any],
        names: Sequence[Any],
        code: Code | None = None,
    ):
        """Paths of one case share their `code`, so that equal instructions have one number. Raises
        Rejection."""
        program, given, kept = (
            recorded["program"],
            recorded["hypotheses"],
            recorded["assumed"],
        )
        paired = (
            isinstance(given, list)
            and isinstance(kept, list)
            and len(given) == len(kept)
        )
        demand(paired, "each hypothesis is assumed or not")
        demand(
            all(type(flag) is bool for flag in kept),
            '"assumed" has true or false for each hypothesis',
        )
        pairs = [
            (h["relation"], h["args"], flag)
            for h, flag in zip(given, kept, strict=True)
        ]
        for relation, _, flag in pairs:
            if not flag and relation not in TRUE:
                raise Unproved(
                    f"no proof goes through a path that rests on {str(relation)[:20]}"
                )
        conclusion = recorded["conclusion"]
        demand(
            conclusion["kind"] in KINDS, "the conclusion is none about numbers"
        )
        self.relation = KINDS[conclusion["kind"]]
        known = [
            (relation, args, flag)
            for relation, args, flag in pairs
            if relation in TRUE
        ]
        self.code = Code(names) if code is None else code
        known, made = self._evaluated(
            program, recorded["laws"], known, conclusion["args"]
        )
        if any(
            flag and made.common_group(args) is not None
            for _, args, flag in known
        ):
            raise Unproved("what is assumed depends on a draw")
        group = made.common_group(conclusion["args"])
        demand(
            group in (None, 0),
            "a random side belongs to the first group of draws",
        )
        # A law whose weights are none for some instance makes the statement mean nothing there: that they are such is a
        # condition like others, and is to be shown.
        self.lawful = [
            pair
            for pair in dict.fromkeys(made.lawful)
            if not self.is_sure("le", pair)
        ]
        found = [
            Condition(relation, tuple(made.pairs(args)), flag)
            for relation, args, flag in known
        ]
        self.branches = [
            c
            for c in found
            if not c.assumed
            and not all(self.is_sure(c.relation, pair) for pair in c.entries)
        ]
        """What leads to other paths where it is false."""
        found += [Condition("le", (pair,), False) for pair in self.lawful]
        self.conditions = [
            c
            for c in found
            if not all(self.is_sure(c.relation, pair) for pair in c.entries)
        ]
        self.sides = [
            Side(self, l, r)
            for l, r in dict.fromkeys(made.pairs(conclusion["args"]))
        ]

    def _evaluated(
        self, program: Any, laws: Any, known: list[Any], sides: Any
    ) -> tuple[list[Any], Tape]:
        """Entries of hypotheses and sides; what is assumed may be left out where nothing goes through it."""

        def behind(given: list[Any]) -> Tape:
            return evaluate(
                program,
                laws,
                [*sides, *(j for _, args, _ in given for j in args)],
                self.code,
            )

        try:
            return known, behind(known)
        except Unproved:
            kept = [
                given
                for given in known
                if not given[2] or self._goes(program, laws, given[1])
            ]
            if len(kept) == len(known):
                raise
            return kept, behind(kept)

    def _goes(self, program: Any, laws: Any, args: Any) -> bool:
        try:
            evaluate(program, laws, args, self.code)
        except Unproved:
            return False
        return True

    def is_sure(self, relation: str, pair: Entry) -> bool:
        """Whether two numbers are known exactly, and so related."""
        p, q = (self.code.exact.get(k) for k in pair)
        return p is not None and q is not None and bool(TRUE[relation](p, q))

    def _assumed(self, *relations: str) -> Iterator[Entry]:
        """The pairs of which it is assumed that they are so related."""
        for c in self.conditions:
            if c.assumed and c.relation in relations:
                yield from c.entries

    @cached_property
    def given(self) -> set[Entry]:
        """Pairs of which hypotheses say that the first is at most the second."""
        return set(self._assumed("le", "lt"))

    @cached_property
    def bounds(self) -> list[tuple[int, Kind]]:
        """Coordinates that hypotheses bound by numbers before the path turns:
        instances beyond do not count."""
        ahead = takewhile(lambda c: c.assumed, self.conditions)
        return [
            (self.code.ops[x][1][0], kind)
            for c in ahead
            for pair in c.entries
            for x, kind in self._compared_to_numbers(c.relation, pair)
            if self.code.ops[x][0] == "input"
        ]

    def _compared_to_numbers(
        self, relation: str, pair: Entry
    ) -> Iterator[tuple[int, Kind]]:
        """Where a comparison with a number lets an instruction lie."""
        a, b = pair
        for x, y, above in ((a, b, False), (b, a, True)):
            at = self.code.exact.get(y)
            if at is not None and x not in self.code.exact and relation != "ne":
                low = at if above or relation == "eq" else None
                high = at if not above or relation == "eq" else None
                closed = relation != "lt"
                yield x, Kind(low, high, closed, closed)

    def kinds(self) -> list[Kind]:
        """Where hypotheses let inputs lie, by comparisons with numbers, on a path that all instances take."""
        places = {
            args[0]: k
            for k, (op, args) in enumerate(self.code.ops)
            if op == "input"
        }
        return [
            self._compared.get(places.get(i, -1), Kind())
            for i in range(len(self.code.names))
        ]

    def made(self) -> dict[int, Kind]:
        """Where they let instructions lie that are made of inputs."""
        return {
            k: kind
            for k, kind in self._compared.items()
            if self.code.ops[k][0] != "input"
        }

    @cached_property
    def _compared(self) -> dict[int, Kind]:
        found: dict[int, Kind] = {}
        for relation in ("le", "lt"):
            for pair in self._assumed(relation):
                for x, k in self._compared_to_numbers(relation, pair):
                    found[x] = found.get(x, Kind()).cut(k.low, k.high, k.closed)
        return found

    def ones(self) -> list[int]:
        """Instructions that hypotheses say are 1."""
        pairs = [
            pair for p, q in self._assumed("eq") for pair in ((p, q), (q, p))
        ]
        return [x for x, y in pairs if self.code.exact.get(y) == 1]

    def counting(self, box: Box) -> Box | None:
        """The part of a box outside of which no instance counts; None where none does."""
        part = list(box)
        for i, kind in self.bounds:
            lo, hi = part[i]
            part[i] = (
                lo if kind.low is None else max(lo, kind.low),
                hi if kind.high is None else min(hi, kind.high),
            )
            if part[i][0] > part[i][1]:
                return None
        return tuple(part)

    @cached_property
    def turns(self) -> list[Condition]:
        """The conditions that lead to other paths."""
        return [
            condition for condition in self.conditions if not condition.assumed
        ]

    @cached_property
    def entries(self) -> list[int]:
        return [
            k
            for condition in self.conditions
            for pair in condition.entries
            for k in pair
        ]

    def state(self, v: Values) -> str:
        """ "taken" by all of the box, "void": taken until a hypothesis is false, "other" by none, "open"."""
        # In the order of the body: what comes behind a false hypothesis, or another turn, was never reached.
        for condition in self.conditions:
            false = any(
                FALSE[condition.relation](v[a], v[b])
                for a, b in condition.entries
            )
            if condition.assumed:
                if false:
                    return "void"
            elif false:
                return "other"
            elif not all(
                TRUE[condition.relation](v[a], v[b])
                for a, b in condition.entries
            ):
                return "open"
        return "taken"

    def unsure(self, v: Values) -> set[int]:
        """The coordinates that hypotheses are about which may fail on the box."""
        doubtful = [
            (a, b)
            for c in self.conditions
            for a, b in c.entries
            if not TRUE[c.relation](v[a], v[b])
        ]
        return self.code.inputs(k for pair in doubtful for k in pair)


@dataclass(frozen=True)
class Look:
    """What is known of one side on a box: the `state` of its path, whether it is `shown`,
    and the face it comes down to.

    `weights` say how much each coordinate contributes to what is open.
    """

    state: str
    shown: bool = False
    face: Box | None = None
    weights: tuple[float, ...] = ()
    gap: float = 0.0
    linked: bool = False
    """Whether the face was made of coordinates that doubtful hypotheses are about."""


class Side:
    """One entry of a statement on one path, compiled."""

    def __init__(self, route: Route, left: int, right: int):
        self.route, self.left, self.right = route, left, right
        self.gap = route.code.apply("sub", right, left)

    @cached_property
    def steps(
        self,
    ) -> tuple[list[tuple[int, str, int, int | None, Any]], dict[int, arb]]:
        """The instructions to run, and the values of those that are the same everywhere."""
        code = self.route.code
        steps: list[tuple[int, str, int, int | None, Any]] = []
        ground: dict[int, arb] = {}
        for k in sorted(
            code.behind([self.left, self.right, self.gap, *self.route.entries])
        ):
            op, args = code.ops[k]
            a, b = args[0], args[1] if len(args) > 1 else None
            if op == "const":
                ground[k] = arb(code.exact[k])
            elif op == "input":
                steps.append((k, op, a, None, None))
            elif all(map(ground.__contains__, args)):
                operands: list[Any] = [
                    code.exact.get(a, ground[a]) for a in args
                ]
                ground[k] = arb(FUNCTIONS[op].value(*operands))
            else:
                steps.append(
                    (
                        k,
                        op,
                        a,
                        b,
                        _rule(op, None if b is None else code.exact.get(b)),
                    )
                )
        return steps, ground

    def values(self, X: Sequence[arb]) -> Values:
        """Enclosures of all instructions on a box."""
        steps, ground = self.steps
        spend(STEP * len(steps))
        v: Values = [None] * len(self.route.code.ops)
        for k, value in ground.items():
            v[k] = value
        for k, op, a, second, rule in steps:
            if second is not None:
                v[k] = rule(v[a], v[second])
            else:
                v[k] = X[a] if op == "input" else rule(v[a])
        return v

    def look(self, box: Box, face: bool = False, slopes: bool = True) -> Look:
        """What can be shown on a box; on a `face` the path and the hypotheses have been settled for all
        that it stands for."""
        part = box if face else self.route.counting(box)
        if part is None:
            return Look("void", shown=True)
        box = part
        X = [_ball(lo, hi) for lo, hi in box]
        v = self.values(X)
        state = "taken" if face else self.route.state(v)
        if state != "taken":
            return Look(state, shown=state == "void")
        left, right, gap = v[self.left], v[self.right], v[self.gap]
        if not (left.is_finite() and right.is_finite()):
            return Look(state)
        relation = self.route.relation
        # Balls around two equal irrational sides overlap forever; rationals are compared as they are.
        if all(lo == hi for lo, hi in box) and self._exactly(
            [lo for lo, _ in box]
        ):
            return Look(state, shown=True)
        if relation == "eq":
            return Look(state, shown=bool(left == right or gap == 0))
        if (
            left < right
            or gap > 0
            or (relation == "le" and (left <= right or gap >= 0))
        ):
            return Look(state, shown=True)
        return self._by_slopes(box, X, v, face) if slopes else Look(state)

    def _exactly(self, point: Sequence[fmpq]) -> bool:
        """Whether both sides are rational at a point, and related as they should be."""
        sides = self.left, self.right
        found = self.route.code.values(sides, point.__getitem__, Balls())
        left, right = (found[k] for k in sides)
        exact = isinstance(left, fmpq) and isinstance(right, fmpq)
        related: Any = TRUE[self.route.relation]
        return exact and bool(related(left, right))

    def _by_slopes(self, box: Box, X: list[arb], v: Values, face: bool) -> Look:
        # The mean value theorem: f(x) = f(m) + f'(c) (x - m) for some c of the box, coordinate by coordinate; slopes on the
        # whole box enclose f'(c). A coordinate of positive ends may be measured by its logarithm instead.
        axes = [_Axis.of(lo, hi, x) for (lo, hi), x in zip(box, X, strict=True)]
        d = _slopes(
            self,
            v,
            [axis.slope for axis in axes],
            [axis.moves for axis in axes],
        )
        means = _Means(
            axes,
            v,
            self.values([axis.middle for axis in axes]),
            d,
            self.route.relation == "lt",
        )
        own, middle = [x[0] for x in means.slopes(self.gap)], means.m[self.gap]
        if means.at_least(middle, own):
            return Look("taken", shown=True)
        shown, rates = means.apart(self.left, self.right)
        still = [] if shown else self._still_open(means, face)
        if shown or still == []:
            return Look("taken", shown=True)
        # Where a slope has one sign on all of the box, the difference is smallest at an end of that coordinate: the rest of
        # the box needs no look, if hypotheses and path were settled on all of it.
        faces = [self._face(box, signs, axes) for signs in (own, rates)]
        best = max(
            faces,
            key=lambda f: sum(
                old != new for old, new in zip(box, f, strict=True)
            ),
        )
        moved = {
            i
            for i, (old, new) in enumerate(zip(box, best, strict=True))
            if old != new
        }
        weights = [
            _size(r * axis.reach)
            for r, axis in zip(still[0] if still else rates, axes, strict=True)
        ]
        linked = bool(moved) and not face and bool(moved & self.route.unsure(v))
        gap = float(middle.mid()) if middle.is_finite() else 0.0
        return Look(
            "taken", False, best if moved else None, tuple(weights), gap, linked
        )

    def _still_open(self, means: _Means, face: bool) -> list[list[arb]] | None:
        """The rates of parts that are not shown where both sides are built alike; None where they are not."""
        v = means.v
        parts = (
            []
            if means.strict
            else self.route.code.alike(
                self.left, self.right, lambda k: _sign(v[k])
            )
        )
        if parts in ([], [(self.left, self.right)]):
            return None
        doubtful = [
            (p, q)
            for p, q in parts
            if not v[p] <= v[q] and (face or (p, q) not in self.route.given)
        ]
        return [
            rates
            for done, rates in (means.apart(p, q) for p, q in doubtful)
            if not done
        ]

    def _face(
        self, box: Box, rates: Sequence[arb], axes: Sequence[_Axis]
    ) -> Box:
        """Where the difference, or the logarithm of the quotient, is smallest in the coordinates that it
        is monotone in."""
        face = list(box)
        for i, ((lo, hi), rate, axis) in enumerate(
            zip(box, rates, axes, strict=True)
        ):
            if axis.moves and rate.is_finite():
                # A slope that is 0 or more moves the difference upwards from the lower end.
                face[i] = (
                    (lo, lo)
                    if rate >= 0
                    else (hi, hi)
                    if rate <= 0
                    else (lo, hi)
                )
        return tuple(face)


def complete(routes: Sequence[Route], v: Values, depth: int = 0) -> bool:
    """Whether paths that are alike so far are all that instances of a box may take;
    v are values of their conditions.

    Each next condition holds on all of the box, or there are paths for it and for its opposite.
    """
    # A path that turns no more takes all instances that come so far, so that any other beside it would contradict it.
    if any(len(route.turns) == depth for route in routes):
        return len(routes) == 1
    turn, next_turns = (
        routes[0].turns[depth],
        [route.turns[depth] for route in routes],
    )
    turned = tuple(
        (b, a) if turn.relation in ("le", "lt") else (a, b)
        for a, b in turn.entries
    )
    onwards, opposite = (
        (turn.relation, turn.entries),
        (NEGATED[turn.relation], turned),
    )
    same = [
        r
        for r, t in zip(routes, next_turns, strict=True)
        if (t.relation, t.entries) == onwards
    ]
    other = [
        r
        for r, t in zip(routes, next_turns, strict=True)
        if (t.relation, t.entries) == opposite
    ]
    if len(same) + len(other) < len(routes) or not complete(same, v, depth + 1):
        return False
    if not other:
        return all(TRUE[turn.relation](v[a], v[b]) for a, b in turn.entries)
    # The opposite of several comparisons is that one of them fails, which is no conjunction of opposites.
    return len(turn.entries) == 1 and complete(other, v, depth + 1)


def shown_on_all(sides: Sequence[Side], box: Box) -> bool:
    """Whether a box is shown by all of its paths together: each shows its side wherever it may be taken."""
    X = [_ball(lo, hi) for lo, hi in box]
    v: Values = [None] * len(sides[0].route.code.ops)
    possible = []
    for side in sides:
        own = side.values(X)
        v = [x if y is None else y for x, y in zip(own, v, strict=True)]
        state = side.route.state(own)
        if (
            state not in ("other", "void")
            and not side.look(box, face=True).shown
        ):
            return False
        possible += [side.route] if state != "other" else []
    routes = [side.route for side in sides]
    return bool(possible) and (complete(possible, v) or complete(routes, v))


NEGATED = {"le": "lt", "lt": "le", "eq": "ne", "ne": "eq"}


@dataclass(frozen=True)
class _Axis:
    """A coordinate of a box in the measure that suits it: its middle, how far the ends are,
    and the slope of the parameter."""

    middle: arb
    reach: arb
    slope: Slope
    moves: bool

    @classmethod
    def of(cls, lo: fmpq, hi: fmpq, x: arb) -> _Axis:
        if lo == hi:
            return cls(x, ZERO, NONE, False)
        # x = m exp(u), and u lies between the logarithms of the ends over m.
        if lo > 0 and hi > RATIO * lo:
            middle = arb(lo * hi).sqrt()
            return cls(
                middle,
                (arb(lo) / middle).log().union((arb(hi) / middle).log()),
                (x, ONE),
                True,
            )
        middle = arb((lo + hi) / 2)
        return cls(middle, x - middle, (ONE, 1 / x if x != 0 else None), True)


@dataclass(frozen=True)
class _Means:
    """Mean values on a box: of each instruction its value on the box, that in the middle, and its slopes."""

    axes: Sequence[_Axis]
    v: Values
    m: Values
    d: Sequence[list[Slope] | None]
    strict: bool

    def slopes(self, k: int) -> list[Slope]:
        return self.d[k] or [NONE] * len(self.axes)

    def at_least(self, value: arb, rates: Sequence[arb]) -> bool:
        """Whether a function is at least 0 on the box by its value in the middle and its derivatives."""
        for rate, axis in zip(rates, self.axes, strict=True):
            if axis.moves:
                value = value + rate * axis.reach
        return (
            bool(value > 0 if self.strict else value >= 0) and value.is_finite()
        )

    def apart(self, p: int, q: int) -> tuple[bool, list[arb]]:
        """Whether p <= q by mean values of the difference or the logarithm of the quotient; and the rates."""
        pairs, v, m = (
            list(zip(self.slopes(p), self.slopes(q), strict=True)),
            self.v,
            self.m,
        )
        rates = [y[0] - x[0] for x, y in pairs]
        if self.at_least(m[q] - m[p], rates):
            return True, rates
        # p <= q is log(q / p) >= 0, whose slopes are differences of elasticities: far narrower for products of many factors.
        if v[p] > 0 and v[q] > 0:
            logs = [
                NAN if x[1] is None or y[1] is None else y[1] - x[1]
                for x, y in pairs
            ]
            if all(r.is_finite() for r in logs):
                return self.at_least((m[q] / m[p]).log(), logs), logs
        return False, rates


def _ball(lo: fmpq, hi: fmpq) -> arb:
    return arb(lo) if lo == hi else arb(lo).union(arb(hi))


def _size(x: arb) -> float:
    return float(x.abs_upper()) if x.is_finite() else float("inf")


def _rule(op: str, exponent: fmpq | None) -> Callable[..., arb]:
    """What an operation makes of balls."""
    if op == "pow" and exponent is not None:
        if exponent.q == 1 and exponent.p > 0 and exponent.p % 2 == 0:
            return lambda x, _: _even(x, int(exponent.p))
        return lambda x, _: arb(power(x, exponent))
    function = FUNCTIONS[op]
    return function.ball or (lambda *x: arb(function.value(*x)))


def _even(x: arb, k: int) -> arb:
    return (
        x**k
        if x > 0 or x < 0 or not x.is_finite()
        else (x.abs_lower() ** k).union(x.abs_upper() ** k)
    )


def _sign(x: arb) -> int:
    return (
        POSITIVE
        if x > 0
        else NONNEGATIVE
        if x >= 0
        else -NONNEGATIVE
        if x <= 0
        else UNKNOWN
    )


def _nonzero(x: arb) -> bool:
    return bool(x > 0 or x < 0)


def _meet(x: arb, y: arb) -> arb:
    """One number that two enclosures hold: what they share."""
    if not (x.is_finite() and y.is_finite()):
        return y if not x.is_finite() else x
    # Both hold the number, so what they share does.
    try:
        return x.intersection(y)
    except ValueError:
        return x


def _slopes(
    side: Side, v: Values, inputs: Sequence[Slope], moves: Sequence[bool]
) -> list[list[Slope] | None]:
    """For each instruction its derivative and elasticity in each coordinate;
    None where it depends on none."""
    steps, _ = side.steps
    n = len(inputs)
    spend(SLOPE * len(steps) * sum(moves))
    d: list[list[Slope] | None] = [None] * len(side.route.code.ops)
    for k, op, a, b, _ in steps:
        if op == "input":
            if moves[a]:
                row = [NONE] * n
                row[a] = inputs[a]
                d[k] = row
            continue
        da, db = d[a], None if b is None else d[b]
        if da is None and db is None:
            continue
        x, y, z = v[a], None if b is None else v[b], v[k]
        exponent = side.route.code.exact.get(b) if b is not None else None
        sure, row = _nonzero(z), []
        for i in range(n):
            A, E = NONE if da is None else da[i]
            B, F = NONE if db is None else db[i]
            # By identity: what does not depend on the coordinate at all.
            if A is ZERO and B is ZERO and E is ZERO and F is ZERO:
                row.append(NONE)
                continue
            D, G = _chain(
                op, (x, y, z), (A, E), (B, F), exponent, db is not None, sure
            )
            if sure:
                if G is None:
                    G = D / z
                else:
                    D = _meet(D, z * G)
            row.append((D, G if sure else None))
        d[k] = row
    return d


def _chain(
    op: str,
    xyz: tuple[arb, Any, arb],
    dx: Slope,
    dy: Slope,
    exponent: fmpq | None,
    varies: bool,
    sure: bool,
) -> tuple[arb, arb | None]:
    """Derivative and elasticity of one operation from those of its operands."""
    (x, y, z), (A, E), (B, F) = xyz, dx, dy
    if op in ("add", "sub"):
        G = None
        if E is not None and F is not None and sure:
            # The elasticity of a sum of two numbers of one sign is a mean of theirs, by their shares.
            w = y if op == "add" else -y
            if (x > 0 and w > 0) or (x < 0 and w < 0):
                G = E if E is F else F + _meet(1 / (1 + w / x), UNIT) * (E - F)
        return (A + B if op == "add" else A - B), G
    if op == "mul":
        return A * y + B * x, E + F if E is not None and F is not None else None
    if op == "div":
        return (
            A - z * B
        ) / y, E - F if E is not None and F is not None else None
    if op == "pow":
        if exponent is not None and exponent.q == 1:
            p = int(exponent.p)
            D = (
                p
                * (arb(1) if p == 1 else _rule("pow", exponent - 1)(x, None))
                * A
                if p > 0
                else p * z / x * A
            )
            return D, None if E is None else p * E
        if not varies:
            G = None if E is None else y * E
            return (z * G if G is not None else y * z / x * A), G
        G = None if E is None else y * E + B * x.log()
        return (z * G if G is not None else NAN), G
    if op in ("maximum", "minimum"):
        if x >= y if op == "maximum" else x <= y:
            return A, E
        if y >= x if op == "maximum" else y <= x:
            return B, F
        return A.union(B), E.union(
            F
        ) if E is not None and F is not None else None
    slope = FUNCTIONS[op].slope
    return (NAN, None) if slope is None else slope(x, z, A, E)
