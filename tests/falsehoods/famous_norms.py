"""Famous statements about norms, kernels, points, moments and tails that are false, beside true ones that are attained."""

from itertools import combinations

import numpy as np

from boundcheck import (
    PSD,
    Box,
    Channel,
    Correlation,
    FiniteLaw,
    Matrix,
    NonNegative,
    P,
    Positive,
    PositiveDefinite,
    Real,
    Signs,
    Simplex,
    SquareMatrix,
    Symmetric,
    Unit,
    UnitRows,
    Vector,
    assume,
    at_most,
    between,
    exp,
    expm,
    frobenius,
    inverse_sqrt,
    largest_eigenvalue,
    loewner,
    log,
    minimum,
    norm,
    nuclear,
    opnorm,
    pi,
    psd_power,
    psd_sqrt,
    quantity,
    smallest_eigenvalue,
    solve,
    spectral_radius,
    sqrt,
    symmetric,
    trace,
)  # fmt: skip

from . import false, true

# Matrices


@true("Zhan's conjecture of 2009, Audenaert 2010: spectral radii of entrywise products, entries >= 0")
def radius_entrywise(A: Box("n", "n", low=0, high=1), B: Box("n", "n", low=0, high=1)):
    return at_most(spectral_radius(A * B), spectral_radius(A @ B))


@false("Spectral radii are subadditive", "easy")
def radius_subadditive(A: SquareMatrix("n"), B: SquareMatrix("n")):
    return at_most(spectral_radius(A + B), spectral_radius(A) + spectral_radius(B))


@true("Furuta 1987, Chan and Kwong's question: (B A^2 B)^(3/4) >= B^3 for A >= B")
def furuta(B: PositiveDefinite("n"), H: PSD("n")):
    A = B + H
    return loewner(psd_power(B, 3), psd_power(symmetric(B @ A @ A @ B), 0.75))


@false("The same with 9/10 for 3/4: Tanahashi 1996 has the best", "medium")
def furuta_power(B: PositiveDefinite("n"), H: PSD("n")):
    A = B + H
    return loewner(psd_power(B, 3.6), psd_power(symmetric(B @ A @ A @ B), 0.9))


@true("Audenaert et al. 2007, quantum Chernoff bound")
def quantum_chernoff(A: PSD("n"), B: PSD("n")):
    return at_most(trace(A + B) - nuclear(A - B), 2 * trace(psd_sqrt(A) @ psd_sqrt(B)))


@false("The same with the geometric mean of Pusz and Woronowicz 1975: 0 for pure states", "medium")
def quantum_chernoff_geometric(A: PositiveDefinite("n"), B: PositiveDefinite("n")):
    r, s = psd_sqrt(A), inverse_sqrt(A)
    return at_most((trace(A + B) - nuclear(A - B)) / 2, trace(r @ psd_sqrt(symmetric(s @ B @ s)) @ r))


@true("Dahlquist 1958: the logarithmic norm")
def logarithmic_norm(A: SquareMatrix("n")):
    return at_most(opnorm(expm(A)), exp(largest_eigenvalue(symmetric(A))))


def permanent(A):
    """Of a 3 x 3 matrix."""
    a, b, c = A
    return a[0] * (b[1] * c[2] + b[2] * c[1]) + a[1] * (b[0] * c[2] + b[2] * c[0]) + a[2] * (b[0] * c[1] + b[1] * c[0])


@true("Carlen, Lieb and Loss 2006: Hadamard's inequality for permanents, n = 3")
def permanent_of_rows(A: SquareMatrix(3)):
    return at_most(permanent(A), 2 / sqrt(3) * np.prod(norm(A)))


@false("The same with 1.15 for 1.1547", "medium")
def permanent_of_rows_constant(A: SquareMatrix(3)):
    return at_most(permanent(A), 1.15 * np.prod(norm(A)))


