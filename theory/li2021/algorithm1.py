"""Section 4: Algorithm 1, approximate leverage scores from a pool of features, and the identities behind
Theorem 20; the noise of Table 10.
"""

from boundcheck import (
    E,
    Matrix,
    NonNegative,
    Positive,
    Vector,
    assume,
    at_most,
    equal,
    integers,
    largest_eigenvalue,
    quantity,
    solve,
    trace,
)  # fmt: skip
from boundcheck.words.functions import identity

from . import Few, paper


def line3(Z, lam):
    """The numbers p_1, ..., p_s of line 3: the diagonal of Z^T Z ((1/s) Z^T Z + n lam I)^-1."""
    n, s = Z.shape
    G = Z.T @ Z
    return solve(G / s + n * lam * identity(s), G).diagonal()


def approximate_kernel(Z):
    """Ktilde = Z Z^T / s."""
    return Z @ Z.T / Z.shape[1]


@paper.identity("alg1.leverage_identity", section="Algorithm 1, line 3; proof of Theorem 20")
def leverage_from_small_matrix(Z: Matrix("n", "s"), lam: Positive):
    """Line 3 computes the diagonal of Z^T (Ktilde + n lam I)^-1 Z from an s x s matrix."""
    n, Kt = len(Z), approximate_kernel(Z)
    return equal((Z.T @ solve(Kt + n * lam * identity(n), Z)).diagonal(), line3(Z, lam))


@paper.algorithm("alg1.sum_p", section="Algorithm 1, lines 4 and 5")
def resamples_no_more_than_the_pool(Z: Matrix("n", "s"), lam: Positive):
    """For n lam <= lambda_1(Ktilde) the number m = sum p_i of features, which line 5 rounds up, does not exceed the
    size s of the pool.

    Section 4 has m << s features; read for every pool and ridge that Assumption 3 allows with its kernel Ktilde.
    """
    n, s = Z.shape
    assume(n * lam <= largest_eigenvalue(approximate_kernel(Z)))
    return at_most(line3(Z, lam).sum(), s)


@paper.algorithm("alg1.sum_p.repaired", section="Algorithm 1, lines 4 and 5", repairs="alg1.sum_p")
def scores_of_the_empirical_measure(Z: Matrix("n", "s"), lam: Positive):
    """With scores p_i / s the number of features is the effective dimension of the pool, at most n and at
    most s.

    The measure behind Ktilde gives each feature the mass 1 / s, so its leverage scores are p_i / s and sum to
    Tr Ktilde (Ktilde + n lam I)^-1, whose summands are below 1 and at most rank Ktilde are not 0.
    """
    n, s = Z.shape
    Kt, m = approximate_kernel(Z), line3(Z, lam).sum() / s
    return equal(m, trace(solve(Kt + n * lam * identity(n), Kt))), at_most(m, min(n, s))


@paper.algorithm("alg1.weights", section="Section 4, rows of Z_m")
def resampled_features_are_unbiased(Z: Matrix(2, "s"), lam: Positive, m: Few):
    """At two points, up to 3 features resampled with weights sqrt(m / p_i), m = sum p_i, are weighted features:
    unbiased for the kernel of the pool.

    q_i = p_i / sum p, so m / p_i = 1 / q_i; in the body m is the number that is drawn. No feature of the pool
    vanishes at both points: such are never drawn.
    """
    assume((Z * Z).sum(axis=0) > 0)
    q = line3(Z, lam) / line3(Z, lam).sum()
    counts = quantity(lambda rng, size: rng.multinomial(m, q, size))
    Km = counts.map(lambda N: (Z * (N / (q * m))[..., None, :]) @ Z.T)
    return equal(E(Km), approximate_kernel(Z))


@paper.algorithm("alg1.weights.repaired", section="Section 4, rows of Z_m", repairs="alg1.weights")
def resampled_features_with_the_pool_size(Z: Matrix(2, "s"), lam: Positive, m: Few):
    """At two points, up to 3 features resampled with weights sqrt(m / (s p_i)), m = sum p_i, are unbiased for the
    kernel of the pool.

    The weight of Section 2.2 is sqrt(p / q) with p = 1 / s, the empirical measure, and q = p_i / m; in the body m
    is the number that is drawn. No feature of the pool vanishes at both points.
    """
    assume((Z * Z).sum(axis=0) > 0)
    s, q = Z.shape[1], line3(Z, lam) / line3(Z, lam).sum()
    counts = quantity(lambda rng, size: rng.multinomial(m, q, size))
    Km = counts.map(lambda N: (Z * (N / (s * q * m))[..., None, :]) @ Z.T)
    return equal(E(Km), approximate_kernel(Z))


@paper.identity("theorem20.pv.printed", section="Section 6.6, after Eq. (38)")
def leverage_of_the_pool_as_printed(Z: Matrix("n", "s"), lam: Positive, density: Vector("s")):
    """The leverage scores p(v_i) [Z^T (Ktilde + n lam I)^-1 Z]_ii of the pool, with the density p of the
    spectral measure, normalised, are the p_i of Algorithm 1, normalised.

    Any values of the density from 1/10 on.
    """
    p = abs(density) + 1 / 10
    assume((Z * Z).sum() > 0)
    scores = p * (Z * solve(approximate_kernel(Z) + len(Z) * lam * identity(len(Z)), Z)).sum(axis=0)
    return equal(scores / scores.sum(), line3(Z, lam) / line3(Z, lam).sum())


@paper.identity("theorem20.pv", section="Section 6.6", repairs="theorem20.pv.printed")
def leverage_of_the_pool(Z: Matrix("n", "s"), lam: Positive):
    """The leverage scores of the pool, normalised, are the p_i of Algorithm 1, normalised.

    Here p(v_i) is the mass 1 / s of the empirical measure, with which Eq. (38) writes Ktilde.
    """
    n, s = Z.shape
    assume((Z * Z).sum() > 0)
    scores = (Z * solve(approximate_kernel(Z) + n * lam * identity(n), Z)).sum(axis=0) / s
    return equal(scores / scores.sum(), line3(Z, lam) / line3(Z, lam).sum())


@paper.remark("table10.noise_floor", section="Section 5, Table 10")
def error_below_the_noise(error: NonNegative):
    """An RMSE of .04 is possible against targets with noise of deviation sigma = .1: its square is on average
    error^2 + sigma^2.

    `error` is the RMSE against the regression function. The "variance parameter" sigma is read as a deviation;
    as a variance it asks for more.
    """
    return at_most(error**2 + 0.1**2, 0.04**2)


@paper.algorithm("alg1.cost", section="Section 4, after Algorithm 1")
def cost_of_the_scores(n: integers(1, 10**6), s: integers(1, 10**6)):
    """The scores take at most 3 (n s^2 + s^3) operations, counted as below, and at most 3 s^2 numbers.

    So O(n s^2 + s^3), and s x s matrices. Counted: n s (s + 1) for Z^T Z, row by row, s^3 / 3 for Cholesky and
    2 s^3 for the s columns of line 3, of which the diagonal is kept.
    """
    operations = n * s * (s + 1) + s**3 / 3 + 2 * s**3
    return at_most(operations, 3 * (n * s**2 + s**3)), at_most(s * (s + 1) / 2 + s**2 + s, 3 * s**2)
