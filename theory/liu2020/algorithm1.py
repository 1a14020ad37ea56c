"""Algorithm 1: the kernel of resampled features, its mean and variance, and what sampling costs.

A pool is given by the shares of the four features in it. Resampling feature v has the probability pool_v a_v
/ A, where a_v = |y^T z_v|^2 and A = sum pool_v a_v; given the pool, s features are drawn. Kernels are real
parts, sum_v share_v cos(w_v (x - x')).
"""

import numpy as np

from boundcheck import E, Simplex, assume, at_most, equal, integers, log, marked, quantity

from . import Few, paper
from .surrogate_leverage import FourierFeatures


def resampled(case, pool, s, scores, weights):
    """Shares of the features in Ktilde: s draws with probabilities pool_v scores_v, normalised, each with its
    weight.
    """
    law = pool * scores / (pool * scores).sum()
    return quantity(lambda rng, size: rng.multinomial(s, law, size)).map(lambda N: N * weights / s)


@paper.algorithm("alg1", section="Algorithm 1")
def resampled_kernel_is_unbiased(case: FourierFeatures, pool: Simplex(4), s: Few):
    """Given the pool, with weights normalised over it and no feature with y^T z = 0, the kernel of Algorithm
    1 has the pool's kernel as its mean, in the real part; for up to 3 of four features.

    For a pool drawn from p that has the mean K, by eq2. The kindest reading of the weights (9), mass 1 / l
    for p(w) and the resampling probability for q(w); and no feature has y^T z = 0, as is almost sure for a
    density p and y != 0 at different inputs.
    """
    a = case.alignment
    assume(a > 0)
    shares = resampled(case, pool, s, a, (pool * a).sum() / a)
    return equal(E(shares.map(case.real)), case.real(pool))


@paper.algorithm("alg1.support", section="Algorithm 1")
def unbiased_for_any_spectral_law(case: FourierFeatures, size_of_pool: Few):
    """With the weights of alg1 the kernel of Algorithm 1 has mean K for any finite Borel measure p; pools of
    up to 3.

    The paper asks no more of p, nor that (15) be positive. Given the pool, the mean is the pool's kernel
    without the features that have y^T z = 0; a pool of such features alone is kept whole.
    """
    counts = quantity(lambda rng, size: rng.multinomial(size_of_pool, case.p, size))

    def mean_of_resampled(N):
        drawable = N * np.where(case.alignment > 0, 1, 0)
        some = np.sum(drawable, axis=-1)[..., None] > 0
        return case.real(np.where(some, drawable, N) / size_of_pool)

    return equal(E(counts.map(mean_of_resampled)), case.K)


@paper.algorithm("alg1.support.repaired", section="Algorithm 1", repairs="alg1.support")
def resampled_with_the_identity(case: FourierFeatures, pool: Simplex(4), s: Few):
    """Resampled by (12), with n I, and weights (1 / l) / probability, the kernel's real part is unbiased for
    the pool's; for up to 3 of four features.

    Proof. The scores a_v + n^2 are positive; then Eq. (9) for the pool. The kernel of a pool drawn from p has
    the mean K, by Eq. (2).
    """
    scores = case.alignment + case.n**2
    shares = resampled(case, pool, s, scores, (pool * scores).sum() / scores)
    return equal(E(shares.map(case.real)), case.real(pool))


@paper.algorithm("alg1.weights", section="Algorithm 1, line 4, with (14)")
def weights_as_printed(case: FourierFeatures, pool: Simplex(4), s: Few):
    """With the weights of (9) and (14) as printed, the resampled kernel, in the real part, is unbiased for
    that of the pool; l = s <= 3, no feature with y^T z = 0.

    p(w) / q'(w) = ||y^T Z_l||^2 / |y^T z_{p,w}(X)|^2, where z_p carries 1 / sqrt(s) by its definition
    after (2): s A / a_v. Read with z_p = exp(-i w^T x) there, as in s1.Kapprox.repaired, and with
    1 / sqrt(l) in Z_l, the weights are those of alg1.
    """
    a = case.alignment
    assume(a > 0)
    shares = resampled(case, pool, s, a, s * (pool * a).sum() / a)
    return equal(E(shares.map(case.real)), case.real(pool))


@paper.algorithm("alg1.weights.repaired", section="Algorithm 1, line 4, with (14)", repairs="alg1.weights")
def weights_without_the_factor(case: FourierFeatures, pool: Simplex(4), s: Few):
    """The printed weights give s times the pool's kernel on average, in the real part, so that A / a_v are
    unbiased, if no feature has y^T z = 0; for up to 3 of four features.

    Proof. sum_v (pool_v a_v / A) (A / a_v) z_v z_v^*. In ridge regression s Ktilde with lam is Ktilde with
    lam / s.
    """
    a = case.alignment
    assume(a > 0)
    printed = resampled(case, pool, s, a, s * (pool * a).sum() / a)
    return equal(E(printed.map(case.real)), s * case.real(pool))


