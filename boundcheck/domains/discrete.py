"""Charts of arrays without anything between their values: entries that flip, and orders that swap."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


class Discrete(ABC):
    """How an array of finitely many values moves: to its neighbours, and to simpler ones."""

    @abstractmethod
    def contains(self, x: float) -> bool:
        """Whether an entry may have this value."""

    @abstractmethod
    def neighbours(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        """All arrays one step away."""

    @abstractmethod
    def step(self, leaf: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One of them."""

    @abstractmethod
    def simplest(self, leaf: np.ndarray) -> np.ndarray:
        """The simplest array that can be reached."""

    @abstractmethod
    def rank(self, leaf: np.ndarray) -> tuple[float, ...]:
        """The smaller, the simpler."""

    def moved(self, leaf: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One step or a few."""
        for _ in range(int(rng.geometric(0.6))):
            leaf = self.step(leaf, rng)
        return leaf

    def simpler(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        """Simpler arrays, the simplest first."""
        for candidate in (self.simplest(leaf), *self.neighbours(leaf)):
            if self.rank(candidate) < self.rank(leaf):
                yield candidate


@dataclass(frozen=True)
class Entries(Discrete):
    """Every entry is one of a few values, the simplest first."""

    values: tuple[float, ...]

    def contains(self, x: float) -> bool:
        return x in self.values

    def neighbours(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        for k in range(leaf.size):
            yield from (_with(leaf, k, value) for value in self.values if value != leaf.flat[k])

    def step(self, leaf: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        k = int(rng.integers(leaf.size))
        others = [value for value in self.values if value != leaf.flat[k]]
        return _with(leaf, k, others[int(rng.integers(len(others)))])

    def simplest(self, leaf: np.ndarray) -> np.ndarray:
        return np.full_like(leaf, self.values[0])

    def rank(self, leaf: np.ndarray) -> tuple[float, ...]:
        return tuple(self.values.index(x) for x in leaf.ravel().tolist())


@dataclass(frozen=True)
class Arrangement(Discrete):
    """An array in any order of its entries, the increasing or the decreasing one being the simplest."""

    decreasing: bool = False

    def contains(self, x: float) -> bool:
        return float(x).is_integer()

    def neighbours(self, leaf: np.ndarray) -> Iterator[np.ndarray]:
        for i in range(leaf.size):
            yield from (_swapped(leaf, i, j) for j in range(i + 1, leaf.size) if leaf[i] != leaf[j])

    def step(self, leaf: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        i = int(rng.integers(leaf.size))
        others = np.flatnonzero(leaf != leaf[i])
        return _swapped(leaf, i, int(others[rng.integers(others.size)])) if others.size else leaf

    def simplest(self, leaf: np.ndarray) -> np.ndarray:
        return np.sort(leaf)[::-1].copy() if self.decreasing else np.sort(leaf)

    def rank(self, leaf: np.ndarray) -> tuple[float, ...]:
        return tuple((-leaf if self.decreasing else leaf).tolist())


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
