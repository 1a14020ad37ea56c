"""Sections 1.1 and 6: the cost of training, and what the settings and the bound (31) say without any data."""

import numpy as np

from boundcheck import (
    PSD,
    Count,
    E,
    Matrix,
    P,
    Points,
    Positive,
    Simplex,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    cos,
    equal,
    exp,
    integers,
    log,
    pi,
    quantity,
    solve,
    sqrt,
)
from boundcheck.words.functions import identity

from . import paper
from .finite_laws import RandomDesign
from .theorem1 import least_ridge


@paper.experiment("s6.1.features", section="Section 6.1")
def features_as_printed(w: Matrix("m", "d"), p: Simplex("m"), x: Vector("d"), x_test: Vector("d")):
    """The features cos(w^T x + u), without sqrt(2), are unbiased for kappa(x, x') = E_w cos(w^T (x - x')),
    kappa(x, x) = 1.

    Decided for spectral laws with finitely many frequencies, and u on 0, 2 pi / 3, 4 pi / 3 as in assump1.rff.
    """
    freq = quantity(lambda rng, size: rng.choice(w, size, p=p))
    u = quantity(lambda rng, size: rng.integers(3, size=size)) * (2 * pi / 3)
    return equal(E(np.cos(freq @ x + u) * np.cos(freq @ x_test + u)), (p * cos(w @ (x - x_test))).sum())


@paper.experiment("s6.1.features.repaired", section="Section 6.1", repairs="s6.1.features")
def features_as_printed_halve_the_kernel(
    w: Matrix("m", "d"), p: Simplex("m"), x: Vector("d"), x_test: Vector("d")
):
    """The features cos(w^T x + u) are unbiased for kappa / 2, for spectral laws with finitely many
    frequencies.

    Proof: 2 cos a cos b = cos(a - b) + cos(a + b), mean over u, on 0, 2 pi / 3, 4 pi / 3 as in assump1.rff.
    """
    freq = quantity(lambda rng, size: rng.choice(w, size, p=p))
    u = quantity(lambda rng, size: rng.integers(3, size=size)) * (2 * pi / 3)
    return equal(E(np.cos(freq @ x + u) * np.cos(freq @ x_test + u)), (p * cos(w @ (x - x_test))).sum() / 2)


@paper.experiment("s6.1.shape", section="Section 6.1")
def product_of_frequencies_and_input(d: Count, s: Count):
    """The product A x of the d x s matrix A and an input x of d entries exists, as A has as many columns as x
    entries, and has the s entries of b.
    """
    return equal(s, d)


@paper.experiment("s6.2.proportional", section="Section 6.2")
def gap_over_energy(lam: Positive, more: Positive):
    """The mean squared gap is proportional to ||K^(1/2) (K + n lam I)^-1 y||^2 as lam varies, with one factor
    for all ridges.

    One training point, which is the test point, y = 1, one feature with psi^2 = 2 or 0, equally likely, so K = 1.
    """
    def factor(ridge):
        gaps = [(square / (square + ridge) - 1 / (1 + ridge)) ** 2 for square in (0, 2)]
        return (gaps[0] + gaps[1]) / 2 * (1 + ridge) ** 2

    return equal(factor(lam), factor(lam + more))


@paper.experiment("s6.2.proportional.repaired", section="Section 6.2", repairs="s6.2.proportional")
def gap_under_energy(lam: Positive):
    """With one training point, which is the test point, and one feature with psi^2 = 0 or 2, equally likely, the
    mean squared gap is 1/2 to 1 times ||K^(1/2) (K + n lam I)^-1 y||^2, for every ridge.

    Proof. It is (1 + (lam / (2 + lam))^2) / 2.
    """
    gaps = [(square / (square + lam) - 1 / (1 + lam)) ** 2 for square in (0, 2)]
    factor = (gaps[0] + gaps[1]) / 2 * (1 + lam) ** 2
    return at_most(1 / 2, factor), at_most(factor, 1)


@paper.experiment("s6.1.sigma", section="Section 6.1")
def kernels_of_the_experiments(X: Points("n", "d")):
    """With the bandwidths of Section 6.1 the kernel values are on average at least exp(-1/2) (RBF)
    and exp(-1) (Laplace), for points that are not all the same.

    So K has an eigenvalue of order n. Proof: Jensen's inequality. That Gaussian and Cauchy frequencies have these
    kernels as characteristic functions is classical.
    """
    gaps = X[:, None, :] - X[None, :, :]
    squares, lengths = (gaps**2).sum(axis=2), abs(gaps).sum(axis=2)
    assume(lengths.sum() > 0)
    rbf, laplace = exp(-squares / (2 * squares.mean())), exp(-lengths / lengths.mean())
    return at_most(exp(-0.5), rbf.mean()), at_most(exp(-1.0), laplace.mean())


