"""Random quantities, events and expectations: expressions over draws that a world of trials evaluates."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import CO_VARARGS
from numbers import Number
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.laws import NotFinite
from boundcheck.operations.ranges import UNKNOWN, Range, range_of
from boundcheck.operations.trials import Trials, aligned, call, parted
from boundcheck.tape import Traced, Truth, value_of
from boundcheck.tape.library import joined
from boundcheck.tape.table import FUNCTIONS_TOO
from boundcheck.tape.traced import lift, method
from boundcheck.tape.truth import NEGATED, OUTCOMES, masked

# what is undecided until it is judged, and what its comparisons are called and mean


class Symbolic:
    """It has no truth value, no length and no number, and is not run through.

    Python asks for a truth value in `if`, `and`, `max`, `sorted`, a <= b <= c, and for entries in `sum`, `for`.

    All of these end in a sentence of the class on what to write: `truth` where a truth value, `entries`
    where entries, and `number` where a number is asked for.
    """

    truth: str
    entries: str
    number: str

    def __bool__(self) -> NoReturn:
        raise TypeError(self.truth)

    def __iter__(self) -> NoReturn:
        raise TypeError(self.entries)

    def __len__(self) -> NoReturn:
        raise TypeError(self.entries)

    def __contains__(self, _: object) -> NoReturn:
        raise TypeError(self.entries)

    def __float__(self) -> NoReturn:
        raise TypeError(self.number)

    def __int__(self) -> NoReturn:
        raise TypeError(self.number)

    def __index__(self) -> NoReturn:
        raise TypeError(self.number)

    def __complex__(self) -> NoReturn:
        raise TypeError(self.number)


RELATIONS = {ufunc.__name__: name for name, ufunc in OUTCOMES.items()}
"""NumPy's names of comparisons, and ours."""

COMPARE = {name: getattr(operator, name) for name in NEGATED}


class NoOrder(ValueError):
    """An order of complex numbers: a mistake in the claim."""


def comparable(relation: str, sides: list[Any]) -> list[Any]:
    """Both sides as real numbers: complex ones are equal in both parts, and have no order (NoOrder)."""
    if not any(is_complex(x) for x in sides):
        return sides
    if relation != "eq":
        raise NoOrder(
            "complex numbers have no order: compare np.abs(z), np.real(z) or np.imag(z); for != write ~(z == w)."
        )
    return [real_pairs(x) for x in np.broadcast_arrays(*sides)]


def is_complex(x: object) -> bool:
    """Whether the entries are complex numbers by their type."""
    return np.asarray(value_of(x)).dtype.kind == "c"


def real_pairs(z: Any) -> np.ndarray:
    """Real and imaginary parts along a new last axis."""
    return np.stack([np.real(z), np.imag(z)], axis=-1)


# quantities and events


MOST_KEPT = 2**20
"""Numbers that a value which is used again may have."""

Sampler = Callable[[Any, int], Any]
Averager = Callable[["Quantity"], Any]


class NotPerTrial(TypeError):
    """A quantity without one entry for each trial, or that mixes them: a mistake; the message says which."""


@dataclass
class World:
    """Trials along the first axis: each source is drawn once and remembered, and what is used several times."""

    rng: Any
    size: int
    averager: Averager | None = None
    drawn: dict[int, Any] = field(default_factory=dict)
    computed: dict[int, Any] = field(default_factory=dict)

    def value(self, x: Quantity) -> Any:
        """What a quantity is in all trials, computed once unless it is too long to be kept."""
        if id(x) in self.computed:
            return self.computed[id(x)]
        value = x.compute(self)
        if np.size(value) <= MOST_KEPT:
            self.computed[id(x)] = value
        return value

    def draw(self, source: Quantity, sampler: Sampler) -> Any:
        """The draw of a source. Raises NotPerTrial unless `rng` drew it, with one entry for each trial."""
        if id(source) not in self.drawn:
            counted = hasattr(self.rng, "asked")
            if counted:
                self.rng.trials, before = self.size, self.rng.asked
            drawn = sampler(self.rng, self.size)
            if counted and self.rng.asked == before:
                raise NotPerTrial(
                    f"{_place(sampler)} draws nothing from `rng`: use that generator alone, or write a constant as a number."
                )
            self.drawn[id(source)] = _own(per_trial(drawn, self.size, sampler))
        return self.drawn[id(source)]


