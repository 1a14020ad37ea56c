"""Appendix B: random features approximate the unit ball of the kernel's space (Lemma 22)."""

import numpy as np

from boundcheck import (
    Count,
    Matrix,
    P,
    Positive,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    ceil,
    equal,
    exp,
    integers,
    largest_eigenvalue,
    log,
    marked,
    maximum,
    norm,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.deviation import spectral_deviation
from boundcheck.features.pools import FeaturePool, WeightedFeatures
from boundcheck.words.functions import identity

from . import paper
from .ridge import objective, ridge_solution

Digits = integers(1, 9)
"""The logarithm of a number of points, to base 10."""

SmallRidge = between(0, 0.001)

Level = between(0.01, 0.4)
"""Levels delta that are in use."""

SHARP = 2 / (1 - log(2))
"""6.518: one over the rate of the lower Poisson tail at half the mean, 1 / 2 - log(2) / 2."""


def enough_features(d_tilde, d_K, delta, C: float = 5):
    """The number of features of Lemma 22, so of Theorems 9, 12, 15 and 19; d_tilde = z0^2 / lam for plain ones."""
    return C * d_tilde * log(16 * d_K / delta)


def fewest_features(d_tilde, d_K, delta):
    """The number of lemma22.sharp, whose constant is best for weighted features."""
    return SHARP * d_tilde * log(4 * d_K / delta)


@paper.identity("lemma22.minimiser", section="Appendix B")
def minimiser(Z: Matrix("n", "s"), f: Vector("n"), lam: Positive):
    """The minimiser of (44) is (1/s) ((1/s) Z^T Z + n lam I)^-1 Z^T f = (1/s) Z^T (Ktilde + n lam I)^-1 f.

    Both are (Z^T Z + n s lam I)^-1 Z^T f, which is the minimiser by eq7.solution.
    """
    n, s = Z.shape
    left = solve(Z.T @ Z / s + n * lam * identity(s), (Z.T @ f)[:, None])[:, 0] / s
    right = Z.T @ solve(Z @ Z.T / s + n * lam * identity(n), f[:, None])[:, 0] / s
    return equal(left, right), equal(ridge_solution(Z, f, lam), right)


@paper.identity("lemma22.value", section="Appendix B")
def least_value(Z: Matrix("n", "s"), f: Vector("n"), lam: Positive):
    """The least value of (44) is lam f^T a, a = (Ktilde + n lam I)^-1 f, where ||f - Z beta||^2 / n = n lam^2 a^T a
    and s ||beta||^2 = f^T a - n lam a^T a.
    """
    n, s = Z.shape
    beta = ridge_solution(Z, f, lam)
    a = solve(Z @ Z.T / s + n * lam * identity(n), f[:, None])[:, 0]
    return (
        equal(objective(Z, f, beta, lam), lam * (f @ a)),
        equal(norm(f - Z @ beta) ** 2 / n, n * lam**2 * (a @ a)),
        equal(s * (beta @ beta), f @ a - n * lam * (a @ a)),
    )


@paper.step("lemma22.final", section="Appendix B", step_of="lemma22")
def value_on_the_event(case: FeaturePool, share: Vector(3), b: Vector(3)):
    """If the whitened deviation is at least -1/2, then the least value of (44) is at most 2 lam,
    and s ||beta||^2 <= 2.

    Feature v has the weight share_v^2 p_v in Ktilde; f, a multiple of K b, is any function of the unit ball at the
    points.
    """
    share, b = share[: len(case.p)], b[: case.n]
    f = case.K @ b / maximum(1, sqrt(b @ case.K @ b))
    Kt = (case.Z * (case.p * share**2)) @ case.Z.T
    assume(smallest_eigenvalue(Kt - case.K + (case.K + case.ridge) / 2) >= 0)
    a = solve(Kt + case.ridge, f[:, None])[:, 0]
    return at_most(case.lam * (f @ a), 2 * case.lam), at_most(a @ Kt @ a, 2)


def value_on_the_event_for(case, share, b, R):
    """The least value of (44) for f of norm R at most, a multiple of K b, and Ktilde with the shares share_v^2;
    on the event K <= 2 (Ktilde + n lam I) of Lemma 22."""
    share, b = share[: len(case.p)], b[: case.n]
    f = R * case.K @ b / maximum(1, sqrt(b @ case.K @ b))
    Kt = (case.Z * (case.p * share**2)) @ case.Z.T
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - case.K) >= 0)
    return case.lam * (f @ solve(Kt + case.ridge, f[:, None])[:, 0])


