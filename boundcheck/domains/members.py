"""What the values of each domain promise, written without regard to how they are drawn or built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from boundcheck.domains.conditions import Condition, Outside, eq, exact, le, lt, near, of
from boundcheck.tape import Whole, is_traced

Member = Callable[..., Iterator[Condition]]


def positive(x: object) -> Iterator[Condition]:
    yield lt(0, x)


def nonnegative(x: object) -> Iterator[Condition]:
    yield le(0, x)


def interval(low: float, high: float, closed: bool) -> Member:
    """Every entry between two numbers."""

    def member(x: object, *_: Any) -> Iterator[Condition]:
        yield from (le(low, x), le(x, high)) if closed else (lt(low, x), lt(x, high))

    return member


def whole_interval(low: int, high: int) -> Member:
    def member(k: object) -> Iterator[Condition]:
        k = exact(k.tape, k) if isinstance(k, Whole) else k
        yield of("whole", k)
        yield from (le(low, k), le(k, high))

    return member


def simplex(p: Any, *_: Any) -> Iterator[Condition]:
    yield from (le(0, p), eq(np.sum(p), 1))


def stochastic(W: Any, *_: Any) -> Iterator[Condition]:
    yield from (le(0, W), eq(np.sum(W, axis=1), 1))


def signs(x: Any, *_: Any) -> Iterator[Condition]:
    yield eq(x * x, 1)


def bits(x: Any, *_: Any) -> Iterator[Condition]:
    yield eq(x * x, x)


def decreasing(x: Any, *_: Any) -> Iterator[Condition]:
    yield le(0, x)
    if len(x) > 1:
        yield le(x[1:], x[:-1])


def unit_vector(x: Any, *_: Any) -> Iterator[Condition]:
    yield near(np.sum(x * x), 1)


def unit_rows(X: Any, *_: Any) -> Iterator[Condition]:
    yield near(np.sum(X * X, axis=1), 1)


def symmetric(A: Any, *_: Any) -> Iterator[Condition]:
    yield eq(A, np.swapaxes(A, -1, -2))


def psd(A: object, *_: Any) -> Iterator[Condition]:
    yield from symmetric(A)
    yield of("psd", A)


def positive_definite(A: object, *_: Any) -> Iterator[Condition]:
    yield from symmetric(A)
    yield of("pd", A)


def correlation(A: Any, *_: Any) -> Iterator[Condition]:
    yield from (near(A, np.swapaxes(A, -1, -2)), near(np.diagonal(A), 1), of("psd_near", A))


def orthogonal(Q: Any, *_: Any) -> Iterator[Condition]:
    yield near(Q @ np.swapaxes(Q, -1, -2), np.eye(Q.shape[0]))


def spectrum_between(low: float, high: float) -> Member:
    """low I <= A <= high I."""

    def member(A: Any, *_: Any) -> Iterator[Condition]:
        yield near(A, np.swapaxes(A, -1, -2))
        below, above = (_like(A, end * np.eye(A.shape[0])) for end in (low, high))
        yield from (of("psd_near", A - below), of("psd_near", above - A))

    return member


def low_rank(A: Any, m: int, n: int, r: int | None) -> Iterator[Condition]:
    """Nothing to see where no size says which rank is meant."""
    if r is not None and r < min(A.shape):
        singular = np.linalg.svd(A, compute_uv=False)
        yield near(singular, singular * (np.arange(min(A.shape)) < r))


def permutation(order: Any, *_: Any) -> Iterator[Condition]:
    yield eq(np.sort(order), np.arange(len(order)))


def subset(chosen: Any, n: int | None, *_: Any) -> Iterator[Condition]:
    """Increasing, from 0 on, and below n where something has that size."""
    yield from (of("whole", chosen), le(0, chosen))
    if len(chosen) > 1:
        yield lt(chosen[:-1], chosen[1:])
    if n is not None:
        yield lt(chosen, n)


def family(member: Callable[..., Iterable[Any]]) -> Callable[..., Iterator[Any]]:
    """Every one of k values."""

    def members(values: Any, k: int | None, *sizes: int | None) -> Iterator[Any]:
        if k is not None and len(values) != k:
            raise Outside(f"{len(values)} values where {k} are promised")
        for value in values:
            yield from member(value, *sizes)

    return members


def _like(A: Any, plain: np.ndarray) -> Any:
    """A plain array that is exact beside a traced one."""
    return exact(A.tape, plain) if is_traced(A) else plain
