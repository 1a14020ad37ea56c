"""How near an observation comes to its bound: the ratio of two sides that are both away from 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from boundcheck.checking.observe import DEEP, TOUCH, Observation
from boundcheck.domains import Raw
from boundcheck.statements import Inequality

SMALLEST = 1e-300
ROUNDED = 1e-13
"""Sides so small, against the largest number of the instance, may be rounding alone."""

SAME = 1e-5
"""Sides that differ by more than this and cross each other within their rounding are rounding alone."""


def nearness(o: Observation, raw: Mapping[str, Raw]) -> float:
    """log(lhs / rhs), at most 0; DEEP where the left side is 0 or has the other sign; -inf where nothing can be said.

    Nothing can be said of a violation, of a trivial bound, and of two sides that both vanish: 0 <= 0 shows no bound attained.
    An identity that is met is as near as can be, whatever its sides.
    """
    if np.isnan(o.score) or o.score > TOUCH or o.vague or o.vacuous:
        return -np.inf
    if o.relation == "equal":
        return 0.0
    if isinstance(o.pending, Inequality) and o.pending.slope is not None:
        return min(o.score, 0.0)
    return _nearness(o.lhs, o.rhs, max(SMALLEST, 0.0 if o.kind == "probability" else ROUNDED * _largest(raw)))


def _nearness(lhs: float, rhs: float, least: float) -> float:
    if not (np.isfinite(lhs) and np.isfinite(rhs)) or max(abs(lhs), abs(rhs)) <= least:
        return -np.inf
    if lhs == 0 or rhs == 0 or (lhs > 0) != (rhs > 0):
        return DEEP if lhs < rhs else -np.inf
    ratio = float(np.log(abs(lhs)) - np.log(abs(rhs))) * (1 if rhs > 0 else -1)
    return min(ratio, 0.0) if ratio <= SAME else -np.inf


def _largest(raw: Mapping[str, Raw]) -> float:
    """The largest absolute value among the numbers of an instance that are not whole by nature."""
    return max((float(np.max(np.abs(x), initial=0.0)) for x in _floats(dict(raw))), default=0.0)


def _floats(raw: Raw) -> Iterator[np.ndarray]:
    if isinstance(raw, (dict, list, tuple)):
        for entry in raw.values() if isinstance(raw, dict) else raw:
            yield from _floats(entry)
    elif np.asarray(raw).dtype.kind == "f":
        yield np.asarray(raw)
