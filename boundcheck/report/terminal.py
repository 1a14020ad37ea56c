"""Tables on a terminal: as wide as it is, a name never broken; where nobody looks, one line for each row."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from boundcheck.checking.verdict import SHOWN
from boundcheck.report import printable
from boundcheck.report.document import Document

NARROW = 32
"""The last column stands under the others where it has less room than that."""

ROW = re.compile(r" = |\[[^][]*\]")
"""What is not broken where a line is: equations, and short rows of a matrix."""

Cells = Sequence["str | Text"]

HEAD = ("claim", "verdict", "tight", "power", "why")


def table(
    columns: Sequence[str],
    rows: Iterable[Cells],
    width: int | None,
    right: bool = False,
) -> Iterator[Text]:
    """The lines of a table, its last column broken at `width` unless that is None, without empty columns.

    Cells stand to the left of their columns, all but the first to the `right`.
    """
    texts = [
        tuple(Text(printable(c)) if isinstance(c, str) else c for c in row)
        for row in rows
    ]
    ends = (0, len(columns) - 1)
    shown = [
        k
        for k in range(len(columns))
        if k in ends or any(row[k].plain for row in texts)
    ]
    head = tuple(Text(columns[k], "bold") for k in shown)
    rows = [head, *(tuple(row[k] for k in shown) for row in texts)]
    widths = [
        max(row[k].cell_len for row in rows) for k in range(len(shown) - 1)
    ]
    before = sum(widths) + 2 * len(widths)
    under = width is not None and width - before < NARROW
    room = None if width is None else max(width - (4 if under else before), 8)
    for row in rows:
        cells = (
            _padded(cell, wide, right and k > 0)
            for k, (cell, wide) in enumerate(zip(row, widths))
        )
        first = Text("  ").join(cells)
        last = _broken(row[-1], room)
        if under and row is head:
            yield first
        elif under:
            yield from (first, *(Text("    ") + line for line in last))
        else:
            blank = Text(" " * (before - 2))
            lines = zip_longest([first], last)
            yield from (
                _ended((start or blank) + "  " + (line or ""))
                for start, line in lines
            )


def _padded(cell: Text, wide: int, right: bool) -> Text:
    blank = Text(" " * (wide - cell.cell_len))
    return blank + cell if right else cell + blank


def _ended(line: Text) -> Text:
    line.rstrip()
    return line


def _broken(cell: Text, room: int | None) -> list[Text]:
    """The lines of a cell; without a room its own lines are joined."""
    if room is None:
        return [Text(" ").join(cell.split("\n"))]
    text = ROW.sub(
        lambda found: found[0].replace(
            " ", "\xa0" if len(found[0]) <= room else " "
        ),
        cell.plain,
    )
    parts = (
        textwrap.wrap(line, room, break_on_hyphens=False)
        for line in text.split("\n")
    )
    return [
        Text(line.replace("\xa0", " "), cell.style)
        for lines in parts
        for line in lines or [""]
    ]


def width_of(console: Console) -> int | None:
    """How wide lines may be; None where nobody looks, and each row is one line that can be searched for."""
    return console.width if console.is_terminal else None


def show(report: Document, console: Console | None = None) -> None:
    """The table and a line of totals, on this terminal or another console."""
    console = console or Console()
    rows = (
        (r.id, Text(r.outcome.name, r.outcome.colour), r.tight, r.score, r.why)
        for r in report.rows
    )
    for line in table(HEAD, rows, width_of(console)):
        console.print(line, soft_wrap=True)
    counts = (
        f"{report.counts[outcome]} {outcome.name}"
        for outcome in SHOWN
        if report.counts.get(outcome)
    )
    console.print(", ".join(counts), highlight=False)


def terminal(report: Document) -> str:
    """The table as plain text, a line for each claim, for a file."""
    console = Console(no_color=True, force_terminal=False)
    with console.capture() as captured:
        show(report, console)
    return captured.get()
