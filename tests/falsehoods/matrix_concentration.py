"""Matrix Rademacher series and matrix samples on enumerable laws."""

import numpy as np

from boundcheck import (
    E,
    Matrix,
    P,
    Positive,
    Simplex,
    Symmetric,
    at_most,
    equal,
    exp,
    expm,
    integers,
    loewner,
    log,
    opnorm,
    quantity,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true


def signed_sum(*matrices):
    stack = np.stack(matrices)
    signs = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, len(matrices))) - 1)
    return signs.map(lambda s: np.sum(s[:, :, None, None] * stack, axis=1))


def spread(*matrices):
    return sum(A @ A for A in matrices)


@true("Second moment of a Rademacher series")
def second_moment(A: Symmetric, B: Symmetric, C: Symmetric):
    S = signed_sum(A, B, C)
    return equal(E(S @ S), spread(A, B, C))


@true("Tropp 2012: largest eigenvalue of a Rademacher series")
def rademacher_mean(A: Symmetric, B: Symmetric, C: Symmetric):
    top = signed_sum(A, B, C).map(lambda S: np.linalg.eigvalsh(S)[..., -1])
    return E(top) <= sqrt(2 * opnorm(spread(A, B, C)) * log(A.shape[0]))


@false("Norm of a Rademacher series with log d for log 2 d", "easy")
def rademacher_norm(A: Symmetric, B: Symmetric, C: Symmetric):
    return E(opnorm(signed_sum(A, B, C))) <= sqrt(2 * opnorm(spread(A, B, C)) * log(A.shape[0]))


@true("Tropp 2012: norm of a Rademacher series")
def rademacher_norm_two(A: Symmetric, B: Symmetric, C: Symmetric):
    return E(opnorm(signed_sum(A, B, C))) <= sqrt(2 * opnorm(spread(A, B, C)) * log(2 * A.shape[0]))


@false("Norm of a Rademacher series without the logarithm", "medium")
def rademacher_norm_free(A: Symmetric, B: Symmetric, C: Symmetric):
    return E(opnorm(signed_sum(A, B, C))) <= sqrt(opnorm(spread(A, B, C)))


@true("Tropp 2012: tail of a Rademacher series")
def rademacher_tail(A: Symmetric, B: Symmetric, C: Symmetric, t: Positive):
    top = signed_sum(A, B, C).map(lambda S: np.linalg.eigvalsh(S)[..., -1])
    return P(top >= t) <= A.shape[0] * exp(-(t**2) / (2 * opnorm(spread(A, B, C))))


@false("Tail of a Rademacher series without the dimension", "medium")
def rademacher_tail_dimension(A: Symmetric, B: Symmetric, C: Symmetric, t: Positive):
    top = signed_sum(A, B, C).map(lambda S: np.linalg.eigvalsh(S)[..., -1])
    return P(top >= t) <= exp(-(t**2) / (2 * opnorm(spread(A, B, C))))


@true("Trace exponential of a Rademacher series")
def trace_exponential(A: Symmetric, B: Symmetric):
    return E(trace(expm(signed_sum(A, B)))) <= trace(expm(spread(A, B) / 2))


@false("Trace exponential of a Rademacher series with 0.45", "hard")
def trace_exponential_constant(A: Symmetric, B: Symmetric):
    return E(trace(expm(signed_sum(A, B)))) <= trace(expm(0.45 * spread(A, B)))


@true("Fourth moment of a Rademacher series (Buchholz)")
def fourth_moment(A: Symmetric, B: Symmetric, C: Symmetric):
    S, V = signed_sum(A, B, C), spread(A, B, C)
    return E(trace(S @ S @ S @ S)) <= 3 * trace(V @ V)


@false("Fourth moment of a Rademacher series with 2.2", "hard")
def fourth_moment_constant(A: Symmetric, B: Symmetric, C: Symmetric):
    S, V = signed_sum(A, B, C), spread(A, B, C)
    return E(trace(S @ S @ S @ S)) <= 2.2 * trace(V @ V)


@true("Variance of a sample covariance")
def sample_covariance(Z: Matrix("m", 2), p: Simplex("m"), n: integers(1, 3)):
    S, b = (Z.T * p) @ Z, np.max(np.sum(Z**2, axis=1))
    rows = quantity(lambda rng, size: rng.choice(Z, (size, n), p=p))
    D = rows.map(lambda X: np.swapaxes(X, -1, -2) @ X / n - S)
    return loewner(E(D @ D), b * S / n)


@false("Variance of a sample covariance with b / (2 n)", "easy")
def sample_covariance_half(Z: Matrix("m", 2), p: Simplex("m"), n: integers(1, 3)):
    S, b = (Z.T * p) @ Z, np.max(np.sum(Z**2, axis=1))
    rows = quantity(lambda rng, size: rng.choice(Z, (size, n), p=p))
    D = rows.map(lambda X: np.swapaxes(X, -1, -2) @ X / n - S)
    return loewner(E(D @ D), b * S / (2 * n))


@true("Matrix Jensen: mean of norms")
def norm_jensen(Z: Matrix("m", 2), p: Simplex("m"), n: integers(1, 3)):
    S = (Z.T * p) @ Z
    rows = quantity(lambda rng, size: rng.choice(Z, (size, n), p=p))
    return at_most(opnorm(S), E(opnorm(rows.mT @ rows / n)))
