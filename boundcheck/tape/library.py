"""NumPy, `math` and SciPy as a body sees them while a tape records: what they compute is recorded or refused.

NumPy hands an argument to `Traced` only if it is one: np.linalg.det([[1, x], [x, 2]]) would see objects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
import scipy.linalg
from scipy import special

from boundcheck.tape.program import (
    SPELLED,
    NotInLanguage,
    NotTraceable,
    active_tape,
    here,
    is_machine_made,
)
from boundcheck.tape.table import known
from boundcheck.tape.traced import Traced, constant, lifts, tape_in
from boundcheck.tape.truth import Truth

# arrays and whole numbers that a body makes of plain numbers: made in the program, exactly, unwrapped


def _made(x: object) -> Any:
    """A constant of the program."""
    tape = active_tape()
    return x if tape is None else constant(tape, x)


def _exact(x: Any) -> Fraction:
    """The rational that a plain or constant number is. Raises NotTraceable."""
    if isinstance(x, Traced):
        exact = x.exact
        if exact is not None and x.ndim == 0:
            return exact[0]
        raise NotTraceable(
            "The ends and steps of an array are numbers of the text or whole numbers of the instance."
        )
    return Fraction(x)


def arange(start: object, stop: object = None, step: object = 1) -> Any:
    """start, start + step, ... below stop: floats may make one more, which then are others than these."""
    start, stop = (0, start) if stop is None else (start, stop)
    first, last, by = map(_exact, (start, stop, step))
    count = max(0, math.ceil((last - first) / by))
    entries: list[Any] = [first + k * by for k in range(count)]
    if all(isinstance(x, int) for x in (start, stop, step)):
        entries = list(map(int, entries))
    return _made(_objects(entries))


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True
) -> Any:
    """`num` numbers from start to stop."""
    num = int(num)
    steps = np.arange(num)
    parts = num - 1 if endpoint else num
    if num == 1:
        return (
            _made(_objects([_exact(start)]))
            if not isinstance(start, Traced)
            else np.reshape(start, (1,))
        )
    fractions = _made(_objects([Fraction(int(k), parts) for k in steps]))
    return start + (stop - start) * fractions


def _objects(entries: list[Any]) -> np.ndarray:
    made = np.empty(len(entries), dtype=object)
    made[:] = entries
    return made


def _filled(value: int) -> Callable[..., Any]:
    return lambda shape: _floats(np.full(_sizes(shape), value))


def _floats(x: np.ndarray) -> Any:
    """Small whole numbers as an array of the program that holds floats."""
    made = _made(x)
    if isinstance(made, Traced):
        made.is_whole = False
    return made


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in (shape if np.ndim(shape) else [shape]))


def full(shape: object, fill_value: object) -> Any:
    if isinstance(fill_value, (bool, np.bool_)):
        return np.full(_sizes(shape), fill_value)
    return _made(_made(fill_value) * _made(np.ones(_sizes(shape), dtype=int)))


def _same(x: object) -> object:
    """np.asarray, which copies nothing that is an array already."""
    return x if isinstance(x, Traced) else _array(x)


def _array(x: object) -> object:
    """np.array of numbers of the text; booleans and words are left as they are."""
    if isinstance(x, Traced):
        return x.copy()
    plain = np.asarray(x)
    is_other = plain.dtype.kind in "bUSO" and not _numbers(plain)
    return plain if is_other else _made(plain)


def _numbers(x: np.ndarray) -> bool:
    return x.dtype.kind == "O" and all(
        isinstance(entry, (int, Fraction, Traced)) for entry in x.ravel()
    )


def _whole(make: Callable[..., np.ndarray]) -> Callable[..., Any]:
    """An array of small whole numbers, made by NumPy."""
    return lambda *args, **kwargs: _floats(make(*args, **kwargs).astype(int))


def eye(N: Any, M: Any = None, k: int = 0) -> Any:
    """The identity matrix; that of a size that is a name is the size's own."""
    own = getattr(N, "eye", None) if M is None and k == 0 else None
    return _floats(np.eye(N, M, k).astype(int)) if own is None else own()


CREATORS: dict[Any, Callable[..., Any]] = {
    np.arange: arange,
    np.linspace: linspace,
    np.zeros: _filled(0),
    np.ones: _filled(1),
    np.full: full,
    np.full_like: lambda a, fill_value: SPELLED[np.full_like](
        lifted(a), fill_value
    ),
    np.eye: eye,
    np.identity: eye,
    np.tri: _whole(np.tri),
    np.array: _array,
    np.asarray: _same,
}
"""What arrays are made by, exactly."""


def whole_entries(x: Any) -> list[int] | None:
    """The whole numbers that an argument certainly is."""
    if isinstance(x, Traced):
        exact = x.exact
        return (
            None
            if exact is None or any(q.denominator != 1 for q in exact)
            else [int(q) for q in exact]
        )
    return (
        [int(k) for k in np.ravel(x)]
        if np.asarray(x).dtype.kind in "iub"
        else None
    )


