"""Many small symmetric matrices at once: laid out entry by entry, so that each SIMD lane holds one."""

import numpy as np
from numpy.typing import NDArray

from boundcheck.features.compiled import Vector, jitted

Stack = NDArray[np.float64]

LANES = 64  # matrices in a group
LINE = 8  # numbers in a cache line
ROTATED = 4  # up to this size rotations cost less than a reduction and bisection
SWEEPS = 6  # over all pairs of entries; three leave nothing that is seen, as each squares what is left
HALVINGS = 54  # of an interval that holds the spectrum: beyond rounding
NOTHING = 1e-30  # beside a largest entry of 1; what is smaller would only end in slow subnormal numbers
TINY = 1e-290  # keeps 0 / 0 out of the pivots


def extreme_eigenvalues(A: Stack) -> Stack:
    """The smallest and the largest eigenvalue of each symmetric A_k, for A (m, n, n), n >= 1; shape (m, 2).

    Jacobi rotations for n <= 4, else Householder reduction to tridiagonal form and bisection by Sturm counts.
    Absolute error: a few n u |A_k|. NaN where A_k is not finite.
    """
    few = A.shape[1] <= ROTATED  # two kernels, for compiling both takes seconds
    return (_rotated if few else _bisected)(np.ascontiguousarray(A, dtype=np.float64))


@jitted
def _rotated(A: Stack) -> Stack:
    m, n = A.shape[0], A.shape[1]
    out, M = np.empty((m, 2)), np.zeros((n, n, LANES))
    peak, low, high = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for start in range(0, m, LANES):
        _gather(A, start, M)
        _scale(M, peak)
        _by_rotations(M, low, high)
        _put(out, start, peak, low, high)
    return out


@jitted
def _bisected(A: Stack) -> Stack:
    m, n = A.shape[0], A.shape[1]
    out, M, work = np.empty((m, 2)), np.zeros((n, n, LANES)), np.zeros((3, n, LANES))
    peak, low, high = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for start in range(0, m, LANES):
        _gather(A, start, M)
        _scale(M, peak)
        _by_bisection(M, work[0], work[1], work[2], low, high)
        _put(out, start, peak, low, high)
    return out


@jitted
def _put(out: Stack, start: int, peak: Vector, low: Vector, high: Vector) -> None:
    for l in range(min(LANES, out.shape[0] - start)):
        out[start + l, 0], out[start + l, 1] = peak[l] * low[l], peak[l] * high[l]


@jitted
def _gather(A: Stack, start: int, M: Stack) -> None:
    """M_ijl = A_(start + l)ij for i >= j, a cache line at a time; lanes beyond the last matrix repeat it."""
    last, n = A.shape[0] - 1, A.shape[1]
    for line in range(0, LANES, LINE):
        for i in range(n):
            for j in range(i + 1):
                for l in range(line, line + LINE):
                    M[i, j, l] = A[min(start + l, last), i, j]


@jitted
def _scale(M: Stack, peak: Vector) -> None:
    """Divide each matrix by its largest entry, so that squares stay floats; by NaN if one is not finite."""
    peak[:] = 0.0
    spoiled = np.zeros(LANES)
    for i in range(M.shape[0]):
        for j in range(i + 1):
            entry = M[i, j]
            for l in range(LANES):
                peak[l] = max(peak[l], abs(entry[l]))
                spoiled[l] += 0.0 * entry[l]
    for l in range(LANES):
        peak[l] = (peak[l] if peak[l] > 0.0 else 1.0) + spoiled[l]
    for i in range(M.shape[0]):
        for j in range(i + 1):
            entry = M[i, j]
            for l in range(LANES):
                entry[l] = entry[l] / peak[l]


@jitted
def _by_rotations(M: Stack, low: Vector, high: Vector) -> None:
    """Cyclic Jacobi: each rotation makes an entry zero, the same one in all lanes."""
    n = M.shape[0]
    c, s = np.empty(LANES), np.empty(LANES)
    for _ in range(
        SWEEPS if n > 2 else n - 1
    ):  # one rotation is all that two rows need
        for q in range(1, n):
            for p in range(q):
                _annihilate(M[p, p], M[q, q], M[q, p], c, s)
                for i in range(n):
                    if i != p and i != q:
                        _rotate(M[max(i, p), min(i, p)], M[max(i, q), min(i, q)], c, s)
    for l in range(LANES):
        low[l], high[l] = M[0, 0, l], M[0, 0, l]
    for i in range(1, n):
        entry = M[i, i]
        for l in range(LANES):
            low[l], high[l] = min(low[l], entry[l]), max(high[l], entry[l])


@jitted
def _annihilate(
    first: Vector, second: Vector, beside: Vector, c: Vector, s: Vector
) -> None:
    """The rotation that makes [[first, beside], [beside, second]] diagonal (Golub and Van Loan, 8.5.2)."""
    for l in range(LANES):
        gap = second[l] - first[l]
        twice = 2.0 * beside[l] if abs(beside[l]) > NOTHING else 0.0
        size = abs(gap) + np.sqrt(gap * gap + twice * twice)
        t = twice / (size if size > 0.0 else 1.0)
        t = t if gap >= 0.0 else -t
        first[l] -= t * beside[l]
        second[l] += t * beside[l]
        beside[l] = 0.0
        c[l] = 1.0 / np.sqrt(1.0 + t * t)
        s[l] = t * c[l]


