"""Constants of a module: worked out again on the tape as their text reads, and compared with what is there.

`STEPS = int(0.29 * 100)` is 28 in floats and 29 as it reads, and an integer shows nothing of it. So what a name
of a module stands for is what its expression makes when it is recorded, and has to be what the module holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boundcheck.tape.program import is_machine_made, value_of

CHOSEN = "'{}' was chosen when its module was imported or an instance was looked at, perhaps by floats; write it in the body."

SEVERAL = "the file gives '{}' a value more than once, and which one is meant is not read; give it one, once."

NEAR = 1e-9
"""How far the floats of a constant may lie from what its text says, relative to an entry; floats round."""

FEW_ULPS = 2.0**-48
"""The same relative to its largest entry."""


def are_floats(x: object) -> bool:
    """Whether it is a finite float, or holds floats: nothing says what they should be."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fc"
    if isinstance(x, dict):
        return any(map(are_floats, x.values()))
    if isinstance(x, (list, tuple, set, frozenset)):
        return any(map(are_floats, x))
    return isinstance(x, (float, complex, np.inexact)) and bool(
        np.isfinite(complex(x))
    )


def is_made_again(exact: Any, value: Any) -> bool:
    """Whether what is worked out on the tape is what the module holds: floats nearly, all else exactly."""
    exact = (
        exact.plain() if hasattr(exact, "plain") else exact
    )  # the outcome of a comparison
    if isinstance(value, Mapping):
        same = isinstance(exact, Mapping) and list(exact) == list(value)
        return same and all(
            is_made_again(exact[key], entry) for key, entry in value.items()
        )
    if isinstance(value, (list, tuple)):
        same = isinstance(exact, (list, tuple)) and len(exact) == len(value)
        return same and all(map(is_made_again, exact, value))
    if is_machine_made(value):
        is_whole = np.asarray(value).dtype.kind in "iu"
        return _is_near(exact, np.asarray(value, dtype=float), is_whole)
    if isinstance(value, (int, np.bool_, np.ndarray)):
        return bool(np.array_equal(value_of(exact), value))
    if isinstance(value, (str, bytes, set, frozenset, range, slice)):
        return bool(exact == value)
    return type(exact).__name__ == type(value).__name__


def _is_near(exact: Any, value: np.ndarray, is_whole: bool) -> bool:
    mine = np.asarray(value_of(exact), dtype=float)
    if mine.shape != value.shape:
        return False
    if is_whole:
        return bool(np.array_equal(mine, value))
    largest = np.max(np.abs(value), where=np.isfinite(value), initial=0.0)
    return bool(
        np.allclose(mine, value, NEAR, FEW_ULPS * largest, equal_nan=True)
    )
