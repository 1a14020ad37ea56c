"""The Golden-Thompson inequality

Where bounds of sums of random matrices begin: the trace of an exponential of a sum is at most that of the product.

The same of three matrices.
"""

from boundcheck import Few, Symmetric, at_most, expm, marked, theorem, trace


@theorem("Golden 1965, Thompson 1965")
def golden_thompson(n: Few, A: Symmetric("n"), B: Symmetric("n")):
    """Tr exp(A + B) <= Tr exp(A) exp(B)."""
    return at_most(trace(expm(A + B)), marked(1, "C") * trace(expm(A) @ expm(B)))


@theorem("Golden 1965, Thompson 1965, misremembered")
def twin(A: Symmetric(2), B: Symmetric(2), C: Symmetric(2)):
    """The same of three matrices, 2 x 2."""
    return at_most(trace(expm(A + B + C)), trace(expm(A) @ expm(B) @ expm(C)))
