"""Which draws of a program enter some nodes with their order: by the verifier's own rules."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from boundcheck.certificates.verify.operations import order
from boundcheck.certificates.verify.symmetry import FREE, Operands, Order, drawn
from boundcheck.tape.program import Tape


def ordered_draws(tape: Tape, draws: set[int], roots: Iterable[int]) -> frozenset[int]:
    """Those of the draws whose copies may not be permuted without changing one of the roots."""
    orders: list[Order] = []
    for node, value in zip(tape.nodes, tape.values, strict=True):
        if node["op"] == "random":
            orders.append(drawn(node["draw"], value.shape) if node["draw"] in draws else FREE)
        else:
            orders.append(order([orders[k] for k in node["args"]], _given(tape, node, value)) if node["args"] else FREE)
    return frozenset().union(*(orders[k].draws for k in roots))


def _given(tape: Tape, node: dict, value: np.ndarray) -> Operands:
    """Slices of what depends on a draw are never taken for the same: only one of its atoms is here."""
    operands = [tape.values[k] for k in node["args"]]

    def same(k: int, axis: int) -> bool:
        return node["args"][k] not in tape.random and _same_slices(operands[k], axis)

    return Operands(node, [x.shape for x in operands], value.shape, same)


def _same_slices(x: np.ndarray, axis: int) -> bool:
    return bool(np.all(x == np.take(x, [0], axis=axis)))
