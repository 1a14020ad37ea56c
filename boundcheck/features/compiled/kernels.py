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

# kernel matrices, symmetric bit for bit when Y is X


TILE = 64  # points: the tile, its coordinates and its mirror image stay in the first cache


def gaussian_kernel(X: Matrix, Y: Matrix, sigma: float) -> Matrix:
    """exp(-|x - y|^2 / (2 sigma^2)) for X (n, d) and Y (m, d); shape (n, m)."""
    return _exponential_of(
        _rows(X),
        _columns(Y),
        -0.5 / sigma**2,
        False,
        Y is X,
        np.empty((len(X), len(Y))),
    )


def laplace_kernel(X: Matrix, Y: Matrix, sigma: float) -> Matrix:
    """exp(-|x - y|_1 / sigma) for X (n, d) and Y (m, d); shape (n, m)."""
    return _exponential_of(
        _rows(X),
        _columns(Y),
        -1.0 / sigma,
        True,
        Y is X,
        np.empty((len(X), len(Y))),
    )


def _rows(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X, dtype=np.float64)


def _columns(Y: Matrix) -> Matrix:
    return np.ascontiguousarray(np.asarray(Y, dtype=np.float64).T)


@jitted
def _exponential_of(
    X: Matrix, YT: Matrix, scale: float, absolute: bool, same: bool, K: Matrix
) -> Matrix:
    """Fill K with exp(scale distance), absolute or squared, by tiles; on and above the diagonal if Y is X."""
    n, m = K.shape
    for a in range(0, n, TILE):
        for b in range(a if same else 0, m, TILE):
            for i in range(a, min(a + TILE, n)):
                row = K[i, b : min(b + TILE, m)]
                if absolute:
                    _absolute_distances(X[i], YT, b, row)
                else:
                    _squared_distances(X[i], YT, b, row)
                _exponentials(row, scale)
            if same:
                _mirror(K, a, b)
    return K


@jitted
def _mirror(K: Matrix, a: int, b: int) -> None:
    """Copy the tile at (a, b), transposed, to (b, a), while it is in cache."""
    stop = min(a + TILE, K.shape[0])
    for j in range(b, min(b + TILE, K.shape[0])):
        row = K[j, a:stop]
        for i in range(row.size):
            row[i] = K[a + i, j]


@jitted
def _exponentials(row: Vector, scale: float) -> None:
    for j in range(row.size):
        row[j] = exponential(scale * row[j])


@jitted
def _squared_distances(x: Vector, YT: Matrix, start: int, row: Vector) -> None:
    """|x - y|^2 for the columns y of YT from start on, summed in the order of d, five terms a pass."""
    stop, k = start + row.size, 0
    row[:] = 0.0
    while k + 5 <= x.size:
        a, b, c, d, e = x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4]
        A, B, C, D, E = (
            YT[k, start:stop],
            YT[k + 1, start:stop],
            YT[k + 2, start:stop],
            YT[k + 3, start:stop],
            YT[k + 4, start:stop],
        )
        for j in range(row.size):
            t, u, v, w, z = a - A[j], b - B[j], c - C[j], d - D[j], e - E[j]
            row[j] = ((((row[j] + t * t) + u * u) + v * v) + w * w) + z * z
        k += 5
    for i in range(k, x.size):
        a, A = x[i], YT[i, start:stop]
        for j in range(row.size):
            t = a - A[j]
            row[j] += t * t


@jitted
def _absolute_distances(x: Vector, YT: Matrix, start: int, row: Vector) -> None:
    """|x - y|_1 for the columns y of YT from start on, summed in the order of d, five terms a pass."""
    stop, k = start + row.size, 0
    row[:] = 0.0
    while k + 5 <= x.size:
        a, b, c, d, e = x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4]
        A, B, C, D, E = (
            YT[k, start:stop],
            YT[k + 1, start:stop],
            YT[k + 2, start:stop],
            YT[k + 3, start:stop],
            YT[k + 4, start:stop],
        )
        for j in range(row.size):
            t, u, v, w, z = (
                abs(a - A[j]),
                abs(b - B[j]),
                abs(c - C[j]),
                abs(d - D[j]),
                abs(e - E[j]),
            )
            row[j] = ((((row[j] + t) + u) + v) + w) + z
        k += 5
    for i in range(k, x.size):
        a, A = x[i], YT[i, start:stop]
        for j in range(row.size):
            row[j] += abs(a - A[j])


