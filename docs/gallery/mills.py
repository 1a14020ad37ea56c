"""The Gaussian tail

Gordon's bounds of the Mills ratio, one of them with a constant that is the best.

Both tails for the price of one.
"""

from scipy import special

from boundcheck import at_most, between, exp, marked, pi, sqrt, theorem


@theorem("Gordon 1941")
def mills(t: between(0.1, 20, closed=True)):
    """A standard Gaussian exceeds t with probability at most exp(-t^2 / 2) / (t sqrt(2 pi)), and at least t^2 / (1 + t^2) of it."""
    density = exp(-(t**2) / 2) / sqrt(2 * pi)
    tail = special.ndtr(-t)
    return at_most(tail, density / t), at_most(t / (marked(1, "C") + t**2) * density, tail)


@theorem("Gordon 1941, misremembered")
def twin(t: between(0.1, 20, closed=True)):
    """The same of both tails."""
    return at_most(2 * special.ndtr(-t), exp(-(t**2) / 2) / (t * sqrt(2 * pi)))
