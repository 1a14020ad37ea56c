"""What domains promise of their values: conditions that floats check and a tape records; each promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.tape import Tape, Traced, Truth, Whole, is_traced
from boundcheck.tape.program import exact_text

SLACK = 1e-9
"""What floats may lose of an identity, relative to the largest entry and to 1; on the tape they are exact."""

NEAR = Fraction(1, 2**50)
"""How near the verifier wants to see two sides of an identity that involves roots."""


class Outside(ValueError):
    """A value that is not in its domain; the message says why."""


@dataclass(frozen=True)
class Condition:
    """A relation between arrays that holds for every entry, or says something of a matrix.

    "lt", "le", "eq"; "near": equal, where roots leave no exact form; "whole": integers; "psd", "pd": a symmetric
    matrix; "psd_near": its smallest eigenvalue is at least 0 where roots leave no exact form.
    """

    relation: str
    args: tuple[Any, ...]

    def holds(self) -> bool:
        """Whether it holds in floats, up to their rounding."""
        return bool(_IN_FLOATS[self.relation](*self.args))

    def suppose(self, tape: Tape) -> None:
        """Make it a hypothesis of the program, its plain numbers exact."""
        nodes = [x if is_traced(x) else _exact(tape, x) for x in self.args]
        if self.relation == "pd":
            tape.suppose(
                "lt", _exact(tape, 0).node, np.linalg.det(nodes[0]).node
            )  # type: ignore[call-overload]
        if self.relation == "psd_near":
            nodes = [
                nodes[0] + _exact(tape, np.eye(nodes[0].shape[0]), scale=NEAR)
            ]
        relation = {"pd": "psd", "psd_near": "psd"}.get(
            self.relation, self.relation
        )
        tape.suppose(relation, *(x.node for x in nodes))


def holds(promise: Any) -> bool:
    """Whether a condition holds in floats; a plain comparison of arrays is one too."""
    return (
        promise.holds()
        if isinstance(promise, Condition)
        else bool(np.all(promise))
    )


def hypothesise(promise: Any, tape: Tape) -> None:
    """Make a condition, or a comparison, a hypothesis of the program. Raises Outside where it is false."""
    if isinstance(promise, Condition):
        promise.suppose(tape)
    elif not np.all(
        promise.decided() if isinstance(promise, Truth) else promise
    ):
        raise Outside("a case is not what its setting promises")


def unrounded(promise: Any) -> Any:
    """The same without room for rounding: what numbers have to satisfy that were not built to do so."""
    strict = {"near": "eq", "psd_near": "psd"}.get(
        getattr(promise, "relation", "")
    )
    return replace(promise, relation=strict) if strict else promise


def lt(x: object, y: object) -> Condition:
    return Condition("lt", (x, y))


def le(x: object, y: object) -> Condition:
    return Condition("le", (x, y))


def eq(x: object, y: object) -> Condition:
    return Condition("eq", (x, y))


def near(x: object, y: object) -> Condition:
    return Condition("near", (x, y))


def of(relation: str, x: object) -> Condition:
    """A condition on one array."""
    return Condition(relation, (x,))


def _exact(tape: Tape, x: object, scale: Fraction = Fraction(1)) -> Traced:
    """A constant that stands for the shortest decimals of its entries, of any length, times `scale`."""
    entries = np.asarray(int(x) if isinstance(x, int) else x)
    given = [
        x if isinstance(x, int) else exact_text(x)
        for x in entries.ravel().tolist()
    ]
    data = [str(Fraction(x) * scale) for x in given]
    value = np.asarray(entries, dtype=float) * float(scale)
    return Traced(
        tape, tape.add("const", [], value, shape=list(entries.shape), data=data)
    )


def _equal(x: object, y: object) -> bool:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    size = max(
        1.0, np.max(np.abs(x), initial=0.0), np.max(np.abs(y), initial=0.0)
    )
    return bool(np.all(np.abs(x - y) <= SLACK * size))


def _psd(A: Any, size: float = 1e-300) -> bool:
    """Whether a symmetric matrix of that size, or of its largest entry, is positive semidefinite."""
    return bool(
        np.linalg.eigvalsh(A)[0]
        >= -SLACK * max(size, float(np.max(np.abs(A)))) * len(A)
    )


_IN_FLOATS: dict[str, Any] = {
    "lt": lambda x, y: np.all(np.less(x, y)),
    "le": lambda x, y: np.all(np.less_equal(x, y)),
    "eq": _equal,
    "near": _equal,
    "whole": lambda x: np.all(np.rint(x) == x),
    "psd": _psd,
    "pd": _psd,
    "psd_near": lambda A: _psd(A, 1.0),
}


# what the values of each domain promise, written without regard to how they are drawn or built


Member = Callable[..., Iterator[Condition]]


def positive(x: object) -> Iterator[Condition]:
    yield lt(0, x)


def nonnegative(x: object) -> Iterator[Condition]:
    yield le(0, x)


def interval(low: float, high: float, closed: bool) -> Member:
    """Every entry between two numbers."""

    def member(x: object, *_: Any) -> Iterator[Condition]:
        yield from (
            (le(low, x), le(x, high)) if closed else (lt(low, x), lt(x, high))
        )

    return member


def whole_interval(low: int, high: int) -> Member:
    def member(k: object) -> Iterator[Condition]:
        k = _exact(k.tape, k) if isinstance(k, Whole) else k
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
    yield from (
        near(A, np.swapaxes(A, -1, -2)),
        near(np.diagonal(A), 1),
        of("psd_near", A),
    )


def orthogonal(Q: Any, *_: Any) -> Iterator[Condition]:
    yield near(Q @ np.swapaxes(Q, -1, -2), np.eye(Q.shape[0]))


def spectrum_between(low: float, high: float) -> Member:
    """low I <= A <= high I."""

    def member(A: Any, *_: Any) -> Iterator[Condition]:
        yield near(A, np.swapaxes(A, -1, -2))
        ends = (end * np.eye(A.shape[0]) for end in (low, high))
        below, above = (_exact(A.tape, x) if is_traced(A) else x for x in ends)
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


def family(
    member: Callable[..., Iterable[Any]],
) -> Callable[..., Iterator[Any]]:
    """Every one of k values."""

    def members(
        values: Any, k: int | None, *sizes: int | None
    ) -> Iterator[Any]:
        if k is not None and len(values) != k:
            raise Outside(f"{len(values)} values where {k} are promised")
        for value in values:
            yield from member(value, *sizes)

    return members
