"""Section 5: the four squares, the two models trained on them, and their errors on a grid, which stands for
the test sample.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from boundcheck.features.compiled.sgd import sgd_on_features, sgd_on_kernel

NOISE = 0.2
"""The probability of the rarer label."""


@dataclass(frozen=True)
class Squares:
    """X uniform on the four squares of |x_1|, |x_2| in [0.1, 1], and
    P(Y = 1 | X) = 0.8 where x_1 x_2 > 0, else 0.2.

    The text of the paper says neither which squares share a label, nor how X is distributed on them; Figure 1,
    which we have not seen, may show it.
    """

    cells: int = 40

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """n examples: X (n, 2) and y (n,)."""
        X = rng.uniform(0.1, 1, (n, 2)) * rng.choice([-1.0, 1.0], (n, 2))
        y = np.sign(X[:, 0] * X[:, 1]) * np.where(rng.random(n) < NOISE, -1.0, 1.0)
        return X, y

    @cached_property
    def axis(self) -> np.ndarray:
        """Coordinates of the grid: midpoints of `cells` cells in [0.1, 1] and of as many in [-1, -0.1]."""
        half = 0.1 + 0.9 * (np.arange(self.cells) + 0.5) / self.cells
        return np.concatenate([-half[::-1], half])

    @cached_property
    def side(self) -> np.ndarray:
        """sgn g_* on the grid."""
        return np.sign(np.multiply.outer(self.axis, self.axis))

    def excess_error(self, g: np.ndarray) -> np.ndarray:
        """R(g) - R(g_*), with sgn(0) = -1, of values on the grid along the last two axes."""
        wrong = np.where(g > 0, 1, -1) != self.side
        return (1 - 2 * NOISE) * wrong.mean(axis=(-2, -1))

    def loss(self, g: np.ndarray) -> np.ndarray:
        """E log(1 + exp(-Y g(X))) of values on the grid."""
        v = g * self.side
        return ((1 - NOISE) * np.logaddexp(0, -v) + NOISE * np.logaddexp(0, v)).mean(axis=(-2, -1))


@dataclass(frozen=True)
class Training:
    """Algorithm 1 with exp(-|x - y|^2 / (2 sigma^2)), averaged after each of the numbers of `steps`.

    The text does not say sigma, nor the start: here g_1 = 0. A random feature exp(i w^T x) is the pair
    (cos, sin), so that R = 1 and 1 / (L R^2) = 4.
    """

    sigma: float
    lam: float
    gamma: float
    steps: np.ndarray

    def on_features(self, X: np.ndarray, y: np.ndarray, W: np.ndarray, axis: np.ndarray) -> np.ndarray:
        """Values on the grid, (len(steps), m, m), for W (M, 2) in turns."""
        beta = sgd_on_features(X, y, W, (self.lam, self.gamma), self.steps) / np.sqrt(len(W))
        cosines, sines = np.split(beta, 2, axis=1)
        first, second = (np.exp(2j * np.pi * np.multiply.outer(axis, w)) for w in W.T)
        return np.stack(
            [((first * (c - 1j * s)) @ second.T).real for c, s in zip(cosines, sines, strict=True)]
        )

    def on_kernel(self, X: np.ndarray, y: np.ndarray, axis: np.ndarray) -> np.ndarray:
        """Values on the grid, (len(steps), m, m)."""
        coefficients = sgd_on_kernel(X, y, self.sigma, (self.lam, self.gamma), self.steps)
        first, second = (np.exp(-0.5 * np.subtract.outer(axis, x) ** 2 / self.sigma**2) for x in X.T)
        return np.stack([(first * c) @ second.T for c in coefficients])

    def frequencies(self, M: int, rng: np.random.Generator) -> np.ndarray:
        """w / (2 pi), w ~ N(0, I / sigma^2): (M, 2) in turns."""
        return rng.normal(size=(M, 2)) / (2 * np.pi * self.sigma)


def population_minimiser(squares: Squares, sigma: float, lam: float) -> np.ndarray:
    """g_lam on the grid, (m, m), for X uniform on the grid: Newton's method in the eigenbasis of the kernel
    matrix.
    """
    axis = squares.axis
    K = np.exp(-0.5 * np.subtract.outer(axis, axis) ** 2 / sigma**2)
    values, vectors = np.linalg.eigh(K)
    values, vectors = np.kron(values, values), np.kron(vectors, vectors)
    kept = values > 1e-9 * np.max(values)
    Z, label = vectors[:, kept] * np.sqrt(values[kept]), squares.side.ravel()
    beta = np.zeros(Z.shape[1])
    for _ in range(30):
        g = Z @ beta
        positive = 1 / (1 + np.exp(-g))
        slope = positive - np.where(label > 0, 1 - NOISE, NOISE)
        hessian = (Z.T * (positive * (1 - positive) / len(g))) @ Z + lam * np.eye(len(beta))
        step = np.linalg.solve(hessian, Z.T @ slope / len(g) + lam * beta)
        beta = beta - step
        if np.abs(step).max() < 1e-12:
            break
    return (Z @ beta).reshape(len(axis), -1)
