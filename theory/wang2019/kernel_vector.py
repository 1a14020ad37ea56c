"""Section 4.3: the approximate kernel vector of a test point (Lemma 5)."""

from boundcheck import E, equal, loewner, sqrt

from . import Few, paper
from .finite_laws import RandomFeatures


@paper.lemma("lem5", section="Section 4.3")
def variance_of_kernel_vector(case: RandomFeatures, s: Few):
    """The covariance of the approximate kernel vector of a test point is at most b K / s - k' k'^T / s, for
    up to 3 features.
    """
    K, k, b = case.K, case.k_test, case.b
    error = case.features(s).kt_test - k
    return loewner(E(error[:, None] * error[None, :]), b / s * K - k[:, None] * k[None, :] / s)


@paper.step("lem5.eq16", section="Section 4.3", step_of="lem5")
def covariance(case: RandomFeatures, s: Few):
    """The approximate kernel vector is unbiased, so that its covariance is its second moment less k' k'^T,
    for up to 3 features.
    """
    k, kt = case.k_test, case.features(s).kt_test
    spread = E((kt - k)[:, None] * (kt - k)[None, :])
    return equal(E(kt), k), equal(spread, E(kt[:, None] * kt[None, :]) - k[:, None] * k[None, :])


@paper.step("lem5.eq17", section="Section 4.3", step_of="lem5")
def second_moment_as_recalled(case: RandomFeatures, s: Few):
    """With psi_:p = (1 / s) [psi(x_i, v_p)], as (17) recalls it, the second moment of kt' is the first line
    of (17), for up to 3 features.
    """
    k, kt, feature = case.k_test, case.features(s).kt_test, case.features(1)
    column, test = feature.Psi[:, 0] / s, feature.psi_test[0]
    rest = E(s * column[:, None] * column[None, :] * test[None, None] ** 2)
    return equal(E(kt[:, None] * kt[None, :]), (s**2 - s) / s**2 * k[:, None] * k[None, :] + rest / s)


@paper.step("lem5.eq17.repaired", section="Section 4.3", repairs="lem5.eq17", step_of="lem5")
def second_moment_of_kernel_vector(case: RandomFeatures, s: Few):
    """With psi_:p = (1 / sqrt(s)) [psi(x_i, v_p)], the p-th column of Psi, both lines of (17) hold, for up to
    3 features.

    Proof: expand kt'_i kt'_j over p, q as in (12); terms p != q give k'_i k'_j, terms p = q the mean;
    then psi'^2 <= b.
    """
    K, k, b, kt, feature = case.K, case.k_test, case.b, case.features(s).kt_test, case.features(1)
    column, test = feature.Psi[:, 0] / sqrt(s), feature.psi_test[0]
    moment, rest = (
        E(kt[:, None] * kt[None, :]),
        E(s * column[:, None] * column[None, :] * test[None, None] ** 2),
    )
    kk = k[:, None] * k[None, :]
    return equal(moment, (s**2 - s) / s**2 * kk + rest / s), loewner(moment, (s - 1) / s * kk + b / s * K)
