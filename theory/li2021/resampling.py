"""Section 6.6: Theorems 20 and 21, features resampled from a pool with scores at one ridge and used at
another.

O(1 / sqrt(n)) has no constant, so that the theorems themselves are not decided; what they say as n grows at
fixed ridges is.
"""

import numpy as np

from boundcheck import (
    Count,
    E,
    P,
    Positive,
    Spectrum,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    maximum,
    minimum,
    quantity,
    rate,
    smallest_eigenvalue,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import Few, paper
from .lemma22 import enough_features, fewest_features

Features = integers(2, 200)


def effective_dimension(N, k, mu):
    """Of the kernel 1 + k sum_j phi_j(x) phi_j(x') with N - 1 characters phi_j and the constant, at the ridge
    mu.
    """
    return 1 / (1 + mu) + (N - 1) * k / (k + mu)


def share_of_the_constant(N, k, lam, m):
    """Its share of the kernel of m features, resampled with the scores at lam; 1 on average.

    Inputs are uniform on a finite group, the sample is large, and the pool so large that its kernel is that
    of all characters.
    """
    q = 1 / (1 + lam) / effective_dimension(N, k, lam)
    return quantity(lambda rng, size: rng.binomial(m, q, size)) / (m * q)


@paper.theorem("theorem20.explicit", section="Section 4")
def resampled_ridge_regression(N: Features, k: Unit, lam: Unit, lam_star: Unit, delta: between(0.01, 0.1)):
    """For 2 to 200 characters, the constant of weight 1 and the others of weight k < 1, y = 1 the constant one, and
    delta from .01 to .1, in the limit of a large sample and pool, the risk is with probability 1 - delta at
    most E l_fH + 4 lam + 4 lam*, with m >= 5 d_K^lam* log(16 d_K^lam* / delta).

    At fixed ridges, where O(1 / sqrt(n)) vanishes. y = 1 = f_H, of norm 1, is the constant character; the
    estimator is share / (share + lam*), as the other characters are orthogonal.
    """
    d = effective_dimension(N, k, lam_star)
    m = at_least(enough_features(d, d, delta), Count)
    share = share_of_the_constant(N, k, lam, m)
    return P((lam_star / (share + lam_star)) ** 2 <= 4 * lam + 4 * lam_star) >= 1 - delta


@paper.step(
    "theorem20.scores", section="Section 6.6, Eq. (40)", step_of=("theorem20.explicit", "theorem21.explicit")
)
def scores_at_another_ridge(N: Features, k: Unit, lam: Unit, lam_star: Unit):
    """For the constant, of weight 1, and up to 199 other characters of weight k < 1, Corollary 10 applies at
    lam* with the q of the scores at lam: q times d_K^lam* is at least the scores at lam*.

    (40) takes it so, with the number of features of the theorem; in the proof it is counted at lam. The
    features are the constant and another character.
    """
    d, d_star = effective_dimension(N, k, lam), effective_dimension(N, k, lam_star)
    return at_most(1 / (1 + lam_star), d_star / (1 + lam) / d), at_most(
        k / (k + lam_star), d_star * k / (k + lam) / d
    )


@paper.step(
    "theorem20.scores.repaired",
    section="Section 6.6, Eq. (40)",
    step_of="theorem20.two_ridges",
    repairs="theorem20.scores",
)
def scores_at_a_larger_ridge(N: Features, k: Unit, lam: Unit, lam_star: Unit):
    """For the constant, of weight 1, and up to 199 other characters of weight k < 1, and lam <= lam*, q times d_K^lam
    is at least the scores at lam*. Proof: x / (x + lam) falls as lam grows.
    """
    assume(lam <= lam_star)
    return at_most(1 / (1 + lam_star), 1 / (1 + lam)), at_most(k / (k + lam_star), k / (k + lam))


@paper.theorem("theorem20.two_ridges", section="Section 4", repairs="theorem20.explicit")
def resampled_ridge_regression_at_two_ridges(N: Features, k: Unit, lam: Unit, lam_star: Unit, delta: Unit):
    """For 2 to 200 characters of weights as in theorem20.explicit, y = 1 the constant one, in the limit of a large
    sample and pool, lam <= lam* and m >= (2 / (1 - log 2)) d_K^lam log(4 d_K^lam* / delta), the ridge error (44)
    at lam*, and with it the risk less E l_fH, is at most 2 lam* with probability 1 - delta.

    The constant character has the error lam* / (share + lam*), and the risk is its square. Proof. Scores at
    lam are at least those at lam*, so that lemma22.sharp holds at lam* with d_tilde = d_K^lam, the dimension
    at the ridge of the scores, in place of d_K^lam*; (44) is at most 2 lam*.
    """
    assume(lam <= lam_star)
    d, d_star = effective_dimension(N, k, lam), effective_dimension(N, k, lam_star)
    m = at_least(fewest_features(d, d_star, delta), Count)
    share = share_of_the_constant(N, k, lam, m)
    return P(lam_star / (share + lam_star) <= 2 * lam_star) >= 1 - delta


@paper.theorem("theorem20.repaired", section="Section 4", repairs="theorem20.explicit")
def resampled_ridge_regression_repaired(N: Features, k: Unit, lam: Unit, t: Positive):
    """For 2 to 200 characters of weights as in theorem20.explicit, y = 1 the constant one, in the limit of a large
    sample and pool, one ridge lam* = lam, and (2 / (1 - log 2)) d_K log(4 d_K / delta) resampled features, the
    ridge error (44), and with it the risk less E l_fH, is with probability 1 - delta at most 2 lam, a quarter of
    4 lam + 4 lam*.

    Proved without noise, in the limit of a large sample and pool: lemma22.sharp for the kernel of the pool,
    whose scores are then those of the ridge in use, so that (44) is at most 2 lam. With noise,
    theorem9.repaired, and for (40) theorem9.step15.sample with N the size of the pool.
    """
    d = effective_dimension(N, k, lam)
    m = at_least(fewest_features(d, d, exp(-t)), Count)
    share = share_of_the_constant(N, k, lam, m)
    return P(lam / (share + lam) <= 2 * lam) >= 1 - exp(-t)


@paper.theorem("theorem21.explicit", section="Section 4")
def resampled_lipschitz_learning(N: Features, k: Unit, lam: Unit, lam_star: Unit, delta: between(0.01, 0.1)):
    """For 2 to 200 characters of weights as in theorem20.explicit, y = 1 the constant one, the loss |y - g|, L = 1,
    and delta from .01 to .1, in the limit of a large sample and pool, the risk is with probability 1 - delta at
    most E l_gH + sqrt(2 lam) + sqrt(2 lam*), with m >= 5 d_K^lam* log(16 d_K^lam* / delta).

    E |1 - g| >= |1 - E g|, so that g is constant; it is min(1, share / (2 lam*)), or in the reading of Remark
    23, if that is nearer, the best of the ball of radius sqrt(2).
    """
    d = effective_dimension(N, k, lam_star)
    m = at_least(enough_features(d, d, delta), Count)
    share = share_of_the_constant(N, k, lam, m)
    g = minimum(1, maximum(share / (2 * lam_star), sqrt(2 * share)))
    return P(1 - g <= sqrt(2 * lam) + sqrt(2 * lam_star)) >= 1 - delta


@paper.theorem("theorem21.repaired", section="Section 4", repairs="theorem21.explicit")
def resampled_lipschitz_learning_repaired(N: Features, k: Unit, lam: Unit, t: Positive):
    """For 2 to 200 characters of weights as in theorem20.explicit, y = 1 the constant one, the loss |y - g|, in the
    limit of a large sample and pool, one ridge, and as many features as in theorem20.repaired, (44) is at most 2
    lam, and the risk at most E l_gH + sqrt(2 lam) + 2 lam, with probability 1 - delta.

    Proof: theorem15.repaired; without noise and in the limit of a large sample and pool, as there and in
    theorem20.repaired.
    """
    d = effective_dimension(N, k, lam)
    m = at_least(fewest_features(d, d, exp(-t)), Count)
    share = share_of_the_constant(N, k, lam, m)
    risk = 1 - minimum(1, share / (2 * lam))
    return P((lam / (share + lam) <= 2 * lam) & (risk <= sqrt(2 * lam) + 2 * lam)) >= 1 - exp(-t)


def bias(spectrum, b, lam):
    """E l_fhat - E l_fH of kernel ridge regression for a large sample without noise;
    f_H = sum sqrt(kappa_j) b_j phi_j has norm 1.
    """
    return (spectrum * b**2 * lam**2 / (spectrum + lam) ** 2).sum()


@paper.step("theorem20.step39", section="Section 6.6, Eqs. (39), (40)", step_of="theorem20.explicit")
def bias_at_any_ridge(lam: Unit):
    """E l_fhat - E l_fH is of order 1 / sqrt(n), whatever lam; for one feature, without noise, read as a rate
    over n = 100, 10^4 and 10^6, in the limit of a large sample.

    One feature, kappa = 1: the excess risk tends to lam^2 / (1 + lam)^2, which does not fall with n.
    """
    return rate({n: bias(np.ones(1), np.ones(1), lam) for n in (10**2, 10**4, 10**6)}, at_most=-1 / 2)


@paper.step("theorem20.step39.explicit", section="Section 6.6, Eqs. (39), (40)", step_of="theorem20.explicit")
def bias_at_the_ridge_of_the_text(spectrum: Spectrum("m"), b: UnitVector("m"), n: Count):
    """At lam = 1 / sqrt(n) alone, the ridge of the text, the bias E l_fhat - E l_fH, for a large sample
    without noise, is at most lam / 4, so of order 1 / sqrt(n).
    """
    return at_most(bias(spectrum, b, 1 / sqrt(n)), 1 / (4 * sqrt(n)))


@paper.step(
    "theorem20.step39.repaired",
    section="Section 6.6, Eqs. (39), (40)",
    step_of="theorem20.explicit",
    repairs="theorem20.step39",
)
def bias_in_terms_of_the_ridge(spectrum: Spectrum("m"), b: UnitVector("m"), lam: Positive):
    """For every lam the bias E l_fhat - E l_fH, for a large sample without noise, is at most lam / 4. Proof:
    kappa lam <= (kappa + lam)^2 / 4.

    So in that limit (39) has lam / 4 more, and (40) lam* / 4, if f_Htilde is in the unit ball of the pool.
    """
    return at_most(bias(spectrum, b, lam), lam / 4)


@paper.step("theorem20.dKtilde", section="Section 6.6", step_of="theorem20.explicit")
def effective_dimension_of_the_pool(case: FeaturePool, share: Vector(3), lam_star: Positive):
    """The effective dimension of the pool is at most that of the kernel, on the event of Lemma 27 at
    eps = 1/2.

    Theorem 20 asks for features in terms of d_K, its proof for features in terms of d_Ktilde. share_v^2 p_v
    is the share of feature v in Ktilde; a feature that vanishes at the points makes the shares free.
    """
    Kt = (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T
    reach, ridge = (case.K + case.ridge) / 2, case.n * lam_star * identity(case.n)
    assume((smallest_eigenvalue(reach + Kt - case.K) >= 0) & (smallest_eigenvalue(reach + case.K - Kt) >= 0))
    return at_most(trace(solve(Kt + ridge, Kt)), trace(solve(case.K + ridge, case.K)))


@paper.step(
    "theorem20.dKtilde.mean", section="Section 6.6", step_of="theorem20.explicit", repairs="theorem20.dKtilde"
)
def effective_dimension_of_the_pool_on_average(case: FeaturePool, s: Few, lam_star: Positive):
    """On average over pools of up to 3 features, not for each of them, the effective dimension of the pool is
    no larger than that of the kernel.

    Proof: K -> Tr K (K + n lam I)^-1 is concave and E Ktilde = K.

    For the pool of Theorem 20 and lam* >= lam it is at most 4 times that of the kernel, but for probability .13
    delta. Proof. As lemma22.sharp, with 7 log(16 d_K / delta), K - Ktilde <= (K + n lam I) / 2 but for .06 delta,
    so Ktilde + n lam* I >= (K + n lam* I) / 2, and d_Ktilde <= 2 m, m the mean over the pool of z^T (K + n lam*
    I)^-1 z <= z0^2 / lam*. E m = d_K^lam*, and by Bernstein m <= 2 d_K^lam* but for exp(-(3/8) s lam* d_K^lam* /
    z0^2) <= (delta / (16 d_K))^(2.6 d_K) <= .07 delta, d_K = d_K^lam, as lam* d_K^lam* grows with lam*.
    """
    ridge = case.n * lam_star * identity(case.n)
    Kt = case.Kt(s, case.p)
    d_pool = Kt.map(lambda A: trace(solve(A + ridge, A)))
    return at_most(E(d_pool), trace(solve(case.K + ridge, case.K)))


@paper.step("theorem20.union", section="Section 6.6, combination of (39) and (40)", step_of="theorem20.explicit")
def two_events(delta: between(0.01, 0.3)):
    """For delta from .01 to .3, two events that fail independently with probability delta each, as (39) and
    (40) may as far as the proof knows, hold together with probability 1 - delta.
    """
    fails = quantity(lambda rng, size: rng.binomial(2, delta, size))
    return P(fails == 0) >= 1 - delta


@paper.step(
    "theorem20.union.repaired",
    section="Section 6.6, combination of (39) and (40)",
    step_of="theorem20.explicit",
    repairs="theorem20.union",
)
def two_events_repaired(delta: between(0.01, 0.3)):
    """For delta from .01 to .3, two events that fail independently with probability delta each hold together
    with probability at least 1 - 2 delta. Proof, for any two events: the union bound.
    """
    fails = quantity(lambda rng, size: rng.binomial(2, delta, size))
    return P(fails == 0) >= 1 - 2 * delta


@paper.step("theorem20.unit_ball", section="Section 6.6, Eq. (40)", step_of="theorem20.explicit")
def best_function_of_the_pool(p: Unit, lam: Unit, delta: between(0.01, 0.1)):
    """For two orthogonal features and an f_H along one of them, the best function over the pool is in the unit
    ball of the pool, for which Theorem 9 is stated, with probability 1 - delta, from .01 to .1.

    A reading of (40), in the limit of a large sample; in the ball of radius sqrt(2) of Remark 23 it needs no
    more than theorem20.unit_ball.repaired. k = p z z' + (1 - p) u u' with z and u orthogonal, z0 = 1, f_H =
    sqrt(p) z, of norm 1, and a pool of 7 / lam log(16 d_K / delta) features: where z has the share N / s of
    the pool, f_H has the squared norm p s / N there; where it has none, the best function is 0.
    """
    assume(lam <= maximum(p, 1 - p))
    d_K = p / (p + lam) + (1 - p) / (1 - p + lam)
    s = at_least(enough_features(1 / lam, d_K, delta, 7), Count)
    N = quantity(lambda rng, size: rng.binomial(s, p, size))
    return P((N >= p * s) | (N <= 0)) >= 1 - delta


@paper.step(
    "theorem20.unit_ball.repaired",
    section="Section 6.6, Eq. (40)",
    step_of="theorem20.explicit",
    repairs="theorem20.unit_ball",
)
def good_function_of_the_pool(p: Unit, lam: between(0.001, 0.5), delta: Unit):
    """For two orthogonal features, z0 = 1, an f_H along one of them, lam from .001 to .5 and with 1.26 / lam
    log(4 d_K / delta) of them in the pool, some function of squared norm at most 2 has an excess risk of at
    most 2 lam, with probability 1 - delta.

    So (40) holds for that function in place of the best one, with 8 lam* for 4 lam* and 2 lam more. Proof: as
    corollary18.diagonal, as z and u are orthogonal; for every kernel and the printed 7, lemma22.plain. Here:
    t z with t^2 <= 2 N / s, at the distance |sqrt(p) - t|.
    """
    assume(lam <= maximum(p, 1 - p))
    d_K = p / (p + lam) + (1 - p) / (1 - p + lam)
    s = at_least(1.26 / lam * log(4 * d_K / delta), Count)
    N = quantity(lambda rng, size: rng.binomial(s, p, size))
    return P(2 * N / s >= maximum(0, sqrt(p) - sqrt(2 * lam)) ** 2) >= 1 - delta


@paper.theorem("theorem20.moreover.explicit", section="Section 4, Theorem 20, last sentence")
def resampling_few_features(delta: between(0.01, 0.1)):
    """For n^(1/4) characters of equal weight, f_H = sum phi_j n^(-1/4), delta from .01 to .1 and at lam = lam*
    = 1 / sqrt(n), in the limit of a large sample and pool: with m proportional to s / (n lam) the mean risk is E
    l_fH + O(1 / sqrt(n)), read as a rate over n = 10^12, 10^16, 10^20 of what the characters that are missed
    cost.

    m = s / (n lam) = 7 log(16 d_K / delta) as s = 7 / lam log(..), z0 = 1; another factor only moves the
    sizes. N = n^(1/4), and f_H has norm 1: each is missed with probability (1 - 1 / N)^m and then costs 1 / N^2.
    """
    sizes = {N**4: N for N in (10**3, 10**4, 10**5)}
    return rate({n: (1 - 1 / N) ** (7 * log(16 * N / delta)) / N for n, N in sizes.items()}, at_most=-1 / 2)


@paper.theorem(
    "theorem20.moreover.repaired",
    section="Section 4, Theorem 20, last sentence",
    repairs="theorem20.moreover.explicit",
)
def resampling_enough_features(delta: between(0.01, 1)):
    """For the design of theorem20.moreover.explicit, without noise, in the limit of a large sample and pool, and
    delta >= .01 the mean risk is E l_fH + O(1 / sqrt(n)) with m proportional to d_K log(d_K / delta), here 7 N
    log(16 N / delta), N = n^(1/4); what the characters that are missed cost, as a rate over n = 10^12, 10^16,
    10^20. With probability 1 - delta it is theorem20.repaired.
    """
    sizes = {N**4: N for N in (10**3, 10**4, 10**5)}
    return rate(
        {n: exp(7 * N * log(16 * N / delta) * log(1 - 1 / N)) / N for n, N in sizes.items()}, at_most=-1 / 2
    )


@paper.remark("text.after20.n32", section="Section 4, after Theorem 20")
def features_of_plain_sampling(n: integers(100, 10000), delta: between(0.01, 1)):
    """For n from 100 to 10,000 and delta >= .01, plain sampling asks for n^(3/2) / 50 features and more at
    lam = 1 / sqrt(n): Corollary 11 with z0 = 1 and d_K = sqrt(n).
    """
    return at_most(n * sqrt(n) / 50, enough_features(sqrt(n), sqrt(n), delta))


@paper.remark("theorem20.const7", section="Theorem 20 against Corollary 11 and Theorem 21")
def size_of_the_pool(lam: Unit, d_K: between(0.5, 1000), delta: Unit):
    """The pool of Theorem 20, 7 z0^2 / lam log(16 d_K / delta), has the size of Corollary 11, from which its
    proof takes it, and of Theorem 21. z0 = 1, d_K from 1/2 to 1000.
    """
    return equal(enough_features(1 / lam, d_K, delta, 7), enough_features(1 / lam, d_K, delta))
