"""The spectral deviation of a draw of Fourier features: once, over a grid of s, compressed, and against a threshold.

Frequencies are given; (K + n lam I)^(-1/2), or its Cholesky factor, is computed once per problem, by peers too.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import eigh

from benchmarks.task import OURS, Contender, optional, task
from benchmarks.tasks.design import Design
from boundcheck.compiled import compressed, features, leverage, spectral, threshold

ROOT = math.sqrt(2)
Deviation = Callable[[slice], Any]


@task("spectral deviation, one draw", "n = 500, d = 10, s = 1000", best=5, plain=5, tolerance=1e-9)
def spectral_deviation(quick: bool) -> Iterator[Contender]:
    design = Design.draw(n=100 if quick else 500, d=10, s=1000)
    L, every = leverage.ridge_factor(design.K, design.lam), slice(1000)
    weights = np.full(1000, 1 / 1000)

    def ours() -> float:
        Z = features.fourier_features(design.X, design.turns, design.phases)
        return spectral.spectral_deviation(L, design.ridge, Z, weights)

    yield Contender(OURS, ours)
    for name, deviation in _peers(design):
        yield Contender(name, lambda deviation=deviation: deviation(every))


@task("spectral deviation, fast-decaying K, radius from its draw", "n = 2000, d = 2, s = 1000", best=200, plain=200, tolerance=1e-4)
def certified_deviation(quick: bool) -> Iterator[Contender]:
    return _compressed(quick, by_draw=True)


@task("the same, radius exceeded once in 1000 draws", "n = 2000, d = 2, s = 1000", best=200, plain=200, tolerance=1e-4)
def compressed_deviation(quick: bool) -> Iterator[Contender]:
    return _compressed(quick, by_draw=False)


def _compressed(quick: bool, by_draw: bool) -> Iterator[Contender]:
    design = Design.draw(n=300 if quick else 2000, d=2, s=1000, lam=1e-4)
    weights = np.full(1000, 1 / 1000)
    c = compressed.compress(design.K, leverage.ridge_factor(design.K, design.lam), design.ridge, 1e-11)
    pivots = design.X[c.pivots]

    def ours() -> tuple[float, float]:
        Z = features.fourier_features(design.X if by_draw else pivots, design.turns, design.phases)
        neglected = compressed.neglected_energy(c, Z, weights) if by_draw else c.neglected / 1e-3
        return compressed.compressed_deviation(c, Z[c.pivots] if by_draw else Z, weights, neglected)

    yield Contender(OURS, ours, lambda found: found[0])
    for name, deviation in _peers(design):
        yield Contender(name, lambda deviation=deviation: deviation(slice(1000)))


@task("spectral deviation on a grid of s", "n = 500, 6 values to 3200", best=6, plain=6, tolerance=1e-9)
def nested_deviations(quick: bool) -> Iterator[Contender]:
    sizes = [100, 200, 400, 800, 1600, 3200]
    design = Design.draw(n=100 if quick else 500, d=10, s=sizes[-1])
    L = leverage.ridge_factor(design.K, design.lam)

    def ours() -> np.ndarray:
        Z = features.fourier_features(design.X, design.turns, design.phases)
        return spectral.spectral_deviations_nested(L, design.ridge, Z, sizes)

    yield Contender(OURS, ours)
    for name, deviation in _peers(design):
        yield Contender(name, lambda deviation=deviation: [float(deviation(slice(s))) for s in sizes])


@task("deviation <= eps in a trial loop", "n = 200, s = 1000, 20 of 1e4 trials", best=5, plain=8, tolerance=0)
def threshold_trials(quick: bool) -> Iterator[Contender]:
    trials = [Design.draw(n=50 if quick else 200, d=10, s=1000, seed=seed) for seed in range(20)]
    trials = [replace(trials[0], W=design.W, b=design.b) for design in trials]
    K, weights = trials[0].K, np.full(1000, 1 / 1000)
    A = K + trials[0].ridge * np.eye(len(K))
    deviations = sorted(_exact(design, K, A) for design in trials)
    eps = (deviations[-2] + deviations[-1]) / 2  # one trial in twenty exceeds

    def ours() -> list[bool]:
        Zs = (features.fourier_features(design.X, design.turns, design.phases) for design in trials)
        return [threshold.draw_exceeds(A, K, Z, weights, eps) > 0 for Z in Zs]

    yield Contender(OURS, ours)
    for peers in zip(*(_peers(design) for design in trials)):
        deviation = [call for _, call in peers]
        yield Contender(peers[0][0], lambda deviation=deviation: [bool(call(slice(1000)) > eps) for call in deviation])


def _exact(design: Design, K: np.ndarray, A: np.ndarray) -> float:
    Z = features.fourier_features(design.X, design.turns, design.phases)
    return float(np.abs(eigh(Z @ Z.T / Z.shape[1] - K, A, eigvals_only=True)).max())


def _peers(design: Design) -> Iterator[tuple[str, Deviation]]:
    """|B (Z Z^T / s - K) B|, all matrices formed, all eigenvalues computed, for the first s features."""
    X, K, B, W, b = design.X, design.K, design.whitener, design.W, design.b

    def by_numpy(first: slice) -> float:
        Z = ROOT * np.cos(X @ W[first].T + b[first])
        return np.abs(np.linalg.eigvalsh(B @ (Z @ Z.T / Z.shape[1] - K) @ B)).max()

    yield "numpy", by_numpy
    if torch := optional("torch"):
        tX, tK, tB, tW, tb = (torch.from_numpy(a) for a in (X, K, B, W, b))

        def by_torch(first: slice) -> Any:
            Z = ROOT * torch.cos(tX @ tW[first].T + tb[first])
            return torch.linalg.eigvalsh(tB @ (Z @ Z.T / Z.shape[1] - tK) @ tB).abs().max()

        yield "torch", by_torch
    if jax := optional("jax"):

        def whole(X: Any, K: Any, B: Any, W: Any, b: Any) -> Any:
            Z = ROOT * jax.numpy.cos(X @ W.T + b)
            return abs(jax.numpy.linalg.eigvalsh(B @ (Z @ Z.T / Z.shape[1] - K) @ B)).max()

        fast = jax.jit(whole)  # one compilation for each s, in the call that is not timed
        yield "jax", lambda first: jax.block_until_ready(fast(X, K, B, W[first], b[first]))
