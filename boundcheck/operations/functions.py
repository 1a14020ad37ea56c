"""Functions of entries: arithmetic, elementary and special functions, and those that are spelled with simpler ones.

Arithmetic knows its rounding errors exactly where it can; the radii of most others are from the values at the
ends of an interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import special

import boundcheck.operations.ranges as ranges
from boundcheck.operations.enclosed import enclosed
from boundcheck.operations.moving import where
from boundcheck.operations.operation import (
    Operation,
    Ranges,
    entrywise,
    operation,
    slopes,
    spells,
)
from boundcheck.operations.roundoff import (
    FUNCTION,
    TINY,
    Step,
    U,
    ends,
    on_grid,
    product_is_exact,
    sum_error,
)
from boundcheck.operations.trials import Entries, exact, tape_beside

Rule = Callable[[Step], np.ndarray]


def defined(rule: Rule) -> Rule:
    """Nothing can be said of a function of what is not known, even if the function is bounded."""

    def bounded(step: Step) -> np.ndarray:
        return np.where(np.isfinite(sum(step.rs)), rule(step), np.inf)

    return bounded


def same(step: Step) -> np.ndarray:
    return step.rs[0]


def add_radius(step: Step) -> np.ndarray:
    return step.rs[0] + step.rs[1] + sum_error(*step.xs)


def sub_radius(step: Step) -> np.ndarray:
    return step.rs[0] + step.rs[1] + sum_error(step.xs[0], -step.xs[1])


def mul_radius(step: Step) -> np.ndarray:
    (x, y), (r, t) = step.xs, step.rs
    moved = np.abs(x) * t + np.abs(y) * r + r * t
    return _rounded(
        moved, (r > 0) | (t > 0), product_is_exact(x, y), step.value
    )


def div_radius(step: Step) -> np.ndarray:
    """|x/y - X/Y| <= (|x - X| + |x/y| |y - Y|) / |Y|."""
    (x, y), (r, t) = step.xs, step.rs
    nearest = ends(np.abs(y), t)[0].clip(0.0)
    moved = (r + np.abs(step.value) * (1 + 2 * U) * t) / nearest
    exact = product_is_exact(step.value, y) & (step.value * y == x)
    return np.where(
        nearest > 0,
        _rounded(moved, (r > 0) | (t > 0), exact, step.value),
        np.inf,
    )


def _rounded(
    moved: np.ndarray, inexact: np.ndarray, exact: np.ndarray, value: np.ndarray
) -> np.ndarray:
    """What the operands' radii do, and half an ulp unless the operation happens to be exact."""
    return np.where(inexact, moved + TINY, 0.0) + np.where(
        exact, 0.0, U * np.abs(value) + TINY
    )


def sqrt_radius(step: Step) -> np.ndarray:
    """|sqrt x - sqrt X| <= |x - X| / (sqrt x + sqrt X) <= sqrt |x - X|."""
    (x,), (r,) = step.xs, step.rs
    below = np.sqrt(ends(x, r)[0].clip(0.0)) * (1 - 2 * U)
    moved = np.minimum(np.sqrt(r), r / (step.value * (1 - 2 * U) + below))
    exact = product_is_exact(step.value, step.value) & (
        step.value * step.value == x
    )
    return np.where(r > 0, moved + TINY, 0.0) + np.where(
        exact, 0.0, U * step.value * (1 + 2 * U)
    )


def maximum_radius(step: Step) -> np.ndarray:
    """The radius of the operand that certainly is the larger, or the larger of both."""
    return _largest(*step.xs, *step.rs)


def minimum_radius(step: Step) -> np.ndarray:
    return _largest(-step.xs[0], -step.xs[1], *step.rs)


def _largest(
    x: np.ndarray, y: np.ndarray, r: np.ndarray, t: np.ndarray
) -> np.ndarray:
    (a, b), (c, d) = ends(x, r), ends(y, t)
    return np.where(a > d, r, np.where(c > b, t, np.maximum(r, t)))


def power_radius(step: Step) -> np.ndarray:
    """Extremes of x^y over a box are at its corners, or at x = 0 for a whole exponent."""
    (x, y), (r, t) = step.xs, step.rs
    (a, b), (c, d) = ends(x, r), ends(y, t)
    whole = (t == 0) & (np.rint(y) == y)
    broken = (
        np.floor(d) < c
    )  # the exponent certainly is no integer, so the base cannot be negative
    a = np.where(broken & (c > 0), a.clip(0.0), a)
    pole = np.where(
        whole, (y < 0) & (a <= 0) & (b >= 0), (a < 0) | ((c <= 0) & (a <= 0))
    )
    middle = np.where(whole & (y >= 0), np.clip(np.zeros_like(a), a, b), b)
    values = np.stack(np.broadcast_arrays(a**c, a**d, b**c, b**d, middle**c))
    slack = np.where(
        _whole_power(step), 0.0, np.abs(values).max(axis=0) * FUNCTION + TINY
    )
    return np.where(
        pole, np.inf, np.abs(values - step.value).max(axis=0) + slack
    )


