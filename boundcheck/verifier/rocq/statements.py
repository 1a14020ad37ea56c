"""Hypotheses and conclusions of certificates: what each says for all inputs, and that it holds or fails at one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from flint import arb, fmpq

from boundcheck.verifier.limits import CHUNK
from boundcheck.verifier.matrices import matrices
from boundcheck.verifier.numbers import (
    ONE,
    Number,
    Truth,
    eq,
    le,
    lt,
    ne,
    whole,
)
from boundcheck.verifier.rocq.programs import (
    Program,
    Square,
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


def _pairs(program: Program, i: int, j: int) -> list[tuple[Term, Term]]:
    return program.tape.pairs((i, j))


def _names(*terms: Term) -> list[str]:
    return [name for term in terms for name in term.names]


def every(said: Iterable[str]) -> str:
    return " /\\ ".join(f"({text})" for text in said)


def conjoined(lemmas: Sequence[str]) -> str:
    """The proof of a conjunction by those of its parts."""
    *first, last = lemmas
    return (
        "".join(f"(conj {lemma} " for lemma in first) + last + ")" * len(first)
    )


# --- hypotheses


def _matrices(program: Program, j: int) -> list[Square]:
    x = program.tape.operand(j)
    return matrices(x, x.shape[:-2])


def hypothesis(program: Program, given: dict[str, Any]) -> list[str]:
    """What a hypothesis says, entry by entry; of matrices as functions of two indices."""
    relation, args = given["relation"], given["args"]
    if relation == "psd":
        return [
            f"psd {len(a)} (matrix {len(a)} ({' :: '.join([x.text for row in a for x in row] + ['nil'])}))"
            for a in _matrices(program, *args)
        ]
    if relation == "whole":
        return [f"whole {x.text}" for x in program.terms(*args)]
    if relation not in RELATIONS:
        raise CannotFormalize(
            f"a hypothesis says {relation!r}, which has no words in Rocq here yet."
        )
    return [
        RELATIONS[relation].format(x.text, y.text)
        for x, y in _pairs(program, *args)
    ]


def supposed(program: Program, k: int, given: dict[str, Any]) -> str:
    """Define hypothesis k and prove it at the instance: its name, and that of the lemma."""
    relation, args = given["relation"], given["args"]
    name, theory = f"hypothesis_{k}", program.theory
    said = hypothesis(program, given)
    theory.say(name, "Prop", every(said))
    if relation == "psd":
        prove = [_definite(a) for a in _matrices(program, *args)]
    elif relation == "whole":
        prove = _wholes(program.terms(*args))
    else:
        prove = [
            (_apart(*pair) if relation == "ne" else "", pair)
            for pair in _pairs(program, *args)
        ]
    lemmas = [f"{name}_{j}" for j in range(len(said))]
    for lemma, text, (opening, terms) in zip(lemmas, said, prove, strict=True):
        theory.prove(
            lemma, text, _names(*terms), opening, relation in ("whole", "eq")
        )
    theory.proof.append(f"Lemma {name}_holds : {name}.")
    theory.proof.append(f"Proof. exact {conjoined(lemmas)}. Qed.")
    return name


Lemmas = list[tuple[str, tuple[Term, ...]]]
"""What each proof begins with, and the terms that it is about."""


def _wholes(terms: Sequence[Term]) -> Lemmas:
    """The integers that terms are proved to be."""
    known = [whole(x.value) for x in terms]
    if None in known:
        raise CannotFormalize("a number is not proved to be whole.")
    return [
        (f"exists {parenthesised(k or 0)}%Z; ", (x,))
        for k, x in zip(known, terms, strict=True)
    ]


def _apart(x: Term, y: Term) -> str:
    """The order of two numbers, from which it follows that they differ."""
    if x.value < y.value:
        return "apply Rlt_not_eq; "
    if y.value < x.value:
        return "apply not_eq_sym, Rlt_not_eq; "
    raise CannotFormalize("two numbers are not told apart by their bounds.")


def _definite(a: Square) -> tuple[str, tuple[Term, ...]]:
    """x'Ax is a sum of squares by A = L D L'."""
    squares = "".join(
        f"assert (0 <= {literal(d).text} * ({y} * {y})) by (apply square_is_positive; lra); "
        for d, y in ((d, _linear(row)) for d, row in _squares(a))
    )
    opening = (
        f"split; [symmetric {len(a)}%nat | intros x; written; {squares}idtac]; "
    )
    return opening, tuple(x for row in a for x in row)


def _linear(row: Sequence[fmpq]) -> str:
    parts = (f"{literal(c).text} * x {j}%nat" for j, c in enumerate(row) if c)
    return f"({' + '.join(parts)})"


def _squares(a: Square) -> list[tuple[fmpq, list[fmpq]]]:
    """d >= 0 and l with x'Ax = sum d (l x)^2."""
    # A sum of squares with rational coefficients is an identity that `lra` checks; with bounds it would be none.
    if not all(x.exact for row in a for x in row):
        raise CannotFormalize(
            "a matrix is positive semidefinite up to its bounds."
        )
    rest = [[fmpq(str(x.value)) for x in row] for row in a]
    found, n = [], len(a)
    for k in range(n):
        d = rest[k][k]
        if d < 0 or (d == 0 and any(rest[k])):
            raise CannotFormalize(
                "a matrix is positive semidefinite up to its bounds."
            )
        if d:
            row = [x / d for x in rest[k]]
            found.append((d, row))
            rest = [
                [rest[i][j] - d * row[i] * row[j] for j in range(n)]
                for i in range(n)
            ]
    return found


