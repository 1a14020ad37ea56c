"""Features that Yashima et al. (2021) ask for: Lemma 2 and Theorem 1, with R = 1 and T the kernel's operator, ||T|| = lambda_1."""

from boundcheck import log, maximum, sqrt
from boundcheck.audit.demand import Demand


def of_lemma2(xi, at):
    """max(8/3 (R / xi)^2, 32 (R / xi)^4) log(2 R^2 / (||T|| delta)), R = 1."""
    return maximum(8 / (3 * xi**2), 32 / xi**4) * log(2 / (at.lambda_1 * at.delta))


def of_theorem1(at):
    """Lemma 2 at the second entry of xi, lam eps^2 / (48 R^2 G ||g_*||), for G = ||g_*|| = 1: xi is no larger, M no smaller."""
    return of_lemma2(at.lam * at.eps**2 / 48, at)


def of_sharper(at):
    """M with 2 beta / (3 M) + sqrt(2 beta / M) = D (Lemma 1), D = eps lam / (1 + sqrt(||T|| / lam) / 4)."""
    D = at.eps * at.lam / (1 + sqrt(at.lambda_1 / at.lam) / 4)
    root = 3 / 2 * (sqrt(1 + 4 * D / 3) - 1)
    return 2 * log(2 / (at.lambda_1 * at.delta)) / root**2


DEMANDS = [
    Demand("yashima2021.lemma2.main", "functions of norm 1 within eps in L2, from either space to the other", "plain",
           lambda at: of_lemma2(at.eps, at)),
    Demand("yashima2021.theorem1.complete", "sup |g_lam - g_M| <= eps for a logistic minimiser with ||g_*|| = 1 (at least)", "plain",
           of_theorem1, {"yashima2021.theorem1.sharper-smooth": of_sharper}),
]  # fmt: skip
