"""Ridge leverage scores of Fourier features, and the quantities of matrix Bernstein, as claims take them."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, compiled, optional, task
from benchmarks.tasks.design import Design
from boundcheck.features.compiled.ridge import bernstein_quantities
from boundcheck.features.kernels import FourierFeatures
from boundcheck.features.leverage import ridge_leverage_scores

ROOT = math.sqrt(2)


@task("ridge leverage scores", "n = 500, d = 10, s = 4800", best=2, plain=3, tolerance=1e-9)
def leverage_scores(quick: bool) -> Iterator[Contender]:
    design = Design.draw(n=100 if quick else 500, d=10, s=4800)
    X, K, W, b, ridge, n = design.X, design.K, design.W, design.b, design.ridge, len(design.X)
    p, features = np.ones(len(W)), FourierFeatures(design.turns, design.phases)
    yield Contender(OURS, lambda: ridge_leverage_scores(features.of(X), p, K, ridge))

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


@task("quantities of matrix Bernstein", "n = 200, s = 2000", best=2, plain=2, tolerance=1e-9)
def bernstein(quick: bool) -> Iterator[Contender]:
    n, s = (40, 200) if quick else (200, 2000)
    design, rng = Design.draw(n, d=10, s=s), np.random.default_rng(0)
    Z, p, q = ROOT * np.cos(design.X @ design.W.T + design.b), np.full(s, 1 / s), rng.dirichlet(np.ones(s) * 50)
    K = (Z * p) @ Z.T
    yield Contender(OURS, lambda: bernstein_quantities(Z, p, q, K, design.lam))

    def by_numpy() -> tuple[float, float, float]:
        values, vectors = np.linalg.eigh(K + design.ridge * np.eye(n))
        Y = (vectors / np.sqrt(values)).T @ Z
        norms, ratio = np.sum(Y**2, axis=0), p / q
        second = (Y * (p * ratio * norms)) @ Y.T
        return (ratio * norms).max(), np.linalg.eigvalsh(second)[-1], np.trace(second)

    yield Contender("numpy", by_numpy)
    if torch := optional("torch"):
        tZ, tp, tq, tK = (torch.from_numpy(a) for a in (Z, p, q, K))

        def by_torch() -> Any:
            values, vectors = torch.linalg.eigh(tK + design.ridge * torch.eye(n, dtype=tK.dtype))
            Y = (vectors / torch.sqrt(values)).T @ tZ
            norms, ratio = (Y**2).sum(0), tp / tq
            second = (Y * (tp * ratio * norms)) @ Y.T
            return torch.stack([(ratio * norms).max(), torch.linalg.eigvalsh(second)[-1], torch.trace(second)])

        yield Contender("torch", by_torch)
    if jax := optional("jax"):

        def by_jax(Z: Any, p: Any, q: Any, K: Any) -> Any:
            values, vectors = jax.numpy.linalg.eigh(K + design.ridge * jax.numpy.eye(n))
            Y = (vectors / jax.numpy.sqrt(values)).T @ Z
            norms, ratio = (Y**2).sum(0), p / q
            second = (Y * (p * ratio * norms)) @ Y.T
            return jax.numpy.stack([(ratio * norms).max(), jax.numpy.linalg.eigvalsh(second)[-1], jax.numpy.trace(second)])

        yield Contender("jax", compiled(by_jax, Z, p, q, K))
