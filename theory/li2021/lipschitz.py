"""Theorems 15 and 19 with Corollaries 17 and 18, in the limit of a large sample at two inputs, for the loss L
|y - g|.

O(1 / sqrt(n)) has no constant, so that the theorems themselves are not decided; what they say as n grows at
fixed lam and delta is. K = diag(1, k) with k < 1, and lam < 1/2, as Assumption 3 asks.
"""

from boundcheck import (
    Count,
    NonNegative,
    P,
    Positive,
    Unit,
    at_least,
    between,
    exp,
    log,
    marked,
    maximum,
    minimum,
    quantity,
    sqrt,
)

from . import paper
from .lemma22 import enough_features, fewest_features

Ridge = between(0, 0.5)

Level = between(0.01, 0.1)
"""Levels delta that are in use, for statements that fail at them."""

Slope = between(0, 10)
"""Lipschitz constants of ordinary size, for the same."""


def kernel_of_draws(k, q, s):
    """Kt at the second of two points over s draws, of which each has its feature with probability q."""
    return k * quantity(lambda rng, size: rng.binomial(s, q, size)) / (s * q)


def excess_risk(k, Kt, L, lam, ball=0.0):
    """E l_g - E l_gH for inputs uniform on two points, with K = diag(1, k), features with one point each,
    and y = g_H = (0, sqrt(k)).

    As n grows each input is half of the sample, so n lam I becomes 2 lam I. At the second point, where the
    draw has the kernel Kt, g minimises (L / 2) |y - g| + lam g^2 / Kt, and at the first point g = 0. g_H
    has norm 1. With a radius `ball`, g may also be the best function of that ball, if it is the nearer one.
    """
    return L / 2 * (sqrt(k) - minimum(sqrt(k), maximum(L * Kt / (4 * lam), ball * sqrt(Kt))))


def either(k, q, s, L, lam):
    """The smaller excess of two readings: g as Section 3.2 defines it, or, by Remark 23, the best of the ball
    of radius sqrt(2).
    """
    return excess_risk(k, kernel_of_draws(k, q, s), L, lam, sqrt(2))


def proved(k, q, s, L, lam, factor=1):
    """Whether (44) is at most 2 lam for g_H, as lemma22.sharp has it, and the excess risk of the penalised solution
    at most `factor` times L sqrt(2 lam) + 2 lam."""
    Kt = kernel_of_draws(k, q, s)
    return (k / (Kt + 2 * lam) <= 2) & (excess_risk(k, Kt, L, lam) <= factor * (L * sqrt(2 * lam) + 2 * lam))


def scores(k, lam):
    """The ridge leverage scores of the two features."""
    return 1 / (1 + 2 * lam), k / (k + 2 * lam)


def asked_for(d_tilde, d_K, delta):
    """The number of features of Lemma 22, its constant marked."""
    return at_least(enough_features(d_tilde, d_K, delta, marked(5.0, "C")), Count)


@paper.theorem("theorem15.explicit", section="Section 3.2.1, Eq. (11)")
def lipschitz_risk(k: Unit, L: Slope, lam: Ridge, surplus: Unit, delta: Level):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, L <= 10, y = g_H = (0,
    sqrt(k)) and delta from .01 to .1, in the limit of large n at a fixed lam: with s >= 5 d_tilde log(16
    d_K / delta) the risk of g, the smaller one of the penalised solution and the best of the ball of radius
    sqrt(2), is at most that of g_H plus sqrt(2 lam) with probability 1 - delta.

    Assumption B.1 allows any L. l_tilde exceeds the leverage score of the first feature by surplus, below 1.
    """
    l_1, l_2 = scores(k, lam)
    d_tilde = l_1 + l_2 + surplus
    s = asked_for(d_tilde, l_1 + l_2, delta)
    return P(either(k, l_2 / d_tilde, s, L, lam) <= sqrt(2 * lam)) >= 1 - delta


@paper.theorem("theorem15.repaired", section="Section 3.2.1, Eq. (11)", repairs="theorem15.explicit")
def lipschitz_risk_repaired(k: Unit, L: Positive, lam: Ridge, surplus: NonNegative, t: Positive):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, y = g_H = (0, sqrt(k)), large
    n, and the number of features of lemma22.sharp, (44) is at most 2 lam for g_H, and the risk at most that
    of g_H plus L sqrt(2 lam) + 2 lam, with probability 1 - delta.

    Proof in general. theorem15.step29.repaired on the event of Lemma 22. Proved for (29) with any labels;
    (28) is, but for E l_0 - E_n l_0, on average at most 10 L r R in a ball of radius r, so with probability 1
    - delta at most 10 L r R / delta, for leverage scores of the sample, too, R the complexity of the features
    (theorem9.step15.sample).
    """
    l_1, l_2 = scores(k, lam)
    d_tilde = l_1 + l_2 + surplus
    s = at_least(fewest_features(d_tilde, l_1 + l_2, exp(-t)), Count)
    return P(proved(k, l_2 / d_tilde, s, L, lam)) >= 1 - exp(-t)


