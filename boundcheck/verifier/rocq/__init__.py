"""A certificate as a theorem of Rocq, that the claim fails at the instance, its proof, and what coqc says of it.

The file defines each node of the program as a real number, proves of each a value or bounds by `lra` and
`interval`, and from these the hypotheses and that the conclusion fails. Nothing is computed beforehand but
what the proof is told.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flint import arb, ctx, fmpq

from boundcheck.verifier import verify
from boundcheck.verifier.arrays import broadcast
from boundcheck.verifier.findings import Rejection, allowance
from boundcheck.verifier.laws import groups
from boundcheck.verifier.numbers import (
    ONE,
    ZERO,
    Number,
    Truth,
    eq,
    le,
    lt,
    ne,
    whole,
)
from boundcheck.verifier.program import run
from boundcheck.verifier.rocq.programs import (
    Program,
    Square,
    determinant,
    matrices,
    parenthesised,
)
from boundcheck.verifier.rocq.terms import (
    CannotFormalize,
    Term,
    Theory,
    literal,
    mul,
    sub,
    total,
)

BITS = (100, 300)
SPARE = 40
"""Bits that `interval` has beyond those of the bounds."""
PRELUDE = Path(__file__).with_name("prelude.v")
HEADER = """(* {id}, {source}, refuted.

{statement}

   Proved below: at the instance whose inputs are the first definitions, the hypotheses hold and the
   conclusion does not, for the real numbers that the definitions name, each by its meaning: a solution of a
   linear system by Cramer's rule, eigenvalues of two rows by the quadratic formula, an expectation or probability
   as a sum over all atoms. Not proved: that this program is the statement above, and that the statement is the
   paper's; for the first, compare them, or ask `boundcheck verify`.

   coqc {file}.v, with coq-interval. *)

"""


def formalized(certificate: dict[str, Any], file: str = "refuted") -> str:
    """The text of the Rocq file. Raises Rejection unless the certificate is confirmed, CannotFormalize."""
    finding = verify(certificate)
    if not finding.confirmed:
        raise Rejection(finding.outcome, finding.sentence)
    if "set" in certificate:
        raise CannotFormalize("a proof on a set has no words in Rocq yet.")
    kind = certificate["conclusion"]["kind"]
    if kind not in CONCLUSIONS:
        trials = "it rests on recorded trials, which are no theorem."
        wordless = f"its conclusion is {kind!r}, which has no words here yet."
        raise CannotFormalize(trials if kind.startswith("sampled") else wordless)
    doubt = CannotFormalize("no precision is given.")
    for bits in BITS:
        try:
            return _at(bits, certificate, file)
        except CannotFormalize as reason:
            doubt = reason
    raise doubt


def _at(bits: int, certificate: dict[str, Any], file: str) -> str:
    """The file with bounds of so many bits."""
    claim, theory = certificate["claim"], Theory(bits)
    with allowance(), ctx.workprec(2 * bits):
        tape = run(certificate["program"], groups(certificate["laws"]))
        program = Program(theory, tape)
        program.define()
        given = [
            _hypothesis(program, k, item)
            for k, item in enumerate(certificate["hypotheses"])
        ]
        conclusion = CONCLUSIONS[certificate["conclusion"]["kind"]](
            program, certificate["conclusion"]
        )
    lemmas = [pair for named in (*given, conclusion) for pair in named]
    theory.say(
        "\nTheorem refuted :\n  "
        + " /\\\n  ".join(f"({said})" for _, said in lemmas)
        + "."
    )
    *first, (last, _) = lemmas
    theory.say(
        "Proof. "
        + "".join(f"split; [exact {name} |]. " for name, _ in first)
        + f"exact {last}. Qed."
    )
    theory.say("Print Assumptions refuted.")
    statement = "\n".join(
        "   " + line for line in _comment(str(claim["statement"])).splitlines()
    )
    words = {name: _comment(str(claim[name])) for name in ("id", "source")} | {
        "statement": statement
    }
    prelude = PRELUDE.read_text(encoding="utf-8").replace(
        "PRECISION", str(bits + SPARE)
    )
    return "\n".join([HEADER.format(**words, file=file), prelude, *theory.lines, ""])


def _comment(text: str) -> str:
    """What may stand in a comment of Rocq."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def _pairs(program: Program, i: int, j: int) -> list[tuple[Term, Term]]:
    x, y = program.nodes[i], program.nodes[j]
    shape = broadcast(x.shape, y.shape)
    return list(zip(x.over(shape), y.over(shape), strict=True))


