"""Counter-based randomness: every number is a pure function of (seed, trial, feature, coordinate).

Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011) and IEEE arithmetic only, no libm: every machine, worker
and chunking gives the same bits, and the first s rows do not depend on s. Frequencies are in turns, that is,
divided by 2 pi.
"""

import numpy as np
from numpy.typing import NDArray

from boundcheck.compiled import cosine, kernel, logarithm, sine

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

Word = np.uint64
Four = tuple[Word, Word, Word, Word]
Key = tuple[Word, Word]

WORD = 0xFFFFFFFF
NORMAL, CAUCHY, PHASE = 0, 1, 2  # the fourth word of the counter: one stream for each law
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
        raise ValueError(f"seed must lie in [0, 2^64), but is {seed}: take it modulo 2^64.")
    return np.uint64(seed & WORD), np.uint64(seed >> 32)


def _trial(trial: int) -> Word:
    if not 0 <= trial <= WORD:
        raise ValueError(f"trial must lie in [0, 2^32), but is {trial}: use another seed for further trials.")
    return np.uint64(trial)


@kernel
def _philox(counter: Four, key: Key) -> Four:
    """The four 32-bit output words of Philox4x32-10, of four counter and two key words, all in uint64."""
    mask, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        high = np.uint64(0xD2511F53) * a
        low = np.uint64(0xCD9E8D57) * c
        a, b, c, d = (low >> shift) ^ b ^ k, low & mask, (high >> shift) ^ d ^ m, high & mask
        k, m = (k + np.uint64(0x9E3779B9)) & mask, (m + np.uint64(0xBB67AE85)) & mask
    return a, b, c, d


@kernel
def _uniform_pair(counter: Four, key: Key) -> tuple[float, float]:
    """Two uniforms in (0, 1), odd multiples of 2^-53: never 0, 1 or 1/2."""
    a, b, c, d = _philox(counter, key)
    first = (a << np.uint64(20)) | (b >> np.uint64(12))
    second = (c << np.uint64(20)) | (d >> np.uint64(12))
    return (np.int64(first) + 0.5) * 2.0**-52, (np.int64(second) + 0.5) * 2.0**-52


@kernel
def _normal_frequencies(key: Key, trial: Word, s: int, d: int) -> Matrix:
    W = np.empty((s, d))
    for j in range(s):
        for k in range(0, d, 2):
            u, v = _uniform_pair((np.uint64(j), np.uint64(k // 2), trial, np.uint64(NORMAL)), key)
            radius = np.sqrt(-2.0 * logarithm(u)) * PER_TURN
            W[j, k] = radius * cosine(v)
            if k + 1 < d:
                W[j, k + 1] = radius * sine(v)
    return W


@kernel
def _cauchy_frequencies(key: Key, trial: Word, s: int, d: int) -> Matrix:
    W = np.empty((s, d))
    for j in range(s):
        for k in range(0, d, 2):
            u, v = _uniform_pair((np.uint64(j), np.uint64(k // 2), trial, np.uint64(CAUCHY)), key)
            W[j, k] = sine(0.5 * u) / cosine(0.5 * u) * PER_TURN
            if k + 1 < d:
                W[j, k + 1] = sine(0.5 * v) / cosine(0.5 * v) * PER_TURN
    return W


@kernel
def _phases(key: Key, trial: Word, s: int) -> Vector:
    u = np.empty(s)
    for j in range(s):
        u[j], _ = _uniform_pair((np.uint64(j), np.uint64(0), trial, np.uint64(PHASE)), key)
    return u
