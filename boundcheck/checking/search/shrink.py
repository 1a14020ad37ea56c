"""Shrinking: simpler numbers one after the other, as long as the instance still violates the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from boundcheck.domains import Raw
from boundcheck.domains.chart import Discrete
from boundcheck.domains.instances import Parameters, leaves, replaced

StillWrong = Callable[[dict[str, Raw]], bool]
SIGNIFICANT = (1, 2, 3, 4, 6, 9)
PLAIN = (0.0, 1.0, 2.0, 0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12)
"""Numbers that a reader likes to see, the most welcome first."""


def shrink(parameters: Parameters, raw: dict[str, Raw], still_wrong: StillWrong, attempts: int = 400) -> dict[str, Raw]:
    """The instance with short decimals, small counts and many zeros. Deterministic."""
    improved = True
    while improved and attempts > 0:
        improved = False
        for path, leaf, chart in list(leaves(parameters, raw)):
            for simpler in _simpler(leaf, chart):
                attempts -= 1
                candidate = replaced(raw, path, simpler)
                if attempts > 0 and still_wrong(candidate):
                    raw, improved = candidate, not _same(simpler, leaf)
                    break
    return raw


def _same(x: Any, y: Any) -> bool:
    return bool(np.array_equal(np.asarray(x), np.asarray(y)))


def _simpler(leaf: Any, chart: Any) -> Iterator[Any]:
    """Simpler values of a leaf, the simplest first; never the leaf itself."""
    if isinstance(chart, Discrete):
        yield from chart.simpler(leaf)
        return
    if isinstance(leaf, (bool, str)):
        return
    if isinstance(leaf, (int, np.integer)):
        yield from (k for k in sorted({1, 2, 3, leaf // 2, leaf - 1}) if k < leaf and chart.contains(k))
        return
    array = np.asarray(leaf, dtype=float)
    seen = [array]
    for candidate in _rounded(array):
        inside = all(chart.contains(float(x)) or x in array for x in candidate.ravel())
        if inside and not any(np.array_equal(candidate, other) for other in seen):
            seen.append(candidate)
            yield candidate if candidate.ndim else float(candidate)


def _rounded(array: np.ndarray) -> Iterator[np.ndarray]:
    if array.size == 1:
        rank = PLAIN.index(float(array.ravel()[0])) if array.ravel()[0] in PLAIN else len(PLAIN)
        yield from (np.full(array.shape, x) for x in PLAIN[:rank])
    if array.size > 1:
        yield np.rint(array)
        yield np.where(np.abs(array) < 1e-3 * np.max(np.abs(array), initial=0), 0.0, array)
    for digits in SIGNIFICANT:
        yield _significant(array, digits)


def _significant(array: np.ndarray, digits: int) -> np.ndarray:
    return np.array([float(f"{x:.{digits - 1}e}") for x in array.ravel()]).reshape(array.shape)
