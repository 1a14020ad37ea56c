"""Section 4 and Appendix E: averaged SGD with random features classifies exponentially well (Theorem 3),
step by step.
"""

import numpy as np

from boundcheck import (
    Count,
    E,
    NonNegative,
    P,
    Positive,
    Unit,
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
    norm,
    quantity,
    sqrt,
)  # fmt: skip

from . import paper
from .concentration import beta_of, enough_features
from .sgd_paths import SgdPaths


def margin(case, share):
    """m(delta) for the share of the least |g_*| at which Assumption 5 is set; it is strict, so that
    m < |g_*|.
    """
    return share * np.min(abs(case.bayes))


def burnt_in(case, m, toward, spare):
    """gamma and g_1 that meet the condition on T, the second part of it up to `toward` in (0, 1)."""
    T, R = case.T, case.R
    gamma = maximum(case.offset(case.L * R**2), (36 * 64 * R**4 / (case.lam * m) ** 2 * (1 + spare) - T) / 2)
    D = m**2 * (2 * gamma + T) * (T + 1) / (64 * R**2 * gamma * (gamma - 1))
    start = case.minimiser + toward * sqrt(D) * case.start / maximum(1, norm(case.start))
    assume(norm(start) <= (4 / (gamma + 1) + 1) / case.lam * R)
    return gamma, start


def bound(case, m, gamma, t):
    """2 exp(-lam^2 (2 gamma + t) m^2 / (2^12 9 G^2 R^4))."""
    return 2 * exp(-(case.lam**2) * (2 * gamma + t) * m**2 / (2**12 * 9 * case.R**4))


@paper.theorem("theorem3.main", section="Section 4", repairs="theorem3.complete")
def classification_error(case: SgdPaths, share: between(0, 1), toward: between(0, 1), spare: NonNegative):
    """For features with ||g_(M,lam) - g_*||_inf <= 3 m / 4, where T meets its condition, E R(gbar_(T+1)) - R_* <=
    2 exp(-lam^2 (2 gamma + T) m^2 / (2^12 9 G^2 R^4)); for logistic losses, two inputs, few features and steps,
    where the bound is above 1 on most instances.

    lam and M enter the proof only by ||g_(M,lam) - g_*|| <= ||g_(M,lam) - g_lam|| + ||g_lam - g_*|| <= m / 4
    + m / 2 (Theorem 1 and Proposition 4), which is assumed here, for given features: the M that is asked for
    is beyond any machine. For t >= T it is the same with t for T, since the condition on T only gets easier. With few
    steps the bound is above 1, and says nothing, on most instances: what carries the theorem are its steps. The
    printed burn-in is not enough for the printed proof (theorem3.step-sum-vs-max), but it is for the statement:
    theorem3.rescue.
    """
    assume(case.possible)
    m = margin(case, share)
    assume(abs(case.Phi @ case.minimiser - case.bayes) <= 3 * m / 4)
    gamma, start = burnt_in(case, m, toward, spare)
    return at_most(E(case.excess(case.average(start, gamma))), bound(case, m, gamma, case.T), trivial=1)


@paper.theorem("theorem3.complete", section="Appendix E, Theorem 3")
def classification_error_as_restated(mu: between(0.6, 0.95), later: integers(1, 10**12)):
    """For any t > T, E R(gbar_(T+1)) - R_* <= 2 exp(-lam^2 (2 gamma + t) m^2 / (2^12 9 G^2 R^4)),
    with T + 1 on the left as printed.

    Decided for one input and one feature, 1, so that k_M = k = 1, R = G = 1, for the logistic loss, P(Y =
    1) = mu, m = 0.999 g_*, lam with g_lam = g_* - m / 2 (Proposition 4), g_1 = 0 and the least gamma and T;
    t = T + later. If all T labels are -1, which has the probability (1 - mu)^T, no iterate is positive and
    the sign is wrong, whatever t. In logarithms.
    """
    best = log(mu / (1 - mu))
    m = 0.999 * best
    g = best - m / 2
    lam = (mu - 1 / (1 + exp(-g))) / g
    gamma = maximum(3, 1 / (2 * lam) - 1)
    T = at_least(36 * 64 / (lam * m) ** 2 - 2 * gamma, Count)
    assume(64 * gamma * (gamma - 1) * g**2 <= m**2 * (2 * gamma + T) * (T + 1))
    least = log(2 * mu - 1) + T * log(1 - mu)
    return at_most(least, log(2) - lam**2 * (2 * gamma + T + later) * m**2 / (2**12 * 9))


