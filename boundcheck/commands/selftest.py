"""The command `boundcheck selftest`: whether the engine on this machine deserves trust."""

from __future__ import annotations

import sys

import click

from boundcheck import exits
from boundcheck.commands import shell


@shell.command("selftest")
def command() -> None:
    """Check the engine itself: its stopping rules exactly, verdicts that are known, and certificates that are
    tampered with.

    Exits with 4 if anything is wrong, for then no verdict of this installation counts.
    """
    from boundcheck.checking.trust import known_verdicts, stopping_rules

    wrong = False
    for fine, sentence in [*stopping_rules(), *known_verdicts()]:
        click.echo(f"{'ok   ' if fine else 'WRONG'} {sentence}")
        wrong |= not fine
    if wrong:
        advice = "reinstall boundcheck, and report this output."
        click.echo(f"The engine is not to be trusted here; {advice}", err=True)
        sys.exit(exits.UNTRUSTWORTHY)
