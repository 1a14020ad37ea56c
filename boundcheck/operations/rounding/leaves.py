"""Radii of what is given, not computed, and of entries moved about."""

from __future__ import annotations

import numpy as np

from boundcheck.operations.rounding.roundoff import TINY, Step, is_decimal


def given(step: Step) -> np.ndarray:
    """The float nearest to a decimal: half an ulp, and nothing for a decimal that is a float."""
    return np.where(is_decimal(step.value), 0.0, np.spacing(np.abs(step.value)) / 2 + TINY)


def drawn(step: Step) -> np.ndarray:
    """What a generator drew is the number that it is."""
    return np.zeros(step.value.shape)


def gather(step: Step) -> np.ndarray:
    """The index -1 is an exact zero, which stands behind all operands."""
    pool = np.concatenate([r.ravel() for r in step.rs] + [np.zeros(1)])
    return pool[np.asarray(step.node["index"], dtype=int)].reshape(step.value.shape)


def take(step: Step) -> np.ndarray:
    """Rows of a table; an index is known when only one integer is within its radius."""
    index = np.trunc(step.xs[1])
    known = (np.abs(step.xs[1] - index) + step.rs[1] < 0.5) & (index >= 0)
    rows = step.rs[0][np.where(known, index, 0).astype(int)]
    return np.where(known.reshape(known.shape + (1,) * (rows.ndim - known.ndim)), rows, np.inf)


RULES = {"input": given, "random": given, "drawn": drawn, "const": given, "gather": gather, "take": take}
