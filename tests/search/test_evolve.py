"""Evolution finds known maximisers within its budget, and never leaves the ranges."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from boundcheck import domains as ranges
from boundcheck.checking.search.evolve import Evolution, by_looks
from boundcheck.checking.search.population import Shape, as_floats
from boundcheck.checking.search.shapes import jolted, structured
from boundcheck.domains.instances import build, draw_instances

domains: Any = ranges
"""Domains are types to a type checker and values to us."""

Parameters = dict[str, Any]


@dataclass
class Climb:
    """A climb from ten drawn instances, and every look at an instance on the way."""

    parameters: Parameters
    value: Callable[[dict[str, Any]], float]
    looks: list[tuple[float, dict[str, Any]]] = field(default_factory=list)

    def score(self, raw: dict[str, Any]) -> tuple[float, int]:
        with np.errstate(all="ignore"):
            self.looks.append((float(self.value(build(self.parameters, raw))), raw))
        return self.looks[-1][0], 0

    def run(self, work: int = 6000, good_enough: float = np.inf) -> "Climb":
        evolution = Evolution(self.parameters, by_looks(self.score), work, np.random.default_rng(0), good_enough)
        evolution.begin([as_floats(self.parameters, raw) for raw in draw_instances(self.parameters, 10, 3)])
        evolution.climb()
        return self

    @property
    def best(self) -> float:
        return max(value for value, _ in self.looks if np.isfinite(value))


PROBLEMS: dict[str, tuple[Parameters, Callable[[Any], float], float]] = {
    "inside an interval": ({"x": domains.Unit}, lambda v: -((v["x"] - 0.123456) ** 2), -1e-12),
    "at an open end": ({"x": domains.Unit}, lambda v: np.log(v["x"]), -25.0),
    "far away": ({"x": domains.Positive}, lambda v: -abs(np.log(v["x"] / 3e9)), -1e-3),
    "a valley": ({"x": domains.Real, "y": domains.Real}, lambda v: -((1 - v["x"]) ** 2) - 100 * (v["y"] - v["x"] ** 2) ** 2, -1e-3),
    "a count": ({"n": domains.Count}, lambda v: -abs(v["n"] - 768), 0.0),
    "counts that belong together": ({"n": domains.Count, "m": domains.Count}, lambda v: -abs(v["n"] - v["m"]) - abs(v["n"] - 97), 0.0),
    "a vector": ({"x": domains.Vector("n")}, lambda v: -float(np.sum((v["x"] - 0.5) ** 2)), -1e-5),
    "a point on the sphere": ({"x": domains.UnitVector(4)}, lambda v: float(np.prod(v["x"])), 1 / 16 - 1e-3),
    "a distribution": ({"p": domains.Simplex(3)}, lambda v: -float(np.sum((v["p"] - [0.2, 0.3, 0.5]) ** 2)), -1e-6),
    "a coincidence": ({"X": domains.Points(3, 1)}, lambda v: float(v["X"][0, 0] == v["X"][2, 0] != v["X"][1, 0]), 1.0),
    "a matrix": ({"A": domains.PSD(2)}, lambda v: -float(np.sum((v["A"] - np.array([[2, 1], [1, 2]])) ** 2)), -1e-4),
    "part of a product": ({"x": domains.Unit, "n": domains.Count}, lambda v: float(v["n"] * v["x"] * (1 - v["x"]) ** v["n"]), 0.36),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_known_maximisers_are_found(name: str):
    parameters, value, enough = PROBLEMS[name]
    assert Climb(parameters, value).run(good_enough=enough).best >= enough


def test_the_budget_is_kept_and_the_same_seed_looks_at_the_same():
    parameters, value, _ = PROBLEMS["a valley"]
    first, second = (Climb(parameters, value).run(work=500) for _ in range(2))
    assert 400 < len(first.looks) <= 800
    assert first.looks == second.looks


def test_the_search_stops_when_the_score_is_good_enough():
    parameters, value, _ = PROBLEMS["inside an interval"]
    assert len(Climb(parameters, value).run(good_enough=-1.0).looks) < 3000


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_instances_that_do_not_count_do_not_mislead(bad):
    climb = Climb({"x": domains.Unit}, lambda v: v["x"] if v["x"] < 0.5 else bad).run(work=2000)
    assert 0.499 < climb.best < 0.5


def test_nothing_to_start_from_is_nothing_to_do():
    assert len(Climb({"x": domains.Unit}, lambda v: np.nan).run(work=300).looks) == 10


def test_instances_that_order_their_parts_otherwise_are_read_as_they_are():
    parameters: Parameters = {"A": domains.PositiveDefinite(2)}
    raw = draw_instances(parameters, 1, 0)[0]
    other = {"A": dict(reversed(raw["A"].items()))}
    seen: list[Any] = []
    evolution = Evolution(parameters, by_looks(lambda raw: (seen.append(raw["A"]) or 0.0, 0)), 10, np.random.default_rng(0))
    evolution.begin([raw])
    evolution.begin([other])
    assert all(x["ridge"] == raw["A"]["ridge"] and np.array_equal(x["factor"], raw["A"]["factor"]) for x in seen)
    one, two = (Shape.of(parameters, x).row(x) for x in (raw, other))
    assert np.array_equal(one, two)


@pytest.mark.parametrize(("work", "found"), [(4100, True), (4000, False)])
def test_all_patterns_are_looked_at_where_the_work_beside_is_enough(work: int, found: bool):
    """Nothing leads to the one of 4,096 patterns; the others are looked at once each."""
    hidden = np.array([1, -1, -1, 1, 1, 1, -1, 1, -1, -1, 1, -1])
    climb = Climb({"e": domains.Signs(12)}, lambda v: float(np.array_equal(v["e"], hidden))).run(work=work)
    assert (climb.best == 1) == found
    assert not found or len({str(raw) for _, raw in climb.looks}) == 4096


@pytest.mark.parametrize("work", [1, 3, 20])
def test_little_work_ends(work: int):
    parameters, value, _ = PROBLEMS["a valley"]
    assert len(Climb(parameters, value).run(work=work).looks) < 100


def test_a_claim_without_parameters_can_be_searched():
    assert Climb({}, lambda v: -1.0).run(work=300).best == -1.0


def test_few_patterns_are_all_read():
    parameters: Parameters = {"e": domains.Signs(9)}
    climb = Climb(parameters, lambda v: 0.0).run(work=2000)
    assert len({tuple(raw["e"]) for _, raw in climb.looks}) == 2**9


RANGES: Parameters = {
    "u": domains.Unit, "p": domains.Positive, "w": domains.NonNegative, "b": domains.between(-1, 2), "n": domains.Count,
    "k": domains.integers(2, 5), "f": domains.Few, "s": domains.Spectrum(3), "q": domains.Simplex(3), "e": domains.Signs(3),
    "A": domains.PositiveDefinite(2), "d": domains.Size, "v": domains.Vector("d"),
}  # fmt: skip


def is_inside(raw: dict[str, Any]) -> bool:
    scalars = 0 < raw["u"] < 1 and raw["p"] > 0 and raw["w"] >= 0 and -1 < raw["b"] < 2
    counts = all(isinstance(raw[k], int) for k in "nkfd") and raw["n"] >= 1 and 2 <= raw["k"] <= 5 and 1 <= raw["f"] <= 3
    arrays = np.all(raw["s"] >= 0) and np.all(raw["q"] >= 0) and np.all(np.abs(raw["e"]) == 1) and raw["A"]["ridge"] > 0
    return bool(scalars and counts and arrays)


@pytest.mark.parametrize("varied", [jolted, structured])
def test_varied_rows_stay_in_every_range(varied: Any):
    rng = np.random.default_rng(1)
    for raw in draw_instances(RANGES, 8, 5):
        wide = as_floats(RANGES, raw)
        shape = Shape.of(RANGES, wide)
        rows = varied(shape, shape.row(wide)[None], 500, rng)
        assert len(rows) > 300
        assert all(is_inside(shape.raw(row)) for row in rows)


def test_a_search_that_pushes_outwards_stays_in_every_range():
    def outwards(v: Any) -> float:
        return float(v["k"] + v["n"] - v["u"] - np.log(v["p"]) - v["w"] + v["b"] - np.min(v["q"]) - v["s"][-1])

    climb = Climb(RANGES, outwards).run(work=2500)
    assert len(climb.looks) > 1500
    assert all(is_inside(raw) for _, raw in climb.looks)


def test_dimensions_stay_shared_while_climbing():
    parameters: Parameters = {"n": domains.Size, "x": domains.Vector("n"), "A": domains.Matrix("n", 2)}
    climb = Climb(parameters, lambda v: float(np.sum(v["A"]))).run(work=1000)
    assert all(raw["n"] == len(raw["x"]) == len(raw["A"]) for _, raw in climb.looks)


def test_an_evolution_loads_no_plots_and_leaves_packages_as_they_were():
    code = """
import sys
from boundcheck.checking.search.evolve import _cma
assert _cma().CMAEvolutionStrategy
assert not {"matplotlib", "scipy.stats"} & sys.modules.keys()
import scipy.stats
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
