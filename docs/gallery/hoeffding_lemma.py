"""Hoeffding's lemma

A bounded variable is sub-Gaussian: a quarter of its squared range takes the place of the variance.

The variance itself, which is smaller.
"""

from boundcheck import Real, Unit, at_most, exp, marked, theorem


@theorem("Hoeffding 1963, (4.16)")
def hoeffding_lemma(p: Unit, s: Real):
    """A centred coin has E exp(s (X - p)) <= exp(s^2 / 8)."""
    return at_most(p * exp(s * (1 - p)) + (1 - p) * exp(-s * p), exp(s**2 * marked(0.25, "V") / 2))


@theorem("Hoeffding 1963, misremembered")
def twin(p: Unit, s: Real):
    """The same with the variance p (1 - p) in place of 1 / 4."""
    return at_most(p * exp(s * (1 - p)) + (1 - p) * exp(-s * p), exp(s**2 * p * (1 - p) / 2))
