"""Kernel matrices of two point sets, and random features of one, with the frequencies and phases that they are made of.

Each entry is a sum in a fixed order. Randomness is counter-based: every number is a pure function of (seed,
trial, feature, coordinate), by Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) and IEEE arithmetic only, no
libm: every machine, worker and chunking gives the same bits, and the first s rows do not depend on s.
Frequencies are in turns, that is, divided by 2 pi.
"""

import math

import numpy as np

from boundcheck.features.compiled import (
    Matrix,
    Vector,
    cosine,
    exponential,
    jitted,
    logarithm,
    sine,
)

Word = np.uint64
Four = tuple[Word, Word, Word, Word]
Key = tuple[Word, Word]

# kernel matrices of two point sets
#
# Loops over points y are innermost: they vectorise. The distance is summed over d in order, so that the matrix is
# symmetric bit for bit when Y is X.


BLOCK = 1024  # points y, or features: what all points x need of them stays in cache


def gaussian_kernel(X: Matrix, Y: Matrix, sigma: float) -> Matrix:
    """exp(-|x - y|^2 / (2 sigma^2)) for X (n, d) and Y (m, d); shape (n, m)."""
    K = np.empty((len(X), len(Y)))
    return _exponential_of(_rows(X), _columns(Y), -0.5 / sigma**2, False, K)


def laplace_kernel(X: Matrix, Y: Matrix, sigma: float) -> Matrix:
    """exp(-|x - y|_1 / sigma) for X (n, d) and Y (m, d); shape (n, m)."""
    K = np.empty((len(X), len(Y)))
    return _exponential_of(_rows(X), _columns(Y), -1.0 / sigma, True, K)


def _rows(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X, dtype=np.float64)


def _columns(Y: Matrix) -> Matrix:
    return np.ascontiguousarray(np.asarray(Y, dtype=np.float64).T)


@jitted
def _exponential_of(
    X: Matrix, YT: Matrix, scale: float, absolute: bool, K: Matrix
) -> Matrix:
    """exp(scale distance), absolute or squared, in K: NumPy gets memory for it with fewer page faults."""
    for start in range(0, YT.shape[1], BLOCK):
        part = slice(start, start + BLOCK)
        for i in range(X.shape[0]):
            K[i, part] = 0.0
            for k in range(X.shape[1]):
                _add_distances(X[i, k], YT[k, part], absolute, K[i, part])
            _exponentials(scale, K[i, part])
    return K


@jitted
def _add_distances(x: float, y: Vector, absolute: bool, sums: Vector) -> None:
    for j in range(y.size):
        t = abs(x - y[j])
        sums[j] += t if absolute else t * t


@jitted
def _exponentials(scale: float, row: Vector) -> None:
    for j in range(row.size):
        row[j] = exponential(scale * row[j])


# random features of a point set, one row per point and one column per feature
#
# Entry (i, j) is a pure function of point i and feature j, summed in a fixed order: no other point or
# feature, and no BLAS, changes a bit of it. Prefixes of features are therefore nested exactly.


SQRT2 = math.sqrt(2.0)


def fourier_features(X: Matrix, W: Matrix, u: Vector) -> Matrix:
    """sqrt(2) cos(2 pi (W x + u)) for X (n, d), W (s, d) in turns and phases u (s,); shape (n, s).

    The rounded argument is off by at most (d + 1) 2^-53 sum_k |x_k w_k| turns, roughly.
    """
    Z = np.empty((len(X), len(W)))
    return _shifted_cosines(_rows(X), _columns(W), _rows(u), Z)


def _fourier_pairs(X: Matrix, W: Matrix) -> Matrix:
    """[cos(2 pi W x), sin(2 pi W x)] for X (n, d) and frequencies W (s, d) in turns; shape (n, 2 s)."""
    return _cosines_and_sines(_rows(X), _columns(W))


@jitted
def _turns(x: Vector, WT: Matrix, start: int, turns: Vector) -> None:
    """W x for the features from start on."""
    turns[:] = 0.0
    for k in range(x.size):
        a, w = x[k], WT[k, start : start + turns.size]
        for j in range(turns.size):
            turns[j] += a * w[j]


@jitted
def _shifted_cosines(X: Matrix, WT: Matrix, u: Vector, Z: Matrix) -> Matrix:
    for start in range(0, u.size, BLOCK):
        v = u[start : start + BLOCK]
        turns = np.empty(v.size)
        for i in range(X.shape[0]):
            _turns(X[i], WT, start, turns)
            _cosines(turns, v, Z[i, start : start + BLOCK])
    return Z


@jitted
def _cosines(turns: Vector, u: Vector, row: Vector) -> None:
    for j in range(row.size):
        row[j] = SQRT2 * cosine(turns[j] + u[j])


