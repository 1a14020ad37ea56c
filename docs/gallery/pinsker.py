"""Pinsker's inequality

Laws with a small relative entropy are close in total variation, which is half of their l1 distance.

The half is forgotten.
"""

import numpy as np
from scipy import special

from boundcheck import Simplex, at_most, marked, sqrt, theorem


@theorem("Pinsker 1964; the constant by Csiszar, Kemperman and Kullback 1967")
def pinsker(p: Simplex("n"), q: Simplex("n")):
    """The total variation of two laws is at most the root of half their relative entropy."""
    variation = np.sum(np.abs(p - q)) / 2
    return at_most(variation, sqrt(marked(0.5, "C") * np.sum(special.rel_entr(p, q))))


@theorem("Pinsker 1964, misremembered")
def twin(p: Simplex("n"), q: Simplex("n")):
    """The same of the l1 distance."""
    return at_most(np.sum(np.abs(p - q)), sqrt(np.sum(special.rel_entr(p, q)) / 2))
