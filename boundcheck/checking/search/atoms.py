"""The atoms of finite laws for a population: the probability of each by parameters, and its derivative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from boundcheck.laws import count_vectors, log_choices, log_ways
from boundcheck.laws.enumerator import hypergeometric
from boundcheck.tape import NotTraceable, Tape
from boundcheck.tape.program import reached

SMALLEST = 1e-300
"""Stands for the logarithm's argument where a probability is 0."""


@dataclass(frozen=True)
class Base:
    """One draw of copies: the log-probability of an atom is `constant + counts @ log q`, q by the parameter.

    Shapes: constant (atoms,), counts (atoms, outcomes); `node` holds the parameter.
    """

    law: str
    node: int | None
    constant: np.ndarray
    counts: np.ndarray

    def q(self, p: np.ndarray) -> np.ndarray:
        """Probabilities of the outcomes of one copy, members first."""
        if self.law == "binomial":
            return np.stack([1 - p, p], axis=-1)
        if self.law == "multinomial":
            return np.concatenate(
                [
                    p[:, :-1],
                    np.maximum(1 - p[:, :-1].sum(axis=1, keepdims=True), 0),
                ],
                axis=1,
            )
        return p / p.sum(axis=1, keepdims=True)

    def pulled(self, p: np.ndarray, g: np.ndarray) -> np.ndarray:
        """The cotangent of the parameter from that of q."""
        if self.law == "binomial":
            return g[:, 1] - g[:, 0]
        if self.law == "multinomial":
            return np.concatenate(
                [g[:, :-1] - g[:, -1:], np.zeros((len(g), 1))], axis=1
            )
        total = p.sum(axis=1, keepdims=True)
        return (g - np.sum(g * p, axis=1, keepdims=True) / total) / total


@dataclass(frozen=True)
class Atoms:
    """All atoms of independent draws."""

    bases: tuple[Base, ...]

    @classmethod
    def behind(cls, tape: Tape, k: int) -> Atoms:
        """The atoms that an average, node k, is over. Raises NotTraceable for laws unknown to populations."""
        return cls.of(tape.nodes[k]["args"], tape)

    @classmethod
    def of(cls, nodes: Sequence[int], tape: Tape) -> Atoms:
        """The atoms that some nodes depend on, in the enumerator's order: the last law's run fastest."""
        groups = {
            tape.laws[draw].get("group", 0) for draw in _draws(nodes, tape)
        }
        bases = [
            _base(law, tape)
            for law in tape.laws
            if law.get("group", 0) in groups
        ]
        sizes = [len(base.constant) for base in bases]
        spread = []
        for i, base in enumerate(bases):
            before, after = prod(sizes[:i]), prod(sizes[i + 1 :])
            constant = np.tile(np.repeat(base.constant, after), before)
            spread.append(
                Base(
                    base.law,
                    base.node,
                    constant,
                    np.tile(np.repeat(base.counts, after, axis=0), (before, 1)),
                )
            )
        return cls(tuple(spread))

    @property
    def nodes(self) -> list[int]:
        """The nodes of the laws' parameters."""
        return [base.node for base in self.bases if base.node is not None]

    def weights(self, values: dict[int, np.ndarray]) -> np.ndarray:
        """The probability of each atom, members x atoms."""
        total: Any = 0.0
        for base in self.bases:
            total = total + base.constant
            if base.node is not None:
                total = (
                    total
                    + np.log(np.maximum(base.q(values[base.node]), SMALLEST))
                    @ base.counts.T
                )
        return np.exp(np.atleast_2d(total))

    def mean(self, values: dict[int, np.ndarray], x: np.ndarray) -> np.ndarray:
        """The averages of x, whose second axis is that of the atoms."""
        w = self.weights(values)
        count = max(len(w), len(x))
        return np.einsum(
            "ba,ba...->b...",
            np.broadcast_to(w, (count, *w.shape[1:])),
            np.broadcast_to(x, (count, *x.shape[1:])),
        )

    def pulled(
        self,
        values: dict[int, np.ndarray],
        g: np.ndarray,
        x: np.ndarray,
        node: int,
    ) -> list[tuple[int, np.ndarray]]:
        """The cotangents of what is averaged, and of the parameters, from that of the average."""
        w = self.weights(values)
        count = max(len(w), len(g), len(x))
        w, g, x = (np.broadcast_to(y, (count, *y.shape[1:])) for y in (w, g, x))
        flat = np.einsum(
            "bar,br->ba", x.reshape(*x.shape[:2], -1), g.reshape(count, -1)
        )
        return [
            (node, np.einsum("ba,b...->ba...", w, g)),
            *self.moved(values, flat, w),
        ]

    def moved(
        self, values: dict[int, np.ndarray], g: np.ndarray, w: np.ndarray
    ) -> list[tuple[int, np.ndarray]]:
        """The cotangents of the parameters from those of the atoms' probabilities."""
        found = []
        for base in self.bases:
            if base.node is not None:
                p = values[base.node]
                found.append(
                    (
                        base.node,
                        base.pulled(
                            p,
                            ((g * w) @ base.counts)
                            / np.maximum(base.q(p), SMALLEST),
                        ),
                    )
                )
        return found


def _draws(nodes: Sequence[int], tape: Tape) -> set[int]:
    """The draws behind some nodes, without those that are averaged on the way."""

    def operands(k: int) -> list[int]:
        return tape.operands(k) if tape.nodes[k]["op"] != "mean" else []

    behind = (tape.nodes[k] for k in reached(nodes, operands))
    return {node["draw"] for node in behind if node["op"] == "random"}


def _base(law: dict[str, Any], tape: Tape) -> Base:
    """One law of a tape with all its copies, in order or as multisets."""
    single, constant, node = _outcomes(law, tape)
    copies = prod(law.get("shape", []))
    if law.get("unordered"):
        multisets = count_vectors(copies, len(single))[::-1]
        ways = log_ways(multisets)
        return Base(
            law["law"], node, ways + multisets @ constant, multisets @ single
        )
    index = (
        np.arange(len(single) ** copies)[:, None]
        // len(single) ** np.arange(copies)[::-1]
        % len(single)
    )
    return Base(
        law["law"], node, constant[index].sum(axis=1), single[index].sum(axis=1)
    )


def _outcomes(
    law: dict[str, Any], tape: Tape
) -> tuple[np.ndarray, np.ndarray, int | None]:
    """For each outcome of a copy: how often it takes each base outcome, and the log of the number of ways."""
    kind = law["law"]
    if kind == "finite":
        k = len(law["values"])
        return np.eye(k), np.zeros(k), law["weights"]["node"]
    if kind == "binomial":
        n = law["n"]
        k = np.arange(n + 1)
        return (
            np.stack([n - k, k], axis=1).astype(float),
            log_choices(n),
            law["p"]["node"],
        )
    if kind == "multinomial":
        counts = count_vectors(law["n"], law["categories"])
        return (
            counts.astype(float),
            log_ways(counts),
            law["pvals"]["node"],
        )
    if kind == "hypergeometric":
        with np.errstate(divide="ignore"):
            constant = np.log(
                hypergeometric(law["good"], law["bad"], law["sample"])[1]
            )
        return (
            np.zeros((len(constant), 0)),
            np.maximum(constant, np.log(SMALLEST)),
            None,
        )
    raise NotTraceable(f"populations know no law {kind}")