def _of_whole(function: Callable[..., int]) -> Callable[..., Any]:
    """A function of whole numbers, entry by entry, exact whatever its size."""

    def recorded(*args: Any) -> Any:
        shape, entries = np.broadcast_shapes(*(np.shape(x) for x in args)), []
        for x in args:
            whole = whole_entries(x)
            if whole is None:
                raise NotTraceable(
                    f"{function.__name__} is taken of whole numbers that are known when the program is written."
                )
            entries.append(
                np.broadcast_to(
                    np.reshape(_objects(whole), np.shape(x)), shape
                ).ravel()
            )
        values = [function(*numbers) for numbers in zip(*entries, strict=True)]
        return _made(np.reshape(_objects(values), shape))

    return recorded


comb = _of_whole(math.comb)
factorial = _of_whole(math.factorial)


# libraries, whose functions are replaced or guarded


MODULES = (
    "numpy",
    "numpy.linalg",
    "math",
    "scipy",
    "scipy.linalg",
    "scipy.special",
)
"""The libraries of which functions are recorded."""

FUNCTIONS = (FunctionType, BuiltinFunctionType, type(np.sum), np.ufunc)

MATH: dict[str, Callable[..., Any]] = {
    "fabs": np.abs,
    "pow": np.power,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "erf": special.erf,
    "erfc": special.erfc,
    "gamma": special.gamma,
    "lgamma": special.gammaln,
    "fsum": np.sum,
    "prod": np.prod,
    "log": lambda x, base=None: (
        np.log(x) if base is None else np.log(x) / np.log(lifted(base))
    ),
    "hypot": lambda *x: np.sqrt(sum(entry * entry for entry in x)),
    "dist": lambda p, q: np.sqrt(
        sum((a - b) ** 2 for a, b in zip(p, q, strict=True))
    ),
}
"""Functions of `math` that NumPy calls by another name, or does not have."""

WHOLE = (
    math.ceil,
    math.floor,
    math.trunc,
    math.comb,
    math.perm,
    math.factorial,
    math.gcd,
    math.lcm,
    math.isqrt,
)
"""Functions of `math` that give whole numbers of exact numbers."""

SCIPY: dict[str, Callable[..., Any]] = {
    "expm": lambda A: SPELLED[scipy.linalg.expm](A),
    "logsumexp": lambda x: np.max(x) + np.log(np.sum(np.exp(x - np.max(x)))),
    "softmax": lambda x: np.exp(x - np.max(x)) / np.sum(np.exp(x - np.max(x))),
    "comb": comb,
    "factorial": factorial,
}
"""Functions of SciPy that neither NumPy has nor a ufunc is."""

SAFE = {
    np.argsort,
    np.unique,
    np.nonzero,
    np.flatnonzero,
    np.searchsorted,
    np.triu_indices,
    np.tril_indices,
    np.indices,
    np.ix_,
    np.meshgrid,
}
"""Functions of NumPy whose whole numbers are exact, whatever they are given."""


def joined(x: object) -> Any:
    """Nested lists, tuples or object arrays that hold traced numbers as one traced array; all else as it is.

    Blocks of several shapes are left to the function that takes them; comparisons become what they say.
    """
    if isinstance(x, Truth):
        return x.plain()
    if isinstance(x, (list, tuple)) and any(
        isinstance(entry, Truth) for entry in x
    ):
        x = [
            entry.plain() if isinstance(entry, Truth) else entry for entry in x
        ]
        x = x if tape_in(x) is not None else np.array(x)
    tape = None if isinstance(x, Traced) else tape_in(x)
    try:
        return x if tape is None else constant(tape, x)
    except ValueError:
        return x


def joined_parts(x: object) -> Any:
    """What is put together, one part after the other: a draw may stand in each."""
    return list(map(joined, x)) if isinstance(x, (list, tuple)) else joined(x)


PARTS: dict[Any, Callable[[object], Any]] = {
    **dict.fromkeys(
        (np.concatenate, np.stack, np.hstack, np.vstack, np.column_stack),
        joined_parts,
    ),
    np.block: lambda x: x,
}
"""Functions of parts; blocks of several shapes stay blocks."""


def lifted(x: object) -> Any:
    """Plain exact numbers, alone or in lists, as a traced constant."""
    tape = active_tape()
    return (
        x
        if tape is None or isinstance(x, Traced) or lifts(x)
        else constant(tape, x)
    )


def refused(name: str) -> NotInLanguage:
    return NotInLanguage(
        f"{here()}: {name} computes numbers beside the program, of which no error is known; spell it with NumPy functions"
    )


def pi() -> Any:
    return 4 * np.arctan(lifted(1))


def e() -> Any:
    return np.exp(lifted(1))


