"""Famous statements about numbers, entropies, signs, sets and algorithms that are false, beside true ones that are attained."""

from itertools import combinations

import numpy as np

from boundcheck import (
    Bits,
    Count,
    E,
    JointLaw,
    P,
    Permutation,
    Positive,
    Real,
    Signs,
    Simplex,
    Size,
    Subset,
    Unit,
    Vector,
    at_most,
    between,
    equal,
    erf,
    exp,
    gammaln,
    integers,
    log,
    pi,
    quantity,
    sqrt,
)  # fmt: skip

from . import false, true


def entropy(p):
    return -np.sum(p * np.log(p))


def kl(p, q):
    return np.sum(p * np.log(p / q))


# Polynomials and sums


@true("Motzkin 1967: non-negative and no sum of squares")
def motzkin(x: Real, y: Real):
    return at_most(3 * x**2 * y**2, x**4 * y**2 + x**2 * y**4 + 1)


@false("Motzkin's polynomial with 3.01: fails near (1, 1) and its mirror images alone", "hard")
def motzkin_constant(x: Real, y: Real):
    return at_most(3.01 * x**2 * y**2, x**4 * y**2 + x**2 * y**4 + 1)


@true("Robinson's polynomial 1969: non-negative, with ten zeros")
def robinson(x: Real, y: Real):
    return at_most(x**4 * y**2 + x**2 * y**4 + x**4 + y**4 + x**2 + y**2, x**6 + y**6 + 1 + 3 * x**2 * y**2)


@true("Shapiro's cyclic inequality, n = 23 (Troesch 1989)")
def shapiro_twenty_three(a: Vector(23)):
    x = np.exp(a)
    return at_most(23 / 2, np.sum(x / (np.roll(x, -1) + np.roll(x, -2))))


@false("Shapiro's cyclic inequality 1954, n = 14: false by Zulauf 1958, by two parts in 100,000", "hard")
def shapiro_fourteen(a: Vector(14)):
    x = np.exp(a)
    return at_most(7, np.sum(x / (np.roll(x, -1) + np.roll(x, -2))))


@false("Shapiro's cyclic inequality 1954 for all n: holds up to 13, false at 14 by Zulauf 1958", "hard")
def shapiro(a: Vector("n")):
    x = np.exp(a)
    return at_most(len(a) / 2, np.sum(x / (np.roll(x, -1) + np.roll(x, -2))))


@false("|sin x| + |sin 3 x / 2| >= 1/20: fails near the multiples of 2 pi alone", "medium")
def sines_never_small_together(x: between(1, 100)):
    return at_most(0.05, np.abs(np.sin(x)) + np.abs(np.sin(1.5 * x)))


@false("Balls grow with their dimension: volumes of unit balls, largest at n = 5", "easy")
def ball_volumes(n: Count):
    return at_most(0, log(pi) / 2 + gammaln(n / 2 + 1) - gammaln(n / 2 + 3 / 2))


@false("Chords of n points cut a disc into 2^(n-1) pieces: Moser 1949, 31 at n = 6", "easy")
def moser_circle(n: integers(1, 12)):
    return equal(1 + n * (n - 1) / 2 + n * (n - 1) * (n - 2) * (n - 3) / 24, 2 ** (n - 1))


@false("Coefficients of Chebyshev series on a Bernstein ellipse, |a_k| <= M rho^-k: the factor 2 of Bernstein 1912 is lost", "easy")
def chebyshev_coefficients(k: integers(1, 20), rho: between(1, 4)):
    return at_most(1, rho ** (-k) * (rho**k + rho ** (-k)) / 2)


# Entropies


@true("Shannon: strong subadditivity, attained by Markov chains")
def strong_subadditivity(w: Simplex(8)):
    p = w.reshape(2, 2, 2)
    middle = np.sum(p, axis=(0, 2))
    return at_most(entropy(p) + entropy(middle), entropy(np.sum(p, axis=2)) + entropy(np.sum(p, axis=0)))


@false("Strong subadditivity of Renyi's entropy of order 2: Linden, Mosonyi, Winter 2013", "easy")
def renyi_strong_subadditivity(w: Simplex(8)):
    p = w.reshape(2, 2, 2)
    h, middle, left, right = (
        -np.log(np.sum(q**2)) for q in (p, np.sum(p, axis=(0, 2)), np.sum(p, axis=2), np.sum(p, axis=0))
    )
    return at_most(h + middle, left + right)


