"""What a conformance run found: an item of the contract has a verdict and a reason with numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from boundcheck.checking.verdict import Outcome
from boundcheck.conform.plan import Plan

CONTRACT = {
    "unbiased": "E phi(x)^T phi(y) = k(x, y)",
    "bounded": "|phi(x)|^2 <= B and s phi_i(x)^2 <= c^2 for all x",
    "variance": "Var phi(x)^T phi(y) <= V(x, y) / s",
    "rate": "E (phi(x)^T phi(y) - k(x, y))^2 falls as 1 / s, its root as s^(-1/2)",
    "deterministic": "random_state alone decides phi, and phi(x) depends on x alone",
    "data-independent": "fit takes nothing from X but its shape",
    "interface": "shape (n, s) for every s, inputs and parameters left alone, get_params and set_params",
    "float32": "float32 inputs cost at most n u (max_i sum_j |x_j d phi_i / d x_j| + 2 pi max_i |phi_i|), n = 8 (d + 8), u = 2^-24;"
    " a promised dtype is kept",
    "documented": "fitted attributes have the shapes and dtypes of the docstring",
}
"""The items of the contract, in the order of a report."""


@dataclass(frozen=True)
class Item:
    """One item of the contract; `numbers` are those of the reason, for programs."""

    name: str
    outcome: Outcome
    reason: str
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Conformance:
    """All items for one map: `parameters` as given, `library` the package it comes from, `draws` made at each size."""

    map: str
    kernel: str
    parameters: dict[str, Any]
    library: str
    plan: Plan
    draws: int
    items: tuple[Item, ...]

    def item(self, name: str) -> Item:
        """The item of that name. Raises KeyError."""
        return {item.name: item for item in self.items}[name]

    def found(self, outcomes: Collection[Outcome]) -> list[Item]:
        """The items with one of these outcomes."""
        return [item for item in self.items if item.outcome in outcomes]
