"""The folders of papers in theory/, with the reference of each."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from boundcheck.report.reading import CannotRead
from boundcheck.words.loading import theory


def folder_of(paper: str) -> Path:
    """The folder of a paper in theory/. Raises CannotRead."""
    folder = theory() / paper
    if not paper.isidentifier() or not (folder / "__init__.py").is_file():
        known = ", ".join(sorted(p.parent.name for p in theory().glob("*/__init__.py"))) or "none"
        raise CannotRead(f"There is no paper '{paper}' in {theory()}; there is {known}.")
    return folder


def folders() -> list[Path]:
    """The folders of all papers. Raises CannotRead."""
    return [folder_of(p.parent.name) for p in sorted(theory().glob("*/__init__.py"))]


@dataclass(frozen=True)
class Reference:
    """What a bibliography says of a paper; `line` is the first paragraph of its package's docstring."""

    key: str
    line: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int = 0

    @property
    def name(self) -> str:
        """`Doe (2020)`, `Doe and Roe (2020)`, `Doe et al. (2020)`."""
        if not self.authors or not self.year:
            return self.key
        first, *others = self.authors
        more = f" and {others[0]}" if len(others) == 1 else " et al." if others else ""
        return f"{first}{more} ({self.year})"

    @property
    def venue(self) -> str:
        """What the line says after year and title."""
        told = self.line.partition(f"({self.year}). ")[2]
        return told.partition(". ")[2].rstrip(".")


def reference(folder: Path) -> Reference:
    """The reference of a paper, read from its `__init__.py` without running it."""
    try:
        tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return Reference(folder.name, folder.name)
    line = " ".join((ast.get_docstring(tree) or folder.name).split("\n\n")[0].split())
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                ast.Name("Paper"),
                [_, ast.Constant(str(title)), ast.Constant(str(names)), ast.Constant(int(year))],
            ):
                return Reference(folder.name, line, title, tuple(names.split(", ")), year)
    return Reference(folder.name, line)
