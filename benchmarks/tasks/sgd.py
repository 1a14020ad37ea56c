"""Averaged stochastic gradient descent for the logistic loss on Fourier features that are made on the way."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, optional, task
from boundcheck.features.compiled import sgd

LAM, GAMMA = 0.01, 200.0


@task("averaged SGD with features", "M = 1000, d = 10, 2000 steps", best=4, plain=12, tolerance=1e-8)
def averaged_sgd(quick: bool) -> Iterator[Contender]:
    rng, s, d, T = np.random.default_rng(0), 500, 10, 200 if quick else 2000
    X, W = rng.normal(size=(T, d)), rng.normal(size=(s, d)) / math.sqrt(d)
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    turns, steps = W / (2 * math.pi), np.array([T])
    yield Contender(OURS, lambda: sgd.sgd_on_features(X, y, turns, (LAM, GAMMA), steps)[0])
    yield Contender("numpy", lambda: _one_by_one(np, X, y, W, np.zeros(2 * s)))
    if torch := optional("torch"):
        tX, tW = torch.from_numpy(X), torch.from_numpy(W)
        yield Contender("torch", lambda: _one_by_one(torch, tX, y, tW, torch.zeros(2 * s, dtype=tX.dtype)))
    if jax := optional("jax"):
        yield Contender("jax", _scanned(jax, X, y, W))


def rates(t: Any) -> tuple[Any, Any]:
    """Step size and averaging weight of step t."""
    return 2 / (LAM * (GAMMA + t)), 2 * (GAMMA + t) / ((t + 1) * (2 * GAMMA + t))


def _one_by_one(xp: Any, X: Any, y: np.ndarray, W: Any, beta: Any) -> Any:
    mean, scale = beta * 0, 1 / math.sqrt(len(W))
    for t, (x, label) in enumerate(zip(X, y.tolist()), start=1):
        eta, theta = rates(t)
        turned = W @ x
        z = scale * xp.concatenate([xp.cos(turned), xp.sin(turned)])
        push = label / (1 + math.exp(label * float(beta @ z)))
        beta = (1 - eta * LAM) * beta + eta * push * z
        mean = mean + theta * (beta - mean)
    return mean


def _scanned(jax: Any, X: np.ndarray, y: np.ndarray, W: np.ndarray) -> Any:
    jnp, scale = jax.numpy, 1 / math.sqrt(len(W))

    @jax.jit
    def run(X: Any, y: Any, W: Any) -> Any:
        def step(state: Any, example: Any) -> Any:
            (beta, mean), (x, label, t) = state, example
            eta, theta = rates(t)
            z = scale * jnp.concatenate([jnp.cos(W @ x), jnp.sin(W @ x)])
            beta = (1 - eta * LAM) * beta + eta * label / (1 + jnp.exp(label * (beta @ z))) * z
            return (beta, mean + theta * (beta - mean)), None

        zero = jnp.zeros(2 * len(W))
        return jax.lax.scan(step, (zero, zero), (X, y, jnp.arange(1.0, len(X) + 1)))[0][1]

    return lambda: jax.block_until_ready(run(X, y, W))
