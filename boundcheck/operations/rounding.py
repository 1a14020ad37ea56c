"""How far the float value of each node of a tape, and of each probability, can be from its exact value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite, isnan, log, prod
from typing import Any

import numpy as np

import boundcheck.operations.reductions as reductions
from boundcheck.operations.moments import KNOWN, cubature
from boundcheck.operations.operation import OPERATIONS
from boundcheck.operations.roundoff import TINY, Step, U, is_decimal
from boundcheck.tape import Tape
from boundcheck.tape.exactly import is_short
from boundcheck.tape.program import law_nodes, reached

INFLATION = 1e-10
"""A radius is a sum and product of non-negative floats, computed with a relative error below this."""


BACKWARD = 10.0
"""Eigenvalues by LAPACK are those of a matrix that differs by so many times its order, relative to its norm and eps."""


def given(step: Step) -> np.ndarray:
    """The float nearest to a decimal: half an ulp, and nothing for a decimal that is a float."""
    return np.where(
        is_decimal(step.value), 0.0, np.spacing(np.abs(step.value)) / 2 + TINY
    )


def _drawn(step: Step) -> np.ndarray:
    """What a generator drew is the number that it is, or one of its cell."""
    return np.broadcast_to(step.node.get("cell", 0.0), step.value.shape)


LEAVES: dict[str, Callable[[Step], np.ndarray]] = {
    "input": given,
    "const": given,
    "random": given,
    "drawn": _drawn,
}
"""Nodes without operands."""


def radii(
    tape: Tape,
    wanted: Iterable[int] | None = None,
    moved: float = 0.0,
    folded: float = 0.0,
) -> list[np.ndarray | None]:
    """A bound of |float value - exact value| for each entry of the wanted nodes (default: all) and operands.

    Each has the shape of its node's value; None stands for a node that was not needed. inf where nothing can
    be said. A finite radius supposes that the exact value exists: the operand of a square root is not
    negative, the matrix of a spectral function is symmetric PSD. Inputs are the shortest decimals of their
    floats; all else follows in real arithmetic. Any order of summation and fused multiply-adds are allowed;
    functions err by at most 4 ulp. Inputs may be `moved` by so much, relative to their largest entry and to 1.
    Constants, which the program has exactly, may have been made in floats: short ones with one rounding, long
    ones, of many, are `folded` with so large a relative error; a body may have taken eigenvalues of a matrix, which
    are exact ones of a matrix beside it.
    """
    result: list[np.ndarray | None] = [None] * len(tape.nodes)
    roots = range(len(tape.nodes)) if wanted is None else wanted
    with np.errstate(all="ignore"):
        for k in sorted(reached(roots, lambda k: _dependencies(tape, k))):
            result[k] = radius = _radius(tape, k, result)
            if moved and tape.nodes[k]["op"] == "input":
                result[k] = radius + moved * max(
                    1.0, float(np.max(np.abs(tape.values[k]), initial=0.0))
                )
            if folded and tape.nodes[k]["op"] == "const":
                result[k] = radius + (
                    U if is_short(tape.nodes[k]) else folded
                ) * np.abs(tape.values[k])
            if folded and k in tape.spectral:
                result[k] = radius + _backward(tape.values[k])
    return result


def _backward(A: np.ndarray) -> float:
    """How far the matrix of which eigenvalues are exact lies from A, in each entry: LAPACK Users' Guide, 4.8."""
    return BACKWARD * len(A) * 2 * U * float(np.linalg.norm(A))


def _dependencies(tape: Tape, k: int) -> list[int]:
    """The operands, and for an average the parameters of the laws that weigh it."""
    node = tape.nodes[k]
    return [
        *node["args"],
        *(law_nodes(laws_behind(tape, k)) if node["op"] == "mean" else []),
    ]


