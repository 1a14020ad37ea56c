"""Conclusions: what a claim says of the nodes, and whether the recomputed numbers prove it false."""

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Any

from flint import arb, fmpq

from .arrays import Array, broadcast, stretch, total
from .counts import MOST_DRAWS, Pool, probability
from .findings import demand, malformed
from .matrices import matrices, psd
from .numbers import (
    ONE,
    ZERO,
    Number,
    Truth,
    common,
    contrast,
    eq,
    every,
    finite,
    hull,
    integer,
    le,
    lt,
    mul,
    ne,
    negation,
    rational,
    sub,
    whole,
)  # fmt: skip
from .program import Tape
from .reading import Pair, Reading
from .sampled import sampled, sampled_mean, sampled_rate
from .work import arithmetic, on_rationals, spend

Conclusion = dict[str, Any]
DEEPEST_EVENT = 50
EVENT = 20
"""What an event or a hypothesis takes besides its entries."""

NEAR = fmpq(1, 2**50)
RARE = fmpq(1, 10**4)


def near(x: Number, y: Number) -> Truth:
    """Within 2^-50 of each other."""
    return le(abs(sub(x, y)), NEAR) if finite(x) and finite(y) else None


def integral(x: Number) -> Truth:
    """Is it an integer?"""
    if not finite(x):
        return None
    if isinstance(x, fmpq):
        return bool(x.q == 1)
    return True if arb(x).is_integer() else None if arb(x).contains_integer() else False


EVENTS: dict[str, Callable[[Number, Number], Truth]] = {"le": le, "lt": lt, "eq": eq, "ne": ne}
RELATIONS: dict[str, Callable[[Number, Number], Truth]] = {**EVENTS, "near": near}
VIOLATIONS = {
    "le": (lambda x, y: lt(y, x), ">"), "ge": (lt, "<"), "eq": (ne, "!="), "lt": (lambda x, y: le(y, x), ">="), "gt": (le, "<="),
}  # fmt: skip


def hypothesis(tape: Tape, given: dict[str, Any]) -> Truth:
    """Does the hypothesis hold for every entry, at every atom?"""
    relation, args = given["relation"], given["args"]
    demand(isinstance(args, list), 'a hypothesis has a "relation" and "args"')
    if relation in ("psd", "whole"):
        (j,) = args
        array = tape.node(j)
        demand(len(array.data) > 0, "nothing is said of an empty array")
        if relation == "whole":
            spend(len(array.data))
            return every(map(integral, array.data))
        demand(len(array.shape) >= 2 + tape.varies(j), "what is PSD is a matrix, or one at each atom")
        return every(psd(matrix) for matrix in matrices(array, array.shape[:-2]))
    holds = RELATIONS.get(relation)
    if holds is None:
        raise malformed(f"unknown relation {str(relation)[:40]!r}")
    x, y = tape.pair(*args)
    return every(_compared(holds, x, y))


def _compared(holds: Callable[[Number, Number], Truth], x: Array, y: Array) -> list[Truth]:
    """A relation, entry by entry."""
    shape = broadcast(x.shape, y.shape)
    spend(EVENT + prod(shape) * (arithmetic() + on_rationals(x.height + y.height)))
    return list(map(holds, stretch(x, shape), stretch(y, shape)))


def conclude(tape: Tape, conclusion: Conclusion) -> Reading:
    """Recompute the conclusion; raises Rejection if it is malformed."""
    kind = conclusion["kind"]
    if kind not in KINDS:
        raise malformed(f"unknown kind of conclusion {str(kind)[:40]!r}")
    return KINDS[kind](tape, conclusion)


