"""Section 3.1 and Appendices B and D.1: Theorem 3.2 and the steps of its proof, for the squared loss."""

from boundcheck import (
    Count,
    E,
    Matrix,
    P,
    Positive,
    Unit,
    Vector,
    assume,
    at_least,
    at_most,
    between,
    equal,
    exp,
    integers,
    log,
    marked,
    maximum,
    minimum,
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
from .ridge_error import enough_features

LEVELS = 6


def mass_seen_once(n):
    """A lower bound on the mean probability of those cells that n inputs hit exactly once.

    Law of the inputs, the same for all n: level l = 1, 2, ... has mass 2^-l on 2^(15 l) cells,
    each of mass q = 2^(-16 l). The mean is sum_l 2^-l n q (1 - q)^(n - 1), and log(1 - q) >= -q / (1 - q).
    At n = 2^(16 l), l <= 6, it is about n^(-1/16) / e.

    The cells are inputs x_j = (1, j, j^2) with features w_i = (i^2 + 1, -2 i, 1): w_i . x_j = 1 + (i - j)^2,
    so that an activation supported on (0, 2) gives one-hot features of the cells, in three dimensions.
    """
    levels = [(2.0**-l, 2.0 ** (-16 * l)) for l in range(1, LEVELS + 1)]
    return sum(mass * n * q * exp(-(n - 1) * q / (1 - q)) for mass, q in levels)


@paper.theorem("theorem3.2.explicit", section="Section 3.1")
def excess_risk(level: integers(1, 5), sigma: Unit):
    """Whatever lam in [0, lambda_1], the excess risk is at most 4 lam + C y_0^2 / (h sqrt n) + 2 eps,
    with C = 100; here for one law, as lam -> 0.

    A reading: the paper has O(1 / (h sqrt n)) and lam = o(1), does not say what the constant may depend on,
    and is not decided. Here lam -> 0 at n = 2^(16 level), eps = n^(-1/3), 1/h = ((1/eps) log(1/eps))^1/2 and
    |y| <= y_0 = 1, for one law of inputs and features; delta = 1 / n and s >= 5 d_tilde log(16 d / delta) as
    large as one likes, for any q. f* = 0 and y is noise of variance sigma^2, bounded: of Assumption 3.1 only
    the variance matters. For all a the regularised empirical risk is at most its value at a_tilde, which
    tends to its least value as lam -> 0: in a cell seen once the prediction tends to y, which costs sigma^2.
    As n grows no C will do where lam falls fast enough: n^(-1/16) is above n^(-1/3) (log n)^1/2.
    """
    n = 2.0 ** (16 * level)
    eps = n ** (-1 / 3)
    bound = marked(100.0, "C") * sqrt(log(1 / eps) / eps) / sqrt(n) + 2 * eps
    return at_most(sigma**2 * mass_seen_once(n), bound)


@paper.step("corollary3.4.event", section="Section 3.1", step_of="theorem3.2.explicit")
def event_with_plain_features(p: between(0.1, 0.5), share: between(0.2, 1), t: between(0, 40)):
    """With s >= 5 max|sigma_tilde|^2 / lam log(16 d / delta) plain features the event K <= 2 (Khat + n lam I)
    has occurred with probability 1 - delta; for two points, activations (1, 1) and (1, -1) with probabilities
    1 - p and p, p from .1 to .5, and lam from p / 10 to p / 2.

    K has the eigenvalues 2 - 2 p and 2 p, and directions with K <= 2 n lam do not matter, so that lam <= p / 2.
    It comes nowhere near failing, and cannot for plain features (li2021.lemma22.plain); lemmaE.3 shows that 5 is
    too small for other q. delta = exp(-t) is at least e^-40.
    """
    lam, delta = share * p / 2, exp(-t)
    d = (1 - p) / (1 - p + lam) + p / (p + lam)
    s = at_least(enough_features(1 / lam, d, delta), Count)
    rare = quantity(lambda rng, size: rng.binomial(s, p, size)) / s
    return P((rare >= p / 2 - lam) & (1 - rare >= (1 - p) / 2 - lam)) >= 1 - delta


def kernel_of_draw(case, share):
    """A draw of Khat: feature j has the share share_j^2 p_j instead of p_j."""
    return (case.Z * (case.p * share[: len(case.p)] ** 2)) @ case.Z.T


def target(case, v, eps, gap):
    """f_tilde of the unit ball with amplitudes v, and f* within eps of it; (n,) each."""
    v, gap = v[: len(case.p)], gap[: case.n]
    f = case.Z @ (case.p * v / maximum(1, sqrt((case.p * v * v).sum())))
    return f, f + eps * gap / maximum(1, abs(gap).max())


@paper.theorem("theorem3.2.repaired", section="Section 3.1", repairs="theorem3.2.explicit")
def excess_risk_at_the_inputs(case: FeaturePool, share: Vector(3), v: Vector(3), gap: Vector(3), eps: Unit):
    """On the event K <= 2 (Khat + n lam I), averaged over noise of variance sigma^2, for f* within eps of the
    unit ball, the regularised empirical risk exceeds sigma^2 by at most 4 lam + 2 eps^2.

    lemmaE.3.repaired gives the event with probability 1 - delta for s >= 6.52 d_tilde log(16 d / delta); the
    risk is at the inputs, as it enters the proof. What is lost is E l_fhat - E_n l_fhat. Proof. The average
    of the least value at a_tilde is lam f*^T A f* + sigma^2 lam Tr A, A = (Khat + n lam I)^-1. With f* =
    f_tilde + u the first term is at most 2 lam f_tilde^T A f_tilde + 2 lam u^T A u <= 4 lam + 2 ||u||^2 / n.
    The least over a is no larger.
    """
    Kt, ridge = kernel_of_draw(case, share), case.ridge
    assume(smallest_eigenvalue(2 * (Kt + ridge) - case.K) >= 0)
    _, f = target(case, v, eps, gap)
    A = solve(Kt + ridge, identity(case.n))
    return at_most(case.lam * (f @ A @ f), 4 * case.lam + 2 * eps**2), at_most(case.lam * trace(A), 1)


@paper.theorem("theorem3.2.general", section="Section 3.1", repairs="theorem3.2.explicit")
def expected_risk_out_of_sample(n: integers(1, 60), m: integers(1, 12), lam: Unit):
    """For n <= 60, up to 12 equally likely cells with a feature each and labels that are fair signs, N = R =
    y_0 = 1: on average over samples E l_fhat exceeds the least regularised risk at a~ by <= 4 G (G + y_0) /
    sqrt(n).

    Proved for plain features and |y| <= y_0; G = R y_0 (N / (4 lam))^(1/2), basis functions bounded by 1.
    With theorem3.2.repaired, and y_0^2 where the event of Lemma E.3 fails, the mean excess risk is at most 4
    lam + 2 eps^2 + delta y_0^2 + 4 G (G + y_0) / sqrt(n). For bumps on [-1, 1] at least as wide as their
    distance 1.4 h N may stand for N in G (E2.mse-remark): the last term is then of the order 1 / (h lam
    sqrt(n)), not the printed 1 / (h sqrt(n)). At lam = 1 / sqrt(n), the example after (5), that says nothing:
    G^2 = sqrt(n) / 4 at N = R = 1, so that the bound is above 1 for every n, and the prediction 0 costs 1. It
    is of use for lam well above n^(-1/2). Proof. vhat has s ||v||^2 <= y_0^2 / (4 lam)
    (E1.class-restriction.repaired), so |f| <= G on that class F, by Cauchy-Schwarz. E l_fhat - E_n l_fhat is
    at most the supremum over F, whose mean is at most twice the complexity of l o F; the loss has the
    constant 2 (G + y_0), and that of F is at most G / sqrt(n), by the Frobenius norm. E_n l_fhat is at most
    the objective at a~. Looked at for m equally likely cells, a~ = 1: a cell with c points predicts their sum
    over c + n lam m.
    """
    c, r, G = quantity(lambda rng, size: rng.binomial(n, 1 / m, size)), n * lam * m, 1 / (2 * sqrt(lam))
    return at_most(E(c / (c + r) ** 2 + m / n * (c / (c + r))), 4 * G * (G + 1) / sqrt(n))


def solution(Z, y, lam):
    """(Z^T Z + lam n s I)^-1 Z^T y, (s,)."""
    n, s = Z.shape
    return solve(Z.T @ Z + lam * n * s * identity(s), (Z.T @ y)[:, None])[:, 0]


def objective(Z, y, v, lam):
    """(1/n) ||Z v - y||^2 + lam s ||v||^2."""
    return norm(Z @ v - y) ** 2 / len(y) + lam * Z.shape[1] * (v @ v)


@paper.identity("appB.nonconvex", section="Appendix B")
def class_is_not_convex(a: Vector(2), b: Vector(2), v: Vector(2), w: Vector(2)):
    """For N = s = 2 the midpoint of two members of F_V has a matrix of coefficients of rank two, unless their a
    or their v are parallel: its determinant is det(a, b) det(v, w) / 4.

    A member has a matrix a v^T, of rank one; so for linearly independent B_k(w_j x) the midpoint is no member.
    """
    middle = (a[:, None] * v[None, :] + b[:, None] * w[None, :]) / 2
    areas = (a[0] * b[1] - a[1] * b[0]) * (v[0] * w[1] - v[1] * w[0])
    return equal(middle[0, 0] * middle[1, 1] - middle[0, 1] * middle[1, 0], areas / 4)


@paper.identity("appB.va", section="Appendix B")
def inner_minimiser(Z: Matrix("n", "s"), Y: Matrix("n", "s"), y: Vector("n"), b: Vector("s"), lam: Positive):
    """v_a = (Z^T Z + lam n s I)^-1 Z^T y is stationary and minimal, and continuous in Z = Z_q(a), hence in a.

    Continuous with the constant (9/4) ||y|| / (lam n s), in the Frobenius norm: the derivative of
    (Z^T Z + c I)^-1 Z^T has norm at most (1 + 1/4 + 1) / c.
    """
    (n, s), v = Z.shape, solution(Z, y, lam)
    step = norm((Z - Y).reshape(-1))
    return (
        equal(Z.T @ (Z @ v - y) / n, -lam * s * v),
        at_most(objective(Z, y, v, lam), objective(Z, y, b, lam)),
        at_most(norm(v - solution(Y, y, lam)), 9 / 4 * norm(y) * step / (lam * n * s)),
    )


@paper.step("D1.decomposition", section="Appendix D.1", step_of="theorem3.2.explicit")
def decomposition(Z: Matrix("n", "s"), other: Matrix("n", "s"), y: Vector("n"), lam: Positive):
    """E_n l_fhat <= E_n l_fhat + lam s ||vhat||^2 <= E_n l_fa + lam s ||v_a||^2 for a = a_tilde, where the ball
    of a's has two members.

    They are a_tilde, with Z = Z_q(a_tilde), and one other.
    """
    values = [objective(M, y, solution(M, y, lam), lam) for M in (Z, other)]
    risks = [norm(M @ solution(M, y, lam) - y) ** 2 / len(y) for M in (Z, other)]
    best = minimum(values[0], values[1])
    risk = risks[0] if values[0] <= values[1] else risks[1]
    return at_most(risk, best), at_most(best, values[0])


@paper.step("D1.step-square", section="Appendix D.1", step_of="theorem3.2.explicit")
def square_of_sum(F: Vector("n"), f: Vector("n"), f_star: Vector("n"), e: Vector("n"), penalty: Unit):
    """With (a + b)^2 <= 2 a^2 + 2 b^2 the objective at any v, with predictions F, is at most the four terms
    of the display.
    """
    n = len(e)
    left = norm(F - f_star) ** 2 / n + penalty - 2 / n * ((F - f_star) @ e)
    rest = 2 / n * norm(f - f_star) ** 2 - 2 / n * ((f - f_star) @ e)
    return at_most(left, 2 * (norm(F - f) ** 2 / n + penalty) - 2 / n * ((F - f) @ e) + rest)
