"""Tails of sums, moments and maxima, most of them on enumerable laws."""

import numpy as np

from boundcheck import (
    Count,
    E,
    P,
    Positive,
    Real,
    Simplex,
    Unit,
    UnitVector,
    Vector,
    assume,
    at_most,
    between,
    erf,
    exp,
    integers,
    log,
    norm,
    pi,
    quantity,
    sqrt,
)  # fmt: skip

from . import false, true


@true("Hoeffding 1963")
def hoeffding(n: Count, p: Unit, eps: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X / n - p >= eps) <= exp(-2 * n * eps**2)


@false("Hoeffding with 2.2 in the exponent", "hard")
def hoeffding_exponent(n: Count, p: Unit, eps: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X / n - p >= eps) <= exp(-2.2 * n * eps**2)


@false("Hoeffding with 4 in the exponent", "easy")
def hoeffding_four(n: Count, p: Unit, eps: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X / n - p >= eps) <= exp(-4 * n * eps**2)


@false("Hoeffding, two-sided, without the factor 2", "easy")
def hoeffding_two_sided(n: Count, p: Unit, eps: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(np.abs(X / n - p) >= eps) <= exp(-2 * n * eps**2)


@true("Hoeffding as a confidence bound")
def hoeffding_confidence(n: Count, p: Unit, delta: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X / n - p <= sqrt(log(1 / delta) / (2 * n))) >= 1 - delta


@false("Two-sided confidence with log(1 / delta)", "medium")
def hoeffding_confidence_two_sided(n: Count, p: Unit, delta: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(np.abs(X / n - p) <= sqrt(log(1 / delta) / (2 * n))) >= 1 - delta


@false("Confidence with log(1 / delta) / (2.5 n)", "hard")
def hoeffding_confidence_constant(n: Count, p: Unit, delta: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X / n - p <= sqrt(log(1 / delta) / (2.5 * n))) >= 1 - delta


@true("Chernoff with relative entropy")
def chernoff(n: Count, p: Unit, q: Unit):
    assume(q > p)
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= n * q) <= exp(-n * (q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))))


@false("Chernoff with the arguments of the relative entropy exchanged", "medium")
def chernoff_exchanged(n: Count, p: Unit, q: Unit):
    assume(q > p)
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= n * q) <= exp(-n * (p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))))


@true("Multiplicative Chernoff, upper tail")
def chernoff_multiplicative(n: Count, p: Unit, eps: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= (1 + eps) * n * p) <= exp(-n * p * eps**2 / 3)


@false("Multiplicative Chernoff, upper tail, 2 for 3", "hard")
def chernoff_multiplicative_two(n: Count, p: Unit, eps: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= (1 + eps) * n * p) <= exp(-n * p * eps**2 / 2)


@true("Multiplicative Chernoff, lower tail")
def chernoff_lower(n: Count, p: Unit, eps: Unit):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X <= (1 - eps) * n * p) <= exp(-n * p * eps**2 / 2)


@false("Multiplicative Chernoff, upper tail, without eps <= 1", "medium")
def chernoff_large_eps(n: Count, p: Unit, eps: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X >= (1 + eps) * n * p) <= exp(-n * p * eps**2 / 3)


@true("Bernstein")
def bernstein(n: Count, p: Unit, t: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X - n * p >= t) <= exp(-(t**2) / (2 * (n * p * (1 - p) + t / 3)))


@false("Bernstein without the linear term", "medium")
def bernstein_gaussian(n: Count, p: Unit, t: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X - n * p >= t) <= exp(-(t**2) / (2 * n * p * (1 - p)))


