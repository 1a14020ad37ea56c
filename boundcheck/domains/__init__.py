"""The ranges that a claim's parameters run through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains import builders, draws
from boundcheck.domains.chart import COUNTING, FIXED, NONNEGATIVE, POSITIVE, REAL, Chart

Raw = Any
"""Free parameters of a value: numbers, arrays, and lists or dictionaries of them; what JSON keeps."""


@dataclass(frozen=True)
class Domain:
    """What may be drawn for a parameter, and how the drawn numbers become its value.

    `draw(*sizes)` is a Hypothesis strategy of raw numbers, one size for each name in `dims`; `build` turns them
    into the value with NumPy operations only, so that membership (PSD, unit norm, ...) holds exactly in real
    arithmetic and the value can be traced. Parameters that name the same dimension share its size.
    """

    label: str
    draw: Callable[..., SearchStrategy[Raw]]
    build: Callable[[Any], Any] = lambda raw: raw
    dims: tuple[str, ...] = ()
    chart: Any = REAL
    """One chart, or one for each field of a dictionary of raw numbers."""

    def __call__(self, *dims: str | int) -> Domain:
        """The same range with its dimensions named anew: `Matrix("n", "d")`, `Vector(3)`."""
        if len(dims) > len(self.dims):
            raise TypeError(f"{self.label} has {len(self.dims)} dimensions, not {len(dims)}.")
        return replace(self, dims=tuple(dims) + self.dims[len(dims) :])

    def __hash__(self) -> int:
        return hash((self.label, self.dims))


def between(low: float, high: float) -> Domain:
    """Reals strictly between two numbers."""
    width = high - low
    inner = st.integers(1, 999).map(lambda k: low + width * k / 1000)
    edge = st.sampled_from([1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999]).map(lambda t: low + width * t)
    return Domain(f"({low:g}, {high:g})", lambda: st.one_of(edge, inner), chart=Chart(low, high))


def integers(low: int, high: int) -> Domain:
    """Whole numbers from low to high, both included."""
    ends = [k for k in (low, low + 1, low + 2, high - 1, high) if low <= k <= high]
    return Domain(f"{low}..{high}", lambda: st.one_of(st.sampled_from(ends), st.integers(low, high)), chart=Chart(low - 0.5, high + 0.5))


def raw_of(domain: Any, *sizes: int) -> SearchStrategy[Raw]:
    """The raw numbers of a domain, for settings that compose them."""
    return domain.draw(*sizes)


if TYPE_CHECKING:
    Real = Positive = NonNegative = Unit = float
    Count = Size = Few = int
    Vector: Any
    UnitVector: Any
    Simplex: Any
    JointLaw: Any
    Channel: Any
    Signs: Any
    Spectrum: Any
    Matrix: Any
    SquareMatrix: Any
    Symmetric: Any
    PSD: Any
    PositiveDefinite: Any
    Correlation: Any
    Orthogonal: Any
    LowRank: Any
    Points: Any
else:
    Unit = Domain("(0, 1)", draws.unit, chart=Chart(0, 1))
    Positive = Domain("(0, inf)", draws.positive, chart=POSITIVE)
    NonNegative = Domain("[0, inf)", draws.nonnegative, chart=NONNEGATIVE)
    Real = Domain("R", draws.real)
    Count = Domain("1, 2, ..., 10000", draws.count, chart=COUNTING)
    Few = integers(1, 3)
    Size = integers(1, 8)

    Vector = Domain("R^n", draws.vector, dims=("n",))
    UnitVector = Domain("unit vectors", draws.nonzero_vector, builders.unit_vector, ("n",))
    Simplex = Domain("probability vectors", draws.weights, builders.normalised, ("n",), NONNEGATIVE)
    JointLaw = Domain("joint laws", draws.joint_weights, builders.normalised, ("m", "n"), NONNEGATIVE)
    Channel = Domain("stochastic matrices", draws.rows_of_weights, builders.stochastic, ("m", "n"), NONNEGATIVE)
    Signs = Domain("{-1, 1}^n", draws.signs, dims=("n",), chart=FIXED)
    Spectrum = Domain("decreasing non-negative sequences", draws.drops, builders.decreasing, ("n",), NONNEGATIVE)
    Matrix = Domain("R^(m x n)", draws.matrix, dims=("m", "n"))
    SquareMatrix = Domain("R^(n x n)", draws.square, dims=("n",))
    Symmetric = Domain("symmetric", draws.square, builders.symmetric_part, ("n",))
    PSD = Domain("PSD", draws.factor, builders.gram, ("n",))
    PositiveDefinite = Domain("positive definite", draws.ridged, builders.ridged, ("n",), {"factor": REAL, "ridge": POSITIVE})
    Correlation = Domain("correlation", draws.nonzero_rows, builders.correlation, ("n",))
    Orthogonal = Domain("orthogonal", draws.mirrors, builders.reflections, ("n",))
    LowRank = Domain("rank at most r", draws.factors, builders.low_rank, ("m", "n", "r"))
    Points = Domain("points", draws.points, dims=("n", "d"))

__all__ = [
    "COUNTING", "FIXED", "NONNEGATIVE", "POSITIVE", "PSD", "REAL", "Channel", "Chart", "Correlation", "Count", "Domain", "Few",
    "JointLaw", "LowRank", "Matrix", "NonNegative", "Orthogonal", "Points", "Positive", "PositiveDefinite", "Raw", "Real", "Signs",
    "Simplex", "Size", "Spectrum", "SquareMatrix", "Symmetric", "Unit", "UnitVector", "Vector", "between", "integers", "raw_of",
]  # fmt: skip
