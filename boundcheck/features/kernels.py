"""Kernels as objects: values, the law of frequencies, random Fourier features, rules for the bandwidth."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boundcheck.features.compiled import kernels
from boundcheck.features.data import DataError
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.tape import value_of
from boundcheck.words.functions import exp

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

PAIRS = 1000
"""Points whose distances have the median that is a bandwidth."""


@dataclass(frozen=True)
class Distance:
    """A distance by its name in SciPy, and its mean, in some sense, over all pairs, i = j included."""

    metric: Any
    typical: Callable[[Matrix], float]


def _root_mean_square(X: Matrix) -> float:
    return float(np.sqrt(2.0 * X.var(axis=0).sum()))


def _mean_l1(X: Matrix) -> float:
    """Sorted, the i-th of n numbers (from 0) enters the sum of their distances 2 i - n + 1 times."""
    n = len(X)
    return float(
        2.0 / n**2 * ((2.0 * np.arange(n) - n + 1) @ np.sort(X, axis=0)).sum()
    )


EUCLIDEAN, CITY_BLOCK = (
    Distance("euclidean", _root_mean_square),
    Distance("cityblock", _mean_l1),
)


@dataclass(frozen=True, eq=False)
class FourierFeatures:
    """Random frequencies W (s, d), in turns, that is, divided by 2 pi, and phases u (s,)."""

    W: Matrix
    u: Vector

    def of(self, X: Matrix) -> Matrix:
        """sqrt(2) cos(2 pi (W x + u)) for X (n, d); shape (n, s)."""
        return kernels.fourier_features(X, self.W, self.u)

    def parts(
        self, block: int, stop: int, start: int = 0
    ) -> Iterator[FourierFeatures]:
        """The features start ... stop - 1, `block` at a time."""
        for i in range(start, stop, block):
            j = min(i + block, stop)
            yield FourierFeatures(self.W[i:j], self.u[i:j])


@dataclass(frozen=True)
class ShiftInvariant(ABC):
    """k(x, y) = f((x - y) / sigma), f(0) = 1, the mean of z(x) z(y), z(x) = sqrt(2) cos(2 pi (w^T x + u)).

    A kernel is a class that says its `name`, `value` and `frequencies`, and the `distance` that sigma is
    measured in; `matrix` too where it has a compiled form. Source: Rahimi and Recht (2007).
    """

    sigma: Any

    name: ClassVar[str]
    distance: ClassVar[Distance] = EUCLIDEAN
    bound: ClassVar[float] = 2.0
    """z(x)^2 at most."""

    @abstractmethod
    def value(self, X: Any, Y: Any) -> Any:
        """k(x, y) for X (n, d) and Y (m, d), shape (n, m); claims use it, whose arrays need not be floats."""

    @staticmethod
    @abstractmethod
    def frequencies(seed: int, trial: int, s: int, d: int) -> Matrix:
        """s draws (s, d) of the spectral law, sigma = 1, in turns; row j is of (seed, trial, j) alone."""

    def matrix(self, X: Matrix, Y: Matrix) -> Matrix:
        """k(x, y) for many points, in floats."""
        return np.asarray(self.value(X, Y), dtype=np.float64)

    def features(
        self, s: int, d: int, seed: int, trial: int
    ) -> FourierFeatures:
        """The first s features of a trial on R^d, whatever s is."""
        W = self.frequencies(seed, trial, s, d) / self.sigma
        return FourierFeatures(W, kernels.phases(seed, trial, s))

    def product(self, x: object, y: object) -> Quantity:
        """z(x) z(y) of a random feature z, x and y (d,): its mean is k(x, y), its size at most z0^2."""
        kernel, X = (
            type(self)(value_of(self.sigma)),
            np.stack([value_of(x), value_of(y)]),
        )

        def sample(rng: Any, size: int) -> Any:
            seeds = rng.integers(
                1 << 63, size=size
            ).tolist()  # each trial has its own
            drawn = [kernel.features(1, X.shape[1], seed, 0) for seed in seeds]
            Z = FourierFeatures(
                np.vstack([f.W for f in drawn]),
                np.concatenate([f.u for f in drawn]),
            ).of(X)
            return Z[0] * Z[1]

        return quantity(sample, low=-self.bound, high=self.bound)

    @classmethod
    def typical_bandwidth(cls, X: Matrix) -> float:
        """Wang (2019), Section 6.1: root mean squared, or mean L1, distance. Raises DataError if it is 0."""
        sigma = cls.distance.typical(X)
        if not sigma > 0:
            raise DataError(
                "All training inputs are the same point; give more rows or columns that vary."
            )
        return sigma

    @classmethod
    def median_bandwidth(cls, X: Matrix) -> float:
        """Median distance of the first PAIRS points; the typical bandwidth if that is 0. Raises DataError."""
        from scipy.spatial.distance import pdist

        with np.errstate(over="ignore"):
            sigma = float(
                np.median(pdist(X[:PAIRS], cls.distance.metric))
            ) or cls.typical_bandwidth(X)
        if not np.isfinite(sigma):
            raise DataError(
                "The distances of the points overflow; scale the inputs."
            )
        return sigma


class Gaussian(ShiftInvariant):
    """exp(-|x - y|^2 / (2 sigma^2)); frequencies N(0, I)."""

    name = "gaussian"
    frequencies = staticmethod(kernels.normal_frequencies)

    def value(self, X: Any, Y: Any) -> Any:
        difference = X[:, None, :] - Y[None, :, :]
        return exp(
            -np.sum(difference * difference, axis=-1)
            / (2 * self.sigma * self.sigma)
        )

    def matrix(self, X: Matrix, Y: Matrix) -> Matrix:
        return kernels.gaussian_kernel(X, Y, self.sigma)


class Laplace(ShiftInvariant):
    """exp(-|x - y|_1 / sigma); frequencies with independent Cauchy entries."""

    name = "laplace"
    distance = CITY_BLOCK
    frequencies = staticmethod(kernels.cauchy_frequencies)

    def value(self, X: Any, Y: Any) -> Any:
        return exp(
            -np.sum(abs(X[:, None, :] - Y[None, :, :]), axis=-1) / self.sigma
        )

    def matrix(self, X: Matrix, Y: Matrix) -> Matrix:
        return kernels.laplace_kernel(X, Y, self.sigma)


KERNELS: dict[str, type[ShiftInvariant]] = {
    kernel.name: kernel for kernel in (Gaussian, Laplace)
}
"""Kernels that commands know by a name."""


def kernel_named(name: str) -> type[ShiftInvariant]:
    """The kernel of that name, or a class MODULE:CLASS, from here or the path. Raises ValueError for none."""
    if name in KERNELS:
        return KERNELS[name]
    module, colon, attribute = name.partition(":")
    if not colon:
        known = " or ".join(KERNELS)
        raise ValueError(
            f"There is no kernel {name!r}; choose {known}, or MODULE:CLASS of yours."
        )
    if os.getcwd() not in sys.path:
        sys.path.insert(
            0, os.getcwd()
        )  # stays there: workers look for the module where their parent does
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"{name} cannot be had ({why}); check the name and the current folder."
        ) from error
    if not (isinstance(found, type) and issubclass(found, ShiftInvariant)):
        base = "boundcheck.features.kernels.ShiftInvariant"
        raise ValueError(
            f"{name} is no kernel; make it a class that derives from {base}."
        )
    return found
