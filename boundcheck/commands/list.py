"""The command `boundcheck list`: what there is."""

from __future__ import annotations

import click

from boundcheck.commands import shell
from boundcheck.report.printable import printable


@shell.command("list")
@shell.targets
def command(targets: tuple[str, ...]) -> None:
    """List the claims of FILES, or of the papers in theory/."""
    claims, _, faults = shell.selected(targets)
    for claim in claims:
        click.echo(printable(f"{claim.id:40} {claim.kind:11} {claim.summary}"))
    if faults:
        raise click.UsageError("\n".join(map(shell.one_line, faults.values())))
