"""The findings of a paper: computed by its module, and as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundcheck.report.markdown import escaped
from boundcheck.report.reading import CannotRead
from boundcheck.words.findings import Finding
from boundcheck.words.loading import CannotLoad, module_of


def computed(folder: Path) -> list[Finding]:
    """What `findings()` of the folder's module `findings` returns; nothing where there is none. Raises CannotRead."""
    file = folder / "findings.py"
    if not file.is_file():
        return []
    try:
        found = list(module_of(file).findings())
    except CannotLoad as error:
        raise CannotRead(str(error)) from error
    except Exception as error:
        raise CannotRead(f"{file} fails ({type(error).__name__}: {error}); mend it or move it away.") from error
    if not all(isinstance(f, Finding) for f in found):
        raise CannotRead(f"findings() of {file} returns something that is no Finding; return a list of Findings.")
    return found


def tables(findings: Sequence[Finding]) -> list[str]:
    """A table and a remark for each finding."""
    lines = ["## Tightness and vacuity", ""] if findings else []
    for finding in findings:
        lines += [f"### {escaped(finding.title)}", "", _row(finding.columns), _row(["---"] * len(finding.columns))]
        lines += [_row([_cell(value) for value in row]) for row in finding.rows]
        lines += ["", escaped(finding.remark), ""] if finding.remark else [""]
    return lines


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell if cell == "---" else escaped(cell) for cell in cells) + " |"


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
