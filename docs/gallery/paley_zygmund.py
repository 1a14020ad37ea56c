"""The Paley-Zygmund inequality

A non-negative variable whose second moment is not much larger than its squared mean is often large.

A square is forgotten.
"""

from boundcheck import FiniteLaw, P, Unit, assume, marked, theorem


@theorem("Paley and Zygmund 1932")
def paley_zygmund(law: FiniteLaw, theta: Unit):
    """X >= 0 is above theta E X with probability at least (1 - theta)^2 (E X)^2 / E X^2."""
    assume(law.low >= 0)
    assume(law.mean > 0)
    return P(law.sample() > theta * law.mean) >= (1 - theta) ** 2 * law.mean**2 / (marked(1, "C") * law.moment(2))


@theorem("Paley and Zygmund 1932, misremembered")
def twin(law: FiniteLaw, theta: Unit):
    """The same with 1 - theta, not squared."""
    assume(law.low >= 0)
    assume(law.mean > 0)
    return P(law.sample() > theta * law.mean) >= (1 - theta) * law.mean**2 / law.moment(2)
