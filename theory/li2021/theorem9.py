"""Sections 3.1.1 and 6.2: Theorem 9 step by step, and repaired; Corollaries 10 and 11."""

import numpy as np

from boundcheck import (
    Count,
    E,
    Matrix,
    NonNegative,
    P,
    Positive,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    integers,
    log,
    maximum,
    minimum,
    norm,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
)
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import Few, paper
from .lemma22 import enough_features
from .lemma24 import kernel_of_draw, smooth, within_unit_ball
from .lipschitz import Ridge, scores
from .ridge import objective, ridge_solution


@paper.step("theorem9.step16.algebra", section="Section 6.2", step_of="theorem9.explicit")
def excess_over_kernel_ridge(
    Z: Matrix("n", "s"), fhat: Vector("n"), y: Vector("n"), b: Vector("s"), lam: Positive
):
    """The excess empirical risk of (7) over any fhat is at most the bracket of Section 6.2 at any beta."""
    n = len(y)
    excess = (norm(y - Z @ ridge_solution(Z, y, lam)) ** 2 - norm(y - fhat) ** 2) / n
    return at_most(excess, objective(Z, fhat, b, lam) + 2 / n * ((y - fhat) @ (fhat - Z @ b)))


def excess_of_draws(case, y, s):
    """The excess empirical risk (16) over the draws of s weighted features; the labels y are fixed before,
    (n,) scaled.
    """
    n, lam, K = case.n, case.lam, case.K
    y = within_unit_ball(K, y[:n], lam)
    residual = case.Kt(s, case.q).map(lambda A: n * lam * solve(A + case.ridge, y[:, None])[..., 0])
    return (norm(residual) ** 2 - norm(y - smooth(K, y, lam)) ** 2) / n


def enough_features_with_noise(d_tilde, d_K, delta):
    """The number of features for which Theorem 9 is proved here."""
    return enough_features(d_tilde, d_K, delta, 7.5)


def few_draws(case):
    """Two features and d_tilde <= 50, so that every draw is enumerated; Assumption 3."""
    return (len(case.p) == 2) & (case.d_tilde <= 50) & (case.n * case.lam <= case.largest_eigenvalue)


def excess_at_two_points(k, q, s, lam, b):
    """(16) at two points with a feature each, K = diag(1, k), over s draws, of the second feature with
    probability q.

    The labels are fixed before: fhat = K^1/2 b, of norm 1.
    """
    second = quantity(lambda rng, size: rng.binomial(s, q, size))
    excess = 0
    for kappa, share, along in ((1, (s - second) / (s * (1 - q)), b[0]), (k, second / (s * q), b[1])):
        y = (kappa + 2 * lam) / sqrt(kappa) * along
        left, least = 2 * lam / (kappa * share + 2 * lam), 2 * lam / (kappa + 2 * lam)
        excess = excess + y**2 * (left**2 - least**2) / 2
    return excess


@paper.theorem("theorem9.explicit", section="Section 3.1.1, Eq. (8)")
def risk_over_kernel_ridge(k: Unit, lam: Ridge, b: UnitVector(2), surplus: NonNegative, delta: Unit):
    """In the limit of large n at a fixed lam, with s >= 5 d_tilde log(16 d_K / delta) features, the risk
    exceeds that of kernel ridge regression by at most 4 lam with probability 1 - delta; for two inputs with a
    feature each and labels that are a function of the input, ||fhat|| = 1.

    Inputs are uniform on two points and labels a function of them: then the limit of the sample is each point
    equally often, O(1 / sqrt(n)) vanishes, and the excess risk is (16). l_tilde exceeds the leverage score of
    the first feature by surplus.
    """
    l_1, l_2 = scores(k, lam)
    d_tilde = l_1 + l_2 + surplus
    s = at_least(enough_features(d_tilde, l_1 + l_2, delta), Count)
    return P(excess_at_two_points(k, l_2 / d_tilde, s, lam, b) <= 4 * lam) >= 1 - delta


