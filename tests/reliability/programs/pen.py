"""Choices of a writer, and the ways in which one operation can be spelled."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

T = TypeVar("T")

LITERALS = ("0.1", "0.3", "2", "7", "1e-3", "2.5", "0.7", "1e6", "12345.678", "3", "1 / 3", "1e-9", "2**20")
HELPERS: list[Callable[[Pen, Sequence[str], str, Sequence[str]], str]] = []
"""Ways to write a function of the module, each with a call of it."""

SHIFTS = ("1e8", "0.1", "1e-7", "1e12", "3", "2.0**40", "1 / 7")


@dataclass
class Pen:
    """What is written so far: parameters and their domains, constants, helpers, the lines of the body, and the quantities of each shape.

    `random` is whether the terms are random quantities, in which case only what works inside trials is written.
    """

    choices: Random
    random: bool = False
    finite: bool = False
    parameters: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    helpers: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    """Definitions of a second module."""
    lines: list[str] = field(default_factory=list)
    drawn: dict[str, list[str]] = field(default_factory=dict)
    count: int = 0
    atoms: int = 1
    """About how many atoms the laws of the quantities have together."""

    def one(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.choices.choice(options)

    def odds(self, of: int) -> bool:
        """True once in so many times."""
        return self.choices.randrange(of) == 0

    def number(self, low: int, high: int) -> int:
        return self.choices.randint(low, high)

    def new(self, stem: str) -> str:
        """A name that is not taken."""
        self.count += 1
        return f"{stem}{self.count}"

    def parameter(self, stem: str, domain: str) -> str:
        """A parameter with this domain, an old one as often as a new one."""
        old = [name for name, d in self.parameters.items() if d == domain]
        if old and self.odds(2):
            return self.one(old)
        name = self.new(stem)
        self.parameters[name] = domain
        return name

    def local(self, text: str, stem: str = "t") -> str:
        """The text in brackets, or the name of a variable that has this value."""
        if self.odds(2):
            return f"({text})"
        name = self.new(stem)
        self.lines.append(f"{name} = {text}")
        return name

    def literal(self) -> str:
        """A literal, or a module constant that is one."""
        text = self.one(LITERALS)
        if not self.odds(4):
            return f"({text})"
        name = self.new("C")
        self.constants[name] = text
        return name

    def call(self, names: Sequence[str], body: str, values: Sequence[str]) -> str:
        """An expression in these names for these values: substituted by variables, or by a helper of the module."""
        if self.odds(2):
            return self.one(HELPERS)(self, names, body, values)
        for name, value in zip(names, values):
            local = self.new(name)
            self.lines.append(f"{local} = {value}")
            body = re.sub(rf"\b{name}\b", local, body)
        return f"({body})"

    def helper(self, text: str) -> None:
        """A definition of the module, or of another one that is imported."""
        (self.beside if self.odds(4) else self.helpers).append(text)

    def is_random(self, text: str) -> bool:
        """Whether a quantity takes part in the text, by way of variables too."""
        values = dict(line.split(" = ", 1) for line in self.lines if " = " in line)
        drawn = {name for names in self.drawn.values() for name in names}
        names = set(re.findall(r"\b[A-Za-z]+\d+\b", text))
        return bool(names & drawn) or any(self.is_random(values[name]) for name in names & values.keys())

    def loop(self, step: str, arguments: str, over: str) -> str:
        """A call of a helper of the module that adds up a step in a loop."""
        name = self.new("total")
        body = f"    total = 0\n    for {over}:\n        total += {step}\n    return total\n"
        self.helpers.append(f"def {name}(x, y):\n{body}")
        return f"{name}({arguments})"

    # one operation, many spellings

    def square(self, a: str) -> str:
        return self.one([f"{a}**2", f"{a} * {a}", f"np.square({a})", f"{a}**2.0", f"np.power({a}, 2)"])

    def root(self, a: str) -> str:
        return self.one([f"sqrt({a})", f"np.sqrt({a})", f"({a}) ** 0.5", f"({a}) ** (1 / 2)"])

    def modulus(self, a: str) -> str:
        return self.one([f"abs({a})", f"np.abs({a})", f"np.maximum({a}, -({a}))", f"np.sqrt(({a})**2)"])

    def exp(self, a: str) -> str:
        return self.one([f"exp({a})", f"np.exp({a})"])

    def log(self, a: str) -> str:
        return self.one([f"log({a})", f"np.log({a})"])

    def larger(self, a: str, b: str) -> str:
        ways = [
            f"np.maximum({a}, {b})",
            f"maximum({a}, {b})",
            f"(({a}) + ({b}) + abs(({a}) - ({b}))) / 2",
            f"np.where({a} > {b}, {a}, {b})",
        ]
        return self.one(ways if self.random else [*ways, f"max({a}, {b})", f"sorted([{a}, {b}])[-1]", f"({a} if {a} >= {b} else {b})"])

    def smaller(self, a: str, b: str) -> str:
        ways = [f"np.minimum({a}, {b})", f"minimum({a}, {b})", f"-np.maximum(-({a}), -({b}))"]
        return self.one(ways if self.random else [*ways, f"min({a}, {b})", f"sorted([{a}, {b}])[0]"])

    def add(self, terms: Sequence[str]) -> str:
        terms = self.choices.sample(terms, len(terms))
        listed = ", ".join(terms)
        ways = [" + ".join(terms), f"sum([{listed}])", f"reduce(operator.add, [{listed}])"]
        return self.one(
            ways if self.random else [*ways, f"np.sum([{listed}])", f"np.array([{listed}]).sum()", f"[*accumulate([{listed}])][-1]"]
        )

    def dot(self, x: str, y: str) -> str:
        ways = [f"np.sum({x} * {y})", f"{x} @ {y}", f"np.sum({y} * {x})"]
        more = [
            f"np.dot({x}, {y})",
            f"({x} * {y}).sum()",
            f"sum(a * b for a, b in zip({x}, {y}))",
            f'np.einsum("i,i->", {x}, {y})',
            f"np.inner({x}, {y})",
            f"np.trace(np.outer({x}, {y}))",
            f"reduce(operator.add, [{x}[i] * {y}[i] for i in range(len({x}))])",
        ]
        if not self.random and self.odds(6):
            return self.loop("a * b", f"{x}, {y}", "a, b in zip(x, y)")
        return self.one(ways if self.random else [*ways, *more])

    def sum(self, x: str) -> str:
        ways = [f"np.sum({x})", f"{x}.sum()"]
        more = [f"sum({x})", f"sum({x}[::-1])", f"np.cumsum({x})[-1]", f"sum(sorted({x}))", f"reduce(lambda a, b: a + b, {x})"]
        if not self.random and self.odds(6):
            return self.loop("a", f"{x}, None", "a in x")
        return self.one(ways if self.random else [*ways, *more])

    def mean(self, x: str, n: str) -> str:
        ways = [f"np.mean({x})", f"{x}.mean()", f"np.sum({x}) / {n}", f"np.sum({x} / {n})"]
        return self.one(ways if self.random else [*ways, f"sum({x}) / {n}", f"np.average({x})"])

    def greatest(self, x: str) -> str:
        ways = [f"np.max({x})", f"{x}.max()", f"-np.min(-{x})"]
        return self.one(ways if self.random else [*ways, f"max({x})", f"np.sort({x})[-1]", f"sorted({x})[-1]", f"{x}[np.argmax({x})]"])

    def norm(self, x: str) -> str:
        ways = [f"np.sqrt({self.dot(x, x)})", f"sqrt(np.sum({x}**2))"]
        return self.one(ways if self.random else [*ways, f"norm({x})", f"np.linalg.norm({x})"])

    def trace(self, a: str) -> str:
        return self.one([f"trace({a})"] if self.random else [f"trace({a})", f"np.trace({a})", f"np.sum(np.diag({a}))"])

    def transposed(self, a: str) -> str:
        return f"{a}.mT" if self.random else self.one([f"{a}.T", f"{a}.mT", f"np.transpose({a})"])


# one function, many ways to write it


def _way(write: Callable[[Pen, Sequence[str], str, Sequence[str]], str]) -> None:
    HELPERS.append(write)


@_way
def _function(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    name = pen.new("helper")
    pen.helper(f"def {name}({', '.join(names)}):\n    return {body}\n")
    return f"{name}({', '.join(values)})"


@_way
def _lambda(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    return f"(lambda {', '.join(names)}: {body})({', '.join(values)})"


@_way
def _decorated(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A decorator that halves, and twice as much inside."""
    name, halved = pen.new("helper"), pen.new("halved")
    wrapper = "    @wraps(f)\n    def wrapper(*args):\n        return f(*args) / 2\n\n    return wrapper\n"
    pen.helper(f"def {halved}(f):\n{wrapper}\n\n@{halved}\ndef {name}({', '.join(names)}):\n    return 2 * ({body})\n")
    return f"{name}({', '.join(values)})"


