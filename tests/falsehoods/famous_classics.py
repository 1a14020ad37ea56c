"""Famous falsehoods with small counterexamples, and theorems that are attained."""

from itertools import combinations, permutations

import numpy as np
from scipy.special import entr

from boundcheck import (
    PSD,
    Bits,
    Box,
    Correlation,
    JointLaw,
    Permutation,
    Positive,
    PositiveDefinite,
    Real,
    Signs,
    Simplex,
    Spectrum,
    SquareMatrix,
    Subset,
    SymmetricBetween,
    Unit,
    Vector,
    arcsin,
    assume,
    at_most,
    between,
    eigenvalues,
    equal,
    integers,
    log,
    logdet,
    maximum,
    minimum,
    psd_power,
    smallest_eigenvalue,
    sqrt,
    trace,
)  # fmt: skip

from . import false, true

ORDERS = {n: np.array(list(permutations(range(n)))) for n in (3, 4)}
FROM = {n: np.array([p[:-1] for p in permutations(range(n))]) for n in (5, 7)}
TO = {n: np.array([p[1:] for p in permutations(range(n))]) for n in (5, 7)}


def permanent(A, n):
    return np.sum(np.prod(A[np.arange(n), ORDERS[n]], axis=1))


def graph(B):
    upper = np.triu(B, 1)
    return upper + upper.T


def players(B, n):
    """A tournament: i beats j."""
    upper = np.triu(B, 1)
    return upper + np.tril(np.ones((n, n)), -1) - upper.T


def hamilton_paths(W, n):
    return np.sum(np.prod(W[FROM[n], TO[n]], axis=1))


def norm3(x):
    return np.sum(np.abs(x) ** 3) ** (1 / 3)


# Easy falsehoods


@false("The largest modulus of the entries is submultiplicative: J J = n J", "easy")
def max_norm_product(A: SquareMatrix("n"), B: SquareMatrix("n")):
    # witness: A = B = [[1, 1], [1, 1]], 2 against 1
    return at_most(np.max(np.abs(A @ B)), np.max(np.abs(A)) * np.max(np.abs(B)))


@false("The determinant is convex on positive definite matrices (its n-th root is concave, Minkowski)", "easy")
def determinant_convex(A: PositiveDefinite(2), B: PositiveDefinite(2)):
    # witness: diag(1, 1/100), diag(1/100, 1): 0.255 against 0.01
    return at_most(np.linalg.det((A + B) / 2), (np.linalg.det(A) + np.linalg.det(B)) / 2)


@false("Relative entropy is symmetric up to a factor 2 (Kullback and Leibler 1951)", "easy")
def relative_entropy_symmetric(p: Simplex("n"), q: Simplex("n")):
    # witness: p = (1/2, 1/2), q = (1/1024, 1023/1024): 2.77 against 1.37
    assume(np.min(p) > 1e-6)
    assume(np.min(q) > 1e-6)
    return at_most(np.sum(p * log(p / q)), 2 * np.sum(q * log(q / p)))


@false("Correlation is transitive: Langford, Schwertman and Owens 2001", "easy")
def correlation_transitive(x: Vector(4), y: Vector(4), z: Vector(4)):
    # witness: x = (1, -1, 0, 0), y = (1, -1, 1, -1), z = (0, 0, 1, -1) - x / 10
    a, b, c = (v - np.mean(v) for v in (x, y, z))
    assume(a @ b > 0)
    assume(b @ c > 0)
    return at_most(0, a @ c)


@false("Newton's method for arctan x = 0 never moves away: it does from 1.3918 on", "easy")
def newton_arctangent(x: between(-3, 3)):
    # witness: x = 2, next -3.54
    return at_most(np.abs(x - (1 + x**2) * np.arctan(x)), np.abs(x))


@false("Medians are subadditive", "easy")
def medians_subadditive(x: Vector(5), y: Vector(5)):
    # witness: x = (1, 1, 0, 0, 0), y = (0, 0, 1, 0, 0): 1 against 0
    return at_most(np.median(x + y), np.median(x) + np.median(y))


@false("Odd-even transposition sorts nine numbers in eight rounds: Habermann 1972 needs nine", "easy")
def odd_even_transposition(p: Permutation(9)):
    # witness: 1 2 3 4 5 6 7 8 0
    y = [p[k] for k in range(9)]
    for r in range(8):
        for i in range(r % 2, 8, 2):
            y[i], y[i + 1] = minimum(y[i], y[i + 1]), maximum(y[i], y[i + 1])
    y = np.stack(y)
    return at_most(y[:-1], y[1:])


