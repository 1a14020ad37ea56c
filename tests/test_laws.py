"""Finite laws against scipy.stats and brute force, what is refused, and the ranges of expressions."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from boundcheck import quantity
from boundcheck.laws import NotFinite, at_most_atoms
from boundcheck.laws.quantities import Event, Quantity, World, evaluate, mean
from boundcheck.laws.worlds import ExactAverage, TracedAverage, enumerated, enumerated_on, outcomes
from boundcheck.tape import Tape


def probability(event: Event) -> float:
    every = enumerated(event)
    return float(np.sum(every.weights[outcomes(event, every.world) == 1]))


def expectation(q: Quantity) -> Any:
    return mean(q).compute(ExactAverage())


def binomial(n: int, p: float) -> Quantity:
    return quantity(lambda rng, size: rng.binomial(n, p, size))


@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (7, 0.3), (40, 0.01), (5, 0.0), (5, 1.0), (300, 0.9)])
def test_binomial(n, p):
    for k in {0, 1, n // 2, n}:
        np.testing.assert_allclose(probability(binomial(n, p) <= k), stats.binom.cdf(k, n, p), rtol=1e-9, atol=1e-300)


def test_hypergeometric():
    q = quantity(lambda rng, size: rng.hypergeometric(4, 3, 5, size))
    for k in range(6):
        np.testing.assert_allclose(probability(q <= k), stats.hypergeom.cdf(k, 7, 4, 5), atol=1e-14)


def test_multinomial():
    p = np.array([0.2, 0.3, 0.5])
    q = quantity(lambda rng, size: rng.multinomial(4, p, size))
    np.testing.assert_allclose(expectation(q), 4 * p)
    np.testing.assert_allclose(probability((q[0] == 1) & (q[1] == 2)), stats.multinomial.pmf([1, 2, 1], 4, p))
    assert probability(q.sum() == 4) == pytest.approx(1)


@pytest.mark.parametrize("weights", [None, [0.5, 0.25, 0.25]])
def test_choice_of_rows_with_replacement(weights):
    table = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]])
    p = np.full(3, 1 / 3) if weights is None else np.array(weights)
    rows = quantity(lambda rng, size: rng.choice(table, (size, 2), p=weights))
    np.testing.assert_allclose(expectation(rows), [p @ table, p @ table])
    both_first = probability((rows[0, 0] == 1) & (rows[1, 0] == 1))
    assert both_first == pytest.approx(p[0] ** 2)


def test_integers_with_and_without_an_endpoint():
    two_dice = quantity(lambda rng, size: rng.integers(1, 6, (size, 2), endpoint=True))
    assert probability(two_dice.sum() <= 10) == pytest.approx(33 / 36)
    assert expectation(quantity(lambda rng, size: rng.integers(4, size=size))) == pytest.approx(1.5)


@pytest.mark.parametrize("form", [
    lambda u, p: u < p, lambda u, p: u <= p, lambda u, p: ~(u > p), lambda u, p: ~(u >= p),
])  # fmt: skip
def test_coins(form):
    heads = quantity(lambda rng, size: form(rng.random((size, 3)), 0.25) * 1.0)
    assert expectation(heads.sum()) == pytest.approx(0.75)
    assert probability(heads.sum() == 3) == pytest.approx(0.25**3)


def test_two_draws_of_one_sampler_are_independent():
    def sample(rng: Any, size: int) -> Any:
        return rng.binomial(2, 0.5, size) * rng.integers(-1, 2, size)

    brute = sum(w / 3 * (k * s >= 1) for (k, w), s in product(enumerate((0.25, 0.5, 0.25)), (-1, 0, 1)))
    assert probability(quantity(sample) >= 1) == pytest.approx(brute)


def test_draws_in_a_loop_are_independent():
    walk = quantity(lambda rng, size: sum(2 * rng.integers(0, 2, size) - 1 for _ in range(4)))
    for k in range(-4, 5):
        assert probability(walk <= k) == pytest.approx(stats.binom.cdf((k + 4) // 2, 4, 0.5))


def test_several_quantities_in_one_event_are_independent_and_each_is_itself():
    x, y = binomial(3, 0.4), binomial(2, 0.7)
    brute = sum(stats.binom.pmf(i, 3, 0.4) * stats.binom.pmf(j, 2, 0.7) for i in range(4) for j in range(3) if i > j)
    assert probability(x > y) == pytest.approx(brute)
    assert probability(x == x) == pytest.approx(1)
    assert expectation(x * y - x * x) == pytest.approx(1.2 * 1.4 - (0.72 + 1.44))


def test_events_combine():
    x = binomial(4, 0.5)
    assert probability((x >= 1) & (x <= 2)) == pytest.approx(10 / 16)
    assert probability((x <= 0) | (x >= 4)) == pytest.approx(2 / 16)
    assert probability(~(x == 2)) == pytest.approx(10 / 16)
    assert probability(x != 2) == pytest.approx(10 / 16)
    with pytest.raises(TypeError, match="no truth value"):
        bool(x <= 1)


def test_a_vector_event_asks_for_every_entry():
    x = quantity(lambda rng, size: rng.binomial(1, 0.5, (size, 3)))
    assert probability(x <= 0) == pytest.approx(1 / 8)


def test_a_tie_that_rounding_could_decide_counts_for_neither_side():
    x = binomial(3, 0.5) / 3
    event = x * 0.1 * 3 <= 0.1
    every = enumerated(event)
    assert outcomes(event, every.world).tolist() == [1, 0, -1, -1]


def test_means_of_matrices():
    z = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, 2)) - 1)
    outer = z[:, None] * z[None, :]
    np.testing.assert_allclose(expectation(outer), np.eye(2), atol=1e-15)


def dependent(rng: Any, size: int) -> Any:
    return rng.binomial(rng.binomial(2, 0.5, size), 0.5)


def branching(rng: Any, size: int) -> Any:
    first = rng.integers(0, 3, size)
    return rng.binomial(1, 0.5, size) if np.all(first == 0) else rng.binomial(2, 0.5, size)


NOT_FINITE = {
    "a gaussian": lambda rng, size: rng.standard_normal(size),
    "a uniform number": lambda rng, size: rng.random(size) ** 2,
    "another uniform": lambda rng, size: rng.uniform(-1, 1, size),
    "a shuffle": lambda rng, size: rng.permutation(5),
    "without replacement": lambda rng, size: rng.choice(5, (size, 2), replace=False),
    "coins of other biases than there are": lambda rng, size: rng.random((size, 2)) < np.array([0.1]),
    "a law that depends on an earlier draw": dependent,
    "a path that depends on an earlier draw": branching,
    "too many atoms": lambda rng, size: rng.integers(0, 2, (size, 60)),
    "too many counts": lambda rng, size: rng.multinomial(10**4, np.full(9, 1 / 9), size),
}


@pytest.mark.parametrize("name", NOT_FINITE)
def test_what_cannot_be_enumerated_is_not_finite(name):
    with pytest.raises(NotFinite):
        probability(quantity(NOT_FINITE[name]) <= 1)


def test_the_number_of_atoms_is_limited_where_asked():
    with at_most_atoms(10), pytest.raises(NotFinite, match="more than 10"):
        enumerated(binomial(10, 0.5) <= 1)
    assert enumerated(binomial(10, 0.5) <= 1).world.size == 11


def test_traced_enumeration_has_the_same_atoms_and_records_the_law():
    def sample(rng: Any, size: int) -> Any:
        return rng.binomial(3, 0.25, size) + 10 * rng.choice(np.array([0.5, 2.0]), size, p=[0.75, 0.25]) * (rng.random(size) < 0.5)

    q, tape = quantity(sample), Tape()
    plain, traced = enumerated(q), enumerated_on(tape, q)
    np.testing.assert_allclose(evaluate(q, traced.world).traced_value, evaluate(q, plain.world))
    np.testing.assert_allclose(traced.weights, plain.weights)
    assert [law["law"] for law in tape.laws] == ["binomial", "finite", "binomial"]
    found = mean(q).compute(TracedAverage(Tape()))
    np.testing.assert_allclose(found.traced_value, expectation(q))
    assert float(expectation(q)) == pytest.approx(0.75 + 10 * (0.375 + 0.5) * 0.5)


def test_an_average_inside_an_average_has_draws_of_its_own():
    """Those of the next average are others, too: each is over its own atoms alone."""
    x, y, tape = binomial(2, 0.5), binomial(2, 0.5), Tape()
    average = TracedAverage(tape)
    centred, apart = average((x - mean(x)) ** 2), average((x - y) ** 2)
    np.testing.assert_allclose((centred.traced_value, apart.traced_value), (0.5, 1.0))
    assert sorted(law["group"] for law in tape.laws) == [0, 1, 2, 2]


def test_small_probabilities_are_not_lost():
    q = binomial(900, 0.001)
    exact = Fraction(1, 1000) ** 80 * Fraction(999, 1000) ** 820
    several = probability(q >= 80)
    np.testing.assert_allclose(several, stats.binom.sf(79, 900, 0.001), rtol=1e-8)
    assert several > float(exact) > 0


RANGES = {
    "sum": (lambda q: q + 2, (1.5, 5.0)), "difference": (lambda q: 1 - q, (-2.0, 1.5)), "product": (lambda q: -2 * q, (-6.0, 1.0)),
    "square": (lambda q: q**2, (0.0, 9.0)), "np.square": (np.square, (0.0, 9.0)), "cube": (lambda q: (q + 1) ** 3, (0.125, 64.0)),
    "absolute": (abs, (0.0, 3.0)), "negative": (lambda q: -q, (-3.0, 0.5)), "quotient": (lambda q: q / 2, (-0.25, 1.5)),
    "negative quotient": (lambda q: q / -2, (-1.5, 0.25)), "exp": (np.exp, (np.exp(-0.5), np.exp(3.0))),
    "sqrt": (lambda q: np.sqrt(q + 0.5), (0.0, np.sqrt(3.5))), "maximum": (lambda q: np.maximum(q, 1), (1, 3.0)),
    "minimum": (lambda q: np.minimum(q, 1.0), (-0.5, 1.0)), "clip": (lambda q: np.clip(q, 0, 1), (0.0, 1.0)),
    "cut below": (lambda q: np.maximum(q.map(np.exp), 2), (2, None)), "cut above": (lambda q: np.minimum(q.map(np.exp), 2), (None, 2)),
    "cut": (lambda q: np.clip(q.map(np.exp), 1, 2), (1, 2)),
    "of both": (lambda q: q * (1 - q), (-6.0, 4.5)), "tanh": (np.tanh, (np.tanh(-0.5), np.tanh(3.0))),
    "reciprocal": (lambda q: 1 / (q + 1), (0.0, None)),
    "sine": (lambda q: np.sin(q.map(np.exp)), (-1.0, 1.0)),
    "tanh of what": (lambda q: np.tanh(q.map(np.exp)), (-1.0, 1.0)), "unknown": (lambda q: q.map(np.sin), (None, None)),
}  # fmt: skip


@pytest.mark.parametrize("name", RANGES)
def test_ranges_are_what_interval_arithmetic_says_and_hold_all_samples(name):
    function, (low, high) = RANGES[name]
    q = function(quantity(lambda rng, size: rng.uniform(-0.5, 3, size), low=-0.5, high=3.0))
    for found, expected in ((q.low, low), (q.high, high)):
        assert found is None if expected is None else found == pytest.approx(expected)
    values = evaluate(q, World(np.random.default_rng(3), 4000))
    assert q.low is None or np.all(values >= q.low)
    assert q.high is None or np.all(values <= q.high)


INFINITE_BELOW = [np.log, lambda q: 2 - 1e400 * q, lambda q: np.minimum(q, np.inf) - np.inf, lambda q: -np.exp(1000 * q - 200)]


@pytest.mark.parametrize("form", INFINITE_BELOW)
def test_an_infinite_end_says_nothing(form):
    q = form(quantity(lambda rng, size: rng.uniform(0, 1, size), low=0, high=1))
    assert q.low is None


def test_a_declared_end_is_a_number_or_infinite_on_its_own_side():
    declared = quantity(lambda rng, size: rng.normal(size=size), low=-np.inf, high=np.inf)
    assert (declared.low, declared.high) == (None, None)
    for low, high in ((np.nan, 1), (0, np.nan), (np.inf, None), (None, -np.inf), (1, 0)):
        with pytest.raises(ValueError, match="has no values"):
            quantity(lambda rng, size: rng.uniform(0, 1, size), low=low, high=high)


def test_ranges_of_reductions_inside_a_trial():
    x = quantity(lambda rng, size: rng.uniform(0, 1, (size, 5)), low=0.0, high=1.0)
    assert (x.mean().low, x.mean().high) == (0, 1)
    assert (x.sum().low, x.sum().high) == (0, None)
    assert (x[2].low, x[2].high) == (0, 1)


@pytest.mark.parametrize("form", [lambda u: (u < 0.5) * (u < 0.5), lambda u: (u < 0.25) * (u >= 0.5), lambda u: (u < 0.25) * (u > 0.75)])
def test_a_uniform_number_compared_twice_is_one_number(form):
    q = quantity(lambda rng, size: form(rng.random(size)) * 1.0)
    sampled = np.mean(evaluate(q, World(np.random.default_rng(0), 10_000)))
    try:
        assert float(expectation(q)) == pytest.approx(sampled, abs=0.05)
    except NotFinite:
        pass


def test_a_coin_whose_bias_is_beyond_one_always_falls_heads():
    try:
        every = enumerated(quantity(lambda rng, size: (rng.random(size) < 1.5) * 1.0) <= 0)
    except (NotFinite, ValueError):
        return
    assert np.all(every.weights >= 0)


@pytest.mark.parametrize("function", [np.mean, np.sum, np.max, np.linalg.norm])
def test_functions_of_whole_arrays_never_mix_trials(function):
    q = function(quantity(lambda rng, size: rng.binomial(1, 0.1, (size, 2)) * 1.0))
    try:
        expected = sum(0.1 ** sum(x) * 0.9 ** (2 - sum(x)) * function(np.array(x)) for x in product((0, 1), repeat=2))
        assert float(np.asarray(expectation(q))) == pytest.approx(float(expected))
    except (TypeError, ValueError):
        pass


def test_coins_and_binomials_of_different_biases_are_enumerated():
    p = np.array([0.1, 0.5, 0.2])
    samplers = [
        lambda rng, size: rng.random((size, 3)) < p,
        lambda rng, size: p > rng.random((size, 3)),
        lambda rng, size: rng.binomial(1, p, (size, 3)),
        lambda rng, size: np.reshape(rng.random((size, 3, 1)) < p[:, None], (-1, 3)),
    ]
    for sampler in samplers:
        drawn: Any = quantity(sampler)
        count = np.sum(drawn)
        weight = enumerated(count <= 0)
        values = evaluate(count, weight.world)
        assert weight.weights.sum() == pytest.approx(1)
        assert weight.weights @ values == pytest.approx(0.8)
        assert weight.weights[values == 3].sum() == pytest.approx(0.01)


@pytest.mark.parametrize(
    "sampler",
    [
        lambda rng, size: rng.random((size, 3)) < np.array([0.5]),
        lambda rng, size: rng.random((size, 2)) < np.full((2, 2), 0.5),
        lambda rng, size: rng.random((size, 2)) < 0.2 + 0.5 * rng.integers(0, 2, (size, 2)),
        lambda rng, size: rng.binomial(2, np.array([0.5, 0.2]), (2, size)),
        lambda rng, size: rng.random((size, 1)) < np.array([1.5]),
    ],
)
def test_biases_that_are_not_one_for_each_copy_are_left_to_trials(sampler):
    drawn: Any = quantity(sampler)
    with pytest.raises(NotFinite):
        enumerated(np.sum(drawn) <= 0)


def test_what_is_used_several_times_is_computed_once_in_each_world():
    doubled = quantity(lambda rng, size: rng.binomial(1, 0.5, size))
    for _ in range(60):  # as a tree it has 2^60 leaves
        doubled = doubled + doubled
    every = enumerated(doubled)
    assert evaluate(doubled, every.world).tolist() == [0, 2**60]


def test_what_is_too_long_to_be_kept_is_computed_again(monkeypatch):
    monkeypatch.setattr("boundcheck.laws.quantities.MOST_KEPT", 1)
    coin = quantity(lambda rng, size: rng.binomial(1, 0.5, size))
    twice = coin + 1
    every = enumerated(twice * twice)
    assert evaluate(twice * twice, every.world).tolist() == [1, 4]
    assert not every.world.computed
