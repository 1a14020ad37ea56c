"""Section 4, Algorithm 1: the activation of its first step, leverage scores of the pool, and weights of
resampled features.
"""

from boundcheck import (
    Count,
    E,
    Matrix,
    Positive,
    Size,
    Vector,
    assume,
    at_most,
    equal,
    integers,
    largest_eigenvalue,
    maximum,
    norm,
    quantity,
    solve,
    sqrt,
    trace,
)  # fmt: skip
from boundcheck.features.pools import PlainFeatures
from boundcheck.words.functions import identity

from . import paper
from .ridge_error import enough_features


def line_3(Z, lam):
    """p_1, ..., p_s: the diagonal of Z^T Z ((1/s) Z^T Z + n lam I)^-1; Z (n, s)."""
    n, s = Z.shape
    G = Z.T @ Z
    return solve(G / s + n * lam * identity(s), G).diagonal()


def line_4(Z, lam):
    """q(w_1), ..., q(w_s)."""
    p = line_3(Z, lam)
    return p / p.sum()


def pool_kernel(Z):
    """Khat = Z Z^T / s."""
    return Z @ Z.T / Z.shape[1]


def effective_dimension(K, lam):
    """Tr K (K + n lam I)^-1."""
    n = len(K)
    return trace(solve(K + n * lam * identity(n), K))


@paper.identity("alg1.pi-identity", section="Algorithm 1, line 3; Appendix F")
def leverage_from_small_matrix(Z: Matrix("n", "s"), lam: Positive):
    """Line 3 computes the diagonal of Z^T (Khat + n lam I)^-1 Z, and the p_i sum to s times the effective
    dimension of Khat.
    """
    n, s = Z.shape
    K, p = pool_kernel(Z), line_3(Z, lam)
    scores = (Z * solve(K + n * lam * identity(n), Z)).sum(axis=0)
    return equal(scores, p), equal(p.sum(), s * effective_dimension(K, lam))


@paper.identity("F.pool-kernel.printed", section="Appendix F")
def leverage_of_the_pool_as_printed(Z: Matrix("n", "s"), lam: Positive, density: Vector("s")):
    """The leverage scores p(w_i) [Z^T (Khat + n lam I)^-1 Z]_ii, with the density p, normalise to the q of
    line 4.
    """
    n = len(Z)
    p = abs(density) + 1 / 10
    assume((Z * Z).sum() > 0)
    scores = p * (Z * solve(pool_kernel(Z) + n * lam * identity(n), Z)).sum(axis=0)
    return equal(scores / scores.sum(), line_4(Z, lam))


@paper.identity("F.pool-kernel", section="Appendix F", repairs="F.pool-kernel.printed")
def leverage_of_the_pool(Z: Matrix("n", "s"), lam: Positive):
    """The leverage scores of khat are p_i / s, sum to the effective dimension of Khat, and normalise to the q
    of line 4.

    p(w_i) is read as the mass 1 / s of w_i under the empirical measure, with which khat is written;
    with a density that varies over the pool the scores would not normalise to q.
    """
    n, s = Z.shape
    assume((Z * Z).sum() > 0)
    K = pool_kernel(Z)
    scores = (Z * solve(K + n * lam * identity(n), Z)).sum(axis=0) / s
    return equal(scores.sum(), effective_dimension(K, lam)), equal(scores / scores.sum(), line_4(Z, lam))


@paper.algorithm("alg1.Q-weights", section="Algorithm 1, line 5")
def resampled_features_are_unbiased(Z: Matrix(2, "s"), lam: Positive, S: integers(1, 3)):
    """Features resampled from q with weights 1 / sqrt(q) are weighted features: (1/S) Z_q Z_q^T is unbiased
    for Khat; two points, S <= 3.

    Features that vanish at all points are never drawn.
    """
    assume((Z * Z).sum(axis=0) > 0)
    q = line_4(Z, lam)
    counts = quantity(lambda rng, size: rng.multinomial(S, q, size))
    return equal(E(counts.map(lambda N: (Z * (N / (q * S))[..., None, :]) @ Z.T)), pool_kernel(Z))


@paper.algorithm("alg1.Q-weights.repaired", section="Algorithm 1, line 5", repairs="alg1.Q-weights")
def resampled_features_with_the_pool_size(Z: Matrix(2, "s"), lam: Positive, S: integers(1, 3)):
    """With weights 1 / sqrt(s q), (1/S) Z_q Z_q^T is unbiased for Khat; at two points, for up to 3 draws.

    The weight of Section 2.4 is sqrt(p / q), and p = 1 / s on the pool. Without the s, the ridge lam* of
    line 6 acts as lam* / s.
    """
    assume((Z * Z).sum(axis=0) > 0)
    s, q = Z.shape[1], line_4(Z, lam)
    counts = quantity(lambda rng, size: rng.multinomial(S, q, size))
    return equal(E(counts.map(lambda N: (Z * (N / (s * q * S))[..., None, :]) @ Z.T)), pool_kernel(Z))


