"""Section 6.4: the steps of Theorem 15, for a Lipschitz loss at one point; remarks on Sections 1, 3, 5 and the
conclusion.
"""

import numpy as np

from boundcheck import (
    Count,
    NonNegative,
    Positive,
    Real,
    Simplex,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    erf,
    exp,
    integers,
    log,
    maximum,
    minimum,
    rate,
    sqrt,
)  # fmt: skip

from . import paper
from .lemma22 import enough_features


def penalised(y, L, Kt, lam):
    """The minimiser g of L |y - g| + lam g^2 / Ktilde at one point, for y >= 0."""
    return minimum(y, L * Kt / (2 * lam))


@paper.remark("theorem15.step29.equality.explicit", section="Section 6.4")
def penalised_is_constrained(y: NonNegative, L: Positive, Kt: Positive, lam: Positive):
    """At one point, for the loss L |y - g|, the empirical risk of the penalised solution is the least over the
    ball of radius sqrt(2).

    Read with g_beta as Section 3.2 defines it; Remark 23 treats it as the best of that ball, and then there is
    nothing to show. The ball has |g| <= sqrt(2 Ktilde).
    """
    best = L * maximum(0, y - sqrt(2 * Kt))
    return equal(L * (y - penalised(y, L, Kt, lam)), best)


@paper.step(
    "theorem15.step29", section="Section 6.4, Eq. (29)", step_of=("theorem15.explicit", "theorem19.explicit")
)
def excess_empirical_risk(y: NonNegative, g_H: Real, L: Positive, K: Positive, Kt: Positive, lam: Positive):
    """At one point, for the loss L |y - g|, on the event of Lemma 22 the excess empirical risk over g_H is at
    most sqrt(2 lam).

    Assumption B.1 allows any L. g_H, in the unit ball, has |g_H| <= sqrt(K). g is the better of the penalised
    solution and the best function of the ball of radius sqrt(2), which Remark 23 puts in its place.
    """
    assume((lam <= K) & (g_H * g_H <= K) & (K <= 2 * (Kt + lam)))
    g = maximum(penalised(y, L, Kt, lam), minimum(y, sqrt(2 * Kt)))
    return at_most(L * (y - g) - L * abs(y - g_H), sqrt(2 * lam))


@paper.step(
    "theorem15.step29.repaired",
    section="Section 6.4, Eq. (29)",
    step_of="theorem15.explicit",
    repairs="theorem15.step29",
)
def excess_empirical_risk_repaired(
    y: NonNegative, g_H: Real, L: Positive, K: Positive, Kt: Positive, lam: Positive
):
    """At one point, for the loss L |y - g|, on the event of Lemma 22 the excess empirical risk over g_H is at
    most L sqrt(2 lam) + 2 lam.

    Proof, for every sample and L-Lipschitz loss. The penalised optimum is at most its value at the beta of
    Lemma 22 for g_H. With u = (1/n) ||g_H - g||^2 and v = lam s ||beta||^2, u + v <= 2 lam, the value is at
    most E_n l_gH + L sqrt(u) + v.
    """
    assume((g_H * g_H <= K) & (K <= 2 * (Kt + lam)))
    g = penalised(y, L, Kt, lam)
    return at_most(L * (y - g) - L * abs(y - g_H), L * sqrt(2 * lam) + 2 * lam)


@paper.step(
    "theorem15.step29.equality.repaired", section="Section 6.4", repairs="theorem15.step29.equality.explicit"
)
def penalised_is_nearly_constrained(y: NonNegative, L: Positive, Kt: Positive, lam: Positive):
    """At one point, for the loss L |y - g|, the empirical risk of the penalised solution exceeds the least
    over the ball of radius sqrt(2) by at most 2 lam.

    Proof. The penalised optimum is at most its value at the constrained one, where the penalty is at most 2
    lam.
    """
    best = L * maximum(0, y - sqrt(2 * Kt))
    return at_most(L * (y - penalised(y, L, Kt, lam)), best + 2 * lam)


