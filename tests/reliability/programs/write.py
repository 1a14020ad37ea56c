"""Programs: facts composed, put under hypotheses, made statements, and written as the text of a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from .arrays import ARRAYS, AXES
from .facts import NUMBERS, VECTORS, Fact, positive, random_number, real
from .laws import chances, moments
from .matrices import MATRICES
from .pen import SHIFTS, Pen
from .whole import WHOLE

HEAD = '''"""{title}."""

import math
import operator
from contextlib import contextmanager
from fractions import Fraction
from dataclasses import dataclass
from functools import partial, reduce, wraps
from itertools import accumulate

import numpy as np
from scipy import special

from boundcheck import *
{more}
'''
IMPORT = "# what stands beside\n"
BESIDE = "Helpers of a program"


@dataclass(frozen=True)
class Program:
    """The text of a file with one claim, whether that is true, of which kind it is, and the text of a module that it imports."""

    text: str
    true: bool
    kind: str
    beside: str = ""

    def save(self, file: Path) -> None:
        """Both texts, the second as a module beside the first."""
        imported = f"from {file.stem}_beside import *\n" if self.beside else ""
        file.write_text(self.text.replace(IMPORT, imported), encoding="utf-8")
        if self.beside:
            file.with_name(f"{file.stem}_beside.py").write_text(self.beside, encoding="utf-8")


@st.composite
def programs(draw) -> Program:
    """A program; one in ten is false. One choice of Hypothesis makes all of it, so that no two are alike but by chance."""
    pen = Pen(draw(st.randoms(use_true_random=True)))
    kind = pen.one(list(KINDS))
    true = not pen.odds(10)
    conclusion = KINDS[kind](pen, true)
    beside = HEAD.format(title=BESIDE, more="") + "".join(f"\n\n{helper}" for helper in pen.beside) if pen.beside else ""
    return Program(_file(pen, kind, true, conclusion), true, kind, beside)


def _file(pen: Pen, kind: str, true: bool, conclusion: str) -> str:
    signature = ", ".join(f"{name}: {domain}" for name, domain in (pen.parameters or {"k": "Few"}).items())
    constants = "".join(f"{name} = {text}\n" for name, text in pen.constants.items())
    helpers = "".join(f"\n\n{helper}" for helper in pen.helpers)
    body = "".join(f"    {line}\n" for line in [*pen.lines, *conclusion.splitlines()])
    title = f"{kind}; {'true' if true else 'false'} by construction"
    head = HEAD.format(title=title, more=IMPORT if pen.beside else "")
    return f'{head}{constants}{helpers}\n\n@theorem("by construction")\ndef stated({signature}):\n{body}'


# composition


def fact(pen: Pen, depth: int = 2) -> Fact:
    """A fact of some kind, composed with others where its sides are numbers."""
    families = [NUMBERS, VECTORS, AXES] if pen.finite else [NUMBERS, NUMBERS, VECTORS, MATRICES, AXES]
    families += [] if pen.random else [ARRAYS]
    return composed(pen, pen.one(pen.one(families))(pen), depth)


def composed(pen: Pen, f: Fact, depth: int) -> Fact:
    """The fact, or what follows from it."""
    if depth == 0 or not f.scalar or pen.odds(3):
        return f
    return composed(pen, pen.one([_added, _scaled, _shifted, _moved, _turned, _mapped, _rewritten, _jumped])(pen, f), depth - 1)


def _added(pen: Pen, f: Fact) -> Fact:
    g = pen.one(NUMBERS)(pen)
    return Fact(f"({f.left}) + ({g.left})", f.relation if f.relation == g.relation else "<=", f"({f.right}) + ({g.right})")


def _scaled(pen: Pen, f: Fact) -> Fact:
    p = positive(pen) if f.relation == "<=" else real(pen, 1)
    return Fact(f"{p} * ({f.left})", f.relation, f"{p} * ({f.right})")


def _shifted(pen: Pen, f: Fact) -> Fact:
    c = pen.one([pen.one(SHIFTS), real(pen, 0)])
    sign = pen.one("+-")
    return Fact(f"({f.left}) {sign} {c}", f.relation, f"({f.right}) {sign} {c}")


def _moved(pen: Pen, f: Fact) -> Fact:
    if pen.odds(2):
        return Fact(f"({f.left}) - ({f.right})", f.relation, "0")
    return Fact("0", f.relation, f"({f.right}) - ({f.left})")


def _turned(pen: Pen, f: Fact) -> Fact:
    return Fact(f"-({f.right})", f.relation, f"-({f.left})")


def _mapped(pen: Pen, f: Fact) -> Fact:
    maps = ["np.arctan({})", "np.tanh({})", "({}) ** 3", "np.cbrt({})", "np.maximum({}, 0)", "exp(np.tanh({}))"]
    way = pen.one(maps if f.relation == "<=" else [*maps, "np.cos({})", "abs({})", "({}) ** 2"])
    return Fact(way.format(f.left), f.relation, way.format(f.right))


def _jumped(pen: Pen, f: Fact) -> Fact:
    """A function that jumps at 0, of the difference of the sides."""
    gap = f"({f.left}) - ({f.right})"
    if f.relation == "<=":
        return Fact(pen.one([f"np.sign({gap})", f"np.ceil({gap})"]), "<=", "0")
    return Fact(pen.one([f"np.sign({gap})", f"np.ceil({gap})", f"np.floor({gap})"]), "==", "0")


def _rewritten(pen: Pen, f: Fact) -> Fact:
    """One side in other words."""
    way = pen.one(
        ["({0}) / 3 + ({0}) * 2 / 3", "-(-({0}))", "2 * ({0}) - ({0})", "({0}) * 7 / 7", "({0}) + 0", "({0}) * 1.0", "({0}) * 0.1 * 10"]
    )
    left, right = way.format(f.left), way.format(f.right)
    return pen.one([Fact(left, f.relation, f.right), Fact(f.left, f.relation, right)])


# statements


def plain(pen: Pen, f: Fact) -> str:
    """The fact as a statement about numbers."""
    if f.relation == "loewner":
        return f"loewner({f.left}, {f.right})"
    if f.relation == "==":
        return pen.one([f"equal({f.left}, {f.right})", f"equal({f.right}, {f.left})"] + [f"at_most({f.left}, {f.right})"] * f.scalar)
    return f"at_most({f.left}, {f.right})"


def event(pen: Pen, f: Fact) -> tuple[str, bool]:
    """The fact as an event, or its complement."""
    if f.relation == "==":
        ways = [(f"({f.left}) == ({f.right})", True), (f"({f.left}) != ({f.right})", False), (f"({f.left}) <= ({f.right})", True)]
        return pen.one(ways if f.scalar else ways[:1])
    ways = [
        (f"({f.left}) <= ({f.right})", True),
        (f"({f.right}) >= ({f.left})", True),
        (f"({f.left}) > ({f.right})", False),
        (f"({f.right}) < ({f.left})", False),
    ]
    return pen.one(ways if f.scalar else ways[:2])


def returned(pen: Pen, statements: list[str]) -> str:
    """The last line: one statement or several."""
    if len(statements) == 1:
        return f"return {statements[0]}"
    return f"return {pen.one(['both({})', '{}', '({})']).format(', '.join(statements))}"


# kinds


def deterministic(pen: Pen, true: bool) -> str:
    facts = [fact(pen) for _ in range(pen.one([1, 1, 2]))]
    return returned(pen, [plain(pen, f if true else f.wrong) for f in facts])


def whole_numbers(pen: Pen, true: bool) -> str:
    facts = [composed(pen, pen.one(WHOLE)(pen), pen.one([0, 0, 1])) for _ in range(pen.one([1, 2]))]
    return returned(pen, [plain(pen, f if true else f.wrong) for f in facts])


def under_a_hypothesis(pen: Pen, true: bool) -> str:
    """What is assumed is concluded through a monotone map, and a fact on every branch; truth values in `if`, `and`, `not`, `max`."""
    f, a, b = fact(pen, 1), real(pen, 1), real(pen, 1)
    statement = plain(pen, f if true else f.wrong)
    if not true:
        return f"if {a} < {b}:\n    return {statement}\nreturn {statement}"
    way = pen.one(["{}", "({}) ** 3", "np.arctan({})", "2 * {}", "{} - 0.1", "np.tanh({})"])
    low, high = way.format(a), way.format(b)
    ordered, otherwise = f"at_most({low}, {high})", f"at_most({high}, {low})"
    ways = [
        f"assume({a} <= {b})\nreturn {ordered}",
        f"assume({a} < {b})\nreturn {ordered}",
        f"assume(not {b} < {a})\nreturn {ordered}",
        f"assume({b} >= {a})\nreturn both({ordered}, {statement})",
        f"if {a} <= {b}:\n    return {ordered}\nreturn {otherwise}",
        f"if {a} < {b}:\n    return {statement}\nelse:\n    return {otherwise}",
        f"return {ordered} if {a} <= {b} else {otherwise}",
        f"low, high = sorted([{a}, {b}])\nreturn at_most(low, high), at_most(low, {a}), at_most({b}, high)",
        f"return at_most(min({a}, {b}), {a}), at_most({b}, max({a}, {b}))",
        f"larger = {a} if {a} > {b} else {b}\nreturn at_most({b}, larger)",
        f"assume(0 < {a} < {b})\nreturn at_most(1 / {b}, 1 / {a})",
        f"assume({a} <= {b} and 0 <= {a})\nreturn at_most(sqrt({a}), sqrt({b}))",
    ]
    if f.relation != "loewner" and f.scalar:
        true_fact = f"({f.left}) {f.relation} ({f.right})"
        ways += [f"assume({true_fact})\nreturn {statement}", f"if {true_fact}:\n    return at_most(0, 1)\nreturn at_most(1, 0)"] * 2
    return pen.one(ways)


def sampled_events(pen: Pen, true: bool) -> str:
    pen.random = True
    return _probability(pen, true)


def exact_events(pen: Pen, true: bool) -> str:
    pen.random = pen.finite = True
    return _probability(pen, true)


def _probability(pen: Pen, true: bool) -> str:
    """A sure event, or two of them, which is no event of a fact that is wrong everywhere."""
    sure = [_random(pen) for _ in range(pen.one([1, 1, 1, 2]))]
    facts = [f if true else f.wrong for f in sure]
    said = [event(pen, f) for f in facts]
    delta = pen.one(["0.01", "0.1", pen.parameter("delta", "Unit") if true else "0.1"])
    sure = " & ".join(f"({text})" if positive else f"~({text})" for text, positive in said)
    never = " | ".join(f"~({text})" if positive else f"({text})" for text, positive in said)
    at_least = ["1 - {}", "1 - {}"] + ["1"] * (pen.finite and true)
    return "return " + pen.one([f"P({sure}) >= {pen.one(at_least).format(delta)}", f"P({never}) <= {delta}", f"P({sure}) >= 1 - {delta}"])


def _random(pen: Pen) -> Fact:
    """A fact in which a quantity takes part."""
    f = fact(pen)
    if pen.is_random(f.left + f.right):
        return f
    x = random_number(pen)
    return Fact(f"({f.left}) + {x}", f.relation, f"({f.right}) + {x}", f.scalar)


def exact_means(pen: Pen, true: bool) -> str:
    """Moments of a law, or the means of both sides of a sure fact."""
    pen.random = pen.finite = True
    f = composed(pen, pen.one(pen.one([NUMBERS, VECTORS, AXES]))(pen), 1) if pen.odds(2) else moments(pen)
    if not f.scalar:
        f = moments(pen)
    elif "E(" not in f.left + f.right:
        f = Fact(f"E({f.left})", f.relation, f"E({f.right})")
    return returned(pen, [plain(pen, f if true else f.wrong)])


def exact_chances(pen: Pen, true: bool) -> str:
    """A probability against what it is, under a hypothesis or on a branch now and then."""
    chance, relation, bound = chances(pen)
    if not true:
        bound = f"({bound}) {'/' if relation == '<=' else '*'} 2 {'-' if relation == '<=' else '+'} 1"
    said = f"{chance} {relation} {bound}"
    ways = [f"return {said}", f"return {said}", f"return both({said}, at_most(0, 1))"]
    if true:
        ways += [
            f"assume({said})\nreturn {said}",
            f"if {said}:\n    return at_most(0, 1)\nreturn at_most(1, 0)",
            f"return {said} and at_most(0, 1)",
        ]
        ways += [f"return at_most(1, 0) if not {said} else {said}", f"return at_most(1, 0) or {said}"]
    return pen.one(ways)


def compared_means(pen: Pen, true: bool) -> str:
    """Truth values of means, where Python's own functions choose."""
    f = moments(pen)
    statement = plain(pen, f if true else f.wrong)
    a, b = f.left, f.right
    if not true:
        return f"return {statement}"
    return pen.one(
        [
            f"return {statement}",
            f"return at_most(min({a}, {b}), {b})",
            f"return at_most({a}, max({a}, {b}))",
            f"low, high = sorted([{a}, {b}])\nreturn at_most(low, high)",
            f"if {a} <= {b}:\n    return at_most({a}, {b})\nreturn at_most({b}, {a})",
            f"assume({a} <= {b})\nreturn at_most({a}, {b})",
            f"return at_most({a}, {b} if {a} <= {b} else {a})",
        ]
    )


KINDS = {
    "deterministic": deterministic,
    "of whole numbers": whole_numbers,
    "under a hypothesis": under_a_hypothesis,
    "sampled events": sampled_events,
    "exact events": exact_events,
    "exact means": exact_means,
    "exact chances": exact_chances,
    "compared means": compared_means,
}
