"""Where the trials are: reshaped, moved, repeated and indexed draws, and axes inside each trial; coins and dice, so all is exact."""

import numpy as np

from boundcheck import E, Few, P, Unit, Vector, at_most, equal, integers, quantity, trace

from . import false, true


def coins(*shape):
    return quantity(lambda rng, size: rng.integers(0, 2, (size, *shape)))


@true("The sum of four fair coins has mean 2 and variance 1; a flat draw cut into rows")
def rows_of_a_flat_draw(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 2, 4 * size).reshape(size, 4))
    return equal(E(np.sum(X)), 2), equal(E((np.sum(X) - 2) ** 2), 1)


@true("The same, cut into columns and transposed")
def columns_of_a_flat_draw(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 2, 4 * size).reshape(4, size).T)
    return equal(E(np.sum(X)), 2), P(np.sum(X) >= 4) <= 1 / 16


@true("The trials were the last axis, and were moved to the front: n fair coins have variance n / 4")
def moved_axis(n: integers(1, 4)):
    X = quantity(lambda rng, size: np.moveaxis(rng.integers(0, 2, (n, size)), -1, 0))
    return equal(E((np.sum(X) - n / 2) ** 2), n / 4)


@true("The determinant of independent entries has mean E a E d - E b E c = 0")
def determinant_of_coins(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 2, (size, 4)).reshape(size, 2, 2))
    return equal(E(X[0, 0] * X[1, 1] - X[0, 1] * X[1, 0]), 0), equal(E(np.linalg.det(X)), 0)


@true("Divided by their sum, weights add up to 1")
def weights_with_keepdims(n: integers(2, 4)):
    def sampler(rng, size):
        x = rng.integers(1, 4, (size, n))
        return x / x.sum(axis=1, keepdims=True)

    return P(np.sum(quantity(sampler)) == 1) >= 1


@true("A number and a vector in each trial: E sum X v = 2 E X E v")
def number_times_vector(k: Few):
    X, v = coins(), coins(2)
    return equal(E(np.sum(X * v)), 1 / 2), P(np.sum(X * v) >= 2) <= 1 / 8


@true("X of shape (size, 1) and Y of shape (size,) meet trial by trial")
def column_and_flat(k: Few):
    X, Y = coins(1), coins()
    return equal(E(np.sum(X * Y)), 1 / 4), equal(E(np.sum(X + Y)), 1)


@true("A number, a row and a matrix in each trial, two trials' worth of each")
def three_ranks(k: Few):
    a, v, M = coins(), coins(2), coins(2, 2)
    return equal(E(np.sum(a * v * M)), 1 / 2), equal(E(np.sum(M @ v)), 1)


@true("x.x by einsum counts heads")
def einsum_inside(n: Few):
    x = coins(n)
    return equal(E(np.einsum("i,i->", x, x)), n / 2)


@true("trace x x^T = x.x")
def trace_of_outer(n: Few):
    x = coins(n)
    return P(trace(np.outer(x, x)) == np.sum(x**2)) >= 1, equal(E(np.sum(np.outer(x, x))), (n**2 + n) / 4)


@true("The larger of two stacked coins is 1 with probability 3/4")
def stacked(k: Few):
    return equal(E(np.max(np.stack([coins(), coins()]))), 3 / 4)


@true("Joined vectors: the sum of both")
def joined(k: Few):
    x, y = coins(2), coins(3)
    return equal(E(np.sum(np.concatenate([x, y]))), 5 / 2), equal(E(np.max(np.concatenate([x, y]))), 31 / 32)


@true("A table indexed by a die in the sampler")
def table_in_the_sampler(k: Few):
    table = np.array([10, 20, 60])
    X = quantity(lambda rng, size: table[rng.integers(0, 3, size)])
    return equal(E(X), 30), P(X >= 60) >= 1 / 3


@true("One entry of each trial, at a place that is drawn: a fair coin again")
def picked_by_a_draw(k: Few):
    def sampler(rng, size):
        v = rng.integers(0, 2, (size, 3))
        return v[np.arange(size), rng.integers(0, 3, size)]

    return equal(E(quantity(sampler)), 1 / 2)


@true("A place that is drawn in a fixed vector: the mean of its entries")
def fixed_vector_at_a_drawn_place(x: Vector(3)):
    X = quantity(lambda rng, size: x[rng.integers(0, 3, size)])
    return equal(E(X), np.mean(x)), P(X <= np.max(x)) >= 1


@true("The first place of the maximum of three coins is 0 with probability 1/2 + 1/8")
def first_maximum(k: Few):
    X = quantity(lambda rng, size: np.argmax(rng.integers(0, 2, (size, 3)), axis=1))
    return P(X <= 0) >= 5 / 8, P(X <= 0) <= 5 / 8, P(np.argmax(coins(3)) <= 0) >= 5 / 8


@true("Reflection: a walk of four signs is never positive with probability C(4, 2) / 16")
def walk_in_the_sampler(k: Few):
    W = quantity(lambda rng, size: np.cumsum(2 * rng.integers(0, 2, (size, 4)) - 1, axis=1))
    return P(np.max(W) <= 0) <= 6 / 16, P(np.max(W) <= 0) >= 6 / 16


