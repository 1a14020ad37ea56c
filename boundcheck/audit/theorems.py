"""The demands of the papers: each folder of theory/ lists its own in a module `demands`."""

from __future__ import annotations

from pathlib import Path

from boundcheck.audit.demand import Demand
from boundcheck.words.loading import CannotLoad, module_of


def collected(theory: Path) -> list[Demand]:
    """`DEMANDS` of every theory/PAPER/demands.py, paper by paper. Raises CannotLoad if one cannot be used."""
    return [demand for file in sorted(theory.glob("*/demands.py")) for demand in _demands(file)]


def _demands(file: Path) -> list[Demand]:
    demands = getattr(module_of(file), "DEMANDS", None)
    if not isinstance(demands, (list, tuple)):
        raise CannotLoad(f"{file} has no list DEMANDS; write one, or move the file away.")
    return list(demands)
