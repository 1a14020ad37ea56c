"""Tables 1 and 2: the features that Corollaries 3.3, 3.4, 3.7 and 3.8 ask for at an excess risk O(eps),
with the text on them.

A row "s in Omega(rate)" is read as: the number asked for is at most an explicit multiple of the rate,
with delta inside the logarithm. Squared loss: lam = eps; Lipschitz loss: lam = eps^2. The activation
has max |sigma_tilde| = 1.
"""

from boundcheck import Positive, Unit, at_most, between, equal, exp, integers, log, marked, maximum, pi, sqrt

from . import paper
from .effective_dimension import effective_dimension
from .ridge_error import enough_features

Points = integers(2, 300)
Rank = integers(1, 20)
Order = integers(1, 5)
Error = between(0, 0.3)


def finite(n, rank):
    """`rank` eigenvalues 1 / rank."""
    return [1 / rank] * min(rank, n)


def geometric(n, A):
    """A^m."""
    return [A**m for m in range(1, n + 1)]


def polynomial(n, t):
    """m^-t; at t = 1 divided by the sum over m <= n, as the trace of K / n is at
    most max |sigma_tilde|^2 = 1.
    """
    total = sum(1 / m for m in range(1, n + 1)) if t == 1 else 1
    return [1 / (m**t * total) for m in range(1, n + 1)]


def geometric_bound(A, lam):
    """A multiple of log(1 + 1 / lam)."""
    return log(1 + 1 / lam) / log(1 / A)


def polynomial_bound(t, lam):
    """pi / 2 times lam^(-1/t); at t = 1 the bound Tr (K / n) / lam is enough."""
    return pi / 2 * exp(log(1 / lam) / t)


@paper.row("table1.row1", section="Table 1")
def squared_weighted_finite(n: Points, rank: Rank, eps: Error, delta: Unit):
    """Squared loss, weighted features, r <= 20 equal eigenvalues, lam = eps, eps <= .3: a constant number,
    that of d = r.
    """
    d = effective_dimension(finite(n, rank), eps)
    return at_most(enough_features(d, d, delta), enough_features(rank, rank, delta))


@paper.row("table1.row2", section="Table 1")
def squared_weighted_exponential(n: Points, A: Unit, eps: Error, delta: Unit):
    """Squared loss, weighted features, up to 300 eigenvalues A^m, lam = eps, eps <= .3: at most 5 b log(16 b /
    delta), b = max(1, log(1 + 1/lam) / log(1/A)): O(log(1/eps) log log(1/eps)).
    """
    d, bound = effective_dimension(geometric(n, A), eps), geometric_bound(A, eps)
    b = maximum(bound, 1)
    return at_most(enough_features(d, d, delta), enough_features(b, b, delta))


@paper.row("table1.row3", section="Table 1")
def squared_weighted_polynomial(n: Points, t: Order, eps: Error, delta: Unit):
    """Squared loss, weighted features, up to 300 eigenvalues, m^-t with t = 2, ..., 5, or 1 / m over its sum, t =
    1; lam = eps <= .3: O((1/eps)^(1/t) log(1/eps)).

    At t = 1 by the bound on the trace, not by the text after Corollary 3.3.
    """
    d, bound = effective_dimension(polynomial(n, t), eps), polynomial_bound(t, eps)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table1.row4", section="Table 1")
def squared_plain_finite(n: Points, rank: Rank, eps: Error, delta: Unit):
    """Squared loss, plain features, r <= 20 equal eigenvalues, lam = eps, eps <= .3: O(1/eps)."""
    d = effective_dimension(finite(n, rank), eps)
    return at_most(enough_features(1 / eps, d, delta), enough_features(1 / eps, rank, delta))


@paper.row("table1.row5", section="Table 1")
def squared_plain_exponential(n: Points, A: Unit, eps: Error, delta: Unit):
    """Squared loss, plain features, up to 300 eigenvalues A^m, lam = eps, eps <= .3: O((1/eps) log
    log(1/eps)).
    """
    d, bound = effective_dimension(geometric(n, A), eps), geometric_bound(A, eps)
    return at_most(enough_features(1 / eps, d, delta), enough_features(1 / eps, bound, delta))


