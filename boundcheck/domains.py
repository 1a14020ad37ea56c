"""The ranges that a claim's parameters run through, each with its nasty corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Raw = Any
"""Free parameters of a value: numbers, arrays, and lists or dictionaries of them; what JSON keeps."""


@dataclass(frozen=True)
class Chart:
    """How a continuous entry may move: freely, on (0, inf), or inside (low, high)."""

    low: float = -np.inf
    high: float = np.inf

    def free(self, x: np.ndarray) -> np.ndarray:
        """Coordinates without bounds."""
        if np.isfinite(self.high):
            t = np.clip((x - self.low) / (self.high - self.low), 1e-12, 1 - 1e-12)
            return np.log(t / (1 - t))
        return np.log(np.maximum(x - self.low, 1e-300)) if np.isfinite(self.low) else np.asarray(x, dtype=float)

    def bound(self, t: np.ndarray) -> np.ndarray:
        """The inverse of `free`."""
        t = np.clip(t, -700, 700)
        if np.isfinite(self.high):
            inside = self.low + (self.high - self.low) / (1 + np.exp(-t))
            return np.clip(inside, np.nextafter(self.low, np.inf), np.nextafter(self.high, -np.inf))
        return self.low + np.exp(t) if np.isfinite(self.low) else t

    def contains(self, x: float) -> bool:
        return self.low < x < self.high


NONNEGATIVE = Chart(-1e-300)
FIXED = Chart(0, 0)
COUNTING = Chart(0.5)


@dataclass(frozen=True)
class Domain:
    """What may be drawn for a parameter, and how the drawn numbers become its value.

    `draw(*sizes)` is a Hypothesis strategy of raw numbers, one size for each name in `dims`; `build` turns them
    into the value with NumPy operations only, so that membership (PSD, unit norm, ...) holds exactly in real
    arithmetic and the value can be traced. Parameters that name the same dimension share its size.
    """

    label: str
    draw: Callable[..., SearchStrategy[Raw]]
    build: Callable[[Any], Any] = lambda raw: raw
    dims: tuple[str, ...] = ()
    chart: Any = Chart()
    """One chart, or one for each field of a dictionary of raw numbers."""

    def __call__(self, *dims: str | int) -> Domain:
        """The same range with its dimensions named anew: `Matrix("n", "d")`, `Vector(3)`."""
        if len(dims) > len(self.dims):
            raise TypeError(f"{self.label} has {len(self.dims)} dimensions, not {len(dims)}.")
        return replace(self, dims=tuple(dims) + self.dims[len(dims) :])

    def __hash__(self) -> int:
        return hash((self.label, self.dims))


def _hundredths(low: float, high: float) -> SearchStrategy[float]:
    return st.integers(int(low * 100), int(high * 100)).map(lambda k: k / 100)


def _powers(low: int, high: int) -> SearchStrategy[float]:
    return st.integers(low, high).map(lambda k: float(f"1e{k}"))


def between(low: float, high: float) -> Domain:
    """Reals strictly between two numbers."""
    width = high - low
    inner = st.integers(1, 999).map(lambda k: low + width * k / 1000)
    edge = st.sampled_from([1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999]).map(lambda t: low + width * t)
    return Domain(f"({low:g}, {high:g})", lambda: st.one_of(edge, inner), chart=Chart(low, high))


def integers(low: int, high: int) -> Domain:
    """Whole numbers from low to high, both included."""
    ends = [k for k in (low, low + 1, low + 2, high - 1, high) if low <= k <= high]
    return Domain(f"{low}..{high}", lambda: st.one_of(st.sampled_from(ends), st.integers(low, high)), chart=Chart(low - 0.5, high + 0.5))


def _unit() -> SearchStrategy[float]:
    corners = st.sampled_from([0.5, 0.1, 0.01, 0.05, 0.25, 0.2, 0.9, 0.99, 0.001, 1e-4, 1e-6, 0.75])
    return st.one_of(corners, st.integers(1, 999).map(lambda k: k / 1000), st.integers(1, 99).map(lambda k: k / 100))


def _count() -> SearchStrategy[int]:
    return st.one_of(st.integers(1, 6), st.integers(1, 40), st.sampled_from([1, 2, 10, 50, 100, 200, 500, 1000]))


def _positive() -> SearchStrategy[float]:
    return st.one_of(st.sampled_from([1.0, 2.0, 0.5, 0.1, 10.0]), _hundredths(0.01, 5), _powers(-8, 6))


def _real() -> SearchStrategy[float]:
    return st.one_of(st.sampled_from([0.0, 1.0, -1.0, 2.0, -2.0, 0.5]), _hundredths(-5, 5), _powers(-6, 6), _powers(-6, 6).map(lambda x: -x))


ENTRIES: list[Callable[[np.random.Generator, int], np.ndarray]] = [
    lambda rng, count: rng.integers(-3, 4, count) * 1.0,
    lambda rng, count: rng.integers(-1, 2, count) * 1.0,
    lambda rng, count: np.round(rng.standard_normal(count), 2),
    lambda rng, count: np.round(rng.uniform(-3, 3, count), 1),
    lambda rng, count: 10.0 ** rng.integers(-7, 3, count),
    lambda rng, count: rng.integers(0, 3, count) * (rng.random(count) < 0.3) * 1.0,
]


@cache
def _entries(count: int) -> SearchStrategy[np.ndarray]:
    """Entries of one style; one seed instead of `count` draws keeps drawing fast."""
    return st.builds(lambda style, seed: style(np.random.default_rng(seed), count), st.sampled_from(ENTRIES), st.integers(0, 2**32 - 1))


@cache
def _array(*sizes: int) -> SearchStrategy[np.ndarray]:
    return _entries(int(np.prod(sizes))).map(lambda x: np.reshape(x, sizes))


@cache
def _vector(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    named = [np.ones(n), np.eye(n)[0], np.eye(n)[-1], (-1.0) ** k, k + 1.0, 1.0 / (k + 1), 10.0**-k, np.zeros(n)]
    return st.one_of(_array(n), _array(n), st.sampled_from(named))


@cache
def _matrix(m: int, n: int) -> SearchStrategy[np.ndarray]:
    i, j = np.indices((m, n))
    named = [np.eye(m, n), np.ones((m, n)), 1.0 * (i <= j), 1.0 * (j == i + 1), 1.0 / (i + j + 1), np.zeros((m, n)),
             1.0 * (i == 0) * (j == 0), np.eye(m, n) * 10.0 ** -np.minimum(i, 7), (-1.0) ** (i * j), 1.0 * (i == j) + 1.0 * (i + j == 1) * np.sign(j - i)]  # fmt: skip
    rank_one = st.tuples(_vector(m), _vector(n)).map(lambda uv: np.outer(*uv))
    return st.one_of(_array(m, n), _array(m, n), st.sampled_from(named), rank_one)


@cache
def _factor(n: int) -> SearchStrategy[np.ndarray]:
    return st.integers(1, n + 1).flatmap(lambda k: _matrix(n, k))


@cache
def _weights(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    named = [np.ones(n), np.eye(n)[0] * (10.0**6 - 1) + 1, 2.0**-k, 1.0 + k, np.where(k == 0, 1.0, 1e-3)]
    positive = _entries(n).map(lambda x: np.abs(x) + 0.1)
    return st.one_of(st.sampled_from(named), positive, positive)


@cache
def _drops(n: int) -> SearchStrategy[np.ndarray]:
    k = np.arange(n)
    named = [np.ones(n), 2.0**-k, 10.0**-k, 1.0 / (k + 1) ** 2, 1.0 * (k == 0), 1.0 * (k <= n // 2), 1.0 / (k + 1)]
    steps = [spectrum - np.append(spectrum[1:], 0.0) for spectrum in named]
    return st.one_of(st.sampled_from(steps), _entries(n).map(np.abs))


def _decreasing(drops: Any) -> Any:
    return np.flip(np.cumsum(np.flip(drops, 0), axis=0), 0)


def _nonzero(x: Any) -> Any:
    return x if np.any(np.asarray(x) != 0) else np.ones_like(x)


def gram(factor: Any) -> Any:
    return factor @ np.swapaxes(factor, -1, -2)


def _correlation(factor: Any) -> Any:
    norms = np.sqrt(np.sum(factor * factor, axis=1))
    return gram(factor / np.reshape(norms, (-1, 1)))


def _reflections(vectors: Any) -> Any:
    n = vectors.shape[1]
    Q: Any = np.eye(n)
    for k in range(vectors.shape[0]):
        v = vectors[k]
        Q = Q - 2 * np.outer(Q @ v, v) / (v @ v)
    return Q


def _rows(m: int, n: int) -> SearchStrategy[np.ndarray]:
    return _matrix(m, n).map(lambda A: np.where(np.any(A != 0, axis=1, keepdims=True), A, 1.0))


def low_rank(factors: Any) -> Any:
    return factors[0] @ np.swapaxes(factors[1], -1, -2)


if TYPE_CHECKING:
    Real = Positive = NonNegative = Unit = float
    Count = Size = Few = int
    Vector = UnitVector = Simplex = Signs = Spectrum = Matrix = SquareMatrix = Symmetric = PSD = PositiveDefinite = Any
    Correlation = Orthogonal = LowRank = Points = Any
else:
    Unit = Domain("(0, 1)", _unit, chart=Chart(0, 1))
    Positive = Domain("(0, inf)", _positive, chart=Chart(0))
    NonNegative = Domain("[0, inf)", lambda: st.one_of(st.just(0.0), _positive()), chart=NONNEGATIVE)
    Real = Domain("R", _real)
    Count = Domain("1, 2, ...", _count, chart=COUNTING)
    Few = Domain("1..3", lambda: st.integers(1, 3), chart=Chart(0.5, 3.5))
    Size = Domain("1..8", lambda: st.integers(1, 8), chart=Chart(0.5, 8.5))

    Vector = Domain("R^n", _vector, dims=("n",))
    UnitVector = Domain("unit vectors", lambda n: _vector(n).map(_nonzero), lambda x: x / np.sqrt(np.sum(x * x)), ("n",))
    Simplex = Domain("probability vectors", _weights, lambda w: w / np.sum(w), ("n",), Chart(0))
    Signs = Domain("{-1, 1}^n", lambda n: st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n).map(np.array), dims=("n",), chart=FIXED)
    Spectrum = Domain("decreasing non-negative sequences", _drops, _decreasing, ("n",), NONNEGATIVE)
    Matrix = Domain("R^(m x n)", _matrix, dims=("m", "n"))
    SquareMatrix = Domain("R^(n x n)", lambda n: _matrix(n, n), dims=("n",))
    Symmetric = Domain("symmetric", lambda n: _matrix(n, n), lambda A: (A + np.swapaxes(A, -1, -2)) / 2, ("n",))
    PSD = Domain("PSD", _factor, gram, ("n",))
    PositiveDefinite = Domain(
        "positive definite",
        lambda n: st.fixed_dictionaries({"factor": _factor(n), "ridge": _positive()}),
        lambda raw: gram(raw["factor"]) + abs(raw["ridge"]) * np.eye(raw["factor"].shape[0]),
        ("n",),
    )
    Correlation = Domain("correlation", lambda n: st.integers(1, n + 1).flatmap(lambda k: _rows(n, k)), _correlation, ("n",))
    Orthogonal = Domain("orthogonal", lambda n: st.integers(1, n).flatmap(lambda k: _rows(k, n)), _reflections, ("n",))
    LowRank = Domain("rank at most r", lambda m, n, r: st.tuples(_matrix(m, r), _matrix(n, r)).map(list), low_rank, ("m", "n", "r"))
    Points = Domain("points", lambda n, d: _points(n, d), dims=("n", "d"))


@cache
def _points(n: int, d: int) -> SearchStrategy[np.ndarray]:
    """Rows that repeat, nearly repeat, spread, or lie far apart."""

    def repeat(X: np.ndarray) -> np.ndarray:
        return np.repeat(X[:1], n, axis=0)

    def nearly(X: np.ndarray) -> np.ndarray:
        return X[:1] + 1e-6 * X

    base = _matrix(n, d)
    return st.one_of(base, base, base.map(repeat), base.map(nearly), base.map(lambda X: 100.0 * X))


def raw_of(domain: Any, *sizes: int) -> SearchStrategy[Raw]:
    """The raw numbers of a domain, for settings that compose them."""
    return domain.draw(*sizes)
