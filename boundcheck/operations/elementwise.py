"""Arithmetic on entries: sums, products, quotients, powers, roots, with exact rounding errors if possible."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import boundcheck.operations.ranges as ranges
from boundcheck.operations.operation import entrywise, operation, slopes
from boundcheck.operations.roundoff import FUNCTION, TINY, Step, U, ends, on_grid, product_is_exact, sum_error

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
    return _rounded(moved, (r > 0) | (t > 0), product_is_exact(x, y), step.value)


def div_radius(step: Step) -> np.ndarray:
    """|x/y - X/Y| <= (|x - X| + |x/y| |y - Y|) / |Y|."""
    (x, y), (r, t) = step.xs, step.rs
    nearest = ends(np.abs(y), t)[0].clip(0.0)
    moved = (r + np.abs(step.value) * (1 + 2 * U) * t) / nearest
    exact = product_is_exact(step.value, y) & (step.value * y == x)
    return np.where(nearest > 0, _rounded(moved, (r > 0) | (t > 0), exact, step.value), np.inf)


def _rounded(moved: np.ndarray, inexact: np.ndarray, exact: np.ndarray, value: np.ndarray) -> np.ndarray:
    """What the operands' radii do, and half an ulp unless the operation happens to be exact."""
    return np.where(inexact, moved + TINY, 0.0) + np.where(exact, 0.0, U * np.abs(value) + TINY)


def sqrt_radius(step: Step) -> np.ndarray:
    """|sqrt x - sqrt X| <= |x - X| / (sqrt x + sqrt X) <= sqrt |x - X|."""
    (x,), (r,) = step.xs, step.rs
    below = np.sqrt(ends(x, r)[0].clip(0.0)) * (1 - 2 * U)
    moved = np.minimum(np.sqrt(r), r / (step.value * (1 - 2 * U) + below))
    exact = product_is_exact(step.value, step.value) & (step.value * step.value == x)
    return np.where(r > 0, moved + TINY, 0.0) + np.where(exact, 0.0, U * step.value * (1 + 2 * U))


def maximum_radius(step: Step) -> np.ndarray:
    """The radius of the operand that certainly is the larger, or the larger of both."""
    return _largest(*step.xs, *step.rs)


def minimum_radius(step: Step) -> np.ndarray:
    return _largest(-step.xs[0], -step.xs[1], *step.rs)


def _largest(x: np.ndarray, y: np.ndarray, r: np.ndarray, t: np.ndarray) -> np.ndarray:
    (a, b), (c, d) = ends(x, r), ends(y, t)
    return np.where(a > d, r, np.where(c > b, t, np.maximum(r, t)))


def power_radius(step: Step) -> np.ndarray:
    """Extremes of x^y over a box are at its corners, or at x = 0 for a whole exponent."""
    (x, y), (r, t) = step.xs, step.rs
    (a, b), (c, d) = ends(x, r), ends(y, t)
    whole = (t == 0) & (np.rint(y) == y)
    broken = np.floor(d) < c  # the exponent certainly is no integer, so the base cannot be negative
    a = np.where(broken & (c > 0), a.clip(0.0), a)
    pole = np.where(whole, (y < 0) & (a <= 0) & (b >= 0), (a < 0) | ((c <= 0) & (a <= 0)))
    middle = np.where(whole & (y >= 0), np.clip(np.zeros_like(a), a, b), b)
    values = np.stack(np.broadcast_arrays(a**c, a**d, b**c, b**d, middle**c))
    slack = np.where(_whole_power(step), 0.0, np.abs(values).max(axis=0) * FUNCTION + TINY)
    return np.where(pole, np.inf, np.abs(values - step.value).max(axis=0) + slack)


def _whole_power(step: Step) -> np.ndarray:
    """Whether the value is exact, by integer arithmetic on exact integers that does not overflow."""
    (x, y), (r, t) = (np.broadcast_arrays(*step.xs), np.broadcast_arrays(*step.rs))
    small = (r == 0) & (t == 0) & on_grid(x, 0) & on_grid(y, 0) & (y >= 0) & (np.abs(step.value) < 2.0**52)
    small &= (np.abs(x) < 2.0**52) & ((np.abs(x) <= 1) | (y < 53)) & (y < 2.0**52)
    base, exponent = (np.where(small, z, 1.0).astype(np.int64) for z in (x, y))
    return small & (np.power(base, exponent) == step.value)


