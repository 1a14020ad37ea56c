"""Files that are not text: Parquet by pyarrow, npz and npy, read without ever unpickling."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from boundcheck.data.table import DataError, Table, finite_table, refuse_large, shown

ZIP, NPY = (b"PK\x03\x04", b"PK\x05\x06"), b"\x93NUMPY"
INPUTS = ("x", "data", "features", "inputs")
TARGETS = ("y", "target", "targets", "label", "labels")
MAX_ARRAYS = 64
WANTED = "save inputs X and targets y, or one matrix"

Array = NDArray[np.float64]


def read_npz(source: str) -> Table:
    """Arrays X (n x d), y (n,), or one matrix whose last column is the target. Raises DataError."""
    with _sound(source, "npz file", "save it again with numpy.savez"), zipfile.ZipFile(source) as archive:
        members = [member for member in archive.infolist() if member.filename.endswith(".npy")]
        if not 0 < len(members) <= MAX_ARRAYS:
            raise DataError(f"{source!r} holds {len(members)} arrays; {WANTED}.")
        chosen = _chosen(source, {member.filename.removesuffix(".npy"): member for member in members})
        arrays = {}
        for role, member in chosen.items():
            with archive.open(member) as stream:
                arrays[role] = _array(source, stream)
    return _table(source, arrays)


def read_npy(source: str) -> Table:
    """One matrix whose last column is the target. Raises DataError."""
    with _sound(source, "npy file", "save it again with numpy.save"), Path(source).open("rb") as stream:
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
        raise DataError(f"{source!r} is a damaged {what} ({type(error).__name__}); {remedy}.") from None


def _chosen(source: str, members: dict[str, zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
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
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = read_header(stream)
    if dtype.kind not in "biuf":
        kind = shown(str(dtype))
        raise DataError(f"{source!r} holds an array of {kind}, not of numbers; save float arrays.")
    count = math.prod(shape)
    refuse_large(source, count)
    content = stream.read(count * dtype.itemsize)
    if len(content) != count * dtype.itemsize:
        raise DataError(f"{source!r} ends in the middle of an array; save it again.")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if fortran else "C").astype(np.float64)


def _table(source: str, arrays: dict[str, Array]) -> Table:
    X = arrays.get("matrix", arrays.get("inputs"))
    if X is None or X.ndim != 2:
        ndim = 0 if X is None else X.ndim
        raise DataError(f"{source!r} has inputs of {ndim} dimensions; save a matrix, a row for each point.")
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
        raise DataError(f"{source!r} is a Parquet file; run pip install pyarrow to read it.") from None
    with _sound(source, "Parquet file", "write it again"), parquet.ParquetFile(source) as file:
        names = _names(source, file.schema_arrow)
        refuse_large(source, file.metadata.num_rows * len(names))
        blocks = [_block(source, batch) for batch in file.iter_batches(ROWS)]
    return finite_table(source, names, np.concatenate([np.empty((0, len(names))), *blocks]))


def _names(source: str, schema: Any) -> tuple[str, ...]:
    """Column names, once all are known to hold numbers."""
    types = import_module("pyarrow").types
    for column in schema:
        if not any(test(column.type) for test in (types.is_integer, types.is_floating, types.is_boolean)):
            what = f"column {shown(column.name)} holds {shown(str(column.type))}, not numbers"
            raise DataError(f"{source!r}: {what}; turn it into numbers or remove it.")
    return tuple(schema.names)


def _block(source: str, batch: Any) -> np.ndarray:
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if column.null_count:
            missing = f"column {shown(name)} has missing values"
            raise DataError(f"{source!r}: {missing}; put numbers there or remove the rows.")
    columns = (column.to_numpy(zero_copy_only=False) for column in batch.columns)
    return np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
