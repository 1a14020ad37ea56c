"""Sections 6.2 and Appendix C: Lemma 24 and the empirical part of Theorem 9, Eq. (16)."""

from boundcheck import (
    Count,
    Matrix,
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
    log,
    maximum,
    norm,
    smallest_eigenvalue,
    solve,
    sqrt,
)  # fmt: skip
from boundcheck.linalg import identity
from boundcheck.settings.feature_pool import FeaturePool
from theory.li2021 import paper
from theory.li2021.ridge import objective, ridge_solution


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
    """(1/n) <y - fhat, fhat - ftilde> is at most lam, for any draw of features.

    share_v^2 = count_v / (s q_v), and q and s are arbitrary: with a further feature that vanishes at the points, which
    may be drawn often or rarely, the shares are free.
    """
    lam, K, Kt = case.lam, case.K, kernel_of_draw(case, share)
    assume(case.n * lam <= case.largest_eigenvalue)
    y = within_unit_ball(K, y[: case.n], lam)
    fhat = smooth(K, y, lam)
    ftilde = smooth(Kt, fhat, lam)
    return at_most((y - fhat) @ (fhat - ftilde) / case.n, lam)


@paper.step("lemma24.eq46", section="Appendix C, Eq. (46)", step_of="lemma24")
def dropping_a_contraction(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """y^T (I - H) (I - Htilde) fhat <= y^T (I - H) fhat because ||I - Htilde|| <= 1."""
    lam, K, Kt = case.lam, case.K, kernel_of_draw(case, share)
    assume(case.n * lam <= case.largest_eigenvalue)
    y = within_unit_ball(K, y[: case.n], lam)
    fhat = smooth(K, y, lam)
    return at_most((y - fhat) @ (fhat - smooth(Kt, fhat, lam)), (y - fhat) @ fhat)


@paper.step("lemma24.eq46.repaired", section="Appendix C, Eq. (46)", step_of="lemma24", repairs="lemma24.eq46")
def dropping_a_contraction_repaired(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """y^T (I - H) (I - Htilde) fhat <= ||y - fhat|| ||fhat||: a contraction may be dropped from a product of norms, not from a form."""
    lam, K, Kt = case.lam, case.K, kernel_of_draw(case, share)
    y = within_unit_ball(K, y[: case.n], lam)
    fhat = smooth(K, y, lam)
    return at_most((y - fhat) @ (fhat - smooth(Kt, fhat, lam)), norm(y - fhat) * norm(fhat))


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
    """On the event of Lemma 22, (1/n) <y - fhat, fhat - ftilde> is at most sqrt(2 lam (1/n) ||y||^2).

    Proof. Cauchy-Schwarz; ||y - fhat|| <= ||y||, and (1/n) ||fhat - ftilde||^2 is at most the value of (44), 2 lam.
    """
    n, lam, K, Kt = case.n, case.lam, case.K, kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - K) >= 0)
    y = within_unit_ball(K, y[:n], lam)
    fhat = smooth(K, y, lam)
    return at_most((y - fhat) @ (fhat - smooth(Kt, fhat, lam)) / n, sqrt(2 * lam * (y @ y) / n))


@paper.step("theorem9.step16.algebra", section="Section 6.2", step_of="theorem9")
def excess_over_kernel_ridge(Z: Matrix("n", "s"), fhat: Vector("n"), y: Vector("n"), b: Vector("s"), lam: Positive):
    """The excess empirical risk of (7) over any fhat is at most the bracket of Section 6.2 at any beta."""
    n = len(y)
    excess = (norm(y - Z @ ridge_solution(Z, y, lam)) ** 2 - norm(y - fhat) ** 2) / n
    return at_most(excess, objective(Z, fhat, b, lam) + 2 / n * ((y - fhat) @ (fhat - Z @ b)))


@paper.step("theorem9.step16", section="Section 6.2", step_of="theorem9")
def excess_with_high_probability(case: FeaturePool, y: Vector(3), delta: Unit):
    """With s >= 5 d_tilde log(16 d_K / delta) weighted features, the excess empirical risk (16) is at most 4 lam.

    Labels fixed before the features are drawn. Where n = r m and each of r points occurs m times, nothing changes with m,
    so that this is also Theorem 9 in the limit of large n at a fixed lam, for inputs uniform on r points. Two features
    and d_tilde <= 50, so that every draw is enumerated.
    """
    n, lam, K = case.n, case.lam, case.K
    assume(len(case.p) == 2)
    assume(case.d_tilde <= 50)
    assume(n * lam <= case.largest_eigenvalue)
    y = within_unit_ball(K, y[:n], lam)
    s = at_least(5 * case.d_tilde * log(16 * case.d_eff / delta), Count)
    residual = case.Kt(s, case.q).map(lambda A: n * lam * solve(A + case.ridge, y[:, None])[..., 0])
    return P((norm(residual) ** 2 - norm(y - smooth(K, y, lam)) ** 2) / n <= 4 * lam) >= 1 - delta


@paper.step("theorem9.step16.on_event", section="Section 6.2", step_of="theorem9")
def excess_on_the_event(k: Unit, lam: between(0, 0.5), h: between(-1, 1), b: UnitVector(2)):
    """On the event of Lemma 22, K <= 2 (Ktilde + n lam I), the excess empirical risk (16) is at most 4 lam.

    Two points, K = diag(1, k), fhat = K^(1/2) b of norm 1, and Ktilde = z z^T with z = (1, h): any Ktilde is a draw of
    weighted features, as K = G G^T and Ktilde = G D G^T for a diagonal D, whose columns and shares these are. The
    solution of (7) lies in the ball of radius sqrt(2), as in Remark 23.
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


@paper.step("theorem9.step16.repaired", section="Section 6.2", step_of="theorem9", repairs="theorem9.step16.on_event")
def excess_on_the_event_repaired(case: FeaturePool, share: Vector(3), y: Vector(3)):
    """On the event of Lemma 22, the excess empirical risk (16) is at most 2 lam + 2 sqrt(2 lam (1/n) ||y||^2).

    Proof. theorem9.step16.algebra at the minimiser of (44), whose value is at most 2 lam, and Lemma 24 as repaired.
    """
    n, lam, K, Kt = case.n, case.lam, case.K, kernel_of_draw(case, share)
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - K) >= 0)
    y = within_unit_ball(K, y[:n], lam)
    excess = norm(y - smooth(Kt, y, lam)) ** 2 - norm(y - smooth(K, y, lam)) ** 2
    return at_most(excess / n, 2 * lam + 2 * sqrt(2 * lam * (y @ y) / n))
