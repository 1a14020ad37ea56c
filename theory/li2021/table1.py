"""Table 1: the number of features that Corollaries 10 and 11 ask for, under decay of the spectrum of K / n.

A row "Omega(rate)" is read as: the number is at most an explicit multiple of the rate, with delta inside the
logarithm.
"""

from boundcheck import Positive, Unit, at_most, between, equal, exp, integers, log, maximum, pi, rate, sqrt

from . import paper
from .effective_dimension import effective_dimension
from .lemma22 import enough_features

Points = integers(2, 300)
Rank = integers(1, 20)
Order = integers(1, 4)


def geometric(n, r, lam):
    """Effective dimension for lam_i = r^i, and a bound of the order log n."""
    return effective_dimension([r**i for i in range(1, n + 1)], lam), log(1 + 1 / lam) / log(1 / r)


def polynomial(n, t, lam):
    """Effective dimension for lam_i = i^(-2 t), and a bound of the order lam^(-1 / (2 t))."""
    return effective_dimension([1 / i ** (2 * t) for i in range(1, n + 1)], lam), pi / 2 * exp(
        log(1 / lam) / (2 * t)
    )


def harmonic(n, lam):
    """Effective dimension for lam_i proportional to 1 / i with trace 1 (Assumption 2, z0 = 1), and the bound
    1 / lam.
    """
    trace = sum(1 / i for i in range(1, n + 1))
    return effective_dimension([1 / (i * trace) for i in range(1, n + 1)], lam), 1 / lam


@paper.row("table1.weighted.finite", section="Table 1")
def table1_weighted_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / sqrt(n) and min(b, n) eigenvalues 1, b <= 20, n <= 300, leverage weighted sampling
    asks for at most 5 b log(16 b / delta) features: a constant.
    """
    lam = 1 / sqrt(n)
    d, bound = effective_dimension([1.0] * min(rank, n), lam), rank
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table1.weighted.exponential", section="Table 1")
def table1_weighted_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = r^i, i <= n <= 300, leverage weighted sampling asks for at most 5 b
    log(16 b / delta) features, b = max(1, log(1 + 1 / lam) / log(1 / r)): O(log n log log n).
    """
    lam = 1 / sqrt(n)
    d, bound = geometric(n, r, lam)
    b = maximum(bound, 1)
    return at_most(enough_features(d, d, delta), enough_features(b, b, delta))


@paper.remark("text.after20.m", section="Section 4, after Theorem 20")
def logarithmic_numbers_of_features(digits: integers(2, 60), C: between(1, 10)):
    """At lam = lam* = 1 / sqrt(n), m = C log n log log n features, C <= 10, suffice for the excess risk of
    Theorem 20, whatever the decay: for lam_i = i^-2 and n = 10^digits from 10^2 to 10^60 the lam_{3m} / 4
    that any m features leave for some f_H is at most 100 / sqrt(n), for 8 lam + O(1 / sqrt(n)).

    The sentence names no decay; the pool of sqrt(n) log n features before it is that of polynomial and
    harmonic decay. m features of any kind are too few: for random signs eps let f = sum_{m < i <= 3 m} eps_i
    (lam_i / (2 m))^(1/2) e_i, which has norm 1 and E f^2 <= lam_m. An m-dimensional space that does not know eps
    is at a mean squared distance of at least lam_{3m} / 2 from it, so that for some f the squared distance exceeds
    lam_{3m} / 4 with probability at least lam_{3m} / (4 lam_m) = 1/36, for every law of the features.
    """
    n = 10.0**digits
    m = C * log(n) * log(log(n))
    return at_most(1 / (4 * (3 * m + 3) ** 2), 100 / sqrt(n))


@paper.row("table1.weighted.polynomial", section="Table 1", repairs="table1.weighted.polynomial.text")
def table1_weighted_polynomial(n: Points, t: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^(-2 t), t = 1, .., 4, i <= n <= 300, leverage weighted sampling
    asks for at most 5 b log(16 b / delta) features, b = (pi / 2) lam^(-1 / (2 t)): O(n^(1 / 4 t) log n).

    Fewer than the n^(1 / 2 t) log n of the row.
    """
    lam = 1 / sqrt(n)
    d, bound = polynomial(n, t, lam)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table1.weighted.polynomial.text", section="Table 1 against Section 3.1.1")
def exponents_of_table_and_text(t: Order):
    """The exponent 1 / (2 t) of n in the row, for lam_i proportional to i^(-2 t), t = 1, .., 4, and lam = 1 /
    sqrt(n), is the 1 / (4 t) of the text, lam^(-1 / (2 t)).
    """
    return equal(1 / (2 * t), 1 / (4 * t))


@paper.row("table1.weighted.harmonic", section="Table 1")
def table1_weighted_harmonic(n: Points, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i proportional to 1 / i with trace 1, i <= n <= 300, leverage weighted
    sampling asks for at most 5 b log(16 b / delta) features, b = 1 / lam: O(sqrt(n) log n).
    """
    lam = 1 / sqrt(n)
    d, bound = harmonic(n, lam)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table1.plain.finite", section="Table 1")
def table1_plain_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / sqrt(n) and min(b, n) eigenvalues 1, b <= 20, n <= 300, plain sampling asks, up to
    the factor z0^2, for at most 5 sqrt(n) log(16 b / delta) features: O(sqrt(n)).
    """
    lam = 1 / sqrt(n)
    d, bound = effective_dimension([1.0] * min(rank, n), lam), rank
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table1.plain.exponential", section="Table 1")
def table1_plain_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = r^i, i <= n <= 300, plain sampling asks, up to the factor z0^2,
    for at most 5 sqrt(n) log(16 b / delta) features, b = log(1 + 1 / lam) / log(1 / r): O(sqrt(n) log log n).
    """
    lam = 1 / sqrt(n)
    d, bound = geometric(n, r, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table1.plain.polynomial", section="Table 1")
def table1_plain_polynomial(n: Points, t: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^(-2 t), t = 1, .., 4, i <= n <= 300, plain sampling asks, up
    to the factor z0^2, for at most 5 sqrt(n) log(16 b / delta) features, b = (pi / 2) lam^(-1 / (2 t)):
    O(sqrt(n) log n).
    """
    lam = 1 / sqrt(n)
    d, bound = polynomial(n, t, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table1.plain.harmonic", section="Table 1")
def table1_plain_harmonic(n: Points, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i proportional to 1 / i with trace 1, i <= n <= 300, plain sampling
    asks, up to the factor z0^2, for at most 5 sqrt(n) log(16 b / delta) features, b = 1 / lam: O(sqrt(n)
    log n).
    """
    lam = 1 / sqrt(n)
    d, bound = harmonic(n, lam)
    return at_most(enough_features(1 / lam, d, delta), enough_features(1 / lam, bound, delta))


@paper.row("table1.rate", section="Table 1, column of rates")
def table1_rate(L: Positive, z0: Positive, delta: Unit):
    """4 lam and (19), twice and with the constant of theorem9.eq19.repaired, are O(1 / sqrt(n)) at lam = 1 /
    sqrt(n), as a rate over n = 100, 10^4, 10^6.
    """
    fixed = 4 + 2 * 4 * sqrt(2) * L * z0 + 2 * sqrt(8 * log(2 / delta))
    return rate({n: fixed / sqrt(n) for n in (10**2, 10**4, 10**6)}, at_most=-1 / 2)
