"""The compiled layer again, under the same names, in plain loops without tricks, or in exact rationals."""

import math
from fractions import Fraction

import numpy as np

WORD = 0xFFFFFFFF


def cosine(u):
    return math.sin(2 * math.pi * (0.25 - abs(u - round(u))))


def sine(u):
    r = u - round(u)
    if abs(r) > 0.25:
        r = math.copysign(0.5, r) - r
    return math.sin(2 * math.pi * r)


def logarithm(x):
    return math.log(x)


def exponential(x):
    return math.exp(x)


def _philox(counter, key):
    a, b, c, d = (int(x) for x in counter)
    k, m = (int(x) for x in key)
    for _ in range(10):
        high, low = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (low >> 32) ^ b ^ k, low & WORD, (high >> 32) ^ d ^ m, high & WORD
        k, m = (k + 0x9E3779B9) & WORD, (m + 0xBB67AE85) & WORD
    return a, b, c, d


def _uniform_pair(counter, key):
    a, b, c, d = _philox(counter, key)
    return tuple(float(Fraction(2 * (((x << 32) + y) >> 12) + 1, 1 << 53)) for x, y in ((a, b), (c, d)))


def _frequencies(law, seed, trial, s, d):
    stream = {"normal": 0, "cauchy": 1}[law]
    W = np.empty((s, d))
    for j in range(s):
        for k in range(d):
            u, v = _uniform_pair((j, k // 2, trial, stream), (seed & WORD, seed >> 32))
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
    return np.array([_uniform_pair((j, 0, trial, 2), (seed & WORD, seed >> 32))[0] for j in range(s)])


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


def fourier_features(X, W, u):
    waves = list(zip(W, u, strict=True))
    return _table(X, waves, lambda x, wave: math.sqrt(2) * cosine(_dot(x, wave[0]) + wave[1]))


def _fourier_pairs(X, W):
    cosines = _table(X, W, lambda x, w: cosine(_dot(x, w)))
    sines = _table(X, W, lambda x, w: sine(_dot(x, w)))
    return np.concatenate([cosines, sines], axis=1)


def _ridge_factor(K, lam):
    n = len(K)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            rest = K[i, j] + (n * lam if i == j else 0.0) - _dot(L[i, :j], L[j, :j])
            L[i, j] = math.sqrt(rest) if i == j else rest / L[j, j]
    return L


def _whitened(L, Z):
    Y = np.zeros((len(Z), len(Z[0])))
    for j in range(len(Z[0])):
        for i in range(len(L)):
            Y[i, j] = (Z[i, j] - _dot(L[i, :i], Y[:i, j])) / L[i, i]
    return Y


def square_sums(Y, weights):
    return np.array([sum(w * y * y for w, y in zip(weights, column, strict=True)) for column in Y.T])


def leverage_scores(Z, p, K, lam):
    Y = _whitened(_ridge_factor(K, lam), Z)
    return np.array([p[j] * _dot(Y[:, j], Y[:, j]) for j in range(len(p))])


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


def definiteness(A, D, eps, slack):
    """As if nothing were rounded: the slack is no more than what is not known."""
    n = len(A)
    M = [[Fraction(eps) * Fraction(A[i, j]) - Fraction(D[i, j]) for j in range(n)] for i in range(n)]
    return 1 if _semidefinite(M) else -1


def deviation_exceeds(A, D, eps):
    return 1 if -1 in (definiteness(A, D, eps, 0.0), definiteness(A, -D, eps, 0.0)) else -1


def bernstein_quantities(Z, p, q, K, lam):
    Y = _whitened(_ridge_factor(K, lam), Z)
    largest, second = 0.0, np.zeros((len(Z), len(Z)))
    for j in range(len(p)):
        if p[j] > 0:
            R = p[j] / q[j] * np.outer(Y[:, j], Y[:, j])
            largest = max(largest, _norm(R))
            second += q[j] * (R @ R)
    return largest, _norm(second), sum(second[i, i] for i in range(len(Z)))


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
