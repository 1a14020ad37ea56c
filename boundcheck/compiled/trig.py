"""Cosine and sine of angles in turns: cosine(u) = cos(2 pi u), for loops that must vectorise.

Only + - * and rint occur, so every IEEE machine gives the same bits. The reduction to half a turn is exact
however large the angle, and the absolute error is below 4e-16.
"""

import numpy as np

from boundcheck.compiled.jit import kernel

# sin(2 pi t) = t P(t^2): P interpolates in the nine Chebyshev nodes of [0, 1/16], relative error 3.2e-19.
P0, P1, P2 = 6.283185307179586, -41.341702240399755, 81.60524927607362
P3, P4, P5 = -76.70585975282492, 42.058693925428685, -15.0946416761179
P6, P7, P8 = 3.8199280942271643, -0.7177337921413454, 0.10089695501646812


@kernel
def _quarter_sine(t: float) -> float:
    """sin(2 pi t) for a reduced angle, |t| <= 1/4."""
    y = t * t
    return t * (P0 + y * (P1 + y * (P2 + y * (P3 + y * (P4 + y * (P5 + y * (P6 + y * (P7 + y * P8))))))))


@kernel
def cosine(u: float) -> float:
    """cos(2 pi u)."""
    return _quarter_sine(0.25 - abs(u - np.rint(u)))


@kernel
def sine(u: float) -> float:
    """sin(2 pi u)."""
    r = u - np.rint(u)
    mirrored = (0.5 if r > 0.0 else -0.5) - r
    return _quarter_sine(mirrored if abs(r) > 0.25 else r)
