"""Finite pools of random features, with their ridge leverage scores: their draws can be enumerated or counted."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import NONNEGATIVE, Chart, Matrix, Positive, Raw, Simplex, raw_of
from boundcheck.domains.chart import counting
from boundcheck.features.leverage import ridge_leverage_scores
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings.declared import setting

COPIES = (1, 2, 3, 10, 30, 100)
MOST_COPIES = 128


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


@setting
class WeightedFeatures:
    """A pool of features z_v(x) in R^n with probabilities p, a ridge lam, and l_tilde >= the ridge leverage scores.

    The pool is `copies` copies of a block: feature j of copy c is supported on the rows of copy c alone, so that one
    1 x 1 block gives the one-hot design K = I. Shapes: block Z is r x m, the pool Z is n x (m copies), n = r copies;
    K = sum_v p_v z_v z_v^T; q = l_tilde / d_tilde (Li et al. 2021, Section 2.2).
    """

    copies: int
    block: Any
    weights: Any
    lam: float
    surplus: Any

    charts = {"copies": counting(1, MOST_COPIES), "lam": Chart(0), "weights": NONNEGATIVE, "surplus": NONNEGATIVE, "block": Chart()}  # noqa: RUF012

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        shapes = [(1, 1), (1, 1), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
        return st.sampled_from(shapes).flatmap(_blocks)

    @classmethod
    def build(cls, raw: Raw) -> WeightedFeatures:
        p = raw["weights"] / np.sum(raw["weights"])
        return cls(int(raw["copies"]), raw["block"], p, raw["lam"], 1 + raw["surplus"])

    @property
    def n(self) -> int:
        """Number of points."""
        return self.copies * self.block.shape[0]

    @cached_property
    def K_block(self) -> Any:
        return (self.block * self.weights) @ np.transpose(self.block)

    @cached_property
    def K(self) -> Any:
        """Kernel matrix, n x n."""
        return np.kron(np.eye(self.copies), self.K_block)

    @cached_property
    def Z(self) -> Any:
        """The pool, one feature a column, n x (m copies)."""
        return np.kron(np.eye(self.copies), self.block) * np.sqrt(self.copies)

    @cached_property
    def p(self) -> Any:
        """Probability of each feature of the pool."""
        return np.tile(self.weights / self.copies, self.copies)

    @cached_property
    def leverage(self) -> Any:
        """Ridge leverage scores l_lam(v) = p_v z_v^T (K + n lam I)^-1 z_v of one block; the copies repeat them."""
        return ridge_leverage_scores(self.block, self.weights, self.K_block, self.n * self.lam)

    @cached_property
    def l_tilde(self) -> Any:
        return self.surplus * self.leverage

    @cached_property
    def d_eff(self) -> Any:
        """Effective dimension Tr K (K + n lam I)^-1, which is also the sum of the leverage scores."""
        return self.copies * np.sum(self.leverage)

    @cached_property
    def d_tilde(self) -> Any:
        """Sum of l_tilde."""
        return self.copies * np.sum(self.l_tilde)

    @cached_property
    def q(self) -> Any:
        """The distribution that the features are drawn from."""
        return np.tile(self.l_tilde / self.d_tilde, self.copies)

    @cached_property
    def largest_eigenvalue(self) -> Any:
        return np.linalg.eigvalsh(self.K_block)[-1]


def _blocks(shape: tuple[int, int]) -> SearchStrategy[Raw]:
    r, m = shape
    no_surplus = st.just(np.zeros(m))
    return st.fixed_dictionaries(
        {
            "copies": st.sampled_from(COPIES) if shape == (1, 1) else st.sampled_from((1, 1, 2, 5)),
            "block": raw_of(Matrix, r, m).map(lambda Z: np.where(np.any(Z != 0, axis=0), Z, 1.0)),
            "weights": raw_of(Simplex, m),
            "lam": st.one_of(st.sampled_from([1e-9, 1e-6, 1e-3]), raw_of(Positive)),
            "surplus": st.one_of(no_surplus, no_surplus, raw_of(Simplex, m)),
        }
    )


def _without_surplus(fields: Any) -> Any:
    return {name: field for name, field in fields.items() if name != "surplus"}


if TYPE_CHECKING:
    PlainFeatures = WeightedFeatures
else:

    @setting
    class PlainFeatures:
        """WeightedFeatures with l_tilde = p z0^2 / lam, so that q = p and d_tilde = z0^2 / lam; z0 the largest |z_v(x)|."""

        charts = _without_surplus(WeightedFeatures.charts)

        @staticmethod
        def draw() -> SearchStrategy[Raw]:
            return WeightedFeatures.draw().map(_without_surplus)

        @classmethod
        def build(cls, raw: Raw) -> WeightedFeatures:
            p = raw["weights"] / np.sum(raw["weights"])
            block, n = raw["block"], raw["copies"] * raw["block"].shape[0]
            K = (block * p) @ np.transpose(block)
            z0 = np.max(np.abs(block)) * np.sqrt(raw["copies"])
            surplus = p * z0**2 / raw["lam"] / ridge_leverage_scores(block, p, K, n * raw["lam"])
            return WeightedFeatures(int(raw["copies"]), block, p, raw["lam"], surplus)
