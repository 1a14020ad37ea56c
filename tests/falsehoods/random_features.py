"""Ridge regression, effective dimension, random features, projections and Nystrom."""

import numpy as np

from boundcheck import (
    PSD,
    Count,
    E,
    Matrix,
    P,
    Positive,
    PositiveDefinite,
    Simplex,
    Spectrum,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_most,
    eigenvalues,
    equal,
    exp,
    integers,
    inverse,
    loewner,
    opnorm,
    pi,
    quantity,
    sqrt,
)  # fmt: skip

from . import false, true


@true("Bias of ridge regression")
def bias(K: PositiveDefinite("n"), y: Vector("n"), lam: Positive):
    r = lam * inverse(K + lam * np.eye(len(y))) @ y
    return at_most(r @ r, lam / 4 * (y @ inverse(K) @ y))


@false("Bias of ridge regression with 1/5", "medium")
def bias_constant(K: PositiveDefinite("n"), y: Vector("n"), lam: Positive):
    r = lam * inverse(K + lam * np.eye(len(y))) @ y
    return at_most(r @ r, lam / 5 * (y @ inverse(K) @ y))


@true("Variance is at most the effective dimension")
def variance(s: Spectrum, lam: Positive):
    return at_most(np.sum((s / (s + lam)) ** 2), np.sum(s / (s + lam)))


@false("Variance is at most half the effective dimension", "easy")
def variance_half(s: Spectrum, lam: Positive):
    return at_most(np.sum((s / (s + lam)) ** 2), np.sum(s / (s + lam)) / 2)


@true("Effective dimension at half the ridge")
def half_ridge(s: Spectrum, lam: Positive):
    return at_most(np.sum(s / (s + lam / 2)), 2 * np.sum(s / (s + lam)))


@false("Effective dimension at half the ridge with 1.95", "hard")
def half_ridge_constant(s: Spectrum, lam: Positive):
    return at_most(np.sum(s / (s + lam / 2)), 1.95 * np.sum(s / (s + lam)))


@true("Effective dimension counts the eigenvalues above the ridge, half")
def counting(s: Spectrum, lam: Positive):
    return at_most(np.sum(np.where(s >= lam, 1.0, 0.0)) / 2, np.sum(s / (s + lam)))


@false("Effective dimension counts the eigenvalues above the ridge, 0.55", "hard")
def counting_constant(s: Spectrum, lam: Positive):
    return at_most(0.55 * np.sum(np.where(s >= lam, 1.0, 0.0)), np.sum(s / (s + lam)))


@true("Effective dimension under polynomial decay")
def polynomial_decay(n: Count, lam: Unit):
    s = 1 / np.arange(1, n + 1) ** 2
    return at_most(np.sum(s / (s + lam)), pi / 2 / sqrt(lam))


@false("Effective dimension under polynomial decay with 1.5", "hard")
def polynomial_decay_constant(n: Count, lam: Unit):
    s = 1 / np.arange(1, n + 1) ** 2
    return at_most(np.sum(s / (s + lam)), 1.5 / sqrt(lam))


@true("Ridge leverage scores sum to the effective dimension and are at most 1")
def leverage(K: PSD("n"), lam: Positive):
    scores = np.diagonal(K @ inverse(K + lam * np.eye(K.shape[0])))
    return at_most(scores, 1), at_most(0, scores)


@false("Ridge leverage scores are at most K_ii / (K_ii + 2 lam)", "medium")
def leverage_diagonal(K: PSD("n"), lam: Positive):
    scores, d = np.diagonal(K @ inverse(K + lam * np.eye(K.shape[0]))), np.diagonal(K)
    return at_most(scores, d / (d + 2 * lam))


@true("Ridge leverage scores by the diagonal")
def leverage_by_diagonal(K: PSD("n"), lam: Positive):
    scores, d = np.diagonal(K @ inverse(K + lam * np.eye(K.shape[0]))), np.diagonal(K)
    return at_most(scores, d / (d + lam))


@true("Nystrom approximation is below K")
def nystrom(K: PositiveDefinite(4)):
    return loewner(K[:, :2] @ inverse(K[:2, :2]) @ K[:2], K)


@false("Nystrom error is at most the next eigenvalue", "medium")
def nystrom_error(K: PositiveDefinite(4)):
    return at_most(opnorm(K - K[:, :2] @ inverse(K[:2, :2]) @ K[:2]), eigenvalues(K)[2])


@true("Nystrom error is at least the next eigenvalue")
def nystrom_lower(K: PositiveDefinite(4)):
    return at_most(eigenvalues(K)[2], opnorm(K - K[:, :2] @ inverse(K[:2, :2]) @ K[:2]))


@true("Random phases make random Fourier features unbiased")
def random_phase(w: Vector("m"), p: Simplex("m"), x: Vector(1), s: integers(1, 2)):
    W = quantity(lambda rng, size: rng.choice(w, (size, s), p=p))
    phase = quantity(lambda rng, size: rng.integers(0, 4, (size, s)) * (pi / 2))
    z = 2 * np.cos(W * x[0] + phase) * np.cos(phase)
    return equal(E(z.mean()), np.sum(p * np.cos(w * x[0])))


