"""Ends of domains, zero, infinity, no number at all, empty arrays, ties, strictness, and probabilities below what floats can say."""

import math

import numpy as np

from boundcheck import (
    PSD,
    Box,
    E,
    Few,
    FiniteLaw,
    NonNegative,
    P,
    Positive,
    Real,
    Simplex,
    Size,
    Symmetric,
    SymmetricBetween,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    exp,
    integers,
    largest_eigenvalue,
    log,
    quantity,
)

from . import false, true


@true("The binomial theorem with 0^0 = 1")
def zero_to_the_zero(n: integers(0, 6)):
    return equal(sum(math.comb(n, k) * 0**k for k in range(n + 1)), 1), equal(0.0**0, 1)


@true("n <= 5 and n >= 2 for a size in that range")
def range_of_a_size(n: integers(2, 5), x: Vector("n")):
    return at_most(2, len(x)), at_most(len(x), 5), equal(n, len(x))


@true("The same for two matrices")
def range_of_two_sizes(n: integers(3, 4), A: Symmetric("n"), B: PSD("n")):
    return at_most(3, A.shape[0]), at_most(9, (A @ B).size), at_most(1 / (n - 2), 1)


@true("Open ends are not reached: 1 - x > 0 for x < 1")
def open_ends(x: between(0, 1), p: Unit):
    return at_most(1, 1 / (1 - x)), at_most(p * log(p), 0), at_most(0, 1 / (p * (1 - p)) - 4)


@true("A variance with n - 1, where there is one")
def unbiased_variance(x: Vector("n")):
    assume(len(x) > 1)
    return at_most(0, np.var(x, ddof=1)), at_most(np.var(x), np.var(x, ddof=1))


@true("Every number is below infinity")
def below_infinity(x: Real):
    return at_most(x, np.inf), at_most(-math.inf, x), at_most(x, 1e400)


@true("10^-320 times a number in (0, 1)")
def denormal(x: Unit):
    return at_most(1e-320 * x, 1e-320), at_most(x * 5e-324, 5e-324), equal(1e-200 * x * 1e200, x)


@true("Underflow on the way: exp(-800) exp(800) = 1")
def underflow_on_the_way(x: between(800, 900)):
    return equal(exp(-x) * exp(x / 2) * exp(x / 2), 1), equal(log(exp(-x)), -x)


@true("Overflow on the way: (10^200 x)^2 / 10^400 = x^2")
def overflow_on_the_way(x: between(1, 2)):
    return equal((1e200 * x) ** 2 / 1e200 / 1e200, x**2), equal(log(exp(500 * x) * exp(500 * x)), 1000 * x)


@true("A law lies between its ends, ties included")
def ends_of_a_law(law: FiniteLaw):
    X = law.sample()
    return P(X >= law.low) >= 1, P(X <= law.high) >= 1, P((X - law.low) * (law.high - X) >= 0) >= 1


@true("Of two independent copies the first is at most the second with probability 1/2 or more")
def symmetric_ties(law: FiniteLaw):
    x = law.sample(2)
    return P(x[0] <= x[1]) >= 1 / 2, P(x[0] < x[1]) <= 1 / 2


@true("Three tenths of ten coins: P(Bin(10, 1/2) <= 3) = 176 / 1024")
def ties_at_tenths(k: Few):
    X = quantity(lambda rng, size: rng.binomial(10, 0.5, size))
    return P(X * 0.1 <= 0.3) >= 176 / 1024, P(X / 10 <= 0.3) >= 176 / 1024, P(X * 0.1 < 0.3) <= 56 / 1024


@true("Half of the ten values are at most their median, 0.45")
def median_of_a_range(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 10, size) / 10)
    return P(X <= np.median(np.arange(10) / 10)) >= 1 / 2, P(X == 0.7) >= 1 / 10, P(X != 0.3) >= 9 / 10


@true("64 heads have probability 2^-64, so fewer have one minus that")
def below_the_resolution_of_floats(k: Few):
    X = quantity(lambda rng, size: rng.binomial(64, 0.5, size))
    return P(X >= 64) <= 2**-64, P(X <= 63) >= 1 - 2**-64


@true("Markov, attained by 0 and 10 with mean 1")
def markov_attained(k: Few):
    X = quantity(lambda rng, size: 10 * rng.binomial(1, 0.1, size))
    return equal(E(X), 1), P(X >= 10) <= 0.1, P(X >= 10) >= 0.1


@true("Chebyshev, attained by -1, 0, 1")
def chebyshev_by_three_points(k: Few):
    X = quantity(lambda rng, size: rng.choice([-0.1, 0.0, 0.1], size, p=[0.05, 0.9, 0.05]))
    return equal(E(X**2), 0.001), P(abs(X) >= 0.1) <= 0.1, P(abs(X) >= 0.1) >= 0.1


