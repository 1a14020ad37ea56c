"""The command `boundcheck show`: one theorem with its domains."""

from __future__ import annotations

from pathlib import Path

import click

from boundcheck.commands import shell
from boundcheck.report import printable


@shell.command("show")
@shell.claim
@shell.files
def command(claim: str, files: tuple[str, ...]) -> None:
    """Show one CLAIM (of FILES, or of theory/): its source, where it stands, and its text."""
    for c in shell.claims_named(claim, files):
        file, here, (_, _, line) = Path(c.file), Path.cwd(), c.location.rpartition(":")
        place = (
            f"{file.relative_to(here)}:{line}"
            if file.is_relative_to(here)
            else c.location
        )
        ranges = "".join(
            f"  for all {name} in {domain.label}\n"
            for name, domain in c.parameters.items()
        )
        click.echo(
            printable(f"{c.id}  ({c.source})\n{place}\n\n{ranges}\n{c.statement}")
        )
