"""Tails and moments of enumerable laws, written after the engine was tuned."""

import numpy as np

from boundcheck import (
    Count,
    E,
    Matrix,
    P,
    Positive,
    Real,
    Simplex,
    Size,
    Symmetric,
    Unit,
    Vector,
    assume,
    equal,
    erf,
    exp,
    integers,
    log,
    pi,
    quantity,
    rate,
    sqrt,
)

from . import false, true


def signs(n):
    return quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, n)) - 1)


@true("Sixth moment of a Rademacher sum (Khinchine, Haagerup)")
def sixth_moment(a: Vector("n")):
    return E(signs(len(a)).map(lambda s: (s @ a) ** 6)) <= 15 * np.sum(a**2) ** 3


@false("Sixth moment of a Rademacher sum with 11: fails for 7 or 8 nearly equal weights", "hard")
def sixth_moment_constant(a: Vector("n")):
    return E(signs(len(a)).map(lambda s: (s @ a) ** 6)) <= 11 * np.sum(a**2) ** 3


@true("Doob's inequality in L2")
def doob(a: Vector("n")):
    walk = signs(len(a)).map(lambda s: np.max(np.cumsum(s * a, axis=1) ** 2, axis=1))
    return E(walk) <= 4 * np.sum(a**2)


@false("Doob's inequality in L2 with 1.5: fails for n = 8 and tuned weights", "hard")
def doob_constant(a: Vector("n")):
    walk = signs(len(a)).map(lambda s: np.max(np.cumsum(s * a, axis=1) ** 2, axis=1))
    return E(walk) <= 1.5 * np.sum(a**2)


@true("Kolmogorov's maximal inequality")
def kolmogorov(a: Vector("n"), t: Positive):
    top = signs(len(a)).map(lambda s: np.max(np.abs(np.cumsum(s * a, axis=1)), axis=1))
    return P(top >= t) <= np.sum(a**2) / t**2


@true("Khinchine-Kahane for vectors (Latala-Oleszkiewicz 1994)")
def kahane(X: Matrix("n", "d")):
    assume(X.shape[0] <= 6)
    return np.linalg.norm(X) / np.sqrt(2) <= E(signs(X.shape[0]).map(lambda s: np.linalg.norm(s @ X, axis=1)))


@false("Khinchine-Kahane with 0.73", "hard")
def kahane_constant(X: Matrix("n", "d")):
    assume(X.shape[0] <= 6)
    return 0.73 * np.linalg.norm(X) <= E(signs(X.shape[0]).map(lambda s: np.linalg.norm(s @ X, axis=1)))


def chaos(A):
    B = A - np.diag(np.diag(A))
    return B, signs(A.shape[0]).map(lambda s: np.sum((s @ B) * s, axis=1))


@true("Second moment of a Rademacher chaos")
def chaos_variance(A: Symmetric):
    B, f = chaos(A)
    return equal(E(f**2), 2 * np.sum(B**2))


@true("Bonami 1970, degree 2")
def bonami(A: Symmetric):
    B, f = chaos(A)
    return E(f**4) <= 81 * (2 * np.sum(B**2)) ** 2


@false("Bonami, degree 2, with 7 for 81: fails for n >= 6", "hard")
def bonami_constant(A: Symmetric):
    B, f = chaos(A)
    return E(f**4) <= 7 * (2 * np.sum(B**2)) ** 2


def distinct(p, n):
    seen = quantity(lambda rng, size: rng.multinomial(n, p, size)).map(lambda N: np.sum(np.where(N > 0, 1.0, 0.0), axis=1))
    return seen - np.sum(1 - (1 - p) ** n)


@true("McDiarmid for the number of distinct values")
def mcdiarmid(p: Simplex("m"), n: integers(1, 12), t: Positive):
    assume(len(p) <= 5)
    return P(distinct(p, n) >= t) <= exp(-2 * t**2 / n)


@false("McDiarmid for the number of distinct values with 5.8: fails for n = 2 and two even values only", "hard")
def mcdiarmid_constant(p: Simplex("m"), n: integers(1, 12), t: Positive):
    assume(len(p) <= 5)
    return P(distinct(p, n) >= t) <= exp(-5.8 * t**2 / n)


@true("McDiarmid for a weighted sum of a general finite law")
def mcdiarmid_weighted(a: Vector("n"), x: Vector("m"), p: Simplex("m"), t: Positive):
    assume(len(a) <= 4 and len(x) <= 4)
    X = quantity(lambda rng, size: rng.choice(x, (size, len(a)), p=p)).map(lambda X: X @ a)
    return P(X - np.sum(a) * np.sum(p * x) >= t) <= np.exp(-2 * t**2 / (np.sum(a**2) * (x.max() - x.min()) ** 2))