RELATIONS = {
    "le": "{} <= {}",
    "lt": "{} < {}",
    "eq": "{} = {}",
    "ne": "{} <> {}",
    "near": "Rabs ({} - {}) <= / 2 ^ 50",
}

# --- conclusions: each defines the part, and gives what ends the proof of False from `part`


def entries(program: Program, conclusion: dict[str, Any]) -> list[str]:
    """What is said of all entries, at all atoms of positive probability."""
    if conclusion["kind"] not in ENTRYWISE:
        raise CannotFormalize(
            f"its conclusion is {conclusion['kind']!r}, which has no words here yet."
        )
    pairs, weights = _at_atoms(program, conclusion)
    said, each = ENTRYWISE[conclusion["kind"]][0], len(pairs) // len(weights)
    texts = [said.format(x.text, y.text) for x, y in pairs]
    if len(weights) == 1:
        return texts
    return [
        f"0 < {weights[k // each].text} -> {t}" for k, t in enumerate(texts)
    ]


def _at_atoms(
    program: Program, conclusion: dict[str, Any]
) -> tuple[list[tuple[Term, Term]], list[Term]]:
    """Both sides entry by entry, and the weights of the atoms that they are at, one after the other."""
    i, j = conclusion["args"]
    group = program.tape.common_group((i, j))
    weights = [literal(ONE)] if group is None else program.weights(group)
    return _pairs(program, i, j), weights


