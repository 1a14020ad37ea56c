"""How far the members of a population are from obeying a statement, on a look's scale, and what raises it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from boundcheck.checking.search.atoms import Atoms
from boundcheck.operations.operation import deepened, folded
from boundcheck.tape import Tape


class Recorded(Protocol):
    """What scores need of a program."""

    tape: Tape
    conclusion: dict[str, Any]
    nodes: list[dict[str, Any]]
    given: list[np.ndarray]

    def magnitude(self, k: int) -> int: ...


Seeds = Callable[[], list[tuple[int, np.ndarray]]]
"""Nodes and their cotangents, for those who ask."""

APART = 50.0
"""What a score lies lower by where the sides differ in sign."""

ATTAINED = 1e-6
"""The score of a strict statement whose sides are equal."""

FLAT = -1000.0
"""The guide of a look where nothing at all counts against a statement about chances."""

FOLD = 100.0
"""What a score lies below FLAT for each factor e by which the atom misses that comes nearest to counting."""

NEAREST = 1e-12
"""Relative distances below count as such."""

LOST = 1e-13
"""Failure probabilities that are allowed by bounds so near 1 are rounding."""

TIE = 1e-9
"""Sides of an event that differ by less, relatively, count for neither."""


def finite(x: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(x), x, 0.0)


def per(x: object, y: np.ndarray) -> np.ndarray:
    """x / y, and 0 where y is 0."""
    return np.where(y != 0, x / np.where(y != 0, y, 1), 0.0)


def transposed(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2)


def norms(x: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum(x * x, axis=tuple(range(1, x.ndim))))


class AtMost:
    """log(lhs / rhs) where both have one sign; else the gap over both sizes, which leads on at 0.

    Equal sides violate a strict order.
    """

    def __init__(self, program: Recorded):
        self.strict = program.conclusion["kind"] == "less"
        sides = program.conclusion["args"]
        self.roots = [*sides, *map(program.magnitude, sides)]
        zero = [
            program.nodes[k]["op"] == "const" and not np.any(program.given[k])
            for k in sides
        ]
        self.lower = 0.0 if any(zero) else APART

    def __call__(
        self, values: dict[int, np.ndarray], count: int
    ) -> tuple[np.ndarray, Seeds]:
        operands = [values[k] for k in self.roots]
        L, R, ML, MR = deepened(operands, 1)
        same = L * np.sign(R) > 0
        size = ML + MR
        gap = np.where(size > 0, per(L - R, size), -np.inf)
        ratio = np.sign(R) * (np.log(np.abs(L)) - np.log(np.abs(R)))
        s = np.where(same, ratio, np.where(gap < 0, gap - self.lower, gap))
        s = np.where(self.strict & (L == R), ATTAINED, s)
        s = np.where(np.isnan(L) | np.isnan(R), -np.inf, s)
        s = np.broadcast_to(s, (count, *s.shape[1:]))
        worst, hot = _hottest(s)

        def seeds() -> list[tuple[int, np.ndarray]]:
            slopes = (
                np.where(same, per(np.sign(R), L), per(1, size)),
                np.where(same, -per(np.sign(R), R), -per(1, size)),
            )
            drift = np.where(same, 0.0, -per(gap, size))
            return [
                (k, _sent(hot * d, x))
                for k, d, x in zip(
                    self.roots, (*slopes, drift, drift), operands, strict=True
                )
            ]

        return worst, seeds


class Equal:
    """The largest gap of two entries over the sizes of both sides."""

    def __init__(self, program: Recorded):
        self.roots = program.conclusion["args"]

    def __call__(
        self, values: dict[int, np.ndarray], count: int
    ) -> tuple[np.ndarray, Seeds]:
        operands = [values[k] for k in self.roots]
        L, R = deepened(operands, 1)
        gap = np.broadcast_to(
            L - R, (count, *np.broadcast_shapes(L.shape[1:], R.shape[1:]))
        )
        worst, hot = _hottest(np.abs(gap))
        largest = [_hottest(np.abs(x)) for x in operands]
        size = np.broadcast_to(sum(top for top, _ in largest), (count,))
        score = per(worst, size)

        def seeds() -> list[tuple[int, np.ndarray]]:
            raised, found = hot * np.sign(gap) * _along(per(1, size), gap), []
            for k, x, sign, (_, at) in zip(
                self.roots, operands, (1, -1), largest, strict=True
            ):
                drift = (
                    -at
                    * np.sign(x)
                    * _along(
                        per(score, size),
                        np.broadcast_to(x, (count, *x.shape[1:])),
                    )
                )
                found.append((k, _sent(sign * raised, x) + finite(drift)))
            return found

        return score, seeds


class Loewner:
    """How far the smallest eigenvalue of rhs - lhs is below 0, over the norms of both."""

    def __init__(self, program: Recorded):
        self.roots = program.conclusion["args"]

    def __call__(
        self, values: dict[int, np.ndarray], count: int
    ) -> tuple[np.ndarray, Seeds]:
        l, r = (values[k] for k in self.roots)
        n = max(
            l.shape[-1] if l.ndim > 1 else 1, r.shape[-1] if r.ndim > 1 else 1
        )
        D = np.broadcast_to(r - l, (count, n, n))
        lost = np.asarray(~np.isfinite(D).all(axis=(1, 2)))
        w, V = np.linalg.eigh(
            np.where(lost[:, None, None], 0.0, (D + transposed(D)) / 2)
        )
        size = np.broadcast_to(norms(l) + norms(r), (count,))
        score = np.where(lost, -np.inf, per(-w[:, 0], size))
        x = V[:, :, 0]
        c = per(1, size)[:, None, None]

        def drift(y: np.ndarray) -> np.ndarray:
            norm = norms(y).reshape((len(y),) + (1,) * (y.ndim - 1))
            return -finite(score)[:, None, None] * c * per(y, norm)

        def seeds() -> list[tuple[int, np.ndarray]]:
            outer = x[:, :, None] * x[:, None, :] * c
            return [
                (self.roots[0], _sent(outer + drift(l), l)),
                (self.roots[1], _sent(-outer + drift(r), r)),
            ]

        return score, seeds


class _Probability:
    """The failure probability against the allowed one: the ratio of exponents, that those near 1 differ.

    The event does not move with the inputs, save by jumps; the probabilities of its atoms do.
    """

    @staticmethod
    def guide(
        bad: np.ndarray,
        good: np.ndarray,
        allowed: np.ndarray,
        least: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The guide of a look (`Observation.guide`) and its derivatives in both probabilities.

        `good` is 1 - bad, `least` 1 - allowed, neither with the rounding of a difference.
        """
        p, q = bad.clip(1e-320, 1.0), allowed.clip(1e-320, 1.0)
        near, far = good.clip(1e-320, 1.0), least.clip(1e-320, 1.0)
        low = 1 - np.log(p) / np.log(q)
        high = np.log(near) / np.log(far) - 1
        score = np.where(q > 0.5, high, low)
        d_p = np.where(q > 0.5, -1 / (near * np.log(far)), -1 / (p * np.log(q)))
        d_q = np.where(
            q > 0.5,
            np.log(near) / (np.log(far) ** 2 * far),
            np.log(p) / (np.log(q) ** 2 * q),
        )
        return _where_possible(bad, allowed, least, score, d_p, d_q)

    def __init__(self, program: Recorded):
        self.conclusion = program.conclusion
        self.bound = self.conclusion["bound"]
        sides = [
            k for pair in event_pairs(self.conclusion["event"]) for k in pair
        ]
        self.atoms = Atoms.of(sides, program.tape)
        self.roots = [self.bound, *sides, *self.atoms.nodes]

    def __call__(
        self, values: dict[int, np.ndarray], count: int
    ) -> tuple[np.ndarray, Seeds]:
        w = self.atoms.weights(values)
        holds, fails = _event(self.conclusion["event"], values, w.shape[1])
        at_least = self.conclusion["relation"] in ("ge", "gt")
        against = np.broadcast_to(
            fails if at_least else holds, (count, w.shape[1])
        )
        bound = np.broadcast_to(
            values[self.bound].reshape(len(values[self.bound])), (count,)
        )
        bad, good = (np.sum(some * w, axis=1) for some in (against, ~against))
        least, most = (bound, 1 - bound) if at_least else (1 - bound, bound)
        allowed = np.maximum(most, 0.0)
        bad = np.where(
            at_least & (np.maximum(bad, allowed) < LOST), allowed, bad
        )
        score, d_bad, d_allowed = self.guide(bad, good, allowed, least)
        flat, nearer = score == FLAT, list
        if flat.any():
            missed, nearer = self._nearest(values, w, at_least)
            score = np.where(flat, FLAT + missed, score)

        def seeds() -> list[tuple[int, np.ndarray]]:
            moved = self.atoms.moved(
                values,
                d_bad[:, None] * against,
                np.broadcast_to(w, (count, w.shape[1])),
            )
            d_bound = (-d_allowed if at_least else d_allowed).reshape(
                (count, *values[self.bound].shape[1:])
            )
            near = [(k, g * _along(flat, g)) for k, g in nearer()]
            return [(self.bound, d_bound), *moved, *near]

        return score, seeds

    def _nearest(
        self, values: dict[int, np.ndarray], w: np.ndarray, at_least: bool
    ) -> tuple[np.ndarray, Seeds]:
        """By how much the possible atom nearest to contradicting misses, and what brings it nearer."""
        margin, back = _margin(self.conclusion["event"], values, w.shape[1])
        sign = -1.0 if at_least else 1.0
        count = max(len(margin), len(w))
        m = np.where(
            np.broadcast_to(w > 0, (count, w.shape[1])),
            (sign * margin).clip(-FOLD, 0.0),
            -FOLD,
        )
        worst, hot = _hottest(m)
        return FOLD * worst, lambda: back(FOLD * sign * hot)


