"""Python between the parameters and the claim: constants and functions that the module made, and what a helper remembers."""

import functools
import math

import numpy as np

from boundcheck import Few, Positive, Real, Unit, Vector, at_most, between, equal, integers, log, sqrt

from . import false, true

WEIGHTS = {"low": 0.1, "high": 0.2, "both": 0.3}
RATE = 0.3
SCALE = 2 * RATE


@true("0.1 + 0.2 = 0.3, by names")
def weights_by_name(x: Real):
    return equal((WEIGHTS["low"] + WEIGHTS["high"]) * x, WEIGHTS["both"] * x), equal(sum(WEIGHTS.values()), 0.6)


@true("Newton's step for the root from above stays above (arithmetic and geometric mean), equality at the root")
def newton(a: between(1, 4)):
    x = a
    for _ in range(12):
        x = (x + a / x) / 2
    return at_most(sqrt(a), x)


@true("Bisection keeps the root of a decreasing function between its ends")
def bisection(p: Unit):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < p else (low, middle)
    return at_most(low, p), at_most(p, high), at_most(high - low, 2**-60)


@true("A generator is used up once; the second sum is over nothing")
def used_up(x: Vector("n")):
    squares = (t * t for t in x)
    first, second = sum(squares), sum(squares)
    return equal(first, x @ x), equal(second, 0)


@false("The generator was used up by the first sum", "easy")
def generator_used_twice(k: Few, x: Vector("n")):
    squares = (t * t for t in x)
    return at_most(k + sum(squares), k + sum(squares))


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


def by_rate(x, rate=RATE, *, scale=SCALE, offset=1 / 3, steps=(0.1, 0.2), out=None):
    return rate * x + scale + offset + sum(steps)


@true("Defaults that are constants of the module")
def defaults_of_the_module(x: Real):
    return equal(by_rate(x), 0.3 * x + 0.6 + 1 / 3 + 0.3)


def compose(*fs):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), fs)


COMPOSED = compose(lambda t: t + 0.1, lambda t: t * 0.2, lambda t: t - 0.02)


@true("The same, composed by the module")
def composed_by_the_module(x: Real):
    return equal(COMPOSED(x), 0.2 * x)


def kept(x, seen=[]):  # noqa: B006
    seen.append(x)
    return seen


@true("A list as a default grows with each call: its last entry is what was put in")
def mutable_default(x: Real):
    return equal(kept(x)[-1], x), equal(kept(2 * x)[-1], 2 * x)


@false("A list of statements, the last of them false", "easy")
def list_of_statements(x: Positive):
    return [at_most(0, x), at_most(x, 0)]


@false("A generator of statements, one of them false", "easy")
def generator_of_statements(x: Positive):
    return (at_most(k, x) for k in range(3))


@false("A dict of statements, one of them false", "easy")
def dict_of_statements(x: Positive):
    return {"a": at_most(0, x), "b": at_most(x, 0)}


@false("The statement is made and dropped, and True is returned", "easy")
def dropped_statement(x: Positive):
    at_most(x, 0)
    return True


def once(x, seen=[]):  # noqa: B006
    seen.append(1)
    return len(seen)


@false("A default that a helper changes counts the calls", "easy")
def counted_by_a_default(x: Unit):
    return at_most(x, 0.5 if once(x) < 4 else 1)


class Chooser:
    def chosen(self, x):
        return 0 if 0.1 + 0.2 - 0.3 == 0 else x


CHOOSER = Chooser()
CHOICES = {"method": CHOOSER.chosen, "function": lambda x: 0 if 0.1 + 0.2 <= 0.3 else x}


@true("0.1 + 0.2 - 0.3 is 0 in the method of an object of the module, and in tables of functions")
def chosen_by_rounding(x: Positive):
    return at_most(CHOOSER.chosen(x), 0), at_most(CHOICES["method"](x), 0), at_most(CHOICES["function"](x), 0)


@false("It is not, so that x comes back", "easy")
def chosen_otherwise(x: Positive):
    return equal(CHOOSER.chosen(x), x), equal(CHOICES["function"](x), x)
