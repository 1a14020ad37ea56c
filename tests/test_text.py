"""A body is recorded as its text reads: literals are decimals, whole numbers never wrap, and nothing computed elsewhere gets in."""

from __future__ import annotations

import contextlib
import decimal
import functools
import itertools
import math
import random
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import pi
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.linalg
from scipy import special

from boundcheck import Few, Size, Unit, Vector, at_most, equal, setting
from boundcheck.checking.certificate import NotTraceable, program_at, refutation
from boundcheck.domains.classes import Piecewise
from boundcheck.features.data_set import DataSet
from boundcheck.features.kernels import Gaussian
from boundcheck.features.pools import FeaturePool
from boundcheck.settings import FiniteLaw
from boundcheck.tape.reading import FAMILIES
from boundcheck.verifier import verify
from boundcheck.verifier.findings import Outcome
from boundcheck.words.claims import make_claim
from tests import text_helpers

TENTH, THIRD = 0.1, 1 / 3
WEIGHTS = np.array([0.1, 0.2, 0.7])
TABLE = {"a": 0.3, "b": [0.1, 0.2]}
TURNED = np.roll(range(3), 1)
ORDERS = np.array(list(itertools.permutations(range(3), 2)))


def third(n):
    return 1 / n


@setting
class Case:
    """A number, and what a method makes of it."""

    x: Unit

    @property
    def tripled(self):
        return self.x * (0.1 + 0.2)


@dataclass
class Pair:
    left: Any

    def third(self):
        return self.left / 3


def scaled(x, by=0.1):
    return x * by


def thrice(f):
    @functools.wraps(f)
    def wrapper(*args):
        return 3 * f(*args)

    return wrapper


@thrice
def power_of_three(k):
    return 1 if k == 0 else power_of_three(k - 1)


def made_recursive():
    @thrice
    def inner(k):
        return 1 if k == 0 else inner(k - 1)

    return inner


INNER = made_recursive()
TIMES = [lambda x, place=place: x * place for place in range(4)]


def shifted(x, by=THIRD, *, times=TENTH):
    return x * times + by


def made_with(by):
    def added(x, by=by):
        return x + by

    return added


ADDED = made_with(0.1)


WHOLE = np.array([2, 3])

EQUAL = {
    "pairs of the module as places": lambda k: (np.reshape(np.arange(9), (3, 3))[ORDERS[:, 0], ORDERS[:, 1]], [1, 2, 3, 5, 6, 7]),
    "places that are computed": lambda k: (np.array([0.1, 0.2, 0.3])[np.ix_((TURNED + 2) % 3)], [0.2, 0.3, 0.1]),
    "products so far": lambda k: (np.cumprod(0.1 * 3 * np.ones(3)), [0.3, 0.09, 0.027]),
    "where entries are not 0": lambda k: (np.flatnonzero(np.array([0.1 + 0.2 - 0.3, 1])), [1]),
    "a comparison as numbers": lambda k: ((np.arange(3) < 2).astype(float) * 0.3, [0.3, 0.3, 0]),
    "their powers": lambda k: (np.sum(WHOLE**70), 2**70 + 3**70),
    "their products": lambda k: (np.prod(np.full(40, 7)), 7**40),
    "powers of indices": lambda k: (np.sum(np.indices((3,))[0] ** 70), 2**70 + 1),
    "a default": lambda k: (scaled(3), 0.3),
    "decimals add up": lambda k: (0.1 + 0.2, 0.3),
    "ten tenths": lambda k: (sum([0.1] * 10), 1),
    "thirds": lambda k: (1 / 3 + 1 / 3 + 1 / 3, 1),
    "negative powers": lambda k: (3**-2 * 9, 1),
    "a module constant": lambda k: (TENTH * 3, TABLE["a"]),
    "a computed constant": lambda k: (THIRD * 3, 1),
    "an array of decimals": lambda k: (np.sum(WEIGHTS), 1),
    "a list in a table": lambda k: (TABLE["b"][0] + TABLE["b"][1], TABLE["a"]),
    "a helper": lambda k: (third(3) * 3, 1),
    "a helper elsewhere": lambda k: (text_helpers.seventh() * 7, 1),
    "a constant elsewhere": lambda k: (text_helpers.TENTH * 10, 1),
    "a method": lambda k: (Pair(1).third() * 3, 1),
    "float of a text": lambda k: (float("0.1") + float(2) / 10, 0.3),
    "factorials": lambda k: (np.prod(np.arange(1, 31)), math.factorial(30)),
    "steps": lambda k: (np.sum(np.arange(0, 1, 0.1)), 4.5),
    "linspace": lambda k: (np.linspace(0, 1, 7)[1] * 6, 1),
    "logarithms": lambda k: (math.floor(math.log(1000, 10) + 0.5), 3),
    "binomials": lambda k: (np.sum((-1.0) ** np.arange(6) * special.comb(5, np.arange(6))), 0),
    "cancellation": lambda k: ((1e16 + 1) - 1e16, 1),
    "rounded": lambda k: (round(2.675, 2), 2.68),
    "filled in place": lambda k: (filled(), 0.3),
    "a recursion through its decorator": lambda k: (power_of_three(3), 81),
    "a recursion in a function, through its decorator": lambda k: (INNER(3), 81),
    "defaults of a loop": lambda k: (sum(f(1) for f in TIMES), 6),
    "defaults that are constants": lambda k: (shifted(2), 0.2 + 1 / 3),
    "a default that is handed over": lambda k: (ADDED(0.2), 0.3),
    "a branch on what balls tell from a tie": lambda k: (1 if math.sqrt(1 + 1e-40) > 1 else 2, 1),
    "a branch on what is left of larger numbers": lambda k: (1 if 0.1 + 0.2 - 0.3 == 0 else 2, 1),
    "distinct values": lambda k: (len(np.unique([0.1 + 0.2, 0.3])), 1),
    "the rank of what floats cannot tell from rank one": lambda k: (np.linalg.matrix_rank(np.diag([1, 1e-20])), 2),
    "a place in an order": lambda k: (np.searchsorted(np.arange(10) * 0.1, 0.3), 3),
}


