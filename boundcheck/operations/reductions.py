"""Sums, products and order statistics along axes, and averages over atoms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import boundcheck.operations.ranges as ranges
from boundcheck.operations.operation import (
    Fields,
    Pullback,
    Ranges,
    Value,
    operation,
)
from boundcheck.operations.roundoff import TINY, Step, ends, gamma, on_grid
from boundcheck.tape.program import SPELLED, Spelling

GRID = 24
"""Sums of multiples of 2^-24 up to 2^29 are exact."""


def over(fields: Fields) -> dict[str, Any]:
    """The axes of a reduction, as NumPy takes them."""
    return {
        "axis": tuple(fields["axes"]),
        "keepdims": bool(fields.get("keepdims", False)),
    }


def total(step: Step) -> np.ndarray:
    """gamma_(n-1) sum |x|, where only the n entries that are not zero count."""
    (x,), (r,), axes = step.xs, step.rs, over(step.node)
    magnitude = np.abs(x).sum(**axes)
    n = np.count_nonzero(x, **axes)
    exact = on_grid(x, GRID).all(**axes) & (magnitude <= 2.0 ** (52 - GRID))
    rounding = np.where(exact, 0.0, gamma(np.maximum(n - 1, 0)) * magnitude)
    return (r.sum(**axes) + rounding) * (1 + 2 * gamma(x.size))


def cumsum_radius(step: Step) -> np.ndarray:
    (x,), (r,), axis = step.xs, step.rs, step.node["axis"]
    magnitude, n = np.abs(x).cumsum(axis=axis), (x != 0).cumsum(axis=axis)
    exact = np.logical_and.accumulate(on_grid(x, GRID), axis=axis) & (
        magnitude <= 2.0 ** (52 - GRID)
    )
    rounding = np.where(exact, 0.0, gamma(np.maximum(n - 1, 0)) * magnitude)
    return (r.cumsum(axis=axis) + rounding) * (1 + 2 * gamma(x.shape[axis]))


def product(step: Step) -> np.ndarray:
    return product_radius(step.xs[0], step.rs[0], step.value, over(step.node))


def product_radius(
    x: np.ndarray, r: np.ndarray, value: np.ndarray, axes: dict[str, Any]
) -> np.ndarray:
    """What the radii and the roundings do to a product; gamma_2n, for the error is relative to the float."""
    size, n = np.abs(x), x.size // max(np.size(value), 1)
    zero = (x == 0).any(**axes)
    whole = on_grid(x, 0).all(**axes) & (
        np.maximum(size, 1).prod(**axes) <= 2.0**52
    )
    rounding = np.where(whole | zero, 0.0, gamma(2 * n) * np.abs(value))
    return product_shift(size, r, axes) + rounding


def product_shift(
    size: np.ndarray, r: np.ndarray, axes: dict[str, Any]
) -> np.ndarray:
    """prod(|x| + r) - prod |x| bounds the change of a product; inf where a partial product may underflow."""
    low = np.log(np.where(size > 0, size, r)).clip(max=0.0).sum(**axes)
    unsafe = (low < -600) & ~((size + r) == 0).any(**axes)
    zero = (size == 0).any(**axes)
    growth = np.expm1(
        np.log1p(np.where(size > 0, r / size, 0.0)).sum(**axes) * (1 + 1e-10)
    )
    shift = np.where(zero, (size + r).prod(**axes), size.prod(**axes) * growth)
    shift = np.where((r > 0).any(**axes), shift * (1 + 1e-10), 0.0)
    return np.where(unsafe, np.inf, shift)


def _largest(step: Step) -> np.ndarray:
    return _extreme(step.xs[0], step.rs[0], over(step.node))


def _smallest(step: Step) -> np.ndarray:
    return _extreme(-step.xs[0], step.rs[0], over(step.node))


def _extreme(x: np.ndarray, r: np.ndarray, axes: dict[str, Any]) -> np.ndarray:
    """The largest radius of an entry that may be the largest."""
    low, high = ends(x, r)
    alive = high >= low.max(axis=axes["axis"], keepdims=True)
    return np.where(alive, r, np.where(np.isnan(r), np.inf, 0.0)).max(**axes)


def sort_radius(step: Step) -> np.ndarray:
    """The k-th smallest lies between the k-th smallest low end and the k-th smallest high end."""
    (x,), (r,) = step.xs, step.rs
    low, high = (np.sort(end, axis=-1) for end in ends(x, r))
    most = r.max(axis=-1, keepdims=True)
    spread = np.maximum(np.maximum(high - step.value, step.value - low), 0.0)
    return np.where(np.isfinite(most), np.minimum(spread, most), np.inf)


def weighted_mean(
    step: Step, weights_error: float, mass: float = 1.0
) -> np.ndarray:
    """Weights of absolute sum `mass` average the radii; what they lack falls on the largest entry."""
    (x,), (r,) = step.xs, step.rs
    lost = (weights_error + 2 * gamma(len(x)) * mass) * np.abs(x).max(axis=0)
    return (
        mass * r.max(axis=0) * (1 + 2 * gamma(len(x)))
        + lost
        + np.where(x.any(axis=0), TINY, 0.0)
    )


def _spread(g: np.ndarray, fields: Fields) -> np.ndarray:
    """A reduced array as it broadcasts to what it was reduced from."""
    return (
        g
        if fields.get("keepdims", False)
        else np.expand_dims(g, tuple(fields["axes"]))
    )


def _sum_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, x: np.ndarray
) -> list[np.ndarray]:
    return [
        np.broadcast_to(
            _spread(g, fields),
            np.broadcast_shapes(_spread(g, fields).shape, x.shape),
        )
    ]


def _prod_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, x: np.ndarray
) -> list[np.ndarray]:
    """For each entry the product of the others: zeros are allowed."""
    axes = tuple(fields["axes"])
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(x, axes, last)
    flat = moved.reshape(*moved.shape[: moved.ndim - len(axes)], -1)
    one = np.ones_like(flat[..., :1])
    before = np.cumprod(np.concatenate([one, flat[..., :-1]], -1), -1)
    after = np.cumprod(np.concatenate([one, flat[..., :0:-1]], -1), -1)
    after = after[..., ::-1]
    return [
        _spread(g, fields)
        * np.moveaxis((before * after).reshape(moved.shape), last, axes)
    ]


def _extreme_back(
    fields: Fields, g: np.ndarray, value: np.ndarray, x: np.ndarray
) -> list[np.ndarray]:
    """Entries that are extreme share the cotangent."""
    hit = x == _spread(value, fields)
    return [
        _spread(g, fields)
        * hit
        / np.maximum(hit.sum(axis=tuple(fields["axes"]), keepdims=True), 1)
    ]


def _reduction(
    name: str,
    f: Callable[..., Any],
    radius: Any,
    pullback: Pullback,
    known: Ranges,
    *names: Any,
) -> Spelling:
    """A reduction as NumPy functions have it: without an axis it is over all of them."""
    value: Value = lambda fields, x: f(x, **over(fields))  # noqa: E731
    entry = operation(
        name, value, radius, pullback=pullback, range=known, says=f"`np.{name}`"
    )

    def spelled(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        axes = range(a.ndim) if axis is None else np.atleast_1d(axis)
        return entry(
            a,
            axes=sorted(int(k) % max(a.ndim, 1) for k in axes),
            keepdims=keepdims is True,
        )

    SPELLED.update(dict.fromkeys(names, spelled))
    ranges.RANGES.update(dict.fromkeys(names, known))
    return spelled


sums = _reduction("sum", np.sum, total, _sum_back, ranges.summed, np.sum)
products = _reduction(
    "prod", np.prod, product, _prod_back, ranges.summed, np.prod
)
maxima = _reduction(
    "max", np.max, _largest, _extreme_back, ranges.within, np.max
)
minima = _reduction(
    "min", np.min, _smallest, _extreme_back, ranges.within, np.min
)


def _cumsum_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, x: np.ndarray
) -> list[np.ndarray]:
    axis = fields["axis"]
    return [np.flip(np.cumsum(np.flip(g, axis), axis=axis), axis)]


def _sort_back(
    fields: Fields, g: np.ndarray, _: np.ndarray, x: np.ndarray
) -> list[np.ndarray]:
    back = np.empty(g.shape)
    np.put_along_axis(
        back, np.broadcast_to(np.argsort(x, axis=-1), g.shape), g, -1
    )
    return [back]


cumsum = operation(
    "cumsum",
    lambda fields, x: np.cumsum(x, axis=fields["axis"]),
    cumsum_radius,
    pullback=_cumsum_back,
    says="`np.cumsum`",
)
sort = operation(
    "sort",
    lambda fields, x: np.sort(x, axis=-1),
    sort_radius,
    pullback=_sort_back,
    range=ranges.within,
    says="`np.sort` along the last axis",
)