@true("A mass of 0 is possible in a simplex, a minimum of 1/n is the most")
def corners_of_a_simplex(p: Simplex("n")):
    return at_most(len(p) * np.min(p), 1), at_most(1, len(p) * np.max(p)), at_most(np.sum(p**2), np.max(p))


@true("Zero is a number like any other")
def zeros(x: NonNegative):
    return at_most(0 * x, 0), at_most(0, -0.0), equal(x * 0.0 + x, x), at_most(x, 2 * x)


@true("Comparisons with no number are false, all of them")
def no_number_compared(x: Real):
    return equal(1 if math.nan == math.nan else 0, 0), equal(1 if x < math.nan else 0, 0)


@true("log 1 = 0 is at most 0, and X = 1 half of the time, whatever log 0 is")
def logarithm_of_zero(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 2, size))
    return P(np.log(X) <= 0) >= 1 / 2


@true("Integer parts: x - 1 < floor x <= x, at whole numbers too")
def integer_parts(n: integers(-9, 9), x: Real):
    return equal(np.floor(n / 3 * 3), n), at_most(np.floor(x), x), at_most(x, np.floor(x) + 1), equal(np.ceil(-x), -np.floor(x))


@true("sign(x) |x| = x, at 0 too")
def sign_at_zero(x: Real, y: Real):
    return equal(np.sign(x) * abs(x), x), equal(np.sign(x - x), 0), equal(np.sign(x * y), np.sign(x) * np.sign(y))


@true("A size of 1: the largest is the smallest")
def single_entries(x: Vector(1)):
    return equal(np.max(x), np.min(x)), equal(np.var(x), 0), equal(np.median(x), x[0]), equal(np.diff(x), np.zeros(0))


@false("The square of a positive number is positive", "easy")
def square_underflows(x: between(1, 2)):
    return at_most((x * 1e-200) ** 2, 0)


@false("exp(-1000) is positive", "easy")
def exponential_underflows(x: between(1, 2)):
    return at_most(exp(-1000 * x), 0)


@false("Not a number is at most nothing", "easy")
def no_number_on_the_left(x: Real):
    return at_most(x * math.nan, 5)


@false("Not a number equals nothing", "easy")
def no_number_on_both_sides(x: Real):
    return equal(x + math.nan, x + math.nan)


@false("The mean of nothing is no number", "easy")
def mean_of_nothing(x: Vector("n")):
    return at_most(np.sum(x[:0]) / len(x[:0]), 5) if len(x) else at_most(1, 0)


@false("0 / 0 is no number, so X / X is not 1 on average", "easy")
def zero_by_zero(k: Few):
    X = quantity(lambda rng, size: rng.integers(0, 2, size))
    return equal(E(X / X), 1)


@false("Infinity is above every number", "easy")
def infinity_is_small(x: Positive):
    return at_most(1e400, x)


@false("P(X = 0) = 10^-3000 is not 0", "easy")
def almost_certain(k: Few):
    X = quantity(lambda rng, size: rng.binomial(1000, 0.999, size))
    return P(X > 0) >= 1


@false("70 heads have probability 2^-70, more than 0", "easy")
def almost_impossible(k: Few):
    X = quantity(lambda rng, size: rng.binomial(70, 0.5, size))
    return P(X >= 70) <= 0


@false("0 is between 0 and 5", "easy")
def zero_forgotten(n: integers(0, 5)):
    return at_most(1, n)


@false("0 is not negative, and not above 0", "easy")
def zero_is_not_positive(x: NonNegative, n: Size):
    return at_most(1e-300, n * x)


@false("The top of a die is attained", "easy")
def strict_at_the_top(k: Few):
    X = quantity(lambda rng, size: rng.integers(1, 7, size))
    return P(X < 6) >= 1 - 1e-9


@false("A normal variable with mean 3 is negative once in 740 times", "easy")
def certainty_by_sampling(k: Few):
    X = quantity(lambda rng, size: rng.normal(3, 1, size))
    return P(X >= 0) >= 1


@false("(n - 1) (n - 2) (n - 3) is 0 at three places only", "easy")
def three_zeros(n: integers(1, 5)):
    return equal((n - 1) * (n - 2) * (n - 3) * 1e-30, 0)


@true("The end 0.1 + 0.2 is 0.3, and ends by roots and quotients are what they stand for")
def computed_ends(x: between(0, 0.1 + 0.2, closed=True), y: between(1 / 49, np.sqrt(2), closed=True)):
    return at_most(x, 0.3), at_most(1, 49 * y), at_most(y**2, 2)


@true("A box and a spectrum between computed ends")
def computed_boxes(v: Box("n", 0, 7 * 0.1), A: SymmetricBetween("n", 0, np.sqrt(2))):
    return at_most(v, 0.7), at_most(largest_eigenvalue(A) ** 2, 2)


@false("An end just above that of the domain is not missed", "easy")
def computed_end_too_small(x: between(0, 0.1 + 0.2, closed=True)):
    return at_most(x, 0.2999)
