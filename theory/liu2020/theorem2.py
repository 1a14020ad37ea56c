"""Section 4.2, Theorem 2: the risk of Algorithm 1, and the steps (20) and (21) of its proof.

O(1 / sqrt(n)) has no constant: (19) and (20) are decided as n grows, where it tends to zero.
"""

from boundcheck import (
    Count,
    Matrix,
    P,
    Positive,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    log,
    maximum,
    norm,
    opnorm,
    quantity,
    smallest_eigenvalue,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import paper
from .surrogate_leverage import FourierFeatures, SymmetricLaw
from .theorem1 import enough_features

Ridge = between(0.1, 0.5)
Risk = between(0.5, 1)
"""Ridges and deltas for which all draws of 7 log(16 d_K) / (lam delta) features can be enumerated."""


def size_of_pool(lam, d_K, delta):
    """The number of plain features of Theorem 2, z0 = 1."""
    return 7 * log(16 * d_K) / (lam * delta)


def enough_for_both(lam, D, d_K, delta):
    """The number of features that does for the pool and for Theorem 1, lam* = lam."""
    return maximum(size_of_pool(lam, d_K, delta), enough_features(D, d_K, delta))


def excess_risk(w, r, lam):
    """E (f - f_rho)^2 for ridge regression with shares w_1 and w_2 of z_1 and z_2 in Ktilde, in the limit of
    many examples.

    f_rho = c (z_1 - r z_2), where E z_1 z_2 = r, and c makes it a unit vector for the shares 1/2:
    2 c^2 (1 + r^2) = 1. The coefficients of f - f_rho are -c lam (diag(w) G + lam I)^-1 (1, -r), G the Gram
    matrix of z_1 and z_2.
    """
    determinant = (w[0] + lam) * (w[1] + lam) - w[0] * w[1] * r**2
    a, b = lam * (w[1] + lam + w[0] * r**2) / determinant, -lam * r * (w[0] + w[1] + lam) / determinant
    return (a * a + 2 * r * a * b + b * b) / (2 * (1 + r**2))


@paper.theorem("thm2.explicit", section="Section 4.2, Eq. (19)")
def risk_of_algorithm1(lam: Unit, r: Unit):
    """With features from Algorithm 1 the excess risk is at most 2 lam + 2 lam* + O(1 / sqrt(n)),
    with probability 1 - delta.

    A reading: features are resampled by (15), as line 2 of Algorithm 1 has it and not by (12),
    which Section 4.2 also allows; and it is decided as n grows at fixed lam* = lam, for noiseless
    labels f_rho and inputs on {0, 1}^2 with E z_1 z_2 = r, where z_i = (-1)^x_i, p = (1/2, 1/2), so that
    lambda_1 / n = (1 + r) / 2. f_rho = c (z_1 - r z_2), a unit vector, has E f_rho z_2 = 0: z_2 is needed,
    but not correlated with the labels, and never drawn by (15). Whatever is drawn, the risk is at least that
    of the best multiple of z_1, c^2 r^2 (1 - r^2). For lam = lam* = 1 / sqrt(n) it fails, too: y^T z_2 is
    of the order sqrt(n), the resampling probability of z_2 of the order 1 / n, and s of the order sqrt(n),
    so that z_2 is drawn with probability O(1 / sqrt(n)): no constant in (19) will do. findings_risk.py has
    the numbers.
    """
    assume(lam <= (1 + r) / 2)
    return at_most(r**2 * (1 - r**2) / (2 * (1 + r**2)), 2 * lam + 2 * lam)


@paper.theorem("thm2.repaired", section="Section 4.2, Eq. (19)", repairs="thm2.explicit")
def risk_with_the_identity(lam: Ridge, r: between(0.1, 0.9), delta: Risk, pool: between(0.25, 0.75)):
    """With resampling by (12), with n I, the excess risk in the design of thm2.explicit is at most 2 lam + 2
    lam* with probability 1 - delta, as n grows; for E z_1 z_2 from .1 to .9, a share of z_1 in the pool from
    1/4 to 3/4, lam* = lam from .1 to .5 and delta from .5 to 1.

    The number of features is that of Theorem 2 at D = 2 / lam and d = 2, the largest there are. Proof. Each
    weight is at most 2, as the mean square of f_rho is at most 1, so that feature i is drawn with probability
    at least pool_i / 2 >= 1 / 8; its share in Ktilde has mean pool_i >= 1 / 4, and by Bernstein is at least 1
    / 8 but for probability delta, s being at least 10 log(32) / (lam delta). Then Ktilde >= K / 4, and the
    risk is at most lam f_rho^T (Ktilde + lam)^-1 f_rho <= 4 lam. It comes nowhere near: delta stands outside
    of the logarithm of Theorem 2, which makes its number 1 / delta times too large, and ridges small enough
    for 4 lam to matter ask for more draws than can be enumerated. That the bound can fail at all is
    thm2.explicit.
    """
    D, d_K = 2 / lam, 2  # the largest there are, for a mean square of the labels of at most 1
    s = at_least(enough_for_both(lam, D, d_K, delta), Count)
    a = (1 - r**2) ** 2 / (2 * (1 + r**2)) + 1
    A = pool * a + 1 - pool
    count = quantity(lambda rng, size: rng.binomial(s, pool * a / A, size))
    shares = count / s * A / a, (s - count) / s * A
    return P(excess_risk(shares, r, lam) <= 2 * lam + 2 * lam) >= 1 - delta


@paper.theorem("thm2.general", section="Section 4.2, Eq. (19)", repairs="thm2.explicit")
def ridge_error_in_general(
    case: FourierFeatures, pool: Vector(4), drawn: Vector(4), b: Vector(4), lam_star: Positive
):
    """On two events, resampled by (12), the ridge error at the inputs, lam* f^T (Ktilde + n lam* I)^-1 f, is
    at most 2 lam + 4 lam* for all f of the unit ball, without noise.

    Each has probability 1 - delta: K <= 2 (Khat + n lam I) for the kernel Khat of l >= (28 / 3) log(16 d_K /
    delta) / lam plain features, and Khat <= 2 (Ktilde + n lam* I) for s >= (28 / 3) D log(16 d / delta)
    features resampled by (12), D and d those of Khat at lam*, by lem1.proved at eps = 1 / 2, where D <= (1 +
    max y^2) / lam* and the pool's law stands for p; n lam <= lambda_1(K) and n lam* <= lambda_1(Khat) as
    there. Proof. Then K <= 4 (Ktilde + n r I), r = lam* + lam / 2, and r f^T (Ktilde + n r I)^-1 f <= 4 r;
    the ridge error increases with the ridge. With noise this is open: (12) draws by the noisy labels. Out of sample
    see li2021.theorem9.step15.sample, with N = l: in a ball of radius y_0 / (2 lam*^(1/2)) that is of the order
    n^(-1/4) at lam* = n^(-1/2), not the printed n^(-1/2).
    """
    assume(pool @ pool > 0)
    f = case.K @ b[: case.n] / maximum(1, sqrt(b[: case.n] @ case.K @ b[: case.n]))
    Khat, Kt = case.real(case.p * pool**2), case.real(case.p * pool**2 * drawn**2)
    ridge = case.n * lam_star * identity(case.n)
    assume(smallest_eigenvalue(2 * (Khat + case.ridge) - case.K) >= 0)
    assume(smallest_eigenvalue(2 * (Kt + ridge) - Khat) >= 0)
    return at_most(lam_star * (f @ solve(Kt + ridge, f[:, None])[:, 0]), 2 * case.lam + 4 * lam_star)


@paper.step("thm2.eq20.explicit", section="Section 4.2, Eq. (20)", step_of="thm2.explicit")
def risk_of_the_pool(p: Unit, lam: Ridge, delta: Risk):
    """With s >= 7 z0^2 log(16 d_K) / (lam delta) plain features the excess risk of f_alpha is at most 2 lam +
    O(1 / sqrt(n)) with probability 1 - delta; as n grows, without noise, where f_rho is one eigenfunction, lam
    from .1 to .5 and delta from .5 to 1.

    It is f_rho = sqrt(p) z, fixed before the features are drawn; the other features make lambda_1 large
    enough. d_K is replaced by 1 / 2, its least value. z0 = 1 bounds |exp(-i w^T x)|: by the definition of z_p
    after (2) it would be 1 / sqrt(s), and s the square root of this, which is too few.
    """
    s = at_least(size_of_pool(lam, 1 / 2, delta), Count)
    share = quantity(lambda rng, size: rng.binomial(s, p, size)) / s
    return P(p * (lam / (share + lam)) ** 2 <= 2 * lam) >= 1 - delta


@paper.step("thm2.eq20.scale", section="Section 4.2, Theorem 2 and Eq. (20)", step_of="thm2.explicit")
def risk_of_the_pool_by_the_letter(p: between(0, 0.01), lam: between(0, 0.01), delta: between(0.01, 0.2)):
    """(20) for the z0 of the text, a bound on |z_p(w, x)|, which is 1 / sqrt(s) by the definition after (2),
    with probability 1 - delta; for lam and the share of a feature up to .01, and delta from .01 to .2.

    Then s >= 7 z0^2 log(16 d_K) / (lam delta) asks for the root of its right-hand side at z0 = 1. In the
    design of thm2.eq20.explicit; d_K <= 1 / lam bounds the number from above.
    """
    s = at_least(sqrt(size_of_pool(lam, 1 / lam, delta)), Count)
    share = quantity(lambda rng, size: rng.binomial(s, p, size)) / s
    return P(p * (lam / (share + lam)) ** 2 <= 2 * lam) >= 1 - delta


@paper.step("thm2.eq21.unit_ball", section="Section 4.2, Eq. (21)", step_of="thm2.explicit")
def best_function_of_the_pool(p: Unit, lam: Ridge, delta: between(0.01, 0.1)):
    """Theorem 1 applies to the pool's kernel: the best function of its space lies in the unit ball, with
    probability 1 - delta; for lam from .1 to .5 and delta from .01 to .1.

    The paper does not say so, but applies Theorem 1, whose hypothesis it is. Decided for k = p z z^* + (1 -
    p) z' z'^* with z and z' orthogonal, f_rho = sqrt(p) z, a unit vector, and a pool of 7 log(16 d_K) / (lam
    delta): if z is in the pool with share N / l, then the best function is f_rho, of squared norm p l / N
    there; if not, it is 0. (That the paper later has it minimal over H is thm2.eq21.space.) N < p l about
    every other time, whatever l.
    """
    assume(lam <= maximum(p, 1 - p))
    d_K = p / (p + lam) + (1 - p) / (1 - p + lam)
    l = at_least(size_of_pool(lam, d_K, delta), Count)
    N = quantity(lambda rng, size: rng.binomial(l, p, size))
    return P((N >= p * l) | (N <= 0)) >= 1 - delta


@paper.step(
    "thm2.eq21.repaired",
    section="Section 4.2, Eq. (21)",
    repairs="thm2.eq21.unit_ball",
    step_of="thm2.repaired",
)
def good_function_of_the_pool(p: Unit, lam: Ridge, delta: Risk):
    """For two orthogonal features and f_rho along one of them some function of the pool's space with squared
    norm at most 2 has an excess risk of at most 2 lam, with probability 1 - delta; for pools of 8 (1 / lam +
    1 / 6) log(4 / delta) or more, lam from .1 to .5 and delta from .5 to 1.

    Proof. K <= 2 (Ktilde + n lam I) on the event (18), eps = 1 / 2; then li2021.lemma22.final. Here: t z with
    t^2 <= 2 N / l, at the distance |sqrt(p) - t|. So Theorem 1 can be used for that function in place of the
    best one, with squared norm 2 for 1.
    """
    l = at_least(8 * (1 / lam + 1 / 6) * log(8 / 2 / delta), Count)
    N = quantity(lambda rng, size: rng.binomial(l, p, size))
    return P(2 * N / l >= maximum(0, sqrt(p) - sqrt(2 * lam)) ** 2) >= 1 - delta


@paper.step("thm2.eq21.space", section="Section 4.2, before 'Combining'", step_of="thm2.explicit")
def best_over_the_space_of_the_kernel(p: Unit, absent: between(0, 1)):
    """f_Htilde, the best function of the pool's space, achieves the minimal risk over H, as printed,
    where Htilde is meant.

    Decided for f_rho = sqrt(p) z in H and a pool that lacks z: the best function of its space has the risk
    p, f_rho has 0. absent is the share of the other features, which are orthogonal to z.
    """
    assume(absent > 0)
    return at_most(p, 0)


@paper.step(
    "thm2.eq21.space.repaired",
    section="Section 4.2, before 'Combining'",
    repairs="thm2.eq21.space",
    step_of="thm2.repaired",
)
def best_over_the_space_of_the_pool(Z: Matrix("n", 2), f: Vector("n"), beta: Vector(2)):
    """f_Htilde achieves the minimal risk over Htilde, so that it has no more than f_alpha, which lies there; on
    n points, for two features.

    Proof: its definition. Inputs uniform on n points, two features of the pool that are linearly independent
    there, and any other function Z beta of its space.
    """
    assume(smallest_eigenvalue(Z.T @ Z) > 0)
    best = Z @ solve(Z.T @ Z, (Z.T @ f)[:, None])[:, 0]
    return at_most(norm(f - best) ** 2, norm(f - Z @ beta) ** 2)


def surrogate_and_dimension(case, Khat):
    """D and d of the pool's kernel, as (10) and (5) have them with K."""
    D = (case.y @ Khat @ case.y + case.n * trace(Khat)) / (case.n**2 * case.lam)
    return D, trace(solve(Khat + case.ridge, Khat))


@paper.step("thm2.eq21.tilde", section="Section 4.2, before Eq. (21)", step_of="thm2.explicit")
def features_for_the_kernel_of_the_pool(case: FourierFeatures, pool: SymmetricLaw):
    """5 D_K log(16 d_K) / delta, with K as printed, is enough features for Theorem 1 on the kernel of the
    pool, which is applied to it: no fewer than with that kernel for K.

    pool holds the shares of the features in it; lam stands for lam*, n lam <= lambda_1 for both kernels.
    """
    Khat = case.real(pool)
    assume(case.n * case.lam <= case.largest_eigenvalue)
    assume(case.n * case.lam <= opnorm(Khat))
    D, d = surrogate_and_dimension(case, Khat)
    return at_most(D * log(16 * d), case.D * log(16 * case.d_eff))


@paper.step(
    "thm2.eq21.tilde.repaired",
    section="Section 4.2, before Eq. (21)",
    repairs="thm2.eq21.tilde",
    step_of="thm2.repaired",
)
def features_for_any_pool(case: FourierFeatures, pool: SymmetricLaw):
    """(1 + max y^2) / lam* log(16 / lam*) is no less than D log(16 d), whatever the pool with d >= 1 / 16: D
    <= (1 + max y^2) / lam* and d <= 1 / lam*.

    Proof. All kernels have k(0) = 1, so that the trace is n, y^T Khat y <= n ||y||^2 and d <= n / (n lam*).
    """
    D, d = surrogate_and_dimension(case, case.real(pool))
    assume(d >= 1 / 16)
    return at_most(D * log(16 * d), (1 + (case.y**2).max()) / case.lam * log(16 / case.lam))


@paper.step("thm2.union", section="Section 4.2, proof of Theorem 2", step_of="thm2.explicit")
def two_events(delta: between(0.01, 0.3), a: Unit, b: Unit):
    """For delta from .01 to .3, two events of probability at least 1 - delta each hold together with probability
    at least 1 - delta.

    Decided for independent events that fail with probability a delta and b delta.
    """
    first, second = (quantity(lambda rng, size, p=p: rng.random(size) < p) for p in (a * delta, b * delta))
    return P((first <= 0) & (second <= 0)) >= 1 - delta


@paper.step(
    "thm2.union.repaired",
    section="Section 4.2, proof of Theorem 2",
    repairs="thm2.union",
    step_of="thm2.repaired",
)
def two_events_repaired(delta: Unit, a: Unit, b: Unit):
    """Two events of probability at least 1 - delta each hold together with probability at least 1 - 2 delta,
    by the union bound; decided for independent ones.
    """
    first, second = (quantity(lambda rng, size, p=p: rng.random(size) < p) for p in (a * delta, b * delta))
    return P((first <= 0) & (second <= 0)) >= 1 - 2 * delta
