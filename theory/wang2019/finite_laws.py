"""Features and inputs drawn from finite laws (Wang 2019, Assumption 1, Sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import FIXED, Matrix, NonNegative, Raw, Signs, Simplex, Vector, integers, raw_of
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings import setting
from boundcheck.words.functions import smallest_eigenvalue, sqrt


@dataclass(frozen=True)
class PoolOfFeatures:
    """psi(x_i; v_j) at n training points and one test point, and the probability p_j of each v_j.

    The last row of the values belongs to the test point x'. The kernel is kappa = E_v psi psi: K is n x n,
    k_test is (n,).
    """

    values: Matrix("points", "m")
    p: Simplex("m")

    @staticmethod
    def member(case: PoolOfFeatures) -> bool:
        """There is a training point."""
        return case.n >= 1

    @property
    def n(self) -> int:
        """Number of training points."""
        return self.values.shape[0] - 1

    @cached_property
    def b(self) -> Any:
        """A bound on psi^2, here its largest value."""
        return np.max(self.values * self.values)

    @cached_property
    def kernel(self) -> Any:
        """kappa at all points, (n + 1) x (n + 1)."""
        return (self.values * self.p) @ np.transpose(self.values)

    @property
    def K(self) -> Any:
        return self.kernel[:-1, :-1]

    @property
    def k_test(self) -> Any:
        return self.kernel[:-1, -1]

    def features(self, s: int) -> Features:
        """s independent features."""
        rows = np.transpose(self.values)
        drawn = quantity(lambda rng, size: rng.choice(rows, (size, s), p=self.p))
        return Features(drawn.map(lambda x: np.swapaxes(x, -1, -2) / sqrt(s)))


@dataclass(frozen=True)
class Features:
    """s independent draws of v: Psi (n x s) at the training points and psi_test (s,) at the test point,
    over sqrt(s).
    """

    all: Quantity

    @cached_property
    def Psi(self) -> Quantity:
        return self.all[:-1]

    @cached_property
    def psi_test(self) -> Quantity:
        return self.all[-1]

    @cached_property
    def Kt(self) -> Quantity:
        """Psi Psi^T."""
        return self.Psi @ self.Psi.mT

    @cached_property
    def kt_test(self) -> Quantity:
        """Psi psi_test, (n,)."""
        return (self.Psi * self.psi_test[None, :]).map(lambda x: np.sum(x, axis=-1))


@setting
class RandomFeatures(PoolOfFeatures):
    """Features with any values, and any b >= psi^2."""

    spare: NonNegative

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few of everything, so that draws are enumerated; a b that is the least, or larger."""
        spare = {"spare": st.one_of(st.just(0.0), raw_of(NonNegative))}
        return _pool(3, lambda n, m: {"values": raw_of(Matrix, n + 1, m), "p": raw_of(Simplex, m), **spare})

    @cached_property
    def b(self) -> Any:
        """A bound on psi^2: its largest value, or more."""
        return np.max(self.values * self.values) + self.spare


Values = replace(Signs, chart=FIXED)
"""Signs that a search leaves alone."""


@setting
class SignFeatures(PoolOfFeatures):
    """Features with values +1 and -1: what Section 5 uses of sgn(x^T v)."""

    values: Values("points", "m")

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few of everything, so that draws are enumerated."""
        return _pool(4, lambda n, m: {"values": raw_of(Signs, n + 1, m), "p": raw_of(Simplex, m)})


def _pool(most: int, fields: Callable[[int, int], dict[str, SearchStrategy[Raw]]]) -> SearchStrategy[Raw]:
    """Raw fields for 1 to 3 training points and 1 to `most` features."""
    return st.tuples(st.integers(1, 3), st.integers(1, most)).flatmap(
        lambda sizes: st.fixed_dictionaries(fields(*sizes))
    )


@setting
class RandomInputs:
    """s given features psi(x; v_1..v_s) / sqrt(s) of an input x that takes m values with probabilities rho.

    The values are those before the division by sqrt(s).
    """

    values: Matrix("m", "s")
    rho: Simplex("m")

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few inputs and features, so that draws are enumerated."""
        return st.tuples(st.sampled_from((2, 2, 3)), st.integers(1, 3)).flatmap(lambda sizes: _inputs(*sizes))

    @property
    def s(self) -> int:
        return self.values.shape[1]

    @cached_property
    def b(self) -> Any:
        """max psi^2."""
        return np.max(self.values * self.values)

    @cached_property
    def psi(self) -> Any:
        """Feature vector of each input, m x s."""
        return self.values / sqrt(self.s)

    @cached_property
    def second_moment(self) -> Any:
        """E psi psi^T, s x s."""
        return np.transpose(self.psi) @ (self.psi * self.rho[:, None])

    def empirical_second_moment(self, n: int) -> Quantity:
        """Psi^T Psi / n over n independent inputs, s x s."""
        counts = quantity(lambda rng, size: rng.multinomial(n, self.rho, size))
        return counts.map(lambda N: np.transpose(self.psi) @ (self.psi * (N / n)[..., None]))


