"""Parquet files, read by pyarrow, which is imported only when one is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from boundcheck.data.table import DataError, Table, finite_table, refuse_large, shown

PARQUET = b"PAR1"
ROWS = 65536  # at a time


def read_parquet(source: str) -> Table:
    """The table in the file, whose columns are all numbers. Raises DataError, also if pyarrow is not there."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise DataError(f"{source!r} is a Parquet file; run pip install pyarrow to read it.") from None
    try:
        with parquet.ParquetFile(source) as file:
            names = _names(source, file.schema_arrow)
            refuse_large(source, file.metadata.num_rows * len(names))
            blocks = [_block(source, batch) for batch in file.iter_batches(ROWS)]
    except DataError:
        raise
    except Exception as error:  # a hostile file may raise anything that Arrow knows
        raise DataError(f"{source!r} is a damaged Parquet file ({type(error).__name__}); write it again.") from None
    return finite_table(source, names, np.concatenate([np.empty((0, len(names))), *blocks]))


def _names(source: str, schema: Any) -> tuple[str, ...]:
    """Column names, once all are known to hold numbers."""
    types = import_module("pyarrow").types
    for column in schema:
        if not (types.is_integer(column.type) or types.is_floating(column.type) or types.is_boolean(column.type)):
            what = f"column {shown(column.name)} holds {shown(str(column.type))}, not numbers"
            raise DataError(f"{source!r}: {what}; turn it into numbers or remove it.")
    return tuple(schema.names)


def _block(source: str, batch: Any) -> np.ndarray:
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if column.null_count:
            raise DataError(f"{source!r}: column {shown(name)} has missing values; put numbers there or remove the rows.")
    return np.column_stack([np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64) for column in batch.columns])
