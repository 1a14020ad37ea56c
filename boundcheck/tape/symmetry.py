"""Which draws of a program enter some nodes with their order: by the verifier's own rules."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from boundcheck.certificates.verify.symmetry import FREE, Operands, Order, drawn, order
from boundcheck.tape.program import Tape


def ordered_draws(tape: Tape, draws: set[int], roots: Iterable[int]) -> frozenset[int]:
    """Those of the draws whose copies may not be permuted without changing one of the roots."""
    orders: list[Order] = []
    for node, value in zip(tape.nodes, tape.values, strict=True):
        if node["op"] == "random":
            orders.append(drawn(node["draw"], value.shape) if node["draw"] in draws else FREE)
        else:
            operands = [tape.values[k] for k in node["args"]]
            orders.append(order([orders[k] for k in node["args"]], _given(node, operands, value)) if operands else FREE)
    return frozenset().union(*(orders[k].draws for k in roots))


def _given(node: dict, operands: list[np.ndarray], value: np.ndarray) -> Operands:
    return Operands(node, [x.shape for x in operands], value.shape, lambda k, axis: _same_slices(operands[k], axis))


def _same_slices(x: np.ndarray, axis: int) -> bool:
    return bool(np.all(x == np.take(x, [0], axis=axis)))
