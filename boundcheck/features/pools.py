"""Finite pools of random features with ridge leverage scores, whose draws can be enumerated or counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import (
    NONNEGATIVE,
    Domain,
    Matrix,
    Positive,
    Raw,
    Simplex,
    integers,
    raw_of,
)
from boundcheck.domains.conditions import Condition, le
from boundcheck.features.leverage import ridge_leverage_scores
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings import setting

COPIES = (1, 2, 3, 10, 30, 100)
MOST_COPIES = 128


def _at_least_one(x: object, *_: Any) -> Iterator[Condition]:
    yield le(1, x)


def _surplus(m: int) -> SearchStrategy[Raw]:
    """What is added to 1: nothing, as for exact leverage scores, or weights."""
    nothing = st.just(np.zeros(m))
    return st.one_of(nothing, nothing, raw_of(Simplex, m))


def _nonzero_features(n: int, m: int) -> SearchStrategy[Raw]:
    return raw_of(Matrix, n, m).map(
        lambda Z: np.where(np.any(Z != 0, axis=0), Z, 1.0)
    )


def _ridge(*corners: float) -> SearchStrategy[Raw]:
    return st.one_of(st.sampled_from(corners), raw_of(Positive))


if TYPE_CHECKING:
    Surplus: Any = None
    Copies = int
else:
    Surplus = Domain(
        "[1, inf)^{0}", _surplus, lambda raw: 1 + raw, ("m",), NONNEGATIVE, _at_least_one, axes=(0,)
    )  # fmt: skip
    Copies = replace(integers(1, MOST_COPIES), build=int)


@setting
class FeaturePool:
    """Features z_v(x_1), ..., z_v(x_n) with probabilities p_v, a ridge lam, and bounds l_tilde on the scores.

    One feature a column of Z, n, m <= 3; leverage, l_tilde and q are (m,). K = sum_v p_v z_v z_v^T and
    q = l_tilde / d_tilde (Li et al. 2021, Section 2.2). l_tilde is `surplus` times the scores.
    """

    Z: Matrix("n", "m")
    p: Simplex("m")
    lam: Positive
    surplus: Surplus("m")

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few features, none of them zero, ridges that are small, and leverage scores that are exact."""
        shapes = [
            (1, 1),
            (1, 2),
            (2, 1),
            (2, 2),
            (2, 2),
            (2, 2),
            (2, 3),
            (3, 2),
            (3, 3),
        ]
        return st.sampled_from(shapes).flatmap(lambda shape: _pool(*shape))

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

    @property
    def d_1(self) -> Any:
        """lambda_1(K) / (lambda_1(K) + n lam), the largest eigenvalue of K (K + n lam I)^-1."""
        return self.largest_eigenvalue / (
            self.largest_eigenvalue + self.n * self.lam
        )

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
        return counts.map(
            lambda N: (
                (self.Z * (self.p * N / (q * s))[..., None, :])
                @ np.transpose(self.Z)
            )
        )


def _pool(n: int, m: int) -> SearchStrategy[Raw]:
    p = raw_of(Simplex, m).map(lambda w: np.where(w > 0, w, 1.0))
    lam = _ridge(1e-6, 1e-3, 1e-2, 0.1)
    return st.fixed_dictionaries(
        {
            "Z": _nonzero_features(n, m),
            "p": p,
            "lam": lam,
            "surplus": _surplus(m),
        }
    )


@dataclass(frozen=True)
class CopiedFeatures:
    """A pool of features z_v(x) in R^n with probabilities p, and a ridge lam.

    The pool is `copies` copies of a block: feature j of copy c is supported on the rows of copy c alone, so
    that one 1 x 1 block gives the one-hot design K = I. Shapes: the pool Z is n x (m copies), n = r copies;
    K = sum_v p_v z_v z_v^T; q = l_tilde / d_tilde (Li et al. 2021, Section 2.2).
    """

    copies: Copies
    block: Matrix("r", "m")
    weights: Simplex("m")
    lam: Positive

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
        """Ridge leverage scores p_v z_v^T (K + n lam I)^-1 z_v of one block; the copies repeat them."""
        return ridge_leverage_scores(
            self.block, self.weights, self.K_block, self.n * self.lam
        )

    @property
    def l_tilde(self) -> Any:
        """Bounds on the leverage scores of one block."""
        raise NotImplementedError

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

    @property
    def d_1(self) -> Any:
        """lambda_1(K) / (lambda_1(K) + n lam), the largest eigenvalue of K (K + n lam I)^-1."""
        return self.largest_eigenvalue / (
            self.largest_eigenvalue + self.n * self.lam
        )


@setting
class WeightedFeatures(CopiedFeatures):
    """A pool of copied features, with l_tilde >= the ridge leverage scores: `surplus` times them."""

    surplus: Surplus("m")

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Mostly copies of one feature; ridges that are small, and leverage scores that are exact."""
        return _blocks(lambda m: {"surplus": _surplus(m)})

    @cached_property
    def l_tilde(self) -> Any:
        return self.surplus * self.leverage


@setting
class PlainFeatures(CopiedFeatures):
    """A pool of copied features, with l_tilde = p z0^2 / lam, z0 the largest |z_v(x)|: q = p and
    d_tilde = z0^2 / lam.
    """

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """As weighted features are."""
        return _blocks(lambda m: {})

    @cached_property
    def z0(self) -> Any:
        return np.max(np.abs(self.block)) * np.sqrt(self.copies)

    @cached_property
    def l_tilde(self) -> Any:
        return self.weights / self.copies * self.z0**2 / self.lam


def _blocks(more: Any) -> SearchStrategy[Raw]:
    """Raw numbers of the fields, and of `more(m)`."""
    shapes = [
        (1, 1),
        (1, 1),
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
    ]
    return st.sampled_from(shapes).flatmap(
        lambda shape: _block(*shape, more(shape[1]))
    )


def _block(
    r: int, m: int, more: dict[str, SearchStrategy[Raw]]
) -> SearchStrategy[Raw]:
    copies, block = (
        st.sampled_from(COPIES if r == m == 1 else (1, 1, 2, 5)),
        _nonzero_features(r, m),
    )
    weights, lam = raw_of(Simplex, m), _ridge(1e-9, 1e-6, 1e-3)
    return st.fixed_dictionaries(
        {
            "copies": copies,
            "block": block,
            "weights": weights,
            "lam": lam,
            **more,
        }
    )
