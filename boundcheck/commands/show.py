"""The command `boundcheck show`: one theorem with its domains, and what it says on a few instances."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundcheck.commands import shell
from boundcheck.report import printable

if TYPE_CHECKING:
    from boundcheck.words.claims import Claim

TRIED = 3
"""Instances that are tried: enough to see what a statement is about."""


@shell.command("show")
@shell.claim
@shell.files
@click.option(
    "--try",
    "tries",
    is_flag=True,
    help="Run it on a few instances, too: what it says of them, or what is wrong with its text.",
)
def command(claim: str, files: tuple[str, ...], tries: bool) -> None:
    """Show one CLAIM (of FILES, or of theory/): its source, where it stands, and its text."""
    for c in shell.claims_named(claim, files):
        file, here, (_, _, line) = (
            Path(c.file),
            Path.cwd(),
            c.location.rpartition(":"),
        )
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
            printable(
                f"{c.id}  ({c.source})\n{place}\n\n{ranges}\n{c.statement}"
            )
        )
        for sentence in _tried(c) if tries else ():
            click.echo(shell.one_line(sentence))


def _tried(claim: Claim) -> Iterator[str]:
    """What it says on each of a few instances, or what is wrong with its text."""
    from boundcheck.checking.evaluation import evaluated
    from boundcheck.domains.in_words import instance_in_words
    from boundcheck.domains.instances import draw_instances
    from boundcheck.exits import Refused
    from boundcheck.running.suite import without_warnings

    try:
        for raw in draw_instances(claim.parameters, TRIED, 0):
            with without_warnings():
                seen = evaluated(claim, raw)
            said = "; ".join(p.sentence for p in seen.parts) or seen.skipped
            at = instance_in_words(claim.parameters, raw)
            yield f"at {at}: {seen.outcome}, {said}"
    except Refused as error:
        yield f"The text fails: {error}"