@paper.algorithm("alg1.eq8-regulariser.explicit", section="Algorithm 1, Eq. (8)")
def first_step_finds_the_kernel(B: Matrix("n", "s"), a: Positive, v: Vector("s"), lam: Positive):
    """Where labels are exactly Z_p(a) v, (8) finds the leverage scores of the activation a.

    A reading of 'finds an approximate kernel'. One basis function, values B, so that the activation is a
    number; b = a~ and u = v~ make (8) zero: b u = a v, |b| = ||u||.
    """
    assume(norm(v) > 0)
    b = sqrt(a * norm(v))
    u = a * v / b
    assume(((b * (B @ u) - a * (B @ v)) ** 2).sum() + (b * b - u @ u) ** 2 <= 1e-12)
    return equal(line_3(b * B, lam), line_3(a * B, lam))


@paper.algorithm(
    "alg1.eq8-regulariser.repaired", section="Algorithm 1, Eq. (8)", repairs="alg1.eq8-regulariser.explicit"
)
def first_step_rescales_the_ridge(B: Matrix("n", "s"), a: Positive, v: Vector("s"), lam: Positive):
    """With one basis function and labels exactly Z_p(a) v, the activation b, b^2 = |a| ||v||, at which (8) is
    zero (b u = a v, |b| = ||u||; not looked at here), has the leverage scores of a for the ridge lam |a| / ||v||.

    Proof. p_i is a function of b^2 / lam. Where the features are linearly independent at the points (8) is zero
    at b and -b alone. Where |a| = R and ||v||^2 is at most the 2 / s of Appendix E.1, the ridge is lam R
    sqrt(s / 2) or larger: lam of line 3 is not the lam of the theorems, and grows with the pool.
    """
    assume(norm(v) > 0)
    b = sqrt(a * norm(v))
    return equal(line_3(b * B, lam), line_3(a * B, lam * a / norm(v)))


@paper.algorithm("alg1.lambda-mismatch", section="Algorithm 1, lines 3 and 6; Theorem 4.1")
def scores_for_another_ridge(Z: Matrix("n", "s"), lam: Positive, lam_star: Positive):
    """For q of line 4, computed with lam, the leverage scores for lam* are at most q times the effective
    dimension for lam*.

    That is what Corollary 3.3 needs of q, where Theorem 4.1 applies it with S >= 5 d log(16 d / delta),
    d for lam*.
    """
    n, s = Z.shape
    assume((Z * Z).sum(axis=0) > 0)
    assume(n * maximum(lam, lam_star) <= largest_eigenvalue(pool_kernel(Z)))
    return at_most(line_3(Z, lam_star) / s / line_4(Z, lam), effective_dimension(pool_kernel(Z), lam_star))


@paper.algorithm(
    "alg1.lambda-mismatch.repaired",
    section="Algorithm 1, lines 3 and 6; Theorem 4.1",
    repairs="alg1.lambda-mismatch",
)
def scores_for_another_ridge_repaired(Z: Matrix("n", "s"), lam: Positive, lam_star: Positive):
    """For q of line 4, computed with lam, the leverage scores for lam* are at most q times max(1, lam / lam*)
    times the effective dimension for lam.

    Proof. A scores' matrix (Khat + n lam* I)^-1 is at most max(1, lam / lam*) (Khat + n lam I)^-1.
    Equality in the limit of small Khat, for lam >= lam*.
    """
    s = Z.shape[1]
    assume((Z * Z).sum(axis=0) > 0)
    d = maximum(1, lam / lam_star) * effective_dimension(pool_kernel(Z), lam)
    return at_most(line_3(Z, lam_star) / s / line_4(Z, lam), d)


@paper.algorithm("complexity", section="Section 4, Discussion")
def counts_of_operations(n: Count, d: Size, N: Size, s: Count):
    """One evaluation of s features at n points costs n s (d + N), which is O(n max(d, N) s): at most twice
    that.

    Products with w, then basis functions. The other costs are those of forming and inverting an s x s matrix.
    """
    return at_most(n * s * (d + N), 2 * n * maximum(d, N) * s)


@paper.algorithm("complexity.S-below-s", section="Section 4, Discussion")
def fewer_features_than_the_pool(case: PlainFeatures, delta: Positive):
    """S is at most s, for the numbers of features of Theorem 4.1 under Assumption 2.2 with lam* = lam and Khat = K.
    """
    assume((case.n * case.lam <= case.largest_eigenvalue) & (delta <= 1))
    S, s = (enough_features(d, case.d_eff, delta) for d in (case.d_eff, case.d_tilde))
    return at_most(S, s)
