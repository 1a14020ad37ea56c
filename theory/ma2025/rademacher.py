"""Appendix E.1: the Rademacher complexity of RFLAF and what it says about the minimiser (Lemmas E.1 and E.2).

The complexity is that of Shalev-Shwartz and Ben-David (2014), (1/n) E sup sum sigma_i f(x_i), without an
absolute value. Unless a claim has its own, there are two basis functions, N = 2, with values B_1 and B_2 (n x s)
in [-1, 1]; w_j = sqrt(p / q) is the weight of feature j.
"""

from boundcheck import (
    E,
    Matrix,
    NonNegative,
    P,
    Positive,
    Real,
    Simplex,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_most,
    between,
    exp,
    integers,
    inverse,
    log,
    marked,
    maximum,
    minimum,
    norm,
    quantity,
    smallest_eigenvalue,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool

from . import paper
from .activation import Grid
from .bump_activation import even_grid
from .ridge_error import resolvent


def signs(n):
    """n independent signs, a quantity of shape (n,)."""
    return quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, n)) - 1)


def within_one(B_1, B_2):
    """Both matrices divided by their largest entry, if that exceeds 1."""
    scale = maximum(1, maximum(abs(B_1).max(), abs(B_2).max()))
    return B_1 / scale, B_2 / scale


def top_singular_value(u, v, weights):
    """The largest singular value of the 2 x s matrix with rows u, v and columns scaled by sqrt(weights); u,
    v (..., s).
    """
    uu, vv, uv = ((weights * x * y).sum(axis=-1) for x, y in ((u, u), (v, v), (u, v)))
    return sqrt(maximum(0, (uu + vv + sqrt((uu - vv) ** 2 + 4 * uv**2)) / 2))


@paper.lemma("lemmaE.1", section="Appendix E.1")
def complexity_of_bilinear_class(B_1: Matrix(3, "s"), B_2: Matrix(3, "s"), w: Vector("s"), R: Positive):
    """The complexity of F_B is at most K_1 K_2 sqrt(N s / n), K_1 = R and K_2 = max_j sqrt(p / q)(w_j)
    2 / sqrt(s); N = 2, n = 3, for the 1-Lipschitz losses -y f with labels +-1.

    Their class has the complexity of F_B itself; for other losses see lemmaE.1.contraction.
    """
    (n, s), (B_1, B_2) = B_1.shape, within_one(B_1, B_2)
    K_1, K_2 = R, 2 / sqrt(s) * abs(w).max()
    top = signs(n).map(lambda sigma: top_singular_value(sigma @ B_1, sigma @ B_2, w * w))
    return at_most(E(top) * R * 2 / sqrt(s) / n, K_1 * K_2 * sqrt(2 * s / n))


@paper.step("lemmaE.1.contraction", section="Appendix E.1", step_of="lemmaE.1")
def contraction(f: Matrix("k", 3), y: Vector(3)):
    """A 1-Lipschitz loss, |y - f|, does not increase the complexity of a class; of k functions at 3 points."""
    n = len(y)
    least = [E(signs(n).map(lambda sigma, g=g: (sigma @ g.T).max(axis=-1))) for g in (abs(y - f), f)]
    return at_most(least[0] / n, least[1] / n)


@paper.step("lemmaE.1.K2.explicit", section="Appendix E.1", step_of="lemmaE.2.explicit")
def weights_are_bounded(p: between(0.1, 0.9), s: integers(2, 2000)):
    """K_2 = O(1 / sqrt(s)), so that Lemma E.1 gives O(1 / (h sqrt n)): the largest weight sqrt(p / q) drawn
    is at most C, C = 10.

    A reading: O(.) is taken on average over the features, and for all s and q at once. Leverage weighted
    features of two kinds, of probabilities p and 1 - p, each at a point of its own; the ridge leverage score
    of the first is 1 / s of the sum, as l = p z^2 / (p z^2 + n lam) allows for a small z.
    """
    drawn = minimum(1, quantity(lambda rng, size: rng.binomial(s, 1 / s, size)))
    other = sqrt((1 - p) * s / (s - 1))
    return at_most(E(other + drawn * maximum(0, sqrt(p * s) - other)), marked(10.0, "C"))