@paper.step(
    "theorem3.step-sign", section="Appendix E", step_of="theorem3.main", repairs="theorem3.step-sign.printed"
)
def sign_is_right(bayes: Vector("n"), far: Vector("n"), near: Vector("n"), share: between(0, 1)):
    """If ||g - g_(M,lam)||_inf <= m / 4 and ||g_(M,lam) - g_*||_inf <= 3 m / 4, then sgn g = sgn g_*; |g_*| > m.

    The first follows from ||g - g_(M,lam)|| <= m / (4 R) in H_M. The paper argues with |g_*| >= m, which at
    g = 0, g_* = m would not do; Assumption 5 is strict, so that |g_*| > m.
    """
    assume(abs(bayes) > 0)
    m = share * np.min(abs(bayes))
    pull = 3 / 4 * far / maximum(1, np.max(abs(far))) + near / maximum(1, np.max(abs(near))) / 4
    g = bayes + m * pull
    return equal(np.where(g > 0, 1.0, -1.0), np.where(bayes > 0, 1.0, -1.0))


@paper.step("theorem3.step-sign.printed", section="Appendix E, proof of Theorem 3", step_of="theorem3.main")
def sign_is_right_as_printed(m: Positive, steps: integers(0, 4)):
    """If |g - g_*| <= m and |g_*| >= m, then sgn g = sgn g_*, where sgn(0) = -1; here g_* = m, g = m
    (1 - steps / 4).
    """
    best, g = m, m * (4 - steps) / 4
    return equal(np.where(g > 0, 1.0, -1.0), np.where(best > 0, 1.0, -1.0))


def burn_in(G, R, lam, gamma, T, D):
    """The two parts of the condition on T, which are also the two terms of Proposition 5."""
    noise = 36 * G**2 * R**2 / (lam**2 * (2 * gamma + T))
    return noise, gamma * (gamma - 1) * D / ((2 * gamma + T) * (T + 1))


@paper.step("theorem3.step-sum-vs-max", section="Appendix E, 'to satisfy (30)'", step_of="theorem3.main")
def burn_in_as_printed(
    G: Positive, R: Positive, lam: Positive, gamma: between(3, 1000), T: Count, D: Positive
):
    """The condition on T, the larger term at most m^2 / (64 R^2), gives (30) by Proposition 5: their sum is
    at most that; gamma from 3 to 1000.

    D is at most what ||g_1|| <= (2 eta_1 + 1 / lam) G R and ||g_(M,lam)|| <= G R / lam allow.
    """
    noise, memory = burn_in(G, R, lam, gamma, T, D)
    assume(lam * sqrt(D) <= (4 / (gamma + 1) + 2) * G * R)
    m = at_least(8 * R * sqrt(maximum(noise, memory)))
    return at_most(sqrt(noise + memory), m / (8 * R))


@paper.step(
    "theorem3.step-sum-vs-max.repaired",
    section="Appendix E",
    repairs="theorem3.step-sum-vs-max",
    step_of="theorem3.main",
)
def burn_in_with_twice_the_room(
    G: Positive, R: Positive, lam: Positive, gamma: between(3, 1000), T: Count, D: Positive
):
    """With m^2 / (128 R^2) in place of m^2 / (64 R^2), Proposition 5 gives (30); gamma from 3 to 1000.

    Proof: a + b <= 2 max{a, b}, sharp at a = b.
    """
    noise, memory = burn_in(G, R, lam, gamma, T, D)
    m = at_least(8 * R * sqrt(2 * maximum(noise, memory)))
    return at_most(sqrt(noise + memory), m / (8 * R))


