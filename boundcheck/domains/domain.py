"""A domain: what a parameter runs through, how its values are drawn and built, and the sizes they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import Annotated, Any, get_origin

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains.chart import COUNTING, REAL
from boundcheck.domains.conditions import Condition, Outside
from boundcheck.tape import is_traced
from boundcheck.tape.program import during

Raw = Any
"""Free parameters of a value: numbers, arrays, and lists or dictionaries of them; what JSON keeps."""

Dim = str | int


_forgiving: ContextVar[bool] = ContextVar("forgiving", default=False)


def forgiving() -> AbstractContextManager[None]:
    """While a file of claims is loaded what is wrong with one is kept as its fault, for the others."""
    return during(_forgiving, True)


def is_forgiving() -> bool:
    return _forgiving.get()


@dataclass(frozen=True)
class NoDomain:
    """What stands where a domain should, and why it is none."""

    sentence: str

    def __call__(self, *_: Any) -> NoDomain:
        return self


def domain_of(annotation: Any) -> Any:
    """The domain that an annotation is or has, as `Annotated[Array, Vector("n")]` does.

    A class has its own, for a case of its base is none of it.
    """
    if get_origin(annotation) is Annotated:
        said = map(domain_of, annotation.__metadata__)
        return next(
            (d for d in said if isinstance(d, (Domain, NoDomain))), annotation
        )
    held = (
        vars(annotation).get("domain")
        if isinstance(annotation, type)
        else getattr(annotation, "domain", None)
    )
    return annotation if held is None else held


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
        return self.pattern.format(
            *self.dims, shape=f"({shape})" if len(self.dims) > 1 else shape
        )

    @property
    def is_integer(self) -> bool:
        """Whether a value is one integer."""
        return self.whole is True and self.axes == ()

    def __call__(self, *dims: Dim) -> Domain:
        """The same range with its dimensions named anew: `Matrix("n", "d")`, `Vector(3)`. Raises TypeError."""
        try:
            if len(dims) > len(self.dims) and not self.any_shape:
                raise TypeError(
                    f"{self.label} has {len(self.dims)} dimensions, not {len(dims)}."
                )
            checked_dims(dims)
        except TypeError as error:
            if not _forgiving.get():
                raise
            return NoDomain(str(error))  # type: ignore[return-value]
        if self.any_shape:
            return replace(
                self,
                dims=dims or self.dims,
                axes=tuple(range(len(dims or self.dims))),
            )
        return replace(self, dims=tuple(dims) + self.dims[len(dims) :])

    def __hash__(self) -> int:
        return hash((self.pattern, self.dims))

    def conditions(
        self, value: object, sizes: Mapping[Dim, int]
    ) -> Iterable[Any]:
        """What a value promises beyond its type and shape, given the sizes of named dimensions."""
        return self.member(value, *self.sized(sizes))

    def sized(self, sizes: Mapping[Dim, int]) -> list[int | None]:
        """The size of each dimension, None where none is known."""
        return [
            dim if isinstance(dim, int) else sizes.get(dim) for dim in self.dims
        ]


class Inner(Domain):
    """A domain inside of what is meant, whose ends are no short decimals: all of it is not all of that."""


def is_inner(domain: Domain) -> bool:
    """Whether it, or a part of which a setting or a family consists, lies inside of what its ends mean."""
    if isinstance(domain, Inner):
        return True
    parts = [*getattr(domain.build, "fields", {}).values()]
    if (each := getattr(domain.build, "each", None)) is not None:
        parts.append(each)
    return any(map(is_inner, parts))


def checked_dims(dims: Iterable[Any]) -> None:
    """Raise TypeError unless each is a name or a number from 1 on."""
    for dim in dims:
        if (
            isinstance(dim, bool)
            or not isinstance(dim, (str, int))
            or (isinstance(dim, int) and dim < 1)
            or (isinstance(dim, str) and not dim.isidentifier())
        ):
            raise TypeError(
                f'A dimension is a name such as "n" or a whole number from 1 on, not {dim!r}.'
            )


SMALL = st.one_of(st.integers(1, 4), st.integers(1, 4), st.integers(2, 8))
"""Sizes that nothing bounds from above, or only a Count."""

FEW = 8
LARGE = 32
"""A range that begins with few entries is drawn up to here, and now and then only beyond `FEW`."""


def named_dims(parameters: Mapping[str, Domain]) -> set[str]:
    """The names of the dimensions of a signature."""
    return {
        dim
        for domain in parameters.values()
        for dim in domain.dims
        if isinstance(dim, str)
    }


MOST_ENTRIES = 1_000_000
"""Entries of an array of a fixed shape."""


def unfit(parameters: Mapping[str, Domain]) -> str:
    """Why a parameter is too large, or cannot be the size of its name's dimension; else empty."""
    for name in sorted(named_dims(parameters) & set(parameters)):
        domain = parameters[name]
        if not domain.is_integer or _ends(domain)[0] < 1:
            return (
                f"'{name}' is the size of a dimension and runs through {domain.label}, where a size is a whole number from 1 on;"
                " annotate it with Size, Count or integers(1, 20)."
            )
    for name, domain in parameters.items():
        if (
            entries := prod(dim for dim in domain.dims if isinstance(dim, int))
        ) > MOST_ENTRIES:
            return f"the parameter '{name}' has {entries} entries; {MOST_ENTRIES} are the most there can be."
    return ""


