"""What a person writes in the folder of a paper: reference, coverage, errata; read whole or refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from boundcheck.report.reading import CannotRead, misfit, toml
from boundcheck.words import paper_of, theory

TEXT = {"type": "string"}
TEXTS = {"type": ["string", "array"], "items": TEXT}


def folder_of(paper: str) -> Path:
    """The folder of a paper in theory/. Raises CannotRead."""
    folder = paper_of(paper)
    if not paper.isidentifier() or not (folder / "__init__.py").is_file():
        known = (
            ", ".join(
                sorted(p.parent.name for p in theory().glob("*/__init__.py"))
            )
            or "none"
        )
        raise CannotRead(
            f"There is no paper '{paper}' in {theory()}; there is {known}."
        )
    return folder


def folders() -> list[Path]:
    """The folders of all papers. Raises CannotRead."""
    return [
        folder_of(p.parent.name) for p in sorted(theory().glob("*/__init__.py"))
    ]


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
        more = (
            f" and {others[0]}"
            if len(others) == 1
            else " et al."
            if others
            else ""
        )
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
    line = " ".join(
        (ast.get_docstring(tree) or folder.name).split("\n\n")[0].split()
    )
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                ast.Name("Paper"),
                [
                    _,
                    ast.Constant(str(title)),
                    ast.Constant(str(names)),
                    ast.Constant(int(year)),
                ],
            ):
                return Reference(
                    folder.name, line, title, tuple(names.split(", ")), year
                )
    return Reference(folder.name, line)


Shape = tuple[dict[str, Any], dict[str, Any]]
"""The keys that a table must have, and those that it may have, each with its schema."""


def toml_arrays(
    path: Path, shapes: dict[str, Shape]
) -> dict[str, list[dict[str, Any]]]:
    """The tables [[name]] of a file for each name; none where there is no file. Raises CannotRead."""
    content = toml(path, "mend it")
    items = {
        name: {
            "type": "object",
            "required": list(must),
            "properties": {**must, **may},
        }
        for name, (must, may) in shapes.items()
    }
    arrays = {
        name: {"type": "array", "items": item} for name, item in items.items()
    }
    wrong = misfit(content, {"type": "object", "properties": arrays})
    if wrong := wrong or _unknown(content, shapes):
        raise CannotRead(f"{path} cannot be used ({wrong}); mend it.")
    return {name: content.get(name, []) for name in shapes}


def _unknown(content: dict[str, Any], shapes: dict[str, Shape]) -> str | None:
    """The first table or key that is none of those known."""
    if strange := sorted(set(content) - set(shapes)):
        known = " and ".join(f"[[{name}]]" for name in shapes)
        return f"it has {strange[0]!r}, where only {known} is known"
    for name, (must, may) in shapes.items():
        for k, entry in enumerate(content.get(name, [])):
            if strange := sorted(set(entry) - {*must, *may}):
                return f"{name}[{k}] has {strange[0]!r}, which is none of {', '.join(sorted({*must, *may}))}"
    return None


# errata.toml: what a person writes about refuted claims


SEVERITIES = (
    "conclusion false",
    "proof gap",
    "hypothesis missing",
    "order",
    "constant",
    "misprint",
)
"""The gravest first. A proof gap: the step fails, and the statement may stand."""


@dataclass(frozen=True)
class Erratum:
    """An entry of `errata.toml`: `printed` is TeX, `python` is run by tests, `repair` holds ids of claims.

    `step` is the id of the first claim of a proof step that fails, or a sentence. Entries of kind "remark"
    are about readings with constants of ours, and what is said of experiments and of other papers. A key
    that is not there is empty.
    """

    id: str
    argument: str
    kind: str = "erratum"
    severity: str = ""
    where: str = ""
    printed: str = ""
    read_as: str = ""
    conversion: str = ""
    counterexample: str = ""
    python: str = ""
    width: str = ""
    harm: str = ""
    step: str = ""
    repair: tuple[str, ...] = ()
    repaired: str = ""
    limit: str = ""

    @property
    def is_remark(self) -> bool:
        return self.kind == "remark"

    @property
    def gravity(self) -> str:
        """How grave it is, as the pages say it."""
        return "remark" if self.is_remark else self.severity

    @property
    def step_claim(self) -> str | None:
        """The id that `step` is, unless it is a sentence."""
        return (
            self.step if self.step and not re.search(r"\s", self.step) else None
        )


REQUIRED = {"id": TEXT, "argument": TEXT}
OPTIONAL: dict[str, Any] = {
    **{
        field.name: TEXT
        for field in fields(Erratum)
        if field.name not in REQUIRED
    },
    "kind": {"type": "string", "enum": ["erratum", "remark"]},
    "severity": {"type": "string", "enum": list(SEVERITIES)},
    "repair": TEXTS,
}


def read_errata(folder: Path) -> list[Erratum]:
    """The entries of a paper's `errata.toml` in their order; none without a file. Raises CannotRead."""
    path = folder / "errata.toml"
    entries = toml_arrays(path, {"erratum": (REQUIRED, OPTIONAL)})["erratum"]
    found = [_erratum(entry, path) for entry in entries]
    if twice := repeated(e.id for e in found):
        raise CannotRead(f"{path} has two entries for {twice}; keep one.")
    return found


def repeated(names: Iterable[Any]) -> Any:
    """The first name that is met again; None if all are distinct."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _erratum(entry: dict[str, Any], path: Path) -> Erratum:
    if entry.get("kind") != "remark" and "severity" not in entry:
        wanted = f"write one of {', '.join(SEVERITIES)}"
        raise CannotRead(
            f"{path} cannot be used ({entry['id']} has no severity); {wanted}."
        )
    repair = entry.get("repair", ())
    made = {"repair": (repair,) if isinstance(repair, str) else tuple(repair)}
    return Erratum(**{**entry, **made})
