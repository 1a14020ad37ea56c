"""Draws that are remembered, and how far each may be from the number of the law that it stands for.

A float of a continuous law is rounded: it stands for all numbers of its cell. Of some draws even the digits that
floats have mean nothing: entries that are tied are rounded one by one, or a law is narrower than floats are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from boundcheck.laws import NotFinite
from boundcheck.operations.roundoff import U
from boundcheck.tape import NotTraceable, Tape, Traced
from boundcheck.tape.table import OF_DRAWS

METHODS = [
    name
    for name in dir(np.random.Generator)
    if name[0] != "_" and name not in ("bit_generator", "spawn")
]

TOO_WIDE = "beyond 2^53"

CHANGED = "What is drawn depends on earlier draws, so that single trials cannot be looked at again."

CHOOSING = ("choice", "permutation", "permuted")
"""What a generator takes from what it is given, digits and all."""

LOCATED = ("normal", "laplace", "logistic", "gumbel", "triangular", "vonmises")
"""Laws around a place, whose draws near 0 are as coarse as those near that place."""

ALIKE, LOST = 2.0**-30, 2.0**12
"""Two draws that agree so far show that a law is narrow; so many of its last steps mean nothing."""

LEAST = 2.0**-1000
"""Below it floats of a continuous law end."""

BEYOND = 10
"""A normal vector of n entries is longer than sqrt(n) + 10 with a probability below 10^-21."""

CUT = 2.0**-30
"""The largest share of a law that a generator may leave out, for being beyond its integers."""

LEFT_OUT: dict[str, Callable[..., Any]] = {
    "zipf": lambda a, *_, **__: 2.0 ** (63 * (1 - np.asarray(a))),
    "geometric": lambda p, *_, **__: np.exp(-np.asarray(p) * 2.0**63),
}
"""The share of a law that lies beyond 2^63."""


class Draw(NamedTuple):
    """What one call gave; for each entry, when asked, its cell and how far it may be off beside that."""

    name: str
    value: Any
    near: Callable[[], tuple[np.ndarray, np.ndarray]]
    law: Mapping[str, Any] = {}
    """The parameters of its law that are single numbers."""
    mixed: frozenset[int] = frozenset()
    """Axes along which entries are not drawn by themselves, but take each other's places."""

    def mixes(self, size: int) -> bool:
        """Whether it is the trials that do, whichever axis of this size is theirs."""
        axes = {
            k for k, length in enumerate(np.shape(self.value)) if length == size
        }
        return bool(axes) and axes <= self.mixed

    def taken(self, rows: np.ndarray, axis: int) -> Draw:
        """The same of some entries along an axis."""

        def near() -> tuple[np.ndarray, np.ndarray]:
            cell, error = self.near()
            return np.take(cell, rows, axis=axis), np.take(
                error, rows, axis=axis
            )

        return self._replace(
            value=np.take(self.value, rows, axis=axis), near=near
        )

    @property
    def is_vague(self) -> bool:
        """Whether digits of an entry mean nothing."""
        return bool(np.any(self.near()[1] > 0))


Log = list[Draw]


class Drawn(np.random.Generator):
    """A generator that remembers what it drew."""

    def __init__(self, bit_generator: Any):
        super().__init__(bit_generator)
        self.log: Log = []
        self.trials, self._inside = 1, False

    @property
    def asked(self) -> int:
        return len(self.log)


def _remembering(name: str) -> Callable[..., Any]:
    plain = getattr(np.random.Generator, name)

    def draw(self: Drawn, *args: Any, **named: Any) -> Any:
        outermost, self._inside = not self._inside, True
        try:
            drawn = plain(self, *args, **named)
        finally:
            self._inside = not outermost
        if outermost:
            given = (
                [_own(x) for x in args],
                {key: _own(x) for key, x in named.items()},
            )
            self.log.append(_draw(name, _own(drawn), *given))
        return drawn

    return draw


for _name in METHODS:
    setattr(Drawn, _name, _remembering(_name))


def _own(x: Any) -> Any:
    """A copy, for samplers may write into their arrays."""
    return x.copy() if isinstance(x, np.ndarray) else x


def _draw(
    name: str, value: Any, args: list[Any], named: dict[str, Any]
) -> Draw:
    """Raises NotFinite where the generator leaves out too much of the law."""
    share = (
        np.max(LEFT_OUT[name](*args, **named), initial=0.0)
        if name in LEFT_OUT
        else 0.0
    )
    if share > CUT:
        left_out = f"rng.{name} ends at 2^63 and leaves out a share of {share:.2g} of its law"
        raise NotFinite(f"{left_out}: it is not sampled.")
    given = dict(zip(OF_DRAWS[name].by_place, args)) if name in OF_DRAWS else {}
    given |= named
    law = {
        key: x
        for key, x in given.items()
        if key not in NO_LAW and np.ndim(x) == 0
    }
    near = cache(lambda: _near(name, np.asarray(value), args, named))
    return Draw(name, value, near, law, _mixed(name, value, given))


NO_LAW = (
    "size",
    "axis",
    "replace",
    "shuffle",
    "endpoint",
    "dtype",
    "method",
    "out",
)
"""What says how much is drawn, and how."""


def _mixed(name: str, value: Any, given: Mapping[str, Any]) -> frozenset[int]:
    every = frozenset(range(np.ndim(value)))
    if name == "choice":
        return frozenset() if given.get("replace", True) else every
    if name not in ("permutation", "permuted"):
        return frozenset()
    axis = given.get("axis", 0 if name == "permutation" else None)
    return every if axis is None else frozenset({axis % max(np.ndim(value), 1)})


