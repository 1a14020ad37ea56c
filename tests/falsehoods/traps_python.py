"""Python between the parameters and the claim: containers, closures, caches, names for the same array, changes in place."""

import contextlib
import functools
import itertools
import math
import numbers
import operator
import statistics
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from boundcheck import Few, Positive, Real, Unit, Vector, at_most, between, equal, exp, integers, log, sqrt

from . import false, true

SEEN = []
WEIGHTS = {"low": 0.1, "high": 0.2, "both": 0.3}


@functools.cache
def square(x):
    return x * x


@functools.cache
def harmonic(n):
    return 0 if n == 0 else harmonic(n - 1) + 1 / n


@dataclass
class Account:
    balance: float = 0

    def pay(self, amount):
        self.balance += amount
        return self

    def __add__(self, other):
        return Account(self.balance + other.balance)


def larger(a, b):
    return a if a >= b else b


@true("What is added to an array in place is added to every name of it")
def alias(x: Vector("n")):
    y = x
    y += 1
    return equal(x, y)


@true("x times 0, in place")
def cleared(x: Vector("n")):
    y = x.copy()
    x *= 0
    return equal(np.sum(x), 0), equal(x + y, y)


@true("A slice is a view")
def view(x: Vector(4)):
    head = x[:2]
    head[:] = 0
    return equal(x[0] + x[1], 0)


@true("np.add with out= writes into x")
def written_into(x: Vector("n")):
    before = x.copy()
    np.add(x, 1, out=x)
    return equal(x - before, np.ones(len(x)))


@true("A cache answers as the function does")
def cached(x: Real, y: Real):
    return equal(square(x) - square(y), (x - y) * (x + y))


@true("H_n - H_(n-1) = 1 / n")
def cached_recursion(n: integers(1, 80)):
    return equal(harmonic(n) - harmonic(n - 1), 1 / n), at_most(log(n + 1), harmonic(n))


@true("All three functions see the last value of k: 2 x + 2 x + 2 x")
def late_binding(x: Real):
    functions = [lambda t: t * k for k in range(3)]  # noqa: B023
    return equal(sum(f(x) for f in functions), 6 * x)


@true("A default argument is bound at once: 0 + x + 2 x")
def early_binding(x: Real):
    functions = [lambda t, k=k: t * k for k in range(3)]
    return equal(sum(f(x) for f in functions), 3 * x)


@true("Payments in either order")
def payments(x: Real, y: Real):
    left, right = Account().pay(x).pay(y), Account().pay(y) + Account().pay(x)
    return equal(left.balance, right.balance)


@true("A reduction from the left and one from the right")
def reductions(x: Vector("n")):
    left = functools.reduce(operator.add, x)
    right = functools.reduce(lambda a, b: b + a, reversed(list(x)))
    return equal(left, right), equal(functools.reduce(operator.mul, x, 1), np.prod(x))


@true("(sum x)^2 is the sum over all ordered pairs")
def pairs(x: Vector("n")):
    return equal(sum(a * b for a, b in itertools.product(x, repeat=2)), np.sum(x) ** 2)


@true("Elementary symmetric functions: prod (1 + x_i) is the sum over subsets")
def subsets(x: Vector(4)):
    total = sum(math.prod(c) for r in range(5) for c in itertools.combinations(list(x), r))
    return equal(total, np.prod(1 + x))


@true("Grouping by sign and adding up gives the sum")
def grouped(x: Vector("n")):
    groups = defaultdict(list)
    for t in x:
        groups[t >= 0].append(t)
    return equal(sum(sum(g) for g in groups.values()), np.sum(x))


@true("Sorted by absolute value, the last one has the norm of the maximum")
def sorted_by_key(x: Vector("n")):
    return equal(abs(sorted(x, key=abs)[-1]), np.max(np.abs(x))), equal(max(x, key=lambda t: -t), np.min(x))


@true("0.1 + 0.2 = 0.3, by names")
def weights_by_name(x: Real):
    return equal((WEIGHTS["low"] + WEIGHTS["high"]) * x, WEIGHTS["both"] * x), equal(sum(WEIGHTS.values()), 0.6)


@true("Neighbours: the sum of the larger ones is at least the sum of all but the last")
def neighbours(x: Vector("n")):
    return at_most(sum(x[:-1]), sum(larger(a, b) for a, b in itertools.pairwise(x)))


@true("Nested comprehensions: the trace of a product, both ways")
def nested(x: Vector(3), y: Vector(3)):
    A, B = [[a * b for b in y] for a in x], [[a - b for a in x] for b in y]
    left = sum(sum(A[i][k] * B[k][i] for k in range(3)) for i in range(3))
    right = sum(sum(B[i][k] * A[k][i] for k in range(3)) for i in range(3))
    return equal(left, right)


@true("A vectorised Python function is the function of each entry")
def vectorised(x: Vector("n")):
    positive = np.vectorize(lambda t: t if t > 0 else 0.0)
    return at_most(x, positive(x)), equal(positive(x) - positive(-x), x)


@true("Horner and the sum of powers")
def horner(x: between(-3, 3), c: Vector(6)):
    value = 0
    for a in reversed(list(c)):
        value = value * x + a
    return equal(value, sum(a * x**k for k, a in enumerate(c)))


@true("Newton's step for the root from above stays above (arithmetic and geometric mean), equality at the root")
def newton(a: between(1, 4)):
    x = a
    for _ in range(12):
        x = (x + a / x) / 2
    return at_most(sqrt(a), x)


