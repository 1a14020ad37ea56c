"""Functions of numbers, a row each: exact where the value is rational and plain, enclosures otherwise.

Outside its domain, or where it may be outside, a function is indeterminate (NAN), which decides nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from .findings import arithmetic, elementary, special
from .limits import HEIGHT
from .numbers import (
    HALF,
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


def sqrt(x: Number, known: bool = False) -> Number:
    """`known`: the operand is not negative by how it was made; a ball that reaches below 0 is cut there."""
    if x < 0 or not finite(x):
        return NAN
    if isinstance(x, fmpq):
        return (
            root if (root := _rational_root(x)) is not None else arb(x).sqrt()
        )
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
    # Arb's power is exp(y log x), which no base that reaches 0 has; t^y increases with t >= 0 for y > 0, so that the
    # power of a base in [0, u] is in [0, u^y].
    if ball > 0:
        return ball ** arb(y)
    return _between_zero_and(ball.upper() ** arb(y)) if known and y > 0 else NAN


def _integer_power(x: Number, k: int) -> Number:
    if not finite(x) or (x == 0 and k < 0):
        return NAN
    if x == 0 or x == 1:
        return ONE if k == 0 else x
    # Powers by squaring enclose the exact one also where the base reaches 0; by logarithms they would not.
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
    # The nearest integer is between ceil(x - 1/2) and floor(x + 1/2), which differ at halves alone.
    return arb(x + HALF).floor().union(arb(x - HALF).ceil())


def mod(x: Number, y: Number) -> Number:
    """Floor modulus, with the sign of y."""
    return sub(x, mul(y, floor(div(x, y))))


def gamma(x: Number) -> Number:
    # An enclosure that holds one integer says which one a factorial is; elsewhere the value may be any number of it.
    value = arb(x).gamma()
    factorial = (
        value.unique_fmpz() if isinstance(x, fmpq) and x.q == 1 else None
    )
    return value if factorial is None else fmpq(factorial)


def arctan2(y: Number, x: Number) -> Number:
    if not (finite(x) and finite(y)):
        return NAN
    return ZERO if y == 0 and x > 0 else arb.atan2(arb(y), arb(x))


def absolute(x: Number) -> Number:
    return abs(x)


def negative(x: Number) -> Number:
    return -x


@dataclass(frozen=True)
class Function:
    """All that is known of one function of numbers: a row of the table below."""

    value: Callable[..., Number]
    price: Callable[[], float] = elementary
    """What one value takes."""

    sign: str = ""
    """Where it is known not to be negative, whatever its ball reaches to."""

    increases: bool = False
    """Whether it does so, in the weak sense, wherever it is defined."""

    slope: Slope | None = None
    """Derivative and elasticity: the derivative of the logarithm, where the operand has one."""

    total: Range | None = None
    """The range of a function that is defined for all numbers and has no rules among normal forms."""

    word: str = ""
    """The text in Rocq, with {} for each operand: of the same meaning wherever `value` is finite."""

    where: str = ""
    """Where it has a value, as Rocq says it of the operands {0} and {1}."""

    ball: Callable[..., arb] | None = None
    """The value of balls, where nothing is looked up first, or it is narrower."""

    def __call__(self, *x: Number) -> Number:
        return self.value(*x)


def _of_balls(
    method: Callable[[arb], arb],
    known: dict[int, int] | None = None,
    **more: Any,
) -> Function:
    """A function that is a ball except at a few arguments where its value is an integer."""

    def value(x: Number) -> Number:
        for argument, integer in (known or {}).items():
            if x == argument:
                return fmpq(integer)
        return method(arb(x))

    return Function(value, ball=method, **more)


def _modulus(x: arb) -> arb:
    """Not below 0, as Arb's own is where a ball reaches to both sides."""
    return x if x >= 0 else -x if x <= 0 else x.abs_lower().union(x.abs_upper())


Range = tuple[fmpq | None, fmpq | None, bool]
Slope = Callable[[arb, arb, arb, arb | None], tuple[arb, arb | None]]
"""From x, f(x), and the derivative and elasticity of x, those of f(x)."""

NONNEGATIVE, KEEPING = "always", "of non-negative operands"
UNIT, LINE, HALF_LINE = (
    (-ONE, ONE, True),
    (None, None, True),
    (ZERO, None, False),
)


def _by(derivative: Callable[[arb, arb], arb]) -> Slope:
    """The chain rule, by the derivative as a function of x and f(x)."""
    return lambda x, z, A, E: (A * derivative(x, z), None)


def _step(x: arb, z: arb, A: arb, E: arb | None) -> tuple[arb, arb | None]:
    """Flat where the ball of the value is one number: then no jump lies on the box."""
    return (arb(0) if z.is_exact() and z.is_finite() else NAN), None


def _of_modulus(
    x: arb, z: arb, A: arb, E: arb | None
) -> tuple[arb, arb | None]:
    return (A, E) if x > 0 else (-A, E) if x < 0 else (A.union(-A), None)


