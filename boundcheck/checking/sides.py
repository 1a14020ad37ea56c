"""The sides of a statement as floats have them: complex, infinite, equal, or no numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.laws.comparing import NEGATED, comparable, is_complex, parts
from boundcheck.laws.quantities import Event, World, flagged
from boundcheck.operations.trials import aligned
from boundcheck.words.statements import Inequality

INFINITE = 750.0
"""Above the logarithm of every float: the score where one side is infinite on the wrong side."""

ATTAINED = 1e-6
"""The score of a strict statement whose sides are equal."""


def real_sides(statement: Inequality, lhs: np.ndarray, rhs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both sides in real numbers. Raises TypeError for an order of complex numbers, or of what are no square matrices."""
    if is_complex(lhs) or is_complex(rhs):
        if statement.relation != "equal":
            raise TypeError("complex numbers have no order; compare np.abs(z), np.real(z) or np.imag(z)")
        lhs, rhs = (parts(x) for x in np.broadcast_arrays(lhs, rhs))
    if statement.relation == "loewner" and not lhs.shape == rhs.shape == 2 * lhs.shape[:1]:
        raise TypeError(f"loewner compares square matrices of one size, not arrays of shapes {lhs.shape} and {rhs.shape}")
    return np.asarray(lhs, dtype=float), np.asarray(rhs, dtype=float)


def beyond_differences(statement: Inequality, lhs: np.ndarray, rhs: np.ndarray) -> tuple[float, float, float] | None:
    """What no difference of floats shows: an infinite side, or equality where the statement is strict.

    Two sides that are both infinite may have overflowed: nothing is known of them.
    """
    if statement.relation == "loewner":
        return None
    lhs, rhs = (x.ravel() for x in np.broadcast_arrays(lhs, rhs))
    wrong = lhs > rhs if statement.relation == "at_most" else np.abs(lhs - rhs) == np.inf
    infinite, attained = wrong & ~np.isfinite(lhs - rhs), statement.strict & (lhs == rhs)
    unclear = np.isinf(lhs) & (lhs == rhs)
    for entries, score in ((infinite, INFINITE), (unclear, np.nan), (attained & ~np.any(wrong), ATTAINED)):
        if np.any(entries) and not np.any(np.isnan(lhs) | np.isnan(rhs)):
            worst = int(np.argmax(entries))
            return score, float(lhs[worst]), float(rhs[worst])
    return None


def no_number(event: Event, world: World) -> Any:
    """The trials in which some side of the event is NaN."""
    if event.relation not in NEGATED:
        return np.logical_or.reduce([no_number(e, world) for e in event.operands])
    left, right = comparable(event.relation, aligned([flagged(x, world) for x in event.operands]))
    lost = np.asarray(np.isnan(left) | np.isnan(right))
    return lost.reshape(len(lost), -1).any(axis=1) if lost.ndim else lost