@paper.theorem(
    "theorem9.repaired",
    section="Section 3.1.1, Eq. (8), and Section 6.2, Eq. (16)",
    repairs="theorem9.step16.on_event",
)
def risk_over_kernel_ridge_repaired(k: Unit, lam: Ridge, b: UnitVector(2), surplus: NonNegative, delta: Unit):
    """For two points with a feature each, s >= 7.5 d_tilde log(16 d_K / delta) and labels with ||fhat|| = 1
    that are independent of the features, (16) is at most 4 lam with probability 1 - delta.

    Proved for every kernel, q and labels with ||fhat|| <= 1 that are independent of the features given the
    inputs.

    Proof. A = K + n lam I, R = A^-1/2 K A^-1/2 <= I, a_i = sqrt(p / q) A^-1/2 z_i, so that |a_i|^2 <= d_tilde
    =: d and E a a^T = R; w = A^-1/2 Y, r_i = (w a_i)^2, E r = ||fhat||^2 =: m <= 1. Keep the draws with r_i <=
    9 d, R_9 = E [a a^T; r <= 9 d], R_s the sum of the a_i a_i^T kept over s, M = E [r; r > 9 d]. In the
    bracket of Section 6.2 take beta = (Z^T A^-1 Y) / s on the draws kept, and add the best b on these: the
    terms linear in b cancel, and (16) is at most lam (2 m + |R w - R_s w|^2 / (1 - |R - R_s|_+)), |.|_+ the
    largest eigenvalue. (a) P(r > 9 d) <= M / (9 d), so R - R_9 <= M / 9, and |R w - R_9 w| <= M / 3 by
    Cauchy-Schwarz. (b) R_9 - R_s <= .47 but for probability .07 delta: as lemma22.sharp, with .47 + .53
    log(.53) > 1 / 7.5. (c) R_9 w - R_s w is a mean of vectors a (a w) of length <= 3 d and mean square <= d (m
    - M); by Pinelis (1994, Theorem 3.3) it is shorter than t, 7.5 t^2 = 2 (m - M) + 4 t, but for probability 2
    exp(-log(16 d_K / delta)) <= delta / 4. Together (16) / lam <= 2 m + (M / 3 + t)^2 / (.53 - M / 9), at most
    3.82 for 0 <= M <= m <= 1: li2021.theorem9.repaired.number.

    With plain features, |y| <= y_0 and all estimators in their balls, Lemma 3 for (15) and (17) and the union
    bound give, but for probability 3 delta, E l_ftilde <= E l_fhat + 4 lam + (4 sqrt(2) + 4) L z0 / sqrt(n) +
    2 B sqrt(8 log(2 / delta) / n), with L = 2 (y_0 + sqrt(2) z0) and B = (y_0 + sqrt(2) z0)^2. For leverage
    scores of the sample (15) is theorem9.step15.sample.
    """
    l_1, l_2 = scores(k, lam)
    d_tilde = l_1 + l_2 + surplus
    s = at_least(enough_features_with_noise(d_tilde, l_1 + l_2, delta), Count)
    return P(excess_at_two_points(k, l_2 / d_tilde, s, lam, b) <= 4 * lam) >= 1 - delta


@paper.step("theorem9.repaired.bracket", section="Section 6.2, Eq. (16)", step_of="theorem9.repaired")
def bracket_on_the_draws_kept(case: FeaturePool, share: Vector(3), kept: Vector(3), y: Vector(3)):
    """For any draws, and any part of them, (16) is at most lam
    (2 m - alpha^T K_s alpha + h^T (K_s + n lam I)^-1 h), h = (K - K_s) alpha.

    alpha = (K + n lam I)^-1 Y, m = alpha^T K alpha, and K_s is Ktilde with the part of the draws that is
    kept, min(1, kept_v^2).
    """
    n, lam, K, keep = case.n, case.lam, case.K, minimum(1, abs(kept))
    Kt, K_s = kernel_of_draw(case, share), kernel_of_draw(case, share * keep)
    y = within_unit_ball(K, y[:n], lam)
    alpha = solve(K + case.ridge, y[:, None])[:, 0]
    h = (K - K_s) @ alpha
    bound = 2 * (alpha @ K @ alpha) - alpha @ K_s @ alpha + h @ solve(K_s + case.ridge, h[:, None])[:, 0]
    return at_most((norm(y - smooth(Kt, y, lam)) ** 2 - norm(y - smooth(K, y, lam)) ** 2) / n, lam * bound)


