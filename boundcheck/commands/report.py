"""The command `boundcheck report`: a report rendered for a terminal, a page, a CI system, or a program."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from boundcheck.commands import shell

FORMATS = {
    "terminal": ".txt", "markdown": ".md", "json": ".json", "csv": ".csv", "junit": ".xml", "html": ".html",
}  # fmt: skip


@shell.command("report")
@click.argument("path", metavar="[REPORT]", type=shell.FILE, default=Path("reports/verdicts.json"))
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)),
    help="[default: that of the output's suffix, else terminal]",
)
@shell.output("Write here instead of printing.")
@click.option("--paper", help="The report of one paper, as Markdown: verdicts, findings, errata, coverage.")
@click.option(
    "--errata", "asks_for_errata", is_flag=True,
    help="What is refuted of all papers, as Markdown: severity, argument, repair.",
)
@click.option("--errata-tex", "tex", type=shell.Folder(), help="Write the errata as LaTeX into this folder.")
@click.option(
    "--sweep", "sweeps", multiple=True, type=shell.FILE,
    help="JSON of a sweep whose rates the HTML page shows.",
)
@click.option("--schema", "asks_for_schema", is_flag=True, help="Print the JSON Schema of reports.")
def command(path: Path, output: Path | None, tex: Path | None, **wish: Any) -> None:
    """Render a REPORT written by `check`."""
    if tex:
        _write_tex(path, tex, output, *wish.values())
    elif output:
        shell.write(_text(path, output, **wish), output)
    else:
        click.echo(_text(path, None, **wish), nl=False)
    if tex or output:
        click.echo(f"Written: {tex or output}", err=True)


def _write_tex(path: Path, folder: Path, *wishes: Any) -> None:
    """The errata in LaTeX. Raises CannotRead, Refused and UsageError."""
    from boundcheck.report.paper.tex import errata_tex
    from boundcheck.report.reading import read

    if any(wishes):
        raise click.UsageError("--errata-tex writes a folder by itself; leave out the other options.")
    for name, text in errata_tex(read(path)).items():
        shell.write(text, folder / name)


def _text(
    path: Path, output: Path | None, form: str | None, paper: str | None, asks_for_errata: bool,
    sweeps: tuple[Path, ...], asks_for_schema: bool,
) -> str:  # fmt: skip
    """What is asked for. Raises CannotRead and UsageError."""
    from boundcheck.report.printable import all_printable
    from boundcheck.report.reading import SCHEMA, read

    if asks_for_schema:
        return SCHEMA.read_text(encoding="utf-8")
    content = read(path)
    if paper is not None or asks_for_errata:
        return _of_papers(all_printable(content), paper, form)
    suffixes = {suffix: form for form, suffix in FORMATS.items()}
    form = form or suffixes.get(output.suffix if output else "", "terminal")
    if sweeps and form != "html":
        raise click.UsageError("--sweep goes with --format html.")
    shown = content if form == "json" else all_printable(content)
    if form == "html":
        return _page(shown, sweeps)
    return _terminal(shown, output is None) if form == "terminal" else _renderers()[form](shown)


def _of_papers(content: dict[str, Any], paper: str | None, form: str | None) -> str:
    """The report of one paper, or the errata of all."""
    from boundcheck.report.paper import all_errata, folder_of, paper_report
    from boundcheck.report.paper.findings import computed

    if form not in (None, "markdown"):
        raise click.UsageError(f"The report of a paper is Markdown, not {form}; leave out --format.")
    if paper is None:
        return all_errata(content)
    folder = folder_of(paper)
    return paper_report(content, folder, computed(folder))


def _renderers() -> dict[str, Callable[[dict[str, Any]], str]]:
    from boundcheck.report.junit import junit
    from boundcheck.report.markdown import markdown

    return {"json": _json, "csv": _csv, "markdown": markdown, "junit": junit}


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def _csv(content: dict[str, Any]) -> str:
    from boundcheck.report.frame import frame
    from boundcheck.report.printable import cell

    table = frame(content)
    return table.set_axis(table.index.map(cell)).map(cell).to_csv(index_label="id")


def _page(content: dict[str, Any], sweeps: tuple[Path, ...]) -> str:
    from boundcheck.report.html import page
    from boundcheck.report.rates import rates

    return page(content, [curve for path in sweeps for curve in rates(path)])


def _terminal(content: dict[str, Any], live: bool) -> str:
    """The table: printed as wide and coloured as the terminal allows, or as plain text for a file."""
    from io import StringIO

    from rich.console import Console

    from boundcheck.report.terminal import show

    file = StringIO()
    show(content, None if live else Console(file=file, width=140))
    return file.getvalue()
