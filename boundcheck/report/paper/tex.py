"""Errata as LaTeX: a snippet for each, a bibliography, and a document that holds them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from pprint import pformat
from typing import Any

import numpy as np

from boundcheck import __version__
from boundcheck.domains.instances import build, from_json
from boundcheck.report import in_six_digits, printable
from boundcheck.report.document import Document
from boundcheck.report.paper import Refuted, display, parts, refuted, tables, target
from boundcheck.report.paper.folders import Erratum, Reference, folders
from boundcheck.report.reading import parsed
from boundcheck.words.claims import Claim
from boundcheck.words.loading import CannotLoad, load_claims

TITLE, AUTHOR = "boundcheck", "The boundcheck developers"
"""As CITATION.cff has them; a test compares."""

ESCAPES = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
    **{char: f"\\{char}" for char in "{}$&#%_"},
}  # fmt: skip

SNIPPET = r"""% {id}, an erratum of {key} found by boundcheck {version}. To refer to it: \ref{{erratum:{anchor}}}.
% \input it where amsmath and amssymb are loaded, or compile it by itself.
\expandafter\ifx\csname @nodocument\endcsname\relax
  \def\endoferratum{{}}%
\else
  \documentclass{{article}}
  \usepackage[T1]{{fontenc}}
  \usepackage{{amsmath,amssymb}}
  \usepackage[margin=2cm]{{geometry}}
  \begin{{document}}
  \def\endoferratum{{\bibliographystyle{{plain}}\bibliography{{errata}}\end{{document}}}}%
\fi
"""

DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=2cm]{geometry}
\title{Errata}
\author{}
\date{}
\begin{document}
\maketitle
%s
\bibliographystyle{plain}
\bibliography{errata}
\end{document}
"""


def errata_tex(report: Document) -> dict[str, str]:
    """The texts of `ID.tex` for each erratum of a report, `errata.tex`, `errata.bib`. Raises CannotRead."""
    papers = [refuted(report, folder) for folder in folders()]
    papers, claims = [p for p in papers if p.errata], _claims()
    snippets = {
        f"{target(e.id)}.tex": _snippet(e, p, claims.get(e.id))
        for p in papers
        for e in p.errata
    }
    return {
        **snippets,
        "errata.tex": DOCUMENT % _inputs(papers),
        "errata.bib": _bibliography(papers),
    }


def _claims() -> dict[str, Claim]:
    """The claims of theory/, as far as it can be loaded: instances are built by them."""
    found: dict[str, Claim] = {}
    for folder in folders():
        try:
            found |= {claim.id: claim for claim in load_claims(folder)}
        except CannotLoad:
            continue
    return found


def _inputs(papers: list[Refuted]) -> str:
    lines = []
    for p in papers:
        lines += [
            rf"\section{{{escaped(p.paper.title or p.paper.key)}}}",
            *(rf"\input{{{target(e.id)}.tex}}" for e in p.errata),
        ]
    return "\n".join(lines)


def _snippet(e: Erratum, found: Refuted, claim: Claim | None) -> str:
    """Statement, counterexample, repair."""
    r, key = found.row(e), found.paper.key
    head = SNIPPET.format(
        id=printable(e.id), key=key, version=__version__, anchor=target(e.id)
    )
    lines = [
        rf"\subsection{{\texttt{{{escaped(e.id)}}}: {escaped(e.severity)}}}\label{{erratum:{target(e.id)}}}",
        "",
    ]
    lines += [rf"\cite{{{key}}}, {prose_tex(found.where(e))}.", ""]
    lines += (
        _formula(e.printed)
        if e.printed.strip()
        else _labelled("In our words", r.summary)
    )
    lines += _labelled("Read as", e.read_as) + _labelled("Conversion", e.conversion)
    lines += _labelled("Counterexample", e.counterexample) + _verbatim(e.python)
    lines += _certified(
        r.certificate, claim if claim and claim.fingerprint == r.fingerprint else None
    )
    lines += (
        _labelled("Width", e.width)
        + _labelled("Harm", e.harm)
        + _labelled("Why", e.argument)
    )
    lines += _repair(e, found) + _labelled("Limit", e.limit)
    lines += [
        rf"Refuted by \texttt{{boundcheck}}~\cite{{boundcheck}}: {escaped(in_six_digits(r.reason))}."
    ]
    if r.certificate:
        lines += [
            "The certificate is checked by",
            *_verbatim(f"boundcheck verify {r.certificate}"),
        ]
    if told := found.report.rocq.get(r.id):
        lines += [f"It is {escaped(told)}."]
    return head + "\n".join([*lines, r"\endoferratum", ""])


def _certified(certificate: str | None, claim: Claim | None) -> list[str]:
    instance = certified_instance(certificate)
    if instance is None:
        return []
    return [
        r"\paragraph{Instance of the certificate.}",
        *_verbatim(python_literal(instance, claim)),
    ]


