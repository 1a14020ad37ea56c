"""The compiled layer: arrays in, arrays out; the only place where Numba is imported, and configured here."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable)


def kernel(function: F) -> F:
    """Compile a function of contiguous arrays and scalars, on first use, and keep the code on disk.

    No fastmath: a checker must not reassociate sums, and without contraction all machines agree.
    error_model="numpy": a division that could raise would keep the loop around it from vectorising.
    """
    return cast(F, njit(function, cache=True, error_model="numpy", nogil=True))
