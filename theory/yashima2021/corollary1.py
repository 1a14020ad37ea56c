"""Sections 4 and 5, Appendices E and F: what Theorem 3 and Corollary 1 ask for, in numbers."""

import numpy as np

from boundcheck import Positive, Real, Unit, at_most, between, equal, exp, integers, log, maximum, minimum

from . import paper
from .losses import logistic, logistic_slope
from .theorem1 import first_term, terms

AtLeastOne = between(1, 100)
AtMostOne = Unit
Exponent = between(0, 0.9)


def features_of_theorem1(eps, lam, R, G, C, p, g_star, risk):
    """The four entries of xi in Theorem 1, at the accuracy eps; ||g_*|| = g_star and L(g_*) = risk."""
    return [first_term(eps, C, g_star, p), *terms(eps, R, G, lam, g_star, risk)]


def features_of_theorem3(m, lam, R, G, C, p, g_star, risk):
    """The four entries of xi in Theorem 3, as printed."""
    return [
        (m / (2 ** (p + 3) * C * g_star)) ** (1 / (1 - p)),
        lam * m**2 / (2**8 * 3 * R**2 * G * g_star),
        (lam**3 * m**4 / (2**15 * 3**2 * R**4 * G**2 * risk)) ** (1 / 2),
        (lam**3 * m**4 / (2**15 * 3**2 * R**4 * G**3 * g_star)) ** (1 / 3),
    ]


@paper.identity("theorem3.xi-constants", section="Appendix E", step_of="theorem3.main")
def constants_of_xi(
    m: Positive,
    lam: Positive,
    R: Positive,
    G: Positive,
    C: Positive,
    p: Exponent,
    g_star: Positive,
    risk: Positive,
):
    """At eps = m / 4 the four entries of xi in Theorem 1 are those of Theorem 3, with G for the L of Appendix
    C; p < .9.
    """
    rest = (lam, R, G, C, p, g_star, risk)
    return [
        equal(a, b)
        for a, b in zip(features_of_theorem1(m / 4, *rest), features_of_theorem3(m, *rest), strict=True)
    ]


@paper.remark(
    "theorem3.M-formula", section="Section 4 and Appendix E, (29)", repairs="theorem3.M-formula.explicit"
)
def features_in_short(
    m: AtMostOne, lam: AtMostOne, R: AtLeastOne, G: AtLeastOne, C: AtLeastOne, p: Exponent, g_star: AtLeastOne
):
    """The M of the main text, (R^4 C^4 G^3 ||g_*||^4 / (lam^3 m^4))^max{1/(1-p), 2} R^4, covers (29) up to a
    constant that depends on p < .9, logarithms aside, where R, G, C, ||g_*|| are from 1 to 100, lam, m < 1
    and L(g_*) <= log 2.

    The hidden constant is 32 (2^8 3)^4 for the last three entries, 32 2^((p + 3) 4 / (1 - p)) for the first.
    It is not one for all problems: phi -> c phi, lam -> c^2 lam changes neither minimiser, nor R / xi, but
    this M by the factor c^(4 + (4 p - 6) max{...}).
    """
    xi = features_of_theorem3(m, lam, R, G, C, p, g_star, log(2))
    short = (R**4 * C**4 * G**3 * g_star**4 / (lam**3 * m**4)) ** maximum(1 / (1 - p), 2) * R**4
    hidden = 32 * maximum((2**8 * 3) ** 4, 2 ** ((p + 3) * 4 / (1 - p)))
    return [at_most(32 * (R / x) ** 4, hidden * short) for x in xi]


@paper.remark("theorem3.M-formula.explicit", section="Section 4 and Appendix E, (29)")
def features_in_short_in_all_units(R: Positive):
    """The M of the main text covers (29) up to a constant for all problems, here 10^15, logarithms aside;
    p = 0, one problem with its features in all units R.

    A reading: what the hidden constant may depend on is not said. The units of the features are free: phi
    -> R phi, lam -> R^2 lam, ||g_*|| -> ||g_*|| / R change no minimiser, nor R / xi. Here p = 0, where
    C(delta') has no units, and 1 for all that does not scale.
    """
    xi = features_of_theorem3(1, R**2, R, 1, 1, 0, 1 / R, log(2))
    short = (R**4 / R**4 / R**6) ** 2 * R**4
    return [at_most(32 * (R / x) ** 4, 1e15 * short) for x in xi]


