"""Random quantities and events: expressions over draws that a world of trials evaluates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.laws import NotFinite
from boundcheck.per_trial import aligned, call, matmul
from boundcheck.ranges import UNKNOWN, Range, range_of
from boundcheck.tape import Traced

Sampler = Callable[[Any, int], Any]
Averager = Callable[["Quantity"], Any]


class NotPerTrial(TypeError):
    """A quantity that has not one entry for each trial, or mixes them: a mistake in the claim. The message says what to do."""


@dataclass
class World:
    """Trials along the first axis: each source is drawn once and remembered."""

    rng: Any
    size: int
    averager: Averager | None = None
    drawn: dict[int, Any] = field(default_factory=dict)

    def draw(self, source: Quantity, sampler: Sampler) -> Any:
        """The draw of a source. Raises NotPerTrial unless it was drawn from `rng` and has one entry for each trial."""
        if id(source) not in self.drawn:
            counted = hasattr(self.rng, "asked")
            if counted:
                self.rng.trials, before = self.size, self.rng.asked
            drawn = sampler(self.rng, self.size)
            if counted and self.rng.asked == before:
                raise NotPerTrial(f"{place(sampler)} draws nothing from `rng`: use that generator alone, or write a constant as a number.")
            self.drawn[id(source)] = per_trial(drawn, self.size, sampler)
        return self.drawn[id(source)]


def per_trial(x: Any, size: int, function: Callable[..., Any]) -> Any:
    """A value with one entry for each trial. Raises NotPerTrial."""
    if np.shape(x)[:1] != (size,):
        shape = np.shape(x)
        raise NotPerTrial(f"{place(function)} gives the shape {shape} for {size} trials: keep one entry for each along the first axis.")
    return x


def place(function: Callable[..., Any]) -> str:
    """Where a sampler or a map is written."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__name__", "the function").replace("<lambda>", "the function")
    return name if code is None else f"{name} at {Path(code.co_filename).name}, line {code.co_firstlineno},"


class Quantity(NDArrayOperatorsMixin):
    """A random quantity; arithmetic, comparisons and NumPy functions act inside every trial.

    Without an axis `np.sum(q)` sums what one trial holds; axes that are given count from the end, or from 1.
    """

    __array_priority__ = 2000

    def __init__(self, compute: Callable[[World], Any], low: Any = None, high: Any = None, random: bool = True):
        self.compute, self.low, self.high, self.random = compute, low, high, random
        self.law: Any = None

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        relation = _RELATIONS.get(ufunc.__name__)
        if relation:
            return Event(relation, tuple(as_quantity(x) for x in inputs))
        act = (lambda values: matmul(*values)) if ufunc is np.matmul else (lambda values: ufunc(*aligned(values)))
        low, high = range_of(ufunc.__name__, [_range(x) for x in inputs], inputs)
        return Quantity(lambda world: act([flagged(x, world) for x in inputs]), low, high)

    def __array_function__(self, function: Any, _types: Any, args: Any, kwargs: Any) -> Quantity:
        low, high = range_of(function.__name__, [_range(x) for x in args], args)
        return Quantity(lambda world: call(function, [flagged(x, world) for x in args], kwargs), low, high)

    def map(self, function: Callable[[Any], Any]) -> Quantity:
        """`function` of the array of all trials (trials along axis 0)."""
        return Quantity(lambda world: per_trial(function(evaluate(self, world)), world.size, function), random=self.random)

    def __getitem__(self, key: Any) -> Quantity:
        """Entries inside each trial."""
        key = key if isinstance(key, tuple) else (key,)
        inside = Quantity(lambda world: evaluate(self, world)[(slice(None), *key)])
        inside.low, inside.high = (end if np.ndim(end) == 0 else None for end in (self.low, self.high))
        return inside

    @property
    def mT(self) -> Quantity:
        """Each trial's matrix transposed."""
        return self.map(lambda x: np.swapaxes(x, -1, -2))

    def sum(self, axis: Any = None) -> Any:
        return np.sum(self, axis=axis)  # type: ignore[call-overload]

    def mean(self, axis: Any = None) -> Any:
        return np.mean(self, axis=axis)  # type: ignore[call-overload]

    def max(self, axis: Any = None) -> Any:
        return np.max(self, axis=axis)  # type: ignore[call-overload]

    def min(self, axis: Any = None) -> Any:
        return np.min(self, axis=axis)  # type: ignore[call-overload]

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