@false("Moduli of the entries keep matrices of order 4 PSD: they do up to order 3 (Horn and Johnson 1985)", "easy")
def absolute_entries(C: Correlation(4)):
    # witness: c = 1 / sqrt(3), neighbours c, corners -c, 0 else; 1 - 2 / sqrt(3)
    return at_most(0, smallest_eigenvalue(np.abs(C)))


# Medium falsehoods


@false("Greedy assignments have 0.55 of the best weight: 1/2, Avis 1983", "medium")
def greedy_assignment(W: Box(2, 2, low=0, high=1)):
    # witness: [[1, 0.99], [0.99, 0]]: 1 against 1.089
    straight, crossed = W[0, 0] + W[1, 1], W[0, 1] + W[1, 0]
    greedy = np.where(maximum(W[0, 0], W[1, 1]) >= maximum(W[0, 1], W[1, 0]), straight, crossed)
    return at_most(0.55 * maximum(straight, crossed), greedy)


@false("What holds in both groups holds together: Simpson 1951", "medium")
def simpson(p: Simplex(8)):
    # witness: counts 81, 6, 234, 36 and 192, 71, 55, 25 of kidney stones (Charig 1986)
    assume(p[0] * p[3] > p[1] * p[2])
    assume(p[4] * p[7] > p[5] * p[6])
    return at_most((p[1] + p[5]) * (p[2] + p[6]), (p[0] + p[4]) * (p[3] + p[7]))


@false("Sums of two copies of a unimodal law are unimodal: Chung 1953", "medium")
def unimodal_sum(s: Spectrum(3)):
    # witness: (5, 1, 1): 25, 10, 11
    first, second, third = s[0] ** 2, 2 * s[0] * s[1], 2 * s[0] * s[2] + s[1] ** 2
    return at_most(minimum(first, third), second)


@false("The first step of conjugate gradients does not lengthen the residual: Hestenes and Stiefel 1952 have errors", "medium")
def first_residual(A: SymmetricBetween(3, 0.05, 1), b: Vector(3)):
    # witness: A = diag(1, 0.05, 0.05), b = (1, 4, 0)
    r = b - (b @ b) / (b @ A @ b) * (A @ b)
    return at_most(r @ r, b @ b)


@false("The spectrum of a star of five points has stars alone: Collatz and Sinogowitz 1957, a square and a point", "medium")
def cospectral(B: Bits(5, 5)):
    # witness: the cycle 0 1 2 3 and the point 4
    A = graph(B)
    assume(equal(trace(A @ A), 8))
    assume(equal(trace(A @ A @ A), 0))
    assume(equal(trace(A @ A @ A @ A), 32))
    return at_most(4, np.max(np.sum(A, axis=1)))


@false("Odd numbers are a prime and twice a square: Goldbach 1752, false at 5777 and 5993 (Stern 1856)", "medium")
def goldbach_stern(n: integers(2000, 3000)):
    # witness: n = 2888, 5777
    v = 2 * n + 1 - 2 * np.arange(56) ** 2
    small = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73])
    left = np.min(np.where(np.abs(v[:, None] - small) < 0.5, 1, v[:, None] % small), axis=1)
    return at_most(1, np.sum(np.where(v > 1.5, 1, 0) * np.where(left > 0.5, 1, 0)))


def values_of_form(*weights):
    """The values up to 200 of a sum of weighted squares."""
    values = {0}
    for weight in weights:
        values = {v + weight * k * k for v in values for k in range(15) if v + weight * k * k <= 200}
    return np.array(sorted(values))


@false("x^2 + 2 y^2 + 5 z^2 + 5 w^2 represents all numbers: Ramanujan 1917, false at 15 alone (Dickson 1927)", "medium")
def ramanujan_form(n: integers(1, 100)):
    # witness: n = 15
    return at_most(np.min(np.abs(n - values_of_form(1, 2, 5, 5))), 0)


@false("Hong 1988, one more, with isolated points: lambda^2 <= 2 m - n + 2, n = 6", "medium")
def hong_isolated(B: Bits(6, 6)):
    # witness: the complete graph of 0 1 2 3: 9 against 8
    A = graph(B)
    return at_most(eigenvalues(A)[0] ** 2, np.sum(A) - 4)


