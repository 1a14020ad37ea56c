"""Data sets for an audit: a CSV, LIBSVM, Parquet, npz or npy file of the user's, or one of scikit-learn."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import math
import os.path
import re
import stat
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from boundcheck.features.data.table import (
    MEND,
    DataError,
    Sample,
    Table,
    cell_number,
    did_you_mean,
    finite_table,
    refuse_large,
    shown,
)

__all__ = ["BUNDLED", "DataError", "Sample", "load"]

BUNDLED = ("diabetes", "wine", "breast_cancer", "iris", "digits")

SNIFFED = 10


def load(source: str = "diabetes", target: str | None = None) -> Sample:
    """The data set `source`: one of BUNDLED (a file of that name is './wine'), or a path.

    The path is to CSV or LIBSVM, plain or gzip, to Parquet, npz or npy; nothing is ever unpickled. The target
    is the last column (LIBSVM: the label) unless `target` names another. Columns without a header are named
    by their index: '0', '1', ...; LIBSVM's are '1', '2', ..., 'label'; the targets of an npz are 'y'. X is n
    x d, y is n. Raises DataError on all that is missing, malformed, not finite or too large. Source of the
    LIBSVM format: Chang and Lin (2011), the README of LIBSVM."""
    table = read_bundled(source) if source in BUNDLED else _read_file(source)
    j = table.target_index(target)
    X = np.delete(table.values, j, axis=1)
    columns = table.names[:j] + table.names[j + 1 :]
    name = Path(Path(source).name.removesuffix(".gz")).stem
    return Sample(
        name,
        np.ascontiguousarray(X),
        table.values[:, j].copy(),
        columns,
        table.names[j],
    )


def _read_file(source: str) -> Table:
    if not os.path.exists(source):
        hint, bundled = did_you_mean(source, BUNDLED), ", ".join(BUNDLED)
        raise DataError(
            f"There is no file {shown(source, 200)}{hint}; give a path or one of {bundled}."
        )
    start = first_bytes(source)
    for magic, read in BINARY.items():
        if start.startswith(magic):
            return read(source)
    lines = numbered_lines(source)
    head = list(itertools.islice(lines, SNIFFED))
    read = read_libsvm if _is_libsvm(source, [line for _, line in head]) else read_csv
    return read(source, itertools.chain(head, lines))


def _is_libsvm(source: str, head: list[str]) -> bool:
    """By name, or by its first lines; a .csv is always CSV. LIBSVM's own files have no suffix at all."""
    suffix = Path(source.lower().removesuffix(".gz")).suffix
    return suffix in {".libsvm", ".svm"} or (
        suffix != ".csv" and any(map(LABEL_AND_PAIR.match, head))
    )


def read_bundled(name: str) -> Table:
    """One of BUNDLED; its last column is 'target'. Raises DataError if scikit-learn is not there."""
    try:
        from sklearn import datasets
    except ImportError:
        wanted = "run pip install 'boundcheck[data]'"
        raise DataError(
            f"The data set {name!r} comes with scikit-learn; {wanted}."
        ) from None
    bunch = getattr(datasets, f"load_{name}")()
    values = np.column_stack([bunch.data, bunch.target]).astype(np.float64)
    return Table(name, (*map(str, bunch.feature_names), "target"), values)


Lines: TypeAlias = Iterator[tuple[int, str]]

# text files, plain or gzip, never trusted: their lines


MAX_BYTES = 2 * 2**30
MAX_LINE = 32 * 2**20
GZIP_MAGIC = b"\x1f\x8b"


def numbered_lines(source: str) -> Lines:
    """Yield (line number from 1, text) of the lines that are not blank. Raises DataError on a bad file."""
    check_file(source)
    try:
        with (
            Path(source).open("rb") as raw,
            io.TextIOWrapper(_unpacked(source, raw), "utf-8-sig") as text,
        ):
            yield from _lines(source, text)
    except EOFError:
        raise DataError(
            f"{source!r} ends in the middle of its gzip stream; fetch it again."
        ) from None
    except (gzip.BadGzipFile, zlib.error):
        raise DataError(f"{source!r} is damaged gzip; fetch it again.") from None
    except UnicodeDecodeError:
        raise DataError(
            f"{source!r} is not text in UTF-8; save it as a UTF-8 CSV or LIBSVM file."
        ) from None
    except OSError as error:
        raise DataError(
            f"{source!r} cannot be read ({error.strerror or error}); check the file."
        ) from None