def halved(x):
    x /= 2
    return x


def filled():
    x = np.zeros(3)
    x[0] = 0.1
    x[1:] += 0.1
    return np.sum(x)


def claim_of(body, **domains):
    body.__annotations__ = domains
    return make_claim(body, "test.text", "here", "theorem")


@pytest.mark.parametrize("name", EQUAL)
def test_what_is_equal_as_it_reads_is_never_called_different(name):
    sides = EQUAL[name]

    def same(k):
        return equal(*sides(k))

    def beside(k):
        left, right = sides(k)
        return equal(left, np.asarray(right) + 1)

    true, false = (verify(refutation(claim_of(body, k=Few), {"k": 2})) for body in (same, beside))
    assert true.outcome is Outcome.NOT_VIOLATED or true.outcome is Outcome.TIE
    assert false.confirmed, false


TIES = {
    "a branch": lambda k: 1 if math.log10(1000) >= 3 else 2,
    "an integer part": lambda k: math.floor(math.log10(10**k)) - k + 1,
    "a hypothesis": lambda k: 1 if not math.log(8) / math.log(2) > 3 else 2,
}


class Chooser:
    def chosen(self, x):
        return 0 if 0.1 + 0.2 - 0.3 == 0 else x


def chosen(x):
    return 0 if 0.1 + 0.2 - 0.3 == 0 else x


def applied(f, x):
    return f(x)


@dataclass(frozen=True)
class Box:
    f: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Slotted:
    factor: int

    def chosen(self, x):
        return chosen(self.factor * x)


class Couple(NamedTuple):
    factor: int

    def chosen(self, x):
        return chosen(self.factor * x)


KINDS = [Chooser]
CHOOSER = Chooser()
CHOICES = {"a": [CHOOSER.chosen, lambda x: 0 if 0.1 + 0.2 - 0.3 == 0 else x]}
BOX, BOXES = Box(chosen), [Box(chosen)]


class Second(Chooser):
    def chosen(self, x):
        return Chooser.chosen(self, x)


SLOTTED, PAIR = Slotted(1), Couple(1)
HELD = {
    "an object of the module": lambda k: CHOOSER.chosen(k),
    "a method in a table": lambda k: CHOICES["a"][0](k),
    "a function in a table": lambda k: CHOICES["a"][1](k),
    "a function in a field": lambda k: BOX.f(k),
    "objects in a list": lambda k: BOXES[0].f(k),
    "an object with slots": lambda k: SLOTTED.chosen(k),
    "a tuple with methods": lambda k: PAIR.chosen(k),
    "a module of the interpreter": lambda k: sys.modules[__name__].chosen(k),
    "a class in a list": lambda k: KINDS[0]().chosen(k),
    "a class above by its name": lambda k: Chooser.chosen(Second(), k),
}


