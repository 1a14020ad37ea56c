"""Tables 7 and 9: the number of features that Theorem 19 asks for at the ridge of each row, read
as in Table 1, those for plain sampling up to the factor z0^2; and Section 3.2.2.
"""

import numpy as np

from boundcheck import Count, Unit, assume, at_most, between, exp, integers, log, maximum, rate, sqrt

from . import paper
from .effective_dimension import effective_dimension
from .lemma22 import enough_features
from .table1 import Order, Points, Rank, geometric
from .table2 import SIZES, Above, fast, refined


@paper.row("table7.weighted.finite", section="Table 7")
def table7_weighted_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n^2 and min(b, n) eigenvalues 1, b <= 20, n <= 300, leverage weighted sampling
    asks for at most 5 b log(16 b / delta) features: a constant.
    """
    d = effective_dimension([1.0] * min(rank, n), 1 / n**2)
    return at_most(enough_features(d, d, delta), enough_features(rank, rank, delta))


@paper.row("table7.weighted.exponential", section="Table 7")
def table7_weighted_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = log(n)^2 / n^2 and lam_i = r^i, i <= n <= 300, leverage weighted sampling asks for at most 5
    b log(16 b / delta) features, b = max(1, log(1 + 1 / lam) / log(1 / r)): O(log n log log n).
    """
    d, bound = geometric(n, r, log(n) ** 2 / n**2)
    b = maximum(bound, 1)
    return at_most(enough_features(d, d, delta), enough_features(b, b, delta))


@paper.row("table7.weighted.poly.explicit", section="Table 7")
def table7_weighted_polynomial(t: Order):
    """With lam = 1 / n and lam_i = i^-(t + 1), t = 1, .., 4, leverage weighted sampling asks for O(n^(1 / 2 (t
    + 1)) log n) features; d_K, read as a rate over n = 4, 16, 64, 256.

    The text of Section 3.2.2 has n^(1 / (t + 1)) for the same spectrum, ridge and rate.
    """
    sizes = (4, 16, 64, 256)
    return rate({n: fast(n, t, 1 / n)[0] for n in sizes}, at_most=1 / (2 * (t + 1)))


@paper.row("table7.weighted.poly.repaired", section="Table 7", repairs="table7.weighted.poly.explicit")
def table7_weighted_polynomial_repaired(n: Points, order: Order, delta: Unit):
    """With lam = 1 / n and lam_i = i^-t, t = order + 1 = 2, .., 5, i <= n <= 300, leverage weighted sampling
    asks for at most 5 b log(16 b / delta) features, b = lam^(-1 / t) (pi / t) / sin(pi / t): O(n^(1 / t) log
    n), as the text says. Proof: the integral of 1 / (1 + x^t / n) over x > 0.
    """
    d, bound = fast(n, order, 1 / n)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table7.plain.finite", section="Table 7")
def table7_plain_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n^2 and min(b, n) eigenvalues 1, b <= 20, n <= 300, plain sampling asks, up to the
    factor z0^2, for at most 5 n^2 log(16 b / delta) features: O(n^2).
    """
    d = effective_dimension([1.0] * min(rank, n), 1 / n**2)
    return at_most(enough_features(n**2, d, delta), enough_features(n**2, rank, delta))


@paper.row("table7.plain.exponential", section="Table 7")
def table7_plain_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = log(n)^2 / n^2 and lam_i = r^i, i <= n <= 300, plain sampling asks, up to the factor
    z0^2, for at most 5 n^2 log(16 b / delta) / log(n)^2 features, b = log(1 + 1 / lam) / log(1 / r):
    O(n^2), as log(b) / log(n)^2 is bounded.
    """
    lam = log(n) ** 2 / n**2
    d, bound = geometric(n, r, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(n**2, bound, delta) / log(n) ** 2)


@paper.row("table7.plain.polynomial", section="Table 7")
def table7_plain_polynomial(n: Points, order: Order, delta: Unit):
    """With lam = 1 / n and lam_i = i^-t, t = order + 1 = 2, .., 5, i <= n <= 300, plain sampling asks, up
    to the factor z0^2, for at most 5 n log(16 b / delta) features, b = lam^(-1 / t) (pi / t) / sin(pi / t):
    O(n log n).
    """
    d, bound = fast(n, order, 1 / n)
    return at_most(enough_features(n, d, delta), enough_features(n, bound, delta))


@paper.lemma("sec322.exp_d.explicit", section="Section 3.2.2")
def logarithm_of_the_ridge(n: Count):
    """With lam = log(n)^2 / n^2, R = 1 and n >= 3, log(R^2 / lam) <= log n. The constant of lam in O(log(n)^2
    / n^2) is read as 1.
    """
    assume(n >= 3)
    return at_most(log(n**2 / log(n) ** 2), log(n))


@paper.lemma("sec322.exp_d.repaired", section="Section 3.2.2", repairs="sec322.exp_d.explicit")
def logarithm_of_the_ridge_repaired(n: Count):
    """With lam = log(n)^2 / n^2 and R = 1, log(R^2 / lam) <= 2 log n for n >= 3, of the same order. Proof: log
    n >= 1.
    """
    assume(n >= 3)
    return at_most(log(n**2 / log(n) ** 2), 2 * log(n))


