"""The compiled layer: arrays in, arrays out; the only place where Numba is imported, and configured here.

With it cosine, sine, exponential and logarithm for loops that must vectorise. No libm: only + - * / and rint
occur, so every machine gives the same bits.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np
from numba import njit
from numba.core.event import Listener, register, unregister
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable)
Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

COMPILING = "numba:compile"
U = 2.0**-53  # unit roundoff


def jitted(function: F) -> F:
    """Compile a function of contiguous arrays and scalars, on first use, and keep the code on disk.

    No fastmath: a checker must not reassociate sums, and without contraction all machines agree.
    error_model="numpy": a division that could raise would keep the loop around it from vectorising.
    """
    return cast(F, njit(function, cache=True, error_model="numpy", nogil=True))


def tell(say: Callable[[], object]) -> None:
    """Call `say` when something is compiled for the first time, which no earlier run has left on disk."""

    class First(Listener):
        def on_start(self, event: object) -> None:
            unregister(COMPILING, self)
            say()

        def on_end(self, event: object) -> None:
            pass

    register(COMPILING, First())


# angles are in turns; the reduction to half a turn is exact however large, the absolute error is below 4e-16:
# sin(2 pi t) = t P(t^2): P interpolates in the nine Chebyshev nodes of [0, 1/16], relative error 3.2e-19.
SINE = (0.10089695501646812, -0.7177337921413454, 3.8199280942271643, -15.0946416761179, 42.058693925428685,
        -76.70585975282492, 81.60524927607362, -41.341702240399755, 6.283185307179586)  # fmt: skip


@jitted
def _quarter_sine(t: float) -> float:
    """sin(2 pi t) for a reduced angle, |t| <= 1/4."""
    y, P = t * t, 0.0
    for c in SINE:
        P = c + y * P
    return t * P


@jitted
def cosine(u: float) -> float:
    """cos(2 pi u)."""
    return _quarter_sine(0.25 - abs(u - np.rint(u)))


@jitted
def sine(u: float) -> float:
    """sin(2 pi u)."""
    r = u - np.rint(u)
    mirrored = (0.5 if r > 0.0 else -0.5) - r
    return _quarter_sine(mirrored if abs(r) > 0.25 else r)


PER_LN2 = 1.4426950408889634  # 1 / ln 2
LN2_HIGH = 0.6931471803691238  # with 20 trailing zero bits
LN2_LOW = 1.9082149292705877e-10
ROUND = 6755399441055744.0  # 1.5 2^52: added and subtracted it rounds, and leaves the integer in the low bits
ROUND_BITS = 0x4338000000000000  # of the same number
# exp(r) = 1 + r + r^2 P(r): P interpolates in ten Chebyshev nodes, |r| <= ln(2) / 2, relative error 1.6e-17.
EXP = (2.5100395159429243e-08, 2.7620101012098e-07, 2.7557268439678e-06, 2.4801521269532122e-05, 0.00019841269863069626,
       0.0013888888917230724, 0.00833333333333006, 0.041666666666624094, 0.16666666666666669, 0.5, 1.0, 1.0)  # fmt: skip
LOWEST = -708.0  # below, exp is less than 4e-308 and 0 here


@jitted
def exponential(x: float) -> float:
    """exp(x) for x <= 709, relative error below 1e-15; exactly 1 at 0, and 0 below -708."""
    z = max(x, LOWEST)
    shifted = z * PER_LN2 + ROUND
    k = shifted - ROUND
    r = (z - k * LN2_HIGH) - k * LN2_LOW  # |r| <= 0.347
    y = 0.0
    for c in EXP:
        y = c + r * y
    biased = np.float64(shifted).view(np.int64) - np.int64(ROUND_BITS - 1023)
    return (
        y * np.int64(biased << np.int64(52)).view(np.float64)
        if x >= LOWEST
        else 0.0
    )


@jitted
def logarithm(x: float) -> float:
    """Natural logarithm of a normal positive float, relative error below 1e-15; IEEE arithmetic only."""
    bits = np.float64(x).view(np.int64) - np.int64(
        0x3FE6A09E667F3BCD
    )  # binary exponent above sqrt(1/2)
    exponent = bits >> np.int64(52)
    m = np.int64(
        (bits & np.int64(0xFFFFFFFFFFFFF)) + np.int64(0x3FE6A09E667F3BCD)
    ).view(np.float64)
    f = (m - 1.0) / (
        m + 1.0
    )  # |f| <= 0.172, and log m = 2 (f + f^3/3 + f^5/5 + ...)
    y = f * f
    tail = 0.0
    for k in range(23, 1, -2):
        tail = 1.0 / k + y * tail
    tail = y * tail
    return exponent * LN2_HIGH + (
        2.0 * f + (2.0 * f * tail + exponent * LN2_LOW)
    )
