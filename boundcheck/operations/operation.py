"""The instruction set: all that the engine knows of one operation stands in one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.operations.ranges import RANGES, Range
from boundcheck.operations.roundoff import Step
from boundcheck.operations.trials import Trials, beside
from boundcheck.tape.program import SPELLED, Spelling
from boundcheck.tape.traced import constant, lifts, record, tape_in

Fields = Mapping[str, Any]
"""What a node says beside its operands: axes, an index, a power; `leading`: how many axes lead, if any."""

Value = Callable[..., np.ndarray]
"""(fields, *operands): the float value."""

Pullback = Callable[..., Sequence[np.ndarray | None]]
"""(fields, cotangent, value, *operands): cotangents of the operands, as it broadcasts; None for none."""

Radius = Callable[[Step], np.ndarray]
Ranges = Callable[[list[Range], tuple[Any, ...]], Range]

OPERATIONS: dict[str, Operation] = {}


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation, and a function of floats, traced numbers, trials, random quantities and expectations.

    `axes` of each operand are its own, the last ones (None: all); it leaves those before them alone. `value`
    gives the floats, `radius` how far they may be from the exact numbers, `pullback` the derivative, if any.
    """

    name: str
    value: Value
    radius: Radius
    pullback: Pullback | None = None
    axes: int | None = 0
    says: str = ""
    """What it is, where the NumPy functions that are spelled by it alone do not say so."""

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, *operands: Any, **fields: Any) -> Any:
        """The operation on numbers of any kind. Raises NotTraceable."""
        if any(map(lifts, operands)):
            return self._lifted(operands, fields)
        tape = tape_in(operands)
        if tape is None:
            return self.value(fields, *map(np.asarray, operands))
        given = [constant(tape, x) for x in operands]
        with np.errstate(all="ignore"):
            value = self.value(fields, *(x.traced_value for x in given))
        return record(tape, self.name, given, value, **fields)

    def _lifted(self, operands: tuple[Any, ...], fields: dict[str, Any]) -> Any:
        """The operation on numbers of which one acts on the others."""
        above = [x for x in operands if lifts(x) and not isinstance(x, Trials)]
        if not above:
            return Trials(
                self(*beside(operands, self.axes), **behind(fields, 1))
            )
        answers = (
            x.__array_function__(self, list(map(type, above)), operands, fields)
            for x in above
        )
        return next(
            answer for answer in answers if answer is not NotImplemented
        )

    def over(
        self, fields: Fields, *operands: np.ndarray, lead: int = 0
    ) -> np.ndarray:
        """The value for many instances at once: the first `lead` axes of all operands, or of length 1."""
        return self.value(
            led(fields, lead), *deepened(operands, lead, self.axes)
        )

    def pulled(
        self,
        fields: Fields,
        cotangent: np.ndarray,
        value: np.ndarray,
        *operands: np.ndarray,
        lead: int = 0,
    ) -> list[np.ndarray | None]:
        """Cotangents of the operands, in their shapes, from that of the result. Raises LookupError."""
        if self.pullback is None:
            raise LookupError(f"{self.name} has no derivative")
        wide = deepened(operands, lead, self.axes)
        found = self.pullback(led(fields, lead), cotangent, value, *wide)
        return [
            None
            if g is None
            else folded(g, x.shape, lead).reshape(
                g.shape[:lead] + z.shape[lead:]
            )
            for g, x, z in zip(found, wide, operands, strict=True)
        ]


def operation(
    name: str,
    value: Value,
    radius: Radius,
    *,
    range: Ranges | None = None,
    numpy: Sequence[Any] = (),
    **rest: Any,
) -> Operation:
    """Enter an operation: `numpy` are functions it is, `range` what is known of it. Raises ValueError."""
    if name in OPERATIONS:
        raise ValueError(
            f"There is an operation {name!r} already; a name means one thing in all certificates."
        )
    entry = OPERATIONS[name] = Operation(name, value, radius, **rest)
    SPELLED.update(dict.fromkeys([*numpy, entry], entry))
    if range is not None:
        RANGES.update(dict.fromkeys([*numpy, entry], range))
    return entry


def spells(
    *functions: Any, range: Ranges | None = None
) -> Callable[[Spelling], Spelling]:
    """Enter how functions of NumPy or SciPy are spelled with simpler ones, for numbers of every kind."""

    def enter(spelling: Spelling) -> Spelling:
        SPELLED.update(dict.fromkeys(functions, spelling))
        if range is not None:
            RANGES.update(dict.fromkeys(functions, range))
        return spelling

    return enter


WRITTEN: dict[str, str] = {}
"""How formulas show functions: `#` is what they are taken of, `^` begins an exponent and `_` an index."""


def written(glyph: str) -> Callable[[Any], Any]:
    """Enter how a formula shows a function: `‖#‖_F` encloses, `#^−1` raises, `λ_max` is a name."""

    def enter(function: Callable[..., Any]) -> Any:
        WRITTEN[function.__name__] = glyph
        return function

    return enter


def behind(fields: Fields, lead: int) -> dict[str, Any]:
    """The fields with axes counted behind leading ones."""
    moved = dict(fields)
    if "axes" in moved:
        moved["axes"] = [a + lead if a >= 0 else a for a in moved["axes"]]
    if moved.get("axis", -1) >= 0:
        moved["axis"] += lead
    return moved


def led(fields: Fields, lead: int) -> Fields:
    """The fields for leading axes; as they are where they say so already."""
    return (
        fields
        if fields.get("leading") == lead
        else {**behind(fields, lead), "leading": lead}
    )


def deepened(
    operands: Sequence[np.ndarray], lead: int, own: int | None = 0
) -> list[np.ndarray]:
    """The operands with axes of length 1 behind the leading ones: all but the last `own` broadcast."""
    depths = {x.ndim for x in operands}
    if not lead or own is None or len(depths) == 1:
        return list(operands)
    depth = max(depths)
    return [
        x.reshape(x.shape[:lead] + (1,) * (depth - x.ndim) + x.shape[lead:])
        if x.ndim >= lead + own
        else x
        for x in operands
    ]


def folded(g: np.ndarray, shape: tuple[int, ...], lead: int = 0) -> np.ndarray:
    """The transpose of broadcasting from a shape: sums over the axes that it lacks; leading ones stay."""
    g = (
        g.sum(axis=tuple(range(lead, lead + g.ndim - len(shape))))
        if g.ndim > len(shape)
        else g
    )
    axes = tuple(
        k for k in range(lead, g.ndim) if shape[k] == 1 and g.shape[k] != 1
    )
    return g.sum(axis=axes, keepdims=True) if axes else g


def entrywise(f: Callable[..., Any]) -> Value:
    return lambda _, *xs: f(*xs)


def slopes(*partial: Callable[..., Any]) -> Pullback:
    """The pullback of a function of entries from its partial derivatives in (*operands, value)."""
    return lambda _, g, value, *xs: [
        np.asarray(g * d(*xs, value)) for d in partial
    ]
