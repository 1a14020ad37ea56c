"""Minimisers of the regularised risk: logistic ones exact or with a certified radius; squared and hinge loss.

A function of the space of K is written g = rho^(-1/2) T^(1/2) h with its norm ||h||, in the orthonormal basis
of the inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from boundcheck import (
    PositiveDefinite,
    Simplex,
    Unit,
    Vector,
    assume,
    exp,
    maximum,
    minimum,
    norm,
    psd_sqrt,
    setting,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.words.functions import identity

from .finite_classification import FiniteClassification

NEWTON_STEPS = 3


@setting
class LogisticMinimiser:
    """A kernel matrix K at the inputs, their law rho, and the dual coefficients a of g_lam for the logistic
    loss.

    The label law is the one for which g_lam = K a is the minimiser: eta = 1 / (1 + exp(-g_lam)) + lam
    a / rho; lam is a share of a value, about the largest, for which eta stays in [0, 1]. Shapes: K n x n, weights
    and a (n,). Instances with |g_lam| > 30, or R ||g_*|| > 300 where mu is used, do not count (Yashima,
    Nitanda and Suzuki 2021, Appendix F).
    """

    K: PositiveDefinite("n")
    weights: Simplex("n")
    a: Vector("n")
    share: Unit

    @cached_property
    def rho(self) -> Any:
        """Every input has some probability."""
        return (self.weights + 1 / 100) / np.sum(self.weights + 1 / 100)

    @cached_property
    def g(self) -> Any:
        """g_lam at the inputs, (n,)."""
        g = self.K @ self.a
        assume(abs(g) <= 30)
        return g

    @cached_property
    def lam(self) -> Any:
        room = np.where(self.a > 0, 1 / (1 + exp(self.g)), 1 / (1 + exp(-self.g)))
        return self.share * np.min(self.rho * room / (abs(self.a) + 0.001))

    @cached_property
    def eta(self) -> Any:
        """P(Y = 1 | x_i), (n,)."""
        return 1 / (1 + exp(-self.g)) + self.lam * self.a / self.rho

    @cached_property
    def best(self) -> Any:
        """g_* at the inputs, (n,)."""
        return np.log(self.eta) - np.log(1 - self.eta)

    @cached_property
    def size(self) -> Any:
        """||g_*|| in H."""
        return sqrt(self.best @ solve(self.K, self.best[:, None])[:, 0])

    @cached_property
    def size_lam(self) -> Any:
        """||g_lam|| in H."""
        return sqrt(self.a @ self.K @ self.a)

    @cached_property
    def R(self) -> Any:
        return sqrt(np.max(np.diagonal(self.K)))

    @cached_property
    def mu(self) -> Any:
        """mu(R ||g_*||) of Assumption 8: the curvature of the logistic loss there."""
        U = self.R * self.size
        assume(U <= 300)
        return 1 / (2 + exp(U) + exp(-U))

    @cached_property
    def square(self) -> Any:
        """||g_lam - g_*||^2 in L2(rho)."""
        return np.sum(self.rho * (self.g - self.best) ** 2)


@dataclass(frozen=True)
class LogisticPair:
    """Minimisers of the logistic risk in H and in H_M, whose features have the shares `share` (m,).

    A function of the space of K is g = rho^(-1/2) T^(1/2) h with the norm ||h||, in the orthonormal basis
    of the inputs. h and h_M come from Newton steps; ||gradient|| / lam bounds their distance from the
    minimisers, by strong convexity.
    """

    case: FiniteClassification
    share: Any
    lam: Any

    @cached_property
    def T_M(self) -> Any:
        return self.case.on_inputs(self.case.kernel(self.share, np.sum(self.share)))

    @cached_property
    def roots(self) -> Any:
        """T^(1/2) and T_M^(1/2), 2 x n x n."""
        return psd_sqrt(np.stack([self.case.T, self.T_M]))

    @property
    def root(self) -> Any:
        return self.roots[0]

    @property
    def root_M(self) -> Any:
        return self.roots[1]

    @property
    def h(self) -> Any:
        return self._both[0]

    @property
    def h_M(self) -> Any:
        return self._both[1]

    @cached_property
    def radius(self) -> Any:
        """A bound on the distance of h and of h_M from the minimisers."""
        return np.max(norm(self._gradient(self._both, self._slope(self._both)))) / self.lam

    def values(self, root: Any, h: Any) -> Any:
        """The function of h at the inputs, (..., n)."""
        return (root @ h[..., None])[..., 0] / sqrt(self.case.rho)

    def _slope(self, h: Any) -> Any:
        """1 / (1 + exp(-g)) at the inputs, 2 x n."""
        return 1 / (1 + exp(-self.values(self.roots, h)))

    def _gradient(self, h: Any, slope: Any) -> Any:
        return (self.roots @ (sqrt(self.case.rho) * (slope - self.case.eta))[..., None])[
            ..., 0
        ] + self.lam * h

    @cached_property
    def _both(self) -> Any:
        """Newton's method in both spaces at once, 2 x n."""
        h = np.zeros((2, self.case.n))
        for _ in range(NEWTON_STEPS):
            s = self._slope(h)
            A = (self.roots * (s * (1 - s))[:, None, :]) @ self.roots + self.lam * np.eye(self.case.n)
            h = h - solve(A, self._gradient(h, s)[..., None])[..., 0]
        return h


def signal(case):
    """rho^(1/2) E[Y | x], (n,)."""
    return sqrt(case.rho) * (2 * case.eta - 1)


def ridge_minimiser(case, T, lam):
    """rho^(1/2) g of the minimiser for the squared loss (1 - v)^2 / 2: (T + lam I)^-1 T rho^(1/2)
    E[Y | x], (..., n).
    """
    return solve(T + lam * identity(case.n), (T @ signal(case))[..., None])[..., 0]


def clipped_minimiser(k, share, lam):
    """Values of the minimiser for the hinge loss and a diagonal kernel k, from share = rho
    E[Y | x], (..., n).
    """
    return maximum(minimum(k * share / lam, 1), -1)


def logistic_pair(case, share, lam):
    """The two minimisers of the logistic risk, where R^2 <= 20 lam and Newton's method has found them."""
    pair = LogisticPair(case, share[: len(case.tau)], lam)
    assume(np.sum(pair.share) > 0)
    assume(case.R**2 <= 20 * lam)
    assume(pair.radius <= 1e-6)
    return pair