@false("Subadditivity of Renyi's entropy of order 2: Aczel and Daroczy 1975", "easy")
def renyi_subadditivity(J: JointLaw("m", "n")):
    h, left, right = (-np.log(np.sum(q**2)) for q in (J, np.sum(J, axis=1), np.sum(J, axis=0)))
    return at_most(h, left + right)


A, B, C, D = 1, 2, 4, 8


def informations(w):
    """The entropy of each set of four bits, by set."""
    p = w.reshape(2, 2, 2, 2)
    sums = {}
    for s in range(1, 16):
        axes = tuple(k for k in range(4) if not s >> k & 1)
        sums[s] = entropy(np.sum(p, axis=axes))
    return sums


@true("Zhang and Yeung 1998: the first inequality for entropies that is not Shannon's")
def zhang_yeung(w: Simplex(16)):
    h = informations(w)
    cd = h[C] + h[D] - h[C | D]
    ab, a_cd = h[A] + h[B] - h[A | B], h[A] + h[C | D] - h[A | C | D]
    given_a = h[A | C] + h[A | D] - h[A | C | D] - h[A]
    given_b = h[B | C] + h[B | D] - h[B | C | D] - h[B]
    return at_most(2 * cd, ab + a_cd + 3 * given_a + given_b)


@false("Ingleton's inequality of 1971 for entropies: false by Zhang and Yeung 1997", "hard")
def ingleton(w: Simplex(16)):
    h = informations(w)
    given_c = h[A | C] + h[B | C] - h[A | B | C] - h[C]
    given_d = h[A | D] + h[B | D] - h[A | B | D] - h[D]
    return at_most(h[A] + h[B] - h[A | B], given_c + given_d + h[C] + h[D] - h[C | D])


@true("Endres and Schindelin 2003: the root of the Jensen-Shannon divergence is a metric")
def jensen_shannon_metric(p: Simplex("n"), q: Simplex("n"), r: Simplex("n")):
    pq, qr, pr = (np.sqrt(kl(x, (x + y) / 2) + kl(y, (x + y) / 2)) for x, y in ((p, q), (q, r), (p, r)))
    return at_most(pr, pq + qr)


@false("The root of Jeffreys' divergence is a metric: Vajda 2009", "medium")
def jeffreys_metric(p: Simplex("n"), q: Simplex("n"), r: Simplex("n")):
    pq, qr, pr = (np.sqrt(np.sum((x - y) * np.log(x / y))) for x, y in ((p, q), (q, r), (p, r)))
    return at_most(pr, pq + qr)


@true("Pinsker's inequality for two coins (Csiszar, Kullback 1967)")
def pinsker_coins(p: Unit, q: Unit):
    return at_most(2 * (p - q) ** 2, p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)))


@false("Pinsker's inequality for two coins with 2.01 for 2: fails for nearly fair coins alone", "hard")
def pinsker_coins_constant(p: Unit, q: Unit):
    return at_most(2.01 * (p - q) ** 2, p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)))


@true("Mrs Gerber's Lemma at one point: h(a * b) is at least h(b) (Wyner, Ziv 1973)")
def noise_adds_entropy(a: Unit, b: Unit):
    c = a * (1 - b) + b * (1 - a)
    return at_most(-b * log(b) - (1 - b) * log(1 - b), -c * log(c) - (1 - c) * log(1 - c))


@false("Differences of independent copies have less entropy than sums, modulo 3: Abbe, Li, Madiman 2017 have the opposite", "easy")
def sums_and_differences_of_copies(p: Simplex(3)):
    plus = np.stack([np.sum(p * np.roll(p[::-1], k + 1)) for k in range(3)])
    minus = np.stack([np.sum(p * np.roll(p, k)) for k in range(3)])
    return at_most(entropy(minus), entropy(plus))


@false("The entropy power inequality of Shannon 1948 for laws on the integers: they have no densities", "easy")
def entropy_power_on_integers(p: Unit, q: Unit):
    a, b = np.stack([1 - p, p]), np.stack([1 - q, q])
    both = np.stack([a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[1] * b[1]])
    return at_most(exp(2 * entropy(a)) + exp(2 * entropy(b)), exp(2 * entropy(both)))