def _repair(e: Erratum, found: Refuted) -> list[str]:
    rows = [
        found.report.by_id[id] for id in found.repairs(e) if id in found.report.by_id
    ]
    told = [
        prose_tex(e.repaired),
        *(
            rf"{prose_tex(r.summary)} (\texttt{{{escaped(r.id)}}}, {escaped(r.outcome.name)})"
            for r in rows
        ),
    ]
    return (
        [r"\paragraph{Repair.}", " ".join(filter(None, told)), ""] if any(told) else []
    )


def _labelled(label: str, text: str) -> list[str]:
    told = [
        prose_tex(piece) if isinstance(piece, str) else _tabular(piece)
        for piece in tables(text)
    ]
    return [rf"\paragraph{{{label}.}}", *told, ""] if told else []


def _tabular(rows: list[list[str]]) -> str:
    begin = rf"\begin{{center}}\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}"
    body = [" & ".join(map(escaped, row)) + r" \\" for row in rows]
    return "\n".join([begin, *body, r"\end{tabular}\end{center}"])


def _formula(tex: str) -> list[str]:
    """A display, or a text that has formulas in it."""
    shown = display(tex)
    return [prose_tex(tex), ""] if shown is None else [r"\[", shown, r"\]", ""]


def _verbatim(text: str) -> list[str]:
    text = printable(text).strip("\n").replace(r"\end{verbatim}", r"\end {verbatim}")
    return (
        [r"{\footnotesize\begin{verbatim}", text, r"\end{verbatim}}", ""]
        if text
        else []
    )


def prose_tex(text: str) -> str:
    """Text with formulas between $ and code between backticks, as LaTeX."""
    marked = {
        "text": escaped,
        "code": lambda part: rf"\texttt{{{escaped(part)}}}",
        "math": "${}$".format,
    }
    return "".join(marked[kind](part) for kind, part in parts(" ".join(text.split())))


def escaped(text: str) -> str:
    """Text in which LaTeX finds nothing to obey."""
    return "".join(ESCAPES.get(char, char) for char in printable(text))


def _bibliography(papers: list[Refuted]) -> str:
    ours = {"author": f"{{{AUTHOR}}}", "title": TITLE, "note": f"Version {__version__}"}
    return "\n".join([*(_entry(p.paper) for p in papers), _bibtex("boundcheck", ours)])


def _entry(paper: Reference) -> str:
    if not paper.title:
        return _bibtex(paper.key, {"title": escaped(paper.line)})
    known = {
        "title": f"{{{escaped(paper.title)}}}",
        "year": str(paper.year),
        "note": escaped(paper.venue),
    }
    return _bibtex(paper.key, {"author": escaped(" and ".join(paper.authors)), **known})


def _bibtex(key: str, known: dict[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in known.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}", ""])


# the instance of a certificate, as literals of Python


MOST_OF_A_LITERAL = 100
WIDTH = 88


def certified_instance(certificate: str | None) -> dict[str, Any] | None:
    """The instance that a certificate holds, as it holds it; None where there is none to read."""
    try:
        found = parsed(Path(certificate or "").read_text(encoding="utf-8"))["claim"][
            "instance"
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError, MemoryError):
        return None
    return found if isinstance(found, dict) else None


def python_literal(instance: dict[str, Any], claim: Claim | None) -> str:
    """A dictionary by the names of the claim's signature; of the raw numbers where the claim was changed.

    A setting is told by its fields and by what it derives from them (K, Z, q, ...), without arrays that have
    more than a hundred entries. No number is rounded.
    """
    raw = from_json(instance)
    try:
        values = build(claim.parameters, raw) if claim else raw
    except Exception:  # the body of a setting that was changed since may raise anything
        values = raw
    literals = {name: _as_literal(value) for name, value in values.items()}
    return pformat(literals, width=WIDTH, sort_dicts=False, compact=True)


def _as_literal(value: object) -> object:
    """Numbers, lists and dictionaries only."""
    if is_dataclass(value):
        return {
            name: _as_literal(part) for name, part in _fields(value) if _is_short(part)
        }
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, dict):
        return {str(name): _as_literal(part) for name, part in value.items()}
    return (
        [_as_literal(part) for part in value]
        if isinstance(value, (list, tuple))
        else value
    )


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a setting, then what it derives from them."""
    entries = [
        item for kind in reversed(type(value).__mro__) for item in vars(kind).items()
    ]
    derived = (
        name
        for name, entry in entries
        if isinstance(entry, (property, cached_property))
    )
    for name in dict.fromkeys([*(field.name for field in fields(value)), *derived]):
        if not name.startswith("_"):
            try:
                yield name, getattr(value, name)
            except Exception:  # what cannot be derived from this instance is left out
                continue


def _is_short(part: Any) -> bool:
    """Whether this is a finite number, or an array of some."""
    if isinstance(part, (bool, int, str)):
        return True
    if isinstance(part, (float, np.generic)):
        return isfinite(part)
    short = (
        isinstance(part, np.ndarray)
        and part.size <= MOST_OF_A_LITERAL
        and part.dtype.kind in "ifb"
    )
    return short and bool(np.isfinite(part).all())
