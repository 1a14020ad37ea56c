"""Conclusions: what a claim says of the nodes, and whether the recomputed numbers prove it false."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flint import fmpq

from .arrays import Array, average, broadcast, stretch, total
from .counts import MOST_DRAWS, Pool, probability
from .findings import demand, malformed
from .matrices import matrices, psd
from .numbers import (
    ONE,
    ZERO,
    Number,
    Truth,
    contrast,
    eq,
    every,
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

Conclusion = dict[str, Any]
DEEPEST_EVENT = 50


RELATIONS: dict[str, Callable[[Number, Number], Truth]] = {"le": le, "lt": lt, "eq": eq, "ne": ne}
VIOLATIONS = {
    "le": (lambda x, y: lt(y, x), ">"),
    "ge": (lt, "<"),
    "eq": (ne, "!="),
    "lt": (lambda x, y: le(y, x), ">="),
    "gt": (le, "<="),
}


def hypothesis(tape: Tape, given: dict[str, Any]) -> Truth:
    """Does the hypothesis hold for every entry?"""
    arrays = [tape.node(j) for j in given["args"]]
    if given["relation"] == "psd":
        (array,) = arrays
        return every(psd(matrix) for matrix in matrices(array, array.shape[:-2]))
    x, y = arrays
    shape, holds = broadcast(x.shape, y.shape), RELATIONS[given["relation"]]
    return every(map(holds, stretch(x, shape), stretch(y, shape)))


def conclude(tape: Tape, conclusion: Conclusion) -> Reading:
    """Recompute the conclusion; raises Rejection if it is malformed."""
    kind = conclusion["kind"]
    if kind not in KINDS:
        raise malformed(f"unknown kind of conclusion {str(kind)[:40]!r}")
    return KINDS[kind](tape, conclusion)


def _entrywise(tape: Tape, conclusion: Conclusion) -> Reading:
    """An atom of probability 0 violates nothing."""
    i, j = conclusion["args"]
    relation = {"equal": "eq", "less": "lt"}.get(conclusion["kind"], "le")
    demand({tape.group(i), tape.group(j)} <= {0, None}, "a random side belongs to the first group of draws")
    weights = tape.weights if tape.varies(i) or tape.varies(j) else [ONE]
    return _compare(tape.node(i), tape.node(j), relation, weights)


def _compare(lhs: Array, rhs: Array, relation: str, weights: Sequence[Number] = (ONE,)) -> Reading:
    violates, mark = VIOLATIONS[relation]
    shape = broadcast(lhs.shape, rhs.shape)
    pairs = list(zip(stretch(lhs, shape), stretch(rhs, shape), strict=True))
    each = max(1, len(pairs) // len(weights))
    demand(len(weights) == 1 or shape[:1] == (len(weights),), "a random node without the axis of the atoms")
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
    (matrix,) = matrices(array)
    return total([mul(mul(x[i], x[j]), value) for i, row in enumerate(matrix) for j, value in enumerate(row)])


def _order(A: Array, B: Array, witness: Any) -> Reading:
    left, right = _quadratic(A, witness), _quadratic(B, witness)
    a, b = contrast(left, right)
    return Reading(lt(right, left), f"x^T A x = {a} > {b} = x^T B x", [(left, right)])


def _loewner(tape: Tape, conclusion: Conclusion) -> Reading:
    i, j = conclusion["args"]
    return _order(tape.fixed(i), tape.fixed(j), conclusion["witness"])


def _mean(tape: Tape, j: Any) -> Array:
    """The expectation of a node over the atoms."""
    demand(tape.group(j) in (0, None), "an expectation belongs to the first group of draws")
    return average(tape.node(j), tape.weights) if tape.varies(j) else tape.node(j)


def _expectation(tape: Tape, conclusion: Conclusion) -> Reading:
    return _compare(_mean(tape, conclusion["arg"]), tape.fixed(conclusion["bound"]), conclusion["relation"])


def _expectation_loewner(tape: Tape, conclusion: Conclusion) -> Reading:
    mean, bound = _mean(tape, conclusion["arg"]), tape.fixed(conclusion["bound"])
    demand(conclusion["relation"] in ("le", "ge"), "an order is le or ge")
    pair = (mean, bound) if conclusion["relation"] == "le" else (bound, mean)
    return _order(*pair, conclusion["witness"])


def _event(tape: Tape, event: Any, depth: int = 0) -> list[Truth]:
    """Three-valued: does the event hold at each atom?"""
    demand(isinstance(event, dict) and len(event) == 1 and depth < DEEPEST_EVENT, "malformed event")
    ((name, operands),) = event.items()
    if name in ("le", "lt"):
        return _comparison(tape, RELATIONS[name], operands)
    if name == "not":
        return [negation(truth) for truth in _event(tape, operands, depth + 1)]
    demand(name in ("and", "or") and isinstance(operands, list) and len(operands) > 0, "malformed event")
    columns = zip(*(_event(tape, operand, depth + 1) for operand in operands), strict=True)
    if name == "and":
        return [every(column) for column in columns]
    return [negation(every(map(negation, column))) for column in columns]


def _comparison(tape: Tape, relation: Callable[[Number, Number], Truth], operands: Any) -> list[Truth]:
    i, j = operands
    x, y, atoms = tape.node(i), tape.node(j), len(tape.weights)
    shape = broadcast(x.shape, y.shape)
    truths = list(map(relation, stretch(x, shape), stretch(y, shape)))
    if not (tape.varies(i) or tape.varies(j)):
        return [every(truths)] * atoms
    demand({tape.group(i), tape.group(j)} <= {0, None}, "an event belongs to the first group of draws")
    demand(shape[:1] == (atoms,), "an event without the axis of the atoms")
    size = len(truths) // atoms
    return [every(truths[a * size : (a + 1) * size]) for a in range(atoms)]


def _probability(tape: Tape, conclusion: Conclusion) -> Reading:
    """Atoms that the balls cannot decide count for neither side."""
    bound, truths = tape.fixed(conclusion["bound"]).scalar, _event(tape, conclusion["event"])
    low = total([w for w, truth in zip(tape.weights, truths, strict=True) if truth is True])
    high = sub(ONE, total([w for w, truth in zip(tape.weights, truths, strict=True) if truth is False]))
    return _crossing(low, high, bound, conclusion["relation"])


def _crossing(low: Number, high: Number, bound: Number, relation: str) -> Reading:
    """A probability between low and high against the claimed bound."""
    violates, mark = VIOLATIONS[relation]
    demand(relation in ("ge", "le", "gt", "lt"), "a probability is compared by ge, le, gt or lt")
    near, far = (high, low) if relation in ("ge", "gt") else (low, high)
    outcome = True if violates(near, bound) else False if violates(far, bound) is False else None
    a, b = contrast(near, bound)
    value = hull(low, high)
    return Reading(outcome, f"P(event) {mark[0]}= {a} {mark} {b}", [(value, bound)], value)


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


def _draws(tape: Tape, s: Any) -> int | None:
    """The number of features, unless a node leaves it open."""
    value = whole(tape.fixed(s["node"]).scalar) if isinstance(s, dict) else s
    return None if isinstance(s, dict) and value is None else integer(value, 1, MOST_DRAWS)


KINDS: dict[str, Callable[[Tape, Conclusion], Reading]] = {
    "at_most": _entrywise,
    "equal": _entrywise,
    "less": _entrywise,
    "loewner": _loewner,
    "probability": _probability,
    "expectation": _expectation,
    "expectation_loewner": _expectation_loewner,
    "counts": _counts,
    "sampled": sampled,
    "sampled_mean": sampled_mean,
    "sampled_rate": sampled_rate,
}
