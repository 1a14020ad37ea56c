"""Cantelli's inequality

Chebyshev's inequality for one side.

Half of Chebyshev's bound, as if every law were symmetric.
"""

from boundcheck import FiniteLaw, P, Positive, assume, marked, sqrt, theorem


@theorem("Cantelli 1928")
def cantelli(law: FiniteLaw, t: Positive):
    """X is t or more above its mean with probability at most Var X / (Var X + t^2)."""
    assume(law.variance > 0)
    return P(law.sample() - law.mean >= t) <= marked(1, "C") * law.variance / (law.variance + t**2)


@theorem("Cantelli 1928, misremembered")
def twin(law: FiniteLaw, k: Positive):
    """X is k or more standard deviations above its mean with probability at most 1 / (2 k^2)."""
    assume(law.variance > 0)
    return P(law.sample() - law.mean >= k * sqrt(law.variance)) <= 1 / (2 * k**2)
