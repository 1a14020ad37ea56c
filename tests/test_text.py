"""A body is recorded as its text reads: literals are decimals, whole numbers never wrap, and nothing computed elsewhere gets in."""

from __future__ import annotations

import collections
import decimal
import enum
import functools
import importlib
import itertools
import math
import statistics
import sys
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, pi
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.linalg
from scipy import special

from boundcheck import Few, Size, Unit, Vector, at_most, equal, setting
from boundcheck.certificates.verify import verify
from boundcheck.certificates.verify.findings import Outcome
from boundcheck.checking.certificate import NotTraceable, program_at, refutation
from boundcheck.features.data_set import DataSet
from boundcheck.features.kernels import Gaussian
from boundcheck.features.pools import FeaturePool
from boundcheck.settings import FiniteLaw
from boundcheck.tape.reading import FAMILIES
from boundcheck.words.claims import make_claim
from tests import text_helpers

TENTH, THIRD = 0.1, 1 / 3
WEIGHTS = np.array([0.1, 0.2, 0.7])
TABLE = {"a": 0.3, "b": [0.1, 0.2]}
LOOPED = 0.0
for _ in range(10):
    LOOPED += 0.1


APPENDED = [0.1]
APPENDED.append(0.2)
ENTERED = np.zeros(2)
ENTERED[0] = 0.1
FILLED = np.zeros((3, 3))
FILLED[np.triu_indices(3, 1)] = 1
for spot in (1, 2):
    FILLED[spot, spot] = np.sqrt(2)
BOTH = np.eye(3)
BOTH[0, 1:] = 1
BOTH = BOTH + BOTH.T
TENTHS = np.full(2, 0.1)
TENTHS *= 3
earlier = 3
EARLY = np.full(2, earlier)
earlier = 5
TURNED = np.roll(range(3), 1)
FULL = []
for spot in range(3):
    FULL.append((spot + 2, earlier))
BELOW = np.less_equal.outer(np.arange(3), np.arange(3))
ORDERS = np.array(list(itertools.permutations(range(3), 2)))
STEPS = np.arange(1, 3) * 0.1 * 3
SHARED = ALIAS = [0.1]
ALIAS.append(0.2)
VIEWED, HELPED, GOTTEN, CUT = np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2, dtype=int)
VIEW = VIEWED[:1]
VIEW[0] = 1e-12
np.add(GOTTEN, 0.1, out=GOTTEN)
CUT[0] = int(0.29 * 100)
PARTED = np.array([2**40]) ** 2 // 3 + 1
PARTED = PARTED + 0


def help_along():
    HELPED[0] = 0.1


help_along()


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


@functools.cache
def cached(k):
    return k / 3


@functools.cache
def fibonacci(k):
    return 0.1 * k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)


def thrice(f):
    @functools.wraps(f)
    def wrapper(*args):
        return 3 * f(*args)

    return wrapper


@thrice
def power_of_three(k):
    return 1 if k == 0 else power_of_three(k - 1)


class Halved:
    """A decorator that keeps the function it halves."""

    def __init__(self, f):
        self.f = f
        functools.update_wrapper(self, f)

    def __call__(self, x):
        return self.f(x) / 2


@Halved
def itself(x):
    return x


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


class Listening:
    """Tells its subclasses how many sides they have."""

    sides = 0

    def __init_subclass__(cls, sides=0):
        cls.sides = sides


class Hexagon(Listening, sides=6):
    @classmethod
    def perimeter(cls, a):
        return cls.sides * a


POWERS = np.array([2, 3]) ** 70
WHOLE = np.array([2, 3])