@paper.algorithm("alg1.variance.explicit", section="Algorithm 1")
def variance_is_bounded(case: FourierFeatures, s: Few):
    """Resampled by (15), with unbiased weights, the kernel has E ||Ktilde - K||_F^2 <= 100 n^2 / s, s <= 3,
    if no feature has y^T z = 0.

    Plain features have at most n^2 / s. A reading, with a constant of ours, of what the paper leaves implicit,
    for the pool with the shares p. No constant will do, as |y^T z_w|^2 may be as small as one likes; for a
    density in one dimension and labels that sum to 0 it is of order w^2 at w = 0, and the variance infinite.
    """
    a = case.alignment
    assume(a > 0)
    shares = resampled(case, case.p, s, a, (case.p * a).sum() / a)
    error = shares.map(case.real) - case.K
    return at_most(E((error * error).sum()), marked(100.0, "C") * case.n**2 / s)


@paper.algorithm("alg1.variance.repaired", section="Algorithm 1", repairs="alg1.variance.explicit")
def variance_with_the_identity(case: FourierFeatures, s: Few):
    """Resampled from p by (12), with n I and unbiased weights, the kernel has E ||Ktilde - K||_F^2 <= (1 +
    max y^2) n^2 / s, s <= 3.

    Proof. A weight is (A + n^2) / (a_v + n^2) <= 1 + A / n^2 <= 1 + max y^2, and ||z_v z_v^*||_F = n; the
    second moment of one draw is sum_v pool_v weight_v n^2.
    """
    scores = case.alignment + case.n**2
    shares = resampled(case, case.p, s, scores, (case.p * scores).sum() / scores)
    error = shares.map(case.real) - case.K
    return at_most(E((error * error).sum()), (1 + (case.y * case.y).max()) * case.n**2 / s)


@paper.algorithm("alg1.l_equals_s.explicit", section="Algorithm 1, after Theorem 2")
def resampling_helps(case: FourierFeatures, pool: Simplex(4), s: Few):
    """Given the pool, the kernel resampled with unbiased weights is no farther from K than that of the pool,
    in mean square and the Frobenius norm; if no feature has y^T z = 0, for up to 3 features.

    A reading: with l = s the paper's refined features are to be better than the s plain ones they are drawn
    from; it speaks of the accuracy, not of the kernel's error.
    """
    a = case.alignment
    assume(a > 0)
    shares = resampled(case, pool, s, a, (pool * a).sum() / a)
    error, before = shares.map(case.real) - case.K, case.real(pool) - case.K
    return at_most(E((error * error).sum()), (before * before).sum())


@paper.algorithm(
    "alg1.resampling_adds", section="Algorithm 1, after Theorem 2", repairs="alg1.l_equals_s.explicit"
)
def resampling_adds_to_the_error(case: FourierFeatures, pool: Simplex(4), s: Few):
    """Given the pool, in mean square and the Frobenius norm the kernel resampled with unbiased weights is no
    nearer to K than that of the pool; if no feature has y^T z = 0, for up to 3 features.

    So with l = s, as in the experiments, it approximates K no better than plain features at the same number.
    Proof, whatever s and l. Given the pool the mean of the resampled kernel is the pool's (alg1), so that the
    mean square error is that of the pool plus a variance.
    """
    a = case.alignment
    assume(a > 0)
    shares = resampled(case, pool, s, a, (pool * a).sum() / a)
    error, before = shares.map(case.real) - case.K, case.real(pool) - case.K
    return at_most((before * before).sum(), E((error * error).sum()))


@paper.algorithm("s3.2.cost", section="Abstract, Sections 1 and 3.2")
def cost_of_sampling(n: integers(1, 10**6), s: integers(2, 10**4), d: integers(1, 10**3)):
    """For d <= s <= n and l = s Algorithm 1 generates s features in at most 5 n s^2 operations, at most 3
    times as many as plain features, and no more than leverage; as counted here.

    Counted for l = s: s d for the frequencies, n s d for the features, n s for the scores, s and s log s for
    resampling. Leverage: s^2 n and s^3 more. The factor against plain features is 3 here.
    """
    assume(d <= s)
    assume(s <= n)
    plain = s * d + n * s * d
    surrogate = plain + n * s + s + s * log(s)
    leverage = plain + n * s**2 + s**3
    return at_most(surrogate, 5 * n * s**2), at_most(surrogate, 3 * plain), at_most(surrogate, leverage)


@paper.algorithm("s3.2.cost.reduction", section="Abstract, Sections 1 and 3.2")
def reduction_of_the_order(n: integers(1, 10**6)):
    """O(n s^2 + s^3) is of a higher order than O(n s^2): at least three times as many operations at s = n,
    its worst.

    A reading of "can reduce the time complexity for sampling from O(n s^2 + s^3) to O(n s^2)", s <= n, with a
    constant of ours.
    """
    s = n
    return at_most(3 * n * s**2, n * s**2 + s**3)


@paper.algorithm("s3.2.cost.classes", section="Abstract, Sections 1 and 3.2", repairs="s3.2.cost.reduction")
def orders_of_cost(n: integers(1, 10**6), s: integers(1, 10**4)):
    """For s <= n, n s^2 + s^3 <= 2 n s^2: in these orders the reduction of the abstract is a factor.

    The sampling in fact takes O(n s d), for d < s less than what the paper claims for it; see s3.2.cost.
    """
    assume(s <= n)
    return at_most(n * s**2 + s**3, 2 * n * s**2)
