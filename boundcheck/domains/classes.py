"""Classes of functions: smooth, convex and strongly convex ones, each of its functions given by finitely many numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import conditions as members
from boundcheck.domains import draws
from boundcheck.domains.chart import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    Chart,
    cut_inside,
)
from boundcheck.domains.conditions import Condition, Outside
from boundcheck.domains.domain import Dim, Domain, Inner, Raw


@dataclass(frozen=True)
class Piecewise:
    """f(x) = minimum + sum_k h_k(y_k), where reflections of R^d in turn, with normals `mirrors`, take x - minimiser to y.

    To the right of 0 ([k, 0]) and to the left of it ([k, 1]) h_k is quadratic on p pieces of the given lengths
    (d, 2, p) and on what is left, with second derivatives `slopes` (d, 2, p + 1); where a piece begins the
    derivative jumps by `jumps` (d, 2, p + 1), or by 0. Where pieces meet there are points, derivatives and values that
    interpolate in the sense of Taylor, Hendrickx and Glineur (2017); all such data of one variable are of this form.
    """

    minimiser: Any
    minimum: Any
    mirrors: tuple[Any, ...]
    lengths: Any
    slopes: Any
    jumps: Any

    def __call__(self, x: Any) -> Any:
        """f(x), a number, for x (d,)."""
        passed, _ = self._passed(x, 0)
        rises = self._after(self.slopes[..., :-1] * self.lengths)
        steep = np.cumsum(self.jumps + rises, axis=-1)
        return self.minimum + np.sum(
            (steep + self.slopes * passed / 2) * passed
        )

    def gradient(self, x: Any) -> Any:
        """The gradient at x (d,); where it jumps, the value on the side of the minimiser, which is a subgradient."""
        passed, is_begun = self._passed(x, 0)
        jumped = np.where(is_begun, self.jumps, 0)
        return self._turned_back(jumped + self.slopes * passed)

    def _passed(self, x: Any, step: Any) -> Any:
        """How much of each piece lies between the minimiser and prox(x, step), and whether any."""
        y = x - self.minimiser
        for normal in self.mirrors:
            y = _reflected(y, normal)
        stretch = 1 + step * self.slopes
        widths = self._after(stretch[..., :-1] * self.lengths)
        starts = np.cumsum(step * self.jumps + widths, axis=-1)
        beyond = np.stack([y, -y], axis=1)[..., None] - starts
        passed = np.maximum(beyond, 0) / stretch
        inner = np.minimum(passed[..., :-1], self.lengths)
        return np.concatenate([inner, passed[..., -1:]], axis=-1), beyond > 0

    def _after(self, entries: Any) -> Any:
        """A 0 before what belongs to the pieces."""
        return np.concatenate(
            [np.zeros((*entries.shape[:2], 1)), entries], axis=-1
        )

    def _turned_back(self, parts: Any) -> Any:
        """What pieces add on the right of 0, less what they add on its left, as a vector of R^d."""
        sides = np.sum(parts, axis=-1)
        y = sides[:, 0] - sides[:, 1]
        for normal in reversed(self.mirrors):
            y = _reflected(y, normal)
        return y


@dataclass(frozen=True)
class ConvexPiecewise(Piecewise):
    """A function that has proximal points."""

    def prox(self, x: Any, step: Any) -> Any:
        """The y that minimises f(y) + |y - x|^2 / (2 step), for x (d,) and a positive step."""
        passed, _ = self._passed(x, step)
        return self.minimiser + self._turned_back(passed)


def _reflected(y: Any, normal: Any) -> Any:
    return y - 2 * (y @ normal) / (normal @ normal) * normal


def SmoothConvex(L: float, mu: float = 0, dim: Dim = "d") -> Domain:
    """f: R^d -> R with a minimiser, mu-strongly convex and with an L-Lipschitz gradient; mu = 0: convex.

    Raises ValueError.
    """
    if not 0 <= mu <= L < math.inf or L == 0:
        raise ValueError(
            f"SmoothConvex({L}, {mu}) is no class: give 0 <= mu <= L, L positive and finite."
        )
    strong = f"{mu:g}-strongly convex" if mu else "convex"
    return _class(f"{L:g}-smooth {strong} functions", ConvexPiecewise, mu, L)(
        dim
    )


def Smooth(L: float, dim: Dim = "d") -> Domain:
    """f: R^d -> R with a stationary point, its `minimiser`, and an L-Lipschitz gradient, convex or not. Raises ValueError."""
    if not 0 < L < math.inf:
        raise ValueError(f"Smooth({L}) is no class: give a positive finite L.")
    return _class(f"{L:g}-smooth functions", Piecewise, -L, L)(dim)


def Convex(mu: float = 0, dim: Dim = "d") -> Domain:
    """f: R^d -> R with a minimiser, mu-strongly convex, with kinks; mu = 0: convex. Raises ValueError."""
    if not 0 <= mu < math.inf:
        raise ValueError(
            f"Convex({mu}) is no class: give a finite mu that is not negative."
        )
    strong = f"{mu:g}-strongly convex" if mu else "convex"
    return _class(f"{strong} functions", ConvexPiecewise, mu, math.inf)(dim)


def _class(label: str, kind: type, low: float, high: float) -> Domain:
    """Functions with second derivatives in each direction from low to high; without a high end they have kinks."""
    kinks = math.isinf(high)
    low, high, cut = cut_inside(low, high)
    charts = {
        "minimiser": REAL,
        "minimum": REAL,
        "mirrors": REAL,
        "lengths": POSITIVE,
        "slopes": Chart(low, high, True, not kinks),
        "jumps": NONNEGATIVE,
    }
    return (Inner if cut else Domain)(
        f"{label} of {{0}} variables, piecewise quadratic in orthonormal directions",
        _drawn(low, high),
        _built(kind),
        ("d",),
        charts,
        _member(low, high),
    )


PIECES = 2
"""Pieces on each side of the minimiser that end: losses such as Huber's have one, worst non-convex functions two."""


