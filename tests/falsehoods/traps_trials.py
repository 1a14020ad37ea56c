"""Identities and inequalities of every single draw, which floats break in the last digits."""

import numpy as np

from boundcheck import E, Few, P, between, exp, integers, log, opnorm, quantity, rate, sin, sqrt, trace

from . import false, true


def gaussian(*shape, scale=1.0, centre=0.0):
    return quantity(lambda rng, size: rng.normal(centre, scale, (size, *shape)))


@true("Pythagoras: x - p is orthogonal to the projection p")
def pythagoras(k: Few):
    x, u = gaussian(4), np.array([1.0, 2.0, 3.0, 4.0])
    p = np.sum(x * u) * u / 30
    return P(np.sum(p**2) + np.sum((x - p) ** 2) == np.sum(x**2)) >= 0.99


@true("Lagrange: n sum y^2 - (sum y)^2 is the sum of squared differences over pairs")
def variance_by_pairs(k: Few):
    y = gaussian(3, centre=1e5)
    pairs = (y[0] - y[1]) ** 2 + (y[0] - y[2]) ** 2 + (y[1] - y[2]) ** 2
    return P(3 * np.sum(y**2) - np.sum(y) ** 2 == pairs) >= 0.99


@true("log sum exp(x) = c + log sum exp(x - c): exp(c) is a factor of each term")
def shifted_log_sum_exp(c: between(20, 40)):
    x = gaussian(3)
    return P(log(np.sum(exp(x))) == c + log(np.sum(exp(x - c)))) >= 0.99


@true("log(exp(a) + exp(b)) > max(a, b), as both terms are positive")
def log_sum_exp_above_the_largest(s: between(30, 60)):
    x = s * gaussian(2)
    return P(log(np.sum(exp(x))) > np.max(x)) >= 0.99


@true("det(A B) = det A det B")
def determinant_of_a_product(k: Few):
    A, B = gaussian(3, 3), gaussian(3, 3)
    return P(np.linalg.det(A @ B) == np.linalg.det(A) * np.linalg.det(B)) >= 0.99


@true("G G^T + I is invertible, and an inverse times its matrix is I")
def inverse_times_matrix(n: integers(2, 4)):
    G = gaussian(n, n)
    A = G @ G.mT + np.eye(n)
    return P(np.linalg.inv(A) @ A == np.eye(n)) >= 0.99


@true("The solution of A z = A x is x, A being invertible")
def solution_is_found(k: Few):
    G, x = gaussian(3, 3), gaussian(3, 1)
    A = G @ G.mT + np.eye(3)
    return P(np.linalg.solve(A, A @ x) == x) >= 0.99


@true("x x^T is PSD of rank one: its smallest eigenvalue is 0 for n = 3")
def smallest_eigenvalue_of_rank_one(k: Few):
    x = gaussian(3, 1)
    return P(np.linalg.eigvalsh(x @ x.mT)[0] >= 0) >= 0.99


@true("The eigenvalues add up to the trace")
def eigenvalues_minus_trace(k: Few):
    G = gaussian(3, 3)
    S = G + G.mT
    return P(np.sum(np.linalg.eigvalsh(S)) - trace(S) <= 0) >= 0.99


@true("Differences of neighbours telescope")
def telescope(n: integers(3, 9)):
    x = gaussian(n)
    return P(np.sum(np.diff(x)) == x[n - 1] - x[0]) >= 0.99


@true("A sum does not depend on the order of its terms")
def cumulative_and_reversed(n: integers(3, 9)):
    x = gaussian(n)
    return P(np.cumsum(x)[n - 1] == np.sum(x[::-1])) >= 0.99


@true("Welford's update of the mean gives the mean")
def running_mean(n: integers(3, 9)):
    x = gaussian(n, centre=100.0)
    mean = x[0]
    for k in range(1, n):
        mean = mean + (x[k] - mean) / (k + 1)
    return P(mean == np.mean(x)) >= 0.99


@true("The square of the root of a positive number is the number")
def square_of_a_root(s: between(1, 5)):
    x = quantity(lambda rng, size: rng.exponential(s, size))
    return P(sqrt(x) ** 2 == x) >= 0.99


@true("exp(log x) = x, so not above x")
def exponential_of_a_logarithm(s: between(1, 5)):
    x = quantity(lambda rng, size: rng.gamma(s, 1.0, size))
    return P(exp(log(x)) <= x) >= 0.99


@true("sin^2 + cos^2 = 1")
def sine_and_cosine(s: between(1e5, 1e6)):
    x = gaussian(scale=s)
    return P(sin(x) ** 2 + np.cos(x) ** 2 == 1) >= 0.99


@true("sin 3x = 3 sin x - 4 sin^3 x")
def triple_angle(s: between(1, 10)):
    x = gaussian(scale=s)
    return P(sin(3 * x) == 3 * sin(x) - 4 * sin(x) ** 3) >= 0.99


