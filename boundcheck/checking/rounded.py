"""Whether floats show a violation beyond their rounding: the sides of a statement with their radii."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from boundcheck.certificates.write import NotFinite, NotTraceable, trace
from boundcheck.checking.observe import TOUCH, Observation
from boundcheck.claims import Claim
from boundcheck.domains import Raw
from boundcheck.hypotheses import AS_PRINTED, Question
from boundcheck.rounding import radii

WORK = 20
"""Units of work of one look at the radii of a short program."""

WORK_ENTRIES = 100
"""Entries of a program that are one unit more."""


def rounded(claim: Claim, raw: Mapping[str, Raw], o: Observation, question: Question = AS_PRINTED) -> Observation:
    """The observation, its violation taken back if rounding alone could have made it."""
    return weighed(claim, raw, o, question)[0]


def weighed(claim: Claim, raw: Mapping[str, Raw], o: Observation, question: Question = AS_PRINTED) -> tuple[Observation, int]:
    """The same, and the units of work that it took."""
    if not o.score > TOUCH or not o.exact or o.kind == "probability" or o.beyond_floats:
        return o, 0
    excess, entries = excess_beyond_rounding(claim, raw, o.part, question)
    return (o if excess is None or excess > 0 else replace(o, score=0.0)), WORK + entries // WORK_ENTRIES


def excess_beyond_rounding(claim: Claim, raw: Mapping[str, Raw], part: int, question: Question) -> tuple[float | None, int]:
    """The largest lhs - rhs less both radii, over the entries, and the entries of the program; None where it cannot be traced."""
    try:
        tape, conclusion = trace(claim, raw, part, None, question)
    except (NotTraceable, NotFinite):
        return None, 0
    i, j = conclusion["args"]
    with np.errstate(all="ignore"):
        radius = radii(tape, [i, j])
    left, right, slack = tape.values[i], tape.values[j], radius[i] + radius[j]  # type: ignore[operator]
    entries = sum(value.size for value in tape.values)
    if conclusion["kind"] == "loewner":
        return _loewner(right - left, slack), entries
    gap = np.abs(left - right) if conclusion["kind"] == "equal" else left - right
    return float(np.max(np.nan_to_num(gap - slack, nan=-np.inf), initial=-np.inf)), entries


def _loewner(difference: np.ndarray, slack: np.ndarray) -> float:
    """How far the smallest eigenvalue is below zero, less what rounding can move it (Weyl)."""
    if not np.all(np.isfinite(difference)) or not np.all(np.isfinite(slack)):
        return -np.inf
    own = 1e-13 * len(difference) * float(np.linalg.norm(difference))
    return -float(np.linalg.eigvalsh((difference + difference.T) / 2)[0]) - float(np.linalg.norm(slack)) - own
