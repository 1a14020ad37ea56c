"""A finding: a table that a paper's report shows, with the sentence that its numbers make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """A table with a title and columns; the remark is a sentence made of its numbers."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    remark: str = ""
