"""Events as numbers, maxima over finite classes, and expectations inside quantities: each in enumerated, traced and sampled worlds."""

from typing import Any

import numpy as np
import pytest

from boundcheck import E, Few, P, Positive, Unit, at_most, equal, indicator, largest, quantity, smallest
from boundcheck.checking.certificate import refutation
from boundcheck.checking.judge import Plan, judge
from boundcheck.checking.verdict import Judgement, Outcome
from boundcheck.laws.quantities import World, evaluate
from boundcheck.laws.worlds import enumerated
from boundcheck.settings import FiniteLaw
from boundcheck.verifier import verify
from boundcheck.words.claims import make_claim

PLAN = Plan("test", instances=12, work=300, trials=4000, sampled_instances=2, confirmation_trials=20_000, level=1e-3)


def verdict(body: Any) -> Judgement:
    return judge(make_claim(body, "test.body", "here", "theorem"), PLAN, 1e-7)


def pairs() -> Any:
    """Every pair of two throws of a die with three sides, once."""
    return quantity(lambda rng, size: rng.integers(0, 3, (size, 2)))


def values(q: Any) -> np.ndarray:
    return np.asarray(evaluate(q, enumerated(q).world), dtype=float)


X = np.array([[i, j] for i in range(3) for j in range(3)])
"""All outcomes of `pairs`, in order."""

EQUAL: dict[str, Any] = {
    "a comparison": (lambda x: (x >= 1) * 1, X >= 1),
    "times the quantity": (lambda x: x * (x > 1), X * (X > 1)),
    "added": (lambda x: (x > 0) + (x > 1), np.add(X > 0, X > 1, dtype=float)),
    "astype": (lambda x: (x == 2).astype(float), X == 2),
    "summed": (lambda x: np.sum(x >= 1), np.sum(X >= 1, axis=1)),
    "summed by its method": (lambda x: (x >= 1).sum(), np.sum(X >= 1, axis=1)),
    "mean": (lambda x: np.mean(x >= 1), np.mean(X >= 1, axis=1)),
    "counted": (lambda x: np.count_nonzero(x != 1), np.sum(X != 1, axis=1)),
    "where": (lambda x: np.where(x > 0, x, -5), np.where(X > 0, X, -5)),
    "where of an entry": (lambda x: np.where(x[0] > x[1], x[0], 7), np.where(X[:, 0] > X[:, 1], X[:, 0], 7)),
    "where of numbers": (lambda x: np.where(x[0] > 0, 1, 2), np.where(X[:, 0] > 0, 1, 2)),
    "joined entries": (lambda x: 1.0 * ((x[0] > 0) & ~(x[1] > 0) | (x[0] == 2)), (X[:, 0] > 0) & ~(X[:, 1] > 0) | (X[:, 0] == 2)),
    "comparisons compared": (lambda x: ((x[0] > 0) == (x[1] > 0)) * 1, (X[:, 0] > 0) == (X[:, 1] > 0)),
    "indicator of all": (lambda x: indicator(x >= 1), np.all(X >= 1, axis=1)),
    "indicator of not all": (lambda x: indicator(~(x >= 1)), ~np.all(X >= 1, axis=1)),
    "indicator of any": (lambda x: indicator(np.any(x >= 2)), np.any(X >= 2, axis=1)),
    "indicator along an axis": (lambda x: indicator(np.any(x >= 2, axis=-1)), np.any(X >= 2, axis=1)),
    "indicator of or": (lambda x: indicator((x >= 2) | (x <= 0)), np.all(X >= 2, axis=1) | np.all(X <= 0, axis=1)),
    "largest": (lambda x: largest([x[0], 1, x[1]]), np.maximum(np.max(X, axis=1), 1)),
    "smallest": (lambda x: smallest(x[k] for k in range(2)), np.min(X, axis=1)),
    "centred": (lambda x: x - E(x), X - 1),
    "centred by a product": (lambda x: E(x[0]) * x[1], X[:, 1]),
}


@pytest.mark.parametrize("name", EQUAL)
def test_events_in_arithmetic_are_what_numpy_says(name):
    """Every atom once, whatever the order of the atoms."""
    expression, expected = EQUAL[name]
    found, expected = values(expression(pairs())), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    assert np.allclose(*(sorted(map(tuple, x.reshape(9, -1))) for x in (found, expected)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in EQUAL if name.startswith("indicator")])
def test_sampled_indicators_count_events(name):
    q = pairs()
    world = World(np.random.default_rng(1), 500)
    found, x = evaluate(EQUAL[name][0](q), world), evaluate(q, world)
    index = [list(map(tuple, X)).index(tuple(row)) for row in x]
    assert np.array_equal(found, np.asarray(EQUAL[name][1], dtype=float)[index])


def entries(p: Any, n: int = 3) -> Any:
    return quantity(lambda rng, size: rng.binomial(1, p, (size, n)))


def some_entry(p: Unit):  # type: ignore[valid-type]
    x = entries(p)
    return P(np.any(x == 1)) <= 3 * p, equal(E(indicator(np.any(x == 1))), 1 - (1 - p) ** 3), equal(E(np.sum(x == 1)), 3 * p)


