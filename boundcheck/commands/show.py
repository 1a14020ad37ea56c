"""The command `boundcheck show`: one theorem with its domains."""

from __future__ import annotations

import click

from boundcheck.commands import shell
from boundcheck.report.files import printable


@shell.command("show")
@shell.claim
@shell.files
def command(claim: str, files: tuple[str, ...]) -> None:
    """Show one CLAIM (of FILES, or of theory/): its source, where it stands, and its text."""
    for c in shell.claims_named(claim, files):
        ranges = "".join(f"  for all {name} in {domain.label}\n" for name, domain in c.parameters.items())
        click.echo(printable(f"{c.id}  ({c.source})\n{c.location}\n\n{ranges}\n{c.statement}"))
