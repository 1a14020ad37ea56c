"""The instruction set: what an operation is on floats, on a tape, in trials, to ranges and rounding errors.

Whoever records imports this room: the tape knows no operation by itself.
"""

from boundcheck.operations import algebra, functions, moving, spelled
from boundcheck.operations.operation import OPERATIONS, Operation

ENTERED = algebra, functions, moving, spelled
"""Modules that enter their operations and spellings, and those of what they import."""

__all__ = ["ENTERED", "OPERATIONS", "Operation"]
