"""Section 3.2 and Appendix D: the sup norm between the norms of H and L2 for Gaussian kernels
(Theorem 2), the bounds themselves in one dimension.
"""

import numpy as np

from boundcheck import (
    Count,
    Matrix,
    P,
    Positive,
    PositiveDefinite,
    Simplex,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    cos,
    equal,
    erf,
    exp,
    integers,
    marked,
    pi,
    quantity,
    sin,
    solve,
    sqrt,
)  # fmt: skip

from . import paper

Length = between(0.1, 10)
Width = between(0.1, 5)


def interpolation_constant(length):
    """C with ||f||_inf^2 <= C ||f||_W1 ||f||_L2 on an interval: f(x)^2 <= ||f||^2 / length + 2 ||f|| ||f'||
    and Cauchy-Schwarz.
    """
    return sqrt(1 / length**2 + 4)


@paper.step(
    "theorem2.step-interpolation",
    section="Section 3.2 and Appendix D, (26)",
    step_of="theorem2.eq8",
    repairs="theorem2.step-interpolation.boundary",
)
def sobolev_interpolation(coefficients: Vector("k"), length: Length):
    """||f||_inf <= C_1 ||f||_{W^m}^{d/2m} ||f||_{L2}^{1 - d/2m}, looked at for d = m = 1 on an interval of
    length .1 to 10, for sums of cosines at four points, with its explicit constant, C_1^2 = (1 / length^2 + 4)^(1/2).

    f is a sum of cos(pi j x / length). The paper has m >= d / 2; it is true for m > d / 2 on a ball (Steinwart
    et al. 2009), and false for m = d / 2: theorem2.step-interpolation.boundary.
    """
    j = np.arange(len(coefficients))
    weights = np.where(j == 0, 1.0, 0.5) * length
    square = np.sum(weights * coefficients**2)
    sobolev = np.sum(weights * coefficients**2 * (1 + (pi * j / length) ** 2))
    values = [np.sum(coefficients * cos(pi * j * x)) for x in (0, 1 / 4, 1 / 2, 1)]
    return [at_most(v**2, interpolation_constant(length) * sqrt(sobolev * square)) for v in values]


@paper.step(
    "theorem2.step-interpolation.boundary", section="Section 3.2 and Appendix D, (26)", step_of="theorem2.eq8"
)
def interpolation_at_the_boundary(a: Positive):
    """(26) at m = d / 2, which "for any m >= d / 2" includes: ||f||_inf <= C ||f||_{W^m} on the unit disc,
    d = 2, m = 1; here C = 100.

    C is ours; for the functions below no C will do, as a grows. f = min(1, log(1/r) / a): ||f||_inf = 1,
    and ||grad f||^2 = 2 pi / a, ||f||^2 <= 2 pi int_0^1 r log(1/r)^2 dr / a^2 = pi / (2 a^2), so that the
    right-hand side is at most what stands here.
    """
    return at_most(1, marked(100.0, "C") ** 2 * (2 * pi / a + pi / (2 * a**2)))


@paper.step(
    "theorem2.step-interpolation.support", section="Section 3.2 and Appendix D, (26)", step_of="theorem2.eq8"
)
def interpolation_on_a_bounded_set(j: integers(1, 40)):
    """(26) on a bounded support of any shape, all that Theorem 2 asks for: ||f||_inf <= C ||f||_{W^m}^{d/2m}
    ||f||_{L2}^{1 - d/2m}; d = 1, here C = 100.

    The support is 0 and the intervals [2^-j, 2^-j + 4^-j]. f is 1 on the j-th of them and 0 on the others:
    its weak derivatives vanish, and both norms on the right are 2^-j. C is ours; no C will do, as j grows.
    """
    square = 1
    for _ in range(j):
        square = square / 4
    return at_most(1, marked(100.0, "C") ** 2 * square)


def gaussian_products(x, sigma, length):
    """Integrals over [0, length] of k(., x_i) k(., x_j) for k = exp(-(x - y)^2 / (2 sigma^2))."""
    middle, apart = (x[:, None] + x) / 2, x[:, None] - x
    inside = erf((length - middle) / sigma) + erf(middle / sigma)
    return exp(-(apart**2) / (4 * sigma**2)) * sigma * sqrt(pi) / 2 * inside


