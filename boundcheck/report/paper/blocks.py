"""A page as blocks, which Markdown, LaTeX and HTML each write in their way; texts with code and formulas in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boundcheck.report import printable


@dataclass(frozen=True)
class Strong:
    """Words that stand out."""

    words: str


@dataclass(frozen=True)
class Link:
    """A name in code that leads to a place of this page, `#id`, or to a file of the repository."""

    name: str
    target: str


Line = tuple["str | Strong | Link", ...]
"""Prose of a person (formulas between `$`, code between backticks), and what stands between it."""


@dataclass(frozen=True)
class Heading:
    """A heading of a level from 1 on; `id` is an anchor that does not change when the words do."""

    level: int
    line: Line
    id: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A label, which may be empty, and a line."""

    label: str
    line: Line


@dataclass(frozen=True)
class Display:
    """A formula in TeX, in a line of its own."""

    tex: str


@dataclass(frozen=True)
class Code:
    """Lines of a language."""

    text: str
    language: str


@dataclass(frozen=True)
class Grid:
    """Rows of cells below a head; columns from the second on may hold numbers, and stand to the right."""

    head: Sequence[Line]
    rows: Sequence[Sequence[Line]]
    numbers: bool = False


@dataclass(frozen=True)
class Items:
    """A list."""

    lines: Sequence[Line]
    numbered: bool = False


Block = Heading | Paragraph | Display | Code | Grid | Items


def labelled(label: str, text: str) -> Iterator[Block]:
    """A text of a person: paragraphs, and tables by lines whose columns are two spaces apart."""
    for piece in tables(text):
        if isinstance(piece, str):
            yield Paragraph(label, (piece,))
        else:
            if label:
                yield Paragraph(label, ())
            head, *rows = [[(cell,) for cell in row] for row in piece]
            yield Grid(head, rows, numbers=True)
        label = ""


def displayed(tex: str) -> Iterator[Block]:
    """A formula as a display; a text that has formulas in it as a paragraph."""
    bare = (
        printable(tex)
        .strip()
        .strip("$")
        .removeprefix(r"\[")
        .removesuffix(r"\]")
    )
    if not bare.strip():
        return
    lines = (line.rstrip() for line in bare.splitlines() if line.strip())
    yield Paragraph("", (tex,)) if "$" in bare else Display("\n".join(lines))


def target(id: str) -> str:
    """An id as the end of an address."""
    return re.sub(r"[^\w.\-]", "_", id)


COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")
TABLE = re.compile(r"((?:^.*\S {2,}\S.*\n?){2,})", re.M)
"""Two or more lines whose columns are two spaces apart."""


def tables(text: str) -> list[str | list[list[str]]]:
    """A text as paragraphs and tables, these as rows of cells."""
    pieces = [piece.strip("\n") for piece in TABLE.split(text.strip())]
    found: list[str | list[list[str]]] = []
    for k, piece in enumerate(pieces):
        if k % 2:
            found.append(
                [COLUMNS.split(line.strip()) for line in piece.splitlines()]
            )
        else:
            found += [p for p in re.split(r"\n\s*\n", piece) if p.strip()]
    return found


PARTS = re.compile(r"(\$`[^`\n]+`\$|`[^`\n]*`|\$[^$\n]+\$)")


def parts(text: str) -> Iterator[tuple[str, str]]:
    """A text in pieces, each with its kind: "text", "code" (between backticks), "math" (between $)."""
    for k, part in enumerate(PARTS.split(printable(re.sub(r"\s+", " ", text)))):
        if part and k % 2 == 0:
            yield "text", part
        elif part:
            kind = "code" if part.startswith("`") else "math"
            yield kind, part.strip("$").strip("`")
