"""Random Fourier features of the Gaussian kernel."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, compiled, optional, task
from boundcheck.compiled import features

TAU = 2 * math.pi
ROOT = math.sqrt(2)


@task("random Fourier features, f64", "n = 5000, d = 10, s = 1000", best=3, plain=10)
def fourier_f64(quick: bool) -> Iterator[Contender]:
    return _fourier(500 if quick else 5000, np.float64)


@task("random Fourier features, f32", "n = 5000, d = 10, s = 1000", best=2, plain=2, tolerance=1e-5)
def fourier_f32(quick: bool) -> Iterator[Contender]:
    return _fourier(500 if quick else 5000, np.float32)


def _fourier(n: int, dtype: Any) -> Iterator[Contender]:
    rng, d, s = np.random.default_rng(0), 10, 1000
    X, W = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(s, d)).astype(dtype)
    b = rng.uniform(0, TAU, s).astype(dtype)
    turns, phases = (W / TAU).astype(dtype), (b / TAU).astype(dtype)
    yield Contender(OURS, lambda: features.fourier_features(X, turns, phases))
    yield Contender("numpy", lambda: dtype(ROOT) * np.cos(X @ W.T + b))
    if module := optional("sklearn.kernel_approximation"):
        sampler = module.RBFSampler(n_components=s, random_state=0).fit(X[:2])
        sampler.random_weights_, sampler.random_offset_ = np.ascontiguousarray(W.T), b
        yield Contender("scikit-learn", lambda: sampler.transform(X), lambda Z: Z * math.sqrt(s))
    if torch := optional("torch"):
        tX, tW, tb = (torch.from_numpy(a) for a in (X, W, b))
        yield Contender("torch", lambda: ROOT * torch.cos(tX @ tW.T + tb))
    if jax := optional("jax"):
        yield Contender("jax", compiled(lambda X, W, b: ROOT * jax.numpy.cos(X @ W.T + b), X, W, b))
