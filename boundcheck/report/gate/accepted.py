"""Accepted changes: a TOML file beside the baseline, one entry for each, with the reason that somebody gave."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from boundcheck.report.files import write_whole
from boundcheck.report.reading import CannotRead

NAMES = ("id", "fingerprint", "from", "to", "reason")

HEADER = """\
# Changes for the worse that somebody has accepted, each for the text of the claim that has the fingerprint.
# `boundcheck gate --accept ID --reason TEXT` adds one.
"""


@dataclass(frozen=True)
class Acceptance:
    """A change of the verdict on one text of a claim, and why it is right."""

    id: str
    fingerprint: str
    before: str
    after: str
    reason: str

    @property
    def change(self) -> tuple[str, str, str, str]:
        """What is accepted."""
        return self.id, self.fingerprint, self.before, self.after


def beside(baseline: Path) -> Path:
    """Where the acceptances of a baseline are kept."""
    return baseline.with_name("accepted.toml")


def read_accepted(path: Path) -> list[Acceptance]:
    """The entries of a file; none if there is no file. Raises CannotRead."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as error:
        raise CannotRead(f"{path} cannot be read ({' '.join(str(error).split())[:200]}); mend it or delete it.") from None
    entries = content.get("accepted", [])
    if set(content) - {"accepted"} or not isinstance(entries, list):
        raise CannotRead(f"{path} holds something else than [[accepted]] entries; delete what does not belong there.")
    return [_entry(path, k, entry) for k, entry in enumerate(entries, 1)]


def _entry(path: Path, k: int, entry: Any) -> Acceptance:
    wrong = not isinstance(entry, dict) or set(entry) != set(NAMES) or not all(isinstance(v, str) and v.strip() for v in entry.values())
    if wrong:
        raise CannotRead(f"{path}, entry {k}: an entry has {', '.join(NAMES)}, each a text that is not empty; mend it or delete it.")
    return Acceptance(*(entry[name] for name in NAMES))


def write_accepted(entries: Iterable[Acceptance], path: Path) -> None:
    """Write the file, sorted; of two entries for one change the last stays. Raises OSError."""
    distinct = {entry.change: entry for entry in entries}
    blocks = ["\n[[accepted]]\n" + "".join(f"{n} = {_quoted(v)}\n" for n, v in zip(NAMES, astuple(distinct[c]))) for c in sorted(distinct)]
    write_whole(HEADER + "".join(blocks), path)


def _quoted(text: str) -> str:
    """A TOML string: as in JSON, without the characters that TOML does not take."""
    return json.dumps("".join(c if c.isprintable() else " " for c in text), ensure_ascii=False)
