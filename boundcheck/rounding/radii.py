"""The walk over a tape that gives every node its radius from the radii of its operands."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from boundcheck.rounding import arithmetic, functions, leaves, matrices, reductions, spectra
from boundcheck.rounding.laws import law_nodes, weights_error
from boundcheck.rounding.roundoff import TINY, Step
from boundcheck.tape import Tape

RULES: dict[str, Callable[[Step], np.ndarray]] = {
    **leaves.RULES,
    **arithmetic.RULES,
    **functions.RULES,
    **reductions.RULES,
    **matrices.RULES,
    **spectra.RULES,
}

INFLATION = 1e-10
"""A radius is a sum and product of non-negative floats, computed with a relative error below this."""


def radii(tape: Tape, wanted: Iterable[int] | None = None) -> list[np.ndarray | None]:
    """A bound of |float value - exact value| for each entry of the wanted nodes (default: all) and their operands.

    Each has the shape of its node's value, and None stands for a node that was not needed. inf where nothing can be
    said; a finite radius supposes that the exact value exists (a square root's operand is not negative, a spectral
    function's matrix is symmetric PSD). Inputs are the shortest decimals of their floats; all else follows in real
    arithmetic. Any order of summation and fused multiply-adds are allowed; functions are off by at most 4 ulp.
    """
    result: list[np.ndarray | None] = [None] * len(tape.nodes)
    with np.errstate(all="ignore"):
        for k in _order(tape, range(len(tape.nodes)) if wanted is None else wanted):
            result[k] = _radius(tape, k, result)
    return result


def _order(tape: Tape, wanted: Iterable[int]) -> list[int]:
    """The needed nodes, operands first; what an average needs of the laws comes before all."""
    needed = _ancestors(tape, wanted)
    averaging = any(tape.nodes[k]["op"] == "mean" for k in needed)
    first = _ancestors(tape, law_nodes(tape.laws)) if averaging else set()
    return sorted(first) + sorted(needed - first)


def _ancestors(tape: Tape, nodes: Iterable[int]) -> set[int]:
    found: set[int] = set()
    stack = list(nodes)
    while stack:
        k = stack.pop()
        if k not in found:
            found.add(k)
            stack.extend(tape.nodes[k]["args"])
    return found


def _radius(tape: Tape, k: int, known: list[np.ndarray | None]) -> np.ndarray:
    node, value = tape.nodes[k], np.asarray(tape.values[k], dtype=float)
    xs = [np.asarray(tape.values[j], dtype=float) for j in node["args"]]
    step = Step(node, value, xs, [_known(known, j) for j in node["args"]])
    if value.size == 0:
        return np.zeros(value.shape)
    if node["op"] == "mean":
        return _widened(_mean(tape, step, known), value)
    rule = RULES.get(node["op"])
    return np.full(value.shape, np.inf) if rule is None else _widened(rule(step), value)


def _known(known: list[np.ndarray | None], j: int) -> np.ndarray:
    r = known[j]
    assert r is not None
    return r


def _mean(tape: Tape, step: Step, known: list[np.ndarray | None]) -> np.ndarray:
    """Only what varies with the atoms has them as its first axis, and is averaged."""
    varies = any(tape.nodes[k]["op"] == "random" for k in _ancestors(tape, step.node["args"]))
    if not varies or step.xs[0].shape[1:] != step.value.shape:
        return np.full(step.value.shape, np.inf)
    error = weights_error(tape, lambda j: _known(known, j))
    return reductions.mean(step, error)


def _widened(r: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The radius with room for its own rounding; inf where the value or the radius is no number."""
    r = np.broadcast_to(r, value.shape)
    wide = np.where(r > 0, r * (1 + INFLATION) + TINY, r)
    return np.where(np.isnan(wide) | ~np.isfinite(value), np.inf, wide)