@paper.step("theorem9.repaired.number", section="Section 6.2, Eq. (16)", step_of="theorem9.repaired")
def number_of_the_proof(m: Unit, share: Unit):
    """2 m + (M / 3 + t)^2 / (.53 - M / 9) <= 3.82 for M = share m, 7.5 t^2 = 2 (m - M) + 4 t;
    and .47 + .53 log(.53) >= 1 / 7.5.
    """
    M = share * m
    t = (4 + sqrt(16 + 60 * (m - M))) / 15
    return at_most(2 * m + (M / 3 + t) ** 2 / (0.53 - M / 9), 3.82), at_most(1 / 7.5, 0.47 + 0.53 * log(0.53))


@paper.step(
    "theorem9.step16.explicit", section="Section 6.2", step_of=("theorem9.explicit", "theorem12.explicit")
)
def excess_with_high_probability(case: FeaturePool, y: Vector(3), delta: Unit):
    """For two features with d_tilde <= 50, and labels with ||fhat|| <= 1 that are fixed before these are
    drawn, s >= 5 d_tilde log(16 d_K / delta) of them make (16) at most 4 lam with probability 1 - delta.

    The proof takes it from Lemmas 22 and 24; on the event of Lemma 22 alone it is false,
    theorem9.step16.on_event.
    """
    assume(few_draws(case))
    s = at_least(enough_features(case.d_tilde, case.d_eff, delta), Count)
    return P(excess_of_draws(case, y, s) <= 4 * case.lam) >= 1 - delta


@paper.remark(
    "theorem9.step16.icml",
    section="Section 6.2, with the constant of the ICML 2019 version",
)
def excess_with_the_earlier_constant(case: FeaturePool, y: Vector(3), delta: between(0.01, 1)):
    """For two features with d_tilde <= 50, labels with ||fhat|| <= 1 that are fixed before these are drawn,
    and delta >= .01, s >= 5 d_tilde log(16 d_K / delta) of them make (16) at most 2 lam with probability 1 -
    delta, the constant that Liu et al. (2020) take from the shorter version of the paper (Li et al. 2019),
    which was not at hand.
    """
    assume(few_draws(case))
    s = at_least(enough_features(case.d_tilde, case.d_eff, delta), Count)
    return P(excess_of_draws(case, y, s) <= 2 * case.lam) >= 1 - delta


@paper.step("theorem9.step15.datadep", section="Section 6.2, Eq. (19)", step_of="theorem9.explicit")
def deviation_for_a_class_that_depends_on_the_sample(
    n: integers(2, 12), eta: Unit, eps: between(0.01, 1), lam: between(0, 0.25), delta: between(0.005, 0.1)
):  # fmt: skip
    """For two inputs and two features, n <= 12, delta from .005 to .1 and lam <= 1/4, (15) is at most sqrt(2)
    L z0 / sqrt(n) + sqrt(8 log(2 / delta) / n) with probability 1 - delta for all functions of the ball, also
    for leverage weighted features.

    The inputs are A, and B of probability eta, the labels 0, and the features of p = 1/2: z_1 = (1, 0), z_2 =
    (eps, 1), so z0 = 1. Assumption 3 holds for every sample: lambda_1 >= n / 4, as one of the inputs has half
    of it. The proof bounds the supremum over the ball of radius sqrt(2) of Htilde; L = 2 sqrt(2) is the
    Lipschitz constant of f^2 for |f| <= sqrt(2) z0. For a sample of A alone q* = (1, eps^2) / (1 + eps^2), and
    f in the span of z_2 with f(B)^2 = 2 (count / s) p / q is in the ball; other samples are counted as if they
    met the bound.
    """
    n_lam, k = n * lam, n * (1 + eps**2) / 2
    d_K = k / (k + n_lam)
    s = at_least(enough_features(d_K, d_K, delta), Count)
    only_A = quantity(lambda rng, size: rng.binomial(n, eta, size)) == 0
    count = quantity(lambda rng, size: rng.binomial(s, eps**2 / (1 + eps**2), size))
    at_B = 2 * count / s * (1 + eps**2) / (2 * eps**2)
    gap = eta * at_B - eta * eps**2 * at_B
    bound = 4 / sqrt(n) + sqrt(8 * log(2 / delta) / n)
    return P(~only_A | (gap <= bound)) >= 1 - delta


