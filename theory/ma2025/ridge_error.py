"""Appendix E.2: the ridge regression of a function of the unit ball on random features
(Lemmas E.3 and E.5).
"""

from boundcheck import (
    Count,
    Matrix,
    P,
    Positive,
    Simplex,
    SquareMatrix,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    loewner,
    log,
    maximum,
    norm,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool
from boundcheck.words.functions import identity

from . import paper

RARITY = 100
"""One feature in 100 is the one that does not vanish: its count is nearly a Poisson variable."""


SHARP = 2 / (1 - log(2))
"""6.518, the least factor that will do for every delta."""


def enough_features(d_tilde, d_K, delta, C: float = 5):
    """The number of features of Lemma E.3, and so of Corollaries 3.3 to 3.8;
    d_tilde = max|sigma_tilde|^2 / lam for plain ones.
    """
    return C * d_tilde * log(16 * d_K / delta)


def resolvent(K, f, lam):
    """(K + n lam I)^-1 f; f (n,)."""
    n = len(f)
    return solve(K + n * lam * identity(n), f[:, None])[:, 0]


def objective(Z, f, v, lam):
    """(1/n) ||Z v - f||^2 + lam s ||v||^2."""
    return norm(Z @ v - f) ** 2 / len(f) + lam * Z.shape[1] * (v @ v)


@paper.identity("lemmaE.3.closed-form", section="Appendix E.2, proof of Lemma E.3")
def minimiser_and_value(Z: Matrix("n", "s"), f: Vector("n"), v: Vector("s"), lam: Positive):
    """The minimiser of (12) is (1/s) Z^T (Kt + n lam I)^-1 f; its fit and its penalty are as printed, and their
    sum is lam f^T (Kt + n lam I)^-1 f.
    """
    n, s = Z.shape
    a = resolvent(Z @ Z.T / s, f, lam)
    v_0 = Z.T @ a / s
    return (
        equal(norm(Z @ v_0 - f) ** 2 / n, n * lam**2 * (a @ a)),
        equal(lam * s * (v_0 @ v_0), lam * (f @ a) - n * lam**2 * (a @ a)),
        equal(objective(Z, f, v_0, lam), lam * (f @ a)),
        at_most(lam * (f @ a), objective(Z, f, v, lam)),
    )


@paper.identity("lemmaE.3.woodbury", section="Appendices D.1 and E.2")
def minimiser_as_printed(Z: SquareMatrix("n"), f: Vector("n"), lam: Positive):
    """(1/s) (Kt + n lam I)^-1 Z^T f = (1/s) Z^T (Kt + n lam I)^-1 f, with the n x n matrix Kt on both sides;
    s = n.
    """
    Kt, s = Z @ Z.T / Z.shape[1], Z.shape[1]
    return equal(resolvent(Kt, Z.T @ f, lam) / s, Z.T @ resolvent(Kt, f, lam) / s)


@paper.identity("lemmaE.3.woodbury.repaired", section="Appendices D.1 and E.2", repairs="lemmaE.3.woodbury")
def minimiser_by_push_through(Z: Matrix("n", "s"), f: Vector("n"), lam: Positive):
    """(1/s) (Z^T Z / s + n lam I_s)^-1 Z^T f = (1/s) Z^T (Z Z^T / s + n lam I_n)^-1 f. Proof: multiply by
    both matrices.
    """
    n, s = Z.shape
    left = solve(Z.T @ Z / s + n * lam * identity(s), (Z.T @ f)[:, None])[:, 0] / s
    return equal(left, Z.T @ resolvent(Z @ Z.T / s, f, lam) / s)


@paper.step("lemmaE.3.whitening", section="Appendix E.2, proof of Lemma E.3", step_of="lemmaE.3")
def value_on_the_event(case: FeaturePool, share: Vector(3), b: Vector(3), eps: Unit):
    """If the whitened deviation is at least -eps, 0 < eps < 1, then f^T (Kt + n lam I)^-1 f <= f^T (K + n lam
    I)^-1 f / (1 - eps) <= 1 / (1 - eps) for f of the unit ball.

    share_v^2 p_v is the share of feature v in Kt; f = K b / max(1, ||.||).
    """
    share, b, K = share[: len(case.p)], b[: case.n], case.K
    f = K @ b / maximum(1, sqrt(b @ K @ b))
    Kt = (case.Z * (case.p * share**2)) @ case.Z.T
    assume(smallest_eigenvalue(Kt - K + eps * (K + case.ridge)) >= 0)
    value, ideal = f @ resolvent(Kt, f, case.lam), f @ resolvent(K, f, case.lam)
    return at_most((1 - eps) * value, ideal), at_most(ideal, 1)


@paper.step("E3.5-vs-16-3", section="Appendix E.2, proof of Lemma E.3", step_of="lemmaE.3")
def factor_five(eps: Unit):
    """At eps = 1/2 the factor 1 / eps^2 + 2 / (3 eps) of Lemma E.4 is at most the 5 of Lemma E.3."""
    assume(eps == 1 / 2)
    return at_most(1 / eps**2 + 2 / (3 * eps), 5)


@paper.step(
    "E3.5-vs-16-3.repaired",
    section="Appendix E.2, proof of Lemma E.3",
    step_of="lemmaE.3",
    repairs="E3.5-vs-16-3",
)
def factor_of_the_lower_side(eps: Unit):
    """At eps = 1/2 the factor 1 / ((1 - eps) log(1 - eps) + eps) of lemmaE.4.lower is 2 / (1 - log 2),
    between 6.5 and 6.6.
    """
    assume(eps == 1 / 2)
    factor = 1 / ((1 - eps) * log(1 - eps) + eps)
    return equal(factor, SHARP), at_most(6.5, factor), at_most(factor, 6.6)


def value_at_one_point(factor, lam, delta):
    """lam f Kt^-1 f at one point, K = 1, with s = factor * d_tilde log(16 d_K / delta) features.

    One feature in RARITY does not vanish at the point; l_tilde is RARITY - 1 leverage scores on the others.
    """
    d_K = 1 / (1 + lam)
    s = at_least(enough_features(RARITY * d_K, d_K, delta, factor), Count)
    Kt = RARITY * quantity(lambda rng, size: rng.binomial(s, 1 / RARITY, size)) / s
    return lam / (Kt + lam)


@paper.lemma("lemmaE.3", section="Appendix E.2")
def ridge_error(lam: between(0, 0.001), t: between(1, 22)):
    """With s >= 5 d_tilde log(16 d_K / delta) features, (12) is at most 2 lam with probability 1 - delta for a
    given f of the unit ball.

    Looked at for n = 1, K = 1, f = 1, lam <= .001 and delta = exp(-t) from e^-22 to 1 / e, where one feature
    in 100 does not vanish at the point; n copies of the point change nothing, since K / n keeps its
    eigenvalue. The density q puts mass on features that vanish at the points, as l_tilde >= l_lam allows. In
    this design the lemma stands for delta above 3.2e-9, with rarer features it fails at 4.4e-9.
    """
    delta = exp(-t)
    return P(value_at_one_point(5, lam, delta) <= 2 * lam) >= 1 - delta


@paper.lemma("lemmaE.3.leverage", section="Appendix E.2")
def ridge_error_with_leverage_weights(cells: integers(2, 100), lam: between(0, 0.001), t: between(1, 38)):
    """With q = l_lam / d_K itself, s >= 5 d_K log(16 d_K / delta) features make (12) at most 2 lam with
    probability 1 - delta for a given f of the unit ball.

    Looked at for K = I, every point with a feature of its own: d_K = n / (1 + n lam), q = 1 / n,
    Kt = n counts / s, f = e_1, n <= 100, lam <= .001 and delta from e^-38 to 1 / e.
    """
    n, delta = cells, exp(-t)
    assume(n * lam <= 1)
    d_K = n / (1 + n * lam)
    s = at_least(enough_features(d_K, d_K, delta), Count)
    Kt = n * quantity(lambda rng, size: rng.binomial(s, 1 / n, size)) / s
    return P(lam / (Kt + n * lam) <= 2 * lam) >= 1 - delta


@paper.lemma("lemmaE.3.repaired", section="Appendix E.2", repairs="lemmaE.3")
def ridge_error_repaired(lam: between(0, 0.001), t: between(0, 200)):
    """At one point, K = 1, where one feature in 100 does not vanish, lam <= .001 and delta >= e^-200, with 2
    / (1 - log 2) = 6.52 in place of 5, (12) is at most 2 lam with probability 1 - delta for f = 1, and so for
    all f of the unit ball at once.

    Proof. lemmaE.4.lower at eps = 1/2, then lemmaE.3.whitening. No smaller factor will do as delta -> 0:
    here s / RARITY features are counted, and a Poisson variable of mean m is below m / 2 with
    probability exp(-m (1 - log 2) / 2 + o(m)).
    """
    delta = exp(-t)
    return P(value_at_one_point(SHARP, lam, delta) <= 2 * lam) >= 1 - delta


@paper.lemma("lemmaE.5", section="Appendix E.2.1")
def values_of_unit_ball(case: FeaturePool, g: Vector(3)):
    """If ||f||_H <= 1 then f^T K^-1 f <= 1 for the vector f of its values.

    Every such f is sum_v p_v g_v z_v with E g^2 <= 1; a singular K is read as the limit of K + n lam I.
    """
    g = g[: len(case.p)]
    assume((case.p * g * g).sum() <= 1)
    f = case.Z @ (case.p * g)
    return at_most(f @ resolvent(case.K, f, case.lam), 1)


@paper.step("lemmaE.5.E-v-squared", section="Appendix E.2.1", step_of="lemmaE.5")
def values_are_dominated(Z: Matrix("n", "m"), p: Simplex("m"), v: Vector("m"), e: Vector("n")):
    """f f^T <= K, by Cauchy-Schwarz: (E [sum e_i sigma_i v])^2 <= E [sum e_i sigma_i]^2 E v^2 <= e^T K e.

    The paper's E_w[X]^2 is E X^2, as the middle factor shows; so its E_w[v]^2 <= 1 is the E v^2 <= 1 of
    Section 2.1.
    """
    assume((p * v * v).sum() <= 1)
    f, K = Z @ (p * v), (Z * p) @ Z.T
    g = e @ Z
    return at_most((p * g * v).sum() ** 2, (p * g * g).sum()), loewner(f[:, None] * f[None, :], K)


@paper.step("lemmaE.5.trace-step.inverse", section="Appendix E.2.1, proof of Lemma E.5", step_of="lemmaE.5")
def inverses_reverse_the_order(ridge: Positive, f: Vector(2)):
    """If f f^T <= K then K^-1 <= (f f^T)^+, the pseudo-inverse, which would give the first inequality of the
    display.

    A reading: the paper gives no reason for it. K = f f^T + ridge I.
    """
    assume(f @ f > 0)
    F = f[:, None] * f[None, :]
    K = F + ridge * identity(2)
    return loewner(solve(K, identity(2)), F / (f @ f) ** 2)


@paper.step(
    "lemmaE.5.trace-step", section="Appendix E.2.1", step_of="lemmaE.5", repairs="lemmaE.5.trace-step.inverse"
)
def trace_of_outer_product(M: SquareMatrix("n"), b: Vector("n"), ridge: Positive):
    """If f f^T <= K, f not 0, then Tr f f^T K^-1 <= Tr f f^T (f f^T)^+ = 1.

    Inverses do not reverse the order where the smaller matrix is singular, and the paper does not say
    why its first step may use it; the inequality of the two traces is looked at. K = M M^T + ridge,
    f = K b / max(1, ||.||), so that f f^T <= K.
    """
    K = M @ M.T + ridge * identity(len(b))
    f = K @ b / maximum(1, sqrt(b @ K @ b))
    assume(f @ f > 0)
    F = f[:, None] * f[None, :]
    pseudo = trace(F @ F) / (f @ f) ** 2
    return loewner(F, K), at_most(trace(solve(K, F)), pseudo), equal(pseudo, 1)
