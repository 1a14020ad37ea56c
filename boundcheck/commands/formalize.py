"""The command `boundcheck formalize`: certificates as theorems of Rocq with proofs, and coqc on each."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck import exits
from boundcheck.commands import shell
from boundcheck.report.reading import RECORD

if TYPE_CHECKING:
    from boundcheck.report.reading import Checked
    from boundcheck.verifier.rocq.coqc import Coqc


@shell.command("formalize")
@click.argument(
    "paths", metavar="CERTIFICATE...", type=shell.FILE, nargs=-1, required=True
)
@click.option(
    "--check",
    "asked",
    is_flag=True,
    help="Run coqc on the theorem of each, and keep a record.",
)
@click.option(
    "--seconds",
    type=click.IntRange(min=1),
    default=120,
    help="With --check: what coqc may take for each.",
)
@shell.output(
    "Write here: the theorem, FILE.v; with --check the record [default: rocq.json beside certificates/]."
)
def command(
    paths: tuple[Path, ...], asked: bool, seconds: int, output: Path | None
) -> None:
    """Write a CERTIFICATE as a theorem of Rocq (Coq) with its proof, which `coqc` checks.

    Of a refutation it is the negation of the statement: not for all inputs of the certificate's shapes do the
    hypotheses imply the conclusion. Of a proof it is the statement on its set, which Rocq's arithmetic may prove or
    not. The file defines the whole program. To check it takes coq-interval; Debian's packages coq and
    libcoq-interval do.

    With --check that is done here, for one certificate after the other. The record says what came of which
    bytes: `boundcheck report` shows it, and the same theorem is not checked again.

    Exit codes: 0 written, or none rejected; 1 coqc rejects one; 2 not a confirmed certificate, or no coqc;
    3 this one has no theorem yet, with the reason.
    """
    first, *others = paths
    if asked:
        _check(
            paths, seconds, output or first.resolve().parent.with_name(RECORD)
        )
    elif others:
        raise click.UsageError(
            "Without --check one theorem is written; name one certificate."
        )
    else:
        _write(first, output)


def _write(path: Path, output: Path | None) -> None:
    """One theorem. Raises Refused, Undecided."""
    from boundcheck.verifier.rocq import CannotFormalize, formalized
    from boundcheck.verifier.seal import read

    with _confirmed(path):
        try:
            text = formalized(
                read(path), output.stem if output else path.stem
            ).text
        except CannotFormalize as reason:
            raise exits.Undecided(
                f"{path} cannot be written as a theorem: {reason}"
            ) from reason
    if output:
        shell.write(text, output)
        click.echo(f"Written: {output}", err=True)
    else:
        click.echo(text, nl=False)


@contextmanager
def _confirmed(path: Path) -> Iterator[None]:
    """What the verifier does not confirm is the user's to mend. Raises Refused."""
    from boundcheck.verifier.findings import Rejection

    try:
        yield
    except Rejection as rejection:
        raise exits.Refused(
            f"{path} is no certificate that is confirmed: {rejection}."
        ) from rejection


def _check(paths: tuple[Path, ...], seconds: int, output: Path) -> None:
    """A line for each certificate; after each the record is written, without those gone. Raises Refused."""
    from boundcheck.report.reading import read_record, text_of_record
    from boundcheck.verifier.rocq.coqc import REJECTED, Coqc, NoCoqc
    from boundcheck.verifier.seal import read

    shell.probe(output.parent, output)
    try:
        coqc = Coqc.found(seconds)
    except NoCoqc as reason:
        raise exits.Refused(str(reason)) from reason
    folders, counts = {path.parent for path in paths}, Counter[str]()
    kept = read_record(output)
    record = {
        name: c
        for name, c in kept.items()
        if any((folder / name).exists() for folder in folders)
    }
    for path in paths:
        began, before = os.times(), record.get(path.name)
        with _confirmed(path):
            content = read(path)
            found = _checked(path, content, coqc, before)
        counts[found.outcome] += 1
        if found != before or len(record) < len(kept):
            kept = record = {**record, path.name: found}
            shell.write(text_of_record(record), output)
        took = os.times().children_user - began.children_user
        shell.say(
            f"{path.stem}: {found.told('set' not in content)}"
            + (f" ({took:.1f} s)" if took else "")
        )
    told = ", ".join(
        f"{count} {outcome}" for outcome, count in counts.most_common()
    )
    click.echo(f"{told}. Written: {output}", err=True)
    sys.exit(exits.WORSE if counts[REJECTED] else exits.FINE)


def _checked(
    path: Path, content: dict[str, Any], coqc: Coqc, before: Checked | None
) -> Checked:
    """What comes of a certificate, or came before of the same theorem. Raises Rejection."""
    from boundcheck.report.reading import Checked, digest
    from boundcheck.verifier.rocq import CannotFormalize, formalized
    from boundcheck.verifier.rocq.coqc import ACCEPTED, TOO_LONG

    certificate = digest(path.read_bytes())
    try:
        found = formalized(content, path.stem)
    except CannotFormalize as reason:
        return Checked(certificate, "", "no theorem", str(reason).rstrip("."))
    theorem = digest(found.text.encode("utf-8"))
    if before and before.theorem == theorem:
        no_shorter = (
            before.outcome == TOO_LONG and before.seconds >= coqc.seconds
        )
        if no_shorter or before.outcome == ACCEPTED:
            return replace(before, certificate=certificate)
    outcome, reason = coqc.judged(found)
    return Checked(
        certificate,
        theorem,
        outcome,
        reason,
        coqc.version,
        coqc.seconds,
        found.scope,
    )
