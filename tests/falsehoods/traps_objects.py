"""Classes and their objects: constants, private names, enumerations, iterators, states that go on."""

import array
import collections
import enum
import importlib
import math
import operator
import sys
import weakref
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from boundcheck import Positive, Real, Vector, at_most, equal, integers

from . import false, true


class Account:
    __rate = 0.1

    def __init__(self, start):
        self.__total = start

    def put(self, x):
        self.__total += x
        return self

    def interest(self):
        return self.__total * self.__rate


@true("Private names of a class: a tenth of 10 + x")
def private_names(x: Real):
    return equal(Account(10).put(x).interest(), 1 + x / 10)


class Line:
    def __init__(self, slope, offset):
        self.slope, self.offset = slope, offset

    def at(self, x):
        return self.slope * x + self.offset

    @cached_property
    def root(self):
        return -self.offset / self.slope


LINE = Line(0.1, 0.3)
BY_NAME = {"a": Line(0.7, 0.1)}


@true("An object of the module: 0.1 x + 0.3; its root is -3")
def object_of_the_module(x: Real):
    return equal(LINE.at(x), x / 10 + 3 / 10), equal(LINE.root, -3)


class Registry:
    kinds = {}  # noqa: RUF012

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Registry.kinds[cls.__name__] = cls


class Square(Registry):
    def area(self, a):
        return a * a


class Disc(Registry):
    def area(self, a):
        return math.pi * a**2


@true("A registry of classes by name: the disc of radius a is pi squares")
def registry_of_classes(a: Positive):
    return equal(Registry.kinds["Disc"]().area(a), math.pi * Registry.kinds["Square"]().area(a))


class Vector2(NamedTuple):
    x: float
    y: float = 0.1

    def dot(self, other):
        return self.x * other.x + self.y * other.y


@true("A NamedTuple with a method and a default")
def typed_tuples(a: Real):
    return equal(Vector2(a).dot(Vector2(1)), a + 0.01)


class Shape:
    sides = 0

    @classmethod
    def perimeter(cls, a):
        return cls.sides * a

    def __init_subclass__(cls, sides=0, **kwargs):
        cls.sides = sides


class Hexagon(Shape, sides=6):
    pass


@true("Class constants by subclass arguments: a hexagon's perimeter")
def hexagon(a: Positive):
    return equal(Hexagon.perimeter(a), 6 * a), equal(Hexagon().perimeter(0.1) * 10, 6)


@false("A hexagon has no perimeter", "easy")
def no_hexagon(a: Positive):
    return equal(Hexagon.perimeter(a), 0)


class Unit_(enum.Enum):
    METRE = 1
    INCH = 2

    def length(self, x):
        return x if self is Unit_.METRE else 0.0254 * x


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10

    @property
    def tenth(self):
        return self / 10


@true("An enumeration with a method: an inch is 2.54 cm")
def enumeration_with_method(x: Real):
    return equal(Unit_.INCH.length(x) * 10000, 254 * x), equal(Unit_["METRE"].length(x), x), equal(Unit_(2).length(1), 0.0254)


@true("An enumeration of integers with a property")
def integer_enumeration(x: Real):
    return equal(Level.LOW.tenth * x * Level.HIGH, x), at_most(Level.LOW, Level.HIGH)


@dataclass(order=True)
class Entry:
    key: float
    _: KW_ONLY
    weight: float = 0.1
    tags: list = field(default_factory=list)

    def __post_init__(self):
        self.double = 2 * self.key


@true("Ordered dataclasses: the smaller key comes first; post-init doubles it")
def ordered_dataclasses(a: Real, b: Real):
    first, second = sorted([Entry(a), Entry(b, weight=0.3)])
    return at_most(first.key, second.key), equal(first.double + second.double, 2 * (a + b)), equal(first.weight + second.weight, 0.4)


class Stream:
    def __init__(self, n):
        self.k, self.n = 0, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= self.n:
            raise StopIteration
        self.k += 1
        return 0.1 * self.k


@true("An iterator class: 0.1 + ... + 0.1 n = n (n + 1) / 20")
def iterator_class(n: integers(0, 30)):
    return equal(sum(Stream(n)), n * (n + 1) / 20)


class Timer:
    def __enter__(self):
        self.total = 0
        return self

    def __exit__(self, *error):
        self.total += 0.1
        return error[0] is ZeroDivisionError


@true("A context manager swallows a division by 0 and adds a tenth")
def swallowing_context(x: Real):
    with Timer() as t:
        t.total += 0.2
        1 / 0  # noqa: B018
    return equal(t.total, 0.3)


class Walker:
    step = 0.1

    def __init__(self):
        self.position = 0

    def walk(self, n):
        for _ in range(n):
            self.position += self.step
        return self.position


