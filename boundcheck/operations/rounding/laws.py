"""How far the float probabilities of atoms can be from the exact ones, all atoms together."""

from __future__ import annotations

from math import log, prod
from typing import Any

import numpy as np

from boundcheck.operations.rounding.roundoff import U
from boundcheck.tape import Tape

WEIGHTS = 1e-11
"""Relative error of a float probability, apart from the logarithms of factorials behind it."""

FACTORIALS = 32 * U
"""Relative error of a probability for each unit of (n + 2) log(n + 2), which bounds log n!."""


def law_nodes(laws: list[dict[str, Any]]) -> list[int]:
    """The nodes that parameters of the laws refer to."""
    return [entry["node"] for law in laws for entry in law.values() if isinstance(entry, dict)]


def laws_behind(tape: Tape, k: int) -> list[dict[str, Any]]:
    """The laws of the groups of independent draws that node k depends on."""
    seen: set[int] = set()
    stack, draws = [k], set()
    while stack:
        j = stack.pop()
        if j not in seen:
            seen.add(j)
            draws |= {tape.nodes[j]["draw"]} if tape.nodes[j]["op"] == "random" else set()
            stack.extend(tape.nodes[j]["args"])
    groups = {tape.laws[draw].get("group", 0) for draw in draws if draw < len(tape.laws)}
    return [law for law in tape.laws if law.get("group", 0) in groups]


def weights_error(tape: Tape, laws: list[dict[str, Any]], known: list[np.ndarray | None]) -> float:
    """A bound of the sum of |float weight - exact weight| over all atoms; inf without laws."""
    error = WEIGHTS if laws else np.inf
    for law in laws:
        n, copies = int(law.get("n", law.get("sample", 1))), prod(law.get("shape", []))
        error += copies * FACTORIALS * (n + 2) * log(n + 2) + FACTORIALS * (copies + 2) * log(copies + 2) * bool(law.get("unordered"))
        for j in law_nodes([law]):
            error += copies * n * _moved(law, tape.values[j], np.asarray(known[j], dtype=float))
    return float(error)


def _moved(law: dict[str, Any], p: np.ndarray, r: np.ndarray) -> float:
    """Sum of |p - exact p| over the outcomes of one draw; a product law moves by at most the sum."""
    total = 1.0 if law["law"] == "binomial" else float(np.sum(np.abs(p)))
    return 2 * float(np.sum(r)) / total if total > 0 else np.inf