@jitted
def _cosines_and_sines(X: Matrix, WT: Matrix) -> Matrix:
    n, s = X.shape[0], WT.shape[1]
    Z = np.empty((n, 2 * s))
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        turns = np.empty(stop - start)
        for i in range(n):
            _turns(X[i], WT, start, turns)
            _cosine_sine(turns, Z[i, start:stop], Z[i, s + start : s + stop])
    return Z


@jitted
def _cosine_sine(turns: Vector, cosines: Vector, sines: Vector) -> None:
    for j in range(turns.size):
        cosines[j] = cosine(turns[j])
    for j in range(turns.size):
        sines[j] = sine(turns[j])


# frequencies and phases


WORD = 0xFFFFFFFF
NORMAL, CAUCHY, PHASE = range(
    3
)  # the fourth word of the counter: a stream for each law
PER_TURN = 0.5 / math.pi


def normal_frequencies(seed: int, trial: int, s: int, d: int) -> Matrix:
    """Frequencies (s, d) of the Gaussian kernel with sigma = 1, in turns: N(0, I) / (2 pi).

    Raises ValueError if seed is not a 64-bit or trial not a 32-bit unsigned integer.
    """
    return _frequencies(True, *_keyed(seed, trial), s, d)


def cauchy_frequencies(seed: int, trial: int, s: int, d: int) -> Matrix:
    """Frequencies (s, d) of the Laplace kernel with sigma = 1, in turns: independent Cauchy / (2 pi).

    Raises ValueError if seed is not a 64-bit or trial not a 32-bit unsigned integer.
    """
    return _frequencies(False, *_keyed(seed, trial), s, d)


def phases(seed: int, trial: int, s: int) -> Vector:
    """Phases (s,), uniform on (0, 1).

    Raises ValueError if seed is not a 64-bit or trial not a 32-bit unsigned integer.
    """
    return _phases(*_keyed(seed, trial), s)


def _keyed(seed: int, trial: int) -> tuple[Key, Word]:
    if not 0 <= seed < 1 << 64:
        raise ValueError(
            f"seed must lie in [0, 2^64), but is {seed}: take it modulo 2^64."
        )
    if not 0 <= trial <= WORD:
        raise ValueError(
            f"trial must lie in [0, 2^32), but is {trial}: use another seed for further trials."
        )
    return (np.uint64(seed & WORD), np.uint64(seed >> 32)), np.uint64(trial)


@jitted
def _philox(counter: Four, key: Key) -> Four:
    """The four 32-bit output words of Philox4x32-10, of four counter and two key words, all in uint64."""
    mask, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        high = np.uint64(0xD2511F53) * a
        low = np.uint64(0xCD9E8D57) * c
        a, b, c, d = (
            (low >> shift) ^ b ^ k,
            low & mask,
            (high >> shift) ^ d ^ m,
            high & mask,
        )
        k, m = (k + np.uint64(0x9E3779B9)) & mask, (m + np.uint64(0xBB67AE85)) & mask
    return a, b, c, d


@jitted
def _uniform_pair(counter: Four, key: Key) -> tuple[float, float]:
    """Two uniforms in (0, 1), odd multiples of 2^-53: never 0, 1 or 1/2."""
    a, b, c, d = _philox(counter, key)
    first = (a << np.uint64(20)) | (b >> np.uint64(12))
    second = (c << np.uint64(20)) | (d >> np.uint64(12))
    return (np.int64(first) + 0.5) * 2.0**-52, (np.int64(second) + 0.5) * 2.0**-52


@jitted
def _frequencies(normal: bool, key: Key, trial: Word, s: int, d: int) -> Matrix:
    """Two coordinates from each pair of uniforms, so that the first ones do not depend on d."""
    W, law = np.empty((s, d + 1)), np.uint64(NORMAL if normal else CAUCHY)
    for j in range(s):
        for k in range(0, d, 2):
            u, v = _uniform_pair((np.uint64(j), np.uint64(k // 2), trial, law), key)
            if normal:  # Box and Muller
                radius = np.sqrt(-2.0 * logarithm(u)) * PER_TURN
                W[j, k], W[j, k + 1] = radius * cosine(v), radius * sine(v)
            else:
                W[j, k], W[j, k + 1] = _cauchy(u), _cauchy(v)
    return W[:, :d].copy()


@jitted
def _cauchy(u: float) -> float:
    return sine(0.5 * u) / cosine(0.5 * u) * PER_TURN


@jitted
def _phases(key: Key, trial: Word, s: int) -> Vector:
    u = np.empty(s)
    for j in range(s):
        u[j], _ = _uniform_pair(
            (np.uint64(j), np.uint64(0), trial, np.uint64(PHASE)), key
        )
    return u
