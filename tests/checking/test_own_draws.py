"""Each trial has draws of its own, of a law that does not depend on how many trials there are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boundcheck import P, quantity
from boundcheck.checking.trials import require_trials
from boundcheck.laws.quantities import NotPerTrial

Sampler = Callable[[Any, int], np.ndarray]
SHARED: dict[str, list[Sampler]] = {
    "is drawn once for all trials": [
        lambda rng, size: np.zeros(size) + rng.random(),
        lambda rng, size: np.zeros(size) + rng.random(1),
        lambda rng, size: np.zeros(size) + rng.integers(2**53 + 2) / 2**53,
        lambda rng, size: np.random.default_rng(rng.integers(1 << 63)).random(size),
        lambda rng, size: np.tile(rng.permutation(3), (size, 1)),
        lambda rng, size: np.tile(rng.choice(4, 2, replace=False), (size, 1)),
        lambda rng, size: rng.normal(size=(size, 2)) + rng.standard_normal(2),
        lambda rng, size: rng.integers(0, 3, (size, 3))[:, rng.permutation(3)],
        lambda rng, size: np.tile(rng.multinomial(2, [0.5, 0.5]), (size, 1)),
    ],
    "exchanges trials": [
        lambda rng, size: rng.permuted(np.tile(np.arange(2), (size, 1))),
        lambda rng, size: rng.permuted(np.tile(np.arange(3), (size, 1))),
        lambda rng, size: rng.permuted(rng.random((size, 4)), axis=0),
        lambda rng, size: rng.permutation(rng.random(size)),
        lambda rng, size: rng.choice(50, size, replace=False),
        lambda rng, size: rng.choice(50, (size, 2), replace=False),
    ],
    "depends on the number of trials": [
        lambda rng, size: rng.binomial(size, 0.5, size),
        lambda rng, size: rng.normal(0, 1 / size, size),
        lambda rng, size: rng.integers(0, high=size, size=size),
    ],
}
OWN: list[Sampler] = [
    lambda rng, size: rng.random(size),
    lambda rng, size: rng.random((size, 2, 3)),
    lambda rng, size: rng.permuted(np.tile(np.arange(2), (size, 1)), axis=1),
    lambda rng, size: rng.permuted(np.tile(np.arange(7), (size, 1)), axis=1),
    lambda rng, size: np.stack([rng.permutation(7) for _ in range(size)]),
    lambda rng, size: np.stack([rng.choice(7, 3, replace=False) for _ in range(size)]),
    lambda rng, size: np.array([rng.normal() for _ in range(size)]),
    lambda rng, size: rng.normal(rng.random(size), 1),
    lambda rng, size: np.array([np.random.default_rng(seed).random() for seed in rng.integers(1 << 63, size=size)]),
    lambda rng, size: rng.binomial(3, np.full(size, 0.5)),
    lambda rng, size: rng.multinomial(3, [0.5, 0.5], size)[:, 0] + rng.integers(2, size=size),
]


def require(sampler: Sampler) -> None:
    q = quantity(lambda rng, size: sampler(rng, size) * 1.0)
    require_trials([P(q <= 0.5) >= 0.5], np.random.default_rng(0))


@pytest.mark.parametrize(("sentence", "sampler"), [(sentence, sampler) for sentence, some in SHARED.items() for sampler in some])
def test_what_trials_share_is_refused(sentence: str, sampler: Sampler):
    with pytest.raises(NotPerTrial, match=sentence):
        require(sampler)


@pytest.mark.parametrize("sampler", OWN)
def test_draws_of_each_trial_are_its_own(sampler: Sampler):
    require(sampler)
