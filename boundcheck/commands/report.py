"""The command `boundcheck report`: a report rendered for a terminal, a page, a CI system, or another program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.report.formats import FORMATS, of_suffix

if TYPE_CHECKING:
    from boundcheck.report.document import Document

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("path", metavar="[REPORT]", type=FILE, default=Path("reports/verdicts.json"))
@click.option("--format", "form", type=click.Choice(list(FORMATS)), help="[default: that of the output's suffix, else terminal]")
@click.option("-o", "--output", type=FILE, help="Write here instead of printing.")
@click.option("--paper", help="The report of one paper, as Markdown: verdicts, findings, errata, coverage.")
@click.option("--errata", "asks_for_errata", is_flag=True, help="What is refuted of all papers, as Markdown: severity, argument, repair.")
@click.option("--errata-tex", "tex", type=click.Path(file_okay=False, path_type=Path), help="Write the errata as LaTeX into this folder.")
@click.option("--sweep", "sweeps", multiple=True, type=FILE, help="JSON of a sweep whose rates the HTML page shows.")
@click.option("--schema", "asks_for_schema", is_flag=True, help="Print the JSON Schema of reports.")
def report(path: Path, output: Path | None, tex: Path | None, **wish: Any) -> None:
    """Render a REPORT written by `check`."""
    from boundcheck.report.reading import CannotRead

    try:
        texts = _tex(path, tex, output, **wish) if tex else {output: _text(path, output, **wish)}
    except CannotRead as error:
        raise click.UsageError(str(error)) from error
    for file, text in texts.items():
        _put(text, file)
    if tex or output:
        click.echo(f"Written: {tex or output}", err=True)


def _put(text: str, output: Path | None) -> None:
    """Print a text or write it to a file. Raises UsageError."""
    from boundcheck.report.files import write_whole

    if output is None:
        click.echo(text, nl=False)
        return
    try:
        write_whole(text, output)
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {error.strerror or error}.") from error


def _tex(path: Path, folder: Path, *wishes: Any, **wish: Any) -> dict[Path | None, str]:
    """The files of the errata in LaTeX. Raises CannotRead and UsageError."""
    from boundcheck.report.paper.tex import errata_tex
    from boundcheck.report.reading import read

    if any((*wishes, *wish.values())):
        raise click.UsageError("--errata-tex writes a folder by itself; leave out the other options.")
    return {folder / name: text for name, text in errata_tex(read(path)).items()}


def _text(
    path: Path, output: Path | None, form: str | None, paper: str | None, asks_for_errata: bool, sweeps: tuple[Path, ...],
    asks_for_schema: bool,
) -> str:  # fmt: skip
    """What is asked for. Raises CannotRead and UsageError."""
    from boundcheck.report.reading import SCHEMA, read

    if asks_for_schema:
        return SCHEMA.read_text(encoding="utf-8")
    content, form_wanted = read(path), form or of_suffix(output)
    if paper is not None or asks_for_errata:
        return _of_papers(content.printable(), paper, form)
    return _rendered(content if form_wanted == "json" else content.printable(), form_wanted, sweeps, output is None)


def _of_papers(content: Document, paper: str | None, form: str | None) -> str:
    """The report of one paper, or the errata of all."""
    from boundcheck.report.paper import all_errata, folder_of, paper_report
    from boundcheck.report.paper.findings import computed

    if form not in (None, "markdown"):
        raise click.UsageError(f"The report of a paper is Markdown, not {form}; leave out --format.")
    if paper is None:
        return all_errata(content)
    folder = folder_of(paper)
    return paper_report(content, folder, computed(folder))


def _rendered(content: Document, form: str, sweeps: tuple[Path, ...], live: bool) -> str:
    if sweeps and form != "html":
        raise click.UsageError("--sweep goes with --format html.")
    if sweeps:
        from boundcheck.report.rates import rates

        content = replace(content, rates=tuple(curve for path in sweeps for curve in rates(path)))
    if form == "terminal" and live:
        from boundcheck.report.terminal import show

        show(content)
        return ""
    return FORMATS[form].render(content)
