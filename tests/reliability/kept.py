"""What a run left on disk, and whether that is sound: valid, complete, and as an undisturbed run has it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from boundcheck.report.document import Row
from boundcheck.report.reading import CannotRead, read

Rows = dict[str, Row]


@dataclass(frozen=True)
class Left:
    """The rows of the results file, and what is wrong with it."""

    rows: Rows
    fault: str = ""


def left(folder: Path, reference: Rows | None = None) -> Left:
    """The rows on disk, none if there is no file; each has to be as an undisturbed run has it, if that is given."""
    path = folder / "r" / "verdicts.json"
    if not path.exists():
        return Left({})
    try:
        rows = read(path).by_id
    except CannotRead as error:
        return Left({}, str(error))
    strange = [id for id, r in rows.items() if reference is not None and reference.get(id) != r]
    return Left(rows, f"{strange[0]} is not as in an undisturbed run" if strange else "")


def comparable(folder: Path) -> dict[str, str]:
    """All that equal runs have in common: the report without `volatile`, its Markdown, and the certificates."""
    report = json.loads((folder / "r" / "verdicts.json").read_text(encoding="utf-8"))
    report.pop("volatile")
    others = [folder / "r" / "verdicts.md", *sorted((folder / "r" / "certificates").glob("[!.]*.json"))]
    texts = {path.name: path.read_text(encoding="utf-8") for path in others}
    return {"verdicts.json": json.dumps(report, sort_keys=True), **texts}


def litter(folder: Path) -> int:
    """Unfinished files."""
    return len([path for path in (folder / "r").rglob(".*") if path.name.count(".") > 1])
