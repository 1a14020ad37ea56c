"""The command `boundcheck gate`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from boundcheck import exits
from boundcheck.commands import shell
from boundcheck.report import gate
from boundcheck.report.document import Document
from boundcheck.report.reading import CannotRead, read


@dataclass(frozen=True)
class Wish:
    """What the user wants besides the comparison. Raises UsageError."""

    accept: tuple[str, ...]
    reason: str
    update: bool
    revision: str | None
    on_github: bool | None

    def __post_init__(self) -> None:
        if self.accept and not self.reason.strip():
            raise click.UsageError(
                "To accept a change, say why: --accept ID --reason TEXT."
            )
        if self.reason and not (self.accept or self.update):
            wanted = "name it with --accept ID, or accept all with --update."
            raise click.UsageError(
                f"--reason says why something is accepted; {wanted}"
            )
        if self.update and self.revision is not None:
            both = "--update writes the baseline, --compare-rev reads another"
            raise click.UsageError(f"{both}; use one of them.")


@shell.command("gate")
@click.argument(
    "path",
    metavar="[REPORT]",
    type=shell.FILE,
    default=Path("reports/verdicts.json"),
)
@click.option(
    "--baseline",
    type=shell.FILE,
    required=True,
    help="The committed report to compare with.",
)
@click.option(
    "--missing",
    type=click.Choice(["fail", "pass", "create"]),
    default="fail",
    help="What to do without a baseline.",
)
@click.option(
    "--compare-rev",
    "revision",
    metavar="REV",
    help="Read the baseline as this git revision has it.",
)
@click.option(
    "--accept",
    multiple=True,
    metavar="ID",
    help="Accept that this claim got worse; needs --reason.",
)
@click.option(
    "--reason",
    default="",
    show_default=False,
    help="Why that is right; kept in accepted.toml beside the baseline.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Make the report the baseline; what got worse must be accepted, and --reason accepts it.",
)
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="FILE",
    help="Files that state claims of REPORT, as for `check` [default: those of theory/ and of one's own].",
)
@shell.output(
    "Write the comparison as Markdown here, too: a comment for a pull request."
)
@click.option(
    "--github/--no-github",
    "on_github",
    default=None,
    help="Annotations and step summary [default: on GitHub Actions].",
)
def command(
    path: Path,
    baseline: Path,
    missing: str,
    texts: tuple[str, ...],
    output: Path | None,
    **options: Any,
) -> None:
    """Compare REPORT with a baseline: exit 1 if a verdict got worse, a new claim is refuted, a claim is
    gone, or a certificate is rejected.

    A claim that was edited is no exception: what is newly refuted fails until it is accepted with a reason.
    Certificates that REPORT names are examined again, and compared with the text of their claims where that
    is in the FILES of --text, in theory/, or among the files that `check` takes without any.
    """
    wish = Wish(**options)
    if wish.update:
        shell.probe(baseline.parent, baseline)
    current, before = read(path), gate.read_baseline(baseline, wish.revision)
    with shell.writing(baseline):
        if before is None:
            return _without(
                baseline, current, "create" if wish.update else missing
            )
        result = _decided(before, current, wish, baseline)
        rejected = _rejected(current, texts)
        on_github = (
            gate.is_on_github() if wish.on_github is None else wish.on_github
        )
        _tell(result, rejected, on_github, output)
        if wish.update and not (result.regressions or rejected):
            gate.write_baseline(current, baseline)
            click.echo(f"Written: {baseline}")
    sys.exit(exits.WORSE if result.regressions or rejected else exits.FINE)


def _without(baseline: Path, current: Document, missing: str) -> None:
    """The policy for a baseline that is not there. Raises CannotRead if it is to fail."""
    if missing == "fail":
        wanted = "make one with --missing create, or go on without one with --missing pass."
        raise CannotRead(f"There is no baseline {baseline}; {wanted}")
    if missing == "create":
        gate.write_baseline(current, baseline)
    done = (
        f"this report is the baseline now, {baseline}"
        if missing == "create"
        else "nothing was compared"
    )
    click.echo(f"There was no baseline; {done}.")


def _decided(
    before: Document, current: Document, wish: Wish, baseline: Path
) -> gate.Comparison:
    """The comparison, after what the user accepts is written down."""
    kept = gate.acceptances_file(baseline)
    known = gate.read_accepted(kept)
    worse = gate.compare(before, current).regressions
    if strange := sorted(set(wish.accept) - {c.id for c in worse}):
        others = (
            f"; what did: {', '.join(c.id for c in worse[:5])}" if worse else ""
        )
        raise click.UsageError(
            f"{strange[0]} did not get worse, so there is nothing to accept{others}."
        )
    everything = wish.update and wish.reason and not wish.accept
    named = [c for c in worse if c.id in wish.accept]
    if (
        named := gate.compare(before, current, known).regressions
        if everything
        else named
    ):
        known |= {c.key: " ".join(wish.reason.split()) for c in named}
        gate.write_accepted(known, kept)
        click.echo(f"Written: {kept}")
    return gate.compare(before, current, known)


def _rejected(current: Document, texts: Sequence[str]) -> list[str]:
    """For each certificate of the report that does not stand, why; one that is not there proves nothing.

    Raises CannotLoad.
    """
    named = [
        (r, r.certificate) for r in current.rows if r.certificate is not None
    ]
    if not named:
        return []
    from boundcheck.checking.verification import Texts, examine

    known, found = Texts(texts), []
    with shell.progress("examining certificates", len(named)) as advance:
        for r, certificate in named:
            examined = examine(certificate, known.claim)
            finding = examined.finding
            if not examined.stands:
                found.append(f"{r.id}: {examined}")
            elif finding.claim != r.id or finding.proved is r.refuted:
                shown = f"{'proves' if finding.proved else 'refutes'} {finding.claim}"
                found.append(
                    f"{r.id}: {certificate} {shown}, and the report calls {r.id} {r.outcome.name}"
                )
            advance()
    return [shell.one_line(line) for line in found]


def _tell(
    result: gate.Comparison,
    rejected: Sequence[str],
    on_github: bool,
    output: Path | None,
) -> None:
    """Print each change on a line of its own, then the totals."""
    for label, changes in (
        ("regression", result.regressions),
        ("certificate", rejected),
        ("accepted", [f"{c}: {reason}" for c, reason in result.accepted]),
        ("improved", result.improvements),
        ("restated", result.restated),
        ("new", result.new),
    ):
        for change in changes:
            click.echo(shell.one_line(f"{label}: {change}"))
    totals = (
        f"{shell.counted(len(result.regressions), 'regression')}, {len(result.accepted)} accepted,"
        f" {len(result.improvements)} improved, {len(result.restated)} restated, {len(result.new)} new"
    )
    totals += (
        f", {shell.counted(len(rejected), 'certificate')} rejected"
        if rejected
        else ""
    )
    click.echo(totals)
    if output is not None:
        shell.write(gate.summary(result, rejected, totals), output)
    if on_github:
        for line in gate.as_annotations(result, rejected):
            click.echo(line)
        gate.append_summary(result, rejected, totals)
