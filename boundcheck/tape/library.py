"""NumPy, `math` and scipy.linalg as a body sees them while a tape records: they take traced numbers, alone or in lists.

NumPy hands an argument to `Traced` only if it is one: np.linalg.det([[1, x], [x, 2]]) would see objects. The others take floats only.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
import scipy.linalg
from scipy import special

from boundcheck.tape.traced import Traced, constant, record, tape_in

MODULES = ("numpy", "numpy.linalg", "math", "scipy", "scipy.linalg", "scipy.special", "scipy.stats")
FUNCTIONS = (FunctionType, BuiltinFunctionType, type(np.sum))

MATH: dict[str, Callable[..., Any]] = {
    "fabs": np.abs, "pow": np.power, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "erf": special.erf, "erfc": special.erfc,
    "gamma": special.gamma, "lgamma": special.gammaln, "fsum": np.sum, "prod": np.prod,
    "log": lambda x, base=math.e: np.log(x) / (1 if base == math.e else np.log(base)),
    "hypot": lambda *x: np.sqrt(sum(entry * entry for entry in x)),
    "dist": lambda p, q: np.sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True))),
}  # fmt: skip
"""Functions of `math` that NumPy calls by another name, or does not have."""

SCIPY: dict[str, Callable[..., Any]] = {
    "expm": lambda A: record(A.tape, "expm", [A], scipy.linalg.expm(A.traced_value)),
    "logsumexp": lambda x: np.max(x) + np.log(np.sum(np.exp(x - np.max(x)))),
    "softmax": lambda x: np.exp(x - np.max(x)) / np.sum(np.exp(x - np.max(x))),
}
"""Functions of SciPy that neither NumPy has nor a ufunc is."""


def joined(x: Any) -> Any:
    """Nested lists, tuples or object arrays that hold traced numbers as one traced array; anything else as it is.

    Blocks of several shapes are left to the function that takes them.
    """
    tape = None if isinstance(x, Traced) else tape_in(x)
    try:
        return x if tape is None else constant(tape, x)
    except ValueError:
        return x


NORMAL: dict[str, Callable[[Any], Any]] = {
    "cdf": special.ndtr,
    "sf": lambda x: special.ndtr(-x),
    "logcdf": special.log_ndtr,
    "logsf": lambda x: special.log_ndtr(-x),
    "pdf": lambda x: np.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    "logpdf": lambda x: -x * x / 2 - math.log(2 * math.pi) / 2,
}
"""The standard normal law in functions that are traced."""


@contextmanager
def joining(body: Callable[..., Any]) -> Iterator[None]:
    """The modules and functions of these libraries among the globals of `body`, replaced for as long as it runs."""
    names = getattr(body, "__globals__", {})
    before = {name: value for name, value in names.items() if _is_replaced(value)}
    names.update({name: _replaced(value) for name, value in before.items()})
    try:
        yield
    finally:
        names.update(before)


def _is_replaced(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__ in MODULES
    if isinstance(value, np.ufunc) or _is_normal(value):
        return True
    return isinstance(value, FUNCTIONS) and _library(value) in ("numpy", "math", "scipy")


def _is_normal(value: Any) -> bool:
    """Whether it is scipy.stats.norm, which is loaded only if a body wants it."""
    stats = sys.modules.get("scipy.stats")
    return stats is not None and value is stats.norm


def _library(function: Any) -> str:
    return str(getattr(function, "__module__", "")).split(".")[0]


@cache
def _replaced(value: Any) -> Any:
    if isinstance(value, ModuleType):
        return Module(value)
    if _is_normal(value):
        return Normal(value)
    named = {"math": {**vars(np), **MATH}, "scipy": {**vars(np.linalg), **SCIPY}}
    return Replaced(value, named[_library(value)]) if _library(value) in named else Function(value)


class Module:
    """A module whose functions are replaced."""

    def __init__(self, module: ModuleType):
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        return _replaced(value) if _is_replaced(value) else value


class Function:
    """A function of NumPy, or a ufunc, that joins the lists it is given."""

    def __init__(self, function: Callable[..., Any]):
        self._function = function
        self._makes_array = function in (np.array, np.asarray, np.asanyarray, np.ascontiguousarray)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given, kwargs = list(map(joined, args)), {name: joined(value) for name, value in kwargs.items()}
        if self._makes_array and given and isinstance(given[0], Traced):
            dtype = kwargs.get("dtype", given[1] if len(given) > 1 else None)
            return given[0] if dtype is None else given[0].astype(dtype)
        return self._function(*given, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class Replaced:
    """A function of floats that is another library's, of the same name there, for traced numbers."""

    def __init__(self, function: Callable[..., Any], others: dict[str, Any]):
        self._function, self._on_traced = function, others.get(function.__name__, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = tuple(joined(list(x) if isinstance(x, Iterator) else x) for x in args)
        return (self._on_traced if any(isinstance(x, Traced) for x in args) else self._function)(*args, **kwargs)


class Normal:
    """scipy.stats.norm, without location and scale."""

    def __init__(self, plain: Any):
        self._plain = plain

    def __getattr__(self, name: str) -> Any:
        plain, on_traced = getattr(self._plain, name), NORMAL.get(name)
        if on_traced is None:
            return plain
        return lambda x, *others, **named: on_traced(x) if isinstance(x, Traced) and not (others or named) else plain(x, *others, **named)
