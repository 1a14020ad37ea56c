"""What the draws of a map and the statements about it give together: ranges, and the error of each item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from boundcheck.conform.kernels import Kernel
from boundcheck.conform.plan import Plan
from boundcheck.conform.points import Points
from boundcheck.conform.trials import Trials

NO_RANGE = "no range of phi(x)^T phi(y) is stated, or a draw has left it (see bounded); state one with --bound"

SLACK = 1e-9
"""What rounding may add to a stated range, relative to it."""


@dataclass(frozen=True)
class Moments:
    """The draws with what is stated of them; a range that a draw has left is no range."""

    trials: Trials
    points: Points
    kernel: Kernel
    plan: Plan

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """|phi(x)^T phi(y)| at most, at each pair (Cauchy-Schwarz); infinite if not stated or seen to be wrong."""
        stated = np.maximum(self.kernel.reaches(self.points.X) * (1 + SLACK), SLACK)
        own = np.where((self.trials.norms <= stated).all(), stated, inf)
        return np.sqrt(own[self.points.left]) * np.sqrt(own[self.points.right])

    @property
    def share(self) -> float:
        """Error of each of the three sampled items."""
        return self.plan.level / 3
