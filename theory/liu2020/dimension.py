"""Section 4.1: the size of D_K and d_K under decay of the spectrum, and Table 1."""

from boundcheck import (
    Count,
    NonNegative,
    Positive,
    Unit,
    assume,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    maximum,
    pi,
    sqrt,
    trace,
)

from . import paper
from .leverage import features_of_li
from .surrogate_leverage import FourierFeatures
from .theorem1 import enough_features

Sample = integers(2, 300)
Order = integers(1, 4)
Energy = NonNegative
"""y^T K y / n^2, which lies between 0 and y0^2."""


def dimension(spectrum, lam):
    """sum lambda_i / (lambda_i + lam) for the eigenvalues of K / n."""
    return sum((x / (x + lam) for x in spectrum), 0 * lam)


def exponential(n, c, lam):
    """d_K for lambda_i / n = exp(-c i), and a bound of the order log(1 / lam)."""
    return dimension([exp(-c * i) for i in range(1, n + 1)], lam), log(1 + 1 / lam) / c


def polynomial(n, t, lam):
    """d_K for lambda_i / n = i^(-2 t), and a bound of the order lam^(-1 / 2 t)."""
    return dimension([1 / i ** (2 * t) for i in range(1, n + 1)], lam), pi / 2 * exp(log(1 / lam) / (2 * t))


def slowest(n, lam):
    """d_K for lambda_i proportional to n / i with Tr K = n, as k(0) = 1; the bound 1 / lam."""
    harmonic = sum(1 / i for i in range(1, n + 1))
    return dimension([1 / (i * harmonic) for i in range(1, n + 1)], lam), 1 / lam


@paper.step("s4.1.D_bound", section="Section 4.1")
def bound_on_D(case: FourierFeatures, y0: Positive):
    """D_K <= 2 Tr K / (n lam), for |y| <= y0."""
    assume(case.y <= y0)
    assume(-case.y <= y0)
    return at_most(case.D, 2 / (case.n * case.lam) * trace(case.K))


@paper.step("s4.1.D_bound.repaired", section="Section 4.1", repairs="s4.1.D_bound")
def bound_on_D_repaired(case: FourierFeatures, y0: Positive):
    """D_K <= (1 + y0^2) Tr K / (n lam), for |y| <= y0. Proof: y^T K y <= ||y||^2 Tr K <= n y0^2 Tr K;
    equality at equal points and labels.
    """
    assume(case.y <= y0)
    assume(-case.y <= y0)
    return at_most(case.D, (1 + y0**2) / (case.n * case.lam) * trace(case.K))


@paper.remark("s4.1.D_order.literal", section="Section 4.1")
def order_of_D_for_any_smaller_ridge(n: Count, share: Unit, energy: Energy, y0: Positive):
    """D_K is O(sqrt(n)) for every lam in O(n^-1/2), an upper bound by the letter: at most
    100 (1 + y0^2) sqrt(n).

    A reading, with a constant of ours: lam = share / sqrt(n) may be as small as one likes.
    """
    assume(energy <= y0**2)
    return at_most((1 + energy) * sqrt(n) / share, 100 * (1 + y0**2) * sqrt(n))


@paper.remark("s4.1.D_order", section="Section 4.1", repairs="s4.1.D_order.literal")
def order_of_D(n: Count, energy: Energy, y0: Positive):
    """For a kernel with k(0) = 1, D_K is O(sqrt(n)) at lam = 1 / sqrt(n): at most (1 + y0^2) sqrt(n).

    lam = O(n^-1/2) is read as lam of that very order: by s4.1.improvable.D, D_K >= 1 / lam. Tr K = n.
    """
    assume(energy <= y0**2)
    lam = 1 / sqrt(n)
    return at_most((1 + energy) / lam, (1 + y0**2) * sqrt(n))


