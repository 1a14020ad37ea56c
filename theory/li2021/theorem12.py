"""Section 6.3, Appendices D and E: the steps of Theorem 12 without unspecified constants; sub-root functions
(Section 2.4).
"""

from boundcheck import (
    Count,
    E,
    Matrix,
    P,
    Positive,
    Simplex,
    Spectrum,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    eigenvalues,
    equal,
    integers,
    log,
    maximum,
    minimum,
    quantity,
    smallest_eigenvalue,
    sqrt,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool

from . import Few, paper
from .lemma22 import enough_features
from .lipschitz import Ridge, scores
from .theorem9 import excess_at_two_points


@paper.lemma(5, section="Section 2.4")
def fixed_point_is_unique(quarters: integers(0, 4), r: Positive, r_star: Positive):
    """Of psi(r) = t r + (1 - t) sqrt(r r*), t = 0, 1/4, .., 1, sub-root by Definition 4, r* is the one
    positive fixed point.

    psi is non-decreasing and psi(r) / r non-increasing, all that Definition 4 asks for; r* is a fixed point, r
    another.
    """
    psi = (quarters * r + (4 - quarters) * sqrt(r * r_star)) / 4
    assume(psi == r)
    return equal(r, r_star)


@paper.lemma("lemma5.repaired", section="Section 2.4", repairs="lemma5")
def fixed_point_separates(t: between(0, 1), r: Positive, r_star: Positive):
    """With psi(r) / sqrt(r) non-increasing psi(r) <= r above the fixed point r* and psi(r) >= r below it; for
    psi(r) = t sqrt(r r*) + (1 - t) r*, t from 0 to 1.

    The definition of Bartlett et al. 2005. Proof for every such psi that is not 0: for r >= r*,
    psi(r) / sqrt(r) <= psi(r*) / sqrt(r*) = sqrt(r*) <= sqrt(r); and the other way round.
    """
    psi = t * sqrt(r * r_star) + (1 - t) * r_star
    return at_most(0, (psi - r) * (r_star - r))


def psi(r, spectrum, a, b):
    """a sqrt((2/n) sum min(r, lam_i)) + b, the sub-root function of Lemma 25 with a = 2 L c_1,
    b = c_2 log(1/delta) / n.
    """
    return a * sqrt(2 / len(spectrum) * minimum(r, spectrum).sum()) + b


@paper.theorem("theorem12.explicit", section="Section 3.1.2, Eq. (9)")
def refined_risk_over_kernel_ridge(k: Unit, lam: Ridge, b: UnitVector(2), D: between(1, 100), delta: Unit):
    """In the limit of large n at a fixed lam and for 1 < D <= 100, with s >= 5 d_K log(16 d_K / delta)
    leverage weighted features, the risk exceeds that of ridge regression by at most 4 D / (D - 1) lam with
    probability 1 - delta; for two inputs with a feature each and labels that are a function of the input,
    ||fhat|| = 1.

    As theorem9.explicit, with leverage scores; the fixed point and O(1 / n) vanish as n grows.
    """
    l_1, l_2 = scores(k, lam)
    d_K = l_1 + l_2
    s = at_least(enough_features(d_K, d_K, delta), Count)
    return P(excess_at_two_points(k, l_2 / d_K, s, lam, b) <= 4 * D / (D - 1) * lam) >= 1 - delta


@paper.step("theorem12.eq21", section="Eq. (21)", step_of="theorem12.explicit")
def second_moment_of_loss(f: Vector("n"), g: Vector("n"), y: Vector("n")):
    """E_n l_f^2 >= (E_n l_f)^2 >= 2 E_n l_fhat E_n (f - fhat)^2, where fhat minimises E_n l over a convex
    class.

    The class is the segment from f to g, which is enough for a convex class; B = 1.
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


@paper.step("theorem12.lower_En", section="Section 6.3, after Eq. (21)", step_of="theorem12.explicit")
def least_empirical_risk(kappa: Positive, y_0: Positive):
    """At one training point with labels y_0 and -y_0, the expected least empirical risk over the unit ball is
    at least the variance of the noise.

    The labels have equal probability, and k(x, x) = kappa: the unit ball has |f(x)| <= sqrt(kappa), so that
    the least empirical risk is (y_0 - sqrt(kappa))_+^2 for either label, and sigma^2 = y_0^2.
    """
    return at_most(y_0**2, maximum(0, y_0 - sqrt(kappa)) ** 2)


@paper.step(
    "theorem12.lower_En.repaired",
    section="Section 6.3",
    step_of="theorem12.explicit",
    repairs="theorem12.lower_En",
)
def least_empirical_risk_repaired(kappa: Positive, y_0: Positive):
    """At one training point with labels y_0 and -y_0, the expected least empirical risk over the unit ball is
    at least E l_fH - R_n(l o H).

    So it stays away from 0 for n large if sigma^2 > 0. Proof in general. E E_n l_fhat is at least E l_fH - E
    sup (E l_f - E_n l_f), and symmetrisation. Here f_H = 0, and the complexity of the loss class is 2 sup |l_f
    - l_0|.
    """
    complexity = 2 * ((y_0 + sqrt(kappa)) ** 2 - y_0**2)
    return at_most(y_0**2 - complexity, maximum(0, y_0 - sqrt(kappa)) ** 2)


@paper.step("theorem12.iid", section="Section 6.3, after Eq. (21)", step_of="theorem12.explicit")
def losses_of_the_minimiser_are_independent(kappa: Unit):
    """The losses of fhat at the examples are independent, as Hoeffding's inequality wants them: E l_1 l_2 =
    E l_1 E l_2, for two examples at one input.

    k(x, x) = kappa, and the labels are fair signs: fhat is 0 if they differ, else as near to them as the unit
    ball allows, |f| <= sqrt(kappa).
    """
    alike = quantity(lambda rng, size: rng.integers(0, 2, size))
    loss = alike * (1 - sqrt(kappa)) ** 2 + (1 - alike)  # of either example
    return equal(E(loss * loss), E(loss) * E(loss))


@paper.step(
    "theorem12.iid.repaired",
    section="Section 6.3, after Eq. (21)",
    step_of="theorem12.explicit",
    repairs="theorem12.iid",
)
def least_risk_moves_little(A: Matrix("m", "n"), new: Vector("m")):
    """Another example in place of one moves E_n l_fhat by at most 1 / n, for losses in [0, 1] and m functions.

    m functions, with the losses A at n examples. Proof: each mean moves by at most 1 / n, and so does the
    least.

    So McDiarmid's inequality gives what is taken from Hoeffding's.
    """
    losses, n = minimum(1, abs(A)), A.shape[1]
    means = losses.sum(axis=1) / n
    moved = means + (minimum(1, abs(new)) - losses[:, 0]) / n
    return at_most(abs(means.min() - moved.min()), 1 / n)


@paper.step("theorem12.starhull", section="Section 6.3, after Eq. (21)", step_of="theorem12.explicit")
def second_moment_of_a_multiple(f: Vector("n"), g: Vector("n"), y: Vector("n"), a: Unit):
    """(21) holds for the elements a l_f of the star hull, with the f of l_f:
    E_n (a l_f)^2 >= 2 E_n l_fhat E_n (f - fhat)^2, a in (0, 1).

    That is what the inclusion of the two star hulls asks for; f - fhat is read as that of the f of which a
    l_f is a multiple. The class is the segment from f to g; B = 1.
    """
    n, d = len(y), g - f
    assume(d @ d > 0)
    t = minimum(1, maximum(0, (y - f) @ d / (d @ d)))
    fhat = f + t * d
    least = ((y - fhat) ** 2).sum() / n
    return at_most(2 * least * ((f - fhat) ** 2).sum() / n, (a**2 * (y - f) ** 4).sum() / n)


@paper.step(
    "theorem12.starhull.repaired",
    section="Section 6.3",
    step_of="theorem12.explicit",
    repairs="theorem12.starhull",
)
def second_moment_of_a_multiple_repaired(f: Vector("n"), g: Vector("n"), y: Vector("n"), a: Unit):
    """With a (f - fhat) for f - fhat: E_n (a l_f)^2 >= 2 E_n l_fhat E_n (a (f - fhat))^2. Proof: (21) times
    a^2. The class is the segment from f to g; B = 1.
    """
    n, d = len(y), g - f
    assume(d @ d > 0)
    t = minimum(1, maximum(0, (y - f) @ d / (d @ d)))
    fhat = f + t * d
    least = ((y - fhat) ** 2).sum() / n
    return at_most(2 * least * (a**2 * (f - fhat) ** 2).sum() / n, (a**2 * (y - f) ** 4).sum() / n)


@paper.step("lemma25.radius", section="Appendix E, Eq. (49)", step_of="theorem12.explicit")
def radius_of_the_sub_root_function(spectrum: Spectrum("n"), r: Positive, e_1: Positive):
    """The function of Lemma 25, with min(r, lam_i), is at least that of its proof (49),
    with min(e_1 r, lam_i), e_1 > 0 a constant.
    """
    return at_most(minimum(e_1 * r, spectrum).sum(), minimum(r, spectrum).sum())


@paper.step(
    "lemma25.radius.repaired",
    section="Appendix E, Eq. (49)",
    step_of="theorem12.explicit",
    repairs="lemma25.radius",
)
def radius_of_the_sub_root_function_repaired(spectrum: Spectrum("n"), r: Positive, e_1: Positive):
    """The function of Lemma 25 with the factor max(1, e_1) before sum min(r, lam_i) is at least that of its
    proof (49). Proof: min(e_1 r, x) <= max(1, e_1) min(r, x).
    """
    return at_most(minimum(e_1 * r, spectrum).sum(), maximum(1, e_1) * minimum(r, spectrum).sum())


@paper.step(
    "theorem12.repaired",
    section="Section 6.3",
    step_of="theorem12.explicit",
    repairs="theorem12.step25.explicit",
)
def excess_risk_of_a_regression_function(f: Vector("m"), f_H: Vector("m"), e: Vector("m"), P_x: Simplex("m")):
    """If f_H is the regression function E [y | x], and y = f_H + e or f_H - e with equal probability, then E
    (l_f - l_fH) = E (f - f_H)^2 for every f, in H or in Htilde.

    True for every noise of mean 0. What can be saved of (9): Theorem 3.3 of Bartlett et al. (2005) for the
    class of the l_f - l_fH, f in Htilde, with T = L^2 E (f - f_H)^2, which bounds E (l_f - l_fH)^2 and by this
    claim is L^2 E (l_f - l_fH), gives E l_f - E l_fH <= D / (D - 1) (E_n l_f - E_n l_fH) + c D r* + O(1 / n), c a
    constant and r* the fixed point for Htilde and the law, local in E (f - f_H)^2; and E_n l_fhat <= E_n l_fH +
    lam. So the excess risk of ftilde is at most 5 D / (D - 1) lam + c D r* + O(1 / n) on the event of
    theorem9.repaired, with noise, for features of a law fixed before the sample. Lemma 6 is local in E_n (l_f -
    l_fH)^2, which does not bound E_n (f - f_H)^2 from below: it vanishes where 2 y = f + f_H. Open without the
    assumption, where the minimiser over Htilde is not f_H, and for q*.
    """
    upper, lower = f_H + e, f_H - e  # y, each with probability 1/2
    excess = ((upper - f) ** 2 + (lower - f) ** 2 - (upper - f_H) ** 2 - (lower - f_H) ** 2) / 2
    return equal((P_x * excess).sum(), (P_x * (f - f_H) ** 2).sum())


@paper.step("lemma25.El2", section="Appendix E", step_of="theorem12.explicit")
def square_of_loss(f: Vector("m"), y: Vector("m"), P_xy: Simplex("m")):
    """For the squared loss, E l_f^2 <= E l_f; y is bounded, as it takes m values."""
    loss = (y - f) ** 2
    return at_most((P_xy * loss**2).sum(), (P_xy * loss).sum())


@paper.step("lemma25.El2.repaired", section="Appendix E", step_of="theorem12.explicit", repairs="lemma25.El2")
def square_of_loss_repaired(f: Vector("m"), y: Vector("m"), P_xy: Simplex("m")):
    """E l_f^2 <= B E l_f with B the largest value of the loss."""
    loss = (y - f) ** 2
    return at_most((P_xy * loss**2).sum(), loss.max() * (P_xy * loss).sum())


@paper.lemma(30, section="Appendix D")
def distance_to_best_function(f: Vector("m"), g: Vector("m"), y: Vector("m"), P_xy: Simplex("m")):
    """For the squared loss and a convex class, E (f - f_H)^2 <= B E (l_f - l_fH), with B = 1.

    The class is the segment from f to g, f_H its point nearest to y: for f of a convex class the segment to
    its f_H is enough.
    """
    d = g - f
    assume((P_xy * d * d).sum() > 0)
    t = minimum(1, maximum(0, (P_xy * (y - f) * d).sum() / (P_xy * d * d).sum()))
    best = f + t * d
    return at_most((P_xy * (f - best) ** 2).sum(), (P_xy * ((y - f) ** 2 - (y - best) ** 2)).sum())


@paper.step("theorem12.eigdecay", section="Section 6.3, end", step_of="theorem12.explicit")
def spectrum_of_approximate_kernel(case: FeaturePool, share: Vector(3), r: Positive):
    """On the event of Lemma 27 at eps = 1/2 the spectrum of Ktilde decays faster than that of K: sum min(r,
    lam_i) is no larger for Ktilde, for any r.

    So the fixed point of Htilde is at most that of H, where r is that (for a suitable c_1). share_v^2 p_v is
    the share of feature v in Ktilde; one that vanishes at the points makes the shares free.
    """
    assume(case.n * case.lam <= case.largest_eigenvalue)
    Kt = (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T
    reach = (case.K + case.ridge) / 2
    assume((smallest_eigenvalue(reach + Kt - case.K) >= 0) & (smallest_eigenvalue(reach + case.K - Kt) >= 0))
    mass = [minimum(r, eigenvalues(A / case.n)).sum() for A in (Kt, case.K)]
    return at_most(mass[0], mass[1])


@paper.step(
    "theorem12.eigdecay.repaired",
    section="Section 6.3, end",
    step_of="theorem12.explicit",
    repairs="theorem12.eigdecay",
)
def spectrum_of_approximate_kernel_on_average(case: FeaturePool, s: Few, r: Positive):
    """On average over the draws of up to 3 features, sum min(r, lam_i) is no larger for Ktilde than for K.

    K -> sum_i min(r, lam_i(K)) is concave and E Ktilde = K. With probability 1 - delta it is at most 8 times as
    large for lam <= r <= lambda_1 / n and 7.5 d_tilde log(16 d_K / delta) features: theorem20.dKtilde.mean, for
    d_tilde in place of z0^2 / lam, at the ridge r, as r x / (x + r) is from min(r, x) / 2 to min(r, x).
    """
    drawn = case.Kt(s, case.q).map(lambda A: minimum(r, maximum(0, eigenvalues(A / case.n))).sum(axis=-1))
    return at_most(E(drawn), minimum(r, maximum(0, eigenvalues(case.K / case.n))).sum())


@paper.step("theorem12.eq10", section="Eqs. (10), (27); Lemma 25", step_of="theorem12.explicit")
def fixed_point_bound(spectrum: Spectrum("n"), delta: Unit, L: Positive, c_1: Positive, c_2: Positive):
    """The fixed point of Lemma 25 is at most the value sqrt((1/n) sum lam_i) of (10) at h = 0.

    So it would have to be, as (10) has the minimum over h. r* <= R iff psi(R) <= R; e_0 does not enter at h =
    0. L, c_1 and c_2 are not given, but no choice will do: psi is at least c_2 log(1 / delta) / n, and the
    bound is as small as the spectrum.
    """
    n = len(spectrum)
    R = sqrt(spectrum.sum() / n)
    assume(R > 0)
    return at_most(psi(R, spectrum, 2 * L * c_1, c_2 * log(1 / delta) / n), R)


@paper.step(
    "theorem12.eq10.repaired",
    section="Eqs. (10), (27); Lemma 25",
    step_of="theorem12.explicit",
    repairs="theorem12.eq10",
)
def fixed_point_bound_repaired(spectrum: Spectrum("n"), a: Positive, b: Positive):
    """The fixed point of Lemma 25, a = 2 L c_1 and b = c_2 log(1 / delta) / n, is at most 2 a^2 h / n + 2 a
    sqrt((2/n) sum_{i > h} lam_i) + 2 b for every h.

    Proof. sum min(r, lam_i) <= h r + sum_{i > h} lam_i, so r* <= A sqrt(r*) + C with A^2 = 2 a^2 h / n and
    C = a sqrt((2/n) sum_{i > h} lam_i) + b; hence r* <= A^2 + 2 C.
    """
    n = len(spectrum)
    bounds = [2 * a**2 * h / n + 2 * a * sqrt(2 / n * spectrum[h:].sum()) + 2 * b for h in range(n + 1)]
    return tuple(at_most(psi(R, spectrum, a, b), R) for R in bounds)


@paper.step("theorem12.poly", section="Section 3.1.2", step_of="theorem12.explicit")
def tail_sum_of_polynomial_spectrum(n: Count, excess: Positive):
    """With lam_i = i^-t, t > 1, the bound (10) at h = 0 is at most sqrt(t / (t - 1)) n^-1/2."""
    t = 1 + excess
    total = sum((1 / (i * i**excess) for i in range(1, n + 1)), 0 * t)
    return at_most(sqrt(total / n), sqrt(t / excess / n))
