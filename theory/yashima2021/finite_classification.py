"""Binary classification on finitely many inputs with a finite pool of random features: population quantities
are exact.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import Channel, Matrix, Raw, Simplex, raw_of
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings import setting

CHANCES = [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (3.0, 1.0), (1.0, 4.0), (9.0, 1.0), (99.0, 1.0), (1.0, 999.0)]
"""Odds of the label 1 against the label -1."""


@setting
class FiniteClassification:
    """Features phi_j(x_i) with probabilities tau_j, input probabilities rho_i > 0, and those of the labels
    1 and -1.

    One feature a column of Z, n, m <= 3. K = sum_j tau_j phi_j phi_j^T. Operators on L2(rho)
    are written in the orthonormal basis of the inputs, f -> rho^(1/2) f: T = rho^(1/2) K
    rho^(1/2) (Yashima, Nitanda and Suzuki 2021, Sections 2.1 and 2.2 and Appendix B).
    """

    Z: Matrix("n", "m")
    tau: Simplex("m")
    rho: Simplex("n")
    labels: Channel("n", 2)

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few inputs and features, all of them possible, and labels that are certain, even, likely or nearly
        certain.
        """
        shapes = [(1, 1), (1, 2), (1, 2), (2, 1), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
        return st.sampled_from(shapes).flatmap(lambda shape: _problem(*shape))

    @staticmethod
    def member(case: FiniteClassification) -> Any:
        """The inputs are the support of their law."""
        return case.rho > 0

    @property
    def n(self) -> int:
        """Number of inputs."""
        return self.Z.shape[0]

    @cached_property
    def eta(self) -> Any:
        """P(Y = 1 | x_i), (n,)."""
        return self.labels[:, 0]

    @cached_property
    def R(self) -> Any:
        """The largest |phi_j(x_i)|."""
        return np.max(np.abs(self.Z))

    @cached_property
    def K(self) -> Any:
        """Kernel matrix of all inputs, n x n."""
        return (self.Z * self.tau) @ np.transpose(self.Z)

    @cached_property
    def T(self) -> Any:
        """The integral operator, n x n."""
        return self.on_inputs(self.K)

    @cached_property
    def C(self) -> Any:
        """rho_min^(-1/2): the norm of the embedding of L2(rho) in L_inf(rho)."""
        return 1 / np.sqrt(np.min(self.rho))

    def on_inputs(self, K: Any) -> Any:
        """rho^(1/2) K rho^(1/2), for one kernel matrix or one for each trial."""
        root = np.sqrt(self.rho)
        return root[:, None] * K * root

    def kernel(self, N: Any, M: int) -> Any:
        """K_M of M features, N_j of which are feature j: (..., m) -> (..., n, n)."""
        return (self.Z * (N / M)[..., None, :]) @ np.transpose(self.Z)

    def K_M(self, M: int) -> Quantity:
        """K_M of M independent features, n x n."""
        counts = quantity(lambda rng, size: rng.multinomial(M, self.tau, size))
        return counts.map(lambda N: self.kernel(N, M))

    def T_M(self, M: int) -> Quantity:
        """T_M of M independent features, n x n."""
        return self.K_M(M).map(self.on_inputs)

    def L2(self, f: Any) -> Any:
        """||f|| in L2(rho); values at the inputs along the last axis."""
        return np.sqrt(np.sum(self.rho * f * f, axis=-1))

    def risk(self, phi: Any, g: Any) -> Any:
        """E phi(Y g(X)); values of g at the inputs along the last axis."""
        return np.sum(self.rho * (self.eta * phi(g) + (1 - self.eta) * phi(-g)), axis=-1)


def _problem(n: int, m: int) -> SearchStrategy[Raw]:
    odds = st.lists(st.sampled_from(CHANCES), min_size=n, max_size=n).map(np.array)
    return st.fixed_dictionaries(
        {
            "Z": raw_of(Matrix, n, m).map(_nonzero),
            "tau": raw_of(Simplex, m).map(_positive),
            "rho": raw_of(Simplex, n).map(_positive),
            "labels": odds,
        }
    )


def _nonzero(Z: np.ndarray) -> np.ndarray:
    """R > 0, ||T|| > 0."""
    return Z if np.any(Z != 0) else np.ones_like(Z)


def _positive(weights: np.ndarray) -> np.ndarray:
    return np.where(weights > 0, weights, 1.0)