@paper.step("assumptionB2.variance", section="Section 3.2.2")
def variance_condition(
    f: Vector("m"), g: Vector("m"), y: Vector("m"), P_xy: Simplex("m"), B: Positive, L: Positive
):
    """The L-Lipschitz loss L |y - g| with Assumption B.2 has E (l_g - l_gH)^2 <= L^2 E (g - g_H)^2 <= B L^2
    E (l_g - l_gH).
    """
    excess = L * (abs(y - f) - abs(y - g))
    distance = (P_xy * (f - g) ** 2).sum()
    assume(distance <= B * (P_xy * excess).sum())
    return at_most((P_xy * excess**2).sum(), L**2 * distance), at_most(
        L**2 * distance, B * L**2 * (P_xy * excess).sum()
    )


@paper.remark("assumptionB2.hinge", section="Section 3.2.2, after Assumption B.2")
def hinge_loss_satisfies_the_assumption(
    positive: integers(0, 6), negative: integers(1, 6), g: between(-1, 1)
):
    """At one input with |g| <= 1, the hinge loss satisfies B.2, for the law of up to 12 labels, with a B that
    may be as large as 10^6.

    The text names it among the losses for which B.2 "can be shown"; Steinwart and Christmann assume low noise.
    There are `positive` labels 1 to `negative` labels -1; l_g = 1 - y g.
    """
    margin = (positive - negative) / (positive + negative)
    g_H = 1 if margin >= 0 else -1
    return at_most((g - g_H) ** 2, 10**6 * margin * (g_H - g))


@paper.remark(
    "assumptionB2.hinge.repaired", section="Section 3.2.2, after Assumption B.2", repairs="assumptionB2.hinge"
)
def hinge_loss_with_low_noise(positive: integers(0, 6), negative: integers(1, 6), g: between(-1, 1)):
    """At one input with |g| <= 1, the hinge loss satisfies B.2 with B = 2 / |2 p - 1|, p the share of the
    labels 1 among 12 at most, if that is not 1/2. Proof: |g - g_H| <= 2.
    """
    assume(positive != negative)
    margin = (positive - negative) / (positive + negative)
    g_H = 1 if margin >= 0 else -1
    return at_most((g - g_H) ** 2, 2 / abs(margin) * margin * (g_H - g))


@paper.remark("remark14", section="Section 3.2, Remark 14")
def zero_one_loss_by_the_hinge_loss(p: between(0.5, 1), radius: Positive, share: between(-1, 1)):
    """At one input, the excess risk over g_H under the 0-1 loss is at most that under the hinge loss, as the
    remark says, for g_H the best of the unit ball of H.

    k(x, x) = radius^2, so that |g| <= radius, and y = 1 with probability p >= 1/2; sgn(0) = -1. The hinge loss
    prefers g_H = min(1, radius).
    """
    def hinge(v):
        return p * maximum(0, 1 - v) + (1 - p) * maximum(0, 1 + v)

    g = share * radius
    wrong = np.where(g > 0, 0.0, 1.0)
    return at_most((2 * p - 1) * wrong, hinge(g) - hinge(minimum(1, radius)))


@paper.remark("remark14.repaired", section="Section 3.2, Remark 14", repairs="remark14")
def zero_one_loss_by_the_hinge_loss_over_all(p: between(0.5, 1), g: Real):
    """At one input, y = 1 with probability p >= 1/2, the excess risk under the 0-1 loss is at most the excess
    of the hinge risk over the least of all functions, 2 (1 - p).

    Zhang 2004; so the remark stands where H holds a function that is the sign of 2 p - 1 at every input. Proof
    for g <= 0: the hinge risk is p (1 - g) + (1 - p) max(0, 1 + g) >= 1.
    """
    hinge = p * maximum(0, 1 - g) + (1 - p) * maximum(0, 1 + g)
    return at_most((2 * p - 1) * np.where(g > 0, 0.0, 1.0), hinge - 2 * (1 - p))


