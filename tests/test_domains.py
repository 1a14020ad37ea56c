"""Drawn values are what their domain promises, in floats and on a tape; charts and instances keep their promises."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import boundcheck
import boundcheck.operations  # what a tape records
from boundcheck import domains as ranges
from boundcheck import integers
from boundcheck.domains import Chart, Domain, instances
from boundcheck.domains.instances import build, build_traced, draw_instances, from_json, leaves, replaced, to_json
from boundcheck.tape import Tape, value_of

domains: Any = ranges
"""Domains are types to a type checker and values to us."""

INSTANCES = 50


def psd(A: Any) -> bool:
    size = np.linalg.norm(A) + 1e-300
    return symmetric(A) and np.linalg.eigvalsh(A / size)[0] >= -1e-13


def symmetric(A: Any) -> bool:
    return bool(A.ndim == 2 and np.array_equal(A, A.T))


def whole(k: Any, low: int, high: float = np.inf) -> bool:
    return isinstance(k, int) and low <= k <= high


def shaped(*shape: int) -> Callable[[Any], bool]:
    return lambda x: x.shape == shape and bool(np.all(np.isfinite(x)))


PROMISES: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "Unit": (domains.Unit, lambda x: 0 < x < 1),
    "Positive": (domains.Positive, lambda x: 0 < x < np.inf),
    "NonNegative": (domains.NonNegative, lambda x: 0 <= x < np.inf),
    "Real": (domains.Real, lambda x: bool(np.isfinite(x))),
    "Count": (domains.Count, lambda k: whole(k, 1)),
    "Size": (domains.Size, lambda k: whole(k, 1, 8)),
    "Few": (domains.Few, lambda k: whole(k, 1, 3)),
    "between": (domains.between(-0.5, 0.25), lambda x: -0.5 < x < 0.25),
    "integers": (domains.integers(3, 9), lambda k: whole(k, 3, 9)),
    "Vector": (domains.Vector(5), shaped(5)),
    "Matrix": (domains.Matrix(2, 3), shaped(2, 3)),
    "SquareMatrix": (domains.SquareMatrix(3), shaped(3, 3)),
    "Points": (domains.Points(4, 2), shaped(4, 2)),
    "UnitVector": (domains.UnitVector(4), lambda x: abs(x @ x - 1) < 1e-12),
    "JointLaw": (domains.JointLaw(3, 2), lambda p: bool(np.all(p >= 0)) and abs(np.sum(p) - 1) < 1e-12),
    "Channel": (domains.Channel(3, 2), lambda W: bool(np.all(W >= 0)) and np.allclose(np.sum(W, axis=1), 1, atol=1e-12)),
    "Simplex": (domains.Simplex(4), lambda p: bool(np.all(p >= 0)) and abs(np.sum(p) - 1) < 1e-12),
    "Signs": (domains.Signs(4), lambda x: bool(np.all(np.abs(x) == 1)) and x.shape == (4,)),
    "Spectrum": (domains.Spectrum(4), lambda x: bool(np.all(np.diff(x) <= 0) and x[-1] >= 0)),
    "Symmetric": (domains.Symmetric(3), symmetric),
    "PSD": (domains.PSD(3), psd),
    "PositiveDefinite": (domains.PositiveDefinite(3), lambda A: psd(A) and bool(np.all(np.diag(A) > 0))),
    "Correlation": (domains.Correlation(3), lambda A: psd(A) and np.allclose(np.diag(A), 1, rtol=0, atol=1e-12)),
    "Orthogonal": (domains.Orthogonal(3), lambda Q: np.allclose(Q @ Q.T, np.eye(3), rtol=0, atol=1e-12)),
    "UnitRows": (domains.UnitRows(4, 2), lambda X: X.shape == (4, 2) and np.allclose(np.sum(X * X, axis=1), 1, rtol=0, atol=1e-12)),
    "Bits": (domains.Bits(2, 3), lambda x: bool(np.all((x == 0) | (x == 1))) and x.shape == (2, 3)),
    "Box": (domains.Box(4, -1, 0.5), lambda x: bool(np.all((x >= -1) & (x <= 0.5))) and x.shape == (4,)),
    "Permutation": (domains.Permutation(5), lambda p: sorted(p.tolist()) == list(range(5)) and p.dtype.kind == "i"),
    "Subset": (domains.Subset(6, 2), lambda s: len(set(s.tolist())) == 2 and 0 <= s[0] < s[1] < 6 and s.dtype.kind == "i"),
    "SymmetricBetween": (
        domains.SymmetricBetween(3, -1, 2),
        lambda A: np.allclose(A, A.T, rtol=0, atol=1e-12) and bool(np.all(np.abs(np.linalg.eigvalsh(A) - 0.5) <= 1.5 + 1e-12)),
    ),
    "Family": (domains.Family(domains.PSD(2), 3), lambda A: A.shape == (3, 2, 2) and all(map(psd, A))),
    "LowRank": (domains.LowRank(4, 5, 2), lambda A: A.shape == (4, 5) and np.linalg.svdvals(A)[2] <= 1e-13 * np.linalg.norm(A)),
}
NAMES = sorted(PROMISES)


def drawn(name: str, entropy: int = 1) -> tuple[dict[str, Domain], list[dict[str, Any]]]:
    parameters = {"x": PROMISES[name][0]}
    return parameters, draw_instances(parameters, INSTANCES, entropy)


def test_every_domain_that_users_import_is_here():
    exported = set(boundcheck._EXPORTS["boundcheck.domains"].split())
    assert exported - {"Array"} == set(PROMISES)  # Array is for type checkers


@pytest.mark.parametrize("name", NAMES)
def test_values_are_what_the_domain_promises(name: str):
    parameters, raws = drawn(name)
    assert len(raws) >= min(INSTANCES, 3)
    for raw in raws:
        assert PROMISES[name][1](build(parameters, raw)["x"]), raw


@pytest.mark.parametrize("name", NAMES)
def test_traced_values_are_the_same_values(name: str):
    parameters, raws = drawn(name)
    for raw in raws:
        traced = build_traced(parameters, raw, Tape())["x"]
        np.testing.assert_allclose(value_of(traced), build(parameters, raw)["x"], rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_instances_survive_json(name: str):
    parameters, raws = drawn(name)
    for raw in raws:
        again = from_json(json.loads(json.dumps(to_json(raw))))
        np.testing.assert_array_equal(build(parameters, again)["x"], build(parameters, raw)["x"])


def as_text(raws: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(to_json(raw)) for raw in raws]


@pytest.mark.parametrize("name", ["Unit", "PSD", "Points", "LowRank"])
def test_entropy_fixes_the_instances(name: str):
    assert as_text(drawn(name, 7)[1]) == as_text(drawn(name, 7)[1])
    assert as_text(drawn(name, 7)[1]) != as_text(drawn(name, 8)[1])


def test_instances_are_as_many_as_asked_and_mostly_distinct():
    raws = as_text(drawn("Points")[1])
    assert len(raws) == INSTANCES
    assert len(set(raws)) > 0.8 * INSTANCES


def test_parameters_that_name_a_dimension_share_its_size():
    parameters: Any = {
        "n": domains.Size, "A": domains.Matrix("n", "d"), "B": domains.Matrix("d", "k"), "x": domains.Vector("k"), "y": domains.Vector("n"),
        "u": domains.Vector(3),
    }  # fmt: skip
    values = [build(parameters, raw) for raw in draw_instances(parameters, INSTANCES, 2)]
    for v in values:
        assert (v["A"] @ v["B"] @ v["x"]).shape == v["y"].shape == (v["n"],)
        assert v["u"].shape == (3,)
    assert len({v["A"].shape for v in values}) > 5


def test_dimensions_are_renamed_and_too_many_are_refused():
    assert domains.Matrix("a").dims == ("a", "n")
    with pytest.raises(TypeError, match="has 1 dimensions, not 2"):
        domains.Vector("n", "m")


CHARTS = [
    (Chart(), [-3.0, 0.0, 1e-9, 12.5]), (Chart(0), [1e-12, 0.5, 1.0, 1e12]), (Chart(0, closed=True), [1e-12, 0.5, 1e12]),
    (Chart(0, 1), [1e-9, 0.5, 0.999]), (Chart(-2, 3), [-1.999, 0.0, 2.9]),
]  # fmt: skip


@pytest.mark.parametrize(("chart", "points"), CHARTS)
def test_charts_invert(chart: Chart, points: list[float]):
    np.testing.assert_allclose(chart.bound(chart.free(np.array(points))), points, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(("chart", "points"), CHARTS)
@pytest.mark.parametrize("t", [-1e9, -700.0, -690.8, -50.0, 0.0, 50.0, 700.0, 1e9])
def test_charts_never_leave_the_range(chart: Chart, points: list[float], t: float):
    moved = float(chart.bound(np.array(t)))
    assert chart.contains(moved)
    assert np.isfinite(moved)


def test_closed_charts_hold_their_end_and_open_ones_do_not():
    assert Chart(0, closed=True).contains(0.0)
    assert not Chart(0).contains(0.0)
    assert not Chart(0, closed=True).contains(-1e-300)
    assert integers(2, 4).chart.contains(4)
    assert not integers(2, 4).chart.contains(5)


def test_leaves_name_every_number_with_its_chart():
    parameters: Any = {"A": domains.PositiveDefinite(2), "p": domains.Unit}
    raw = {"A": {"factor": np.eye(2), "ridge": 0.5}, "p": 0.25}
    found = {path: chart for path, _, chart in leaves(parameters, raw)}
    assert set(found) == {("A", "factor"), ("A", "ridge"), ("p",)}
    assert not found["A", "ridge"].contains(0.0)
    assert found["A", "factor"].contains(-1.0)
    changed = replaced(raw, ("A", "ridge"), 2.0)
    assert changed["A"]["ridge"] == 2.0
    assert raw["A"]["ridge"] == 0.5


@pytest.mark.parametrize(
    ("low", "high", "inside", "outside"),
    [(0, 0.1 + 0.2, 0.3, 0.1 + 0.2), (0, np.sqrt(2), 1.41421356237, np.sqrt(2)),
     (1 / 49, 1, 0.0204081632654, 1 / 49), (0, 0.7, 0.7, 0.7 + 1e-9)],
)
def test_ends_that_were_computed_lie_inside(low, high, inside, outside):
    between = {"x": domains.between(low, high, closed=True)}
    assert instances.inside(between, {"x": inside})
    assert not instances.inside(between, {"x": outside})
