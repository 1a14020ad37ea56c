"""Table 2: the number of features that Theorem 12 asks for at the ridge of each row, read as in Table 1."""

from boundcheck import Unit, at_most, exp, log, pi, rate, sin, sqrt
from theory.li2021 import paper
from theory.li2021.effective_dimension import effective_dimension
from theory.li2021.table1 import Order, Points, Rank, features, geometric


def fast(n, t, lam):
    """Effective dimension for lam_i = i^-t, t = order + 1 > 1, and a bound of the order lam^(-1 / t)."""
    angle = pi / (t + 1)
    spectrum = [1 / i ** (t + 1) for i in range(1, n + 1)]
    return effective_dimension(spectrum, lam), exp(log(1 / lam) / (t + 1)) * angle / sin(angle)


@paper.row("table2.weighted.finite", section="Table 2")
def table2_weighted_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n and finite rank, leverage weighted sampling asks for a constant number of features."""
    d = effective_dimension([1.0] * min(rank, n), 1 / n)
    return at_most(features(d, d, delta), features(rank, rank, delta))


@paper.row("table2.weighted.exponential", section="Table 2")
def table2_weighted_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = log(n) / n and exponential decay, leverage weighted sampling asks for O(log n log log n) features."""
    d, bound = geometric(n, r, log(n) / n)
    return at_most(features(d, d, delta), features(bound, bound, delta))


@paper.row("table2.weighted.polynomial", section="Table 2")
def table2_weighted_polynomial(n: Points, t: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^-(t + 1), leverage weighted sampling asks for O(n^(1 / 2 (t + 1)) log n) features."""
    d, bound = fast(n, t, 1 / sqrt(n))
    return at_most(features(d, d, delta), features(bound, bound, delta))


@paper.row("table2.plain.finite", section="Table 2")
def table2_plain_finite(n: Points, rank: Rank, delta: Unit):
    """With lam = 1 / n and finite rank, plain sampling asks for O(n) features."""
    d = effective_dimension([1.0] * min(rank, n), 1 / n)
    return at_most(features(n, d, delta), features(n, rank, delta))


@paper.row("table2.plain.exponential", section="Table 2")
def table2_plain_exponential(n: Points, r: Unit, delta: Unit):
    """With lam = log(n) / n and exponential decay, plain sampling asks for O(n) features: log(d_K) / log(n) is bounded."""
    lam = log(n) / n
    d, bound = geometric(n, r, lam)
    return at_most(features(1 / lam, d, delta), features(n, bound, delta) / log(n))


@paper.row("table2.plain.polynomial", section="Table 2")
def table2_plain_polynomial(n: Points, t: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^-(t + 1), plain sampling asks for O(sqrt(n) log n) features."""
    lam = 1 / sqrt(n)
    d, bound = fast(n, t, lam)
    return at_most(features(1 / lam, d, delta), features(1 / lam, bound, delta))


@paper.row("table4.this.poly.explicit", section="Table 4")
def table4_plain_polynomial(t: Order, delta: Unit):
    """With lam = 1 / sqrt(n) and lam_i = i^-(t + 1), plain sampling asks for O(n^(1 / 2 (t + 1)) log n) features.

    What Corollary 11 asks for with d_K = 1, divided by log n, read as a rate over these sizes; the plain rows of Table 2 have
    sqrt(n) log n for the same spectrum and rate.
    """
    sizes = (10**3, 10**4, 10**5, 10**6)
    return rate({n: features(sqrt(n), 1, delta) / log(n) for n in sizes}, at_most=1 / (2 * (t + 1)))


@paper.row("table4.this.poly.repaired", section="Table 4", repairs="table4.this.poly.explicit")
def table4_plain_polynomial_repaired(t: Order, delta: Unit):
    """It asks for O(sqrt(n) log n) features, as Table 2 says. Proof: z0^2 / lam = sqrt(n), and d_K <= n inside the logarithm."""
    sizes = (10**3, 10**4, 10**5, 10**6)
    return rate({n: features(sqrt(n), 1, delta) / log(n) for n in sizes}, at_most=1 / 2)