def per_trial(x: Any, size: int, function: Callable[..., Any]) -> Any:
    """A value with one entry for each trial. Raises NotPerTrial."""
    x = x.plain() if isinstance(x, Truth) else joined(getattr(x, "drawn", x))
    if isinstance(x, (list, tuple)):
        with suppress(ValueError):  # rows of several lengths
            x = np.asarray(x)
    if isinstance(x, STRANGE) or (
        isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "OSUVmM"
    ):
        raise NotPerTrial(
            f"{_place(function)} gives {_called(x)}: return one array of numbers, an entry a trial."
        )
    if np.shape(x)[:1] != (size,):
        shape = np.shape(x)
        raise NotPerTrial(
            f"{_place(function)} gives the shape {shape} for {size} trials: keep one entry for each along the first axis."
        )
    return x


STRANGE = (
    str,
    bytes,
    dict,
    set,
    frozenset,
    list,
    tuple,
    range,
    Iterator,
    FunctionType,
    type(None),
)
"""What a sampler or a map may give by mistake."""


def _called(x: Any) -> str:
    return (
        f"an array of the type {x.dtype}"
        if hasattr(x, "dtype")
        else f"a {type(x).__name__}"
    )


def _own(x: object) -> Any:
    """A copy: what a sampler or a map does to its arrays later on, the same buffer too, changes no draw."""
    return x.copy() if isinstance(x, (np.ndarray, Traced)) else joined(x)


def _place(function: Callable[..., Any]) -> str:
    """Where a sampler or a map is written."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__name__", "the function").replace(
        "<lambda>", "the function"
    )
    return (
        name
        if code is None
        else f"{name} at {Path(code.co_filename).name}, line {code.co_firstlineno},"
    )


CHANGING = (
    np.fill_diagonal,
    np.put,
    np.put_along_axis,
    np.place,
    np.putmask,
    np.copyto,
)


def _require_pure(function: object) -> None:
    """Refuse what changes an array: numbers that nobody has drawn yet would stay as they are."""
    if function in CHANGING:
        raise TypeError(
            "A random quantity is not changed in its place; make another by q.map or np.where."
        )


class Quantity(Symbolic, NDArrayOperatorsMixin):
    """A random quantity; arithmetic, comparisons and NumPy functions act inside every trial.

    Without an axis `np.sum(q)` sums what one trial holds; axes that are given count from the end, or from 1.
    """

    __array_priority__ = 2000
    truth = "A random quantity has no truth value before it is drawn; compare it inside P(...), or write np.where(q > 0, x, y)."
    entries = "A random quantity is not run through; index it, q[0], or use np.sum, np.max, np.sort and the like, which act in each trial."
    number = (
        "A random quantity is no number before it is drawn; use it as it is, or its expectation E(q),"
        " and for a table at a random place q.map(lambda k: table[k])."
    )

    def __init__(
        self,
        compute: Callable[[World], Any],
        low: Any = None,
        high: Any = None,
        random: bool = True,
        variance: Any = None,
    ):
        self.compute, self.random, self.variance = compute, random, variance
        self.low, self.high = (
            _known(end) if random else end for end in (low, high)
        )
        self.law: Any = None
        self.uses = 0

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        if ufunc.__name__ in _JOINS and any(
            isinstance(x, Event) for x in inputs
        ):
            return _JOINS[ufunc.__name__](*inputs)
        inputs = tuple(_kept(x) for x in inputs)
        relation = RELATIONS.get(ufunc.__name__)
        if relation:
            return Event(relation, tuple(as_quantity(x) for x in inputs))
        low, high = range_of(ufunc, [_range(x) for x in inputs], inputs)
        variance = _variance(ufunc, inputs)
        return Quantity(
            lambda world: held(ufunc(*(_inside(x, world) for x in inputs))),
            low,
            high,
            variance=variance,
        )

    def __array_function__(
        self,
        function: Callable[..., Any],
        _types: object,
        args: Any,
        kwargs: Any,
    ) -> Any:
        _require_pure(function)
        args, named = (
            tuple(_kept(x) for x in args),
            {name: _kept(x) for name, x in kwargs.items()},
        )
        low, high = range_of(function, [_range(x) for x in args], args)

        def compute(world: World, part: int | None) -> Any:
            result = call(
                function,
                [_inside(x, world) for x in args],
                {name: _inside(x, world) for name, x in named.items()},
            )
            result = held(result)
            result = result if part is None else result[part]
            return masked(result) if function in (np.any, np.all) else result

        plain = (
            function is np.mean
            and isinstance(args[0], Quantity)
            and kwargs.keys() <= {"axis", "keepdims"}
        )
        variance = args[0].variance if plain else None  # Jensen

        def result(part: int | None) -> Quantity:
            return Quantity(
                lambda world: compute(world, part), low, high, variance=variance
            )

        return parted(function, args, named, result)

    def map(self, function: Callable[[Any], Any]) -> Quantity:
        """`function` of the array of all trials (trials along axis 0)."""
        return Quantity(
            lambda world: _own(
                per_trial(
                    function(_own(evaluate(self, world))), world.size, function
                )
            ),
            random=self.random,
        )

    def __getitem__(self, key: Any) -> Quantity:
        """Entries inside each trial."""
        if isinstance(key, (Quantity, Event)):
            raise TypeError(
                "A random choice of entries differs in size from trial to trial; write q * (q > 0), or np.where(q > 0, q, 0)."
            )
        key = _kept(key if isinstance(key, tuple) else (key,))
        inside = Quantity(
            lambda world: evaluate(self, world)[(slice(None), *key)],
            variance=self.variance,
        )
        inside.low, inside.high = (
            end if np.ndim(end) == 0 else None for end in (self.low, self.high)
        )
        return inside

    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))
    real = property(lambda self: self.map(np.real))
    imag = property(lambda self: self.map(np.imag))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The methods that are functions, `q.sum()`, are set below."""


