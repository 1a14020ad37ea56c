"""The exponential of moderate or negative numbers, for loops that must vectorise; IEEE arithmetic only."""

import numpy as np

from boundcheck.compiled.jit import kernel

PER_LN2 = 1.4426950408889634  # 1 / ln 2
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # the first with 20 trailing zero bits
ROUND = 6755399441055744.0  # 1.5 2^52: added and subtracted it rounds, and leaves the integer in the low bits
ROUND_BITS = 0x4338000000000000  # of the same number
LOWEST = -708.0  # below, exp is less than 4e-308 and 0 here


@kernel
def exponential(x: float) -> float:
    """exp(x) for x <= 709, relative error below 1e-15; exactly 1 at 0, and 0 below -708."""
    z = max(x, LOWEST)
    shifted = z * PER_LN2 + ROUND
    k = shifted - ROUND
    r = (z - k * LN2_HIGH) - k * LN2_LOW  # |r| <= 0.347: Taylor to degree 13 leaves 5e-18
    y = 1 / 40320 + r * (1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * (1 / 479001600 + r * (1 / 6227020800)))))
    y = 1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040 + r * y))))
    y = 1.0 + r * (1.0 + r * (0.5 + r * y))
    biased = np.float64(shifted).view(np.int64) - np.int64(ROUND_BITS - 1023)
    return y * np.int64(biased << np.int64(52)).view(np.float64) if x >= LOWEST else 0.0
