"""Table 6: the number of features that Corollaries 17 and 18 ask for at lam = 1 / n, read as in Table 1;
the numbers for plain sampling up to the factor z0^2.
"""

from boundcheck import Positive, Unit, at_most, log, maximum, rate, sqrt

from . import paper
from .effective_dimension import effective_dimension
from .lemma22 import enough_features
from .table1 import Order, Points, Rank, geometric, harmonic, polynomial


@paper.row("table6.weighted.finite", section="Table 6")
def table6_weighted_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n and min(b, n) eigenvalues 1, b <= 20, n <= 300, leverage weighted sampling asks
    for at most 5 b log(16 b / delta) features: a constant.
    """
    lam = 1 / n
    d, bound = effective_dimension([1.0] * min(rank, n), lam), rank
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table6.weighted.exponential", section="Table 6")
def table6_weighted_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = 1 / n and lam_i = r^i, i <= n <= 300, leverage weighted sampling asks for at most 5 b log(16
    b / delta) features, b = max(1, log(1 + 1 / lam) / log(1 / r)): O(log n log log n).
    """
    lam = 1 / n
    d, bound = geometric(n, r, lam)
    b = maximum(bound, 1)
    return at_most(enough_features(d, d, delta), enough_features(b, b, delta))


@paper.row("table6.weighted.polynomial", section="Table 6")
def table6_weighted_polynomial(n: Points, t: Order, delta: Unit):
    """With lam = 1 / n and lam_i = i^(-2 t), t = 1, .., 4, i <= n <= 300, leverage weighted sampling asks for
    at most 5 b log(16 b / delta) features, b = (pi / 2) lam^(-1 / (2 t)): O(n^(1 / 2 t) log n).
    """
    lam = 1 / n
    d, bound = polynomial(n, t, lam)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table6.weighted.harmonic", section="Table 6")
def table6_weighted_harmonic(n: Points, delta: Unit):
    """With lam = 1 / n and lam_i proportional to 1 / i with trace 1, i <= n <= 300, leverage weighted sampling
    asks for at most 5 b log(16 b / delta) features, b = 1 / lam: O(n log n).
    """
    lam = 1 / n
    d, bound = harmonic(n, lam)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table6.plain.finite", section="Table 6")
def table6_plain_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n and min(b, n) eigenvalues 1, b <= 20, n <= 300, plain sampling asks, up to the
    factor z0^2, for at most 5 n log(16 b / delta) features: O(n).
    """
    lam = 1 / n
    d, bound = effective_dimension([1.0] * min(rank, n), lam), rank
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table6.plain.exponential", section="Table 6")
def table6_plain_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = 1 / n and lam_i = r^i, i <= n <= 300, plain sampling asks, up to the factor z0^2, for at
    most 5 n log(16 b / delta) features, b = log(1 + 1 / lam) / log(1 / r): O(n log log n).
    """
    lam = 1 / n
    d, bound = geometric(n, r, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table6.plain.polynomial", section="Table 6")
def table6_plain_polynomial(n: Points, t: Order, delta: Unit):
    """With lam = 1 / n and lam_i = i^(-2 t), t = 1, .., 4, i <= n <= 300, plain sampling asks, up to the
    factor z0^2, for at most 5 n log(16 b / delta) features, b = (pi / 2) lam^(-1 / (2 t)): O(n log n).
    """
    lam = 1 / n
    d, bound = polynomial(n, t, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table6.plain.harmonic", section="Table 6")
def table6_plain_harmonic(n: Points, delta: Unit):
    """With lam = 1 / n and lam_i proportional to 1 / i with trace 1, i <= n <= 300, plain sampling asks,
    up to the factor z0^2, for at most 5 n log(16 b / delta) features, b = 1 / lam: O(n log n).
    """
    lam = 1 / n
    d, bound = harmonic(n, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table6.rate", section="Table 6, column of rates")
def table6_rate(L: Positive, z0: Positive, delta: Unit):
    """L sqrt(2 lam) + 2 lam, as in theorem15.repaired, and (19), twice and with the constant of
    theorem9.eq19.repaired, are O(1 / sqrt(n)) at lam = 1 / n, as a rate over n = 10^4, 10^6, 10^8.
    """
    fixed = L * sqrt(2) + 2 * 4 * sqrt(2) * L * z0 + 2 * sqrt(8 * log(2 / delta))
    return rate({n: fixed / sqrt(n) + 2 / n for n in (10**4, 10**6, 10**8)}, at_most=-1 / 2)
