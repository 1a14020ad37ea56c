"""CSV files: a header or none, cells apart by comma, semicolon, tab or blanks."""

from __future__ import annotations

import csv
import itertools
import re
from array import array
from dataclasses import dataclass, field

import numpy as np

from boundcheck.data.files import Lines
from boundcheck.data.table import DataError, Table, number, refuse_large, shown

DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+(e[-+]?\d+)?\s*", re.I)
MISSING = {"", "?", "-", ".", "na", "n/a", "null", "none"}


def read_csv(source: str, lines: Lines) -> Table:
    """The table in the lines. Raises DataError with the line number and the column of the first fault."""
    first = list(itertools.islice(lines, 2))
    if not first:
        raise DataError(f"{source!r} is empty; give a file with rows of numbers.")
    delimiter = _delimiter([line for _, line in first])
    cells = _split(source, first[0], delimiter)
    if has_header := _is_header(cells):
        names = tuple(cell.strip() or f"column {j}" for j, cell in enumerate(cells))
    else:
        names = tuple(map(str, range(len(cells))))
    rows = _Rows(source, names, delimiter)
    for numbered in itertools.chain(first[has_header:], lines):
        rows.add(numbered)
    return rows.table()


@dataclass(frozen=True)
class _Rows:
    """Rows read so far, with the line each stood on."""

    source: str
    names: tuple[str, ...]
    delimiter: str | None
    values: array[float] = field(default_factory=lambda: array("d"))
    lines: array[int] = field(default_factory=lambda: array("q"))

    def add(self, numbered: tuple[int, str]) -> None:
        at, line = numbered
        cells = _split(self.source, numbered, self.delimiter)
        if len(cells) != len(self.names):
            p = len(self.names)
            commas = ", or put decimal points for its commas" if len(cells) == 2 * p and self.delimiter == "," else ""
            raise DataError(f"{self.source!r} line {at} has {_cells(len(cells))}, not {p}; mend that row{commas}.")
        try:
            self.values.extend(map(number if "_" in line else float, cells))
        except ValueError:
            raise self._not_a_number(at, cells) from None
        self.lines.append(at)
        refuse_large(self.source, len(self.values))

    def table(self) -> Table:
        if not self.lines:
            raise DataError(f"{self.source!r} has a header and no rows; add rows of numbers.")
        values = np.frombuffer(self.values, dtype=np.float64).reshape(-1, len(self.names))
        finite = np.isfinite(values)
        if not finite.all():
            i, j = np.argwhere(~finite)[0]
            raise self._fault(self.lines[i], int(j), f"{values[i, j]} is not finite")
        return Table(self.source, self.names, values)

    def _not_a_number(self, at: int, cells: list[str]) -> DataError:
        j = next(j for j, cell in enumerate(cells) if not _is_number(cell))
        cell = cells[j].strip()
        if DECIMAL_COMMA.fullmatch(cell):
            where = f"{self.source!r} line {at}, column {shown(self.names[j])}"
            return DataError(f"{where}: {shown(cell)} is not a number but has a decimal comma; save the file with decimal points.")
        return self._fault(at, j, f"{shown(cell)} is not a number" if cell else "the cell is empty")

    def _fault(self, at: int, j: int, what: str) -> DataError:
        where = f"{self.source!r} line {at}, column {shown(self.names[j])}"
        return DataError(f"{where}: {what}; put a number there or remove the row or the column.")


def _delimiter(first: list[str]) -> str | None:
    """Delimiter the first two lines agree on, else any of the first; None is blanks.

    Semicolon and tab go before comma, which may be a decimal comma or stand in a name."""
    counts = [[re.sub('"[^"]*"', "", line.strip(" \n")).count(mark) for line in first] for mark in ";\t,"]
    agreed = (mark for mark, count in zip(";\t,", counts, strict=True) if count[0] == count[-1] > 0)
    present = (mark for mark, count in zip(";\t,", counts, strict=True) if count[0])
    return next(agreed, next(present, None))


def _split(source: str, numbered: tuple[int, str], delimiter: str | None) -> list[str]:
    at, line = numbered
    if '"' not in line:
        return line.rstrip("\n").split(delimiter)
    try:
        return next(csv.reader([line.strip(" \n")], delimiter=delimiter or " ", skipinitialspace=True))
    except csv.Error as error:
        raise DataError(f"{source!r} line {at} is not CSV ({error}); mend its quotes.") from None


def _is_header(cells: list[str]) -> bool:
    """Some cell is a word. A row of numbers in which some are missing, or have commas, is data, and faulty, not a header."""
    words = [cell for cell in cells if not _is_number(cell)]
    if any(map(DECIMAL_COMMA.fullmatch, cells)):
        return False
    gaps = [cell for cell in words if cell.strip().lower() in MISSING]
    return bool(words) and (len(gaps) < len(words) or len(words) == len(cells))


def _is_number(cell: str) -> bool:
    try:
        number(cell)
    except ValueError:
        return False
    return True


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
