"""What a paper states and no claim states, with the reasons."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from boundcheck.report.markdown import code, escaped
from boundcheck.report.paper.entries import TEXT, entries


def coverage(folder: Path) -> list[str]:
    """The table of `coverage.toml`. Raises CannotRead."""
    listed = entries(folder / "coverage.toml", "entry", {"id": TEXT, "status": TEXT}, {"reason": TEXT})
    if not listed:
        return []
    counts = Counter(entry["status"] for entry in listed)
    lines = ["## Not stated as a claim", "", ", ".join(f"{count} {escaped(status)}" for status, count in sorted(counts.items())) + ".", ""]
    lines += ["| entry | status | why |", "| --- | --- | --- |"]
    return lines + [f"| {code(e['id'])} | {escaped(e['status'])} | {escaped(e.get('reason', ''))} |" for e in listed]
