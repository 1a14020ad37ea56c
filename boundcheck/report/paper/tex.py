"""Blocks as LaTeX: a document that compiles by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
)

DOCUMENT = r"""\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=10mm]{geometry}
\usepackage[hidelinks,bookmarks=false]{hyperref}
\setlength{\parindent}{0pt}\setlength{\parskip}{1pt plus 1pt}
\makeatletter
\def\verbatim@font{\scriptsize\ttfamily}
\renewcommand\section{\@startsection{section}{1}{0pt}{6pt}{1pt}{\large\bfseries}}
\renewcommand\subsection{\@startsection{subsection}{2}{0pt}{4pt}{1pt}{\normalsize\bfseries}}
\makeatother
\setcounter{secnumdepth}{0}
\emergencystretch3em\sloppy
\begin{document}\fontsize{9}{10.5}\selectfont\makeatletter
\def\@listi{\footnotesize\leftmargin1.4em\topsep0pt\partopsep0pt}\makeatother\topsep0pt\partopsep0pt
%s
\end{document}
"""
TIGHT = r"\providecommand{\tight}{\setlength{\itemsep}{0pt}\setlength{\parsep}{0pt}\setlength{\parskip}{0pt}}"
LEVELS = ("LARGE", "section", "subsection", "subsubsection")
ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "∎": r"$\blacksquare$",
    **{char: f"\\{char}" for char in "{}$&#%_"},
}


def document(blocks: Iterable[Block]) -> str:
    """A page."""
    return DOCUMENT % fragment(blocks)


def fragment(blocks: Iterable[Block]) -> str:
    """Blocks for a document of somebody else, which takes them in by \\input; they need no package but fontenc."""
    lines = (line for block in blocks for line in [*_block(block), ""])
    return "\n".join([TIGHT, *lines])


def _block(block: Block) -> list[str]:
    match block:
        case Heading(1, words, _):
            return [rf"{{\LARGE\bfseries {_line(words)}\par}}\medskip"]
        case Heading(level, words, id):
            anchored = [rf"\hypertarget{{{_label(id)}}}{{}}%"] if id else []
            return [*anchored, rf"\{LEVELS[level - 1]}{{{_line(words)}}}"]
        case Paragraph(label, words):
            return [
                (rf"\textbf{{{label}.}} " if label else "")
                + _line(words)
                + r"\par"
            ]
        case Display(tex):
            return [r"{\centering$\displaystyle", tex, r"$\par}"]
        case Code(text, _):
            return verbatim(text)
        case Grid(head, rows, numbers):
            return _tabular(head, rows, numbers)
        case Items(lines, numbered):
            kind = "enumerate" if numbered else "itemize"
            items = [rf"\item {_line(words)}" for words in lines]
            return [rf"\begin{{{kind}}}\tight", *items, rf"\end{{{kind}}}"]


def _tabular(
    head: Sequence[Line], rows: Sequence[Sequence[Line]], numbers: bool
) -> list[str]:
    """Numbers to the right; else all columns but the first are prose, the last the longest."""
    n = len(head)
    prose = r"p{.2\linewidth}" * (n - 2) + r"p{.63\linewidth}"
    columns = "l" + ("r" * (n - 1) if numbers else prose)
    shown = [row for row in (head, *rows) if any(map(any, row))]
    body = [" & ".join(map(_line, row)) + r" \\" for row in shown]
    return [
        rf"{{\footnotesize\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        *body,
        r"\end{tabular}\par}",
    ]


def verbatim(text: str) -> list[str]:
    """Lines that LaTeX does not read."""
    text = (
        printable(text)
        .strip("\n")
        .replace(r"\end{verbatim}", r"\end {verbatim}")
    )
    return [r"\begin{verbatim}", text, r"\end{verbatim}"]


def _line(words: Line) -> str:
    """Prose, what stands out, and names that lead to their entry."""
    return "".join(map(_span, words)).strip()


def _span(span: str | Strong | Link) -> str:
    match span:
        case Strong(words):
            return rf"\textbf{{{prose_tex(words)}}}"
        case Link("certificate", _):
            return ""
        case Link(name, place):
            shown = _code(name)
            inside = place.startswith("#")
            return (
                rf"\hyperlink{{{_label(place[1:])}}}{{{shown}}}"
                if inside
                else shown
            )
    return prose_tex(span)


def prose_tex(text: str) -> str:
    """Text with formulas between $ and code between backticks."""
    marked = {"text": escaped, "code": _code, "math": "${}$".format}
    return "".join(marked[kind](part) for kind, part in parts(text))


def _code(text: str) -> str:
    """A name that may be broken after its dots and underscores."""
    broken = re.sub(r"(\.|\\_)", r"\1\\allowbreak{}", escaped(text)).replace(
        "--", "-{}-"
    )
    return rf"\texttt{{\small {broken}}}"


def escaped(text: str) -> str:
    """Text in which LaTeX finds nothing to obey."""
    return "".join(ESCAPES.get(char, char) for char in printable(text))


def _label(id: str) -> str:
    return re.sub(r"[^\w.\-]", "-", id)
