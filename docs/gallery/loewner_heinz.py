"""The Loewner-Heinz inequality

The square root is operator monotone.

So is the square.
"""

from boundcheck import PSD, loewner, marked, psd_sqrt, theorem


@theorem("Loewner 1934, Heinz 1951")
def loewner_heinz(A: PSD("n"), D: PSD("n")):
    """A <= A + D in the Loewner order, and so are the roots."""
    return loewner(psd_sqrt(A), marked(1, "C") * psd_sqrt(A + D))


@theorem("Loewner 1934, misremembered")
def twin(A: PSD("n"), D: PSD("n")):
    """And so are the squares."""
    return loewner(A @ A, (A + D) @ (A + D))
