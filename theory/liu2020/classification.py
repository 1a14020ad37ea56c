"""Ridge regression of labels +-1 at many ridges at once; and data in [0, 1]^d."""

from dataclasses import dataclass

import numpy as np

from boundcheck.features.data import Sample

from .samplers import Floats


@dataclass(frozen=True, eq=False)
class Task:
    """Inputs in [0, 1]^d and labels +-1, for training and for testing."""

    X: Floats
    y: Floats
    X_test: Floats
    y_test: Floats


def in_unit_cube(X: Floats, clip: float) -> Floats:
    """Columns clipped to their quantiles `clip` and 1 - clip, then scaled to [0, 1]; columns whose quantiles
    agree become 0.
    """
    low, high = np.quantile(X, clip, axis=0), np.quantile(X, 1 - clip, axis=0)
    return (np.clip(X, low, high) - low) / np.where(high > low, high - low, 1)


def signs(y: Floats) -> Floats:
    """Two classes as -1 and 1; more values are split at the median."""
    values = np.unique(y)
    cut = values[0] if len(values) == 2 else np.median(y)
    return np.where(y > cut, 1.0, -1.0)


def split(data: Sample, clip: float, seed: int) -> Task:
    """One half of the data for training, the other for testing."""
    X, y = in_unit_cube(data.X, clip), signs(data.y)
    order = np.random.default_rng(seed).permutation(len(y))
    a, b = np.array_split(order, [len(y) // 2])
    return Task(X[a], y[a], X[b], y[b])


def accuracies(Z: Floats, y: Floats, Z_test: Floats, y_test: Floats, ridges: tuple[float, ...]) -> Floats:
    """Share of signs that ridge regression gets right, for each ridge r of (Z^T Z + r I)^-1 Z^T y;
    (8) has r = n lam.
    """
    n, width = Z.shape
    wide = width > n
    G = Z @ Z.T if wide else Z.T @ Z
    target, right = (y, Z_test @ Z.T) if wide else (Z.T @ y, Z_test)
    solved = [np.linalg.solve(G + ridge * np.eye(len(G)), target) for ridge in ridges]
    return np.array([np.mean(np.sign(right @ c) == y_test) for c in solved])
