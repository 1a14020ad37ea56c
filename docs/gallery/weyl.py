"""Weyl's inequality

A symmetric perturbation moves no eigenvalue of a symmetric matrix further than its norm.

Of any square matrix: eigenvalues of matrices that are not symmetric may move like a root.
"""

import numpy as np

from boundcheck import SquareMatrix, Symmetric, at_most, eigenvalues, marked, opnorm, spectral_radius, theorem


@theorem("Weyl 1912")
def weyl(A: Symmetric("n"), E: Symmetric("n")):
    """Each eigenvalue of A + E is within |E| of the one of A in its place."""
    return at_most(np.max(np.abs(eigenvalues(A + E) - eigenvalues(A))), marked(1, "C") * opnorm(E))


@theorem("Weyl 1912, misremembered")
def twin(A: SquareMatrix(2), E: SquareMatrix(2)):
    """The same of the largest eigenvalue, in modulus, of any 2 x 2 matrix."""
    return at_most(spectral_radius(A + E), spectral_radius(A) + opnorm(E))
