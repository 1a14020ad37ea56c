"""Statements about how something falls or grows with a size: within a constant of a rate, or by a slope over sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from boundcheck.tape import is_traced
from boundcheck.tape.traced import lift
from boundcheck.words.statements import All, Inequality, NoStatement, Slope, both
from boundcheck.words.statements import at_most as _at_most

MARGIN = 0.05
"""What a sampled slope may exceed its bound by."""


def of_order(values: Mapping[int, Any], by: Callable[[int], Any] | Mapping[int, Any], constant: Any = 1.0) -> All:
    """values[s] <= constant * by(s) for each of the sizes: what O(by) says, with its constant, over a stated range.

    `values[s]` and `by(s)` are numbers, arrays or expectations. Raises NoStatement without sizes.
    """
    if not values:
        raise NoStatement("gave an order no sizes; state it over one or more.")
    bound = by if callable(by) else by.__getitem__
    return both(*(_at_most(values[s], constant * bound(s)) for s in sorted(values)))


def _log(size: int) -> Any:
    """The logarithm of a whole number of any length."""
    whole = lift(size)
    return np.log(whole) if is_traced(whole) else math.log(size)


def rate(values: Mapping[int, Any], at_most: float, margin: float | None = None) -> Inequality:
    """The least-squares slope of log m against log s over the sizes in `values` is at most `at_most` + `margin`.

    The sizes are fixed in advance; `values[s]` is a number or an expectation. The statement is about these sizes alone: an
    m(s) that oscillates below C s^at_most may have a larger slope, and its statement is `of_order`. The margin is 0, but
    0.05 where the expectations have to be sampled. Sizes that span less than a factor 8 say nothing.
    """
    sizes = sorted(values)
    if len(sizes) < 3:
        raise NoStatement("gave a rate fewer than three sizes; three or more are needed for a slope.")
    logs = [_log(s) for s in sizes]
    centred = [x - sum(logs) / len(logs) for x in logs]
    slope = sum(x * np.log(lift(values[s])) for x, s in zip(centred, sizes, strict=True)) / sum(x * x for x in centred)
    trivial = -np.inf if sizes[-1] < 8 * sizes[0] else None
    form = Slope(tuple(sizes), tuple(values[s] for s in sizes), MARGIN if margin is None else 0.0)
    return Inequality("at_most", slope, at_most + (margin or 0.0), trivial, form)
