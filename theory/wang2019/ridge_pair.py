"""Kernel ridge regression next to its random-feature version, all features given: Wang (2019), Sections 2.2,
4.4 and 5.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.domains import Matrix, Positive, Simplex, Vector
from boundcheck.settings import setting


@setting
class RidgePair:
    """Features phi of the kernel and psi of its approximation, at n training points and m test points,
    and targets y.

    Shapes: Phi n x r, Psi n x s, phi m x r, psi m x s, rho (m,) the probabilities of the test points, y (n,).
    The kernel is K = Phi Phi^T with columns k = Phi phi^T (n x m), its approximation Kt = Psi Psi^T with
    kt = Psi psi^T.
    """

    Phi: Matrix("n", "r")
    Psi: Matrix("n", "s")
    phi: Matrix("m", "r")
    psi: Matrix("m", "s")
    rho: Simplex("m")
    y: Vector("n")
    lam: Positive

    @property
    def n(self) -> int:
        return len(self.y)

    @cached_property
    def K(self) -> Any:
        return self.Phi @ np.transpose(self.Phi)

    @cached_property
    def Kt(self) -> Any:
        return self.Psi @ np.transpose(self.Psi)

    @cached_property
    def k(self) -> Any:
        """Kernel vectors of the test points, n x m."""
        return self.Phi @ np.transpose(self.phi)

    @cached_property
    def kt(self) -> Any:
        """Approximate kernel vectors of the test points, n x m."""
        return self.Psi @ np.transpose(self.psi)

    @cached_property
    def ridge(self) -> Any:
        """n lam I_n."""
        return self.n * self.lam * np.eye(self.n)

    @cached_property
    def alpha(self) -> Any:
        """(K + n lam I)^-1 y, (n,)."""
        return np.linalg.solve(self.K + self.ridge, self.y)

    @cached_property
    def alpha_t(self) -> Any:
        """(Kt + n lam I)^-1 y, (n,)."""
        return np.linalg.solve(self.Kt + self.ridge, self.y)

    @cached_property
    def inverse_t(self) -> Any:
        """(Kt + n lam I)^-1."""
        return np.linalg.inv(self.Kt + self.ridge)

    @cached_property
    def gap(self) -> Any:
        """ftilde - f at the test points, (m,)."""
        return self.alpha_t @ self.kt - self.alpha @ self.k

    @cached_property
    def gap_at_training(self) -> Any:
        """ftilde - f at the training points, (n,)."""
        return self.Kt @ self.alpha_t - self.K @ self.alpha
