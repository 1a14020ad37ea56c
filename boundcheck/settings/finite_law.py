"""A real random variable with finitely many values."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.domains import Simplex, Vector
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings.declared import setting


@setting
class FiniteLaw:
    """The law of X = values[k] with probability p[k]; both have shape (k,), values may repeat."""

    values: Vector("k")
    p: Simplex("k")

    def sample(self, *shape: int) -> Quantity:
        """Independent copies of X, `shape` of them in every trial; their law is enumerated."""
        return quantity(lambda rng, size: rng.choice(self.values, (size, *shape), p=self.p), low=self.low, high=self.high)

    @cached_property
    def low(self) -> Any:
        """The smallest value."""
        return np.min(self.values)

    @cached_property
    def high(self) -> Any:
        """The largest value."""
        return np.max(self.values)

    def moment(self, k: int) -> Any:
        """E X^k."""
        return np.sum(self.p * self.values**k)

    @cached_property
    def mean(self) -> Any:
        """E X."""
        return self.moment(1)

    @cached_property
    def variance(self) -> Any:
        """E (X - E X)^2."""
        return np.sum(self.p * (self.values - self.mean) ** 2)
