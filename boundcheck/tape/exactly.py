"""Numbers of a program where floats are too close to tell: recomputed in rationals and balls by the verifier's own rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import ctx

from boundcheck.certificates.verify.arrays import broadcast, stretch
from boundcheck.certificates.verify.conclusions import EVENTS
from boundcheck.certificates.verify.findings import Rejection
from boundcheck.certificates.verify.laws import groups
from boundcheck.certificates.verify.numbers import negation
from boundcheck.certificates.verify.program import ERRORS, run
from boundcheck.tape.program import Tape, pruned

BITS = 212
MOST_LOOKS = 25
"""Looks of this kind at one program; each recomputes it."""

SPELLED = {"le": ("le", False), "lt": ("lt", False), "ge": ("lt", True), "gt": ("le", True), "eq": ("eq", False), "ne": ("eq", True)}


def is_given(tape: Tape, node: int) -> bool:
    """Whether a number is one of the instance or a short decimal of the text, so that its float is as good as it."""
    stack = [node]
    while stack:
        given = tape.nodes[stack.pop()]
        if given["op"] == "gather":
            stack += given["args"]
        elif given["op"] != "input" and not (given["op"] == "const" and all(len(text) < 16 for text in given["data"])):
            return False
    return True


def exact_truth(relation: str, tape: Tape, left: int, right: int) -> np.ndarray | None:
    """The outcome of a comparison, entry by entry; None where balls cannot tell, or too often asked."""
    name, negated = SPELLED[relation]
    found = _recomputed(tape, left, right)
    if found is None:
        return None
    x, y = found
    shape = broadcast(x.shape, y.shape)
    truths = [EVENTS[name](a, b) for a, b in zip(stretch(x, shape), stretch(y, shape), strict=True)]
    if any(truth is None for truth in truths):
        return None
    return np.array([bool(negation(t) if negated else t) for t in truths]).reshape(shape)


def exact_whole(tape: Tape, node: int) -> int | None:
    """The integer that a number certainly is, cut towards zero; None where balls cannot tell."""
    found = _recomputed(tape, node)
    if found is None or len(found[0].data) != 1:
        return None
    entry: Any = found[0].data[0]
    ends = {int(str(part)) for part in _ends(entry)}
    return ends.pop() if len(ends) == 1 else None


def _ends(entry: Any) -> list[Any]:
    """Both ends of a ball, or an exact number twice, cut towards zero."""
    from flint import arb, fmpq

    if isinstance(entry, fmpq):
        return [int(entry.p) // int(entry.q) if entry >= 0 else -(int(-entry.p) // int(entry.q))]
    if not entry.is_finite():
        return [0, 1]
    ends = [arb(entry).lower(), arb(entry).upper()]
    return [(end.floor() if end >= 0 else end.ceil()).unique_fmpz() for end in ends]


def _recomputed(tape: Tape, *nodes: int) -> list[Any] | None:
    if tape.looks >= MOST_LOOKS or any(k in tape.random for k in nodes):
        return None
    tape.looks += 1
    program, new = pruned(tape, nodes)
    try:
        with ctx.workprec(BITS):
            arrays = run(program, groups([])).arrays
    except (Rejection, *ERRORS):
        return None
    return [arrays[new[k]] for k in nodes]
