"""Random features over a finite pool (Wang 2019, Assumption 1): unbiased for their kernel, and bounded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import FIXED, Matrix, NonNegative, Raw, Signs, Simplex, raw_of
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings.declared import setting
from boundcheck.words.scalars import sqrt


@dataclass(frozen=True)
class PoolOfFeatures:
    """psi(x_i; v_j) at n training points and one test point, and the probability p_j of each v_j.

    The last row of the values belongs to the test point x'. The kernel is kappa = E_v psi psi: K is n x n,
    k_test is (n,).
    """

    values: Matrix("n + 1", "m")
    p: Simplex("m")

    @property
    def n(self) -> int:
        """Number of training points."""
        return self.values.shape[0] - 1

    @cached_property
    def b(self) -> Any:
        """A bound on psi^2, here the least."""
        return np.max(self.values * self.values)

    @cached_property
    def kernel(self) -> Any:
        """kappa at all points, (n + 1) x (n + 1)."""
        return (self.values * self.p) @ np.transpose(self.values)

    @property
    def K(self) -> Any:
        return self.kernel[:-1, :-1]

    @property
    def k_test(self) -> Any:
        return self.kernel[:-1, -1]

    def features(self, s: int) -> Features:
        """s independent features."""
        return Features(self, s)


class Features:
    """s independent draws of v: Psi (n x s) at the training points and psi_test (s,) at the test point,
    over sqrt(s).
    """

    def __init__(self, case: PoolOfFeatures, s: int):
        rows = np.transpose(case.values)
        drawn = quantity(lambda rng, size: rng.choice(rows, (size, s), p=case.p))
        self.all: Quantity = drawn.map(lambda x: np.swapaxes(x, -1, -2) / sqrt(s))

    @cached_property
    def Psi(self) -> Quantity:
        return self.all[:-1]

    @cached_property
    def psi_test(self) -> Quantity:
        return self.all[-1]

    @cached_property
    def Kt(self) -> Quantity:
        """Psi Psi^T."""
        return self.Psi @ self.Psi.mT

    @cached_property
    def kt_test(self) -> Quantity:
        """Psi psi_test, (n,)."""
        return (self.Psi * self.psi_test[None, :]).map(lambda x: np.sum(x, axis=-1))


@setting
class RandomFeatures(PoolOfFeatures):
    """Features with any values, and any b >= psi^2."""

    spare: NonNegative

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few of everything, so that draws are enumerated; a b that is the least, or larger."""
        spare = {"spare": st.one_of(st.just(0.0), raw_of(NonNegative))}
        return _pool(3, lambda n, m: {"values": raw_of(Matrix, n + 1, m), "p": raw_of(Simplex, m), **spare})

    @cached_property
    def b(self) -> Any:
        """A bound on psi^2."""
        return np.max(self.values * self.values) + self.spare


Values = replace(Signs, chart=FIXED)
"""Signs that a search leaves alone."""


@setting
class SignFeatures(PoolOfFeatures):
    """Features with values +1 and -1: what Section 5 uses of sgn(x^T v)."""

    values: Values("n + 1", "m")

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few of everything, so that draws are enumerated."""
        return _pool(4, lambda n, m: {"values": raw_of(Signs, n + 1, m), "p": raw_of(Simplex, m)})


def _pool(most: int, fields: Callable[[int, int], dict[str, SearchStrategy[Raw]]]) -> SearchStrategy[Raw]:
    """Raw fields for 1 to 3 training points and 1 to `most` features."""
    return st.tuples(st.integers(1, 3), st.integers(1, most)).flatmap(
        lambda sizes: st.fixed_dictionaries(fields(*sizes))
    )
