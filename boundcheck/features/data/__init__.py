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
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.lib import format as npy

from boundcheck.features.data.table import (
    MEND,
    DataError,
    Floats,
    Sample,
    Table,
    did_you_mean,
    finite_table,
    number_in,
    refuse_large,
    shown,
)

__all__ = ["BUNDLED", "DataError", "Sample", "load"]

BUNDLED = ("diabetes", "wine", "breast_cancer", "iris", "digits")

SNIFFED = 10  # lines


def load(source: str = "diabetes", target: str | None = None) -> Sample:
    """The data set `source`: one of BUNDLED (a file of that name is './wine'), or a path.

    The path is to CSV or LIBSVM, plain or gzip, to Parquet, npz or npy; nothing is ever unpickled. The target
    is the last column (LIBSVM: the label) unless `target` names another. Columns without a header are named
    by their index: '0', '1', ...; LIBSVM's are '1', '2', ..., 'label'; the targets of an npz are 'y'. X is n
    x d, y is n. Raises DataError on all that is missing, malformed, not finite or too large. Source of the
    LIBSVM format: Chang and Lin (2011), the README of LIBSVM."""
    table = read_bundled(source) if source in BUNDLED else _read_file(source)
    j = table.target_index(target)
    X = np.ascontiguousarray(np.delete(table.values, j, axis=1))
    columns = table.names[:j] + table.names[j + 1 :]
    name = Path(Path(source).name.removesuffix(".gz")).stem
    return Sample(name, X, table.values[:, j].copy(), columns, table.names[j])


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
    read = (
        read_libsvm
        if _is_libsvm(source, [line for _, line in head])
        else read_csv
    )
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


# files are never trusted: what is wrong with one is a sentence


MAX_BYTES = 2 * 2**30
MAX_LINE = 32 * 2**20

UNREADABLE = OSError, "cannot be read ({}); check the file"
TEXT_FAULTS = (
    (EOFError, "ends in the middle of its gzip stream; fetch it again"),
    ((gzip.BadGzipFile, zlib.error), "is damaged gzip; fetch it again"),
    (
        UnicodeDecodeError,
        "is not text in UTF-8; save it as a UTF-8 CSV or LIBSVM file",
    ),
    UNREADABLE,
)


@contextmanager
def _told(source: str, *faults: tuple[Any, str]) -> Iterator[None]:
    """Exceptions of some kinds as DataError, by the first that fits."""
    try:
        yield
    except DataError:
        raise
    except Exception as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        for kinds, what in faults:
            if isinstance(error, kinds):
                raise DataError(f"{source!r} {what.format(why)}.") from None
        raise


def first_bytes(source: str) -> bytes:
    """What tells a binary format. Raises DataError unless the source is a regular file of 2 GiB at most."""
    with _told(source, UNREADABLE):
        info = Path(source).stat()
        if stat.S_ISDIR(info.st_mode):
            raise DataError(f"{source!r} is a directory; name a file in it.")
        if not stat.S_ISREG(info.st_mode):
            wanted = "save the data to a file first"
            raise DataError(f"{source!r} is not a regular file; {wanted}.")
        if info.st_size > MAX_BYTES:
            few = "keep fewer rows or columns"
            raise DataError(f"{source!r} is larger than 2 GiB; {few}.")
        with Path(source).open("rb") as raw:
            return raw.read(8)


# text files, plain or gzip: their lines


Lines: TypeAlias = Iterator[tuple[int, str]]


def numbered_lines(source: str) -> Lines:
    """Yield (line number from 1, text) of the lines that are not blank. Raises DataError on a bad file."""
    with _told(source, *TEXT_FAULTS), Path(source).open("rb") as raw:
        with io.TextIOWrapper(_unpacked(source, raw), "utf-8-sig") as text:
            yield from _lines(source, text)


def _unpacked(
    source: str, raw: io.BufferedReader
) -> io.BufferedReader | gzip.GzipFile:
    """The content: gzip is told by its first two bytes, whatever the name says."""
    head = raw.peek(2)[:2]
    if head == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=raw)
    if head and source.lower().endswith(".gz"):
        mend = "fetch it again, or drop '.gz' from its name"
        raise DataError(f"{source!r} is not gzip; {mend}.")
    return raw


