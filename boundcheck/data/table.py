"""A table of numbers with named columns, and the one error that unusable data raises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boundcheck.exits import Refused

MAX_CELLS = 4 * 2**30 // 8
LISTED = 12
SEARCHED = 1000


class DataError(Refused, ValueError):
    """The data cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True, eq=False)
class Table:
    """Finite `values` (n x p) under p `names`; the last column is the target unless one is chosen."""

    source: str
    names: tuple[str, ...]
    values: NDArray[np.float64]

    def target_index(self, target: str | None) -> int:
        """Position of the target column. Raises DataError if there is no such column, or several."""
        if len(self.names) < 2:
            raise DataError(f"{self.source!r} has one column only; it needs inputs and a target.")
        if target is None:
            return len(self.names) - 1
        found = [j for j, name in enumerate(self.names) if name == target]
        if not found:
            raise DataError(f"{self.source!r} has no column {shown(target)}; {self._choices(target)}.")
        if len(found) > 1:
            raise DataError(f"{self.source!r} has {len(found)} columns {shown(target)}; rename all but one.")
        return found[0]

    def _choices(self, target: str) -> str:
        more = len(self.names) - LISTED
        listed = ", ".join(map(shown, self.names[:LISTED])) + (f" and {more} more" if more > 0 else "")
        return f"choose one of {listed}{did_you_mean(target, self.names)}"


def number(cell: str) -> float:
    """The number a cell spells. Raises ValueError; '1_000', a number to Python, is none in a data file."""
    if "_" in cell:
        raise ValueError
    return float(cell)


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
        raise DataError(f"{source!r} makes a matrix larger than 4 GiB; keep fewer rows or columns.")


def finite_table(source: str, names: tuple[str, ...], values: NDArray[np.float64]) -> Table:
    """The table of the values (n x p). Raises DataError with row and column if there is no row, or one is not finite."""
    if not len(values):
        raise DataError(f"{source!r} has no rows; add rows of numbers.")
    finite = np.isfinite(values)
    if not finite.all():
        i, j = np.argwhere(~finite)[0]
        where = f"{source!r} row {i + 1}, column {shown(names[j])}"
        raise DataError(f"{where}: {values[i, j]} is not finite; put a number there or remove the row or the column.")
    return Table(source, names, values)
