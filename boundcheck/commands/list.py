"""The command `boundcheck list`: what there is."""

from __future__ import annotations

import click

from boundcheck.commands import shell
from boundcheck.report import printable


@shell.command("list")
@shell.targets
@shell.expression
def command(targets: tuple[str, ...], expression: str) -> None:
    """List claims: of FILES, by NAME, or as for `check` without any; where there are none, those of the
    papers."""
    from boundcheck.words import delivered, own

    found = shell.claims_selected(
        targets or (() if own() else (str(delivered()),)), expression
    )
    width = max((len(claim.id) for claim in found.chosen), default=0)
    for claim in found.chosen:
        says = claim.source if claim.summary == claim.id else claim.summary
        click.echo(printable(f"{claim.id:{width}}  {claim.kind:11} {says}"))
    if found.faults:
        raise click.UsageError(
            "\n".join(map(shell.one_line, found.faults.values()))
        )
