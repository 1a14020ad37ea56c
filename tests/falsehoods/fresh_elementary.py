"""Sharp constants of calculus and sums, and effective dimensions, written after the engine was tuned."""

import numpy as np

from boundcheck import (
    Count,
    NonNegative,
    Positive,
    Real,
    Spectrum,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    cos,
    exp,
    gammaln,
    log,
    pi,
    sin,
    sqrt,
)

from . import false, true


@true("Jordan's inequality")
def jordan(x: between(0, 1.57)):
    return at_most(2 * x / pi, sin(x))


@true("Kober's inequality, above")
def kober(x: between(0, 1.57)):
    return at_most(cos(x), 1 - 4 * x**2 / pi**2)


@false("Kober's inequality with 0.41 for 4 / pi^2: fails beyond 1.53", "hard")
def kober_constant(x: between(0, 1.57)):
    return at_most(cos(x), 1 - 0.41 * x**2)


@true("Kershaw 1983")
def kershaw(x: Positive, s: Unit):
    ratio = gammaln(x + 1) - gammaln(x + s)
    return at_most((1 - s) * log(x + s / 2), ratio), at_most(ratio, (1 - s) * log(x - 0.5 + sqrt(s + 0.25)))


@false("Kershaw with 0.55 s for s / 2", "hard")
def kershaw_constant(x: Positive, s: Unit):
    return at_most((1 - s) * log(x + 0.55 * s), gammaln(x + 1) - gammaln(x + s))


@true("Sum of inverse roots, below")
def inverse_roots(n: Count):
    return at_most(2 * sqrt(n) - 1.4604, np.sum(1 / np.sqrt(np.arange(1, n + 1))))


@false("Sum of inverse roots, below, with 1.45: fails from n = 2300 on", "hard")
def inverse_roots_constant(n: Count):
    return at_most(2 * np.sqrt(n) - 1.45, np.sum(1 / np.sqrt(np.arange(1, n + 1))))


@true("Effective dimension under exponential decay")
def exponential_decay(n: Count, lam: Positive):
    s = np.exp(-1.0 * np.arange(1, min(n, 200) + 1))
    return at_most(np.sum(s / (s + lam)), log(1 + 1 / lam))


@false("Effective dimension under exponential decay with 0.97: fails for lam below 1e-8 and n above 17", "hard")
def exponential_decay_constant(n: Count, lam: Positive):
    s = np.exp(-1.0 * np.arange(1, min(n, 200) + 1))
    return at_most(np.sum(s / (s + lam)), 0.97 * log(1 + 1 / lam))


@true("Carleman 1922")
def carleman(a: Vector("n")):
    x = np.exp(a)
    return at_most(np.sum(np.exp(np.cumsum(a) / np.arange(1, len(a) + 1))), exp(1) * np.sum(x))


@false("Carleman with 1.55: fails for n = 8 and decreasing weights", "hard")
def carleman_constant(a: Vector("n")):
    x = np.exp(a)
    return at_most(np.sum(np.exp(np.cumsum(a) / np.arange(1, len(a) + 1))), 1.55 * np.sum(x))


def shapiro_sum(x):
    return np.sum(x / (np.roll(x, -1) + np.roll(x, -2)))


@true("Shapiro's cyclic inequality, n = 12 (Godunova, Levin 1976)")
def shapiro_twelve(a: Vector(12)):
    return at_most(6, shapiro_sum(np.exp(a)))


@false("Shapiro's cyclic inequality, n = 24: fails by 0.2 per cent (Lighthill's kind of counterexample)", "hard")
def shapiro_twenty_four(a: Vector(24)):
    return at_most(12, shapiro_sum(np.exp(a)))


@true("Mean and median")
def mean_median(x: Vector(7)):
    return at_most(np.abs(np.mean(x) - np.median(x)), np.std(x))


@false("Mean and median of seven numbers with 0.85: fails for four equal against three equal", "hard")
def mean_median_constant(x: Vector(7)):
    return at_most(np.abs(np.mean(x) - np.median(x)), 0.85 * np.std(x))


@true("Samuelson 1968")
def samuelson(x: Vector("n")):
    return at_most(np.max(np.abs(x - np.mean(x))), np.std(x) * np.sqrt(len(x) - 1))


@true("Skewness and kurtosis (Pearson 1916)")
def pearson(x: Vector("n")):
    z = x - np.mean(x)
    return at_most(np.mean(z**3) ** 2 + np.mean(z**2) ** 3, np.mean(z**4) * np.mean(z**2))


@false("Skewness and kurtosis, with 1.1", "easy")
def pearson_constant(x: Vector("n")):
    z = x - np.mean(x)
    return at_most(np.mean(z**3) ** 2 + 1.1 * np.mean(z**2) ** 3, np.mean(z**4) * np.mean(z**2))


@true("Vasc 1992: equality also off the diagonal")
def vasc(a: Real, b: Real, c: Real):
    return at_most(3 * (a**3 * b + b**3 * c + c**3 * a), (a**2 + b**2 + c**2) ** 2)


@false("Vasc for four numbers", "medium")
def vasc_four(a: Real, b: Real, c: Real, d: Real):
    return at_most(4 * (a**3 * b + b**3 * c + c**3 * d + d**3 * a), (a**2 + b**2 + c**2 + d**2) ** 2)


@true("Motzkin")
def motzkin(x: Real, y: Real):
    return at_most(3 * x**2 * y**2, x**4 * y**2 + x**2 * y**4 + 1)


@false("Polya-Szego with the root of the ratio: fails for ratios above 12", "medium")
def polya_szego(a: Vector("n"), b: Vector("n")):
    x, y = np.exp(a), np.exp(b)
    ratio = np.max(x / y) / np.min(x / y)
    return at_most(np.sum(x**2) * np.sum(y**2), np.sqrt(ratio) * np.sum(x * y) ** 2)


@true("Polya-Szego 1925")
def polya_szego_true(a: Vector("n"), b: Vector("n")):
    x, y = np.exp(a), np.exp(b)
    ratio = np.max(x / y) / np.min(x / y)
    return at_most(np.sum(x**2) * np.sum(y**2), (ratio + 1) ** 2 / (4 * ratio) * np.sum(x * y) ** 2)


@true("Rearrangement")
def rearrangement(a: Vector("n"), b: Vector("n")):
    return at_most(a @ b, np.sort(a) @ np.sort(b))


@false("Rearrangement after taking moduli of one side only", "easy")
def rearrangement_modulus(a: Vector("n"), b: Vector("n")):
    return at_most(np.abs(a @ b), np.sort(np.abs(a)) @ np.sort(b))


@true("Truncated geometric series")
def geometric(x: Unit, n: Count):
    return at_most(np.sum(x ** np.arange(n)), 1 / (1 - x))


@false("A spectrum's tail sum by its head", "easy")
def tail_by_head(s: Spectrum("n"), lam: NonNegative):
    assume(len(s) >= 2)
    return at_most(np.sum(s[1:]) + lam, s[0] + lam)