@paper.step(
    "theorem9.step15.datadep.repaired", section="Section 6.2, Eq. (19)", repairs="theorem9.step15.datadep"
)
def kernel_of_weighted_features_on_average(case: FeaturePool, s: Few):
    """On average over the draws of up to 3 features Ktilde(x, x) is K(x, x) <= z0^2, at every point: what
    remains of the bound z0^2 for weighted features.

    Proof: the weights p / q are unbiased. For a q fixed before the sample E sqrt(Tr Ktilde) <= sqrt(n) z0
    follows by Jensen, with the mean over the features; for plain features Tr Ktilde <= n z0^2 always. For q*
    of the sample see theorem9.step15.sample.
    """
    diagonal = case.Kt(s, case.q).map(lambda A: np.diagonal(A, axis1=-2, axis2=-1))
    return equal(E(diagonal), case.K.diagonal()), at_most(case.K.diagonal(), case.z0**2)


@paper.step("theorem9.step15.general", section="Section 6.2, Eq. (19)", repairs="theorem9.step15.datadep")
def deviation_for_a_law_fixed_before(
    n: integers(1, 10), s: integers(1, 5), eta: Unit, q: Unit, r: between(0.1, 4)
):
    """For one input that matters, with fair signs as labels, up to 5 weighted features of a law q fixed before
    the sample and predictions clipped to [-1, 1], (15) over the ball of radius r, from .1 to 4, is on average
    at most 8 r / sqrt(n), n <= 10.

    Over features and samples; for every kernel, q, labels up to y_0 and z0 it is proved to be at most 8 y_0 r
    z0 / sqrt(n). Proof. The mean of the supremum of E l - E_n l is at most twice the Rademacher complexity;
    the clipped loss has the Lipschitz constant 4 y_0; for given features the ball has a complexity of at most
    r E sqrt(Tr Ktilde) / n, and by Jensen, E Ktilde(x, x) = K(x, x) <= z0^2, on average of at most r z0 /
    sqrt(n). Clipping does not raise E_n l. So if also d_tilde q is at least the scores of the sample,
    theorem9.repaired and E_n l_fhat <= E_n l_fH + lam give for the mean risk of the clipped ftilde at most E
    l_fH + 5 lam + 4 delta y_0^2 + 8 y_0 r z0 / sqrt(n), with r = sqrt(2) by Remark 23, and with r = y_0 / (2
    sqrt(lam)) for the penalised solution of (7) whatever is drawn.

    With probability 1 - delta over the features E_x Ktilde(x, x) <= z0^2 / delta, and then, with probability 1 -
    delta over the sample, (15) is at most 8 y_0 r z0 / sqrt(delta n) + 4 y_0^2 sqrt(log(1 / delta) / (2 n)), by
    McDiarmid's inequality, as an example moves the supremum by 4 y_0^2 / n at most. For q* of the sample itself
    see theorem9.step15.sample.

    Looked at for one input A of probability eta that matters, where labels are fair signs, and the feature that
    does not vanish is 1 and drawn with probability q.
    """
    labels = quantity(lambda rng, size: rng.multinomial(n, [eta / 2, eta / 2, 1 - eta], size))
    seen = labels.map(lambda N: N[..., 0] + N[..., 1])
    total = labels.map(lambda N: abs(N[..., 0] - N[..., 1]))
    most = minimum(1, r * sqrt(quantity(lambda rng, size: rng.binomial(s, q, size)) / (s * q)))
    surplus = eta - seen / n
    best = minimum(most, total / n / maximum(abs(surplus), 1e-9))
    gaps = [surplus * (1 + f**2) + 2 * total / n * f for f in (most, best)]
    return at_most(E(maximum(*gaps)), 8 * r / sqrt(n))


