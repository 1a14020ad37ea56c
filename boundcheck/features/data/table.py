"""Numbers in named columns: a table, the data set made of it, what is odd about that, and DataError."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from boundcheck.exits import Refused

Floats = NDArray[np.float64]

MAX_CELLS = 4 * 2**30 // 8
LISTED = 12
SEARCHED = 1000
SOME = 4
"""Cells that are named when several are wrong."""

MEND = "put a number there or remove the row or the column"


class DataError(Refused, ValueError):
    """The data cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True, eq=False)
class Table:
    """Finite `values` (n x p) under p `names`; the last column is the target unless one is chosen."""

    source: str
    names: tuple[str, ...]
    values: Floats

    def target_index(self, target: str | None) -> int:
        """Position of the target column. Raises DataError if there is no such column, or several."""
        if len(self.names) < 2:
            raise DataError(
                f"{self.source!r} has one column only; it needs inputs and a target."
            )
        if target is None:
            return len(self.names) - 1
        found = [j for j, name in enumerate(self.names) if name == target]
        if not found:
            raise DataError(
                f"{self.source!r} has no column {shown(target)}; {self._choices(target)}."
            )
        if len(found) > 1:
            raise DataError(
                f"{self.source!r} has {len(found)} columns {shown(target)}; rename all but one."
            )
        return found[0]

    def _choices(self, target: str) -> str:
        more = len(self.names) - LISTED
        listed = ", ".join(map(shown, self.names[:LISTED])) + (
            f" and {more} more" if more > 0 else ""
        )
        return f"choose one of {listed}{did_you_mean(target, self.names)}"


