"""Functions of entries that are spelled with simpler ones, those of scipy.special among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

import boundcheck.operations.ranges as ranges
from boundcheck.operations.moving import where
from boundcheck.operations.operation import Ranges, spells
from boundcheck.operations.trials import Entries, exact, tape_beside


def xlogy(x: Any, y: Any) -> Any:
    """x log y with 0 log 0 = 0: where x is zero the logarithm is not taken."""
    tape = tape_beside(x, y)
    x, y = np.broadcast_arrays(exact(x, tape), exact(y, tape))
    zero: Any = exact(x, tape) == 0
    return x * np.log(where(zero, np.ones(np.shape(x)), y))


def _heaviside(x: Entries, y: Entries) -> Entries:
    at_zero = where(x < 0, np.zeros(x.shape), _beside(x, y) * np.ones(x.shape))
    return where(x > 0, np.ones(x.shape), at_zero)


def _ndtr(x: Entries) -> Entries:
    return special.erfc(-x / np.sqrt(_beside(x, 2))) / 2


def _beside(x: Any, number: Any) -> Entries:
    return exact(number, tape_beside(x))


def _pi(x: Entries) -> Entries:
    return 4 * np.arctan(_beside(x, 1))


def _in_base(base: int) -> Callable[[Any], Any]:
    return lambda x: np.log(x) / np.log(_beside(x, base))


def _unchanged(x: Entries) -> Entries:
    return x.copy()


def _of_floats(test: Callable[[Any], Any], x: Any) -> Any:
    """What floats say, of which no hypothesis is made: it is not so elsewhere."""
    x.tape.by_floats = True
    return test(x.traced_value)


SPELLINGS: list[tuple[Any, Callable[..., Any], Ranges | None]] = [
    (np.square, lambda x: x * x, ranges.square),
    (np.positive, _unchanged, ranges.within),
    (np.conjugate, _unchanged, ranges.within),
    (np.reciprocal, lambda x: 1 / x, None),
    (np.cbrt, lambda x: np.sign(x) * np.abs(x) ** (1 / _beside(x, 3)), ranges.increasing(np.cbrt)),
    (np.log2, _in_base(2), ranges.increasing(np.log2)),
    (np.log10, _in_base(10), ranges.increasing(np.log10)),
    (np.exp2, lambda x: np.exp(x * np.log(_beside(x, 2))), ranges.increasing(np.exp2, 0.0)),
    (np.degrees, lambda x: 180 * x / _pi(x), ranges.increasing(np.degrees)),
    (np.rad2deg, lambda x: 180 * x / _pi(x), ranges.increasing(np.degrees)),
    (np.radians, lambda x: _pi(x) * x / 180, ranges.increasing(np.radians)),
    (np.deg2rad, lambda x: _pi(x) * x / 180, ranges.increasing(np.radians)),
    (np.hypot, lambda x, y: np.sqrt(x * x + y * y), ranges.nonnegative),
    (np.logaddexp, lambda x, y: np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y))), None),
    (np.floor_divide, lambda x, y: np.floor(x / y), None),
    (np.heaviside, _heaviside, None),
    (np.vecdot, lambda x, y: np.sum(x * y, axis=-1), None),
    (special.xlogy, xlogy, None),
    (special.xlog1py, lambda x, y: xlogy(x, 1 + y), None),
    (special.entr, lambda x: -xlogy(x, x), None),
    (special.rel_entr, lambda x, y: xlogy(x, x / y), None),
    (special.kl_div, lambda x, y: xlogy(x, x / y) - x + y, None),
    (special.expit, lambda x: 1 / (1 + np.exp(-x)), ranges.increasing(special.expit, 0.0, 1.0)),
    (special.logit, lambda x: np.log(x / (1 - x)), ranges.increasing(special.logit)),
    (special.log_expit, lambda x: -np.log1p(np.exp(-x)), None),
    (special.ndtr, _ndtr, ranges.increasing(special.ndtr)),
    (special.log_ndtr, lambda x: np.log(_ndtr(x)), None),
    (np.isfinite, lambda x: _of_floats(np.isfinite, x), None),
    (np.isnan, lambda x: _of_floats(np.isnan, x), None),
]
"""Ufuncs, their spellings, and what is known of their values."""

for _ufunc, _spelling, _range in SPELLINGS:
    spells(_ufunc, range=_range)(_spelling)