def sumset(A, B, n):
    s = (A[:, None] + B[None, :]) % n
    return sum(np.max(np.where(s == k, 1, 0)) for k in range(n))


@false("Cauchy 1813 and Davenport 1935 modulo 9: only for primes", "medium")
def cauchy_davenport_nine(A: Subset(9, 3), B: Subset(9, 3)):
    # witness: 0, 3, 6 twice: 3 sums
    return at_most(5, sumset(A, B, 9))


EDGES = list(combinations(range(6), 2))
PLACES = np.array([[0 if i == j else EDGES.index((min(i, j), max(i, j))) for j in range(6)] for i in range(6)])


@false("There is no conference matrix of order 6: Paley 1933, Belevitch 1950", "medium")
def conference_six(s: Signs(15)):
    # witness: quadratic residues modulo 5, bordered by 1
    C = s[PLACES] * (1 - np.eye(6))
    return at_most(1, np.sum(np.abs(C @ C - 5 * np.eye(6))))


@false("Mahler measures of reciprocal polynomials of degree 10 with coefficients -1, 0, 1 are 1 or at least 1.19: Lehmer 1933", "medium")
def lehmer(a: integers(-1, 1), b: integers(-1, 1), c: integers(-1, 1), d: integers(-1, 1), e: integers(-1, 1)):
    # witness: 1, 0, -1, -1, -1
    top = -np.stack([a, b, c, d, e, d, c, b, a, a * 0 + 1])
    companion = np.concatenate([top[None, :], np.eye(9, 10)])
    M = np.prod(maximum(np.abs(np.linalg.eigvals(companion)), 1))
    assume(M > 1.05)
    return at_most(1.19, M)


def minc_bound(B, n):
    r = np.sum(B, axis=1)
    roots = [(k, float(np.prod(np.arange(1, k + 1))) ** (1 / k)) for k in range(1, n + 1)]
    return np.prod(sum(np.where(np.abs(r - k) < 0.5, f, 0) for k, f in roots))


@false("Minc 1963 (Bregman 1973) with 0.99: fails for direct sums of matrices of ones", "medium")
def bregman_constant(B: Bits(4, 4)):
    # witness: the identity, 1 against 0.99
    return at_most(permanent(B, 4), 0.99 * minc_bound(B, 4))


def seiffert_mean(a, b):
    return (b - a) / (2 * arcsin((b - a) / (a + b)))


@false("Seiffert's mean by 1.985 A + 1.015 G over 3: 2 and 1, Sandor 2001; fails for ratios below 4.2", "medium")
def seiffert_constant(a: Positive, b: Positive):
    # witness: a = 1, b = 1.5
    assume(1.01 * a < b)
    return at_most(3 * seiffert_mean(a, b), 1.985 * (a + b) / 2 + 1.015 * sqrt(a * b))


@false("Prophets have 1.95 times the best rule, two offers: 2, Krengel and Sucheston 1978", "medium")
def prophet_constant(a: Positive, b: Positive, p: Unit):
    # witness: a = 1, b = 100, p = 1/100: 1.99 against 1.95
    return at_most(p * maximum(a, b) + (1 - p) * a, 1.95 * maximum(a, p * b))


def bidiagonal(v):
    z = 0 * v[0]
    return np.stack([np.stack([v[0], z, z]), np.stack([v[1], v[2], z]), np.stack([z, v[3], v[4]])])


def totally_nonnegative(v):
    """A product of bidiagonal matrices (Whitney 1952)."""
    return bidiagonal(v[0]) @ bidiagonal(v[1]) @ bidiagonal(v[2]).T @ bidiagonal(v[3]).T


@false("Entrywise products of totally non-negative matrices have determinants >= 0: Markham 1970, false at order 3", "medium")
def totally_nonnegative_product(u: Box(4, 5, low=0, high=1), v: Box(4, 5, low=0, high=1)):
    # witness: [[1, 1, 0], [1, 1, 1], [1, 1, 1]] and its transpose: -1
    return at_most(0, np.linalg.det(totally_nonnegative(u) * totally_nonnegative(v)))


@false("Permanents of squares of doubly stochastic matrices of order 4 are no larger: (I + C) / 2 for a cycle C, 9/64 and 1/8", "medium")
def permanent_of_square(w: Simplex(3), p: Permutation(4), q: Permutation(4), r: Permutation(4)):
    # witness: (1/2, 1/2, 0), the identity and a cycle of four
    eye = np.eye(4)
    A = w[0] * eye[p] + w[1] * eye[q] + w[2] * eye[r]
    return at_most(permanent(A @ A, 4), permanent(A, 4))


