"""NumPy functions of entries: sums and means, products of arrays, orders, and rounding."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import boundcheck.operations.ranges as ranges
import boundcheck.operations.reductions as reductions
from boundcheck.operations.operation import spells
from boundcheck.operations.reductions import maxima, minima, sums
from boundcheck.operations.trials import Entries, Trials
from boundcheck.tape import NotTraceable, Truth, is_traced, value_of
from boundcheck.tape.program import SPELLED, NotInLanguage, here
from boundcheck.tape.traced import decided
from boundcheck.tape.truth import OUTCOMES, comparison, logical, masked

for _relation, _ufunc in OUTCOMES.items():
    spells(_ufunc)(comparison(_relation))


def _coin(x: Any) -> Any:
    """A truth value as 0 or 1. Raises NotTraceable for other numbers, of which & takes the digits."""
    if isinstance(x, Truth):
        return x.coin()
    if getattr(x, "is_mask", False) or np.asarray(value_of(x)).dtype == bool:
        return x if is_traced(x) else np.asarray(x, dtype=int)
    raise NotTraceable(
        "&, | and ^ join truth values here, not the digits of numbers."
    )


@spells(np.bitwise_and)
def and_of(x: Any, y: Any) -> Any:
    return masked(_coin(x) * _coin(y), x, y)


@spells(np.bitwise_or)
def or_of(x: Any, y: Any) -> Any:
    return masked(1 - (1 - _coin(x)) * (1 - _coin(y)))


@spells(np.bitwise_xor)
def xor_of(x: Any, y: Any) -> Any:
    x, y = _coin(x), _coin(y)
    return masked(x + y - 2 * x * y)


@spells(np.invert)
def not_of(x: Any) -> Any:
    return masked(1 - _coin(x))


for _ufunc in (np.logical_and, np.logical_or, np.logical_not):
    _join: Any = logical(_ufunc)
    spells(_ufunc)(_join)


@spells(np.mean, range=ranges.within)
def _mean(a: Entries, axis: object = None, keepdims: object = False) -> Any:
    total = sums(a, axis, keepdims=keepdims is True)
    return total / (a.size // max(total.size, 1))


@spells(np.average)
def average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    if weights is None or axis is None or np.ndim(weights) == np.ndim(a):
        return (
            _mean(a, axis)
            if weights is None
            else np.sum(a * weights, axis=axis) / np.sum(weights, axis=axis)
        )
    return np.sum(np.moveaxis(a, axis, -1) * weights, axis=-1) / np.sum(weights)


@spells(np.var, range=ranges.nonnegative)
def var(
    a: Entries, axis: object = None, ddof: int = 0, keepdims: object = False
) -> Entries:
    centred = a - _mean(a, axis, keepdims=True)
    total = sums(centred * centred, axis, keepdims=keepdims is True)
    return total / (a.size // max(total.size, 1) - ddof)


@spells(np.std, range=ranges.nonnegative)
def std(
    a: Entries, axis: object = None, ddof: int = 0, keepdims: object = False
) -> Entries:
    return np.sqrt(var(a, axis, ddof, keepdims))


@spells(np.ptp)
def ptp(a: Entries, axis: object = None) -> Entries:
    return maxima(a, axis) - minima(a, axis)


@spells(np.trace, range=ranges.summed)
def _trace(a: Any) -> Any:
    first = (0, 1) if np.ndim(a) > 2 else (-2, -1)
    return np.sum(np.diagonal(a, 0, *first), axis=-1)


@spells(np.dot)
def dot(a: Any, b: Any) -> Any:
    return a * b if np.ndim(a) == 0 or np.ndim(b) == 0 else a @ b


@spells(np.inner)
def inner(a: Any, b: Any) -> Any:
    return dot(a, np.transpose(b))


@spells(np.vdot)
def vdot(a: Any, b: Any) -> Any:
    return np.ravel(a) @ np.ravel(b)


@spells(np.linalg.multi_dot)
def multi_dot(matrices: Any) -> Any:
    result = matrices[0]
    for matrix in matrices[1:]:
        result = result @ matrix
    return result


@spells(np.outer)
def outer(a: Any, b: Any) -> Any:
    return np.reshape(a, (-1, 1)) * np.reshape(b, (1, -1))


@spells(np.kron)
def kron(a: Any, b: Any) -> Any:
    """Each entry of a times all of b; the one with fewer axes has others of length one before its own."""
    depth = max(np.ndim(a), np.ndim(b))
    m, n = ((1,) * (depth - np.ndim(x)) + np.shape(x) for x in (a, b))
    left = np.reshape(a, [size for k in m for size in (k, 1)])
    right = np.reshape(b, [size for k in n for size in (1, k)])
    return np.reshape(left * right, [j * k for j, k in zip(m, n, strict=True)])


@spells(np.einsum)
def einsum(subscripts: str, *operands: Any) -> Any:
    """Sum over products, by broadcasting all operands over all indices."""
    left, arrow, out = subscripts.replace(" ", "").partition("->")
    out = (
        out
        if arrow
        else "".join(c for c in sorted(set(left) - {","}) if left.count(c) == 1)
    )
    letters = [*out, *sorted(set(left) - {",", *out})]
    product: Any = 1
    for term, x in zip(left.split(","), operands, strict=True):
        term, x = _diagonalised(term, x)
        own = [c for c in letters if c in term]
        x = np.transpose(x, [term.index(c) for c in own])
        product = product * np.reshape(
            x, [x.shape[own.index(c)] if c in term else 1 for c in letters]
        )
    axes = tuple(k for k, c in enumerate(letters) if c not in out)
    summed = np.sum(product, axis=axes) if axes else product
    kept = [c for c in letters if c in out]
    return np.transpose(summed, [kept.index(c) for c in out])


def _diagonalised(term: str, x: Any) -> tuple[str, Any]:
    """An operand whose repeated index stands for its diagonal."""
    for c in sorted(set(term)):
        while term.count(c) > 1:
            i, j = [k for k, letter in enumerate(term) if letter == c][:2]
            x, term = (
                np.diagonal(x, axis1=i, axis2=j),
                term[:i] + term[i + 1 : j] + term[j + 1 :] + c,
            )
    return term, x


@spells(np.cumsum)
def cumsum(a: Any, axis: int | None = None) -> Any:
    a, axis = (np.ravel(a), 0) if axis is None else (a, axis % a.ndim)
    return reductions.cumsum(a, axis=axis)


@spells(np.cumprod)
def cumprod(a: Any, axis: int | None = None) -> Any:
    a, axis = (np.ravel(a), 0) if axis is None else (a, axis)
    a = np.moveaxis(a, axis, -1)
    if not a.shape[-1]:
        return np.moveaxis(a, -1, axis)
    parts = list(
        itertools.accumulate(
            (a[..., k] for k in range(a.shape[-1])), np.multiply
        )
    )
    return np.moveaxis(np.stack(parts, -1), -1, axis)


@spells(np.sort, range=ranges.within)
def sort(a: Any, axis: int | None = -1) -> Any:
    last: Any = np.ravel(a) if axis is None else np.moveaxis(a, axis, -1)
    ordered: Any = reductions.sort(last, axis=-1)
    return ordered if axis is None else np.moveaxis(ordered, -1, axis)


@spells(np.median, range=ranges.within)
def median(a: Any, axis: int | None = None) -> Any:
    a = np.ravel(a) if axis is None else np.moveaxis(a, axis, -1)
    a, k = sort(a), a.shape[-1]
    return (a[..., (k - 1) // 2] + a[..., k // 2]) / 2


def _extreme(sign: int) -> Callable[..., Any]:
    """argmax or argmin; that the chosen entry is extreme, and the first one that is, becomes a hypothesis."""

    def spelled(a: Any, axis: int | None = None) -> Any:
        a = np.ravel(a) if axis is None else np.moveaxis(a, axis, -1)
        if isinstance(a, Trials):
            return _first_largest(sign * a)
        best = np.expand_dims(np.argmax(sign * a.traced_value, axis=-1), -1)
        extreme = np.take_along_axis(a, best, -1)
        if not np.all((a <= extreme if sign > 0 else a >= extreme).decided()):
            raise NotTraceable(
                "Entries are so close that rounding decides which is the largest."
            )
        return np.argmax(
            (a >= extreme if sign > 0 else a <= extreme).decided(), axis=-1
        )

    return spelled


def _first_largest(a: Entries) -> Entries:
    """The place of the first largest entry in each trial: how many beginnings stay below the largest."""
    top: Any = maxima(a, -1)
    return sum(
        (
            np.where(maxima(a[..., :k], -1) < top, 1, 0)
            for k in range(1, a.shape[-1])
        ),
        start=0 * top,
    )


SPELLED.update({np.argmax: _extreme(1), np.argmin: _extreme(-1)})


@spells(np.argsort)
def argsort(a: Any, axis: int | None = -1) -> Any:
    """The places of the entries in increasing order, which becomes a hypothesis. Raises NotTraceable for equal ones."""
    a = (
        np.ravel(_alone(a))
        if axis is None
        else np.moveaxis(_alone(a), axis, -1)
    )
    order = np.argsort(a.traced_value, axis=-1, kind="stable")
    ordered: Any = np.take_along_axis(a, order, -1)
    if not np.all((ordered[..., 1:] > ordered[..., :-1]).decided()):
        raise NotInLanguage(
            f"{here()}: np.argsort does not say which of equal entries comes first"
        )
    return order if axis is None else np.moveaxis(order, -1, axis)


def unique(a: Any) -> Any:
    """The distinct values in increasing order; which entries are equal becomes a hypothesis."""
    a = sort(_alone(a), None)
    return a[np.append(True, (a[1:] > a[:-1]).decided())[: a.size]]


def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """How many entries are below v, or at most v; that they rise, and each comparison, becomes a hypothesis."""
    rising = _alone(a)[1:] >= a[:-1]
    if not np.all(rising.decided() if isinstance(rising, Truth) else rising):
        raise NotInLanguage(
            f"{here()}: np.searchsorted takes numbers in increasing order; sort them first"
        )
    a, v = _alone(a), np.expand_dims(_alone(v), -1)
    return np.sum((a < v if side == "left" else a <= v).decided(), axis=-1)


def matrix_rank(a: Any) -> Any:
    """The number of pivots; that one is not 0, and all that is left after the last is, is a hypothesis."""
    a, rank = _alone(a), 0
    while a.size and np.any(nonzero := (a != 0).decided()):
        i, j = np.argwhere(nonzero)[0]
        others = np.ix_(np.arange(len(a)) != i, np.arange(a.shape[1]) != j)
        a, rank = (a - np.outer(a[:, j], a[i]) / a[i, j])[others], rank + 1
    return rank


def _alone(a: Entries) -> Any:
    if isinstance(a, Trials):
        raise NotTraceable(
            "How many entries are equal, or in order, may differ from trial to trial."
        )
    return a


@spells(np.ix_)
def ix_(*places: Any) -> tuple[np.ndarray, ...]:
    return np.ix_(*(decided(_alone(x)) for x in places))


def _of_nonzero(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where entries are not 0; that they are, or are not, becomes a hypothesis."""

    def spelled(a: Any) -> Any:
        nonzero = _alone(a) != 0
        return function(
            nonzero.decided() if isinstance(nonzero, Truth) else nonzero
        )

    return spelled


