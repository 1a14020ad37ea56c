"""What domains promise of their values: conditions that floats check and a tape records as hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.tape import Tape, Traced, Truth, is_traced
from boundcheck.tape.program import exact_text

SLACK = 1e-9
"""What floats may lose of an identity, relative to the largest entry and to 1; on the tape they are exact."""

NEAR = Fraction(1, 2**50)
"""How near the verifier wants to see two sides of an identity that involves roots."""


class Outside(ValueError):
    """A value that is not in its domain; the message says why."""


@dataclass(frozen=True)
class Condition:
    """A relation between arrays that holds for every entry, or says something of a matrix.

    "lt", "le", "eq"; "near": equal, where roots leave no exact form; "whole": integers; "psd", "pd": a symmetric
    matrix; "psd_near": its smallest eigenvalue is at least 0 where roots leave no exact form.
    """

    relation: str
    args: tuple[Any, ...]

    def holds(self) -> bool:
        """Whether it holds in floats, up to their rounding."""
        return bool(_IN_FLOATS[self.relation](*self.args))

    def suppose(self, tape: Tape) -> None:
        """Make it a hypothesis of the program, its plain numbers exact."""
        nodes = [_traced(tape, x) for x in self.args]
        if self.relation == "pd":
            tape.suppose("lt", exact(tape, 0).node, np.linalg.det(nodes[0]).node)  # type: ignore[call-overload]
        if self.relation == "psd_near":
            nodes = [nodes[0] + exact(tape, np.eye(nodes[0].shape[0]), scale=NEAR)]
        relation = {"pd": "psd", "psd_near": "psd"}.get(self.relation, self.relation)
        tape.suppose(relation, *(x.node for x in nodes))


def holds(promise: Any) -> bool:
    """Whether a condition holds in floats; a plain comparison of arrays is one too."""
    return promise.holds() if isinstance(promise, Condition) else bool(np.all(promise))


def suppose(promise: Any, tape: Tape) -> None:
    """Make a condition, or a comparison, a hypothesis of the program. Raises Outside where it is false."""
    if isinstance(promise, Condition):
        promise.suppose(tape)
    elif not np.all(promise.decided() if isinstance(promise, Truth) else promise):
        raise Outside("a case is not what its setting promises")


def lt(x: object, y: object) -> Condition:
    return Condition("lt", (x, y))


def le(x: object, y: object) -> Condition:
    return Condition("le", (x, y))


def eq(x: object, y: object) -> Condition:
    return Condition("eq", (x, y))


def near(x: object, y: object) -> Condition:
    return Condition("near", (x, y))


def of(relation: str, x: object) -> Condition:
    """A condition on one array."""
    return Condition(relation, (x,))


def exact(tape: Tape, x: object, scale: Fraction = Fraction(1)) -> Traced:
    """A constant that stands for the shortest decimals of its entries, of any length, times `scale`."""
    entries = np.asarray(int(x) if isinstance(x, int) else x)
    data = [str(_decimal(entry) * scale) for entry in entries.ravel().tolist()]
    value = np.asarray(entries, dtype=float) * float(scale)
    return Traced(tape, tape.add("const", [], value, shape=list(entries.shape), data=data))


def _decimal(x: float) -> Fraction:
    return Fraction(x) if isinstance(x, int) else Fraction(exact_text(x))


def _traced(tape: Tape, x: Any) -> Traced:
    return x if is_traced(x) else exact(tape, x)


def _equal(x: object, y: object) -> bool:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    size = max(1.0, np.max(np.abs(x), initial=0.0), np.max(np.abs(y), initial=0.0))
    return bool(np.all(np.abs(x - y) <= SLACK * size))


def _psd(A: Any) -> bool:
    return bool(np.linalg.eigvalsh(A)[0] >= -SLACK * max(1e-300, float(np.max(np.abs(A)))) * len(A))


def _psd_near(A: Any) -> bool:
    return bool(np.linalg.eigvalsh(A)[0] >= -SLACK * max(1.0, float(np.max(np.abs(A)))) * len(A))


_IN_FLOATS: dict[str, Any] = {
    "lt": lambda x, y: np.all(np.less(x, y)),
    "le": lambda x, y: np.all(np.less_equal(x, y)),
    "eq": _equal,
    "near": _equal,
    "whole": lambda x: np.all(np.rint(x) == x),
    "psd": _psd,
    "pd": _psd,
    "psd_near": _psd_near,
}