for _name in set(FUNCTIONS_TOO) - {"all", "any", "nonzero"}:
    setattr(Quantity, _name, method(_name))


@dataclass(frozen=True, eq=False)
class Event(Symbolic, NDArrayOperatorsMixin):
    """A comparison of quantities, which holds if it does for every entry, or `&`, `|`, `~` of events.

    In arithmetic a comparison is 0 or 1 for each entry: `np.sum(q > 1)` counts entries, `q * (q > 0)` is the positive part.
    """

    relation: str
    operands: tuple[Any, ...]

    __array_priority__ = 2000
    truth = "An event has no truth value before it is drawn; write P(event) >= 1 - delta, or use & and |, and np.where for a branch."
    entries = "An event is not run through; np.any, np.all and np.sum act on the entries of each trial."
    number = "An event is no number before it is drawn; write indicator(event), P(event), or event.astype(float)."

    def __and__(self, other: Event) -> Event:
        return Event("and", (self, _event(other)))

    def __or__(self, other: Event) -> Event:
        return Event("or", (self, _event(other)))

    def __xor__(self, other: Event) -> Event:
        return (self | other) & ~(self & other)

    def __invert__(self) -> Event:
        return Event("not", (self,))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        return (
            _JOINS[ufunc.__name__](*inputs)
            if ufunc.__name__ in _JOINS
            else ufunc(*(_operand(x) for x in inputs))
        )

    def __array_function__(
        self,
        function: Callable[..., Any],
        _types: object,
        args: Any,
        kwargs: Any,
    ) -> Any:
        if function in (np.any, np.all):
            return (self.any if function is np.any else self.all)(
                *args[1:], **kwargs
            )
        return function(*map(_kept, args), **kwargs)

    def any(self, axis: object = None) -> Event:
        """The event that some entry satisfies the comparison, along `axis` or in the whole trial."""
        if axis is None and self.relation in NEGATED and self.relation != "eq":
            return ~Event(NEGATED[self.relation], self.operands)
        return np.max(_operand(self), axis=axis) >= 1  # type: ignore[return-value]

    def all(self, axis: object = None) -> Event:
        """The event that every entry does."""
        return self if axis is None else np.min(_operand(self), axis=axis) >= 1  # type: ignore[return-value]

    def sum(self, axis: object = None) -> Any:
        return _operand(self).sum(axis)

    def mean(self, axis: object = None) -> Any:
        return _operand(self).mean(axis)

    def astype(self, _: object = float) -> Quantity:
        """0 or 1 for each entry."""
        return self.as_quantity()

    def as_quantity(self) -> Quantity:
        return Quantity(lambda world: _entries(self, world), 0.0, 1.0)


