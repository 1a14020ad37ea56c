"""Instances in words: the values that are built, whole if they are short, else by what they are."""

from typing import Any

import numpy as np
import pytest

from boundcheck import FiniteLaw, Simplex, Unit
from boundcheck.domains.in_words import LONGEST, in_words, instance_in_words
from boundcheck.features.pools import WeightedFeatures

TOLD = [
    (9, "9"), (0.25, "0.25"), (-0.0, "0"), (1e-9, "1e-9"), (1e6, "1000000"), (1e20, "1e20"), (2.5e-7, "2.5e-7"),
    (1 / 3, "1/3"), (0.3333, "0.3333"), (0.1 + 0.2, "0.3"), (1 - 8.5e-7, "1 - 8.5e-7"),
    (np.pi, "3.141592653589793"), ((np.pi, 1), "[3.14159, 1]"), ({"u": 1.23456789}, "(u = 1.23456789)"),
    (float("inf"), "inf"),
    (True, "True"), ("a", "a"), ((1, 0.5), "[1, 0.5]"), ({"u": 1}, "(u = 1)"),
    (np.array([[1.0, -0.5]]), "[[1, -0.5]]"), (np.array([0.2, 0.2, 0.6]), "[0.2, 0.2, 0.6]"),
    (np.ones((15, 1)), "15 equal rows (1)"), (3 * np.eye(15), "3 I (15 x 15)"),
    (np.full(20, 0.05), "20 entries, each 0.05"), (np.arange(1, 31), "[1, 2, 3, ..., 30] (30 entries)"),
    (0.5 ** np.arange(12), "[1, 0.5, 0.25, ..., 1/2048]".replace("1/2048", "0.000488281") + " (12 entries)"),
    (np.diag(np.arange(1.0, 9)), "diag [1, 2, 3, 4, 5, 6, 7, 8]"),
    (np.tile(np.array([[1.0], [2.0]]), 9), "9 equal columns [1, 2]"),
    (np.arange(9.0).reshape(9, 1), "column [0, 1, 2, 3, 4, 5, 6, 7, 8]"), (np.ones((1, 9)), "[9 entries, each 1]"),
    (np.eye(1, 40, 7)[0], "40 zeros but [7] = 1"),
    (FiniteLaw(np.array([-1.0, 3, 5]), np.array([0.25, 0.75, 0])), "(-1 with probability 0.25, 3 with probability 0.75)"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "told"), TOLD, ids=[told for _, told in TOLD])
def test_a_value_is_told_by_what_it_is(value, told):
    assert in_words({"x": value}) == f"x = {told}"


def test_no_array_is_told_by_its_shape_alone():
    x = np.random.default_rng(0).normal(size=(9, 9)).round(1)
    told = in_words({"x": x})
    assert told.startswith("x = [[0.1, -0.1, 0.6, 0.1, -0.5, 0.4, 1.3, 0.9, -0.7], [-1.3, ")
    assert told.endswith("... 7 more rows]")


def test_a_text_that_grows_too_long_shows_less_of_each_array():
    rng = np.random.default_rng(1)
    assert len(in_words({f"A{k}": rng.normal(size=(5, 5)) for k in range(3)})) <= LONGEST


def test_what_is_told_is_built_and_not_the_raw_numbers():
    domains: dict[str, Any] = {"p": Simplex("k"), "x": Unit}
    assert instance_in_words(domains, {"p": np.array([1.0, 2.0]), "x": 0.5}) == "p = [1/3, 2/3], x = 0.5"
    raw = {"copies": 15, "block": np.ones((1, 1)), "weights": np.ones(1) * 7, "lam": 1e-4, "surplus": np.zeros(1)}
    case = "copies = 15, block = [[1]], weights = [1], lam = 0.0001, surplus = [1]"
    features: Any = WeightedFeatures
    assert instance_in_words({"case": features.domain}, {"case": raw}) == f"case = ({case})"


def test_raw_numbers_that_build_nothing_are_told_as_they_are():
    assert instance_in_words({"p": Simplex("k")}, {"p": None}) == "p = None"
