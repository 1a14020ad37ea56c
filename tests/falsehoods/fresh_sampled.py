"""Gaussian vectors and matrices, uniform samples and random features, none of them with a finite law."""

import numpy as np

from boundcheck import Count, E, P, Positive, Real, Size, Unit, Vector, at_most, between, exp, integers, log, quantity, rate, sqrt

from . import false, true


def gaussian(*shape):
    return quantity(lambda rng, size: rng.standard_normal((size, *shape)))


@true("Davidson-Szarek 2001")
def davidson_szarek(m: Size, n: Size, t: Positive):
    return P(np.linalg.svdvals(gaussian(m, n))[0] >= sqrt(m) + sqrt(n) + t) <= exp(-(t**2) / 2)


@false("Davidson-Szarek with the larger root only", "medium")
def davidson_szarek_larger(m: Size, n: Size, t: Positive):
    return P(np.linalg.svdvals(gaussian(m, n))[0] >= sqrt(np.maximum(m, n)) + t) <= exp(-(t**2) / 2)


def gaussian_norm(m, n):
    return quantity(lambda rng, size: np.linalg.norm(rng.standard_normal((size, m, n)), 2, axis=(1, 2)), low=0)


@true("Gordon 1985")
def gordon(m: Size, n: Size):
    return E(gaussian_norm(m, n)) <= sqrt(m) + sqrt(n)


@false("Gordon with 0.82: fails for both sizes large", "hard")
def gordon_constant(m: Size, n: Size):
    return E(gaussian_norm(m, n)) <= 0.82 * (sqrt(m) + sqrt(n))


@true("Length of a Gaussian vector, squared, with equality")
def chi_square_mean(n: Count, x: Vector(3)):
    length = quantity(lambda rng, size: np.sum((rng.standard_normal((size, 5, 3)) @ x) ** 2, axis=1), low=0)
    return E(length) <= 5 * np.sum(x**2)


@true("Length of a Gaussian vector")
def chi_mean(n: integers(1, 50)):
    return E(quantity(lambda rng, size: np.linalg.norm(rng.standard_normal((size, n)), axis=1), low=0)) <= np.sqrt(n)


@false("Length of a Gaussian vector with 0.98: fails from n = 13 on", "hard")
def chi_mean_constant(n: integers(1, 50)):
    return E(quantity(lambda rng, size: np.linalg.norm(rng.standard_normal((size, n)), axis=1), low=0)) <= 0.98 * np.sqrt(n)


@true("Largest of n Gaussians in modulus")
def largest_gaussian(n: integers(1, 1000)):
    return E(quantity(lambda rng, size: np.abs(rng.standard_normal((size, n))).max(axis=1), low=0)) <= sqrt(2 * log(2 * n))


@false("Largest of n Gaussians in modulus with 1.4: fails from n = 100 on", "hard")
def largest_gaussian_constant(n: integers(1, 1000)):
    return E(quantity(lambda rng, size: np.abs(rng.standard_normal((size, n))).max(axis=1), low=0)) <= sqrt(1.4 * log(2 * n))


@true("Largest of n Gaussians, tail")
def largest_gaussian_tail(n: integers(1, 200), delta: Unit):
    top = quantity(lambda rng, size: rng.standard_normal((size, n)).max(axis=1))
    return P(top <= sqrt(2 * log(n / delta))) >= 1 - delta


@false("Largest of n Gaussians, tail, with 0.8: fails for n / delta above 400", "hard")
def largest_gaussian_tail_constant(n: integers(1, 200), delta: Unit):
    top = quantity(lambda rng, size: rng.standard_normal((size, n)).max(axis=1))
    return P(top <= 0.8 * sqrt(2 * log(n / delta))) >= 1 - delta


@true("Smallest singular value (Edelman 1988)")
def edelman(n: Size, eps: Unit):
    low = quantity(lambda rng, size: np.linalg.svd(rng.standard_normal((size, n, n)), compute_uv=False)[:, -1])
    return P(np.sqrt(n) * low <= eps) <= eps


@false("Smallest singular value with 0.88: fails for n >= 3 and small eps", "hard")
def edelman_constant(n: Size, eps: Unit):
    low = quantity(lambda rng, size: np.linalg.svd(rng.standard_normal((size, n, n)), compute_uv=False)[:, -1])
    return P(np.sqrt(n) * low <= eps) <= 0.88 * eps


@true("Hoeffding for Gaussian random features")
def gaussian_features(x: Vector("d"), s: integers(1, 100), eps: Unit):
    z = quantity(lambda rng, size: np.cos(rng.standard_normal((size, s, len(x))) @ x).mean(axis=1))
    return P(np.abs(z - np.exp(-np.sum(x**2) / 2)) >= eps) <= 2 * np.exp(-s * eps**2 / 2)


