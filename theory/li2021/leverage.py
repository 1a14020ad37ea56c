"""Sections 2.1 and 2.2: the representer theorem, unbiased features, the norm of a function, and ridge
leverage scores; Assumption 3, and the predictions of Section 3.1.
"""

from boundcheck import (
    E,
    Matrix,
    Positive,
    Real,
    Simplex,
    Unit,
    Vector,
    assume,
    at_most,
    cos,
    equal,
    less,
    norm,
    pi,
    sin,
    solve,
    trace,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import Few, paper


@paper.identity("eq1.representer", section="Section 2.1, Eq. (1)")
def representer(Phi: Matrix("n", "m"), w: Vector("m"), y: Vector("n"), lam: Positive):
    """Ridge regression over the whole space is solved by a combination of the kernel at the training points.

    Squared loss; the rows of Phi are the feature vectors of the training points, f = <w, phi> is any
    competitor.
    """
    n, K = len(y), Phi @ Phi.T
    alpha = solve(K + n * lam * identity(n), y[:, None])[:, 0]
    ours = norm(y - K @ alpha) ** 2 / n + lam * (alpha @ K @ alpha)
    return at_most(ours, norm(y - Phi @ w) ** 2 / n + lam * (w @ w))


@paper.step("eq1.loss", section="Section 2.1, Eq. (1)", step_of="eq1.representer")
def representer_for_any_loss(Phi: Matrix("n", "m"), w: Vector("m"), lam: Positive):
    """The combination of the kernel at the training points with coefficients (K + lam I)^-1 f misses the
    values f of a function there by lam times these coefficients, and has no larger norm.

    So combinations come as near to f at the points as one likes, as lam falls, and for every loss one does as well.
    """
    K, f = Phi @ Phi.T, Phi @ w
    alpha = solve(K + lam * identity(len(f)), f[:, None])[:, 0]
    return equal(f - K @ alpha, lam * alpha), at_most(alpha @ K @ alpha, w @ w)


@paper.identity("eq2.real_part", section="Section 2.2, Eq. (2)")
def imaginary_part_may_be_ignored(v: Vector("m"), p: Simplex("m"), x: Real, y: Real):
    """A real shift-invariant kernel on the line, with a spectral measure on m points, is the mean of z(v, x)
    z(v, y) with real features z.

    The features are sqrt(2) cos(2 pi v x + b), b = 0 or -pi / 2 with equal probability. The paper cites
    Rahimi and Recht (2007) for ignoring the imaginary part; cos(2 pi v x) alone would not do.
    """
    k = (p * cos(2 * pi * v * (x - y))).sum()
    cosines = 2 * cos(2 * pi * v * x) * cos(2 * pi * v * y)
    sines = 2 * sin(2 * pi * v * x) * sin(2 * pi * v * y)
    return equal((p * (cosines + sines) / 2).sum(), k)


@paper.identity("eq4.unbiased", section="Section 2.2, Eqs. (3), (4)")
def plain_features_are_unbiased(case: FeaturePool, s: Few):
    """The approximate kernel of up to 3 plain features of a finite pool is unbiased."""
    return equal(E(case.Kt(s, case.p)), case.K)


@paper.identity("sec2.weighted_unbiased", section="Section 2.2")
def weighted_features_are_unbiased(case: FeaturePool, s: Few):
    """The approximate kernel of up to 3 features of a finite pool drawn from q with weights sqrt(p / q) is
    unbiased.
    """
    return equal(E(case.Kt(s, case.q)), case.K)


@paper.lemma("eq5.norm", section="Section 2.2, Eq. (5)")
def norm_is_least_norm_of_representations(case: FeaturePool, c: Vector(3)):
    """Every f = sum_i c_i k(x_i, .) is f = sum_v p_v g_v z_v for a g with ||g||^2 = c^T K c = ||f||^2.

    The rows of Z are all points of X. That no g has less is eq5.every_g.
    """
    c, K = c[: case.n], case.K
    g = c @ case.Z
    return equal(case.Z @ (case.p * g), K @ c), equal((case.p * g * g).sum(), c @ K @ c)


@paper.lemma("eq5.every_g", section="Section 2.2, Eq. (5) and footnote 2")
def every_g_gives_a_function(case: FeaturePool, g: Vector(3), c: Vector(3)):
    """Every g in L2 gives an f = sum_v p_v g_v z_v in the space, and ||f|| <= ||g||.

    ||f||^2 is the supremum of (c^T f)^2 / c^T K c (Aronszajn 1950). Footnote 2 says that some g
    may give no f.
    """
    c, g = c[: case.n], g[: len(case.p)]
    f = case.Z @ (case.p * g)
    return at_most((c @ f) ** 2, (c @ case.K @ c) * (case.p * g * g).sum())


@paper.remark("footnote2", section="Section 2.2, footnote 2")
def some_g_gives_no_function(z: Vector("n"), g: Positive):
    """By the letter: some g in L2 has no f = sum_v p_v g_v z_v in the space. Here of a single feature z, for
    which all g are alike, being multiples of 1: f has a larger norm than g.

    In the space of K = z z^T the multiple f of z has the squared norm (f^T z)^2 / (z^T z)^2.
    """
    assume(z @ z > 0)
    return less(g**2, (g * z @ z) ** 2 / (z @ z) ** 2)


@paper.remark("footnote2.least", section="Section 2.2, footnote 2", repairs="footnote2")
def not_every_g_is_the_least(z: Vector("n"), p: Unit):
    """Not every g in L2 has an f of its norm: for a feature that stands twice, some g != 0 gives f = 0.

    What may be meant, and why (5) has a minimum; that every g has some f is eq5.every_g. The two features
    have the probabilities p and 1 - p.
    """
    g = 1 - p, -p
    return equal(p * g[0] * z + (1 - p) * g[1] * z, 0 * z), less(0, p * g[0] ** 2 + (1 - p) * g[1] ** 2)


@paper.lemma("eq6.bound", section="Section 2.2, after Eq. (6)")
def leverage_is_bounded(case: FeaturePool):
    """A ridge leverage score is at most p z0^2 / lam."""
    return at_most(case.leverage, case.p * case.z0**2 / case.lam)


@paper.identity("eq6.integral", section="Section 2.2, after Eq. (6)")
def leverage_sums_to_effective_dimension(case: FeaturePool):
    """The ridge leverage scores sum to Tr K (K + n lam I)^-1."""
    return equal(case.leverage.sum(), trace(solve(case.K + case.ridge, case.K)))


@paper.lemma("qstar.density", section="Section 2.2")
def leverage_distribution(case: FeaturePool):
    """q* = leverage / effective dimension is a probability distribution."""
    q = case.leverage / trace(solve(case.K + case.ridge, case.K))
    return at_most(0, q), equal(q.sum(), 1)


@paper.lemma("assumption3.lower_dK", section="Section 3, Assumption 3")
def effective_dimension_is_not_small(case: FeaturePool):
    """Assumption 3 makes lambda_1 / (lambda_1 + n lam), and so the effective dimension, at least 1 / 2."""
    lambda_1, n_lam = case.largest_eigenvalue, case.n * case.lam
    assume(n_lam <= lambda_1)
    return at_most(1 / 2, lambda_1 / (lambda_1 + n_lam)), at_most(lambda_1 / (lambda_1 + n_lam), case.d_eff)


@paper.identity("krr.linear", section="Section 3.1")
def ridge_regression_with_features(Z: Matrix("n", "s"), y: Vector("n"), lam: Positive):
    """Kt (Kt + n lam I)^-1 y = Z beta with beta = (Z^T Z + n s lam I)^-1 Z^T y."""
    n, s = Z.shape
    Kt = Z @ Z.T / s
    beta = solve(Z.T @ Z + n * s * lam * identity(s), (Z.T @ y)[:, None])[:, 0]
    return equal(Kt @ solve(Kt + n * lam * identity(n), y[:, None])[:, 0], Z @ beta)
