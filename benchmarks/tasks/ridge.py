"""A repeat of the sweep: the distance of ridge regression on random features from kernel ridge regression, over a grid of s."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, optional, task
from benchmarks.tasks.design import Design
from boundcheck.features.kernels import FourierFeatures, Gaussian
from boundcheck.features.ridge import Problem, feature_predictions, kernel_ridge

ROOT = math.sqrt(2)
SIZES = (100, 200, 400, 800, 1600, 3200)


@task("RF-KRR error over a grid of s", "n = m = 500, 6 values to 3200", best=2, plain=3, tolerance=1e-7)
def random_ridge(quick: bool) -> Iterator[Contender]:
    n = 100 if quick else 500
    design, lam = Design.draw(2 * n, d=10, s=SIZES[-1]), 1e-3
    X, X_test = design.X[:n], design.X[n:]
    y = np.sin(X).sum(axis=1)
    W, b = design.W, design.b
    problem = Problem(X, y, X_test, Gaussian(design.sigma))
    f = kernel_ridge(problem, np.array([lam]))[0][:, 0]
    features = FourierFeatures(design.turns, design.phases)

    def ours() -> Any:
        g = feature_predictions(problem, features, SIZES, np.array([lam]))[:, :, 0]
        return np.mean((g - f) ** 2, axis=1)

    def by_numpy(s: int) -> float:
        Z, Z_test = (ROOT * np.cos(A @ W[:s].T + b[:s]) / math.sqrt(s) for A in (X, X_test))
        w = np.linalg.solve(Z.T @ Z + n * lam * np.eye(s), Z.T @ y) if s < n else Z.T @ np.linalg.solve(Z @ Z.T + n * lam * np.eye(n), y)
        return float(np.mean((Z_test @ w - f) ** 2))

    yield Contender(OURS, ours)
    yield Contender("numpy", lambda: [by_numpy(s) for s in SIZES])
    yield from _scikit_learn(design, problem, f, lam)
    yield from _torch(design, problem, f, lam)
    yield from _jax(design, problem, f, lam)


def _scikit_learn(design: Design, problem: Problem, f: np.ndarray, lam: float) -> Iterator[Contender]:
    approximation, linear = optional("sklearn.kernel_approximation"), optional("sklearn.linear_model")
    if not approximation:
        return
    n = len(problem.y)

    def error(s: int) -> float:
        sampler = approximation.RBFSampler(n_components=s, random_state=0).fit(problem.X[:1])
        sampler.random_weights_, sampler.random_offset_ = np.ascontiguousarray(design.W[:s].T), design.b[:s]
        model = linear.Ridge(alpha=n * lam, fit_intercept=False).fit(sampler.transform(problem.X), problem.y)
        return float(np.mean((model.predict(sampler.transform(problem.X_test)) - f) ** 2))

    yield Contender("scikit-learn", lambda: [error(s) for s in SIZES])


def _torch(design: Design, problem: Problem, f: np.ndarray, lam: float) -> Iterator[Contender]:
    torch = optional("torch")
    if not torch:
        return
    n = len(problem.y)
    X, X_test, y, target, W, b = (torch.from_numpy(a) for a in (problem.X, problem.X_test, problem.y, f, design.W, design.b))

    def error(s: int) -> float:
        Z, Z_test = (ROOT * torch.cos(A @ W[:s].T + b[:s]) / math.sqrt(s) for A in (X, X_test))
        eye = torch.eye(min(s, n), dtype=X.dtype)
        w = torch.linalg.solve(Z.T @ Z + n * lam * eye, Z.T @ y) if s < n else Z.T @ torch.linalg.solve(Z @ Z.T + n * lam * eye, y)
        return float(torch.mean((Z_test @ w - target) ** 2))

    yield Contender("torch", lambda: [error(s) for s in SIZES])


def _jax(design: Design, problem: Problem, f: np.ndarray, lam: float) -> Iterator[Contender]:
    jax = optional("jax")
    if not jax:
        return
    n = len(problem.y)

    @jax.jit
    def error(W: Any, b: Any) -> Any:
        Z, Z_test = (ROOT * jax.numpy.cos(A @ W.T + b) / math.sqrt(len(W)) for A in (problem.X, problem.X_test))
        eye, s = jax.numpy.eye(min(len(W), n)), len(W)
        solve = jax.numpy.linalg.solve
        w = solve(Z.T @ Z + n * lam * eye, Z.T @ problem.y) if s < n else Z.T @ solve(Z @ Z.T + n * lam * eye, problem.y)
        return jax.numpy.mean((Z_test @ w - f) ** 2)

    yield Contender("jax", lambda: [float(error(design.W[:s], design.b[:s])) for s in SIZES])
