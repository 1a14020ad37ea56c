"""Fourier features at a few points with labels: plain, leverage and surrogate leverage scores (Liu et al. 2020)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import FIXED, NONNEGATIVE, POSITIVE, REAL, Positive, Raw, Simplex, Vector, raw_of
from boundcheck.features.leverage import ridge_leverage_scores
from boundcheck.features.pools import WeightedFeatures
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings.declared import setting

FREQUENCIES = np.arange(4)
COSINES, SINES = np.array([1.0, 0.0, -1.0, 0.0]), np.array([0.0, 1.0, 0.0, -1.0])
SIGNS = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0]])
"""The characters 1, (-1)^x_1 and (-1)^x_2 at the corners of {0, 1}^2."""


@setting
class FourierFeatures:
    """Features z_w(x) = exp(-i w x) = C - i S for w in {0, 1, 2, 3} pi / 2, integer points x, labels y, a ridge lam.

    Shapes: C and S are n x 4, with entries 0 and +-1; p (4,) is a symmetric spectral law, p_1 = p_3, so that
    k(x - x') = sum_w p_w cos(w (x - x')) is real and shift-invariant, with k(0) = 1. Forms z^* A z are real for real A.
    """

    C: Any
    S: Any
    p: Any
    y: Any
    lam: float

    charts = {"C": FIXED, "S": FIXED, "weights": NONNEGATIVE, "y": REAL, "lam": POSITIVE}  # noqa: RUF012

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        return st.integers(1, 3).flatmap(_fourier)

    @classmethod
    def build(cls, raw: Raw) -> FourierFeatures:
        a, b, c = (raw["weights"][k] for k in range(3))
        p = np.stack([a, b, c, b]) / (a + b + b + c)
        return cls(raw["C"], raw["S"], p, raw["y"], raw["lam"])

    @staticmethod
    def member(case: FourierFeatures) -> list[Any]:
        """The columns of C + i S are 1, z, z^2 and z^3, where z is a fourth root of 1."""
        (one, x, x2, x3), (zero, y, y2, y3) = np.transpose(case.C), np.transpose(case.S)
        return [one == 1, zero == 0, x * x + y * y == 1, x * y == 0, x2 == x * x - y * y, y2 == 0, x3 == x * x2, y3 == y * x2]

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.y)

    def real(self, shares: Any) -> Any:
        """Real part of sum_w share_w z_w z_w^*, n x n; shares (4,) or, per trial, (T, 4)."""
        shares = shares[..., None, :]
        return (self.C * shares) @ np.transpose(self.C) + (self.S * shares) @ np.transpose(self.S)

    def imaginary(self, shares: Any) -> Any:
        """Imaginary part of sum_w share_w z_w z_w^*."""
        shares = shares[..., None, :]
        return (self.C * shares) @ np.transpose(self.S) - (self.S * shares) @ np.transpose(self.C)

    def form(self, A: Any) -> Any:
        """z_w^* A z_w for each w, (4,); A real and symmetric."""
        return np.sum(self.C * (A @ self.C), axis=0) + np.sum(self.S * (A @ self.S), axis=0)

    @cached_property
    def K(self) -> Any:
        return self.real(self.p)

    @cached_property
    def ridge(self) -> Any:
        """n lam I."""
        return self.n * self.lam * np.eye(self.n)

    @cached_property
    def largest_eigenvalue(self) -> Any:
        return np.linalg.eigvalsh(self.K)[-1]

    @cached_property
    def leverage(self) -> Any:
        """l_lam(w) = p(w) z_w^* (K + n lam I)^-1 z_w."""
        return self.p * self.form(np.linalg.inv(self.K + self.ridge))

    @cached_property
    def d_eff(self) -> Any:
        return np.sum(np.diagonal(np.linalg.solve(self.K + self.ridge, self.K)))

    @cached_property
    def alignment(self) -> Any:
        """|y^T z_w|^2."""
        return (self.y @ self.C) ** 2 + (self.y @ self.S) ** 2

    @cached_property
    def surrogate(self) -> Any:
        """L_lam(w) = p(w) z_w^* (y y^T + n I) z_w / (n^2 lam)."""
        A = self.y[:, None] * self.y[None, :] + self.n * np.eye(self.n)
        return self.p * self.form(A) / (self.n**2 * self.lam)

    @cached_property
    def D(self) -> Any:
        """Tr[(y y^T + n I) K] / (n^2 lam)."""
        return (self.y @ self.K @ self.y + self.n * np.trace(self.K)) / (self.n**2 * self.lam)

    @property
    def q(self) -> Any:
        """L_lam / D, what the surrogate method samples from."""
        return self.surrogate / self.D

    def shares(self, s: int, q: Any) -> Quantity:
        """How often each of the four w is drawn, over s q_w: s draws from q."""
        return quantity(lambda rng, size: rng.multinomial(s, q, size)).map(lambda N: N / (s * q))


if TYPE_CHECKING:
    SurrogateFeatures = WeightedFeatures
else:

    @setting
    class SurrogateFeatures:
        """WeightedFeatures that are the characters 1, (-1)^x_1, (-1)^x_2 at points of {0, 1}^2, with l_tilde = L_lam."""

        charts = {"Z": FIXED, "weights": NONNEGATIVE, "y": REAL, "lam": POSITIVE}  # noqa: RUF012

        @staticmethod
        def draw() -> SearchStrategy[Raw]:
            return st.sampled_from([(1, 2), (2, 2), (2, 3), (3, 3), (4, 2), (4, 3)]).flatmap(lambda shape: _signs(*shape))

        @classmethod
        def build(cls, raw: Raw) -> WeightedFeatures:
            Z, y, lam, n = raw["Z"], raw["y"], raw["lam"], raw["Z"].shape[0]
            p = raw["weights"] / np.sum(raw["weights"])
            surrogate = p * ((y @ Z) ** 2 + n * n) / (n * n * lam)
            surplus = surrogate / ridge_leverage_scores(Z, p, (Z * p) @ np.transpose(Z), n * lam) - 1
            return WeightedFeatures(1, Z, p, lam, 1 + surplus)

        @staticmethod
        def member(case: WeightedFeatures) -> list[Any]:
            return [case.block * case.block == 1, case.block[:, 0] == 1]


def _positive_weights(m: int) -> SearchStrategy[Any]:
    return raw_of(Simplex, m).map(lambda w: np.where(w > 0, w, 1.0))


def _rest(n: int, m: int) -> dict[str, SearchStrategy[Any]]:
    ridge = st.one_of(st.sampled_from([1e-6, 1e-3, 1e-2, 0.1, 0.3]), raw_of(Positive))
    labels = st.one_of(raw_of(Vector, n), st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n).map(np.array))
    return {"weights": _positive_weights(m), "y": labels, "lam": ridge}


def _fourier(n: int) -> SearchStrategy[Raw]:
    points = st.lists(st.integers(0, 3), min_size=n, max_size=n).map(np.array)
    tables = points.map(lambda x: np.outer(x, FREQUENCIES) % 4)
    rest = st.fixed_dictionaries(_rest(n, 3))
    return st.builds(lambda k, others: {"C": COSINES[k], "S": SINES[k], **others}, tables, rest)


def _signs(n: int, m: int) -> SearchStrategy[Raw]:
    rows = st.lists(st.integers(0, 3), min_size=n, max_size=n).map(np.array)
    return st.fixed_dictionaries({"Z": rows.map(lambda r: SIGNS[r][:, :m]), **_rest(n, m)})
