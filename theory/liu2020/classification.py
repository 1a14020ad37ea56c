"""Ridge regression of labels +-1 at many ridges at once, chosen by cross-validation; and data in [0, 1]^d."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boundcheck.data import DataSet
from theory.liu2020.samplers import Floats

LAMS = (0.05, 0.1, 0.5, 1.0)
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Task:
    """Inputs in [0, 1]^d and labels +-1, for training and for testing."""

    X: Floats
    y: Floats
    X_test: Floats
    y_test: Floats


def in_unit_cube(X: Floats, clip: float) -> Floats:
    """Columns clipped to their quantiles `clip` and 1 - clip, then scaled to [0, 1]; constant columns become 0."""
    low, high = np.quantile(X, clip, axis=0), np.quantile(X, 1 - clip, axis=0)
    return (np.clip(X, low, high) - low) / np.where(high > low, high - low, 1)


def signs(y: Floats) -> Floats:
    """Two classes as -1 and 1; more values are split at the median."""
    values = np.unique(y)
    cut = values[0] if len(values) == 2 else np.median(y)
    return np.where(y > cut, 1.0, -1.0)


def split(data: DataSet, clip: float, most: tuple[int, int], seed: int) -> Task:
    """One half of the data for training, the other for testing, each at most so many examples."""
    X, y = in_unit_cube(data.X, clip), signs(data.y)
    order = np.random.default_rng(seed).permutation(len(y))
    half = len(y) // 2
    a, b = order[:half][: most[0]], order[half:][: most[1]]
    return Task(X[a], y[a], X[b], y[b])


def folds(n: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Indices to train on and to validate on; examples come in random order."""
    fold = np.arange(n) % FOLDS
    yield from ((np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(FOLDS))


def accuracies(Z: Floats, y: Floats, Z_test: Floats, y_test: Floats, lams: tuple[float, ...]) -> Floats:
    """Share of signs that ridge regression (8) gets right, for each lam."""
    n, width = Z.shape
    wide = width > n
    G = Z @ Z.T if wide else Z.T @ Z
    target, right = (y, Z_test @ Z.T) if wide else (Z.T @ y, Z_test)
    solved = [np.linalg.solve(G + n * lam * np.eye(len(G)), target) for lam in lams]
    return np.array([np.mean(np.sign(right @ c) == y_test) for c in solved])


def chosen_accuracy(Z: Floats, Z_test: Floats, task: Task, grids: list[tuple[float, ...]]) -> list[tuple[float, float]]:
    """For each grid the lam with the best cross-validated accuracy, the largest of equals, and its test accuracy."""
    lams = tuple(lam for grid in grids for lam in grid)
    y = task.y
    validated = np.mean([accuracies(Z[a], y[a], Z[b], y[b], lams) for a, b in folds(len(y))], axis=0)
    tested = accuracies(Z, y, Z_test, task.y_test, lams)
    results, start = [], 0
    for grid in grids:
        here = slice(start, start + len(grid))
        best = start + int(np.flatnonzero(validated[here] == validated[here].max())[-1])
        results.append((lams[best], float(tested[best])))
        start += len(grid)
    return results