@paper.row("table1.row6", section="Table 1")
def squared_plain_polynomial(n: Points, t: Order, eps: Error, delta: Unit):
    """Squared loss, plain features, up to 300 eigenvalues, m^-t with t = 2, ..., 5, or 1 / m over its sum, t = 1;
    lam = eps <= .3: O((1/eps) log(1/eps)).
    """
    d, bound = effective_dimension(polynomial(n, t), eps), polynomial_bound(t, eps)
    return at_most(enough_features(1 / eps, d, delta), enough_features(1 / eps, bound, delta))


@paper.row("table2.row1", section="Table 2")
def lipschitz_weighted_finite(n: Points, rank: Rank, eps: Error, delta: Unit):
    """Lipschitz loss, weighted features, r <= 20 equal eigenvalues, lam = eps^2, eps <= .3: a constant
    number, that of d = r.
    """
    d = effective_dimension(finite(n, rank), eps**2)
    return at_most(enough_features(d, d, delta), enough_features(rank, rank, delta))


@paper.row("table2.row2", section="Table 2")
def lipschitz_weighted_exponential(n: Points, A: Unit, eps: Error, delta: Unit):
    """Lipschitz loss, weighted features, up to 300 eigenvalues A^m, lam = eps^2, eps <= .3: at most 5 b log(16 b
    / delta), b = max(1, log(1 + 1/lam) / log(1/A)): O(log(1/eps) log log(1/eps)).
    """
    d, bound = effective_dimension(geometric(n, A), eps**2), geometric_bound(A, eps**2)
    b = maximum(bound, 1)
    return at_most(enough_features(d, d, delta), enough_features(b, b, delta))


@paper.row("table2.row3", section="Table 2")
def lipschitz_weighted_polynomial(n: Points, t: Order, eps: Error, delta: Unit):
    """Lipschitz loss, weighted features, up to 300 eigenvalues, m^-t with t = 2, ..., 5, or 1 / m over its sum,
    t = 1; lam = eps^2, eps <= .3: O((1/eps^2)^(1/t) log(1/eps)).
    """
    d, bound = effective_dimension(polynomial(n, t), eps**2), polynomial_bound(t, eps**2)
    return at_most(enough_features(d, d, delta), enough_features(bound, bound, delta))


@paper.row("table2.row4", section="Table 2")
def lipschitz_plain_finite(n: Points, rank: Rank, eps: Error, delta: Unit):
    """Lipschitz loss, plain features, r <= 20 equal eigenvalues, lam = eps^2, eps <= .3: O(1/eps^2)."""
    d = effective_dimension(finite(n, rank), eps**2)
    return at_most(enough_features(1 / eps**2, d, delta), enough_features(1 / eps**2, rank, delta))


@paper.row("table2.row5", section="Table 2")
def lipschitz_plain_exponential(n: Points, A: Unit, eps: Error, delta: Unit):
    """Lipschitz loss, plain features, up to 300 eigenvalues A^m, lam = eps^2, eps <= .3: O((1/eps^2) log
    log(1/eps)).
    """
    d, bound = effective_dimension(geometric(n, A), eps**2), geometric_bound(A, eps**2)
    return at_most(enough_features(1 / eps**2, d, delta), enough_features(1 / eps**2, bound, delta))


@paper.row("table2.row6", section="Table 2")
def lipschitz_plain_polynomial(n: Points, t: Order, eps: Error, delta: Unit):
    """Lipschitz loss, plain features, up to 300 eigenvalues, m^-t with t = 2, ..., 5, or 1 / m over its sum, t = 1;
    lam = eps^2, eps <= .3: O((1/eps^2) log(1/eps)).
    """
    d, bound = effective_dimension(polynomial(n, t), eps**2), polynomial_bound(t, eps**2)
    return at_most(enough_features(1 / eps**2, d, delta), enough_features(1 / eps**2, bound, delta))


@paper.remark("sec3.1.harmonic", section="after Corollary 3.3")
def harmonic_spectrum(n: Points, eps: Error, delta: Unit):
    """With up to 300 lambda_i proportional to 1 / i and eps <= .3, d is at most (1/eps) (1 + log n) and
    weighted sampling needs O((1/eps) log(1/eps)).

    The kernel of a bounded activation has Tr K / n <= 1, so that the spectrum is 1 / i over its sum.
    """
    d = effective_dimension(polynomial(n, 1), eps)
    return at_most(d, 1 / eps * (1 + log(n))), at_most(
        enough_features(d, d, delta), enough_features(1 / eps, 1 / eps, delta)
    )


