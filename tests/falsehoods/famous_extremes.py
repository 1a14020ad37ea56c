"""Extremal problems with known answers, and bounds that are a little better than the answers: false, most by few per cent."""

from itertools import combinations

import numpy as np

from boundcheck import (
    PSD,
    Bits,
    Box,
    Count,
    FiniteLaw,
    P,
    Positive,
    Real,
    Signs,
    Simplex,
    Size,
    Spectrum,
    SquareMatrix,
    Symmetric,
    Unit,
    UnitRows,
    Vector,
    assume,
    at_most,
    between,
    eigenvalues,
    erf,
    exp,
    frobenius,
    integers,
    loewner,
    log,
    maximum,
    minimum,
    opnorm,
    psd_sqrt,
    quantity,
    smallest_eigenvalue,
    sqrt,
    symmetric,
    trace,
)  # fmt: skip

from . import false, true

# Points


def squared_distances(X):
    """Between points, and 2 between a point and itself."""
    return np.sum((X[:, None, :] - X[None, :, :]) ** 2, axis=2) + 2 * np.eye(len(X))


@false("Five points of a square have two within 0.7: corners and centre, 1 / sqrt(2), Schaer and Meir 1965", "hard")
def five_points(X: Box(5, 2, low=0, high=1)):
    return at_most(np.min(squared_distances(X)), 0.7**2)


@false("Ten points of a square have two within 0.42: 0.4213, de Groot, Peikert and Wuertz 1990", "hard")
def ten_points(X: Box(10, 2, low=0, high=1)):
    return at_most(np.min(squared_distances(X)), 0.42**2)


def areas(X, points):
    """Of the triangles of some points of the plane."""
    i, j, k = np.array(list(combinations(range(points), 3))).T
    (a, b), (c, d) = (X[j] - X[i]).T, (X[k] - X[i]).T
    return np.abs(a * d - b * c) / 2


@false("Heilbronn's problem for five points of a square, 0.19: sqrt(3) / 9, Yang, Zhang and Zeng 1991", "hard")
def heilbronn_five(X: Box(5, 2, low=0, high=1)):
    return at_most(np.min(areas(X, 5)), 0.19)


@false("Heilbronn's problem for six points of a square, 0.12: 1/8, Yang, Zhang and Zeng 1991", "hard")
def heilbronn_six(X: Box(6, 2, low=0, high=1)):
    return at_most(np.min(areas(X, 6)), 0.12)


@true("Tammes' problem for six points of the sphere: the octahedron, Fejes Toth 1943")
def tammes_six(X: UnitRows(6, 3)):
    return at_most(0, np.max(X @ X.T - 2 * np.eye(6)))


@false("Tammes' problem for seven points of the sphere, 77.6 degrees: 77.87, Schuette and van der Waerden 1951", "hard")
def tammes_seven(X: UnitRows(7, 3)):
    return at_most(0.215, np.max(X @ X.T - 2 * np.eye(7)))


@false("Six lines in space, two of them with a cosine of 0.45: diagonals of the icosahedron, 1 / sqrt(5), Haantjes 1948", "hard")
def six_lines(X: UnitRows(6, 3)):
    G = X @ X.T
    return at_most(0.45, np.max(np.abs(G - np.diag(np.diag(G)))))


@false("Erdos and Mordell 1935 with 2.01: fails for centres of equilateral triangles alone", "hard")
def erdos_mordell(A: Vector(2), B: Vector(2), C: Vector(2), w: Simplex(3)):
    X = w[0] * A + w[1] * B + w[2] * C
    twice = np.abs((B[0] - A[0]) * (C[1] - A[1]) - (B[1] - A[1]) * (C[0] - A[0]))
    assume(twice > 0)
    sides = twice * (w[0] / np.linalg.norm(B - C) + w[1] / np.linalg.norm(C - A) + w[2] / np.linalg.norm(A - B))
    return at_most(2.01 * sides, np.linalg.norm(X - A) + np.linalg.norm(X - B) + np.linalg.norm(X - C))


@false("Laws of sums of two, ten steps: a density of at least 1.65 somewhere; below 1.51, Matolcsi and Vinuesa 2010", "hard")
def autoconvolution(p: Simplex(10)):
    parts = [p[max(0, k - 9) : k + 1] for k in range(19)]
    return at_most(1.65 / 20, np.max(np.stack([np.sum(q * q[::-1]) for q in parts])))


# Signs, graphs and whole numbers


@false("Aperiodic autocorrelations of 21 signs reach 3: some reach 2 only, Turyn 1968", "hard")
def sidelobes(s: Signs(21)):
    return at_most(3, np.max(np.stack([np.abs(np.sum(s[k:] * s[: 21 - k])) for k in range(1, 21)])))