@paper.theorem("theorem2.eq7", section="Theorem 2, (7)")
def gaussian_interpolation(c: Vector("n"), spots: Simplex("n"), sigma: Width, length: Length):
    """||f||_inf <= C ||f||_H^{d/2m} ||f||_{L2(rho)}^{1 - d/2m} for the Gaussian kernel, d = m = 1, X uniform
    on an interval, and f = sum_i c_i k(., x_i), at the x_i.

    With the C of the proof: ||f||_{W1}^2 <= length (1 + 1 / sigma^2) ||f||_H^2 and the explicit constant of
    the step before.
    """
    x = length * np.cumsum(spots)
    K = exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))
    assume(c @ K @ c > 1e-6 * (c @ c))
    square = c @ gaussian_products(x, sigma, length) @ c
    sobolev = length * (1 + 1 / sigma**2) * (c @ K @ c)
    return at_most((K @ c) ** 4, interpolation_constant(length) ** 2 * sobolev * square)


@paper.theorem("theorem2.eq8", section="Theorem 2, (8)")
def random_feature_interpolation(phase: between(0, 3), sigma: Width, length: Length, delta: Unit):
    """With probability 1 - delta over the features (7) holds on the space of k + k_M, with C (1 +
    1/delta)^{d/4m}; here of one function, d = m = M = 1, X uniform on an interval, at its ends.

    f = cos(w x + phase) of H_M, of norm 1, with w ~ N(0, 1 / sigma^2).
    """
    w = quantity(lambda rng, size: rng.standard_normal(size)) / sigma
    sup = np.maximum(np.cos(w * length + phase) ** 2, np.cos(phase + 0 * w) ** 2)
    square = length / 2 * (1 + np.cos(w * length + 2 * phase) * np.sin(w * length) / (w * length))
    constant = interpolation_constant(length) ** 2 * length * (1 + 1 / sigma**2) * (1 + 1 / delta)
    return P(sup**2 <= constant * square) >= 1 - delta


@paper.step(
    "theorem2.step-deriv",
    section="Appendix D, first display",
    step_of="theorem2.eq8",
    repairs="theorem2.step-deriv.printed",
)
def derivative_of_an_integral(D: Matrix("n", "k"), g: Vector("k"), tau: Simplex("k"), length: Length):
    """||d^a f||^2 <= ||g||_{L2(tau+)}^2 int int |d^a phi|^2, for f = int g phi d tau+ with a finite tau+,
    derivatives D of phi.

    X' stands for n points of equal mass. With the modulus that the second line lacks. Proof: triangle
    inequality, Cauchy-Schwarz.
    """
    left = length * np.mean((D @ (tau * g)) ** 2)
    middle = length * np.mean((abs(D) @ (tau * abs(g))) ** 2)
    right = np.sum(tau * g**2) * length * np.mean(D**2 @ tau)
    return at_most(left, middle), at_most(middle, right)


@paper.step("theorem2.step-deriv.printed", section="Appendix D, first display", step_of="theorem2.eq8")
def derivative_of_an_integral_as_printed(D: Matrix("n", "k"), g: Vector("k"), tau: Simplex("k")):
    """(d^a int g phi d tau+)^2 <= (int |g| d^a phi d tau+)^2, the second line as printed, without a modulus
    around d^a phi.
    """
    return at_most((D @ (tau * g)) ** 2, (D @ (tau * abs(g))) ** 2)


@paper.step("theorem2.step-deriv.factor", section="Appendix D", step_of="theorem2.eq8")
def derivative_of_a_plane_wave(w: between(-10, 10), x: between(-1, 1)):
    """d/dx exp(i w x) = w exp(i w x), in its real part: -w sin(w x) = w cos(w x)."""
    return equal(-w * sin(w * x), w * cos(w * x))


@paper.step(
    "theorem2.step-deriv.factor.repaired",
    section="Appendix D",
    step_of="theorem2.eq8",
    repairs="theorem2.step-deriv.factor",
)
def derivative_of_a_plane_wave_repaired(w: between(-10, 10), x: between(-1, 1)):
    """i w exp(i w x), the derivative of exp(i w x), has the modulus |w|, which is all that is used; |w| < 10.

    Its real part is -w sin(w x), its imaginary part w cos(w x).
    """
    real, imaginary = -w * sin(w * x), w * cos(w * x)
    return equal(real**2 + imaginary**2, w**2)


