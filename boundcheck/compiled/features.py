"""Random features of a point set, one row per point and one column per feature.

Entry (i, j) is a pure function of point i and feature j, summed in a fixed order: no other point or feature,
and no BLAS, changes a bit of it. Prefixes of features are therefore nested exactly.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.compiled.jit import kernel
from boundcheck.compiled.kernels import spline_kernel
from boundcheck.compiled.trig import cosine, cosine_single, sine

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Single = Any  # NDArray[np.float32], by kernels that serve both precisions
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

SQRT2 = math.sqrt(2.0)
BLOCK = 1024  # features that stay in cache while all points pass by


def fourier_features(X: Matrix, W: Matrix, u: Vector) -> Matrix:
    """sqrt(2) cos(2 pi (W x + u)) for X (n, d), W (s, d) in turns and phases u (s,); shape (n, s).

    Single precision if all three are, else double. The rounded argument is off by at most
    (d + 1) 2^-53 sum_k |x_k w_k| turns, roughly (2^-24 in single precision).
    """
    if X.dtype == W.dtype == u.dtype == np.float32:
        out: Any = np.empty((len(X), len(W)), dtype=np.float32)
        return _shifted_cosines_single(np.ascontiguousarray(X), np.ascontiguousarray(W.T), np.ascontiguousarray(u), out)
    return _shifted_cosines(_rows(X), _columns(W), np.ascontiguousarray(u, dtype=np.float64), np.empty((len(X), len(W))))


def fourier_pairs(X: Matrix, W: Matrix) -> Matrix:
    """[cos(2 pi W x), sin(2 pi W x)] for X (n, d) and frequencies W (s, d) in turns; shape (n, 2 s)."""
    return _cosines_and_sines(_rows(X), _columns(W))


def sign_features(X: Matrix, V: Matrix) -> Matrix:
    """sgn(V x) with sgn(0) = +1, for X (n, d) and directions V (s, d); shape (n, s), entries +1 and -1."""
    return _signs(_rows(X), _columns(V))


def sign_gram(X: Matrix, V: Matrix) -> Matrix:
    """The Gram matrix Z Z^T (n, n) of sign features Z, exact integers: s minus twice the number of signs that differ."""
    return _agreements(_sign_bits(_rows(X), _columns(V)), len(V))


def spline_features(x: Vector, v: Vector, r: int) -> Matrix:
    """z(v, x) = k_r(v, x), the spline kernel of half the order, for x (n,) and v (s,); shape (n, s).

    Li et al. 2021, Section 5. Raises ValueError unless r is even: k_r of odd order is not a polynomial.
    """
    if r < 2 or r % 2:
        raise ValueError(f"spline_features needs an even order r >= 2, but r = {r}.")
    return spline_kernel(x, v, r // 2)


def one_hot_features(n: int) -> Matrix:
    """The pool sqrt(n) I (n, n): e_j sqrt(n) drawn with probability 1 / n has E z z^T = I."""
    return math.sqrt(n) * np.eye(n)


def _rows(X: Matrix) -> Matrix:
    return np.ascontiguousarray(X, dtype=np.float64)


def _columns(W: Matrix) -> Matrix:
    return np.ascontiguousarray(np.asarray(W, dtype=np.float64).T)


@kernel
def _project(X: Matrix, i: int, WT: Matrix, start: int, first: Vector, second: Vector) -> None:
    """Overwrite two vectors with rows i and i + 1 of X times WT[:, start], WT[:, start + 1], ..., summed in the order of d.

    Two points share a pass over W; where there is no second one, the first is taken twice.
    """
    x, y = X[i], X[min(i + 1, X.shape[0] - 1)]
    stop, k = start + first.size, 0
    first[:] = 0.0
    second[:] = 0.0
    while k + 5 <= x.size:
        _add_five(x[k : k + 5], y[k : k + 5], WT[k : k + 5], start, first, second)
        k += 5
    for rest in range(k, x.size):
        a, b, A = x[rest], y[rest], WT[rest, start:stop]
        for j in range(first.size):
            first[j] += a * A[j]
            second[j] += b * A[j]


@kernel
def _add_five(x: Vector, y: Vector, WT: Matrix, start: int, first: Vector, second: Vector) -> None:
    """The terms of five coordinates."""
    stop = start + first.size
    a, b, c, d, e = x[0], x[1], x[2], x[3], x[4]
    p, q, r, s, t = y[0], y[1], y[2], y[3], y[4]
    A, B, C, D, E = WT[0, start:stop], WT[1, start:stop], WT[2, start:stop], WT[3, start:stop], WT[4, start:stop]
    for j in range(first.size):
        first[j] = ((((first[j] + a * A[j]) + b * B[j]) + c * C[j]) + d * D[j]) + e * E[j]
        second[j] = ((((second[j] + p * A[j]) + q * B[j]) + r * C[j]) + s * D[j]) + t * E[j]


@kernel
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


@kernel
def _cosines(turns: Vector, u: Vector, row: Vector) -> None:
    for j in range(row.size):
        row[j] = SQRT2 * cosine(turns[j] + u[j])


@kernel
def _shifted_cosines_single(X: Single, WT: Single, u: Single, Z: Single) -> Single:
    n, s = Z.shape
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        turns: Any = np.empty((2, stop - start), dtype=np.float32)
        for i in range(0, n, 2):
            _project(X, i, WT, start, turns[0], turns[1])
            for row in range(min(2, n - i)):
                _cosines_single(turns[row], u[start:stop], Z[i + row, start:stop])
    return Z


@kernel
def _cosines_single(turns: Single, u: Single, row: Single) -> None:
    for j in range(row.size):
        row[j] = np.float32(SQRT2) * cosine_single(turns[j] + u[j])


@kernel
def _cosines_and_sines(X: Matrix, WT: Matrix) -> Matrix:
    n, s = X.shape[0], WT.shape[1]
    Z = np.empty((n, 2 * s))
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        turns = np.empty((2, stop - start))
        for i in range(0, n, 2):
            _project(X, i, WT, start, turns[0], turns[1])
            for row in range(min(2, n - i)):
                _cosine_sine(turns[row], Z[i + row, start:stop], Z[i + row, s + start : s + stop])
    return Z


@kernel
def _cosine_sine(turns: Vector, cosines: Vector, sines: Vector) -> None:
    for j in range(turns.size):
        cosines[j] = cosine(turns[j])
    for j in range(turns.size):
        sines[j] = sine(turns[j])


@kernel
def _signs(X: Matrix, WT: Matrix) -> Matrix:
    n, s = X.shape[0], WT.shape[1]
    Z = np.empty((n, s))
    for start in range(0, s, BLOCK):
        stop = min(start + BLOCK, s)
        turns = np.empty((2, stop - start))
        for i in range(0, n, 2):
            _project(X, i, WT, start, turns[0], turns[1])
            for row in range(min(2, n - i)):
                _sign(turns[row], Z[i + row, start:stop])
    return Z


@kernel
def _sign(turns: Vector, row: Vector) -> None:
    for j in range(row.size):
        row[j] = 1.0 if turns[j] >= 0.0 else -1.0


@kernel
def _sign_bits(X: Matrix, WT: Matrix) -> Words:
    """The signs of X times WT, bit b of word w in column i is the sign of feature w + b words of point i."""
    n, s = X.shape[0], WT.shape[1]
    words = (s + 63) // 64
    bits, turns = np.zeros((words, n), dtype=np.uint64), np.zeros((2, 64 * words))
    for i in range(0, n, 2):
        for start in range(0, s, BLOCK):
            stop = min(start + BLOCK, s)
            _project(X, i, WT, start, turns[0, start:stop], turns[1, start:stop])
        for row in range(min(2, n - i)):
            word = np.zeros(words, dtype=np.uint64)
            for b in range(64):
                _add_bits(turns[row, b * words : (b + 1) * words], np.uint64(b), word)
            bits[:, i + row] = word
    return bits


@kernel
def _add_bits(turns: Vector, b: np.uint64, word: Words) -> None:
    for w in range(word.size):
        word[w] |= np.uint64(turns[w] >= 0.0) << b


@kernel
def _agreements(bits: Words, s: int) -> Matrix:
    words, n = bits.shape
    G, differing = np.empty((n, n)), np.empty(n, dtype=np.int64)
    for i in range(n):
        differing[i:] = 0
        for w in range(words):
            _add_differences(bits[w, i], bits[w, i:], differing[i:])
        for j in range(i, n):
            G[i, j] = G[j, i] = s - 2 * differing[j]
    return G


@kernel
def _add_differences(word: np.uint64, others: Words, differing: Numbers) -> None:
    for j in range(others.size):
        differing[j] += np.int64(_ones(word ^ others[j]))


@kernel
def _ones(x: np.uint64) -> np.uint64:
    """The number of one bits, in the form that compilers turn into one instruction."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