class Walled:
    """A score less what it costs to come near the walls: hypotheses that are inequalities, jumps of events.

    An ascent ends where a step would go through; one that keeps off at first goes along.
    """

    def __init__(
        self, inner: Any, walls: Sequence[tuple[int, int]], height: float
    ):
        self.inner, self.walls, self.height = inner, walls, height
        self.roots = [*inner.roots, *(k for pair in walls for k in pair)]

    def __call__(
        self, values: dict[int, np.ndarray], count: int
    ) -> tuple[np.ndarray, Seeds]:
        score, seeds = self.inner(values, count)
        found = []
        for i, j in self.walls:
            left, right = deepened([values[i], values[j]], 1)
            gap, size = right - left, np.abs(left) + np.abs(right)
            gap, size = (
                np.broadcast_to(x, (count, *x.shape[1:])) for x in (gap, size)
            )
            room = np.clip(per(np.abs(gap), size), NEAREST, 1.0)
            score = score + self.height * np.sum(
                np.log(room).reshape(count, -1), axis=1
            )
            for k, x, side in ((j, right, 1), (i, left, -1)):
                slope = per(side * (room > NEAREST), gap) - per(
                    np.sign(x), size
                )
                found.append((k, _sent(self.height * slope, values[k])))
        return score, lambda: [*seeds(), *found]