@false("Moduli of entries expand the operator norm of order 4 by 1.9 at most: 2 for Hadamard's matrices", "hard")
def modulus_of_entries(A: SquareMatrix(4)):
    return at_most(opnorm(np.abs(A)), 1.9 * opnorm(A))


@false("Gauss-Seidel converges where Jacobi does: Collatz 1942", "hard")
def gauss_seidel(A: Box(3, 3, low=-3, high=3)):
    M = A - np.diag(np.diag(A))
    L = np.tril(M)
    assume(spectral_radius(M) <= 0.5)
    return at_most(spectral_radius(solve(np.eye(3) + L, M - L)), 1)


@false("Alternating directions of multipliers converge for three blocks: Chen, He, Ye and Yuan 2016", "hard")
def three_blocks(A: SquareMatrix(3)):
    a, b, c = A.T
    assume(np.sum(a**2) * np.sum(b**2) * np.sum(c**2) > 0)
    E = np.eye(5)
    y, z, u = E[0], E[1], E[2:]
    x = -(a @ (np.outer(b, y) + np.outer(c, z) - u)) / np.sum(a**2)
    y = -(b @ (np.outer(a, x) + np.outer(c, z) - u)) / np.sum(b**2)
    z = -(c @ (np.outer(a, x) + np.outer(b, y) - u)) / np.sum(c**2)
    u = u - np.outer(a, x) - np.outer(b, y) - np.outer(c, z)
    return at_most(spectral_radius(np.concatenate([y[None], z[None], u])), 1)


@false("Largest eigenvalues of symmetric matrices without trace are 0.8 of their norm at most, n = 3: sqrt(2/3)", "hard")
def without_trace(A: Symmetric(3)):
    assume(np.abs(trace(A)) <= 0.001 * frobenius(A))
    return at_most(largest_eigenvalue(A), 0.8 * frobenius(A))


def skew_information(root, K):
    c = root @ K - K @ root
    return -trace(c @ c) / 2


@false("Skew information is superadditive: Wigner and Yanase 1963; false by Hansen 2007", "hard")
def wigner_yanase(root: PositiveDefinite(4), H: Symmetric(2), K: Symmetric(2)):
    R = (root @ root).reshape(2, 2, 2, 2)
    left, right = R[:, 0, :, 0] + R[:, 1, :, 1], R[0, :, 0, :] + R[1, :, 1, :]
    whole = np.kron(H, np.eye(2)) + np.kron(np.eye(2), K)
    parts = skew_information(psd_sqrt(left), H) + skew_information(psd_sqrt(right), K)
    return at_most(parts, skew_information(root, whole))


@true("Powers and Stoermer 1970")
def powers_stoermer(A: PSD("n"), B: PSD("n")):
    return at_most(frobenius(psd_sqrt(A) - psd_sqrt(B)) ** 2, nuclear(A - B))


# Kernels and learning


@false("exp(-|x - y|^2.3) is a kernel: up to the power 2, Schoenberg 1938", "hard")
def schoenberg(x: Vector("n")):
    return at_most(0, smallest_eigenvalue(exp(-(np.abs(x[:, None] - x[None, :]) ** 2.3))))


@false("Gaussians of the distance along a circle are kernels: Feragen, Lauze and Hauberg 2015", "hard")
def geodesic(t: Box("n", 0, 6.283), s: Positive):
    d = np.abs(t[:, None] - t[None, :])
    return at_most(0, smallest_eigenvalue(exp(-s * minimum(d, 2 * pi - d) ** 2)))


@false("Entrywise powers 1.9 of PSD matrices of order 4 are PSD, entries >= 0: from 2 on, FitzGerald and Horn 1977", "hard")
def fitzgerald_horn(V: Box(4, "d", low=0, high=1)):
    return at_most(0, smallest_eigenvalue((V @ V.T) ** 1.9))


@true("Tropp 2004: matching pursuit begins well for two atoms of three with a coherence of 1/3")
def matching_pursuit(C: Correlation(3), c: Real):
    assume(np.max(np.abs(C - np.eye(3))) <= 1 / 3)
    y = C[0] + c * C[1]
    return at_most(np.abs(y[2]), np.max(np.abs(y[:2])))


