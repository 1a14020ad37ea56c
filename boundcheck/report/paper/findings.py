"""The findings of a paper: computed by its module, and as Markdown tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from boundcheck.report.markdown import escaped
from boundcheck.report.reading import CannotRead
from boundcheck.words.findings import Finding


def computed(folder: Path) -> list[Finding]:
    """What `findings()` of the folder's module `findings` returns; nothing where there is none. Raises CannotRead."""
    file = folder / "findings.py"
    if not file.is_file():
        return []
    try:
        found = list(_module(file).findings())
    except Exception as error:
        raise CannotRead(f"{file} fails ({type(error).__name__}: {error}); mend it or move it away.") from error
    if not all(isinstance(f, Finding) for f in found):
        raise CannotRead(f"findings() of {file} returns something that is no Finding; return a list of Findings.")
    return found


def _module(file: Path) -> ModuleType:
    """The module of a file, which may import its package."""
    root = str(file.resolve().parent.parent.parent)
    if root not in sys.path:
        sys.path.insert(0, root)
    name = f"boundcheck_findings_of_{file.parent.name}"
    loader = SourceFileLoader(name, str(file))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    sys.modules[name] = module = module_from_spec(spec)
    loader.exec_module(module)
    return module


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