def _lines(source: str, text: io.TextIOWrapper) -> Lines:
    size = at = 0
    while line := text.readline(MAX_LINE):
        at, size = at + 1, size + len(line)
        where = f"{source!r} line {at}"
        if "\0" in line:
            raise DataError(
                f"{where} has a NUL byte; save the data as UTF-8 text."
            )
        if len(line) == MAX_LINE:
            raise DataError(
                f"{where} is longer than 32 MiB; put one row on a line."
            )
        if size > MAX_BYTES:
            few = "keep fewer rows or columns"
            raise DataError(f"{source!r} unpacks to more than 2 GiB; {few}.")
        if not line.isspace():
            yield at, line


# CSV: a header or none, cells apart by comma, semicolon, tab or blanks


DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+(e[-+]?\d+)?\s*", re.I)
MISSING = {"", "?", "-", ".", "na", "n/a", "null", "none"}


def read_csv(source: str, lines: Lines) -> Table:
    """The table in the lines. Raises DataError with the line number and the column of the first fault."""
    first = list(itertools.islice(lines, 2))
    if not first:
        raise DataError(
            f"{source!r} is empty; give a file with rows of numbers."
        )
    delimiter = _delimiter([line for _, line in first])
    cells = _split(source, *first[0], delimiter)
    names = tuple(map(str, range(len(cells))))
    if has_header := _is_header(cells):
        names = tuple(
            cell.strip() or f"column {j}" for j, cell in enumerate(cells)
        )
    values, rows, gaps = array("d"), array("q"), {}
    for at, line in itertools.chain(first[has_header:], lines):
        cells = _split(source, at, line, delimiter)
        _require_as_many(f"{source!r} line {at}", cells, names, delimiter)
        try:
            found = [*map(float if "_" not in line else number_in, cells)]
        except ValueError:
            found = [number_in(cell) for cell in cells]
        if None in found:
            named = zip(names, cells, strict=True)
            found = [_cell(source, at, *pair) for pair in named]
            gaps |= {
                (len(rows), j): x for j, x in enumerate(found) if type(x) is str
            }
            found = [math.nan if type(x) is str else x for x in found]
        values.extend(found)
        rows.append(at)
        refuse_large(source, len(values))
    if not rows:
        add = "add rows of numbers"
        raise DataError(f"{source!r} has a header and no rows; {add}.")
    matrix = np.frombuffer(values, dtype=np.float64).reshape(-1, len(names))
    return finite_table(source, names, matrix, rows, gaps)


def _require_as_many(
    where: str, cells: list[str], names: tuple[str, ...], delimiter: str | None
) -> None:
    if len(cells) != len(names):
        counted = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        halved = len(cells) == 2 * len(names) and delimiter == ","
        points = ", or put decimal points for its commas" if halved else ""
        raise DataError(
            f"{where} has {counted}, not {len(names)}; mend that row{points}."
        )


def _cell(source: str, at: int, name: str, cell: str) -> float | str:
    """The number of a cell; what is wrong with one that is missing, all of which are told together."""
    number = number_in(cell)
    if number is not None:
        return number
    cell = cell.strip()
    where = f"{source!r} line {at}, column {shown(name)}"
    if DECIMAL_COMMA.fullmatch(cell):
        comma = f"{shown(cell)} is not a number but has a decimal comma"
        raise DataError(f"{where}: {comma}; save the file with decimal points.")
    what = f"{shown(cell)} is not a number" if cell else "the cell is empty"
    if cell.lower() not in MISSING:
        raise DataError(f"{where}: {what}; {MEND}.")
    return what


def _delimiter(first: list[str]) -> str | None:
    """Delimiter the first two lines agree on, else any of the first; None is blanks.

    Semicolon and tab go before comma, which may be a decimal comma or stand in a name."""
    bare = [re.sub('"[^"]*"', "", line.strip(" \n")) for line in first]
    present = [mark for mark in ";\t," if mark in bare[0]]
    agreed = [m for m in present if bare[0].count(m) == bare[-1].count(m)]
    return next(iter(agreed + present), None)