@false("The same with 0.36", "hard")
def matching_pursuit_coherence(C: Correlation(3), c: Real):
    assume(np.max(np.abs(C - np.eye(3))) <= 0.36)
    y = C[0] + c * C[1]
    return at_most(np.abs(y[2]), np.max(np.abs(y[:2])))


# Vectors and points


@true("Ball, Carlen and Lieb 1994: convexity of the norm of order 3/2")
def two_uniform(x: Vector("n"), y: Vector("n")):
    a, b, plus, minus = (np.sum(np.abs(v) ** 1.5) ** (4 / 3) for v in (x, y, x + y, x - y))
    return at_most(a + b / 2, (plus + minus) / 2)


@false("The same with 0.52 for 1/2", "hard")
def two_uniform_constant(x: Vector("n"), y: Vector("n")):
    a, b, plus, minus = (np.sum(np.abs(v) ** 1.5) ** (4 / 3) for v in (x, y, x + y, x - y))
    return at_most(a + 0.52 * b, (plus + minus) / 2)


@false("Carlson's inequality of 1934 with 5.4 for pi^2: fails from n = 12 on", "hard")
def carlson(a: Vector("n")):
    k = np.arange(1, len(a) + 1)
    return at_most(np.sum(np.abs(a)) ** 4, 5.4 * np.sum(a**2) * np.sum(k**2 * a**2))


def top(x):
    return np.max(np.abs(x))


@false("Dunkl and Williams 1964 for the maximum norm with 3.6: 4 is approached alone", "hard")
def dunkl_williams(x: Vector(2), y: Vector(2)):
    assume(top(x) > 0)
    assume(top(y) > 0)
    return at_most(top(x / top(x) - y / top(y)) * (top(x) + top(y)), 3.6 * top(x - y))


@false("Hlawka's inequality for the maximum norm of space", "medium")
def hlawka_maximum(x: Vector(3), y: Vector(3), z: Vector(3)):
    return at_most(top(x + y) + top(y + z) + top(z + x), top(x) + top(y) + top(z) + top(x + y + z))


@true("Gilbert and Pollak 1968: the Steiner ratio of three points")
def steiner(a: Vector(2), b: Vector(2), c: Vector(2), s: Vector(2)):
    d = norm(np.stack([a - b, b - c, c - a]))
    return at_most(np.sum(d) - np.max(d), 2 / sqrt(3) * (norm(a - s) + norm(b - s) + norm(c - s)))


@false("The same with 1.15 for 1.1547", "hard")
def steiner_constant(a: Vector(2), b: Vector(2), c: Vector(2), s: Vector(2)):
    d = norm(np.stack([a - b, b - c, c - a]))
    return at_most(np.sum(d) - np.max(d), 1.15 * (norm(a - s) + norm(b - s) + norm(c - s)))


def squared_distances(X, n):
    i, j = np.array(list(combinations(range(n), 2))).T
    return np.sum((X[i] - X[j]) ** 2, axis=1)


@false("Of all hexagons with one diameter the regular one is the largest: Graham 1975", "hard")
def little_hexagon(X: Matrix(6, 2)):
    Y = np.roll(X, -1, axis=0)
    return at_most(np.sum(X[:, 0] * Y[:, 1] - X[:, 1] * Y[:, 0]) / 2, 0.65 * np.max(squared_distances(X, 6)))


@false("Distances of five points of the plane have a ratio of at least 1.63: 1.618, Bateman and Erdos 1951", "hard")
def five_distances(X: Matrix(5, 2)):
    d = squared_distances(X, 5)
    return at_most(1.63**2 * np.min(d), np.max(d))


@false("Thomson's problem for five charges, 6.48: 6.4747, Schwartz 2013", "medium")
def thomson(X: UnitRows(5, 3)):
    d = squared_distances(X, 5)
    assume(np.min(d) > 0)
    return at_most(6.48, np.sum(1 / np.sqrt(d)))