@false("Mixtures of two laws have 0.98 of the entropy of the coin more at most: fails for nearly disjoint ones", "medium")
def mixture_entropy_constant(p: Simplex("n"), q: Simplex("n"), t: Unit):
    # witness: (1, 0), (0, 1), 1/2
    coin = entr(t) + entr(1 - t)
    return at_most(np.sum(entr(t * p + (1 - t) * q)), t * np.sum(entr(p)) + (1 - t) * np.sum(entr(q)) + 0.98 * coin)


# Hard falsehoods: whole numbers


@false("No pile of squares is a square: Lucas 1875, 24 and 70 alone (Watson 1918)", "hard")
def cannonballs(n: integers(2, 100), m: integers(2, 600)):
    # witness: 24, 70
    return at_most(1, np.abs(n * (n + 1) * (2 * n + 1) - 6 * m**2))


def parts(n):
    d = np.arange(1, 151)
    return np.sum(np.where(n % d == 0, d, 0) * np.where(2 * d <= n, 1, 0))


@false("No two numbers up to 300 are the sums of each other's parts: 220 and 284, Iamblichus", "hard")
def amicable(m: integers(2, 300), n: integers(2, 300)):
    # witness: 220, 284
    assume(m < n)
    return at_most(1, np.abs(parts(m) - n) + np.abs(parts(n) - m))


@false("No box with whole edges up to 250 has whole diagonals of faces: Halcke 1719, 44, 117, 240", "hard")
def euler_brick(a: integers(1, 250), b: integers(1, 250), c: integers(1, 250)):
    # witness: 44, 117, 240
    squares = np.stack([a * a + b * b, a * a + c * c, b * b + c * c])
    return at_most(1, np.sum(np.abs(squares - np.round(sqrt(squares)) ** 2)))


@false("x^2 + 7 is no power of two from 256 on: Ramanujan 1913, 181^2 + 7 = 2^15 (Nagell 1948)", "hard")
def ramanujan_nagell(x: integers(1, 1000), n: integers(8, 20)):
    # witness: 181, 15
    return at_most(1, np.abs(x**2 + 7 - 2**n))


# Hard falsehoods: graphs, designs, codes


@false("Seven players have at most 177 orders in which each beats the next: 189, Szele 1943", "hard")
def hamilton_paths_seven(B: Bits(7, 7)):
    # witness: quadratic residues modulo 7
    return at_most(hamilton_paths(players(B, 7), 7), 177)


@false("Seven points: edges exceed triangles by 11 at most; 12, Mantel 1907, for complete bipartite graphs", "hard")
def mantel_seven(B: Bits(7, 7)):
    # witness: three points joined to four
    A = graph(B)
    return at_most(np.sum(A) / 2 - trace(A @ A @ A) / 6, 11)


@false("Of seven people some two have not exactly one common friend: three triangles at one point, Erdos, Renyi, Sos 1966", "hard")
def friendship_seven(B: Bits(7, 7)):
    # witness: 0 with all, 1 with 2, 3 with 4, 5 with 6
    A = graph(B)
    return at_most(1, np.sum(np.abs(np.triu(A @ A - 1, 1))))


