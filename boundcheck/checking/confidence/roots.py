"""Where a function that is negative at a point first becomes non-negative on the way out."""

from collections.abc import Callable
from math import copysign, inf

FARTHEST = 700.0
"""No walk goes beyond this logarithm: exp(-700) is about the smallest double."""

OUTWARD = 1e-9
"""Every bound is moved outward by this much in logarithm, far more than rounding can have moved it inward."""


def walk_out(f: Callable[[float], float], start: float, step: float) -> float:
    """End of the set f < 0 that contains `start`, in the direction of `step`; never inside the set.

    An infinity of the sign of `step` if f stays negative. The values of f may be infinite.
    """
    near, far = start, start + step
    while not f(far) >= 0:
        if abs(far) >= FARTHEST:
            return copysign(inf, step)
        step *= 2
        near, far = far, min(max(far + step, -FARTHEST), FARTHEST)
    while abs(far - near) > 1e-13 * max(1.0, abs(far)):
        middle = (near + far) / 2
        near, far = (near, middle) if f(middle) >= 0 else (middle, far)
    return far
