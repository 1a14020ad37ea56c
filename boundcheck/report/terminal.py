"""The report on a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from boundcheck.report.power import power
from boundcheck.report.printable import printable

COLOURS = {"REFUTED": "bold red", "HOLDS": "green", "VACUOUS": "yellow", "INCONCLUSIVE": "magenta"}


def table(report: dict[str, Any]) -> Table:
    """One line for each claim."""
    result = Table(show_lines=False, expand=True)
    result.add_column("claim", overflow="fold", ratio=3)
    result.add_column("verdict", no_wrap=True)
    result.add_column("why", overflow="fold", ratio=6)
    result.add_column("tight", no_wrap=True, justify="right")
    result.add_column("power", no_wrap=True, justify="right")
    for r in report["claims"]:
        tightness = "" if r["tightness"] is None or r["outcome"] == "REFUTED" else f"{r['tightness']:.3g}"
        verdict = Text(r["outcome"], COLOURS[r["outcome"]])
        result.add_row(Text(printable(r["id"])), verdict, Text(printable(why(r))), tightness, power(r))
    return result


def why(r: dict[str, Any]) -> str:
    """The reason, and where a refuted claim fails."""
    return f"{r['reason']}\nat {r['instance']}" if r.get("instance") else r["reason"]


def show(report: dict[str, Any], console: Console | None = None) -> None:
    """The table and a line of totals, on this terminal or another console."""
    console = console or Console()
    console.print(table(report))
    counts = [f"{report['summary'][name]} {name}" for name in COLOURS if report["summary"][name]]
    console.print(", ".join(counts), highlight=False)
