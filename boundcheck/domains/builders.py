"""How raw numbers become values, in NumPy operations that keep membership exact in real arithmetic; and back.

The way back is in floats: from what is a value up to their rounding to raw numbers that build one next to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def itself(raw: Any, *_: Any) -> Any:
    return raw


def gram(factor: Any) -> Any:
    return factor @ np.swapaxes(factor, -1, -2)


def correlation(factor: Any) -> Any:
    norms = np.sqrt(np.sum(factor * factor, axis=1))
    return gram(factor / np.reshape(norms, (-1, 1)))


def reflections(vectors: Any) -> Any:
    n = vectors.shape[1]
    Q: Any = np.eye(n)
    for k in range(vectors.shape[0]):
        v = vectors[k]
        Q = Q - 2 * np.outer(Q @ v, v) / (v @ v)
    return Q


def low_rank(factors: Any) -> Any:
    return factors[0] @ np.swapaxes(factors[1], -1, -2)


def normalised(w: Any) -> Any:
    return w / np.sum(w)


def stochastic(w: Any) -> Any:
    return w / np.sum(w, axis=1, keepdims=True)


def unit_vector(x: Any) -> Any:
    return x / np.sqrt(np.sum(x * x))


def symmetric_part(A: Any) -> Any:
    return (A + np.swapaxes(A, -1, -2)) / 2


def ridged(raw: Any) -> Any:
    return gram(raw["factor"]) + raw["ridge"] * np.eye(raw["factor"].shape[0])


def decreasing(drops: Any) -> Any:
    return np.flip(np.cumsum(np.flip(drops, 0), axis=0), 0)


def unit_rows(X: Any) -> Any:
    return X / np.sqrt(np.sum(X * X, axis=1, keepdims=True))


def spectral(raw: Any) -> Any:
    """Q diag(t) Q^T with a product Q of reflections."""
    Q = reflections(raw["mirrors"])
    return (Q * raw["spectrum"]) @ np.swapaxes(Q, -1, -2)


def chosen(marks: Any) -> Any:
    """The positions that are marked, in increasing order: as many as have fewer marks up to them."""
    if isinstance(marks, np.ndarray):
        return np.flatnonzero(marks)
    counts = np.reshape(np.cumsum(marks), (1, -1))
    return np.sum(
        np.where(counts <= np.arange(int(counts[0, -1]))[:, None], 1, 0), axis=1
    )


def factor_of(A: np.ndarray, *_: int | None) -> np.ndarray:
    values, vectors = np.linalg.eigh(A)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def ridged_of(A: np.ndarray, *_: int | None) -> dict[str, Any]:
    """The ridge is half of the smallest eigenvalue, or what rounding leaves of it."""
    ridge = max(
        float(np.linalg.eigvalsh(A)[0]) / 2,
        float(np.max(np.abs(A))) * np.finfo(float).eps,
    )
    return {"factor": factor_of(A - ridge * np.eye(len(A))), "ridge": ridge}


def mirrors_of(Q: np.ndarray, *_: int | None) -> np.ndarray:
    """Householder's reflections, and those of the axes whose signs are left."""
    R, n, mirrors = np.array(Q), len(Q), []
    for k in range(n - 1):
        v = np.append(np.zeros(k), R[k:, k])
        v[k] += np.copysign(np.linalg.norm(v), v[k])
        R = R - 2 * np.outer(v, v @ R) / (v @ v)
        mirrors.append(v)
    left = np.eye(n)[np.diag(R) < 0]
    return np.reshape([*mirrors, *left], (-1, n))


def spectral_of(A: np.ndarray, *_: int | None) -> dict[str, Any]:
    values, vectors = np.linalg.eigh(A)
    return {"mirrors": mirrors_of(vectors), "spectrum": values}


def factors_of(
    A: np.ndarray, _m: int | None, _n: int | None, r: int | None
) -> list[np.ndarray]:
    left, values, right = np.linalg.svd(A, full_matrices=False)
    return [
        left[:, :r] * np.sqrt(values[:r]),
        right[:r].T * np.sqrt(values[:r]),
    ]


UNDO: dict[Callable[..., Any], Callable[..., Any]] = {
    **dict.fromkeys(
        (normalised, stochastic, unit_vector, unit_rows, symmetric_part), itself
    ),
    gram: factor_of,
    correlation: factor_of,
    ridged: ridged_of,
    low_rank: factors_of,
    reflections: mirrors_of,
    spectral: spectral_of,
}
"""Raw numbers of a value, and of the sizes of its dimensions, by what builds values."""