@false("Hoeffding for Gaussian random features, range 1 for 2", "hard")
def gaussian_features_range(x: Vector("d"), s: integers(1, 100), eps: Unit):
    z = quantity(lambda rng, size: np.cos(rng.standard_normal((size, s, len(x))) @ x).mean(axis=1))
    return P(np.abs(z - np.exp(-np.sum(x**2) / 2)) >= eps) <= 2 * np.exp(-2 * s * eps**2)


@true("Gaussian random features are unbiased: both sides")
def gaussian_features_mean(x: Vector("d")):
    z = quantity(lambda rng, size: np.cos(rng.standard_normal((size, len(x))) @ x), low=-1, high=1)
    k = np.exp(-np.sum(x**2) / 2)
    return E(z) <= k, E(z) >= k


@false("Mean of a Gaussian random feature by the Laplace kernel", "medium")
def gaussian_features_laplace(x: Vector("d")):
    z = quantity(lambda rng, size: np.cos(rng.standard_normal((size, len(x))) @ x), low=-1, high=1)
    return E(z) <= np.exp(-np.sqrt(np.sum(x**2)))


@true("Random features, mean absolute error at the rate -1/2")
def gaussian_features_rate(x: between(0.5, 4)):
    k = np.exp(-(x**2) / 2)

    def error(s):
        return quantity(lambda rng, size: np.abs(np.cos(x * rng.standard_normal((size, s))).mean(axis=1) - k), low=0, high=2)

    return rate({s: E(error(s)) for s in (4, 16, 64)}, at_most=-0.5)


@true("Largest of n uniforms, mean, with equality")
def largest_uniform(n: Count):
    return E(quantity(lambda rng, size: rng.random((size, n)).max(axis=1), low=0, high=1)) <= n / (n + 1)


@false("Largest of n uniforms, mean, n / (n + 1.2)", "easy")
def largest_uniform_shifted(n: Count):
    return E(quantity(lambda rng, size: rng.random((size, n)).max(axis=1), low=0, high=1)) <= n / (n + 1.2)


@true("Johnson-Lindenstrauss, upper tail")
def gaussian_projection(k: integers(1, 60), eps: Unit):
    length = quantity(lambda rng, size: np.mean(rng.standard_normal((size, k)) ** 2, axis=1))
    return P(length >= 1 + eps) <= exp(-k * (eps**2 / 4 - eps**3 / 6))


@false("Johnson-Lindenstrauss, upper tail, k eps^2 / 2", "medium")
def gaussian_projection_half(k: integers(1, 60), eps: Unit):
    length = quantity(lambda rng, size: np.mean(rng.standard_normal((size, k)) ** 2, axis=1))
    return P(length >= 1 + eps) <= exp(-k * eps**2 / 2)


@false("Gaussian mean, confidence with 1.2 log(1 / delta) / n: fails for delta below 8e-3", "hard")
def gaussian_mean(n: integers(1, 30), mu: Real, delta: Unit):
    mean = quantity(lambda rng, size: mu + rng.standard_normal((size, n)).mean(axis=1))
    return P(mean - mu <= sqrt(1.2 * log(1 / delta) / n)) >= 1 - delta


@true("Gaussian mean, confidence with 2 log(1 / delta) / n")
def gaussian_mean_true(n: integers(1, 30), mu: Real, delta: Unit):
    mean = quantity(lambda rng, size: mu + rng.standard_normal((size, n)).mean(axis=1))
    return P(mean - mu <= sqrt(2 * log(1 / delta) / n)) >= 1 - delta


@false("Student's statistic by the Gaussian quantile", "easy")
def student(n: integers(2, 20)):
    X = quantity(lambda rng, size: rng.standard_normal((size, n)))
    t = X.map(lambda X: np.sqrt(n) * X.mean(axis=1) / X.std(axis=1, ddof=1))
    return P(np.abs(t) >= 1.96) <= 0.0501


@true("Ratio of Gaussians: at most 1 with probability 1/2, both sides")
def ratio(n: Size):
    g = gaussian(2)
    return P(np.abs(g[0]) <= np.abs(g[1])) >= 0.5, P(np.abs(g[0]) <= np.abs(g[1])) <= 0.5


@true("Ridge shrinks a noisy mean")
def shrinkage(n: integers(1, 40), lam: Positive):
    g = quantity(lambda rng, size: (n / (n + lam) * rng.standard_normal((size, n)).mean(axis=1)) ** 2, low=0)
    return E(g) <= 1 / n


@false("Ridge shrinks a noisy mean to half its variance", "easy")
def shrinkage_half(n: integers(1, 40), lam: Positive):
    g = quantity(lambda rng, size: (n / (n + lam) * rng.standard_normal((size, n)).mean(axis=1)) ** 2, low=0)
    return E(g) <= 1 / (2 * n)


@true("Trivial: the exponential of a small count")
def count_exponential(n: Count, lam: Unit):
    return at_most((1 - lam / n) ** n, exp(-lam))
