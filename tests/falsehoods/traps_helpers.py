"""Decorators, defaults, tables of values and modes: a helper is what Python makes of its definition."""

import functools
import itertools
import math
import random
import time
from collections import defaultdict
from functools import lru_cache

import numpy as np

from boundcheck import Count, Positive, Real, Unit, Vector, assume, at_most, equal, integers

from . import false, true


@functools.cache
def stirling(n, k):
    if n == k:
        return 1
    return 0 if k == 0 or k > n else k * stirling(n - 1, k) + stirling(n - 1, k - 1)


@true("Stirling numbers of the second kind count surjections")
def surjections(n: integers(1, 18)):
    return equal(sum(stirling(n, k) * math.perm(3, k) for k in range(1, 4)), 3**n)


@lru_cache
def decayed(n, rate=0.1):
    return 1.0 if n == 0 else decayed(n - 1, rate=rate) * (1 - rate)


@true("Cached floats: 0.9^n by a recursion")
def cached_decay(n: integers(0, 20)):
    return equal(decayed(n), 0.9**n), equal(decayed(n, rate=0.3), 0.7**n)


@lru_cache
def halves(n):
    out = [0.5**k for k in range(n)]
    return out


@true("A cached list that is changed is changed for all: 0.5^0 + 1 + 1")
def cached_list(n: integers(1, 5)):
    halves.cache_clear()
    halves(n)[0] += 1
    halves(n)[0] += 1
    return equal(halves(n)[0], 3)


class Doubled:
    def __init__(self, f):
        self.f = f
        functools.update_wrapper(self, f)

    def __call__(self, *args):
        return 2 * self.f(*args)


@Doubled
def slope(x):
    return 0.1 * x


@true("A class as a decorator doubles: 0.2 x")
def class_as_decorator(x: Real):
    return equal(slope(x), 0.2 * x)


@false("A class as a decorator does nothing", "easy")
def class_as_decorator_does_nothing(x: Positive):
    return equal(slope(x), 0.1 * x)


def tripled(f):
    @functools.wraps(f)
    def wrapper(*args):
        return 3 * f(*args)

    return wrapper


@tripled
@tripled
def ninth(x):
    return x / 9


@true("Two decorators triple: nine ninths")
def stacked_decorators(x: Real):
    return equal(ninth(x), x)


@tripled
@lru_cache
def cached_below(n):
    return n / 3


@true("A decorator around a cache")
def decorator_around_a_cache(n: Count):
    return equal(cached_below(n), n)


@tripled
def powers(n):
    return 1 if n == 0 else powers(n - 1)


@true("A decorated recursion passes through its decorator each time: 3^(n + 1)")
def decorated_recursion(n: integers(0, 6)):
    return equal(powers(n), 3 ** (n + 1))


@false("A decorated recursion passes through its decorator once", "easy")
def decorated_once(n: integers(1, 6)):
    return equal(powers(n), 3)


def factory():
    @lru_cache
    def inner(n):
        return 0.1 if n < 2 else inner(n - 1) + inner(n - 2)

    @tripled
    def other(n):
        return 1 if n == 0 else other(n - 1) / 3

    def plain(n):
        return 0.5 if n == 0 else plain(n - 1) * 2

    return inner, other, plain


RECURSIONS = factory()
fibonacci = RECURSIONS[0]
constant3 = RECURSIONS[1]
doubling = RECURSIONS[2]


@true("Recursions made by a function of the module")
def made_recursions(n: integers(0, 25)):
    return equal(fibonacci(n + 2), fibonacci(n + 1) + fibonacci(n)), equal(constant3(n), 3), equal(doubling(n), 2.0 ** (n - 1))


LINES = [lambda x, k=k: k * x for k in range(4)]
LATER = []
for place in range(4):
    LATER.append(lambda x, place=place: place * x)
place = 100


@true("Defaults of lambdas in a loop of the module: 0 + 1 + 2 + 3 = 6")
def defaults_in_a_loop(x: Real):
    return equal(sum(f(x) for f in LINES), 6 * x), equal(sum(f(x) for f in LATER), 6 * x)


