"""Sizes of dimensions: what they may be, how they are drawn, and whether the values of an instance agree on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from boundcheck.domains.chart import COUNTING
from boundcheck.domains.conditions import Outside
from boundcheck.domains.domain import Dim, Domain
from boundcheck.tape import is_traced

SMALL = st.one_of(st.integers(1, 4), st.integers(1, 4), st.integers(2, 8))
"""Sizes that nothing bounds from above, or only a Count."""

FEW = 8
LARGE = 32
"""A range that begins with few entries is drawn up to here, and now and then only beyond `FEW`."""


def named(parameters: Mapping[str, Domain]) -> set[str]:
    """The names of the dimensions of a signature."""
    return {dim for domain in parameters.values() for dim in domain.dims if isinstance(dim, str)}


def unfit(parameters: Mapping[str, Domain]) -> str:
    """Why a parameter cannot be the size of the dimension that has its name; empty if all can."""
    for name in sorted(named(parameters) & set(parameters)):
        domain = parameters[name]
        if not _is_integer(domain) or _ends(domain)[0] < 1:
            return (
                f"'{name}' is the size of a dimension and runs through {domain.label}, where a size is a whole number from 1 on;"
                " annotate it with Size, Count or integers(1, 20)."
            )
    return ""


def drawn(domain: Domain | None) -> SearchStrategy[int]:
    """Sizes of a dimension, in the range of the parameter of its name if there is one."""
    if domain is None or domain.chart is COUNTING or _ends(domain) == (1, FEW):
        return SMALL
    low, high = _ends(domain)
    near = SMALL if low == 1 and high > FEW else st.integers(low, min(high, max(low + 2, FEW)))
    far = st.integers(low, min(high, max(LARGE, low + FEW)))
    return st.one_of(near, near, near, far)


def agreed(parameters: Mapping[str, Domain], values: Mapping[str, Any]) -> dict[Dim, int]:
    """The size of every named dimension that shows in the values. Raises Outside where types, shapes or sizes do not fit."""
    for name, domain in parameters.items():
        if domain.axes is not None and not _is_of_kind(values[name], domain.whole):
            raise Outside(f"{name} is not of the type of {domain.label}")
    sizes: dict[Dim, int] = {name: int(values[name]) for name in named(parameters) & set(parameters)}
    for name, domain in parameters.items():
        if domain.axes is not None:
            _fit(name, domain, _shape(values[name]), sizes)
    return sizes


def _fit(name: str, domain: Domain, shape: tuple[int, ...], sizes: dict[Dim, int]) -> None:
    """Compare the shape of one value with its dimensions, and keep the sizes that it shows."""
    dims = [domain.dims[axis] for axis in domain.axes or ()]
    expected = [dim if isinstance(dim, int) else sizes.setdefault(dim, size) for dim, size in zip(dims, shape, strict=False)]
    if len(dims) != len(shape) or list(shape) != expected or 0 in shape:
        raise Outside(f"{name} has shape {shape}, which is not that of {domain.label}")


def _shape(value: Any) -> tuple[int, ...]:
    return (len(value),) if isinstance(value, tuple) else tuple(np.shape(value))


def _is_of_kind(value: Any, whole: bool | None) -> bool:
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
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return isinstance(value, (float, np.floating))


def _is_integer(domain: Domain) -> bool:
    return domain.whole is True and domain.axes == ()


def _ends(domain: Domain) -> tuple[int, int]:
    """The least and the greatest of a range of integers."""
    return int(np.ceil(domain.chart.low)), int(np.floor(domain.chart.high))
