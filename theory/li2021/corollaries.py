"""Section 3.1.1: Theorem 9 and Corollaries 10 and 11 in the limit of a large sample at a fixed ridge,
for labels without noise.
"""

from boundcheck import Count, P, Unit, Vector, assume, at_least, norm, solve
from boundcheck.features.pools import FeaturePool
from theory.li2021 import paper
from theory.li2021.lemma22 import enough_features
from theory.li2021.lemma24 import smooth, within_unit_ball


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
    an excess of at most 4 lam.

    The excess of the risk over that of kernel ridge regression; two features, as in theorem9.explicit.
    """
    assume(len(case.p) == 2)
    assume(case.n * case.lam <= case.largest_eigenvalue)
    s = at_least(enough_features(case.d_eff, case.d_eff, delta), Count)
    return P(excess_risk(case, y, s, case.leverage / case.d_eff) <= 4 * case.lam) >= 1 - delta


@paper.corollary("corollary11.explicit", section="Section 3.1.1")
def risk_with_plain_features(case: FeaturePool, y: Vector(3), delta: Unit):
    """In the limit of large n at a fixed lam, with s >= 5 z0^2 / lam log(16 d_K / delta) plain features,
    it is at most 4 lam.

    Two features and z0^2 <= 50 lam.
    """
    assume(len(case.p) == 2)
    assume((case.n * case.lam <= case.largest_eigenvalue) & (case.z0**2 <= 50 * case.lam))
    s = at_least(enough_features(case.z0**2 / case.lam, case.d_eff, delta), Count)
    return P(excess_risk(case, y, s, case.p) <= 4 * case.lam) >= 1 - delta
