"""The operations of a program by name: what each makes of the values of its operands."""

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from .arrays import REDUCTIONS, Array, cumsum, elementwise, gather, reduction, shape_of, sort, take
from .findings import demand, malformed
from .functions import BINARY, UNARY, power, price, sqrt
from .matrices import (
    Matrix,
    balls,
    check_square,
    cholesky,
    determinant,
    entries,
    inverse,
    matmul,
    over_batch,
    solve,
)
from .numbers import HALF, Number, integer, number, rational
from .signs import Sign
from .spectra import eigenvectors, eigvalsh, log, psd_log, psd_power, svdvals
from .work import arithmetic, multiplication, rotations, spend

Node = dict[str, Any]
Operation = Callable[[Sequence[Array], Node], Array]
FARTHEST = 10**9


def operation(op: Any, signs: Sequence[Sign]) -> Operation:
    """The operation of that name: one that cuts balls at 0 where the first operand is known not to reach below."""
    known = signs and ((op in ("sqrt", "pow") and signs[0].entries) or (op in ("psd_sqrt", "psd_pow") and signs[0].psd))
    found = (KNOWN if known else OPERATIONS).get(op)
    if found is None:
        raise malformed(f"unknown operation {str(op)[:40]!r}")
    return found


def _leaf(parse: Callable[[Any], Number]) -> Operation:
    def result(_: Sequence[Array], node: Node) -> Array:
        shape, data = shape_of(node["shape"]), node["data"]
        demand(isinstance(data, list) and len(data) == prod(shape), "data does not fit its shape")
        spend(sum(1 + len(str(value)) / 50 for value in data))
        return Array(shape, [parse(value) for value in data])

    return result


def _pointwise(arity: int, function: Callable[..., Number]) -> Operation:
    def result(arrays: Sequence[Array], node: Node) -> Array:
        demand(len(arrays) == arity, f"{node['op']} takes {arity} operands")
        return elementwise(function, *arrays, price=partial(price, node["op"]))

    return result


def _unary(function: Callable[[Array, Node], Array]) -> Operation:
    def result(arrays: Sequence[Array], node: Node) -> Array:
        (array,) = arrays
        return function(array, node)

    return result


def _matrices(function: Callable[..., Matrix], result_axes: int = 2) -> Operation:
    """A function of matrices; it returns a 1 x k matrix for a vector and 1 x 1 for a number."""

    def result(arrays: Sequence[Array], node: Node) -> Array:
        full = over_batch(function, *arrays)
        lead, tail = full.shape[:-2], full.shape[-2:]
        return Array(lead + tail[2 - result_axes :], full.data)

    return result


def _pow(arrays: Sequence[Array], node: Node, known: bool = False) -> Array:
    """Long exponents take a squaring for each bit."""
    _, exponents = arrays
    cost = 2 * price("pow") + arithmetic() + exponents.height * multiplication()
    return elementwise(partial(power, known=known), *arrays, price=lambda: cost)


def _psd_pow(arrays: Sequence[Array], node: Node, known: bool = False) -> Array:
    return over_batch(partial(psd_power, t=rational(node["power"]), known=known), *arrays)


def _eigenvectors(arrays: Sequence[Array], node: Node) -> Array:
    demand(isinstance(node["lead"], list) and len(arrays) == 1 and len(arrays[0].shape) == 2, "eigenvectors are those of one matrix")
    return over_batch(partial(eigenvectors, lead=[integer(i, -FARTHEST, FARTHEST) for i in node["lead"]]), *arrays)


def _matmul(arrays: Sequence[Array], node: Node) -> Array:
    left, right = arrays
    return matmul(left, right)


def _det(a: Matrix) -> Matrix:
    return [[determinant(a)]]


def _slogabsdet(a: Matrix) -> Matrix:
    return [[log(abs(determinant(a)))]]


def _expm(a: Matrix) -> Matrix:
    spend(2 * check_square(a) ** 3 * rotations())
    return entries(balls(a).exp())


OPERATIONS: dict[str, Operation] = {
    "input": _leaf(rational),
    "const": _leaf(number),
    "gather": gather,
    "take": take,
    **{name: _pointwise(1, function) for name, function in UNARY.items()},
    **{name: _pointwise(2, function) for name, function in BINARY.items()},
    "pow": _pow,
    **{name: _unary(reduction) for name in REDUCTIONS},
    "cumsum": _unary(cumsum),
    "sort": _unary(sort),
    "matmul": _matmul,
    "inv": _matrices(inverse),
    "solve": _matrices(solve),
    "det": _matrices(_det, 0),
    "slogabsdet": _matrices(_slogabsdet, 0),
    "cholesky": _matrices(cholesky),
    "eigvalsh": _matrices(eigvalsh, 1),
    "eigenvectors": _eigenvectors,
    "svdvals": _matrices(svdvals, 1),
    "psd_sqrt": _matrices(partial(psd_power, t=HALF)),
    "psd_log": _matrices(psd_log),
    "psd_pow": _psd_pow,
    "expm": _matrices(_expm),
}
KNOWN: dict[str, Operation] = {
    "sqrt": _pointwise(1, partial(sqrt, known=True)),
    "pow": partial(_pow, known=True),
    "psd_sqrt": _matrices(partial(psd_power, t=HALF, known=True)),
    "psd_pow": partial(_psd_pow, known=True),
}
"""The same where the first operand is known not to be negative, or to be PSD."""
