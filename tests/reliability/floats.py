"""Certificates in plain floats, with NumPy and enumeration and nothing of the verifier: a second opinion on what it confirms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
from scipy import special, stats

SLACK = 1e-9
"""Below it, relative to the numbers compared, floats cannot tell."""

NAMES = {"sub": "subtract", "mul": "multiply", "div": "divide", "pow": "power", "neg": "negative", "abs": "absolute", "mod": "remainder"}
LINEAR: dict[str, Callable[..., Any]] = {
    "matmul": np.matmul, "inv": np.linalg.inv, "det": np.linalg.det, "eigvalsh": np.linalg.eigvalsh,
    "solve": lambda A, B: np.linalg.solve(A, B[..., None])[..., 0] if B.ndim == 1 else np.linalg.solve(A, B),
    "svdvals": lambda A: np.linalg.svd(A, compute_uv=False), "take": lambda table, index: table[index.astype(int)],
}  # fmt: skip


class Beyond(Exception):
    """What this module does not know."""


def agrees(certificate: dict[str, Any]) -> bool | None:
    """Whether no hypothesis is false and the conclusion is, in floats; None where floats or this module cannot tell.

    A spelling that the verifier reads and this module does not, as a default left out, is beyond it too.
    """
    try:
        with np.errstate(all="ignore"):
            program = Program(certificate["laws"])
            program.run(certificate["program"])
            false = any(program.relation(h["relation"], *h["args"]) is False for h in certificate["hypotheses"])
            return False if false else program.violated(certificate["conclusion"])
    except (Beyond, LookupError, TypeError, ValueError):
        return None


def number(entry: Any) -> float:
    """A rational, or the middle of a ball."""
    return float(Fraction(entry["mid"] if isinstance(entry, dict) else entry))


def less(x: Any, y: Any, strict: bool = True) -> np.ndarray:
    """1 where x < y, 0 where not, 1/2 where floats cannot tell."""
    gap, size = np.asarray(y) - x, np.abs(x) + np.abs(y)
    equal = (np.asarray(x) == y) & (np.asarray(x) == np.rint(x))
    return np.where(equal, 0.0 if strict else 1.0, np.where(np.abs(gap) <= SLACK * size, 0.5, gap > 0))


def truth(entries: np.ndarray) -> bool | None:
    """All of them."""
    return False if np.any(entries == 0) else None if np.any(entries != 1) else True


class Program:
    """The values of the nodes; a random one has the atoms of all draws as its first axis."""

    def __init__(self, laws: list[dict[str, Any]]):
        self.laws, self.values = laws, list[Any]()
        if any(law.get("group", 0) or law.get("unordered") for law in laws):
            raise Beyond
        self.copies = [(_outcomes(law), prod(law.get("shape", []))) for law in laws]
        self.atoms = list(product(*(range(len(o)) for o, count in self.copies for _ in range(count))))
        if len(self.atoms) > 100_000:
            raise Beyond

    def run(self, nodes: list[dict[str, Any]]) -> None:
        for node in nodes:
            self.values.append(np.asarray(self._value(node), dtype=float))

    def _value(self, node: dict[str, Any]) -> Any:
        op, x = node["op"], [self.values[k] for k in node.get("args", [])]
        if op in ("input", "const"):
            return np.array([number(v) for v in node["data"]]).reshape(node["shape"])
        if op == "gather":
            flat = np.concatenate([v.ravel() for v in x] + [np.zeros(1)])
            return flat[np.array(node["index"], dtype=int)].reshape(node["shape"])
        if op == "random":
            return self._draw(node["draw"])
        if op == "mean":
            return np.tensordot(self.weights(), x[0], axes=1) if x[0].shape[:1] == (len(self.atoms),) else x[0]
        if op in ("sum", "prod", "max", "min"):
            return getattr(x[0], op)(axis=tuple(node["axes"]), keepdims=node.get("keepdims", False))
        if op in ("cumsum", "sort"):
            return getattr(np, op)(x[0], axis=node.get("axis", -1))
        function = LINEAR.get(op) or getattr(np, NAMES.get(op) or op, None)
        if function is None:
            raise Beyond
        return function(*x)

    def _draw(self, k: int) -> np.ndarray:
        start = sum(count for _, count in self.copies[:k])
        outcomes, count = self.copies[k]
        chosen = np.array(self.atoms, dtype=int).reshape(len(self.atoms), -1)[:, start : start + count]
        tail = np.array(outcomes).shape[1:]
        return np.array(outcomes)[chosen].reshape(len(self.atoms), *self.laws[k].get("shape", []), *tail)

    def weights(self) -> np.ndarray:
        """The probability of every atom."""
        single = [w for law, (o, count) in zip(self.laws, self.copies) for w in [self._weights(law, o)] * count]
        return np.array([prod(w[k] for w, k in zip(single, atom)) for atom in self.atoms])

    def _weights(self, law: dict[str, Any], outcomes: list[Any]) -> list[float]:
        if law["law"] == "finite":
            w = self._numbers(law["weights"])
            return (w / w.sum()).tolist()
        if law["law"] == "binomial":
            return stats.binom.pmf(outcomes, law["n"], self._numbers(law["p"])[0]).tolist()
        p = self._numbers(law["pvals"])
        return [factorial(law["n"]) / prod(map(factorial, o)) * float(np.prod((p / p.sum()) ** np.array(o))) for o in outcomes]

    def _numbers(self, value: Any) -> np.ndarray:
        if isinstance(value, dict) and "node" in value:
            return np.ravel(self.values[value["node"]])
        return np.array([number(v) for v in (value if isinstance(value, list) else [value])])

    def relation(self, relation: str, *args: int) -> bool | None:
        x = [self.values[k] for k in args]
        if relation == "psd":
            smallest = float(np.linalg.eigvalsh(x[0])[..., 0].min())
            return None if abs(smallest) < SLACK * np.abs(x[0]).max() else smallest > 0
        if relation in ("eq", "ne"):
            apart = np.maximum(less(*x), less(*x[::-1]))
            return truth(1 - apart if relation == "eq" else apart)
        return truth(less(*x, strict=relation == "lt"))

    def violated(self, conclusion: dict[str, Any]) -> bool | None:
        """Whether the conclusion is false: the largest certainty of any entry, or of a probability."""
        kind = conclusion["kind"]
        if kind in ("at_most", "equal"):
            x, y = (self.values[k] for k in conclusion["args"])
            entries = less(y, x) if kind == "at_most" else np.maximum(less(x, y), less(y, x))
            return truth(np.max(entries, keepdims=True))
        if kind not in ("probability", "sampled"):
            raise Beyond
        bound = float(np.ravel(self.values[conclusion["bound"]])[0])
        if kind == "sampled":
            against = 1 - bound if conclusion["relation"] == "ge" else bound
            tail = stats.binom.sf(conclusion["failures"] - 1, conclusion["trials"], against)
            return truth(less(tail, number(conclusion["alpha"]), strict=False))
        event, weights = self._event(conclusion["event"]), self.weights()
        low, high = float(weights[event == 1].sum()), float(weights[event > 0].sum())
        if abs(high - bound) <= SLACK or abs(low - bound) <= SLACK:
            return None  # 1 - 1e-44 is 1 in floats
        return truth(less(high, bound) if conclusion["relation"] == "ge" else less(bound, low))

    def _event(self, event: dict[str, Any]) -> np.ndarray:
        ((name, operands),) = event.items()
        if name == "not":
            return 1 - self._event(operands)
        if name in ("and", "or"):
            return (np.min if name == "and" else np.max)([self._event(e) for e in operands], axis=0)
        entries = less(*(self.values[k] for k in operands), strict=name == "lt")
        return np.broadcast_to(entries.reshape(len(entries), -1).min(axis=1) if entries.ndim else entries, len(self.atoms))


def _outcomes(law: dict[str, Any]) -> list[Any]:
    if law["law"] == "finite":
        return [number(v) for v in law["values"]]
    if law["law"] == "binomial":
        return list(range(law["n"] + 1))
    if law["law"] != "multinomial":
        raise Beyond
    parts = len(law["pvals"]) if isinstance(law["pvals"], list) else law["categories"]
    if special.comb(law["n"] + parts - 1, parts - 1) > 100_000:
        raise Beyond
    return [c for c in product(range(law["n"] + 1), repeat=parts) if sum(c) == law["n"]] if (law["n"] + 1) ** parts < 10**6 else _beyond()


def _beyond() -> list[Any]:
    raise Beyond
