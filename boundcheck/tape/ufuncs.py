"""NumPy's universal functions of traced arrays: one recorded operation each, or a comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.tape.program import NotTraceable, Tape
from boundcheck.tape.special import UFUNCS
from boundcheck.tape.traced import constant, record
from boundcheck.tape.truth import Truth

UNARY = {
    name: name
    for name in (
        "sqrt exp expm1 log log1p sin cos tan arcsin arccos arctan sinh cosh tanh sign floor ceil rint"
        " erf erfc gamma gammaln"
    ).split()
} | {"negative": "neg", "absolute": "abs", "fabs": "abs", "psi": "digamma", "loggamma": "gammaln"}
BINARY = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "true_divide": "div",
    "power": "pow",
    "float_power": "pow",
    "maximum": "maximum",
    "minimum": "minimum",
    "fmax": "maximum",
    "fmin": "minimum",
    "remainder": "mod",
    "arctan2": "arctan2",
    "matmul": "matmul",
}
COMPARISONS = {"less_equal": "le", "less": "lt", "greater_equal": "ge", "greater": "gt", "equal": "eq", "not_equal": "ne"}


def apply_ufunc(tape: Tape, ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Any:
    """One elementwise operation, a matrix product, or a comparison."""
    name = ufunc.__name__
    if name in COMPARISONS:
        left, right = (constant(tape, x) for x in inputs)
        return Truth(COMPARISONS[name], left, right)
    if name in UFUNCS:
        return UFUNCS[name](*inputs)
    op = UNARY.get(name) or BINARY.get(name)
    if op is None:
        raise NotTraceable(f"np.{name} has no exact form.")
    operands = [constant(tape, x) for x in inputs]
    with np.errstate(all="ignore"):
        value = ufunc(*(x.traced_value for x in operands))
    return record(tape, op, list(operands), value)
