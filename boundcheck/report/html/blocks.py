"""Blocks as HTML: formulas as MathML, texts escaped, nothing outside linked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import unescape
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

from boundcheck.report import printable
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

HELD = re.compile(r"(<math(?:(?!<math).)*?</math>)([,.;:)]+)")
"""A formula and the mark after it, which would begin a line else."""


def body(blocks: Iterable[Block]) -> Markup:
    """A page, without what stands around it."""
    return Markup("\n").join(map(_block, blocks))


def _block(block: Block) -> Markup:
    match block:
        case Heading(level, words, id):
            mark = Markup(' id="{}"').format(target(id)) if id else ""
            return Markup("<h{0}{1}>{2}</h{0}>").format(
                level, mark, _line(words)
            )
        case Paragraph(label, words):
            head = Markup("<b>{}.</b> ").format(label) if label else ""
            return Markup("<p>{}{}</p>").format(head, _line(words))
        case Display(tex):
            return Markup('<div class="display">{}</div>').format(
                math(tex, "block")
            )
        case Code(text, _):
            return Markup("<pre>{}</pre>").format(printable(text).strip("\n"))
        case Grid(head, rows, numbers):
            kind = "numbers" if numbers else "words"
            shown = [_row(head, "th")] if any(map(any, head)) else []
            shown += [_row(row, "td") for row in rows]
            inner = Markup("\n").join(shown)
            return Markup(
                '<div class="wide"><table class="{}">{}</table></div>'
            ).format(kind, inner)
        case Items(lines, numbered):
            items = Markup("\n").join(
                Markup("<li>{}</li>").format(_line(x)) for x in lines
            )
            return Markup("<{0}>{1}</{0}>").format(
                "ol" if numbered else "ul", items
            )


def _row(row: Iterable[Line], tag: str) -> Markup:
    cells = (Markup("<{0}>{1}</{0}>").format(tag, _line(cell)) for cell in row)
    return Markup("<tr>{}</tr>").format(Markup("").join(cells))


def _line(words: Line) -> Markup:
    """Prose, what stands out, and links to places of this page; files are named, as nothing outside is linked."""
    return Markup("").join(map(_span, words))


def _span(span: str | Strong | Link) -> Markup:
    match span:
        case Strong(words):
            return Markup("<b>{}</b>").format(with_formulas(words))
        case Link("certificate", _):
            return Markup("")
        case Link(name, place):
            shown = Markup("<code>{}</code>").format(printable(name))
            inside = Markup('<a href="#{}">{}</a>').format(
                target(place[1:]), shown
            )
            return inside if place.startswith("#") else shown
    return with_formulas(span)


def with_formulas(text: str) -> Markup:
    """Prose of a person: formulas between `$`, code between backticks, and all else as it is written."""
    marked = {"text": escape, "code": _code, "math": _inline}
    shown = Markup("").join(marked[kind](part) for kind, part in parts(text))
    return Markup(HELD.sub(r'<span class="held">\1\2</span>', str(shown)))


def _code(part: str) -> Markup:
    return Markup("<code>{}</code>").format(part)


LONG = 40
"""Characters of TeX from which on a formula in a line may be wider than a phone, and scrolls."""


def _inline(tex: str) -> Markup:
    shown = math(tex)
    return (
        Markup('<span class="long">{}</span>').format(shown)
        if len(tex) > LONG
        else shown
    )


OBEYED = ("href", "style", "class", "id")
"""Attributes by which TeX could lead away from the page, or change what stands elsewhere on it."""


@lru_cache(4096)
def math(tex: str, display: str = "inline") -> Markup:
    """A formula in TeX as MathML; as code where it cannot be read."""
    try:
        root = convert_to_element(tex, display=display)
    except Exception:  # the converter raises what it likes
        return Markup("<code>{}</code>").format(tex)
    root.attrib.pop("xmlns")
    for e in root.iter():
        e.text = unescape(
            e.text or ""
        )  # the converter writes signs as entities
        for name in OBEYED:
            e.attrib.pop(name, None)
        _space(e)
    return Markup(tostring(root, encoding="unicode"))


def _space(e: Element) -> None:
    """The spaces of TeX: none about a bar or a slash, thin ones about the name of a function."""
    sign = e.text or ""
    if (
        e.tag == "mo"
        and sign in ("|", "‖", "/")
        and e.get("stretchy") != "true"
    ):
        e.tag = "mi"
    elif e.tag in ("mi", "mo") and len(sign) > 1 and sign.isalpha():
        e.tag, e.attrib["lspace"], e.attrib["rspace"] = "mo", "0.17em", "0.17em"