def _in_line(a, b, c):
    return (b // 5 - a // 5) * (c % 5 - a % 5) == (c // 5 - a // 5) * (b % 5 - a % 5)


IN_LINE = np.array([t for t in combinations(range(25), 3) if _in_line(*t)])


@false("Ten points of a grid of 5 x 5 have three in line: Dudeney 1917", "hard")
def no_three_in_line(S: Subset(25, 10)):
    # witness: 0 1 5 8 13 14 16 17 22 24
    x = np.zeros(25)
    x[S] = 1
    return at_most(1, np.sum(np.prod(x[IN_LINE], axis=1)))


SCHUR = np.array([(x - 1, y - 1, x + y - 1) for x in range(1, 13) for y in range(x, 13) if x + y <= 13])


@false("Three colours of 1 to 13 have x + y = z in one colour: Schur 1916 needs 14", "hard")
def schur_three(B: Bits(2, 13)):
    # witness: 1 4 10 13 | 2 3 11 12 | 5 6 7 8 9
    c = (B[0] + B[1])[SCHUR]
    return at_most(1, np.sum(np.where(np.abs(c[:, 0] - c[:, 1]) + np.abs(c[:, 1] - c[:, 2]) < 0.5, 1, 0)))


def repeated_gaps(p, n):
    """How often the labels p[0], ..., p[n - 1] of a cycle repeat a difference."""
    d = np.abs(p[:n] - np.roll(p[:n], -1))
    return np.sum(d[:, None] == d[None, :]) - n


@false("The cycle of eleven points has no graceful labelling: Rosa 1967, for n = 0, 3 modulo 4 it has", "hard")
def graceful_eleven(p: Permutation(12)):
    # witness: 0 4 6 5 8 3 9 2 10 1 11 7
    return at_most(1, repeated_gaps(p, 11))


@false("Of 32 bits in a circle two windows of five agree: de Bruijn 1946, 2048 circles", "hard")
def de_bruijn(b: Bits(32)):
    # witness: 00000100011001010011101011011111
    code = sum(2**k * np.roll(b, -k) for k in range(5))
    return at_most(1, np.sum(code[:, None] == code[None, :]) - 32)


SUBSETS = np.array([[float(k >> i & 1) for i in range(6)] for k in range(64)])


@false("Of six numbers up to 24 two subsets have one sum: Conway and Guy 1969, 11 17 20 22 23 24", "hard")
def distinct_sums(S: Subset(24, 6)):
    # witness: 11 17 20 22 23 24
    t = SUBSETS @ (S + 1)
    return at_most(1, np.sum(t[:, None] == t[None, :]) - 64)


@false("Golay's complementary pairs have a power of two for length: ten, Golay 1962", "hard")
def golay_pairs(a: Signs(10), b: Signs(10)):
    # witness: + + + + + - + - - +  and  - - + + - - - + - +
    return at_most(1, sum(np.abs(np.sum(a[k:] * a[:-k]) + np.sum(b[k:] * b[:-k])) for k in range(1, 10)))


@false("Of eight words of six bits two differ in at most two: the shortened code of Hamming 1950", "hard")
def code_of_six_bits(B: Bits(8, 6)):
    # witness: x y z x+y x+z y+z
    d = np.sum(np.abs(B[:, None, :] - B[None, :, :]), axis=2)
    return at_most(1, np.sum(np.triu(np.where(d < 2.5, 1, 0), 1)))


CONTAINED = np.array([[1.0 if i != j and i & j == i else 0.0 for j in range(16)] for i in range(16)])


@false("Sets of four points: families exceed their containments by 5 at most; 6, Sperner 1928", "hard")
def sperner_four(x: Bits(16)):
    # witness: the six pairs
    return at_most(np.sum(x) - x @ CONTAINED @ x, 5)


# Hard falsehoods: inequalities with constants slightly too good


def noisy(f, rho):
    s = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    return np.prod((1 + rho * s[:, None, :] * s[None, :, :]) / 2, axis=2) @ f


@false("Bonami 1970: noise 0.505 maps order 3/2 to order 3, two bits; 1/2 is the best, fails near constants", "hard")
def hypercontractive_constant(f: Vector(4)):
    # witness: 1 + x / 5
    return at_most(np.mean(np.abs(noisy(f, 0.505)) ** 3) ** (1 / 3), np.mean(np.abs(f) ** 1.5) ** (2 / 3))


def differences_and_squares(x):
    y = x - np.mean(x)
    return np.sum((y - np.roll(y, 1)) ** 2), np.sum(y**2)


@false("Wirtinger's inequality of twelve numbers (Fan, Taussky, Todd 1955) with 1.03: fails near cosines alone", "hard")
def wirtinger_constant(x: Vector(12)):
    # witness: cos(2 pi k / 12)
    steps, squares = differences_and_squares(x)
    return at_most(1.03 * 4 * np.sin(np.pi / 12) ** 2 * squares, steps)


FLIPS = np.array([[1.0, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]])


def littlewood_sides(A):
    return np.sum(np.abs(A) ** (4 / 3)) ** (3 / 4), np.max(np.sum(np.abs(FLIPS @ A.T), axis=1))


@false("Littlewood's inequality of 1930 with 1.405 for sqrt(2): fails near [[1, 1], [1, -1]] in matrices of order 3", "hard")
def littlewood_constant(A: SquareMatrix(3)):
    # witness: [[1, 1, 0], [1, -1, 0], [0, 0, 0]]
    power, bilinear = littlewood_sides(A)
    return at_most(power, 1.405 * bilinear)


def james_side(x, y):
    u, v = x / norm3(x), y / norm3(y)
    return minimum(norm3(u + v), norm3(u - v))


@false("James' constant of the norm of order 3 is 1.585: 2^(2/3) = 1.5874, Gao and Lau 1990", "hard")
def james_constant(x: Vector(2), y: Vector(2)):
    # witness: (1, 1), (1, -1)
    assume(norm3(x) > 0.01)
    assume(norm3(y) > 0.01)
    return at_most(james_side(x, y), 1.585)


@false("Fekete's product of four points of [-1, 1] is at most 1.13: 1.1449 at the ends and +-1 / sqrt(5), Stieltjes 1885", "hard")
def fekete_four(x: Box(4, low=-1, high=1)):
    # witness: -1, -1 / sqrt(5), 1 / sqrt(5), 1
    return at_most(np.prod(np.stack([np.abs(x[i] - x[j]) for i, j in combinations(range(4), 2)])), 1.13)


ENDS = np.array([[x**k for k in range(4)] for x in (-1.0, -0.5, 0.5, 1.0)])


@false("A. A. Markov 1889 for cubics with 8.9 for 9: fails near Chebyshev's polynomial alone", "hard")
def markov_brothers_constant(c: Vector(4)):
    # witness: 0, -3, 0, 4
    return at_most(np.abs(c[1] + 2 * c[2] + 3 * c[3]), 8.9 * np.max(np.abs(ENDS @ c)))


SIDES = np.array([[1.0] + [1.0 if k >> i & 1 else -1.0 for i in range(4)] for k in range(16)])


def differencing(jobs):
    """Makespans of two machines: of Karmarkar and Karp 1982, and the best."""
    total, y = np.sum(jobs), jobs
    for _ in range(4):
        y = -np.sort(-y)
        y = np.concatenate([y[:1] - y[1:2], y[2:]])
    return (total + y[0]) / 2, (total + np.min(np.abs(SIDES @ jobs))) / 2


@false("Differencing of five jobs on two machines with 1.16 for 7/6 (Fischetti, Martello 1987): fails near 3 3 2 2 2 alone", "hard")
def differencing_constant(jobs: Box(5, low=0, high=1)):
    # witness: 1, 1, 2/3, 2/3, 2/3
    made, best = differencing(jobs)
    return at_most(made, 1.16 * best)


@false("x^4 + a x^3 + 2 x^2 + b x + 1 with a real root has a^2 + b^2 of 8.02 at least: 8, at x = +-1", "hard")
def quartic_root_constant(a: Real, x: Real):
    # witness: a = -2, x = 1, so b = -2
    assume(np.abs(x) > 0.01)
    b = -(x**4 + a * x**3 + 2 * x**2 + 1) / x
    return at_most(8.02, a**2 + b**2)


LARGER = np.array([[1 / max(m, n) for n in range(1, 11)] for m in range(1, 11)])


@false("Hilbert's inequality for 1 / max(m, n), ten terms, with 1.95 for 4 (Hardy, Littlewood, Polya 1934): 1.988", "hard")
def hilbert_maximum_constant(a: Box(10, low=0, high=1), b: Box(10, low=0, high=1)):
    # witness: a = b = 1 / sqrt(k): 1.978; the eigenvector 1.988
    return at_most(a @ LARGER @ b, 1.95 * sqrt(np.sum(a**2) * np.sum(b**2)))


@false("Johnson and Rogers 1951 for decreasing laws on 0, ..., 19 with 2.6 for 3: 2.714 for nearly equal masses", "hard")
def mode_and_mean_constant(s: Spectrum(20)):
    # witness: all equal
    k = np.arange(20)
    total, first, second = np.sum(s), np.sum(k * s), np.sum(k**2 * s)
    return at_most(first**2, 2.6 * (second * total - first**2))


# Theorems: graphs, sets, orders


@true("Redei 1934: some order of five players has each beat the next; attained by transitive tournaments")
def redei(B: Bits(5, 5)):
    return at_most(1, hamilton_paths(players(B, 5), 5))


@true("Mantel 1907, Rademacher 1941: six points; attained by the complete bipartite graph of threes")
def mantel_six(B: Bits(6, 6)):
    A = graph(B)
    return at_most(np.sum(A) / 2 - trace(A @ A @ A) / 6, 9)


@true("Hong 1988 without isolated points: attained by stars and complete graphs")
def hong(B: Bits(6, 6)):
    A = graph(B)
    assume(np.min(np.sum(A, axis=1)) >= 1)
    return at_most(eigenvalues(A)[0] ** 2, np.sum(A) - 5)


@true("Lin, Ning and Wu 2021: two eigenvalues of graphs without triangles; attained by complete bipartite ones")
def two_eigenvalues(B: Bits(6, 6)):
    A = graph(B)
    assume(equal(trace(A @ A @ A), 0))
    e = eigenvalues(A)
    return at_most(e[0] ** 2 + e[1] ** 2, np.sum(A) / 2)


@true("Sperner 1928, as families less their containments: attained by the six pairs alone")
def sperner(x: Bits(16)):
    return at_most(np.sum(x) - x @ CONTAINED @ x, 6)


@true("Rosa 1967: the cycle of six points has no graceful labelling; one repeated difference (two ordered pairs) is attained")
def graceful_six(p: Permutation(7)):
    return at_most(2, repeated_gaps(p, 6))


@true("Cauchy 1813, Davenport 1935 modulo 7: attained by progressions")
def cauchy_davenport_seven(A: Subset(7, 3), B: Subset(7, 3)):
    return at_most(5, sumset(A, B, 7))


@true("Erdos, Ginzburg and Ziv 1961: three of five numbers have a sum divisible by 3; attained by one triple")
def erdos_ginzburg_ziv(a: integers(0, 20), b: integers(0, 20), c: integers(0, 20), d: integers(0, 20), e: integers(0, 20)):
    triples = [(x + y + z) % 3 for x, y, z in combinations((a, b, c, d, e), 3)]
    return at_most(np.min(np.stack(triples)), 0)


@true("Durbin and Stuart 1951: Spearman's and Kendall's statistics; attained in both extreme orders")
def durbin_stuart(p: Permutation(7)):
    u = np.sum(np.triu(np.where(p[:, None] > p[None, :], 1, 0), 1))
    return at_most(4 * u * (7 + u) / 21, np.sum((p - np.arange(7)) ** 2))


@true("x^2 + 2 y^2 + 5 z^2 + 10 w^2 represents all numbers: Ramanujan 1917")
def universal_form(n: integers(1, 200)):
    return at_most(np.min(np.abs(n - values_of_form(1, 2, 5, 10))), 0)


# Theorems: matrices


@true("Minc 1963, Bregman 1973: permanents of matrices of bits; attained by direct sums of matrices of ones")
def minc(B: Bits(4, 4)):
    return at_most(permanent(B, 4), minc_bound(B, 4))


@true("Marcus 1963: permanents of PSD matrices are at least the product of the diagonal; attained by diagonal ones")
def permanent_of_psd(A: PSD(3)):
    return at_most(np.prod(np.diagonal(A)), permanent(A, 3))


@true("Gantmacher and Krein 1937: Fischer's inequality of totally non-negative matrices; attained by triangular ones")
def totally_nonnegative_fischer(u: Box(4, 5, low=0, high=1)):
    A = totally_nonnegative(u)
    return at_most(np.linalg.det(A), A[0, 0] * np.linalg.det(A[1:, 1:]))


@true("Ando 1995: Young's inequality of singular values, p = 3; attained where A^3 = B^(3/2)")
def ando_young(A: PSD("n"), B: PSD("n")):
    return at_most(np.linalg.svdvals(A @ B), eigenvalues(A @ A @ A / 3 + 2 / 3 * psd_power(B, 1.5)))


@true("Sra 2012: the root of Stein's divergence is a metric; attained where two of three are equal")
def stein_metric(A: PositiveDefinite("n"), B: PositiveDefinite("n"), C: PositiveDefinite("n")):
    def d(X, Y):
        return sqrt(maximum(logdet((X + Y) / 2) - (logdet(X) + logdet(Y)) / 2, 0))

    return at_most(d(A, C), d(A, B) + d(B, C))


# Theorems: laws


@true("Daroczy 1970: Tsallis' entropy of order 2 is subadditive; attained where one variable is constant")
def tsallis_subadditive(J: JointLaw("m", "n")):
    rows, columns = np.sum(J, axis=1), np.sum(J, axis=0)
    return at_most(np.sum(rows**2) + np.sum(columns**2), 1 + np.sum(J**2))


@true("Entropies of mixtures (Cover and Thomas 2006, 2.7): attained by disjoint laws")
def mixture_entropy(p: Simplex("n"), q: Simplex("n"), t: Unit):
    coin = entr(t) + entr(1 - t)
    return at_most(np.sum(entr(t * p + (1 - t) * q)), t * np.sum(entr(p)) + (1 - t) * np.sum(entr(q)) + coin)


@true("Fischetti and Martello 1987: differencing on two machines has 7/6 of the best; attained by 3 3 2 2 2")
def differencing_bound(jobs: Box(5, low=0, high=1)):
    made, best = differencing(jobs)
    return at_most(made, 7 / 6 * best)


# Theorems: forms, polynomials, norms


@true("Horn 1962 (Hall and Newman 1963): a copositive form that is no sum; attained at (1, 1, 0, 0, 0)")
def horn_form(x: Box(5, low=0, high=1)):
    return at_most(2 * np.sum(x * np.roll(x, 1)), np.sum(x**2) + 2 * np.sum(x * np.roll(x, 2)))


@true("Suranyi's inequality, n = 4: attained by equal numbers and at (1, 1, 1, 0)")
def suranyi(a: Box(4, low=0, high=1)):
    return at_most(np.sum(a) * np.sum(a**3), 3 * np.sum(a**4) + 4 * np.prod(a))


@true("Turkevich's inequality: attained by equal numbers and at (1, 1, 1, 0)")
def turkevich(a: Box(4, low=0, high=1)):
    pairs = sum(a[i] ** 2 * a[j] ** 2 for i, j in combinations(range(4), 2))
    return at_most(pairs, np.sum(a**4) + 2 * np.prod(a))


@true("Newton 1707: elementary symmetric functions of five real numbers; attained by equal ones")
def newton_symmetric(x: Vector(5)):
    second = sum(x[i] * x[j] for i, j in combinations(range(5), 2))
    third = sum(x[i] * x[j] * x[k] for i, j, k in combinations(range(5), 3))
    return at_most(2 * np.sum(x) * third, second**2)


@true("Fan, Taussky and Todd 1955: Wirtinger's inequality of n numbers; attained by cosines")
def wirtinger(x: Vector(6)):
    steps, squares = differences_and_squares(x)
    return at_most(squares, steps)


@true("Littlewood 1930 with sqrt(2): attained by [[1, 1], [1, -1]]")
def littlewood(A: SquareMatrix(3)):
    power, bilinear = littlewood_sides(A)
    return at_most(power, sqrt(2) * bilinear)


@true("James' constant of the norm of order 3: 2^(2/3), Gao and Lau 1990; attained by (1, 1), (1, -1)")
def james(x: Vector(2), y: Vector(2)):
    assume(norm3(x) > 0.01)
    assume(norm3(y) > 0.01)
    return at_most(james_side(x, y), 2 ** (2 / 3))


@true("Hanner 1956, p = 3: attained by parallel vectors")
def hanner(x: Vector("n"), y: Vector("n")):
    u, v = norm3(x), norm3(y)
    return at_most(np.sum(np.abs(x + y) ** 3) + np.sum(np.abs(x - y) ** 3), (u + v) ** 3 + np.abs(u - v) ** 3)


@true("A. A. Markov 1889 for cubics, by their values at four points: attained by Chebyshev's polynomial")
def markov_brothers(c: Vector(4)):
    return at_most(np.abs(c[1] + 2 * c[2] + 3 * c[3]), 9 * np.max(np.abs(ENDS @ c)))


@true("Chebyshev 1854: monic cubics reach 1/4 at one of four points; attained by x^3 - 3 x / 4")
def chebyshev_cubic(a: Real, b: Real, c: Real):
    x = np.array([-1.0, -0.5, 0.5, 1.0])
    return at_most(1 / 4, np.max(np.abs(x**3 + a * x**2 + b * x + c)))


@true("x^4 + a x^3 + 2 x^2 + b x + 1 with a real root has a^2 + b^2 of 8 at least (contests): attained at x = 1, a = b = -2")
def quartic_root(a: Real, x: Real):
    assume(np.abs(x) > 0.01)
    b = -(x**4 + a * x**3 + 2 * x**2 + 1) / x
    return at_most(8, a**2 + b**2)


@true("Young 1913: sums of cos(k x) / k are at least -1; attained at n = 1, here x = 1 for pi")
def young_cosines(n: integers(1, 30), x: between(0, 1, closed=True)):
    k = np.arange(1, 31)
    return at_most(-1, np.sum(np.where(k <= n, np.cos(k * np.pi * x) / k, 0)))
