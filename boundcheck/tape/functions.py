"""Dispatch of NumPy functions on traced arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.tape import algebra, arithmetic, structure
from boundcheck.tape.program import NotTraceable
from boundcheck.tape.registry import SPELLED
from boundcheck.tape.traced import Traced
from boundcheck.tape.truth import Truth

__all__ = ["algebra", "arithmetic", "call", "structure"]

JUMPS = (np.round, np.argmax, np.argmin)
"""Functions that exact numbers may send elsewhere than floats."""

ALIKE = 1e-9
"""How far two ways of computing one number may differ in floats, relative to its operands and their squares."""


def call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A NumPy function spelled in recorded operations, which give what NumPy gives here. Raises NotTraceable."""
    spelling = SPELLED.get(function)
    if spelling is None:
        raise NotTraceable(f"np.{function.__name__} has no exact form in boundcheck; spell it with simpler functions.")
    result = spelling(*args, **kwargs)
    if function not in JUMPS and isinstance(result, (Traced, np.ndarray, tuple, list)):
        _require_alike(function, result, args, kwargs)
    return result


def _require_alike(function: Any, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Options that a spelling does not know, or reads otherwise, are refused."""
    plain, named = _plain(args), {name: _plain(x) for name, x in kwargs.items()}
    try:
        with np.errstate(all="ignore"):
            native = function(*plain, **named)
    except (TypeError, ValueError, np.linalg.LinAlgError):
        return
    size = max([1.0, *(float(np.max(np.abs(x[np.isfinite(x)]), initial=0.0)) for x in _floats(plain))])
    if not _alike(result, native, ALIKE * size * size):
        raise NotTraceable(f"np.{function.__name__} with these arguments is not what boundcheck records; spell it with simpler functions.")


def _plain(x: Any) -> Any:
    """The floats behind traced numbers, in tuples and lists too."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(_plain, x))
    return x.value if isinstance(x, Truth) else getattr(x, "traced_value", x)


def _floats(x: Any) -> list[np.ndarray]:
    if isinstance(x, (list, tuple)):
        return [leaf for entry in x for leaf in _floats(entry)]
    return [np.asarray(x, dtype=float)] if isinstance(x, (np.ndarray, np.generic, int, float)) else []


def _alike(ours: Any, native: Any, slack: float) -> bool:
    """The same shape, and the same numbers where both are numbers; what is neither an array nor a sequence is not compared."""
    if issubclass(type(ours), (tuple, list)):
        return len(ours) == len(native) and all(_alike(x, y, slack) for x, y in zip(ours, native, strict=True))
    if not issubclass(type(ours), (Traced, np.ndarray)):
        return True
    x, y = np.asarray(_plain(ours), dtype=float), np.asarray(native, dtype=float)
    with np.errstate(all="ignore"):
        return x.shape == y.shape and bool(np.all(~np.isfinite(x - y) | (np.abs(x - y) <= slack + 1e-6 * np.abs(y))))
