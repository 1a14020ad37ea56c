"""The command `boundcheck formalize`: a certificate as a theorem of Rocq, with its proof."""

from __future__ import annotations

from pathlib import Path

import click

from boundcheck import exits
from boundcheck.commands import shell


@shell.command("formalize")
@click.argument("path", metavar="CERTIFICATE", type=shell.FILE)
@shell.output("Write here, a file FILE.v, instead of printing.")
def command(path: Path, output: Path | None) -> None:
    """Write a CERTIFICATE as a theorem of Rocq (Coq) with its proof, which `coqc` checks.

    The theorem says that at the instance the hypotheses hold and the conclusion does not; the file holds
    the whole program. To check it takes coq-interval; Debian's packages coq and libcoq-interval do.

    Exit codes: 0 written; 2 not a confirmed certificate; 3 this one has no theorem yet, with the reason.
    """
    from boundcheck.certificates.rocq import CannotFormalize, formalized
    from boundcheck.certificates.verify.findings import Rejection
    from boundcheck.certificates.verify.seal import read

    try:
        text = formalized(read(path), output.stem if output else path.stem)
    except Rejection as rejection:
        raise exits.Refused(f"{path} is no certificate that is confirmed: {rejection}.") from rejection
    except CannotFormalize as reason:
        raise exits.Undecided(f"{path} cannot be written as a theorem: {reason}") from reason
    if output:
        shell.write(text, output)
        click.echo(f"Written: {output}", err=True)
    else:
        click.echo(text, nl=False)
