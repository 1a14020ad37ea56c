"""Appendix E.2.1: matrix Bernstein (Lemma E.6), and how many weighted features approximate the kernel matrix
(Lemma E.4).

The weight p / q and the values sigma(X w) are all that matters of a feature, so that features are columns
z_v of a pool with probabilities p_v. A density comes as near to that as one likes: take x_i = e_i, so that
z_v = sigma(w), and a p that is concentrated at finitely many w.
"""

from boundcheck import (
    Count,
    Matrix,
    NonNegative,
    P,
    Simplex,
    Unit,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    inverse_sqrt,
    loewner,
    log,
    maximum,
    opnorm,
    quantity,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.deviation import spectral_deviation
from boundcheck.features.pools import FeaturePool, WeightedFeatures

from . import paper


@paper.lemma("lemmaE.6", section="Appendix E.2.1")
def matrix_bernstein(
    A: Matrix(2, 3), B: Matrix(2, 3), C: Matrix(2, 3), p: Simplex(3), n: integers(1, 4), surplus: NonNegative,
    spare: NonNegative,
):  # fmt: skip
    """The mean of n i.i.d. matrices leaves its expectation by eps >= sqrt(M / n) + 2 L / (3 n) with
    probability at most 4 D exp(-n eps^2 / 2 / (M + 2 L eps / 3)); for 2 x 3 matrices with three values, A, B
    and C, and n <= 4.

    M_1 and M_2 are the second moments plus a multiple of A A^T and A^T A; eps is the least admissible one times
    1 + spare.
    """
    atoms = [A, B, C]
    R = sum(q * X for q, X in zip(p, atoms, strict=True))
    M1 = sum(q * X @ X.T for q, X in zip(p, atoms, strict=True)) + surplus * (A @ A.T)
    M2 = sum(q * X.T @ X for q, X in zip(p, atoms, strict=True)) + surplus * (A.T @ A)
    L, M = maximum(maximum(opnorm(A), opnorm(B)), opnorm(C)), maximum(opnorm(M1), opnorm(M2))
    assume(M > 0)
    D = (trace(M1) + trace(M2)) / M
    eps = (1 + spare) * (sqrt(M / n) + 2 * L / (3 * n))
    counts = quantity(lambda rng, size: rng.multinomial(n, p, size))
    deviation = counts.map(
        lambda N: opnorm(sum(N[..., i, None, None] / n * X for i, X in enumerate(atoms)) - R)
    )
    return P(deviation >= eps) <= 4 * D * exp(-n * eps**2 / 2 / (M + 2 * L * eps / 3))


def features_within(eps, d_tilde, d_K, delta):
    """The number of features of Lemma E.4, for an accuracy eps but for the probability delta."""
    return d_tilde * (1 / eps**2 + 2 / (3 * eps)) * log(16 * d_K / delta)


def fewest_features_within(eps, d_tilde, d_K, delta):
    """The number with the best constant."""
    return d_tilde / ((1 + eps) * log(1 + eps) - eps) * log(16 * d_K / delta)


def counted(case):
    """Whether the deviation is a function of so few counts that its law is enumerated."""
    return case.copies == 1 or case.block.shape[1] == 1


def summands(case):
    """R_v = (p / q) (K + n lam I)^-1/2 z_v z_v^T (K + n lam I)^-1/2 for each feature v of the pool,
    m x n x n.
    """
    z = (inverse_sqrt(case.K + case.ridge) @ case.Z).T
    return case.p[:, None, None] / case.q[:, None, None] * z[:, :, None] * z[:, None, :]


@paper.lemma("lemmaE.4", section="Appendix E.2.1")
def spectral_approximation(case: WeightedFeatures, eps: Unit, delta: Unit):
    """Enough weighted features approximate K in the (K + n lam I) norm, up to eps, with probability 1 -
    delta.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(features_within(eps, case.d_tilde, case.d_eff, delta), Count)
    assume(eps >= sqrt(case.d_tilde * case.d_1 / s) + 2 * case.d_tilde / (3 * s))
    return P(spectral_deviation(case, s) <= eps) >= 1 - delta


@paper.lemma("lemmaE.4.repaired", section="Appendix E.2.1", repairs="lemmaE.4")
def spectral_approximation_repaired(case: WeightedFeatures, eps: between(0.2, 1), delta: Unit):
    """With 1 / ((1 + eps) log(1 + eps) - eps) for 1 / eps^2 + 2 / (3 eps), enough features approximate K up
    to eps with probability 1 - delta; looked at for eps from .2 to 1, where the law is one of few counts.

    Proof. 0 <= R_i <= L I, L = d_tilde, and exp is convex: E exp(theta R_i) <= I + (exp(theta L) - 1) / L R,
    R = E R_i. By Lieb E tr exp(theta sum (R_i - R)) <= tr exp(s g R), g = (exp(theta L) - 1 - theta L) / L.
    With psi(t) = exp t - t - 1 as in Tropp (2015, 7.7), |R| = d_1 <= 1 and theta L = log(1 + eps), the upper
    side fails with probability at most 2 d_K (1 + 3 / (theta s eps)^2) exp(-s / L ((1 + eps) log(1 + eps) -
    eps)), the lower side (theta < 0) with less; both together at most 4 d_K 1.3 delta / (16 d_K). Rare
    features of one point have Poisson counts, whose tails have just this exponent: no smaller factor of
    d_tilde log(1 / delta) will do. It is at most 2 / eps^2 + 2 / (3 eps).
    """
    assume((case.n * case.lam <= case.largest_eigenvalue) & counted(case))
    s = at_least(fewest_features_within(eps, case.d_tilde, case.d_eff, delta), Count)
    return P(spectral_deviation(case, s) <= eps) >= 1 - delta


@paper.lemma("lemmaE.4.lower", section="Appendix E.2.1", repairs="lemmaE.4")
def lower_spectral_approximation(case: WeightedFeatures, eps: between(0.2, 1), delta: Unit):
    """With 1 / ((1 - eps) log(1 - eps) + eps) the lower side holds with probability 1 - delta, which is all
    that Lemma E.3 needs; looked at for eps from .2 to 1, where the law is one of few counts.

    Proof. As above with theta L = log(1 - eps) and the lower side alone: 2 d_K (1 + 3 / (theta s eps)^2)
    delta / (16 d_K).
    """
    assume((case.n * case.lam <= case.largest_eigenvalue) & counted(case))
    s = at_least(case.d_tilde / ((1 - eps) * log(1 - eps) + eps) * log(16 * case.d_eff / delta), Count)
    return P(spectral_deviation(case, s, two_sided=False) <= eps) >= 1 - delta


@paper.step("lemmaE.4.Ri", section="Appendix E.2.1", step_of="lemmaE.4")
def mean_of_summands(case: FeaturePool):
    """K = E R_i, where R_i contains (K + n lam I)^-1/2 on both sides."""
    return equal((case.q[:, None, None] * summands(case)).sum(axis=0), case.K)


@paper.step("lemmaE.4.Ri.repaired", section="Appendix E.2.1", step_of="lemmaE.4", repairs="lemmaE.4.Ri")
def mean_and_norm_of_summands(case: FeaturePool):
    """(K + n lam I)^-1/2 K (K + n lam I)^-1/2 = E R_i, and the norm of R_i is its leverage score over q,
    at most d_tilde.
    """
    W, R = inverse_sqrt(case.K + case.ridge), summands(case)
    mean = equal((case.q[:, None, None] * R).sum(axis=0), W @ case.K @ W)
    return mean, equal(opnorm(R), case.leverage / case.q), at_most(opnorm(R), case.d_tilde)


@paper.step("lemmaE.4.variance", section="Appendix E.2.1", step_of="lemmaE.4")
def second_moment_as_printed(case: FeaturePool):
    """E R_i R_i^T is equal to M_1 = d_tilde (K + n lam I)^-1/2 K (K + n lam I)^-1/2."""
    W, R = inverse_sqrt(case.K + case.ridge), summands(case)
    return equal((case.q[:, None, None] * (R @ R)).sum(axis=0), case.d_tilde * W @ case.K @ W)


@paper.step(
    "lemmaE.4.variance.repaired", section="Appendix E.2.1", step_of="lemmaE.4", repairs="lemmaE.4.variance"
)
def second_moment(case: FeaturePool):
    """E R_i R_i^T <= M_1, and the norm of M_1 is d_tilde d_1. Proof: R_i^2 = |R_i| R_i <= d_tilde R_i."""
    W, R = inverse_sqrt(case.K + case.ridge), summands(case)
    M = case.d_tilde * W @ case.K @ W
    return loewner((case.q[:, None, None] * (R @ R)).sum(axis=0), M), equal(
        opnorm(M), case.d_tilde * case.d_1
    )


@paper.step("lemmaE.4.D", section="Appendix E.2.1", step_of="lemmaE.4")
def intrinsic_dimension_as_printed(case: FeaturePool):
    """D = 2 Tr M_1 / |M_1| = 2 d_K lambda_1 / (lambda_1 + lam), the first of two printed forms."""
    W = inverse_sqrt(case.K + case.ridge)
    M = case.d_tilde * W @ case.K @ W
    return equal(2 * trace(M) / opnorm(M), 2 * case.d_eff * case.d_1)


@paper.step("lemmaE.4.D.repaired", section="Appendix E.2.1", step_of="lemmaE.4", repairs="lemmaE.4.D")
def intrinsic_dimension(case: FeaturePool):
    """D = 2 d_K / d_1, the second printed form. Proof: Tr M_1 = d_tilde d_K and |M_1| = d_tilde d_1."""
    W = inverse_sqrt(case.K + case.ridge)
    M = case.d_tilde * W @ case.K @ W
    return equal(2 * trace(M) / opnorm(M), 2 * case.d_eff / case.d_1)


@paper.step("lemmaE.4.chain", section="Appendix E.2.1, last display", step_of="lemmaE.4")
def failure_probability_simplified(case: WeightedFeatures, eps: Unit, delta: Unit):
    """With n lam <= lambda_1 and the number of features of Lemma E.4 the Bernstein bound is at most 16 d_K exp(-s
    eps^2 / (d_tilde (1 + 2 eps / 3))), and that at most delta.
    """
    d, d_tilde, d_1 = case.d_eff, case.d_tilde, case.d_1
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(features_within(eps, d_tilde, d, delta), Count)
    bernstein = 8 / d_1 * d * exp(-s * eps**2 / 2 / (d_tilde * d_1 + 2 * d_tilde * eps / 3))
    simplified = 16 * d * exp(-s * eps**2 / (d_tilde * (1 + 2 * eps / 3)))
    return at_most(bernstein, simplified), at_most(simplified, delta)


@paper.step(
    "lemmaE.4.chain.repaired",
    section="Appendix E.2.1, last display",
    step_of="lemmaE.4",
    repairs="lemmaE.4.chain",
)
def failure_probability_with_twice_the_features(case: WeightedFeatures, eps: Unit, delta: Unit):
    """With 2 / eps^2 + 4 / (3 eps) in the number of features, eps < 1, the same Bernstein bound is at most delta.

    Proof. d_1 lies in [1/2, 1], so the prefactor is at most 16 d_K and the exponent at
    least log(16 d_K / delta).
    """
    d, d_tilde, d_1 = case.d_eff, case.d_tilde, case.d_1
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(d_tilde * (2 / eps**2 + 4 / (3 * eps)) * log(16 * d / delta), Count)
    return at_most(8 / d_1 * d * exp(-s * eps**2 / 2 / (d_tilde * d_1 + 2 * d_tilde * eps / 3)), delta)


@paper.step("lemmaE.4.side", section="Appendix E.2.1", step_of="lemmaE.4")
def side_condition_is_automatic(case: FeaturePool, eps: Unit, delta: Unit):
    """For eps < 1 the hypothesis eps >= sqrt(M / s) + 2 L / (3 s) of Lemma E.4 follows from its number of
    features.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(features_within(eps, case.d_tilde, case.d_eff, delta))
    return at_most(sqrt(case.d_tilde * case.d_1 / s) + 2 * case.d_tilde / (3 * s), eps)
