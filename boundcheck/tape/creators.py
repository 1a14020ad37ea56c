"""Arrays and whole numbers that a body makes of plain numbers: made in the program, exactly, unwrapped."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.tape.program import NotTraceable, active_tape
from boundcheck.tape.traced import Traced, constant


def _made(x: object, dtype: object = None) -> Any:
    """A constant of the program; a type of whole numbers truncates."""
    tape = active_tape()
    if tape is None:
        return x
    made = constant(tape, x)
    return made if dtype is None else made.astype(dtype)


def _exact(x: Any) -> Fraction:
    """The rational that a plain or constant number is. Raises NotTraceable."""
    if isinstance(x, Traced):
        exact = x.exact
        if exact is not None and x.ndim == 0:
            return exact[0]
        raise NotTraceable("The ends and steps of an array are numbers of the text or whole numbers of the instance.")
    return Fraction(x)


def arange(start: object, stop: object = None, step: object = 1, dtype: object = None, **_: Any) -> Any:
    """start, start + step, ... below stop: floats may make one more, which then are others than these."""
    start, stop = (0, start) if stop is None else (start, stop)
    first, last, by = map(_exact, (start, stop, step))
    count = max(0, math.ceil((last - first) / by))
    return _made(_objects([first + k * by for k in range(count)]), dtype)


def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, **_: Any) -> Any:
    """`num` numbers from start to stop."""
    num = int(num)
    steps = np.arange(num)
    parts = num - 1 if endpoint else num
    if num == 1:
        return _made(_objects([_exact(start)])) if not isinstance(start, Traced) else np.reshape(start, (1,))
    fractions = _made(_objects([Fraction(int(k), parts) for k in steps]))
    return start + (stop - start) * fractions


def logspace(start: object, stop: object, num: int = 50, endpoint: bool = True, base: object = 10, **_: Any) -> object:
    return _made(base) ** linspace(start, stop, num, endpoint)


def geomspace(start: object, stop: object, num: int = 50, endpoint: bool = True, **_: Any) -> Any:
    return start * (_made(stop) / start) ** linspace(0, 1, num, endpoint)


def _objects(entries: list[Any]) -> np.ndarray:
    made = np.empty(len(entries), dtype=object)
    made[:] = entries
    return made


def _filled(value: int) -> Callable[..., Any]:
    return lambda shape, dtype=float, **_: _of_type(np.full(_sizes(shape), value), dtype)


def _of_type(x: np.ndarray, dtype: Any) -> Any:
    """Small whole numbers as an array of the program, or as plain truth values."""
    return x.astype(bool) if np.dtype(dtype).kind == "b" else _made(x)


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in (shape if np.ndim(shape) else [shape]))


def full(shape: object, value: object, dtype: object = None, **_: Any) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return _array(np.full(_sizes(shape), value), dtype)
    return _made(_made(value) * _made(np.ones(_sizes(shape), dtype=int)), dtype)


def _same(x: object, dtype: object = None, **_: Any) -> object:
    """np.asarray, which copies nothing that is an array already."""
    return x if isinstance(x, Traced) and dtype is None else _array(x, dtype)


def _array(x: object, dtype: object = None, **_: Any) -> object:
    """np.array of numbers of the text; booleans and words are left as they are."""
    if isinstance(x, Traced):
        return x.copy() if dtype is None else x.astype(dtype)
    plain = np.asarray(x)
    return plain if plain.dtype.kind in "bUSO" and not _numbers(plain) else _made(plain, dtype)


def _numbers(x: np.ndarray) -> bool:
    return x.dtype.kind == "O" and all(isinstance(entry, (int, Fraction, Traced)) for entry in x.ravel())


def _whole(make: Callable[..., np.ndarray]) -> Callable[..., Any]:
    """An array of small whole numbers, made by NumPy."""
    return lambda *args, dtype=float, **kwargs: _of_type(make(*args, **kwargs).astype(int), dtype)


CREATORS: dict[Any, Callable[..., Any]] = {
    np.arange: arange, np.linspace: linspace, np.logspace: logspace, np.geomspace: geomspace,
    np.zeros: _filled(0), np.empty: _filled(0), np.ones: _filled(1), np.full: full,
    np.eye: _whole(np.eye), np.identity: _whole(np.identity), np.tri: _whole(np.tri),
    np.array: _array, np.asarray: _same, np.asanyarray: _same, np.ascontiguousarray: _same,
}  # fmt: skip


def whole_entries(x: Any) -> list[int] | None:
    """The whole numbers that an argument certainly is."""
    if isinstance(x, Traced):
        exact = x.exact
        return None if exact is None or any(q.denominator != 1 for q in exact) else [int(q) for q in exact]
    return [int(k) for k in np.ravel(x)] if np.asarray(x).dtype.kind in "iub" else None


def _of_whole(function: Callable[..., int]) -> Callable[..., Any]:
    """A function of whole numbers, entry by entry, exact whatever its size."""

    def recorded(*args: Any, **_: Any) -> Any:
        shape, entries = np.broadcast_shapes(*(np.shape(x) for x in args)), []
        for x in args:
            whole = whole_entries(x)
            if whole is None:
                raise NotTraceable(f"{function.__name__} is taken of whole numbers that are known when the program is written.")
            entries.append(np.broadcast_to(np.reshape(_objects(whole), np.shape(x)), shape).ravel())
        values = [function(*numbers) for numbers in zip(*entries, strict=True)]
        return _made(np.reshape(_objects(values), shape))

    return recorded


comb = _of_whole(math.comb)
factorial = _of_whole(math.factorial)