@paper.remark("conclusion.lipschitz_sqrtn", section="Conclusion")
def features_for_a_lipschitz_loss(delta: between(0.01, 1)):
    """A reading, for plain features: O(sqrt(n)) of them guarantee the rate 1 / sqrt(n) for a Lipschitz loss
    ("possible", in the text): what Corollary 18 asks for at lam = 1 / n, delta >= .01, z0 = 1 and d_K = 1,
    read as a rate over n = 100, 10^4, 10^6.
    """
    return rate({n: enough_features(n, 1, delta) for n in (10**2, 10**4, 10**6)}, at_most=1 / 2)


@paper.remark("assumptionA1.experiment", section="Assumption A.1 against Section 5")
def labels_of_the_experiments_are_bounded(y_0: between(0, 4)):
    """|y| <= y_0, as A.1 asks, holds with certainty for Gaussian labels, as those of Section 5, here of mean
    0 and variance 1, for y_0 up to 4.
    """
    return at_most(1, erf(y_0 / sqrt(2)))


@paper.remark("intro.lipschitz_plain.explicit", section="Section 1, list of results")
def features_without_logarithms(delta: between(0.01, 1)):
    """Omega(1 / lam) plain features suffice for the rate sqrt(lam): what Corollary 18 asks for is O(1 / lam),
    for a kernel with d_K = 1 / lam and z0 = 1, delta >= .01, read as a rate over 1 / lam = 100, 10^4, 10^6.

    The corollary has a logarithm of d_K more.
    """
    return rate({r: enough_features(r, r, delta) for r in (10**2, 10**4, 10**6)}, at_most=1)


@paper.remark("intro.weighted.explicit", section="Section 1, list of results")
def weighted_features_without_logarithms(delta: between(0.01, 1)):
    """Omega(d_K) leverage weighted features suffice: what Corollaries 10 and 17 ask for is O(d_K), delta >=
    .01, read as a rate over d_K = 10, 1000, 10^5.

    The corollaries have a logarithm of d_K more.
    """
    return rate({d: enough_features(d, d, delta) for d in (10, 10**3, 10**5)}, at_most=1)


@paper.remark("intro.weighted.needed", section="Section 1, list of results")
def multiple_of_the_effective_dimension(digits: integers(1, 9), delta: between(0.01, 0.1), C: between(5, 8)):
    """For K = I, n = 10, .., 10^9 inputs with a feature each, C log(1 / delta) d_K leverage weighted features
    suffice for an excess risk of at most 4 lam with probability 1 - delta, with a C from 5 to 8 that does not
    know d_K, delta from .01 to .1: what bounds the chance that all are drawn is at least 1 - delta.

    The inputs have the probability 1 / n; no noise, f_H = n^(-1/2) at each, and the limit of a large sample at
    lam < 1 / (4 n^2), so that d_K is n, up to one part in n. Where a feature is not drawn, every function of
    the space is 0 and the excess risk at least 1 / n^2. The event that all n are drawn has a probability of at
    most (1 - (1 - 1/n)^s)^n, as the counts are negatively associated.
    """
    n = 10**digits
    s = at_least(C * log(1 / delta) * n, Count)
    missed = exp(s * np.log1p(-1 / n))
    return at_most(1 - delta, exp(n * np.log1p(-missed)))


@paper.remark("cost.exponential", section="Section 3.1.1, after Corollary 10")
def cost_under_exponential_decay(n: integers(16, 10**9)):
    """For n from 16 to 10^9 and s = log n log log n, n s^2 + s^3 is at most n log(n)^4 + log(n)^6, and n s at
    most n log(n)^2.

    The text takes these for the operations and the memory of s features. Proof: log log n <= log n.
    """
    s = log(n) * log(log(n))
    return at_most(n * s**2 + s**3, n * log(n) ** 4 + log(n) ** 6), at_most(n * s, n * log(n) ** 2)


@paper.remark("labels", section="Sections 3.1.1, 3.1.2 and 6.5")
def numbers_of_statements():
    """The text's Corollary 1, Corollary 2, Theorem 1 and Assumption B.4 are the Corollaries 10 and 11,
    Theorem 9 and Assumption B.2 that are meant.
    """
    return tuple(equal(named, meant) for named, meant in ((1, 10), (2, 11), (1, 9), (4, 2)))