def check_file(source: str) -> None:
    """Raises DataError unless the source is a regular file of 2 GiB at most."""
    try:
        info = Path(source).stat()
    except OSError as error:
        raise DataError(
            f"{source!r} cannot be read ({error.strerror}); check the path."
        ) from None
    if stat.S_ISDIR(info.st_mode):
        raise DataError(f"{source!r} is a directory; name a file in it.")
    if not stat.S_ISREG(info.st_mode):
        raise DataError(
            f"{source!r} is not a regular file; save the data to a file first."
        )
    if info.st_size > MAX_BYTES:
        raise DataError(f"{source!r} is larger than 2 GiB; keep fewer rows or columns.")


def first_bytes(source: str) -> bytes:
    """The eight bytes that tell a binary format; fewer if the file is shorter. Raises DataError."""
    check_file(source)
    try:
        with Path(source).open("rb") as raw:
            return raw.read(8)
    except OSError as error:
        raise DataError(
            f"{source!r} cannot be read ({error.strerror or error}); check the file."
        ) from None


def _unpacked(source: str, raw: io.BufferedReader) -> io.BufferedReader | gzip.GzipFile:
    """The content: gzip is told by its first two bytes, whatever the name says."""
    head = raw.peek(2)[:2]
    if head == GZIP_MAGIC:
        return gzip.GzipFile(fileobj=raw)
    if head and source.lower().endswith(".gz"):
        raise DataError(
            f"{source!r} is not gzip; fetch it again, or drop '.gz' from its name."
        )
    return raw


def _lines(source: str, text: io.TextIOWrapper) -> Lines:
    size = at = 0
    while line := text.readline(MAX_LINE):
        at, size = at + 1, size + len(line)
        if "\0" in line:
            raise DataError(
                f"{source!r} line {at} has a NUL byte; save the data as UTF-8 text."
            )
        if len(line) == MAX_LINE:
            raise DataError(
                f"{source!r} line {at} is longer than 32 MiB; put one row on a line."
            )
        if size > MAX_BYTES:
            raise DataError(
                f"{source!r} unpacks to more than 2 GiB; keep fewer rows or columns."
            )
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
            mend = "mend that row" + (
                ", or put decimal points for its commas" if halved else ""
            )
            counted = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            raise DataError(
                f"{self.source!r} line {at} has {counted}, not {p}; {mend}."
            )
        try:
            self.values.extend(map(cell_number if "_" in line else float, cells))
        except ValueError:
            del self.values[
                len(self.lines) * len(cells) :
            ]  # what came before the cell at fault
            self.values.extend(
                self._number(at, j, cell) for j, cell in enumerate(cells)
            )
        self.lines.append(at)
        refuse_large(self.source, len(self.values))

    def table(self) -> Table:
        if not self.lines:
            raise DataError(
                f"{self.source!r} has a header and no rows; add rows of numbers."
            )
        values = np.frombuffer(self.values, dtype=np.float64).reshape(
            -1, len(self.names)
        )
        return finite_table(self.source, self.names, values, self.lines, self.gaps)

    def _number(self, at: int, j: int, cell: str) -> float:
        """The number of a cell; NaN for one that is missing, all of which are told together."""
        if _is_number(cell):
            return cell_number(cell)
        cell, where = (
            cell.strip(),
            f"{self.source!r} line {at}, column {shown(self.names[j])}",
        )
        if DECIMAL_COMMA.fullmatch(cell):
            comma = "is not a number but has a decimal comma"
            raise DataError(
                f"{where}: {shown(cell)} {comma}; save the file with decimal points."
            )
        what = f"{shown(cell)} is not a number" if cell else "the cell is empty"
        if cell.lower() not in MISSING:
            raise DataError(f"{where}: {what}; {MEND}.")
        self.gaps[len(self.lines), j] = what
        return math.nan


def _delimiter(first: list[str]) -> str | None:
    """Delimiter the first two lines agree on, else any of the first; None is blanks.

    Semicolon and tab go before comma, which may be a decimal comma or stand in a name."""
    counts = [
        [re.sub('"[^"]*"', "", line.strip(" \n")).count(mark) for line in first]
        for mark in ";\t,"
    ]
    agreed = (
        mark
        for mark, count in zip(";\t,", counts, strict=True)
        if count[0] == count[-1] > 0
    )
    present = (mark for mark, count in zip(";\t,", counts, strict=True) if count[0])
    return next(agreed, next(present, None))


