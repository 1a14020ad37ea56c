"""Shrinking: simpler numbers one after the other, as long as the instance still violates the claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

import numpy as np

from boundcheck.domains import FIXED, Raw
from boundcheck.domains.chart import Discrete
from boundcheck.domains.instances import Parameters, leaves, replaced

StillWrong = Callable[[dict[str, Raw]], bool]
SIGNIFICANT = (1, 2, 3, 4, 6, 9)
PLAIN = (0.0, 1.0, 2.0, 0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12)
"""Numbers that a reader likes to see, the most welcome first."""

COUNTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100)
COUNTED, MOST_NUMBERS = 6, 3
"""Counts that are tried although a smaller one is there, and numbers that are made plain at once."""


def shrink(
    parameters: Parameters, raw: dict[str, Raw], still_wrong: StillWrong, attempts: int = 400, plain: bool = True
) -> dict[str, Raw]:
    """The instance with short decimals, small counts and many zeros; `plain` tries to change all numbers at once, too. Deterministic."""
    for candidate in islice(_plain(parameters, raw), attempts // 2 if plain else 0):
        attempts -= 1
        if still_wrong(candidate):
            raw = candidate
            break
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


def _plain(parameters: Parameters, raw: dict[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Plain values of all numbers at once, the most welcome first, and for each the smallest count first.

    One number after the other ends where no single one can be simpler: three flips at a level of 1/1000 say less than
    three of a fair coin at 1/10. Nothing where more than three numbers or more than one count move.
    """
    places = [(path, leaf, chart) for path, leaf, chart in leaves(parameters, raw) if chart is not FIXED and np.ndim(leaf) == 0]
    numbers = [(path, chart) for path, leaf, chart in places if isinstance(leaf, float)]
    counts = [(path, leaf, chart) for path, leaf, chart in places if isinstance(leaf, int) and not isinstance(leaf, bool)]
    if not 0 < len(numbers) <= MOST_NUMBERS or len(counts) > 1:
        return
    ranks = [[k for k, x in enumerate(PLAIN) if chart.contains(x)] for _, chart in numbers]
    for chosen in sorted(product(*ranks), key=lambda ranks: (sum(ranks), ranks)):
        candidate: Any = raw
        for (path, _), k in zip(numbers, chosen, strict=True):
            candidate = replaced(candidate, path, PLAIN[k])
        if not counts:
            yield candidate
        for path, leaf, chart in counts:
            yield from (replaced(candidate, path, n) for n in COUNTS if n <= max(leaf, COUNTED) and chart.contains(n))


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
