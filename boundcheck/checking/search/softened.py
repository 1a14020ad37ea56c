"""Programs whose largest and smallest entries are smooth: the best of the least of many has kinks wherever one climbs."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.tape import Tape

TEMPERATURES = (0.1, 0.03, 0.01, 0.003)
"""Differences of entries that count as one, in units of the largest or smallest one, one after the other."""

FEW = 2
"""Entries of which one is passed without a climb of its own."""


def softened(tape: Tape, live: list[bool], temperature: float) -> Tape | None:
    """The program with largest and smallest of many entries softened; None if there are none that move."""
    soft = [k for k, node in enumerate(tape.nodes) if node["op"] in ("max", "min") and live[k] and _merged(tape, k) > FEW]
    if not soft:
        return None
    new = Tape(hypotheses=tape.hypotheses, laws=tape.laws)
    new.nodes, new.values = list(tape.nodes), list(tape.values)
    for k in soft:
        node = tape.nodes[k]
        new.nodes[k] = {**node, "op": "softened", "temperature": temperature if node["op"] == "max" else -temperature}
    return new


def _merged(tape: Tape, k: int) -> int:
    """Of how many entries one is taken."""
    return np.size(tape.values[tape.nodes[k]["args"][0]]) // max(np.size(tape.values[k]), 1)


class Softened:
    """T log sum exp(x / T), T being a share of the largest entry; for a negative temperature of the smallest one."""

    def over(self, fields: Any, x: np.ndarray, lead: int = 0) -> np.ndarray:
        top, T, _, total = self._parts(fields, x)
        soft = np.sign(fields["temperature"]) * (top + T * np.log(total))
        return soft if fields.get("keepdims") else np.squeeze(soft, axis=tuple(fields["axes"]))

    def pulled(self, fields: Any, g: np.ndarray, value: np.ndarray, x: np.ndarray, lead: int = 0) -> list[np.ndarray]:
        axes = tuple(fields["axes"])
        top, _, z, total = self._parts(fields, x)
        weights, hot = np.exp(z) / total, z == 0
        spread = np.log(total) - np.sum(weights * z, axis=axes, keepdims=True)  # the derivative in T
        moved = np.abs(fields["temperature"]) * np.sign(top) * hot / hot.sum(axis=axes, keepdims=True)
        return [(g if fields.get("keepdims") else np.expand_dims(g, axes)) * (weights + spread * moved)]

    def _parts(self, fields: Any, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The largest entry, T, what the others lie below it in units of T, and the sum of their exponentials."""
        axes, y = tuple(fields["axes"]), x * np.sign(fields["temperature"])
        top = y.max(axis=axes, keepdims=True)
        T = np.abs(fields["temperature"] * top)
        z = np.where(y == top, 0.0, (y - top) / np.where(T > 0, T, 1e-300))
        return top, T, z, np.exp(z).sum(axis=axes, keepdims=True)
