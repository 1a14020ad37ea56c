"""The command `boundcheck latex`: what a paper cites by \\claim{ID} is checked, and told to who evaluates its artifact."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundcheck import exits
from boundcheck.commands import shell

if TYPE_CHECKING:
    from boundcheck.report.document import Document
    from boundcheck.report.paper.cited import Cited

NO_CITATION = "{} cites no claim; write \\claim{{ID}} beside a statement."


@shell.command("latex")
@click.argument("paper", metavar="PAPER.tex", type=shell.FILE)
@click.option(
    "--check",
    "only_checked",
    is_flag=True,
    help="Check the citations, and write nothing.",
)
@click.option(
    "--report",
    "report",
    type=shell.FILE,
    default="reports/verdicts.json",
    help="The report that has the verdicts.",
)
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="FILE",
    help="Files that state the claims, as for `check` [default: those of theory/ and of one's own].",
)
@shell.output(
    "Write the appendix here, to be taken in by \\input, or as Markdown (-o x.md)."
)
@shell.fail_on
def command(
    paper: Path,
    only_checked: bool,
    report: Path,
    texts: tuple[str, ...],
    output: Path | None,
    fail_on: str,
) -> None:
    """Check the claims that PAPER.tex cites by \\claim{ID}, it and the files that it takes in: each exists, has
    a verdict, and its text is the one that was judged. Then print an appendix for who evaluates the artifact:
    claims, commands, minutes, expected verdicts.

    Exit codes: 0 all verdicts stand; 1 one is what --fail-on names; 2 a claim does not exist; 3 one has no
    verdict or is stale; 5 nothing is cited.
    """
    from boundcheck.report.reading import read

    failing, content = shell.outcomes_of(fail_on), read(report).printable()
    cited = list(_cited(paper, content, texts))
    for c in cited:
        click.echo(shell.one_line(c), err=not only_checked)
    if others := _not_cited(cited, content):
        click.echo(f"Not cited: {', '.join(others)}", err=not only_checked)
    open_ones = [c for c in cited if not c.stands]
    if not (only_checked or open_ones):
        _write(cited, content, output)
    if any(c.claim is None for c in cited):
        sys.exit(exits.USAGE)
    found = (c.row.outcome for c in cited if c.stands and c.row)
    worse = shell.exit_code(found, failing)
    sys.exit(worse or (exits.UNDECIDED if open_ones else exits.FINE))


def _cited(
    paper: Path, report: Document, texts: Sequence[str]
) -> Iterator[Cited]:
    """Each claim that is cited, where it is first. Raises CannotRead, CannotLoad, StatesNothing."""
    from boundcheck.checking.verification import Texts
    from boundcheck.report.paper.cited import Cited, citations
    from boundcheck.words import StatesNothing

    first = {c.id: c for c in reversed(citations(paper))}
    if not first:
        raise StatesNothing(NO_CITATION.format(paper))
    known = Texts(texts)
    for c in reversed(first.values()):
        yield Cited(c.id, c.place, known.claim(c.id), report.by_id.get(c.id))


def _not_cited(cited: Sequence[Cited], report: Document) -> list[str]:
    """Other claims of the files, or papers, of which some are cited."""
    named = {c.id for c in cited}
    papers = {c.row.paper for c in cited if c.row}
    return [
        r.id for r in report.rows if r.paper in papers and r.id not in named
    ]


def _write(
    cited: Sequence[Cited], report: Document, output: Path | None
) -> None:
    """The appendix, for LaTeX unless the suffix says Markdown."""
    from boundcheck.report.paper.cited import evaluation
    from boundcheck.report.paper.markdown import as_markdown
    from boundcheck.report.paper.tex import fragment

    blocks = evaluation(cited, report)
    markdown = output is not None and output.suffix == ".md"
    text = as_markdown(blocks) if markdown else fragment(blocks)
    if output is None:
        click.echo(text)
    else:
        shell.write(text, output)
        click.echo(f"Written: {output}", err=True)