def steps_for(error, lam, m):
    """2 gamma + t at which the bound of Theorem 3 is `error`, with G = R = 1."""
    return 2**12 * 9 * log(2 / error) / (lam * m) ** 2


@paper.remark("computational-claim.explicit", section="Section 4, Computational Viewpoint")
def small_errors_need_more_steps_than_features(c: between(0.001, 1000), lam: Unit, u: between(1, 100)):
    """For errors up to exp(-log^(2 max{(1+p)/(1-p), 3}) m(delta)), Theorem 3 asks for at least as many steps as
    features; p = 0, m < 1 / e.

    A reading, since the paper hides constants and lam depends on m: p = 0, R = G = C(delta') = ||g_*|| = 1,
    delta' = 1 / e, any lam, m = exp(-u), M = (lam^3 m^4)^-2, and the error exp(-c |log m|^6) with any
    c in (0.001, 1000) for the hidden constant.
    """
    m = exp(-u)
    steps = 2**12 * 9 * (log(2) + c * u**6) / (lam * m) ** 2
    return at_most(-6 * log(lam) + 8 * u, log(steps))


@paper.remark(
    "computational-claim.explicit.repaired",
    section="Section 4, Computational Viewpoint",
    repairs="computational-claim.explicit",
)
def very_small_errors_need_more_steps_than_features(lam: Unit, u: between(1, 100), p: Exponent):
    """For errors up to exp(-c m^(-2 max{(1+p)/(1-p), 3})), c = lam^(2 - 3 max{1/(1-p), 2}) / (2^12 9), a
    power of m and not of log m, Theorem 3 asks for more steps than features; R = G = C(delta') = ||g_*|| = 1,
    lam < 1, m < 1 / e, p < .9, with 1 for the constant hidden in M, its logarithm and 2 gamma aside.

    Proof: solve 2^12 9 log(1 / error) / (lam m)^2 = M = (lam^3 m^4)^-max{1/(1-p), 2}; 4 max{1/(1-p), 2} - 2
    is the exponent.
    """
    m, power = exp(-u), maximum(1 / (1 - p), 2)
    c = lam ** (2 - 3 * power) / (2**12 * 9)
    exponent = c * m ** (-2 * maximum((1 + p) / (1 - p), 3))
    return at_most((lam**3 * m**4) ** (-power), 2**12 * 9 * (log(2) + exponent) / (lam * m) ** 2)


@paper.experiment("theorem3.experiment-T", section="Section 5 with Theorem 3")
def burn_in_of_the_experiment(T: integers(1, 12000)):
    """The experiment, lam = 0.001, gamma = 500, delta = 0.3, R = G = 1, meets the condition of Theorem 3 on T
    at each T up to its 12,000 steps: 36 G^2 R^2 / (lam^2 (2 gamma + T)) <= m^2 / (64 R^2).

    The first term alone. It is met at none of them: the left-hand side is least at T = 12,000, and above
    2,000 there.
    """
    return at_most(36 / (0.001**2 * (1000 + T)), log(4) ** 2 / 64)


@paper.experiment("theorem3.experiment-bound", section="Section 5 with Theorem 3")
def bound_at_the_last_step():
    """The bound of Theorem 3 at the last of 12,000 steps is at most 0.6, what no excess error exceeds, so
    that it says something about the experiment.
    """
    return at_most(2 * exp(-(0.001**2) * (1000 + 12000) * log(4) ** 2 / (2**12 * 9)), 0.6)


@paper.experiment("theorem3.vacuous-experiment", section="Section 5")
def bound_of_the_experiment(t: integers(1, 12000)):
    """In the experiment, lam = 0.001, gamma = 500, delta = 0.3, R = G = 1, the bound of Theorem 3 at up to 12,000
    steps is at least 0; it says something only where it is below 0.6.

    No classifier has an excess error above 2 0.8 - 1 = 0.6, which needs no theorem. The condition on T is left
    aside.
    """
    m, lam = log(4), 0.001
    return at_most(0, 2 * exp(-(lam**2) * (1000 + t) * m**2 / (2**12 * 9)), trivial=0.6)


@paper.step("corollary1.mu", section="Appendix F", step_of="corollary1.lambda")
def strong_convexity_as_printed(U: between(0, 30), s: between(-1, 1), t: between(-1, 1)):
    """On [-U, U] the logistic loss is strongly convex with mu(U) = 2 / (1 + exp(-U) + exp(U)), in the sense
    of Assumption 8; U <= 30.
    """
    a, b = U * s, U * t
    mu = 2 / (1 + exp(-U) + exp(U))
    return at_most(mu / 2 * (a - b) ** 2, logistic(a) - logistic(b) - logistic_slope(b) * (a - b))