@false("Determinants of seven rows of signs are at most 570: 576, Williamson 1946", "hard")
def determinant_of_signs(S: Signs(7, 7)):
    return at_most(np.linalg.det(S), 570)


def adjacency(B):
    upper = np.triu(B, 1)
    return upper + upper.T


def four_cycles(A):
    """How often two points have two neighbours in common, twice for each cycle."""
    both = A @ A
    common = both - np.diag(np.diag(both))
    return np.sum(common * (common - 1)) / 4


@false("Seven points, more than eight edges: a cycle of four; nine without, Clapham, Flockhart and Sheehan 1989", "hard")
def no_four_cycles(B: Bits(7, 7)):
    A = adjacency(B)
    return at_most(np.sum(A) / 2 - four_cycles(A) / 2, 8)


@false("Ten points, more than 14 edges: a cycle of three or four; Petersen's graph has 15", "hard")
def petersen(B: Bits(10, 10)):
    A = adjacency(B)
    return at_most(np.sum(A) / 2 - trace(A @ A @ A) / 6 - four_cycles(A) / 2, 14)


@true("Constantine 1985: eigenvalues of graphs are at least -n/2, here n = 8")
def constantine(B: Bits(8, 8)):
    return at_most(-4, smallest_eigenvalue(adjacency(B)))


@false("The same with -3.9: fails for one graph alone, two fours joined completely", "hard")
def constantine_constant(B: Bits(8, 8)):
    return at_most(-3.9, smallest_eigenvalue(adjacency(B)))


@false("Second eigenvalues of graphs with 8 points are at most 2.9: n/2 - 1, two complete fours", "hard")
def second_eigenvalue(B: Bits(8, 8)):
    return at_most(eigenvalues(adjacency(B))[1], 2.9)


def connectivity(A, n):
    return eigenvalues(np.diag(np.sum(A, axis=1)) - A)[n - 2]


@true("Fiedler 1973: algebraic connectivity is at most n / (n - 1) times the least degree, n = 6")
def fiedler(B: Bits(6, 6)):
    A = adjacency(B)
    return at_most(connectivity(A, 6), 6 / 5 * np.min(np.sum(A, axis=1)))


@false("Algebraic connectivity is at most the least degree: fails for complete graphs alone, Fiedler 1973", "hard")
def fiedler_incomplete(B: Bits(8, 8)):
    A = adjacency(B)
    return at_most(connectivity(A, 8), np.min(np.sum(A, axis=1)))


@true("Curtiss 1922: three unit fractions with a sum below 1 have 41/42 at most")
def curtiss(x: integers(2, 50), y: integers(2, 50), z: integers(2, 50)):
    assume(y * z + x * z + x * y < x * y * z)
    return at_most(1 / x + 1 / y + 1 / z, 41 / 42)


@false("The same with 0.97: 1/2 + 1/3 + 1/7 alone is more", "hard")
def curtiss_constant(x: integers(2, 50), y: integers(2, 50), z: integers(2, 50)):
    assume(y * z + x * z + x * y < x * y * z)
    return at_most(1 / x + 1 / y + 1 / z, 0.97)


@false("x^2 + y^2 + z^2 = 3 x y z has no solution without a 1: 2, 5, 29, Markov 1879", "hard")
def markov_numbers(x: integers(2, 60), y: integers(2, 60), z: integers(2, 60)):
    return at_most(1, np.abs(x**2 + y**2 + z**2 - 3 * x * y * z))


# Laws


def signs(n):
    return quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, n)) - 1)


@true("Bentkus and Dzindzalieta 2015: sums of signs by 3.18 times the normal tail")
def rademacher_normal(a: Vector("n"), t: Positive):
    assume(np.sum(a**2) > 0)
    return P(signs(len(a)).map(lambda s: s @ a) >= t) <= 3.18 * (1 - erf(t / (sqrt(2) * np.linalg.norm(a)))) / 2


@false("The same with 3.1: fails for two equal signs and their sum alone", "hard")
def rademacher_normal_constant(a: Vector("n"), t: Positive):
    assume(np.sum(a**2) > 0)
    return P(signs(len(a)).map(lambda s: s @ a) >= t) <= 3.1 * (1 - erf(t / (sqrt(2) * np.linalg.norm(a)))) / 2


@false("Sums of signs reach their norm with probability 0.22: 7/32 for six equal ones, Hitczenko and Kwapien 1994", "hard")
def rademacher_norm(a: Vector("n")):
    assume(np.sum(a**2) > 0)
    return P(np.abs(signs(len(a)).map(lambda s: s @ a)) >= np.linalg.norm(a)) >= 0.22


@true("Hamza 1995: medians of binomial laws lie within log 2 of their means")
def hamza(n: Count, p: Unit):
    return P(quantity(lambda rng, size: rng.binomial(n, p, size)) <= n * p - log(2)) <= 1 / 2


