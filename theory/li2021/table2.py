"""Table 2: the number of features that Theorem 12 asks for at the ridge of each row, read as in Table 1;
the numbers for plain sampling up to the factor z0^2.
"""

from boundcheck import Unit, at_most, between, equal, exp, log, maximum, pi, rate, sin, sqrt

from . import paper
from .effective_dimension import effective_dimension
from .lemma22 import enough_features
from .table1 import Order, Points, Rank, geometric


def fast(n, order, lam):
    """Effective dimension for lam_i = i^-t, t = order + 1 > 1, and a bound of the order lam^(-1 / t)."""
    t = order + 1
    angle = pi / t
    spectrum = [1 / i**t for i in range(1, n + 1)]
    return effective_dimension(spectrum, lam), exp(log(1 / lam) / t) * angle / sin(angle)


SIZES = (10**3, 10**5, 10**7, 10**9)

Above = between(1.1, 10)
"""A factor D > 1."""


def refined(A, n):
    """(10) for lam_i = A^i, e_0 = 1, at h = log(n) / log(1 / A), not rounded, as theorem12.exp_h.repaired has it."""
    return log(n) / log(1 / A) / n + sqrt(A / (1 - A)) / n


@paper.row("table2.rate.exponential", section="Table 2, column of rates")
def table2_rate_exponential(D: Above, A: between(0.05, 0.95)):
    """(9) without noise at lam = log(n) / n and lam_i = A^i, A from .05 to .95 and D from 1.1 to 10, 4 D / (D
    - 1) lam and (10) at h = log(n) / log(1 / A), with 1 for 12 D / B and e_0, is O(log(n) / n); divided by log
    n, as a rate over n = 10^3, .., 10^9.
    """
    bound = {n: 4 * D / (D - 1) * log(n) / n + refined(A, n) for n in SIZES}
    return rate({n: bound[n] / log(n) for n in SIZES}, at_most=-1)


@paper.row("table2.weighted.finite", section="Table 2")
def table2_weighted_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n and min(b, n) eigenvalues 1, b <= 20, n <= 300, leverage weighted sampling asks
    for at most 5 b log(16 b / delta) features: a constant.
    """
    d = effective_dimension([1.0] * min(rank, n), 1 / n)
    return at_most(enough_features(d, d, delta), enough_features(rank, rank, delta))


@paper.row("table2.weighted.exponential", section="Table 2")
def table2_weighted_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = log(n) / n and lam_i = r^i, i <= n <= 300, leverage weighted sampling asks for at most 5 b
    log(16 b / delta) features, b = max(1, log(1 + 1 / lam) / log(1 / r)): O(log n log log n).
    """
    d, bound = geometric(n, r, log(n) / n)
    b = maximum(bound, 1)
    return at_most(enough_features(d, d, delta), enough_features(b, b, delta))


