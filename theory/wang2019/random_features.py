"""Random features over a finite pool (Wang 2019, Assumption 1): unbiased for their kernel, and bounded."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import NONNEGATIVE, Chart, Matrix, NonNegative, Raw, Simplex, raw_of
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings.declared import setting
from boundcheck.words.scalars import sqrt


@setting
class RandomFeatures:
    """psi(x_i; v_j) at n training points and one test point, the probability p_j of each v_j, and b >= psi^2.

    Shapes: values (n + 1) x m, the last row belongs to the test point x'; p is (m,). The kernel is
    kappa = E_v psi psi: K is n x n, k_test is (n,).
    """

    values: Any
    p: Any
    spare: float

    charts = {"values": Chart(), "p": NONNEGATIVE, "spare": NONNEGATIVE}  # noqa: RUF012

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        return st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(_pool)

    @classmethod
    def build(cls, raw: Raw) -> RandomFeatures:
        return cls(raw["values"], raw["p"] / np.sum(raw["p"]), raw["spare"])

    @property
    def n(self) -> int:
        """Number of training points."""
        return self.values.shape[0] - 1

    @cached_property
    def b(self) -> Any:
        """A bound on psi^2."""
        return np.max(self.values * self.values) + self.spare

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
    """s independent draws of v: Psi (n x s) at the training points and psi_test (s,) at the test point, over sqrt(s)."""

    def __init__(self, case: RandomFeatures, s: int):
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


def _pool(shape: tuple[int, int]) -> SearchStrategy[Raw]:
    n, m = shape
    return st.fixed_dictionaries(
        {"values": raw_of(Matrix, n + 1, m), "p": raw_of(Simplex, m), "spare": st.one_of(st.just(0.0), raw_of(NonNegative))}
    )