def _where_possible(
    bad: np.ndarray,
    allowed: np.ndarray,
    least: np.ndarray,
    score: np.ndarray,
    d_bad: np.ndarray,
    d_allowed: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A score and its derivatives; without them where nothing is allowed, or all, or nothing is against."""
    plain = (allowed <= 0) | (least <= 0)
    certain = np.where(allowed <= 0, np.where(bad > 0, 1.0, FLAT), -np.inf)
    score = np.where(plain, certain, np.where(bad <= 0, FLAT, score))
    return (
        score,
        finite(np.where(plain, 0.0, d_bad)),
        finite(np.where(plain, 0.0, d_allowed)),
    )


def event_pairs(event: dict[str, Any]) -> list[tuple[int, int]]:
    """The pairs of nodes that an event compares."""
    found: list[tuple[int, int]] = []
    for key, entry in event.items():
        if key in ("and", "or"):
            found += [pair for e in entry for pair in event_pairs(e)]
        elif key == "not":
            found += event_pairs(entry)
        else:
            found.append(tuple(entry))
    return found


def _event(
    event: dict[str, Any], values: dict[int, np.ndarray], atoms: int
) -> tuple[np.ndarray, np.ndarray]:
    """Whether an event surely holds, and whether it surely fails, members x atoms."""
    if "not" in event:
        holds, fails = _event(event["not"], values, atoms)
        return fails, holds
    for key in ("and", "or"):
        if key in event:
            pairs = [_event(e, values, atoms) for e in event[key]]
            every, some = (
                (np.logical_and, np.logical_or)
                if key == "and"
                else (np.logical_or, np.logical_and)
            )
            holds, fails = pairs[0]
            for h, f in pairs[1:]:
                holds, fails = every(holds, h), some(fails, f)
            return holds, fails
    ((relation, (i, j)),) = event.items()
    left, right = deepened([values[i], values[j]], 1)
    gap, slack = left - right, TIE * (np.abs(left) + np.abs(right))
    less, more = gap < -slack, gap > slack
    tied = ~(less | more)
    met = gap == 0  # the body and exact arithmetic tell whether they are
    sure = {
        "le": (less | met, more),
        "lt": (less, more | met),
        "eq": (met, ~tied),
        "ne": (~tied, met),
    }
    holds, fails = sure[relation]
    shape = (len(gap), gap.shape[1] if gap.ndim > 1 else 1)
    return holds.reshape((*shape, -1)).all(axis=-1), fails.reshape(
        (*shape, -1)
    ).any(axis=-1)


def _margin(
    event: dict[str, Any], values: dict[int, np.ndarray], atoms: int
) -> tuple[np.ndarray, Callable[..., Any]]:
    """How far each atom lies inside of an event, by the logarithm of the ratio of the sides, members x atoms.

    Also its pullback: cotangents of the nodes compared, from that of the margin.
    """
    if "not" in event:
        m, back = _margin(event["not"], values, atoms)
        return -m, lambda g: back(-g)
    key = next(iter(event))
    if key in ("and", "or"):
        found = [_margin(e, values, atoms) for e in event[key]]
        ms = np.stack(np.broadcast_arrays(*(m for m, _ in found)))
        at = (np.argmin if key == "and" else np.argmax)(ms, axis=0)
        m = np.take_along_axis(ms, at[None], axis=0)[0]
        return m, lambda g: [
            pair
            for k, (_, back) in enumerate(found)
            for pair in back(np.where(at == k, g, 0.0))
        ]
    ((relation, (i, j)),) = event.items()
    left, right = deepened([values[i], values[j]], 1)
    same, size = left * right > 0, np.abs(left) + np.abs(right)
    gap = right - left
    m = np.where(
        same,
        np.sign(right) * (np.log(np.abs(right)) - np.log(np.abs(left))),
        np.sign(gap) * APART,
    )
    turn = {"eq": -np.sign(gap), "ne": np.sign(gap)}.get(
        relation, 1.0
    ) * np.ones(gap.shape)
    m, shape = finite(m) * turn, (len(gap), gap.shape[1] if gap.ndim > 1 else 1)
    entries = m.reshape((*shape, -1))

    def pulled(g: np.ndarray) -> list[tuple[int, np.ndarray]]:
        at = np.argmin(entries, axis=-1)[..., None]
        hot = at == np.arange(entries.shape[-1])
        spread = folded(hot * g[..., None], (len(g), *entries.shape[1:]), 1)
        spread = spread.reshape((len(g), *gap.shape[1:])) * turn
        d_left, d_right = (
            np.where(same, per(np.sign(x), x), per(1, size))
            for x in (left, right)
        )
        return [
            (k, _sent(spread * d, values[k]))
            for k, d in ((i, -d_left), (j, d_right))
        ]

    return np.broadcast_to(entries.min(axis=-1), (len(gap), atoms)), pulled


def _hottest(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest entry of each member, and 1 at its place."""
    flat = s.reshape(len(s), -1)
    if not flat.shape[1]:
        return np.full(len(s), -np.inf), np.zeros(s.shape)
    worst = np.argmax(flat, axis=1)
    hot = np.zeros(flat.shape)
    hot[np.arange(len(flat)), worst] = 1
    return flat[np.arange(len(flat)), worst], hot.reshape(s.shape)


def _along(x: np.ndarray, like: np.ndarray) -> np.ndarray:
    """One number a member, shaped to go with an array of all members."""
    return x.reshape((len(x),) + (1,) * (like.ndim - 1))


def _sent(g: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A cotangent in the shape of the operand it belongs to; members stay apart."""
    wide = x.reshape(x.shape[:1] + (1,) * (g.ndim - x.ndim) + x.shape[1:])
    return folded(finite(g), (len(g), *wide.shape[1:]), 1).reshape(
        (len(g), *x.shape[1:])
    )


SCORES: dict[str, Callable[[Any], Any]] = {
    "at_most": AtMost,
    "less": AtMost,
    "equal": Equal,
    "loewner": Loewner,
    "probability": _Probability,
}
