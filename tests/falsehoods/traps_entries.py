"""Ranks, ties, masks, places and axes: what depends on which entries are equal, or on which axis is meant."""

import numpy as np

from boundcheck import (
    Box,
    E,
    Few,
    Matrix,
    P,
    Positive,
    Real,
    Simplex,
    SquareMatrix,
    Vector,
    assume,
    at_most,
    between,
    equal,
    integers,
    quantity,
)

from . import false, true


def coins(*shape):
    return quantity(lambda rng, size: rng.integers(0, 2, (size, *shape)))


@false("unique of tenths: 0.1 + 0.2 and 0.3 are two numbers", "easy")
def two_numbers(k: Few):
    return equal(len(np.unique([0.1 + 0.2, 0.3])), 2)


@true("a diagonal matrix without zeros has full rank")
def rank_of_scales(k: integers(1, 9)):
    return equal(np.linalg.matrix_rank(np.diag(10.0 ** (-5 * np.arange(k)))), k)


@true("The rank of hilbert-like matrices is full")
def rank_of_hilbert(n: integers(1, 9)):
    i = np.arange(n)
    return equal(np.linalg.matrix_rank(1 / (i[:, None] + i + 1)), n)


@true("A matrix of one to nine has rank 2")
def rank_two(x: Positive):
    return equal(np.linalg.matrix_rank(x * np.arange(1, 10).reshape(3, 3) / 10), 2)


@true("rank one")
def rank_one(x: Vector("m"), y: Vector("n")):
    return at_most(np.linalg.matrix_rank(np.outer(x, y)), 1), equal(np.linalg.matrix_rank(np.outer(x, x)), 1 if np.any(x != 0) else 0)


@false("matrix_rank does not see 1e-20, the determinant does", "easy")
def rank_of_nearly_singular(k: Few):
    return at_most(np.linalg.matrix_rank(np.diag([1, 1e-20])), 1)


@true("places in a tenth grid: 0.3 is 3 * 0.1")
def placed(k: integers(0, 9)):
    return equal(np.searchsorted(np.arange(10) * 0.1, [k / 10, 0.05]), [k, 1])


@false("0.3 is below 3 * 0.1", "easy")
def below_the_bin(k: Few):
    return at_most(np.searchsorted(np.arange(10) * 0.1, 0.3, side="right"), 3)


@true("searchsorted counts the entries below")
def places(x: Vector("n"), t: Real):
    s = np.sort(x)
    return equal(np.searchsorted(s, t), np.count_nonzero(x < t)), equal(np.searchsorted(s, t, side="right"), np.sum(x <= t))


@false("a branch that rounding takes, of a constant", "easy")
def rounding_branch_both(x: between(1, 2)):
    if 0.1 + 0.2 - 0.3 > 0:
        return at_most(x, 2)
    return at_most(x, 0)


@false("a branch on what is left of large numbers", "easy")
def large_numbers_cancel(x: between(1, 2)):
    if 3 * (1e8 * x) - 1e8 * x - 2e8 * x == 0 and (x + 1e9) * 0.1 - 1e8 - 0.1 * x != 0:
        return at_most(x, 2)
    return at_most(x, 0)


@false("cancelled: (1e16 + 1) - 1e16 is zero, taken by a branch", "easy")
def cancelled_branch(k: Few):
    if (1e16 + 1) - 1e16 == 0:
        return at_most(0, 1)
    return at_most(1, 0)


@true("a loop until the residual vanishes, which it does at once", )
def residual_loop(x: between(1, 2)):
    n = 0
    r = x * 0.1 + x * 0.2 - x * 0.3
    while r != 0 and n < 5:
        n += 1
    return at_most(n, 0)


@true("sorted residuals are all 0: no inversions")
def inversions_of_residuals(x: Vector(5)):
    r = x * 0.1 + x * 0.2 - x * 0.3
    return at_most(sum(1 for i in range(5) for j in range(i) if r[j] > r[i]), 0)


@true("argmax of equal entries is the first; of a reversed array, the last")
def argmax_of_ties(k: integers(1, 9)):
    x = np.full(k, 0.1) * 3
    return equal(np.argmax(x), 0), equal(np.argmax(np.append(x, 0.3)), 0), equal(np.argmin(x[::-1]), 0)


@true("Masks: what is above the median and what is not make the whole; assignment by a mask")
def masks(x: Vector("n")):
    high = x > np.median(x)
    y = x.copy()
    y[high] = 0
    return equal(x[high].sum() + x[~high].sum(), x.sum()), equal(y.sum(), x[~high].sum()), at_most(high.sum(), len(x) / 2)


@true("einsum with an ellipsis and a newaxis: batch of inner products")
def einsum_ellipsis(A: Matrix("m", "n"), x: Vector("n")):
    lengths = np.einsum("ij,kj->ik", A, A)
    return equal(np.einsum("...j,j->...", A, x), (A * x[np.newaxis, :]).sum(axis=-1)), equal(lengths[0, 0], np.sum(A[0] ** 2))