@paper.step(
    "lemmaE.1.K2.repaired",
    section="Appendix E.1",
    step_of="lemmaE.2.explicit",
    repairs="lemmaE.1.K2.explicit",
)
def complexity_on_average(
    B_1: Matrix(2, 2), B_2: Matrix(2, 2), p: Simplex(2), q: Simplex(2), s: integers(1, 3)
):
    """For two points, two basis functions and a pool of two features, up to 3 of them drawn, the complexity of
    F_B is on average over the features at most 2 R sqrt(N / n), for every positive q.

    Proof. The supremum is R 2 / sqrt(s) times a top singular value, at most the Frobenius norm,
    whose mean square over the signs is sum_jk (p / q)(w_j) |B_k(., w_j)|^2 <= N n sum_j (p / q)(w_j);
    and E p / q = 1. By Markov, with 1 / sqrt(delta). Two points, two features, R = 1; the signs are (1, 1) or
    (1, -1) up to a common one, which changes nothing.
    """
    assume((q > 0).all())
    B_1, B_2 = within_one(B_1, B_2)
    sums = [(B_1[0] + sign * B_1[1], B_2[0] + sign * B_2[1]) for sign in (1, -1)]
    counts = quantity(lambda rng, size: rng.multinomial(s, q, size))
    mean = counts.map(lambda N: sum(top_singular_value(u, v, N * p / q) for u, v in sums) / 2)
    return at_most(E(mean) * 2 / sqrt(s) / 2, 2 * sqrt(2 / 2))


@paper.step("E1.class-restriction", section="Appendix E.1", step_of="lemmaE.2.explicit")
def minimiser_is_small(n: integers(2, 200), sigma: Positive):
    """The minimiser of (6) is in F_B, ||v|| <= 2 / sqrt(s), 'inspired by Lemma E.3': with probability at
    least 1/2 over the noise; n <= 200.

    At lam = 1 / sqrt(n), the ridge that the paper names, for f* = 0 and labels sigma times independent signs;
    one basis function. The kernel is Kt = K = I + (1 1^T) / sqrt(n), so that the event of Lemma E.3 holds,
    and lam <= lambda_1; r = n lam. Labels in the unit ball have that norm, but sigma is not bounded by it:
    for large n, s ||v||^2 is about sigma^2.
    """
    r = sqrt(n)
    along = (2 * quantity(lambda rng, size: rng.binomial(n, 1 / 2, size)) - n) ** 2 / n
    return P(sigma**2 * ((n - along) / (1 + r) ** 2 + along * (1 + r) / (1 + 2 * r) ** 2) <= 4) >= 1 / 2


@paper.step(
    "E1.class-restriction.repaired",
    section="Appendix E.1",
    step_of="lemmaE.2.explicit",
    repairs="E1.class-restriction",
)
def minimiser_is_as_small_as_the_ridge_makes_it(case: FeaturePool, y: Vector(3)):
    """Given a, the minimiser of (6) has s ||v||^2 <= ||y||^2 / (4 n lam) <= y_0^2 / (4 lam), whatever the
    labels and the draw.

    Proof. s ||v||^2 = y^T (Kt + n lam I)^-1 Kt (Kt + n lam I)^-1 y, and k / (k + r)^2 <= 1 / (4 r),
    with equality at k = r. So with that ball in F_B its complexity is O(y_0 / (h sqrt(n lam))), and lam and n are
    not disentangled.
    """
    y, n = y[: case.n], case.n
    a = resolvent(case.K, y, case.lam)
    return at_most(a @ case.K @ a, y @ y / (4 * n * case.lam))


