"""Radii of sums, products and order statistics along axes, and of averages over atoms."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.operations.rounding.roundoff import TINY, Step, ends, gamma, on_grid

GRID = 24
"""Sums of multiples of 2^-24 up to 2^29 are exact."""


def over(step: Step) -> dict[str, Any]:
    return {"axis": tuple(step.node["axes"]), "keepdims": bool(step.node.get("keepdims", False))}


def total(step: Step) -> np.ndarray:
    """gamma_(n-1) sum |x|, where only the n entries that are not zero count."""
    (x,), (r,), axes = step.xs, step.rs, over(step)
    magnitude = np.abs(x).sum(**axes)
    n = np.count_nonzero(x, **axes)
    exact = on_grid(x, GRID).all(**axes) & (magnitude <= 2.0 ** (52 - GRID))
    rounding = np.where(exact, 0.0, gamma(np.maximum(n - 1, 0)) * magnitude)
    return (r.sum(**axes) + rounding) * (1 + 2 * gamma(x.size))


def cumsum(step: Step) -> np.ndarray:
    (x,), (r,), axis = step.xs, step.rs, step.node["axis"]
    magnitude, n = np.abs(x).cumsum(axis=axis), (x != 0).cumsum(axis=axis)
    exact = np.logical_and.accumulate(on_grid(x, GRID), axis=axis) & (magnitude <= 2.0 ** (52 - GRID))
    rounding = np.where(exact, 0.0, gamma(np.maximum(n - 1, 0)) * magnitude)
    return (r.cumsum(axis=axis) + rounding) * (1 + 2 * gamma(x.shape[axis]))


def product(step: Step) -> np.ndarray:
    return product_radius(step.xs[0], step.rs[0], step.value, over(step))


def product_radius(x: np.ndarray, r: np.ndarray, value: np.ndarray, axes: dict[str, Any]) -> np.ndarray:
    """What the radii and the roundings do to a product; gamma_2n, for the error is relative to the float."""
    size, n = np.abs(x), x.size // max(np.size(value), 1)
    zero = (x == 0).any(**axes)
    whole = on_grid(x, 0).all(**axes) & (np.maximum(size, 1).prod(**axes) <= 2.0**52)
    rounding = np.where(whole | zero, 0.0, gamma(2 * n) * np.abs(value))
    return product_shift(size, r, axes) + rounding


def product_shift(size: np.ndarray, r: np.ndarray, axes: dict[str, Any]) -> np.ndarray:
    """prod(|x| + r) - prod |x| bounds the change of a product; inf where a partial product may underflow."""
    low = np.log(np.where(size > 0, size, r)).clip(max=0.0).sum(**axes)
    unsafe = (low < -600) & ~((size + r) == 0).any(**axes)
    zero = (size == 0).any(**axes)
    growth = np.expm1(np.log1p(np.where(size > 0, r / size, 0.0)).sum(**axes) * (1 + 1e-10))
    shift = np.where(zero, (size + r).prod(**axes), size.prod(**axes) * growth)
    shift = np.where((r > 0).any(**axes), shift * (1 + 1e-10), 0.0)
    return np.where(unsafe, np.inf, shift)


def largest(step: Step) -> np.ndarray:
    return _extreme(step.xs[0], step.rs[0], over(step))


def smallest(step: Step) -> np.ndarray:
    return _extreme(-step.xs[0], step.rs[0], over(step))


def _extreme(x: np.ndarray, r: np.ndarray, axes: dict[str, Any]) -> np.ndarray:
    """The largest radius of an entry that may be the largest."""
    low, high = ends(x, r)
    alive = high >= low.max(axis=axes["axis"], keepdims=True)
    return np.where(alive, r, np.where(np.isnan(r), np.inf, 0.0)).max(**axes)


def sort(step: Step) -> np.ndarray:
    """The k-th smallest lies between the k-th smallest low end and the k-th smallest high end."""
    (x,), (r,) = step.xs, step.rs
    low, high = (np.sort(end, axis=-1) for end in ends(x, r))
    most = r.max(axis=-1, keepdims=True)
    spread = np.maximum(np.maximum(high - step.value, step.value - low), 0.0)
    return np.where(np.isfinite(most), np.minimum(spread, most), np.inf)


def mean(step: Step, weights_error: float) -> np.ndarray:
    """Weights that sum to 1 average the radii, and what the weights lack falls on the largest entry."""
    (x,), (r,) = step.xs, step.rs
    lost = (weights_error + 2 * gamma(len(x))) * np.abs(x).max(axis=0)
    return r.max(axis=0) * (1 + 2 * gamma(len(x))) + lost + np.where(x.any(axis=0), TINY, 0.0)


RULES = {"sum": total, "prod": product, "max": largest, "min": smallest, "cumsum": cumsum, "sort": sort}
