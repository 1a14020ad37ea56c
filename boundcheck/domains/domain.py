"""A domain: what a parameter runs through, how its values are drawn and built, and what membership means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis.strategies import SearchStrategy

from boundcheck.domains.chart import REAL
from boundcheck.domains.conditions import Condition

Raw = Any
"""Free parameters of a value: numbers, arrays, and lists or dictionaries of them; what JSON keeps."""

Dim = str | int


def nothing_more(*_: Any) -> Iterable[Condition]:
    """The promise of a domain whose values only have a type and a shape."""
    return ()


@dataclass(frozen=True)
class Domain:
    """What may be drawn for a parameter, how the drawn numbers become its value, and what they promise.

    `draw(*sizes)` is a Hypothesis strategy of raw numbers, one size for each name in `dims`; `build` turns them
    into the value with NumPy operations only, so that membership (PSD, unit norm, ...) holds exactly in real
    arithmetic and the value can be traced. `member(value, *sizes)` says independently of both what membership is; a
    size that no shape shows is None. Parameters that name the same dimension share its size.
    """

    pattern: str
    """The label, with {0}, {1}, ... for the dimensions and {shape} for all of them."""
    draw: Callable[..., SearchStrategy[Raw]]
    build: Callable[[Any], Any] = lambda raw: raw
    dims: tuple[Dim, ...] = ()
    chart: Any = REAL
    """One chart, or one for each field of a dictionary of raw numbers."""
    member: Callable[..., Iterable[Any]] = nothing_more
    axes: tuple[int, ...] | None = None
    """Which dimension each axis of a value has, () for numbers; None for values that are no arrays."""
    whole: bool | None = False
    """Whether values consist of integers; None where it depends."""
    any_shape: bool = False
    """Whether it takes as many dimensions as are given."""

    @property
    def label(self) -> str:
        """What the values are, as `boundcheck show` prints it."""
        shape = " x ".join(map(str, self.dims))
        return self.pattern.format(*self.dims, shape=f"({shape})" if len(self.dims) > 1 else shape)

    def __call__(self, *dims: Dim) -> Domain:
        """The same range with its dimensions named anew: `Matrix("n", "d")`, `Vector(3)`. Raises TypeError."""
        if len(dims) > len(self.dims) and not self.any_shape:
            raise TypeError(f"{self.label} has {len(self.dims)} dimensions, not {len(dims)}.")
        checked_dims(dims)
        if self.any_shape:
            return replace(self, dims=dims or self.dims, axes=tuple(range(len(dims or self.dims))))
        return replace(self, dims=tuple(dims) + self.dims[len(dims) :])

    def __hash__(self) -> int:
        return hash((self.pattern, self.dims))

    def conditions(self, value: Any, sizes: Mapping[Dim, int]) -> Iterable[Any]:
        """What a value promises beyond its type and shape, given the sizes of named dimensions."""
        return self.member(value, *(dim if isinstance(dim, int) else sizes.get(dim) for dim in self.dims))


def checked_dims(dims: Iterable[Any]) -> None:
    """Raise TypeError unless each is a name or a number from 1 on."""
    for dim in dims:
        if isinstance(dim, bool) or not isinstance(dim, (str, int)) or (isinstance(dim, int) and dim < 1):
            raise TypeError(f'A dimension is a name such as "n" or a whole number from 1 on, not {dim!r}.')
