"""Truth values: comparisons of random things in Python's control flow, and hypotheses in all their forms."""

import numpy as np

from boundcheck import (
    E,
    Few,
    FiniteLaw,
    Matrix,
    P,
    Positive,
    Real,
    Unit,
    Vector,
    assume,
    at_most,
    between,
    equal,
    integers,
    log,
    quantity,
    sqrt,
)

from . import false, true


def coin(p=0.5):
    return quantity(lambda rng, size: rng.binomial(1, p, size))


@true("Sorted numbers are in order")
def sorted_means(p: Unit, q: Unit):
    low, high = sorted([E(coin(p)), E(coin(q))])
    return at_most(low, high), at_most(low, p), at_most(q, high)


@true("The smaller of two numbers is at most each")
def smaller_of_a_mean_and_a_number(p: Unit):
    return at_most(min(E(coin(p)), 0.3), 0.3), at_most(min(0.3, E(coin(p))), p)


@true("An absolute value is not negative")
def modulus_of_a_mean(law: FiniteLaw):
    m = E(law.sample())
    return at_most(0, -m if m < 0 else m)


@true("The second of two alternatives is true, so one of them is")
def one_of_two_probabilities(k: Few):
    X = coin()
    return P(X >= 1) >= 0.9 or P(X >= 0) >= 0.5


@true("The same of numbers")
def one_of_two_inequalities(x: Real):
    return at_most(x + 1, x) or at_most(x, x + 1)


@true("1/2 is not at least 0.9, so the other branch is taken")
def branch_on_a_probability(k: Few):
    X = coin()
    return at_most(1, E(X)) if P(X >= 1) >= 0.9 else at_most(E(X), 1)


@true("E X = 1/2 < 1, so the body ends with the second statement")
def branch_on_a_mean(k: Few):
    X = coin()
    if E(X) >= 1:
        return at_most(1, 0)
    return at_most(0, 1)


@true("P(X = 0) + P(X = 1) = 1")
def sum_of_probabilities(p: Unit):
    X = coin(p)
    return sum([P(X <= 0), P(X >= 1)]) >= 1


@true("P(not A) = 1 - P(A): at most 1/2 where A has half of the mass")
def hypothesis_on_a_probability(law: FiniteLaw):
    X = law.sample()
    assume(P(X <= 0) >= 0.5)
    return P(X > 0) <= 0.5


@true("Not x < y means y <= x")
def negated_hypothesis(x: Real, y: Real):
    assume(not x < y)
    return at_most(y, x)


@true("Order is transitive")
def chained_hypothesis(x: Real, y: Real, z: Real):
    assume(x < y < z)
    return at_most(x, z), at_most(x + y, 2 * z)


@true("The same with 'and'")
def joined_hypothesis(x: Real, y: Real, z: Real):
    assume(x <= y and y <= z)
    return at_most(x, z)


@true("If all entries are positive, so is the smallest")
def hypothesis_on_all_entries(v: Vector("n")):
    assume(all(t > 0 for t in v))
    return at_most(0, np.min(v)), at_most(np.max(v), np.sum(v))


@true("If any entry is positive, so is the largest")
def hypothesis_on_any_entry(v: Vector("n")):
    assume(any(t > 0 for t in v))
    return at_most(0, np.max(v))


@true("A hypothesis on an array is one on each entry")
def hypothesis_on_an_array(v: Vector("n")):
    assume(np.all(v >= 1))
    return at_most(1, np.prod(v)), at_most(v, np.prod(v))


@true("Excluded middle: an entry is negative, or the smallest is not")
def excluded_middle(v: Vector("n")):
    if np.any(v < 0):
        return at_most(np.min(v), 0)
    return at_most(0, np.min(v))


@true("Nothing exceeds itself by 1: the hypothesis is never satisfied, and anything follows")
def impossible_hypothesis(x: Real):
    assume(x > x + 1)
    return at_most(1, 0)


@true("A root of a negative number is no number, and satisfies no hypothesis")
def hypothesis_that_is_no_number(x: between(-1, 1)):
    assume(sqrt(x - 5) >= 0)
    return at_most(1, 0)


@true("A hypothesis in one branch only")
def hypothesis_in_a_branch(x: Real, y: Real):
    if x > 0:
        assume(y > 0)
        return at_most(0, x * y)
    return at_most(x, 0)