KNOWN: dict[float, Callable[[], Any]] = {
    math.pi: pi,
    math.e: e,
    math.tau: lambda: 2 * pi(),
    np.euler_gamma: lambda: -special.psi(lifted(1)),
}
"""Numbers that a library gives a name."""


def known_constant(value: object, name: str) -> Any:
    """The exact number behind a constant of a library. Raises NotTraceable."""
    if isinstance(value, float) and value in KNOWN:
        return KNOWN[value]()
    raise refused(name)


def is_number_library(name: str) -> bool:
    return name in MODULES


def reading_of(value: Any) -> Any:
    """A value that is not of the text: functions of number libraries are replaced, those of others refused."""
    library = str(getattr(value, "__module__", "")).partition(".")[0]
    if isinstance(value, FUNCTIONS) and (
        isinstance(value, np.ufunc) or library in ("numpy", "math", "scipy")
    ):
        return _replaced(value)
    is_plain = library in (
        "builtins",
        "boundcheck",
        "itertools",
        "types",
        "typing",
        "",
    )
    return (
        Foreign(value, getattr(value, "__name__", library))
        if callable(value) and not is_plain
        else value
    )


@cache
def _replaced(value: Any) -> Any:
    if value in WHOLE:
        return value
    if isinstance(value, np.ufunc):
        return Function(value)
    library = value.__module__.partition(".")[0]
    if library == "math":
        return Elsewhere(value, {**vars(np), **MATH})
    if library == "scipy":
        return Elsewhere(value, SCIPY)
    return Function(value)


class Module:
    """A library whose functions are replaced."""

    def __init__(self, module: ModuleType):
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if isinstance(value, ModuleType):
            return (
                Module(value)
                if value.__name__ in MODULES
                else Foreign(value, value.__name__)
            )
        if isinstance(value, float) and math.isfinite(value):
            return known_constant(value, f"{self._module.__name__}.{name}")
        return reading_of(value)


class Function:
    """A function of NumPy, or a ufunc: it joins the lists it is given, and plain numbers are recorded too."""

    def __init__(self, function: Callable[..., Any]):
        self._function, self._name = function, f"np.{function.__name__}"
        self._known = known().get(id(function))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._known is not None:
            args, kwargs = self._known[2].placed(args, kwargs)
        join = PARTS.get(self._function, joined)
        given, kwargs = (
            list(map(join, args)),
            {name: join(value) for name, value in kwargs.items()},
        )
        if self._function in CREATORS:
            return CREATORS[self._function](*given, **kwargs)
        if self._function is np.take and any(
            isinstance(x, Traced) and x.ndim for x in given[1:2]
        ):
            return _taken(*given, **kwargs)
        if any(map(_recorded, [*given, *kwargs.values()])):
            return self._function(*given, **kwargs)
        if (
            given
            and (
                isinstance(self._function, np.ufunc)
                or self._function in SPELLED
            )
            and self._function not in SAFE
        ):
            return self._function(lifted(given[0]), *given[1:], **kwargs)
        result = self._function(*given, **kwargs)
        if self._function not in SAFE and is_machine_made(result):
            raise refused(self._name)
        return result


def _taken(a: object, indices: Traced, axis: int | None = None) -> Traced:
    """np.take by an index that is recorded: entries of the flat array, or rows."""
    if axis not in (None, 0):
        raise NotTraceable(
            f"{here()}: np.take by a random index takes entries or rows; swap the axes first."
        )
    return (np.ravel(lifted(a)) if axis is None else lifted(a))[indices]


def _recorded(x: object) -> bool:
    """Whether NumPy hands the call to us: a traced or random number, alone or in a list."""
    if isinstance(x, (list, tuple)):
        return any(map(_recorded, x))
    return hasattr(type(x), "__array_ufunc__") and not isinstance(
        x, (np.ndarray, np.generic)
    )


class Elsewhere:
    """A function of floats that is another library's, of the same name there, for traced numbers."""

    def __init__(self, function: Callable[..., Any], others: dict[str, Any]):
        self._function, self._on_traced = (
            function,
            others.get(function.__name__),
        )
        self._known = known().get(id(function))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._known is not None:
            args, kwargs = self._known[2].placed(args, kwargs)
        if self._on_traced is None:
            return Foreign(self._function, self._function.__name__)(
                *args, **kwargs
            )
        given = [
            joined(list(x) if isinstance(x, Iterator) else x) for x in args
        ]
        return self._on_traced(
            *([lifted(given[0]), *given[1:]] if given else []), **kwargs
        )


class Foreign:
    """Something of a library that the tape does not know: refused by name when it is called."""

    def __init__(self, value: Any, name: str):
        self._value, self._name = value, name

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise refused(self._name)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._value, name)
        if is_machine_made(value):
            return known_constant(value, f"{self._name}.{name}")
        return (
            Foreign(value, f"{self._name}.{name}")
            if callable(value) or isinstance(value, ModuleType)
            else value
        )
