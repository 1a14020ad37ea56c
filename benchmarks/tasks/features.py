"""Random Fourier features of the Gaussian kernel, as the sweep and the audit make them."""

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.task import OURS, Contender, compiled, optional, task
from boundcheck.features.kernels import FourierFeatures

TAU = 2 * math.pi
ROOT = math.sqrt(2)


@task("random Fourier features", "n = 5000, d = 10, s = 1000", best=3, plain=10)
def fourier_features(quick: bool) -> Iterator[Contender]:
    rng, n, d, s = np.random.default_rng(0), 500 if quick else 5000, 10, 1000
    X, W, b = rng.normal(size=(n, d)), rng.normal(size=(s, d)), rng.uniform(0, TAU, s)
    features = FourierFeatures(W / TAU, b / TAU)
    yield Contender(OURS, lambda: features.of(X))
    yield Contender("numpy", lambda: ROOT * np.cos(X @ W.T + b))
    if module := optional("sklearn.kernel_approximation"):
        sampler = module.RBFSampler(n_components=s, random_state=0).fit(X[:2])
        sampler.random_weights_, sampler.random_offset_ = np.ascontiguousarray(W.T), b
        yield Contender("scikit-learn", lambda: sampler.transform(X), lambda Z: Z * math.sqrt(s))
    if torch := optional("torch"):
        tX, tW, tb = (torch.from_numpy(a) for a in (X, W, b))
        yield Contender("torch", lambda: ROOT * torch.cos(tX @ tW.T + tb))
    if jax := optional("jax"):
        yield Contender("jax", compiled(lambda X, W, b: ROOT * jax.numpy.cos(X @ W.T + b), X, W, b))