def _entrywise(tape: Tape, conclusion: Conclusion) -> Reading:
    """An atom of probability 0 violates nothing."""
    i, j = conclusion["args"]
    lhs, rhs = tape.pair(i, j)
    group = tape.common_group((i, j))
    demand(group in (0, None), "a random side belongs to the first group of draws")
    weights = [ONE] if group is None else tape.weights()
    violates, mark = VIOLATIONS[{"equal": "eq", "less": "lt"}.get(conclusion["kind"], "le")]
    shape = broadcast(lhs.shape, rhs.shape)
    spend(prod(shape) * 2 * (arithmetic() + on_rationals(lhs.height + rhs.height)))
    pairs = list(zip(stretch(lhs, shape), stretch(rhs, shape), strict=True))
    each = max(1, len(pairs) // len(weights))
    truths = [every([violates(x, y), lt(ZERO, weights[k // each])]) for k, (x, y) in enumerate(pairs)]
    certain = [pair for pair, truth in zip(pairs, truths, strict=True) if truth]
    violated = negation(every(map(negation, truths)))
    return Reading(violated, _sentence(certain, mark), certain)


def _sentence(pairs: list[Pair], mark: str) -> str:
    if not pairs:
        return "no entry violates the claim"
    left, right = contrast(*max(pairs, key=lambda pair: abs(sub(*pair))))
    return f"lhs = {left} {mark} {right} = rhs"


def _quadratic(array: Array, witness: Any) -> Number:
    """x^T A x for a square matrix A and an exact witness x."""
    demand(isinstance(witness, list), "a witness is a list of numbers")
    x = [rational(value) for value in witness]
    demand(array.shape == (len(x), len(x)) and bool(x), "the witness does not fit the matrix")
    demand(any(value != 0 for value in x), "the witness is the zero vector")
    spend(len(x) ** 2 * 3 * (arithmetic() + on_rationals(array.tall + 2 * common(x))))
    (matrix,) = matrices(array)
    return total([mul(mul(x[i], x[j]), value) for i, row in enumerate(matrix) for j, value in enumerate(row)])


def _order(A: Array, B: Array, witness: object) -> Reading:
    left, right = _quadratic(A, witness), _quadratic(B, witness)
    a, b = contrast(left, right)
    return Reading(lt(right, left), f"x^T A x = {a} > {b} = x^T B x", [(left, right)])


def _loewner(tape: Tape, conclusion: Conclusion) -> Reading:
    i, j = conclusion["args"]
    return _order(tape.fixed(i), tape.fixed(j), conclusion["witness"])


def _event(tape: Tape, event: Any, depth: int = 0) -> list[Truth]:
    """Three-valued: does the event hold at each atom?"""
    demand(isinstance(event, dict) and len(event) == 1 and depth < DEEPEST_EVENT, "malformed event")
    ((name, operands),) = event.items()
    if name in EVENTS:
        return _comparison(tape, EVENTS[name], operands)
    if name == "not":
        return [negation(truth) for truth in _event(tape, operands, depth + 1)]
    demand(name in ("and", "or") and isinstance(operands, list) and len(operands) > 0, "malformed event")
    spend(len(operands) * (EVENT + len(tape.weights())))
    columns = zip(*(_event(tape, operand, depth + 1) for operand in operands), strict=True)
    if name == "and":
        return [every(column) for column in columns]
    return [negation(every(map(negation, column))) for column in columns]


def _comparison(tape: Tape, relation: Callable[[Number, Number], Truth], operands: Any) -> list[Truth]:
    """At each atom: are all entries so related?"""
    i, j = operands
    truths, atoms = _compared(relation, *tape.pair(i, j)), len(tape.weights())
    group = tape.common_group((i, j))
    if group is None:
        return [every(truths)] * atoms
    demand(group == 0, "an event belongs to the first group of draws")
    size = len(truths) // atoms
    return [every(truths[a * size : (a + 1) * size]) for a in range(atoms)]


def _probability(tape: Tape, conclusion: Conclusion) -> Reading:
    """Atoms that the balls cannot decide count for neither side."""
    bound, truths = tape.fixed(conclusion["bound"]).scalar, _event(tape, conclusion["event"])
    spend(len(truths) * (2 * arithmetic() + on_rationals(common(tape.weights()))))
    low = total([w for w, truth in zip(tape.weights(), truths, strict=True) if truth is True])
    high = sub(ONE, total([w for w, truth in zip(tape.weights(), truths, strict=True) if truth is False]))
    return _crossing(low, high, bound, conclusion["relation"])


def _crossing(low: Number, high: Number, bound: Number, relation: str) -> Reading:
    """A probability between low and high against the claimed bound."""
    violates, mark = VIOLATIONS[relation]
    demand(relation in ("ge", "le", "gt", "lt"), "a probability is compared by ge, le, gt or lt")
    near, far = (high, low) if relation in ("ge", "gt") else (low, high)
    outcome = True if violates(near, bound) else False if violates(far, bound) is False else None
    a, b = _probabilities(near, bound)
    value = hull(low, high)
    return Reading(outcome, f"P(event) {mark[0]}= {a} {mark} {b}", [(value, bound)], value)


def _probabilities(seen: Number, bound: Number) -> list[str]:
    """Both as they are told; one near 1 by what it lacks, `1 - 1.1e-10`."""
    lacks = [sub(ONE, x) for x in (seen, bound)]
    told = zip(lacks, contrast(seen, bound), contrast(*lacks), strict=True)
    return [f"1 - {lack}" if le(abs(x), RARE) is True and eq(x, ZERO) is False else text for x, text, lack in told]


def _counts(tape: Tape, conclusion: Conclusion) -> Reading:
    Z = tape.fixed(conclusion["Z"])
    demand(len(Z.shape) == 2 and min(Z.shape) > 0, "Z is a matrix")
    (matrix,) = matrices(Z)
    p, q = (tape.fixed(conclusion[key]).data for key in ("p", "q"))
    demand(len(p) == len(q) == Z.shape[1], "p and q have one entry for each column of Z")
    lam, eps, bound = (tape.fixed(conclusion[key]).scalar for key in ("lam", "eps", "bound"))
    demand(type(conclusion["two_sided"]) is bool, '"two_sided" is true or false')
    s, nlam = _draws(tape, conclusion["s"]), mul(fmpq(Z.shape[0]), lam)
    if s is None:
        return Reading(None, "s is not certainly an integer", [])
    high, decided = probability(Pool(matrix, p, q, nlam, s, eps, conclusion["two_sided"]))
    reading = _crossing(high if decided else ZERO, high, bound, "ge")
    return replace(reading, pairs=[(high, bound)], probability=high)


def _draws(tape: Tape, s: object) -> int | None:
    """The number of features, unless a node leaves it open."""
    value = whole(tape.fixed(s["node"]).scalar) if isinstance(s, dict) else s
    return None if isinstance(s, dict) and value is None else integer(value, 1, MOST_DRAWS)


KINDS: dict[str, Callable[[Tape, Conclusion], Reading]] = {
    "at_most": _entrywise,
    "equal": _entrywise,
    "less": _entrywise,
    "loewner": _loewner,
    "probability": _probability,
    "counts": _counts,
    "sampled": sampled,
    "sampled_mean": sampled_mean,
    "sampled_rate": sampled_rate,
}
