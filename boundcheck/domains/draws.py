"""Hypothesis strategies of raw numbers, each with its nasty corners."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy


def hundredths(low: float, high: float) -> SearchStrategy[float]:
    return st.integers(int(low * 100), int(high * 100)).map(lambda k: k / 100)


def powers(low: int, high: int) -> SearchStrategy[float]:
    return st.integers(low, high).map(lambda k: float(f"1e{k}"))


def unit() -> SearchStrategy[float]:
    corners = st.sampled_from(
        [0.5, 0.1, 0.01, 0.05, 0.25, 0.2, 0.9, 0.99, 0.001, 1e-4, 1e-6, 0.75]
    )
    return st.one_of(
        corners,
        st.integers(1, 999).map(lambda k: k / 1000),
        st.integers(1, 99).map(lambda k: k / 100),
    )


def count() -> SearchStrategy[int]:
    return st.one_of(
        st.integers(1, 6),
        st.integers(1, 40),
        st.sampled_from([1, 2, 10, 50, 100, 200, 500, 1000]),
    )


def positive() -> SearchStrategy[float]:
    return st.one_of(
        st.sampled_from([1.0, 2.0, 0.5, 0.1, 10.0]),
        hundredths(0.01, 5),
        powers(-8, 6),
    )


def real() -> SearchStrategy[float]:
    return st.one_of(
        st.sampled_from([0.0, 1.0, -1.0, 2.0, -2.0, 0.5]),
        hundredths(-5, 5),
        powers(-6, 6),
        powers(-6, 6).map(lambda x: -x),
    )


ENTRIES: list[Callable[[np.random.Generator, int], np.ndarray]] = [
    lambda rng, count: rng.integers(-3, 4, count) * 1.0,
    lambda rng, count: rng.integers(-1, 2, count) * 1.0,
    lambda rng, count: np.round(rng.standard_normal(count), 2),
    lambda rng, count: np.round(rng.uniform(-3, 3, count), 1),
    lambda rng, count: 10.0 ** rng.integers(-7, 3, count),
    lambda rng, count: (
        rng.integers(0, 3, count) * (rng.random(count) < 0.3) * 1.0
    ),
]


@cache
def entries(count: int) -> SearchStrategy[np.ndarray]:
    """Entries of one style; one seed instead of `count` draws keeps drawing fast."""
    return st.builds(
        lambda style, seed: style(np.random.default_rng(seed), count),
        st.sampled_from(ENTRIES),
        st.integers(0, 2**32 - 1),
    )


@cache
def array(*sizes: int) -> SearchStrategy[np.ndarray]:
    return entries(int(np.prod(sizes))).map(lambda x: np.reshape(x, sizes))


@cache
def vector(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    named = [
        np.ones(n),
        np.eye(n)[0],
        np.eye(n)[-1],
        (-1.0) ** k,
        k + 1.0,
        1.0 / (k + 1),
        10.0**-k,
        np.zeros(n),
    ]
    return st.one_of(array(n), array(n), st.sampled_from(named))


@cache
def matrix(m: int, n: int) -> SearchStrategy[np.ndarray]:
    i, j = np.indices((m, n))
    named = [
        np.eye(m, n),
        np.ones((m, n)),
        1.0 * (i <= j),
        1.0 * (j == i + 1),
        1.0 / (i + j + 1),
        np.zeros((m, n)),
        1.0 * (i == 0) * (j == 0),
        np.eye(m, n) * 10.0 ** -np.minimum(i, 7),
        (-1.0) ** (i * j),
        1.0 * (i == j) + 1.0 * (i + j == 1) * np.sign(j - i),
    ]
    rank_one = st.tuples(vector(m), vector(n)).map(lambda uv: np.outer(*uv))
    return st.one_of(array(m, n), array(m, n), st.sampled_from(named), rank_one)


@cache
def factor(n: int) -> SearchStrategy[np.ndarray]:
    return st.integers(1, n + 1).flatmap(lambda k: matrix(n, k))


@cache
def weights(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    named = [
        np.ones(n),
        np.eye(n)[0],
        np.eye(n)[0] * (10.0**6 - 1) + 1,
        2.0**-k,
        1.0 + k,
        np.where(k == 0, 1.0, 1e-3),
    ]
    positive = entries(n).map(lambda x: np.abs(x) + 0.1)
    return st.one_of(st.sampled_from(named), positive, positive)


@cache
def joint_weights(m: int, n: int) -> SearchStrategy[np.ndarray]:
    """Weights of pairs: independent, equal, nearly equal, or any."""
    i, j = np.indices((m, n))
    equal = 1.0 * (i % min(m, n) == j % min(m, n))
    independent = st.tuples(weights(m), weights(n)).map(
        lambda pq: np.outer(*pq)
    )
    return st.one_of(
        st.sampled_from([equal, equal + 1e-3]),
        independent,
        weights(m * n).map(lambda w: np.reshape(w, (m, n))),
    )


@cache
def rows_of_weights(m: int, n: int) -> SearchStrategy[np.ndarray]:
    return st.tuples(*[weights(n)] * m).map(np.array)


@cache
def drops(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    named = [
        np.ones(n),
        2.0**-k,
        10.0**-k,
        1.0 / (k + 1) ** 2,
        1.0 * (k == 0),
        1.0 * (k <= n // 2),
        1.0 / (k + 1),
    ]
    steps = [spectrum - np.append(spectrum[1:], 0.0) for spectrum in named]
    return st.one_of(st.sampled_from(steps), entries(n).map(np.abs))


def rows(m: int, n: int) -> SearchStrategy[np.ndarray]:
    return matrix(m, n).map(
        lambda A: np.where(np.any(A != 0, axis=1, keepdims=True), A, 1.0)
    )


@cache
def points(n: int, d: int) -> SearchStrategy[np.ndarray]:
    """Rows that repeat, nearly repeat, spread, or lie far apart."""

    def repeat(X: np.ndarray) -> np.ndarray:
        return np.repeat(X[:1], n, axis=0)

    def nearly(X: np.ndarray) -> np.ndarray:
        return X[:1] + 1e-6 * X

    base = matrix(n, d)
    return st.one_of(
        base,
        base,
        base.map(repeat),
        base.map(nearly),
        base.map(lambda X: 100.0 * X),
    )


def nonnegative() -> SearchStrategy[float]:
    return st.one_of(st.just(0.0), positive())


def nonzero_vector(n: int) -> SearchStrategy[np.ndarray]:
    return vector(n).map(lambda x: x if np.any(x != 0) else np.ones(n))


def signs(*shape: int) -> SearchStrategy[np.ndarray]:
    size = int(np.prod(shape))
    return st.lists(
        st.sampled_from([-1.0, 1.0]), min_size=size, max_size=size
    ).map(lambda x: np.reshape(x, shape))


def square(n: int) -> SearchStrategy[np.ndarray]:
    return matrix(n, n)


def ridged(n: int) -> SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({"factor": factor(n), "ridge": positive()})


def nonzero_rows(n: int) -> SearchStrategy[np.ndarray]:
    return st.integers(1, n + 1).flatmap(lambda k: rows(n, k))


def mirrors(n: int) -> SearchStrategy[np.ndarray]:
    return st.integers(1, n).flatmap(lambda k: rows(k, n))


def factors(m: int, n: int, r: int) -> SearchStrategy[list[np.ndarray]]:
    return st.tuples(matrix(m, r), matrix(n, r)).map(list)


LEVELS: list[Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = [
    lambda rng, shape: rng.integers(0, 2, shape) * 1.0,
    lambda rng, shape: np.full(shape, rng.integers(0, 2) * 1.0),
    lambda rng, shape: rng.integers(0, 3, shape) / 2,
    lambda rng, shape: rng.integers(0, 1001, shape) / 1000,
    lambda rng, shape: np.round(rng.beta(0.2, 0.2, shape), 3),
    lambda rng, shape: np.full(shape, rng.integers(0, 11) / 10),
    lambda rng, shape: (
        (np.arange(np.prod(shape)) == rng.integers(np.prod(shape))).reshape(
            shape
        )
        * 1.0
    ),
]
"""Where the entries of an array lie between two ends, 0 and 1: at corners, at one place, anywhere."""


@cache
def box(low: float, high: float) -> Callable[..., SearchStrategy[np.ndarray]]:
    """Arrays with entries from low to high, both included."""

    def drawn(style: Any, seed: int, shape: tuple[int, ...]) -> np.ndarray:
        t = style(np.random.default_rng(seed), shape)
        return np.where(
            t == 1, float(high), np.clip(low + (high - low) * t, low, high)
        )

    return lambda *shape: st.builds(
        drawn,
        st.sampled_from(LEVELS),
        st.integers(0, 2**32 - 1),
        st.just(shape),
    )


@cache
def bits(*shape: int) -> SearchStrategy[np.ndarray]:
    def drawn(share: float, seed: int) -> np.ndarray:
        return (np.random.default_rng(seed).random(shape) < share) * 1.0

    return st.builds(
        drawn,
        st.sampled_from([0.5, 0.5, 0.5, 0.0, 1.0, 0.1, 0.9]),
        st.integers(0, 2**32 - 1),
    )


@cache
def permutation(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    any_order = st.permutations(range(n)).map(np.array)
    return st.one_of(
        any_order,
        any_order,
        st.sampled_from([k, k[::-1].copy(), np.roll(k, 1)]),
    )


def choice(n: int, size: int) -> SearchStrategy[np.ndarray]:
    """1 at `size` of n positions, 0 elsewhere; nothing where there are not so many."""
    if size > n:
        return st.nothing()
    return permutation(n).map(lambda order: (order < size) * 1)


def unit_rows(n: int, d: int) -> SearchStrategy[np.ndarray]:
    """Rows other than 0: any, all the same, or the basis vectors in turn."""
    base, basis = rows(n, d), np.eye(d)[np.arange(n) % d]
    return st.one_of(
        base,
        base,
        base.map(lambda X: np.repeat(X[:1], n, axis=0)),
        st.just(basis),
    )


def spectral(
    low: float, high: float
) -> Callable[[int], SearchStrategy[dict[str, object]]]:
    """Reflections and the eigenvalues that they turn."""
    return lambda n: st.fixed_dictionaries(
        {"mirrors": mirrors(n), "spectrum": box(low, high)(n)}
    )


def family(
    draw: Callable[..., SearchStrategy[Any]],
) -> Callable[..., SearchStrategy[list[Any]]]:
    """k independent values, or one of them k times."""

    def members(k: int, *sizes: int) -> SearchStrategy[list[Any]]:
        one = draw(*sizes)
        if one.is_empty:
            return one
        several = st.lists(one, min_size=k, max_size=k)
        return st.one_of(
            several, several, several, one.map(lambda raw: [raw] * k)
        )

    return members
