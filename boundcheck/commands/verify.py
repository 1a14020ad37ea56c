"""The command `boundcheck verify`: certificates recomputed without the engine, and compared with claims."""

from __future__ import annotations

import sys
from glob import glob

import click

from boundcheck.commands import shell


@shell.command("verify")
@click.argument(
    "targets",
    metavar="CERTIFICATE... [FILE or FOLDER]...",
    nargs=-1,
    required=True,
)
def command(targets: tuple[str, ...]) -> None:
    """Recompute each CERTIFICATE with the independent verifier, and compare it with the text of its claim.

    The text is found by the id of the claim: in the .py FILES and FOLDERS given, or without any in those that
    `check` takes then, else in theory/. At the instance of the certificate the body is recorded again;
    program, hypotheses and conclusion must be the same, and recorded trials are drawn again.

    \b
    CONFIRMED   recomputed, and it is one of the claim as the text has it
    RECOMPUTED  recomputed; no text of the claim is known, so that it may be of another statement
    REJECTED    it proves nothing, or the text says something else

    Exit codes: 0 none is rejected; 1 one is; 2 one cannot be read; 3 FILES are given, and one has its claim
    in none of them.
    """
    from boundcheck.checking.verification import Texts, examine, status
    from boundcheck.words import is_text

    given = [t for t in targets if is_text(t)]
    if len(given) == len(targets):
        wanted = "Name at least one certificate, such as reports/certificates/ID.json"
        raise click.UsageError(f"{wanted}, before the files of the claims.")
    texts, examined = Texts(given), []
    for path in (
        path
        for t in targets
        if t not in given
        for path in sorted(glob(t)) or [t]
    ):
        examined.append(examine(path, texts.claim))
        click.echo(examined[-1])
    sys.exit(status(examined, demanded=bool(given)))