@paper.remark("s2.1.unit_ball", section="Section 2.1, before Eq. (2), with Lemma 22")
def any_radius_as_the_unit_ball(case: FeaturePool, share: Vector(3), b: Vector(3), R: between(1, 10)):
    """On the event of Lemma 22, (44) is at most 2 lam for f of norm up to R <= 10, as for the unit ball.

    A reading of "without loss of generality", and of "uniformly over all finite radii", with bounds that keep
    their lam.
    """
    return at_most(value_on_the_event_for(case, share, b, R), 2 * case.lam)


@paper.remark(
    "s2.1.unit_ball.repaired", section="Section 2.1, before Eq. (2), with Lemma 22", repairs="s2.1.unit_ball"
)
def any_radius_times_its_square(case: FeaturePool, share: Vector(3), b: Vector(3), R: Positive):
    """On the event of Lemma 22, (44) is at most 2 lam R^2 for f of norm up to R. Proof: f / R is in the unit ball,
    and the least value of (44) is quadratic in f.
    """
    return at_most(value_on_the_event_for(case, share, b, R), 2 * case.lam * R**2)


@paper.step("lemma22.const5", section="Appendix B", step_of="lemma22")
def factor_five(eps: Unit):
    """At eps = 1/2 the factor 1 / eps^2 + 2 / (3 eps) of Lemma 27 is at most 5."""
    assume(eps == 1 / 2)
    return at_most(1 / eps**2 + 2 / (3 * eps), 5)


def kernel_at_one_point(lam, enough):
    """Ktilde at one point where K = 1, with s = enough(d_tilde, d_K).

    A feature with leverage score d_K = 1 / (1 + lam), and one that vanishes at the point, with
    l_tilde = 29 d_K.
    """
    d_K = 1 / (1 + lam)
    s = at_least(enough(30 * d_K, d_K), Count)
    return 30 * quantity(lambda rng, size: rng.binomial(s, 1 / 30, size)) / s


@paper.lemma(22, section="Appendix B")
def approximation_of_one_function(lam: between(0, 0.001), t: between(1, 23)):
    """At one point, K = 1, lam <= .001, for f = 1, fixed before the features are drawn, a feature drawn with
    probability 1 / 30 beside one that vanishes there, d_tilde = 30 d_K, and delta from e^-23 to 1 / e: with
    s >= 5 d_tilde log(16 d_K / delta) weighted features (44) is at most 2 lam, but for probability delta.

    The weaker reading, for a given f; for all f of the unit ball at once it is lemma22.uniform, and for plain
    features lemma22.plain. Here delta = exp(-t).
    """
    delta = exp(-t)
    Kt = kernel_at_one_point(lam, lambda d_tilde, d_K: enough_features(d_tilde, d_K, delta, marked(5.0, "C")))
    return P(lam / (Kt + lam) <= 2 * lam) >= 1 - delta


@paper.step("lemma22.const5.repaired", section="Appendix B", step_of="lemma22", repairs="lemma22.const5")
def factor_sixteen_thirds(eps: Unit):
    """At eps = 1/2 the factor 1 / eps^2 + 2 / (3 eps) is 4 + 4/3 = 16/3."""
    assume(eps == 1 / 2)
    return equal(3 * (1 / eps**2 + 2 / (3 * eps)), 16)


@paper.lemma("lemma22.one.repaired", section="Appendix B", repairs="lemma22")
def approximation_of_one_function_repaired(lam: between(0, 0.001), t: Positive):
    """At one point, K = 1, lam <= .001, for f = 1, and a feature drawn with probability 1 / 30 beside one
    that vanishes there, d_tilde = 30 d_K: with s >= (2 / (1 - log 2)) d_tilde log(4 d_K / delta) features (44) is at
    most 2 lam, but for probability delta. Proof, and for all points and f: lemma22.sharp.
    """
    delta = exp(-t)
    Kt = kernel_at_one_point(lam, lambda d_tilde, d_K: fewest_features(d_tilde, d_K, delta))
    return P(lam / (Kt + lam) <= 2 * lam) >= 1 - delta