def moments(w):
    """Pairs (w^(2 a), E w^(2 a)) for all |a| <= 2 in four dimensions, w ~ N(0, I): a = 0, e_i, 2 e_i,
    e_i + e_j.
    """
    square = [w[i] ** 2 for i in range(4)]
    mixed = [(square[i] * square[j], 1) for i in range(4) for j in range(i)]
    return [(1 + 0 * square[0], 1), *((s, 1) for s in square), *((s**2, 3) for s in square), *mixed]


@paper.step("theorem2.step-markov", section="Appendix D", step_of="theorem2.eq8")
def markov_for_one_moment(M: integers(1, 4), power: integers(0, 3), delta: Unit):
    """(1/M) sum_i w_i^{2 a} <= (1/delta) E w^{2 a} with probability 1 - delta, as displayed: for one a; w ~
    N(0, 1), M <= 4 and a <= 3.

    (28) then adds over |a| <= m; that it stands, with the same constant, is theorem2.step-markov.sum.
    """
    w = quantity(lambda rng, size: rng.standard_normal((size, M)))
    return P(np.mean(w ** (2 * power)) <= [1, 1, 3, 15][int(power)] / delta) >= 1 - delta


@paper.step("theorem2.step-markov.explicit", section="Appendix D")
def markov_for_all_moments(delta: between(0.3, 0.9)):
    """(1/M) sum_i w_i^{2 a} <= (1/delta) E w^{2 a} for all |a| <= m at once with probability 1 - delta; M = 1,
    d = 4, m = 2, w ~ N(0, I), delta from .3 to .9.

    A reading: the display says it for one a, and then such bounds are added over |a| <= m.
    """
    w = quantity(lambda rng, size: rng.standard_normal((size, 4)))
    worst = 0
    for value, mean in moments(w):
        worst = np.maximum(worst, value / mean)
    return P(worst <= 1 / delta) >= 1 - delta


@paper.step(
    "theorem2.step-markov.sum",
    section="Appendix D, (28)",
    repairs="theorem2.step-markov.explicit",
    step_of="theorem2.eq8",
)
def markov_for_the_sum(delta: between(0.3, 0.9)):
    """sum_a w^{2 a} <= (1/delta) sum_a E w^{2 a} with probability 1 - delta, all that (28) needs; for M = 1,
    d = 4, m = 2, w ~ N(0, I), delta from .3 to .9.

    Proof: Markov for the sum, same constant.
    """
    w = quantity(lambda rng, size: rng.standard_normal((size, 4)))
    pairs = moments(w)
    return P(sum(value for value, _ in pairs) <= sum(mean for _, mean in pairs) / delta) >= 1 - delta


@paper.identity("theorem2.spectral", section="Appendix D", step_of="theorem2.eq8")
def norm_of_the_sum_space(K: PositiveDefinite("n"), F: Matrix("n", "k"), f: Vector("n"), h: Vector("k")):
    """k + k_M has the spectral measure tau+ = tau + (1/M) sum delta_{w_i}, and ||f||_{H+} is the least
    ||g||_{L2(tau+)}; on n points.

    K = Z Z^T for the features of tau (times the roots of its weights), F for the drawn ones
    over sqrt(M). The least-norm (g, g_M) with Z g + F g_M = f has norm f^T (K + F F^T)^-1 f; moving along
    h in the drawn part costs.
    """
    dual = solve(K + F @ F.T, f)
    drawn = F.T @ dual
    least = dual @ K @ dual + drawn @ drawn
    rest = f - F @ (drawn + h)
    return equal(least, f @ dual), at_most(least, rest @ solve(K, rest) + (drawn + h) @ (drawn + h))


@paper.remark("theorem2.p-half", section="Section 3.2, end")
def assumption_at_one_half(d: Count, delta: Unit):
    """At m = d Theorem 2 has the exponent p = d/2m = 1/2 and (1 + 1/delta)^{d/4m} = (1 + 1/delta)^{1/4}, and
    Theorem 1 the rate M^{-1/8}: arithmetic.
    """
    p = d / (2 * d)
    rate = np.minimum((1 - p) / 4, 1 / 8)
    return (
        equal(p, 1 / 2),
        equal((1 + 1 / delta) ** (d / (4 * d)), (1 + 1 / delta) ** (1 / 4)),
        equal(rate, 1 / 8),
    )
