"""Text files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(text: str, path: Path) -> None:
    """Write so that a reader sees the old file or the new one, never half of one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