@paper.remark("thm1.minimax.explicit", section="Section 4.1, after Theorem 1")
def rate_under_exponential_decay(n: integers(2, 10**9)):
    """With lam = 1 / sqrt(n) the bound 2 lam is within a constant, here 100, of the minimax rate log n / n of
    exponential decay.

    A reading: "minimax" names no class. Over the unit ball alone the rate is n^(-1/2), and the sentence is
    right.
    """
    return at_most(2 / sqrt(n), 100 * log(n) / n)


@paper.remark("s4.1.improvable.explicit", section="Section 4.1")
def relaxing_D_is_the_loss(n: Sample, energy: Energy):
    """For fast decay D_K is of a smaller order than the O(sqrt(n)) it is relaxed to: at most sqrt(n) / 2 for
    a kernel of rank one.

    A reading of "we directly relax D_K to O(sqrt(n))" and "this bound can be further improved", with a
    constant of ours. K is the matrix of ones, lam = 1 / sqrt(n), and energy = y^T K y / n^2, so that D_K =
    (energy + 1) sqrt(n).
    """
    return at_most((1 + energy) * sqrt(n), sqrt(n) / 2)


@paper.remark("s4.1.improvable.D", section="Section 4.1", repairs="s4.1.improvable.explicit")
def relaxing_D_is_not_the_loss(case: FourierFeatures):
    """D_K lies between 1 / lam and (1 + max y^2) / lam for every kernel with k(0) = 1: relaxing it to
    O(sqrt(n)) at lam = 1 / sqrt(n) loses a constant.

    Proof. n^2 lam D_K = y^T K y + n Tr K with Tr K = n, and 0 <= y^T K y <= n ||y||^2. 1 / lam = z0^2 / lam
    is what plain features need in Li et al. (2021): by D_K the surrogate never needs fewer. A bound with sup
    l / q in place of D_K could: s4.1.improvable.sup.
    """
    return at_most(1 / case.lam, case.D), at_most(case.D, (1 + (case.y**2).max()) / case.lam)


@paper.remark("s4.1.improvable.sup", section="Section 4.1")
def surrogate_against_plain_sampling(case: FourierFeatures):
    """sup l / q <= (1 + max y^2) sup l / p: at most that factor worse than plain features, with the L of
    Lemma 1 in place of its D_K.
    """
    assume(case.p > 0)
    worst = (1 + (case.y**2).max()) * (case.leverage / case.p).max()
    return at_most((case.leverage / case.q).max(), worst)


@paper.remark("s4.1.d_exp", section="Section 4.1")
def dimension_under_exponential_decay(n: Sample, c: Positive):
    """With lambda_i = n exp(-c i), i <= n <= 300, and lam = 1 / sqrt(n), d_K is O(log n): at most log(1 +
    sqrt(n)) / c.
    """
    d, bound = exponential(n, c, 1 / sqrt(n))
    return at_most(d, bound)


@paper.remark("s4.1.d_poly", section="Section 4.1")
def dimension_under_polynomial_decay(n: Sample, t: Order):
    """With lambda_i = n i^(-2 t), t = 1, ..., 4, i <= n <= 300, and lam = 1 / sqrt(n), d_K is O(n^(1 / 4 t)):
    at most pi / 2 times that.
    """
    d, bound = polynomial(n, t, 1 / sqrt(n))
    return at_most(d, bound)


@paper.remark("s4.1.d_slow", section="Section 4.1")
def dimension_under_slowest_decay(n: Sample):
    """With lambda_i proportional to n / i, i <= n <= 300, and lam = 1 / sqrt(n), d_K is O(sqrt(n)): at most
    sqrt(n).

    The factor is 1 / (1 + 1/2 + ... + 1/n), as Tr K = n; with lambda_i = n / i itself d_K would be of the
    order sqrt(n) log n.
    """
    d, bound = slowest(n, 1 / sqrt(n))
    return at_most(d, bound)


def of_li(d, delta):
    """What Li et al. (2019), read as in 2021, ask of leverage weighted features."""
    return features_of_li(d, d, delta)


