"""Files that are written whole or not at all, and what stands in them: names, JSON, tables of Markdown."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boundcheck.exits import Refused


def write_whole(content: str | bytes, path: Path) -> None:
    """Write so that a reader sees the old file or the new one, never half of one. Raises OSError.

    A link stays one, and what is no file, such as a pipe, takes the content as it comes.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve() if path.is_symlink() else path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def writing(path: Path, always: bool = False) -> Iterator[None]:
    """What the system refuses is the user's to mend, but for a reader who has had enough. Raises Refused.

    The sentence names the file that the system names, or `always` the path.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        place = path if always else error.filename or path
        why = error.strerror or error
        raise Refused(f"'{place}' cannot be written ({why}); choose another place.") from error


def file_name(text: str) -> str:
    """Text as part of a file name: letters, digits, dot, dash and underscore."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", text)[:80] or "data"


def key_a_line(record: Mapping[str, Any]) -> str:
    """A record as JSON, one key a line; see `plain`."""
    pairs = plain(record).items()
    lines = (f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in pairs)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def plain(value: Any) -> Any:
    """The value as JSON has it: no infinities, no types of NumPy, the text of what is no number or list."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, type):
        return repr(value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) or hasattr(value, "__float__"):
        return float(value) if math.isfinite(float(value)) else None
    return repr(value)


def grid(columns: Sequence[str], rows: Iterable[Iterable[object]], right: Container[int] = ()) -> list[str]:
    """The lines of a Markdown table, of cells fit for one; those of some columns stand to the `right`."""
    marks = ["--:" if k in right else "---" for k in range(len(columns))]
    return [f"| {' | '.join(map(str, cells))} |" for cells in (columns, marks, *rows)]