for _function in (np.nonzero, np.flatnonzero):
    SPELLED[_function] = _of_nonzero(_function)


SPELLED.update({np.unique: unique, np.searchsorted: searchsorted})
SPELLED[np.linalg.matrix_rank] = matrix_rank


@spells(np.convolve)
def convolve(a: Any, v: Any) -> Any:
    """All that two sequences overlap in: entry k sums a[i] v[k - i]."""
    padded = [
        np.concatenate([np.zeros(i), a[i] * v, np.zeros(len(a) - 1 - i)])
        for i in range(len(a))
    ]
    return np.sum(np.stack(padded), axis=0)


@spells(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1) -> Any:
    widths = dx if x is None else x[1:] - x[:-1]
    return np.sum(widths * (y[..., 1:] + y[..., :-1]), axis=-1) / 2


@spells(np.vander)
def vander(x: Any, N: int | None = None) -> Any:
    last = (len(x) if N is None else N) - 1
    return np.stack([x**k for k in range(last, -1, -1)], axis=-1)


@spells(np.diff)
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    a = np.moveaxis(a, axis, -1)
    for _step in range(n):
        a = a[..., 1:] - a[..., :-1]
    return np.moveaxis(a, -1, axis)


@spells(np.clip, range=ranges.clipped)
def clip(a: Any, a_min: Any = None, a_max: Any = None) -> Any:
    a = a if a_min is None else np.maximum(a, a_min)
    return a if a_max is None else np.minimum(a, a_max)


@spells(np.round)
def rounded(a: Entries, decimals: int = 0) -> Entries:
    return np.rint(a * 10**decimals) / 10**decimals


@spells(np.divmod)
def _divided(x: Any, y: Any) -> tuple[Any, Any]:
    return x // y, x % y


@spells(np.count_nonzero)
def count_nonzero(a: Any, axis: Any = None) -> Any:
    found = a != 0
    return (
        np.count_nonzero(found.decided(), axis=axis)
        if isinstance(found, Truth)
        else sums(found, axis)
    )


@spells(np.array_equal)
def _array_equal(x: Any, y: Any) -> Any:
    return np.shape(x) == np.shape(y) and np.all(x == y)


@spells(np.any)
def some(a: Entries, axis: Any = None) -> Entries:
    found = a != 0
    return (
        found.any(axis=axis)
        if isinstance(found, Truth)
        else maxima(found, axis)
    )


@spells(np.all)
def _every(a: Entries, axis: Any = None) -> Any:
    found = a != 0
    return (
        found.all(axis=axis)
        if isinstance(found, Truth)
        else minima(found, axis)
    )
