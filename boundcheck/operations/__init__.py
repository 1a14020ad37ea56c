"""The instruction set: what an operation is on floats, on a tape, inside trials, over ranges, and what it does to rounding errors.

Whoever records imports this room: the tape knows no operation by itself.
"""

from boundcheck.operations import algebra, elementwise, entries, functions, moving, products, reductions, special, spectra, spelled
from boundcheck.operations.operation import OPERATIONS, Operation

__all__ = [
    "OPERATIONS", "Operation", "algebra", "elementwise", "entries", "functions", "moving", "products", "reductions", "special", "spectra",
    "spelled",
]  # fmt: skip
