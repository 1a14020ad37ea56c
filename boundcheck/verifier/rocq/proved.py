"""A proof on a set as a theorem of Rocq: for each choice of whole numbers or shapes, and for all inputs of the set.

A case defines each node of its program as a function of the inputs, and its claim: all inputs of the set take
the path of the program, and where the hypotheses hold, the operations are defined and the conclusion holds.
Rocq proves it anew, by arithmetic; the certificate says which kind of it is tried first, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import ctx

from boundcheck.verifier.findings import allowance
from boundcheck.verifier.laws import groups
from boundcheck.verifier.limits import MOST_TERMS, ROCQ_BITS
from boundcheck.verifier.proofs import Extent, choice_entry, runs
from boundcheck.verifier.rocq.programs import written
from boundcheck.verifier.rocq.statements import entries, every, hypothesis
from boundcheck.verifier.rocq.terms import (
    WORD,
    CannotFormalize,
    Theory,
    literal,
)
from boundcheck.verifier.seal import unpacked

IDENTITIES = ("points", "words", "squares")
"""Ways of proof that show a conclusion wherever both of its sides are defined, not that they are."""

TRANSCENDENTAL = {"ln", "exp", "power", "sin", "cos", "tan", "atan"}
ALGEBRAIC = {"sqrt", "Rabs", "Rmax", "Rmin", "sgn", "floor", "ceil"}
"""Words whose arithmetic is more than that of fields."""


@dataclass(frozen=True)
class Cases:
    """The statement of each case and its proof."""

    statements: list[str]
    proofs: list[str]
    quantified: bool
    """Whether its set has several instances."""

    defined: bool
    """Whether all say that their operations are defined."""

    one_size: bool
    """Whether the set has other sizes, too."""


def cases(certificate: Mapping[str, Any]) -> Cases:
    """All cases of a proof. Raises CannotFormalize."""
    made, size = [], 0
    extent = Extent.of_json(certificate["set"])
    for k, case in enumerate(map(unpacked, certificate["cases"])):
        made.append(_Case(k, case, extent))
        size += len(made[-1].theory.defined)
        if size > MOST_TERMS:
            raise CannotFormalize(
                f"its cases have more than {MOST_TERMS} terms."
            )
    return Cases(
        [text for case in made for text in case.statement()],
        [text for case in made for text in case.proof()],
        bool(extent.reals) or extent.shaped or extent.count > 1,
        not any(case.way in IDENTITIES for case in made),
        extent.every,
    )


class _Case:
    """One program, what it supposes, and its part of the conclusion, as definitions."""

    def __init__(self, k: int, case: Mapping[str, Any], extent: Extent):
        self.way = case["proof"]["way"]
        if self.way == "sums":
            raise CannotFormalize("it sums up to a number of its set.")
        if len(case["routes"]) != 1:
            raise CannotFormalize("its instances take several paths.")
        choice = dict(map(choice_entry, case["choice"]))
        self.ends = {} if extent.shaped else extent.kinds(choice)
        self.counted = runs(choice)
        self.name, self.theory = f"Case_{k}", Theory(ROCQ_BITS[0])
        self.part = f"part_{case['part'] + 1}"
        with allowance(), ctx.workprec(2 * ROCQ_BITS[0]):
            self._define(case["routes"][0])

    def _define(self, route: Mapping[str, Any]) -> None:
        """The program; the set, the path, the hypotheses, where all is defined, the conclusion."""
        space = groups(route["laws"])
        program = written(self.theory, route["program"], space)
        given = [
            (hypothesis(program, h), assumed)
            for h, assumed in zip(
                route["hypotheses"], route["assumed"], strict=True
            )
        ]
        said = entries(program, route["conclusion"])
        self.theory.note(
            "the set, the path, the hypotheses, where all is defined, the conclusion"
        )
        on_path, behind, rest = self._needs(route)
        turns = [
            text for texts, assumed in given if not assumed for text in texts
        ]
        known = [t for texts, assumed in given if assumed for t in texts]
        inside = [text for x in self.theory.inputs for text in self._inside(x)]
        # An identity is shown where both sides are defined; of an inequality it is shown that they are.
        supposed = rest if self.way in IDENTITIES else []
        self.inside = self._say("inside", inside)
        self.taken = self._say("taken", [*on_path, *turns])
        self.supposed = self._say("supposed", [*known, *behind, *supposed])
        defined = [] if supposed else rest
        self.concluded = self._say("defined", defined) + self._say(
            self.part, said
        )

    @property
    def kind(self) -> str:
        """The arithmetic that is tried."""
        words = set(WORD.findall("\n".join(self.theory.statement)))
        if words & TRANSCENDENTAL:
            return "transcendental"
        return "algebraic" if words & ALGEBRAIC else "rational"

    def _needs(self, route: Mapping[str, Any]) -> tuple[list[str], ...]:
        """Where operations are defined: those behind the path, behind the hypotheses, and the others."""
        pairs = zip(route["hypotheses"], route["assumed"], strict=True)
        args: dict[bool, list[int]] = {True: [], False: []}
        for given, assumed in pairs:
            args[assumed] += given["args"]
        path, known = (
            _behind(route["program"], args[assumed])
            for assumed in (False, True)
        )
        found: tuple[list[str], ...] = [], [], []
        for node, text in dict.fromkeys(self.theory.needs):
            found[0 if node in path else 1 if node in known else 2].append(text)
        return tuple(list(dict.fromkeys(texts)) for texts in found)

    def _say(self, name: str, texts: Sequence[str]) -> list[str]:
        """A definition under a name; none where nothing is said."""
        if texts:
            self.theory.say(name, "Prop", every(texts))
        return [name] if texts else []

    def _inside(self, name: str) -> list[str]:
        """What the set says of an input."""
        own = name.removeprefix("input_")
        if own not in self.ends:
            return []
        x, whole = self.ends[own], own in self.counted
        below = ("<=" if x.closed else "<") if x.low is not None else ""
        above = ("<=" if x.closed_above else "<") if x.high is not None else ""
        return [
            *([f"whole {name}"] if whole else []),
            *([f"{literal(x.low).text} {below} {name}"] if below else []),
            *([f"{name} {above} {literal(x.high).text}"] if above else []),
        ]

    def statement(self) -> list[str]:
        """A module with the definitions and the claim."""
        theory = self.theory
        concluded = [
            " /\\ ".join(f"({theory.at(name)})" for name in self.concluded)
        ]
        claimed = " -> ".join([*map(theory.at, self.supposed), *concluded])
        if self.taken:
            claimed = f"{theory.at(*self.taken)} /\\ ({claimed})"
        claimed = " -> ".join([*map(theory.at, self.inside), claimed])
        quantified = f"forall{theory.binders()}, " if theory.inputs else ""
        return [
            f"Module {self.name}.\nSection Claim.",
            *theory.statement,
            "End Claim.",
            f"Definition claim : Prop := {quantified}{claimed}.",
            f"End {self.name}.\n",
        ]

    def proof(self) -> list[str]:
        """The claim without its names, and what proves it."""
        own = [
            f"{self.name}.{name}"
            for name in self.theory.free
            if name not in self.theory.inputs
        ]
        return [
            f"Lemma {self.name.lower()} : {self.name}.claim.",
            f"Proof. cbv beta delta [{self.name}.claim {' '.join(own)}]; established {self.kind}. Qed.",
        ]


def _behind(
    program: Sequence[Mapping[str, Any]], nodes: Sequence[int]
) -> set[int]:
    """Some nodes, and all that they are made of."""
    found, waiting = set(), list(nodes)
    while waiting:
        k = waiting.pop()
        if k not in found:
            found.add(k)
            waiting += program[k].get("args", ())
    return found
