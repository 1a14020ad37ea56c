"""Finite laws: the outcomes of a draw and their probabilities, copies in order or as a multiset."""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from boundcheck.operations.moments import KNOWN
from boundcheck.tape.program import during

MOST_ATOMS = 200_000
ENTRIES = 20
"""Copies of an unordered draw that cost as much as one atom."""

_most_atoms: ContextVar[int] = ContextVar("most_atoms", default=MOST_ATOMS)


def at_most_atoms(count: int) -> AbstractContextManager[None]:
    """Give up on laws with more atoms than `count`; a search wants many cheap looks."""
    return during(_most_atoms, count)


def require_enumerable(atoms: float) -> None:
    """Raise TooLarge if so many atoms are too many here."""
    if not atoms <= _most_atoms.get():
        raise TooLarge(
            f"The law has {atoms:.3g} atoms, more than {_most_atoms.get()}."
        )


class NotFinite(Exception):
    """The law is not finite, or too large to enumerate."""


class TooLarge(NotFinite):
    """The law is finite, and too large to enumerate here."""


@dataclass(frozen=True)
class Law:
    """One draw of a sampler: its support (k x value shape), weights, independent copies, certificate form.

    `ordered` is the law whose copies this one gives as a multiset, if it does.
    """

    support: np.ndarray
    weights: np.ndarray
    copies: tuple[int, ...]
    form: dict[str, Any]
    ordered: Law | None = None

    @property
    def count(self) -> int:
        return int(np.prod(self.copies, dtype=int))

    @property
    def is_smooth(self) -> bool:
        """Whether only its moments are known; the support is one point then, which stands for all."""
        return self.form.get("law") in KNOWN

    def atoms(self) -> float:
        return float(len(self.support)) ** self.count

    def unordered(self) -> Law:
        """All copies as one value: every multiset of outcomes once, in increasing order. Raises NotFinite."""
        k, n = len(self.support), self.count
        require_enumerable(comb(n + k - 1, n) * max(1, n // ENTRIES))
        counts = count_vectors(n, k)[::-1]
        index = np.repeat(
            np.tile(np.arange(k), len(counts)), counts.ravel()
        ).reshape(-1, n)
        weights = multinomial_weights(counts, self.weights)
        return Law(
            self.support[index],
            weights,
            (),
            {**self.form, "unordered": True},
            self,
        )


def same_law(law: Law, other: Law) -> bool:
    alike = (
        law.copies == other.copies and law.support.shape == other.support.shape
    )
    alike = (
        alike
        and law.is_smooth == other.is_smooth
        and (not law.is_smooth or law.form["law"] == other.form["law"])
    )
    return alike and bool(
        np.allclose(law.weights, other.weights, rtol=1e-12, atol=0)
    )


def batch(size: Any, default: int) -> tuple[int, ...]:
    return tuple(
        int(k) for k in np.atleast_1d(default if size is None else size)
    )


def copies_of(size: object) -> tuple[int, ...]:
    return batch(size, 1)[1:]


@lru_cache(maxsize=8)
def count_vectors(n: int, parts: int) -> np.ndarray:
    """All vectors of `parts` counts that add up to n, in lexicographic order, one a row."""
    heads = np.zeros((1, 0), dtype=int)
    for _ in range(parts - 1):
        left = n - heads.sum(axis=1)
        row = np.repeat(np.arange(len(heads)), left + 1)
        digit = np.arange(len(row)) - np.repeat(
            np.cumsum(left + 1) - (left + 1), left + 1
        )
        heads = np.column_stack([heads[row], digit])
    return np.column_stack([heads, n - heads.sum(axis=1)])


def log_ways(counts: np.ndarray) -> np.ndarray:
    """The logarithm of the multinomial coefficient of each row of counts."""
    n = counts[0].sum()
    return gammaln(n + 1) - gammaln(counts + 1).sum(axis=1)


@lru_cache(maxsize=16)
def log_choices(n: int) -> np.ndarray:
    """The same of k and n - k, for k = 0, ..., n."""
    k = np.arange(n + 1)
    return log_ways(np.stack([k, n - k], axis=1))


def multinomial_weights(counts: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Probability of each count vector (rows)."""
    return np.exp(log_ways(counts) + xlogy(counts, p).sum(axis=1))
