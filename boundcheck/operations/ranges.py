"""Ranges of random quantities through NumPy functions: what is known of an expression from what is known of its parts."""

from __future__ import annotations

from typing import Any

import numpy as np

Range = tuple[Any, Any]
"""Lower and upper end; None where nothing is known. Ends may be arrays, and may be traced."""

UNKNOWN: Range = (None, None)
NON_NEGATIVE = {"absolute", "sqrt", "exp", "square", "fabs", "cosh", "svdvals", "norm", "matrix_norm", "vector_norm", "var", "std", "cond"}
INCREASING = {"exp", "log", "log1p", "expm1", "sqrt", "tanh", "arctan", "cbrt"}
KEEPING = {"maximum", "minimum", "max", "min", "amax", "amin", "mean", "median", "sort", "clip"}


def range_of(name: str, ranges: list[Range], values: tuple[Any, ...]) -> Range:
    """The range of `np.name(...)` given the ranges of its operands."""
    low, high = RULES.get(name, lambda *_: UNKNOWN)(ranges, values)
    if low is None and name in NON_NEGATIVE:
        low = 0.0
    return low, high


def _add(ranges: list[Range], _: Any) -> Range:
    (a, b), (c, d) = ranges
    return None if a is None or c is None else a + c, None if b is None or d is None else b + d


def _subtract(ranges: list[Range], _: Any) -> Range:
    (a, b), (c, d) = ranges
    return None if a is None or d is None else a - d, None if b is None or c is None else b - c


def _multiply(ranges: list[Range], _: Any) -> Range:
    (a, b), (c, d) = ranges
    if a is None or c is None:
        return UNKNOWN
    if b is None or d is None:
        return (0.0, None) if _certainly(a >= 0) and _certainly(c >= 0) else UNKNOWN
    products = [a * c, a * d, b * c, b * d]
    if any(map(_undefined, products)):
        return UNKNOWN
    return _fold(np.minimum, products), _fold(np.maximum, products)


def _divide(ranges: list[Range], values: tuple[Any, ...]) -> Range:
    (a, b), (c, d) = ranges
    positive = c is not None and _certainly(c > 0)
    if c is not None and c is d and (positive or _certainly(c < 0)):
        ends = tuple(None if x is None else x / c for x in ((a, b) if positive else (b, a)))
        return ends[0], ends[1]
    nonnegative = a is not None and c is not None and _certainly(a >= 0) and _certainly(c >= 0)
    return (0.0, None) if nonnegative else UNKNOWN


def _sum(ranges: list[Range], _: Any) -> Range:
    """A sum of non-negative numbers is not negative; how many there are is not known."""
    low = ranges[0][0]
    return (0.0 if low is not None and _certainly(low >= 0) else None), None


def _negative(ranges: list[Range], _: Any) -> Range:
    ((a, b),) = ranges
    return None if b is None else -b, None if a is None else -a


def _absolute(ranges: list[Range], _: Any) -> Range:
    ((a, b),) = ranges
    return 0.0, None if a is None or b is None else np.maximum(abs(a), abs(b))


def _power(ranges: list[Range], values: tuple[Any, ...]) -> Range:
    (a, b), _ = ranges
    k = values[1]
    if not isinstance(k, (int, float)) or k <= 0:
        return UNKNOWN
    if a is not None and _certainly(a >= 0):
        return a**k, None if b is None else b**k
    if k == int(k) and int(k) % 2 == 0:
        return 0.0, None if a is None or b is None else np.maximum(abs(a), abs(b)) ** k
    return UNKNOWN


def _increasing(name: str) -> Any:
    function = getattr(np, name)

    def rule(ranges: list[Range], _: Any) -> Range:
        with np.errstate(all="ignore"):
            low, high = (None if x is None else function(x) for x in ranges[0])
        return (None if _undefined(low) else low), (None if _undefined(high) else high)

    return rule


def _undefined(x: Any) -> bool:
    """An end outside the domain of a function says nothing."""
    return x is not None and bool(np.any(np.isnan(np.asarray(getattr(x, "traced_value", x), dtype=float))))


def _hull(ranges: list[Range], _: Any) -> Range:
    lows, highs = zip(*ranges, strict=True)
    low = None if any(x is None for x in lows) else _fold(np.minimum, lows)
    return low, None if any(x is None for x in highs) else _fold(np.maximum, highs)


def _fold(combine: Any, ends: Any) -> Any:
    result = ends[0]
    for end in ends[1:]:
        result = combine(result, end)
    return result


def _certainly(condition: Any) -> bool:
    """A plain yes; a condition on traced ends is decided by its float value, which the claim's own hypotheses imply."""
    return bool(np.all(getattr(condition, "value", condition)))


RULES: dict[str, Any] = {
    "add": _add, "sum": _sum, "prod": _sum, "trace": _sum,
    "subtract": _subtract, "multiply": _multiply, "divide": _divide, "negative": _negative,
    "absolute": _absolute, "fabs": _absolute, "square": lambda r, v: _power([*r, UNKNOWN], (*v, 2)), "power": _power,
    **{name: _increasing(name) for name in INCREASING}, **dict.fromkeys(KEEPING, _hull),
    "where": lambda ranges, _: _hull(ranges[1:], _) if len(ranges) == 3 else UNKNOWN,
}  # fmt: skip