_JOINS: dict[str, Callable[..., Event]] = {
    "bitwise_and": lambda x, y: _event(x) & y,
    "logical_and": lambda x, y: _event(x) & y,
    "bitwise_or": lambda x, y: _event(x) | y,
    "logical_or": lambda x, y: _event(x) | y,
    "bitwise_xor": lambda x, y: _event(x) ^ _event(y),
    "logical_xor": lambda x, y: _event(x) ^ _event(y),
    "invert": lambda x: ~x,
    "logical_not": lambda x: ~x,
}


def _event(x: object) -> Event:
    if not isinstance(x, Event):
        raise TypeError(
            "& and | join events; put each comparison in brackets: (q >= 0) & (q <= 1)."
        )
    return x


def indicator(event: object) -> Quantity:
    """1 in the trials where the event happens, else 0: E(indicator(event)) is P(event). Raises TypeError without an event."""
    if not isinstance(event, Event):
        raise TypeError(
            "indicator takes an event: a comparison with a random quantity, as in indicator(q <= eps),"
            " or indicator(q == 1) of truth values."
        )
    return Quantity(lambda world: _happens(event, world), 0.0, 1.0)


def _happens(event: Event, world: World) -> Any:
    """0 or 1 for each trial, as NumPy compares floats; traced numbers give traced coins."""
    if event.relation in NEGATED:
        entries = _entries(event, world)
        return (
            np.min(entries, axis=tuple(range(1, np.ndim(entries))))
            if np.ndim(entries) > 1
            else entries
        )
    first, *rest = (_happens(e, world) for e in event.operands)
    if event.relation == "not":
        return 1 - first
    return (
        first * rest[0]
        if event.relation == "and"
        else first + rest[0] - first * rest[0]
    )


def _entries(event: Event, world: World) -> Any:
    """0 or 1 for each entry of a comparison. Raises ValueError for joined events of several entries."""
    if event.relation in NEGATED:
        left, right = comparable(
            event.relation, aligned([flagged(x, world) for x in event.operands])
        )
        outcome = COMPARE[event.relation](left, right)
        return (
            outcome.coin()
            if isinstance(outcome, Truth)
            else np.asarray(outcome, dtype=float)
        )
    if any(np.ndim(_entries(e, world)) > 1 for e in event.operands):
        raise ValueError(
            "&, | and ~ join whole trials and not their entries; write indicator(event), or multiply the 0-1 entries."
        )
    return _happens(event, world)


def quantity(
    sampler: Sampler,
    low: object = None,
    high: object = None,
    variance: object = None,
) -> Quantity:
    """A random quantity from its sampler.

    `sampler(rng, size)` returns an array whose first axis has `size` independent trials, drawn from the numpy
    Generator `rng` alone. If it draws only from finite laws (binomial, integers, choice, multinomial,
    hypergeometric, `rng.random(size) < p`), the law is enumerated and probabilities are exact. `low` and `high` are
    bounds that hold by the hypotheses, `variance` is a number that the variance of each entry does not exceed, which the claim
    then says as well; sampled means are judged only through them.
    """
    if not callable(sampler):
        raise TypeError(
            "quantity takes a function that draws: lambda rng, size: rng.normal(size=size)."
        )
    code: Any = getattr(sampler, "__code__", None)
    if (
        code is not None
        and not hasattr(sampler, "__self__")
        and not code.co_flags & CO_VARARGS
    ):
        least = code.co_argcount - len(
            getattr(sampler, "__defaults__", None) or ()
        )
        if not least <= 2 <= code.co_argcount:
            raise TypeError(
                f"A sampler is a function of rng, size; {_place(sampler)} takes {code.co_argcount}."
            )
    for end in (low, high):
        if not (
            end is None
            or isinstance(end, Number)
            or np.asarray(value_of(end)).dtype.kind in "biuf"
        ):
            raise TypeError(
                f"The ends of a range are numbers or arrays, not a {type(end).__name__}."
            )
    bottom, top = (
        end if x is None else value_of(x)
        for x, end in ((low, -np.inf), (high, np.inf))
    )
    if not np.all((bottom <= top) & (bottom < np.inf) & (top > -np.inf)):
        raise ValueError(
            f"quantity(..., low={value_of(low)}, high={value_of(high)}) has no values; the lower end comes first."
        )
    if variance is not None and not _is_variance(value_of(variance)):
        raise ValueError(
            f"quantity(..., variance={value_of(variance)!r}): give one number that is not negative."
        )
    source: Quantity = Quantity(
        lambda world: world.draw(source, sampler), low, high, variance=variance
    )
    return source


