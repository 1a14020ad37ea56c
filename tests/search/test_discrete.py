"""Bits, signs, orders and subsets: the search flips and swaps them, and what it finds is made simple."""

from typing import Any

import numpy as np
import pytest

from boundcheck import domains as ranges
from boundcheck.checking.search.evolve import Evolution, by_looks
from boundcheck.checking.search.population import Shape, as_floats
from boundcheck.checking.search.shapes import jolted
from boundcheck.checking.search.shrink import shrink
from boundcheck.domains.chart import BITS, CHOICE, ORDER, SIGNS, Arrangement
from boundcheck.domains.instances import build, draw_instances, inside

domains: Any = ranges

HIDDEN: dict[str, tuple[Any, Any]] = {
    "signs": (domains.Signs(24), (-1.0) ** (np.arange(24) // 3)),
    "bits": (domains.Bits(24), np.arange(24) // 3 % 2 * 1.0),
    "a 0/1 matrix": (domains.Bits(5, 5), np.eye(5) + np.eye(5, k=2)),
    "an order": (domains.Permutation(9), np.array([4, 2, 8, 0, 1, 7, 3, 6, 5])),
    "a subset": (domains.Subset(14, 5), np.array([1, 4, 5, 9, 13])),
    "a family": (domains.Family(domains.Bits(6), 3), np.arange(18).reshape(3, 6) // 2 % 2 * 1.0),
}


def agreement(value: Any, hidden: Any) -> float:
    if value.dtype.kind == "i" and len(value) == 5:
        return float(len(set(value.tolist()) & set(hidden.tolist())))
    return float(np.sum(value == hidden))


@pytest.mark.parametrize("name", HIDDEN)
def test_the_search_finds_what_is_hidden(name: str):
    """Among 2^24 sign patterns, 2002 subsets, 9! orders: one is the worst, and near it is nearly as bad."""
    domain, hidden = HIDDEN[name]
    parameters = {"x": domain}
    read = by_looks(lambda raw: (agreement(build(parameters, raw)["x"], hidden), 0))
    evolution = Evolution(parameters, read, 4000, np.random.default_rng(1), hidden.size - 0.5)
    evolution.begin([as_floats(parameters, raw) for raw in draw_instances(parameters, 20, 1)])
    assert evolution.top < hidden.size
    evolution.climb()
    assert evolution.top == hidden.size
    assert all(inside(parameters, line.shape.raw(row)) for line in evolution.lines.values() for row in line.rows)


LEAVES: list[tuple[Any, np.ndarray, int]] = [
    (SIGNS, np.array([1.0, -1.0, 1.0]), 3),
    (BITS, np.zeros((2, 2)), 4),
    (ORDER, np.arange(4), 6),
    (CHOICE, np.array([0, 0, 1, 1, 1]), 6),
    (ORDER, np.zeros(3, dtype=int), 0),
]


@pytest.mark.parametrize(("chart", "leaf", "count"), LEAVES)
def test_neighbours_are_all_arrays_one_step_away(chart: Any, leaf: np.ndarray, count: int):
    near = list(chart.neighbours(leaf))
    assert len({tuple(x.ravel()) for x in near}) == len(near) == count
    assert all(x.shape == leaf.shape and x.dtype == leaf.dtype and not np.array_equal(x, leaf) for x in near)


def test_nothing_moves_the_leaf_that_it_is_given():
    for chart, leaf, _ in LEAVES:
        before = leaf.copy()
        simpler = chart.simpler(leaf) if isinstance(chart, Arrangement) else ()
        assert len([*chart.neighbours(leaf), *simpler]) >= 0
        np.testing.assert_array_equal(leaf, before)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_may_be_simple_becomes_the_simplest(name: str):
    parameters = {"x": HIDDEN[name][0]}
    simplest = {"signs": np.ones(24), "bits": np.zeros(24), "a 0/1 matrix": np.zeros((5, 5)), "an order": np.arange(9),
                "a subset": np.arange(5), "a family": np.zeros((3, 6))}  # fmt: skip
    for raw in draw_instances(parameters, 5, 2):
        np.testing.assert_array_equal(build(parameters, shrink(parameters, raw, lambda _: True))["x"], simplest[name])


def test_shrinking_keeps_what_matters():
    """Three ones in a row, a transposition, a subset with two neighbours."""
    bits = {"x": domains.Bits(10)}
    start = {"x": np.array([1, 1, 0, 1, 1, 1, 0, 1, 1, 0.0])}
    found = shrink(bits, start, lambda raw: "111" in "".join(str(int(b)) for b in raw["x"]))
    assert np.sum(found["x"]) == 3
    order = {"x": domains.Permutation(6)}
    found = shrink(order, {"x": np.array([5, 0, 4, 1, 3, 2])}, lambda raw: bool(np.any(raw["x"] != np.arange(6))))
    assert np.sum(found["x"] != np.arange(6)) == 2
    subset = {"x": domains.Subset(8, 3)}
    wrong = lambda raw: 7 in build(subset, raw)["x"]  # noqa: E731
    assert build(subset, shrink(subset, {"x": np.array([0, 0, 1, 0, 1, 0, 0, 1])}, wrong))["x"].tolist() == [0, 1, 7]


def test_varied_rows_reach_every_array_of_a_small_kind():
    rng = np.random.default_rng(3)
    for domain, count in ((domains.Bits(3), 8), (domains.Signs(3), 8), (domains.Permutation(3), 6), (domains.Subset(4, 2), 6)):
        parameters = {"x": domain}
        raw = as_floats(parameters, draw_instances(parameters, 1, 0)[0])
        shape, seen = Shape.of(parameters, raw), set()
        rows = shape.row(raw)[None]
        for _ in range(20):
            rows = jolted(shape, rows, 20, rng)
            seen |= {tuple(build(parameters, shape.raw(row))["x"].tolist()) for row in rows}
        assert len(seen) == count


def test_continuous_moves_leave_the_discrete_alone():
    parameters = {"e": domains.Signs(3), "b": domains.Bits(2), "p": domains.Permutation(3), "x": domains.Vector(2)}
    raw = draw_instances(parameters, 1, 0)[0]
    assert Shape.of(parameters, raw).free.size == 2