def mod_radius(step: Step) -> np.ndarray:
    """x - k y moves by |x - X| + |k| |y - Y| if k certainly is the quotient; any remainder is below |y|."""
    (x, y), (r, t) = step.xs, step.rs
    k = np.abs(x - step.value) / np.abs(y) * (1 + 4 * U) + np.where(t > 0, 1.0, 0.0)
    shift = r + k * t
    rounding = np.where(on_grid(x, 0) & on_grid(y, 0) & (np.abs(y) <= 2.0**53), 0.0, U * np.abs(y))
    reach = (shift + rounding) * (1 + 1e-10) + TINY
    value, top = np.abs(step.value), np.abs(y)
    safe = (value - reach > 0) & (value + reach < top * (1 - 4 * U) - t) & (t < top)
    unsafe = np.where(t < top, value + top + t, np.inf)
    return np.where(shift == 0, rounding, np.where(safe, shift + rounding, unsafe))


def arctan2_radius(step: Step) -> np.ndarray:
    """A point at distance rho moved by d < rho turns by at most arcsin(d / rho), save at the cut."""
    (y, x), (t, r) = step.xs, step.rs
    d, rho = np.hypot(r, t) * (1 + FUNCTION), np.hypot(x, y) * (1 - FUNCTION)
    turned = np.where(d < rho, np.arcsin(np.minimum(d / rho, 1.0)), np.pi)
    on_cut = (ends(x, r)[0] <= 0) & (np.abs(y) <= t)
    settled = (t == 0) & (ends(x, r)[1] < 0) & (step.value > 0)
    straight = (t == 0) & (y == 0) & (ends(x, r)[0] > 0)
    moved = np.where(d > 0, turned * (1 + FUNCTION) + TINY, 0.0) + FUNCTION * np.abs(step.value) + TINY
    ray = np.where(settled, FUNCTION * np.pi, np.inf)
    return np.where(straight, 0.0, np.where(on_cut, ray, moved))


def finite(x: np.ndarray) -> np.ndarray:
    """A slope that is not finite leads nowhere."""
    return np.where(np.isfinite(x), x, 0.0)


def _first(before: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    """The slope of an extreme in its first operand; equal operands share it."""
    return lambda x, y, v: before(x, y) + 0.5 * (x == y)


def _second(before: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
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
    "sub", entrywise(np.subtract), sub_radius, pullback=slopes(lambda x, y, v: 1.0, lambda x, y, v: -1.0),
    range=ranges.subtract, numpy=[np.subtract],
)  # fmt: skip
mul = operation(
    "mul", entrywise(np.multiply), mul_radius, pullback=slopes(lambda x, y, v: y, lambda x, y, v: x),
    range=ranges.multiply, numpy=[np.multiply],
)  # fmt: skip
div = operation(
    "div", entrywise(np.divide), div_radius, pullback=slopes(lambda x, y, v: 1 / y, lambda x, y, v: -v / y),
    range=ranges.divide, numpy=[np.divide],
)  # fmt: skip
sqrt = operation(
    "sqrt", entrywise(np.sqrt), sqrt_radius, pullback=slopes(lambda x, v: finite(0.5 / v)),
    range=ranges.increasing(np.sqrt, 0.0), numpy=[np.sqrt],
)  # fmt: skip
power = operation(
    "pow", entrywise(np.power), defined(power_radius), range=ranges.power, numpy=[np.power, np.float_power],
    pullback=slopes(lambda x, y, v: finite(y * np.power(x, y - 1)), lambda x, y, v: finite(v * np.log(x))),
)  # fmt: skip
maximum = operation(
    "maximum", entrywise(np.maximum), maximum_radius, range=ranges.larger, numpy=[np.maximum, np.fmax],
    pullback=slopes(_first(np.greater), _second(np.greater)),
)  # fmt: skip
minimum = operation(
    "minimum", entrywise(np.minimum), minimum_radius, pullback=slopes(_first(np.less), _second(np.less)),
    range=ranges.smaller, numpy=[np.minimum, np.fmin],
)  # fmt: skip
mod = operation(
    "mod", entrywise(np.remainder), defined(mod_radius), numpy=[np.remainder],
    pullback=slopes(lambda x, y, v: 1.0, lambda x, y, v: -np.floor(x / y)),
)  # fmt: skip
arctan2 = operation(
    "arctan2", entrywise(np.arctan2), defined(arctan2_radius), numpy=[np.arctan2],
    pullback=slopes(lambda y, x, v: x / (x * x + y * y), lambda y, x, v: -y / (x * x + y * y)),
)  # fmt: skip