@true("tanh x = (1 - exp(-2x)) / (1 + exp(-2x))")
def tanh_by_exponentials(s: between(0.5, 2)):
    x = gaussian(scale=s)
    return P(np.tanh(x) == (1 - exp(-2 * x)) / (1 + exp(-2 * x))) >= 0.99


@true("1 - cos x = 2 sin^2(x / 2)")
def half_angle(s: between(1e-6, 1e-3)):
    x = gaussian(scale=s)
    return P(1 - np.cos(x) >= 2 * sin(x / 2) ** 2) >= 0.99


@true("log(1 + x) <= x")
def logarithm_below_its_tangent(k: Few):
    x = quantity(lambda rng, size: rng.uniform(0, 1e-9, size))
    return P(log(1 + x) <= x) >= 0.99


@true("t / (1 + t) < 1 for t >= 0")
def fraction_below_one(s: between(1e9, 1e10)):
    t = gaussian(scale=s) ** 2
    return P(t / (1 + t) < 1) >= 0.99


@true("A product of numbers in (0, 1) is positive; each is 0 with probability 2^-53 at most")
def product_of_uniforms(n: integers(1500, 2000)):
    u = quantity(lambda rng, size: rng.random((size, n)))
    return P(np.prod(u) > 0) >= 0.99


@true("A softmax weight is below 1 where another one is positive")
def softmax_below_one(s: between(60, 100)):
    w = exp(s * gaussian(2))
    return P(np.max(w / np.sum(w)) < 1) >= 0.99


@true("|x|^2 + |y|^2 - 2 x.y = |x - y|^2 >= 0")
def distance_of_near_points(k: Few):
    x, z = gaussian(3, centre=1e3), gaussian(3, scale=1e-7)
    y = x + z
    return P(np.sum(x**2) + np.sum(y**2) - 2 * np.sum(x * y) >= 0) >= 0.99


@true("Heron: s (s - a) (s - b) (s - c) is the square of an area")
def heron(k: Few):
    t = quantity(lambda rng, size: rng.standard_normal((size, 3, 2)) * np.array([1.0, 1e-10]))
    a, b, c = (np.sqrt(np.sum((t[i] - t[j]) ** 2)) for i, j in ((0, 1), (1, 2), (2, 0)))
    s = (a + b + c) / 2
    return P(s * (s - a) * (s - b) * (s - c) >= 0) >= 0.99


@true("(a + b)^2 - 4 a b = (a - b)^2 >= 0")
def discriminant(s: between(1e-10, 1e-9)):
    a = gaussian(centre=5.0)
    b = a + s * gaussian()
    return P((a + b) ** 2 - 4 * a * b >= 0) >= 0.99


@true("x / |x| has length 1, for x other than 0")
def normalised(n: integers(2, 6)):
    x = gaussian(n)
    u = x / np.sqrt(np.sum(x**2))
    return P(np.sum(u**2) == 1) >= 0.99


@true("Cauchy and Schwarz for parallel vectors: the cosine is 1")
def cosine_of_parallel_vectors(n: integers(2, 6)):
    x = gaussian(n)
    y = 3 * x
    return P(np.sum(x * y) / np.sqrt(np.sum(x * x) * np.sum(y * y)) <= 1) >= 0.99


@true("A mean lies between the smallest and the largest entry, which are equal here")
def mean_of_equal_entries(n: integers(3, 7)):
    x = gaussian()
    return P(sum([x for _ in range(n)]) / n == x) >= 0.99


@true("A^T A x = 0 for x orthogonal to the rows; here the cross product of two rows")
def cross_product_is_orthogonal(k: Few):
    a, b = gaussian(3), gaussian(3)
    c0, c1, c2 = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    return P(a[0] * c0 + a[1] * c1 + a[2] * c2 == 0) >= 0.99


@true("Jensen for the logarithm: the mean of logarithms is at most the logarithm of the mean, equal entries included")
def geometric_mean_of_equal_entries(n: integers(2, 5)):
    x = quantity(lambda rng, size: 1 + rng.random(size))
    return P(sum(log(x) for _ in range(n)) / n <= log(sum(x for _ in range(n)) / n)) >= 0.99


@true("A number is not below itself, whichever way its third is summed")
def three_thirds(k: Few):
    x = gaussian()
    return P(x / 3 + x / 3 + x / 3 < x) <= 0.01


@false("x^2 + 1 - x^2 is 1, never below", "easy")
def one_by_cancellation(s: between(1e8, 1e9)):
    x = gaussian(scale=s)
    return P(x**2 + 1 - x**2 < 1) >= 0.3


@false("A root squared is the number, never another one", "easy")
def root_differs(k: Few):
    x = quantity(lambda rng, size: rng.exponential(1.0, size))
    return P(sqrt(x) ** 2 != x) >= 0.2


