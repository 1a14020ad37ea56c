"""The lines of a text file, plain or gzip, read one by one and never trusted."""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from boundcheck.data.table import DataError

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
