"""Hoeffding's inequality

A mean of n independent draws in [0, 1] is seldom far above its expectation. Coins are the worst draws.

Two sides for the price of one: the factor 2 of the union bound is forgotten.
"""

from boundcheck import Count, P, Unit, exp, marked, quantity, theorem


@theorem("Hoeffding 1963, Theorem 2")
def hoeffding(p: Unit, n: Count, t: Unit):
    """A mean of n coins is t or more above p with probability at most exp(-2 n t^2)."""
    mean = quantity(lambda rng, size: rng.binomial(n, p, size) / n)
    return P(mean - p >= t) <= exp(-n * t**2 / (2 * marked(0.25, "V")))


@theorem("Hoeffding 1963, misremembered")
def twin(p: Unit, n: Count, t: Unit):
    """The same of both sides at once; the factor 2 is forgotten."""
    mean = quantity(lambda rng, size: rng.binomial(n, p, size) / n)
    return P(abs(mean - p) >= t) <= exp(-2 * n * t**2)