@false("exp(-t) is positive", "easy")
def exponential_vanishes(s: between(2000, 3000)):
    t = quantity(lambda rng, size: s * (1 + rng.random(size)))
    return P(exp(-t) <= 0) >= 0.9


@false("1e17 + |x| is above 1e17 wherever x is not 0", "easy")
def absorbed(k: Few):
    x = gaussian()
    return P(1e17 + np.abs(x) <= 1e17) >= 0.9


def uniform():
    return quantity(lambda rng, size: rng.random(size))


def gamma(shape):
    return quantity(lambda rng, size: rng.gamma(shape, 1.0, size))


@true("V <= 0.9, or a positive number is not: P = 0.9")
def partly_underflow(k: Few):
    return P((uniform() <= 0.9) | (gamma(0.002) <= 0)) <= 0.9


@true("V <= 1/2, or a positive number is not: P = 1/2")
def partly_median(k: Few):
    return P((uniform() <= 0.5) | (gamma(0.003) <= 0)) <= 0.5


@true("The larger of a coin and what never happens has the mean of the coin")
def mean_partly(k: Few):
    X = quantity(lambda rng, size: np.maximum(rng.random(size) <= 0.9, rng.gamma(0.002, 1, size) <= 0), low=0, high=1)
    return E(X) <= 0.9


@true("The sign of a positive number is 1 on average, where floats end once in 2000 times")
def mean_of_sign_gamma(k: Few):
    X = quantity(lambda rng, size: np.sign(rng.gamma(0.01, 1, size)), low=0, high=1)
    return E(X) >= 0.9999


@true("Uniform numbers differ, also where floats are 2 apart")
def coarse_uniform(k: Few):
    X = quantity(lambda rng, size: rng.uniform(1e16, 1e16 + 64, (size, 4)))
    return P(np.min(np.diff(np.sort(X))) <= 0) <= 0.01, P((np.min(np.diff(np.sort(X))) <= 0) | (uniform() <= 0.85)) <= 0.85


@true("A beta variable lies strictly between 0 and 1")
def beta_inside(k: Few):
    X = quantity(lambda rng, size: rng.beta(0.001, 0.001, size))
    return P((X > 0) & (X < 1)) >= 0.99


@true("A Weibull variable is positive, also where floats end")
def weibull_is_positive(k: Few):
    X = quantity(lambda rng, size: rng.weibull(0.001, size))
    return P(X > 0) >= 0.99, P((X > 0) & (uniform() <= 0.97)) >= 0.97


@true("V <= 1/n, or a positive number is not: slope -1")
def rate_underflow(k: Few):
    def q(n):
        return quantity(lambda rng, size: ((rng.random(size) <= 1 / n) | (rng.gamma(0.002, 1.0, size) <= 0)).astype(float), low=0, high=1)

    return rate({n: E(q(n)) for n in (2, 8, 32)}, at_most=-1)


@true("1/n and what never happens, a beta variable of 1: slope -1")
def slope_beta(k: Few):
    def q(n):
        return quantity(lambda rng, size: 1 / n + (rng.beta(0.5, 0.02, size) >= 1).astype(float), low=0, high=2)

    return rate({n: E(q(n)) for n in (2, 8, 32)}, at_most=-0.9)


@true("1/n and what never happens, a normal variable that is its mean: slope -1")
def slope_ties(k: Few):
    def q(n):
        return quantity(lambda rng, size: 1 / n + (rng.normal(1e16, 1, size) == 1e16).astype(float), low=0, high=2)

    return rate({n: E(q(n)) for n in (2, 8, 32)}, at_most=-0.9)


@false("Half of the positive parts are 0", "easy")
def positive_parts(k: Few):
    X = quantity(lambda rng, size: np.maximum(rng.normal(size=size), 0))
    return P(X <= 0) <= 0.4


@false("A number is itself", "easy")
def differs_from_itself(k: Few):
    X = quantity(lambda rng, size: rng.normal(size=size))
    return P(X == X) <= 0.9


@false("The norm is always the root of 2", "easy")
def a_norm_below_itself(k: Few):
    s = quantity(lambda rng, size: 2 * rng.integers(0, 2, size) - 1)
    S = s.map(lambda e: e[:, None, None] * np.array([[1, 1], [1, -1]]))
    return P(opnorm(S) < sqrt(2)) >= 0.5


@true("The norm is always the root of 2")
def a_norm_of_itself(k: Few):
    s = quantity(lambda rng, size: 2 * rng.integers(0, 2, size) - 1)
    S = s.map(lambda e: e[:, None, None] * np.array([[1, 1], [1, -1]]))
    return P(opnorm(S) <= sqrt(2)) >= 0.5


@false("sqrt(s^2 + 1) is always the root of 2", "easy")
def a_root_below_itself(k: Few):
    s = quantity(lambda rng, size: 2 * rng.integers(0, 2, size) - 1)
    return P(np.sqrt(s * s + 1) < sqrt(2)) >= 0.5
