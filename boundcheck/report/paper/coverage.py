"""What a paper states and no claim states, with the reasons."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.entries import TEXT, entries

Entry = dict[str, Any]


def coverage(folder: Path) -> list[str]:
    """The table of `coverage.toml`. Raises CannotRead."""
    listed = entries(folder / "coverage.toml", "entry", {"id": TEXT, "status": TEXT}, {"reason": TEXT, "command": TEXT})
    if not listed:
        return []
    counts = Counter(entry["status"] for entry in listed)
    lines = ["## Not stated as a claim", "", ", ".join(f"{count} {escaped(status)}" for status, count in sorted(counts.items())) + ".", ""]
    lines += ["| entry | status | why |", "| --- | --- | --- |"]
    return lines + [f"| {code(e['id'])} | {escaped(e['status'])} | {_why(e)} |" for e in listed]


def _why(e: Entry) -> str:
    """The reason, and the command that shows it if there is one."""
    return escaped(e.get("reason", "")) + (f" {code(e['command'])}" if "command" in e else "")
