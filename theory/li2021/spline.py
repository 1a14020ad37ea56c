"""Section 5: the spline kernel of Figure 1, its features and its leverage scores, with the series cut after a
few terms.
"""

from typing import Any

import numpy as np

from boundcheck import Positive, Real, Vector, at_most, cos, equal, integers, pi, rate, solve, sqrt
from boundcheck.words.functions import identity

from . import paper

Terms = integers(1, 4)
Power = integers(2, 5)


def spline(M, r, x, y) -> Any:
    """1 + sum over m <= M of cos(2 pi m (x - y)) / m^r."""
    return 1 + sum(cos(2 * pi * m * (x - y)) / m**r for m in range(1, M + 1))


@paper.identity("fig1.kernel", section="Section 5")
def spline_kernel_as_printed(M: Terms, r: integers(1, 3), x: Real, y: Real):
    """k_2r(x, y) is the mean of z(v, x) z(v, y) over v uniform on [0, 1], with z = k_r; for r = 1, 2, 3 and
    series cut after up to 4 terms.

    The series end on both sides at m = M, as the identity compares coefficients; v on 2 M + 1 equidistant
    points then has the mean of v uniform on [0, 1].
    """
    v = np.arange(2 * M + 1) / (2 * M + 1)
    return equal((spline(M, r, v, x) * spline(M, r, v, y)).sum() / (2 * M + 1), spline(M, 2 * r, x, y))


@paper.identity("fig1.kernel.repaired", section="Section 5", repairs="fig1.kernel")
def spline_kernel(M: Terms, r: integers(1, 3), x: Real, y: Real):
    """k_2r(x, y) is the mean of z(v, x) z(v, y) over v uniform on [0, 1], with z = 1 + sqrt(2) (k_r - 1); for
    r = 1, 2, 3 and series cut after up to 4 terms.

    Proof. The mean of cos(2 pi m (v - x)) cos(2 pi l (v - y)) is cos(2 pi m (x - y)) / 2 for l = m, else 0.
    """
    v = np.arange(2 * M + 1) / (2 * M + 1)
    z_x, z_y = (1 + sqrt(2) * (spline(M, r, v, point) - 1) for point in (x, y))
    return equal((z_x * z_y).sum() / (2 * M + 1), spline(M, 2 * r, x, y))


@paper.remark("fig1.zbounded", section="Section 5")
def spline_feature_is_bounded_for_every_r(r: integers(1, 3)):
    """The features z = k_r are bounded, as Assumption 2 wants, for r = 1, 2, 3; z at v = x, read as a rate in
    the number of terms, 10, 100 and 1000.
    """
    return rate({M: 1 + sum(1 / m**r for m in range(1, M + 1)) for M in (10, 100, 1000)}, at_most=0)


@paper.lemma("fig1.zbounded.smooth", section="Section 5", repairs="fig1.zbounded")
def spline_feature_is_bounded(M: integers(1, 50), r: Power, v: Real, x: Real):
    """For r = 2, .., 5, not for r = 1, the features z = k_r are bounded, as Assumption 2 wants: |z| <= 1 + r /
    (r - 1), with up to 50 terms of the series.

    The text does not say which r it took (Figure 1, not at hand, may); for r = 1 the series is 1 - log(2 |sin
    pi (v - x)|), which is not bounded.
    """
    return at_most(abs(spline(M, r, v, x)), 1 + r / (r - 1))


@paper.lemma("fig1.qstar", section="Section 5")
def leverage_of_spline_features_at_a_sample(
    M: Terms, r: integers(1, 3), x: Vector("n"), v: Real, w: Real, lam: Positive
):
    """The ridge leverage scores (6) of the spline features 1 + sqrt(2) (k_r - 1), as repaired, at a sample do not
    depend on v, so that q* is uniform, as p; for r = 1, 2, 3 and series cut after up to 4 terms.
    """
    K = spline(M, 2 * r, x[:, None], x[None, :])
    z = np.stack([1 + sqrt(2) * (spline(M, r, point, x) - 1) for point in (v, w)], axis=1)
    score = (z * solve(K + len(x) * lam * identity(len(x)), z)).sum(axis=0)
    return equal(score[0], score[1])


@paper.lemma("fig1.qstar.population", section="Section 5", repairs="fig1.qstar")
def leverage_of_spline_features_is_constant(
    M: Terms, r: integers(1, 3), extra: integers(1, 4), v: Real, w: Real, lam: Positive
):
    """For equidistant inputs, which have the moments of the inputs' uniform law, not for a sample, the leverage
    scores of the spline features 1 + sqrt(2) (k_r - 1), as repaired, do not depend on v, so that q* is uniform; for
    r = 1, 2, 3 and series cut after up to 4 terms.

    As in Bach 2017b. There are 2 M + 1 to 2 M + 4 inputs for M terms. Proof: K is circulant in x, so that the
    score is a sum over frequencies of their coefficients in z(v, .), which v changes by a phase only.
    """
    n = 2 * M + extra
    x = np.arange(n) / n
    K = spline(M, 2 * r, x[:, None], x[None, :])
    z = np.stack([1 + sqrt(2) * (spline(M, r, point, x) - 1) for point in (v, w)], axis=1)
    score = (z * solve(K + n * lam * identity(n), z)).sum(axis=0)
    return equal(score[0], score[1])
