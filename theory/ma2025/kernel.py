"""Sections 2.1, 2.3 and 2.4: the kernel of the activation, its norm, leverage scores, and unbiased weighted
features.
"""

import numpy as np

from boundcheck import E, Positive, Vector, assume, at_most, between, equal, integers, loewner, solve, trace
from boundcheck.features.pools import FeaturePool

from . import paper
from .bump_activation import BumpActivation

Few = integers(1, 2)


@paper.lemma("sec2.1.norm", section="Section 2.1")
def norm_of_target(case: FeaturePool, v: Vector(3), c: Vector(3)):
    """f(x) = E sigma(w . x) v(w) has ||f||^2 <= E v(w)^2 in the space of the kernel.

    ||f||^2 is the supremum of (c^T f)^2 / c^T K c over coefficients c and points; column j of case.Z holds
    sigma(w_j . x_i).
    """
    v, c = v[: len(case.p)], c[: case.n]
    f = case.Z @ (case.p * v)
    return at_most((c @ f) ** 2, (c @ case.K @ c) * (case.p * v * v).sum())


@paper.identity("eq1.kernel", section="Eq. (1)")
def kernel_is_mean_of_features(case: BumpActivation):
    """k(x, y) = E sigma(w . x) sigma(w . y) is positive semidefinite; for activations that are sums of bumps
    and finitely many w.
    """
    S, p = case.sigma, case.p
    means = sum(p[j] * S[:, j][:, None] * S[:, j][None, :] for j in range(len(p)))
    return equal(case.K, means), loewner(0 * case.K, means)


@paper.identity("sec2.3.dlambda", section="Section 2.3")
def leverage_sums_to_effective_dimension(case: FeaturePool):
    """The effective dimension Tr K (K + n lam I)^-1 is the integral of the ridge leverage scores."""
    return equal(trace(solve(case.K + case.ridge, case.K)), case.leverage.sum())


@paper.lemma("sec2.3.trivial-bound.literal", section="Section 2.3")
def trivial_bound_as_printed(case: FeaturePool, eps: between(0, 0.2)):
    """l_lam(w) <= p(w) max|sigma|^2 / lam, read as printed: the score is that of sigma_tilde, the bound has
    sigma.

    case.Z holds values of sigma_tilde; sigma = (1 - eps) sigma_tilde differs from it by at most
    eps max|sigma_tilde|, as Lemma 2.1 allows.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    sigma_max = (1 - eps) * case.z0
    return at_most(case.leverage, case.p * sigma_max**2 / case.lam)


@paper.lemma("sec2.3.trivial-bound", section="Section 2.3", repairs="sec2.3.trivial-bound.literal")
def trivial_bound(case: FeaturePool):
    """l_lam(w) <= p(w) max|sigma_tilde|^2 / lam, sigma read as the activation of the scores,
    as in Corollary 3.4.

    Proof. (K + n lam I)^-1 <= (n lam)^-1 I, and ||sigma_tilde(X w)||^2 <= n max|sigma_tilde|^2. In terms of
    sigma the bound is p (max|sigma| + eps)^2 / lam.
    """
    return at_most(case.leverage, case.p * case.z0**2 / case.lam)


@paper.definition("asm2.2", section="Assumption 2.2", repairs="asm2.2.zero")
def strongest_signal(case: FeaturePool):
    """Under lam <= lambda_1 the ratio d_1 = lambda_1 / (lambda_1 + lam) lies in [1/2, 1], and d_1 <= d_K.

    lam = 0, which the assumption admits, is left out: the leverage scores then need K invertible. The proof
    of Lemma E.4 writes [1/2, 1), which is lam > 0.
    """
    lambda_1 = case.largest_eigenvalue / case.n
    assume(case.lam <= lambda_1)
    d_1 = lambda_1 / (lambda_1 + case.lam)
    return at_most(1 / 2, d_1), at_most(d_1, 1), at_most(d_1, case.d_eff)


@paper.definition("asm2.2.zero", section="Assumption 2.2 with Appendix E.2.1")
def ratio_is_below_one(lambda_1: Positive, quarters: integers(0, 4)):
    """For 0 <= lam <= lambda_1 the ratio d_1 = lambda_1 / (lambda_1 + lam) lies in [1/2, 1), as the proof of
    Lemma E.4 says.
    """
    d_1 = lambda_1 / (lambda_1 + quarters / 4 * lambda_1)
    return at_most(1 / 2, d_1), at_most(np.where(d_1 < 1, 0, 1), 0)


@paper.identity("sec2.4.unbiased", section="Section 2.4")
def weighted_features_are_unbiased(case: FeaturePool, s: Few):
    """E (1/s) Z_q Z_q^T = K for up to 2 weighted features, whatever q: l_tilde > 0 wherever p sigma_tilde(X
    w) != 0.
    """
    return equal(E(case.Kt(s, case.q)), case.K)


@paper.identity("sec2.4.unbiased.plain", section="Section 2.4")
def plain_features_are_unbiased(case: FeaturePool, s: Few):
    """E (1/s) Z_p Z_p^T = K for up to 2 plain features, q = p."""
    return equal(E(case.Kt(s, case.p)), case.K)


@paper.definition("theorem3.2.domain", section="Theorems 3.2 and 3.6, Lemma E.3")
def scores_are_functions_of_features(case: BumpActivation):
    """l_tilde is a function on R^s, and the features w_1, ..., w_s are among its arguments.

    As printed ('for all w in R^s', integral dv). A feature has as many coordinates as an input.
    """
    return equal(case.W[:, 0].size, case.W.shape[1])


@paper.definition(
    "theorem3.2.domain.repaired", section="Theorems 3.2 and 3.6, Lemma E.3", repairs="theorem3.2.domain"
)
def scores_are_functions_of_features_repaired(case: BumpActivation):
    """l_tilde is a function on R^d (integral dw): a feature has as many coordinates as an input."""
    return equal(case.W[:, 0].size, case.X.shape[1])
