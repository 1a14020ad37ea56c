"""The command `boundcheck report`: a report rendered for a terminal, a page, a CI system, or a program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.commands import shell
from boundcheck.report import printable
from boundcheck.report.formats import FORMATS, of_suffix

if TYPE_CHECKING:
    from boundcheck.report.document import Document


@shell.command("report")
@click.argument("paths", metavar="[REPORT]...", type=shell.FILE, nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    help="[default: that of the output's suffix, else terminal]",
)
@shell.output("Write here instead of printing.")
@click.option(
    "--paper",
    help="The page of one paper, as Markdown, LaTeX (-o x.tex) or HTML: which theorems stand, what was found.",
)
@click.option(
    "--errata",
    "asks_for_errata",
    is_flag=True,
    help="The page of all papers, as Markdown, LaTeX (-o x.tex) or HTML: what is refuted, slip by slip.",
)
@click.option(
    "--letter",
    help="A letter to the authors of one paper: the three points that matter, and how to check them.",
)
@click.option(
    "--sweep",
    "sweeps",
    multiple=True,
    type=shell.FILE,
    help="JSON of a sweep whose rates the HTML page shows.",
)
@click.option(
    "--schema",
    "asks_for_schema",
    is_flag=True,
    help="Print the JSON Schema of reports.",
)
def command(paths: tuple[Path, ...], output: Path | None, **wish: Any) -> None:
    """Render a REPORT written by `check`; of several, oldest first, the last, its HTML page with their
    history."""
    paths = paths or (Path("reports/verdicts.json"),)
    if output:
        shell.write(_text(paths, output, **wish), output)
        click.echo(f"Written: {output}", err=True)
    else:
        click.echo(_text(paths, None, **wish), nl=False)


def _text(
    paths: tuple[Path, ...],
    output: Path | None,
    form: str | None,
    paper: str | None,
    asks_for_errata: bool,
    letter: str | None,
    sweeps: tuple[Path, ...],
    asks_for_schema: bool,
) -> str:
    """What is asked for. Raises CannotRead and UsageError."""
    from boundcheck.report.reading import SCHEMA, read

    if asks_for_schema:
        return SCHEMA.read_text(encoding="utf-8")
    of_papers = sum((paper is not None, letter is not None, asks_for_errata))
    if of_papers > 1:
        raise click.UsageError(
            "--paper, --letter and --errata each write a page of their own; take one."
        )
    wanted = "markdown" if of_papers else form or of_suffix(output)
    *older, path = paths
    if older and wanted != "html":
        raise click.UsageError(
            "Several reports make a history, which the HTML page shows; add -o page.html."
        )
    content = read(path)
    if of_papers:
        return _of_papers(content.printable(), paper, letter, form, output)
    if sweeps and wanted != "html":
        raise click.UsageError("--sweep goes with --format html.")
    shown = content if wanted == "json" else content.printable()
    earlier = tuple(
        (printable(str(name)), read(name).printable()) for name in older
    )
    return _rendered(
        replace(shown, earlier=earlier), wanted, sweeps, output is None
    )


def _of_papers(
    content: Document,
    paper: str | None,
    letter: str | None,
    form: str | None,
    output: Path | None,
) -> str:
    """The page of one paper or of all, or a letter."""
    from boundcheck.report.paper.forms import (
        SUFFIXES,
        errata_text,
        letter_text,
        paper_text,
    )

    form = form or SUFFIXES.get(output.suffix if output else ".md", "markdown")
    if form not in SUFFIXES.values():
        raise click.UsageError(
            f"The page of a paper is Markdown, LaTeX or HTML, not {form}; leave out --format."
        )
    if letter is not None:
        return letter_text(content, letter, form)
    return (
        errata_text(content, form)
        if paper is None
        else paper_text(content, paper, form)
    )


def _rendered(
    content: Document, form: str, sweeps: tuple[Path, ...], live: bool
) -> str:
    """The report in a format; a table is printed as wide and coloured as the terminal allows."""
    if sweeps:
        from boundcheck.report.curves import rates

        content = replace(
            content,
            rates=tuple(curve for path in sweeps for curve in rates(path)),
        )
    if form == "terminal" and live:
        from boundcheck.report.terminal import show

        show(content)
        return ""
    return FORMATS[form].render(content)