def _split(source: str, numbered: tuple[int, str], delimiter: str | None) -> list[str]:
    at, line = numbered
    if '"' not in line:
        return line.rstrip("\n").split(delimiter)
    try:
        return next(
            csv.reader(
                [line.strip(" \n")], delimiter=delimiter or " ", skipinitialspace=True
            )
        )
    except csv.Error as error:
        raise DataError(
            f"{source!r} line {at} is not CSV ({error}); mend its quotes."
        ) from None


def _is_header(cells: list[str]) -> bool:
    """Some cell is a word. A row of numbers, some missing or with commas, is faulty data and not a header."""
    words = [cell for cell in cells if not _is_number(cell)]
    if any(map(DECIMAL_COMMA.fullmatch, cells)):
        return False
    gaps = [cell for cell in words if cell.strip().lower() in MISSING]
    return bool(words) and (len(gaps) < len(words) or len(words) == len(cells))


def _is_number(cell: str) -> bool:
    try:
        cell_number(cell)
    except ValueError:
        return False
    return True


# LIBSVM: on each line a label and the index:value pairs that are not zero


MAX_INDEX = 10**6
LABEL_AND_PAIR = re.compile(r"\s*[^\s#]+\s+[-+]?\d+:\S")


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
        raise DataError(
            f"{source!r} is empty; give a file with 'label index:value ...' lines."
        )
    return _dense(source, labels, counts, (indices, values))


def _pair(where: str, pair: str) -> tuple[int, float]:
    left, colon, right = pair.partition(":")
    try:
        index = int(left)
    except ValueError:
        index = None
    if index is None or not colon or "_" in left:
        raise DataError(
            f"{where}: {shown(pair)} is not an index:value pair; mend it, as in '3:0.5'."
        )
    if index <= 0:
        raise DataError(
            f"{where}: the index of {shown(pair)} is not positive; count columns from 1."
        )
    if index > MAX_INDEX:
        raise DataError(
            f"{where}: the index of {shown(pair)} is above {MAX_INDEX}; renumber the columns."
        )
    return index, _finite(where, left, right)


def _finite(where: str, column: str, cell: str) -> float:
    try:
        value = cell_number(cell)
    except ValueError:
        value = None
    if value is None or not math.isfinite(value):
        fault = "is not a number" if value is None else "is not finite"
        raise DataError(
            f"{where}, column {shown(column)}: {shown(cell)} {fault}; put a number there."
        )
    return value


def _check_order(where: str, indices: list[int]) -> None:
    for before, after in itertools.pairwise(indices):
        if after <= before:
            raise DataError(
                f"{where}: index {after} comes after {before}; sort the pairs, each index once."
            )


def _dense(
    source: str,
    labels: array[float],
    counts: array[int],
    pairs: tuple[array[int], array[float]],
) -> Table:
    n, d = len(labels), max(pairs[0], default=0)
    refuse_large(source, n * (d + 1))
    values = np.zeros((n, d + 1))
    values[np.repeat(np.arange(n), counts), np.array(pairs[0], dtype=np.int64) - 1] = (
        pairs[1]
    )
    values[:, d] = labels
    return Table(source, (*map(str, range(1, d + 1)), "label"), values)


# files that are not text: npz and npy, read without ever unpickling


ZIP, NPY = (b"PK\x03\x04", b"PK\x05\x06"), b"\x93NUMPY"
INPUTS = ("x", "data", "features", "inputs")
TARGETS = ("y", "target", "targets", "label", "labels")
MAX_ARRAYS = 64
WANTED = "save inputs X and targets y, or one matrix"

Array = NDArray[np.float64]


def read_npz(source: str) -> Table:
    """Arrays X (n x d), y (n,), or one matrix whose last column is the target. Raises DataError."""
    with (
        _sound(source, "npz file", "save it again with numpy.savez"),
        zipfile.ZipFile(source) as archive,
    ):
        members = [
            member for member in archive.infolist() if member.filename.endswith(".npy")
        ]
        if not 0 < len(members) <= MAX_ARRAYS:
            raise DataError(f"{source!r} holds {len(members)} arrays; {WANTED}.")
        chosen = _chosen(
            source, {member.filename.removesuffix(".npy"): member for member in members}
        )
        arrays = {}
        for role, member in chosen.items():
            with archive.open(member) as stream:
                arrays[role] = _array(source, stream)
    return _table(source, arrays)


def read_npy(source: str) -> Table:
    """One matrix whose last column is the target. Raises DataError."""
    with (
        _sound(source, "npy file", "save it again with numpy.save"),
        Path(source).open("rb") as stream,
    ):
        values = _array(source, stream)
    return _table(source, {"matrix": values})


