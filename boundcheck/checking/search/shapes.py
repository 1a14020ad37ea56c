"""Structured rows: what of an instance is plain, extreme or equal is where inequalities fail."""

from __future__ import annotations

from itertools import product
from math import ceil
from typing import Any

import numpy as np

from boundcheck.checking.search.population import Place, Shape
from boundcheck.domains import COUNTING, FIXED, Raw, integers
from boundcheck.domains.chart import Discrete
from boundcheck.domains.domain import named_dims
from boundcheck.domains.instances import Parameters, draw_instances, leaves

SIZES = (16, 12)
"""Larger than what is drawn, where nothing says how large a size is."""

DECADES = np.array([1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1.0, 2.0, 10.0, 1e2, 1e4])
SHARES = np.array(
    [
        0.0,
        1e-6,
        1e-3,
        0.01,
        0.1,
        0.25,
        1 / 3,
        0.5,
        2 / 3,
        0.75,
        0.9,
        0.99,
        0.999,
        1 - 1e-6,
        1.0,
    ]
)


def structured(
    shape: Shape, base: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows made of the base rows: some places made plain, extreme, equal, exchanged, or drawn anew."""
    rows = base[rng.integers(len(base), size=count)].copy()
    for p in shape.places:
        chosen = np.flatnonzero(
            rng.random(count) < max(0.4, 1.2 / len(shape.places))
        )
        kinds = rng.integers(len(MAKERS), size=len(chosen))
        for kind, make in enumerate(MAKERS):
            which = chosen[kinds == kind]
            if which.size and p.moves:
                rows[which, p.columns] = make(p, rows[which, p.columns], rng)
            elif which.size and p.steps:
                rows[which, p.columns] = _stepped(
                    p, rows[which, p.columns], rng
                )
        other = np.flatnonzero(rng.random(count) < 0.1)
        drawn = rng.integers(len(base), size=other.size)
        rows[other, p.columns] = base[drawn, p.columns]
    return rows[shape.inside(rows)]


def _stepped(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One step or a few."""
    x, steps = x.copy(), rng.geometric(0.6, size=len(x))
    for k in range(steps.max(initial=0)):
        which = np.flatnonzero(steps > k)
        x[which] = p.stepped(
            x[which], rng.integers(p.size, size=len(which)), rng
        )
    return x


def _scale(p: Place, count: int, rng: np.random.Generator) -> np.ndarray:
    """A number in the range of each row: a plain one, or a decade."""
    low, high = p.chart.low, p.chart.high
    if np.isfinite(high):
        return low + (high - low) * rng.choice(SHARES, size=(count, 1))
    return (low if np.isfinite(low) else 0.0) + rng.choice(
        DECADES, size=(count, 1)
    ) * _sign(p, (count, 1), rng)


def _sign(p: Place, size: Any, rng: np.random.Generator) -> np.ndarray:
    return (
        np.ones(size)
        if np.isfinite(p.chart.low)
        else rng.choice([-1.0, 1.0], size=size)
    )


def _zeros(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.where(rng.random(x.shape) < 0.5, max(p.chart.low, 0.0), x)


def _constant(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.broadcast_to(_scale(p, len(x), rng), x.shape)


def _one_hot(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    hot = np.arange(x.shape[1]) == rng.integers(x.shape[1], size=(len(x), 1))
    return np.where(hot, _scale(p, len(x), rng), max(p.chart.low, 0.0))


def _equal(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.where(
        rng.random(x.shape) < 0.7,
        x[np.arange(len(x)), rng.integers(x.shape[1], size=len(x))][:, None],
        x,
    )


def _levelled(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Entries at the nearer end of their range, or of one size where they are large and else zero."""
    low, high = p.chart.low, p.chart.high
    if np.isfinite(high):
        return np.where(2 * x > low + high, high, low)
    top = np.max(np.abs(x), axis=1, keepdims=True, initial=0.0)
    return np.where(2 * np.abs(x) > top, np.sign(x) * top, max(low, 0.0))


def _rounded(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.rint(x)


def _normal(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return p.chart.bound(
        rng.standard_normal(x.shape)
        * 10.0 ** rng.uniform(-1.5, 1.2, (len(x), 1))
    )


def _scaled(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return x * rng.choice(DECADES, size=(len(x), 1))


def _near(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    with np.errstate(all="ignore"):
        free = np.clip(p.chart.free(x), -40, 40)
    return p.chart.bound(
        free
        + rng.standard_normal(x.shape)
        * 10.0 ** rng.uniform(-3, 0.5, (len(x), 1))
    )


def _shuffled(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.permuted(x, axis=1)


def _grid(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Small whole numbers, or shares of the range."""
    if np.isfinite(p.chart.high):
        return p.chart.low + (p.chart.high - p.chart.low) * rng.choice(
            SHARES, size=x.shape
        )
    return rng.integers(0, 4, size=x.shape) * _sign(p, x.shape, rng)


def _plain_matrix(
    p: Place, x: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Multiples of the identity, or of rank one, for matrices; as it is for others."""
    if len(p.shape) != 2 or np.isfinite(p.chart.low):
        return x
    m, n = p.shape
    eye = (
        np.broadcast_to(np.eye(m, n), (len(x), m, n))
        * _scale(p, len(x), rng)[:, :, None]
    )
    matrix = x.reshape(-1, m, n)
    rank_one = matrix[:, :, :1] * matrix[:, :1, :]
    return np.where(rng.random((len(x), 1, 1)) < 0.5, eye, rank_one).reshape(
        len(x), -1
    )


MAKERS = (
    _zeros,
    _constant,
    _one_hot,
    _equal,
    _levelled,
    _rounded,
    _normal,
    _scaled,
    _near,
    _near,
    _shuffled,
    _grid,
    _plain_matrix,
)


def jolted(
    shape: Shape, base: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows made of the base rows, one place of each moved: by steps, an entry of it, or all a little."""
    rows = base[rng.integers(len(base), size=count)].copy()
    moving = [p for p in shape.places if p.moves or p.steps]
    chosen = (
        rng.integers(len(moving), size=count) if moving else np.zeros(count)
    )
    for k, p in enumerate(moving):
        which = np.flatnonzero(chosen == k)
        rows[which, p.columns] = (_stepped if p.steps else _jolted)(
            p, rows[which, p.columns], rng
        )
    return rows[shape.inside(rows)]


def _jolted(p: Place, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An entry made that of another, 0, its negative or moved; or all entries moved a little."""
    every, kinds = (
        np.arange(len(x)),
        rng.integers(5, size=len(x)) if p.size > 1 else np.full(len(x), 4),
    )
    at, other = rng.integers(p.size, size=(2, len(x)))
    with np.errstate(all="ignore"):
        steps = rng.standard_normal(len(x)) * 10.0 ** rng.uniform(
            -2, 0.7, len(x)
        )
        moved = p.chart.bound(p.chart.free(x[every, at]) + steps)
        near = p.chart.bound(
            p.chart.free(x) + 0.3 * rng.standard_normal(x.shape)
        )
    entries = np.stack(
        [x[every, other], np.zeros(len(x)), -x[every, at], x[every, at], moved]
    )
    new = np.where((kinds == 3)[:, None], near, x)
    new[every, at] = np.where(kinds == 3, new[every, at], entries[kinds, every])
    return np.where(p.inside(new)[:, None], new, x)


def every(shape: Shape, row: np.ndarray, which: np.ndarray) -> np.ndarray:
    """The row with some of all patterns in the places that move by steps, by their numbers."""
    rows = np.repeat(row[None], len(which), axis=0)
    for p in shape.steps:
        rows[:, p.columns] = p.every(row[p.columns], which % p.patterns)
        which = which // p.patterns
    return rows


def exchanged(
    shape: Shape, rows: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Rows with one entry of the places that move by steps exchanged, sometimes with a few."""
    columns = np.concatenate(
        [np.arange(p.columns.start, p.columns.stop) for p in shape.steps]
    )
    rows, every_row = rows.copy(), np.arange(len(rows))
    for k in range(3):
        which = every_row[rng.random(len(rows)) < 0.3**k]
        at = columns[rng.integers(len(columns), size=len(which))]
        for p in shape.steps:
            here = (at >= p.columns.start) & (at < p.columns.stop)
            rows[which[here], p.columns] = p.stepped(
                rows[which[here], p.columns], at[here] - p.columns.start, rng
            )
    return rows


def by_steps(leaf: object, chart: object) -> bool:
    """Whether a leaf moves, and by steps: a whole number, a choice."""
    return isinstance(chart, Discrete) or (
        chart is not FIXED and type(leaf) is int
    )


def counts(parameters: Parameters, raw: dict[str, Raw]) -> dict[Any, range]:
    """Places and ranges of the whole numbers of an instance where one to three alone move; else nothing."""
    places = {
        path: (leaf, chart)
        for path, leaf, chart in leaves(parameters, raw)
        if chart is not FIXED
    }
    whole = all(
        isinstance(leaf, int) and not isinstance(leaf, bool) and chart.whole
        for leaf, chart in places.values()
    )
    ends = (
        {
            path: range(ceil(chart.low), int(chart.high) + 1)
            for path, (_, chart) in places.items()
        }
        if whole
        else {}
    )
    return ends if len(ends) <= 3 else {}


def smallest_sums(ranges: list[range], most: int) -> list[tuple[int, ...]]:
    """The first values of several whole numbers, those with the smallest sum first."""
    return sorted(product(*(whole[:most] for whole in ranges)), key=sum)[:most]


def larger(
    parameters: Parameters, rng: np.random.Generator
) -> list[dict[str, Raw]]:
    """Instances whose sizes go beyond those that are drawn: all, where no parameter gives their size."""
    free = [
        name
        for name in sorted(named_dims(parameters))
        if name not in parameters or parameters[name].chart is COUNTING
    ]
    found = []
    for size in SIZES if free else ():
        fixed = {name: integers(size, size) for name in free}
        for raw in draw_instances(
            {**parameters, **fixed}, 1, int(rng.integers(2**31))
        ):
            found.append({name: raw[name] for name in parameters})
    return found


def grid(shape: Shape, row: np.ndarray, points: int) -> np.ndarray:
    """All of the range of one or two columns that move: linear, and over all decades."""
    axes = [
        _axis(p, points) for p in shape.places if p.moves for _ in range(p.size)
    ]
    axes = (
        axes
        if len(axes) == 1
        else [
            axis[:: max(1, len(axis) // int(np.sqrt(points)))] for axis in axes
        ]
    )
    mesh = np.stack(
        [x.ravel() for x in np.meshgrid(*axes, indexing="ij")], axis=1
    )
    rows = np.repeat(row[None], len(mesh), axis=0)
    rows[:, shape.free] = mesh
    return rows[shape.inside(rows)]


def _axis(p: Place, points: int) -> np.ndarray:
    low, high = p.chart.low, p.chart.high
    half = points // 2
    if np.isfinite(high):
        near = np.geomspace(1e-12, 0.5, half // 2)
        return np.unique(
            low
            + (high - low)
            * np.concatenate([np.linspace(0, 1, half), near, 1 - near])
        )
    decades = np.concatenate(
        [[0.0], np.geomspace(1e-9, 1e9, half), np.linspace(0, 10, half)]
    )
    return np.unique(
        low + decades
        if np.isfinite(low)
        else np.concatenate([decades, -decades])
    )


def shortened(rows: np.ndarray, digits: int) -> np.ndarray:
    """Numbers rounded to so many digits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = 10.0 ** (np.floor(np.log10(np.abs(rows))) + 1 - digits)
        return np.where(rows != 0, np.round(rows / unit) * unit, 0.0)
