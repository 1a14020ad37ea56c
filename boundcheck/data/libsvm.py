"""LIBSVM files: on each line a label and the index:value pairs that are not zero."""

from __future__ import annotations

import itertools
import math
import re
from array import array

import numpy as np

from boundcheck.data.files import Lines
from boundcheck.data.table import DataError, Table, number, refuse_large, shown

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
        labels.append(_number(where, "label", label))
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
    return index, _number(where, left, right)


def _number(where: str, column: str, cell: str) -> float:
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