@false("Bernstein with t / 6", "hard")
def bernstein_sixth(n: Count, p: Unit, t: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    return P(X - n * p >= t) <= exp(-(t**2) / (2 * (n * p * (1 - p) + t / 6)))


@true("Bennett 1962")
def bennett(n: Count, p: Unit, t: Positive):
    X = quantity(lambda rng, size: rng.binomial(n, p, size))
    v = n * p * (1 - p)
    return P(X - n * p >= t) <= exp(-v * ((1 + t / v) * log(1 + t / v) - t / v))


@true("Markov")
def markov(x: Vector("m"), p: Simplex("m"), t: Positive):
    X = quantity(lambda rng, size: rng.choice(np.abs(x), size, p=p))
    return P(X >= t) <= np.sum(p * np.abs(x)) / t


@false("Markov for signed variables", "easy")
def markov_signed(x: Vector("m"), p: Simplex("m"), t: Positive):
    X = quantity(lambda rng, size: rng.choice(x, size, p=p))
    return P(X >= t) <= np.abs(np.sum(p * x)) / t


@true("Chebyshev")
def chebyshev(x: Vector("m"), p: Simplex("m"), t: Positive):
    mu = np.sum(p * x)
    X = quantity(lambda rng, size: rng.choice(x, size, p=p))
    return P(np.abs(X - mu) >= t) <= np.sum(p * (x - mu) ** 2) / t**2


@false("Chebyshev with 1.1", "medium")
def chebyshev_constant(x: Vector("m"), p: Simplex("m"), t: Positive):
    mu = np.sum(p * x)
    X = quantity(lambda rng, size: rng.choice(x, size, p=p))
    return P(np.abs(X - mu) >= t) <= np.sum(p * (x - mu) ** 2) / (1.1 * t**2)


@true("Cantelli")
def cantelli(x: Vector("m"), p: Simplex("m"), t: Positive):
    mu = np.sum(p * x)
    v = np.sum(p * (x - mu) ** 2)
    X = quantity(lambda rng, size: rng.choice(x, size, p=p))
    return P(X - mu >= t) <= v / (v + t**2)


@false("Cantelli with 1.1 t^2", "hard")
def cantelli_constant(x: Vector("m"), p: Simplex("m"), t: Positive):
    mu = np.sum(p * x)
    v = np.sum(p * (x - mu) ** 2)
    X = quantity(lambda rng, size: rng.choice(x, size, p=p))
    return P(X - mu >= t) <= v / (v + 1.1 * t**2)


@true("Paley-Zygmund")
def paley_zygmund(x: Vector("m"), p: Simplex("m"), theta: Unit):
    z = np.abs(x)
    mu = np.sum(p * z)
    assume(mu > 0)
    Z = quantity(lambda rng, size: rng.choice(z, size, p=p))
    return P(Z > theta * mu) >= (1 - theta) ** 2 * mu**2 / np.sum(p * z**2)


@false("Paley-Zygmund with 1 - theta^2", "hard")
def paley_zygmund_square(x: Vector("m"), p: Simplex("m"), theta: Unit):
    z = np.abs(x)
    mu = np.sum(p * z)
    assume(mu > 0)
    Z = quantity(lambda rng, size: rng.choice(z, size, p=p))
    return P(Z > theta * mu) >= (1 - theta**2) * mu**2 / np.sum(p * z**2)


@true("Hoeffding's lemma")
def hoeffding_lemma(p: Unit, s: Real):
    return at_most(p * exp(s * (1 - p)) + (1 - p) * exp(-s * p), exp(s**2 / 8))


@false("Hoeffding's lemma with 9", "hard")
def hoeffding_lemma_nine(p: Unit, s: Real):
    return at_most(p * exp(s * (1 - p)) + (1 - p) * exp(-s * p), exp(s**2 / 9))


@true("Khinchine, Szarek 1976")
def khinchine(a: Vector("n")):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return norm(a) / sqrt(2) <= E(np.abs(S))


@false("Khinchine with 3/4", "medium")
def khinchine_constant(a: Vector("n")):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return at_most(0.75 * norm(a), E(np.abs(S)))


@true("Khinchine, fourth moment")
def khinchine_fourth(a: Vector("n")):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return E(S**4) <= 3 * norm(a) ** 4


@false("Khinchine, fourth moment with 2.7", "hard")
def khinchine_fourth_constant(a: Vector("n")):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return E(S**4) <= 2.7 * norm(a) ** 4


@true("Azuma for weighted signs")
def azuma(a: UnitVector("n"), t: Positive):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return P(S >= t) <= exp(-(t**2) / 2)


@false("Azuma for weighted signs with exp(-t^2)", "medium")
def azuma_constant(a: UnitVector("n"), t: Positive):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return P(S >= t) <= exp(-(t**2))


@true("Tomaszewski, proved by Keller and Klein")
def tomaszewski(a: UnitVector("n")):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return P(np.abs(S) <= 1) >= 1 / 2


@false("Tomaszewski with 0.55", "medium")
def tomaszewski_constant(a: UnitVector("n")):
    S = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, len(a)))).map(lambda s: s @ a)
    return P(np.abs(S) <= 1) >= 0.55


@true("Maximum of sub-Gaussian variables")
def maximum_of_signs(n: integers(1, 4), k: integers(1, 3)):
    X = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, n, k)))
    return E((X.sum(axis=2) / sqrt(k)).max()) <= sqrt(2 * log(n))