@paper.step("theorem9.step15.weights", section="Section 6.2, Eq. (19)", step_of="theorem9.step15.sample")
def mean_square_of_the_weights(case: FeaturePool, s: Few):
    """The mean of W^2 = (1/s) sum_j p/q(v_j) over the draws of s <= 3 features is 1 for q*, the leverage scores
    of the sample, where all of these are positive.

    Not run: for any q it is the p-mass of where q > 0, so at most 1.
    """
    assume(case.leverage > 0)
    q = case.leverage / case.d_eff
    counts = quantity(lambda rng, size: rng.multinomial(s, q, size))
    return equal(E(np.sum(counts * (case.p / q)) / s), 1)


@paper.step("theorem9.step15.sample", section="Section 6.2, Eq. (19)", repairs="theorem9.step15.datadep")
def deviation_for_a_law_of_the_sample(
    n: integers(1, 4000), s: integers(1, 5), q: Unit, q_else: Unit, r: between(0.1, 4)
):
    """For one input, with fair signs as labels, up to 5 draws of one feature whose law q is computed from
    them, and predictions clipped to [-1, 1], (15) over the ball of radius r, from .1 to 4, is on average at
    most 40 r R, R = sqrt(2 log(2) / n), n <= 4000.

    Proved for every kernel, labels up to y_0 and any law that is computed from the sample, q* among them, with
    40 y_0 r R. R = E sup_v |(1/n) sum_i sigma_i z(v, x_i)| is the complexity of the features themselves, at
    most z0 sqrt(2 log(2 N) / n) for N of them: for a pool that was drawn before the sample, as that of
    Algorithm 1, N is its size, p uniform on it, and q may be computed from the sample in any way.

    Proof. f = sum_j beta_j w_j z(v_j, .) with w^2 = p/q and s ||beta||^2 <= r^2 is in r W A, where A is the
    absolutely convex hull of the features, which no sample moves, and W^2 = (1/s) sum_j w_j^2 has a mean of at
    most 1 given the sample (theorem9.step15.weights), so that P(W > t | sample) <= t^-2. Let G(a) be the
    supremum of E h - E_n h, h = l_f - l_0, over the clipped f in a A: it grows with a, is not negative, and E
    G(a) <= 8 y_0 a R by symmetrisation and contraction with the constant 4 y_0. The mean of (15) is at most E
    G(r W) <= E G(r) + sum_k 4^-k E G(2^(k+1) r) <= 40 y_0 r R over k >= 0, as E l_0 - E_n l_0 has mean 0. For
    a loss with the Lipschitz constant L it is 10 L r R, without clipping.

    With probability 1 - 2 delta it is at most 8 y_0 r R / sqrt(delta) + 4 y_0^2 sqrt(log(1 / delta) / (2 n)): W
    <= delta^-1/2 but for probability delta, and an example moves the supremum of E l_f - E_n l_f over the clipped
    f in a A, a = r / sqrt(delta), whose mean is at most 8 y_0 a R, by 4 y_0^2 / n at most (McDiarmid). For Fourier
    features with unbounded frequencies, |x| bounded, split f at |v| = T. The part beyond is at most r W_T z0,
    W_T^2 = (1/s) sum_j w_j^2 [|v_j| > T] with a mean of at most P(|v| > T), and adds 8 y_0 r z0 sqrt(P(|v| > T) /
    delta), again but for probability delta; the rest has R = O(z0 sqrt(d log(T n) / n)) by a net, d the dimension
    of x. If p has a moment, T = a power of n gives O(sqrt(d log(n) / n)). For a loss with the Lipschitz
    constant L the mean gives 10 L r R / delta for h by Markov's inequality, as G >= 0.

    So as for theorem9.step15.general the mean risk of the clipped ftilde, with 7.5 d_K log(16 d_K / delta)
    features drawn by q*, is at most E l_fH + 5 lam + delta y_0^2 + 40 y_0 r R. Looked at for one input with
    labels that are fair signs, and the feature 1, N = 1, drawn with probability q if most labels are 1, else
    q_else.
    """
    total = 2 * quantity(lambda rng, size: rng.binomial(n, 1 / 2, size)) - n
    drawn, otherwise = (
        quantity(lambda rng, size, law=law: rng.binomial(s, law, size)) / (s * law) for law in (q, q_else)
    )
    most = minimum(1, r * sqrt(np.where(total > 0, drawn, otherwise)))
    return at_most(E(2 * most * abs(total) / n), 40 * r * sqrt(2 * log(2) / n))


