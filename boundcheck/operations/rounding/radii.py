"""The walk over a tape that gives every node its radius from the radii of its operands."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from boundcheck.operations.rounding import arithmetic, functions, leaves, matrices, reductions, spectra
from boundcheck.operations.rounding.laws import law_nodes, laws_behind, weights_error
from boundcheck.operations.rounding.roundoff import TINY, Step
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
    """A bound of |float value - exact value| for each entry of the wanted nodes (default: all) and operands.

    Each has the shape of its node's value; None stands for a node that was not needed. inf where nothing can
    be said. A finite radius supposes that the exact value exists: the operand of a square root is not
    negative, the matrix of a spectral function is symmetric PSD. Inputs are the shortest decimals of their
    floats; all else follows in real arithmetic. Any order of summation and fused multiply-adds are allowed;
    functions err by at most 4 ulp.
    """
    result: list[np.ndarray | None] = [None] * len(tape.nodes)
    with np.errstate(all="ignore"):
        for k in _order(tape, range(len(tape.nodes)) if wanted is None else wanted):
            result[k] = _radius(tape, k, result)
    return result


def _order(tape: Tape, wanted: Iterable[int]) -> list[int]:
    """The needed nodes, each after all that its radius depends on."""
    order: list[int] = []
    done: set[int] = set()
    stack = list(wanted)
    while stack:
        waiting = [j for j in _dependencies(tape, stack[-1]) if j not in done]
        stack.extend(waiting)
        if not waiting:
            k = stack.pop()
            order += [] if k in done else [k]
            done.add(k)
    return order


def _dependencies(tape: Tape, k: int) -> list[int]:
    """The operands, and for an average the parameters of the laws that weigh it."""
    node = tape.nodes[k]
    return [*node["args"], *(law_nodes(laws_behind(tape, k)) if node["op"] == "mean" else [])]


def _radius(tape: Tape, k: int, known: list[np.ndarray | None]) -> np.ndarray:
    node, value = tape.nodes[k], np.asarray(tape.values[k], dtype=float)
    xs = [np.asarray(tape.values[j], dtype=float) for j in node["args"]]
    step = Step(node, value, xs, [r for j in node["args"] if (r := known[j]) is not None])
    if value.size == 0:
        return np.zeros(value.shape)
    if node["op"] == "mean":
        return _widened(_mean(tape, step, k, known), value)
    rule = RULES.get(node["op"])
    return np.full(value.shape, np.inf) if rule is None else _widened(rule(step), value)


def _mean(tape: Tape, step: Step, k: int, known: list[np.ndarray | None]) -> np.ndarray:
    """Only what varies with the atoms has them as its first axis, and is averaged."""
    if step.xs[0].shape[1:] != step.value.shape:
        return np.full(step.value.shape, np.inf)
    return reductions.mean(step, weights_error(tape, laws_behind(tape, k), known))


def _widened(r: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The radius with room for its own rounding; inf where the value or the radius is no number."""
    r = np.broadcast_to(r, value.shape)
    wide = np.where(r > 0, r * (1 + INFLATION) + TINY, r)
    return np.where(np.isnan(wide) | ~np.isfinite(value), np.inf, wide)
