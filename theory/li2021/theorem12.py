"""Section 6.3, Appendices D and E: the steps of Theorem 12 that need no unspecified constant."""

from boundcheck import (
    Count,
    E,
    Positive,
    Simplex,
    Spectrum,
    Unit,
    Vector,
    assume,
    at_most,
    eigenvalues,
    log,
    maximum,
    minimum,
    smallest_eigenvalue,
    sqrt,
)  # fmt: skip
from boundcheck.settings.feature_pool import FeaturePool
from theory.li2021 import Few, paper


def psi(r, spectrum, a, b):
    """a sqrt((2/n) sum min(r, lam_i)) + b, the sub-root function of Lemma 25 with a = 2 L c_1, b = c_2 log(1/delta) / n."""
    return a * sqrt(2 / len(spectrum) * minimum(r, spectrum).sum()) + b


@paper.step("theorem12.eq10", section="Eqs. (10), (27); Lemma 25", step_of="theorem12")
def fixed_point_bound(spectrum: Spectrum("n"), delta: Unit, L: Positive, c_1: Positive, c_2: Positive):
    """The fixed point of Lemma 25 is at most the minimum of (10), so at most its value sqrt((1/n) sum lam_i) at h = 0.

    r* <= R iff psi(R) <= R; e_0 does not enter at h = 0. L, c_1 and c_2 are not given, but no choice will do: psi is at least
    c_2 log(1 / delta) / n, and the bound is as small as the spectrum.
    """
    n = len(spectrum)
    R = sqrt(spectrum.sum() / n)
    assume(R > 0)
    return at_most(psi(R, spectrum, 2 * L * c_1, c_2 * log(1 / delta) / n), R)


@paper.step("theorem12.eq10.repaired", section="Eqs. (10), (27); Lemma 25", step_of="theorem12", repairs="theorem12.eq10")
def fixed_point_bound_repaired(spectrum: Spectrum("n"), a: Positive, b: Positive):
    """The fixed point is at most 2 a^2 h / n + 2 a sqrt((2/n) sum_{i > h} lam_i) + 2 b for every h.

    Proof. sum min(r, lam_i) <= h r + sum_{i > h} lam_i, so r* <= A sqrt(r*) + C with A^2 = 2 a^2 h / n and
    C = a sqrt((2/n) sum_{i > h} lam_i) + b; hence r* <= A^2 + 2 C.
    """
    n = len(spectrum)
    bounds = [2 * a**2 * h / n + 2 * a * sqrt(2 / n * spectrum[h:].sum()) + 2 * b for h in range(n + 1)]
    return tuple(at_most(psi(R, spectrum, a, b), R) for R in bounds)


@paper.step("theorem12.poly", section="Section 3.1.2", step_of="theorem12")
def tail_sum_of_polynomial_spectrum(n: Count, excess: Positive):
    """With lam_i = i^-t, t > 1, the bound (10) at h = 0 is at most sqrt(t / (t - 1)) n^-1/2."""
    t = 1 + excess
    total = sum((1 / (i * i ** excess) for i in range(1, n + 1)), 0 * t)
    return at_most(sqrt(total / n), sqrt(t / excess / n))


@paper.step("theorem12.eq21", section="Eq. (21)", step_of="theorem12")
def second_moment_of_loss(f: Vector("n"), g: Vector("n"), y: Vector("n")):
    """E_n l_f^2 >= (E_n l_f)^2 >= 2 E_n l_fhat E_n (f - fhat)^2, where fhat minimises E_n l over a convex class.

    The class is the segment from f to g; B = 1.
    """
    n, d = len(y), g - f
    assume(d @ d > 0)
    t = minimum(1, maximum(0, (y - f) @ d / (d @ d)))
    fhat = f + t * d
    loss, least = (y - f) ** 2, ((y - fhat) ** 2).sum() / n
    return (
        at_most((loss.sum() / n) ** 2, (loss**2).sum() / n),
        at_most(2 * least * ((f - fhat) ** 2).sum() / n, (loss.sum() / n) ** 2),
    )