@true("Blundon 1965: semiperimeters by both radii")
def blundon(x: Positive, y: Positive, z: Positive):
    s = x + y + z
    r = sqrt(x * y * z / s)
    return at_most(s, (x + y) * (y + z) * (z + x) / (2 * s * r) + (3 * sqrt(3) - 4) * r)


@false("The same with 1.19 for 1.196: fails near equilateral triangles alone", "hard")
def blundon_constant(x: Positive, y: Positive, z: Positive):
    s = x + y + z
    r = sqrt(x * y * z / s)
    return at_most(s, (x + y) * (y + z) * (z + x) / (2 * s * r) + 1.19 * r)


@true("Coronel and Huancas 2013: Cirtoaje's conjecture on a^(3 b) + b^(3 a)")
def cirtoaje(a: between(0, 2)):
    return at_most(a ** (3 * (2 - a)) + (2 - a) ** (3 * a), 2)


@false("The same with 3.05: fails near 1 alone", "hard")
def cirtoaje_power(a: between(0, 2)):
    return at_most(a ** (3.05 * (2 - a)) + (2 - a) ** (3.05 * a), 2)


@false("Bohr's radius is 0.34: 1/3, Bohr 1914; here for automorphisms of the disc", "hard")
def bohr(a: Unit, r: between(0, 0.34)):
    return at_most(a + (1 - a**2) * r / (1 - a * r), 1)


@false("The classical method of Runge and Kutta is stable for imaginary steps up to 2.83: 2 sqrt(2)", "hard")
def runge_kutta(y: between(0, 2.83)):
    return at_most((1 - y**2 / 2 + y**4 / 24) ** 2 + (y - y**3 / 6) ** 2, 1)


# Laws


def draws(x, p):
    return quantity(lambda rng, size: rng.choice(x, size, p=p))


@true("Cantelli 1928 on an interval: P(X >= 0.9) for mean 1/2 and variance 1/12 at most")
def cantelli_tail(x: Box("k", 0, 1), p: Simplex("k")):
    m = np.sum(p * x)
    assume(m <= 1 / 2)
    assume(np.sum(p * (x - m) ** 2) <= 1 / 12)
    return P(draws(x, p) >= 0.9) <= 1 / (1 + 12 * 0.4**2)


@false("The same with 0.33 for 0.3425: fails near one law on two values alone", "hard")
def cantelli_tail_constant(x: Box("k", 0, 1), p: Simplex("k")):
    m = np.sum(p * x)
    assume(m <= 1 / 2)
    assume(np.sum(p * (x - m) ** 2) <= 1 / 12)
    return P(draws(x, p) >= 0.9) <= 0.33


@true("Zelen 1954: tails by a fourth moment, here of the normal law")
def zelen(x: Vector("k"), p: Simplex("k"), t: between(1.2, 4)):
    m = np.sum(p * x)
    v = np.sum(p * (x - m) ** 2)
    assume(v > 0)
    assume(np.sum(p * (x - m) ** 4) <= 3 * v**2)
    return P(np.abs(draws(x, p) - m) >= t * np.sqrt(v)) <= 2 / (2 + (t**2 - 1) ** 2)


@false("The same with 0.95: fails near laws on three or four values", "hard")
def zelen_constant(x: Vector("k"), p: Simplex("k"), t: between(1.2, 4)):
    m = np.sum(p * x)
    v = np.sum(p * (x - m) ** 2)
    assume(v > 0)
    assume(np.sum(p * (x - m) ** 4) <= 3 * v**2)
    return P(np.abs(draws(x, p) - m) >= t * np.sqrt(v)) <= 0.95 * 2 / (2 + (t**2 - 1) ** 2)


