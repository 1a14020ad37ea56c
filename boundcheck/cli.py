"""The command line; heavy imports wait until a command runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, ClassVar

import click

from boundcheck import __version__, exits
from boundcheck.interruptions import interrupted, never_swallowed
from boundcheck.workers import Workers, on_workers

REPORTS = Path("reports")


class LazyGroup(click.Group):
    """A group whose foreign commands are imported when they are called, and whose failures have exit codes of their own."""

    FOREIGN: ClassVar = {
        "audit": ("boundcheck.audit.command", "command"),
        "conform": ("boundcheck.conform.command", "command"),
        "gate": ("boundcheck.report.gate.command", "gate"),
        "plan": ("boundcheck.questions", "plan"),
        "replay": ("boundcheck.questions", "replay"),
        "report": ("boundcheck.report.command", "report"),
        "search": ("boundcheck.worst", "command"),
        "selftest": ("boundcheck.selftest", "selftest"),
        "sharpen": ("boundcheck.questions", "sharpen"),
        "sweep": ("boundcheck.sweep.command", "command"),
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.FOREIGN])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.FOREIGN:
            return super().get_command(ctx, name)
        from importlib import import_module

        module, attribute = self.FOREIGN[name]
        return getattr(import_module(module), attribute)

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


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="boundcheck")
def main() -> None:
    """Verify theorems numerically: search for counterexamples, and certify what is refuted.

    Exit codes: 0 fine, 1 refuted or regression, 2 usage (nothing ran), 3 undecided where a decision was demanded, 4 engine
    untrustworthy, 5 nothing selected, 130 interrupted.
    """


def _claims(targets: tuple[str, ...]) -> tuple[list[Any], list[Any]]:
    """The claims selected, and all claims of the files they come from (which share the error budget)."""
    from boundcheck.suite import CannotLoad, StatesNothing, load_all, select, theory

    files = [t for t in targets if t.endswith(".py") or Path(t).is_dir()]
    names = [t for t in targets if t not in files]
    try:
        loaded = load_all(files)
        known = load_all([theory()]) if names or not files else []
        chosen = {c.id: c for c in [*loaded, *select(known, names), *(known if not targets else [])]}
    except StatesNothing as error:
        click.echo(error, err=True)
        sys.exit(exits.NOTHING)
    except CannotLoad as error:
        raise click.UsageError(str(error)) from error
    return [chosen[i] for i in sorted(chosen)], [*loaded, *known]


@main.command("list")
@click.argument("targets", nargs=-1)
def list_command(targets: tuple[str, ...]) -> None:
    """List the claims of FILES, or of the papers in theory/."""
    for claim in _claims(targets)[0]:
        click.echo(f"{claim.id:40} {claim.kind:11} {claim.summary}")


@main.command()
@click.argument("claim")
@click.argument("files", nargs=-1)
def show(claim: str, files: tuple[str, ...]) -> None:
    """Show one CLAIM (of FILES, or of theory/): its source, where it stands, and its text."""
    from boundcheck.questions import claims_named

    for c in claims_named(claim, files):
        click.echo(f"{c.id}  ({c.source})\n{c.location}\n")
        for name, domain in c.parameters.items():
            click.echo(f"  for all {name} in {domain.label}")
        click.echo(f"\n{c.statement}")


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
    from boundcheck.run import run

    sys.exit(run(*_claims(targets), workers=workers, **options))


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=str))
def verify(files: tuple[str, ...]) -> None:
    """Re-check certificate FILES with the independent verifier."""
    from boundcheck.certificates.verify.__main__ import main as verifier

    sys.exit(verifier(list(files)))


if __name__ == "__main__":
    main()
