"""Dispatch of NumPy functions on traced arrays."""

from __future__ import annotations

from typing import Any

from boundcheck.tape import algebra, arithmetic, structure
from boundcheck.tape.program import NotTraceable
from boundcheck.tape.registry import SPELLED

__all__ = ["algebra", "arithmetic", "call", "structure"]


def call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A NumPy function spelled in recorded operations. Raises NotTraceable."""
    spelling = SPELLED.get(function)
    if spelling is None:
        raise NotTraceable(f"np.{function.__name__} has no exact form in boundcheck; spell it with simpler functions.")
    return spelling(*args, **kwargs)