_RELATIONS = {"less_equal": "le", "less": "lt", "greater_equal": "ge", "greater": "gt", "equal": "eq", "not_equal": "ne"}


@dataclass(frozen=True, eq=False)
class Event:
    """A comparison of quantities, or `&`, `|`, `~` of events."""

    relation: str
    operands: tuple[Any, ...]

    def __and__(self, other: Event) -> Event:
        return Event("and", (self, other))

    def __or__(self, other: Event) -> Event:
        return Event("or", (self, other))

    def __invert__(self) -> Event:
        return Event("not", (self,))

    def __bool__(self) -> bool:
        raise TypeError("An event has no truth value before it is drawn; write P(event) >= 1 - delta, or use & and |.")


def quantity(sampler: Sampler, low: Any = None, high: Any = None) -> Quantity:
    """A random quantity from its sampler.

    `sampler(rng, size)` returns an array whose first axis has `size` independent trials, drawn from the numpy
    Generator `rng` alone. If it draws only from finite laws (binomial, integers, choice, multinomial,
    hypergeometric, `rng.random(size) < p`), the law is enumerated and probabilities are exact. `low` and `high` are
    bounds that hold by the hypotheses; means of unbounded quantities are judged only through them.
    """
    source: Quantity = Quantity(lambda world: world.draw(source, sampler), low, high)
    return source


def _range(x: Any) -> Range:
    if isinstance(x, Quantity):
        return x.low, x.high
    return (x, x) if isinstance(x, (int, float, np.number, Traced)) else UNKNOWN


def as_quantity(x: Any) -> Quantity:
    if isinstance(x, Mean):
        return Quantity(lambda world: averaged(x, world.averager or _no_average), random=False)
    return x if isinstance(x, Quantity) else Quantity(lambda _world: x, x, x, random=False)


def _no_average(_: Quantity) -> Any:
    raise NotFinite("An expectation inside an event needs quantities of finite law.")


def evaluate(x: Any, world: World) -> Any:
    """The value of an expression on all trials of a world."""
    if isinstance(x, Quantity):
        return x.compute(world)
    if isinstance(x, (list, tuple)):
        return type(x)(evaluate(y, world) for y in x)
    return x


def flagged(x: Any, world: World) -> tuple[Any, bool]:
    """The value of an expression, and whether its first axis is that of the trials."""
    random = isinstance(x, Quantity) and x.random
    return evaluate(x, world), random


_METHODS = {
    "le": ("__le__", "__ge__"), "lt": ("__lt__", "__gt__"), "ge": ("__ge__", "__le__"), "gt": ("__gt__", "__lt__"),
    "eq": ("__eq__", "__eq__"), "ne": ("__ne__", "__ne__"),
}  # fmt: skip
"""Methods that compare, and their mirror images."""


class Mean(NDArrayOperatorsMixin):
    """An expectation, or an expression in expectations; comparing it gives a statement.

    `compute` asks an averager for the mean of each quantity under that quantity's own law.
    """

    __array_priority__ = 3000

    def __init__(self, compute: Callable[[Averager], Any], of: Quantity | None = None):
        self.compute, self.of = compute, of

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        if ufunc.__name__ in _RELATIONS:
            left, right = inputs
            own, mirrored = _METHODS[_RELATIONS[ufunc.__name__]]
            return getattr(left, own)(right) if isinstance(left, Mean) else getattr(right, mirrored)(left)
        return Mean(lambda averager: ufunc(*(averaged(x, averager) for x in inputs)))

    def __array_function__(self, function: Any, _types: Any, args: Any, kwargs: Any) -> Mean:
        return Mean(lambda averager: function(*(averaged(a, averager) for a in args), **kwargs))

    def __getitem__(self, key: Any) -> Mean:
        return Mean(lambda averager: averaged(self, averager)[key])

    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


def mean(q: Any) -> Mean:
    """The average of a quantity under its law."""
    q = as_quantity(q)
    return Mean(lambda averager: averager(q), q)


def averaged(x: Any, averager: Averager) -> Any:
    """The value of an expression in expectations."""
    if isinstance(x, Mean):
        return x.compute(averager)
    if isinstance(x, (list, tuple)):
        return type(x)(averaged(y, averager) for y in x)
    return x