def _is_variance(x: Any) -> bool:
    return (
        np.ndim(x) == 0
        and np.asarray(x).dtype.kind in "biuf"
        and bool(0 <= x < np.inf)
    )


def _variance(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Any:
    """What the variance of an affine function of one quantity is at most, if it is known."""
    x, c = inputs[0], inputs[-1]
    known = [q for q in inputs if isinstance(q, Quantity) and q.random]
    if len(known) != 1 or known[0].variance is None:
        return None
    if ufunc in (np.negative, np.add, np.subtract):
        return known[0].variance
    factor = c if known[0] is x else x
    if (
        isinstance(factor, Quantity)
        or np.ndim(factor)
        or np.iscomplexobj(value_of(factor))
    ):
        return None
    if ufunc is np.multiply:
        return known[0].variance * (factor * factor)
    return (
        known[0].variance / (factor * factor)
        if ufunc is np.divide and c is factor and value_of(c) != 0
        else None
    )


def _known(end: object) -> Any:
    """An end of a range, or None where it says nothing: an infinite one, or what is left of two."""
    if end is None or not np.all(np.isfinite(value_of(end))):
        return None
    # a whole number is exact on a tape, what NumPy makes of it, exp(-1), is not
    return (
        lift(end) if isinstance(end, (int, float)) and end == int(end) else end
    )


def _range(x: object) -> Range:
    if isinstance(x, Quantity):
        return x.low, x.high
    return (
        (x, x)
        if isinstance(x, (int, float, np.integer, np.floating, Traced))
        else UNKNOWN
    )


def _operand(x: Any) -> Any:
    """What arithmetic with quantities acts on: events count as 0 or 1, means as constants of all trials."""
    return x if not hasattr(x, "as_quantity") else x.as_quantity()


def as_now(x: Any) -> Any:
    """The same with its arrays as they are now: what is stated is computed after the body changes them."""
    if type(x) in (list, tuple):
        return type(x)(as_now(y) for y in x)
    return x.copy() if isinstance(x, (np.ndarray, Traced)) else x


def _kept(x: Any) -> Any:
    """What arithmetic with quantities acts on, as it is now."""
    if type(x) in (list, tuple):
        return type(x)(map(_kept, x))
    x = _operand(as_now(x))
    if isinstance(x, Quantity):
        x.uses += 1
    return x


def as_quantity(x: object) -> Quantity:
    x = _kept(x)
    return (
        x
        if isinstance(x, Quantity)
        else Quantity(lambda _world: x, x, x, random=False)
    )


def evaluate(x: object, world: World) -> Any:
    """The value of an expression on all trials of a world."""
    x = _operand(x)
    if isinstance(x, Quantity):
        return world.value(x) if x.uses > 1 else x.compute(world)
    if isinstance(x, (list, tuple)):
        return type(x)(evaluate(y, world) for y in x)
    return x


def flagged(x: object, world: World) -> tuple[Any, bool]:
    """The value of an expression, and whether its first axis is that of the trials."""
    random = isinstance(x, Quantity) and x.random
    return evaluate(x, world), random


def _inside(x: object, world: World) -> Any:
    """The value of an expression as NumPy functions inside each trial take it."""
    if isinstance(x, (list, tuple)):
        return type(x)(_inside(y, world) for y in x)
    value, random = flagged(x, world)
    if random and hasattr(value, "inside"):  # without entries
        return value.inside
    return Trials(value) if random and np.ndim(value) else value


def held(x: object) -> Any:
    """The array of all trials; what none of them has a part in is what it is."""
    return getattr(x, "held", x)


# expectations, and expressions in them, which an averager turns into numbers


_METHODS = {
    "le": ("__le__", "__ge__"),
    "lt": ("__lt__", "__gt__"),
    "ge": ("__ge__", "__le__"),
    "gt": ("__gt__", "__lt__"),
    "eq": ("__eq__", "__eq__"),
    "ne": ("__ne__", "__ne__"),
}
"""Methods that compare, and their mirror images."""


def weighed_against(relation: str, left: Any, right: Any, by: type) -> Any:
    """What the side that is of this class says of the other."""
    own, mirrored = _METHODS[relation]
    if isinstance(left, by):
        return getattr(left, own)(right)
    return getattr(right, mirrored)(left)


class Mean(Symbolic, NDArrayOperatorsMixin):
    """An expectation, or an expression in expectations; comparing it gives a statement.

    `compute` asks an averager for the mean of each quantity under that quantity's own law.
    """

    __array_priority__ = 3000
    truth = "An expectation has no truth value; compare it in the statement that you return, or in assume(...)."
    entries = "An expectation is not run through; index it, E(q)[0], or use np.sum, np.max and the like."
    number = "An expectation is no number before the statement is judged; use it as it is, with numpy or boundcheck functions."

    def __init__(
        self, compute: Callable[[Averager], Any], of: Quantity | None = None
    ):
        self.compute, self.of = compute, of

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if (
            method != "__call__"
            or kwargs
            or any(isinstance(x, (Quantity, Event)) for x in inputs)
        ):
            return NotImplemented
        if ufunc.__name__ in RELATIONS:
            return weighed_against(RELATIONS[ufunc.__name__], *inputs, by=Mean)
        inputs = tuple(as_now(expectation(x)) for x in inputs)
        return Mean(
            lambda averager: ufunc(*(averaged(x, averager) for x in inputs)),
            _of_linear(ufunc, inputs),
        )

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Mean:
        if any(issubclass(t, (Quantity, Event)) for t in types):
            return NotImplemented
        _require_pure(function)
        args = tuple(as_now(x) for x in args)
        return Mean(
            lambda averager: function(
                *(averaged(a, averager) for a in args), **kwargs
            )
        )

    def as_quantity(self) -> Quantity:
        """The same number in all trials."""
        return Quantity(
            lambda world: averaged(self, world.averager or _no_average),
            random=False,
        )

    def __getitem__(self, key: object) -> Mean:
        return Mean(lambda averager: averaged(self, averager)[key])

    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


def expectation(x: Any) -> Any:
    """A probability as the mean that it is; anything else as it is."""
    return x.as_mean() if hasattr(x, "as_mean") else x


LINEAR = {
    "add": (2, True),
    "subtract": (2, True),
    "negative": (1, True),
    "multiply": (2, False),
    "divide": (2, False),
}
"""Functions that may be linear: how many operands, and whether in all of them together."""


def _of_linear(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Quantity | None:
    """The quantity whose mean this is, where it is linear in the means of some: a E(x) + b E(y) is E(a x + b y).

    The trials are drawn together, and the mean of a sum asks for no independence.
    """
    count, together = LINEAR.get(ufunc.__name__, (0, False))
    means = [isinstance(x, Mean) for x in inputs]
    if len(inputs) != count or any(
        m and x.of is None for m, x in zip(means, inputs)
    ):
        return None
    linear = together or (sum(means) == 1 and means[0] >= (ufunc is np.divide))
    if not linear or any(
        np.ndim(value_of(x)) for x, m in zip(inputs, means) if not m
    ):
        return None
    return ufunc(*(x.of if m else x for x, m in zip(inputs, means)))


def _no_average(_: Quantity) -> object:
    raise NotFinite(
        "An expectation inside an event or a quantity needs quantities of finite law."
    )


def mean(q: object) -> Mean:
    """The average of a quantity under its law; numbers and expectations are their own."""
    if isinstance(q, Mean):
        return q
    if (
        isinstance(q, (int, float, np.number, np.ndarray, Traced))
        and np.asarray(value_of(q)).dtype != object
    ):
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
        return np.array(
            [averaged(y, averager) for y in x.ravel()], dtype=object
        ).reshape(x.shape)
    return x