@paper.corollary("corollary17.explicit", section="Section 3.2.1")
def lipschitz_risk_with_leverage(k: Unit, L: Slope, lam: Ridge, delta: Level):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, L <= 10, y = g_H = (0,
    sqrt(k)) and delta from .01 to .1, in the limit of large n: with s >= 5 d_K log(16 d_K / delta) leverage
    weighted features the risk of g, the smaller one of the penalised solution and the best of the ball of
    radius sqrt(2), is at most that of g_H plus sqrt(2 lam) with probability 1 - delta.
    """
    l_1, l_2 = scores(k, lam)
    d_K = l_1 + l_2
    return P(either(k, l_2 / d_K, asked_for(d_K, d_K, delta), L, lam) <= sqrt(2 * lam)) >= 1 - delta


@paper.corollary("corollary17.repaired", section="Section 3.2.1", repairs="corollary17.explicit")
def lipschitz_risk_with_leverage_repaired(k: Unit, L: Positive, lam: Ridge, t: Positive):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, y = g_H = (0, sqrt(k)), large
    n, and s >= (2 / (1 - log 2)) d_K log(4 d_K / delta), (44) is at most 2 lam for g_H, and the excess at
    most L sqrt(2 lam) + 2 lam, with probability 1 - delta. Proof, and in general: theorem15.repaired.
    """
    l_1, l_2 = scores(k, lam)
    s = at_least(fewest_features(l_1 + l_2, l_1 + l_2, exp(-t)), Count)
    return P(proved(k, l_2 / (l_1 + l_2), s, L, lam)) >= 1 - exp(-t)


@paper.corollary("corollary18.explicit", section="Section 3.2.1")
def lipschitz_risk_with_plain_features(
    k: Unit, p: between(0.01, 0.99), L: Slope, lam: between(0.05, 0.5), delta: Level
):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, L <= 10, y = g_H = (0,
    sqrt(k)), lam from .05 to .5, p from .01 to .99 and delta from .01 to .1, in the limit of large n: with
    s >= 5 z0^2 / lam log(16 d_K / delta) plain features the risk of g, the smaller one of the penalised
    solution and the best of the ball of radius sqrt(2), is at most that of g_H plus sqrt(2 lam) with
    probability 1 - delta.

    The features have probabilities 1 - p and p, and the values 1 / sqrt(1 - p) and sqrt(k / p) at their
    points.
    """
    z0 = maximum(1 / sqrt(1 - p), sqrt(k / p))
    l_1, l_2 = scores(k, lam)
    return P(either(k, p, asked_for(z0**2 / lam, l_1 + l_2, delta), L, lam) <= sqrt(2 * lam)) >= 1 - delta


@paper.corollary("corollary18.repaired", section="Section 3.2.1", repairs="corollary18.explicit")
def lipschitz_risk_with_plain_features_repaired(
    k: Unit, p: between(0.01, 0.99), L: Positive, lam: between(0.05, 0.5), t: between(1, 50)
):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, y = g_H = (0, sqrt(k)), delta
    from e^-50 to 1 / e, p from .01 to .99, lam from .05 to .5, large n, and the printed s >= 5 z0^2 / lam
    log(16 d_K / delta), (44) is at most 2 lam for g_H, and the excess at most L sqrt(2 lam) + 2 lam, with
    probability 1 - delta. Proof: lemma22.plain, and theorem15.step29.repaired on its event.

    Only the L is missing; that the 2 lam is not is proved for lam <= L^2 / 8. The number comes nowhere near
    failing: z0^2 / lam counts what a leverage score is at most, and a direction that matters has less. How
    much fewer do where no feature is seen at two points is corollary18.diagonal.
    """
    z0 = maximum(1 / sqrt(1 - p), sqrt(k / p))
    l_1, l_2 = scores(k, lam)
    s = at_least(enough_features(z0**2 / lam, l_1 + l_2, exp(-t)), Count)
    return P(proved(k, p, s, L, lam)) >= 1 - exp(-t)


