"""Shrinking: what is left still violates, lies in its range, and is simpler."""

import json
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from boundcheck import domains as ranges
from boundcheck.checking.search.shrink import shrink
from boundcheck.domains.instances import build, inside, to_json
from boundcheck.settings import FiniteLaw

domains: Any = ranges
"""Domains are types to a type checker and values to us."""


def length(raw: Any) -> int:
    """Characters that it takes to print the instance."""
    return len(json.dumps(to_json(raw)))


UGLY: dict[str, tuple[dict[str, Any], dict[str, Any], Any, dict[str, Any] | None]] = {
    "a number": ({"x": domains.Unit}, {"x": 0.30517578125}, lambda v: v["x"] > 0.25, {"x": 0.5}),
    "a narrow gap": ({"x": domains.Positive}, {"x": 2.7182818}, lambda v: 2.715 < v["x"] < 2.7188, {"x": 2.718}),
    "a count": ({"n": domains.Count}, {"n": 977}, lambda v: v["n"] >= 1, {"n": 1}),
    "a bounded count": ({"n": domains.integers(4, 90)}, {"n": 61}, lambda v: True, {"n": 4}),
    "a count with a threshold": ({"n": domains.Count}, {"n": 977}, lambda v: v["n"] >= 5, {"n": 5}),
    "a vector": ({"x": domains.Vector(3)}, {"x": np.array([1.98, -0.003, 3.1])}, lambda v: v["x"][2] > 1, {"x": np.array([0.0, 0.0, 2.0])}),
    "several": (
        {"x": domains.Real, "n": domains.Count}, {"x": -3.77777, "n": 12}, lambda v: v["x"] * v["n"] < -10, {"x": -4.0, "n": 3},
    ),
    "an inner number": (
        {"A": domains.PositiveDefinite(1)}, {"A": {"factor": np.array([[0.98]]), "ridge": 0.012345}}, lambda v: v["A"][0, 0] < 1.1, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UGLY)
def test_the_shrunk_instance_still_violates_and_is_simpler(name: str):
    parameters, raw, wrong, expected = UGLY[name]

    def still_wrong(candidate: dict[str, Any]) -> bool:
        return bool(wrong(build(parameters, candidate)))

    assert still_wrong(raw)
    small = shrink(parameters, raw, still_wrong)
    assert still_wrong(small)
    assert length(small) < length(raw)
    if expected is not None:
        assert to_json(small) == to_json(expected)
    assert to_json(small) == to_json(shrink(parameters, raw, still_wrong))
    assert to_json(shrink(parameters, small, still_wrong)) == to_json(small)


def test_an_instance_that_cannot_be_simpler_stays():
    raw = {"x": 0.123456, "n": 7}
    parameters: Any = {"x": domains.Unit, "n": domains.Count}
    assert shrink(parameters, raw, lambda candidate: candidate == raw) == raw


@pytest.mark.parametrize("accepted", [False, True])
def test_shrinking_never_leaves_a_range(accepted):
    seen = []
    parameters: Any = {
        "x": domains.Unit, "k": domains.integers(3, 9), "w": domains.Simplex(2), "e": domains.Signs(2), "p": domains.Positive,
    }  # fmt: skip
    raw = {"x": 0.9999, "k": 8, "w": np.array([0.0004, 1.0]), "e": np.array([1.0, -1.0]), "p": 1e-9}

    def still_wrong(candidate: dict[str, Any]) -> bool:
        seen.append(candidate)
        return accepted

    shrink(parameters, raw, still_wrong)
    assert len(seen) >= 2
    for c in seen:
        assert 0 < c["x"] < 1
        assert 3 <= c["k"] <= 9
        assert c["p"] > 0
        assert np.all(c["w"] >= 0)
        assert np.all(np.abs(c["e"]) == 1)


def test_attempts_are_limited():
    looks = []
    parameters: Any = {"x": domains.Vector(4), "n": domains.Count}
    raw = {"x": np.array([0.1234567, 2.345678, 3.4567891, 9.8765432]), "n": 10**4}

    def still_wrong(candidate: dict[str, Any]) -> bool:
        looks.append(1)
        return candidate["n"] > 9000

    shrink(parameters, raw, still_wrong, attempts=25)
    assert 0 < len(looks) <= 25


def test_a_size_shrinks_only_together_with_what_has_it():
    parameters: Any = {"n": domains.Size, "x": domains.Vector("n")}
    small = shrink(parameters, {"n": 4, "x": np.ones(4)}, lambda candidate: True)
    assert len(small["x"]) == small["n"]


def test_where_a_factor_stands_is_no_axis():
    """Two factors, of 2 x 1 and 1 x 1: their list is as long as the first dimension."""
    parameters: Any = {"A": domains.LowRank("m", "n", "r")}
    raw = {"A": [np.array([[1.0], [2.0]]), np.array([[3.0]])]}
    small = shrink(parameters, raw, lambda candidate: True)
    assert build(parameters, small)["A"].shape == (1, 1)


def law(values: list[float], p: list[float]) -> dict[str, Any]:
    return {"values": np.array(values, float), "p": np.array(p, float)}


LAWS: dict[str, tuple[dict[str, Any], dict[str, Any], Any, dict[str, Any]]] = {
    "an atom of probability 0, and one that changes nothing": (
        {"p": domains.Simplex("k"), "x": domains.Vector("k")},
        {"p": np.array([2.0, 0.0, 3.0, 2.0]), "x": np.array([1.0, 7.0, 5.0, -1.0])},
        lambda v: v["p"] @ v["x"] ** 2 > (v["p"] @ v["x"]) ** 2,
        {"p": np.array([1.0, 1.0]), "x": np.array([1.0, 0.0])},
    ),
    "equal atoms, whose probabilities add up": (
        {"p": domains.Simplex("k"), "x": domains.Vector("k")},
        {"p": np.array([1.0, 1.0, 1.0, 1.0]), "x": np.array([0.0, 3.0, 0.0, 0.0])},
        lambda v: v["p"] @ v["x"] == 0.75,
        {"p": np.array([3.0, 1.0]), "x": np.array([0.0, 3.0])},
    ),
    "columns of a matrix, and the parameter that is their number": (
        {"k": domains.Size, "p": domains.Simplex("k"), "Z": domains.Matrix("n", "k"), "y": domains.Vector("n")},
        {"k": 3, "p": np.array([1.0, 2.0, 3.0]), "Z": np.array([[1.0, 2.0, 2.0], [0.0, 1.0, 1.0]]), "y": np.array([1.0, 0.0])},
        lambda v: v["Z"].shape == (2, v["k"]) and np.allclose(v["Z"] @ v["p"], [11 / 6, 5 / 6]) and v["y"][0] == 1,
        {"k": 2, "p": np.array([1.0, 5.0]), "Z": np.array([[1.0, 2.0], [0.0, 1.0]]), "y": np.array([1.0, 0.0])},
    ),
    "laws in settings, in a family of them": (
        {"laws": domains.Family(FiniteLaw, 2)},
        {"laws": [law([1, 1], [1, 1]), law([0, 2], [1, 0])]},
        lambda v: v["laws"][0].mean == 1 and v["laws"][1].mean == 0,
        {"laws": [law([1], [1]), law([0], [1])]},
    ),
    "two laws of the same atoms, of which both are needed": (
        {"p": domains.Simplex("k"), "q": domains.Simplex("k")},
        {"p": np.array([1.0, 0.0, 0.0]), "q": np.array([1.0, 1.0, 0.0])},
        lambda v: np.abs(v["p"] - v["q"]).sum() == 1,
        {"p": np.array([1.0, 0.0]), "q": np.array([1.0, 1.0])},
    ),
    "sizes that are given": (
        {"p": domains.Simplex(3), "x": domains.Vector(3)},
        {"p": np.array([1.0, 0.0, 0.0]), "x": np.array([1.0, 0.0, 0.0])},
        lambda v: v["p"] @ v["x"] == 1,
        {"p": np.array([1.0, 0.0, 0.0]), "x": np.array([1.0, 0.0, 0.0])},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_a_law_keeps_no_atom_that_is_not_needed(name: str):
    parameters, raw, wrong, expected = LAWS[name]

    def still_wrong(candidate: dict[str, Any]) -> bool:
        with np.errstate(invalid="ignore"):  # weights that are all 0
            return bool(wrong(build(parameters, candidate)))

    assert still_wrong(raw)
    assert to_json(shrink(parameters, raw, still_wrong)) == to_json(expected)


LEVELS = [
    {"bias": 0.15, "n": 3, "delta": 0.001},
    {"bias": 0.5, "n": 15, "delta": 0.01},
    {"bias": 0.1, "n": 3, "delta": 1e-4},
    {"bias": 0.3, "n": 4, "delta": 0.001},
    {"bias": 0.24, "n": 1, "delta": 0.13},
    {"bias": 0.431, "n": 977, "delta": 0.0123},
]


@pytest.mark.parametrize("raw", LEVELS)
def test_plain_levels_and_a_fair_coin_come_before_few_flips(raw: dict[str, Any]):
    """Hoeffding with 4 n for 2 n: no single number of these instances can be simpler, all together can."""
    parameters: Any = {"bias": domains.Unit, "n": domains.Count, "delta": domains.Unit}

    def still_wrong(candidate: dict[str, Any]) -> bool:
        bias, n, delta = candidate.values()
        return bool(binom.sf(np.floor(n * bias + np.sqrt(n * np.log(1 / delta) / 4)), n, bias) > 1.02 * delta)

    assert still_wrong(raw)
    assert shrink(parameters, raw, still_wrong) == {"bias": 0.5, "n": 3, "delta": 0.1}


SIZES: dict[str, tuple[dict[str, Any], dict[str, Any], Any, dict[str, tuple[int, ...]]]] = {
    "all that shares a size": (
        {"A": domains.PSD("n"), "B": domains.SquareMatrix("n"), "x": domains.Vector("n"), "y": domains.Vector("m")},
        {"A": np.ones((5, 5)), "B": np.ones((5, 5)), "x": np.ones(5), "y": np.ones(5)},
        lambda v: len(v["x"]) >= 2 and len(v["y"]) >= 3, {"A": (2, 2), "B": (2, 2), "x": (2,), "y": (3,)},
    ),
    "the row that matters stays": (
        {"A": domains.Points("n", "d"), "w": domains.Vector("n")},
        {"A": np.eye(6, 4), "w": np.array([0.0, 0, 7, 0, 0, 0])},
        lambda v: v["w"] @ v["A"][:, 0] == 0 and np.sum(v["A"] @ v["A"].T * v["w"]) > 0,
        {"A": (1, 2), "w": (1,)},
    ),
    "members of a family, and their size": (
        {"k": domains.Few, "A": domains.Family(domains.PSD("d"), "k")}, {"k": 3, "A": [np.ones((3, 3))] * 3},
        lambda v: v["k"] == len(v["A"]) and v["A"][0].size >= 4, {"A": (1, 2, 2)},
    ),
    "an order of what is left": (
        {"p": domains.Permutation("n")}, {"p": np.array([3, 0, 2, 4, 1])}, lambda v: v["p"][0] > v["p"][-1], {"p": (2,)},
    ),
    "reflections and the spectrum that they turn": (
        {"A": domains.SymmetricBetween("n", 0, 1)}, {"A": {"mirrors": np.ones((4, 4)), "spectrum": np.array([0, 1, 0, 0.5])}},
        lambda v: np.trace(v["A"]) > 0.4, {"A": (1, 1)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_what_shares_a_size_gets_smaller_together(name: str):
    parameters, raw, wrong, shapes = SIZES[name]

    def still_wrong(candidate: dict[str, Any]) -> bool:
        with np.errstate(invalid="ignore"):  # reflections at 0
            return bool(wrong(build(parameters, candidate)))

    assert inside(parameters, raw)
    assert still_wrong(raw)
    small = shrink(parameters, raw, still_wrong)
    assert inside(parameters, small)
    assert {n: np.shape(x) for n, x in build(parameters, small).items() if n in shapes} == shapes


def test_equal_parameters_and_scales_become_simple_together():
    parameters = {"A": domains.Matrix("n", "n"), "B": domains.Matrix("n", "n")}
    raw = {name: 1e-3 * np.array([[39.9998, -40.0009], [40.0005, 39.9996]]) for name in parameters}

    def still_wrong(candidate: dict[str, Any]) -> bool:
        return np.array_equal(candidate["A"], candidate["B"]) and np.linalg.det(candidate["A"]) > 1e-4

    small = shrink(parameters, raw, still_wrong)
    assert to_json(small) == to_json({"A": np.ones((1, 1)), "B": np.ones((1, 1))})
