"""The demands of the papers: each folder of theory/ lists its own in a module `demands`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from boundcheck.audit.demand import Demand
from boundcheck.words.loading import CannotLoad


def collected(theory: Path) -> list[Demand]:
    """`DEMANDS` of every theory/PAPER/demands.py, paper by paper. Raises CannotLoad if one cannot be imported."""
    theory = theory.resolve()
    if str(theory.parent) not in sys.path:
        sys.path.insert(0, str(theory.parent))
    files = sorted(theory.glob("*/demands.py"))
    return [demand for file in files for demand in _demands(file, f"{theory.name}.{file.parent.name}.demands")]


def _demands(file: Path, module: str) -> list[Demand]:
    try:
        return list(import_module(module).DEMANDS)
    except Exception as error:
        raise CannotLoad(f"{file} cannot be used ({type(error).__name__}: {error}); mend it or move it away.") from error
