"""By the verifier's own rules: numbers too close for floats to tell, and draws whose order matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from boundcheck.tape.program import Tape, promised, pruned
from boundcheck.verifier.arrays import broadcast, stretch
from boundcheck.verifier.conclusions import EVENTS, hypothesis
from boundcheck.verifier.findings import Rejection, allowance
from boundcheck.verifier.laws import groups
from boundcheck.verifier.numbers import negation
from boundcheck.verifier.operations import order
from boundcheck.verifier.program import ERRORS, run
from boundcheck.verifier.symmetry import FREE, Operands, Order, drawn

PRECISION = 212
NEAR = 2.0**-120
"""Balls so close together, relative to the largest number of the program, are of one number."""

SHORT = 16
"""Characters of a number that a text may have as it stands."""

MOST_LOOKS = 25
"""Looks of this kind at one program; each recomputes it."""

LITTLE = 400_000
"""Units of work that hypotheses of numbers that are given may take."""

SPELLED = {
    "le": ("le", False),
    "lt": ("lt", False),
    "ge": ("lt", True),
    "gt": ("le", True),
    "eq": ("eq", False),
    "ne": ("eq", True),
}


def refined(
    tape: Tape,
    nodes: Sequence[int],
    draws: Mapping[int, dict[str, Any]],
    bits: int = PRECISION,
) -> list[Any] | None:
    """The values of some nodes on other draws, in balls; None where that is too much or tells too little."""
    program, new = pruned(tape, nodes)
    for k in draws.keys() & new.keys():
        program[new[k]] = draws[k]
    try:
        with ctx.workprec(bits):
            arrays = run(program, groups([])).arrays
    except (Rejection, *ERRORS):
        return None
    return [arrays[new[k]] for k in nodes]


def truths(relation: str, x: Any, y: Any) -> np.ndarray:
    """+1, -1 or 0 for each entry of two arrays: whether they satisfy a relation, as far as balls know."""
    name, negated = SPELLED[relation]
    pairs, shape = _paired(x, y)
    told = [EVENTS[name](a, b) for a, b in pairs]
    return np.array(
        [0 if t is None else 1 if bool(t) is not negated else -1 for t in told]
    ).reshape(shape)


def _paired(x: Any, y: Any) -> tuple[list[tuple[Any, Any]], tuple[int, ...]]:
    """The entries of two arrays side by side, and the shape that they have together."""
    shape = broadcast(x.shape, y.shape)
    return list(zip(stretch(x, shape), stretch(y, shape), strict=True)), shape


def is_given(tape: Tape, node: int) -> bool:
    """Whether a number is one of the instance or a short decimal of the text: its float is as good as it."""
    stack = [node]
    while stack:
        given = tape.nodes[stack.pop()]
        if given["op"] == "gather":
            stack += given["args"]
        elif given["op"] != "input" and not (
            given["op"] == "const" and is_short(given)
        ):
            return False
    return True


def is_short(const: dict[str, Any]) -> bool:
    """Whether a constant is no longer than one that a text has."""
    return all(len(text) < SHORT for text in const["data"])


def surely_holds(tape: Tape) -> bool:
    """Whether all hypotheses of a program without draws certainly hold."""
    program, new = pruned(tape, promised(tape))
    try:
        with allowance(LITTLE), ctx.workprec(PRECISION):
            known = run(program, groups([]))
            given = [
                {**h, "args": [new[k] for k in h["args"]]}
                for h in tape.hypotheses
            ]
            return all(hypothesis(known, h) is True for h in given)
    except (Rejection, *ERRORS):
        return False


def exact_truth(
    relation: str, tape: Tape, left: int, right: int
) -> np.ndarray | None:
    """The outcome of a comparison, entry by entry; None where balls know too little, or too often asked.

    Numbers that balls of so many bits cannot tell apart are equal here: it only chooses the way a program
    takes, and the verifier is not asked to believe it.
    """
    name, negated = SPELLED[relation]
    found = _recomputed(tape, left, right)
    if found is None:
        return None
    pairs, shape = _paired(*found)
    told = [EVENTS[name](a, b) for a, b in pairs]
    truths = [
        name != "lt" if truth is None and _is_near(*pair, tape) else truth
        for pair, truth in zip(pairs, told, strict=True)
    ]
    if any(truth is None for truth in truths):
        return None
    return np.array(
        [bool(negation(t) if negated else t) for t in truths]
    ).reshape(shape)


def rationals(tape: Tape, node: int) -> list[Fraction] | None:
    """The rationals that the entries of an array without draws are; None if they are not known."""
    found = None if node in tape.random else refined(tape, [node], {})
    if found is None or not all(
        isinstance(entry, fmpq) for entry in found[0].data
    ):
        return None
    return [Fraction(int(entry.p), int(entry.q)) for entry in found[0].data]


def exact_whole(tape: Tape, node: int) -> int | None:
    """The integer that a number certainly is, cut towards zero; None where balls cannot tell."""
    found = _recomputed(tape, node)
    if found is None or len(found[0].data) != 1:
        return None
    ends = _wholes(found[0].data[0])
    if len(ends) > 1 and (jumps := _jumps_nearby(tape, node)):
        found = _recomputed(tape, node, instead=jumps)
        ends = set() if found is None else _wholes(found[0].data[0])
    return ends.pop() if len(ends) == 1 else None


def _wholes(entry: object) -> set[int]:
    return {int(str(part)) for part in _ends(entry)}


def _is_near(x: Any, y: Any, tape: Tape) -> bool:
    """Whether two balls lie so close together, and are so small, that they are taken for one number."""
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return False
    gap = abs(arb(x) - arb(y))
    return bool(
        gap.is_finite() and gap.upper() <= NEAR * max(tape.largest(), 1.0)
    )


def _jumps_nearby(tape: Tape, node: int) -> dict[int, dict[str, Any]]:
    """The whole numbers that arguments of floor, ceil and sign are taken for, as constants in their place."""
    jumps = [
        n
        for n in tape.nodes[: node + 1]
        if n["op"] in ("floor", "ceil", "sign")
    ]
    asked = sorted(
        {k for n in jumps for k in n["args"] if tape.values[k].size == 1}
    )
    near = {}
    for k, array in zip(asked, _recomputed(tape, *asked) or []):
        value = tape.values[k]
        whole = (
            round(float(value.ravel()[0])) if np.all(np.isfinite(value)) else 0
        )
        if _is_near(array.data[0], fmpq(whole), tape):
            near[k] = {
                "op": "const",
                "args": [],
                "shape": list(value.shape),
                "data": [str(whole)],
            }
    return near


def _ends(entry: Any) -> list[Any]:
    """Both ends of a ball, or an exact number twice, cut towards zero."""
    if isinstance(entry, fmpq):
        return [
            int(entry.p) // int(entry.q)
            if entry >= 0
            else -(int(-entry.p) // int(entry.q))
        ]
    if not entry.is_finite():
        return [0, 1]
    ends = [arb(entry).lower(), arb(entry).upper()]
    return [
        (end.floor() if end >= 0 else end.ceil()).unique_fmpz() for end in ends
    ]


def _recomputed(
    tape: Tape,
    *nodes: int,
    instead: Mapping[int, dict[str, Any]] = MappingProxyType({}),
) -> list[Any] | None:
    """The values of some nodes, with other nodes in the place of some."""
    if tape.looks >= MOST_LOOKS or any(k in tape.random for k in nodes):
        return None
    tape.looks += 1
    return refined(tape, nodes, instead)


def ordered_draws(
    tape: Tape, draws: set[int], roots: Iterable[int]
) -> frozenset[int]:
    """Those of the draws whose copies may not be permuted without changing one of the roots."""
    orders: list[Order] = []
    for node, value in zip(tape.nodes, tape.values, strict=True):
        if node["op"] == "random":
            orders.append(
                drawn(node["draw"], value.shape)
                if node["draw"] in draws
                else FREE
            )
        else:
            orders.append(
                order(
                    [orders[k] for k in node["args"]], _given(tape, node, value)
                )
                if node["args"]
                else FREE
            )
    return frozenset().union(*(orders[k].draws for k in roots))


def _given(tape: Tape, node: dict, value: np.ndarray) -> Operands:
    """Slices of what depends on a draw are never taken for the same: only one of its atoms is here."""
    operands = [tape.values[k] for k in node["args"]]

    def same(k: int, axis: int) -> bool:
        x = operands[k]
        return node["args"][k] not in tape.random and bool(
            np.all(x == np.take(x, [0], axis=axis))
        )

    return Operands(node, [x.shape for x in operands], value.shape, same)
