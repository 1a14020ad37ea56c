"""Section 3.1: the out-of-sample gap between kernel ridge regression and its random-feature version
(Theorem 1).
"""

from boundcheck import (
    E,
    P,
    Positive,
    Unit,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    loewner,
    log,
    marked,
    maximum,
    rate,
    solve,
    sqrt,
)
from boundcheck.words.functions import identity

from . import Few, paper
from .finite_laws import RandomDesign, RandomFeatures
from .ridge_pair import RidgePair


def least_ridge(b, n, t):
    """The least lam that Theorem 1 admits; t = log(s / delta)."""
    return 2 * b / sqrt(n) * sqrt(t)


def bound_of_gap(b, s, Q, C: float = 4):
    """The bound of Theorem 1; Q = ||K^(1/2) (K + n lam I)^-1 y||^2."""
    return C * b / s * Q


def bound_at_any_point(b, s, lam, Q):
    """The bound at a given test point, for every ridge."""
    return (1 + sqrt(b / lam) / 2) ** 2 * b / s * Q


@paper.theorem("thm1", section="Section 3.1")
def out_of_sample_gap(case: RandomDesign, ell: Positive):
    """With a large enough ridge, for one or two features and fixed targets, the mean squared gap is at most
    4 b / s ||K^(1/2) (K + n lam I)^-1 y||^2 with probability at least 1 - delta.

    delta = exp(-ell) runs through (0, 1) and comes close to both ends; log(s / delta) = log(s) + ell.
    """
    s, n, b, delta = case.s, case.n, case.b, exp(-ell)
    lam = at_least(least_ridge(b, n, log(s) + ell))
    return P(case.gap(lam) <= bound_of_gap(b, s, case.energy(lam), marked(4.0))) >= 1 - delta


@paper.theorem("thm1.repaired", section="Section 3.1", repairs="thm1")
def gap_at_any_test_point(case: RandomFeatures, s: Few, lam: Positive):
    """For all training points, test point, targets, lam > 0 and up to 3 features the squared gap is, in the mean over
    the features, at most (1 + sqrt(b / lam) / 2)^2 b Q / s.

    Q = ||K^(1/2) (K + n lam I)^-1 y||^2; the constant is at most 4 for lam >= b / 4. Stated for all y at
    once: (ftilde - f)^2 = (theta^T alpha)^2 by (24). Proof: Minkowski in L2(V) for the two terms of theta.
    The second is (22). The first is at most ||(Kt + n lam)^-1 Psi||^2 ||psi'||^2 Delta_2 <= b / (4 n lam)
    Delta_2, and (21).
    """
    K, k, n, b, features = case.K, case.k_test, case.n, case.b, case.features(s)
    Kt, kt = features.Kt, features.kt_test
    theta = ((K - Kt) @ solve(Kt + n * lam * identity(n), kt[:, None]))[:, 0] + kt - k
    return loewner(E(theta[:, None] * theta[None, :]), bound_at_any_point(b, s, lam, K))


@paper.theorem("thm1.on_event", section="Section 3.1", repairs="thm1")
def gap_on_event(case: RandomDesign, delta: Unit):
    """With the ridge of Theorem 1, for one or two features, its bound holds for all training points if features
    that fail (18) count as zero.

    They are few: (18) holds with probability at least 1 - delta over training points and features together
    (thm1.quantifier.repaired). Proof: (21), (22) and the repaired (23) for the features that satisfy (18).
    """
    s, n, b = case.s, case.n, case.b
    lam = at_least(least_ridge(b, n, log(s / delta)))
    return P(case.gap(lam, on_event=True) <= bound_of_gap(b, s, case.energy(lam))) >= 1


@paper.theorem("thm1.level", section="Section 3.1", repairs="thm1")
def gap_at_a_smaller_level(case: RandomDesign, delta: Unit, eta: Unit):
    """With Theorem 1's ridge at level delta eta, for one or two features and fixed targets, the mean squared gap
    is at most 4 b Q / s + eta b ||y||^2 / (n lam), but for probability delta.

    lam >= (2 b / sqrt(n)) sqrt(log(s / (delta eta))), Q = ||K^(1/2) (K + n lam I)^-1 y||^2, and any
    eta in (0, 1).

    Proof. By (18) at level delta eta, whatever V_s, features that fail (18) have probability at
    most delta eta over X_n and V_s together, so by Markov more than eta given X_n with probability
    at most delta. The others contribute at most 4 b Q / s (thm1.on_event). Those add at most eta
    times the largest squared gap, and ftilde(x')^2 and f(x')^2 are at most b ||y||^2 / (4 n lam),
    as ||Psi^T (Psi Psi^T + n lam I)^-1||^2 <= 1 / (4 n lam) and ||psi'||^2 <= b.
    """
    s, n, b = case.s, case.n, case.b
    lam = at_least(least_ridge(b, n, log(s / (delta * eta))))
    return (
        P(case.gap(lam) <= bound_of_gap(b, s, case.energy(lam)) + eta * b * (case.y @ case.y) / (n * lam))
        >= 1 - delta
    )