@pytest.mark.parametrize("relation", ["==", "!=", "^"])
def test_truth_values_are_compared_as_numpy_compares_them(relation):
    compared = {"==": lambda x, y: x == y, "!=": lambda x, y: x != y, "^": lambda x, y: x ^ y}[relation]

    def body(v):
        return at_most(np.sum(compared(v > 0, v > 1)), 0.5)

    entries = np.array([-1.0, 0.5, 2.0])
    tape, conclusion = program_at(claim_of(body, v=Vector("n")), {"v": entries})
    assert tape.values[conclusion["args"][0]] == np.sum(compared(entries > 0, entries > 1))


@pytest.mark.parametrize("name", HELD)
def test_functions_that_the_module_holds_in_objects_and_tables_are_read_too(name):
    value = HELD[name]

    def body(k):
        return at_most(value(k), 0.5)

    tape, conclusion = program_at(claim_of(body, k=Few), {"k": 3})
    assert tape.values[conclusion["args"][0]] == 0


@pytest.mark.parametrize("name", TIES)
def test_a_tie_that_balls_cannot_break_goes_the_way_of_equal_numbers_and_is_not_confirmed(name):
    value = TIES[name]

    def body(k):
        return at_most(value(k), 0.5)

    claim = claim_of(body, k=Few)
    tape, conclusion = program_at(claim, {"k": 3})
    assert tape.values[conclusion["args"][0]] == 1
    assert not verify(refutation(claim, {"k": 3})).confirmed


LOOPED = 0.0
for _ in range(10):
    LOOPED += 0.1
TWICE = 2
TWICE = 3
APPENDED = [0.1]
APPENDED.append(0.2)
ENTERED = np.zeros(2)
ENTERED[0] = 0.1
TENTHS = np.full(2, 0.1)
TENTHS *= 3
SHARED = ALIAS = [0.1]
ALIAS.append(0.2)
STEPS, TRUTH, WORD, KNOWN = int(0.29 * 100), 0.1 + 0.2 == 0.3, str(0.1 + 0.2), {}
NAMESPACE = types.SimpleNamespace(f=chosen)


class Set:
    n = int(0.29 * 100)


class Weights:
    tenths = 0.1 * 3


class Rule(type):
    def chosen(cls, x):
        return x


class Ruled(metaclass=Rule):
    def kept(self, x):
        return x


class Listening:
    def __init_subclass__(cls, sides=0):
        cls.sides = sides


class Hexagon(Listening, sides=6):
    def perimeter(self, a):
        return self.sides * a


def with_default(n=int(0.29 * 100)):
    return n


def remembered():
    if not KNOWN:
        KNOWN["n"] = int(0.29 * 100)
    return KNOWN["n"]