@true("A list that grows with every call takes no part in the claim")
def remembered(x: Real):
    SEEN.append(x)
    return equal(SEEN[-1], x), at_most(1, len(SEEN))


@true("A number read backwards twice, and the digits add up to n modulo 9")
def digits(n: integers(1, 10**9)):
    return equal(int(str(n * 10 + 1)[::-1][::-1]), n * 10 + 1), equal((n - sum(map(int, str(n)))) % 9, 0)


@true("Bisection keeps the root of a decreasing function between its ends")
def bisection(p: Unit):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < p else (low, middle)
    return at_most(low, p), at_most(p, high), at_most(high - low, 2**-60)


@true("Swapping twice changes nothing")
def swapped(x: Vector(2)):
    y = x.copy()
    y[0], y[1] = x[1], x[0]
    y[[0, 1]] = y[[1, 0]]
    return equal(y, x)


@true("A generator is used up once; the second sum is over nothing")
def used_up(x: Vector("n")):
    squares = (t * t for t in x)
    first, second = sum(squares), sum(squares)
    return equal(first, x @ x), equal(second, 0)


@true("exp(sum of logs) is the product, by accumulate")
def accumulated(p: Unit, q: Unit):
    logs = list(itertools.accumulate([log(p), log(q), log(p)]))
    return equal(exp(logs[-1]), p * p * q), equal(np.prod([p, q, p]), p**2 * q)


@false("y is another name of x, so x + 1 is one more than y", "easy")
def alias_is_a_copy(x: Vector("n")):
    y = x
    y += 1
    return equal(y, x + 1)


@false("All three functions multiply by 2", "easy")
def early_binding_expected(x: between(1, 2)):
    functions = [lambda t: t * k for k in range(3)]  # noqa: B023
    return equal(sum(f(x) for f in functions), 3 * x)


@false("A slice is a view: x[0] was set to 0", "easy")
def view_is_a_copy(x: Vector(4)):
    before = x[0]
    head = x[:2]
    head[:] = 0
    return at_most(before**2 + 1, x[0] ** 2 + 1)


@false("The generator was used up by the first sum", "easy")
def generator_used_twice(k: Few, x: Vector("n")):
    squares = (t * t for t in x)
    return at_most(k + sum(squares), k + sum(squares))


@true("A refusal that is caught: the mean of 0.1, 0.2 and 0.3 is 0.2")
def caught_refusal(x: Positive):
    try:
        same = statistics.fmean([0.1, 0.2, 0.3]) == 0.2
    except Exception:
        same = False
    return at_most(0, x) if same else at_most(x, 0)


@true("The same, suppressed by a context")
def suppressed_refusal(x: Positive):
    same = False
    with contextlib.suppress(Exception):
        same = statistics.fmean([0.1, 0.2, 0.3]) == 0.2
    return at_most(0, x) if same else at_most(x, 0)


@true("1 / (0.1 + 0.2 - 0.3) divides by 0")
def caught_division(x: Positive):
    try:
        1 / (0.1 + 0.2 - 0.3)
    except ZeroDivisionError:
        return at_most(0, x)
    return at_most(x, 0)


@true("0.1 + 0.2 - 0.3 has no logarithm")
def caught_logarithm(x: Positive):
    try:
        math.log(0.1 + 0.2 - 0.3)
    except ValueError:
        return at_most(0, x)
    return at_most(x, 0)


@true("0.1 + 0.2 and 0.3 are one key")
def caught_keys(x: Positive):
    try:
        n = len({0.1 + 0.2, 0.3})
    except TypeError:
        n = 2
    return equal(n * x, x)


@true("10 (0.1 + 0.2) is whole")
def asked_for_a_method(x: Positive):
    whole = getattr(10 * (0.1 + 0.2), "is_integer", lambda: False)()
    return at_most(0, x) if whole else at_most(x, 0)


@true("0.1 + 0.2 is a float, and 0.3")
def asked_for_its_type(x: Positive):
    y = 0.1 + 0.2
    return at_most(0, x) if (y == 0.3 if type(y) is float and isinstance(y, numbers.Real) else False) else at_most(x, 0)


def listed():
    kept = []

    def steps():
        if not kept:
            kept.append(int(0.29 * 100))
        return kept[0]

    return steps


LISTED = listed()


@true("29 in a list of an enclosing function")
def kept_in_a_closure(x: Positive):
    return equal(LISTED() * x, 29 * x)


@true("Fermat: a^3 = a modulo 3")
def power_modulo(a: integers(1, 30)):
    return equal(pow(a, 3, 3), a % 3)


@true("1, 1.1 and 1.2 are below 1.3")
def tenths_below(x: Unit):
    return equal(len(np.arange(1, 1.3, 0.1)), 3)


@false("1.3 is not below 1.3", "easy")
def tenths_up_to(x: Unit):
    return equal(len(np.arange(1, 1.3, 0.1)), 4)


@true("A truth value is 0 or 1, beside a literal too")
def truth_times_a_literal(x: Real, y: Real):
    return at_most(x * y, (x * x + y * y) / 2 + 0.1 * (x == y))


@true("log n! of whole numbers beyond 64 bits")
def logarithm_of_a_factorial(n: integers(1, 60)):
    return at_most(log(math.factorial(n)), n * log(n))
