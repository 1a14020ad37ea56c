"""What is odd about the columns of a data set, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boundcheck.data import DataSet
from boundcheck.features.kernels import Vector

LISTED = 6
MOST = 100
"""One in so many values may be an outlier."""

SQUEEZED = 20
"""A range so many times that of all but the outliers leaves the others too little room."""


def notices(data: DataSet, scaled: bool) -> list[str]:
    """Guessed names, and columns that are constant, repeated, row numbers or squeezed; `scaled` as in a plan."""
    with np.errstate(over="ignore"):
        return [*_names(data), *_constant(data), *_repeated(data), *_counting(data), *_squeezed(data, scaled)]


def _names(data: DataSet) -> Iterator[str]:
    names = (*data.columns, data.target)
    if set(names) == set(map(str, range(len(names)))):
        yield f"The columns have no names: they are numbered from 0, and the target is {data.target!r}; choose another with --target."
    elif len(set(names)) < len(names):
        yield f"Several columns are called {_listed(sorted({name for name in names if names.count(name) > 1}))}."
    elif any(map(_is_decimal, names)):
        odd = _listed([name for name in names if _is_decimal(name)])
        yield f"The first line was taken for the names of the columns, though {odd} is a number; write names above it."


def _is_decimal(name: str) -> bool:
    try:
        return not (float(name).is_integer() and name.strip().isdigit())
    except (ValueError, OverflowError):
        return False


def _constant(data: DataSet) -> Iterator[str]:
    names = [name for name, x in zip(data.columns, data.X.T, strict=True) if x.min() == x.max()]
    if names:
        yield f"{_columns(names)} constant: nothing depends on {'it' if len(names) == 1 else 'them'}."
    if data.y.min() == data.y.max():
        yield (
            f"The target {data.target!r} is constant ({data.y[0]:g}), and 0 once it is centred: there is nothing to predict,"
            " and what theorems say about risks is trivial; choose another with --target."
        )


def _repeated(data: DataSet) -> Iterator[str]:
    """Columns alike up to scale and shift, in the order of the file, the target last."""
    first: dict[bytes, str] = {}
    twins: list[tuple[str, str]] = []
    for name, x in zip((*data.columns, data.target), (*data.X.T, data.y), strict=True):
        z = x / (np.abs(x).max() or 1.0)
        if (span := np.ptp(z)) > 0:
            key = (np.round((z - z.min()) / span, 9) + 0.0).tobytes()
            twins += [(name, first[key])] if key in first else []
            first.setdefault(key, name)
    copies = [f"{name!r} repeats {other!r}" for name, other in twins if name != data.target or other == name]
    if copies:
        yield f"{'; '.join(copies[:LISTED])}{_more(copies)}: it counts twice in every distance; leave it out."
    for name, other in twins:
        if name == data.target and other != name:
            yield f"The target {name!r} repeats the input {other!r}: leave that column out."


def _counting(data: DataSet) -> Iterator[str]:
    names = [name for name, x in zip(data.columns, data.X.T, strict=True) if len(x) > 2 and np.all(np.diff(x) == 1)]
    if names:
        yield f"{_columns(names)} the number of the row, not an input; leave it out."


def _squeezed(data: DataSet, scaled: bool) -> Iterator[str]:
    found = [text for name, x in zip(data.columns, data.X.T, strict=True) if scaled and (text := _outlier(name, x))]
    found += [text] if (text := _outlier(data.target, data.y)) else []
    if found:
        yield (
            f"A value squeezes all others, once columns are scaled by their extremes: {'; '.join(found[:LISTED])}{_more(found)};"
            " correct it, or take logarithms."
        )


def _outlier(name: str, x: Vector) -> str:
    """Which value, and what it leaves to the others; nothing where all is well or the others are constant."""
    few, ordered = max(len(x) // MOST, 1), np.sort(x)
    z = ordered / (np.abs(x).max() or 1.0)
    left, low = min((z[len(x) - 1 - few + low] - z[low], low) for low in range(few + 1))
    whole = z[-1] - z[0]
    if len(x) < 5 or not 0 < SQUEEZED * left < whole:
        return ""
    value = ordered[0] if 2 * low > few else ordered[-1]
    return f"in {name!r} {value:g} leaves {len(x) - few} of {len(x)} values {100 * left / whole:.2g} % of the range"


def _columns(names: list[str]) -> str:
    return f"Column {names[0]!r} is" if len(names) == 1 else f"Columns {_listed(names)} are"


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names[:LISTED])) + _more(names)


def _more(items: list[str]) -> str:
    return f" and {len(items) - LISTED} more" if len(items) > LISTED else ""
