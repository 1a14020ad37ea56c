"""Kernel matrices of a point set with itself."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.task import OURS, Contender, compiled, optional, task
from boundcheck.compiled import kernels

SIGMA = 2.0


def _points(quick: bool) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(300 if quick else 2000, 10))


def _squared_distances(X: Any) -> Any:
    """By the inner products, as NumPy, JAX and scikit-learn users write it."""
    squares = (X**2).sum(axis=1)
    return squares[:, None] + squares - 2 * X @ X.T


@task("Gaussian kernel matrix", "n = 2000, d = 10", best=1.3, plain=2.5)
def gaussian_kernel(quick: bool) -> Iterator[Contender]:
    X, gamma = _points(quick), 0.5 / SIGMA**2
    yield Contender(OURS, lambda: kernels.gaussian_kernel(X, X, SIGMA))
    yield Contender("numpy", lambda: np.exp(-gamma * _squared_distances(X)))
    yield Contender("scipy", lambda: np.exp(-gamma * cdist(X, X, "sqeuclidean")))
    if sklearn := optional("sklearn.metrics.pairwise"):
        yield Contender("scikit-learn", lambda: sklearn.rbf_kernel(X, gamma=gamma))
    if torch := optional("torch"):
        tX = torch.from_numpy(X)
        yield Contender("torch", lambda: torch.exp(-gamma * torch.cdist(tX, tX) ** 2))
    if jax := optional("jax"):
        yield Contender("jax", compiled(lambda X: jax.numpy.exp(-gamma * _squared_distances(X)), X))


@task("Laplace kernel matrix", "n = 2000, d = 10", best=2, plain=2.4)
def laplace_kernel(quick: bool) -> Iterator[Contender]:
    X = _points(quick)
    yield Contender(OURS, lambda: kernels.laplace_kernel(X, X, SIGMA))
    yield Contender("scipy", lambda: np.exp(-cdist(X, X, "cityblock") / SIGMA))
    if sklearn := optional("sklearn.metrics.pairwise"):
        yield Contender("scikit-learn", lambda: sklearn.laplacian_kernel(X, gamma=1 / SIGMA))
    if torch := optional("torch"):
        tX = torch.from_numpy(X)
        yield Contender("torch", lambda: torch.exp(-torch.cdist(tX, tX, p=1.0) / SIGMA))
    if jax := optional("jax"):

        def by_jax(X: Any) -> Any:
            return jax.numpy.exp(-abs(X[:, None] - X).sum(axis=2) / SIGMA)

        yield Contender("jax", compiled(by_jax, X))


@task("spline kernel matrix of order 4", "n = 2000", best=5, plain=5)
def spline_kernel(quick: bool) -> Iterator[Contender]:
    x = np.random.default_rng(0).random(300 if quick else 2000)
    scale = -((2 * math.pi) ** 4) / 48

    def polynomial(t: Any) -> Any:
        """1 + sum of cos(2 pi m t) / m^4, through the Bernoulli polynomial of degree 4, for t in [0, 1]."""
        return 1 + scale * (t**4 - 2 * t**3 + t**2 - 1 / 30)

    yield Contender(OURS, lambda: kernels.spline_kernel(x, x, 2))
    yield Contender("numpy", lambda: polynomial(np.abs(x[:, None] - x)))
    if torch := optional("torch"):
        tx = torch.from_numpy(x)
        yield Contender("torch", lambda: polynomial(torch.abs(tx[:, None] - tx)))
    if optional("jax"):
        yield Contender("jax", compiled(lambda x: polynomial(abs(x[:, None] - x)), x))
