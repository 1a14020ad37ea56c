"""A few steps of averaged stochastic gradient descent on finitely many inputs: every path of examples can be
enumerated.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import (
    FIXED,
    Box,
    Matrix,
    NonNegative,
    Positive,
    Raw,
    Simplex,
    Vector,
    integers,
    raw_of,
)
from boundcheck.laws.quantities import Quantity, quantity
from boundcheck.settings import setting
from boundcheck.words.functions import exp, log, maximum, sqrt

Steps = replace(integers(1, 3), chart=FIXED, build=int)
"""A number of steps that goes with the sizes, so that a search leaves it alone."""


@setting
class SgdPaths:
    """Features phi(x_i, omega_j), inputs rho, labels
    P(Y = 1 | x_i) = mu_i, the loss log(1 + exp(-b v)) / b, and T steps.

    The minimiser of risk + lam / 2 ||beta||^2 is stated by its dual a, beta = Phi^T (rho a) / lam
    with Phi = values / sqrt(M), and mu = sigmoid(b Phi beta) + a makes it the
    minimiser: no solver. `possible` says that mu lies in (0, 1). G = 1, L = b / 4,
    R = max |phi| (Yashima, Nitanda and Suzuki 2021, Assumptions 1, 2 and 4).
    """

    values: Matrix("n", "M")
    rho: Simplex("n")
    dual: Box("n", -1, 1)
    start: Vector("M")
    lam: Positive
    b: Positive
    slack: NonNegative
    T: Steps

    @staticmethod
    def draw() -> SearchStrategy[Raw]:
        """So few inputs and steps that paths are enumerated, and minimisers of every size."""
        shapes = [(1, 1, 1), (1, 1, 2), (1, 1, 3), (1, 2, 2), (2, 1, 1), (2, 2, 2)]
        return st.sampled_from(shapes).flatmap(lambda shape: _problem(*shape))

    @property
    def n(self) -> int:
        return self.values.shape[0]

    @cached_property
    def Phi(self) -> Any:
        """phi_M at the inputs, n x M."""
        return self.values / sqrt(self.values.shape[1])

    @cached_property
    def R(self) -> Any:
        return np.max(abs(self.values))

    @property
    def L(self) -> Any:
        """Smoothness of the loss in its first variable."""
        return self.b / 4

    @cached_property
    def minimiser(self) -> Any:
        """Coefficients of g_(M, lam), (M,)."""
        return np.transpose(self.Phi) @ (self.rho * self.dual) / self.lam

    @cached_property
    def mu(self) -> Any:
        return 1 / (1 + exp(-self.b * (self.Phi @ self.minimiser))) + self.dual

    @property
    def possible(self) -> Any:
        return (self.mu > 0) & (self.mu < 1)

    @cached_property
    def bayes(self) -> Any:
        """g_* = h_*(mu) at the inputs."""
        return log(self.mu / (1 - self.mu)) / self.b

    def offset(self, smoothness: Any) -> Any:
        """gamma with eta_1 = 2 / (lam (gamma + 1)) at most 1 / smoothness and 1 / (2 lam), `slack` above the
        least.
        """
        return maximum(4, 2 * smoothness / self.lam) * (1 + self.slack) - 1

    def inside(self, gamma: Any) -> Any:
        """The start, drawn back to norm (2 eta_1 + 1 / lam) G R where it is longer."""
        radius = (4 / (gamma + 1) + 1) / self.lam * self.R
        return self.start * (radius / maximum(radius, sqrt(np.sum(self.start**2))))

    @cached_property
    def examples(self) -> Quantity:
        """y phi_M(x) of T independent examples, (T, M)."""
        rows = np.concatenate([self.Phi, -self.Phi])
        p = np.concatenate([self.rho * self.mu, self.rho * (1 - self.mu)])
        return quantity(lambda rng, size: rng.choice(rows, (size, self.T), p=p / np.sum(p)))

    def path(self, first: Any, signs: Any) -> Any:
        """The signed examples of one path, (T, M): inputs in their order from number `first`,
        labels `signs`.
        """
        return np.stack([signs[t] * self.Phi[(int(first) + t) % self.n] for t in range(self.T)])

    def weights(self, gamma: Any) -> list[Any]:
        """alpha_1, ..., alpha_(T+1)."""
        return [2 * (gamma + t) / ((2 * gamma + self.T) * (self.T + 1)) for t in range(self.T + 1)]

    def average(self, start: Any, gamma: Any) -> Quantity:
        """The average of the iterates with the weights alpha_t, (M,)."""
        weights = self.weights(gamma)
        return self.examples.map(
            lambda u: sum(w * beta for w, beta in zip(weights, self.run(u, start, gamma), strict=True))
        )

    def step(self, beta: Any, u: Any, eta: Any) -> Any:
        """One step from beta with the signed example u = y phi_M(x), both (..., M)."""
        push = 1 / (1 + exp(self.b * np.sum(beta * u, axis=-1)))
        return (1 - eta * self.lam) * beta + eta * push[..., None] * u

    def objective(self, beta: Any) -> Any:
        """E l(g(X), Y) + lam / 2 ||beta||^2."""
        v = self.b * (self.Phi @ beta)
        losses = [maximum(-u, 0) + np.log1p(exp(-abs(u))) for u in (v, -v)]
        return np.sum(
            self.rho * (self.mu * losses[0] + (1 - self.mu) * losses[1])
        ) / self.b + self.lam / 2 * np.sum(beta**2)

    def excess(self, average: Quantity) -> Quantity:
        """R(g) - R(E[Y | x]) of coefficients (M,), with sgn(0) = -1."""
        cost = self.rho * (2 * self.mu - 1)
        positive, negative = maximum(-cost, 0), maximum(cost, 0)
        return average.map(
            lambda beta: np.sum(np.where(beta @ np.transpose(self.Phi) > 0, positive, negative), axis=-1)
        )

    def run(self, u: Any, start: Any, gamma: Any) -> list[Any]:
        """beta_1, ..., beta_(T+1), each (..., M), for signed examples u (..., T, M)."""
        betas = [start + 0 * u[..., 0, :]]
        for t in range(self.T):
            betas.append(self.step(betas[-1], u[..., t, :], 2 / (self.lam * (gamma + t + 1))))
        return betas


def _problem(n: int, M: int, T: int) -> SearchStrategy[Raw]:
    return st.builds(
        _scaled,
        raw_of(Matrix, n, M).map(lambda Z: np.where(Z == 0, 1.0, Z)),
        st.fixed_dictionaries(
            {"rho": raw_of(Simplex, n).map(lambda w: np.where(w > 0, w, 1.0)), "start": _start(M)}
        ),
        st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.1, 0.5, 1.0]), min_size=n, max_size=n).map(np.array),
        st.sampled_from([0.01, 0.1, 0.5, 1.0, 2.0, 5.0]),
        st.fixed_dictionaries(
            {
                "lam": raw_of(Positive),
                "b": raw_of(Positive),
                "slack": st.one_of(st.just(0.0), raw_of(NonNegative)),
                "T": st.just(T),
            }
        ),
    )


def _start(M: int) -> SearchStrategy[np.ndarray]:
    return st.one_of(st.just(np.zeros(M)), raw_of(Vector, M))


def _scaled(values: np.ndarray, inputs: Raw, dual: np.ndarray, level: float, rest: Raw) -> Raw:
    """The dual scaled so that the largest |b g| is `level`, and at most 0.4."""
    rho = inputs["rho"] / np.sum(inputs["rho"])
    g = values @ (values.T @ (rho * dual)) / values.shape[1]
    scale = level * rest["lam"] / max(rest["b"] * np.max(np.abs(g)), 1e-300)
    return {"values": values, **inputs, "dual": dual * min(0.4, scale), **rest}
