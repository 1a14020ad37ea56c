"""The operations of a program by name: what each makes of the values of its operands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

from .arrays import (
    REDUCTIONS,
    Array,
    cumsum,
    elementwise,
    gather,
    reduction,
    shape_of,
    sort,
    take,
)
from .findings import (
    arithmetic,
    demand,
    elementary,
    malformed,
    multiplication,
    rotations,
    spend,
)
from .functions import BINARY, FUNCTIONS, UNARY, Sign, power, sqrt
from .matrices import (
    Matrix,
    balls,
    check_square,
    cholesky,
    determinant,
    eigenvectors,
    eigvals,
    eigvalsh,
    entries,
    inverse,
    log,
    matmul,
    over_batch,
    psd_log,
    psd_power,
    solve,
    svdvals,
)
from .numbers import HALF, Number, integer, number, rational
from .symmetry import Operands, Order
from .symmetry import order as ordered

Node = dict[str, Any]
Operation = Callable[[Sequence[Array], Node], Array]
FARTHEST = 10**9


@dataclass(frozen=True)
class Entry:
    """One operation: its value, and its kind: what it does to each atom alone and to copies that move.

    `known` is the value where the first operand is known not to reach below 0 (by entries, or PSD): balls are cut.
    """

    value: Operation
    kind: str = ""
    known: Operation | None = None
    psd: bool = False

    def on(self, signs: Sequence[Sign]) -> Operation:
        """The operation on operands of which so much is known."""
        sure = (
            self.known is not None
            and bool(signs)
            and (signs[0].psd if self.psd else signs[0].entries)
        )
        return self.known if sure and self.known is not None else self.value


def entry(op: Any) -> Entry:
    """The operation of that name. Raises Rejection."""
    found = OPERATIONS.get(op)
    if found is None:
        raise malformed(f"unknown operation {str(op)[:40]!r}")
    return found


def order(orders: Sequence[Order], given: Operands) -> Order:
    """What permuting the copies of each draw does to the result of an operation."""
    found = OPERATIONS.get(given.node["op"])
    return ordered("" if found is None else found.kind, orders, given)


def _leaf(parse: Callable[[Any], Number]) -> Operation:
    def result(_: Sequence[Array], node: Node) -> Array:
        shape, data = shape_of(node["shape"]), node["data"]
        demand(
            isinstance(data, list) and len(data) == prod(shape),
            "data does not fit its shape",
        )
        spend(sum(1 + len(str(value)) / 50 for value in data))
        return Array(shape, [parse(value) for value in data])

    return result


def _pointwise(arity: int, function: Callable[..., Number]) -> Operation:
    def result(arrays: Sequence[Array], node: Node) -> Array:
        demand(len(arrays) == arity, f"{node['op']} takes {arity} operands")
        return elementwise(function, *arrays, price=FUNCTIONS[node["op"]].price)

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
    cost = 2 * elementary() + arithmetic() + exponents.height * multiplication()
    return elementwise(partial(power, known=known), *arrays, price=lambda: cost)


def _psd_pow(arrays: Sequence[Array], node: Node, known: bool = False) -> Array:
    return over_batch(
        partial(psd_power, t=rational(node["power"]), known=known), *arrays
    )


def _eigenvectors(arrays: Sequence[Array], node: Node) -> Array:
    demand(
        isinstance(node["lead"], list)
        and len(arrays) == 1
        and len(arrays[0].shape) == 2,
        "eigenvectors are those of one matrix",
    )
    return over_batch(
        partial(
            eigenvectors, lead=[integer(i, -FARTHEST, FARTHEST) for i in node["lead"]]
        ),
        *arrays,
    )


def _eigvals(arrays: Sequence[Array], node: Node) -> Array:
    return _matrices(partial(eigvals, part=node["part"]), 1)(arrays, node)


def _matmul(arrays: Sequence[Array], node: Node) -> Array:
    left, right = arrays
    return matmul(left, right)


def _expm(a: Matrix) -> Matrix:
    spend(2 * check_square(a) ** 3 * rotations())
    return entries(balls(a).exp())


def _entries(
    function: Callable[..., Number],
    arity: int,
    known: Callable[..., Number] | None = None,
) -> Entry:
    cut = None if known is None else _pointwise(arity, known)
    return Entry(_pointwise(arity, function), "entries", cut)


def _of_matrices(
    function: Callable[..., Matrix],
    result: int = 2,
    known: Callable[..., Matrix] | None = None,
) -> Entry:
    """Of each matrix of a batch; the result has so many axes in place of two."""
    cut = None if known is None else _matrices(known, result)
    return Entry(_matrices(function, result), "matrices", cut, psd=True)


_REDUCED = Entry(_unary(reduction), "reduction")

OPERATIONS: dict[str, Entry] = {
    "input": Entry(_leaf(rational)),
    "const": Entry(_leaf(number)),
    "gather": Entry(gather, "gather"),
    "take": Entry(take, "take"),
    **{name: _entries(function, 1) for name, function in UNARY.items()},
    **{name: _entries(function, 2) for name, function in BINARY.items()},
    "sqrt": _entries(sqrt, 1, partial(sqrt, known=True)),
    "pow": Entry(_pow, "entries", partial(_pow, known=True)),
    **dict.fromkeys(REDUCTIONS, _REDUCED),
    "cumsum": Entry(_unary(cumsum), "running"),
    "sort": Entry(_unary(sort), "ordering"),
    "matmul": Entry(_matmul, "product"),
    "inv": _of_matrices(inverse),
    "solve": _of_matrices(solve),
    "det": _of_matrices(lambda a: [[determinant(a)]], 0),
    "slogabsdet": _of_matrices(lambda a: [[log(abs(determinant(a)))]], 0),
    "cholesky": _of_matrices(cholesky),
    "eigvalsh": _of_matrices(eigvalsh, 1),
    "eigenvectors": Entry(_eigenvectors),
    "eigvals": Entry(_eigvals, "matrices"),
    "svdvals": _of_matrices(svdvals, 1),
    "psd_sqrt": _of_matrices(
        partial(psd_power, t=HALF), 2, partial(psd_power, t=HALF, known=True)
    ),
    "psd_log": _of_matrices(psd_log),
    "psd_pow": Entry(_psd_pow, "matrices", partial(_psd_pow, known=True), psd=True),
    "expm": _of_matrices(_expm),
}
"""Every operation that a program may name; a new one is a line here, beside its function."""