def _gauss(x: arb) -> arb:
    # The derivative of erf.
    return 2 * (-x * x).exp() / arb.pi().sqrt()


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
    "neg": Function(
        negative, _simple, slope=lambda x, z, A, E: (-A, E), word="(- {})"
    ),
    "abs": Function(
        absolute,
        _simple,
        NONNEGATIVE,
        slope=_of_modulus,
        word="(Rabs {})",
        ball=_modulus,
    ),
    "sqrt": Function(
        sqrt,
        sign=NONNEGATIVE,
        increases=True,
        slope=lambda x, z, A, E: (A / (2 * z), None if E is None else E / 2),
        word="(sqrt {})",
        where="0 <= {0}",
    ),
    "sign": Function(sign, _simple, KEEPING, slope=_step, total=UNIT),
    "floor": Function(floor, _simple, KEEPING, True, _step, LINE),
    "ceil": Function(ceil, _simple, KEEPING, True, _step, LINE),
    "rint": Function(rint, _simple, KEEPING, slope=_step, total=LINE),
    "log": _of_balls(
        arb.log,
        {1: 0},
        increases=True,
        slope=lambda x, z, A, E: (A / x if E is None else E, None),
        word="(ln {})",
        where="0 < {0}",
    ),
    "log1p": _of_balls(
        arb.log1p,
        {0: 0},
        sign=KEEPING,
        increases=True,
        slope=_by(lambda x, z: 1 / (1 + x)),
        word="(ln (1 + {}))",
        where="0 < 1 + {0}",
    ),
    "exp": _of_balls(
        arb.exp,
        {0: 1},
        sign=NONNEGATIVE,
        increases=True,
        slope=lambda x, z, A, E: (z * A, A),
        word="(exp {})",
    ),
    "expm1": _of_balls(
        arb.expm1,
        {0: 0},
        sign=KEEPING,
        increases=True,
        slope=_by(lambda x, z: 1 + z),
        word="(exp {} - 1)",
    ),
    "sin": _of_balls(
        arb.sin,
        {0: 0},
        slope=_by(lambda x, z: x.cos()),
        total=UNIT,
        word="(sin {})",
    ),
    "cos": _of_balls(
        arb.cos,
        {0: 1},
        slope=_by(lambda x, z: -x.sin()),
        total=UNIT,
        word="(cos {})",
    ),
    "tan": _of_balls(
        arb.tan, {0: 0}, slope=_by(lambda x, z: 1 + z * z), word="(tan {})"
    ),
    "arcsin": _of_balls(
        arb.asin, {0: 0}, slope=_by(lambda x, z: 1 / (1 - x * x).sqrt())
    ),
    "arccos": _of_balls(
        arb.acos,
        {1: 0},
        sign=NONNEGATIVE,
        slope=_by(lambda x, z: -1 / (1 - x * x).sqrt()),
    ),
    "arctan": _of_balls(
        arb.atan,
        {0: 0},
        sign=KEEPING,
        increases=True,
        slope=_by(lambda x, z: 1 / (1 + x * x)),
        total=LINE,
        word="(atan {})",
    ),
    "sinh": _of_balls(
        arb.sinh,
        {0: 0},
        sign=KEEPING,
        increases=True,
        slope=_by(lambda x, z: x.cosh()),
    ),
    "cosh": _of_balls(
        arb.cosh, {0: 1}, sign=NONNEGATIVE, slope=_by(lambda x, z: x.sinh())
    ),
    "tanh": _of_balls(
        arb.tanh,
        {0: 0},
        sign=KEEPING,
        increases=True,
        slope=_by(lambda x, z: 1 - z * z),
    ),
    "erf": _of_balls(
        arb.erf,
        {0: 0},
        price=special,
        sign=KEEPING,
        increases=True,
        slope=_by(lambda x, z: _gauss(x)),
        total=UNIT,
    ),
    "erfc": _of_balls(
        arb.erfc,
        {0: 1},
        price=special,
        sign=NONNEGATIVE,
        slope=_by(lambda x, z: -_gauss(x)),
        total=HALF_LINE,
    ),
    "gamma": Function(gamma, special),
    "gammaln": _of_balls(
        arb.lgamma,
        {1: 0, 2: 0},
        price=special,
        slope=_by(lambda x, z: x.digamma()),
    ),
    "digamma": _of_balls(arb.digamma, price=special),
    "ndtri": Function(ndtri, special),
}

BINARY: dict[str, Function] = {
    "add": Function(add, _simple, KEEPING, word="({} + {})", ball=operator.add),
    "sub": Function(sub, _simple, word="({} - {})", ball=operator.sub),
    "mul": Function(mul, _simple, KEEPING, word="({} * {})", ball=operator.mul),
    "div": Function(
        div,
        _simple,
        KEEPING,
        word="({} / {})",
        where="{1} <> 0",
        ball=operator.truediv,
    ),
    "pow": Function(power, where="0 < {0}"),
    "maximum": Function(maximum, _simple),
    "minimum": Function(minimum, _simple, KEEPING),
    "mod": Function(mod, _simple, where="{1} <> 0"),
    "arctan2": Function(arctan2),
}
FUNCTIONS = UNARY | BINARY
"""A new function is a row here; slopes of two operands are in `boxes`, words that need a proof in `rocq.programs`."""