@_way
def _method(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A class that keeps the first value and is called with the others."""
    name, (first, *others) = pen.new("Held"), names
    own = re.sub(rf"\b{first}\b", f"self.{first}", body)
    kept = pen.one([f"    def __init__(self, {first}):\n        self.{first} = {first}\n", f"    {first}: float\n"])
    head = "@dataclass\n" if "__init__" not in kept else ""
    pen.helper(f"{head}class {name}:\n{kept}\n    def value(self{''.join(f', {n}' for n in others)}):\n        return {own}\n")
    return f"{name}({values[0]}).value({', '.join(values[1:])})"


@_way
def _closure(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A function that hands the first value over to the one that it makes."""
    name, (first, *others) = pen.new("made"), names
    pen.helper(f"def {name}({first}):\n    def inner({', '.join(others)}):\n        return {body}\n\n    return inner\n")
    return f"{name}({values[0]})({', '.join(values[1:])})"


@_way
def _default(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A third of the result thrice, by a default and a named argument."""
    name = pen.new("helper")
    pen.helper(f"def {name}({', '.join(names)}, third=1 / 3, *, times=3):\n    return times * third * ({body})\n")
    return f"{name}({', '.join(values)})"


@_way
def _partial(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    name = pen.new("helper")
    pen.helper(f"def {name}({', '.join(names)}):\n    return {body}\n")
    return f"partial({name}, {values[0]})({', '.join(values[1:])})"


@_way
def _generator(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """Two halves of the result, one after the other."""
    name = pen.new("halves")
    pen.helper(f"def {name}({', '.join(names)}):\n    for _ in range(2):\n        yield ({body}) / 2\n")
    return f"sum({name}({', '.join(values)}))"


@_way
def _inherited(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A class below another one, whose method doubles what is above."""
    name, above, given = pen.new("Below"), pen.new("Above"), ", ".join(names)
    base = f"class {above}:\n    share = 2\n\n    def value(self, {given}):\n        return ({body}) / self.share\n"
    own = f"class {name}({above}):\n    def value(self, {given}):\n        return 2 * super().value({given})\n"
    pen.helper(f"{base}\n\n{own}")
    return f"{name}().value({', '.join(values)})"


@_way
def _tabled(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A function in a table, and one of an object that the module keeps."""
    name, table, given = pen.new("helper"), pen.new("TABLE"), ", ".join(names)
    kept = f"class {table}Kept:\n    def __init__(self, f):\n        self.f = f\n"
    functions = f"{table} = {{'plain': {name}, 'kept': {table}Kept({name})}}\n"
    pen.helper(f"def {name}({given}):\n    return {body}\n\n\n{kept}\n\n{functions}")
    return pen.one([f"{table}['plain']({', '.join(values)})", f"{table}['kept'].f({', '.join(values)})"])


@_way
def _managed(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """What a context manager yields."""
    name, used, given = pen.new("managed"), pen.new("used"), ", ".join(names)
    head = f"@contextmanager\ndef {name}({given}):\n    yield {body}\n"
    pen.helper(f"{head}\n\ndef {used}({given}):\n    with {name}({given}) as value:\n        return value\n")
    return f"{used}({', '.join(values)})"


@_way
def _in_place(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A number that is changed in place, and one of an object."""
    name, given = pen.new("helper"), ", ".join(names)
    start = "    held = {'value': 1}\n    held['value'] /= 7\n"
    steps = f"{start}    value = ({body}) * 1\n    value = value * held['value']\n    return value * 7\n"
    pen.helper(f"def {name}({given}):\n{steps}")
    return f"{name}({', '.join(values)})"


@_way
def _recursion(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """Down a count by calling itself, with an early return."""
    name = pen.new("down")
    again = f"{name}({', '.join(names)}, k - 1)"
    pen.helper(f"def {name}({', '.join(names)}, k=3):\n    if k == 0:\n        return {body}\n    return {again}\n")
    return f"{name}({', '.join(values)})"


@_way
def _matched(pen: Pen, names: Sequence[str], body: str, values: Sequence[str]) -> str:
    """A mode that is a string, and an error that is caught."""
    name = pen.new("by_mode")
    cases = f'        case "value":\n            return {body}\n        case _:\n            raise ValueError(mode)\n'
    pen.helper(f"def {name}(mode, {', '.join(names)}):\n    match mode:\n{cases}")
    tried, given = pen.new("tried"), ", ".join(names)
    body = f"    try:\n        return {name}('none', {given})\n    except ValueError:\n        return {name}('value', {given})\n"
    (pen.beside if any(name in text for text in pen.beside) else pen.helpers).append(f"def {tried}({given}):\n{body}")
    return f"{tried}({', '.join(values)})"