@true("What a hypothesis excludes is not computed: the logarithm of x / y is defined, and its argument is above 1")
def guarded_by_a_hypothesis(x: Real, y: Real):
    assume(0 < y)
    assume(y < x)
    return at_most(0, log(x / y))


@true("A strict hypothesis, to the last digit: y > x gives y - x > 0, so 1 / (y - x) > 0")
def strict_hypothesis_to_the_last_digit(x: between(1, 2), e: between(1e-18, 1e-15)):
    y = x + e
    assume(y > x)
    return at_most(0, 1 / (y - x)), at_most(e, y - x)


@true("The hypothesis is what is concluded, times 3")
def hypothesis_at_equality(x: between(0.1, 10), y: between(0.1, 10)):
    assume(0.3 * x <= 0.1 * y)
    return at_most(3 * x, y)


@true("Events with 'and': 1 <= X <= 2 has probability 3/8 + 3/8 for Bin(3, 1/2)")
def event_between(k: Few):
    X = quantity(lambda rng, size: rng.binomial(3, 0.5, size))
    return P((X >= 1) & (X <= 2)) >= 3 / 4, P(~(X < 1) & ~(X > 2)) >= 3 / 4, P((X <= 0) | (X >= 3)) <= 1 / 4


@true("The larger of two random numbers is at least the first; Python's max has to choose trial by trial, or refuse")
def max_of_quantities(p: Unit):
    X, Y = coin(p), coin(p)
    return P(max(X, Y) >= X) >= 1, P(max(X, Y) >= Y) >= 1


@true("Entries of a sorted random vector are in order")
def sorted_entries(k: Few):
    x = quantity(lambda rng, size: rng.integers(0, 3, (size, 2)))
    low, high = sorted([x[0], x[1]])
    return P(low <= high) >= 1


@true("any and all of events: a coin is 0 or 1")
def any_of_events(p: Unit):
    X = coin(p)
    return P(any([X == 0, X == 1])) >= 1


@true("x in (a, b) for a list: 2 is in [1, 2, 3]; of a random number it is an event")
def membership(k: Few):
    X = coin()
    return P((X == 0) | (X == 1)) >= (1 if 2 in [1, 2, 3] else 2)


@false("The smaller of 1 and 1/2 is not at least 0.9", "easy")
def smaller_of_two_probabilities(k: Few):
    X = coin()
    return min(P(X <= 1), P(X <= 0)) >= 0.9


@false("P(X = 0) + P(X = 1) = 1", "easy")
def sum_of_probabilities_is_half(p: Unit):
    X = coin(p)
    return sum([P(X <= 0), P(X >= 1)]) <= 0.5


@false("1/2 is not at least 0.9, so 1 <= E X = 1/2 is what is claimed", "easy")
def other_branch_on_a_probability(k: Few):
    X = coin()
    return at_most(E(X), 1) if P(X >= 1) >= 0.9 else at_most(1, E(X))


@false("E X = 1/2 is not at least 1, so the body ends with 1 <= 0", "easy")
def negated_mean(k: Few):
    X = coin()
    if not E(X) >= 1:
        return at_most(1, 0)
    return at_most(E(X), 1)


@false("0.9 <= 1/2 is false", "easy")
def chained_probability(k: Few):
    X = coin()
    return 0.9 <= P(X >= 1) <= 1


@false("E X = 1/2 is not 1", "easy")
def one_mean_and_another(k: Few):
    X = coin()
    return E(X) >= 1 and E(X) <= 1


@false("The hypothesis says nothing, and y <= x fails at x = 1, y = 2", "easy")
def hypothesis_dropped_by_an_or(x: Positive, y: Positive):
    assume(x < y or y <= x)
    return at_most(y, x)


@true("Truth values are compared: a comparison is itself, and not its complement")
def truth_values_compared(x: Positive, v: Vector("n")):
    same = np.sum((v > 0) == (v <= 0)) == 0 and np.sum((v > 0) != (v <= 0)) == len(v)
    return at_most(0, 1) if (x > 0) == True and same else at_most(1, 0)  # noqa: E712


@false("Truth values are compared: they are never both", "easy")
def truth_values_differ(v: Vector("n")):
    return at_most(np.sum((v > 0) == (v > 1)), 0)


@false("x = 2, y = 1 / 2", "easy")
def reciprocals(x: Positive, y: Positive):
    assume(x * y == 1)
    return at_most(x + y, 2)


