"""Features that Yashima et al. (2021) ask for: Lemma 2 and Theorem 1, with R = 1 and T the kernel's operator,
||T|| = lambda_1.
"""

from boundcheck import sqrt
from boundcheck.features.audit import Demand

from .concentration import beta_of, enough_features
from .rates import distance_if_smooth
from .theorem1 import terms


def of_lemma2(xi, at):
    """Lemma 2 for R = 1."""
    return enough_features(1, xi, beta_of(1, at.lambda_1, at.delta))


def of_theorem1(at):
    """Lemma 2 at the second entry of xi, which does not depend on L(g_*), for G = ||g_*|| = 1: xi is no
    larger, M no smaller.
    """
    second, *_ = terms(at.eps, R=1, G=1, lam=at.lam, size=1, loss=1)
    return of_lemma2(second, at)


def of_sharper(at):
    """M for which Lemma 1 bounds ||T - T_M|| by the D at which theorem1.sharper-smooth gives eps, in L2(rho):
    2 beta / (3 M) + sqrt(2 beta / M) = D, solved.
    """
    D = at.eps / distance_if_smooth(1, at.lam, at.lambda_1, G=1, L=1 / 4)
    root = 3 / 2 * (sqrt(1 + 4 * D / 3) - 1)
    return 2 * beta_of(1, at.lambda_1, at.delta) / root**2


DEMANDS = [
    Demand(
        "yashima2021.lemma2.main",
        "functions of norm 1 within eps in L2, from either space to the other",
        "plain",
        lambda at: of_lemma2(at.eps, at),
    ),
    Demand(
        "yashima2021.theorem1.complete",
        "sup |g_lam - g_M| <= eps (its repair: in L2) for a logistic minimiser with ||g_*|| = 1 (at least)",
        "plain",
        of_theorem1,
        {"yashima2021.theorem1.sharper-smooth": of_sharper},
    ),
]
