"""Blocks as Markdown: prose stays what it is, and HTML finds nothing in it to obey."""

from __future__ import annotations

import re
from collections.abc import Iterable

from boundcheck.report import markdown_table, printable
from boundcheck.report.formats import code
from boundcheck.report.paper.blocks import (
    Block,
    Code,
    Display,
    Grid,
    Heading,
    Items,
    Line,
    Link,
    Paragraph,
    Strong,
    parts,
    target,
)


def as_markdown(blocks: Iterable[Block]) -> str:
    """A page."""
    return "\n".join(line for block in blocks for line in [*_block(block), ""])


def _block(block: Block) -> list[str]:
    match block:
        case Heading(level, words, id):
            anchored = [f'<a id="{target(id)}"></a>', ""] if id else []
            return [*anchored, f"{'#' * level} {_line(words)}"]
        case Paragraph(label, words):
            return [
                " ".join(
                    filter(
                        None, [f"**{label}.**" if label else "", _line(words)]
                    )
                )
            ]
        case Display(tex):
            return _fenced(tex, "math")
        case Code(text, language):
            return _fenced(text, language)
        case Grid(head, rows, numbers):
            right = range(1, len(head)) if numbers else ()
            return markdown_table(_cells(head), map(_cells, rows), right)
        case Items(lines, numbered):
            return [
                f"{f'{k}.' if numbered else '*'} {_line(words)}"
                for k, words in enumerate(lines, 1)
            ]


def _cells(row: Iterable[Line]) -> list[str]:
    return [_line(cell).replace("|", "\\|") for cell in row]


def _line(words: Line) -> str:
    """Prose, what stands out, and links, on one line."""
    return "".join(map(_span, words)).strip()


def _span(span: str | Strong | Link) -> str:
    match span:
        case Strong(words):
            return f"**{_prose(words)}**"
        case Link(name, place):
            address = (
                place.replace(" ", "%20")
                .replace("(", "%28")
                .replace(")", "%29")
            )
            address = (
                f"#{target(place[1:])}" if place.startswith("#") else address
            )
            return f"[{code(name)}]({address})" if place else code(name)
    return _prose(span)


def _prose(text: str) -> str:
    """Prose with formulas; neither HTML nor Markdown touches a `<`, a `*` or a formula."""
    marked = {"text": _text, "code": "`{}`".format, "math": "$`{}`$".format}
    return "".join(marked[kind](part) for kind, part in parts(text))


def _text(part: str) -> str:
    return re.sub(r"<(?!=)", "&lt;", part.replace("*", r"\*"))


def _fenced(text: str, language: str) -> list[str]:
    """A block whose fence is longer than any inside."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence + language, printable(text).strip("\n"), fence]