def union_bound(p: Unit):  # type: ignore[valid-type]
    x = entries(p, 2)
    return P((x[0] == 1) | (x[1] == 1)) <= E((x[0] == 1) * 1 + (x[1] == 1))


def positive_part(law: FiniteLaw):  # type: ignore[valid-type]
    x: Any = law.sample()
    return at_most(E(x), E(x * (x > 0))), at_most(largest([E(x), E(-x)]), E(largest([x, -x]))), equal(E(x - E(x)), 0)


def markov(law: FiniteLaw, t: Positive):  # type: ignore[valid-type]
    x = np.abs(law.sample())
    return P(x >= t) <= E(x) / t


def normal_tail(s: Positive):  # type: ignore[valid-type]
    x = quantity(lambda rng, size: rng.normal(0, s, size))
    return E(indicator((x > 0) & (x < 3 * s))) <= 0.6, E(x > 0) >= 0.4, P(np.any(x > 0)) <= 0.6


@pytest.mark.parametrize("body", [some_entry, union_bound, positive_part, markov, normal_tail])
def test_true_ones_hold(body):
    assert verdict(body).outcome == Outcome.HOLDS


def fewer_entries(p: Unit):  # type: ignore[valid-type]
    return P(np.any(entries(p) == 1)) <= 2 * p


def fewer_others(p: Unit):  # type: ignore[valid-type]
    return P((entries(p) != 1).any()) <= 1 - p


def fewer_positive(p: Unit):  # type: ignore[valid-type]
    return P(np.any(entries(p) > 0)) <= 2 * p


def fewer_sums(p: Unit):  # type: ignore[valid-type]
    return E(np.sum(entries(p) == 1)) <= 2.9 * p


def half_of_markov(law: FiniteLaw, t: Positive):  # type: ignore[valid-type]
    x = np.abs(law.sample())
    return P(x >= t) <= E(x) / (2 * t)


def negative_part(law: FiniteLaw):  # type: ignore[valid-type]
    x: Any = law.sample()
    return at_most(E(np.where(x > 0, x, 0)), E(x))


def ordered_chances(p: Unit):  # type: ignore[valid-type]
    x = entries(p, 2)
    return P(np.any(x == 1)) <= P(np.all(x == 1))


def equal_chances(p: Unit):  # type: ignore[valid-type]
    x = entries(p, 2)
    return P(x[0] == 1) == P(x == 1)


def largest_of_means(law: FiniteLaw):  # type: ignore[valid-type]
    x: Any = law.sample()
    return at_most(E(largest([x, -x])), largest([E(x), E(-x)]))


def normal_half(s: Positive):  # type: ignore[valid-type]
    return E(indicator(quantity(lambda rng, size: rng.normal(0, s, size)) > 0)) <= 0.4


@pytest.mark.parametrize(
    "body",
    [
        fewer_entries,
        fewer_others,
        fewer_positive,
        fewer_sums,
        half_of_markov,
        negative_part,
        ordered_chances,
        equal_chances,
        largest_of_means,
        normal_half,
    ],
)
def test_false_ones_are_refuted(body):
    result = verdict(body)
    assert result.outcome == Outcome.REFUTED
    assert result.refutation is not None
    assert verify(result.refutation.certificate).confirmed


TRUTHS: dict[str, Any] = {
    "all of drawn ones": lambda n: P(np.all(quantity(lambda rng, size: rng.normal(0, 1, (size, 2)) > 0))) <= 0.4,  # pyright: ignore
    "any of drawn ones": lambda n: P(np.any(quantity(lambda rng, size: rng.normal(0, 1, (size, 2)) > 0))) <= 0.9,  # pyright: ignore
}


@pytest.mark.parametrize("name", TRUTHS)
def test_truth_values_that_are_drawn_as_arrays_are_events_also_as_they_read(name):
    def body(n: Few):
        return TRUTHS[name](n)

    judged = verdict(body)
    assert judged.outcome is Outcome.HOLDS
    assert judged.evidence.tightest > np.log(0.5)


def test_a_choice_of_truth_values_is_an_event_also_as_it_reads():
    def body(n: Few, p: Unit):
        heads = quantity(lambda rng, size: rng.choice([True, False], (size, n), p=[p, 1 - p]))
        return P(heads) <= p**n

    claim = make_claim(body, "test.body", "here", "theorem")
    assert refutation(claim, {"n": 2, "p": 0.5})["conclusion"]["kind"] == "probability"


def test_the_range_of_an_indicator_is_known():
    q: Any = quantity(lambda rng, size: rng.normal(size=size), low=-2, high=3)
    ranged: Any = indicator(q > 0), (q > 0) * 1.0, q * (q > 0), np.where(q > 0, q, 0)
    assert [(x.low, x.high) for x in ranged] == [(0, 1), (0, 1), (-2, 3), (-2, 3)]


def test_joined_vectors_have_no_entries():
    with pytest.raises(ValueError, match="indicator"):
        evaluate(1 * ((pairs() > 0) | (pairs() > 1)), World(np.random.default_rng(1), 5))


@pytest.mark.parametrize("none", [[], (), iter([])])
def test_nothing_has_no_largest(none):
    with pytest.raises(ValueError, match="one or more"):
        largest(none)