def of_ours(n, energy, d, delta):
    """What Theorem 1 asks for at lam = 1 / sqrt(n)."""
    return enough_features((1 + energy) * sqrt(n), d, delta)


@paper.row("table1.exp", section="Table 1")
def table1_exponential(n: Sample, c: Positive, energy: Energy, y0: Positive, delta: Unit):
    """At lam = 1 / sqrt(n) and lambda_i = n exp(-c i), n <= 300, Li et al. need O(log^2 n) features, the
    surrogate O(sqrt(n) log log n).

    A bound on d_K below 1 counts as 1: its logarithm would ask for fewer features than none.
    """
    assume(energy <= y0**2)
    d, bound = exponential(n, c, 1 / sqrt(n))
    bound = maximum(bound, 1)
    li = 5 * bound * (log(16 / delta) + bound)
    return at_most(of_li(d, delta), li), at_most(
        of_ours(n, energy, d, delta), of_ours(n, y0**2, bound, delta)
    )


@paper.row("table1.poly", section="Table 1")
def table1_polynomial(n: Sample, t: Order, energy: Energy, y0: Positive, delta: Unit):
    """At lam = 1 / sqrt(n) and lambda_i = n i^(-2 t), t = 1, ..., 4, n <= 300, Li et al. need O(n^(1 / 4 t)
    log n) features, the surrogate O(sqrt(n) log n).
    """
    assume(energy <= y0**2)
    d, bound = polynomial(n, t, 1 / sqrt(n))
    return at_most(of_li(d, delta), of_li(bound, delta)), at_most(
        of_ours(n, energy, d, delta), of_ours(n, y0**2, bound, delta)
    )


@paper.row("table1.slow", section="Table 1")
def table1_slowest(n: Sample, energy: Energy, y0: Positive, delta: Unit):
    """At lam = 1 / sqrt(n) and lambda_i proportional to n / i with Tr K = n <= 300, both need O(sqrt(n) log
    n) features.
    """
    assume(energy <= y0**2)
    d, bound = slowest(n, 1 / sqrt(n))
    return at_most(of_li(d, delta), of_li(bound, delta)), at_most(
        of_ours(n, energy, d, delta), of_ours(n, y0**2, bound, delta)
    )


@paper.experiment("s5.1.settings.explicit", section="Section 5.1")
def features_of_the_experiments(data: integers(0, 3), lam: between(0.05, 1), delta: between(0.01, 0.05)):
    """The most features that Section 5 uses are as many as Theorem 1 asks for, s >= 5 D_K log(16 d_K) /
    delta, for lam from .05 to 1 and delta from .01 to .05.

    A reading, at an ordinary delta; the paper does not say so. 128 d features on EEG, cod-RNA and magic04,
    16 d on covtype; D_K and d_K are replaced by their least values, 1 / lam and 1 / 2
    (s5.1.settings.least).
    """
    used = (1792, 1024, 864, 1280)[int(data)]
    return at_most(enough_features(1 / lam, 1 / 2, delta), used)


@paper.experiment("s5.1.settings.least", section="Section 5.1", repairs="s5.1.settings.explicit")
def features_that_theorem1_asks_for(case: FourierFeatures, delta: Unit):
    """With k(0) = 1 and n lam <= lambda_1, as Theorem 1 has them, it asks for at least 5 log(8) / (lam delta)
    features, and lam is at most 1.

    n lam <= lambda_1 <= n. So the largest ridge of the grid is admitted only if all inputs coincide;
    findings.py sets the number of features against those used.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    asked = enough_features(case.D, case.d_eff, delta)
    return at_most(enough_features(1 / case.lam, 1 / 2, delta), asked), at_most(case.lam, 1)


@paper.row("table2", section="Table 2")
def sizes_of_the_halves():
    """Training and test sets are halves of 14980 (EEG), 581012 (covtype) and 19020 (magic04) examples."""
    return [equal(2 * half, total) for half, total in ((7490, 14980), (290506, 581012), (9510, 19020))]