def entrywise(program: Program, name: str, conclusion: dict[str, Any]) -> str:
    """All entries; it fails most clearly at one of them."""
    theory = program.theory
    said, opening, order = ENTRYWISE[conclusion["kind"]]
    pairs, weights = _at_atoms(program, conclusion)
    each = len(pairs) // len(weights)
    there = [w.value > 0 for w in weights]
    found = [
        (n, *pair)
        for n, pair in enumerate(pairs)
        if order(*pair) and there[n // each]
    ]
    if not found:
        raise CannotFormalize("the violation is narrower than its bounds.")
    n, x, y = max(
        found,
        key=lambda item: abs(arb(item[1].value) - arb(item[2].value)).mid(),
    )
    theory.say(name, "Prop", every(entries(program, conclusion)))
    theory.prove(
        "violated", f"~ ({said.format(x.text, y.text)})", _names(x, y), opening
    )
    taken = f"pose proof part as {_chosen(n, len(pairs))}; exact (violated "
    if len(weights) == 1:
        return taken + "c)"
    # The conclusion speaks of atoms of positive probability, and so its failure needs one: the weight is proved positive.
    weight = weights[n // each]
    theory.prove("possible", f"0 < {weight.text}", weight.names)
    return taken + "(c possible))"


def _chosen(n: int, of: int) -> str:
    """The pattern that names entry n of a conjunction c."""
    last = "c" if n + 1 == of else "[c _]"
    return "[_ " * n + last + "]" * n if of > 1 else "c"


def probable(program: Program, name: str, conclusion: dict[str, Any]) -> str:
    """P(event), the weights of the atoms at which it holds, against its bound."""
    (bound,), weights = program.terms(conclusion["bound"]), program.weights(0)
    theory = program.theory
    theory.note("1 at the atoms where the event holds, 0 at the others")
    events = (
        _event(program, conclusion["event"], a, len(weights))
        for a in range(len(weights))
    )
    holds = [_indicator(theory, a, event) for a, event in enumerate(events)]
    parts = [mul(w, i) for w, i in zip(weights, holds, strict=True)]
    chunks = [total(parts[k : k + CHUNK]) for k in range(0, len(parts), CHUNK)]
    named = [
        theory.define(f"probability_of_part_{k}", chunk)
        for k, chunk in enumerate(chunks)
    ]
    theory.note("the conclusion")
    chance = theory.define("probability", total(named))
    sign, opening = PROBABILITIES[conclusion["relation"]]
    said = f"probability {sign} {bound.text}"
    theory.say(name, "Prop", said)
    theory.prove("violated", f"~ ({said})", _names(chance, bound), opening)
    return "exact (violated part)"


def _indicator(theory: Theory, a: int, event: Term) -> Term:
    # A ball that cannot tell makes [0, 1], which is true of any indicator; the probability is then enclosed more widely.
    value = event.value if event.exact else arb(0).union(arb(1))
    return theory.define(
        f"holds_{a}", Term(event.text, value, event.names, "unfold one_if; ")
    )


def _event(program: Program, event: dict[str, Any], a: int, atoms: int) -> Term:
    """1 where the event holds at an atom, 0 where it does not, as a term."""
    ((name, operands),) = event.items()
    if name == "not":
        return sub(literal(ONE), _event(program, operands, a, atoms))
    if name == "and":
        return _product(
            [_event(program, operand, a, atoms) for operand in operands]
        )
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


EVENTS: dict[str, tuple[str, Callable[[Number, Number], Truth]]] = {
    "le": ("(one_if (Rle_dec {} {}))", le),
    "lt": ("(one_if (Rlt_dec {} {}))", lt),
    "eq": ("(one_if (Req_EM_T {} {}))", eq),
    "ne": ("(1 - one_if (Req_EM_T {} {}))", ne),
}
PROBABILITIES = {
    "ge": (">=", "apply Rlt_not_ge; "),
    "le": ("<=", "apply Rlt_not_le; "),
    "gt": (">", "apply Rle_not_gt; "),
    "lt": ("<", "apply Rle_not_lt; "),
}
ENTRYWISE: dict[str, tuple[str, str, Callable[[Term, Term], Truth]]] = {
    "at_most": (
        "{} <= {}",
        "apply Rlt_not_le; ",
        lambda x, y: lt(y.value, x.value),
    ),
    "less": (
        "{} < {}",
        "apply Rle_not_lt; ",
        lambda x, y: le(y.value, x.value),
    ),
    "equal": (
        "{} = {}",
        "intros h; revert h; ",
        lambda x, y: ne(x.value, y.value),
    ),
}
CONCLUSIONS = {
    "at_most": entrywise,
    "equal": entrywise,
    "less": entrywise,
    "probability": probable,
}