@paper.row("table2.weighted.polynomial", section="Table 2")
def table2_weighted_polynomial(n: Points, order: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^-t, t = order + 1 = 2, .., 5, i <= n <= 300, leverage weighted
    sampling asks for at most 5 b log(16 b / delta) features, b = lam^(-1 / t) (pi / t) / sin(pi / t):
    O(n^(1 / 2 t) log n).
    """
    d, bound = fast(n, order, 1 / sqrt(n))
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table2.plain.finite", section="Table 2")
def table2_plain_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n and min(b, n) eigenvalues 1, b <= 20, n <= 300, plain sampling asks, up to the
    factor z0^2, for at most 5 n log(16 b / delta) features: O(n).
    """
    d = effective_dimension([1.0] * min(rank, n), 1 / n)
    return at_most(enough_features(n, d, delta), enough_features(n, rank, delta))


@paper.row("table2.plain.exponential", section="Table 2")
def table2_plain_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = log(n) / n and lam_i = r^i, i <= n <= 300, plain sampling asks, up to the factor z0^2,
    for at most 5 n log(16 b / delta) / log(n) features, b = log(1 + 1 / lam) / log(1 / r): O(n), as log(b)
    / log(n) is bounded.
    """
    lam = log(n) / n
    d, bound = geometric(n, r, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(n, bound, delta) / log(n))


@paper.row("table2.plain.polynomial", section="Table 2")
def table2_plain_polynomial(n: Points, order: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^-t, t = order + 1 = 2, .., 5, i <= n <= 300, plain sampling
    asks, up to the factor z0^2, for at most 5 sqrt(n) log(16 b / delta) features, b = lam^(-1 / t) (pi / t)
    / sin(pi / t): O(sqrt(n) log n).
    """
    lam = 1 / sqrt(n)
    d, bound = fast(n, order, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table4.this.poly.explicit", section="Table 4")
def table4_plain_polynomial(t: Order, delta: Unit):
    """With lam = 1 / sqrt(n), lam_i = i^-(t + 1), t = 1, .., 4, and d_K = 1 in the logarithm, plain
    sampling asks, up to the factor z0^2, for O(n^(1 / 2 (t + 1)) log n) features, read as a rate over n =
    10^3, .., 10^6.

    What Corollary 11 asks for, divided by log n; the plain rows of Table 2 have sqrt(n) log n for the same
    spectrum and rate.
    """
    sizes = (10**3, 10**4, 10**5, 10**6)
    return rate({n: enough_features(sqrt(n), 1, delta) / log(n) for n in sizes}, at_most=1 / (2 * (t + 1)))


@paper.row("table4.this.poly.repaired", section="Table 4", repairs="table4.this.poly.explicit")
def table4_plain_polynomial_repaired(t: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and d_K = 1 plain sampling asks, up to the factor z0^2, for O(sqrt(n) log n)
    features, as Table 2 says, read as a rate over n = 10^3, .., 10^6. Proof: z0^2 / lam = sqrt(n), and d_K
    <= n inside the logarithm.
    """
    sizes = (10**3, 10**4, 10**5, 10**6)
    return rate({n: enough_features(sqrt(n), 1, delta) / log(n) for n in sizes}, at_most=1 / 2)


@paper.remark("table4.rr.poly", section="Table 4, row of Rudi and Rosasco")
def exponents_of_rudi_and_rosasco(t: Order):
    """For lam_i = i^-t', t' = t + 1, the rate n^(-2 r / (2 r + gamma)) of Rudi and Rosasco, r = 1/2, gamma = 1
    / t', has the exponent 2 t' / (2 t' + 1).
    """
    return equal(1 / (1 + 1 / (t + 1)), 2 * (t + 1) / (2 * (t + 1) + 1))


@paper.remark("table4.rr.poly.repaired", section="Table 4, row of Rudi and Rosasco", repairs="table4.rr.poly")
def exponents_of_rudi_and_rosasco_repaired(t: Order):
    """For lam_i = i^-t' the rate n^(-2 r / (2 r + gamma)) of Rudi and Rosasco, r = 1/2, gamma = 1 / t', has
    the exponent t' / (t' + 1); the printed one belongs to lam_i = i^(-2 t'). t' = 2, .., 5.
    """
    return equal(1 / (1 + 1 / (t + 1)), (t + 1) / (t + 2)), equal(
        1 / (1 + 1 / (2 * (t + 1))), 2 * (t + 1) / (2 * (t + 1) + 1)
    )


@paper.remark("table5.rr.constant", section="Section 3.1.3, last paragraph, against Table 5")
def features_at_full_compatibility(C: between(1, 100)):
    """At alpha = 0 the n^(alpha / (2 t + 1)) log n features of the table, times C up to 100, are a constant
    number, as the text says, read as a rate over n = 100, 10^4, 10^6. The table has alpha between 0 and 1.
    """
    return rate({n: C * log(n) for n in (10**2, 10**4, 10**6)}, at_most=0)


@paper.remark("remark13.range", section="Section 3.1.2, Remark 13")
def rates_of_the_worst_case(b: between(1, 1000)):
    """For c = 1 the rate n^(-b c / (b c + 1)) of Caponnetto and De Vito (2007), 1 < b < 1000, lies between
    n^(-1/2) and n^-1, the range of Table 2.

    The ends of the range are compared; for a given b the n^(-1/2) of Table 2 is slower.
    """
    return at_most(1 / 2, b / (b + 1)), at_most(b / (b + 1), 1)


@paper.remark("table5.rr.poly", section="Table 5, row of Rudi and Rosasco, against Table 4")
def exponents_without_compatibility(t: Order):
    """At alpha = 1, plain sampling, the exponent alpha / (2 t' + 1) of Table 5 is the 2 t' / (2 t' + 1) of
    Table 4, t' = 2, .., 5.
    """
    return equal(1 / (2 * (t + 1) + 1), 2 * (t + 1) / (2 * (t + 1) + 1))