def number_in(cell: str) -> float | None:
    """The number that a cell spells; '1_000', a number to Python, is none in a data file."""
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def shown(text: str, limit: int = 40) -> str:
    """Text quoted for a message: one line, never longer than about `limit` characters."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def did_you_mean(word: str, names: tuple[str, ...]) -> str:
    """' (did you mean ...?)' with the closest of the first names, upper and lower case alike, or ''."""
    import difflib

    by_lower = {name.lower(): name for name in names[:SEARCHED]}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1)
    return f" (did you mean {shown(by_lower[close[0]])}?)" if close else ""


def refuse_large(source: str, cells: int) -> None:
    """Raises DataError if a matrix of so many float64 cells is larger than 4 GiB."""
    if cells > MAX_CELLS:
        raise DataError(
            f"{source!r} makes a matrix larger than 4 GiB; keep fewer rows or columns."
        )


def finite_table(
    source: str, names: tuple[str, ...], values: Floats, lines: Sequence[int] = (),
    gaps: Mapping[tuple[int, int], str] | None = None,
) -> Table:  # fmt: skip
    """The table of values (n x p), whose rows stand on `lines`. Raises DataError where one is not finite.

    `gaps` says what is wrong with some cells, by row and column.
    """
    if not len(values):
        raise DataError(f"{source!r} has no rows; add rows of numbers.")
    wrong = np.argwhere(~np.isfinite(values)).tolist()
    if wrong:
        first, *places = (
            f"{f'line {lines[i]}' if lines else f'row {i + 1}'}, column {shown(names[j])}"
            for i, j in wrong[:SOME]
        )
        i, j = wrong[0]
        what = (gaps or {}).get((i, j)) or f"{values[i, j]} is not finite"
        others = "; ".join([*places, *["..."] * (len(wrong) > SOME)])
        more = (
            f" ({len(wrong) - 1} more without a number: {others})"
            if others
            else ""
        )
        raise DataError(f"{source!r} {first}: {what}{more}; {MEND}.")
    return Table(source, names, values)


# inputs, targets and their names, with Wang's (2019) scaling and a seeded split


@dataclass(frozen=True, eq=False)
class Sample:
    """Inputs `X` (n x d, float64, C-contiguous) with d `columns`, and targets `y` (n,) named `target`."""

    name: str
    X: Floats = field(repr=False)
    y: Floats = field(repr=False)
    columns: tuple[str, ...]
    target: str

    def split(self, n_train: int, seed: int) -> tuple[Sample, Sample]:
        """Training set of n_train rows and test set of the others, by a permutation that `seed` fixes.

        Raises DataError unless 1 <= n_train < n."""
        n = len(self.y)
        if not 1 <= n_train < n:
            raise DataError(
                f"{self.name!r} has {n} rows; choose n_train from 1 to {n - 1}, not {n_train}."
            )
        generator = np.random.Generator(
            np.random.Philox(np.random.SeedSequence(seed))
        )
        order = generator.permutation(n)
        return self._rows(order[:n_train]), self._rows(order[n_train:])

    def scaled(self) -> Sample:
        """Inputs min-max scaled to [-1, 1], targets to mean 0 and max |y| = 1; what is constant becomes 0.

        Source: Wang (2019), Section 6.1, where all data are scaled before the split."""
        return replace(self, X=_min_max(self.X), y=_centred(self.y))

    def _rows(self, index: NDArray[np.int64]) -> Sample:
        return replace(self, X=self.X[index], y=self.y[index])


def _min_max(X: Floats) -> Floats:
    Z = _near_one(X)
    low, high = Z.min(axis=0), Z.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    return np.where(high > low, 2.0 * ((Z - low) / span) - 1.0, 0.0)


def _centred(y: Floats) -> Floats:
    """Constancy is asked of y itself: y - mean(y) of a constant y may be rounding error, not zero."""
    if y.min() == y.max():
        return np.zeros_like(y)
    z = _near_one(y)
    z = z - z.mean()
    return z / np.abs(z).max()


def _near_one(Z: Floats) -> Floats:
    """Each column times the power of two that brings max |z| into [1/2, 1): no difference overflows."""
    _, exponent = np.frexp(np.abs(Z).max(axis=0))
    return np.ldexp(Z, -exponent)


# what is odd about the columns, each in a sentence


NAMED = 6
MOST = 100
"""One in so many values may be an outlier."""

SQUEEZED = 20
"""A range so many times that of all but the outliers leaves the others too little room."""


def notices(data: Sample, scaled: bool) -> list[str]:
    """Guessed names; columns that are constant, repeated, row numbers or squeezed; `scaled` as in a plan."""
    with np.errstate(over="ignore"):
        return [
            *_names(data),
            *_constant(data),
            *_repeated(data),
            *_counting(data),
            *_squeezed(data, scaled),
        ]


def _names(data: Sample) -> Iterator[str]:
    names = (*data.columns, data.target)
    if set(names) == set(map(str, range(len(names)))):
        numbered = (
            f"they are numbered from 0, and the target is {data.target!r}"
        )
        yield f"The columns have no names: {numbered}; choose another with --target."
    elif len(set(names)) < len(names):
        often = sorted({name for name in names if names.count(name) > 1})
        yield f"Several columns are called {_quoted(often)}."
    elif odd := [name for name in names if _is_decimal(name)]:
        taken = "The first line was taken for the names of the columns"
        yield f"{taken}, though {_quoted(odd)} is a number; write names above it."


def _is_decimal(name: str) -> bool:
    number = number_in(name)
    return number is not None and not name.strip().isdigit()


def _constant(data: Sample) -> Iterator[str]:
    names = [
        name
        for name, x in zip(data.columns, data.X.T, strict=True)
        if x.min() == x.max()
    ]
    if names:
        yield f"{_called(names)} constant: nothing depends on {'it' if len(names) == 1 else 'them'}."
    if data.y.min() == data.y.max():
        yield (
            f"The target {data.target!r} is constant ({data.y[0]:g}), and 0 once it is centred: there is"
            " nothing to predict, and what theorems say about risks is trivial; choose another with --target."
        )


def _repeated(data: Sample) -> Iterator[str]:
    """Columns alike up to scale and shift, in the order of the file, the target last."""
    first: dict[bytes, int] = {}
    copies = []
    for j, x in enumerate(data.X.T):
        i = first.setdefault(_shape(x), j)
        if i < j and x.min() < x.max():
            copies.append(f"{data.columns[j]!r} repeats {data.columns[i]!r}")
    if copies:
        yield f"{'; '.join(copies[:NAMED])}{_more(copies)}: it counts twice in every distance; leave it out."
    twin = first.get(_shape(data.y))
    if twin is not None and data.y.min() < data.y.max():
        yield f"The target {data.target!r} repeats the input {data.columns[twin]!r}: leave that column out."


def _shape(x: Floats) -> bytes:
    """The same for columns that are alike."""
    z = x / (np.abs(x).max() or 1.0)
    return (np.round((z - z.min()) / (np.ptp(z) or 1.0), 9) + 0.0).tobytes()


def _counting(data: Sample) -> Iterator[str]:
    pairs = zip(data.columns, data.X.T, strict=True)
    names = [
        name for name, x in pairs if len(x) > 2 and np.all(np.diff(x) == 1)
    ]
    if names:
        yield f"{_called(names)} the number of the row, not an input; leave it out."


def _squeezed(data: Sample, scaled: bool) -> Iterator[str]:
    columns = [
        *(zip(data.columns, data.X.T, strict=True) if scaled else ()),
        (data.target, data.y),
    ]
    found = [text for name, x in columns if (text := _outlier(name, x))]
    if found:
        squeezed = "A value squeezes all others, once columns are scaled by their extremes"
        yield f"{squeezed}: {'; '.join(found[:NAMED])}{_more(found)}; correct it, or take logarithms."


def _outlier(name: str, x: Floats) -> str:
    """Which value, and what it leaves to the others; nothing where all is well or the others are constant."""
    few, ordered = max(len(x) // MOST, 1), np.sort(x)
    z = ordered / (np.abs(x).max() or 1.0)
    rest = len(x) - 1 - few
    left, low = min((z[rest + low] - z[low], low) for low in range(few + 1))
    whole = z[-1] - z[0]
    if len(x) < 5 or not 0 < SQUEEZED * left < whole:
        return ""
    value = ordered[0] if 2 * low > few else ordered[-1]
    share = f"{100 * left / whole:.2g} % of the range"
    return f"in {name!r} {value:g} leaves {len(x) - few} of {len(x)} values {share}"


def _called(names: list[str]) -> str:
    return (
        f"Column {names[0]!r} is"
        if len(names) == 1
        else f"Columns {_quoted(names)} are"
    )


def _quoted(names: list[str]) -> str:
    return ", ".join(map(repr, names[:NAMED])) + _more(names)


def _more(items: list[str]) -> str:
    return f" and {len(items) - NAMED} more" if len(items) > NAMED else ""