@paper.step("theorem12.lower_En", section="Section 6.3, after Eq. (21)", step_of="theorem12")
def least_empirical_risk(kappa: Positive, y_0: Positive):
    """The expected least empirical risk over the unit ball is at least the variance of the noise.

    One point with k(x, x) = kappa and y = y_0 or -y_0 with equal probability: the unit ball has |f(x)| <= sqrt(kappa),
    so that the least empirical risk is (y_0 - sqrt(kappa))_+^2 for either label, and sigma^2 = y_0^2.
    """
    return at_most(y_0**2, maximum(0, y_0 - sqrt(kappa)) ** 2)


@paper.step("theorem12.lower_En.repaired", section="Section 6.3", step_of="theorem12", repairs="theorem12.lower_En")
def least_empirical_risk_repaired(kappa: Positive, y_0: Positive):
    """It is at least E l_fH - R_n(l o H), so that it stays away from 0 for n large if sigma^2 > 0.

    Proof. E E_n l_fhat >= E l_fH - E sup (E l_f - E_n l_f), and symmetrisation. Here f_H = 0, and the complexity of the loss class
    is 2 sup |l_f - l_0|.
    """
    complexity = 2 * ((y_0 + sqrt(kappa)) ** 2 - y_0**2)
    return at_most(y_0**2 - complexity, maximum(0, y_0 - sqrt(kappa)) ** 2)


@paper.step("lemma25.El2", section="Appendix E", step_of="lemma25")
def square_of_loss(f: Vector("m"), y: Vector("m"), P_xy: Simplex("m")):
    """For the squared loss, E l_f^2 <= E l_f; y is bounded, as it takes m values."""
    loss = (y - f) ** 2
    return at_most((P_xy * loss**2).sum(), (P_xy * loss).sum())


@paper.step("lemma25.El2.repaired", section="Appendix E", step_of="lemma25", repairs="lemma25.El2")
def square_of_loss_repaired(f: Vector("m"), y: Vector("m"), P_xy: Simplex("m")):
    """E l_f^2 <= B E l_f with B the largest value of the loss."""
    loss = (y - f) ** 2
    return at_most((P_xy * loss**2).sum(), loss.max() * (P_xy * loss).sum())


@paper.lemma(30, section="Appendix D")
def distance_to_best_function(f: Vector("m"), g: Vector("m"), y: Vector("m"), P_xy: Simplex("m")):
    """For the squared loss and a convex class, E (f - f_H)^2 <= B E (l_f - l_fH), with B = 1.

    The class is the segment from f to g, f_H its point nearest to y.
    """
    d = g - f
    assume((P_xy * d * d).sum() > 0)
    t = minimum(1, maximum(0, (P_xy * (y - f) * d).sum() / (P_xy * d * d).sum()))
    best = f + t * d
    return at_most((P_xy * (f - best) ** 2).sum(), (P_xy * ((y - f) ** 2 - (y - best) ** 2)).sum())


@paper.step("theorem12.eigdecay", section="Section 6.3, end", step_of="theorem12")
def spectrum_of_approximate_kernel(case: FeaturePool, share: Vector(3), r: Positive):
    """The spectrum of Ktilde decays faster than that of K, so the fixed point of Htilde is at most that of H.

    When r is the fixed point for H (for a suitable c_1), that says sum min(r, lam_i) is no larger for Ktilde. share_v^2
    is the share of feature v in Ktilde; one that vanishes at the points makes the shares free. On the event of Lemma 27.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    Kt = (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T
    reach = (case.K + case.ridge) / 2
    assume((smallest_eigenvalue(reach + Kt - case.K) >= 0) & (smallest_eigenvalue(reach + case.K - Kt) >= 0))
    mass = [minimum(r, eigenvalues(A / case.n)).sum() for A in (Kt, case.K)]
    return at_most(mass[0], mass[1])


@paper.step("theorem12.eigdecay.repaired", section="Section 6.3, end", step_of="theorem12", repairs="theorem12.eigdecay")
def spectrum_of_approximate_kernel_on_average(case: FeaturePool, s: Few, r: Positive):
    """On average over the draws, sum min(r, lam_i) is no larger for Ktilde than for K.

    K -> sum_i min(r, lam_i(K)) is concave and E Ktilde = K.
    """
    drawn = case.Kt(s, case.q).map(lambda A: minimum(r, maximum(0, eigenvalues(A / case.n))).sum(axis=-1))
    return at_most(E(drawn), minimum(r, maximum(0, eigenvalues(case.K / case.n))).sum())
