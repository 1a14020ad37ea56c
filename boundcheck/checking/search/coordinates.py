"""The continuous numbers of an instance as one vector without bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.domains import Raw
from boundcheck.domains.discrete import Discrete
from boundcheck.domains.instances import Parameters, leaves, replaced


@dataclass(frozen=True)
class Coordinates:
    """An instance, the places of its numbers that may move, and these numbers in coordinates without bounds."""

    start: dict[str, Raw]
    places: list[tuple[Any, np.ndarray, Any]]
    free: np.ndarray

    @classmethod
    def of(cls, parameters: Parameters, start: dict[str, Raw]) -> Coordinates:
        places = [(path, np.asarray(leaf, dtype=float), chart) for path, leaf, chart in leaves(parameters, start) if _moves(leaf, chart)]
        return cls(start, places, np.concatenate([np.zeros(0), *(chart.free(leaf).ravel() for _, leaf, chart in places)]))

    def at(self, free: np.ndarray) -> dict[str, Raw]:
        """The instance with its continuous numbers moved there."""
        raw, first = self.start, 0
        for path, leaf, chart in self.places:
            moved = chart.bound(free[first : first + leaf.size]).reshape(leaf.shape)
            raw = replaced(raw, path, moved if leaf.ndim else float(moved))
            first += leaf.size
        return raw


def _moves(leaf: Any, chart: Any) -> bool:
    if isinstance(chart, Discrete):
        return False
    is_float = isinstance(leaf, (float, np.floating)) or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
    return bool(is_float and np.size(leaf) and all(chart.contains(float(x)) for x in np.ravel(leaf)))