@paper.remark("sec3.1.harmonic.inference.explicit", section="after Corollary 3.3")
def harmonic_inference(log_inverse_eps: Positive, delta: Unit):
    """From d = O((1/eps) log n) and n = eps^-3 log(1/eps) follows
    s = 5 d log(16 d / delta) = O((1/eps) log(1/eps)).

    A reading of O with the constant 1000, and d = (1/eps) log n: the quotient is about 15 log(1/eps),
    unbounded. eps = exp(-x).
    """
    x = 1 + log_inverse_eps
    log_n = 3 * x + log(x)
    return at_most(5 * log_n * (x + log(16 * log_n / delta)), marked(1000.0, "C") * log(16 / delta) * x)


@paper.remark(
    "sec3.1.harmonic.inference.repaired",
    section="after Corollary 3.3",
    repairs="sec3.1.harmonic.inference.explicit",
)
def harmonic_inference_repaired(log_inverse_eps: Positive, delta: Unit):
    """From d = (1/eps) log n and n = eps^-3 log(1/eps) follows s = O((1/eps) (log 1/eps)^2), a logarithm more;
    for eps < 1 / e.

    Proof. log log n <= log n and log x <= x. The printed order is true all the same, by
    d <= Tr K / (n lam) (sec3.1.harmonic).
    """
    x = 1 + log_inverse_eps
    log_n = 3 * x + log(x)
    return at_most(5 * log_n * (x + log(16 * log_n / delta)), 20 * x * (5 * x + log(16 / delta)))


@paper.remark("theorem3.2.orders", section="after Theorem 3.2")
def orders_of_n_and_N(eps: between(0, 0.5)):
    """The sample size falls from eps^-4 log(1/eps) to eps^-3 log(1/eps), by one order, when eps^1/2 is put
    for eps in h.

    From 1 / (h sqrt n) <= eps at 1/h = (1/eps) (log(1/eps))^1/2 and at ((1/eps) log(1/eps))^1/2. So for N;
    see D1.final.
    """
    old, new = sqrt(log(1 / eps)) / eps, sqrt(log(1 / eps) / eps)
    n = (new / eps) ** 2
    return equal(n, log(1 / eps) / eps**3), equal((old / eps) ** 2, n / eps)


@paper.step("D1.final", section="Appendix D.1, end", step_of="theorem3.2.explicit")
def substitution(eps: Unit):
    """Putting eps^1/2 for eps turns 2 eps^2 into 2 eps, and h and N of Lemma 2.1 into those of Theorem 3.2,
    up to constants.
    """
    root = sqrt(eps)
    h_inverse, N = sqrt(log(1 / root)) / root, sqrt(log(1 / root)) ** 3 / root**2
    return (
        equal(2 * root**2, 2 * eps),
        equal(h_inverse, sqrt(log(1 / eps) / eps) / sqrt(2)),
        equal(N, sqrt(log(1 / eps)) ** 3 / eps / sqrt(8)),
    )


@paper.remark("abstract.sharpest.explicit", section="Abstract and Section 3.3")
def order_decreases(t: Order, eps: between(0, 0.3)):
    """For every t >= 1 the order (1/eps^2)^(1/t) log(1/eps) of weighted features is below the former 1/eps^2;
    Lipschitz loss, eps <= .3.

    Section 3.3 says that the order decreases in all cases but Lipschitz losses with plain features. A reading:
    orders with the constant 1, logarithms kept. At t = 1 the powers are equal, so that the logarithm decides.
    Squared loss: (1/eps)^(1/t) log(1/eps) is below 1/eps^2.
    """
    L = log(1 / eps)
    return at_most(exp(L / t) * L, exp(2 * L)), at_most(exp(2 * L / t) * L, exp(2 * L))


@paper.remark(
    "abstract.sharpest.repaired", section="Abstract and Section 3.3", repairs="abstract.sharpest.explicit"
)
def order_decreases_repaired(excess: integers(1, 4), eps: between(0, 0.3)):
    """The order for the Lipschitz loss, (1/eps^2)^(1/t) log(1/eps), is at most the former 1/eps^2 for t = 2,
    ..., 5 and eps <= .3.

    So it decreases for t >= 2, for t > 1 once eps is small enough, and at t = 1 it does not. Proof.
    (1/eps)^(2/t) log(1/eps) <= (1/eps)^(1 + 2/t) / e.
    """
    t, L = 1 + excess, log(1 / eps)
    return at_most(exp(2 * L / t) * L, exp(2 * L))
