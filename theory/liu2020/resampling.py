"""Section 3.2: the laws that Algorithm 1 resamples from, Eqs. (12) to (15), and when the two agree.

z_p(w, x) = exp(-i w^T x) except in Z_l, whose columns carry 1 / sqrt(l): see
s1.Kapprox.repaired in features.py.
"""

import numpy as np

from boundcheck import E, Matrix, Simplex, Unit, Vector, assume, at_most, equal, quantity

from . import Few, paper
from .surrogate_leverage import FourierFeatures


def total_variation(a, b):
    """Half the sum of |a - b|."""
    return np.abs(a - b).sum() / 2


@paper.algorithm("eq12", section="Section 3.2, Eq. (12)", repairs="eq12.density")
def law_of_the_pool(case: FourierFeatures, size_of_pool: Few):
    """The denominator of (12) has the mean Tr[(y y^T + n I) K] = n^2 lam D_K, over pools of up to 3 drawn
    from p.
    """
    n = case.n
    pool = quantity(lambda rng, size: rng.multinomial(size_of_pool, case.p, size)) / size_of_pool
    return equal(E((pool * (case.alignment + n * n)).sum()), n**2 * case.lam * case.D)


@paper.algorithm("eq12.density", section="Section 3.2, Eq. (12)")
def law_of_the_pool_is_normalised(case: FourierFeatures, pool: Simplex(4)):
    """q~ of (12) is a distribution: its integral, (y^T K y + n Tr K) over the denominator, is 1 for every
    pool.

    pool holds the shares of the four features in it; z_p and Z_l with the same scale.
    """
    scores = case.alignment + case.n**2
    return equal((case.p * scores).sum(), (pool * scores).sum())


@paper.algorithm("eq13_14", section="Section 3.2, Eqs. (13) and (14)")
def law_without_the_identity(case: FourierFeatures, size_of_pool: Few):
    """Without n I, the denominator of (14) has the mean n^2 lam int L'_lam, over pools of up to 3 drawn from
    p.
    """
    without = case.p * case.form(case.y[:, None] * case.y[None, :]) / (case.n**2 * case.lam)
    pool = quantity(lambda rng, size: rng.multinomial(size_of_pool, case.p, size)) / size_of_pool
    return equal(E((pool * case.alignment).sum()), case.n**2 * case.lam * without.sum())


@paper.step("eq13_14.bound", section="Section 3.2, Eqs. (13) and (14)")
def surrogate_without_the_identity(case: FourierFeatures):
    """Without n I the surrogate L'_lam = p |y^T z_w|^2 / (n^2 lam) is still at least l_lam.

    The paper does not say so, and its proof of Theorem 2 draws from q, with n I. It introduces n I for this
    very bound, then discards it as "independent of the sample set"; a proof for Algorithm 1 as printed would
    need the bound.
    """
    assume((case.p * case.alignment).sum() > 0)
    return at_most(case.leverage, case.p * case.alignment / (case.n**2 * case.lam))


@paper.step(
    "eq13_14.bound.repaired",
    section="Section 3.2, Eqs. (13) and (14)",
    repairs="eq13_14.bound",
    step_of="thm2.repaired",
)
def identity_is_plain_sampling(case: FourierFeatures):
    """Where the mean of y^2 is at most 1, L'_lam + p / lam = L_lam >= l_lam, and what is discarded, p / lam,
    has an integral of at least half of D_K.

    Proof. z_w^* n I z_w = n^2, as |z_w(x)| = 1. Independent of the sample, but not negligible: y^T K
    y <= n ||y||^2.
    """
    n = case.n
    assume(case.y @ case.y <= n)
    without = case.p * case.alignment / (n**2 * case.lam)
    return (
        equal(without + case.p / case.lam, case.surrogate),
        at_most(case.leverage, case.surrogate),
        at_most(case.D, 2 / case.lam),
    )


@paper.identity("eq13_14.distance", section="Section 3.2, Eqs. (13) and (14)")
def distance_of_the_laws(case: FourierFeatures):
    """In total variation there is between q and q' the share of n I, 1 / (1 + y^T K y / n^2), of what there is
    between p and q'.
    """
    energy = case.y @ case.K @ case.y
    assume(energy > 0)
    aligned, share = case.p * case.alignment / energy, 1 / (1 + energy / case.n**2)
    return equal(total_variation(case.q, aligned), share * total_variation(case.p, aligned))


@paper.identity("eq15.density", section="Section 3.2, Eqs. (12), (14) and (15)")
def resampling_probabilities_by_the_density(case: FourierFeatures, density: Vector(4)):
    """Normalised over the pool, q~' of (14), with the density p(w) in its numerator, is the p_i of (15).

    A pool with one of each of the four features, and any positive density.
    """
    p, a = abs(density) + 1 / 10, case.alignment
    assume(a.sum() > 0)
    return equal(p * a / (p * a).sum(), a / a.sum())


