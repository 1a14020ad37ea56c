"""Fourier features at a few points with labels: plain, leverage and surrogate leverage scores
(Liu et al. 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import (
    FIXED,
    NONNEGATIVE,
    Domain,
    Matrix,
    Positive,
    Raw,
    Signs,
    Simplex,
    Vector,
    integers,
    raw_of,
)
from boundcheck.domains.conditions import Condition, eq, le
from boundcheck.features.pools import CopiedFeatures
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings import setting

FREQUENCIES = np.arange(4)
COSINES, SINES = np.array([1.0, 0.0, -1.0, 0.0]), np.array([0.0, 1.0, 0.0, -1.0])
SIGNS = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0]])
"""The characters 1, (-1)^x_1 and (-1)^x_2 at the corners of {0, 1}^2."""

Characters = replace(Signs, chart=FIXED)
Table = replace(Matrix, chart=FIXED)
"""Arrays that a search leaves alone."""

One = replace(integers(1, 1), build=int)


def _symmetric(weights: Any) -> Any:
    a, b, c = (weights[k] for k in range(3))
    return np.stack([a, b, c, b]) / (a + b + b + c)


def _is_symmetric_law(p: Any, *_: Any) -> Iterator[Condition]:
    yield from (le(0, p), eq(np.sum(p), 1), eq(p[1], p[3]))


def _positive_weights(m: int) -> SearchStrategy[Raw]:
    return raw_of(Simplex, m).map(lambda w: np.where(w > 0, w, 1.0))


SymmetricLaw = Domain(
    "probability vectors of length 4 with p_1 = p_3", lambda _: _positive_weights(3), _symmetric, (4,),
    NONNEGATIVE, _is_symmetric_law, (0,),
)  # fmt: skip


@setting
class FourierFeatures:
    """Features z_w(x) = exp(-i w x) = C - i S for w in {0, 1, 2, 3} pi / 2, integer points x, labels y,
    a ridge lam.

    C and S have entries 0 and +-1; p is a symmetric spectral law, p_1 = p_3, so that k(x - x') = sum_w p_w
    cos(w (x - x')) is real and shift-invariant, with k(0) = 1. Forms z^* A z are real for real, symmetric A.
    """

    C: Table("n", 4)
    S: Table("n", 4)
    p: SymmetricLaw
    y: Vector("n")
    lam: Positive

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """One to three points, and labels that are signs as often as not."""
        return st.integers(1, 3).flatmap(_fourier)

    @staticmethod
    def member(case: FourierFeatures) -> list[Any]:
        """The columns of C + i S are 1, z, z^2 and z^3, where z is a fourth root of 1."""
        (one, x, x2, x3), (zero, y, y2, y3) = np.transpose(case.C), np.transpose(case.S)
        return [
            one == 1,
            zero == 0,
            x * x + y * y == 1,
            x * y == 0,
            x2 == x * x - y * y,
            y2 == 0,
            x3 == x * x2,
            y3 == y * x2,
        ]

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

    @property
    def d_1(self) -> Any:
        """lambda_1(K) / (lambda_1(K) + n lam), the largest eigenvalue of K (K + n lam I)^-1."""
        return self.largest_eigenvalue / (self.largest_eigenvalue + self.n * self.lam)

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


@setting
class SurrogateFeatures(CopiedFeatures):
    """The characters 1, (-1)^x_1, (-1)^x_2 at points of {0, 1}^2, labels y, a ridge lam, and l_tilde = L_lam;
    one copy.
    """

    copies: One
    block: Characters("n", "m")
    y: Vector("n")

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Two or three features, all of them possible."""
        return st.sampled_from([(1, 2), (2, 2), (2, 3), (3, 3), (4, 2), (4, 3)]).flatmap(
            lambda shape: _signs(*shape)
        )

    @staticmethod
    def member(case: SurrogateFeatures) -> Any:
        return case.block[:, 0] == 1

    @cached_property
    def l_tilde(self) -> Any:
        """L_lam(v) = p_v z_v^T (y y^T + n I) z_v / (n^2 lam)."""
        return self.weights * ((self.y @ self.block) ** 2 + self.n**2) / (self.n**2 * self.lam)


def _labelled(n: int) -> dict[str, SearchStrategy[Raw]]:
    ridge = st.one_of(st.sampled_from([1e-6, 1e-3, 1e-2, 0.1, 0.3]), raw_of(Positive))
    labels = st.one_of(
        raw_of(Vector, n), st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n).map(np.array)
    )
    return {"y": labels, "lam": ridge}


def _fourier(n: int) -> SearchStrategy[Raw]:
    points = st.lists(st.integers(0, 3), min_size=n, max_size=n).map(np.array)
    tables = points.map(lambda x: np.outer(x, FREQUENCIES) % 4)
    rest = st.fixed_dictionaries({"p": _positive_weights(3), **_labelled(n)})
    return st.builds(lambda k, others: {"C": COSINES[k], "S": SINES[k], **others}, tables, rest)


def _signs(n: int, m: int) -> SearchStrategy[Raw]:
    rows = st.lists(st.integers(0, 3), min_size=n, max_size=n).map(np.array)
    block, weights = rows.map(lambda r: SIGNS[r][:, :m]), _positive_weights(m)
    return st.fixed_dictionaries({"copies": st.just(1), "block": block, "weights": weights, **_labelled(n)})
