"""Sections 2.3, 2.4 and Eq. (19): Rademacher complexities with the factor 2 / n and the absolute value of
Definition 1.
"""

from boundcheck import (
    PSD,
    E,
    Matrix,
    P,
    Positive,
    Real,
    Simplex,
    Unit,
    Vector,
    at_most,
    between,
    eigenvalues,
    integers,
    log,
    maximum,
    minimum,
    norm,
    quantity,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.pools import FeaturePool

from . import paper


def signs(n):
    """n independent signs, a quantity of shape (n,)."""
    return quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, n)) - 1)


def complexity(values):
    """The empirical Rademacher complexity of a finite class; values (functions x points)."""
    n = values.shape[1]
    return E(signs(n).map(lambda sigma: abs(sigma @ values.T).max(axis=-1))) * 2 / n


def least_norm(K, sigma):
    """sqrt(sigma^T K sigma), the supremum of sigma^T f over the unit ball."""
    return sqrt(maximum(0, (sigma * (sigma @ K)).sum(axis=-1)))


@paper.lemma(2, section="Section 2.3")
def complexity_of_unit_ball(K: PSD("n")):
    """The empirical Rademacher complexity of the unit ball, for any points, is at most (1/n) sqrt(Tr K).

    Lemma 2 has the mean of both over the points.
    """
    n = len(K)
    return at_most(E(signs(n).map(lambda sigma: least_norm(K, sigma))) * 2 / n, sqrt(trace(K)) / n)


@paper.lemma("lemma2.repaired", section="Section 2.3", repairs="lemma2")
def complexity_of_unit_ball_repaired(K: PSD("n")):
    """With the factor 2 of Definition 1 the empirical Rademacher complexity of the unit ball, for any points, is
    at most (2/n) sqrt(Tr K), by Jensen: E sigma^T K sigma = Tr K.
    """
    n = len(K)
    return at_most(E(signs(n).map(lambda sigma: least_norm(K, sigma))) * 2 / n, 2 * sqrt(trace(K)) / n)


@paper.lemma("lemma3.explicit", section="Section 2.3")
def uniform_deviation(A: Matrix(3, 2), P_xy: Simplex(2), n: integers(6, 9), delta: Unit):
    """For two examples and two functions, n = 6, .., 9, E l_f <= E_n l_f + R_n(l o H) + sqrt(8 log(2 / delta)
    / n) with probability 1 - delta.

    For both f at once. Examples (x, y) have the probabilities P_xy; A, clipped to [0, 1], holds the losses and
    l(y, 0). A sample with its signs is four counts. Below n = 6 the bound exceeds 1.
    """
    losses = minimum(1, maximum(0, A))
    loss, relative = losses[:2], losses[:2] - losses[2]
    counts = quantity(lambda rng, size: rng.multinomial(n, P_xy, size))
    signed = quantity(lambda rng, size: rng.multinomial(n, P_xy[[0, 1, 0, 1]] / 2, size))
    R_n = E(signed.map(lambda N: abs((N[..., :2] - N[..., 2:]) @ relative.T).max(axis=-1))) * 2 / n
    gap = counts.map(lambda N: ((P_xy - N / n) @ loss.T).max(axis=-1))
    return P(gap <= R_n + sqrt(8 * log(2 / delta) / n)) >= 1 - delta


@paper.lemma("lemma3.contraction", section="Section 2.3, after Lemma 3")
def contraction(f: Matrix("k", "n"), y: Vector("n"), L: Positive):
    """Composition with the L-Lipschitz loss L |y - f|, minus its value at 0, multiplies the empirical complexity
    of a finite class by at most 2 L.
    """
    return at_most(complexity(L * abs(y - f) - L * abs(y)), 2 * L * complexity(f))


def of_one_function(K, r, sigma):
    """sigma^T f for the largest multiple f of K sigma with ||f|| <= 1 and E_n f^2 <= r."""
    n, f = len(K), sigma @ K
    size = maximum(least_norm(K, sigma), norm(f) / sqrt(n * r))
    return (sigma * f).sum(axis=-1) / maximum(size, 1e-100)


@paper.lemma(7, section="Section 2.4")
def local_complexity(K: PSD("n"), r: Positive):
    """The complexity of functions f of the unit ball with E_n f^2 <= r, one to each sign vector, is at most
    sqrt((2/n) sum min(r, lam_i)).

    The f is a multiple of sum_i sigma_i k(x_i, .); the complexity of all of them is at least that.
    """
    n = len(K)
    bound = sqrt(2 / n * minimum(r, maximum(0, eigenvalues(K / n))).sum())
    return at_most(E(signs(n).map(lambda sigma: of_one_function(K, r, sigma))) * 2 / n, bound)


@paper.lemma("lemma7.repaired", section="Section 2.4", repairs="lemma7")
def local_complexity_repaired(K: PSD("n"), r: Positive):
    """With the factor 2 of Definition 1 the complexity of functions f of the unit ball with E_n f^2 <= r, one
    to each sign vector, as in lemma7, is at most 2 sqrt((2/n) sum min(r, lam_i)).

    For the whole class it is Lemma 6.6 of Bartlett et al. 2005, whose complexities carry the factor 1 / n.
    """
    n = len(K)
    bound = 2 * sqrt(2 / n * minimum(r, maximum(0, eigenvalues(K / n))).sum())
    return at_most(E(signs(n).map(lambda sigma: of_one_function(K, r, sigma))) * 2 / n, bound)


