"""A certificate as a theorem of Rocq, that the claim is false for some inputs, its proof, and what coqc says of it.

The statement defines each node of the program as a function of the inputs, and the claim: for all inputs of
these shapes that satisfy the hypotheses, the conclusion. The proof is the instance: of each definition a value
or bounds there, by `lra` and `interval`, and from these the hypotheses and that the conclusion fails. Nothing is
computed beforehand but what the proof is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flint import ctx

from boundcheck.verifier import verify
from boundcheck.verifier.findings import Rejection, allowance
from boundcheck.verifier.laws import groups
from boundcheck.verifier.limits import ROCQ_BITS, SPARE
from boundcheck.verifier.rocq.programs import written
from boundcheck.verifier.rocq.proved import cases
from boundcheck.verifier.rocq.statements import (
    CONCLUSIONS,
    conjoined,
    every,
    supposed,
)
from boundcheck.verifier.rocq.terms import CannotFormalize, Theory

UNIVERSAL, ONE_SIZE, INSTANCE = "universal", "one size", "instance"
PRELUDE = Path(__file__).with_name("prelude.v")
ARITHMETIC = Path(__file__).with_name("arithmetic.v")
HEADER = """(* {id}, {source}, refuted: its {part}.

{statement}

   Proved below: it is not so that for all real numbers and arrays of numbers that are named, at the shapes, whole
   numbers and path of the certificate, the hypotheses imply the conclusion. Both are about the real numbers
   that the definitions name, each by its meaning: a solution of a linear system by Cramer's rule, eigenvalues of
   two rows by the quadratic formula, an expectation or probability as a sum over all atoms. Not proved: that this
   program is the statement above, and that the statement is the paper's; for the first, compare them, or ask
   `boundcheck verify`.

   coqc {file}.v, with coq-interval. *)

"""


PROVED = """(* {id}, {source}: {set}.

{statement}

   Proved below: for all inputs of the set{sizes}, case by case, that they take the path of the program, and where
   the hypotheses hold, {defined}. Whole numbers of a range are the
   real numbers that are whole. Not proved: that the programs are the statement above, and that the statement is
   the paper's; for the first, compare them, or ask `boundcheck verify`.

   coqc {file}.v, with coq-interval. *)

"""
SIZES = " at the sizes of one instance alone"
DEFINED = "that the operations are defined and the conclusion holds"
WHEREVER = "that the conclusion holds wherever the operations are defined"


@dataclass(frozen=True)
class Theorem:
    """The text of a statement, up to a definition of the claim, and that of a proof of `refuted : ~ claim`."""

    statement: str
    proof: str
    scope: str = ""
    """UNIVERSAL; ONE_SIZE where a proof is for every size and the theorem is not; INSTANCE where nothing is quantified:
    the certificate has no inputs but whole numbers."""

    searched: bool = False
    """Whether the claim itself is to be proved, by what Rocq finds."""

    @property
    def asked(self) -> tuple[str, str]:
        """What is to be proved, and what proves it."""
        proved = ("Statement.claim", "proved")
        return proved if self.searched else ("~ Statement.claim", "refuted")

    @property
    def text(self) -> str:
        """The whole file."""
        return (
            self.statement
            + self.proof
            + f"Print Assumptions {self.asked[1]}.\n"
        )


def formalized(certificate: dict[str, Any], file: str = "refuted") -> Theorem:
    """The theorem of a certificate. Raises Rejection unless it is confirmed, CannotFormalize."""
    finding = verify(certificate)
    if not finding.confirmed:
        raise Rejection(finding.outcome, finding.sentence)
    if "set" in certificate:
        return _proved(certificate, finding.sentence, file)
    kind = certificate["conclusion"]["kind"]
    if kind not in CONCLUSIONS:
        trials = "it rests on recorded trials, which are no theorem."
        wordless = f"its conclusion is {kind!r}, which has no words here yet."
        raise CannotFormalize(
            trials if kind.startswith("sampled") else wordless
        )
    doubt = CannotFormalize("no precision is given.")
    for bits in ROCQ_BITS:
        try:
            return _at(bits, certificate, file)
        except CannotFormalize as reason:
            doubt = reason
    raise doubt


def _proved(certificate: dict[str, Any], sentence: str, file: str) -> Theorem:
    """The theorem of a proof on a set, case by case."""
    found = cases(certificate)
    numbers = range(len(certificate["cases"]))
    words = _words(certificate["claim"], "") | {
        "set": _comment(sentence),
        "file": file,
        "sizes": SIZES if found.one_size else "",
        "defined": DEFINED if found.defined else WHEREVER,
    }
    claimed = every([f"Case_{k}.claim" for k in numbers])
    statement = [
        PROVED.format(**words),
        _prelude(ROCQ_BITS[0]),
        ARITHMETIC.read_text(encoding="utf-8"),
        *found.statements,
        f"Module Statement.\nDefinition claim : Prop := {claimed}.\nEnd Statement.\n\n",
    ]
    proof = [
        *found.proofs,
        "\nTheorem proved : Statement.claim.",
        f"Proof. exact {conjoined([f'case_{k}' for k in numbers])}. Qed.\n",
    ]
    scope = UNIVERSAL if found.quantified else INSTANCE
    scope = ONE_SIZE if found.one_size else scope
    return Theorem("\n".join(statement), "\n".join(proof), scope, True)


def _prelude(bits: int) -> str:
    text = PRELUDE.read_text(encoding="utf-8")
    return text.replace("PRECISION", str(bits + SPARE))


def _at(bits: int, certificate: dict[str, Any], file: str) -> Theorem:
    """The theorem by bounds of so many bits."""
    theory, conclusion = Theory(bits), certificate["conclusion"]
    part = f"part_{certificate['claim'].get('part', 0) + 1}"
    with allowance(), ctx.workprec(2 * bits):
        space = groups(certificate["laws"])
        program = written(theory, certificate["program"], space)
        theory.note("the hypotheses, and the part of the conclusion that fails")
        given = [
            supposed(program, k, item)
            for k, item in enumerate(certificate["hypotheses"])
        ]
        ending = CONCLUSIONS[conclusion["kind"]](program, part, conclusion)
    claimed = " -> ".join(map(theory.at, [*given, part]))
    quantified = f"forall{theory.binders()}, " if theory.inputs else ""
    statement = [
        HEADER.format(**_words(certificate["claim"], part), file=file),
        _prelude(bits),
        "Module Statement.\nSection Claim.",
        *theory.statement,
        "End Claim.",
        f"Definition claim : Prop := {quantified}{claimed}.",
        "End Statement.\n\n",
    ]
    witnesses = [*theory.inputs, *(f"{name}_holds" for name in given)]
    proof = [
        "(* the instance, and the value of each definition there *)",
        *theory.proof,
        "\nTheorem refuted : ~ Statement.claim.",
        f"Proof. intros claim; assert (part : {part}) by exact ({' '.join(['claim', *witnesses])}); {ending}. Qed.\n",
    ]
    scope = UNIVERSAL if theory.inputs else INSTANCE
    return Theorem("\n".join(statement), "\n".join(proof), scope)


def _words(claim: dict[str, Any], part: str) -> dict[str, str]:
    """What the header says of a claim."""
    lines = _comment(str(claim["statement"])).splitlines()
    return {
        **{name: _comment(str(claim[name])) for name in ("id", "source")},
        "statement": "\n".join(f"   {line}" for line in lines),
        "part": part.replace("_", " "),
    }


def _comment(text: str) -> str:
    """What may stand in a comment of Rocq."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