@false("Hoeffding's lemma with 1/9 for 1/8: fails for nearly fair coins alone", "hard")
def hoeffding_lemma(x: Box("k", 0, 1), p: Simplex("k"), t: Real):
    return at_most(np.sum(p * exp(t * (x - np.sum(p * x)))), exp(t**2 / 9))


@false("Bhatia and Davis 2000 with 0.98: fails near laws on both ends", "easy")
def bhatia_davis(x: Box("k", 0, 1), p: Simplex("k")):
    m = np.sum(p * x)
    return at_most(np.sum(p * (x - m) ** 2), 0.98 * m * (1 - m))


@true("Bennett 1962: the moment generating function by largest value and variance")
def bennett(X: FiniteLaw, t: NonNegative):
    assume(X.variance > 0)
    b, v = X.high - X.mean, X.variance
    return at_most(np.sum(X.p * exp(t * (X.values - X.mean))), (b**2 * exp(-t * v / b) + v * exp(t * b)) / (b**2 + v))


@true("Kearns and Saul 1998: coins are sub-Gaussian, attained at one t")
def kearns_saul(p: between(0, 0.5), t: Real):
    return at_most(log(1 - p + p * exp(t)) - t * p, t**2 * (1 - 2 * p) / (4 * log((1 - p) / p)))


@false("Medians lie within 0.97 deviations of the mean: 1, Hotelling and Solomons 1932", "medium")
def median(X: FiniteLaw):
    assume(X.variance > 0)
    return P(X.sample() >= X.mean + 0.97 * sqrt(X.variance)) <= 1 / 2


@true("Katona 1969: sums of two copies")
def katona(x: Vector("k"), p: Simplex("k"), t: Positive):
    X = quantity(lambda rng, size: rng.choice(x, (size, 2), p=p))
    return P(np.abs(np.sum(X)) >= t) >= np.sum(p * (np.abs(x) >= t)) ** 2 / 2


@false("The same with 0.55 for 1/2", "medium")
def katona_constant(x: Vector("k"), p: Simplex("k"), t: Positive):
    X = quantity(lambda rng, size: rng.choice(x, (size, 2), p=p))
    return P(np.abs(np.sum(X)) >= t) >= 0.55 * np.sum(p * (np.abs(x) >= t)) ** 2


@false("Littlewood and Offord for closed intervals: Erdos 1945 has open ones", "medium")
def littlewood_offord(a: Box(3, low=1, high=3)):
    signs = quantity(lambda rng, size: 2.0 * rng.integers(0, 2, (size, 3)) - 1)
    return P(np.abs(signs.map(lambda s: s @ a)) <= 1) <= 3 / 8


HADAMARD = np.array([[(-1.0) ** bin(i & j).count("1") for j in range(16)] for i in range(16)])
DEGREES = np.array([bin(i).count("1") for i in range(16)])


@false("Spectral entropies of Boolean functions are at most three times their influence: Friedgut and Kalai 1996 ask, four bits", "hard")
def entropy_and_influence(f: Signs(16)):
    w = (HADAMARD @ f / 16) ** 2
    bits = -np.sum(w * np.where(w > 0, log(np.where(w > 0, w, 1)), 0)) / log(2)
    return at_most(bits, 3 * np.sum(DEGREES * w))


@true("Dobrushin 1956, Cohen et al. 1993: channels contract relative entropy by Dobrushin's coefficient")
def dobrushin(p: Simplex(2), q: Simplex(2), W: Channel(2, 3)):
    c = np.sum(np.abs(W[0] - W[1])) / 2
    a, b = p @ W, q @ W
    return at_most(np.sum(a * log(a / b)), c * np.sum(p * log(p / q)))


@false("The same by its square: erasures contract by the coefficient itself", "medium")
def dobrushin_squared(p: Simplex(2), q: Simplex(2), W: Channel(2, 3)):
    c = np.sum(np.abs(W[0] - W[1])) / 2
    a, b = p @ W, q @ W
    return at_most(np.sum(a * log(a / b)), c**2 * np.sum(p * log(p / q)))