def seldom_drawn(s, q, share):
    """P(of s draws fewer than share s q have an outcome of probability q), where share s q is at most 100."""
    j = np.arange(100)
    ratios = log((s - j) / (j + 1) * (q / (1 - q)))
    chances = exp(s * np.log1p(-q) + np.concatenate([np.zeros(1), np.cumsum(ratios)[:-1]]))
    return np.where(j < share * s * q, chances, 0).sum()


def fails_at_some_point(digits, n_lam, delta, share):
    """At n = 10^digits points with a feature each, K = I, and s = 5 d_K log(16 d_K / delta), rounded up: p = P(N <
    share s / n) for the number N of draws of one feature is at most (1 - sqrt(1 - 2 delta)) / n.

    So it has to be if some N < share s / n with probability delta at most. Counts are negatively associated, so
    that m of the points have P(some N is small) >= m p - (m p)^2 / 2; that is above delta for m = n, or fewer, if
    n p > 1 - sqrt(1 - 2 delta).
    """
    n = 10**digits
    d_K = n / (1 + n_lam)
    s = ceil(enough_features(d_K, d_K, delta, marked(5.0, "C")))
    return at_most(seldom_drawn(s, 1 / n, share), (1 - sqrt(1 - 2 * delta)) / n)


@paper.lemma("lemma22.second", section="Appendix B")
def approximation_within_a_ball(digits: Digits, n_lam: SmallRidge, delta: Level):
    """For K = I, n = 10, .., 10^9, n lam <= .001 and delta from .01 to .4: with s = 5 d_K log(16 d_K / delta)
    features, rounded up, drawn by leverage scores, a point fails with probability (1 - sqrt(1 - 2 delta)) / n at
    most, as it has to if with probability 1 - delta each f of the unit ball is to have some ftilde with
    ||ftilde||^2 <= 2 and (1/n) ||f - ftilde||^2 <= 2 lam.

    For f = 1 at point i and 0 elsewhere the nearest ftilde is min(1, sqrt(2 Ktilde_ii)) there, so that the
    bound holds iff sqrt(2 Ktilde_ii) >= 1 - sqrt(2 n lam).
    """
    return fails_at_some_point(digits, n_lam, delta, (1 - sqrt(2 * n_lam)) ** 2 / 2)


@paper.lemma("lemma22.second.repaired", section="Appendix B", repairs="lemma22.second")
def approximation_within_a_ball_repaired(lam: between(0, 0.001), t: Positive):
    """At one point, K = 1, lam <= .001, for f = 1, and a feature drawn with probability 1 / 30 beside one that
    vanishes there, d_tilde = 30 d_K: with s >= (2 / (1 - log 2)) d_tilde log(4 d_K / delta) features some ftilde
    has ||ftilde||^2 <= 2 and (f - ftilde)^2 <= 2 lam, but for probability delta.

    Proof, for all points and f: lemma22.sharp and lemma22.final. delta = exp(-t).
    """
    delta = exp(-t)
    Kt = kernel_at_one_point(lam, lambda d_tilde, d_K: fewest_features(d_tilde, d_K, delta))
    return P(2 * Kt >= maximum(0, 1 - sqrt(2 * lam)) ** 2) >= 1 - delta


@paper.lemma("lemma22.uniform", section="Appendix B")
def approximation_of_all_functions(digits: Digits, n_lam: SmallRidge, delta: Level):
    """For K = I, n = 10, .., 10^9, n lam <= .001 and delta from .01 to .4: with s = 5 d_K log(16 d_K / delta)
    features, rounded up, drawn by leverage scores, a point fails with probability (1 - sqrt(1 - 2 delta)) / n at
    most, as it has to if with probability 1 - delta (44) is to be at most 2 lam for all f of the unit ball at once.

    That is K <= 2 (Ktilde + n lam I), so Ktilde_ii >= 1/2 - n lam at each point.
    """
    return fails_at_some_point(digits, n_lam, delta, 1 / 2 - n_lam)


