"""Kernel matrices of a point set with itself, as kernel ridge regression and the audit take them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.task import OURS, Contender, compiled, optional, task
from boundcheck.features.kernels import Gaussian, Laplace

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
    yield Contender(OURS, lambda: Gaussian(SIGMA).matrix(X, X))
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
    yield Contender(OURS, lambda: Laplace(SIGMA).matrix(X, X))
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
