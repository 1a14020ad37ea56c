"""Population minimisers of the regularised risk in H and in H_M (Section 3): squared, hinge and logistic
loss.

A function of the space of K is written g = rho^(-1/2) T^(1/2) h with its norm ||h||, in the orthonormal basis
of the inputs.
"""

import numpy as np

from boundcheck import assume, maximum, minimum, solve, sqrt
from boundcheck.words.linalg import identity
from theory.yashima2021.logistic_minimiser import LogisticPair


def signal(case):
    """rho^(1/2) E[Y | x], (n,)."""
    return sqrt(case.rho) * (2 * case.eta - 1)


def ridge_minimiser(case, T, lam):
    """rho^(1/2) g of the minimiser for the squared loss (1 - v)^2 / 2: (T + lam I)^-1 T rho^(1/2)
    E[Y | x], (..., n).
    """
    return solve(T + lam * identity(case.n), (T @ signal(case))[..., None])[..., 0]


def clipped_minimiser(k, share, lam):
    """Values of the minimiser for the hinge loss and a diagonal kernel k, from share = rho
    E[Y | x], (..., n).
    """
    return maximum(minimum(k * share / lam, 1), -1)


def logistic_pair(case, share, lam):
    """The two minimisers of the logistic risk, where Newton's method has found them."""
    pair = LogisticPair(case, share[: len(case.tau)], lam)
    assume(np.sum(pair.share) > 0)
    assume(case.R**2 <= 20 * lam)
    assume(pair.radius <= 1e-6)
    return pair