@paper.step("theorem3.rescue", section="Appendix E", step_of="theorem3.main")
def theorem_stands_as_printed(
    G: Positive, R: Positive, lam: Positive, gamma: between(3, 1000), T: Count, D: Positive
):
    """With the printed burn-in, Proposition 5 and prop6.sharper, which has eta_1 <= 1 / (L R^2), the bound of
    P(||gbar - g_(M,lam)|| > m / (4 R)) is at most the printed one; gamma from 3 to 1000.

    Proof: Proposition 5 leaves eps = m / (4 R) - sqrt(noise + memory) >= (1 - 2^(-1/2)) m / (4 R), and
    3 / 128 (1 - 2^(-1/2))^2 / 16 = 1.2e-4 exceeds 1 / (2^12 9) = 2.7e-5.
    """
    noise, memory = burn_in(G, R, lam, gamma, T, D)
    m = at_least(8 * R * sqrt(maximum(noise, memory)))
    eps = m / (4 * R) - sqrt(noise + memory)
    scale = lam**2 * (2 * gamma + T) / (G * R) ** 2
    return at_most(scale * m**2 / (2**12 * 9 * R**2), 3 * scale * eps**2 / 128)


@paper.step("theorem3.lastline", section="Appendix E, last display", step_of="theorem3.main")
def last_display(case: SgdPaths, share: between(0, 1), toward: between(0, 1), spare: NonNegative):
    """E R(gbar_(T+1)) - R_* <= 1 - 2 exp(-lam^2 (2 gamma + T) m^2 / (2^12 3^2 G^2 R^4)), where T
    meets its condition, with lam as in Proposition 4 and k_M = k; for logistic losses, two inputs, few steps.
    """
    assume(case.possible)
    m = margin(case, share)
    assume(abs(case.Phi @ case.minimiser - case.bayes) <= m / 2)
    gamma, start = burnt_in(case, m, toward, spare)
    return E(case.excess(case.average(start, gamma))) <= 1 - bound(case, m, gamma, case.T)


@paper.step(
    "theorem3.lastline.repaired", section="Appendix E", repairs="theorem3.lastline", step_of="theorem3.main"
)
def last_display_repaired(case: SgdPaths, share: between(0, 1), toward: between(0, 1), spare: NonNegative):
    """Without "1 -": gbar is further than m from g_* with probability at most 2 exp(-lam^2 (2 gamma + T) m^2 /
    (2^12 9 G^2 R^4)), if ||g_(M,lam) - g_*||_inf <= 3 m / 4 and T meets its condition; for logistic losses,
    two inputs, few steps.

    Else it is the Bayes classifier, and the excess error is at most 1 where it is not.
    """
    assume(case.possible)
    m = margin(case, share)
    assume(abs(case.Phi @ case.minimiser - case.bayes) <= 3 * m / 4)
    gamma, start = burnt_in(case, m, toward, spare)
    wrong = case.average(start, gamma).map(
        lambda beta: np.max(np.abs(beta @ np.transpose(case.Phi) - case.bayes), axis=-1)
    )
    return P(wrong > m) <= bound(case, m, gamma, case.T)


def one_feature(q, xi, delta):
    """||T^(1/2) - T_M^(1/2)|| at one input, for features 1 with probability q and else 0, with the M of (29):
    R = 1, T = q.
    """
    M = at_least(enough_features(1, xi, beta_of(1, q, delta)), Count)
    hits = quantity(lambda rng, size: rng.binomial(M, q, size))
    return abs(sqrt(q) - sqrt(hits / M))


@paper.remark("theorem3.delta-clash", section="Appendix E, (29)", step_of="theorem3.main")
def features_as_printed(q: Unit, xi: between(0.7, 1), delta: between(0.4, 0.5), t: between(1, 170)):
    """With the least M >= max{(8/3) (R/xi)^2, 32 (R/xi)^4} log(2 R^2 / (||T|| delta)), Lemma 2 holds at xi with
    probability 1 - delta'; at one input, for xi from .7 to 1.

    Here delta is, as printed, the margin of Assumption 5, from .4 to .5, and delta' that of the conclusion. At
    one input Lemma 2 says ||T^(1/2) - T_M^(1/2)|| <= xi, and delta' = exp(-t). There xi does not
    depend on delta' (p = 0), so that the same number of features would have to do for every delta'.
    """
    return P(one_feature(q, xi, delta) <= xi) >= 1 - exp(-t)


@paper.remark("theorem3.delta-clash.repaired", section="Appendix E, (29)", repairs="theorem3.delta-clash")
def features_repaired(q: Unit, xi: between(0.2, 1), t: Positive):
    """With delta' in (29), at its least M, Lemma 2 holds with probability 1 - delta'; at one input, for xi from
    .2 to 1.

    Proof: Lemma 2, which at one input is Bernstein's inequality for a binomial count.
    """
    return P(one_feature(q, xi, exp(-t)) <= xi) >= 1 - exp(-t)
