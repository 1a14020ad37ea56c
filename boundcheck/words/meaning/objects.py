"""What stands behind an object: what it wraps, what it holds, the name under which a library has it."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from pathlib import PurePath
from typing import Any, get_type_hints

import numpy as np

PLAIN = (type(None), bool, int, float, str, bytes, complex, Fraction, Decimal, range, slice, date, time, timedelta, type(...))
"""Kinds of values whose `repr` says all of them."""


def plain(x: Any) -> str | None:
    """The spelling of a plain value, or None for another one."""
    if type(x) in PLAIN or isinstance(x, (PurePath, np.dtype)):
        return f"{type(x).__name__} {x!r}"
    if isinstance(x, np.generic) and type(x).__module__ == "numpy" and not isinstance(x, np.void):
        return f"{type(x).__name__} {x.item()!r}"
    return None


def wrapped(x: Any) -> list[Any] | None:
    """What stands behind a method, a property, a partial, a cached function or another wrapper."""
    if isinstance(x, partial):
        return [x.func, list(x.args), dict(sorted(x.keywords.items()))]
    if isinstance(x, property):
        return [x.fget]
    if isinstance(x, cached_property):
        return [x.func]
    if isinstance(x, (staticmethod, classmethod)):
        return [x.__func__]
    if isinstance(x, types.MethodType):
        return [x.__self__, x.__func__]
    behind = inspect.unwrap(x) if "__wrapped__" in getattr(x, "__dict__", {}) else getattr(x, "pyfunc", None)
    return None if behind is None else [behind]


def state(x: Any) -> list[tuple[str, Any]]:
    """The attributes of an object, sorted, and the number or text that it is."""
    slots = {name for cls in type(x).__mro__ for name in _names(getattr(cls, "__slots__", ()))}
    held = {**getattr(x, "__dict__", {}), **{name: getattr(x, name) for name in slots if hasattr(x, name) and name != "__dict__"}}
    base: Any = next((kind for kind in PLAIN if isinstance(x, kind)), None)
    return [*sorted(held.items()), *([] if base is None else [("", base.__repr__(x))])]


def _names(slots: Any) -> list[str]:
    return [slots] if isinstance(slots, str) else list(slots)


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class holds beside what Python puts there, sorted by name."""
    for name, entry in sorted(vars(cls).items()):
        if isinstance(entry, types.FunctionType):
            if not entry.__code__.co_filename.startswith("<") and entry.__globals__.get("__name__") == cls.__module__:
                yield name, entry
        elif not name.startswith("__") and name != "_abc_impl":
            if not isinstance(entry, (types.MemberDescriptorType, types.GetSetDescriptorType)):
                yield name, entry


def hints(cls: type) -> list[tuple[str, Any]]:
    """The annotated fields of a class; none where they cannot be looked up, for its text has them."""
    try:
        return sorted(get_type_hints(cls, include_extras=True).items(), key=lambda hint: hint[0])
    except Exception:
        return []


def name_in_library(x: Any) -> str:
    """`numpy:sum` of an object that a library has under a name of its own, or nothing."""
    name = str(getattr(x, "__qualname__", None) or getattr(x, "__name__", None) or getattr(x, "_name", None) or "")
    module = str(getattr(x, "__module__", None) or type(x).__module__)
    owner: Any = sys.modules.get(module)
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return f"{module.split('.')[0]}:{name}" if name and owner is x else ""


def ordered(entries: Iterable[Any]) -> list[Any]:
    """The entries of a set, in an order that is the same in every process."""
    return sorted(entries, key=lambda entry: (type(entry).__name__, repr(entry)))
