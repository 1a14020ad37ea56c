"""Arrays inside each trial: the trials are the first axis of what is held, and never mix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from boundcheck.tape import NotTraceable, Traced, Truth, is_traced, value_of
from boundcheck.tape import traced as tape
from boundcheck.tape.program import SPELLED

ENTRYWISE = frozenset(
    (
        np.where,
        np.clip,
        np.real,
        np.imag,
        np.round,
        np.nan_to_num,
        np.copy,
        np.ones_like,
        np.zeros_like,
        np.empty_like,
        np.full_like,
    )
)
"""Functions of entries: of all trials at once, as NumPy broadcasts."""

JUMPS = (
    np.round,
    np.argmax,
    np.argmin,
    np.nonzero,
    np.flatnonzero,
    np.unique,
    np.searchsorted,
    np.linalg.matrix_rank,
)
"""Functions that exact numbers may send elsewhere than floats."""

PLACES = (np.argmax, np.argmin)
STACKED = frozenset(
    (
        np.linalg.pinv,
        np.linalg.matrix_rank,
        np.linalg.slogdet,
        np.linalg.qr,
        np.linalg.svd,
        np.linalg.eigh,
        np.linalg.matrix_power,
        *PLACES,
    )
)
"""Functions that NumPy applies to each matrix of a stack, or along an axis; spelled, they ask for more."""

CONJUGATES = frozenset(
    (
        np.var,
        np.std,
        np.vdot,
        np.linalg.norm,
    )
)
"""Functions that conjugate complex numbers, which their spelling does not."""

NUMBERS = frozenset((np.sum, np.prod, np.mean, np.max, np.min, np.median))
"""Functions that leave a number as it is."""

PARTS: dict[Any, Callable[..., Any]] = {
    np.linalg.eigh: lambda *args, **kwargs: np.linalg.eigh(
        np.eye(2), *args[1:], **kwargs
    ),
    np.linalg.eig: lambda *_: np.linalg.eig(np.eye(2)),
    np.linalg.slogdet: lambda *_: np.linalg.slogdet(np.eye(2)),
    np.linalg.qr: lambda *args, **kwargs: np.linalg.qr(
        np.eye(2), *args[1:], **kwargs
    ),
    np.linalg.svd: lambda *args, **kwargs: np.linalg.svd(
        np.eye(2), *args[1:], **kwargs
    ),
    np.broadcast_arrays: lambda *args, **_: np.broadcast_arrays(
        *(0.0 for _ in args)
    ),
    np.meshgrid: lambda *args, **_: np.meshgrid(*(0.0 for _ in args)),
    np.split: lambda _, cuts, *__, **___: (
        [0.0] * (cuts if np.ndim(cuts) == 0 else len(cuts) + 1)
    ),
    np.array_split: lambda _, cuts, *__, **___: (
        [0.0] * (cuts if np.ndim(cuts) == 0 else len(cuts) + 1)
    ),
}
"""Functions with several results: something that has as many of them, and their names."""

AXES = ("axis", "axis1", "axis2", "source", "destination")
MOST_ONE_BY_ONE = 4096
"""Trials that a function is applied to one after the other while a tape records."""

MIXED = "Axis 0 is that of the trials; leave the axis out, or count axes from the end."


class MixedTrials(TypeError):
    """An axis that would mix trials."""


class Trials(NDArrayOperatorsMixin):
    """An array of shape `shape` in each trial; `held` has the trials as its first axis, and may be traced."""

    __slots__ = ("held",)
    __array_priority__ = 1500

    def __init__(self, held: Any):
        self.held = held

    shape = property(lambda self: np.shape(self.held)[1:])
    ndim = property(lambda self: np.ndim(self.held) - 1)
    size = property(lambda self: int(np.prod(self.shape)))
    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))
    real = property(lambda self: np.real(self))
    imag = property(lambda self: np.imag(self))

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Trials]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: object) -> Trials:
        return rearranged([self], lambda x: x[key])

    def copy(self) -> Trials:
        return Trials(self.held)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        if ufunc is np.matmul:
            return _matmul(*inputs)
        if ufunc.signature is not None:
            return Trials(call(ufunc, inputs, {}))
        with np.errstate(all="ignore"):
            result = ufunc(*beside(inputs))
        return Trials(result.coin() if isinstance(result, Truth) else result)

    def __array_function__(
        self, function: Callable[..., Any], _: Any, args: Any, kwargs: Any
    ) -> Any:
        return _spelled(function, args, kwargs)


Entries = Traced | Trials | np.ndarray
"""What a spelling acts on: recorded numbers, arrays in each trial, or plain ones beside them."""


def _matmul(x: Any, y: Any) -> Trials:
    """x @ y inside each trial, vectors included."""
    row, column = np.ndim(x) == 1, np.ndim(y) == 1
    random = [isinstance(z, Trials) for z in (x, y)]
    x, y = (z.held if isinstance(z, Trials) else z for z in (x, y))
    x = np.expand_dims(x, -2) if row else x
    y = np.expand_dims(y, -1) if column else y
    x, y = aligned(list(zip((x, y), random, strict=True)), 2)
    product = x @ y
    product = product[..., 0] if column else product
    return Trials(
        (product[..., 0] if column else product[..., 0, :]) if row else product
    )


Evaluated = Sequence[tuple[Any, bool]]
"""Values, and whether the first axis of each is that of the trials."""


def aligned(values: Evaluated, own: int = 0) -> list[Any]:
    """The values with axes of length 1 behind the trials: all but the last `own` broadcast in each trial."""
    depths = [np.ndim(x) - random for x, random in values]
    depth = max(depths, default=0)
    return [
        _deepened(x, depth) if random and own <= d < depth else x
        for (x, random), d in zip(values, depths, strict=True)
    ]


def _deepened(x: Any, depth: int) -> Any:
    shape = np.shape(x)
    return np.reshape(
        x, (shape[0],) + (1,) * (depth + 1 - len(shape)) + tuple(shape[1:])
    )


def beside(operands: Sequence[Any], own: int | None = 0) -> list[Any]:
    """What the operands hold, aligned unless all of their axes are their own."""
    if own is None:
        return [x.held if isinstance(x, Trials) else x for x in operands]
    return aligned(
        [
            (x.held, True) if isinstance(x, Trials) else (x, False)
            for x in operands
        ],
        own,
    )


def several(x: object) -> Iterator[Trials]:
    """The arrays of trials inside of operands, in lists and tuples too."""
    if isinstance(x, Trials):
        yield x
    elif isinstance(x, (list, tuple)):
        for entry in x:
            yield from several(entry)


def tape_beside(*operands: Any) -> Any:
    """The tape that numbers among operands, or in lists, are recorded on; None where all are floats."""
    for x in operands:
        x = x.held if isinstance(x, Trials) else x
        found = (
            tape_beside(*x) if isinstance(x, (list, tuple)) else tape.tape_in(x)
        )
        if found is not None:
            return found
    return None


def exact(x: Any, on: Any) -> Any:
    """A number beside others: exact on their tape, where they have one."""
    return x if on is None or isinstance(x, Trials) else tape.constant(on, x)


def rearranged(operands: Sequence[Any], rearrange: Callable[..., Any]) -> Any:
    """Entries moved about, of numbers of any kind: the same in each trial."""
    if not any(isinstance(x, Trials) for x in operands):
        return (
            tape.gather(list(operands), rearrange)
            if any(map(is_traced, operands))
            else rearrange(*operands)
        )
    count = len(next(several(operands)).held)
    operands = [
        x if isinstance(x, (Trials, Traced)) else np.asarray(x)
        for x in operands
    ]
    starts = np.cumsum([1] + [_size(x) for x in operands])
    moved = np.asarray(
        rearrange(
            *(
                np.arange(k, k + _size(x)).reshape(np.shape(x))
                for k, x in zip(starts, operands, strict=False)
            )
        )
    )

    def inside(*held: np.ndarray) -> np.ndarray:
        """The exact zero stands first in each trial."""
        rows = [
            np.reshape(h, (count, -1))
            if isinstance(x, Trials)
            else np.broadcast_to(np.ravel(h), (count, np.size(h)))
            for x, h in zip(operands, held, strict=True)
        ]
        if len(rows) == 1 and np.all(moved):
            return rows[0][:, moved - 1]
        return np.concatenate(
            [np.zeros((count, 1), dtype=rows[0].dtype), *rows], axis=1
        )[:, moved]

    held = [x.held if isinstance(x, Trials) else x for x in operands]
    return Trials(
        tape.gather(held, inside)
        if any(map(is_traced, held))
        else inside(*held)
    )


def _size(x: Any) -> int:
    return int(np.prod(np.shape(x)))


def _spelled(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """A function of trials in the operations that it is spelled in. Raises NotTraceable."""
    if function in ENTRYWISE and not (function is np.where and len(args) != 3):
        return Trials(function(*beside(args), **kwargs))
    spelling = SPELLED.get(function)
    if spelling is None:
        raise NotTraceable(
            f"np.{function.__name__} with these arguments has no exact form; spell it with simpler functions."
        )
    return spelling(*args, **kwargs)


def call(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """`function` inside each trial, of all at once where that is the same, else one by one: what is held.

    Axes that are given count from the end, or from 1. Raises TypeError where they mix trials.
    """
    drawn = list(several([*args, *kwargs.values()]))
    if not drawn:
        return function(*args, **kwargs)
    if (
        function in NUMBERS
        and args
        and args[0] is drawn[0]
        and not drawn[0].ndim
    ):
        return drawn[0].held
    alone = len(args) == 1 and not kwargs
    args, kwargs = (args, kwargs) if alone else _counted(function, args, kwargs)
    try:
        with np.errstate(all="ignore"):
            result = _at_once(function, args, kwargs, drawn)
            held = _held(result, len(drawn[0].held))
            if alone or function in JUMPS:
                return held
            first = function(
                *_only(args, 0, value_of), **_only(kwargs, 0, value_of)
            )
            alike = _alike(tape.floats_of(held), first)
    except (NotTraceable, TypeError, ValueError, IndexError):
        alike = False
    return held if alike else _one_by_one(function, args, kwargs, drawn)


def _at_once(
    function: Callable[..., Any],
    args: Any,
    kwargs: dict[str, Any],
    drawn: Sequence[Trials],
) -> Any:
    """The function of all trials. Raises NotTraceable where they are taken one by one."""
    floats = not any(is_traced(x.held) for x in drawn)
    if floats and function is np.einsum:
        return _einsum(*args, **kwargs)
    if floats and function in STACKED:
        return _stacked(function, *args, **kwargs)
    if function in CONJUGATES and any(
        np.asarray(value_of(x.held)).dtype.kind == "c" for x in drawn
    ):
        raise NotTraceable("Complex numbers are conjugated.")
    return _spelled(function, args, kwargs)


def _counted(
    function: object, args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with axes counted inside a trial."""
    known, ndim = (
        tape.parameters_of(function),
        max(x.ndim for x in several([*args, *kwargs.values()])),
    )
    names = [] if known is None else list(known.parameters)[: len(args)]
    names += [""] * (len(args) - len(names))
    inside = tuple(
        _inner(x, ndim) if name in AXES else x
        for name, x in zip(names, args, strict=True)
    )
    return inside, {
        name: _inner(x, ndim) if name in AXES else x
        for name, x in kwargs.items()
    }


