"""The command line; heavy imports wait until a command runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, ClassVar

import click

from boundcheck import __version__, exits
from boundcheck.running.interruptions import interrupted, never_swallowed
from boundcheck.running.workers import Workers, on_workers

REPORTS = Path("reports")


class LazyGroup(click.Group):
    """A group whose foreign commands are imported when they are called, and whose failures have exit codes of their own."""

    FOREIGN: ClassVar = {
        "audit": ("boundcheck.commands.audit", "command"),
        "conform": ("boundcheck.commands.conform", "command"),
        "gate": ("boundcheck.commands.gate", "gate"),
        "plan": ("boundcheck.commands.questions", "plan"),
        "replay": ("boundcheck.commands.questions", "replay"),
        "report": ("boundcheck.commands.report", "report"),
        "search": ("boundcheck.commands.search", "command"),
        "selftest": ("boundcheck.commands.selftest", "selftest"),
        "sharpen": ("boundcheck.commands.questions", "sharpen"),
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.FOREIGN, *_of_papers()])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.FOREIGN:
            from importlib import import_module

            module, attribute = self.FOREIGN[name]
            return getattr(import_module(module), attribute)
        return super().get_command(ctx, name) or (found.load() if (found := _of_papers().get(name)) else None)

    def invoke(self, ctx: click.Context) -> Any:
        """Python exits with 1 after an exception, and so does click when interrupted; for us, 1 means refuted."""
        try:
            with never_swallowed():
                return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except (KeyboardInterrupt, Exception) as error:
            if interrupted(error):
                click.echo("Interrupted.", err=True)
                sys.exit(exits.INTERRUPTED)
            import traceback

            traceback.print_exc()
            click.echo("This is a defect of boundcheck; nothing that it printed counts.", err=True)
            sys.exit(exits.UNTRUSTWORTHY)


def _of_papers() -> dict[str, Any]:
    """Commands that papers add: entry points of the group `boundcheck.commands`."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="boundcheck.commands")}


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="boundcheck")
def main() -> None:
    """Verify theorems numerically: search for counterexamples, and certify what is refuted.

    Exit codes: 0 fine, 1 refuted or regression, 2 usage, or the text of a claim fails, 3 undecided where a decision was demanded, 4 engine
    untrustworthy, 5 nothing selected, 130 interrupted.
    """


def _claims(targets: tuple[str, ...]) -> tuple[list[Any], list[Any], dict[str, str]]:
    """The claims selected, all claims of the files they come from (which share the error budget), and files that cannot be loaded."""
    from boundcheck.words.loading import CannotLoad, StatesNothing, load_what_can_be, select, theory

    files = [t for t in targets if is_text(t)]
    names = [t for t in targets if t not in files]
    try:
        loaded, faults = load_what_can_be(files)
        known, more = load_what_can_be([theory()]) if names or not files else ([], {})
        chosen = {c.id: c for c in [*loaded, *select(known, names), *(known if not targets else [])]}
    except StatesNothing as error:
        click.echo(error, err=True)
        sys.exit(exits.NOTHING)
    except CannotLoad as error:
        raise click.UsageError(str(error)) from error
    return [chosen[i] for i in sorted(chosen)], [*loaded, *known], {**faults, **more}


def is_text(target: str) -> bool:
    """Whether an argument is a file or a folder that states claims."""
    return target.endswith(".py") or Path(target).is_dir()


@main.command("list")
@click.argument("targets", nargs=-1)
def list_command(targets: tuple[str, ...]) -> None:
    """List the claims of FILES, or of the papers in theory/."""
    from boundcheck.report.printable import printable

    claims, _, faults = _claims(targets)
    for claim in claims:
        click.echo(printable(f"{claim.id:40} {claim.kind:11} {claim.summary}"))
    if faults:
        raise click.UsageError(printable("\n".join(faults.values())))


@main.command()
@click.argument("claim")
@click.argument("files", nargs=-1)
def show(claim: str, files: tuple[str, ...]) -> None:
    """Show one CLAIM (of FILES, or of theory/): its source, where it stands, and its text."""
    from boundcheck.commands.questions import claims_named
    from boundcheck.report.printable import printable

    for c in claims_named(claim, files):
        ranges = "".join(f"  for all {name} in {domain.label}\n" for name, domain in c.parameters.items())
        click.echo(printable(f"{c.id}  ({c.source})\n{c.location}\n\n{ranges}\n{c.statement}"))


@main.command()
@click.argument("targets", nargs=-1)
@click.option("--budget", type=click.Choice(["quick", "ci", "nightly"]), default="quick", show_default=True, help="How much to spend.")
@click.option("--seed", type=click.IntRange(min=0), help="Entropy of the whole run [default: 0, or the next unused with --accumulate].")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=1e-6,
    show_default=True,
    help="Chance that the run calls any true claim false.",
)
@on_workers
@click.option(
    "--json", "json_path", type=click.Path(dir_okay=False, path_type=Path), help="Write the report here [default: reports/verdicts.json]."
)
@click.option(
    "--reports",
    type=click.Path(file_okay=False, path_type=Path),
    default=REPORTS,
    show_default=True,
    help="Folder for certificates and Markdown.",
)
@click.option("--resume", is_flag=True, help="Keep verdicts of an earlier run with the same plan and unchanged claims.")
@click.option("--accumulate", is_flag=True, help="Add the evidence of a fresh seed to that of the report; all runs together keep --alpha.")
@click.option("--fail-on", default="refuted", show_default=True, help="Comma-separated outcomes that fail the run; 'none' for none.")
def check(targets: tuple[str, ...], workers: Workers, **options: Any) -> None:
    """Check claims: of FILES, by NAME (li2021, li2021.lemma27), or of all papers in theory/."""
    from boundcheck.commands.check import run

    chosen, everything, faults = _claims(targets)
    sys.exit(run(chosen, everything, faults=faults, workers=workers, **options))


@main.command()
@click.argument("targets", metavar="CERTIFICATE... [FILE or FOLDER]...", nargs=-1, required=True, type=click.Path(path_type=str))
def verify(targets: tuple[str, ...]) -> None:
    """Recompute each CERTIFICATE with the independent verifier, and compare it with the text of its claim.

    The text is found by the id of the claim: in the .py FILES and FOLDERS given, else in theory/. At the instance of the certificate
    the body is recorded again; program, hypotheses and conclusion must be the same, and recorded trials are drawn again.

    \b
    CONFIRMED   recomputed, and it is one of the claim as the text has it
    RECOMPUTED  recomputed; no text of the claim is known, so that it may be of another statement
    REJECTED    it proves nothing, or the text says something else

    Exit codes: 0 none is rejected; 1 one is; 2 one cannot be read; 3 FILES are given, and one has its claim in none of them.
    """
    from boundcheck.checking.verification import Texts, examine, status
    from boundcheck.words.loading import CannotLoad

    given = [t for t in targets if is_text(t)]
    if len(given) == len(targets):
        raise click.UsageError("Name at least one certificate, such as reports/certificates/ID.json, before the files of the claims.")
    try:
        texts, examined = Texts(given), []
        for path in targets:
            if path not in given:
                examined.append(examine(path, texts.claim))
                click.echo(examined[-1])
    except CannotLoad as error:
        raise click.UsageError(str(error)) from error
    sys.exit(status(examined, demanded=bool(given)))


if __name__ == "__main__":
    main()