@false("Maximum of sub-Gaussian variables with log n / 2", "medium")
def maximum_of_signs_constant(n: integers(1, 4), k: integers(1, 3)):
    X = quantity(lambda rng, size: rng.choice(np.array([-1.0, 1.0]), (size, n, k)))
    return E((X.sum(axis=2) / sqrt(k)).max()) <= sqrt(log(n) / 2)


@true("Dvoretzky-Kiefer-Wolfowitz, Massart 1990")
def dkw(p: Simplex("m"), n: Count, eps: Positive):
    assume(n <= 40 and len(p) <= 3)
    gap = quantity(lambda rng, size: rng.multinomial(n, p, size)).map(lambda N: np.max(np.abs(np.cumsum(N / n - p, axis=-1)), axis=-1))
    return P(gap > eps) <= 2 * exp(-2 * n * eps**2)


@false("Dvoretzky-Kiefer-Wolfowitz with the constant 1", "medium")
def dkw_one(p: Simplex("m"), n: Count, eps: Positive):
    assume(n <= 40 and len(p) <= 3)
    gap = quantity(lambda rng, size: rng.multinomial(n, p, size)).map(lambda N: np.max(np.abs(np.cumsum(N / n - p, axis=-1)), axis=-1))
    return P(gap > eps) <= exp(-2 * n * eps**2)


@true("Serfling 1974")
def serfling(good: Count, bad: Count, k: Count, eps: Unit):
    N = good + bad
    assume(k <= N)
    H = quantity(lambda rng, size: rng.hypergeometric(good, bad, k, size))
    return P(H / k - good / N >= eps) <= exp(-2 * k * eps**2 / (1 - (k - 1) / N))


@false("Serfling with k for k - 1", "medium")
def serfling_k(good: Count, bad: Count, k: Count, eps: Unit):
    N = good + bad
    assume(k < N)
    H = quantity(lambda rng, size: rng.hypergeometric(good, bad, k, size))
    return P(H / k - good / N >= eps) <= exp(-2 * k * eps**2 / (1 - k / N))


@true("Gaussian tail: Mills' ratio, below")
def mills_lower(t: between(0.1, 5)):
    return at_most(t / (1 + t**2) * exp(-(t**2) / 2) / sqrt(2 * pi), (1 - erf(t / sqrt(2))) / 2)


@false("Gaussian tail: 1/t - 1/(2 t^3)", "medium")
def mills_lower_half(t: between(0.1, 5)):
    return at_most((1 / t - 1 / (2 * t**3)) * exp(-(t**2) / 2) / sqrt(2 * pi), (1 - erf(t / sqrt(2))) / 2)


@true("Gaussian tail: half the exponential")
def gaussian_half(t: Positive):
    return at_most((1 - erf(t / sqrt(2))) / 2, exp(-(t**2) / 2) / 2)


@false("Gaussian tail: exponential over 2 + 2 t", "hard")
def gaussian_half_linear(t: Positive):
    return at_most((1 - erf(t / sqrt(2))) / 2, exp(-(t**2) / 2) / (2 + 2 * t))


@true("Laurent-Massart 2000")
def laurent_massart(n: Count, x: Positive):
    g = quantity(lambda rng, size: rng.chisquare(n, size))
    return P(g >= n + 2 * sqrt(n * x) + 2 * x) <= exp(-x)


@false("Laurent-Massart without the linear term", "medium")
def laurent_massart_linear(n: Count, x: Positive):
    g = quantity(lambda rng, size: rng.chisquare(n, size))
    return P(g >= n + 2 * sqrt(n * x)) <= exp(-x)


@true("Laurent-Massart 2000, lower tail")
def laurent_massart_lower(n: Count, x: Positive):
    g = quantity(lambda rng, size: rng.chisquare(n, size))
    return P(g <= n - 2 * sqrt(n * x)) <= exp(-x)


@true("Popoviciu 1935")
def popoviciu(x: Vector("m"), p: Simplex("m")):
    return at_most(np.sum(p * (x - np.sum(p * x)) ** 2), (np.max(x) - np.min(x)) ** 2 / 4)


@false("Popoviciu with 1/5", "medium")
def popoviciu_fifth(x: Vector("m"), p: Simplex("m")):
    return at_most(np.sum(p * (x - np.sum(p * x)) ** 2), (np.max(x) - np.min(x)) ** 2 / 5)
