"""How raw numbers become values, in NumPy operations that keep membership exact in real arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np


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
    """The positions that are marked, in increasing order: before each lie so many that have fewer marks up to them."""
    if isinstance(marks, np.ndarray):
        return np.flatnonzero(marks)
    counts = np.reshape(np.cumsum(marks), (1, -1))
    return np.sum(np.where(counts <= np.arange(int(counts[0, -1]))[:, None], 1, 0), axis=1)
