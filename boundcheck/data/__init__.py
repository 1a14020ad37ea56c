"""Data sets for an audit: a CSV, LIBSVM, Parquet, npz or npy file of the user's, or one of scikit-learn."""

from __future__ import annotations

import itertools
import os.path
from pathlib import Path

import numpy as np

from boundcheck.data.binary import NPY, PARQUET, ZIP, read_npy, read_npz, read_parquet
from boundcheck.data.table import DataError, DataSet, Table, did_you_mean, shown
from boundcheck.data.text import first_bytes, looks_like_libsvm, numbered_lines, read_csv, read_libsvm

__all__ = ["BUNDLED", "DataError", "DataSet", "load"]

BUNDLED = ("diabetes", "wine", "breast_cancer", "iris", "digits")

SNIFFED = 10

BINARY = {PARQUET: read_parquet, ZIP: read_npz, NPY: read_npy}
"""Readers of the formats that their first bytes tell, whatever the file is called."""


def load(source: str = "diabetes", target: str | None = None) -> DataSet:
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
    return DataSet(name, np.ascontiguousarray(X), table.values[:, j].copy(), columns, table.names[j])


def _read_file(source: str) -> Table:
    if not os.path.exists(source):
        hint, bundled = did_you_mean(source, BUNDLED), ", ".join(BUNDLED)
        raise DataError(f"There is no file {shown(source, 200)}{hint}; give a path or one of {bundled}.")
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
    return suffix in {".libsvm", ".svm"} or (suffix != ".csv" and any(map(looks_like_libsvm, head)))


def read_bundled(name: str) -> Table:
    """One of BUNDLED; its last column is 'target'. Raises DataError if scikit-learn is not there."""
    try:
        from sklearn import datasets
    except ImportError:
        wanted = "run pip install 'boundcheck[data]'"
        raise DataError(f"The data set {name!r} comes with scikit-learn; {wanted}.") from None
    bunch = getattr(datasets, f"load_{name}")()
    values = np.column_stack([bunch.data, bunch.target]).astype(np.float64)
    return Table(name, (*map(str, bunch.feature_names), "target"), values)
