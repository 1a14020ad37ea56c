"""Ridge leverage scores of Fourier features."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, compiled, optional, task
from benchmarks.tasks.design import Design
from boundcheck.compiled import features, leverage

ROOT = math.sqrt(2)


@task("ridge leverage scores", "n = 500, d = 10, s = 4800", best=2, plain=3, tolerance=1e-9)
def leverage_scores(quick: bool) -> Iterator[Contender]:
    design = Design.draw(n=100 if quick else 500, d=10, s=4800)
    X, K, W, b, ridge, lam, n = design.X, design.K, design.W, design.b, design.ridge, design.lam, len(design.X)
    p = np.ones(len(W))
    turns, phases = design.turns, design.phases

    yield Contender(OURS, lambda: leverage.ridge_leverage_scores(features.fourier_features(X, turns, phases), p, K, lam))

    def by_numpy() -> np.ndarray:
        Z = ROOT * np.cos(X @ W.T + b)
        return np.sum(Z * np.linalg.solve(K + ridge * np.eye(n), Z), axis=0)

    yield Contender("numpy", by_numpy)
    if torch := optional("torch"):
        tX, tW, tb, tK = (torch.from_numpy(a) for a in (X, W, b, K))

        def by_torch() -> Any:
            Z = ROOT * torch.cos(tX @ tW.T + tb)
            return (Z * torch.linalg.solve(tK + ridge * torch.eye(n, dtype=tK.dtype), Z)).sum(0)

        yield Contender("torch", by_torch)
    if jax := optional("jax"):

        def by_jax(X: Any, W: Any, b: Any, K: Any) -> Any:
            Z = ROOT * jax.numpy.cos(X @ W.T + b)
            return (Z * jax.numpy.linalg.solve(K + ridge * jax.numpy.eye(n), Z)).sum(0)

        yield Contender("jax", compiled(by_jax, X, W, b, K))
