"""How far the float probabilities of atoms can be from the exact ones, all atoms together."""

from __future__ import annotations

from collections.abc import Callable
from math import log, prod
from typing import Any

import numpy as np

from boundcheck.rounding.roundoff import U
from boundcheck.tape import Tape

WEIGHTS = 1e-11
"""Relative error of a float probability, apart from the logarithms of factorials behind it."""

FACTORIALS = 32 * U
"""Relative error of a probability for each unit of (n + 2) log(n + 2), which bounds log n!."""


def law_nodes(laws: list[dict[str, Any]]) -> list[int]:
    """The nodes that parameters of the laws refer to."""
    return [entry["node"] for law in laws for entry in law.values() if isinstance(entry, dict)]


def weights_error(tape: Tape, radius: Callable[[int], np.ndarray]) -> float:
    """A bound of the sum of |float weight - exact weight| over the atoms of the product law."""
    error = WEIGHTS
    for law in tape.laws:
        n, copies = int(law.get("n", law.get("sample", 1))), prod(law.get("shape", []))
        error += copies * FACTORIALS * (n + 2) * log(n + 2)
        error += copies * n * sum(_moved(law, tape.values[j], radius(j)) for j in law_nodes([law]))
    return float(error)


def _moved(law: dict[str, Any], p: np.ndarray, r: np.ndarray) -> float:
    """Sum of |p - exact p| over the outcomes of one draw; the distance of products is at most the sum of these."""
    total = 1.0 if law["law"] == "binomial" else float(np.sum(np.abs(p)))
    return 2 * float(np.sum(r)) / total if total > 0 else np.inf
