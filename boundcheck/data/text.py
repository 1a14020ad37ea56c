"""Text files of numbers, plain or gzip, never trusted: their lines, CSV, LIBSVM."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import math
import re
import stat
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

from boundcheck.data.table import MEND, DataError, Table, finite_table, number, refuse_large, shown

Lines: TypeAlias = Iterator[tuple[int, str]]

MAX_BYTES = 2 * 2**30
MAX_LINE = 32 * 2**20
GZIP_MAGIC = b"\x1f\x8b"


def numbered_lines(source: str) -> Lines:
    """Yield (line number from 1, text) of the lines that are not blank. Raises DataError on a bad file."""
    check_file(source)
    try:
        with Path(source).open("rb") as raw, io.TextIOWrapper(_unpacked(source, raw), "utf-8-sig") as text:
            yield from _lines(source, text)
    except EOFError:
        raise DataError(f"{source!r} ends in the middle of its gzip stream; fetch it again.") from None
    except (gzip.BadGzipFile, zlib.error):
        raise DataError(f"{source!r} is damaged gzip; fetch it again.") from None
    except UnicodeDecodeError:
        raise DataError(f"{source!r} is not text in UTF-8; save it as a UTF-8 CSV or LIBSVM file.") from None
    except OSError as error:
        raise DataError(f"{source!r} cannot be read ({error.strerror or error}); check the file.") from None


def check_file(source: str) -> None:
    """Raises DataError unless the source is a regular file of 2 GiB at most."""
    try:
        info = Path(source).stat()
    except OSError as error:
        raise DataError(f"{source!r} cannot be read ({error.strerror}); check the path.") from None
    if stat.S_ISDIR(info.st_mode):
        raise DataError(f"{source!r} is a directory; name a file in it.")
    if not stat.S_ISREG(info.st_mode):
        raise DataError(f"{source!r} is not a regular file; save the data to a file first.")
    if info.st_size > MAX_BYTES:
        raise DataError(f"{source!r} is larger than 2 GiB; keep fewer rows or columns.")


def first_bytes(source: str) -> bytes:
    """The eight bytes that tell a binary format; fewer if the file is shorter. Raises DataError."""
    check_file(source)
    try:
        with Path(source).open("rb") as raw:
            return raw.read(8)
    except OSError as error:
        raise DataError(f"{source!r} cannot be read ({error.strerror or error}); check the file.") from None


def _unpacked(source: str, raw: io.BufferedReader) -> io.BufferedReader | gzip.GzipFile:
    """The content: gzip is told by its first two bytes, whatever the name says."""
    head = raw.peek(2)[:2]
    if head == GZIP_MAGIC:
        return gzip.GzipFile(fileobj=raw)
    if head and source.lower().endswith(".gz"):
        raise DataError(f"{source!r} is not gzip; fetch it again, or drop '.gz' from its name.")
    return raw


def _lines(source: str, text: io.TextIOWrapper) -> Lines:
    size = at = 0
    while line := text.readline(MAX_LINE):
        at, size = at + 1, size + len(line)
        if "\0" in line:
            raise DataError(f"{source!r} line {at} has a NUL byte; save the data as UTF-8 text.")
        if len(line) == MAX_LINE:
            raise DataError(f"{source!r} line {at} is longer than 32 MiB; put one row on a line.")
        if size > MAX_BYTES:
            raise DataError(f"{source!r} unpacks to more than 2 GiB; keep fewer rows or columns.")
        if not line.isspace():
            yield at, line


# CSV: a header or none, cells apart by comma, semicolon, tab or blanks


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
    gaps: dict[tuple[int, int], str] = field(default_factory=dict)

    def add(self, numbered: tuple[int, str]) -> None:
        at, line = numbered
        cells = _split(self.source, numbered, self.delimiter)
        if len(cells) != len(self.names):
            p = len(self.names)
            halved = len(cells) == 2 * p and self.delimiter == ","
            mend = "mend that row" + (", or put decimal points for its commas" if halved else "")
            raise DataError(f"{self.source!r} line {at} has {_cells(len(cells))}, not {p}; {mend}.")
        try:
            self.values.extend(map(number if "_" in line else float, cells))
        except ValueError:
            del self.values[len(self.lines) * len(cells) :]  # what came before the cell at fault
            self.values.extend(self._number(at, j, cell) for j, cell in enumerate(cells))
        self.lines.append(at)
        refuse_large(self.source, len(self.values))

    def table(self) -> Table:
        if not self.lines:
            raise DataError(f"{self.source!r} has a header and no rows; add rows of numbers.")
        values = np.frombuffer(self.values, dtype=np.float64).reshape(-1, len(self.names))
        return finite_table(self.source, self.names, values, self.lines, self.gaps)

    def _number(self, at: int, j: int, cell: str) -> float:
        """The number of a cell; NaN for one that is missing, all of which are told together."""
        if _is_number(cell):
            return number(cell)
        cell, where = cell.strip(), f"{self.source!r} line {at}, column {shown(self.names[j])}"
        if DECIMAL_COMMA.fullmatch(cell):
            comma = "is not a number but has a decimal comma"
            raise DataError(f"{where}: {shown(cell)} {comma}; save the file with decimal points.")
        what = f"{shown(cell)} is not a number" if cell else "the cell is empty"
        if cell.lower() not in MISSING:
            raise DataError(f"{where}: {what}; {MEND}.")
        self.gaps[len(self.lines), j] = what
        return math.nan


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
    """Some cell is a word. A row of numbers, some missing or with commas, is faulty data and not a header."""
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


# LIBSVM: on each line a label and the index:value pairs that are not zero


MAX_INDEX = 10**6
LABEL_AND_PAIR = re.compile(r"\s*[^\s#]+\s+[-+]?\d+:\S")


def looks_like_libsvm(line: str) -> bool:
    """Whether a line starts with a label and an index:value pair."""
    return LABEL_AND_PAIR.match(line) is not None


def read_libsvm(source: str, lines: Lines) -> Table:
    """The table in the lines: columns '1' ... 'd', then 'label'. Raises DataError with the line number."""
    labels, counts = array("d"), array("q")
    indices, values = array("q"), array("d")
    for at, line in lines:
        label, *pairs = line.partition("#")[0].split() or [""]
        if not label:
            continue
        where = f"{source!r} line {at}"
        labels.append(_finite(where, "label", label))
        counts.append(len(pairs))
        row = [_pair(where, pair) for pair in pairs]
        _check_order(where, [index for index, _ in row])
        indices.extend(index for index, _ in row)
        values.extend(value for _, value in row)
    if not labels:
        raise DataError(f"{source!r} is empty; give a file with 'label index:value ...' lines.")
    return _dense(source, labels, counts, (indices, values))


def _pair(where: str, pair: str) -> tuple[int, float]:
    left, colon, right = pair.partition(":")
    try:
        index = int(left)
    except ValueError:
        index = None
    if index is None or not colon or "_" in left:
        raise DataError(f"{where}: {shown(pair)} is not an index:value pair; mend it, as in '3:0.5'.")
    if index <= 0:
        raise DataError(f"{where}: the index of {shown(pair)} is not positive; count columns from 1.")
    if index > MAX_INDEX:
        raise DataError(f"{where}: the index of {shown(pair)} is above {MAX_INDEX}; renumber the columns.")
    return index, _finite(where, left, right)


def _finite(where: str, column: str, cell: str) -> float:
    try:
        value = number(cell)
    except ValueError:
        value = None
    if value is None or not math.isfinite(value):
        fault = "is not a number" if value is None else "is not finite"
        raise DataError(f"{where}, column {shown(column)}: {shown(cell)} {fault}; put a number there.")
    return value


def _check_order(where: str, indices: list[int]) -> None:
    for before, after in itertools.pairwise(indices):
        if after <= before:
            raise DataError(f"{where}: index {after} comes after {before}; sort the pairs, each index once.")


def _dense(
    source: str, labels: array[float], counts: array[int], pairs: tuple[array[int], array[float]]
) -> Table:
    n, d = len(labels), max(pairs[0], default=0)
    refuse_large(source, n * (d + 1))
    values = np.zeros((n, d + 1))
    values[np.repeat(np.arange(n), counts), np.array(pairs[0], dtype=np.int64) - 1] = pairs[1]
    values[:, d] = labels
    return Table(source, (*map(str, range(1, d + 1)), "label"), values)
