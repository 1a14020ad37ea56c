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
    help="The report of one paper, as Markdown: verdicts, findings, errata, coverage.",
)
@click.option(
    "--errata",
    "asks_for_errata",
    is_flag=True,
    help="What is refuted of all papers, as Markdown: severity, argument, repair.",
)
@click.option(
    "--errata-tex",
    "tex",
    type=shell.Folder(),
    help="Write the errata as LaTeX into this folder.",
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
def command(
    paths: tuple[Path, ...], output: Path | None, tex: Path | None, **wish: Any
) -> None:
    """Render a REPORT written by `check`; of several, oldest first, the last, its HTML page with their
    history."""
    paths = paths or (Path("reports/verdicts.json"),)
    if tex:
        _write_tex(paths[-1], tex, output, paths[1:], *wish.values())
    elif output:
        shell.write(_text(paths, output, **wish), output)
    else:
        click.echo(_text(paths, None, **wish), nl=False)
    if tex or output:
        click.echo(f"Written: {tex or output}", err=True)


def _write_tex(path: Path, folder: Path, *wishes: Any) -> None:
    """The errata in LaTeX. Raises CannotRead, Refused and UsageError."""
    from boundcheck.report.paper.tex import errata_tex
    from boundcheck.report.reading import read

    if any(wishes):
        raise click.UsageError(
            "--errata-tex writes a folder by itself; leave out the other options."
        )
    for name, text in errata_tex(read(path)).items():
        shell.write(text, folder / name)


def _text(
    paths: tuple[Path, ...], output: Path | None, form: str | None, paper: str | None, asks_for_errata: bool,
    sweeps: tuple[Path, ...], asks_for_schema: bool,
) -> str:  # fmt: skip
    """What is asked for. Raises CannotRead and UsageError."""
    from boundcheck.report.reading import SCHEMA, read

    if asks_for_schema:
        return SCHEMA.read_text(encoding="utf-8")
    wanted = (
        "markdown"
        if paper is not None or asks_for_errata
        else form or of_suffix(output)
    )
    *older, path = paths
    if older and wanted != "html":
        raise click.UsageError(
            "Several reports make a history, which the HTML page shows; add -o page.html."
        )
    content = read(path)
    if paper is not None or asks_for_errata:
        return _of_papers(content.printable(), paper, form)
    if sweeps and wanted != "html":
        raise click.UsageError("--sweep goes with --format html.")
    shown = content if wanted == "json" else content.printable()
    earlier = tuple((printable(str(name)), read(name).printable()) for name in older)
    return _rendered(replace(shown, earlier=earlier), wanted, sweeps, output is None)


def _of_papers(content: Document, paper: str | None, form: str | None) -> str:
    """The report of one paper, or the errata of all."""
    from boundcheck.report.paper import all_errata, computed, paper_report
    from boundcheck.report.paper.folders import folder_of

    if form not in (None, "markdown"):
        raise click.UsageError(
            f"The report of a paper is Markdown, not {form}; leave out --format."
        )
    if paper is None:
        return all_errata(content)
    folder = folder_of(paper)
    return paper_report(content, folder, computed(folder))


def _rendered(
    content: Document, form: str, sweeps: tuple[Path, ...], live: bool
) -> str:
    """The report in a format; a table is printed as wide and coloured as the terminal allows."""
    if sweeps:
        from boundcheck.report.curves import rates

        content = replace(
            content, rates=tuple(curve for path in sweeps for curve in rates(path))
        )
    if form == "terminal" and live:
        from boundcheck.report.terminal import show

        show(content)
        return ""
    return FORMATS[form].render(content)