@true("The arithmetic mean is at least the geometric one")
def reciprocal_mean(x: Positive, y: Positive):
    assume(x * y == 1)
    return at_most(2, x + y)


@false("p = q = 1/2, r = 0", "easy")
def shares_that_add_up(p: Unit, q: Unit, r: Unit):
    assume(p + q + r == 1)
    return at_most(p * q + q * r + r * p, 0.1)


@true("0.1 i + 0.1 j is a tenth of i + j")
def tenths_that_floats_deny(i: integers(1, 9), j: integers(1, 9)):
    assume(0.1 * i + 0.1 * j == 1)
    return equal(i + j, 10)


@false("i = 3, j = 7, whatever floats make of the tenths", "easy")
def tenths_are_halves(i: integers(1, 9), j: integers(1, 9)):
    assume(0.1 * i + 0.1 * j == 1)
    return equal(i, 5)


@false("x = 0.6, y = -0.8", "easy")
def on_the_circle(x: Real, y: Real):
    assume(x**2 + y**2 == 1)
    return at_most(1.2, abs(x) + abs(y))


@true("x + y <= sqrt(2) on the circle")
def on_the_circle_at_most(x: Real, y: Real):
    assume(x**2 + y**2 == 1)
    return at_most(x + y, sqrt(2))


@false("n = 2000, m = 1000", "easy")
def even_numbers(n: integers(1, 10**4), m: integers(1, 10**4)):
    assume(n == 2 * m)
    return at_most(n, 600)


@true("Euclid: one of the three is divisible by 5")
def right_triangles(a: integers(1, 30), b: integers(1, 30), c: integers(1, 45)):
    assume(a * a + b * b == c * c)
    return equal(a * b * c % 5, 0)


@false("a = 8, b = 15, c = 17", "hard")
def right_triangles_are_alike(a: integers(1, 30), b: integers(1, 30), c: integers(1, 45)):
    assume(a * a + b * b == c * c)
    return equal(c % 5, 0)


def adds_up(w):
    return np.all(w >= 0) and np.sum(w) == 1


@false("w = (1/2, 1/2, 0)", "easy")
def equation_in_a_helper(w: Vector(3)):
    balanced = adds_up(w)
    assume(balanced)
    return at_most(1, np.max(w))


@false("x = (1, 2, 3), y = (3, 2, 1)", "easy")
def the_other_way_round(x: Vector(3), y: Vector(3)):
    assume(np.array_equal(x, y[::-1]))
    return equal(x, y)


@true("The trace of a nilpotent matrix is 0")
def nilpotent(A: Matrix(2, 2)):
    assume(equal(A @ A, np.zeros((2, 2))))
    return equal(np.trace(A), 0)


@false("A = ((0, 1), (0, 0))", "medium")
def nilpotent_is_zero(A: Matrix(2, 2)):
    assume(equal(A @ A, np.zeros((2, 2))))
    return equal(A, np.zeros((2, 2)))


@false("A reflection", "medium")
def orthogonal_by_hypothesis(Q: Matrix(2, 2)):
    assume(equal(Q.T @ Q, np.eye(2)))
    return equal(Q[0, 0] * Q[1, 1] - Q[0, 1] * Q[1, 0], 1)


@false("p = 0.64, q = 0.32", "medium")
def equal_means(p: Unit, q: Unit):
    X, Y = (quantity(lambda rng, size, n=n, r=r: rng.binomial(n, r, size)) for n, r in ((2, p), (4, q)))
    assume(E(X) == E(Y))
    return P(X >= 1) <= P(Y >= 1)


@false("Only the corners of x^3 + y^3 = 1 are rational, and floats have no others", "hard")
def cubes_without_points(x: Unit, y: Unit):
    assume(x**3 + y**3 == 1)
    return at_most(x + y, 1.5)


@true("Half of the trials of a normal are positive; truth values are from 0 to 1")
def truth_values_that_are_drawn(s: Positive):
    return E(quantity(lambda rng, size: rng.normal(0, s, size) > 0)) <= 0.6


@false("One of the events happens, and not both: p (1 - q) + q (1 - p)", "easy")
def one_of_two(p: Unit, q: Unit):
    return P((coin(p) >= 1) ^ (coin(q) >= 1)) <= p + q - 2 * p * q - p * q / 4