def _whole_power(step: Step) -> np.ndarray:
    """Whether the value is exact, by integer arithmetic on exact integers that does not overflow."""
    (x, y), (r, t) = (
        np.broadcast_arrays(*step.xs),
        np.broadcast_arrays(*step.rs),
    )
    small = (
        (r == 0)
        & (t == 0)
        & on_grid(x, 0)
        & on_grid(y, 0)
        & (y >= 0)
        & (np.abs(step.value) < 2.0**52)
    )
    small &= (
        (np.abs(x) < 2.0**52) & ((np.abs(x) <= 1) | (y < 53)) & (y < 2.0**52)
    )
    base, exponent = (np.where(small, z, 1.0).astype(np.int64) for z in (x, y))
    return small & (np.power(base, exponent) == step.value)


def _finite(x: np.ndarray) -> np.ndarray:
    """A slope that is not finite leads nowhere."""
    return np.where(np.isfinite(x), x, 0.0)


def _first(
    before: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> Callable[..., np.ndarray]:
    """The slope of an extreme in its first operand; equal operands share it."""
    return lambda x, y, v: before(x, y) + 0.5 * (x == y)


def _second(
    before: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> Callable[..., np.ndarray]:
    return lambda x, y, v: before(y, x) + 0.5 * (x == y)


neg = operation(
    "neg",
    entrywise(np.negative),
    same,
    pullback=slopes(lambda x, v: -1.0),
    range=ranges.negative,
    numpy=[np.negative],
)
absolute = operation(
    "abs",
    entrywise(np.abs),
    same,
    pullback=slopes(lambda x, v: np.sign(x)),
    range=ranges.absolute,
    numpy=[np.absolute, np.fabs],
)
add = operation(
    "add",
    entrywise(np.add),
    add_radius,
    pullback=slopes(lambda x, y, v: 1.0, lambda x, y, v: 1.0),
    range=ranges.add,
    numpy=[np.add],
)
sub = operation(
    "sub",
    entrywise(np.subtract),
    sub_radius,
    pullback=slopes(lambda x, y, v: 1.0, lambda x, y, v: -1.0),
    range=ranges.subtract,
    numpy=[np.subtract],
)
mul = operation(
    "mul",
    entrywise(np.multiply),
    mul_radius,
    pullback=slopes(lambda x, y, v: y, lambda x, y, v: x),
    range=ranges.multiply,
    numpy=[np.multiply],
)
div = operation(
    "div",
    entrywise(np.divide),
    div_radius,
    pullback=slopes(lambda x, y, v: 1 / y, lambda x, y, v: -v / y),
    range=ranges.divide,
    numpy=[np.divide],
)
sqrt = operation(
    "sqrt",
    entrywise(np.sqrt),
    sqrt_radius,
    pullback=slopes(lambda x, v: _finite(0.5 / v)),
    range=ranges.increasing(np.sqrt, 0.0),
    numpy=[np.sqrt],
)
power = operation(
    "pow",
    entrywise(np.power),
    defined(power_radius),
    range=ranges.power,
    numpy=[np.power],
    pullback=slopes(
        lambda x, y, v: _finite(y * np.power(x, y - 1)),
        lambda x, y, v: _finite(v * np.log(x)),
    ),
)
maximum = operation(
    "maximum",
    entrywise(np.maximum),
    maximum_radius,
    range=ranges.greater,
    numpy=[np.maximum],
    pullback=slopes(_first(np.greater), _second(np.greater)),
)
minimum = operation(
    "minimum",
    entrywise(np.minimum),
    minimum_radius,
    pullback=slopes(_first(np.less), _second(np.less)),
    range=ranges.smaller,
    numpy=[np.minimum],
)
mod = operation(
    "mod",
    entrywise(np.remainder),
    enclosed,
    numpy=[np.remainder],
    pullback=slopes(lambda x, y, v: 1.0, lambda x, y, v: -np.floor(x / y)),
)
arctan2 = operation(
    "arctan2",
    entrywise(np.arctan2),
    enclosed,
    numpy=[np.arctan2],
    pullback=slopes(
        lambda y, x, v: x / (x * x + y * y),
        lambda y, x, v: -y / (x * x + y * y),
    ),
)


# elementary and special functions


Function = Callable[[np.ndarray], np.ndarray]

ERFC = 2.0**-42
"""Relative error of erfc far out, where it is exp of a large square (Cephes claims 2^-44)."""


@dataclass(frozen=True)
class _Curve:
    """A function that is monotone on its domain.

    `relative` and `absolute` bound the error of its float values; at the `exact` arguments there is none.
    """

    f: Function
    exact: tuple[float, ...] = ()
    relative: float = FUNCTION
    absolute: float = TINY
    domain: tuple[float, float] = (-np.inf, np.inf)


def along(curve: _Curve, step: Step) -> np.ndarray:
    """The exact value lies between the values at the ends (an open end has an infinite value)."""
    (x,), (r,) = step.xs, step.rs
    a, b = ends(x, r)
    a, b = np.maximum(a, curve.domain[0]), np.minimum(b, curve.domain[1])
    values = np.stack([curve.f(a), curve.f(b)])
    slack = np.abs(values).max(axis=0) * curve.relative + curve.absolute
    slack = np.where((r == 0) & np.isin(x, curve.exact), 0.0, slack)
    return np.abs(values - step.value).max(axis=0) + slack


def jump(f: Function) -> Rule:
    """sign, floor, ceil, rint: computed without error, so that only a jump within the radius matters."""
    return defined(partial(along, _Curve(f, relative=0.0, absolute=0.0)))


def wave(slope: Function) -> Rule:
    """sine or cosine: the slope is at most 1 and moves by at most r; far out, values err by ulps of 1."""

    def rule(step: Step) -> np.ndarray:
        (x,), (r,) = step.xs, step.rs
        moved = r * np.minimum(1.0, np.abs(slope(x)) + FUNCTION + r)
        slack = (
            FUNCTION * np.where(np.abs(x) <= 0.5, np.abs(step.value), 1.0)
            + TINY
        )
        slack = np.where((r == 0) & (x == 0), 0.0, slack)
        return np.minimum(moved + slack, 1 + np.abs(step.value))

    return rule


UNIT, POSITIVE = (-1.0, 1.0), (0.0, np.inf)
Slope = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _curve(
    name: str,
    curve: _Curve,
    slope: Slope,
    range: Ranges | None = None,
) -> Operation:
    """A function by its curve, and its slope from argument and value."""
    radius = defined(partial(along, curve))
    return operation(
        name,
        entrywise(curve.f),
        radius,
        pullback=slopes(slope),
        range=range,
        numpy=[curve.f],
    )


def _rising(
    name: str,
    curve: _Curve,
    slope: Slope,
    least: float | None = None,
    most: float | None = None,
) -> Operation:
    return _curve(name, curve, slope, ranges.increasing(curve.f, least, most))


def _other(
    name: str, f: Function, slope: Slope, range: Ranges | None = None
) -> Operation:
    """A function that is rare, or not monotone; its radius is from balls."""
    return operation(
        name,
        entrywise(f),
        enclosed,
        pullback=slopes(slope),
        range=range,
        numpy=[f],
    )


def _steps(name: str, f: Function) -> Operation:
    return operation(
        name,
        entrywise(f),
        jump(f),
        pullback=slopes(lambda x, v: 0.0),
        range=ranges.increasing(f),
        numpy=[f],
    )


exp = _rising("exp", _Curve(np.exp, (0,)), lambda x, v: v, 0.0)
expm1 = _rising("expm1", _Curve(np.expm1, (0,)), lambda x, v: v + 1)
log = _rising("log", _Curve(np.log, (1,), domain=POSITIVE), lambda x, v: 1 / x)
log1p = _rising(
    "log1p",
    _Curve(np.log1p, (0,), domain=(-1.0, np.inf)),
    lambda x, v: 1 / (1 + x),
)
sin = operation(
    "sin",
    entrywise(np.sin),
    defined(wave(np.cos)),
    pullback=slopes(lambda x, v: np.cos(x)),
    range=ranges.always(-1.0, 1.0),
    numpy=[np.sin],
)
cos = operation(
    "cos",
    entrywise(np.cos),
    defined(wave(np.sin)),
    pullback=slopes(lambda x, v: -np.sin(x)),
    range=ranges.always(-1.0, 1.0),
    numpy=[np.cos],
)
tan = _other("tan", np.tan, lambda x, v: 1 + v * v)
arcsin = _curve(
    "arcsin",
    _Curve(np.arcsin, (0,), domain=UNIT),
    lambda x, v: 1 / np.sqrt(1 - x * x),
)
arccos = _curve(
    "arccos",
    _Curve(np.arccos, (1,), domain=UNIT),
    lambda x, v: -1 / np.sqrt(1 - x * x),
)
arctan = _rising(
    "arctan", _Curve(np.arctan, (0,)), lambda x, v: 1 / (1 + x * x)
)
sinh = _rising("sinh", _Curve(np.sinh, (0,)), lambda x, v: np.cosh(x))
cosh = _other("cosh", np.cosh, lambda x, v: np.sinh(x), ranges.nonnegative)
tanh = _rising("tanh", _Curve(np.tanh, (0,)), lambda x, v: 1 - v * v, -1.0, 1.0)
sign = _steps("sign", np.sign)
floor = _steps("floor", np.floor)
ceil = _steps("ceil", np.ceil)
rint = _steps("rint", np.rint)
erf = _rising(
    "erf",
    _Curve(special.erf, (0,), 2 * FUNCTION),
    lambda x, v: 2 / np.sqrt(np.pi) * np.exp(-x * x),
)
erfc = _curve(
    "erfc",
    _Curve(special.erfc, (0,), ERFC),
    lambda x, v: -2 / np.sqrt(np.pi) * np.exp(-x * x),
)
gamma = _other("gamma", special.gamma, lambda x, v: v * special.digamma(x))
gammaln = _other("gammaln", special.gammaln, lambda x, v: special.digamma(x))
ndtri = _other(
    "ndtri",
    special.ndtri,
    lambda x, v: np.sqrt(2 * np.pi) * np.exp(v * v / 2),
    ranges.increasing(special.ndtri),
)
digamma = _other(
    "digamma", special.digamma, lambda x, v: special.polygamma(1, x)
)


# functions that are spelled with simpler ones


def xlogy(x: Any, y: Any) -> Any:
    """x log y with 0 log 0 = 0: where x is zero the logarithm is not taken."""
    tape = tape_beside(x, y)
    x, y = np.broadcast_arrays(exact(x, tape), exact(y, tape))
    zero: Any = exact(x, tape) == 0
    return x * np.log(where(zero, np.ones(np.shape(x)), y))


def _ndtr(x: Entries) -> Entries:
    return special.erfc(-x / np.sqrt(_beside(x, 2))) / 2


def _beside(x: Any, number: Any) -> Entries:
    return exact(number, tape_beside(x))


def _in_base(base: int) -> Callable[[Any], Any]:
    return lambda x: np.log(x) / np.log(_beside(x, base))


SPELLINGS: list[tuple[Any, Callable[..., Any], Ranges | None]] = [
    (np.square, lambda x: x * x, ranges.squared),
    (np.positive, lambda x: x.copy(), ranges.within),
    (
        np.cbrt,
        lambda x: np.sign(x) * np.abs(x) ** (1 / _beside(x, 3)),
        ranges.increasing(np.cbrt),
    ),
    (np.log2, _in_base(2), ranges.increasing(np.log2)),
    (np.log10, _in_base(10), ranges.increasing(np.log10)),
    (
        np.exp2,
        lambda x: np.exp(x * np.log(_beside(x, 2))),
        ranges.increasing(np.exp2, 0.0),
    ),
    (np.hypot, lambda x, y: np.sqrt(x * x + y * y), ranges.nonnegative),
    (
        np.logaddexp,
        lambda x, y: np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y))),
        None,
    ),
    (np.floor_divide, lambda x, y: np.floor(x / y), None),
    (special.xlogy, xlogy, None),
    (special.xlog1py, lambda x, y: xlogy(x, 1 + y), None),
    (special.entr, lambda x: -xlogy(x, x), None),
    (special.rel_entr, lambda x, y: xlogy(x, x / y), None),
    (special.kl_div, lambda x, y: xlogy(x, x / y) - x + y, None),
    (
        special.expit,
        lambda x: 1 / (1 + np.exp(-x)),
        ranges.increasing(special.expit, 0.0, 1.0),
    ),
    (
        special.logit,
        lambda x: np.log(x / (1 - x)),
        ranges.increasing(special.logit),
    ),
    (special.ndtr, _ndtr, ranges.increasing(special.ndtr)),
    (special.log_ndtr, lambda x: np.log(_ndtr(x)), None),
]
"""Ufuncs, their spellings, and what is known of their values."""

for _ufunc, _spelling, _range in SPELLINGS:
    spells(_ufunc, range=_range)(_spelling)
