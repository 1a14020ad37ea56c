"""A proof on a set as a theorem of Rocq: for each choice of whole numbers or shapes, and for all real inputs of the set.

A case defines each node of its program as a function of the inputs, and its claim: wherever the hypotheses hold
and the operations are defined, so does the conclusion. Rocq proves it anew, by arithmetic of fields, products
of hypotheses, or intervals that are cut; nothing is taken from the certificate but the statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import ctx

from boundcheck.verifier.findings import allowance
from boundcheck.verifier.laws import groups
from boundcheck.verifier.limits import DEPTH, MOST_TERMS, ROCQ_BITS
from boundcheck.verifier.numbers import rational
from boundcheck.verifier.rocq.programs import written
from boundcheck.verifier.rocq.statements import entries, every, hypothesis
from boundcheck.verifier.rocq.terms import CannotFormalize, Theory, literal
from boundcheck.verifier.seal import unpacked


def cases(certificate: Mapping[str, Any]) -> tuple[list[str], list[str], bool]:
    """The statement of each case, its proof, and whether all have inputs. Raises CannotFormalize."""
    statements, proofs, quantified, size = [], [], True, 0
    reals = certificate["set"]["reals"]
    for k, case in enumerate(map(unpacked, certificate["cases"])):
        # Of several paths the theorem would have to say which instance takes which.
        if len(case["routes"]) != 1 or not all(case["routes"][0]["assumed"]):
            raise CannotFormalize("not all instances of its set take one path.")
        case_at = _Case(k, case["part"] + 1, case["routes"][0], reals)
        size += len(case_at.theory.defined)
        if size > MOST_TERMS:
            raise CannotFormalize(
                f"its cases have more than {MOST_TERMS} terms."
            )
        statements += case_at.statement()
        proofs += case_at.proof()
        quantified &= bool(case_at.theory.inputs)
    return statements, proofs, quantified


class _Case:
    """One program, what it supposes, and its part of the conclusion, as definitions."""

    def __init__(
        self,
        k: int,
        part: int,
        route: Mapping[str, Any],
        reals: Mapping[str, Any],
    ):
        self.name, self.part, self.theory = (
            f"Case_{k}",
            f"part_{part}",
            Theory(ROCQ_BITS[0]),
        )
        self.reals = {f"input_{name}": ends for name, ends in reals.items()}
        with allowance(), ctx.workprec(2 * ROCQ_BITS[0]):
            space = groups(route["laws"])
            program = written(self.theory, route["program"], space)
            given = [hypothesis(program, h) for h in route["hypotheses"]]
            said = entries(program, route["conclusion"])
        inside = [
            text for name in self.theory.inputs for text in self._inside(name)
        ]
        self.theory.note(
            "the set, the hypotheses, where it is defined, the conclusion"
        )
        needs = list(dict.fromkeys(self.theory.needs))
        self.supposed = [
            self._say(f"hypothesis_{k}", texts)
            for k, texts in enumerate([inside, *given, needs])
            if texts
        ]
        self._say(self.part, said)

    def _say(self, name: str, texts: list[str]) -> str:
        self.theory.say(name, "Prop", every(texts))
        return name

    def _inside(self, name: str) -> list[str]:
        low, high, closed, closed_above = self.reals.get(name, (None,) * 4)
        below = (
            [f"{literal(rational(low)).text} {_at(closed)} {name}"]
            if low
            else []
        )
        return below + (
            [f"{name} {_at(closed_above)} {literal(rational(high)).text}"]
            if high
            else []
        )

    def statement(self) -> list[str]:
        """A module with the definitions and the claim."""
        theory = self.theory
        claimed = " -> ".join(map(theory.at, [*self.supposed, self.part]))
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
        cut = ", ".join(
            f"i_bisect {name}"
            for name, x in self.theory.inputs.items()
            if not x.shape
        )
        cuts = (
            f"interval with ({cut}, i_depth {DEPTH}, i_prec 40)"
            if cut
            else "fail"
        )
        return [
            f"Lemma {self.name.lower()} : {self.name}.claim.",
            f"Proof. cbv beta delta [{self.name}.claim {' '.join(own)}]; shown ltac:({cuts}). Qed.",
        ]


def _at(closed: bool) -> str:
    return "<=" if closed else "<"