WALKER = Walker()


@true("A walker of the module goes on: the way between two calls is n tenths")
def walker_of_the_module(n: integers(1, 9)):
    before = WALKER.walk(0)
    return equal(10 * (WALKER.walk(n) - before), n)


@false("A walker of the module starts at 0 at each call", "easy")
def walker_starts_again(n: integers(1, 9)):
    WALKER.walk(n)
    return at_most(WALKER.walk(n), 0.1 * n)


@dataclass
class Affine:
    slope: float
    offset: float = 0.1

    def __call__(self, x):
        return self.slope * x + self.offset

    def then(self, other):
        return Affine(other.slope * self.slope, other.slope * self.offset + other.offset)


@true("Composition of affine maps, written as a class with calls")
def affine_maps(a: Real, b: Real, x: Real):
    f, g = Affine(a), Affine(b, 0.3)
    return equal(f.then(g)(x), g(f(x))), equal(f(0), 1 / 10)


class Mod:
    """Numbers modulo m."""

    def __init__(self, value, m):
        self.value, self.m = value % m, m

    def __add__(self, other):
        return Mod(self.value + other.value, self.m)

    def __mul__(self, other):
        return Mod(self.value * other.value, self.m)

    def __pow__(self, n):
        return reduce(operator.mul, [self] * n, Mod(1, self.m))


@true("Fermat's little theorem by a class with overloaded operators")
def fermat(a: integers(1, 10**9)):
    return equal((Mod(a, 101) ** 101).value, a % 101)


class Mode(enum.Enum):
    MEAN = "mean"
    SUM = "sum"


def pooled(x, mode=Mode.MEAN, /, *, scale=0.1):
    match mode:
        case Mode.MEAN:
            return scale * np.mean(x)
        case Mode.SUM:
            return scale * np.sum(x)
        case _:
            raise ValueError(mode)


@true("A mode by match: the sum is n times the mean")
def pooled_by_mode(x: Vector("n")):
    return equal(pooled(x, Mode.SUM), len(x) * pooled(x)), equal(pooled(x, scale=0.3), 3 * pooled(x))


@dataclass(frozen=True)
class State:
    mean: float = 0.0
    count: int = 0
    history: tuple = field(default_factory=tuple)

    def after(self, x):
        n = self.count + 1
        return replace(self, mean=self.mean + (x - self.mean) / n, count=n, history=(*self.history, x))


@true("A running mean in a frozen dataclass is the mean")
def frozen_state(x: Vector("n")):
    state = reduce(State.after, x, State())
    return equal(state.mean * state.count, sum(state.history)), equal(state.mean, np.mean(x))


class Described:
    def __get__(self, obj, kind):
        return obj.x * 0.1


class Holder:
    tenth = Described()

    def __init__(self, x):
        self.x = x


@true("A descriptor: ten tenths")
def descriptor(x: Real):
    return equal(10 * Holder(x).tenth, x)


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


class Tenths:
    three = 0.1 * 3
    share = 1 / 49

    def __init__(self):
        self.sum = 0.1 + 0.2
        self.part = 1


TENTHS = Tenths()


@true("Numbers of a class: three tenths are 0.3, and 49 shares of 1 / 49 are 1")
def numbers_of_a_class(x: Positive):
    return at_most(0, x) if Tenths.three == 0.3 and Tenths.share * 49 == 1 else at_most(x, 0)


@true("Numbers of an object: 0.1 + 0.2 is 0.3")
def numbers_of_an_object(x: Positive):
    return at_most(0, x) if TENTHS.sum == 0.3 else at_most(x, 0)


@true("An attribute and an entry divided in place: 49 shares of 1 / 49 are 1")
def divided_in_place(x: Positive):
    held, table = Tenths(), {"part": 1}
    held.part /= 49
    table["part"] /= 49
    return at_most(0, x) if held.part * 49 == 1 and table["part"] * 49 == 1 else at_most(x, 0)


@true("Quotients and powers by their methods: 49 shares of 1 / 49 are 1")
def methods_of_numbers(x: Positive):
    return at_most(0, x) if (1).__truediv__(49) * 49 == 1 and int.__pow__(49, -1) * 49 == 1 else at_most(x, 0)


class Plain:
    def kept(self, x):
        return x if 0.1 + 0.2 == 0.3 else 0


class Doubled(Plain):
    def kept(self, x):
        return 2 * super().kept(x)


class Tripled(Doubled):
    def kept(self, x):
        return 3 * super().kept(x)


KINDS = [Plain, Doubled, Tripled]


@true("Methods of classes above: 6 x; those of classes in a list: 9 x in all")
def methods_above(x: Real):
    return equal(Tripled().kept(x), 6 * x), equal(sum(kind().kept(x) for kind in KINDS), 9 * x)


