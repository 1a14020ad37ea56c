"""Numbers that remember how they were computed: a claim's body as a straight-line program."""

from boundcheck.tape.program import NotTraceable, Tape, active_tape, value_of
from boundcheck.tape.traced import (
    Traced,
    Whole,
    constant,
    decimal,
    is_traced,
    trace_input,
)
from boundcheck.tape.truth import Operand, Truth

__all__ = [
    "NotTraceable",
    "Operand",
    "Tape",
    "Traced",
    "Truth",
    "Whole",
    "active_tape",
    "constant",
    "decimal",
    "is_traced",
    "trace_input",
    "value_of",
]
