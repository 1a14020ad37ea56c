"""What a sweep measured, and all that follows from it: slopes, bounds, ratios, hypotheses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boundcheck.features.kernels import kernel_named

from .median import median_interval
from .plan import SweepPlan

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sweep:
    """MSEs against KRR with lam, `mse` (repeats, ridges, sizes, scalings), over the m test points.

    `lams`, `floor`, `energy` are (ridges,). Features as printed with lam are unbiased ones with 2 lam; their
    MSE tends to `floor`, that of KRR with 2 lam. `energy` is |K^(1/2) (K + n lam I)^(-1) y|^2.
    Source: Wang (2019), Section 6.
    """

    data: str
    target: str
    shape: tuple[int, int, int]
    plan: SweepPlan
    sigma: float
    lams: Floats = field(repr=False)
    mse: Floats = field(repr=False)
    floor: Floats = field(repr=False)
    energy: Floats = field(repr=False)

    @property
    def b(self) -> float:
        """Theorem 1's b, the bound on the squared feature: 2 for sqrt(2) cos."""
        return kernel_named(self.plan.kernel).bound

    @property
    def mean_mse(self) -> Floats:
        """Mean over repeats; (ridges, sizes, scalings)."""
        return self.mse.mean(axis=0)

    @property
    def slopes(self) -> Floats:
        """Least-squares slope of log mean MSE against log s; (ridges, scalings)."""
        return self._slopes(self.mean_mse)

    @property
    def repeat_slopes(self) -> Floats:
        """The same of each repeat: independent, of one law; (repeats, ridges, scalings)."""
        return self._slopes(self.mse)

    @property
    def slope_intervals(self) -> Floats:
        """For the median slope of a repeat; all hold together but with probability at most plan.level.

        Shape (ridges, scalings, 2); infinite if the repeats are too few.
        """
        level = self.plan.interval_level
        slopes = np.moveaxis(self.repeat_slopes, 0, -1)
        return np.array([[median_interval(column.tolist(), level) for column in row] for row in slopes])

    def _slopes(self, mse: Floats) -> Floats:
        x = np.log(self.plan.sizes)
        x -= x.mean()
        return np.einsum("g,...gc->...c", x / (x @ x), np.log(mse))

    @property
    def extrapolated(self) -> Floats:
        """The 1 / s line through the first mean MSE, as in Figures 1 and 2; (ridges, sizes, scalings)."""
        s = np.array(self.plan.sizes)
        return self.mean_mse[:, :1] * (s[0] / s)[:, None]

    @property
    def bound(self) -> Floats:
        """Equation (31), the bound without its 4 b; (ridges, sizes)."""
        return self.energy[:, None] / np.array(self.plan.sizes)

    @property
    def theorem_bound(self) -> Floats:
        """Theorem 1: 4 b times (31); (ridges, sizes)."""
        return 4.0 * self.b * self.bound

    @property
    def ratio(self) -> Floats:
        """(31) / mean MSE, as in Figures 3 and 4; (ridges, sizes, scalings)."""
        return self.bound[..., None] / self.mean_mse

    @property
    def hypothesis(self) -> NDArray[np.bool_]:
        """Whether lam >= (2 b / sqrt(n)) sqrt(log(s / delta)), Theorem 1's hypothesis; (ridges, sizes)."""
        needed = np.array([self.least_ridge(s, self.plan.delta) for s in self.plan.sizes])
        return np.array(self.plan.ridges)[:, None] >= needed

    def least_ridge(self, s: int, delta: float) -> float:
        """The least c with lam = c / sqrt(n) that Theorem 1 admits."""
        return 2.0 * self.b * math.sqrt(math.log(s / delta))
