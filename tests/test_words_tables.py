"""Tables looked up by a random index: in each trial the entry, or the row, that its index names."""

from typing import Any

import numpy as np
import pytest

from boundcheck import E, Matrix, P, Vector, at_most, equal, quantity
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import Outcome
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=12, work=150, trials=2000, sampled_instances=2, confirmation_trials=20_000)


def uniform(k: int) -> Any:
    """A uniform index below k, its law enumerated."""
    return quantity(lambda rng, size: rng.integers(0, k, size))


def rounded(k: int) -> Any:
    """The same by a law that is sampled."""
    return quantity(lambda rng, size: np.floor(k * rng.random(size)).astype(int))


LOOKUPS = {
    "an index": lambda a, k: a[k],
    "np.take": lambda a, k: np.take(a, k),
    "np.take of rows": lambda a, k: np.take(a.reshape(3, 1), k, axis=0)[:, 0],
    "np.take of what is computed": lambda a, k: np.take(2 * a, k) / 2,
    "a flat table": lambda a, k: np.take(a.reshape(3, 1), k),
}


def verdict(body: Any, **domains: Any) -> Outcome:
    body.__annotations__ = domains
    return judge(make_claim(body, "test.tables", "here", "theorem"), PLAN, 1e-6).outcome


@pytest.mark.parametrize("name", LOOKUPS)
def test_the_mean_of_an_entry_is_that_of_the_table(name):
    entry = LOOKUPS[name]

    def true(a):
        return equal(E(uniform(3).map(lambda k: entry(a, k))), np.mean(a))

    def false(a):
        return at_most(E(uniform(3).map(lambda k: entry(a, k))), np.mean(a) - 0.01)

    assert verdict(true, a=Vector(3)) is Outcome.HOLDS
    assert verdict(false, a=Vector(3)) is Outcome.REFUTED


def test_rows_by_an_index():
    def true(A):
        return equal(E(uniform(3).map(lambda k: A[k])), np.mean(A, axis=0))

    def false(A):
        return at_most(E(uniform(3).map(lambda k: np.take(A, k, axis=0))), np.mean(A, axis=0) - 0.01)

    assert verdict(true, A=Matrix(3, 2)) is Outcome.HOLDS
    assert verdict(false, A=Matrix(3, 2)) is Outcome.REFUTED


@pytest.mark.parametrize("name", ["an index", "np.take"])
def test_a_sampled_index(name):
    entry = LOOKUPS[name]

    def true(a):
        return P(rounded(3).map(lambda k: entry(a, k)) <= np.max(a)) >= 0.9

    def false(a):
        return P(rounded(3).map(lambda k: entry(a, k)) < np.max(a)) >= 0.9

    assert verdict(true, a=Vector(3)) is Outcome.HOLDS
    assert verdict(false, a=Vector(3)) is Outcome.REFUTED