@paper.step(
    "theorem9.union",
    section="Section 6.2, before Eq. (20)",
    step_of=("theorem9.explicit", "theorem12.explicit"),
)
def three_events(delta: between(0.01, 0.3)):
    """For delta from .01 to .3, three events that fail independently with probability delta each, as (15),
    (16) and (17) may as far as the proof knows, hold together with probability 1 - delta.

    Lemma 3 is used twice and Lemma 22 once, each at level delta.
    """
    fails = quantity(lambda rng, size: (rng.random((size, 3)) < delta).sum(axis=-1))
    return P(fails == 0) >= 1 - delta


@paper.step(
    "theorem9.union.repaired",
    section="Section 6.2, before Eq. (20)",
    repairs="theorem9.union",
    step_of="theorem9.repaired",
)
def three_events_repaired(delta: between(0.01, 0.3)):
    """For delta from .01 to .3, three events that fail independently with probability delta each hold together
    with probability at least 1 - 3 delta. Proof, for any three events: the union bound.
    """
    fails = quantity(lambda rng, size: (rng.random((size, 3)) < delta).sum(axis=-1))
    return P(fails == 0) >= 1 - 3 * delta


@paper.remark("theorem9.rhs_print", section="Section 3.1.1, Eq. (8), against Section 6.2")
def right_side_of_the_theorem(k: Positive, lam: Positive, share: Positive, y: Positive):
    """At one point, the right-hand side of (8) is the same in Section 3, with the risk of ftilde, and in
    Section 6.2, with that of fhat.

    K = k, Ktilde = share k, and the label is y.
    """
    return equal((y * lam / (share * k + lam)) ** 2, (y * lam / (k + lam)) ** 2)


@paper.step("theorem9.step16.on_event", section="Section 6.2", step_of="theorem9.explicit")
def excess_on_the_event(k: Unit, lam: between(0, 0.5), h: between(-1, 1), b: UnitVector(2)):
    """At two points, on the event of Lemma 22, K <= 2 (Ktilde + n lam I), and for ||fhat|| = 1 and lam <=
    1/2, the excess empirical risk (16) is at most 4 lam.

    K = diag(1, k), fhat = K^(1/2) b of norm 1, and Ktilde = z z^T with z = (1, h): any Ktilde is a draw of
    weighted features, as K = G G^T and Ktilde = G D G^T for a diagonal D, whose columns and shares these are.
    The solution of (7) lies in the ball of radius sqrt(2), as in Remark 23.
    """
    n_lam, e_1, e_2 = 2 * lam, identity(2)[0], identity(2)[1]
    kappa = e_1 + k * e_2
    K, z = identity(2) * kappa, e_1 + h * e_2
    Kt = z[:, None] * z[None, :]
    assume(smallest_eigenvalue(2 * (Kt + n_lam * identity(2)) - K) >= 0)
    y = (kappa + n_lam) / sqrt(kappa) * b
    alpha = solve(Kt + n_lam * identity(2), y[:, None])[:, 0]
    assume(alpha @ Kt @ alpha <= 2)
    excess = norm(y - smooth(Kt, y, lam)) ** 2 - norm(y - smooth(K, y, lam)) ** 2
    return at_most(excess / 2, 4 * lam)