@false("Random phases without the factor 2", "easy")
def random_phase_factor(w: Vector("m"), p: Simplex("m"), x: Vector(1), s: integers(1, 2)):
    W = quantity(lambda rng, size: rng.choice(w, (size, s), p=p))
    phase = quantity(lambda rng, size: rng.integers(0, 4, (size, s)) * (pi / 2))
    z = np.cos(W * x[0] + phase) * np.cos(phase)
    return equal(E(z.mean()), np.sum(p * np.cos(w * x[0])))


@true("Variance of random Fourier features is at most (1 - kappa^2) / s")
def fourier_variance(w: Vector("m"), p: Simplex("m"), s: integers(1, 3)):
    k = np.sum(p * np.cos(w))
    z = quantity(lambda rng, size: rng.choice(w, (size, s), p=p)).map(np.cos).mean()
    return E((z - k) ** 2) <= (1 - k**2) / s


@false("Variance of random Fourier features is at most (1 - kappa^2) / (2 s)", "medium")
def fourier_variance_half(w: Vector("m"), p: Simplex("m"), s: integers(1, 3)):
    k = np.sum(p * np.cos(w))
    z = quantity(lambda rng, size: rng.choice(w, (size, s), p=p)).map(np.cos).mean()
    return E((z - k) ** 2) <= (1 - k**2) / (2 * s)


@true("Hoeffding for random features")
def fourier_tail(w: Vector("m"), p: Simplex("m"), s: integers(1, 4), eps: Positive):
    k = np.sum(p * np.cos(w))
    z = quantity(lambda rng, size: rng.choice(w, (size, s), p=p)).map(np.cos).mean()
    return P(np.abs(z - k) >= eps) <= 2 * exp(-s * eps**2 / 2)


@false("Hoeffding for random features, range 1 for range 2", "medium")
def fourier_tail_range(w: Vector("m"), p: Simplex("m"), s: integers(1, 4), eps: Positive):
    k = np.sum(p * np.cos(w))
    z = quantity(lambda rng, size: rng.choice(w, (size, s), p=p)).map(np.cos).mean()
    return P(np.abs(z - k) >= eps) <= 2 * exp(-2 * s * eps**2)


@true("Variance of a Rademacher projection")
def projection_variance(x: UnitVector("d"), k: integers(1, 2)):
    assume(len(x) <= 4)
    R = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, k, len(x))) - 1)
    length = R.map(lambda R: np.sum((R @ x) ** 2, axis=-1)) / k
    return equal(E((length - 1) ** 2), 2 * (1 - np.sum(x**4)) / k)


@false("Variance of a Rademacher projection is at most 1 / k", "medium")
def projection_variance_one(x: UnitVector("d"), k: integers(1, 2)):
    assume(len(x) <= 4)
    R = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, k, len(x))) - 1)
    length = R.map(lambda R: np.sum((R @ x) ** 2, axis=-1)) / k
    return E((length - 1) ** 2) <= 1 / k


@true("Achlioptas 2003, upper tail")
def johnson_lindenstrauss(x: UnitVector("d"), k: integers(1, 3), eps: Unit):
    assume(len(x) <= 4)
    R = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, k, len(x))) - 1)
    length = R.map(lambda R: np.sum((R @ x) ** 2, axis=-1)) / k
    return P(length >= 1 + eps) <= exp(-k * (eps**2 / 4 - eps**3 / 6))


@false("Achlioptas with eps^2 for eps^2 / 4", "medium")
def johnson_lindenstrauss_constant(x: UnitVector("d"), k: integers(1, 3), eps: Unit):
    assume(len(x) <= 4)
    R = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, k, len(x))) - 1)
    length = R.map(lambda R: np.sum((R @ x) ** 2, axis=-1)) / k
    return P(length >= 1 + eps) <= exp(-2 * k * eps**2)


@true("The inverse is convex: random kernels overestimate the resolvent")
def random_resolvent(Z: Matrix(2, "m"), p: Simplex("m"), lam: Positive, s: integers(1, 3)):
    rows = quantity(lambda rng, size: rng.choice(np.transpose(Z), (size, s), p=p))
    inverses = rows.map(lambda r: np.linalg.inv(np.swapaxes(r, -1, -2) @ r / s + lam * np.eye(2)))
    return loewner(inverse((Z * p) @ np.transpose(Z) + lam * np.eye(2)), E(inverses))


@false("Random kernels underestimate the resolvent", "easy")
def random_resolvent_reversed(Z: Matrix(2, "m"), p: Simplex("m"), lam: Positive, s: integers(1, 3)):
    rows = quantity(lambda rng, size: rng.choice(np.transpose(Z), (size, s), p=p))
    inverses = rows.map(lambda r: np.linalg.inv(np.swapaxes(r, -1, -2) @ r / s + lam * np.eye(2)))
    return loewner(E(inverses), inverse((Z * p) @ np.transpose(Z) + lam * np.eye(2)))