@true("einsum of a trace, a diagonal, and a transposition")
def einsum_diagonals(A: SquareMatrix("n")):
    return equal(np.einsum("ii", A), np.trace(A)), equal(np.einsum("ii->i", A), np.diag(A)), equal(np.einsum("ij->ji", A), A.T)


@true("Comparison of arrays as numbers: means of indicators are ranks over n")
def empirical_distribution(x: Vector("n")):
    F = np.mean(x[:, None] <= x[None, :], axis=0)
    return equal(F.max(), 1), at_most(1 / len(x), F)


@true("add.at and repeat: three times each index")
def unbuffered(n: integers(1, 6)):
    h = np.zeros(n)
    np.add.at(h, np.repeat(np.arange(n), 3), 0.1)
    return equal(h * 10, 3 * np.ones(n))


@true("A leading axis that equals the number of trials is an entry of each trial")
def table_of_four_by_four(k: Few):
    X = coins(4, 4)
    return equal(E(np.sum(X[0])), 2), equal(E(np.trace(X)), 2), equal(E(np.sum(X[:, 1])), 2)


@true("q.map with a keepdims and a broadcast")
def mapped_keepdims(k: Few):
    X = coins(2)
    return equal(E(np.sum(X.map(lambda t: t - t.mean(axis=1, keepdims=True)))), 0)


@true("Newaxis and ellipsis inside trials: all differences vanish in sum")
def newaxis_in_trials(k: Few):
    X = coins(3)
    D = X[:, None] - X[None, :]
    return equal(E(np.sum(D)), 0), equal(E(np.sum(D**2)), 3), equal(E(np.sum(X[..., None] * np.ones(2))), 3)


@true("Sorted entries in trials: E of the least of two dice is 91 / 36")
def sorted_dice(k: Few):
    X = quantity(lambda rng, size: rng.integers(1, 7, (size, 2)))
    return equal(E(np.sort(X)[0]), 91 / 36), equal(E(np.sort(X)[::-1][0]), 161 / 36), equal(E(np.min(X)), 91 / 36)


@true("argmax in trials, ties at the first: P(argmax of two coins = 0) = 3/4")
def argmax_in_trials(k: Few):
    X = coins(2)
    return P(np.argmax(X) == 0) >= 3 / 4, P(np.argmax(X) == 1) <= 1 / 4


@false("argmax of two coins is 1 half of the time", "easy")
def argmax_is_fair(k: Few):
    return P(np.argmax(coins(2)) == 1) >= 1 / 2


@true("Ties at thresholds: P(0.1 + 0.2 at least 0.3) by draws of tenths")
def ties_in_trials(k: Few):
    X = quantity(lambda rng, size: rng.choice([0.1, 0.2], (size, 2)))
    return P(np.sum(X) >= 0.3) >= 3 / 4, P(np.sum(X) <= 0.3) >= 3 / 4, P(np.sum(X) == 0.3) >= 1 / 2


@false("A tie at a threshold is lost: P(0.1 + 0.2 <= 0.3) = 1/4 only", "easy")
def tie_is_lost(k: Few):
    X = quantity(lambda rng, size: rng.choice([0.1, 0.2], (size, 2)))
    return P(np.sum(X) <= 0.3) <= 1 / 4


@true("cumsum in trials: the last is the sum; the maximum of a walk is at least its end")
def walks(k: Few):
    X = 1 - 2 * coins(4)
    S = np.cumsum(X)
    return P(S[-1] == np.sum(X)) >= 1, P(np.max(S) >= S[3]) >= 1, equal(E(S[3] ** 2), 4)


@false("A probability of nothing: the event is of no entries", "easy")
def event_of_nothing(k: Few):
    X = coins(2)
    return P(X[:0] >= 1) >= 1


@false("E of an empty selection", "easy")
def mean_of_an_empty_selection(k: Few):
    X = coins(2)
    return at_most(0, E(np.mean(X[2:])))


@false("Empty arrays are equal", "easy")
def empty_arrays(x: Vector("n")):
    return equal(x[:0], x[len(x):])


@false("A probability is compared with nan", "easy")
def probability_and_nan(x: Real):
    return P(coins() >= 1) >= float("nan")


@false("The integer part of log10(1000) is 2", "easy")
def digits_by_logarithm(k: Few):
    return equal(np.floor(np.log10(1000)).astype(int), 2)


@false("0.1 + 0.2 > 0.3 is assumed, which nothing satisfies", "easy")
def only_floats_assume(x: between(1, 2)):
    assume(0.1 + 0.2 > 0.3)
    return at_most(x, 2)


@false("A tenth of 3 x above 0.3 x is assumed, which nothing satisfies", "easy")
def only_some_floats_assume(x: between(1, 2)):
    assume(x * 0.1 * 3 > 0.3 * x)
    return at_most(x, 3)


@true("Means along either axis, of small entries")
def averages_along_axes(A: Box(2, 2, low=0, high=1e-10), w: Simplex(2)):
    return equal(np.average(A, axis=1, weights=w), A @ w), equal(np.average(A, axis=0, weights=w), w @ A)