@paper.lemma("lemma22.repaired", section="Appendix B", repairs="lemma22.uniform")
def approximation_of_all_functions_repaired(case: WeightedFeatures, delta: Unit):
    """With s >= 8 (d_tilde + 1/6) log(8 d_K / delta) features, (44) is at most 2 lam for all f of the unit
    ball at once, with probability 1 - delta.

    Proof. The lower side of Lemma 27, repaired, at eps = 1/2 and d_1 <= 1; then lemma22.final. What is looked
    at here is the event of that proof, a whitened deviation of at least -1/2.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(8 * (case.d_tilde + 1 / 6) * log(8 * case.d_eff / delta), Count)
    return P(spectral_deviation(case, s, two_sided=False) <= 1 / 2) >= 1 - delta


@paper.lemma("lemma22.plain", section="Appendix B")
def approximation_with_plain_features(Z: Matrix("n", 2), p: between(0.01, 0.99), a: between(0.01, 1), delta: Unit):
    """For two plain features, q = p and d_tilde = z0^2 / lam, with z0^2 <= 100 lam, and lam >= lambda_1 /
    (100 n), p from .01 to .99, the printed s >= 5 d_tilde log(16 d_K / delta) is enough: (44) is at most 2
    lam for all f of the unit ball at once, with probability 1 - delta.

    That is K <= 2 (Ktilde + n lam I). Proof, for every number of features and every lam that Assumption 3
    allows. It is -1/2 for the deviation whitened at the ridge 2 lam, where scores over p are at most z0^2 / (2
    lam) and the dimension at most d_K. So the proof of lemma22.sharp holds with d = z0^2 / (2 lam), s >= 10 d
    log(16 d_K / delta): the bound is d_K (delta / (16 d_K))^1.53 / .99, at most .03 delta as d_K >= 1/2. With
    log(4 d_K / delta), 3.26 for 5 is proved. How few do where no feature is seen at two points is
    corollary18.diagonal. lam = a lambda_1 / n.
    """
    n, w = len(Z), np.array([p, 1 - p])
    K = (Z * w) @ Z.T
    lam, z0_squared = a * largest_eigenvalue(K) / n, (Z * Z).max()
    assume((z0_squared > 0) & (z0_squared <= 100 * lam))
    ridge = n * lam * identity(n)
    s = at_least(enough_features(z0_squared / lam, trace(solve(K + ridge, K)), delta, marked(5.0, "C")), Count)
    drawn = quantity(lambda rng, size: rng.multinomial(s, w, size)) / s
    slack = drawn.map(lambda N: smallest_eigenvalue(2 * ((Z * N[..., None, :]) @ Z.T + ridge) - K))
    return P(slack >= 0) >= 1 - delta


@paper.lemma("lemma22.sharp", section="Appendix B", repairs="lemma22.uniform")
def approximation_with_the_best_constant(case: WeightedFeatures, delta: Unit):
    """With s >= (2 / (1 - log 2)) d_tilde log(4 d_K / delta) features, (44) is at most 2 lam for all f of the
    unit ball at once, with probability 1 - delta.

    Proof. X_i = R_i / s lies in [0, l I], l = d_tilde / s, so
    E exp(-theta X_i) <= exp((e^(-theta l) - 1) / l R / s). With theta = log(2) / l and Y = R - sum X_i:
    E tr exp(theta Y) <= tr exp(g R), g = theta - 1 / (2 l) (Tropp 2015, Lemma 3.5.1),
    and tr (exp(g R) - I) <= d_K e^g by convexity, R <= I. By Markov for e^x - x - 1 at x = theta / 2,
    P(Y has an eigenvalue >= 1/2) <= d_K exp(-(1 - log 2) s / (2 d_tilde)) / (1 - (1 + x) e^-x) <= (delta / 4)
    2.2, since x = (log(2) / 2) s / d_tilde >= log(2)^2 / (1 - log 2) > 1.56 as d_K >= 1/2. The constant is
    best possible as delta -> 0: K = I, one feature to a point, lam -> 0 and n large, where each point fails with the
    Poisson tail exp(-(1 - log 2) s / (2 n)).
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(fewest_features(case.d_tilde, case.d_eff, delta), Count)
    return P(spectral_deviation(case, s, two_sided=False) <= 1 / 2) >= 1 - delta
