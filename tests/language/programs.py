"""Random programs in the language of statements: the text of a file, of its neighbour, and random members of its domain."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

from .recipes import ALIASES, EXPRESSIONS, FUNCTIONS, METHODS, STATEMENTS

PARAMETERS = {
    "s": ["s: between(-3, 3)", "real: Real"],
    "p": ["r: between(0.2, 3)"],
    "c": ["c: between(-1, 1)"],
    "n": ["n: integers(1, 6)", "m: integers(-5, 9)"],
    "k": ["few: integers(0, 4)"],
    "v": ["bits: Bits(K)", "x: Box(K, -2, 2)", "z: Vector(K)"],
    "u": ["y: Box(K, 0.1, 3)"],
    "w": ["order: Permutation(K)"],
    "S": [],
    "M": ["A: Matrix(K, K)", "C: Box(K, K, -1, 1)"],
    "D": ["B: PositiveDefinite(K)"],
}
"""Parameters of each kind, with their domains."""

ATOMS = {
    "s": ["0.5", "-1.25", "0.3", "2"],
    "p": ["0.75", "2", "1.5"],
    "c": ["0.25", "-0.5"],
    "h": ["0.25", "0.5", "0.7"],
    "n": ["3", "-2", "7", "K"],
    "k": ["0", "1", "3"],
    "i": ["0", "-1", "K - 1", "-K"],
    "v": ["np.arange(K) / 4", "np.linspace(-1, 2, K)"],
    "u": ["np.ones(K)", "np.full(K, 0.5)"],
    "w": ["np.arange(K)", "np.array([k * k for k in range(K)])"],
    "w_places": ["[0] * K", "[-1] * K", "np.arange(K)[::-1]", "[k % 2 % K for k in range(K)]", "np.arange(-K, 0)"],
    "t": ["(np.arange(K) > 1)"],
    "q": ["True", "(1 < 2)"],
    "M": ["np.eye(K)", "np.ones((K, K))"],
    "D": ["np.eye(K)"],
    "L": ["[0.5] * K"],
    "N": ["[2] * K", "list(range(K))"],
    "S": ["np.sort(np.linspace(1, -1, K))"],
}
"""Texts of each kind that are made of nothing else."""

HEAD = '''"""A random program."""

import itertools
import math

import numpy as np
from scipy import linalg, special

import {beside} as beside
from boundcheck import (
    E, Bits, Box, Matrix, Permutation, PositiveDefinite, Real, Vector, between, equal, integers, quantity, theorem,
)
from {beside} import scaled

K = {size}
LENGTH = 2 * K + 1
STEPS = int(0.5 * 7)
TABLE = [k / 4 for k in range(K)]


def helper(a, b=1.5):
    return a * b + LENGTH - beside.scaled(b, by=3)


@theorem("random")
def program({parameters}):
    """What Python computes."""
'''
BESIDE = '''"""What a random program imports."""

SIZES = (1, 2, 4)
SCALE = 1 / 8


def scaled(a, by=SCALE):
    return by * a + SIZES[-1]
'''

DEEP = 3


def recipes(text: str, after: str = " ") -> list[tuple[str, str]]:
    """The lines of a table: a kind and a text, which goes on where a line is indented."""
    lines = re.split(r"\n(?! )", text.strip())
    return [(kind, body) for kind, _, body in (line.partition(after) for line in lines)]


SPOKEN = [*recipes(EXPRESSIONS), *recipes(FUNCTIONS), *recipes(METHODS)]
STATED, ALIASED = ([(kind.strip("{}"), body) for kind, body in recipes(text, ": ")] for text in (STATEMENTS, ALIASES))


@dataclass(frozen=True)
class Program:
    """A file with one claim, the equalities of which state each value that it makes."""

    text: str
    recipes: tuple[str, ...]
    """What it was made of."""

    def save(self, file: Path) -> None:
        """The file, and the one beside it that it imports."""
        beside = f"{file.stem}_beside"
        file.write_text(self.text.replace("{beside}", beside), encoding="utf-8")
        file.with_name(f"{beside}.py").write_text(BESIDE, encoding="utf-8")


class Writer:
    """Writes one program; what is given must be used."""

    def __init__(self, choices: Random, size: int):
        self.choices, self.size = choices, size
        self.parameters: dict[str, str] = {}
        self.locals: dict[str, list[str]] = {}
        self.lines: list[str] = []
        self.used: list[str] = []
        self.fresh = 0

    def expression(self, kind: str, depth: int) -> str:
        """A text of a kind."""
        ways = [(of, text) for of, text in SPOKEN if of == kind]
        if depth <= 0 or not ways or self.choices.random() < 0.25:
            return self._atom(kind)
        return self.filled(self.choices.choice(ways)[1], depth)

    def filled(self, text: str, depth: int) -> str:
        """A recipe with expressions in its braces."""
        self.used.append(text)
        new = {name: self._name() for name in ("walrus", "other")}

        def written(found: re.Match[str]) -> str:
            braces, kind, name = found.groups()
            return braces[0] if braces else new[name] if name else _whole(self.expression(kind, depth - 1))

        return re.sub(r"(\{\{|\}\})|\{(\w+)\}|\b(walrus|other)\b", written, text)

    def _name(self) -> str:
        self.fresh += 1
        return f"t{self.fresh}"

    def _atom(self, kind: str) -> str:
        own = self.locals.get(kind, [])
        if own and self.choices.random() < 0.5:
            return self.choices.choice(own)
        given = PARAMETERS.get(kind, [])
        if given and self.choices.random() < 0.7:
            name, domain = self.choices.choice(given).split(": ")
            self.parameters[name] = domain.replace("K", str(self.size))
            return name
        return self.choices.choice(ATOMS[kind])

    def state(self, kind: str, text: str) -> None:
        """A statement, which makes a local."""
        name = self._name()
        text = text.replace("$", name)
        self.lines += [line if line.startswith("    ") else f"    {line}" for line in self.filled(text, DEEP - 1).split("\n")]
        self.locals.setdefault(kind, []).append(name)

    def program(self, statements: list[tuple[str, str]], ends: list[str]) -> Program:
        for kind, text in statements:
            self.state(kind, text)
        made = [f"np.where({name}, 1, 0)" if kind == "t" else name for kind, names in self.locals.items() for name in names]
        stated = "".join(f"\n        equal({end}, 0)," for end in [*made, *(self.filled(text, DEEP) for text in ends)])
        parameters = ", ".join(f"{name}: {domain}" for name, domain in self.parameters.items()) or "s: between(-3, 3)"
        head = HEAD.replace("{size}", str(self.size)).replace("{parameters}", parameters)
        body = "\n".join(self.lines)
        return Program(f"{head}{body}\n    return ({stated}\n    )\n", tuple(self.used))



def _whole(text: str) -> str:
    """In parentheses, unless nothing around it can take it apart."""
    plain = (ast.Name, ast.Call, ast.Subscript, ast.List, ast.ListComp, ast.Dict)
    return text if isinstance(ast.parse(text, mode="eval").body, plain) else f"({text})"


def program(seed: int) -> Program:
    """Program number `seed`: every recipe stands in turn in one of them."""
    choices = Random(seed)
    writer = Writer(choices, choices.randint(1, 4))
    kind, text = STATED[seed % len(STATED)]
    ends = [SPOKEN[(3 * seed + k) % len(SPOKEN)] for k in range(3)]
    return writer.program(
        [(kind, text), choices.choice(ALIASED if seed % 8 == 0 else STATED)],
        [f"np.where({body}, 1, 0)" if of in ("t", "q") else body for of, body in ends],
    )