def _drawn(low: float, high: float) -> Callable[[int], SearchStrategy[Raw]]:
    """Pieces whose slopes are often the least or the greatest."""

    def drawn(d: int) -> SearchStrategy[Raw]:
        sides = (d, 2, PIECES)
        starts = (d, 2, PIECES + 1)
        free = draws.array(*starts).map(np.abs)
        parts = {
            "minimiser": st.one_of(st.just(np.zeros(d)), draws.vector(d)),
            "minimum": draws.real(),
            "mirrors": st.tuples(*[draws.nonzero_vector(d)] * (d - 1)).map(
                list
            ),
            "lengths": draws.array(*sides).map(lambda x: np.abs(x) + 0.1),
        }
        if math.isfinite(high):
            slopes = draws.box(low, high)(*starts)
            return st.fixed_dictionaries({**parts, "slopes": slopes})
        flat = st.just(np.full(starts, float(low)))
        slopes = st.one_of(flat, free.map(lambda x: low + x))
        return st.fixed_dictionaries({**parts, "slopes": slopes, "jumps": free})

    return drawn


def _built(kind: type) -> Callable[[Any], Any]:
    def build(raw: Any) -> Any:
        return kind(
            raw["minimiser"],
            raw["minimum"],
            tuple(raw["mirrors"]),
            raw["lengths"],
            raw["slopes"],
            raw.get("jumps", 0),
        )

    return build


def _member(low: float, high: float) -> Callable[..., Iterator[Condition]]:
    """Normals other than 0, second derivatives from low to high, and kinks that are convex or none."""
    kinks = math.isinf(high)

    def member(f: Any, d: int | None) -> Iterator[Condition]:
        n = f.minimiser.shape[0] if d is None else d
        pieces = f.lengths.shape[-1]
        each = [f.minimiser, *f.mirrors, f.lengths, f.slopes]
        expected = [(n,) for _ in each[:-2]] + [
            (n, 2, pieces),
            (n, 2, pieces + 1),
        ]
        if kinks:
            each.append(f.jumps)
            expected.append((n, 2, pieces + 1))
        if [part.shape for part in each] != expected:
            raise Outside(f"its numbers are not those of a function on R^{n}")
        for normal in f.mirrors:
            yield members.lt(0, normal @ normal)
        yield members.lt(0, f.lengths)
        yield members.le(low, f.slopes)
        if kinks:
            yield members.le(0, f.jumps)
        else:
            yield members.le(f.slopes, high)

    return member
