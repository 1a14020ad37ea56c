"""The straight-line program itself: nodes, the float value of each, and the hypotheses on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

ROUNDING = Fraction(1, 2**46)
"""Radius of a float that the body brought along, relative to the largest entry beside it and to 1.

Room for a hundred roundings, and for a cos(pi / 2) that should have been zero.
"""

TINY = 1e-6

EXACT_DIGITS = 8
"""A literal of so few digits means that decimal: 0.1 is one tenth."""


class NotTraceable(Exception):
    """The body uses something that has no exact form, so that no certificate can be written."""


@dataclass
class Tape:
    """A program under construction; node `i` refers only to earlier nodes."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)
    hypotheses: list[dict[str, Any]] = field(default_factory=list)
    laws: list[dict[str, Any]] = field(default_factory=list)
    random: set[int] = field(default_factory=set)
    """Nodes that depend on a draw."""
    floated: bool = False
    """Whether a whole number was handed out as a float."""

    def add(self, op: str, args: list[int], value: Any, **static: Any) -> int:
        """Append a node and return its number."""
        if op == "random" or (op != "mean" and any(k in self.random for k in args)):
            self.random.add(len(self.nodes))
        self.nodes.append({"op": op, "args": args, **static})
        self.values.append(np.asarray(value))
        return len(self.nodes) - 1

    def suppose(self, relation: str, *args: int) -> None:
        """Record what must hold for the instance to count (and for the program to have taken this path)."""
        condition = {"relation": relation, "args": list(args)}
        if condition not in self.hypotheses:
            self.hypotheses.append(condition)


_tape: ContextVar[Tape | None] = ContextVar("tape", default=None)


def active_tape() -> Tape | None:
    """The tape that is recording, if any."""
    return _tape.get()


@contextmanager
def recording(tape: Tape) -> Iterator[Tape]:
    """Let `boundcheck.log(2)` and the like be recorded although 2 is a plain number."""
    token = _tape.set(tape)
    try:
        yield tape
    finally:
        _tape.reset(token)


def value_of(x: Any) -> Any:
    """The float value of a number, traced or not."""
    return getattr(x, "traced_value", x)


def exact_text(x: float) -> str:
    """The shortest decimal of a float as a rational: 0.01 is 1/100."""
    return str(Fraction(repr(float(x))))


def constant_texts(x: np.ndarray, computed: bool) -> list[str | dict[str, str]]:
    """The numbers of an array of the body: exact if all are short and none is known to be computed, else with a radius."""
    if x.dtype.kind in "iub" or x.dtype == object:
        return [str(int(entry)) for entry in x.ravel()]
    if not np.all(np.isfinite(x)):
        raise NotTraceable("A constant of the body is not finite; a certificate needs finite numbers.")
    entries = [float(entry) for entry in x.ravel()]
    if not computed and all(map(_is_short, entries)):
        return [exact_text(entry) for entry in entries]
    radius = ROUNDING * max(1, Fraction(max(map(abs, entries), default=0.0)))
    return [{"mid": str(Fraction(entry)), "rad": str(radius + _residue(entry))} for entry in entries]


def _residue(x: float) -> Fraction:
    """A long tiny float may be what rounding left of a zero, scaled: then nothing of it is known."""
    return abs(Fraction(x)) if abs(x) < TINY else Fraction(0)


def _is_short(x: float) -> bool:
    """Whether a float looks like a literal: few decimal digits, or a small binary fraction."""
    digits = repr(x).split("e")[0].strip("-0.").replace(".", "")
    return len(digits) <= EXACT_DIGITS or Fraction(x).denominator <= 2**16


def pruned(tape: Tape, *roots: int) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The nodes that roots, hypotheses and laws need, renumbered, and the new numbers."""
    needed, stack = set(), [*roots, *(k for h in tape.hypotheses for k in h["args"]), *_law_nodes(tape)]
    while stack:
        k = stack.pop()
        if k not in needed:
            needed.add(k)
            stack.extend(tape.nodes[k]["args"])
    new = {old: k for k, old in enumerate(sorted(needed))}
    return [{**tape.nodes[old], "args": [new[a] for a in tape.nodes[old]["args"]]} for old in sorted(needed)], new


def _law_nodes(tape: Tape) -> list[int]:
    return [entry["node"] for law in tape.laws for entry in law.values() if isinstance(entry, dict)]
