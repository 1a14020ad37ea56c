"""Deviations of random features from their kernel matrix: of many draws of a small pool, as claims take them, and of an audit's trial."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, optional, task
from boundcheck.features.audit.needed import Draws, Whitening, exceedances, pivoted_cholesky
from boundcheck.features.audit.run import CUT
from boundcheck.features.compiled.kernels import normal_frequencies, phases
from boundcheck.features.deviation import block_deviation
from boundcheck.features.kernels import Gaussian
from boundcheck.features.pools import WeightedFeatures

SIZES = (100, 200, 400, 800)
EPS = 0.5


@task("deviations of a 3 x 3 block", "20,000 draws of s = 300", best=3, plain=4, tolerance=1e-9)
def block_deviations(quick: bool) -> Iterator[Contender]:
    rng = np.random.default_rng(0)
    case = WeightedFeatures(1, rng.normal(size=(3, 3)), np.full(3, 1 / 3), 1e-3, 1 + rng.random(3))
    counts = rng.multinomial(300, case.q, 500 if quick else 20_000)
    values, vectors = np.linalg.eigh(case.K + 3e-3 * np.eye(3))
    W = vectors / np.sqrt(values)
    R, target, scale = W.T @ case.block, W.T @ case.K @ W, case.weights / case.q / 300
    yield Contender(OURS, lambda: block_deviation(case, counts, 300, True))
    yield Contender("numpy", lambda: np.abs(np.linalg.eigvalsh((R * (counts * scale)[:, None, :]) @ R.T - target)).max(axis=1))
    if torch := optional("torch"):
        tR, tT, tw = (torch.from_numpy(a) for a in (R, target, counts * scale))
        yield Contender("torch", lambda: torch.linalg.eigvalsh((tR * tw[:, None, :]) @ tR.T - tT).abs().amax(1))
    if jax := optional("jax"):
        jR, jT, jw = (jax.numpy.asarray(a) for a in (R, target, counts * scale))
        fast = jax.jit(lambda w: abs(jax.numpy.linalg.eigvalsh((jR * w[:, None, :]) @ jR.T - jT)).max(axis=1))
        yield Contender("jax", lambda: jax.block_until_ready(fast(jw)))


@task("a trial of the audit: deviation <= eps at 4 sizes", "n = 500, d = 2, s to 800", best=3, plain=3, tolerance=0)
def audit_trial(quick: bool) -> Iterator[Contender]:
    n, kernel, lam = 100 if quick else 500, Gaussian(2.0), 0.05
    X = np.random.default_rng(0).normal(size=(n, 2))
    spectrum = pivoted_cholesky(kernel, X, EPS**2 * n * lam / 200, n)
    assert spectrum is not None
    draws = Draws(Whitening(spectrum, lam, CUT * EPS), "plain", 0)
    K = kernel.matrix(X, X)
    values, vectors = np.linalg.eigh(K)
    B = (vectors / np.sqrt(values + n * lam)) @ vectors.T
    W, b = 2 * np.pi * normal_frequencies(0, 0, SIZES[-1], 2) / kernel.sigma, 2 * np.pi * phases(0, 0, SIZES[-1])
    yield Contender(OURS, lambda: [found > 0 for found in exceedances(draws, EPS, SIZES, 0)])

    def by_numpy(s: int) -> bool:
        Z = np.sqrt(2) * np.cos(X @ W[:s].T + b[:s])
        return bool(np.abs(np.linalg.eigvalsh(B @ (Z @ Z.T / s - K) @ B)).max() > EPS)

    yield Contender("numpy", lambda: [by_numpy(s) for s in SIZES])
    if torch := optional("torch"):
        tX, tK, tB, tW, tb = (torch.from_numpy(a) for a in (X, K, B, W, b))

        def by_torch(s: int) -> bool:
            Z = np.sqrt(2) * torch.cos(tX @ tW[:s].T + tb[:s])
            return bool(torch.linalg.eigvalsh(tB @ (Z @ Z.T / s - tK) @ tB).abs().max() > EPS)

        yield Contender("torch", lambda: [by_torch(s) for s in SIZES])
    if jax := optional("jax"):

        def whole(W: Any, b: Any) -> Any:
            Z = np.sqrt(2) * jax.numpy.cos(X @ W.T + b)
            return abs(jax.numpy.linalg.eigvalsh(B @ (Z @ Z.T / Z.shape[1] - K) @ B)).max()

        fast = jax.jit(whole)  # one compilation for each s, in the call that is not timed
        yield Contender("jax", lambda: [bool(fast(W[:s], b[:s]) > EPS) for s in SIZES])