@setting
class RandomDesign:
    """All three sources of randomness of Theorem 1, each with a finite law, for one or two features.

    A domain of m points with probabilities rho, features psi(x; v) with probabilities p of the v, n training
    points and a test point drawn from rho, s <= 2 features drawn from p, targets y that are fixed beforehand.
    """

    values: Matrix("m", "k")
    rho: Simplex("m")
    p: Simplex("k")
    y: Vector("n")
    s: integers(1, 2)

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """Few of everything; or features that are next to zero at one point each, which training points do
        not show elsewhere.
        """
        sizes = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
        hiding = st.builds(_hiding, st.integers(2, 3), st.sampled_from((0.1, 0.01)))
        return st.one_of(sizes.flatmap(lambda sizes: _design(*sizes)), hiding)

    @property
    def n(self) -> int:
        return len(self.y)

    @cached_property
    def b(self) -> Any:
        return np.max(self.values * self.values)

    @cached_property
    def training(self) -> Quantity:
        """psi at the training points for every v, (n, k): a random row of `values` for each point."""
        return quantity(lambda rng, size: rng.choice(self.values, (size, self.n), p=self.rho))

    def energy(self, lam: Any) -> Quantity:
        """||K^(1/2) (K + n lam I)^-1 y||^2 of the drawn training points."""
        return self.training.map(
            lambda rows: np.sum(self.p * self._coefficients(rows, self.p, lam) ** 2, axis=-1)
        )

    def gap(self, lam: Any, on_event: bool = False) -> Quantity:
        """E over the test point and the s features of (ftilde - f)^2, for the drawn training points.

        With `on_event` the features for which the event (18) fails count as zero.
        """
        return self.training.map(lambda rows: self._gap(rows, lam, on_event))

    @cached_property
    def excess(self) -> Quantity:
        """Share of each point of the domain among n training points, less its probability, (m,)."""
        return quantity(lambda rng, size: rng.multinomial(self.n, self.rho, size)) / self.n - self.rho

    def slack(self, lam: Any) -> Quantity:
        """Smallest eigenvalue of Psi^T Psi / n + lam I - E psi psi^T, for s random features."""
        F = quantity(lambda rng, size: rng.choice(np.transpose(self.values), (size, self.s), p=self.p))
        return smallest_eigenvalue((F * self.excess[None, :]) @ F.mT / self.s + lam * np.eye(self.s))

    @property
    def _draws(self) -> np.ndarray:
        """All draws of s features, by number."""
        return np.indices((len(self.p),) * self.s).reshape(self.s, -1).T

    def _coefficients(self, Z: Any, weights: Any, lam: Any) -> Any:
        """Z^T (Z W Z^T + n lam I)^-1 y for features Z (..., n, k) with weights (k,), by the primal form:
        (..., k).

        The prediction at a point with features z is z^T W times it; small ridges cancel nothing here.
        """
        Zt = np.swapaxes(Z, -1, -2)
        A = (Zt @ Z) * weights + self.n * lam * np.eye(len(weights))
        return np.linalg.solve(A, Zt @ self.y[:, None])[..., 0]

    def _gap(self, rows: Any, lam: Any, on_event: bool) -> Any:
        draws, equal = self._draws, np.full(self.s, 1 / self.s)
        Z, tests = np.swapaxes(rows[..., draws], -3, -2), np.swapaxes(self.values[:, draws], 0, 1)
        ft = np.sum(tests * self._coefficients(Z, equal, lam)[..., None, :], axis=-1) / self.s
        f = np.sum(self.values * self.p * self._coefficients(rows, self.p, lam)[..., None, :], axis=-1)
        squares = np.sum((ft - f[..., None, :]) ** 2 * self.rho, axis=-1)
        if on_event:
            moment = np.swapaxes(Z, -1, -2) @ Z / self.n - np.swapaxes(tests, -1, -2) @ (
                tests * self.rho[:, None]
            )
            squares = np.where(
                smallest_eigenvalue(moment / self.s + lam * np.eye(self.s)) >= 0, squares, 0 * squares
            )
        return np.sum(squares * np.prod(self.p[draws], axis=1), axis=-1)


def _inputs(m: int, s: int) -> SearchStrategy[Raw]:
    return st.fixed_dictionaries({"values": raw_of(Matrix, m, s).map(_nonzero), "rho": raw_of(Simplex, m)})


def _design(m: int, k: int, n: int, s: int) -> SearchStrategy[Raw]:
    values, laws = raw_of(Matrix, m, k).map(_nonzero), {"rho": raw_of(Simplex, m), "p": raw_of(Simplex, k)}
    return st.fixed_dictionaries({"values": values, **laws, "y": raw_of(Vector, n), "s": st.just(s)})


def _hiding(m: int, t: float) -> Raw:
    """Feature j is t at point j and 1 elsewhere; one training point, one feature."""
    return {"values": 1 - (1 - t) * np.eye(m), "rho": np.ones(m), "p": np.ones(m), "y": np.ones(1), "s": 1}


def _nonzero(values: np.ndarray) -> np.ndarray:
    """Assumption 1 wants b > 0."""
    return values if np.any(values) else np.ones_like(values)