@false("McDiarmid for a weighted sum by the standard deviations", "medium")
def mcdiarmid_variance(a: Vector("n"), x: Vector("m"), p: Simplex("m"), t: Positive):
    assume(len(a) <= 4 and len(x) <= 4)
    X, mu = quantity(lambda rng, size: rng.choice(x, (size, len(a)), p=p)).map(lambda X: X @ a), np.sum(p * x)
    return P(X - np.sum(a) * mu >= t) <= np.exp(-(t**2) / (2 * np.sum(a**2) * np.sum(p * (x - mu) ** 2)))


@true("Berry-Esseen for fair coins (Hipp-Mattner 2007)")
def berry_esseen(n: Count, t: Real):
    X = quantity(lambda rng, size: rng.binomial(n, 0.5, size))
    return P(X <= n / 2 + t * sqrt(n) / 2) <= (1 + erf(t / sqrt(2))) / 2 + 1 / sqrt(2 * pi * n)


@false("Berry-Esseen for fair coins with 0.37: fails for t = 0 and even n only", "hard")
def berry_esseen_constant(n: Count, t: Real):
    X = quantity(lambda rng, size: rng.binomial(n, 0.5, size))
    return P(X <= n / 2 + t * sqrt(n) / 2) <= (1 + erf(t / sqrt(2))) / 2 + 0.37 / sqrt(n)


@true("Greenberg-Mohri 2014")
def greenberg_mohri(n: Count, p: Unit):
    assume(n * p > 1)
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= n * p) >= 1 / 4


@false("Greenberg-Mohri with 0.26: fails for p just above 1 / n", "hard")
def greenberg_mohri_constant(n: Count, p: Unit):
    assume(n * p > 1)
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= n * p) >= 0.26


def slud_tail(n, p, k):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= k) >= (1 - erf((k - n * p) / sqrt(2 * n * p * (1 - p)))) / 2


@true("Slud 1977")
def slud(n: Count, p: Unit, k: Count):
    assume(p <= 1 / 2 and n * p <= k and k <= n * (1 - p))
    return slud_tail(n, p, k)


@false("Slud up to k = n: fails for n >= 12 and k near n, p near 1 / 2", "hard")
def slud_unrestricted(n: Count, p: Unit, k: Count):
    assume(p <= 1 / 2 and n * p <= k and k <= n)
    return slud_tail(n, p, k)


@true("A fair coin's mean at the rate -1/2, up to 0.05: the slope is -0.479")
def coin_rate(c: Positive):
    error = lambda s: c * E(quantity(lambda rng, size: np.abs(rng.binomial(s, 0.5, size) / s - 0.5)))  # noqa: E731
    return rate({s: error(s) for s in (4, 16, 64)}, at_most=-0.5, margin=0.05)


@false("A coin's mean at the rate -1/2 whatever its bias: fails for small p", "medium")
def coin_rate_biased(p: Unit):
    error = lambda s: E(quantity(lambda rng, size: np.abs(rng.binomial(s, p, size) / s - p)))  # noqa: E731
    return rate({s: error(s) for s in (4, 16, 64)}, at_most=-0.5)


@false("A coin's variance at the rate -1.1", "easy")
def coin_variance_rate(p: Unit):
    error = lambda s: E(quantity(lambda rng, size: (rng.binomial(s, p, size) / s - p) ** 2))  # noqa: E731
    return rate({s: error(s) for s in (4, 16, 64)}, at_most=-1.1)


@true("Variance of a mean without replacement, with equality")
def without_replacement(good: Size, bad: Size, k: Size):
    N = good + bad
    assume(k <= N)
    X = quantity(lambda rng, size: rng.hypergeometric(good, bad, k, size))
    return E((X / k - good / N) ** 2) <= good * bad / N**2 * (N - k) / (k * (N - 1))


@false("Variance of a mean without replacement with N for N - 1", "easy")
def without_replacement_plain(good: Size, bad: Size, k: Size):
    N = good + bad
    assume(k < N)
    X = quantity(lambda rng, size: rng.hypergeometric(good, bad, k, size))
    return E((X / k - good / N) ** 2) <= good * bad / N**2 * (N - k) / (k * N)


@true("Expected supremum of a finite class over its union bound")
def expected_supremum(p: Unit, n: integers(1, 200), h: integers(2, 4)):
    assume((n + 1) ** h <= 20_000)
    gap = quantity(lambda rng, size: rng.binomial(n, p, (size, h))).map(lambda X: np.max(X, axis=1) / n - p)
    return E(gap) <= sqrt(log(h) / (2 * n))


@false("Expected supremum of a finite class, with 0.6: fails for h = 4, n >= 6 and p near 1 / 2", "hard")
def expected_supremum_constant(p: Unit, n: integers(1, 200), h: integers(2, 4)):
    assume((n + 1) ** h <= 20_000)
    gap = quantity(lambda rng, size: rng.binomial(n, p, (size, h))).map(lambda X: np.max(X, axis=1) / n - p)
    return E(gap) <= 0.6 * sqrt(log(h) / (2 * n))
