"""Count vectors of a multinomial law, and their probabilities."""

from __future__ import annotations

from functools import lru_cache

import numpy as np


@lru_cache(maxsize=8)
def count_vectors(n: int, parts: int) -> np.ndarray:
    """All vectors of `parts` counts that add up to n, in lexicographic order, one a row."""
    heads = np.zeros((1, 0), dtype=int)
    for _ in range(parts - 1):
        left = n - heads.sum(axis=1)
        row = np.repeat(np.arange(len(heads)), left + 1)
        digit = np.arange(len(row)) - np.repeat(np.cumsum(left + 1) - (left + 1), left + 1)
        heads = np.column_stack([heads[row], digit])
    return np.column_stack([heads, n - heads.sum(axis=1)])


def multinomial_weights(counts: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Probability of each count vector (rows)."""
    from scipy.special import gammaln, xlogy

    n = counts[0].sum()
    return np.exp(gammaln(n + 1) - gammaln(counts + 1).sum(axis=1) + xlogy(counts, p).sum(axis=1))