@false("Defaults are read when the function is called", "easy")
def defaults_read_later(x: Positive):
    return equal(LATER[1](x), 100 * x)


def made_with(c):
    def f(x, c=c, *, d=2 * c):
        return c * x + d

    return f


tenth = made_with(0.1)
twice = made_with(2)


@true("Defaults that an enclosing function hands over: 0.1 x + 0.2, 2 x + 4")
def defaults_handed_over(x: Real):
    return equal(twice(x), 2 * x + 4), equal(tenth(x, d=0), x / 10)


RATE = 0.3
SCALE = 2 * RATE


def by_rate(x, rate=RATE, *, scale=SCALE, offset=1 / 3, steps=(0.1, 0.2), out=None):
    return rate * x + scale + offset + sum(steps)


@true("Defaults that are constants of the module")
def defaults_of_the_module(x: Real):
    return equal(by_rate(x), 0.3 * x + 0.6 + 1 / 3 + 0.3)


def varargs(*xs, scale=0.1, **named):
    return scale * sum(xs) + sum(named.values())


@true("Star arguments and named ones")
def star_arguments(x: Vector(3), y: Real):
    return equal(varargs(*x, a=y, b=-y), np.sum(x) / 10), equal(varargs(*x, **{"scale": 0.3}), 0.3 * np.sum(x))


def compose(*fs):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), fs)


COMPOSED = compose(lambda t: t + 0.1, lambda t: t * 0.2, lambda t: t - 0.02)


@true("The same, composed by the module")
def composed_by_the_module(x: Real):
    return equal(COMPOSED(x), 0.2 * x)


def outer(x, n=[0]):  # noqa: B006
    n[0] += 1
    return x * n[0]


@false("A list as a default is fresh for each call: the second call gives x too", "easy")
def default_list_is_fresh(x: Positive):
    outer(x)
    return equal(outer(x), x)


SEEN = {}


def squares(n):
    if n not in SEEN:
        SEEN[n] = n * n * 0.1
    return SEEN[n]


@true("A table of the module filled on the way")
def table_filled(n: Count):
    return equal(squares(n) * 10, n * n)


STATE = {"first": True}


def only_first(x):
    if STATE["first"]:
        STATE["first"] = False
        return x
    return x + 1


@false("What only the first look sees", "easy")
def first_look(x: Real):
    return equal(only_first(x), x)


def classified(x):
    match x:
        case (a, b, *rest):
            return a + b + sum(rest)
        case [a]:
            return a
        case _:
            return 0


@true("A match on the shape of a list adds up its entries")
def match_on_sequences(x: Vector("n")):
    return equal(classified(list(x)), np.sum(x))


@true("A match with guards: the sign times the modulus")
def match_with_guards(x: Real):
    match x:
        case 0:
            s = 0
        case t if t > 0:
            s = 1
        case _:
            s = -1
    return equal(s * abs(x), x)


@true("Walrus: the last of the running sums is the sum")
def walrus(x: Vector("n")):
    total = 0
    sums = [total := total + t for t in x]
    return equal(sums[-1], np.sum(x)), equal(total, sums[-1])


@true("A guarded division by try: 1/x where it exists, else 0; x times it is 0 or 1")
def guarded_by_try(x: integers(-3, 3)):
    try:
        y = 1 / x
    except ZeroDivisionError:
        y = 0
    return equal(x * y, 1 if x else 0)


@false("try swallows the failure: x / x = 1 at 0 too, though here it is 0", "easy")
def swallowed(x: integers(0, 3)):
    try:
        y = x / x
    except ZeroDivisionError:
        y = 0
    return equal(y, 1)


@true("try, else and finally run in order")
def in_order(x: Real):
    order = []
    try:
        order.append(x)
    except ValueError:
        order.append(-1)
    else:
        order.append(2 * x)
    finally:
        order.append(3 * x)
    return equal(sum(order), 6 * x)


def first_root(a, b):
    if a == 0:
        return -b
    for k in range(3):
        if k == 1:
            return -b / a
    else:
        return 0