@contextmanager
def _sound(source: str, what: str, remedy: str) -> Iterator[None]:
    """A hostile file may raise anything: zlib, struct, lzma, unicode, tokenize, Arrow. Raises DataError."""
    try:
        yield
    except DataError:
        raise
    except Exception as error:
        raise DataError(
            f"{source!r} is a damaged {what} ({type(error).__name__}); {remedy}."
        ) from None


def _chosen(
    source: str, members: dict[str, zipfile.ZipInfo]
) -> dict[str, zipfile.ZipInfo]:
    """Which member plays which role: 'inputs' and 'targets', or 'matrix'."""
    inputs = [member for name, member in members.items() if name.lower() in INPUTS]
    targets = [member for name, member in members.items() if name.lower() in TARGETS]
    if len(inputs) == len(targets) == 1:
        return {"inputs": inputs[0], "targets": targets[0]}
    if len(members) == 1:
        return {"matrix": next(iter(members.values()))}
    listed = ", ".join(shown(name) for name in list(members)[:6])
    wanted = "call the inputs X and the targets y, or save one matrix"
    raise DataError(f"{source!r} holds the arrays {listed}; {wanted}.")


def _array(source: str, stream: IO[bytes]) -> Array:
    """The numbers of one npy stream: its header is checked before anything is allocated."""
    version = npy.read_magic(stream)
    read_header = (
        npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    )
    shape, fortran, dtype = read_header(stream)
    if dtype.kind not in "biuf":
        kind = shown(str(dtype))
        raise DataError(
            f"{source!r} holds an array of {kind}, not of numbers; save float arrays."
        )
    count = math.prod(shape)
    refuse_large(source, count)
    content = stream.read(count * dtype.itemsize)
    if len(content) != count * dtype.itemsize:
        raise DataError(f"{source!r} ends in the middle of an array; save it again.")
    return (
        np.frombuffer(content, dtype)
        .reshape(shape, order="F" if fortran else "C")
        .astype(np.float64)
    )


def _table(source: str, arrays: dict[str, Array]) -> Table:
    X = arrays.get("matrix", arrays.get("inputs"))
    if X is None or X.ndim != 2:
        ndim = 0 if X is None else X.ndim
        raise DataError(
            f"{source!r} has inputs of {ndim} dimensions; save a matrix, a row for each point."
        )
    names = tuple(map(str, range(X.shape[1])))
    if "targets" not in arrays:
        return finite_table(source, names, X)
    y = arrays["targets"]
    if y.size != len(X):
        found = f"{len(X)} rows of inputs and {y.size} targets"
        raise DataError(f"{source!r} has {found}; save one target for each row.")
    return finite_table(source, (*names, "y"), np.column_stack([X, y.reshape(-1)]))


# Parquet, for which pyarrow is imported when it is asked for


PARQUET = b"PAR1"
ROWS = 65536  # at a time


def read_parquet(source: str) -> Table:
    """The table in the file, all columns numbers. Raises DataError, also if pyarrow is not there."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise DataError(
            f"{source!r} is a Parquet file; run pip install pyarrow to read it."
        ) from None
    with (
        _sound(source, "Parquet file", "write it again"),
        parquet.ParquetFile(source) as file,
    ):
        names = _names(source, file.schema_arrow)
        refuse_large(source, file.metadata.num_rows * len(names))
        blocks = [_block(source, batch) for batch in file.iter_batches(ROWS)]
    return finite_table(
        source, names, np.concatenate([np.empty((0, len(names))), *blocks])
    )


def _names(source: str, schema: Any) -> tuple[str, ...]:
    """Column names, once all are known to hold numbers."""
    types = import_module("pyarrow").types
    for column in schema:
        if not any(
            test(column.type)
            for test in (types.is_integer, types.is_floating, types.is_boolean)
        ):
            what = f"column {shown(column.name)} holds {shown(str(column.type))}, not numbers"
            raise DataError(f"{source!r}: {what}; turn it into numbers or remove it.")
    return tuple(schema.names)


def _block(source: str, batch: Any) -> np.ndarray:
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if column.null_count:
            missing = f"column {shown(name)} has missing values"
            raise DataError(
                f"{source!r}: {missing}; put numbers there or remove the rows."
            )
    columns = (column.to_numpy(zero_copy_only=False) for column in batch.columns)
    return np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])


BINARY = {PARQUET: read_parquet, ZIP: read_npz, NPY: read_npy}
"""Readers of the formats that their first bytes tell, whatever the file is called."""