@paper.step(
    "E1.class-restriction.large-ridge",
    section="Appendix E.1",
    step_of="lemmaE.2.explicit",
    repairs="E1.class-restriction",
)
def minimiser_is_small_on_average(case: FeaturePool, share: Vector(3), b: Vector(3), noise: Positive):
    """For a given a and f* in the unit ball of its kernel, on the event of Lemma E.3, E s ||v||^2 <= 2 + sigma^2
    Tr Kt / (n lam)^2; for noise of fair signs times sigma.

    So for plain features it is bounded if lam >= c / sqrt(n), not for all lam. For an a that is chosen with
    the noise it says nothing. Proof. Means over the noise, of any law: the part of f is at most 2, by
    lemmaE.3.whitening; that of the noise is sigma^2 sum k / (k + r)^2 over eigenvalues k of Kt, r = n lam, at
    most sigma^2 Tr Kt / r^2; and Tr Kt <= n |sigma|^2 for plain features.
    """
    K, n = case.K, case.n
    Kt = (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T
    assume(smallest_eigenvalue(2 * (Kt + case.ridge) - K) >= 0)
    f = K @ b[:n] / maximum(1, sqrt(b[:n] @ K @ b[:n]))
    A = inverse(Kt + case.ridge)
    M = A @ Kt @ A
    size = signs(n).map(lambda sigma: ((f + noise * sigma) * ((f + noise * sigma) @ M)).sum(axis=-1))
    return at_most(E(size), 2 + noise**2 * trace(Kt) / (n * case.lam) ** 2)


def gap_of_one_hot_regression(n, ridge):
    """E l - E_n l of (6) for y = +-1 of mean 0: n points in n cells, one feature for each, lam = ridge / n^2.

    A cell with m points predicts their sum over m + ridge; K / n has the eigenvalues m / n^2. Means over
    inputs and noise.
    """
    m = quantity(lambda rng, size: rng.binomial(n, 1 / n, size))
    return E(m / (m + ridge) ** 2 + 2 * m / (m + ridge) - (m / (m + ridge)) ** 2)


@paper.lemma("lemmaE.2.explicit", section="Appendix E.1")
def generalisation_gap(n: integers(1, 300), ridge: Unit):
    """E l - E_n l of the minimiser is at most C y_0^2 / (h sqrt n), C = 10, for every ridge that Assumption
    2.2 allows; n <= 300.

    A reading of O(1 / (h sqrt n)), h = 1. Looked at for the squared loss, as the end of Appendix E.1 says,
    with f* = 0 and y = +-1, n cells and n lam <= 1 / n; x_i = e_i, and a feature w_j has its j-th
    coordinate in the support, the others far outside. The gap tends to a constant as n grows, so that no C
    will do for all laws of inputs at once.
    """
    return at_most(gap_of_one_hot_regression(n, ridge), marked(10.0, "C") / sqrt(n))


@paper.lemma("lemmaE.2.repaired", section="Appendix E.1", repairs="lemmaE.2.explicit")
def generalisation_gap_of_a_ball(n: integers(1, 60), bias: Unit, lam: Unit, delta: Unit):
    """At one point with one feature of value 1, for n <= 60, y = +-1 and the squared loss, with the ball s
    ||v||^2 <= y_0^2 / (4 lam) in F_B: E l - E_n l of the minimiser is at most 2 R + 4 c sqrt(2 log(4 / delta) /
    n) with probability 1 - delta, R a bound of R(l o F_B o S).

    Shalev-Shwartz and Ben-David (2014), Theorem 26.5, with c a bound on the loss over that ball, which
    contains the minimiser. R = 2 (r + 1) r / sqrt(n), r^2 = 1 / (4 lam).
    """
    r = 1 / (2 * sqrt(lam))
    successes = quantity(lambda rng, size: rng.binomial(n, bias, size))
    gap = successes.map(lambda k: 2 * (2 * k / n - 1) / (1 + lam) * (2 * k / n - 2 * bias))
    return P(gap <= 4 * (r + 1) * r / sqrt(n) + 4 * (r + 1) ** 2 * sqrt(2 * log(4 / delta) / n)) >= 1 - delta


@paper.step("E2.mse-remark", section="Appendix E.1, end", step_of="lemmaE.2.explicit")
def squared_loss_on_bumps(
    N: Grid,
    overlap: NonNegative,
    a: Vector(64),
    v: UnitVector("s"),
    z: Vector("s"),
    w: Vector("s"),
    y_0: Positive,
):
    """On F_B with R = 1 / (h sqrt N), for N = 4, ..., 64 bumps with h at least their distance, |f| <= G = 2
    max|w| (1.4 / h)^(1/2), and at y = y_0 the squared loss changes from f to -G by at most 2 (G + y_0) |f + G|.

    So where the weights w = sqrt(p / q) are bounded its Lipschitz constant is O(h^(-1/2)) there, by
    E2.mse-remark.constant.repaired for all |y| <= y_0. The end of Appendix E.1 says that the result holds for
    both kinds of losses. N bumps on [-1, 1]. Proof. f = a^T B (w v) with B the N x s matrix of bumps, and sum_k
    B_k(z)^2 <= 1 + sqrt(pi) h (N - 1) / 2 <= 1.4 h N. The same bound makes the complexity of F_B O((h
    n)^(-1/2)), sharper than Lemma E.1, and the product is O(1 / (h sqrt n)).
    """
    h, s = 2 / (N - 1) * (1 + overlap), len(v)
    B = exp(-((z - even_grid(N)[:, None]) ** 2) / (2 * h**2))
    a = a[:N] / maximum(1, norm(a[:N]))
    f = 2 / sqrt(s) / (h * sqrt(N)) * (a @ B) @ (w * v)
    G = 2 * abs(w).max() * sqrt(1.4 / h)
    return at_most(abs(f), G), at_most(abs((f - y_0) ** 2 - (G + y_0) ** 2), 2 * (G + y_0) * abs(f + G))


@paper.step("E2.mse-remark.constant", section="Appendix E.1, end", step_of="lemmaE.2.explicit")
def squared_loss_is_lipschitz(f: between(-1, 1), g: between(-1, 1), y: between(-1, 1)):
    """The squared loss satisfies Assumption 3.5, |l(f, y) - l(g, y)| <= L |f - g| with its L = 1, when the
    target is bounded.

    A reading with the L = 1 of Assumption 3.5 taken literally, even where all functions are as bounded as
    the target, here by 1.
    """
    return at_most(abs((f - y) ** 2 - (g - y) ** 2), abs(f - g))


@paper.step(
    "E2.mse-remark.constant.repaired",
    section="Appendix E.1, end",
    step_of="lemmaE.2.explicit",
    repairs="E2.mse-remark.constant",
)
def squared_loss_has_constant_of_the_class(f: Real, g: Real, y: Real, G: Positive, y_0: Positive):
    """For |f|, |g| <= G and |y| <= y_0 the squared loss is Lipschitz with the constant 2 (G + y_0).

    Proof. (f - y)^2 - (g - y)^2 = (f - g) (f + g - 2 y). For bumps G is O(h^(-1/2)): E2.mse-remark.
    """
    f, g, y = (maximum(-b, -maximum(-b, -x)) for x, b in ((f, G), (g, G), (y, y_0)))
    return at_most(abs((f - y) ** 2 - (g - y) ** 2), 2 * (G + y_0) * abs(f - g))


@paper.step("E2.mse-remark.range", section="Appendix E.1", step_of="lemmaE.2.explicit")
def range_of_the_class(
    B_1: Vector("s"), B_2: Vector("s"), a: UnitVector(2), v: UnitVector("s"), w: Vector("s"), R: Positive
):
    """On F_B, |f(x)| <= 2 R sqrt(N) max sqrt(p / q) for basis functions bounded by 1; for N = 2.

    Attained where all of them are 1 and all weights are equal. Bumps on a grid are not all equal to 1 at one point:
    for them E2.mse-remark has the smaller order h^(-1/2).
    """
    (B_1, B_2), s = within_one(B_1, B_2), len(v)
    f = R * 2 / sqrt(s) * ((a[0] * B_1 + a[1] * B_2) @ (w * v))
    return at_most(abs(f), 2 * R * sqrt(2) * abs(w).max())
