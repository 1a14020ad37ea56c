"""The exponential of moderate or negative numbers, for loops that must vectorise; IEEE arithmetic only."""

import numpy as np

from boundcheck.compiled.jit import kernel

PER_LN2 = 1.4426950408889634  # 1 / ln 2
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # the first with 20 trailing zero bits
ROUND = 6755399441055744.0  # 1.5 2^52: added and subtracted it rounds, and leaves the integer in the low bits
ROUND_BITS = 0x4338000000000000  # of the same number
# exp(r) = 1 + r + r^2 P(r): P interpolates in ten Chebyshev nodes of |r| <= ln(2) / 2, relative error 1.6e-17.
P2, P3, P4, P5, P6 = 0.5, 0.16666666666666669, 0.041666666666624094, 0.00833333333333006, 0.0013888888917230724
P7, P8, P9 = 0.00019841269863066696, 2.4801521269532122e-05, 2.7557268439678e-06
P10, P11 = 2.7620101012098e-07, 2.5100395159429243e-08
LOWEST = -708.0  # below, exp is less than 4e-308 and 0 here


@kernel
def exponential(x: float) -> float:
    """exp(x) for x <= 709, relative error below 1e-15; exactly 1 at 0, and 0 below -708."""
    z = max(x, LOWEST)
    shifted = z * PER_LN2 + ROUND
    k = shifted - ROUND
    r = (z - k * LN2_HIGH) - k * LN2_LOW  # |r| <= 0.347
    y = P6 + r * (P7 + r * (P8 + r * (P9 + r * (P10 + r * P11))))
    y = 1.0 + r * (1.0 + r * (P2 + r * (P3 + r * (P4 + r * (P5 + r * y)))))
    biased = np.float64(shifted).view(np.int64) - np.int64(ROUND_BITS - 1023)
    return y * np.int64(biased << np.int64(52)).view(np.float64) if x >= LOWEST else 0.0