@paper.step("thm1.level.largest", section="Section 3.1", step_of="thm1.level")
def largest_gap(case: RidgePair):
    """The squared gap is at most b ||y||^2 / (n lam), b >= psi^T psi and phi^T phi, at every test point and
    for all features.
    """
    b = maximum((case.psi**2).sum(axis=1).max(), (case.phi**2).sum(axis=1).max())
    return at_most(case.gap**2, b * (case.y @ case.y) / (case.n * case.lam))


@paper.theorem("eq2.explicit", section="Section 1.3")
def announced_upper_bound(case: RandomDesign, delta: between(0, 0.5)):
    """Equation (2) with Theorem 1's ridge and "high probability" read as 1 - delta, delta < 1/2: the mean squared
    gap is at most 4 b Q / s; for one or two features, fixed targets and n <= 3, so for ridges above b / 4 alone.

    Q = ||K^(1/2) (K + n lam I)^-1 y||^2.
    """
    s, n, b = case.s, case.n, case.b
    lam = at_least(least_ridge(b, n, log(s / delta)))
    return P(case.gap(lam) <= bound_of_gap(b, s, case.energy(lam))) >= 1 - delta


@paper.step("thm1.quantifier", section="Section 4.4", step_of="thm1")
def event_for_all_features(n: integers(1, 100), m: integers(2, 10**4), delta: between(0.01, 0.1)):
    """With the ridge of Theorem 1, (18) holds for almost all V_s at once with probability at least 1 - delta
    over X_n, here in one design with s = 1, for n <= 100 and delta from .01 to .1.

    What the end of the proof takes from Lemma 3, which is about one given V_s. Inputs uniform on m points,
    s = 1, psi(x; v) = v(x) for v uniform on the 0/1-vectors, so b = 1. For every sample some v is 0 on its
    points, at most n, and 1 elsewhere: there E psi^2 is at least (m - n) / m, and the mean over the sample
    is 0, so that (18) holds for all v at no sample unless (m - n) / m <= lam.
    """
    assume(n <= m)
    return at_most((m - n) / m, least_ridge(1, n, log(1 / delta)))


@paper.step(
    "thm1.quantifier.repaired", section="Section 4.4", repairs="thm1.quantifier", step_of="thm1.on_event"
)
def event_for_random_features(case: RandomDesign, delta: Unit):
    """With the ridge of Theorem 1, (18) holds with probability at least 1 - delta over X_n and V_s together; for
    one or two features.

    Proof: the probability given V_s is at least 1 - delta by (18), whatever V_s; take its mean.
    """
    lam = at_least(least_ridge(case.b, case.n, log(case.s / delta)))
    return P(case.slack(lam) >= 0) >= 1 - delta


@paper.remark("thm1.tightness", section="Remark 2 and footnote 2", step_of="thm1")
def gap_at_training_points(case: RandomFeatures, s: Few, lam: Positive):
    """For x' uniform on the training points the constant 4 can be 1, for every ridge, for up to 3 features.

    Decided: this half, for all y at once through (25); for x' from the law of the training points the
    constant is marked in Theorem 1. Proof: (25), then n lam (Kt + n lam I)^-1 <= I, then (21). 1 is best
    possible: n = s = 1, psi^2 = b with a small probability, else 0, and lam to infinity.
    """
    K, n, b, Kt = case.K, case.n, case.b, case.features(s).Kt
    root = n * lam * solve(Kt + n * lam * identity(n), Kt - K)
    return loewner(E(root.mT @ root) / n, b / s * K)


@paper.remark("eq2.lambda_order", section="Section 1.3, before Eq. (2)", step_of="eq2.explicit")
def ridge_of_the_introduction(b: Positive, delta: between(0.01, 1), s: integers(1, 100)):
    """The least ridge of Theorem 1 is at least of the order sqrt(n), which Section 1.3 prints; read as a rate from
    n = 10^2 to 10^6, with b, s and delta fixed.
    """
    return rate({n: sqrt(n) / least_ridge(b, n, log(s / delta)) for n in (10**2, 10**4, 10**6)}, at_most=0)


@paper.remark("eq2.independent", section="Section 1.3, after Eq. (2)", step_of="eq2.explicit")
def bound_is_independent_of_the_features(K: Positive, c: between(1, 10), lam: Positive, s: integers(1, 10)):
    """The right-hand side of (2) depends on data and kernel alone: it is the same for other features of the
    same kernel.

    At one point, n = 1 and y = 1: the constant feature sqrt(K), b = K, and the feature sqrt(c K) with
    probability 1 / c, else 0, b = c K.
    """
    energy = K / (K + lam) ** 2
    return equal(bound_of_gap(K, s, energy), bound_of_gap(c * K, s, energy))
