"""Section 4.1, Lemma 1: how many surrogate-weighted features approximate the kernel matrix in its
ridge norm.
"""

from boundcheck import (
    Count,
    P,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    exp,
    inverse_sqrt,
    loewner,
    log,
    opnorm,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.deviation import spectral_deviation

from . import paper
from .surrogate_leverage import FourierFeatures, SurrogateFeatures


def features_within(eps, D, d_K, delta):
    """The number of features of Lemma 1, (17), for an accuracy eps but for the probability delta."""
    return D * (1 / eps**2 + 2 / (3 * eps)) * log(16 * d_K / delta)


def features_as_proved(eps, D, d_K, delta, d_1):
    """What matrix Bernstein gives; d_1 = lambda_1 / (lambda_1 + n lam)."""
    return D * (2 * d_1 / eps**2 + 2 / (3 * eps)) * log(16 * d_K / delta)


def whitened(case):
    """The matrix W = (K + n lam I)^-1/2, the real and imaginary parts of W z_w, each 4 x n, and p / q for
    each w.
    """
    W = inverse_sqrt(case.K + case.ridge)
    return W, (W @ case.C).T, -(W @ case.S).T, case.p / case.q


@paper.lemma("lem1", section="Section 4.1")
def spectral_approximation(case: SurrogateFeatures, eps: Unit, delta: Unit):
    """With s >= D_K (1 / eps^2 + 2 / (3 eps)) log(16 d_K / delta), Ktilde is within eps < 1 of K in the (K +
    n lam I) norm with probability 1 - delta, n lam <= lambda_1; for two or three real Fourier features at points of
    {0, 1}^2.

    They are (-1)^(w^T x), for which the law of Ktilde is exact. The last step of its proof, lem1.constant, is
    wrong by a factor 2, but lem1.weak_variance is smaller by a factor 4.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    D = case.d_tilde
    s = at_least(features_within(eps, D, case.d_eff, delta), Count)
    assume(eps >= sqrt(D * case.d_1 / s) + 2 * (case.l_tilde / case.leverage).min() ** -1 * D / (3 * s))
    return P(spectral_deviation(case, s) <= eps) >= 1 - delta


@paper.lemma("lem1.proved", section="Section 4.1")
def spectral_approximation_proved(case: SurrogateFeatures, eps: Unit, delta: Unit):
    """With s >= D_K (2 d_1 / eps^2 + 2 / (3 eps)) log(16 d_K / delta), what matrix Bernstein gives for n lam
    <= lambda_1, Ktilde is within eps < 1 of K in the norm of K + n lam I with probability 1 - delta; looked
    at for two or three real Fourier features at points of {0, 1}^2.

    It comes nowhere near failing here, where D_K is far above the scores. Proof. As li2021.lemma27.repaired,
    whose only use of the scores is L_lam >= l_lam, footnote 1; d_1 = lambda_1 / (lambda_1 + n lam).
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(features_as_proved(eps, case.d_tilde, case.d_eff, delta, case.d_1), Count)
    return P(spectral_deviation(case, s) <= eps) >= 1 - delta


@paper.step("lem1.mL", section="Section 4.1", step_of="lem1")
def parameters_of_bernstein(case: FourierFeatures):
    """E R^2 <= m I with m = D_K lambda_1 / (lambda_1 + n lam), sup l / q <= D_K, and the intrinsic dimension
    is at most 4 d_K; for n lam <= lambda_1.

    R_w = (p / q) W z_w z_w^* W with W = (K + n lam I)^-1/2; the dimension is 2 Tr M / ||M|| for M = D_K W K
    W >= E R^2.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    assume(case.p > 0)
    W, a, b, ratio = whitened(case)
    M = case.D * W @ case.K @ W
    weights = case.q * ratio**2 * case.form(W @ W)
    second = (a.T * weights) @ a + (b.T * weights) @ b
    m = case.D * case.d_1
    return (
        loewner(second, M), at_most(opnorm(M), m), at_most(case.leverage / case.q, case.D),
        at_most(2 * trace(M), 4 * case.d_eff * opnorm(M)),
    )  # fmt: skip


@paper.step("lem1.constant", section="Section 4.1", step_of="lem1")
def failure_probability(case: FourierFeatures, eps: Unit, delta: Unit):
    """The Bernstein bound 8 (d_K / d_1) exp(-(s eps^2 / 2) / (m + 2 L eps / 3)) is at most delta for
    s as in (17).

    "Following the proof of Lemma 4 in (Li et al. 2019)", read as in Li et al. (2021): 4 d exp(.), d = 2 d_K /
    d_1, with the m and the L of Lemma 1.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    assume(case.p > 0)
    m, L = case.D * case.d_1, (case.leverage / case.q).max()
    s = at_least(features_within(eps, case.D, case.d_eff, delta))
    assume(eps >= sqrt(m / s) + 2 * L / (3 * s))
    return at_most(8 / case.d_1 * case.d_eff * exp(-s * eps**2 / 2 / (m + 2 * L * eps / 3)), delta)


@paper.step("lem1.constant.repaired", section="Section 4.1", repairs="lem1.constant", step_of="lem1.proved")
def failure_probability_repaired(case: FourierFeatures, eps: Unit, delta: Unit):
    """With 2 d_1 / eps^2 + 2 / (3 eps) in (17), 8 (d_K / d_1) exp(-s eps^2 / (2 m + 2 D_K eps / 3)) is at
    most delta, for n lam <= lambda_1.

    Proof. d_1 >= 1 / 2 makes the prefactor at most 16 d_K. The summands are R_i - E R with 0 <= R_i <= D_K I,
    so their norm is at most D_K / s, not 2 L / s; the exponent is then log(16 d_K / delta).
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(features_as_proved(eps, case.D, case.d_eff, delta, case.d_1))
    printed = 8 / case.d_1 * case.d_eff * exp(-s * eps**2 / (2 * case.D * case.d_1 + 2 * case.D * eps / 3))
    return at_most(printed, delta)


@paper.step("lem1.weak_variance", section="Section 4.1")
def variance_in_one_direction(case: FourierFeatures, v: Vector(4)):
    """In any one real direction the second moment is at most D_K / 4: E (x^T R x)^2 <= D_K / 4 for ||x|| = 1;
    looked at for four frequencies and up to three points.

    Missing in the paper.

    It rests on features of modulus 1: |x^* W z_w|^2 <= n ||W x||^2 = (1 - t) / lam, where t = x^* W K W x,
    and p / q <= lam D_K, so that E (x^* R x)^2 <= D_K (1 - t) t. Lemma 1 has the factor 2 of lem1.constant to
    spare in it.
    """
    x = v[: case.n]
    assume(case.p > 0)
    assume(x @ x > 0)
    _, a, b, ratio = whitened(case)
    squared = ((a @ x) ** 2 + (b @ x) ** 2) / (x @ x)
    return at_most((case.q * (ratio * squared) ** 2).sum(), case.D / 4)
