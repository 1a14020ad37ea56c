"""The ranges that a claim's parameters run through."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from boundcheck.domains import builders, draws
from boundcheck.domains import conditions as members
from boundcheck.domains.chart import (
    BITS,
    CHOICE,
    COUNTING,
    FIXED,
    NONNEGATIVE,
    ORDER,
    POSITIVE,
    REAL,
    SIGNS,
    Chart,
    counting,
    cut_inside,
)
from boundcheck.domains.domain import (
    Dim,
    Domain,
    Inner,
    Raw,
    checked_dims,
    domain_of,
)

Array = NDArray[Any]
"""What type checkers know of an array of numbers or of positions: `A: Annotated[Array, Symmetric("n")]`."""


def between(low: float, high: float, closed: bool = False) -> Domain:
    """Reals strictly between two numbers; with `closed=True` the ends belong to them. Raises ValueError."""
    low, high, cut = _ends("between", low, high)
    width = high - low
    inner = st.integers(1, 999).map(lambda k: low + width * k / 1000)
    edge = st.sampled_from([1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999]).map(
        lambda t: low + width * t
    )
    ends = [st.sampled_from([float(low), float(high)])] if closed else []
    label = (
        f"[{_digits(low)}, {_digits(high)}]"
        if closed
        else f"({_digits(low)}, {_digits(high)})"
    )
    chart = Chart(low, high, closed, closed)
    return (Inner if cut else Domain)(
        label,
        lambda: st.one_of(edge, inner, *ends),
        chart=chart,
        member=members.interval(low, high, closed),
        axes=(),
    )


def integers(low: int, high: int) -> Domain:
    """Whole numbers from low to high, both included. Raises TypeError or ValueError."""
    if any(
        isinstance(end, bool) or not isinstance(end, (int, np.integer))
        for end in (low, high)
    ):
        raise TypeError(
            f"integers({low!r}, {high!r}): both ends are whole numbers."
        )
    low, high = int(low), int(high)
    if low > high:
        raise ValueError(
            f"integers({low}, {high}) is empty; the lower end comes first."
        )
    ends = [
        k for k in (low, low + 1, low + 2, high - 1, high) if low <= k <= high
    ]

    def draw() -> SearchStrategy[int]:
        return st.one_of(st.sampled_from(ends), st.integers(low, high))

    member = members.whole_interval(low, high)
    return Domain(
        f"{low}..{high}",
        draw,
        chart=counting(low, high),
        member=member,
        axes=(),
        whole=True,
    )


def Box(*dims: Any, low: float = math.nan, high: float = math.nan) -> Domain:
    """Arrays with entries from low to high, both included: `Box("n", 0, 1)`, `Box("m", "n", low=0, high=1)`.

    Raises TypeError or ValueError.
    """
    if math.isnan(low) and math.isnan(high) and len(dims) > 2:
        return Box(*dims[:-2], low=dims[-2], high=dims[-1])
    low, high, cut = _ends("Box", low, high)
    chart: Any = Chart(low, high, True, True)
    pattern, member = (
        f"[{_digits(low)}, {_digits(high)}]^{{shape}}",
        members.interval(low, high, True),
    )
    return (Inner if cut else Domain)(
        pattern,
        draws.box(low, high),
        dims=("n",),
        chart=chart,
        member=member,
        axes=(0,),
        any_shape=True,
    )(*dims)


def SymmetricBetween(dim: Dim, low: float, high: float) -> Domain:
    """Symmetric n x n matrices A with low I <= A <= high I: `SymmetricBetween("n", 0, 1)`. Raises TypeError or ValueError."""
    low, high, cut = _ends("SymmetricBetween", low, high)
    return (Inner if cut else Domain)(
        f"symmetric, {{0}} x {{0}}, eigenvalues in [{_digits(low)}, {_digits(high)}]",
        draws.spectral(low, high),
        builders.spectral,
        ("n",),
        {"mirrors": REAL, "spectrum": Chart(low, high, True, True)},
        members.spectrum_between(low, high),
        (0, 0),
    )(dim)


def Subset(n: Dim, size: Dim) -> Domain:
    """`size` of the positions 0, ..., n - 1, in increasing order: `x[S]` for `S: Subset("n", 2)`. Raises TypeError or ValueError."""
    if isinstance(n, int) and isinstance(size, int) and size > n:
        raise ValueError(
            f"Subset({n}, {size}) is empty: {n} positions have no subset of {size}."
        )
    label = "subsets of 0, ..., {0} - 1 of size {1}"
    return Domain(
        label,
        draws.choice,
        builders.chosen,
        ("n", "size"),
        CHOICE,
        members.subset,
        (1,),
        whole=True,
    )(n, size)


def Family(domain: object, k: Dim) -> Domain:
    """k independent values of a domain, `A[0], ..., A[k - 1]`: `Family(PSD("d"), "k")` is a k x d x d array.

    Whole numbers and settings come as a tuple. Raises TypeError.
    """
    inner = domain_of(domain)
    if not isinstance(inner, Domain):
        raise TypeError(
            'Family takes a domain and how many of it there are: Family(PSD("d"), "k").'
        )
    checked_dims((k,))
    stacked = inner.axes is not None and not inner.is_integer

    def build(raw: Any) -> Any:
        values = [inner.build(entry) for entry in raw]
        return np.stack(values) if stacked else tuple(values)

    build.each = inner  # type: ignore[attr-defined]  # what it is a family of
    label = inner.label.replace("{", "{{").replace("}", "}}")
    return Domain(
        f"families of {{0}}: {label}",
        draws.family(inner.draw),
        build,
        (k, *inner.dims),
        inner.chart,
        members.family(inner.member),
        (0, *(axis + 1 for axis in inner.axes or ())),
        None if inner.axes is None else inner.whole,
    )


def _digits(end: float) -> str:
    """An end of a range, in as many digits as it takes."""
    return f"{end:g}" if float(f"{end:g}") == end else f"{end:.12g}"


def _ends(name: str, low: Any, high: Any) -> tuple[float, float, bool]:
    """The ends inside of what is meant, and whether they are others. Raises ValueError."""
    if (
        not all(
            isinstance(end, (int, float, np.integer)) and math.isfinite(end)
            for end in (low, high)
        )
        or not low < high
    ):
        raise ValueError(
            f"{name} with the ends {low} and {high} is no interval; give two finite numbers, the lower one first."
        )
    return cut_inside(low, high)


def raw_of(domain: Any, *sizes: int) -> SearchStrategy[Raw]:
    """The raw numbers of a domain, for settings that compose them."""
    return domain.draw(*sizes)


if TYPE_CHECKING:
    Real = Positive = NonNegative = Unit = float
    Count = Size = Few = int

    def _any() -> Any: ...

    Bits = Channel = Correlation = JointLaw = LowRank = Matrix = Orthogonal = (
        PSD
    ) = Permutation = Points = _any()
    PositiveDefinite = Signs = Simplex = Spectrum = SquareMatrix = Symmetric = (
        UnitRows
    ) = UnitVector = Vector = _any()
else:
    Unit = Domain(
        "(0, 1)",
        draws.unit,
        chart=Chart(0, 1),
        member=members.interval(0, 1, False),
        axes=(),
    )
    Positive = Domain(
        "(0, inf)",
        draws.positive,
        chart=POSITIVE,
        member=members.positive,
        axes=(),
    )
    NonNegative = Domain(
        "[0, inf)",
        draws.nonnegative,
        chart=NONNEGATIVE,
        member=members.nonnegative,
        axes=(),
    )
    Real = Domain("R", draws.real, axes=())
    Count = Domain(
        "1, 2, ..., 10000",
        draws.count,
        chart=COUNTING,
        member=members.whole_interval(1, 10_000),
        axes=(),
        whole=True,
    )
    Few = integers(1, 3)
    Size = integers(1, 8)

    Vector = Domain("R^{0}", draws.vector, dims=("n",), axes=(0,))
    UnitVector = Domain(
        "unit vectors in R^{0}",
        draws.nonzero_vector,
        builders.unit_vector,
        ("n",),
        REAL,
        members.unit_vector,
        (0,),
    )
    Simplex = Domain(
        "probability vectors of length {0}",
        draws.weights,
        builders.normalised,
        ("n",),
        NONNEGATIVE,
        members.simplex,
        (0,),
    )
    JointLaw = Domain(
        "joint laws, {0} x {1}",
        draws.joint_weights,
        builders.normalised,
        ("m", "n"),
        NONNEGATIVE,
        members.simplex,
        (0, 1),
    )
    Channel = Domain(
        "stochastic matrices, {0} x {1}",
        draws.rows_of_weights,
        builders.stochastic,
        ("m", "n"),
        NONNEGATIVE,
        members.stochastic,
        (0, 1),
    )
    Signs = Domain(
        "{{-1, 1}}^{shape}",
        draws.signs,
        dims=("n",),
        chart=SIGNS,
        member=members.signs,
        axes=(0,),
        any_shape=True,
    )
    Bits = Domain(
        "{{0, 1}}^{shape}",
        draws.bits,
        dims=("n",),
        chart=BITS,
        member=members.bits,
        axes=(0,),
        any_shape=True,
    )
    Permutation = Domain(
        "permutations of 0, ..., {0} - 1",
        draws.permutation,
        dims=("n",),
        chart=ORDER,
        member=members.permutation,
        axes=(0,),
        whole=True,
    )
    Spectrum = Domain(
        "decreasing non-negative sequences of length {0}",
        draws.drops,
        builders.decreasing,
        ("n",),
        NONNEGATIVE,
        members.decreasing,
        (0,),
    )
    Matrix = Domain("R^({0} x {1})", draws.matrix, dims=("m", "n"), axes=(0, 1))
    SquareMatrix = Domain(
        "R^({0} x {0})", draws.square, dims=("n",), axes=(0, 0)
    )
    Symmetric = Domain(
        "symmetric, {0} x {0}",
        draws.square,
        builders.symmetric_part,
        ("n",),
        REAL,
        members.symmetric,
        (0, 0),
    )
    PSD = Domain(
        "PSD, {0} x {0}",
        draws.factor,
        builders.gram,
        ("n",),
        REAL,
        members.psd,
        (0, 0),
    )
    PositiveDefinite = Domain(
        "positive definite, {0} x {0}",
        draws.ridged,
        builders.ridged,
        ("n",),
        {"factor": REAL, "ridge": POSITIVE},
        members.positive_definite,
        (0, 0),
    )
    Correlation = Domain(
        "correlation, {0} x {0}",
        draws.nonzero_rows,
        builders.correlation,
        ("n",),
        REAL,
        members.correlation,
        (0, 0),
    )
    Orthogonal = Domain(
        "orthogonal, {0} x {0}",
        draws.mirrors,
        builders.reflections,
        ("n",),
        REAL,
        members.orthogonal,
        (0, 0),
    )
    LowRank = Domain(
        "{0} x {1} of rank at most {2}",
        draws.factors,
        builders.low_rank,
        ("m", "n", "r"),
        REAL,
        members.low_rank,
        (0, 1),
    )
    Points = Domain(
        "{0} points in R^{1}", draws.points, dims=("n", "d"), axes=(0, 1)
    )
    UnitRows = Domain(
        "{0} unit vectors in R^{1} as rows",
        draws.unit_rows,
        builders.unit_rows,
        ("n", "d"),
        REAL,
        members.unit_rows,
        (0, 1),
    )

__all__ = [
    "COUNTING",
    "FIXED",
    "NONNEGATIVE",
    "POSITIVE",
    "PSD",
    "REAL",
    "Array",
    "Bits",
    "Box",
    "Channel",
    "Chart",
    "Correlation",
    "Count",
    "Domain",
    "Family",
    "Few",
    "JointLaw",
    "LowRank",
    "Matrix",
    "NonNegative",
    "Orthogonal",
    "Permutation",
    "Points",
    "Positive",
    "PositiveDefinite",
    "Raw",
    "Real",
    "Signs",
    "Simplex",
    "Size",
    "Spectrum",
    "SquareMatrix",
    "Subset",
    "Symmetric",
    "SymmetricBetween",
    "Unit",
    "UnitRows",
    "UnitVector",
    "Vector",
    "between",
    "integers",
    "raw_of",
]
