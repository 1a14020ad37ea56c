"""The Chernoff bound

The tail of a binomial count is exponential in a relative entropy.

The arguments of the relative entropy, which is not symmetric, are exchanged.
"""

from boundcheck import Count, Few, P, Unit, assume, exp, log, marked, quantity, theorem


def kl(q: float, p: float) -> float:
    """Relative entropy of a coin q to a coin p."""
    return q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))


@theorem("Chernoff 1952, Theorem 1")
def chernoff(p: Unit, q: Unit, n: Count):
    """A mean of n coins p is q or more with probability at most exp(-n kl(q, p))."""
    assume(p <= q)
    mean = quantity(lambda rng, size: rng.binomial(n, p, size) / n)
    return P(mean >= q) <= marked(1, "C") * exp(-n * kl(q, p))


@theorem("Chernoff 1952, misremembered")
def twin(p: Unit, q: Unit, n: Few):
    """The same with kl(p, q), of at most three coins."""
    assume(p <= q)
    mean = quantity(lambda rng, size: rng.binomial(n, p, size) / n)
    return P(mean >= q) <= exp(-n * kl(p, q))