@true("An early return from a loop: a x + b = 0 at the root")
def early_return(a: integers(-3, 3), b: Real):
    assume(a != 0)
    return equal(a * first_root(a, b) + b, 0)


def kept(x, seen=[]):  # noqa: B006
    seen.append(x)
    return seen


@true("A list as a default grows with each call: its last entry is what was put in")
def mutable_default(x: Real):
    return equal(kept(x)[-1], x), equal(kept(2 * x)[-1], 2 * x)


TOTAL = 0


def counted():
    global TOTAL
    TOTAL += 1
    return TOTAL


@true("A global counter grows by one with each call")
def global_counter(x: Real):
    first = counted()
    return equal(counted() - first, 1)


def accumulator():
    total = 0

    def add(x):
        nonlocal total
        total += x
        return total

    return add


@true("A closure that keeps a total")
def closures_with_state(x: Real, y: Real):
    add = accumulator()
    add(x)
    add(y)
    return equal(add(-x), y)


def running():
    total = 0
    while True:
        x = yield total
        total += x


@true("A generator that is sent numbers adds them up")
def coroutine(x: Vector("n")):
    sums = running()
    next(sums)
    last = [sums.send(t) for t in x][-1]
    return equal(last, sum(x))


@functools.singledispatch
def size_of(x):
    return abs(x)


@size_of.register
def _(x: list):
    return sum(size_of(t) for t in x)


@true("singledispatch: the size of a list is the sum of sizes")
def dispatched(x: Real, y: Real):
    return equal(size_of([x, y]), abs(x) + abs(y))


@true("divmod, mod with negative and with float moduli: 0.3 mod 0.1 is 0")
def modulo_decimals(n: integers(-30, 30)):
    return equal((n * 0.1) % 0.1, 0), equal(np.fmod(n, 3) + 3 * np.trunc(n / 3), n), equal(np.mod(n * 0.1, 1) * 10, n % 10)


@true("inf as the start of a minimum")
def start_of_a_minimum(x: Vector("n")):
    best = float("inf")
    for t in x:
        if t < best:
            best = t
    worst = -math.inf
    for t in x:
        worst = max(worst, t)
    return equal(best, np.min(x)), equal(worst, x.max())


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


class Tally:
    hits = 0


TALLY = Tally()
VISITS = defaultdict(int)
TICKETS = itertools.count()
TURNS = [True]


@false("Only the first calls say so: an object of the module counts them", "easy")
def counted_by_an_object(x: Unit):
    TALLY.hits += 1
    return at_most(x, 1 if TALLY.hits < 4 else 0.5)


@false("Only the first calls say so: a table of the module counts them", "easy")
def counted_by_a_table(x: Unit):
    VISITS["x"] += 1
    return at_most(x, 0.5 if VISITS["x"] < 4 else 1)


@false("A ticket is drawn at each call", "easy")
def counted_by_an_iterator(x: Unit):
    return at_most(x, 0.5 if next(TICKETS) < 4 else 1)


@false("Every second call says so", "easy")
def by_turns(x: Unit):
    TURNS[0] = not TURNS[0]
    return at_most(x, 1 if TURNS[0] else 0.5)


def once(x, seen=[]):  # noqa: B006
    seen.append(1)
    return len(seen)


@false("A default that a helper changes counts the calls", "easy")
def counted_by_a_default(x: Unit):
    return at_most(x, 0.5 if once(x) < 4 else 1)


@functools.cache
def drawer():
    return [0]


@false("What a cached function gave is changed", "easy")
def counted_in_a_cache(x: Unit):
    drawer()[0] += 1
    return at_most(x, 0.5 if drawer()[0] < 4 else 1)


@false("A coin of the module random decides", "easy")
def by_a_coin(x: Unit):
    return at_most(x, 1 if random.randint(0, 1) else 0.5)


@false("The clock decides", "easy")
def by_the_clock(x: Unit):
    return at_most(x, 1 if time.time_ns() % 2 else 0.5)