def _hypothesis(
    program: Program, k: int, given: dict[str, Any]
) -> list[tuple[str, str]]:
    """Prove a hypothesis entry by entry: the lemmas and what they say."""
    relation, args = given["relation"], given["args"]
    if relation == "whole":
        terms = program.terms(*args)
        lemmas = [
            (f"exists k : Z, {x.text} = IZR k", f"exists {_whole(x)}%Z; ", (x,))
            for x in terms
        ]
    elif relation == "psd":
        lemmas = [
            lemma
            for a in matrices(program.nodes[args[0]])
            for lemma in _positive_semidefinite(a)
        ]
    elif relation in RELATIONS:
        lemmas = [
            (RELATIONS[relation].format(x.text, y.text), "", (x, y))
            for x, y in _pairs(program, *args)
        ]
    else:
        raise CannotFormalize(
            f"a hypothesis says {relation!r}, which has no words in Rocq here yet."
        )
    program.theory.say(f"\n(* hypothesis {k} *)")
    named = []
    for j, (said, opening, terms) in enumerate(lemmas):
        name = f"hypothesis_{k}" + (f"_{j}" if len(lemmas) > 1 else "")
        program.theory.prove(
            name, said, _names(*terms), opening, relation in ("whole", "eq")
        )
        named.append((name, said))
    return named


def _positive_semidefinite(a: Square) -> list[tuple[str, str, tuple[Term, ...]]]:
    """It is symmetric, and no principal minor is negative: Sylvester's criterion."""
    rows = range(len(a))
    mirrored = [(a[i][j], a[j][i]) for j in rows for i in range(j)]
    chosen = [s for k in rows for s in combinations(rows, k + 1)]
    minors = [determinant([[a[i][j] for j in s] for i in s]) for s in chosen]
    if not all(
        x.text == y.text or (x.exact and y.exact) for x, y in mirrored
    ) or not all(m.value >= 0 for m in minors):
        raise CannotFormalize(
            "that a matrix is positive semidefinite is narrower than its bounds."
        )
    symmetric = [(f"{x.text} = {y.text}", "", (x, y)) for x, y in mirrored]
    return [*symmetric, *((f"0 <= {m.text}", "", (m,)) for m in minors)]


def _whole(x: Term) -> str:
    """The integer that a term is proved to be."""
    k = whole(x.value)
    if k is None:
        raise CannotFormalize("a number is not proved to be whole.")
    return parenthesised(k)


def _names(*terms: Term) -> list[str]:
    return [name for term in terms for name in term.names]


