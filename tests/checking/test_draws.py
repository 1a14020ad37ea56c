"""Draws are exact, what is made of them has a radius, and a trial is made of its own draws alone."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from boundcheck import E, P, Unit, equal, quantity, rate
from boundcheck.checking.draws import Drawn
from boundcheck.checking.observe import BrokenClaim
from boundcheck.checking.refute import fresh_trials, require_trials_of
from boundcheck.checking.sampling import Stream, as_recorded, batch_counts
from boundcheck.checking.trials import Certain, satisfied
from boundcheck.tape import NotTraceable
from boundcheck.words.claims import make_claim
from boundcheck.words.hypotheses import AS_PRINTED
from boundcheck.words.statements import Chance, as_statement, parts_of

STREAM = Stream.of(0, "tests.trials")
RAW: dict[str, Any] = {"t": 0.5}


def claim_of(statement):
    def body(t):
        return statement(t)

    body.__annotations__ = {"t": Unit}
    return make_claim(body, "test.trials", "here", "theorem")


def counted(statement, size=256):
    """Trials that surely count against the first part of a statement, and those that nobody can tell."""
    claim = claim_of(statement)
    (part, *_) = parts_of(as_statement(claim.body(**RAW)))
    assert isinstance(part, Chance)
    counts = batch_counts(part, STREAM.rng(), size, Certain(claim, RAW, 0))
    return counts.against, counts.ties


def gaussian(*shape):
    return quantity(lambda rng, size: rng.standard_normal((size, *shape)))


def gram(t):
    X = gaussian(2, 4)
    return P(np.linalg.eigvalsh(X.mT @ X)[0] >= 0) >= 0.9


def residuals(t):
    x: Any = gaussian(5)
    return P(np.sum(x - np.mean(x, axis=-1, keepdims=True)) <= 0) >= 0.9


def softplus(t):
    x = quantity(lambda rng, size: rng.normal(0, 500, size))
    return P(np.log(1 + np.exp(x)) > 0) >= 0.9


def single_precision(t):
    x = quantity(lambda rng, size: rng.standard_normal((size, 2), dtype=np.float32))
    return P(x[0] * x[1] - x[1] * x[0] >= 0) >= 0.9


def of_a_sampler(t):
    def sampler(rng, size):
        w = rng.dirichlet(np.ones(6), size)
        return 1 - w.sum(axis=1)

    return P(quantity(sampler) <= 0) >= 0.9


@pytest.mark.parametrize("statement", [gram, residuals, softplus, single_precision, of_a_sampler])
def test_rounding_alone_never_counts_against_a_statement(statement):
    against, _ = counted(statement)
    assert against == 0


def halves(t):
    return P(gaussian() <= 0) >= 0.9


def sorted_draws(t):
    x: Any = gaussian(3)
    return P(np.sort(x)[1] <= 0) >= 0.9


def of_coins(t):
    return P(quantity(lambda rng, size: (rng.random((size, 3)) < t).sum(axis=1)) <= 1) >= 0.9


def along_another_axis(t):
    return P(quantity(lambda rng, size: rng.standard_normal((2, size)).sum(axis=0)) <= 0) >= 0.9


@pytest.mark.parametrize("statement", [halves, sorted_draws, of_coins, along_another_axis])
def test_what_surely_happens_counts(statement):
    against, ties = counted(statement)
    assert 80 < against < 180
    assert ties == 0


def test_a_sampler_that_cannot_be_followed_counts_for_neither_side():
    def ranks(t):
        return P(quantity(lambda rng, size: np.linalg.matrix_rank(rng.integers(0, 2, (size, 2, 2)))) >= 2) >= 0.99

    claim = claim_of(ranks)
    sure = Certain(claim, RAW, 0)
    (part,) = parts_of(as_statement(claim.body(**RAW)))
    assert isinstance(part, Chance)
    counts = batch_counts(part, STREAM.rng(), 128, sure)
    assert counts.against == 0
    assert counts.ties > 20
    assert "branch on a random number" in sure.doubts[0]


def uniform(*shape):
    return quantity(lambda rng, size: rng.random((size, *shape)), low=0, high=1)


def gamma(shape):
    return quantity(lambda rng, size: rng.gamma(shape, 1.0, size))


def hardly_ever(t):
    """In one trial of forty of those that speak against it a draw is 0 for want of digits."""
    return P((uniform() <= 0.9) | (gamma(0.002) <= 0)) <= 0.9


def on_average(t):
    x = quantity(lambda rng, size: np.maximum(rng.random(size) <= 0.9, rng.gamma(0.002, 1.0, size) <= 0), low=0, high=1)
    return E(x) <= 0.9


def in_a_slope(t):
    def q(n):
        return quantity(lambda rng, size: 1 / n + (rng.gamma(0.002, 1.0, size) <= 0).astype(float), low=0, high=2)

    return rate({n: E(q(n)) for n in (2, 8, 32)}, at_most=-0.9)


def fresh(statement, trials=20_000):
    claim = claim_of(statement)
    (part,) = parts_of(as_statement(claim.body(**RAW)))
    return fresh_trials(part, STREAM, trials, 1e-6, Certain(claim, RAW, 0))


@pytest.mark.parametrize("statement", [hardly_ever, on_average, in_a_slope])
def test_what_lies_in_digits_of_some_draws_refutes_nothing(statement):
    assert refutes_nothing(statement)


def refutes_nothing(statement):
    """Fresh trials decide nothing, or say that digits do."""
    try:
        return fresh(statement) is None
    except NotTraceable as error:
        return "digits that the draws" in str(error)


def differences(t):
    x: Any = uniform(2)
    return P((uniform() <= 0.9) & (np.floor(x[0] * 2**53) == x[0] * 2**53)) <= 0.1


def test_it_is_said_where_digits_of_draws_would_decide():
    with pytest.raises(NotTraceable, match="digits that the draws"):
        fresh(differences)


def test_exact_ties_of_each_trial_refute():
    positive_part = fresh(lambda t: P(np.maximum(gaussian(), 0) <= 0) <= 0.4)  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert positive_part is not None
    assert 9_000 < positive_part["failures"] < 11_000


def filled_again():
    buffers: dict[int, np.ndarray] = {}

    def sampler(rng, size):
        buffer = buffers.setdefault(size, np.empty(size))
        buffer[:] = rng.standard_normal(size)
        return buffer

    return sampler


def more(x):
    x += 1
    return x


def test_a_draw_keeps_its_numbers_whatever_is_done_to_the_array():
    sampler, x = filled_again(), gaussian()
    first, second = quantity(sampler), quantity(sampler)
    assert counted(lambda t: P(first == second) <= 0.1) == (0, 0)
    assert counted(lambda t: P(x.map(more) - x <= 0.5) <= 0.1) == (0, 0)


def doubled_in_place(rng, size):
    x = rng.random(size)
    x *= 2
    return x


def first_flipped_in_place(rng, size):
    x = rng.standard_normal((size, 2))
    x[:, 0] = 1 - x[:, 0]
    return x[:, 0] * x[:, 1]


@pytest.mark.parametrize("sampler", [doubled_in_place, first_flipped_in_place])
def test_a_sampler_may_write_into_what_it_drew(sampler):
    require_trials_of(claim_of(lambda t: P(quantity(sampler) <= 1) >= 0.9), RAW, AS_PRINTED, STREAM)
    wrong, open_ = counted(lambda t: P(quantity(sampler) <= 0.5) <= 0.1)
    assert wrong > 50
    assert open_ == 0


def test_a_mean_is_judged_only_where_the_body_gives_the_floats_of_its_program():
    def wrapping(rng, size):
        x = rng.integers(2**48, 2**49, size)
        return x * 2**20 + 0 * rng.random(size)

    for sampler, same in ((wrapping, False), (lambda rng, size: rng.random(size), True)):
        q = quantity(sampler, low=-1e30, high=1e30)
        claim = claim_of(lambda t, sampler=sampler: E(quantity(sampler, low=-1e30, high=1e30)) <= 0)
        assert as_recorded([q], STREAM, Certain(claim, RAW, 0)) == same


CALLS = itertools.count()

MISTAKES = {
    "no trials": lambda rng, size: rng.standard_normal(),
    "the size is a number": lambda rng, size: rng.standard_normal(3),
    "flattened": lambda rng, size: rng.standard_normal(2 * size),
    "one number for all": lambda rng, size: rng.standard_normal(size) + rng.standard_normal(),
    "nothing drawn": lambda rng, size: np.ones(size),
    "other randomness": lambda rng, size: rng.standard_normal(size) + np.random.default_rng().standard_normal(size),
    "a state": lambda rng, size: rng.standard_normal(size) + next(CALLS),
    "centred over trials": lambda rng, size: (x := rng.standard_normal(size)) - x.mean(),
    "sorted over trials": lambda rng, size: np.sort(rng.standard_normal(size)),
    "summed up": lambda rng, size: np.cumsum(rng.standard_normal(size)),
    "of two trials only": lambda rng, size: rng.standard_normal(size) + np.array([1.0, 2.0]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_is_not_one_entry_for_each_trial_is_a_mistake_of_the_claim(name):
    sampler = MISTAKES[name]
    claim = claim_of(lambda t: P(quantity(sampler) <= t) >= 0.5)
    with pytest.raises(BrokenClaim, match=r"trial|draws|state"):
        require_trials_of(claim, RAW, AS_PRINTED, STREAM)


MIXING = {
    "mean": lambda x: x - x.mean(),
    "max": lambda x: np.maximum(x, x.max()),
    "reversed": lambda x: x[::-1],
    "no axis": np.max,
}


@pytest.mark.parametrize("name", MIXING)
@pytest.mark.parametrize("draw", [lambda rng, size: rng.binomial(3, 0.5, size), lambda rng, size: rng.standard_normal(size)])
def test_a_map_that_mixes_trials_is_a_mistake_of_the_claim(name, draw):
    claim = claim_of(lambda t: equal(E(quantity(draw).map(MIXING[name])), t))
    with pytest.raises(BrokenClaim, match="trial"):
        require_trials_of(claim, RAW, AS_PRINTED, STREAM)


FINE = {
    "a loop": lambda rng, size: np.array([rng.normal() + rng.normal() for _ in range(size)]),
    "another axis": lambda rng, size: rng.standard_normal((3, size)).sum(axis=0),
    "as many rows as trials": lambda rng, size: rng.standard_normal((7, size)).sum(axis=0),
    "a mixture": lambda rng, size: np.where(rng.random(size) < 0.5, rng.normal(0, 1, size), rng.normal(5, 1, size)),
    "conditional": lambda rng, size: rng.binomial(rng.integers(1, 7, size), 0.5),
    "permutations": lambda rng, size: rng.permuted(np.tile(np.arange(4), (size, 1)), axis=1)[:, 0],
    "reshaped": lambda rng, size: rng.standard_normal(2 * size).reshape(size, 2).sum(axis=1),
}


@pytest.mark.parametrize("name", FINE)
def test_however_trials_are_drawn_they_are_trials(name):
    claim = claim_of(lambda t: P(quantity(FINE[name]) <= t) >= 0.5)
    require_trials_of(claim, RAW, AS_PRINTED, STREAM)


def test_a_generator_remembers_what_was_asked_of_it_and_not_what_that_took():
    drawn = Drawn(STREAM.rng().bit_generator)
    drawn.choice(5, 4, p=np.full(5, 0.2))
    drawn.multivariate_normal([0, 0], np.eye(2), 4)
    assert [draw.name for draw in drawn.log] == ["choice", "multivariate_normal"]


def test_entries_are_compared_up_to_what_is_known_of_them():
    left, right, slack = np.array([0.0, 1.0, 0.0, np.nan]), np.array([1.0, 0.0, 1e-17, 1.0]), np.array([0.1, 0.1, 1e-16, 0.0])
    assert satisfied("le", left, right, slack).tolist() == [1, -1, 0, 0]
    assert satisfied("gt", left, right, slack).tolist() == [-1, 1, 0, 0]
    assert satisfied("eq", left, right, slack).tolist() == [-1, -1, 0, 0]
    zero = np.zeros(1)
    assert [int(satisfied(relation, zero, zero, zero)[0]) for relation in ("le", "lt", "ge", "gt", "eq", "ne")] == [1, -1, 1, -1, 1, -1]


@pytest.mark.parametrize(("tail", "refuted"), [(0.4, True), (0.6, False)])
def test_half_of_the_level_is_left_for_the_digits_of_the_draws(tail, refuted):
    level, trials = 1e-6, 64

    def always(t):
        return P(quantity(lambda rng, size: rng.random(size)) >= 0) <= (tail * level) ** (1 / trials)

    claim = claim_of(always)
    (statement,) = parts_of(as_statement(claim.body(**RAW)))
    drawn = fresh_trials(statement, STREAM, trials, level, Certain(claim, RAW, 0))
    assert (drawn is not None) == refuted
