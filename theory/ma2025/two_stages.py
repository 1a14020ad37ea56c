"""Section 4 and Appendix F: the risk of Algorithm 1 (Theorems 4.1 and 4.2) and the steps of its proof."""

from boundcheck import (
    Count,
    E,
    P,
    Positive,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    integers,
    maximum,
    minimum,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool

from . import paper
from .ridge_error import SHARP, enough_features, resolvent

Level = between(0.01, 0.1)
"""Levels delta that are in use, for statements that fail at them."""


def kernel_of_draw(case, share):
    """A draw of the kernel matrix: feature v has the share share_v^2 p_v instead of p_v."""
    return (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T


def in_unit_ball(K, b):
    """f = K b / max(1, ||.||), a function of the unit ball at the points."""
    return K @ b / maximum(1, sqrt(b @ K @ b))


@paper.step("F.a-tilde", section="Appendix F", step_of="theorem4.1.limit")
def activation_of_the_first_stage(b: between(0.1, 2), y: Positive, lam: Unit):
    """The a~ that Algorithm 1 takes from (8) is optimal in (6), so that the minimiser of (6) is in the span
    of the pool's features with a~.

    Two points with labels 1 and y, one feature w, and two basis functions: B_1(w x) is 1 at the first point,
    B_2 is b at the second, and both vanish at the other. (8) is zero where v a B = (1, y). The minimiser of
    (6) with R = 1 has a proportional to (B^2 / 2 + lam I)^-1 B (1, y), so predictions in the ratio 1 / (1/2 +
    lam) : b^2 y / (b^2 / 2 + lam), where the span has 1 : y.
    """
    return equal(y / (1 / 2 + lam), b**2 * y / (b**2 / 2 + lam))


@paper.step("F.a-tilde.repaired", section="Appendix F", step_of="theorem4.1.limit", repairs="F.a-tilde")
def activation_of_problem_6(b: between(0.1, 2), y: Positive, lam: Unit, a: Vector(2)):
    """With a~ from (6) in line 2, in the design of F.a-tilde no other a with |a| = R = 1 has a smaller objective
    (6) at the best multiple of the one feature.

    Proof: the least over v of (6) is |y|^2 / 2 less half of (y^T B a)^2 / (|B a|^2 + 2 lam), which is largest at
    that a~; an a inside the ball does no better.
    """
    assume(a @ a > 0)
    best = 1 / (1 / 2 + lam), b * y / (b**2 / 2 + lam)
    gains = [(u + b * y * w) ** 2 / (u**2 + (b * w) ** 2 + 2 * lam * (u**2 + w**2)) for u, w in (a, best)]
    return at_most(*gains)


@paper.step("F.step-norm", section="Appendix F, Eq. (14)", step_of="theorem4.1.limit")
def best_function_is_in_the_unit_ball(case: FeaturePool, share: Vector(3), b: Vector(3)):
    """On the event of Lemma E.3 the function of least risk in the space of khat has norm at most 1,
    as (14) needs.

    The target f is in the unit ball of ktilde, inputs are uniform on the n points, and the pool spans all
    functions there, so that the function of least risk is f itself.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    f, Kt = in_unit_ball(case.K, b[: case.n]), kernel_of_draw(case, share)
    assume((smallest_eigenvalue(Kt) > 0) & (smallest_eigenvalue(2 * (Kt + case.ridge) - case.K) >= 0))
    return at_most(f @ solve(Kt, f[:, None])[:, 0], 1)


@paper.step(
    "F.step-norm.repaired", section="Appendix F, Eq. (14)", step_of="theorem4.1.limit", repairs="F.step-norm"
)
def good_function_of_the_pool(case: FeaturePool, share: Vector(3), b: Vector(3)):
    """On the event of Lemma E.3, for each f of the unit ball some g in the space of khat has (1/n) ||g -
    f||^2 + lam ||g||^2 <= 2 lam, so ||g||^2 <= 2.

    Proof. g = Kt (Kt + n lam I)^-1 f, for which the left-hand side is lam f^T (Kt + n lam I)^-1 f;
    lemmaE.3.whitening.
    """
    f, Kt = in_unit_ball(case.K, b[: case.n]), kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - case.K) >= 0)
    a = resolvent(Kt, f, case.lam)
    return at_most(case.n * case.lam**2 * (a @ a) + case.lam * (a @ Kt @ a), 2 * case.lam)


@paper.step("F.two-stages", section="Appendix F", step_of="theorem4.1.limit")
def ridge_error_of_both_stages(
    case: FeaturePool, once: Vector(3), twice: Vector(3), b: Vector(3), lam_star: Positive
):
    """On the events of Lemma E.3 for both stages and one activation, the ridge error of each f of the unit ball
    with the features drawn last is at most 2 lam + 4 lam*.

    Proof. K <= 2 (Khat + n lam I) and Khat <= 2 (Kq + n lam* I) give K <= 4 (Kq + n (lam* + lam / 2) I),
    so that the error at the ridge lam* + lam / 2 is at most 4 times that ridge; and it increases with the
    ridge. With 2 lam + 2 lam*, half of the 4 lam + 4 lam* of Theorem 4.1, it is false: one point, K = 1,
    Khat = 1/2 - lam, Kq = Khat / 2 - lam*.
    """
    f = in_unit_ball(case.K, b[: case.n])
    Khat, Kq = kernel_of_draw(case, once), kernel_of_draw(case, once * twice)
    ridge = case.ridge / case.lam * lam_star
    assume(smallest_eigenvalue(2 * (Khat + case.ridge) - case.K) >= 0)
    assume(smallest_eigenvalue(2 * (Kq + ridge) - Khat) >= 0)
    return at_most(lam_star * (f @ resolvent(Kq, f, lam_star)), 2 * case.lam + 4 * lam_star)


@paper.step("F.delta", section="Appendix F", step_of="theorem4.1.limit")
def two_events_at_once(delta: between(0.01, 0.3)):
    """For delta from .01 to .3, two events, each of probability at least 1 - delta, happen together with
    probability at least 1 - delta.

    The second is about new draws: it has its probability whatever came first.
    """
    failures = quantity(lambda rng, size: rng.binomial(2, delta, size))
    return P(failures == 0) >= 1 - delta


@paper.step("F.delta.repaired", section="Appendix F", step_of="theorem4.1.limit", repairs="F.delta")
def two_events_at_once_repaired(delta: Unit):
    """Two events of probability at least 1 - delta each happen together with probability at least 1 - 2
    delta, by the union bound; decided for independent ones.

    So delta / 2 in s and in S will do.
    """
    failures = quantity(lambda rng, size: rng.binomial(2, delta, size))
    return P(failures == 0) >= 1 - 2 * delta


def noise_term(f, noise, labels, lam):
    """<(K + n lam I)^-1 f, noise> at one point with one feature of value 1, and a~ from (8): a~^2 = |labels|,
    K = a~^2.
    """
    return f * noise / (abs(labels) + lam)


@paper.step("F.noise-dependence", section="Appendices D.1 and F", step_of="theorem4.1.limit")
def noise_term_has_mean_zero(f: Positive, noise: Positive, lam: Unit):
    """The noise term of D.1, <(Khat + n lam I)^-1 f, e>, has mean zero for the kernel that
    Algorithm 1 computes from y = f + e.

    One point, one feature and one basis function of value 1; (8) is zero for a v = y, |a| = |v|; e is a coin,
    +-noise.
    """
    sigma = 2 * quantity(lambda rng, size: rng.integers(0, 2, size)) - 1
    return equal(E(noise_term(f, noise * sigma, f + noise * sigma, lam)), 0)


@paper.step(
    "F.noise-dependence.repaired",
    section="Appendices D.1 and F",
    step_of="theorem4.1.limit",
    repairs="F.noise-dependence",
)
def noise_term_has_mean_zero_with_new_labels(f: Positive, noise: Positive, lam: Unit):
    """In the design of F.noise-dependence the noise term has mean zero if lines 2 to 5 use labels with a noise of
    their own, independent of that of line 6.
    """
    old, new = (2 * quantity(lambda rng, size: rng.integers(0, 2, size)) - 1 for _ in range(2))
    return equal(E(noise_term(f, noise * new, f + noise * old, lam)), 0)


def spectrum(m, p_0, rho_0):
    """Eigenvalues of K / n for the design of Theorem 4.1: one strong direction, and m equal ones."""
    return p_0 * rho_0, (1 - p_0) * (1 - rho_0) / m**2


def dimension(m, strong, weak, lam):
    """The effective dimension of the design."""
    return strong / (strong + lam) + m * weak / (weak + lam)


def share_of_strong_direction(design, lam, S):
    """Its eigenvalue in the kernel of S features that line 5 draws with the leverage scores for lam."""
    m, strong, weak = design
    q = strong / (strong + lam) / dimension(m, strong, weak, lam)
    return strong * quantity(lambda rng, size: rng.binomial(S, q, size)) / (S * q)


@paper.theorem("theorem4.1.limit", section="Section 4")
def risk_of_algorithm(
    m: integers(2, 5000), p_0: Unit, rho_0: Unit, lam_star: Unit, ratio: between(1, 100), delta: Level
):
    """In the limit of many examples and features the excess risk of Algorithm 1 is at most 4 lam + 4 lam* with
    probability 1 - delta, for lam <= lam* <= 100 lam and delta from .01 to .1.

    A reading of 4 lam + 4 lam* + O(1 / (h sqrt n)) + 4 eps, whatever the constant of O(.): in the limit n,
    s -> infinity at fixed lam, lam* and h, where that term is 0, with eps as small as one likes and no noise;
    then Khat = K, with |a~| = 1 as in (6): problem (8) of line 2 has other minimisers too, whose |a~| divides both
    ridges by one number. The paper does not tie lam and lam*; in this design it takes a ratio of about 15 to fail, at
    delta = .05.
    Inputs x_0, ..., x_m = e_0, ..., e_m, x_0 with probability rho_0, the others alike; a feature is seen
    at one point alone (w_jj in the support, all other w_ji far outside), at x_0 with probability p_0.
    f* = sqrt(p_0) at x_0, of norm 1. Weights 1 / sqrt(s q).
    """
    lam, (strong, weak) = lam_star / ratio, spectrum(m, p_0, rho_0)
    assume((weak <= strong) & (lam_star <= strong))
    design = (m, strong, weak)
    d_star = dimension(m, strong, weak, lam_star)
    S = at_least(enough_features(d_star, d_star, delta), Count)
    k = share_of_strong_direction(design, lam, S)
    excess = k.map(lambda k: strong * (lam_star / (k + lam_star)) ** 2)
    return P(excess <= 4 * lam + 4 * lam_star) >= 1 - delta


@paper.theorem("theorem4.1.limit.repaired", section="Section 4", repairs="theorem4.1.limit")
def risk_of_algorithm_repaired(
    m: integers(2, 8), p_0: Unit, rho_0: Unit, a: between(0.01, 1), b: between(0.001, 1), delta: Unit
):
    """In the limit, in the design of theorem4.1.limit with 2 to 8 weak directions, lam from .01 and lam* from
    .001 times lambda_1 up to lambda_1, S >= 6.52 max(1, lam / lam*) d log(16 d* / delta), d for lam and d* for
    lam*, make the ridge error of f*, and with it the excess risk, at most 2 lam* with probability 1 - delta.

    The error is lambda_1 lam* / (k + lam*), k the strong direction's
    eigenvalue in the kernel of the features drawn. Proof. By alg1.lambda-mismatch.repaired q is at least the
    score for lam* over max(1, lam / lam*) d; so lemmaE.3.repaired applies with that as d_tilde. F.delta and
    F.step-norm do not matter at Khat = K. It comes nowhere near: a single direction decides, and its score is
    below the dimension that S counts.
    """
    strong, weak = spectrum(m, p_0, rho_0)
    assume(weak <= strong)
    design, lam, lam_star = (m, strong, weak), a * strong, b * strong
    d, d_star = dimension(m, strong, weak, lam), dimension(m, strong, weak, lam_star)
    S = at_least(enough_features(maximum(1, lam / lam_star) * d, d_star, delta, SHARP), Count)
    k = share_of_strong_direction(design, lam, S)
    return P(strong * lam_star / (k + lam_star) <= 2 * lam_star) >= 1 - delta


@paper.theorem("theorem4.2.limit", section="Section 4")
def lipschitz_risk_of_algorithm(
    m: integers(2, 5000), p_0: Unit, rho_0: Unit, lam_star: Unit, ratio: between(1, 100), delta: Level
):
    """In the limit of many examples and features the excess risk of Algorithm 1 is at most 4 sqrt(lam) + 4
    sqrt(lam*) with probability 1 - delta, for lam <= lam* <= 100 lam and delta from .01 to .1.

    The limit and the design of Theorem 4.1, with the loss |y - f|: at x_0 the value g costs
    rho_0 |sqrt(p_0) - g| + lam* rho_0 g^2 / k.
    """
    lam, (strong, weak) = lam_star / ratio, spectrum(m, p_0, rho_0)
    assume((weak <= strong) & (lam_star <= strong))
    design = (m, strong, weak)
    d_star = dimension(m, strong, weak, lam_star)
    S = at_least(enough_features(d_star, d_star, delta), Count)
    loss = share_of_strong_direction(design, lam, S).map(
        lambda k: rho_0 * (sqrt(p_0) - minimum(sqrt(p_0), k / (2 * lam_star)))
    )
    return P(loss <= 4 * sqrt(lam) + 4 * sqrt(lam_star)) >= 1 - delta


@paper.theorem("theorem4.2.limit.repaired", section="Section 4", repairs="theorem4.2.limit")
def lipschitz_risk_of_algorithm_repaired(
    m: integers(2, 8), p_0: Unit, rho_0: Unit, a: between(0.01, 1), b: between(0.001, 1), delta: Unit
):
    """In the limit, in the design of theorem4.1.limit with 2 to 8 weak directions, lam from .01 and lam* from
    .001 times lambda_1 up to lambda_1, S >= 6.52 max(1, lam / lam*) d log(16 d* / delta), d for lam and d* for
    lam*, make the ridge error of g* at most 2 lam*, and the excess risk for |y - f| at most sqrt(2 lam*) + 2
    lam*, with probability 1 - delta.

    The ridge error is that of theorem4.1.limit.repaired. Proof. As
    there some v has fit + penalty at most 2 lam*, and mean |g - g*| is at most the root of the fit. As lam*
    <= 1, it is at most 4 sqrt(lam*), and so the bound of Theorem 4.2 holds.
    """
    strong, weak = spectrum(m, p_0, rho_0)
    assume(weak <= strong)
    design, lam, lam_star = (m, strong, weak), a * strong, b * strong
    d, d_star = dimension(m, strong, weak, lam), dimension(m, strong, weak, lam_star)
    S = at_least(enough_features(maximum(1, lam / lam_star) * d, d_star, delta, SHARP), Count)
    k = share_of_strong_direction(design, lam, S)
    loss = k.map(lambda k: rho_0 * (sqrt(p_0) - minimum(sqrt(p_0), k / (2 * lam_star))))
    near = strong * lam_star / (k + lam_star) <= 2 * lam_star
    return P(near & (loss <= sqrt(2 * lam_star) + 2 * lam_star)) >= 1 - delta


def one_weighted_feature(n, S, rho, q):
    """Labels of n inputs and the kernel of S weighted features, where both matter at one input x_0, which has
    probability rho: how often x_0 was seen, the sum of its labels, which are fair signs, and k_q(x_0, x_0).

    The feature that does not vanish at x_0 is 1 there, and is drawn with probability q and weight 1 / q.
    """
    counts = quantity(lambda rng, size: rng.multinomial(n, [rho / 2, rho / 2, 1 - rho], size))
    up, down = counts.map(lambda N: N[..., 0]), counts.map(lambda N: N[..., 1])
    return up + down, up - down, quantity(lambda rng, size: rng.binomial(S, q, size)) / (S * q)


@paper.theorem("theorem4.1.general", section="Section 4", repairs="theorem4.1.limit")
def expected_risk_with_a_law_fixed_before(
    n: integers(1, 10), S: integers(1, 5), rho: Unit, q: Unit, lam_star: Unit
):
    """For n <= 10, S <= 5, one input that matters, labels that are fair signs, N = R = y_0 = 1, lam* < 1 and a law q
    fixed before the sample of line 6: the mean of E l_fhat exceeds that of the least regularised risk at a~
    by at most 8 y_0 G / sqrt(n).

    Proved for every kernel, |y| <= y_0 and predictions clipped to [-y_0, y_0]; means over features and
    samples; G = R y_0 (N / (4 lam*))^(1/2), basis functions bounded by 1. So with new examples for line 6, an
    a~ fixed before the pool, f* within eps of the unit ball of its kernel, and S >= 6.52 d~ log(16 d* / delta)
    where q times d~ is at least their scores for lam*, F.two-stages gives a mean excess risk of at most 4 lam +
    8 lam* + 2 eps^2 + 2 delta y_0^2 + 8 y_0 G / sqrt(n). Proof. vhat has S ||v||^2 <= y_0^2 / (4 lam*) for every draw
    (E1.class-restriction.repaired), and for fixed features the class of the f with such v and ||a|| <= R has
    complexity at most R y_0 / (2 lam*^(1/2)) E (sum_j ||Phi_j||^2)^(1/2) / n by the Frobenius norm; the
    weights are unbiased, so that by Jensen its mean over the features is at most G / sqrt(n), whatever q. The
    clipped loss has the Lipschitz constant 4 y_0, the mean of the supremum of E l - E_n l is at most twice
    the complexity, and clipping does not raise E_n l. For scores of the sample of line 6 itself, which
    Algorithm 1 has, the class depends on it: li2021.theorem9.step15.sample gives 40 y_0 G (2 log(2 s N) /
    n)^(1/2) in place of 8 y_0 G / sqrt(n).
    """
    seen, total, k = one_weighted_feature(n, S, rho, q)
    f = total * k / (seen * k + n * lam_star)
    least = (seen - total * f) / n
    return at_most(E(rho * (1 + f**2) - least), 8 / (2 * sqrt(lam_star)) / sqrt(n))


@paper.theorem("theorem4.2.general", section="Section 4", repairs="theorem4.2.limit")
def expected_lipschitz_risk_with_a_law_fixed_before(
    n: integers(1, 10), S: integers(1, 5), rho: Unit, q: Unit, lam_star: Unit
):
    """For n <= 10, S <= 5, one input that matters, the loss |y - g| and fair signs, N = R = L_0 = 1, lam* < 1
    and a law q fixed before the sample of line 6: the mean of E l_ghat exceeds that of the least regularised risk
    at a~ by at most 2 G / sqrt(n).

    Proved for 1-Lipschitz losses l >= 0 with l(0, y) <= L_0, as theorem4.1.general, without clipping: G = R (N
    L_0 / lam*)^(1/2), since lam* S ||vhat||^2 is at most the objective at v = 0. With new examples for line 6
    and the other conditions of theorem4.1.general the mean excess risk is at most (2 r)^(1/2) + 2 r + eps + 2
    delta L_0 + 2 G / sqrt(n), r = lam + 2 lam*. Here E |y - g| = 1 for |g| <= 1.
    """
    seen, total, k = one_weighted_feature(n, S, rho, q)
    g = maximum(-1, minimum(1, total * k / (2 * n * lam_star)))
    penalty = lam_star * abs(g) * minimum(abs(total) / (2 * n * lam_star), 1 / maximum(k, 1 / (S * q)))
    return at_most(E(rho - (seen - total * g) / n - penalty), 2 / sqrt(lam_star) / sqrt(n))
