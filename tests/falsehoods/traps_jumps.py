"""Signs, integer parts, branches, places and counts: functions that jump where rounding moves their argument across a point."""

import math

import numpy as np

from boundcheck import (
    PSD,
    Few,
    P,
    Positive,
    Real,
    Symmetric,
    Unit,
    Vector,
    at_most,
    between,
    equal,
    integers,
    quantity,
    sqrt,
)

from . import false, true


def gaussian(*shape):
    return quantity(lambda rng, size: rng.standard_normal((size, *shape)))


@true("sqrt(x)^2 - x = 0, and the sign of 0 is 0")
def sign_of_nothing(x: Positive):
    return equal(np.sign(sqrt(x) ** 2 - x), 0)


@true("(x + y) - y - x = 0, whose integer part is 0 from both sides")
def integer_part_of_nothing(x: Real, y: Real):
    return equal(np.floor((x + y) - y - x), 0), equal(np.ceil((x + y) - y - x), 0)


@true("n times a number and divided by it is n, which is whole")
def integer_part_of_a_quotient(n: integers(1, 1000)):
    return equal(np.floor(n * 0.1 * 10), n), equal(math.floor(n / 49 * 49), n), equal(np.floor(n * 1.1 / 1.1), n)


@true("(x + 0.1) - 0.1 = x, so the first branch is taken")
def branch_there_and_back(x: between(0, 1)):
    return at_most(0, x) if (x + 0.1) - 0.1 == x else at_most(1, 0)


@true("0.1 + 0.2 = 0.3, so the first branch is taken")
def branch_on_tenths(x: Real):
    if 0.1 + 0.2 == 0.3:
        return equal(x, x)
    return at_most(1, 0)


@true("A square root squared is not above the number")
def branch_on_a_root(x: Positive):
    if sqrt(x) ** 2 > x:
        return at_most(1, 0)
    return at_most(0, x)


@true("x y / y = x for y > 0: the largest of the two is at the first place")
def place_of_a_tie(x: Real, y: Positive):
    return equal(np.argmax(np.array([x, x * y / y])), 0), equal(np.argmin(np.array([x, x / y * y])), 0)


@true("Residuals of equal numbers are 0, all of them")
def count_of_residuals(x: Positive, n: integers(3, 9)):
    y = np.full(n, 1.0) * x
    return equal(np.count_nonzero(y - np.mean(y)), 0), equal(np.sum(np.where(y > np.mean(y), 1, 0)), 0)


@true("The symmetric part of a symmetric matrix minus the matrix is 0: rank 0, no positive eigenvalue")
def rank_of_nothing(A: Symmetric("n")):
    R = (A / 3 + A.T * 2 / 3) - A
    return equal(np.linalg.matrix_rank(R), 0), at_most(np.max(np.sign(R)), 0)


@true("A PSD matrix has no negative eigenvalue")
def count_of_negative_eigenvalues(A: PSD("n")):
    return equal(np.sum(np.where(np.linalg.eigvalsh(A) < 0, 1, 0)), 0), at_most(0, np.sign(np.linalg.eigvalsh(A)[0]))


@true("Points of a grid counted by a threshold that is one of them: 0, 0.1, 0.2, 0.3")
def counted_grid_points(k: Few):
    grid = np.arange(11) * 0.1
    return equal(np.sum(grid <= 0.3), 4), equal(np.searchsorted(grid, 0.6), 6), equal(len([t for t in grid if t < 0.7]), 7)


@true("A histogram of 0.0, 0.1, ..., 0.9 in ten cells has one number in each")
def histogram_of_tenths(k: Few):
    cells = [int(t / 0.1) for t in [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]]
    return equal(cells, list(range(10))), equal(len(set(cells)), 10)


@true("The remainder of a whole multiple of 0.7 is 0")
def remainder_of_a_multiple(n: integers(1, 40)):
    return equal((0.7 * n) % 0.7, 0), equal(np.floor(0.7 * n / 0.7), n), equal(divmod(n * 0.1, 0.1)[0], n)


@true("sqrt(x)^2 = x in every trial, so the sign is 0")
def sign_in_trials(k: Few):
    X = quantity(lambda rng, size: rng.exponential(1.0, size))
    return P(np.sign(sqrt(X) ** 2 - X) == 0) >= 0.99


@true("(X + Y) - Y - X = 0 in every trial, whose integer part is 0")
def integer_part_in_trials(k: Few):
    X, Y = gaussian(), gaussian()
    return P(np.floor((X + Y) - Y - X) >= 0) >= 0.99, P(np.ceil((X + Y) - Y - X) <= 0) >= 0.99


@true("x and 7 x / 7 are equal: the first one is at the first place of the maximum")
def place_in_trials(k: Few):
    X = gaussian()
    return P(np.argmax(np.stack([X, X * 7 / 7])) == 0) >= 0.99


@true("Rank one: two by two minors vanish, so none is positive")
def minors_in_trials(k: Few):
    x = gaussian(3)
    minors = [np.where(x[i] * x[j] * x[0] - x[0] * x[i] * x[j] > 0, 1, 0 * x[0]) for i, j in ((0, 1), (1, 2), (0, 2))]
    return P(sum(minors) <= 0) >= 0.99


@true("Of coins divided by ten and multiplied again nothing is lost")
def integer_part_of_coins(p: Unit):
    X = quantity(lambda rng, size: rng.binomial(9, p, size))
    return P(np.floor(X * 0.1 * 10) >= X) >= 1, P(np.floor(X / 10 * 10) == X) >= 1


@true("Sorting by a key that is the same for all keeps the order")
def stable_sort(x: Vector(3), c: Positive):
    order = sorted(range(3), key=lambda i: x[i] * c / c - x[i])
    return equal(np.array(order), np.arange(3))


@true("n steps of 1 / n reach 1 and do not pass it")
def last_step(n: integers(1, 60)):
    step, t = 1 / n, 0.0
    for _ in range(n):
        t += step
    return at_most(np.floor(1 - t), 0), equal(np.floor(t), 1)


@false("The difference of a number and the same number computed otherwise is 0", "easy")
def rounding_is_positive(k: Few):
    return at_most(1, np.ceil(0.1 + 0.2 - 0.3))


@false("0.29 * 100 = 29 is not below 29", "easy")
def branch_that_rounding_takes(k: Few):
    return at_most(0, 1) if 0.29 * 100 < 29 else at_most(1, 0)


@false("sqrt(2)^2 = 2, so the sign is 0", "easy")
def sign_of_rounding(k: Few):
    return equal(np.sign(np.sqrt(2.0) ** 2 - 2), 1)


@false("(X + 0.1) - 0.1 is X in every trial", "easy")
def moved_in_trials(k: Few):
    X = gaussian()
    return P(np.sign((X + 0.1) - 0.1 - X) == 0) <= 0.9