@jitted
def _rotate(x: Vector, y: Vector, c: Vector, s: Vector) -> None:
    for l in range(LANES):
        a, b = x[l], y[l]
        x[l] = c[l] * a - s[l] * b
        y[l] = s[l] * a + c[l] * b


@jitted
def _by_bisection(
    M: Stack, squares: Stack, v: Stack, w: Stack, low: Vector, high: Vector
) -> None:
    """Through a tridiagonal matrix, whose squared entries beside the diagonal go to `squares`."""
    bound = np.empty(LANES)
    for k in range(M.shape[0] - 1):
        _reflect(M, k, v, w, squares[k])
    _gershgorin(M, squares, bound)
    _bisect(M, squares, bound, 0, low)
    _bisect(M, squares, bound, M.shape[0] - 1, high)


@jitted
def _add_product(total: Vector, x: Vector, y: Vector) -> None:
    for l in range(total.size):
        total[l] += x[l] * y[l]


@jitted
def _reflect(M: Stack, k: int, v: Stack, w: Stack, square: Vector) -> None:
    """Reflect column k below the diagonal onto its first entry, whose square goes to `square`."""
    n = M.shape[0]
    square[:] = 0.0
    for i in range(k + 1, n):
        _add_product(square, M[i, k], M[i, k])
    if k + 2 >= n:
        return
    scale, inner = np.empty(LANES), np.zeros(LANES)
    for i in range(k + 1, n):
        v[i] = M[i, k]
    _householder(v[k + 1], square, scale)
    for i in range(k + 1, n):
        w[i] = 0.0
        for j in range(k + 1, i + 1):
            _add_product(w[i], M[i, j], v[j])
        for j in range(k + 1, i):
            _add_product(w[j], M[i, j], v[i])
    for i in range(k + 1, n):
        _add_product(inner, w[i], v[i])
    for i in range(k + 1, n):
        _direction(w[i], v[i], inner, scale)
    for i in range(k + 1, n):
        for j in range(k + 1, i + 1):
            _update(M[i, j], v[i], w[j], w[i], v[j])


@jitted
def _householder(first: Vector, square: Vector, scale: Vector) -> None:
    """v = x + sign(x_1) |x| e_1 and scale = 2 / |v|^2, or 0 where x = 0."""
    for l in range(first.size):
        norm = np.sqrt(square[l])
        x = first[l]
        denominator = square[l] + norm * abs(x)
        first[l] = x + norm if x >= 0.0 else x - norm
        scale[l] = 1.0 / denominator if denominator > 0.0 else 0.0


@jitted
def _direction(w: Vector, v: Vector, inner: Vector, scale: Vector) -> None:
    for l in range(w.size):
        w[l] = scale[l] * (w[l] - 0.5 * scale[l] * inner[l] * v[l])


@jitted
def _update(entry: Vector, a: Vector, b: Vector, c: Vector, d: Vector) -> None:
    for l in range(entry.size):
        entry[l] = (entry[l] - a[l] * b[l]) - c[l] * d[l]


@jitted
def _gershgorin(M: Stack, squares: Stack, bound: Vector) -> None:
    """At least the norm of each tridiagonal matrix."""
    bound[:] = 0.0
    n = M.shape[0]
    for i in range(n):
        for l in range(LANES):
            left = np.sqrt(squares[i - 1, l]) if i else 0.0
            right = np.sqrt(squares[i, l]) if i + 1 < n else 0.0
            bound[l] = max(bound[l], abs(M[i, i, l]) + left + right)


@jitted
def _bisect(M: Stack, squares: Stack, bound: Vector, index: int, value: Vector) -> None:
    """The eigenvalue with `index` others below it, in each lane."""
    half, below, pivot = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for l in range(LANES):
        value[l], half[l] = -bound[l], bound[l]
    for _ in range(HALVINGS):
        below[:] = 0.0
        pivot[:] = 1.0
        for i in range(M.shape[0]):
            _count(
                M[i, i],
                squares[i - 1] if i else below,
                value,
                half,
                pivot,
                below,
                i == 0,
            )
        for l in range(LANES):
            value[l] = value[l] + half[l] if below[l] <= index else value[l]
            half[l] = 0.5 * half[l]


@jitted
def _count(
    d: Vector,
    square: Vector,
    value: Vector,
    half: Vector,
    pivot: Vector,
    below: Vector,
    first: bool,
) -> None:
    """One pivot of T - (value + half) I; the negative ones are counted."""
    if first:
        for l in range(pivot.size):
            pivot[l] = d[l] - (value[l] + half[l])
    else:
        for l in range(pivot.size):
            pivot[l] = d[l] - (value[l] + half[l]) - (square[l] + TINY) / pivot[l]
    for l in range(pivot.size):
        below[l] += 1.0 if pivot[l] < 0.0 else 0.0
