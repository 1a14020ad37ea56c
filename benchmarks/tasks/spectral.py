"""The spectral deviation of a draw of Fourier features against a threshold.

Frequencies are given; (K + n lam I)^(-1/2) is computed once per problem, by peers too.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import eigh

from benchmarks.task import OURS, Contender, optional, task
from benchmarks.tasks.design import Design
from boundcheck.compiled import features, threshold

ROOT = math.sqrt(2)
Deviation = Callable[[slice], Any]






@task("deviation <= eps in a trial loop", "n = 200, s = 1000, 20 of 1e4 trials", best=5, plain=8, tolerance=0)
def threshold_trials(quick: bool) -> Iterator[Contender]:
    trials = [Design.draw(n=50 if quick else 200, d=10, s=1000, seed=seed) for seed in range(20)]
    trials = [replace(trials[0], W=design.W, b=design.b) for design in trials]
    K = trials[0].K
    A = K + trials[0].ridge * np.eye(len(K))
    deviations = sorted(_exact(design, K, A) for design in trials)
    eps = (deviations[-2] + deviations[-1]) / 2  # one trial in twenty exceeds

    def ours() -> list[bool]:
        Zs = (features.fourier_features(design.X, design.turns, design.phases) for design in trials)
        return [threshold.deviation_exceeds(A, Z @ Z.T / 1000 - K, eps) > 0 for Z in Zs]

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