@paper.step(
    "theorem9.step16.repaired",
    section="Section 6.2",
    step_of="theorem9.explicit",
    repairs="theorem9.step16.on_event",
)
def excess_on_the_event_repaired(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """On the event of Lemma 22 and for ||fhat|| <= 1, the excess empirical risk (16) is at most 2 lam + 2
    sqrt(2 lam (1/n) ||y||^2).

    Proof. theorem9.step16.algebra at the minimiser of (44), whose value is at most 2 lam, and Lemma 24 as
    repaired.
    """
    n, lam, K, Kt = case.n, case.lam, case.K, kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - K) >= 0)
    y = within_unit_ball(K, y[:n], lam)
    excess = norm(y - smooth(Kt, y, lam)) ** 2 - norm(y - smooth(K, y, lam)) ** 2
    return at_most(excess / n, 2 * lam + 2 * sqrt(2 * lam * (y @ y) / n))


def excess_risk(case, y, s, q):
    """E l_ftilde - E l_fhat for inputs uniform on n points, as the sample grows, with s features drawn from
    q; y (n,) scaled.
    """
    y = within_unit_ball(case.K, y[: case.n], case.lam)
    residual = case.Kt(s, q).map(lambda A: case.n * case.lam * solve(A + case.ridge, y[:, None])[..., 0])
    return (norm(residual) ** 2 - norm(y - smooth(case.K, y, case.lam)) ** 2) / case.n


@paper.corollary("corollary10.explicit", section="Section 3.1.1")
def risk_with_leverage(case: FeaturePool, y: Vector(3), delta: Unit):
    """In the limit of large n at a fixed lam, s >= 5 d_K log(16 d_K / delta) leverage weighted features give
    an excess of at most 4 lam with probability 1 - delta; for two features and labels that are a function of
    the input, ||fhat|| <= 1.

    The excess of the risk over that of kernel ridge regression, as in theorem9.explicit. It comes nowhere
    near: the worst that is known for labels that do not know the features is 2.2 lam, and the probability that
    a feature with the score l is not drawn is at most (delta / (16 d_K))^(5 l).
    """
    assume(len(case.p) == 2)
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(enough_features(case.d_eff, case.d_eff, delta), Count)
    return P(excess_risk(case, y, s, case.leverage / case.d_eff) <= 4 * case.lam) >= 1 - delta


@paper.corollary("corollary11.explicit", section="Section 3.1.1")
def risk_with_plain_features(case: FeaturePool, y: Vector(3), delta: Unit):
    """In the limit of large n at a fixed lam, s >= 5 z0^2 / lam log(16 d_K / delta) plain features give an
    excess of at most 4 lam with probability 1 - delta; for two features with z0^2 <= 50 lam and labels that
    are a function of the input, ||fhat|| <= 1.

    It comes nowhere near, as for leverage weights, of which no more are asked for: z0^2 / lam is at least max
    l_lam / p, so at least d_K.
    """
    assume(len(case.p) == 2)
    assume((case.n * case.lam <= case.largest_eigenvalue) & (case.z0**2 <= 50 * case.lam))
    s = at_least(enough_features(case.z0**2 / case.lam, case.d_eff, delta), Count)
    return P(excess_risk(case, y, s, case.p) <= 4 * case.lam) >= 1 - delta