@false("The same with 0.68: fails for p a little below log 2 / n alone", "hard")
def hamza_constant(n: Count, p: Unit):
    return P(quantity(lambda rng, size: rng.binomial(n, p, size)) <= n * p - 0.68) <= 1 / 2


@false("Feige 2006 for two copies with 0.45: 4/9 for laws on 0 and 3", "hard")
def feige_two(x: Spectrum("k"), p: Simplex("k")):
    S, m = quantity(lambda rng, size: np.sum(rng.choice(x, (size, 2), p=p), axis=1)), np.sum(p * x)
    assume(m > 0)
    return P(S < 3 * m) >= 0.45


@false("Paley and Zygmund 1932 with the power 1.9: fails for laws on the threshold and on a rare large value", "hard")
def paley_zygmund_power(x: Spectrum("n"), p: Simplex("n"), c: Unit):
    X, m = quantity(lambda rng, size: rng.choice(x, size, p=p)), np.sum(p * x)
    assume(m > 0)
    return P(X > c * m) >= (1 - c) ** 1.9 * m**2 / np.sum(p * x**2)


@true("He, Zhang and Zhang 2010: a variable exceeds its mean with probability (2 sqrt(3) - 3) m_2^2 / m_4")
def share_above_mean(X: FiniteLaw):
    f = X.values - X.mean
    assume(np.sum(X.p * f**4) > 0)
    return P(X.sample() > X.mean) >= (2 * sqrt(3) - 3) * X.variance**2 / np.sum(X.p * f**4)


@false("The same with 0.47 for 0.4641: fails for one law on two values, up to its scale", "hard")
def share_above_mean_constant(X: FiniteLaw):
    f = X.values - X.mean
    assume(np.sum(X.p * f**4) > 0)
    return P(X.sample() > X.mean) >= 0.47 * X.variance**2 / np.sum(X.p * f**4)


@true("Third central moments on an interval of length 1 are at most 1 / (6 sqrt(3)): two atoms")
def third_moment(X: FiniteLaw):
    return at_most(np.sum(X.p * (X.values - X.mean) ** 3), (X.high - X.low) ** 3 / (6 * sqrt(3)))


@false("The same with 0.095 for 0.0962", "hard")
def third_moment_constant(X: FiniteLaw):
    return at_most(np.sum(X.p * (X.values - X.mean) ** 3), 0.095 * (X.high - X.low) ** 3)


def mean_difference(X):
    return X.p @ np.abs(X.values[:, None] - X.values[None, :]) @ X.p


@true("Glasser 1962: Gini's mean difference is at most 2 / sqrt(3) standard deviations")
def gini(X: FiniteLaw):
    return at_most(mean_difference(X), 2 / sqrt(3) * sqrt(X.variance))


@false("The same with 1.1 for 1.1547: fails for four or more nearly equally spaced and likely values", "hard")
def gini_constant(X: FiniteLaw):
    return at_most(mean_difference(X), 1.1 * sqrt(X.variance))


def within(x, p, gap):
    """The probability that two copies differ by the gap at most."""
    return np.sum(np.where(np.abs(x[:, None] - x[None, :]) <= gap, p[:, None] * p[None, :], 0))


@true("Alon and Yuster 1995, the 123 theorem")
def one_two_three(x: Vector("k"), p: Simplex("k")):
    return at_most(within(x, p, 2), 3 * within(x, p, 1))


@false("The same with 2.4 for 3: fails for five values or more that are a little more than 1 apart", "hard")
def one_two_three_constant(x: Vector("k"), p: Simplex("k")):
    return at_most(within(x, p, 2), 2.4 * within(x, p, 1))


@true("Serfling 1974: draws without replacement")
def serfling(good: Size, bad: Size, k: Size, t: Unit):
    N = good + bad
    assume(k <= N)
    X = quantity(lambda rng, size: rng.hypergeometric(good, bad, k, size))
    return P(X / k - good / N >= t) <= exp(-2 * k * t**2 / (1 - (k - 1) / N))


@false("The same with k for k - 1: fails for one draw", "medium")
def serfling_full(good: Size, bad: Size, k: Size, t: Unit):
    N = good + bad
    assume(k < N)
    X = quantity(lambda rng, size: rng.hypergeometric(good, bad, k, size))
    return P(X / k - good / N >= t) <= exp(-2 * k * t**2 / (1 - k / N))


@false("Renyi's entropy of order 2 is concave: for two values alone, Ben-Bassat and Raviv 1978", "hard")
def collision_entropy(p: Simplex("n"), q: Simplex("n")):
    h, k, both = (-log(np.sum(r**2)) for r in (p, q, (p + q) / 2))
    return at_most((h + k) / 2, both)


