"""The report on a terminal."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from boundcheck.checking.verdict import SHOWN
from boundcheck.report.document import Document
from boundcheck.report.printable import printable


def table(report: Document) -> Table:
    """One line for each claim."""
    result = Table(show_lines=False, expand=True)
    result.add_column("claim", overflow="fold", ratio=3)
    result.add_column("verdict", no_wrap=True)
    result.add_column("why", overflow="fold", ratio=6)
    result.add_column("tight", no_wrap=True, justify="right")
    result.add_column("power", no_wrap=True, justify="right")
    for r in report.rows:
        verdict = Text(r.outcome.name, r.outcome.colour)
        result.add_row(Text(printable(r.id)), verdict, Text(printable(r.why)), r.tight, r.score)
    return result


def show(report: Document, console: Console | None = None) -> None:
    """The table and a line of totals, on this terminal or another console."""
    console = console or Console()
    console.print(table(report))
    counts = (f"{report.counts[outcome]} {outcome.name}" for outcome in SHOWN if report.counts[outcome])
    console.print(", ".join(counts), highlight=False)


def terminal(report: Document) -> str:
    """The table as plain text, for a file."""
    file = StringIO()
    show(report, Console(file=file, width=140))
    return file.getvalue()
