"""Sizes: a parameter with the name of a dimension keeps its own range, and a size that cannot be served is refused."""

from dataclasses import replace
from typing import Any

import pytest

from boundcheck import (
    DataSet,
    FiniteLaw,
    NonNegative,
    Positive,
    Real,
    Simplex,
    Unit,
    Vector,
    at_most,
    between,
    integers,
    setting,
)
from boundcheck import domains as ranges
from boundcheck.checking.judge import PLANS, judge
from boundcheck.domains.instances import build, draw_instances, inside
from boundcheck.words.claims import NotAClaim, make_claim

domains: Any = ranges


def values_of(parameters: dict[str, Any], count: int = 40) -> list[dict[str, Any]]:
    raws = draw_instances(parameters, count, 1)
    assert all(inside(parameters, raw) for raw in raws)
    return [build(parameters, raw) for raw in raws]


RANGES = [
    (domains.integers(2, 4), 2, 4),
    (domains.integers(3, 3), 3, 3),
    (domains.Few, 1, 3),
    (domains.integers(10, 12), 10, 12),
    (domains.integers(5, 9), 5, 9),
    (domains.Size, 1, 8),
    (domains.Count, 1, 8),
    (domains.integers(1, 20), 1, 20),
    (domains.integers(40, 1000), 40, 48),
]


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(("n", "low", "high"), RANGES, ids=lambda x: getattr(x, "label", str(x)))
def test_a_named_size_keeps_its_range(n: Any, low: int, high: int, before: bool):
    users = {"x": domains.Vector("n"), "A": domains.Matrix("n", "d")}
    values = values_of({"n": n, **users} if before else {**users, "n": n})
    sizes = {v["n"] for v in values}
    assert all(v["x"].shape == (v["n"],) and v["A"].shape[0] == v["n"] for v in values)
    assert low == min(sizes)
    assert max(sizes) <= high
    assert len(sizes) >= min(high - low + 1, 3)


def test_sizes_beyond_eight_are_drawn_where_the_range_says_so():
    assert max(v["n"] for v in values_of({"n": domains.integers(1, 20), "x": domains.Vector("n")}, 60)) > 8


@pytest.mark.parametrize("family", ["PSD", "Symmetric", "Orthogonal", "Simplex", "Signs", "Bits", "Permutation", "Correlation"])
def test_every_kind_of_array_is_as_large_as_its_size(family: str):
    for v in values_of({"n": domains.integers(2, 4), "A": getattr(domains, family)("n")}, 20):
        assert v["A"].shape[0] == v["n"] in (2, 3, 4)


def test_two_names_have_two_sizes_and_one_name_has_one():
    m, n = domains.integers(2, 3), domains.integers(9, 9)
    parameters: Any = {"m": m, "A": domains.Matrix("m", "n"), "n": n, "B": domains.Matrix("n", "m")}
    for v in values_of(parameters):
        assert (v["A"] @ v["B"]).shape == (v["m"], v["m"])
        assert v["n"] == 9


def test_a_size_inside_a_setting_is_its_own():
    domain: Any = DataSet.domain  # type: ignore[attr-defined]
    values = values_of({"n": domains.integers(5, 6), "x": domains.Vector("n"), "data": domain})
    assert {v["n"] for v in values} == {5, 6}
    assert min(v["data"].n for v in values) < 5


@setting
class Cut:
    """A setting with a size of its own, within a range."""

    n: integers(2, 3)  # type: ignore[valid-type]
    w: Simplex("n")


def test_a_size_of_a_setting_keeps_its_range():
    domain: Any = Cut.domain  # type: ignore[attr-defined]
    values = [v["case"] for v in values_of({"case": domain})]
    assert {case.n for case in values} == {2, 3}
    assert all(case.w.shape == (case.n,) for case in values)


WRONG_SIZES: list[Any] = [Unit, Positive, NonNegative, Real, between(1, 9), integers(0, 4), integers(-3, -1), Vector("k"), FiniteLaw]


@pytest.mark.parametrize("size", WRONG_SIZES, ids=lambda d: getattr(d, "label", "setting"))
def test_a_size_that_cannot_be_served_is_refused_when_the_claim_is_made(size: Any):
    def claim(n, A):
        return at_most(0, n)

    claim.__annotations__ = {"n": size, "A": domains.PSD("n")}
    with pytest.raises(NotAClaim, match=r"'n' is the size of a dimension and runs through .*annotate it with"):
        make_claim(claim, "file.claim", "a book", "theorem")


def test_a_setting_with_such_a_size_is_refused():
    with pytest.raises(TypeError, match="Wrong: 'n' is the size of a dimension"):

        @setting
        class Wrong:
            n: Unit
            x: Vector("n")


def at_least_two(n: integers(2, 4), A: domains.Symmetric("n")):
    """n is from 2 to 4, whatever uses it as a size."""
    return at_most(2, n), at_most(n, 4), at_most(A.shape[0], n)


def at_least_three(A: domains.Orthogonal("k"), k: integers(3, 5)):
    """The size of a matrix that is named after it."""
    return at_most(3, A.shape[0])


@pytest.mark.parametrize("body", [at_least_two, at_least_three], ids=lambda body: body.__name__)
def test_claims_about_the_range_of_a_size_hold(body: Any):
    claim = make_claim(body, f"test.{body.__name__}", "what the signature says", "theorem")
    assert judge(claim, replace(PLANS["quick"], instances=20, work=400), 1e-6).outcome.name == "HOLDS"
