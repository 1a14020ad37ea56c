"""The register of NumPy functions that traced arrays understand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Spelling = Callable[..., Any]

SPELLED: dict[Any, Spelling] = {}


def spells(*functions: Any) -> Callable[[Spelling], Spelling]:
    """Register how NumPy functions are spelled in recorded operations."""

    def register(spelling: Spelling) -> Spelling:
        SPELLED.update(dict.fromkeys(functions, spelling))
        return spelling

    return register