@paper.corollary("corollary18.diagonal", section="Section 3.2.1", repairs="corollary18.explicit")
def plain_features_seen_at_one_point(
    k: Unit, p: between(0.01, 0.99), L: Positive, lam: between(0.001, 0.5), t: between(1, 50)
):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, y = g_H = (0, sqrt(k)), delta
    from e^-50 to 1 / e, p from .01 to .99, lam from .001 to .5, large n, and 1.26 z0^2 / (2 lam) log(4 d_K
    / delta) plain features, for the printed 5 z0^2 / lam log(16 d_K / delta), (44) is at most 2 lam for
    g_H, and the excess at most L sqrt(2 lam) + 2 lam, with probability 1 - delta.

    Proof, with n for 2, wherever no feature is seen at two of the n points. A direction with the score r =
    kappa / (kappa + n lam) <= 1/2 needs no feature. For r > 1/2 it is missed if the share of its draws is
    below (r - 1/2) / r, by Chernoff with probability at most exp(-s h(r) / l), l <= z0^2 (1 - r) / (n lam) the
    score over p, h(r) = 1/2 + (r - 1/2) log((r - 1/2) / r); and h(r) / (1 - r) >= .796 > 1 / 1.26. The scores
    above 1/2 are at most 2 d_K. delta = exp(-t).
    """
    z0 = maximum(1 / sqrt(1 - p), sqrt(k / p))
    l_1, l_2 = scores(k, lam)
    s = at_least(1.26 * z0**2 / (2 * lam) * log(4 * (l_1 + l_2) / exp(-t)), Count)
    return P(proved(k, p, s, L, lam)) >= 1 - exp(-t)


@paper.theorem("theorem19.explicit", section="Section 3.2.2, Eq. (12)")
def refined_lipschitz_risk(k: Unit, L: Slope, lam: Ridge, D: between(1, 1000), delta: Level):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, L <= 10, y = g_H = (0,
    sqrt(k)), D up to 1000, s >= 5 d_K log(16 d_K / delta) leverage weighted features and delta from .01 to
    .1, in the limit of large n at a fixed lam, the risk of g, the smaller one of the penalised solution and
    the best of the ball of radius sqrt(2), is at most that of g_H plus D / (D - 1) sqrt(2 lam) with
    probability 1 - delta.

    The fixed point and O(1 / n) vanish as n grows. Assumption B.2 holds: y = g_H and |g| is bounded. D > 1.
    """
    l_1, l_2 = scores(k, lam)
    d_K = l_1 + l_2
    excess = either(k, l_2 / d_K, asked_for(d_K, d_K, delta), L, lam)
    return P(excess <= D / (D - 1) * sqrt(2 * lam)) >= 1 - delta


@paper.theorem("theorem19.repaired", section="Section 3.2.2, Eq. (12)", repairs="theorem19.explicit")
def refined_lipschitz_risk_repaired(k: Unit, L: Positive, lam: Ridge, D: between(1, 1000), t: Positive):
    """For two inputs with a feature each, K = diag(1, k), k < 1, the loss L |y - g|, y = g_H = (0, sqrt(k)), D up
    to 1000, large n, and leverage weighted features as many as in lemma22.sharp, (44) is at most 2 lam for
    g_H, and the excess at most D / (D - 1) (L sqrt(2 lam) + 2 lam), with probability 1 - delta. Proof:
    theorem15.repaired.

    Only (34); with noise, (33) and (35) leave E l_gH / (D - 1) more, see theorem19.step35.repaired.
    """
    l_1, l_2 = scores(k, lam)
    s = at_least(fewest_features(l_1 + l_2, l_1 + l_2, exp(-t)), Count)
    return P(proved(k, l_2 / (l_1 + l_2), s, L, lam, D / (D - 1))) >= 1 - exp(-t)