def _entrywise(program: Program, conclusion: dict[str, Any]) -> list[tuple[str, str]]:
    """The entry that is violated most clearly, at an atom of positive probability."""
    i, j = conclusion["args"]
    pairs, group = _pairs(program, i, j), program.tape.common_group((i, j))
    said, opening, order = ENTRYWISE[conclusion["kind"]]
    weights = [literal(ONE)] if group is None else program.weights(group)
    each = len(pairs) // len(weights)
    there = [lt(ZERO, w.value) for w in weights]
    found = [
        (n, *pair) for n, pair in enumerate(pairs) if order(*pair) and there[n // each]
    ]
    if not found:
        raise CannotFormalize("the violation is narrower than its bounds.")
    n, x, y = max(
        found, key=lambda item: abs(arb(item[1].value) - arb(item[2].value)).mid()
    )
    program.theory.say(f"\n(* the conclusion, entry {n} *)")
    program.theory.prove("violated", said.format(x.text, y.text), _names(x, y), opening)
    named = [("violated", said.format(x.text, y.text))]
    if group is not None:
        weight = weights[n // each]
        program.theory.prove("possible", f"0 < {weight.text}", weight.names)
        named.insert(0, ("possible", f"0 < {weight.text}"))
    return named


def _probability(program: Program, conclusion: dict[str, Any]) -> list[tuple[str, str]]:
    """P(event), the weights of the atoms at which it holds, against its bound."""
    (bound,), weights = program.terms(conclusion["bound"]), program.weights(0)
    program.theory.say("\n(* 1 at the atoms where the event holds, 0 at the others *)")
    events = (
        _event(program, conclusion["event"], a, len(weights))
        for a in range(len(weights))
    )
    holds = [_indicator(program, a, event) for a, event in enumerate(events)]
    parts = [mul(w, i) for w, i in zip(weights, holds, strict=True)]
    chunks = [total(parts[k : k + CHUNK]) for k in range(0, len(parts), CHUNK)]
    named = [
        program.theory.define(f"probability_of_part_{k}", chunk)
        for k, chunk in enumerate(chunks)
    ]
    program.theory.say("\n(* the conclusion *)")
    chance = program.theory.define("probability", total(named))
    said, opening = PROBABILITIES[conclusion["relation"]]
    program.theory.prove(
        "violated",
        said.format("probability", bound.text),
        _names(chance, bound),
        opening,
    )
    return [("violated", said.format("probability", bound.text))]


def _indicator(program: Program, a: int, event: Term) -> Term:
    value = event.value if event.exact else arb(0).union(arb(1))
    return program.theory.define(
        f"holds_{a}", Term(event.text, value, event.names), "unfold one_if; "
    )


def _event(program: Program, event: dict[str, Any], a: int, atoms: int) -> Term:
    """1 where the event holds at an atom, 0 where it does not, as a term."""
    ((name, operands),) = event.items()
    if name == "not":
        return sub(literal(ONE), _event(program, operands, a, atoms))
    if name == "and":
        return _product([_event(program, operand, a, atoms) for operand in operands])
    if name == "or":
        others = _product(
            [
                sub(literal(ONE), _event(program, operand, a, atoms))
                for operand in operands
            ]
        )
        return sub(literal(ONE), others)
    pairs = _pairs(program, *operands)
    if program.tape.common_group(operands) is not None:
        size = len(pairs) // atoms
        pairs = pairs[a * size : (a + 1) * size]
    return _product([_compared(name, x, y) for x, y in pairs])


def _product(terms: Sequence[Term]) -> Term:
    result = literal(ONE)
    for term in terms:
        result = mul(result, term)
    return result


def _compared(relation: str, x: Term, y: Term) -> Term:
    text, holds = EVENTS[relation]
    truth = holds(x.value, y.value)
    value: Number = arb(0).union(arb(1)) if truth is None else fmpq(int(truth))
    return Term(text.format(x.text, y.text), value, tuple(_names(x, y)))


CHUNK = 12
RELATIONS = {
    "le": "{} <= {}",
    "lt": "{} < {}",
    "eq": "{} = {}",
    "near": "Rabs ({} - {}) <= / 2 ^ 50",
}
EVENTS: dict[str, tuple[str, Callable[[Number, Number], Truth]]] = {
    "le": ("(one_if (Rle_dec {} {}))", le), "lt": ("(one_if (Rlt_dec {} {}))", lt),
    "eq": ("(one_if (Req_EM_T {} {}))", eq), "ne": ("(1 - one_if (Req_EM_T {} {}))", ne),
}  # fmt: skip
PROBABILITIES = {
    "ge": ("~ ({} >= {})", "apply Rlt_not_ge; "), "le": ("~ ({} <= {})", "apply Rlt_not_le; "),
    "gt": ("~ ({} > {})", "apply Rle_not_gt; "), "lt": ("~ ({} < {})", "apply Rle_not_lt; "),
}  # fmt: skip
ENTRYWISE: dict[str, tuple[str, str, Callable[[Term, Term], Truth]]] = {
    "at_most": (
        "~ ({} <= {})",
        "apply Rlt_not_le; ",
        lambda x, y: lt(y.value, x.value),
    ),
    "less": ("~ ({} < {})", "apply Rle_not_lt; ", lambda x, y: le(y.value, x.value)),
    "equal": ("~ ({} = {})", "intros h; revert h; ", lambda x, y: ne(x.value, y.value)),
}
CONCLUSIONS = {
    "at_most": _entrywise,
    "equal": _entrywise,
    "less": _entrywise,
    "probability": _probability,
}


# what Rocq's kernel says of a theorem: coqc of this machine, within some seconds, and on which axioms


ACCEPTED, TOO_LONG, REJECTED = "accepted", "too long", "rejected"
AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec", "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic",
}  # fmt: skip
"""Those on which Rocq's reals stand."""

ASSUMED = re.compile(r"^([^\s:]+)\s*(?::|$)", re.M)
INSTALL = (
    "install Rocq and coq-interval (Debian: coq and libcoq-interval), and run it again."
)
SAMPLE = """
Theorem refuted : 0 < sqrt 2.
Proof. enclosed. Qed.
Print Assumptions refuted.
"""


class NoCoqc(Exception):
    """No theorem can be checked here; the sentence says why and what to do."""


@dataclass(frozen=True)
class Coqc:
    """A coqc that has coq-interval, its version, and for how many seconds it may compute on a theorem."""

    program: str
    version: str
    seconds: int

    @classmethod
    def found(cls, seconds: int) -> Coqc:
        """The coqc of this machine, once it has accepted what all theorems begin with. Raises NoCoqc."""
        program = shutil.which("coqc")
        if program is None:
            raise NoCoqc(f"There is no coqc; {INSTALL}")
        said = subprocess.run(
            [program, "--print-version"], capture_output=True, text=True
        ).stdout.split()
        coqc = cls(program, said[0] if said else "of unknown version", seconds)
        outcome, reason = coqc.judged(
            PRELUDE.read_text(encoding="utf-8").replace("PRECISION", "100") + SAMPLE
        )
        if outcome != ACCEPTED:
            raise NoCoqc(
                f"{program} does not take what all theorems begin with ({reason or outcome}); {INSTALL}"
            )
        return coqc

    def judged(self, theorem: str) -> tuple[str, str]:
        """ACCEPTED, TOO_LONG, or REJECTED with the reason; so is what rests on other axioms."""
        with TemporaryDirectory(prefix="boundcheck-") as folder:
            file = Path(folder, "refuted.v")
            file.write_text(theorem, encoding="utf-8")
            done = subprocess.run(
                [self.program, "-q", file.name], cwd=folder, capture_output=True, text=True, errors="replace",
                preexec_fn=self._limit,
            )  # fmt: skip
        if done.returncode < 0:
            return TOO_LONG, ""
        if done.returncode:
            return REJECTED, " ".join(done.stderr.partition("Error:")[2].split())[
                :200
            ] or "no reason is given"
        _, listed, axioms = done.stdout.partition("Axioms:\n")
        strange = sorted(set(ASSUMED.findall(axioms)) - AXIOMS)
        if strange or not (listed or "Closed under the global context" in done.stdout):
            return (
                REJECTED,
                f"it rests on {', '.join(strange) or 'axioms that it does not name'}",
            )
        return ACCEPTED, ""

    def _limit(self) -> None:
        """Seconds of the processor, so that a busy machine takes none away."""
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 5))