@paper.identity("eq15.square", section="Section 3.2, Eq. (15), and Algorithm 1, line 2")
def square_of_a_complex_number(case: FourierFeatures):
    """(y^T (Z_l)_i)^2 = |sum_j y_j z_p(w_i, x_j)|^2, a real number: its imaginary part is 0, its real part
    the squared modulus.
    """
    real, imaginary = case.y @ case.C, -(case.y @ case.S)
    return equal(2 * real * imaginary, 0), equal(real**2 - imaginary**2, case.alignment)


@paper.identity("eq15.square.repaired", section="Section 3.2, Eq. (15)", repairs="eq15.square")
def squared_modulus_of_a_complex_number(case: FourierFeatures):
    """With |.|^2 on both sides (15) holds: |sum_j y_j z_j|^2 = y^T Re(z z^*) y. Proof: y is real."""
    gram = case.C[:, None] * case.C[None, :] + case.S[:, None] * case.S[None, :]
    form = (case.y[:, None, None] * case.y[None, :, None] * gram).sum(axis=0).sum(axis=0)
    return equal(form, case.alignment)


@paper.identity("eq15", section="Section 3.2, Eq. (15)", repairs="eq15.density")
def resampling_probabilities(case: FourierFeatures, pool: Vector(4)):
    """The scores (13) of a pool, with mass 1 / l for p(w), are proportional to
    |y^T (Z_l)_i|^2 = |sum_j y_j z_p(w_i, x_j)|^2.

    (.)^2 is read as |.|^2, which the other side prints. The density p(w) of (14) has no place in (15):
    the pool has been drawn from it. pool holds the counts of the four features.
    """
    pool = pool * pool
    score = pool * case.form(case.y[:, None] * case.y[None, :]) / (case.n**2 * case.lam)
    p_i = pool * ((case.y @ case.C) ** 2 + (case.y @ case.S) ** 2)
    assume(p_i.sum() > 0)
    return equal(score / score.sum(), p_i / p_i.sum())


@paper.remark("s3.2.condition.range", section="Section 3.2, after Algorithm 1")
def features_are_as_many_as_examples(Z: Matrix("n", "l")):
    """The sums over the columns of Z_s run to n, as printed: there are as many features as examples."""
    return equal(Z.shape[1], Z.shape[0])


@paper.remark("s3.2.condition", section="Section 3.2, after Algorithm 1", repairs="s3.2.condition.range")
def condition_of_agreement(Z: Matrix("n", "l"), y: Vector("n"), eta: Unit):
    """If the two ratios differ by a factor in 1 +- eta at most, for every i, the laws q and q' of the pool
    differ by at most eta in total variation; for real features, none with y^T z = 0.

    The sums are over the features, not to n.
    """
    n = len(y)
    a, b = (y @ Z) ** 2, n * (Z * Z).sum(axis=0)
    assume(a > 0)
    ratio = (a.sum() / a) / (b.sum() / b)
    assume(np.abs(ratio - 1) <= eta)
    return at_most(total_variation((a + b) / (a.sum() + b.sum()), a / a.sum()), eta)


@paper.remark("s3.2.condition.norms", section="Section 3.2, after Algorithm 1")
def norms_are_enough(case: FourierFeatures):
    """The condition is satisfied if the norms of the columns do not dramatically fluctuate: those of Fourier
    features are all equal.

    Whatever factor the sign of approximation allows, the first ratio has to be finite as the second is, 4 for
    a pool of the four features: the number of features with y^T z = 0 is zero.
    """
    a = case.alignment
    assume(a.sum() > 0)
    return at_most(np.where(a > 0, 0, 1).sum(), 0)


@paper.remark(
    "s3.2.condition.norms.repaired", section="Section 3.2, after Algorithm 1", repairs="s3.2.condition.norms"
)
def norms_are_not_enough(case: FourierFeatures):
    """For equal norms the laws differ in total variation by as much as q' differs from the uniform law, times
    n^2 / (n^2 + mean |y^T z|^2); for a pool with one each of four features.

    Proof. Then q is a mixture of q' and the uniform law; the factor is the weight of the uniform law, at
    least 1 / 2 for |y| <= 1. So the laws agree only if all features are equally aligned with the labels, and
    then resampling changes nothing.
    """
    a, n = case.alignment, case.n
    assume(a.sum() > 0)
    q, aligned, uniform = (a + n**2) / (a + n**2).sum(), a / a.sum(), 0 * a + 1 / 4
    share = n**2 / (n**2 + a.sum() / 4)
    return equal(total_variation(q, aligned), share * total_variation(uniform, aligned))
