"""Deviations of random features from their kernel matrix, as a trial of an audit takes them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, optional, task
from boundcheck.features.audit.needed import Draws, Whitening, exceedances, pivoted_cholesky
from boundcheck.features.audit.run import CUT
from boundcheck.features.compiled.kernels import normal_frequencies, phases
from boundcheck.features.kernels import Gaussian

SIZES = (100, 200, 400, 800)
EPS = 0.5


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