@paper.remark("table9.rate_sign", section="Table 9 and the text below it")
def rate_of_sun_et_al(t: Order):
    """The rate n^(t / (2 + t)) that the table gives for Sun et al. falls with n, for t = 1, .., 4; the text
    calls n^(2/3) fast.
    """
    return rate({n: n ** (t / (2 + t)) for n in (10**2, 10**4, 10**6)}, at_most=0)


@paper.remark(
    "table9.rate_sign.repaired", section="Table 9 and the text below it", repairs="table9.rate_sign"
)
def rate_of_sun_et_al_repaired(t: Order):
    """With a minus sign in the exponent, n^(-t / (2 + t)), the rate of Sun et al. falls with n, for t = 1, ..,
    4.
    """
    return rate({n: n ** (-t / (2 + t)) for n in (10**2, 10**4, 10**6)}, at_most=0)


@paper.row("table7.rate.finite", section="Table 7, column of rates")
def table7_rate_finite(D: Above, rank: Rank):
    """(12) without noise at lam = 1 / n^2 and rank up to 20, D from 1.1 to 10, D / (D - 1) sqrt(2 lam) and h /
    n at h = rank, with 1 for 12 D / B and b_0, is O(1 / n), as a rate over n = 10^3, .., 10^9.
    """
    return rate({n: D / (D - 1) * sqrt(2 / n**2) + rank / n for n in SIZES}, at_most=-1)


@paper.row("table7.rate.exponential", section="Table 7, column of rates")
def table7_rate_exponential(D: Above, A: between(0.05, 0.95)):
    """(12) without noise at lam = log(n)^2 / n^2 and lam_i = A^i, A from .05 to .95 and D from 1.1 to 10, D /
    (D - 1) sqrt(2 lam) and (13) at h = log(n) / log(1 / A), with 1 for 12 D / B and b_0, is O(log(n) / n);
    divided by log n, as a rate over n = 10^3, .., 10^9.
    """
    bound = {n: D / (D - 1) * sqrt(2) * log(n) / n + refined(A, n) for n in SIZES}
    return rate({n: bound[n] / log(n) for n in SIZES}, at_most=-1)


@paper.row("table7.rate.polynomial", section="Table 7, column of rates")
def table7_rate_polynomial(D: Above, t: Order):
    """(12) without noise at lam = 1 / n and lam_i = i^-t, t = 2, .., 5, D from 1.1 to 10, D / (D - 1) sqrt(2
    lam) and (13) at h = 0, where the sum of the lam_i is at most t / (t - 1), with 1 for 12 D / B, is O(1 /
    sqrt(n)), as a rate over n = 10^3, .., 10^9.
    """
    return rate({n: D / (D - 1) * sqrt(2 / n) + sqrt((t + 1) / (t * n)) for n in SIZES}, at_most=-1 / 2)


def order_of_features(t):
    """Of d_K for lam_i = i^-t, i <= 10^4, at lam = 1 / n, as a rate over these sizes, against Sun et al."""
    i = np.arange(1, 10**4 + 1)
    d_K = {n: (1 / (1 + exp(t * log(i)) / n)).sum() for n in (10**2, 10**3, 10**4)}
    return rate(d_K, at_most=2 / (2 + t))


@paper.row("table9.compare", section="Table 9 and the text below it")
def features_against_sun_et_al(t: between(1.2, 1.8)):
    """For lam_i = i^-t, i <= 10^4, t from 1.2 to 1.8, and at lam = 1 / n, leverage weighted sampling asks for no
    larger order of features than the n^(2 / (2 + t)) log n of Sun et al.; d_K, read as a rate over n = 100,
    1000, 10^4.

    d_K is of the order n^(1 / t), as Section 3.2.2 has it, not of the n^(1 / 2t) of Table 9. The text has the
    rate 1 / sqrt(n) as the sharper one, which it is for t < 2.
    """
    return order_of_features(t)


@paper.row("table9.compare.repaired", section="Table 9 and the text below it", repairs="table9.compare")
def features_against_sun_et_al_repaired(t: between(2.2, 6)):
    """For lam_i = i^-t, i <= 10^4, t from 2.2 to 6, and at lam = 1 / n, leverage weighted sampling asks for no
    larger order of features than the n^(2 / (2 + t)) log n of Sun et al.; d_K, read as a rate over n = 100,
    1000, 10^4. Proof: 1 / t < 2 / (2 + t).

    There Sun et al. have the faster rate.
    """
    return order_of_features(t)


@paper.remark("sec322.plain_n2", section="Section 3.2.2, after Theorem 19")
def plain_features_at_the_fast_rate(n: integers(2, 10**6), d_K: between(0.5, 100), delta: Unit):
    """At lam = 1 / (2 n^2), where sqrt(2 lam) is the rate 1 / n, plain sampling asks, up to the factor
    z0^2, for n^2 features and more, for d_K from 1/2 to 100 and n <= 10^6.

    sqrt(2 lam) <= 1 / n wants lam <= 1 / (2 n^2). Corollary 18 with z0 = 1; d_K >= 1/2 by Assumption 3.
    """
    return at_most(n**2, enough_features(2 * n**2, d_K, delta)), at_most(sqrt(2 / (2 * n**2)), 1 / n)