EQUAL = {
    "a loop of the module": lambda k: (LOOPED, 1),
    "places of the module that are filled later": lambda k: (FILLED, [[0, 1, 1], [0, 2**0.5, 1], [0, 0, 2**0.5]]),
    "a matrix of the module and its transpose": lambda k: (BOTH[0], [2, 1, 1]),
    "tenths that are changed in their place": lambda k: (TENTHS, 0.3),
    "what a name was before": lambda k: (EARLY, [3, 3]),
    "a table that the module fills": lambda k: (len(FULL) + FULL[-1][0], 7),
    "truth values that the module compares": lambda k: (BELOW.astype(int)[1], [0, 1, 1]),
    "pairs of the module as places": lambda k: (np.reshape(np.arange(9), (3, 3))[ORDERS[:, 0], ORDERS[:, 1]], [1, 2, 3, 5, 6, 7]),
    "places that are computed": lambda k: (np.array([0.1, 0.2, 0.3])[np.ix_((TURNED + 2) % 3)], [0.2, 0.3, 0.1]),
    "the larger of tenths": lambda k: (np.maximum.outer(np.arange(0, 1, 0.1), STEPS)[3], [0.3, 0.6]),
    "differences of lists": lambda k: (np.subtract.outer([0.1 + 0.2, 1], [0.3])[:, 0], [0, 0.7]),
    "products so far": lambda k: (np.cumprod(0.1 * 3 * np.ones(3)), [0.3, 0.09, 0.027]),
    "the largest so far": lambda k: (np.maximum.accumulate(TENTHS - STEPS), [0, 0]),
    "where entries are not 0": lambda k: (np.flatnonzero(np.array([0.1 + 0.2 - 0.3, 1])), [1]),
    "a function of places": lambda k: (np.fromfunction(lambda i, j: i - j, (2, 2))[1] / 10, [0.1, 0]),
    "a comparison as numbers": lambda k: ((np.arange(3) < 2).astype(float) * 0.3, [0.3, 0.3, 0]),
    "a list that a later line appends to": lambda k: (sum(APPENDED), 0.3),
    "an array of which a later line sets an entry": lambda k: (np.sum(ENTERED), 0.1),
    "whole arrays of the module": lambda k: (POWERS[0], 2**70),
    "their powers": lambda k: (np.sum(WHOLE**70), 2**70 + 3**70),
    "their products": lambda k: (np.prod(np.full(40, 7)), 7**40),
    "powers of indices": lambda k: (np.sum(np.indices((3,))[0] ** 70), 2**70 + 1),
    "a default": lambda k: (scaled(3), 0.3),
    "a cached helper": lambda k: (cached(3) * 1, cached(1) * 3),
    "decimals add up": lambda k: (0.1 + 0.2, 0.3),
    "ten tenths": lambda k: (sum([0.1] * 10), 1),
    "thirds": lambda k: (1 / 3 + 1 / 3 + 1 / 3, 1),
    "of a range": lambda k: (sum(1 / j for j in range(1, 4)), Fraction(11, 6)),
    "a quotient in place": lambda k: (halved(7), 3.5),
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
    "int64": lambda k: (np.int64(10**7) ** 3, 10**21),
    "uint8": lambda k: (np.array([200, 100], dtype=np.uint8).sum(), 300),
    "float32": lambda k: (np.sum(np.full(9, 0.1, dtype=np.float32)), 0.9),
    "steps": lambda k: (np.sum(np.arange(0, 1, 0.1)), 4.5),
    "linspace": lambda k: (np.linspace(0, 1, 7)[1] * 6, 1),
    "logarithms": lambda k: (math.floor(math.log(1000, 10) + 0.5), 3),
    "binomials": lambda k: (np.sum((-1.0) ** np.arange(6) * special.comb(5, np.arange(6))), 0),
    "cancellation": lambda k: ((1e16 + 1) - 1e16, 1),
    "a fraction": lambda k: (Fraction(1, 3) * 3, 1),
    "reduced": lambda k: (functools.reduce(lambda a, b: a + b, [0.1, 0.2]), 0.3),
    "accumulated": lambda k: (list(itertools.accumulate([0.1, 0.2]))[-1], 0.3),
    "rounded": lambda k: (round(2.675, 2), 2.68),
    "filled in place": lambda k: (filled(), 0.3),
    "a recursion through a table": lambda k: (fibonacci(90), 2880067194370816120 / 10),
    "a recursion through its decorator": lambda k: (power_of_three(3), 81),
    "a recursion in a function, through its decorator": lambda k: (INNER(3), 81),
    "a class as a decorator": lambda k: (itself(0.2), TENTH),
    "defaults of a loop": lambda k: (sum(f(1) for f in TIMES), 6),
    "defaults that are constants": lambda k: (shifted(2), 0.2 + 1 / 3),
    "a default that is handed over": lambda k: (ADDED(0.2), 0.3),
    "a class that listens to subclasses": lambda k: (Hexagon.perimeter(TENTH), 0.6),
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


class Holder:
    table = {"f": chosen}  # noqa: RUF012

    def chosen(self, x):
        return self.table["f"](x)


class Second(Chooser):
    def chosen(self, x):
        return super().chosen(x) + 1


class Third(Second):
    def chosen(self, x):
        return super().chosen(x) - 1


class Stored:
    @property
    def value(self):
        return self.kept

    @value.setter
    def value(self, x):
        self.kept = chosen(x)

    def put(self, x):
        self.value = x
        return self.value

    def share(self, n, x):
        self.kept = 1
        self.kept /= n
        return 0 if self.kept * n == 1 else x


KINDS, WEAK = [Chooser], weakref.ref(chosen)
CHOOSER = Chooser()
CHOICES = {"a": [CHOOSER.chosen, lambda x: 0 if 0.1 + 0.2 - 0.3 == 0 else x]}
BOX, BOXES, PARTIAL = Box(chosen), [Box(chosen)], functools.partial(applied, chosen)
SLOTTED, PAIR, HOLDER = Slotted(1), Couple(1), Holder()
HELD = {
    "an object of the module": lambda k: CHOOSER.chosen(k),
    "a method in a table": lambda k: CHOICES["a"][0](k),
    "a function in a table": lambda k: CHOICES["a"][1](k),
    "a function in a field": lambda k: BOX.f(k),
    "objects in a list": lambda k: BOXES[0].f(k),
    "a function handed to a partial one": lambda k: PARTIAL(k),
    "an object with slots": lambda k: SLOTTED.chosen(k),
    "a tuple with methods": lambda k: PAIR.chosen(k),
    "a table of a class": lambda k: HOLDER.chosen(k),
    "a weak reference": lambda k: (WEAK() or chosen)(k),
    "a module by its name": lambda k: importlib.import_module(__name__).chosen(k),
    "a module of the interpreter": lambda k: sys.modules[__name__].chosen(k),
    "a class in a list": lambda k: KINDS[0]().chosen(k),
    "two classes above": lambda k: Third().chosen(k),
    "a class above by its name": lambda k: Chooser.chosen(Third(), k),
    "what sets a property": lambda k: Stored().put(k),
    "decimals": lambda k: 0 if decimal.Decimal(1) / 3 * 3 == 1 else k,
    "roots of fractions": lambda k: 0 if (Fraction(2) ** Fraction(1, 2)) ** 2 == 2 else k,
    "an attribute divided in place": lambda k: Stored().share(49, k),
}


CHOSEN_INT, CHOSEN_TRUTH, CHOSEN_WORD = int(0.29 * 100), 0.1 + 0.2 == 0.3, str(0.1 + 0.2)
CHOSEN_LIST, CHOSEN_RANGE, CHOSEN_FRACTION = [1, int(0.29 * 100)], range(int(0.29 * 100)), Fraction(0.1)
CHOSEN_HELD, KNOWN = types.SimpleNamespace(n=int(0.29 * 100)), {}


class Set:
    n = int(0.29 * 100)


class Made:
    def __init__(self):
        self.n = int(0.29 * 100)


class Listed(enum.IntEnum):
    N = int(0.29 * 100)


MADE = Made()


def with_default(n=int(0.29 * 100)):
    return n


def remembered():
    if not KNOWN:
        KNOWN["n"] = int(0.29 * 100)
    return KNOWN["n"]


def caught(f):
    try:
        return f()
    except Exception:
        return 0


CHOSEN = {
    "a whole number": lambda k: CHOSEN_INT,
    "a truth value": lambda k: CHOSEN_TRUTH,
    "a word": lambda k: len(CHOSEN_WORD),
    "an entry": lambda k: CHOSEN_LIST[1],
    "a range": lambda k: len(CHOSEN_RANGE),
    "a fraction": lambda k: CHOSEN_FRACTION,
    "a namespace": lambda k: CHOSEN_HELD.n,
    "a class": lambda k: Set.n,
    "an object": lambda k: MADE.n,
    "an enumeration": lambda k: Listed.N,
    "a default": lambda k: with_default(),
    "a table that calls before filled": lambda k: remembered(),
}

CAUGHT = {
    "a refusal": lambda k: caught(lambda: statistics.fmean([1, 2])),
    "a type error": lambda k: caught(lambda: len({0.1, 0.3})),
    "a quotient by 0": lambda k: caught(lambda: 1 / (0.1 + 0.2 - 0.3)),
    "a logarithm": lambda k: caught(lambda: math.log(0.1 + 0.2 - 0.3)),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_what_floats_chose_before_a_tape_records_is_refused(name):
    assert remembered() == 28

    def body(k):
        return at_most(CHOSEN[name](k), 0)

    with pytest.raises(NotTraceable, match="was chosen when its module was imported"):
        program_at(claim_of(body, k=Few), {"k": 3})


@pytest.mark.parametrize("name", CAUGHT)
def test_what_would_be_raised_otherwise_than_in_floats_is_not_caught(name):
    def body(k):
        return at_most(CAUGHT[name](k), 0)

    with pytest.raises(NotTraceable, match=r"what is caught here|whether an error is raised here"):
        program_at(claim_of(body, k=Few), {"k": 3})


PLAIN_STEPS, PLAIN_LIST, PLAIN_WORD = 2**5 - 3, [len("abc"), 4], "a" + "b"


def test_whole_numbers_that_a_module_makes_of_such_are_what_they_are():
    def body(k):
        return at_most(PLAIN_STEPS + PLAIN_LIST[0] + len(PLAIN_WORD) + caught(lambda: k / 2), 0)

    assert verify(refutation(claim_of(body, k=Few), {"k": 2})).sentence.startswith("lhs = 35 ")


@pytest.mark.parametrize("relation", ["==", "!=", "^"])
def test_truth_values_are_compared_as_numpy_compares_them(relation):
    compared = {"==": lambda x, y: x == y, "!=": lambda x, y: x != y, "^": lambda x, y: x ^ y}[relation]

    def body(v):
        return at_most(np.sum(compared(v > 0, v > 1)), 0.5)

    entries = np.array([-1.0, 0.5, 2.0])
    tape, conclusion = program_at(claim_of(body, v=Vector("n")), {"v": entries})
    assert tape.values[conclusion["args"][0]] == np.sum(compared(entries > 0, entries > 1))


class Row(list):
    def first(self, x):
        return self[0](x)


class Word(enum.Enum):
    ONE = 1

    def chosen(self, x):
        return chosen(self.value * x)


class Bound:
    once = functools.partialmethod(lambda self, f, x: f(x), chosen)

    def chosen(self, x):
        return self.once(x)


OUT_OF_SIGHT = {
    "a namespace": types.SimpleNamespace(f=chosen),
    "an ordered dict": collections.OrderedDict(f=chosen),
    "a dict of a default": collections.defaultdict(lambda: chosen),
    "a double-ended queue": collections.deque([chosen]),
    "a view of a dict": types.MappingProxyType({"f": chosen}),
    "an array of objects": np.array([chosen, chosen], dtype=object),
    "a frozen set": frozenset([chosen]),
    "a list in a namespace": types.SimpleNamespace(f=[chosen]),
    "a function of vectors": np.vectorize(chosen),
    "a list with methods": Row([chosen]),
    "a word of an enumeration": Word.ONE,
    "a partial method": Bound(),
}
HIDDEN_AWAY = OUT_OF_SIGHT["a namespace"]


@pytest.mark.parametrize("name", OUT_OF_SIGHT)
def test_functions_of_the_text_where_no_twin_can_be_put_are_refused(name, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "HIDDEN_AWAY", OUT_OF_SIGHT[name])

    def body(k):
        held = HIDDEN_AWAY
        return at_most(k if held is not None else 0, 0.5)

    with pytest.raises(NotTraceable, match=r"would run beside the program"):
        program_at(claim_of(body, k=Few), {"k": 3})


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


class Weights:
    tenths = 0.1 * 3

    def __init__(self):
        self.total, self.all = 0.1 * 3, [0.1, 0.1 * 3]


class Rule(type):
    def chosen(cls, x):
        return 0 if 0.1 + 0.2 - 0.3 == 0 else x


class Ruled(metaclass=Rule):
    def kept(self, x):
        return x


WEIGHED = Weights()

ELSEWHERE = {
    "a foreign function": lambda k: np.sum(scipy.linalg.hilbert(3)),
    "statistics": lambda k: statistics.fmean([1, 2]),
    "a list that has two names": lambda k: sum(SHARED),
    "an array that a view changes": lambda k: np.sum(VIEWED),
    "an array that a function changes": lambda k: np.sum(HELPED),
    "an array that gets the result of a sum": lambda k: np.sum(GOTTEN),
    "an array that floats cut": lambda k: CUT[0],
    "a part of an array that wraps": lambda k: PARTED[0],
    "the clock": lambda k: text_helpers.now(),
    "decimals of so many digits": lambda k: decimal.getcontext().divide(1, 3),
    "a float of a class": lambda k: 0 if Weights.tenths == 0.3 else k,
    "a float of an object": lambda k: 0 if WEIGHED.total == 0.3 else k,
    "floats of an object": lambda k: 0 if max(WEIGHED.all) == 0.3 else k,
    "a modulus of whole numbers": lambda k: 0 if abs(complex(1, 1)) ** 2 == 2 else k,
    "a quotient by its method": lambda k: 0 if (1).__truediv__(49) * 49 == 1 else k,
    "a power by its method": lambda k: 0 if int.__pow__(49, -1) * 49 == 1 else k,
    "digits in a formatted text": lambda k: 0 if f"{0.1 + 0.2}" == "0.3" else k,
    "digits in a text": lambda k: 0 if str(0.1 + 0.2) == "0.3" else k,
    "a text that is evaluated": lambda k: 0 if eval("0.1 + 0.2 == 0.3") else k,
    "methods of a metaclass": lambda k: Ruled.chosen(k),
    "whole numbers of a width": lambda k: np.sum(scipy.linalg.pascal(3)),
    "random numbers": lambda k: np.random.default_rng(0).random(),
    "cubes that wrap": lambda k: np.left_shift(np.int64(1), 70) + np.cross([1, 2, 3], [3, 2, 1])[0],
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_computed_elsewhere_is_refused_with_its_line(name):
    compute = ELSEWHERE[name]

    def body(k):
        return at_most(compute(k), 0.5)

    told = r"beside the program|do not make again|no exact form|digits of a number|is not read|another at every call"
    with pytest.raises(NotTraceable, match=told):
        program_at(claim_of(body, k=Few), {"k": 2})


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
    with pytest.raises(NotTraceable, match="'c' is a float that an enclosing function computes"):
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


def test_nothing_of_the_modules_is_changed_while_a_tape_records():
    seen: list[Any] = []

    def body(x):
        seen.append(globals()["np"])
        return at_most(np.sum(x), 1)

    program_at(claim_of(body, x=Vector("n")), {"x": np.ones(2)})
    assert seen[0] is not None
    assert np.sqrt is globals()["np"].sqrt
    assert isinstance(np.zeros(1), np.ndarray)
    assert factorial(3) == 6


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
    families = (FiniteLaw, DataSet, Gaussian, FeaturePool)
    assert {kind.__module__ for kind in families} == set(FAMILIES)
