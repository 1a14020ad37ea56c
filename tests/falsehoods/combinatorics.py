"""Binomial coefficients, factorials, collisions and elementary inequalities."""

import numpy as np

from boundcheck import (
    Count,
    NonNegative,
    Positive,
    Simplex,
    Vector,
    assume,
    at_most,
    between,
    exp,
    gammaln,
    log,
    pi,
    sqrt,
)  # fmt: skip

from . import false, true


def log_choose(n, k):
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


@true("Robbins 1955, above")
def stirling_upper(n: Count):
    return at_most(gammaln(n + 1), log(2 * pi * n) / 2 + n * log(n) - n + 1 / (12 * n))


@false("Robbins 1955, above with the lower constant", "medium")
def stirling_upper_thirteen(n: Count):
    return at_most(gammaln(n + 1), log(2 * pi * n) / 2 + n * log(n) - n + 1 / (12 * n + 1))


@true("Robbins 1955, below")
def stirling_lower(n: Count):
    return at_most(log(2 * pi * n) / 2 + n * log(n) - n + 1 / (12 * n + 1), gammaln(n + 1))


@true("Central binomial coefficient")
def central(n: Count):
    return at_most(log_choose(2 * n, n), 2 * n * log(2) - log(pi * (n + 0.25)) / 2)


@false("Central binomial coefficient with 0.27", "hard")
def central_constant(n: Count):
    return at_most(exp(log_choose(2 * n, n) - 2 * n * log(2)), 1 / sqrt(pi * (n + 0.27)))


@true("Binomial coefficient by (e n / k)^k")
def choose_upper(n: Count, k: Count):
    assume(k <= n)
    return at_most(log_choose(n, k), k * (1 + log(n / k)))


@false("Binomial coefficient by (2.5 n / k)^k", "hard")
def choose_upper_constant(n: Count, k: Count):
    assume(k <= n)
    return at_most(log_choose(n, k), k * log(2.5 * n / k))


@true("Binomial coefficient by (n / k)^k, below")
def choose_lower(n: Count, k: Count):
    assume(k <= n)
    return at_most(k * log(n / k), log_choose(n, k))


@false("Binomial coefficient by (2 n / k)^k, below", "easy")
def choose_lower_two(n: Count, k: Count):
    assume(k <= n)
    return at_most(k * log(2 * n / k), log_choose(n, k))


@true("Sauer-Shelah growth")
def sauer(n: Count, d: Count):
    assume(d <= n)
    i = np.arange(d + 1)
    return at_most(np.sum(exp(log_choose(n, i) - d * (1 + log(n / d)))), 1)


@false("Sauer-Shelah growth with n^d", "easy")
def sauer_power(n: Count, d: Count):
    assume(d <= n and n <= 30)
    i = np.arange(d + 1)
    return at_most(np.sum(exp(log_choose(n, i))), exp(d * log(n)))


@true("Birthday, above and below")
def birthday(n: Count, k: Count):
    assume(k <= n)
    free = np.prod(1 - np.arange(k) / n)
    return at_most(free, exp(-k * (k - 1) / (2 * n))), at_most(1 - k * (k - 1) / (2 * n), free)


@false("Birthday with k^2", "easy")
def birthday_square(n: Count, k: Count):
    assume(k <= n)
    return at_most(np.prod(1 - np.arange(k) / n), exp(-(k**2) / (2 * n)))


@true("Coupon collector")
def coupons(n: Count, c: Positive):
    m = n * (log(n) + c)
    assume(n >= 2)
    return at_most(n * exp(m * log(1 - 1 / n)), exp(-c))


@false("Coupon collector with n - 1 coupons", "hard")
def coupons_fewer(n: Count, c: Positive):
    assume(n >= 2)
    return at_most(n * exp((n - 1) * (log(n) + c) * log(1 - 1 / n)), exp(-c))


@true("Harmonic numbers")
def harmonic(n: Count):
    return at_most(np.sum(1 / np.arange(1, n + 1)), 1 + log(n))


@false("Harmonic numbers with 1/2 + log", "easy")
def harmonic_half(n: Count):
    return at_most(np.sum(1 / np.arange(1, n + 1)), 0.5 + log(n))


@false("Harmonic numbers with 0.58 + log n", "easy")
def harmonic_euler(n: Count):
    return at_most(np.sum(1 / np.arange(1, n + 1)), 0.58 + log(n))


@true("Young 1912")
def young(a: NonNegative, b: NonNegative, p: between(1, 10)):
    q = p / (p - 1)
    return at_most(a * b, a**p / p + b**q / q)


@false("Young with the weights exchanged", "medium")
def young_exchanged(a: NonNegative, b: NonNegative, p: between(1, 10)):
    q = p / (p - 1)
    return at_most(a * b, a**p / q + b**q / p)


@true("Hoelder")
def hoelder(x: Vector("n"), y: Vector("n"), p: between(1.1, 10)):
    q = p / (p - 1)
    return at_most(np.sum(np.abs(x * y)), np.sum(np.abs(x) ** p) ** (1 / p) * np.sum(np.abs(y) ** q) ** (1 / q))


@false("Hoelder with conjugates that sum to less than 1", "medium")
def hoelder_exponents(x: Vector("n"), y: Vector("n"), p: between(1.1, 10)):
    q = 1.1 * p / (p - 1)
    return at_most(np.sum(np.abs(x * y)), np.sum(np.abs(x) ** p) ** (1 / p) * np.sum(np.abs(y) ** q) ** (1 / q))


@true("Minkowski")
def minkowski(x: Vector("n"), y: Vector("n"), p: between(1, 10)):
    size = lambda z: np.sum(np.abs(z) ** p) ** (1 / p)  # noqa: E731
    return at_most(size(x + y), size(x) + size(y))


@false("Minkowski from 0.9 on", "hard")
def minkowski_small(x: Vector("n"), y: Vector("n"), p: between(0.9, 10)):
    size = lambda z: np.sum(np.abs(z) ** p) ** (1 / p)  # noqa: E731
    return at_most(size(x + y), size(x) + size(y))


@true("Power means")
def power_means(x: Vector("n"), p: Simplex("n")):
    z = np.abs(x)
    return at_most(np.sum(p * z) ** 3, np.sum(p * z**3))


@true("Bernoulli")
def bernoulli(x: Positive, n: Count):
    return at_most(1 + n * x, (1 + x) ** n)


@false("Bernoulli with the next term", "medium")
def bernoulli_next(x: Positive, n: Count):
    return at_most(1 + n * x + n**2 * x**2 / 2, (1 + x) ** n)


@true("Lyapunov: the fourth moment")
def lyapunov(x: Vector("n"), p: Simplex("n")):
    return at_most(np.sum(p * np.abs(x) ** 3) ** 2, np.sum(p * x**2) * np.sum(p * x**4))


@false("Gruess with 1/5", "medium")
def gruess_constant(x: Vector("n"), y: Vector("n")):
    cov = np.mean(x * y) - np.mean(x) * np.mean(y)
    return at_most(np.abs(cov), (np.max(x) - np.min(x)) * (np.max(y) - np.min(y)) / 5)


@true("Gruess 1935")
def gruess(x: Vector("n"), y: Vector("n")):
    cov = np.mean(x * y) - np.mean(x) * np.mean(y)
    return at_most(np.abs(cov), (np.max(x) - np.min(x)) * (np.max(y) - np.min(y)) / 4)