def _inner(axis: Any, ndim: int) -> Any:
    """An axis that counts from the end, or from 1, as NumPy counts the axes of a trial."""
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        return tuple(_inner(a, ndim) for a in axis)
    if axis == 0 or axis == -ndim - 1:
        raise MixedTrials(MIXED)
    return axis - 1 if axis > 0 else axis


def _stacked(
    function: Callable[..., Any], a: Trials, *args: Any, **kwargs: Any
) -> Any:
    """The function of what is held: its last axes, or the place of an extreme along one of them."""
    held = a.held
    if function in PLACES:
        axis = kwargs.get("axis", args[0] if args else None)
        held = np.reshape(held, (len(held), -1)) if axis is None else held
        args, kwargs = (
            (-1 if axis is None else axis - a.ndim * (axis >= 0),),
            {},
        )
    result = function(held, *args, **kwargs)
    return (
        tuple(map(Trials, result))
        if isinstance(result, tuple)
        else Trials(result)
    )


def _einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Trials:
    """Sums over products, the trials as an ellipsis: spelled, they hold the products of all indices."""
    left, arrow, out = subscripts.partition("->")
    terms = [
        "..." * isinstance(x, Trials) + t.strip()
        for t, x in zip(left.split(","), operands, strict=True)
    ]
    held = (x.held if isinstance(x, Trials) else x for x in operands)
    return Trials(
        np.einsum(
            ",".join(terms) + (f"->...{out.strip()}" if arrow else ""),
            *held,
            **kwargs,
        )
    )