def _radius(tape: Tape, k: int, known: list[np.ndarray | None]) -> np.ndarray:
    node, value = tape.nodes[k], np.asarray(tape.values[k], dtype=float)
    xs = [np.asarray(tape.values[j], dtype=float) for j in node["args"]]
    step = Step(
        node,
        value,
        xs,
        [r for j in node["args"] if (r := known[j]) is not None],
    )
    if value.size == 0:
        return np.zeros(value.shape)
    if node["op"] == "mean":
        return _widened(_mean(tape, step, k, known), value)
    if node["op"] in LEAVES:
        return _widened(LEAVES[node["op"]](step), value)
    operation = OPERATIONS.get(node["op"])
    return (
        np.full(value.shape, np.inf)
        if operation is None
        else _widened(operation.radius(step), value)
    )


def _mean(
    tape: Tape, step: Step, k: int, known: list[np.ndarray | None]
) -> np.ndarray:
    """Only what varies with the atoms has them as its first axis, and is averaged."""
    if step.xs[0].shape[1:] != step.value.shape:
        return np.full(step.value.shape, np.inf)
    laws = laws_behind(tape, k)
    names = tuple(
        law["law"]
        for law in laws
        if law["law"] in KNOWN
        for _ in range(prod(law["shape"]))
    )
    mass = (
        cubature(
            names, max((law.get("degree", 0) for law in laws), default=0)
        ).mass
        if names
        else 1.0
    )
    return reductions.weighted_mean(
        step, mass * (weights_error(tape, laws, known) + U), mass
    )


def _widened(r: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The radius with room for its own rounding; inf where the value or the radius is no number."""
    if (
        value.ndim == 0 and np.ndim(r) == 0
    ):  # the same in plain floats, which are quicker
        alone = float(r) * (1 + INFLATION) + TINY if r > 0 else float(r)
        return np.asarray(
            alone if isfinite(value) and not isnan(alone) else np.inf
        )
    r = np.broadcast_to(r, value.shape)
    wide = np.where(r > 0, r * (1 + INFLATION) + TINY, r)
    return np.where(np.isnan(wide) | ~np.isfinite(value), np.inf, wide)


WEIGHTS = 1e-11
"""Relative error of a float probability, apart from the logarithms of factorials behind it."""

FACTORIALS = 32 * U
"""Relative error of a probability for each unit of (n + 2) log(n + 2), which bounds log n!."""


def laws_behind(tape: Tape, k: int) -> list[dict[str, Any]]:
    """The laws of the groups of independent draws that node k depends on."""
    nodes = (tape.nodes[j] for j in reached([k], tape.operands))
    draws = {node["draw"] for node in nodes if node["op"] == "random"}
    groups = {
        tape.laws[draw].get("group", 0)
        for draw in draws
        if draw < len(tape.laws)
    }
    return [law for law in tape.laws if law.get("group", 0) in groups]


def weights_error(
    tape: Tape, laws: list[dict[str, Any]], known: list[np.ndarray | None]
) -> float:
    """A bound of the sum of |float weight - exact weight| over all atoms; inf without laws."""
    error = WEIGHTS if laws else np.inf
    for law in laws:
        n, copies = (
            int(law.get("n", law.get("sample", 1))),
            prod(law.get("shape", [])),
        )
        error += copies * FACTORIALS * (n + 2) * log(n + 2) + FACTORIALS * (
            copies + 2
        ) * log(copies + 2) * bool(law.get("unordered"))
        for j in law_nodes([law]):
            error += (
                copies
                * n
                * _moved(law, tape.values[j], np.asarray(known[j], dtype=float))
            )
    return float(error)


def _moved(law: dict[str, Any], p: np.ndarray, r: np.ndarray) -> float:
    """Sum of |p - exact p| over the outcomes of one draw; a product law moves by at most the sum."""
    total = 1.0 if law["law"] == "binomial" else float(np.sum(np.abs(p)))
    return 2 * float(np.sum(r)) / total if total > 0 else np.inf