def drawn_size(domain: Domain | None) -> SearchStrategy[int]:
    """Sizes of a dimension, in the range of the parameter of its name if there is one."""
    if domain is None or domain.chart is COUNTING or _ends(domain) == (1, FEW):
        return SMALL
    return _sizes(*_ends(domain))


@cache
def _sizes(low: int, high: int) -> SearchStrategy[int]:
    near = (
        SMALL
        if low == 1 and high > FEW
        else st.integers(low, min(high, max(low + 2, FEW)))
    )
    far = st.integers(low, min(high, max(LARGE, low + FEW)))
    return st.one_of(near, near, near, far)


def agreed(
    parameters: Mapping[str, Domain], values: Mapping[str, Any]
) -> dict[Dim, int]:
    """The size of every named dimension that shows in the values. Raises Outside where they do not fit."""
    for name, domain in parameters.items():
        if domain.axes is not None and not _is_of_kind(
            values[name], domain.whole
        ):
            raise Outside(f"{name} is not of the type of {domain.label}")
    sizes: dict[Dim, int] = {
        name: int(values[name])
        for name in named_dims(parameters) & set(parameters)
    }
    for name, domain in parameters.items():
        if domain.axes is not None:
            _fit(name, domain, _shape(values[name]), sizes)
    return sizes


def _fit(
    name: str, domain: Domain, shape: tuple[int, ...], sizes: dict[Dim, int]
) -> None:
    """Compare the shape of one value with its dimensions, and keep the sizes that it shows."""
    dims = [domain.dims[axis] for axis in domain.axes or ()]
    expected = [
        dim if isinstance(dim, int) else sizes.setdefault(dim, size)
        for dim, size in zip(dims, shape, strict=False)
    ]
    if len(dims) != len(shape) or list(shape) != expected or 0 in shape:
        raise Outside(
            f"{name} has shape {shape}, which is not that of {domain.label}"
        )


def _shape(value: Any) -> tuple[int, ...]:
    return (len(value),) if isinstance(value, tuple) else tuple(np.shape(value))


def _is_of_kind(value: object, whole: bool | None) -> bool:
    """Whether a value consists of integers, or of floats."""
    if whole is None:
        return True
    if isinstance(value, tuple):
        return all(_is_of_kind(entry, whole) for entry in value)
    if is_traced(value):
        return not whole
    if isinstance(value, np.ndarray):
        return value.dtype.kind == ("i" if whole else "f")
    if whole:
        return isinstance(value, (int, np.integer)) and not isinstance(
            value, bool
        )
    return isinstance(value, (float, np.floating))


def _ends(domain: Domain) -> tuple[int, int]:
    """The least and the greatest of a range of integers."""
    return int(np.ceil(domain.chart.low)), int(np.floor(domain.chart.high))
