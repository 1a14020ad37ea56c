"""Batches of small symmetric matrices of sizes 8, 16 and 32: extreme eigenvalues."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.task import OURS, Contender, optional, task
from boundcheck.compiled import batches

SIZES = (8, 16, 32)


def _stacks(quick: bool) -> list[np.ndarray]:
    """As many matrices of each size as make the sizes cost about the same."""
    rng = np.random.default_rng(0)
    stacks = [rng.normal(size=((100 if quick else 1000) * 32 // n, n, n)) for n in SIZES]
    return [B @ B.swapaxes(1, 2) + np.eye(B.shape[1]) for B in stacks]


def _flat(parts: Any) -> np.ndarray:
    return np.concatenate([np.asarray(part).ravel() for part in parts])


@task("extreme eigenvalues of small matrices", "n = 8, 16, 32, in batches", best=3, plain=3)
def small_eigenvalues(quick: bool) -> Iterator[Contender]:
    stacks = _stacks(quick)
    yield Contender(OURS, lambda: [batches.extreme_eigenvalues(A) for A in stacks], _flat)
    yield Contender("numpy", lambda: [np.linalg.eigvalsh(A)[:, [0, -1]] for A in stacks], _flat)
    if torch := optional("torch"):
        tensors = [torch.from_numpy(A) for A in stacks]
        yield Contender("torch", lambda: [torch.linalg.eigvalsh(A)[:, [0, -1]] for A in tensors], _flat)
    if jax := optional("jax"):
        fast, arrays = jax.jit(lambda A: jax.numpy.linalg.eigvalsh(A)[:, np.array([0, -1])]), [jax.numpy.asarray(A) for A in stacks]
        yield Contender("jax", lambda: jax.block_until_ready([fast(A) for A in arrays]), _flat)
