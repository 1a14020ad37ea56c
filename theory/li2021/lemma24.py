"""Section 6.2 and Appendix C: Lemma 24, which is false, and what is true of its inner product."""

from boundcheck import (
    Positive,
    Real,
    Vector,
    assume,
    at_most,
    equal,
    maximum,
    norm,
    smallest_eigenvalue,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import paper


def smooth(K, y, lam):
    """K (K + n lam I)^-1 y, the predictions of kernel ridge regression; y (n,)."""
    n = len(y)
    return K @ solve(K + n * lam * identity(n), y[:, None])[:, 0]


def within_unit_ball(K, y, lam):
    """y scaled so that kernel ridge regression gives a function of norm at most 1."""
    n = len(y)
    alpha = solve(K + n * lam * identity(n), y[:, None])[:, 0]
    return y / maximum(1, sqrt(alpha @ K @ alpha))


def kernel_of_draw(case, share):
    """A draw of Ktilde: feature v has the share share_v^2 p_v instead of p_v."""
    return (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T


@paper.lemma(24, section="Section 6.2 and Appendix C")
def residual_and_approximation_error(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """If ||fhat|| <= 1, (1/n) <y - fhat, fhat - ftilde> is at most lam, for any draw of features from any q.

    share_v^2 = count_v / (s q_v), and q and s are arbitrary: with a further feature that vanishes at the
    points, which may be drawn often or rarely, the shares are free.
    """
    lam, K, Kt = case.lam, case.K, kernel_of_draw(case, share)
    assume(case.n * lam <= case.largest_eigenvalue)
    y = within_unit_ball(K, y[: case.n], lam)
    fhat = smooth(K, y, lam)
    ftilde = smooth(Kt, fhat, lam)
    return at_most((y - fhat) @ (fhat - ftilde) / case.n, lam)


@paper.step("lemma24.eq46", section="Appendix C, Eq. (46)", step_of="lemma24")
def dropping_a_contraction(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """For ||fhat|| <= 1, y^T (I - H) (I - Htilde) fhat <= y^T (I - H) fhat, which (46) has from ||I - Htilde|| <= 1.

    For any draw of features, as lemma24.
    """
    lam, K, Kt = case.lam, case.K, kernel_of_draw(case, share)
    assume(case.n * lam <= case.largest_eigenvalue)
    y = within_unit_ball(K, y[: case.n], lam)
    fhat = smooth(K, y, lam)
    return at_most((y - fhat) @ (fhat - smooth(Kt, fhat, lam)), (y - fhat) @ fhat)


@paper.step(
    "lemma24.eq46.repaired", section="Appendix C, Eq. (46)", step_of="lemma24", repairs="lemma24.eq46"
)
def dropping_a_contraction_repaired(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """y^T (I - H) (I - Htilde) fhat <= ||y - fhat|| ||fhat||: a contraction may be dropped from a product of
    norms, not from a form.
    """
    lam, K, Kt = case.lam, case.K, kernel_of_draw(case, share)
    y = within_unit_ball(K, y[: case.n], lam)
    fhat = smooth(K, y, lam)
    return at_most((y - fhat) @ (fhat - smooth(Kt, fhat, lam)), norm(y - fhat) * norm(fhat))


@paper.step("lemma24.eq45", section="Appendix C, Eq. (45)", step_of="lemma24")
def closed_form_without_the_square(fhat: Real, beta: Real, lam: Positive):
    """The closed form below (45), (1/s) Z^T (Z Z^T / s + n lam I)^-1 fhat, minimises (45) as printed, where
    the norm of beta has no square; n = s = 1, Z = 1.
    """
    def value(b):
        return (fhat - b) ** 2 + lam * abs(b)

    return at_most(value(fhat / (1 + lam)), value(beta))


@paper.identity("lemma24.identity", section="Appendix C")
def residual_and_prediction(case: FeaturePool, y: Vector(3)):
    """(1/n) y^T (I - H) fhat = lam ||fhat||^2 <= lam, where fhat = H y has norm at most 1."""
    n, lam, K = case.n, case.lam, case.K
    y = within_unit_ball(K, y[:n], lam)
    fhat, alpha = smooth(K, y, lam), solve(K + case.ridge, y[:n, None])[:, 0]
    inner = (y - fhat) @ fhat / n
    return equal(inner, lam * (alpha @ K @ alpha)), at_most(inner, lam)


@paper.lemma("lemma24.repaired", section="Section 6.2 and Appendix C", repairs="lemma24")
def residual_and_approximation_error_repaired(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """On the event of Lemma 22 and for ||fhat|| <= 1, (1/n) <y - fhat, fhat - ftilde> is at most sqrt(2 lam
    (1/n) ||y||^2).

    Proof. Cauchy-Schwarz; ||y - fhat|| <= ||y||, and (1/n) ||fhat - ftilde||^2 is at most the value of (44), 2
    lam.
    """
    n, lam, K, Kt = case.n, case.lam, case.K, kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - K) >= 0)
    y = within_unit_ball(K, y[:n], lam)
    fhat = smooth(K, y, lam)
    return at_most((y - fhat) @ (fhat - smooth(Kt, fhat, lam)) / n, sqrt(2 * lam * (y @ y) / n))