def _held(result: Any, count: int) -> Any:
    """What a result holds; what is the same in all trials is repeated."""
    if issubclass(type(result), Trials):
        return result.held
    if issubclass(type(result), (tuple, list)) and not all(
        issubclass(type(x), int) for x in result
    ):
        return tuple(_held(x, count) for x in result)
    if not issubclass(
        type(result), (Traced, np.ndarray, np.generic, int, float, tuple)
    ):
        return result
    return np.broadcast_to(result, (count, *np.shape(result)))


def parted(
    function: object,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    part: Callable[[int | None], Any],
) -> Any:
    """The results of a function that has several, each from `part(k)`; of any other `part(None)`."""
    like = PARTS[function](*args, **kwargs) if function in PARTS else None
    if not isinstance(like, (tuple, list)):
        return part(None)
    parts = [part(k) for k in range(len(like))]
    return type(like)(*parts) if hasattr(like, "_fields") else type(like)(parts)


def _only(x: object, k: int, of: Callable[[Any], Any] = lambda x: x) -> Any:
    """The operands in one trial, or what is `of` them."""
    if isinstance(x, dict):
        return {name: _only(value, k, of) for name, value in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(_only(entry, k, of) for entry in x)
    return of(x.held)[k] if isinstance(x, Trials) else of(x)


def _alike(held: Any, alone: Any) -> bool:
    """Whether the first trial has what the function gives it alone."""
    if isinstance(held, tuple):
        return len(held) == len(alone) and all(map(_alike, held, alone))
    if np.shape(held)[1:] != np.shape(alone):
        return False
    with np.errstate(all="ignore"):
        return bool(
            np.allclose(held[0], alone, rtol=1e-6, atol=1e-9, equal_nan=True)
        )


def _one_by_one(
    function: Callable[..., Any],
    args: Any,
    kwargs: dict[str, Any],
    drawn: Sequence[Trials],
) -> Any:
    """The results of a function in each trial alone. Raises NotTraceable where that is too long a program."""
    count = len(drawn[0].held)
    if count > MOST_ONE_BY_ONE and any(is_traced(x.held) for x in drawn):
        raise NotTraceable(
            f"np.{function.__name__} of {count} trials, one by one, is too long a program."
        )
    results = [
        function(*_only(args, k), **_only(kwargs, k)) for k in range(count)
    ]
    several_parts = isinstance(results[0], (tuple, list))
    return (
        tuple(map(np.stack, zip(*results, strict=True)))
        if several_parts
        else np.stack(results)
    )
