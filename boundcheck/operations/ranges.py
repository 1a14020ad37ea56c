"""What is known of the values of an expression from its parts: one rule for each function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Range = tuple[Any, Any]
"""Lower and upper end; None where nothing is known. Ends may be arrays, and may be traced."""

Rule = Callable[[list[Range], tuple[Any, ...]], Range]
"""From the ranges of the operands, and the operands."""

UNKNOWN: Range = (None, None)
RANGES: dict[Any, Rule] = {}
"""The rules of functions; the operations and the spellings enter theirs."""


def range_of(
    function: Callable[..., Any], ranges: list[Range], values: tuple[Any, ...]
) -> Range:
    """The range of `function(...)` given the ranges of its operands."""
    rule = RANGES.get(function)
    return UNKNOWN if rule is None else rule(ranges, values)


def nonnegative(*_: Any) -> Range:
    return 0.0, None


def add(ranges: list[Range], _: object) -> Range:
    (a, b), (c, d) = ranges
    return (
        None if a is None or c is None else a + c,
        None if b is None or d is None else b + d,
    )


def subtract(ranges: list[Range], _: object) -> Range:
    (a, b), (c, d) = ranges
    return (
        None if a is None or d is None else a - d,
        None if b is None or c is None else b - c,
    )


def multiply(ranges: list[Range], _: object) -> Range:
    (a, b), (c, d) = ranges
    if a is None or c is None:
        return UNKNOWN
    if b is None or d is None:
        return (
            (0.0, None)
            if _certainly(a >= 0) and _certainly(c >= 0)
            else UNKNOWN
        )
    products = [a * c, a * d, b * c, b * d]
    if any(map(_undefined, products)):
        return UNKNOWN
    return _fold(np.minimum, products), _fold(np.maximum, products)


def divide(ranges: list[Range], values: tuple[Any, ...]) -> Range:
    (a, b), (c, d) = ranges
    positive = c is not None and _certainly(c > 0)
    if c is not None and c is d and (positive or _certainly(c < 0)):
        ends = tuple(
            None if x is None else x / c
            for x in ((a, b) if positive else (b, a))
        )
        return ends[0], ends[1]
    above = (
        a is not None
        and c is not None
        and _certainly(a >= 0)
        and _certainly(c >= 0)
    )
    return (0.0, None) if above else UNKNOWN


def summed(ranges: list[Range], _: object) -> Range:
    """A sum of non-negative numbers is not negative; how many there are is not known."""
    low = ranges[0][0]
    return (0.0 if low is not None and _certainly(low >= 0) else None), None


def negative(ranges: list[Range], _: object) -> Range:
    ((a, b),) = ranges
    return None if b is None else -b, None if a is None else -a


def absolute(ranges: list[Range], _: object) -> Range:
    ((a, b),) = ranges
    return 0.0, None if a is None or b is None else np.maximum(abs(a), abs(b))


def power(ranges: list[Range], values: tuple[Any, ...]) -> Range:
    (a, b), _ = ranges
    k = values[1]
    if not isinstance(k, (int, float)) or k <= 0:
        return UNKNOWN
    if a is not None and _certainly(a >= 0):
        return a**k, None if b is None else b**k
    if k == int(k) and int(k) % 2 == 0:
        return 0.0, None if a is None or b is None else np.maximum(
            abs(a), abs(b)
        ) ** k
    return UNKNOWN


def squared(ranges: list[Range], values: tuple[Any, ...]) -> Range:
    low, high = power([*ranges, UNKNOWN], (*values, 2))
    return 0.0 if low is None else low, high


def always(low: float, high: float) -> Rule:
    """Of a function that is bounded whatever it is given."""
    return lambda *_: (low, high)


def increasing(
    function: Callable[[Any], Any],
    least: float | None = None,
    most: float | None = None,
) -> Rule:
    """Of an increasing function, from its values at the ends; it is nowhere below `least` or above `most`."""

    def rule(ranges: list[Range], _: object) -> Range:
        with np.errstate(all="ignore"):
            low, high = (None if x is None else function(x) for x in ranges[0])
        low = least if low is None or _undefined(low) else low
        return low, most if high is None or _undefined(high) else high

    return rule


def _undefined(x: object) -> bool:
    """An end outside the domain of a function says nothing."""
    return x is not None and bool(
        np.any(np.isnan(np.asarray(getattr(x, "traced_value", x), dtype=float)))
    )


def hull(ranges: list[Range], _: object) -> Range:
    lows, highs = zip(*ranges, strict=True)
    low = None if any(x is None for x in lows) else _fold(np.minimum, lows)
    return low, None if any(x is None for x in highs) else _fold(
        np.maximum, highs
    )


def greater(ranges: list[Range], _: object) -> Range:
    """Of the larger of two: above each lower end, and below both upper ones."""
    (a, b), (c, d) = ranges
    low = c if a is None else a if c is None else np.maximum(a, c)
    return low, None if b is None or d is None else np.maximum(b, d)


def smaller(ranges: list[Range], _: object) -> Range:
    """Of the smaller of two."""
    low, high = greater([negative([x], _) for x in ranges], _)
    return negative([(low, high)], _)


def clipped(ranges: list[Range], _: object) -> Range:
    """Of np.clip: between the last two."""
    return (
        smaller([greater(ranges[:2], _), ranges[2]], _)
        if len(ranges) == 3
        else UNKNOWN
    )


def within(ranges: list[Range], _: object) -> Range:
    """Of entries of the first operand, or their means: between the least and the largest end."""
    low, high = ranges[0]
    return low if low is None or not np.ndim(low) else np.min(
        low
    ), high if high is None or not np.ndim(high) else np.max(high)


def either(ranges: list[Range], _: object) -> Range:
    """Of np.where: entries of either of the last two."""
    return hull(ranges[1:], _) if len(ranges) == 3 else UNKNOWN


def _fold(combine: Any, ends: Any) -> Any:
    result = ends[0]
    for end in ends[1:]:
        result = combine(result, end)
    return result


def _certainly(condition: Any) -> bool:
    """A plain yes; for traced ends it is that of their floats, which the claim's own hypotheses imply."""
    return bool(np.all(getattr(condition, "value", condition)))