# random features of a point set, one row per point and one column per feature
#
# Entry (i, j) is a pure function of point i and feature j, summed in a fixed order: no other point or
# feature, and no BLAS, changes a bit of it. Prefixes of features are therefore nested exactly.


SQRT2 = math.sqrt(2.0)
BLOCK = 1024  # features that stay in cache while all points pass by


def fourier_features(X: Matrix, W: Matrix, u: Vector) -> Matrix:
    """sqrt(2) cos(2 pi (W x + u)) for X (n, d), W (s, d) in turns and phases u (s,); shape (n, s).

    The rounded argument is off by at most (d + 1) 2^-53 sum_k |x_k w_k| turns, roughly.
    """
    u = np.ascontiguousarray(u, dtype=np.float64)
    return _shifted_cosines(
        _rows(X), _columns(W), u, np.empty((len(X), len(W)))
    )


def _fourier_pairs(X: Matrix, W: Matrix) -> Matrix:
    """[cos(2 pi W x), sin(2 pi W x)] for X (n, d) and frequencies W (s, d) in turns; shape (n, 2 s)."""
    return _cosines_and_sines(_rows(X), _columns(W))


@jitted
def _project(
    X: Matrix, i: int, WT: Matrix, start: int, first: Vector, second: Vector
) -> None:
    """Overwrite two vectors with rows i, i + 1 of X times WT[:, start], WT[:, start + 1], ..., summed over d.

    Two points share a pass over W; where there is no second one, the first is taken twice.
    """
    x, y = X[i], X[min(i + 1, X.shape[0] - 1)]
    stop, k = start + first.size, 0
    first[:] = 0.0
    second[:] = 0.0
    while k + 5 <= x.size:
        _add_five(
            x[k : k + 5], y[k : k + 5], WT[k : k + 5], start, first, second
        )
        k += 5
    for rest in range(k, x.size):
        a, b, A = x[rest], y[rest], WT[rest, start:stop]
        for j in range(first.size):
            first[j] += a * A[j]
            second[j] += b * A[j]


@jitted
def _add_five(
    x: Vector, y: Vector, WT: Matrix, start: int, first: Vector, second: Vector
) -> None:
    """The terms of five coordinates."""
    stop = start + first.size
    a, b, c, d, e = x[0], x[1], x[2], x[3], x[4]
    p, q, r, s, t = y[0], y[1], y[2], y[3], y[4]
    A, B, C, D, E = (
        WT[0, start:stop],
        WT[1, start:stop],
        WT[2, start:stop],
        WT[3, start:stop],
        WT[4, start:stop],
    )
    for j in range(first.size):
        first[j] = (
            (((first[j] + a * A[j]) + b * B[j]) + c * C[j]) + d * D[j]
        ) + e * E[j]
        second[j] = (
            (((second[j] + p * A[j]) + q * B[j]) + r * C[j]) + s * D[j]
        ) + t * E[j]


@jitted
def _shifted_cosines(X: Matrix, WT: Matrix, u: Vector, Z: Matrix) -> Matrix:
    n, s = Z.shape
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        turns = np.empty((2, stop - start))
        for i in range(0, n, 2):
            _project(X, i, WT, start, turns[0], turns[1])
            for row in range(min(2, n - i)):
                _cosines(turns[row], u[start:stop], Z[i + row, start:stop])
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
        turns = np.empty((2, stop - start))
        for i in range(0, n, 2):
            _project(X, i, WT, start, turns[0], turns[1])
            for row in range(min(2, n - i)):
                _cosine_sine(
                    turns[row],
                    Z[i + row, start:stop],
                    Z[i + row, s + start : s + stop],
                )
    return Z


