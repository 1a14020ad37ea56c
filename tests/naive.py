"""The compiled layer again, under the same names, in plain loops without tricks, or in exact rationals."""

import math
from fractions import Fraction

import numpy as np

WORD = 0xFFFFFFFF


def cosine(u):
    return math.sin(2 * math.pi * (0.25 - abs(u - round(u))))


def cosine_single(u):
    return cosine(u)


def sine(u):
    r = u - round(u)
    if abs(r) > 0.25:
        r = math.copysign(0.5, r) - r
    return math.sin(2 * math.pi * r)


def logarithm(x):
    return math.log(x)


def exponential(x):
    return math.exp(x)


def philox(counter, key):
    a, b, c, d = (int(x) for x in counter)
    k, m = (int(x) for x in key)
    for _ in range(10):
        high, low = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (low >> 32) ^ b ^ k, low & WORD, (high >> 32) ^ d ^ m, high & WORD
        k, m = (k + 0x9E3779B9) & WORD, (m + 0xBB67AE85) & WORD
    return a, b, c, d


def uniform_pair(counter, key):
    a, b, c, d = philox(counter, key)
    return tuple(float(Fraction(2 * (((x << 32) + y) >> 12) + 1, 1 << 53)) for x, y in ((a, b), (c, d)))


def _frequencies(law, seed, trial, s, d):
    stream = {"normal": 0, "cauchy": 1}[law]
    W = np.empty((s, d))
    for j in range(s):
        for k in range(d):
            u, v = uniform_pair((j, k // 2, trial, stream), (seed & WORD, seed >> 32))
            if law == "normal":
                w = math.sqrt(-2 * math.log(u)) * (sine(v) if k % 2 else cosine(v))
            else:
                half = (v if k % 2 else u) / 2
                w = sine(half) / cosine(half)
            W[j, k] = w / (2 * math.pi)
    return W


def normal_frequencies(seed, trial, s, d):
    return _frequencies("normal", seed, trial, s, d)


def cauchy_frequencies(seed, trial, s, d):
    return _frequencies("cauchy", seed, trial, s, d)


def phases(seed, trial, s):
    return np.array([uniform_pair((j, 0, trial, 2), (seed & WORD, seed >> 32))[0] for j in range(s)])


def _dot(x, y):
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total


def _table(rows, columns, entry):
    return np.array([[float(entry(x, y)) for y in columns] for x in rows])


def gaussian_kernel(X, Y, sigma):
    return _table(X, Y, lambda x, y: math.exp(-_dot(x - y, x - y) / (2 * sigma**2)))


def laplace_kernel(X, Y, sigma):
    return _table(X, Y, lambda x, y: math.exp(-sum(abs(x - y)) / sigma))


def arcsine_kernel(X, Y):
    def entry(x, y):
        x, y = x / math.hypot(*x), y / math.hypot(*y)
        return 1 - 4 / math.pi * math.atan2(math.hypot(*(x - y)), math.hypot(*(x + y)))

    return _table(X, Y, entry)


def _bernoulli_numbers(order):
    B = [Fraction(1)]
    for i in range(1, order + 1):
        B.append(-sum((math.comb(i + 1, j) * B[j] for j in range(i)), Fraction(0)) / (i + 1))
    return B


def spline_kernel(x, y, r):
    B = _bernoulli_numbers(2 * r)
    scale = (-1) ** (r + 1) * (2 * math.pi) ** (2 * r) / (2 * math.factorial(2 * r))

    def entry(a, b):
        t = (Fraction(a) - Fraction(b)) % 1
        return 1 + scale * float(sum(math.comb(2 * r, i) * B[2 * r - i] * t**i for i in range(2 * r + 1)))

    return _table(x, y, entry)


def spline_features(x, v, r):
    return spline_kernel(x, v, r // 2)


def fourier_features(X, W, u):
    waves = list(zip(W, u, strict=True))
    return _table(X, waves, lambda x, wave: math.sqrt(2) * cosine(_dot(x, wave[0]) + wave[1]))


def fourier_pairs(X, W):
    cosines = _table(X, W, lambda x, w: cosine(_dot(x, w)))
    sines = _table(X, W, lambda x, w: sine(_dot(x, w)))
    return np.concatenate([cosines, sines], axis=1)


def sign_features(X, V):
    return _table(X, V, lambda x, v: 1.0 if _dot(x, v) >= 0 else -1.0)


def sign_gram(X, V):
    Z = sign_features(X, V)
    return _table(Z, Z, _dot)


def one_hot_features(n):
    return np.array([[math.sqrt(n) if i == j else 0.0 for j in range(n)] for i in range(n)])


def ridge_factor(K, lam):
    n = len(K)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            rest = K[i, j] + (n * lam if i == j else 0.0) - _dot(L[i, :j], L[j, :j])
            L[i, j] = math.sqrt(rest) if i == j else rest / L[j, j]
    return L


def whitened(L, Z):
    Y = np.zeros((len(Z), len(Z[0])))
    for j in range(len(Z[0])):
        for i in range(len(L)):
            Y[i, j] = (Z[i, j] - _dot(L[i, :i], Y[:i, j])) / L[i, i]
    return Y


def ridge_leverage_scores(Z, p, K, lam):
    Y = whitened(ridge_factor(K, lam), Z)
    return np.array([p[j] * _dot(Y[:, j], Y[:, j]) for j in range(len(p))])


def effective_dimension(eigenvalues, n, lams):
    return np.array([sum(mu / (mu + n * lam) for mu in eigenvalues) for lam in lams])


def _norm(M):
    return max(map(abs, _eigenvalues(M)))


def _eigenvalues(M):
    """Of a symmetric matrix, by Jacobi rotations."""
    M, n = np.array(M), len(M)
    for _ in range(30):
        for i in range(n):
            for j in range(i):
                angle = 0.5 * math.atan2(2 * M[i, j], M[j, j] - M[i, i])
                J = np.eye(n)
                J[i, i] = J[j, j] = math.cos(angle)
                J[j, i], J[i, j] = math.sin(angle), -math.sin(angle)
                M = J @ M @ J.T
    return [float(M[i, i]) for i in range(n)]


def weighted_gram(Z, weights):
    return _table(Z, Z, lambda a, b: sum(w * x * y for w, x, y in zip(weights, a, b, strict=True)))


def nested_grams(Z, sizes):
    return (weighted_gram(Z[:, :s], np.full(s, 1 / s)) for s in sizes)


def dominant_vector(apply, n):
    """By power iteration on the square."""
    x = np.linspace(1, 2, n)
    for _ in range(2000):
        x = apply(apply(x / math.hypot(*x)))
    return x / math.hypot(*x)


def spectral_deviation(L, ridge, Z, weights):
    D = weighted_gram(Z, weights) - (L @ L.T - ridge * np.eye(len(L)))
    return _norm(whitened(L, whitened(L, D).T))


def spectral_deviations_nested(L, ridge, Z, sizes):
    return np.array([spectral_deviation(L, ridge, Z[:, :s], np.full(s, 1 / s)) for s in sizes])


def extreme_eigenvalues(A):
    values = [_eigenvalues(M) for M in A]
    return np.array([[min(v), max(v)] for v in values])


def cholesky_factors(A):
    return np.array([ridge_factor(M, 0.0) for M in A])


def random_ridge_coefficients(L, ridge, Z, y, sizes):
    return np.array([np.linalg.solve(weighted_gram(Z[:, :s], np.full(s, 1 / s)) + ridge * np.eye(len(y)), y) for s in sizes])


def compress(K, L, ridge, tolerance):
    """The pivots alone: greedily the largest residual, until none exceeds the tolerance."""
    residual, pivots = np.array(K), []
    while residual.diagonal().max() > tolerance:
        i = int(residual.diagonal().argmax())
        pivots.append(i)
        residual = residual - np.outer(residual[:, i], residual[i]) / residual[i, i]
    return pivots


def neglected_energy(c, Z, weights):
    total = 0.0
    for i in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            total += weights[j] * (Z[i, j] - _dot(c.T[i], Z[c.pivots, j])) ** 2
    return total / c.ridge


def compressed_deviation(K, ridge, Z, weights):
    """Not compressed: from the features at all points."""
    return spectral_deviation(ridge_factor(K, ridge / len(K)), ridge, Z, weights)


def _semidefinite(M):
    """Whether a symmetric matrix of rationals is positive semidefinite, by exact elimination."""
    for k in range(len(M)):
        pivot = M[k][k]
        if pivot < 0 or (pivot == 0 and any(M[k][k:])):
            return False
        for i in range(k + 1, len(M)):
            factor = M[i][k] / pivot if pivot else Fraction(0)
            M[i] = [a - factor * b for a, b in zip(M[i], M[k], strict=True)]
    return True


def deviation_exceeds(A, D, eps):
    n = len(A)
    for sign in (1, -1):
        M = [
            [Fraction(eps) * Fraction(A[i, j]) - sign * Fraction(D[i, j]) for j in range(n)] for i in range(n)
        ]
        if not _semidefinite(M):
            return 1
    return -1


def draw_exceeds(A, K, Z, weights, eps):
    def entry(i, j):
        return sum(Fraction(w) * Fraction(a) * Fraction(b) for w, a, b in zip(weights, Z[i], Z[j], strict=True)) - Fraction(K[i, j])

    D = np.array([[entry(i, j) for j in range(len(K))] for i in range(len(K))], dtype=object)
    return deviation_exceeds(A, D, eps)


def bernstein_quantities(Z, p, q, K, lam):
    Y = whitened(ridge_factor(K, lam), Z)
    largest, second = 0.0, np.zeros((len(Z), len(Z)))
    for j in range(len(p)):
        if p[j] > 0:
            R = p[j] / q[j] * np.outer(Y[:, j], Y[:, j])
            largest = max(largest, _norm(R))
            second += q[j] * (R @ R)
    return largest, _norm(second), sum(second[i, i] for i in range(len(Z)))


def _exact_within(s, q, lo, hi):
    """s! times the sum over allowed counts of the products q_j^k / k!, exactly, for the floats q as given."""
    ways = [Fraction(1)] + [Fraction(0)] * s
    for j in range(len(q)):
        inside = [lo[j] <= k <= hi[j] for k in range(s + 1)]
        cell = [inside[k] * Fraction(q[j]) ** k / math.factorial(k) for k in range(s + 1)]
        ways = [sum((ways[i] * cell[k - i] for i in range(k + 1)), Fraction(0)) for k in range(s + 1)]
    return ways[s] * math.factorial(s)


def all_counts_within(s, q, lo, hi):
    return float(_exact_within(s, q, lo, hi)), 0.0


def some_count_outside(s, q, lo, hi):
    anything = sum(Fraction(x) for x in q) ** s
    return float(anything - _exact_within(s, q, lo, hi)), 0.0


def _averaged_sgd(Z, y, lam, gamma, T):
    """The averages of Algorithm 1 with all iterates kept: sum_t alpha_t beta_t."""
    betas = [np.zeros(Z.shape[1])]
    for t in range(1, T + 1):
        z, label, beta = Z[t - 1], y[t - 1], betas[-1]
        slope = -label / (1 + math.exp(label * _dot(beta, z)))
        betas.append(beta - 2 / (lam * (gamma + t)) * (slope * z + lam * beta))
    alpha = [2 * (gamma + t - 1) / ((2 * gamma + T) * (T + 1)) for t in range(1, T + 2)]
    return sum(a * b for a, b in zip(alpha, betas, strict=True))


def sgd_on_features(X, y, W, ridge, steps):
    angles = np.array([[2 * math.pi * _dot(x, w) for w in W] for x in X])
    Z = np.concatenate([np.cos(angles), np.sin(angles)], axis=1) / math.sqrt(len(W))
    return np.array([_averaged_sgd(Z, y, ridge[0], ridge[1], T) for T in steps])


def sgd_on_kernel(X, y, sigma, ridge, steps):
    """Through a factor of the kernel matrix: coefficients c with Z^T c = beta, for a kernel matrix of full rank."""
    Z = np.linalg.cholesky(gaussian_kernel(X, X, sigma))
    return np.array([np.linalg.solve(Z.T, _averaged_sgd(Z, y, ridge[0], ridge[1], T)) for T in steps])
