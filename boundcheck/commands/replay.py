"""The command `boundcheck replay`: a certificate's instance evaluated again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from boundcheck import exits
from boundcheck.commands import shell


@shell.command("replay")
@click.argument("path", type=shell.FILE)
@shell.files
def command(path: Path, files: tuple[str, ...]) -> None:
    """Evaluate again the instance that a certificate or an instance file holds.

    Its claim is in FILES or theory/. Where rounding could turn the sides around, exact arithmetic is asked.
    """
    from boundcheck.checking.evaluation import evaluated
    from boundcheck.domains.instances import from_json, inside

    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        claim = content["claim"]
        about = claim if isinstance(claim, dict) else {**content, "id": claim}
        name, raw = str(about["id"]), from_json(about["instance"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        wanted = "give a certificate, or {'claim': id, 'instance': ...}."
        raise exits.Refused(
            f"{path} holds no instance ({type(error).__name__}); {wanted}"
        ) from error
    stated = shell.one_claim(name, files)
    unfit = f"The instance in {path} does not fit {stated.id}"
    if not inside(stated.parameters, raw):
        raise exits.Refused(
            f"{unfit}: it is not in the domains that `boundcheck show` prints."
        )
    try:
        seen = evaluated(stated, raw)
    except Exception as error:
        raise exits.Refused(f"{unfit}: {error}") from error
    if not seen.parts:
        click.echo(f"{stated.id}: the instance says nothing ({seen.skipped})")
        sys.exit(exits.UNDECIDED)
    for k, part in enumerate(seen.parts):
        click.echo(f"{stated.id}, part {k}: {part.outcome}, {part.sentence}")