class Ruler(type):
    def kept(cls, x):
        return x if 0.1 + 0.2 == 0.3 else 0

    def __getitem__(cls, x):
        return x if 0.1 + 0.2 == 0.3 else 0

    @property
    def unit(cls):
        return 1 if 0.1 + 0.2 == 0.3 else 0


class Ruled(metaclass=Ruler):
    def one(self):
        return 1


@true("Methods, entries and properties by a metaclass: x three times")
def by_a_metaclass(x: Positive):
    return equal(Ruled.kept(x), x), equal(Ruled[x], x), equal(Ruled.unit * x, x)


def unless_rounded(x):
    return x if 0.1 + 0.2 == 0.3 else 0


WEAK, WEAK_TABLE = weakref.ref(unless_rounded), weakref.WeakValueDictionary({"kept": unless_rounded})


@true("A function by references that do not keep it, and by the name of its module: x")
def by_roundabout_ways(x: Positive):
    module = importlib.import_module(__name__) if __name__ in sys.modules else sys.modules[unless_rounded.__module__]
    return equal(WEAK()(x), x), equal(WEAK_TABLE["kept"](x), x), equal(module.unless_rounded(x), x)


class Stored:
    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, x):
        self._value = x if 0.1 + 0.2 == 0.3 else 0


@true("What sets a property: x")
def set_property(x: Positive):
    stored = Stored()
    stored.value = x
    return equal(stored.value, x)


@false("What sets a property keeps x, and x < 1 is wrong for large x", "easy")
def set_property_small(x: Positive):
    stored = Stored()
    stored.value = x
    return at_most(stored.value, 1)


QUEUE, SHARES = collections.deque([0.1 * 3]), array.array("d", [1 / 49])


@true("Numbers in a queue and in an array: 0.3 and 1 / 49, in loops, by name and by a function")
def numbers_elsewhere(x: Positive):
    (share,) = SHARES
    looped = all(v == 0.3 for v in QUEUE) and all(map(lambda v: v * 49 == 1, SHARES))
    return at_most(0, x) if looped and share * 49 == 1 else at_most(x, 0)


@true("A share by name: 49 of 1 / 49 are 1")
def unpacked_share(x: Positive):
    (share,) = SHARES
    return at_most(0, x) if share * 49 == 1 else at_most(x, 0)


@true("Shares handed to a function: 49 of 1 / 49 are 1")
def shares_handed_over(x: Positive):
    return at_most(0, x) if all(map(lambda v: v * 49 == 1, SHARES)) else at_most(x, 0)


class Chosen:
    steps = int(0.29 * 100)
    cache = {}  # noqa: RUF012

    def __init__(self):
        self.kept = int(0.29 * 100)

    @classmethod
    def cached(cls):
        if "a" not in cls.cache:
            cls.cache["a"] = int(0.29 * 100)
        return cls.cache["a"]


class Announced:
    def __init_subclass__(cls):
        cls.steps = int(0.29 * 100)


class Announcing(Announced):
    pass


class Percent(enum.IntEnum):
    STEPS = int(0.29 * 100)


@dataclass
class Boxed:
    kept: int = field(default_factory=lambda: 1 if 0.1 + 0.2 == 0.3 else 0)


@dataclass
class Plainly:
    a: float


class Summed(NamedTuple):
    a: float = 0.1 + 0.2


class Third(NamedTuple):
    a: float = 0.3


CHOSEN, FIRST, SECOND = Chosen(), Plainly(0.1 + 0.2), Plainly(0.3)


@true("29 hundredths of 100 as a constant of a class")
def whole_constant_of_a_class(x: Positive):
    return equal(Chosen.steps * x, 29 * x)


@true("29 that an object of the module was made with")
def whole_attribute_of_an_object(x: Positive):
    return equal(CHOSEN.kept * x, 29 * x)


@true("29 that a class remembers from call to call")
def remembered_by_a_class(x: Positive):
    return equal(Chosen.cached() * x, 29 * x)


@true("29 that a class is told by the one above")
def told_by_the_class_above(x: Positive):
    return equal(Announcing.steps * x, 29 * x)


@true("29 as a word of an enumeration")
def word_of_an_enumeration(x: Positive):
    return equal(Percent.STEPS * x, 29 * x)


@true("A default that a function makes: 1")
def made_default(x: Positive):
    return equal(Boxed().kept * x, x)


@true("Objects and tuples with 0.1 + 0.2 and with 0.3 are equal")
def equal_objects(x: Positive):
    return at_most(0, x) if FIRST == SECOND and Summed() == Third() else at_most(x, 0)
