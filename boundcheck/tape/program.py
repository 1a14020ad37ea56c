"""The straight-line program itself: nodes, the float value of each, and the hypotheses on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

EXACT_DIGITS = 8
"""A decimal of the engine's own has so few digits."""


Spelling = Callable[..., Any]

SPELLED: dict[Any, Spelling] = {}
"""How functions and ufuncs are spelled for numbers that are not floats: the operations fill this table."""


class NotTraceable(Exception):
    """The body uses something that has no exact form, so that no certificate can be written."""


class NotInLanguage(NotTraceable):
    """A text that says what is not in the language; the message has its line, and how to say it."""


@contextmanager
def during(variable: ContextVar[Any], value: object) -> Iterator[None]:
    """A context variable has a value for a while."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


_selecting: ContextVar[bool] = ContextVar("selecting", default=False)
_assuming: ContextVar[bool] = ContextVar("assuming", default=False)


Wish = tuple[str, Any, Any]
"""A relation and two numbers that are to satisfy it."""

_wishes: ContextVar[tuple[list[Wish], list[Wish], float] | None] = ContextVar(
    "wishes", default=None
)
"""The comparisons among the hypotheses, what was compared since, and how many hypotheses are asked for."""


@contextmanager
def wishing(most: float = inf) -> Iterator[list[Wish]]:
    """The comparisons among the first hypotheses of a body that runs here, which decides none of them."""
    wishes: list[Wish] = []
    with during(_wishes, (wishes, [], most)):
        yield wishes


def wishes() -> list[Wish] | None:
    """Where hypotheses are noted, if they are."""
    noted = _wishes.get()
    return None if noted is None else noted[0]


def wished_for() -> float:
    """After how many hypotheses no more is asked."""
    noted = _wishes.get()
    return inf if noted is None else noted[2]


def note_comparison(*wish: Any) -> None:
    """Note a comparison that was decided: a hypothesis may be made of it."""
    noted = _wishes.get()
    if noted is not None:
        noted[1].append(wish)


def since() -> list[Wish]:
    """What was compared since this was asked last."""
    noted = _wishes.get()
    found = list(noted[1]) if noted else []
    if noted:
        noted[1].clear()
    return found


def selecting() -> AbstractContextManager[None]:
    """Let programs choose by numbers: one program for many patterns of signs, and no certificate."""
    return during(_selecting, True)


def assuming() -> AbstractContextManager[None]:
    """What is supposed here excludes instances; all else that is supposed leads to another path."""
    return during(_assuming, True)


@dataclass
class Tape:
    """A program under construction; node `i` refers only to earlier nodes."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)
    hypotheses: list[dict[str, Any]] = field(default_factory=list)
    assumed: list[bool] = field(default_factory=list)
    """For each hypothesis whether an instance that violates it does not count; else it takes another path."""
    laws: list[dict[str, Any]] = field(default_factory=list)
    random: set[int] = field(default_factory=set)
    """Nodes that depend on a draw."""
    spectral: set[int] = field(default_factory=set)
    """Matrices whose eigenvalues a body takes, whatever says so here: a trace is their sum."""
    exactly: bool = True
    """Whether a certificate may come of it: then constants have to be exact."""
    selecting: bool = field(default_factory=lambda: _selecting.get())
    """Whether outcomes of comparisons are numbers, 0 or 1, wherever no branch needs them."""
    looks: int = 0
    """Comparisons that were recomputed in exact arithmetic."""
    most: float = inf
    """Nodes after which recording is given up."""
    readers: dict[str, Any] = field(default_factory=dict)
    """The twins of what is recorded, by package."""
    sizes: list[float] = field(default_factory=list)
    """The largest absolute value among the first so many nodes."""

    def __post_init__(self) -> None:
        if not SPELLED:
            raise RuntimeError(
                "No operation is known that could be recorded: import boundcheck.operations first."
            )

    def add(
        self, op: str, args: list[int], value: object, **static: Any
    ) -> int:
        """Append a node and return its number. Raises NotTraceable where there are too many."""
        if len(self.nodes) >= self.most:
            raise NotTraceable(
                f"The program has more than {self.most} operations."
            )
        if op in ("random", "drawn") or (
            op != "mean" and any(k in self.random for k in args)
        ):
            self.random.add(len(self.nodes))
        self.nodes.append({"op": op, "args": args, **static})
        self.values.append(np.asarray(value))
        return len(self.nodes) - 1

    def operands(self, k: int) -> list[int]:
        return self.nodes[k]["args"]

    def copy(self) -> Tape:
        """The program as it is now, whatever is recorded behind it."""
        lists = {
            name: list(getattr(self, name))
            for name in ("nodes", "values", "hypotheses", "laws", "sizes")
        }
        sets = {
            name: set(getattr(self, name)) for name in ("random", "spectral")
        }
        return replace(self, **sets, **lists)

    def largest(self) -> float:
        """The largest finite absolute value of all nodes so far."""
        for value in self.values[len(self.sizes) :]:
            size = (
                np.abs(np.asarray(value, dtype=float))
                if value.dtype.kind in "biuf"
                else np.zeros(1)
            )
            own = float(np.max(size[np.isfinite(size)], initial=0.0))
            self.sizes.append(max(own, self.sizes[-1] if self.sizes else 0.0))
        return self.sizes[-1] if self.sizes else 0.0

    def suppose(self, relation: str, *args: int) -> None:
        """Record what must hold for the instance to count (and for the program to have taken this path)."""
        condition = {"relation": relation, "args": list(args)}
        if condition not in self.hypotheses:
            self.hypotheses.append(condition)
            self.assumed.append(_assuming.get())