def _near(
    name: str, x: np.ndarray, args: list[Any], named: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """The cell of each entry and its error; both are 0 for whole and chosen numbers."""
    nothing = np.zeros(x.shape)
    if x.dtype.kind != "f" or name in CHOOSING:
        return nothing, nothing
    if name in TIED:
        return nothing, np.broadcast_to(TIED[name](*args, **named), x.shape)
    again = np.asarray(
        getattr(np.random.Generator, name)(
            np.random.default_rng(0), *args, **named
        )
    )
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(x), np.abs(again))
        narrow = (
            (np.abs(x - again) <= ALIKE * size) | (np.abs(x) < LEAST) | (x == 1)
        )
        lost = np.maximum(LOST * np.spacing(size).astype(float), LEAST)
    return _cell(name, x, size), np.where(narrow, lost, 0.0)


def _cell(name: str, x: np.ndarray, size: np.ndarray) -> np.ndarray:
    """How far apart the numbers are that a generator can draw around each."""
    if name == "random":
        return np.full(x.shape, 2.0 ** -(np.finfo(x.dtype).nmant + 1))
    step = np.spacing(size if name in LOCATED else np.abs(x)).astype(float)
    return (
        np.full(x.shape, float(np.max(step, initial=0.0)))
        if name == "uniform"
        else step
    )


def _error_of_weights(alpha: Any, *_: object, **__: object) -> float:
    """Each weight is rounded by itself, so that they add up to 1 within so much."""
    return 8 * (np.size(alpha) + 2) * U


def _error_of_normals(
    mean: Any, cov: Any, *_: object, **__: object
) -> np.ndarray:
    """Roots of matrices so near, ||A - B|| <= 8 n u ||A||, differ by no more than the root of that."""
    n = np.size(mean)
    root = np.sqrt(8 * n * U * np.linalg.norm(np.asarray(cov, dtype=float)))
    return root * (np.sqrt(n) + BEYOND) + LOST * U * np.abs(
        np.asarray(mean, dtype=float)
    )


TIED: dict[str, Callable[..., Any]] = {
    "dirichlet": _error_of_weights,
    "multivariate_normal": _error_of_normals,
}
"""Laws of vectors whose entries are bound to each other, and the absolute error of each entry."""


class Replayed:
    """Gives again what was drawn, on some trials alone, as plain arrays or as numbers of a tape."""

    def __init__(
        self, log: Log, tape: Tape | None = None, blurred: bool = False
    ):
        self.log, self.tape, self.blurred, self.asked, self.trials = (
            log,
            tape,
            blurred,
            0,
            1,
        )

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def draw(*_: Any, **__: Any) -> Any:
            drawn = self.log[self.asked] if self.asked < len(self.log) else None
            if drawn is None or drawn.name != name or drawn.value is None:
                raise NotTraceable(CHANGED)
            self.asked += 1
            if self.tape is None:
                return np.copy(drawn.value)[()]  # samplers may write
            return exact_draw(self.tape, drawn, self.blurred)

        return draw


def exact_draw(tape: Tape, drawn: Draw, blurred: bool = False) -> Traced:
    """What a generator drew, as the numbers that they are or stand for; blurred, as any of their cells."""
    x = np.asarray(drawn.value)
    wide = x.dtype.kind in "iu" and np.any(np.abs(x.astype(float)) > 2.0**53)
    if x.dtype.kind not in "biuf" or not np.all(np.isfinite(x)) or wide:
        raise NotTraceable(
            f"A draw that is no number, or {TOO_WIDE}, is not recorded."
        )
    cell, error = drawn.near()
    return Traced(
        tape,
        tape.add(
            "drawn",
            [],
            x.astype(float),
            cell=cell + error if blurred else error,
        ),
    )


def on_rows(log: Log, size: int, rows: np.ndarray) -> Log | None:
    """The draws of some trials; None where a draw has not one axis that can be that of the trials."""
    kept = []
    for drawn in log:
        axes = [
            k
            for k, length in enumerate(np.shape(drawn.value))
            if length == size
        ]
        if len(axes) != 1:
            return None
        kept.append(drawn.taken(rows, axes[0]))
    return kept


def more_digits(tape: Tape, log: Log) -> dict[int, dict[str, Any]]:
    """In place of each draw of floats one with forty bits more, always the same; whole ones are what they are.

    A ball where digits mean nothing. None for chosen floats: the text may mean another number, as 0.1 does.
    """
    nodes = [k for k, node in enumerate(tape.nodes) if node["op"] == "drawn"]
    kinds = (
        (k, drawn, np.asarray(drawn.value).dtype.kind)
        for k, drawn in zip(nodes, log)
    )
    return {
        k: _longer(drawn)
        for k, drawn, kind in kinds
        if kind != "f" or drawn.name not in CHOOSING
    }


def _longer(drawn: Draw) -> dict[str, Any]:
    """The draws, each between its neighbours; uniform ones in the cell of the grid that a generator has."""
    x, (cell, error) = np.asarray(drawn.value), drawn.near()
    parts = np.random.default_rng(0).integers(1, 2**40, x.shape)
    middle = 0 if drawn.name == "random" else 2**39
    entries = zip(
        x.ravel(), cell.ravel(), error.ravel(), parts.ravel(), strict=True
    )
    data = [
        str(value + h * (int(part) - middle * (value != 0)) / 2**40)
        if r == 0
        else {"mid": str(value), "rad": str(r)}
        for value, h, r, part in (
            (*map(_fraction, floats), part) for *floats, part in entries
        )
    ]
    return {"op": "const", "args": [], "shape": list(x.shape), "data": data}


def _fraction(x: object) -> Fraction:
    return Fraction(float(x))  # type: ignore[arg-type]
