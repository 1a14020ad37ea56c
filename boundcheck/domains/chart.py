"""Charts: how the numbers of an instance may move, continuous ones and those with gaps between values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Chart:
    """A range of numbers, open unless `closed` below or `closed_above`, with unbounded coordinates."""

    low: float = -np.inf
    high: float = np.inf
    closed: bool = False
    closed_above: bool = False
    whole: bool = False
    """Whether only integers count."""

    def free(self, x: np.ndarray) -> np.ndarray:
        """Coordinates without bounds."""
        if np.isfinite(self.high):
            t = np.clip(
                (x - self.low) / (self.high - self.low), 1e-12, 1 - 1e-12
            )
            return np.log(t / (1 - t))
        return (
            np.log(np.maximum(x - self.low, 1e-300))
            if np.isfinite(self.low)
            else np.asarray(x, dtype=float)
        )

    def bound(self, t: np.ndarray) -> np.ndarray:
        """The inverse of `free`."""
        t = t.clip(-690, 690)
        if np.isfinite(self.high):
            inside = self.low + (self.high - self.low) / (1 + np.exp(-t))
            return inside.clip(*self._ends)
        return self.low + np.exp(t) if np.isfinite(self.low) else t

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The least and the greatest float of the range."""
        low = self.low if self.closed else np.nextafter(self.low, np.inf)
        return low, self.high if self.closed_above else np.nextafter(
            self.high, -np.inf
        )

    def nearest(self, x: Any) -> Any:
        """The number of the range that is nearest, where there is one."""
        ends = (
            self.low if self.closed else -np.inf,
            self.high if self.closed_above else np.inf,
        )
        return x if self.whole else np.clip(x, *ends)

    def contains(self, x: float) -> bool:
        if self.whole and not float(x).is_integer():
            return False
        return (
            self.low < x < self.high
            or (self.closed and x == self.low)
            or (self.closed_above and x == self.high)
        )


def cut_inside(low: Any, high: Any) -> tuple[Any, Any, bool]:
    """The ends of a range, moved inside where they were computed, and whether they had to be.

    `np.sqrt(2)` is not the float that it gives. Ends that would pass each other stay where they are.
    """
    ends = _short(low, ROUND_CEILING), _short(high, ROUND_FLOOR)
    cut = ends != (low, high)
    return (*ends, cut) if ends[0] < ends[1] else (low, high, cut)


def _short(end: Any, way: str) -> Any:
    """A number with more digits than anybody writes, cut to twelve."""
    digits = Decimal(repr(float(end)))
    written = (
        isinstance(end, (int, np.integer))
        or len(digits.as_tuple().digits) <= 15
    )
    return end if written else float(Context(12, way).plus(digits))


def counting(low: int, high: int) -> Chart:
    """The integers from low to high, both included."""
    return Chart(low - 0.5, high + 0.5, whole=True)


REAL = Chart()
POSITIVE = Chart(0)
NONNEGATIVE = Chart(0, closed=True)
FIXED = Chart(0, 0)
COUNTING = counting(1, 10_000)


class Discrete(ABC):
    """How an array of finitely many values moves: to its neighbours, and to simpler ones."""

    @abstractmethod
    def contains(self, x: float) -> bool:
        """Whether an entry may have this value."""

    def nearest(self, x: Any) -> Any:
        """The array of such values that is nearest, where there is one."""
        return x

    @abstractmethod
    def neighbours(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        """All arrays one step away."""


@dataclass(frozen=True)
class Entries(Discrete):
    """Every entry is one of a few values."""

    values: tuple[float, ...]

    def contains(self, x: float) -> bool:
        return x in self.values

    def nearest(self, x: Any) -> Any:
        values = np.asarray(self.values)
        far = np.abs(np.asarray(x)[..., None] - values)
        return values[np.argmin(far, axis=-1)]

    def neighbours(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        for k in range(leaf.size):
            yield from (
                _with(leaf, k, value)
                for value in self.values
                if value != leaf.flat[k]
            )


@dataclass(frozen=True)
class Arrangement(Discrete):
    """An array in any order of its entries, the increasing or the decreasing one being the simplest."""

    decreasing: bool = False

    def contains(self, x: float) -> bool:
        return float(x).is_integer()

    def nearest(self, x: Any) -> Any:
        """The order of the entries; marks stay what they are."""
        return (
            x if self.decreasing else np.argsort(np.argsort(x, kind="stable"))
        )

    def neighbours(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        for i in range(leaf.size):
            yield from (
                _swapped(leaf, i, j)
                for j in range(i + 1, leaf.size)
                if leaf[i] != leaf[j]
            )

    def simpler(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        """The simplest order, and neighbours that are nearer to it."""
        simplest = np.sort(leaf)[::-1] if self.decreasing else np.sort(leaf)
        for candidate in (simplest.copy(), *self.neighbours(leaf)):
            if self._rank(candidate) < self._rank(leaf):
                yield candidate

    def _rank(self, leaf: np.ndarray) -> list[float]:
        return (-leaf if self.decreasing else leaf).tolist()


def _with(leaf: np.ndarray, k: int, value: float) -> np.ndarray:
    copy = leaf.copy()
    copy.flat[k] = value
    return copy


def _swapped(leaf: np.ndarray, i: int, j: int) -> np.ndarray:
    copy = leaf.copy()
    copy[[i, j]] = copy[[j, i]]
    return copy


SIGNS = Entries((1.0, -1.0))
BITS = Entries((0.0, 1.0))
ORDER = Arrangement()
CHOICE = Arrangement(decreasing=True)
