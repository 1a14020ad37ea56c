"""A paper's page, that of all papers, and the letter as texts: Markdown, LaTeX, HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from boundcheck.report.document import Document
from boundcheck.report.paper import Refuted, refuted
from boundcheck.report.paper.appendix import appendix, computed
from boundcheck.report.paper.blocks import Block
from boundcheck.report.paper.folders import folder_of
from boundcheck.report.paper.letter import to_authors
from boundcheck.report.paper.markdown import as_markdown
from boundcheck.report.paper.page import all_papers, paper_page
from boundcheck.report.paper.tex import document
from boundcheck.report.reading import CannotRead

SUFFIXES = {".md": "markdown", ".html": "html", ".tex": "tex"}
"""How the page of a paper is written, by the suffix of the file."""


def paper_text(report: Document, paper: str, form: str) -> str:
    """The page of a paper; in Markdown also all of its verdicts. Raises CannotRead."""
    p, folder = what_is_found(report, paper)
    more: Iterator[Block] = iter(())
    if form == "markdown":
        more = appendix(p, folder, computed(folder))
    return _written([*paper_page(p), *more], form, p.paper.name)


def errata_text(report: Document, form: str) -> str:
    """The page of all papers. Raises CannotRead."""
    return _written(list(all_papers(report)), form, "Errata")


def letter_text(report: Document, paper: str, form: str) -> str:
    """The letter to the authors of a paper. Raises CannotRead."""
    p, _ = what_is_found(report, paper)
    return _written(to_authors(p), form, p.paper.name)


def what_is_found(report: Document, paper: str) -> tuple[Refuted, Path]:
    """A paper of which the report has claims, and its folder. Raises CannotRead."""
    folder = folder_of(paper)
    p = refuted(report, folder)
    if not p.rows:
        raise CannotRead(
            f"The report has no claim of {paper}; run `boundcheck check {paper}` first."
        )
    return p, folder


def _written(blocks: Iterable[Block], form: str, title: str) -> str:
    if form == "html":
        from boundcheck.report.html import sheet

        return sheet(blocks, title)
    return document(blocks) if form == "tex" else as_markdown(blocks)