_tape: ContextVar[Tape | None] = ContextVar("tape", default=None)


def active_tape() -> Tape | None:
    """The tape that is recording, if any."""
    return _tape.get()


@contextmanager
def recording(tape: Tape) -> Iterator[Tape]:
    """Let `boundcheck.log(2)` and the like be recorded, though 2 is plain."""
    with during(_tape, tape):
        yield tape


def value_of(x: object) -> Any:
    """The float value of a number, traced or not."""
    return getattr(x, "traced_value", x)


@lru_cache(maxsize=2**14)
def exact_text(x: float) -> str:
    """The shortest decimal of a float as a rational: 0.01 is 1/100."""
    return str(Fraction(repr(float(x))))


def constant_texts(x: np.ndarray) -> list[str]:
    """The exact numbers of an array: whole ones, fractions, the engine's decimals. Raises NotTraceable."""
    if x.dtype.kind in "iub":
        return [str(int(entry)) for entry in x.ravel().tolist()]
    return [_exact_entry(entry) for entry in x.ravel()]


def _exact_entry(x: object) -> str:
    if isinstance(x, (int, Fraction, np.integer)):
        return str(Fraction(int(x) if isinstance(x, np.integer) else x))
    if not isinstance(x, (float, np.floating)):
        raise NotTraceable(
            f"{here()}: a {type(x).__name__} is no number that a certificate can hold"
        )
    if not np.isfinite(x):
        raise NotTraceable(
            f"{here()}: a constant of the body is not finite, which no certificate holds"
        )
    if not _is_short(float(x)):
        raise NotTraceable(
            f"{here()}: the number {x!r} was computed beside the program, and nothing is known of its error"
        )
    return exact_text(float(x))


def _is_short(x: float) -> bool:
    """Whether a float is a literal of the engine: few decimal digits, or a small binary fraction."""
    digits = repr(x).split("e")[0].strip("-0.").replace(".", "")
    return len(digits) <= EXACT_DIGITS or Fraction(x).denominator <= 2**16


def is_machine_made(value: object, depth: int = 4) -> bool:
    """Whether a value is, or is made of, floats or integers of a fixed width: they may have rounded."""
    if isinstance(value, (float, complex, np.number, Decimal)):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iufc"
    if isinstance(value, dict):
        return depth > 0 and any(
            is_machine_made(x, depth - 1)
            for pair in value.items()
            for x in pair
        )
    return (
        depth > 0
        and isinstance(value, (list, tuple, set, frozenset))
        and any(is_machine_made(x, depth - 1) for x in value)
    )


def here() -> str:
    """File and line of the text that is being recorded."""
    frame = sys._getframe(1)
    while frame is not None and not (
        frame.f_globals.get("__name__")
        and "__boundcheck_literal__" in frame.f_globals
    ):
        frame = frame.f_back
    return (
        "in the engine"
        if frame is None
        else f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"
    )


def reached(
    roots: Iterable[int], operands: Callable[[int], list[int]]
) -> set[int]:
    """The nodes that some depend on, and these."""
    found: set[int] = set()
    stack = list(roots)
    while stack:
        k = stack.pop()
        if k not in found:
            found.add(k)
            stack.extend(operands(k))
    return found


def pruned(
    tape: Tape, roots: Iterable[int]
) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The nodes that some roots need, renumbered, and the new numbers."""
    needed = reached(roots, tape.operands)
    new = {old: k for k, old in enumerate(sorted(needed))}
    return [
        {**tape.nodes[k], "args": [new[a] for a in tape.nodes[k]["args"]]}
        for k in sorted(needed)
    ], new


def law_nodes(laws: Iterable[dict[str, Any]]) -> list[int]:
    """The nodes that parameters of the laws refer to."""
    return [
        x["node"] for law in laws for x in law.values() if isinstance(x, dict)
    ]


def promised(tape: Tape) -> list[int]:
    """The nodes that hypotheses and laws name."""
    return [
        *(k for h in tape.hypotheses for k in h["args"]),
        *law_nodes(tape.laws),
    ]