def _split(source: str, at: int, line: str, delimiter: str | None) -> list[str]:
    if '"' not in line:
        return line.rstrip("\n").split(delimiter)
    row, mark = [line.strip(" \n")], delimiter or " "
    try:
        return next(csv.reader(row, delimiter=mark, skipinitialspace=True))
    except csv.Error as error:
        raise DataError(
            f"{source!r} line {at} is not CSV ({error}); mend its quotes."
        ) from None


def _is_header(cells: list[str]) -> bool:
    """Some cell is a word. A row of numbers, some missing or with commas, is faulty data and not a header."""
    words = [cell for cell in cells if number_in(cell) is None]
    if any(map(DECIMAL_COMMA.fullmatch, cells)):
        return False
    gaps = [cell for cell in words if cell.strip().lower() in MISSING]
    return bool(words) and (len(gaps) < len(words) or len(words) == len(cells))


# LIBSVM: on each line a label and the index:value pairs that are not zero


MAX_INDEX = 10**6
LABEL_AND_PAIR = re.compile(r"\s*[^\s#]+\s+[-+]?\d+:\S")


def read_libsvm(source: str, lines: Lines) -> Table:
    """The table in the lines: columns '1' ... 'd', then 'label'. Raises DataError with the line number."""
    labels, rows, columns, values = (
        array("d"),
        array("q"),
        array("q"),
        array("d"),
    )
    for at, line in lines:
        label, *pairs = line.partition("#")[0].split() or [""]
        if not label:
            continue
        where, index = f"{source!r} line {at}", 0
        labels.append(_finite(where, "label", label))
        for pair in pairs:
            index, value = _pair(where, pair, index)
            rows.append(len(labels) - 1)
            columns.append(index - 1)
            values.append(value)
    if not labels:
        wanted = "give a file with 'label index:value ...' lines"
        raise DataError(f"{source!r} is empty; {wanted}.")
    n, d = len(labels), max(columns, default=-1) + 1
    refuse_large(source, n * (d + 1))
    table = np.zeros((n, d + 1))
    table[np.array(rows, dtype=np.intp), np.array(columns, dtype=np.intp)] = (
        values
    )
    table[:, d] = labels
    return Table(source, (*map(str, range(1, d + 1)), "label"), table)


def _pair(where: str, pair: str, before: int) -> tuple[int, float]:
    """Index and value of a pair that comes after an index."""
    left, colon, right = pair.partition(":")
    if not colon or not re.fullmatch(r"[-+]?\d{1,18}", left):
        mend = "is not an index:value pair; mend it, as in '3:0.5'"
        raise DataError(f"{where}: {shown(pair)} {mend}.")
    index, named = int(left), f"{where}: the index of {shown(pair)}"
    if index <= 0:
        raise DataError(f"{named} is not positive; count columns from 1.")
    if index > MAX_INDEX:
        raise DataError(f"{named} is above {MAX_INDEX}; renumber the columns.")
    if index <= before:
        mend = "sort the pairs, each index once"
        raise DataError(f"{where}: index {index} comes after {before}; {mend}.")
    return index, _finite(where, left, right)


def _finite(where: str, column: str, cell: str) -> float:
    value = number_in(cell)
    if value is None or not math.isfinite(value):
        fault = "is not a number" if value is None else "is not finite"
        what = f"{where}, column {shown(column)}: {shown(cell)} {fault}"
        raise DataError(f"{what}; put a number there.")
    return value


# npz and npy, read without ever unpickling


INPUTS = ("x", "data", "features", "inputs")
TARGETS = ("y", "target", "targets", "label", "labels")