# Signs and sets


@true("Erdos discrepancy problem: of twelve signs some progression from d, 2 d, ... sums to 2 or more (Mathias 1993)")
def discrepancy_twelve(x: Signs(12)):
    return at_most(2, np.max(np.stack([np.abs(np.sum(x[d - 1 : k * d : d])) for d in range(1, 13) for k in range(1, 12 // d + 1)])))


@false("The same of eleven signs", "hard")
def discrepancy_eleven(x: Signs(11)):
    return at_most(2, np.max(np.stack([np.abs(np.sum(x[d - 1 : k * d : d])) for d in range(1, 12) for k in range(1, 11 // d + 1)])))


def autocorrelations(x):
    n = len(x)
    return np.stack([np.sum(x[: n - k] * x[k:]) for k in range(1, n)])


@true("Golay 1982: merit factors of thirteen signs are at most Barker's 169/12")
def merit_barker(x: Signs(13)):
    return at_most(169 / 2, 169 / 12 * np.sum(autocorrelations(x) ** 2))


@false("Golay's estimate 12.32 of the largest merit factor, thirteen signs: Barker 1953 has 14.08", "hard")
def merit_golay(x: Signs(13)):
    return at_most(169 / 2, 12.32 * np.sum(autocorrelations(x) ** 2))


def pairs(x, y):
    """In how many ways each number is a member of x and one of y added, both given by zeros and ones."""
    n = len(x)
    where = [(max(0, s - n + 1), min(s, n - 1) + 1) for s in range(2 * n - 1)]
    return np.stack([np.sum(x[a:b] * np.flip(y[s - b + 1 : s - a + 1])) for s, (a, b) in enumerate(where)])


@false("Conway's conjecture, a set has no more sums than differences: {0, 2, 3, 4, 7, 11, 12, 14}, Marica 1969", "hard")
def sums_and_differences_of_sets(x: Bits(15)):
    return at_most(np.sum(pairs(x, x) > 0.5), np.sum(pairs(x, np.flip(x)) > 0.5))


@true("Freiman 1973: a set of k whole numbers has at least 2 k - 1 sums")
def sums_of_a_set(S: Subset(12, 5)):
    x = np.zeros(12)
    x[S] = 1
    return at_most(9, np.sum(pairs(x, x) > 0.5))


@false("No ruler with five marks and all differences apart is as short as 11: Golomb's 0, 1, 4, 9, 11", "medium")
def golomb_ruler(S: Subset(12, 5)):
    differences = np.abs(S[:, None] - S[None, :])
    return at_most(1, np.sum(np.stack([np.sum(differences == d) for d in range(1, 12)]) > 2.5))


@false("No cubes larger than 1 miss Fermat's equation by one: 6^3 + 8^3 = 9^3 - 1, 9^3 + 10^3 = 12^3 + 1 (Ramanujan)", "hard")
def fermat_near_misses(x: integers(2, 100), y: integers(2, 100), z: integers(2, 100)):
    return at_most(2, np.abs(x**3 + y**3 - z**3))


@false("Brouncker 1657: x^2 - 29 y^2 is never -1 or 1; 70^2 - 29 13^2 = -1", "hard")
def pell(x: Count, y: Count):
    return at_most(2, np.abs(x**2 - 29 * y**2))


@false("Pi is no closer to p / q than 1 / (100 q^2): Zu Chongzhi's 355 / 113", "hard")
def approximations_of_pi(p: Count, q: Count):
    return at_most(0.01, q**2 * np.abs(pi - p / q))


@true("Hurwitz 1891 for the golden ratio, with 1 / (sqrt(5) + 1 / 2) for all q")
def approximations_of_golden_ratio(p: Count, q: Count):
    return at_most(2 / (3 + sqrt(5)), q**2 * np.abs((1 + sqrt(5)) / 2 - p / q))


@false("Eight queens attack each other somewhere: Bezzel 1848, 92 boards of 40320", "medium")
def eight_queens(p: Permutation(8)):
    rows = np.arange(8)
    apart = np.abs(p[:, None] - p[None, :]) == np.abs(rows[:, None] - rows[None, :])
    return at_most(10, np.sum(apart))


def edges(B):
    upper = np.triu(B, 1)
    return upper + upper.T


@true("Goodman 1959: two colours on the edges of six points have two triangles of one colour")
def goodman(B: Bits(6, 6)):
    A = edges(B)
    C = 1 - A - np.eye(6)
    return at_most(2, (np.trace(A @ A @ A) + np.trace(C @ C @ C)) / 6)


FOURS = np.array([[8 * i + j for i, j in combinations(four, 2)] for four in combinations(range(8), 4)])
"""The places of the six edges among four points of eight in the matrix of edges."""


@false("Of eight people three know each other or four do not: Greenwood and Gleason 1955 need nine", "hard")
def ramsey(B: Bits(8, 8)):
    A = edges(B)
    strangers = np.prod(1 - np.ravel(A)[FOURS], axis=1)
    return at_most(1, np.trace(A @ A @ A) / 6 + np.sum(strangers))


# Chance and algorithms


@true("Holzman and Kleitman 1992, Tomaszewski's problem for three signs: P(|a e| <= |a|) >= 1/2, squared")
def tomaszewski(a: Vector(3)):
    e = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 3)) - 1)
    return P(np.sum(a * e) ** 2 <= np.sum(a**2)) >= 1 / 2


@false("Tomaszewski's problem with 0.99 |a|: one sign alone is as large as |a|", "easy")
def tomaszewski_constant(a: Vector(3)):
    e = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 3)) - 1)
    return P(np.sum(a * e) ** 2 <= 0.98 * np.sum(a**2)) >= 1 / 2


@true("Szarek 1976, Khinchine's inequality for first moments, squared")
def szarek(a: Vector(3)):
    e = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 3)) - 1)
    return at_most(np.sqrt(np.sum(a**2) / 2), E(np.abs(np.sum(a * e))))


@false("Szarek's constant with 0.72 for 0.7071: fails near two equal signs alone", "hard")
def szarek_constant(a: Vector(3)):
    e = quantity(lambda rng, size: 2 * rng.integers(0, 2, (size, 3)) - 1)
    return at_most(0.72 * np.sqrt(np.sum(a**2)), E(np.abs(np.sum(a * e))))


@false("Berry and Esseen with 0.4: the constant is at least 0.4097, Esseen 1956", "hard")
def berry_esseen(n: integers(1, 60), k: integers(0, 60), p: Unit):
    count = quantity(lambda rng, size: rng.binomial(n, p, size))
    sigma = sqrt(p * (1 - p))
    normal = (1 + erf((k - n * p) / (sigma * sqrt(2 * n)))) / 2
    return P(count <= k) <= normal + 0.4 * (p**2 + (1 - p) ** 2) / (sigma * sqrt(n))


@true("Hoeffding and Shrikhande 1955, Samuels' conjecture for two: P(X + Y < 3) >= 4/9 for means of 1, here both 0 or 1/p")
def samuels_two(p: Unit):
    count = quantity(lambda rng, size: rng.binomial(2, p, size))
    return P(count / p < 3) >= 4 / 9


@false("The same with 0.45", "hard")
def samuels_two_constant(p: Unit):
    count = quantity(lambda rng, size: rng.binomial(2, p, size))
    return P(count / p < 3) >= 0.45


@false("Nesterov's accelerated gradient method never goes up: Nesterov 1983 has no descent", "medium")
def acceleration_descends(h: Vector(2), x: Vector(2)):
    curvature = 1 / (1 + h**2)
    y, t, before, values = x, 1.0, x, []
    for _ in range(8):
        after = y - curvature * y
        ahead = (1 + np.sqrt(1 + 4 * t**2)) / 2
        y, t, before = after + (t - 1) / ahead * (after - before), ahead, after
        values.append(np.sum(curvature * after**2))
    return at_most(np.stack(values[1:]), np.stack(values[:-1]))


@true("Gradient descent on quadratics, n steps of length 1/L: attained at curvature 1/(2 n + 1) (after Drori, Teboulle 2014)")
def gradient_descent(c: Unit, x: Positive, n: Size):
    return at_most(c * ((1 - c) ** n * x) ** 2, x**2 / (2 * n + 1) * (2 * n / (2 * n + 1)) ** (2 * n))


@false("The same with 1/(6 n): 1/(2 e n) is the best for large n", "medium")
def gradient_descent_rate(c: Unit, x: Positive, n: Size):
    return at_most(c * ((1 - c) ** n * x) ** 2, x**2 / (6 * n))
