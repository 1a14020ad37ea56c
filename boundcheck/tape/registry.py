"""What NumPy and SciPy functions are in recorded operations. The operations fill this register; the tape only looks things up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Spelling = Callable[..., Any]

SPELLED: dict[Any, Spelling] = {}
"""Functions and ufuncs, and how each is spelled for numbers that are not floats."""