def read_npz(source: str) -> Table:
    """Arrays X (n x d), y (n,), or one matrix whose last column is the target. Raises DataError."""
    # a hostile file may raise anything: zlib, struct, lzma, unicode, tokenize
    damaged = (
        Exception,
        "is a damaged npz file ({}); save it again with numpy.savez",
    )
    with _told(source, damaged), zipfile.ZipFile(source) as archive:
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        inputs, targets = (
            [
                name
                for name in names
                if name.removesuffix(".npy").lower() in roles
            ]
            for roles in (INPUTS, TARGETS)
        )
        chosen = names
        if len(inputs) == len(targets) == 1:
            chosen = inputs + targets
        elif len(names) != 1:
            listed = ", ".join(
                shown(name.removesuffix(".npy")) for name in names[:6]
            )
            wanted = "call the inputs X and the targets y, or save one matrix"
            raise DataError(
                f"{source!r} holds {len(names)} arrays {listed}; {wanted}."
            )
        return _table(
            source, *(_array(source, archive.open(name)) for name in chosen)
        )


def read_npy(source: str) -> Table:
    """One matrix whose last column is the target. Raises DataError."""
    damaged = (
        Exception,
        "is a damaged npy file ({}); save it again with numpy.save",
    )
    with _told(source, damaged):
        return _table(source, _array(source, Path(source).open("rb")))


def _array(source: str, stream: IO[bytes]) -> Floats:
    """The numbers of one npy stream: its header is checked before anything is allocated."""
    with stream:
        old = npy.read_magic(stream) == (1, 0)
        header = npy.read_array_header_1_0 if old else npy.read_array_header_2_0
        shape, fortran, dtype = header(stream)
        if dtype.kind not in "biuf":
            what = f"an array of {shown(str(dtype))}, not of numbers"
            raise DataError(f"{source!r} holds {what}; save float arrays.")
        count = math.prod(shape)
        refuse_large(source, count)
        content = stream.read(count * dtype.itemsize)
    if len(content) != count * dtype.itemsize:
        raise DataError(
            f"{source!r} ends in the middle of an array; save it again."
        )
    values = np.frombuffer(content, dtype).reshape(
        shape, order="F" if fortran else "C"
    )
    return values.astype(np.float64)


def _table(source: str, X: Floats, y: Floats | None = None) -> Table:
    if X.ndim != 2:
        wanted = "save a matrix, a row for each point"
        raise DataError(
            f"{source!r} has inputs of {X.ndim} dimensions; {wanted}."
        )
    names = tuple(map(str, range(X.shape[1])))
    if y is None:
        return finite_table(source, names, X)
    if y.size != len(X):
        found = f"{len(X)} rows of inputs and {y.size} targets"
        raise DataError(
            f"{source!r} has {found}; save one target for each row."
        )
    return finite_table(
        source, (*names, "y"), np.column_stack([X, y.reshape(-1)])
    )


# Parquet, for which pyarrow is imported when it is asked for


def read_parquet(source: str) -> Table:
    """The table in the file, all columns numbers. Raises DataError, also if pyarrow is not there."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise DataError(
            f"{source!r} is a Parquet file; run pip install pyarrow to read it."
        ) from None
    damaged = Exception, "is a damaged Parquet file ({}); write it again"
    with _told(source, damaged), parquet.ParquetFile(source) as file:
        names = tuple(file.schema_arrow.names)
        refuse_large(source, file.metadata.num_rows * len(names))
        columns = [
            _column(source, *pair) for pair in zip(names, file.read().columns)
        ]
        values = np.column_stack(
            [np.empty((file.metadata.num_rows, 0)), *columns]
        )
    return finite_table(source, names, values)


def _column(source: str, name: str, column: Any) -> Floats:
    types = import_module("pyarrow").types
    tests = types.is_integer, types.is_floating, types.is_boolean
    what = f"{source!r}: column {shown(name)}"
    if not any(test(column.type) for test in tests):
        kind = f"holds {shown(str(column.type))}, not numbers"
        raise DataError(f"{what} {kind}; turn it into numbers or remove it.")
    if column.null_count:
        mend = "put numbers there or remove the rows"
        raise DataError(f"{what} has missing values; {mend}.")
    return np.asarray(column.to_numpy(), dtype=np.float64)


BINARY = {
    b"PAR1": read_parquet,
    b"PK\x03\x04": read_npz,
    b"PK\x05\x06": read_npz,
    b"\x93NUMPY": read_npy,
}
"""Readers of the formats that their first bytes tell, whatever the file is called."""
