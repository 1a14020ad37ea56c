"""Sections 2.1 and 4.3: first and second moments of the approximate kernel matrix (Lemma 4)."""

import numpy as np

from boundcheck import E, equal, loewner, sqrt

from . import Few, paper
from .finite_laws import RandomFeatures


@paper.identity("eq4", section="Section 2.1")
def inner_product_is_unbiased(case: RandomFeatures, s: Few):
    """psi(x; V_s)^T psi(x'; V_s) is an unbiased estimate of kappa(x, x'), for up to 3 features; psi(x; V_s)
    has the entries psi(x; v_l) / sqrt(s).
    """
    psi = case.features(s)
    return equal(E(psi.kt_test), case.k_test)


@paper.remark("eq4.index", section="Section 2.1, Eq. (4)")
def inner_product_with_the_printed_index(case: RandomFeatures, s: Few):
    """With psi(x; V_s) as (4) prints it, of entries psi(x_i; v_l) / sqrt(s), its product with psi(x'; V_s)
    has the mean kappa(x, x'); for up to 3 features.

    i is the first training point, x the last one.
    """
    psi = case.features(s)
    return equal(E(psi.kt_test[0]), case.k_test[-1])


@paper.identity("s2.1.EPsiPsiT", section="Section 2.1")
def gram_is_unbiased(case: RandomFeatures, s: Few):
    """Psi Psi^T is an unbiased estimate of the kernel matrix, for up to 3 features."""
    return equal(E(case.features(s).Kt), case.K)


@paper.lemma("lem4", section="Section 4.3")
def second_moment(case: RandomFeatures, s: Few):
    """The second moment of the approximate kernel matrix is at most (s - 1) / s K^2 + n b / s K, for up to 3
    features.
    """
    K, n, b, Kt = case.K, case.n, case.b, case.features(s).Kt
    return loewner(E(Kt @ Kt), (s - 1) / s * (K @ K) + n * b / s * K)


@paper.step("lem4.eq12_13", section="Section 4.3", step_of="lem4")
def two_different_features(case: RandomFeatures, s: Few):
    """The second moment is the sum over p != q plus the sum over p = q, over s^2; the former is (s^2 - s)
    K^2; for up to 3 features.
    """
    same = np.eye(s)[:, :, None, None]

    def parts(Psi):
        """The second moment less the sum over p = q, and the sum over p != q, over one draw:
        (..., 2, n, n).
        """
        psi, Kt = np.swapaxes(Psi, -1, -2) * sqrt(s), Psi @ np.swapaxes(Psi, -1, -2)
        one = psi[..., :, None] * psi[..., None, :]
        products = one[..., :, None, :, :] @ one[..., None, :, :, :]
        different, twice = ((products * chosen).sum(axis=(-4, -3)) for chosen in (1 - same, same))
        return np.stack([s**2 * (Kt @ Kt) - twice, different], axis=-3)

    return equal(E(case.features(s).Psi.map(parts)), np.stack([(s**2 - s) * (case.K @ case.K)] * 2))


@paper.remark("lem4.eq13.index", section="Section 4.3, Eq. (13)", step_of="lem4")
def two_different_features_with_the_printed_index(case: RandomFeatures):
    """E_v_p[psi(x_l; v_p) psi(x_i; v_p)] E_v_q[psi(x_l; v_p) psi(x_j; v_p)], as (13) prints it,
    is kappa(x_l, x_i) kappa(x_l, x_j).

    The mean over v_q leaves v_p, so that the claim is one for every value of v_p; with l, i, j the first
    point, p the first feature.
    """
    K, values = case.K, case.values
    return equal(K[0, 0] * values[0, 0] ** 2, K[0, 0] * K[0, 0])


@paper.step("lem4.eq14", section="Section 4.3", step_of="lem4")
def one_feature_twice(case: RandomFeatures, s: Few):
    """For up to 3 features the sum over p = q is s times the mean of [sum_l psi^2(x_l; v)] s psi_:p psi_:p^T,
    for one feature.
    """
    psi, v = case.features(s).Psi.mT * sqrt(s), case.features(1).Psi[:, 0]
    one, column = psi[:, :, None] * psi[:, None, :], v / sqrt(s)
    weighted = (v**2).sum()[None, None] * s * column[:, None] * column[None, :]
    return equal(E((one @ one).sum(axis=1)), s * E(weighted))


@paper.identity("lem4.identity", section="Section 4.3", step_of=("lem4", "eq30"))
def second_moment_exactly(case: RandomFeatures, s: Few):
    """The second moment of Kt is (s - 1) / s K^2 plus the mean of [sum_l psi^2(x_l; v)] psi_:p psi_:p^T, for
    up to 3 features.
    """
    K, Kt, v = case.K, case.features(s).Kt, case.features(1).Psi[:, 0]
    column = v / sqrt(s)
    return equal(
        E(Kt @ Kt), (s - 1) / s * (K @ K) + E((v**2).sum()[None, None] * column[:, None] * column[None, :])
    )


@paper.identity("eq15", section="Section 4.3", step_of=("lem4", "lem5"))
def column_moment(case: RandomFeatures, s: Few):
    """A column of Psi has the second moment K / s, for up to 3 features."""
    column = case.features(s).Psi[:, 0]
    return equal(E(column[:, None] * column[None, :]), case.K / s)
