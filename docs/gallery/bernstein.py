"""Bernstein's inequality

A mean of draws with a small variance is closer to its expectation than Hoeffding's inequality says.

The term t / 3 is left out, as if rare events had Gaussian tails.
"""

from boundcheck import Count, P, Unit, exp, marked, quantity, theorem


@theorem("Bernstein 1924")
def bernstein(p: Unit, n: Count, t: Unit):
    """A mean of n coins is t or more above p with probability at most exp(-n t^2 / (2 p (1 - p) + 2 t / 3))."""
    mean = quantity(lambda rng, size: rng.binomial(n, p, size) / n)
    return P(mean - p >= t) <= exp(-n * t**2 / (2 * p * (1 - p) + marked(2, "C") * t / 3))


@theorem("Bernstein 1924, misremembered")
def twin(p: Unit, n: Count, t: Unit):
    """The same as if the mean were Gaussian, by its variance alone."""
    mean = quantity(lambda rng, size: rng.binomial(n, p, size) / n)
    return P(mean - p >= t) <= exp(-n * t**2 / (2 * p * (1 - p)))
