"""A few random features at a few points, with their ridge leverage scores: every draw of them can be enumerated."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import NONNEGATIVE, Chart, Matrix, Positive, Raw, Simplex, raw_of
from boundcheck.leverage import ridge_leverage_scores
from boundcheck.quantities import Quantity, quantity
from boundcheck.settings.declared import setting


@setting
class FeaturePool:
    """Features z_v(x_1), ..., z_v(x_n) with probabilities p_v, a ridge lam, and l_tilde >= the ridge leverage scores.

    Shapes: Z is n x m, one feature a column, n, m <= 3; p, leverage, l_tilde and q are (m,). K = sum_v p_v z_v z_v^T
    and q = l_tilde / d_tilde (Li et al. 2021, Section 2.2).
    """

    Z: Any
    p: Any
    lam: float
    surplus: Any

    charts = {"Z": Chart(), "p": NONNEGATIVE, "lam": Chart(0), "surplus": NONNEGATIVE}  # noqa: RUF012

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        shapes = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
        return st.sampled_from(shapes).flatmap(lambda shape: _pool(*shape))

    @classmethod
    def build(cls, raw: Raw) -> FeaturePool:
        return cls(raw["Z"], raw["p"] / np.sum(raw["p"]), raw["lam"], 1 + raw["surplus"])

    @property
    def n(self) -> int:
        """Number of points."""
        return self.Z.shape[0]

    @cached_property
    def K(self) -> Any:
        """Kernel matrix, n x n."""
        return (self.Z * self.p) @ np.transpose(self.Z)

    @property
    def ridge(self) -> Any:
        """n lam I."""
        return self.n * self.lam * np.eye(self.n)

    @cached_property
    def z0(self) -> Any:
        """The largest |z_v(x)|."""
        return np.max(np.abs(self.Z))

    @cached_property
    def largest_eigenvalue(self) -> Any:
        return np.linalg.eigvalsh(self.K)[-1]

    @cached_property
    def leverage(self) -> Any:
        """Ridge leverage scores p_v z_v^T (K + n lam I)^-1 z_v."""
        return ridge_leverage_scores(self.Z, self.p, self.K, self.n * self.lam)

    @cached_property
    def d_eff(self) -> Any:
        """The sum of the leverage scores, Tr K (K + n lam I)^-1."""
        return np.sum(self.leverage)

    @cached_property
    def l_tilde(self) -> Any:
        return self.surplus * self.leverage

    @cached_property
    def d_tilde(self) -> Any:
        return np.sum(self.l_tilde)

    @cached_property
    def q(self) -> Any:
        """The distribution that weighted features are drawn from."""
        return self.l_tilde / self.d_tilde

    def Kt(self, s: int, q: Any) -> Quantity:
        """(1/s) sum_i (p/q)(v_i) z_{v_i} z_{v_i}^T over s features drawn from q, n x n."""
        counts = quantity(lambda rng, size: rng.multinomial(s, q, size))
        return counts.map(lambda N: (self.Z * (self.p * N / (q * s))[..., None, :]) @ np.transpose(self.Z))


def _pool(n: int, m: int) -> SearchStrategy[Raw]:
    nothing = st.just(np.zeros(m))
    return st.fixed_dictionaries(
        {
            "Z": Matrix.draw(n, m).map(lambda Z: np.where(np.any(Z != 0, axis=0), Z, 1.0)),
            "p": Simplex.draw(m).map(lambda w: np.where(w > 0, w, 1.0)),
            "lam": st.one_of(st.sampled_from([1e-6, 1e-3, 1e-2, 0.1]), raw_of(Positive)),
            "surplus": st.one_of(nothing, nothing, Simplex.draw(m)),
        }
    )