@true("The same, of twelve signs, summed in the statement: C(12, 6) / 2^12")
def walk_in_the_statement(k: Few):
    W = np.cumsum(2 * coins(12) - 1)
    return P(np.max(W) <= 0) <= 924 / 4096, P(np.max(W) <= 0) >= 924 / 4096


@true("sum over pairs (x_i - x_j)^2 = 2 n x.x - 2 (sum x)^2")
def all_differences(n: Few):
    x = coins(n)
    return P(np.sum((x[:, None] - x[None, :]) ** 2) == 2 * n * np.sum(x**2) - 2 * np.sum(x) ** 2) >= 1


@true("One coin three times: all three are heads with probability 1/2")
def repeated_coin(k: Few):
    X = quantity(lambda rng, size: np.repeat(rng.integers(0, 2, (size, 1)), 3, axis=1))
    return P(np.sum(X) >= 3) >= 1 / 2, equal(E(np.sum(X)), 3 / 2)


@true("Rows of a table, one for each trial: the two columns exclude each other")
def drawn_rows(k: Few):
    rows = np.array([[0, 1], [1, 0], [1, 0]])
    X = quantity(lambda rng, size: rows[rng.integers(0, 3, size)])
    return P(np.sum(X) == 1) >= 1, equal(E(X[0]), 2 / 3)


@true("NumPy's choice takes rows of a matrix")
def chosen_rows(k: Few):
    X = quantity(lambda rng, size: rng.choice(np.array([[0, 1], [1, 0]]), size))
    return P(np.sum(X) == 1) >= 1, equal(E(X[0] * X[1]), 0)


@true("A list of draws is an array")
def list_of_draws(p: Unit):
    X = quantity(lambda rng, size: list(rng.binomial(1, p, size)))
    return equal(E(X), p)


@true("Both entries agree with probability 1/4 for two pairs of coins, and not both do with 3/4")
def equality_of_vectors(k: Few):
    x, y = coins(2), coins(2)
    return P(x == y) >= 1 / 4, P(~(x == y)) >= 3 / 4, P(x <= y) >= 9 / 16


@true("A mean over an axis inside the trials: each row of a 2 x 3 matrix has mean 1/2")
def inner_axes(k: Few):
    X = coins(2, 3)
    return equal(E(np.mean(X, axis=2)), np.array([1 / 2, 1 / 2])), equal(E(np.max(X, axis=1)), np.full(3, 3 / 4))


@true("A weighted sum by a fixed vector: E v.x = sum v / 2")
def weighted_by_a_vector(v: Vector("n")):
    x = coins(len(v))
    return equal(E(np.sum(v * x)), np.sum(v) / 2), equal(E(x @ v), np.sum(v) / 2)


@true("Six dice with four faces: E sum x_2k x_2k+1 = 3 (3/2)^2; the pairs matter, the order does not")
def paired_products(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 4, (size, 6)))
    return equal(E(X[0] * X[1] + X[2] * X[3] + X[4] * X[5]), 27 / 4)


@true("The alternating sum of six dice has variance 6 * 5/4")
def alternating_sum(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 4, (size, 6)))
    return equal(E((X[0] - X[1] + X[2] - X[3] + X[4] - X[5]) ** 2), 15 / 2)


@true("Five pairs of neighbours ascend with probability 6/16 each")
def ascents(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 4, (size, 6)))
    return equal(E(np.sum(np.where(np.diff(X) > 0, 1, 0))), 15 / 8)


@true("E |x_1 - x_6| = 5/4 for two of six dice with four faces")
def first_and_last(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 4, (size, 6)))
    return equal(E(abs(X[0] - X[5])), 5 / 4), equal(E(np.max(X) - X[0]), E(np.max(X)) - 3 / 2)


@false("E of three products of pairs is 27/4", "easy")
def paired_products_too_small(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 4, (size, 6)))
    return E(X[0] * X[1] + X[2] * X[3] + X[4] * X[5]) <= 6.7


@false("Five pairs of neighbours ascend with probability 6/16 each, not never", "easy")
def no_ascents(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 4, (size, 6)))
    return P(np.max(np.diff(X)) <= 0) >= 0.9


@false("Two pairs of coins agree with probability 1/4", "easy")
def vectors_agree(k: Few):
    return P(coins(2) == coins(2)) >= 0.3


@false("The repeated coin is all heads with probability 1/2, not 1/8", "easy")
def repeated_coin_as_three(k: Few):
    X = quantity(lambda rng, size: np.repeat(rng.integers(0, 2, (size, 1)), 3, axis=1))
    return P(np.sum(X) >= 3) <= 1 / 8


@false("The mean of the first die does not bound the largest", "easy")
def smallest_for_largest(x: Vector(3)):
    X = quantity(lambda rng, size: x[rng.integers(0, 3, size)])
    return at_most(E(X) + 1, np.min(x))
