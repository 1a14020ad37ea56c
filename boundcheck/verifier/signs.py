"""What is known of a node's sign by how it was made, where balls reach below 0: squares, Gram matrices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from .arrays import Array, positions, strides
from .functions import FUNCTIONS, KEEPING, NONNEGATIVE

Node = Mapping[str, Any]
ALWAYS = frozenset(
    (
        "svdvals",
        *(name for name, f in FUNCTIONS.items() if f.sign == NONNEGATIVE),
    )
)
OF_NONNEGATIVE = frozenset(
    "sum prod max min cumsum sort gather mean".split()
) | {n for n, f in FUNCTIONS.items() if f.sign == KEEPING}
"""Non-negative of non-negative operands."""


@dataclass(frozen=True)
class Sign:
    """Whether all entries are known to be non-negative, and a matrix (each of a batch) to be PSD."""

    entries: bool = False
    psd: bool = False


UNKNOWN = Sign()


@dataclass(frozen=True)
class Made:
    """How a node was made: its program, the operands by number, their values and signs, and its own value."""

    nodes: Sequence[Node]
    node: Node
    arrays: Sequence[Array]
    signs: Sequence[Sign]
    result: Array


def known_sign(made: Made) -> Sign:
    """What is known of the node."""
    return Sign(
        _nonnegative(made) or all(x >= 0 for x in made.result.data), _psd(made)
    )


def _nonnegative(made: Made) -> bool:
    op, known = made.node["op"], [s.entries for s in made.signs]
    if op in ALWAYS or (op in OF_NONNEGATIVE and all(known) and known):
        return True
    # A node times itself is a square; that two nodes have equal values is not enough, for balls do not say so.
    if op == "mul":
        return _twice(made.node)
    if op == "pow":
        return known[0] or all(
            isinstance(y, fmpq) and y.q == 1 and y.p % 2 == 0
            for y in made.arrays[1].data
        )
    if op == "maximum":
        return any(known)
    if op == "take":
        return known[0]
    if op == "mod":
        return known[1]
    # A vector times itself is the sum of its squares.
    if op == "matmul":
        return all(known) or (
            _twice(made.node) and len(made.arrays[0].shape) == 1
        )
    # Eigenvalues of a PSD matrix, and so their product, are not negative.
    return op in ("eigvalsh", "det") and made.signs[0].psd


def _twice(node: Node) -> bool:
    return node["args"][0] == node["args"][1]


def _psd(made: Made) -> bool:
    """A Gram matrix, a sum of PSD matrices, or a multiple of one by a number that is not negative."""
    op = made.node["op"]
    if op == "matmul":
        # X X^T and X^T X, recognized by the index of the transposition: v^T X X^T v = |X^T v|^2.
        (i, j), (left, right) = made.node["args"], made.arrays
        return _transposed(made.nodes[j], i, left) or _transposed(
            made.nodes[i], j, right
        )
    if op == "add":
        return (
            all(s.psd for s in made.signs)
            and made.arrays[0].shape == made.arrays[1].shape
        )
    if op in ("mul", "div"):
        (a, b), (x, y) = made.signs, made.arrays
        return (a.psd and b.entries and not y.shape) or (
            op == "mul" and b.psd and a.entries and not x.shape
        )
    return False


def _transposed(node: Node, of: int, array: Array) -> bool:
    """Whether a node is the (batch of) matrices `array` of node `of`, transposed."""
    shape, steps = array.shape, strides(array.shape)
    if len(shape) < 2 or node["op"] != "gather" or node["args"] != [of]:
        return False
    turned, crossed = ((*x[:-2], x[-1], x[-2]) for x in (shape, steps))
    return tuple(node["shape"]) == turned and node["index"] == positions(
        turned, crossed
    )
