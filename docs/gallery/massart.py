"""Massart's lemma

The Rademacher complexity of a finite class grows like the root of the logarithm of its size.

Absolute values, which make a class of k vectors one of 2 k.
"""

import numpy as np

from boundcheck import E, Points, log, marked, norm, quantity, sqrt, theorem


@theorem("Massart 2000, Lemma 5.2")
def massart(A: Points("k", "m")):
    """The mean of max <sigma, a> over k vectors a and random signs sigma is at most max |a| sqrt(2 log k)."""
    k, m = A.shape
    sigma = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, m)) - 1)
    return E(np.max(A @ sigma)) <= np.max(norm(A)) * sqrt(marked(2, "C") * log(k))


@theorem("Massart 2000, misremembered")
def twin(A: Points("k", "m")):
    """The same of max |<sigma, a>|."""
    k, m = A.shape
    sigma = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, m)) - 1)
    return E(np.max(np.abs(A @ sigma))) <= np.max(norm(A)) * sqrt(2 * log(k))