def caught(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        return 0


def divided(x):
    x /= 2
    return x


def told(k):
    with contextlib.suppress(ValueError):
        return k


def matched(k):
    match k:
        case 0:
            return 1
    return k


def counted(k):
    global LOOPED
    LOOPED = k
    return k


def counting(k):
    def step():
        nonlocal k
        k += 1

    step()
    return k


def asserted(k):
    assert k > 0
    return k


def raised(k):
    if k < 0:
        raise ValueError
    return k


def declared(k):
    class Inside:
        n = k

    return Inside.n


def imported(k):
    import math

    return math.sqrt(k)


def yielded(k):
    yield k


def deleted(k):
    x = k
    del x
    return k


class Remembering:
    def __init__(self, n):
        self.n = n

    def paid(self, x):
        self.n += x
        return self.n


class Above(Chooser):
    def chosen(self, x):
        return super().chosen(x)


def through_a_view():
    x = np.zeros(3)
    x[1:] += x[:2]
    y = x[:1]
    y[0] = 1
    return x[0]


@functools.cache
def cached(k):
    return k / 3


REFUSED = {
    "a loop of the module": (lambda k: LOOPED, "'LOOPED' was chosen"),
    "a number that is given twice": (lambda k: TWICE, "gives 'TWICE' a value more than once"),
    "a list that a later line changes": (lambda k: APPENDED[1], "'APPENDED' was chosen"),
    "an array that a later line changes": (lambda k: ENTERED[0], "'ENTERED' was chosen"),
    "an array that is changed in its place": (lambda k: TENTHS[0], "'TENTHS' was chosen"),
    "a list that has two names": (lambda k: SHARED[1], "'SHARED' was chosen"),
    "a whole number that floats chose": (lambda k: STEPS, "'STEPS' was chosen"),
    "a truth value that floats chose": (lambda k: TRUTH, "'TRUTH' was chosen"),
    "a word that floats chose": (lambda k: len(WORD), "not in the language"),
    "a number of a class that floats chose": (lambda k: Set.n, "was chosen"),
    "a default that floats chose": (lambda k: with_default(), "computed beside the program"),
    "a table that calls before filled": (lambda k: remembered(), "changed where something else may see it"),
    "a float of a class": (lambda k: Weights.tenths, "was chosen"),
    "a namespace": (lambda k: NAMESPACE.f(k), "not in the language"),
    "methods of a metaclass": (lambda k: Ruled.chosen(k), "metaclass"),
    "a class that listens to subclasses": (lambda k: Hexagon().perimeter(k), "__init_subclass__"),
    "what is caught": (lambda k: caught(0.1 + 0.2 - 0.3), "`try` is not .* decide by an if before what may fail"),
    "an argument that is changed": (lambda k: divided(k), "may be changed where something else sees it"),
    "a view that is changed": (lambda k: through_a_view(), "changed where something else may see it"),
    "a function with a memory": (lambda k: cached(k), "a decorator that is not of boundcheck"),
    "another library": (lambda k: np.sum(scipy.linalg.hilbert(3)), "not in the language"),
    "the clock": (lambda k: text_helpers.now(), "not in the language"),
    "a fraction": (lambda k: Fraction(1, 3), "write p / q"),
    "a complex literal": (lambda k: abs(k + 1J), r":\d+: `1J` .*write the real and the imaginary part"),
    "a complex number": (lambda k: abs(complex(k, 1)), "write the real and the imaginary part"),
    "decimals": (lambda k: decimal.Decimal(1), "write the decimal"),
    "a reduction": (lambda k: functools.reduce(lambda a, b: a + b, [1, 2]), "write a for loop"),
    "whole numbers of a width": (lambda k: np.int64(1), "leave it out"),
    "a type of numbers": (lambda k: np.array([1, 2], dtype=int)[0], "leave it out"),
    "a type": (lambda k: isinstance(k, int), "what its parameters are"),
    "an identity": (lambda k: 1 if k is STEPS else 0, "compare by =="),
    "digits in a text": (lambda k: len(f"{0.1 + 0.2}"), r"`f'{0.1 \+ 0.2}'` is not .* compare numbers"),
    "digits of a number": (lambda k: len(str(0.1 + 0.2)), "compare numbers"),
    "a text that is evaluated": (lambda k: eval("0.1 + 0.2"), "not in the language"),
    "a method of a function": (lambda k: np.subtract.outer(np.arange(k), np.arange(k)), r"np.subtract.outer` is not in the language"),
    "a sum by its function": (lambda k: np.add.reduce(np.ones(k)), r"np.add.reduce` is not in the language"),
    "a method of numbers": (lambda k: (1).__truediv__(49), "not in the language"),
    "random numbers": (lambda k: np.random.default_rng(0).random(), "not in the language"),
    "an argument that is not read": (lambda k: np.sum([1, 2], where=[True, False]), "`where=` of np.sum is not read"),
    "an array to write to": (lambda k: np.add(k, 1, out=np.zeros(3)), "`out=` of np.add is not read"),
    "a context": (lambda k: told(k), "write what is inside without it"),
    "a match": (lambda k: matched(k), "decide by an if"),
    "a global name": (lambda k: counted(k), "give it as an argument"),
    "a name of an enclosing function": (lambda k: counting(k), "give it as an argument"),
    "what is asserted": (lambda k: asserted(k), r"say assume\("),
    "what is raised": (lambda k: raised(k), r"say assume\("),
    "a class in a body": (lambda k: declared(k), "`class` is not in the language of statements; declare it in the file"),
    "an import in a body": (lambda k: imported(k), "at the top of the file"),
    "a generator": (lambda k: sum(yielded(k)), "make a list"),
    "a name that is deleted": (lambda k: deleted(k), "`del` is not in the language of statements; leave it as it is"),
    "an attribute that is changed": (lambda k: Remembering(0).paid(k), "an attribute is changed; return what is new"),
    "the class above": (lambda k: Above().chosen(k), "call the function of the class above by its name"),
    "an attribute by its name": (lambda k: getattr(k, "real"), "name the attribute"),  # noqa: B009
    "an iterator": (lambda k: next(iter([k])), "not in the language"),
    "single precision": (lambda k: np.float32(k), "not in the language"),
    "bytes": (lambda k: np.zeros(2, dtype=np.int8)[0], "not in the language"),
    "closeness": (lambda k: np.isclose(k, 3), r"return equal\(a, b\)"),
    "sums so far": (lambda k: list(itertools.accumulate([k, k]))[1], "say np.cumsum, or a for loop"),
    "a function of each entry": (lambda k: np.vectorize(math.sqrt)(k), "write a comprehension"),
    "a list that is sorted in its place": (lambda k: [k, 1].sort(), "say np.sort"),
    "Python's random numbers": (lambda k: random.random(), "draw in the sampler of a quantity"),
    "a memory that nobody has filled": (lambda k: np.empty(3)[0], "not in the language"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_outside_of_the_language_is_refused_with_what_to_say(name):
    compute, told = REFUSED[name]

    def body(k):
        return at_most(compute(k), 0.5)

    with pytest.raises(NotTraceable, match=told):
        program_at(claim_of(body, k=Few), {"k": 3})


def of_a_family(c):
    def body(x):
        return at_most(x, c * x)

    return claim_of(body, x=Unit)


def of_a_computed_family():
    c = (1e16 + 1) - 1e16

    def body(x):
        return at_most(c * x + 1, 1)

    return claim_of(body, x=Unit)


def of_a_loop():
    for c in (0.25, 0.5):

        def body(x):
            return at_most(x, c * x)  # noqa: B023

    return claim_of(body, x=Unit)


@pytest.mark.parametrize("claim", [of_a_family(0.98), of_a_loop()])
def test_a_short_decimal_handed_to_a_family_is_that_decimal(claim):
    assert verify(refutation(claim, {"x": 0.5})).confirmed


def test_a_float_that_an_enclosing_function_computes_is_refused():
    with pytest.raises(NotTraceable, match="'c' is computed by an enclosing function"):
        program_at(of_a_computed_family(), {"x": 0.5})
    with pytest.raises(NotTraceable, match="computed beside"):
        program_at(of_a_family(0.1 + 0.2), {"x": 0.5})


def test_a_method_of_a_setting_is_read_too():
    def body(case):
        return equal(case.tripled, 0.3 * case.x)

    assert verify(refutation(claim_of(body, case=Case), {"case": {"x": 0.7}})).outcome is Outcome.NOT_VIOLATED


def test_pi_and_e_are_what_they_are():
    def body(n):
        return at_most(np.cos(pi * n) + 1 + math.log(np.e) - 1 + np.sin(np.pi), 0.5)

    finding = verify(refutation(claim_of(body, n=Size), {"n": 2}))
    assert finding.confirmed
    assert finding.sentence.startswith("lhs = 2 ")


def test_threads_record_at_once():
    from concurrent.futures import ThreadPoolExecutor

    def body(n):
        return equal(sum(third(j) for j in range(1, n + 1)), 0)

    claim = claim_of(body, n=Size)
    with ThreadPoolExecutor(4) as pool:
        programs = list(pool.map(lambda n: len(program_at(claim, {"n": n})[0].nodes), [3, 4, 5, 6] * 8))
    assert programs[:4] * 8 == programs


def test_a_body_without_a_text_is_refused():
    names: dict[str, Any] = {"at_most": at_most, "Unit": Unit}
    exec("def body(x):\n    return at_most(0.1 + 0.2, 0.3 * x)\n", names)
    with pytest.raises(NotTraceable, match="not at hand"):
        program_at(claim_of(names["body"], x=Unit), {"x": 0.5})


def test_the_families_of_instances_are_text():
    families = (FiniteLaw, DataSet, Gaussian, FeaturePool, Piecewise)
    assert {kind.__module__ for kind in families} == set(FAMILIES)
