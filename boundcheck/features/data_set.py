"""A data set with real targets, and its kernel matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.domains import Points, Vector
from boundcheck.features.kernels import Gaussian
from boundcheck.settings import setting


@setting
class DataSet:
    """n points X (n x d), repeated and nearly repeated ones among them, with targets y (n,)."""

    X: Points("n", "d")
    y: Vector("n")

    @property
    def n(self) -> int:
        """Number of points."""
        return self.X.shape[0]

    @property
    def d(self) -> int:
        """Dimension of a point."""
        return self.X.shape[1]

    def linear_kernel(self) -> Any:
        """X X^T, n x n."""
        return self.X @ np.transpose(self.X)

    def polynomial_kernel(self, degree: int) -> Any:
        """(1 + <x_i, x_j>)^degree, n x n."""
        return (1 + self.linear_kernel()) ** degree

    def gaussian_kernel(self, sigma: object) -> Any:
        """exp(-|x_i - x_j|^2 / (2 sigma^2)), n x n."""
        return Gaussian(sigma).value(self.X, self.X)
