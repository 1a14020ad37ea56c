"""Section 3.1: the out-of-sample gap between kernel ridge regression and its random-feature version (Theorem 1)."""

from boundcheck import E, P, Positive, Unit, at_least, between, exp, loewner, log, marked, solve, sqrt
from boundcheck.linalg import identity
from boundcheck.settings import RandomDesign, RandomFeatures
from theory.wang2019 import Few, paper


@paper.theorem("thm1", section="Section 3.1")
def out_of_sample_gap(case: RandomDesign, ell: Positive):
    """With a large enough ridge, the mean squared gap is at most 4 b / s ||K^(1/2) (K + n lam I)^-1 y||^2.

    delta = exp(-ell) runs through (0, 1) and comes close to both ends; log(s / delta) = log(s) + ell.
    """
    s, n, b, delta = case.s, case.n, case.b, exp(-ell)
    lam = at_least(2 * b / sqrt(n) * sqrt(log(s) + ell))
    return P(case.gap(lam) <= marked(4.0) * b / s * case.energy(lam)) >= 1 - delta


@paper.theorem("thm1.repaired", section="Section 3.1", repairs="thm1")
def gap_at_any_test_point(case: RandomFeatures, s: Few, lam: Positive):
    """For all training points, test point, targets and lam > 0 the gap is at most (1 + sqrt(b / lam) / 2)^2 b Q / s.

    Q = ||K^(1/2) (K + n lam I)^-1 y||^2; the constant is at most 4 for lam >= b / 4. Stated for all y at once:
    (ftilde - f)^2 = (theta^T alpha)^2 by (24). Proof: Minkowski in L2(V) for the two terms of theta. The second is (22).
    The first is at most ||(Kt + n lam)^-1 Psi||^2 ||psi'||^2 Delta_2 <= b / (4 n lam) Delta_2, and (21).
    """
    K, k, n, b, features = case.K, case.k_test, case.n, case.b, case.features(s)
    Kt, kt = features.Kt, features.kt_test
    theta = ((K - Kt) @ solve(Kt + n * lam * identity(n), kt[:, None]))[:, 0] + kt - k
    return loewner(E(theta[:, None] * theta[None, :]), (1 + sqrt(b / lam) / 2) ** 2 * b / s * K)


@paper.theorem("thm1.on_event", section="Section 3.1", repairs="thm1")
def gap_on_event(case: RandomDesign, delta: Unit):
    """With the ridge of Theorem 1, its bound holds for all training points if features that fail (18) count as zero.

    They are few: (18) holds with probability at least 1 - delta over training points and features together
    (thm1.quantifier.repaired). Proof: (21), (22) and the repaired (23) for the features that satisfy (18).
    """
    s, n, b = case.s, case.n, case.b
    lam = at_least(2 * b / sqrt(n) * sqrt(log(s / delta)))
    return P(case.gap(lam, on_event=True) <= 4 * b / s * case.energy(lam)) >= 1


@paper.theorem("eq2", section="Section 1.3")
def announced_upper_bound(case: RandomDesign, delta: between(0, 0.5)):
    """Equation (2): with high probability the mean squared gap is at most 4 b / s ||K^(1/2) (K + n lam I)^-1 y||^2.

    Decided with Theorem 1's ridge, "high" read as at least 1/2. The right-hand side does depend on b and s.
    """
    s, n, b = case.s, case.n, case.b
    lam = at_least(2 * b / sqrt(n) * sqrt(log(s / delta)))
    return P(case.gap(lam) <= 4 * b / s * case.energy(lam)) >= 1 - delta


@paper.step("thm1.quantifier", section="Section 4.4", step_of="thm1")
def event_for_all_features(case: RandomDesign, delta: Unit):
    """With the ridge of Theorem 1, (18) holds for almost all V_s at once with probability at least 1 - delta over X_n.

    What the end of the proof takes from Lemma 3, which is about one given V_s.
    """
    lam = at_least(2 * case.b / sqrt(case.n) * sqrt(log(case.s / delta)))
    return P(case.slack(lam) >= 0) >= 1 - delta


@paper.step("thm1.quantifier.repaired", section="Section 4.4", repairs="thm1.quantifier", step_of="thm1.on_event")
def event_for_random_features(case: RandomDesign, delta: Unit):
    """With the ridge of Theorem 1, (18) holds with probability at least 1 - delta over X_n and V_s together.

    Proof: the probability given V_s is at least 1 - delta by (18), whatever V_s; take its mean.
    """
    lam = at_least(2 * case.b / sqrt(case.n) * sqrt(log(case.s / delta)))
    return P(case.slack_drawn(lam) >= 0) >= 1 - delta


@paper.remark("thm1.tightness", section="Remark 2 and footnote 2", step_of="thm1")
def gap_at_training_points(case: RandomFeatures, s: Few, lam: Positive):
    """For x' uniform on the training points the constant 4 can be 1, for every ridge.

    Decided: this half, for all y at once through (25); for x' from the law of the training points the constant is marked
    in Theorem 1. Proof: (25), then n lam (Kt + n lam I)^-1 <= I, then (21). 1 is best possible: n = s = 1, psi^2 = b
    with a small probability, else 0, and lam to infinity.
    """
    K, n, b, Kt = case.K, case.n, case.b, case.features(s).Kt
    root = n * lam * solve(Kt + n * lam * identity(n), Kt - K)
    return loewner(E(root.mT @ root) / n, b / s * K)