@jitted
def _cosine_sine(turns: Vector, cosines: Vector, sines: Vector) -> None:
    for j in range(turns.size):
        cosines[j] = cosine(turns[j])
    for j in range(turns.size):
        sines[j] = sine(turns[j])


# frequencies and phases


WORD = 0xFFFFFFFF
NORMAL, CAUCHY, PHASE = (
    0,
    1,
    2,
)  # the fourth word of the counter: one stream for each law
PER_TURN = 0.15915494309189535  # 1 / (2 pi)


def normal_frequencies(seed: int, trial: int, s: int, d: int) -> Matrix:
    """Frequencies (s, d) of the Gaussian kernel with sigma = 1, in turns: N(0, I) / (2 pi).

    Raises ValueError if seed is not a 64-bit or trial not a 32-bit unsigned integer.
    """
    return _normal_frequencies(_key(seed), _trial(trial), s, d)


def cauchy_frequencies(seed: int, trial: int, s: int, d: int) -> Matrix:
    """Frequencies (s, d) of the Laplace kernel with sigma = 1, in turns: independent Cauchy / (2 pi).

    Raises ValueError if seed is not a 64-bit or trial not a 32-bit unsigned integer.
    """
    return _cauchy_frequencies(_key(seed), _trial(trial), s, d)


def phases(seed: int, trial: int, s: int) -> Vector:
    """Phases (s,), uniform on (0, 1).

    Raises ValueError if seed is not a 64-bit or trial not a 32-bit unsigned integer.
    """
    return _phases(_key(seed), _trial(trial), s)


def _key(seed: int) -> Key:
    if not 0 <= seed < 1 << 64:
        raise ValueError(
            f"seed must lie in [0, 2^64), but is {seed}: take it modulo 2^64."
        )
    return np.uint64(seed & WORD), np.uint64(seed >> 32)


def _trial(trial: int) -> Word:
    if not 0 <= trial <= WORD:
        raise ValueError(
            f"trial must lie in [0, 2^32), but is {trial}: use another seed for further trials."
        )
    return np.uint64(trial)


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
        k, m = (
            (k + np.uint64(0x9E3779B9)) & mask,
            (m + np.uint64(0xBB67AE85)) & mask,
        )
    return a, b, c, d


@jitted
def _uniform_pair(counter: Four, key: Key) -> tuple[float, float]:
    """Two uniforms in (0, 1), odd multiples of 2^-53: never 0, 1 or 1/2."""
    a, b, c, d = _philox(counter, key)
    first = (a << np.uint64(20)) | (b >> np.uint64(12))
    second = (c << np.uint64(20)) | (d >> np.uint64(12))
    return (np.int64(first) + 0.5) * 2.0**-52, (
        np.int64(second) + 0.5
    ) * 2.0**-52


@jitted
def _normal_frequencies(key: Key, trial: Word, s: int, d: int) -> Matrix:
    W = np.empty((s, d))
    for j in range(s):
        for k in range(0, d, 2):
            u, v = _uniform_pair(
                (np.uint64(j), np.uint64(k // 2), trial, np.uint64(NORMAL)), key
            )
            radius = np.sqrt(-2.0 * logarithm(u)) * PER_TURN
            W[j, k] = radius * cosine(v)
            if k + 1 < d:
                W[j, k + 1] = radius * sine(v)
    return W


@jitted
def _cauchy_frequencies(key: Key, trial: Word, s: int, d: int) -> Matrix:
    W = np.empty((s, d))
    for j in range(s):
        for k in range(0, d, 2):
            u, v = _uniform_pair(
                (np.uint64(j), np.uint64(k // 2), trial, np.uint64(CAUCHY)), key
            )
            W[j, k] = sine(0.5 * u) / cosine(0.5 * u) * PER_TURN
            if k + 1 < d:
                W[j, k + 1] = sine(0.5 * v) / cosine(0.5 * v) * PER_TURN
    return W


@jitted
def _phases(key: Key, trial: Word, s: int) -> Vector:
    u = np.empty(s)
    for j in range(s):
        u[j], _ = _uniform_pair(
            (np.uint64(j), np.uint64(0), trial, np.uint64(PHASE)), key
        )
    return u
