"""Appendix B for a few random Fourier features at dozens of points: how far their kernel is off in mean square."""

import numpy as np

from boundcheck import E, integers, ridge_leverage_scores
from boundcheck.features.compiled.ridge import bernstein_quantities
from boundcheck.features.deviation import resampled_deviation
from boundcheck.features.kernels import Gaussian

from . import paper


def pool(n, d, m, seed):
    """m random Fourier features of the Gaussian kernel of width 1 at n normal points in R^d: n x m."""
    points = 2 * np.pi * Gaussian.frequencies(seed, 0, n, d)
    return Gaussian(1.0).features(m, d, seed, 1).of(points)


@paper.lemma("lemma27.mean_square", section="Appendix B")
def deviation_in_mean_square(
    n: integers(16, 60), d: integers(1, 3), m: integers(2, 4), s: integers(1, 20), t: integers(0, 4), seed: integers(0, 9999)
):  # fmt: skip
    """For pools of 2 to 4 random Fourier features of the Gaussian kernel of width 1, at 16 to 60 normal
    points of dimension up to 3, and for lam = 1, .1, .., 10^-4, the mean of the squared norm of Lemma 27, for s <=
    20 features drawn from the pool by leverage scores, is at most (Tr E R^2 - |E R|_F^2) / s.

    K is the kernel of the pool. What the second moment of Lemma 27 gives without a Bernstein inequality; not in
    the paper. lam = 10^-t.
    Proof. S, the mean of s independent R_i - E R, has |S|^2 <= |S|_F^2, whose mean is that of |R - E R|_F^2
    over s.
    """
    Z, p, lam = pool(n, d, m, seed), np.full(m, 1 / m), 10.0**-t
    K = (Z * p) @ Z.T
    scores = ridge_leverage_scores(Z, p, K, n * lam)
    q, mu = scores / scores.sum(), np.linalg.eigvalsh(K)
    second_moment = bernstein_quantities(Z, p, q, K, lam)[2]
    mean = (mu / (mu + n * lam)) ** 2
    return E(resampled_deviation(Z, p, q, lam, s) ** 2) <= (second_moment - mean.sum()) / s