# Matrices and algorithms


@true("Strang 1962: (AB + BA) / 2 is at least -1/8 of the norms")
def jordan_product(A: PSD("n"), B: PSD("n")):
    return at_most(-smallest_eigenvalue((A @ B + B @ A) / 2), opnorm(A) * opnorm(B) / 8)


@false("The same with 1/9", "hard")
def jordan_product_constant(A: PSD("n"), B: PSD("n")):
    return at_most(-smallest_eigenvalue((A @ B + B @ A) / 2), opnorm(A) * opnorm(B) / 9)


@true("Holbrook 1969: numerical radii, w(AB) <= 4 w(A) w(B); they are those of the symmetric parts for entries >= 0")
def radius_of_product(A: Box("n", "n", low=0, high=1), B: Box("n", "n", low=0, high=1)):
    return at_most(opnorm(symmetric(A @ B)), 4 * opnorm(symmetric(A)) * opnorm(symmetric(B)))


@false("The same with 3.9: fails near pairs of shifts alone", "hard")
def radius_of_product_constant(A: Box("n", "n", low=0, high=1), B: Box("n", "n", low=0, high=1)):
    return at_most(opnorm(symmetric(A @ B)), 3.9 * opnorm(symmetric(A)) * opnorm(symmetric(B)))


@true("Araki and Yamagami 1981 for symmetric matrices: the modulus does not expand the Frobenius norm")
def modulus_frobenius(A: Symmetric("n"), B: Symmetric("n")):
    return at_most(frobenius(psd_sqrt(A @ A) - psd_sqrt(B @ B)), frobenius(A - B))


@false("The modulus expands the operator norm by 1.1 at most: by the logarithm of the order, Kato 1973", "hard")
def modulus_operator_norm(A: Symmetric("n"), B: Symmetric("n")):
    return at_most(opnorm(psd_sqrt(A @ A) - psd_sqrt(B @ B)), 1.1 * opnorm(A - B))


@true("Triangular truncation of order 2 expands the operator norm by 2 / sqrt(3) at most: Angelos, Cowen, Narayan 1992")
def truncation(A: SquareMatrix(2)):
    return at_most(opnorm(np.triu(A)), 2 / sqrt(3) * opnorm(A))


@false("The same with 1.15 for 1.1547", "hard")
def truncation_constant(A: SquareMatrix(2)):
    return at_most(opnorm(np.triu(A)), 1.15 * opnorm(A))


@false("A^(9/8) is operator monotone: Bhatia, Matrix Analysis, V.2.10 (exactly the powers 0 to 1 are)", "hard")
def ninth_eighth(A: PSD("n"), B: PSD("n")):
    a, b = (psd_sqrt(psd_sqrt(psd_sqrt(X))) for X in (A, A + B))
    return loewner(A @ a, (A + B) @ b)


def longest_first(jobs):
    """The makespan on two machines, each job given to the one that has less."""
    less = more = 0.0
    for job in jobs:
        less, more = minimum(less + job, more), maximum(less + job, more)
    return more


SPLITS = np.array([[1.0 if k >> i & 1 else -1.0 for i in range(5)] for k in range(16)])


@true("Graham 1969: longest jobs first on two machines, at most 7/6 of the best, five jobs")
def graham(x: Box(5, low=0, high=1)):
    jobs = np.cumsum(x)[::-1]
    best = (np.sum(jobs) + np.min(np.abs(SPLITS @ jobs))) / 2
    return at_most(longest_first([jobs[k] for k in range(5)]), 7 / 6 * best)


@false("The same with 1.16 for 7/6: fails near jobs of 3, 3, 2, 2, 2 alone", "hard")
def graham_constant(x: Box(5, low=0, high=1)):
    jobs = np.cumsum(x)[::-1]
    best = (np.sum(jobs) + np.min(np.abs(SPLITS @ jobs))) / 2
    return at_most(longest_first([jobs[k] for k in range(5)]), 1.16 * best)


@true("Choi and Lam 1977: non-negative and no sum of squares")
def choi_lam(x: Real, y: Real, z: Real):
    return at_most(4 * x * y * z, 1 + x**2 * y**2 + y**2 * z**2 + z**2 * x**2)


@false("The same with 4.01: fails near four points alone", "hard")
def choi_lam_constant(x: Real, y: Real, z: Real):
    return at_most(4.01 * x * y * z, 1 + x**2 * y**2 + y**2 * z**2 + z**2 * x**2)


@false("Logarithmic means by power means of order 0.332: 1/3 is the best, Lin 1974", "hard")
def logarithmic_mean(x: between(1, 100)):
    return at_most((x - 1) / log(x), ((1 + x**0.332) / 2) ** (1 / 0.332))