@paper.experiment("s6.2.lambda_setting.repaired", section="Section 6.2", repairs="s6.2.lambda_setting")
def ridges_that_theorem_1_covers(s: integers(50, 1000), delta: between(0.125, 1), n: integers(200, 10000)):
    """For b = 2, s from 50 to 1000, n from 200 to 10,000 and delta >= 1/8 the ridge 12 / sqrt(n) is large
    enough for Theorem 1, as 2 b sqrt(log 8000) < 12.
    """
    return at_most(least_ridge(2, n, log(s / delta)), 12 / sqrt(n))


@paper.experiment("s6.2.lambda_setting", section="Section 6.2")
def ridges_of_the_experiments(s: integers(50, 1000), delta: Unit, n: integers(200, 10000)):
    """For b = 2, s from 50 to 1000 and n from 200 to 10,000 the largest ridge of the experiments, 5 /
    sqrt(n), is as large as Theorem 1 wants it.
    """
    return at_most(least_ridge(2, n, log(s / delta)), 5 / sqrt(n))


@paper.experiment("s6.2.monotone", section="Section 6.2")
def energy_falls_with_the_ridge(K: PSD("n"), y: Vector("n"), lam: Positive, more: Positive):
    """||K^(1/2) (K + n lam I)^-1 y||^2 does not increase as lam increases."""
    n = len(y)
    smaller, larger = (solve(K + n * ridge * identity(n), y) for ridge in (lam, lam + more))
    return at_most(larger @ K @ larger, smaller @ K @ smaller)


@paper.experiment("eq31", section="Section 6.3")
def bound_without_constant(case: RandomDesign, delta: between(0, 0.5)):
    """For delta < 1/2, the ridge of Theorem 1, one or two features and fixed targets, the mean squared gap is at most
    Q / s, without 4 b, with probability at least 1 - delta.

    Q = ||K^(1/2) (K + n lam I)^-1 y||^2. Equation (31) calls Q / s "Bound"; by footnote 2 the 4 b is likely an
    artifact. b at least cannot go: with psi -> c psi and lam -> c^2 lam the predictions stay and the bound is divided
    by c^2.
    """
    s, n, b = case.s, case.n, case.b
    lam = at_least(least_ridge(b, n, log(s / delta)))
    return P(case.gap(lam) <= case.energy(lam) / s) >= 1 - delta


@paper.experiment("table2", section="Section 6.1 and Table 2")
def table_of_the_data_sets():
    """The table of the data sets that the text calls Table 5 is a table of the paper, which has two."""
    return at_most(5, 2)


@paper.experiment("s6.2.text", section="Sections 6.2 and 6.3")
def columns_and_captions():
    """The text below Figure 1 compares the left column with the middle and the right one, and Figure 4 has
    the kernel of its text, the second of two.

    Columns are numbered from the left, kernels are 1, Gaussian, and 2, Laplace: printed are 2 and 1, and the
    caption 1.
    """
    return equal(1, 3), equal(1, 2)


@paper.experiment("s1.1.cost.explicit", section="Section 1.1")
def cost_of_training(n: integers(1, 10**6), s: integers(1, 10**4), d: integers(1, 10**4)):
    """Training with s random features takes at most 100 n s^2 operations for s <= n, with a constant of ours.

    The features are formed in 2 n s d operations, Psi^T Psi and the solution in 2 n s^2 + s^3. Whether
    training includes the first the paper does not say.
    """
    assume(s <= n)
    return at_most(2 * n * s * d + 2 * n * s**2 + s**3, 100 * n * s**2)


@paper.experiment("s1.1.cost.repaired", section="Section 1.1", repairs="s1.1.cost.explicit")
def cost_of_training_with_features(n: integers(1, 10**6), s: integers(1, 10**4), d: integers(1, 10**4)):
    """Training with s <= n random features takes O(n s d + n s^2): at most 3 n s (d + s) operations, counted as in
    s1.1.cost.explicit. Proof: s^3 <= n s^2.
    """
    assume(s <= n)
    return at_most(2 * n * s * d + 2 * n * s**2 + s**3, 3 * n * s * (d + s))
