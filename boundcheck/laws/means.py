"""Expectations, and expressions in them, which an averager turns into numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.laws import NotFinite
from boundcheck.laws.quantities import Averager, Event, Quantity, as_now, as_quantity
from boundcheck.laws.undecided import RELATIONS, Undecided
from boundcheck.tape import Traced, value_of

_METHODS = {
    "le": ("__le__", "__ge__"), "lt": ("__lt__", "__gt__"), "ge": ("__ge__", "__le__"), "gt": ("__gt__", "__lt__"),
    "eq": ("__eq__", "__eq__"), "ne": ("__ne__", "__ne__"),
}  # fmt: skip
"""Methods that compare, and their mirror images."""


class Mean(Undecided, NDArrayOperatorsMixin):
    """An expectation, or an expression in expectations; comparing it gives a statement.

    `compute` asks an averager for the mean of each quantity under that quantity's own law.
    """

    __array_priority__ = 3000
    truth = "An expectation has no truth value; compare it in the statement that you return, or in assume(...)."
    entries = "An expectation is not run through; index it, E(q)[0], or use np.sum, np.max and the like."
    number = "An expectation is no number before the statement is judged; use it as it is, with numpy or boundcheck functions."

    def __init__(self, compute: Callable[[Averager], Any], of: Quantity | None = None):
        self.compute, self.of = compute, of

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs or any(isinstance(x, (Quantity, Event)) for x in inputs):
            return NotImplemented
        if ufunc.__name__ in RELATIONS:
            left, right = inputs
            own, mirrored = _METHODS[RELATIONS[ufunc.__name__]]
            return getattr(left, own)(right) if isinstance(left, Mean) else getattr(right, mirrored)(left)
        inputs = tuple(as_now(x) for x in inputs)
        return Mean(lambda averager: ufunc(*(averaged(x, averager) for x in inputs)))

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Mean:
        if any(issubclass(t, (Quantity, Event)) for t in types):
            return NotImplemented
        args = tuple(as_now(x) for x in args)
        return Mean(lambda averager: function(*(averaged(a, averager) for a in args), **kwargs))

    def as_quantity(self) -> Quantity:
        """The same number in all trials."""
        return Quantity(lambda world: averaged(self, world.averager or _no_average), random=False)

    def __getitem__(self, key: object) -> Mean:
        return Mean(lambda averager: averaged(self, averager)[key])

    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


def _no_average(_: Quantity) -> object:
    raise NotFinite("An expectation inside an event or a quantity needs quantities of finite law.")


def mean(q: object) -> Mean:
    """The average of a quantity under its law; numbers and expectations are their own."""
    if isinstance(q, Mean):
        return q
    if isinstance(q, (int, float, np.number, np.ndarray, Traced)) and np.asarray(value_of(q)).dtype != object:
        return Mean(lambda _: q)
    q = as_quantity(q)
    return Mean(lambda averager: averager(q), q)


def averaged(x: object, averager: Averager) -> Any:
    """The value of an expression in expectations."""
    if isinstance(x, Mean):
        return x.compute(averager)
    if isinstance(x, (list, tuple)):
        return type(x)(averaged(y, averager) for y in x)
    if isinstance(x, np.ndarray) and x.dtype == object:
        return np.array([averaged(y, averager) for y in x.ravel()], dtype=object).reshape(x.shape)
    return x
