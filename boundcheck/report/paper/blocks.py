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
    bare = printable(tex).strip().strip("$").removeprefix(r"\[").removesuffix(r"\]")
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
            found.append([COLUMNS.split(line.strip()) for line in piece.splitlines()])
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


GREEK = "alpha|beta|gamma|delta|eps|eta|kappa|lam|lambda|mu|phi|pi|psi|rho|omega|sigma|tau|theta|xi|Delta|Gamma|Omega|Phi|Psi|Sigma"
NAME = rf"(?:(?:{GREEK})|[fghklqvDHKSYZ](?:hat|tilde)|[A-Za-z])~?"
INSIDE = r"(?:[^()$`]|\([^()$`]*\))+"
"""What stands in parentheses, which may hold others."""
GROUP = rf"\({INSIDE}\)|\{{[^{{}}$`]+\}}"
RAISED = rf"(?:-?1/\d|-?\w+|\({INSIDE}\))"
SYMBOL = re.compile(rf"""
    (?<![\w.`\\-])(?P<name>{NAME})
      (?:_(?P<index>(?:{NAME}(?:tilde|star)?|tilde|\d|\*|[A-Za-z]{{2}}|1\d)'?(?![\w])|{GROUP}))?
      (?P<mark>\*|'{{1,2}}(?!\w))?
      (?:\^(?P<power>{NAME}\*?(?!\w)|{RAISED}|[+*]))?(?![\w{{-])(?!\.\w)
  | (?<![\w^])(?P<base>\d+|\((?:{INSIDE})\))\^(?P<exponent>{RAISED})(?![\w^{{])(?!\.\w)
  | (?<![\w.`])(?P<sum>sum|sup|max|min)_(?P<over>{NAME}|{GROUP})(?![\w-])
  | (?<!\w)sqrt\((?P<root>{INSIDE})\)
  | \|\|(?P<norm>[^|$`]+)\|\|(?:_(?P<of>inf|[A-Za-z]\w*|{GROUP}))?(?P<square>\^2)?
  | (?P<relation><=|>=|!=)
""", re.X)  # fmt: skip
RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne"}
SPELLED = {"eps": "epsilon", "lam": "lambda", "star": "*", "inf": "infty"}


def symbols(text: str) -> str:
    """Prose whose plain names of mathematics, `lam*`, `d_tilde`, `n^2`, are formulas between `$`."""
    return SYMBOL.sub(_symbol, text)


def _symbol(found: re.Match[str]) -> str:
    if root := found["root"]:
        return rf"$\sqrt{{{_inner(root)}}}$"
    if norm := found["norm"]:
        of = f"_{{{_script(found['of'])}}}" if found["of"] else ""
        return rf"$\|{_inner(norm)}\|{of}{found['square'] or ''}$"
    if relation := found["relation"]:
        return f"${RELATIONS[relation]}$"
    if base := found["base"]:
        return f"${_inner(base)}^{{{_script(found['exponent'])}}}$"
    if found["sum"]:
        return rf"$\{found['sum']}_{{{_script(found['over'])}}}$"
    name, index = found["name"], found["index"]
    raised = [_script(script) for script in (found["mark"], found["power"]) if script]
    if len(name) == 1 and not index and not raised:
        return found[0]  # an article, or a letter that needs nothing
    if index == "tilde" and name != "d":
        name, index = f"{name}~", None
    below = f"_{{{_script(index)}}}" if index else ""
    return f"${_letter(name)}{below}" + (f"^{{{' '.join(raised)}}}$" if raised else "$")


def _inner(text: str) -> str:
    """What is inside of a formula: its names as TeX, without `$`."""
    bare = symbols(text).replace("$", "")
    bare = re.sub(
        r"\^(-?\w+|\([^()]*\))", lambda found: f"^{{{found[1].strip('()')}}}", bare
    )
    return re.sub(r"(?<![\\\w])(log|exp|max|min)\b", r"\\\1 ", bare)


def _script(text: str) -> str:
    """What stands raised or below."""
    if text[0] in "({":
        return _inner(text[1:-1])
    prime = r"^{\prime}" if len(text) > 1 and text.endswith("'") else ""
    if text.strip("'") == "":
        return r"\prime" * len(text)
    sign = "-" * text.startswith("-")
    return sign + _letter(text.removeprefix("-").removesuffix("'")) + prime


def _letter(name: str) -> str:
    """A name as TeX: `lam*`, `Ktilde`, `a~`."""
    star = "*" if name.endswith("*") and name != "*" else ""
    bare = name.removesuffix("*") or name
    if bare == "tilde":
        return r"\tilde{l}"
    if accented := re.fullmatch(r"(.)(hat|tilde)", bare):
        return rf"\{accented[2]}{{{accented[1]}}}{star}"
    if bare.endswith("~"):
        return rf"\tilde{{{_letter(bare[:-1])}}}{star}"
    if re.fullmatch(GREEK, bare) or bare in SPELLED:
        spelled = SPELLED.get(bare, bare)
        return (spelled if spelled == "*" else "\\" + spelled) + star
    return bare + star