@paper.step(
    "corollary1.mu.repaired", section="Appendix F", repairs="corollary1.mu", step_of="corollary1.lambda"
)
def strong_convexity(U: between(0, 30), s: between(-1, 1), t: between(-1, 1)):
    """With mu(U) = 1 / (2 + exp(U) + exp(-U)) the logistic loss is strongly convex on [-U, U], for U <= 30.

    Proof: it is phi''(U), the least of phi'' on [-U, U], so that none is larger.
    """
    a, b = U * s, U * t
    mu = 1 / (2 + exp(U) + exp(-U))
    return at_most(mu / 2 * (a - b) ** 2, logistic(a) - logistic(b) - logistic_slope(b) * (a - b))


@paper.identity("corollary1.lambda", section="Corollary 1 and Appendix F")
def ridge_from_lemma3(C: Positive, g_star: between(0, 20), m: Positive):
    """The bound of Lemma 3 on ||g_lam - g_*|| at eps = 1 / 6, with mu = 1 / (2 + e^U + e^-U), is m / 2 at lam
    = m^3 / (8 C^3 (2 + e^U + e^-U) ||g_*||^3), U = ||g_*||, R = 1; U <= 20.

    Its bound grows with lam, so that a smaller lam does, too.
    """
    inverse_mu = 2 + exp(g_star) + exp(-g_star)
    lam = m**3 / (8 * C**3 * inverse_mu * g_star**3)
    return equal(C * g_star * (lam * inverse_mu) ** (1 / 3), m / 2)


@paper.corollary("corollary1.features", section="Corollary 1")
def features_from_theorem3(lam: AtMostOne, m: AtMostOne, delta: Unit, C: AtLeastOne, g_star: AtLeastOne):
    """Theorem 3 with p = 1/2, C(delta') = C (1 + 1/delta')^(1/4) and R = G = 1 asks for C^8 ((1 + 1/delta')
    ||g_*||^4 / (lam^3 m^4))^2 features, its hidden constant and logarithms aside.
    """
    constant = C * (1 + 1 / delta) ** (1 / 4)
    theorem3 = (constant**4 * g_star**4 / (lam**3 * m**4)) ** maximum(1 / (1 - 1 / 2), 2)
    return equal(theorem3, C**8 * ((1 + 1 / delta) * g_star**4 / (lam**3 * m**4)) ** 2)


@paper.corollary("corollary1.constants", section="Corollary 1")
def constants_of_the_logistic_loss(v: Real, w: Real):
    """The logistic loss has G = 1 and L = 1/4, which with R = 1 makes the condition eta_1 <= min{4, 1 / (2
    lam)}; on [-50, 50].
    """
    v, w = (maximum(minimum(x, 50), -50) for x in (v, w))
    slopes = logistic_slope(v), logistic_slope(w)
    return at_most(abs(slopes[0] - slopes[1]), np.abs(v - w) / 4), at_most(abs(slopes[0]), 1)


@paper.experiment("asm5.experiment-delta", section="Section 5")
def noise_of_the_experiment_as_printed():
    """The labels of the experiment, 0.8 and 0.2, satisfy Assumption 5 with delta = 0.3:
    |rho(1|x) - 1/2| > delta at every x.

    As printed, with the strict inequality. In tenths, so that nothing is rounded: at no x is |8 - 5| or |2
    - 5| at most 3.
    """
    tenths = np.array([8, 2])
    return at_most(np.where(abs(tenths - 5) > 3, 0, 1).sum(), 0)


@paper.experiment("asm5.experiment-delta.repaired", section="Section 5", repairs="asm5.experiment-delta")
def noise_of_the_experiment(delta: between(0, 0.3)):
    """The labels of the experiment, 0.8 and 0.2, satisfy Assumption 5 with every delta below 0.3.

    m(delta) is continuous, so that m(0.3) = log 4 may stand in the bounds. Proof. |0.8 - 1/2| = |0.2 - 1/2| =
    0.3. With |rho - 1/2| >= delta in Assumption 5, which its use allows, delta = 0.3 is right.
    """
    return [at_most(delta, abs(chance - 0.5)) for chance in (0.8, 0.2)]
