"""Where a baseline comes from: a file, or a revision of the repository that the file lies in; and how it is written."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from boundcheck.report.files import write_whole
from boundcheck.report.reading import CannotRead, read


def read_baseline(path: Path, revision: str | None) -> dict[str, Any] | None:
    """The baseline, or None where there is none. Raises CannotRead."""
    if revision is not None:
        return _of_revision(path, revision)
    return read(path) if path.exists() else None


def write_baseline(report: dict[str, Any], path: Path) -> None:
    """The part of a report that can be compared: without times, and without the points of curves. Raises OSError."""
    claims = [{**r, "curves": []} for r in report["claims"]]
    write_whole(json.dumps({**report, "claims": claims, "volatile": {}}, indent=1, sort_keys=True) + "\n", path)


def _of_revision(path: Path, revision: str) -> dict[str, Any] | None:
    if not _git(path, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"):
        raise CannotRead(f"git knows no revision '{revision}' here; fetch it, or name another with --compare-rev.")
    text = _git(path, "show", "--end-of-options", f"{revision}:./{path.name}")
    return None if text is None else _read_text(text, path, f"{revision}:{path}")


def _git(path: Path, *arguments: str) -> bytes | None:
    """What git prints where the baseline lies, or None if it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=path.parent, capture_output=True, check=False)
    except OSError as error:
        raise CannotRead(f"git cannot be run in {path.parent} ({error.strerror}); --compare-rev needs it.") from None
    return done.stdout if done.returncode == 0 else None


def _read_text(text: bytes, path: Path, name: str) -> dict[str, Any]:
    """A report as `read` reads it from a file; the message of CannotRead says where it comes from."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(text)
        try:
            return read(copy)
        except CannotRead as error:
            raise CannotRead(str(error).replace(str(copy), name)) from None
