"""A data set: inputs, targets and their names, with Wang's (2019) scaling and a seeded split."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from boundcheck.data.table import DataError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DataSet:
    """Inputs `X` (n x d, float64, C-contiguous) with d `columns`, and targets `y` (n,) named `target`."""

    name: str
    X: Floats = field(repr=False)
    y: Floats = field(repr=False)
    columns: tuple[str, ...]
    target: str

    def split(self, n_train: int, seed: int) -> tuple[DataSet, DataSet]:
        """Training set of n_train rows and test set of the others, by a permutation that `seed` fixes.

        Raises DataError unless 1 <= n_train < n."""
        n = len(self.y)
        if not 1 <= n_train < n:
            raise DataError(f"{self.name!r} has {n} rows; choose n_train from 1 to {n - 1}, not {n_train}.")
        generator = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))
        order = generator.permutation(n)
        return self._rows(order[:n_train]), self._rows(order[n_train:])

    def scaled(self) -> DataSet:
        """Inputs min-max scaled to [-1, 1], targets to mean 0 and max |y| = 1; what is constant becomes 0.

        Source: Wang (2019), Section 6.1, where all data are scaled before the split."""
        return replace(self, X=_min_max(self.X), y=_centred(self.y))

    def _rows(self, index: NDArray[np.int64]) -> DataSet:
        return replace(self, X=self.X[index], y=self.y[index])


def _min_max(X: Floats) -> Floats:
    Z = _near_one(X)
    low, high = Z.min(axis=0), Z.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    return np.where(high > low, 2.0 * ((Z - low) / span) - 1.0, 0.0)


def _centred(y: Floats) -> Floats:
    """Constancy is asked of y itself: y - mean(y) of a constant y may be rounding error, not zero."""
    if y.min() == y.max():
        return np.zeros_like(y)
    z = _near_one(y)
    z = z - z.mean()
    return z / np.abs(z).max()


def _near_one(Z: Floats) -> Floats:
    """Each column times the power of two that brings max |z| into [1/2, 1): no difference overflows."""
    _, exponent = np.frexp(np.abs(Z).max(axis=0))
    return np.ldexp(Z, -exponent)