@paper.step("theorem9.eq19", section="Section 6.2, Eq. (19)", step_of="theorem9.explicit")
def complexity_of_loss_class(y: Real, K: Positive):
    """At one point, n = 1, R_n of the squared losses less that of f = 0 is at most sqrt(2) L (1/n) sqrt(Tr K)
    over the ball of radius sqrt(2).

    There |f| <= sqrt(2 K), where the loss is Lipschitz with L = 2 (|y| + sqrt(2 K)), and the complexity is 2
    sup |(y - f)^2 - y^2|, attained at the end of the interval away from y; so Lemma 3 defines l o H. That of
    the losses themselves is larger.
    """
    radius = sqrt(2 * K)
    L = 2 * (abs(y) + radius)
    return at_most(2 * ((abs(y) + radius) ** 2 - y**2), sqrt(2) * L * sqrt(K))


@paper.step(
    "theorem9.eq19.repaired",
    section="Section 6.2, Eq. (19)",
    step_of="theorem9.explicit",
    repairs="theorem9.eq19",
)
def complexity_of_loss_class_repaired(y: Real, K: Positive):
    """At one point, n = 1, with both factors 2, of the contraction and of Lemma 2 as repaired, R_n of the
    squared losses less that of f = 0 is at most 4 sqrt(2) L (1/n) sqrt(Tr K) over the ball of radius sqrt(2).
    """
    radius = sqrt(2 * K)
    L = 2 * (abs(y) + radius)
    return at_most(2 * ((abs(y) + radius) ** 2 - y**2), 4 * sqrt(2) * L * sqrt(K))


@paper.step("theorem9.eq19.range", section="Section 6.2, Eq. (19)", step_of="theorem9.explicit")
def deviation_of_an_unbounded_loss(
    n: integers(10, 60), y_0: between(1, 10), z0: between(0.001, 0.01), share: Unit, delta: between(0.01, 0.1)
):  # fmt: skip
    """For one feature, a constant z0 from .001 to .01, labels y_0 or 0, y_0 from 1 to 10, n = 10, .., 60 and
    delta from .01 to .1, (15) for the ridge solution is at most the Rademacher term and sqrt(8 log(2 / delta) /
    n), with probability 1 - delta, for the squared loss; Lemma 3 is for losses in [0, 1].

    One feature, the constant z0, and lam = share z0^2, at most the eigenvalue of K / n, as Assumption 3 asks;
    y = y_0 or 0 with probability 1/2. ftilde is the ridge solution within the ball of radius sqrt(2). The
    Rademacher term is sqrt(2) L z0 / sqrt(n) as printed, L = 2 (y_0 + sqrt(2) z0).
    """
    large = quantity(lambda rng, size: rng.binomial(n, 1 / 2, size)) / n
    f = minimum(sqrt(2) * z0, y_0 * large / (1 + share))
    bound = 2 * sqrt(2) * (y_0 + sqrt(2) * z0) * z0 / sqrt(n) + sqrt(8 * log(2 / delta) / n)
    return P((1 / 2 - large) * y_0 * (y_0 - 2 * f) <= bound) >= 1 - delta


@paper.step("theorem9.eq19.range.repaired", section="Section 6.2, Eq. (19)", repairs="theorem9.eq19.range")
def deviation_of_a_bounded_loss(n: integers(1, 60), y_0: between(1, 10), delta: between(0.01, 1)):
    """For the function 0, labels y_0 or 0 with probability 1/2, y_0 from 1 to 10, n <= 60 and delta >= .01, E
    l - E_n l is at most y_0^2 sqrt(log(1 / delta) / (2 n)) with probability 1 - delta, below y_0^2 times the
    printed root.

    Proof. Hoeffding's inequality, for every function whose loss lies in [0, y_0^2]. For the class of (19)
    Lemma 3 for the loss divided by its largest value, (y_0 + sqrt(2) z0)^2, gives that factor before the root.
    """
    large = quantity(lambda rng, size: rng.binomial(n, 1 / 2, size)) / n
    return P(y_0**2 * (1 / 2 - large) <= y_0**2 * sqrt(log(1 / delta) / (2 * n))) >= 1 - delta


@paper.step("theorem9.eq19.trace", section="Section 6.2, Eq. (19)", step_of="theorem9.explicit")
def trace_of_approximate_kernel(case: FeaturePool):
    """Tr Ktilde <= n z0^2 for leverage weighted features, drawn from q*, the scores themselves; a draw of one
    feature, any of them.
    """
    q = case.leverage / case.d_eff
    return at_most(case.p / q * (case.Z * case.Z).sum(axis=0), case.n * case.z0**2)


@paper.step(
    "theorem9.eq19.trace.repaired",
    section="Section 6.2, Eq. (19)",
    step_of="theorem9.explicit",
    repairs="theorem9.eq19.trace",
)
def trace_of_approximate_kernel_repaired(case: FeaturePool):
    """Tr Ktilde <= d_tilde (lambda_1 + n lam) for any draw.

    Proof. p/q ||z||^2 <= (lambda_1 + n lam) p/q z^T (K + n lam I)^-1 z <= (lambda_1 + n lam) d_tilde,
    and Ktilde averages.
    """
    norms = case.p / case.q * (case.Z * case.Z).sum(axis=0)
    return at_most(norms, case.d_tilde * (case.largest_eigenvalue + case.n * case.lam))
