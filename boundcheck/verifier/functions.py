"""Elementary functions: exact where the value is rational and plain, enclosures otherwise; known signs.

Outside its domain, or where it may be outside, a function is indeterminate (NAN), which decides nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from .arrays import Array, positions, strides
from .findings import arithmetic, elementary, special
from .numbers import (
    HALF,
    HEIGHT,
    NAN,
    ONE,
    ZERO,
    Number,
    add,
    div,
    finite,
    maximum,
    minimum,
    mul,
    sub,
)

Unary = Callable[[Number], Number]


def sqrt(x: Number, known: bool = False) -> Number:
    """`known`: the operand is not negative by how it was made; a ball that reaches below 0 is cut there."""
    if x < 0 or not finite(x):
        return NAN
    if isinstance(x, fmpq):
        return root if (root := _rational_root(x)) is not None else arb(x).sqrt()
    ball = arb(x)
    return (
        ball.sqrt()
        if ball >= 0
        else _between_zero_and(ball.upper().sqrt())
        if known
        else NAN
    )


def _rational_root(x: fmpq) -> fmpq | None:
    p, q = x.p.isqrt(), x.q.isqrt()
    return fmpq(p, q) if p * p == x.p and q * q == x.q else None


def _between_zero_and(top: arb) -> arb:
    return arb(0).union(top)


def power(x: Number, y: Number, known: bool = False) -> Number:
    """x**y with 0**0 = 1; `known` as for a square root."""
    if isinstance(y, fmpq) and y.q == 1:
        return _integer_power(x, int(y.p))
    if not (finite(x) and finite(y)) or x < 0:
        return NAN
    if x == 0:
        return ZERO if y > 0 else NAN
    if isinstance(y, fmpq) and y.q == 2:
        return _integer_power(sqrt(x, known), int(y.p))
    ball = arb(x)
    if ball > 0:
        return ball ** arb(y)
    return _between_zero_and(ball.upper() ** arb(y)) if known and y > 0 else NAN


def _integer_power(x: Number, k: int) -> Number:
    if not finite(x) or (x == 0 and k < 0):
        return NAN
    if x == 0 or x == 1:
        return ONE if k == 0 else x
    if isinstance(x, fmpq) and x.height_bits() * abs(k) <= HEIGHT:
        return x**k
    return arb(x) ** k


def sign(x: Number) -> Number:
    if not finite(x):
        return NAN
    return ONE if x > 0 else -ONE if x < 0 else ZERO if x == 0 else arb(x).sgn()


def floor(x: Number) -> Number:
    return fmpq(x.floor()) if isinstance(x, fmpq) else arb(x).floor()


def ceil(x: Number) -> Number:
    return fmpq(x.ceil()) if isinstance(x, fmpq) else arb(x).ceil()


def rint(x: Number) -> Number:
    """Halves go to the even neighbour; a ball may go either way."""
    if isinstance(x, fmpq):
        near = fmpq((x + HALF).floor())
        return near - 1 if near - x == HALF and near.p % 2 else near
    return arb(x + HALF).floor().union(arb(x - HALF).ceil())


def mod(x: Number, y: Number) -> Number:
    """Floor modulus, with the sign of y."""
    return sub(x, mul(y, floor(div(x, y))))


def gamma(x: Number) -> Number:
    value = arb(x).gamma()
    factorial = value.unique_fmpz() if isinstance(x, fmpq) and x.q == 1 else None
    return value if factorial is None else fmpq(factorial)


def arctan2(y: Number, x: Number) -> Number:
    if not (finite(x) and finite(y)):
        return NAN
    return ZERO if y == 0 and x > 0 else arb.atan2(arb(y), arb(x))


def absolute(x: Number) -> Number:
    return abs(x)


def negative(x: Number) -> Number:
    return -x


def _ball(method: Callable[[arb], arb], known: dict[int, int] | None = None) -> Unary:
    """A function that is a ball except at a few arguments where its value is an integer."""

    def function(x: Number) -> Number:
        for argument, value in (known or {}).items():
            if x == argument:
                return fmpq(value)
        return method(arb(x))

    return function


@dataclass(frozen=True)
class Function:
    """A function of numbers; `price` is what one value takes, `sign` where it is known not to be negative."""

    value: Callable[..., Number]
    price: Callable[[], float] = elementary
    sign: str = ""

    def __call__(self, *x: Number) -> Number:
        return self.value(*x)


NONNEGATIVE, KEEPING = "always", "of non-negative operands"


def _simple() -> float:
    return 2 * arithmetic()


def ndtri(p: Number) -> Number:
    """The quantile of the standard normal law: sqrt(2) erfinv(2 p - 1), in the tails -sqrt(2) erfcinv(2 p)."""
    if p == HALF:
        return ZERO
    doubled = arb(p + p)
    root = arb(2).sqrt()
    return (
        -root * doubled.erfcinv()
        if doubled < arb(HALF)
        else root * arb(p + p - 1).erfinv()
    )


UNARY: dict[str, Function] = {
    "neg": Function(negative, _simple),
    "abs": Function(absolute, _simple, NONNEGATIVE),
    "sqrt": Function(sqrt, sign=NONNEGATIVE),
    "sign": Function(sign, _simple, KEEPING),
    "floor": Function(floor, _simple, KEEPING),
    "ceil": Function(ceil, _simple, KEEPING),
    "rint": Function(rint, _simple, KEEPING),
    "log": Function(_ball(arb.log, {1: 0})),
    "log1p": Function(_ball(arb.log1p, {0: 0}), sign=KEEPING),
    "exp": Function(_ball(arb.exp, {0: 1}), sign=NONNEGATIVE),
    "expm1": Function(_ball(arb.expm1, {0: 0}), sign=KEEPING),
    "sin": Function(_ball(arb.sin, {0: 0})),
    "cos": Function(_ball(arb.cos, {0: 1})),
    "tan": Function(_ball(arb.tan, {0: 0})),
    "arcsin": Function(_ball(arb.asin, {0: 0})),
    "arccos": Function(_ball(arb.acos, {1: 0}), sign=NONNEGATIVE),
    "arctan": Function(_ball(arb.atan, {0: 0}), sign=KEEPING),
    "sinh": Function(_ball(arb.sinh, {0: 0}), sign=KEEPING),
    "cosh": Function(_ball(arb.cosh, {0: 1}), sign=NONNEGATIVE),
    "tanh": Function(_ball(arb.tanh, {0: 0}), sign=KEEPING),
    "erf": Function(_ball(arb.erf, {0: 0}), special, KEEPING),
    "erfc": Function(_ball(arb.erfc, {0: 1}), special, NONNEGATIVE),
    "gamma": Function(gamma, special),
    "gammaln": Function(_ball(arb.lgamma, {1: 0, 2: 0}), special),
    "digamma": Function(_ball(arb.digamma), special),
    "ndtri": Function(ndtri, special),
}

BINARY: dict[str, Function] = {
    "add": Function(add, _simple, KEEPING),
    "sub": Function(sub, _simple),
    "mul": Function(mul, _simple, KEEPING),
    "div": Function(div, _simple, KEEPING),
    "pow": Function(power),
    "maximum": Function(maximum, _simple),
    "minimum": Function(minimum, _simple, KEEPING),
    "mod": Function(mod, _simple),
    "arctan2": Function(arctan2),
}
FUNCTIONS = UNARY | BINARY


# what is known of a node's sign by how it was made, where balls reach below 0: squares, Gram matrices


Node = dict[str, Any]
ALWAYS = frozenset(
    ("svdvals", *(name for name, f in FUNCTIONS.items() if f.sign == NONNEGATIVE))
)
OF_NONNEGATIVE = frozenset("sum prod max min cumsum sort gather mean".split()) | {
    n for n, f in FUNCTIONS.items() if f.sign == KEEPING
}
"""Non-negative of non-negative operands."""


@dataclass(frozen=True)
class Sign:
    """Whether all entries are known to be non-negative, and a matrix (each of a batch) to be PSD."""

    entries: bool = False
    psd: bool = False


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
    return Sign(_nonnegative(made) or all(x >= 0 for x in made.result.data), _psd(made))


def _nonnegative(made: Made) -> bool:
    op, known = made.node["op"], [s.entries for s in made.signs]
    if op in ALWAYS or (op in OF_NONNEGATIVE and all(known) and known):
        return True
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
    if op == "matmul":
        return all(known) or (_twice(made.node) and len(made.arrays[0].shape) == 1)
    return op in ("eigvalsh", "det") and made.signs[0].psd


def _twice(node: Node) -> bool:
    return node["args"][0] == node["args"][1]


def _psd(made: Made) -> bool:
    """A Gram matrix, a sum of PSD matrices, or a multiple of one by a number that is not negative."""
    op = made.node["op"]
    if op == "matmul":
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
