"""The command line: a command is a file of this folder, or of a paper; heavy imports wait until it runs."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import click

from boundcheck import __version__, commands
from boundcheck.commands.shell import SETTINGS, Guarded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class OfPaper(click.Command):
    """Stands for a command of a paper, an entry point, until it is called, for a paper imports NumPy."""

    def __init__(self, point: EntryPoint):
        paper = ".".join(point.module.split(".")[:2])
        super().__init__(
            point.name, short_help=f"Of {paper}; see `boundcheck {point.name} --help`."
        )
        self.point = point

    def make_context(self, *args: Any, **others: Any) -> click.Context:
        return self.point.load().make_context(*args, **others)


class Commands(Guarded, click.Group):
    """The files of this folder, each with its `command`, and the commands of papers."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_own(), *_of_papers()})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in _own():
            return import_module(f"{commands.__name__}.{name}").command
        found = _of_papers().get(name)
        return OfPaper(found) if found else super().get_command(ctx, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[Any, Any, list[str]]:
        """The command that is meant. Raises UsageError, which names one that is spelled nearly so."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            meant = "".join(f" Did you mean '{name}'?" for name in near)
            raise click.UsageError(f"{error.format_message()}{meant}", ctx) from None


def _own() -> set[str]:
    return {module.name for module in iter_modules(commands.__path__)} - {
        "main",
        "shell",
    }


def _of_papers() -> dict[str, EntryPoint]:
    """Entry points of the group `boundcheck.commands`."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="boundcheck.commands")}


@click.group(cls=Commands, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="boundcheck")
def main() -> None:
    """Verify theorems numerically: search for counterexamples, and certify what is refuted.

    Exit codes: 0 fine, 1 refuted or regression, 2 usage, or the text of a claim fails, 3 undecided where a
    decision was demanded, 4 engine untrustworthy, 5 nothing selected, 130 interrupted.
    """


if __name__ == "__main__":
    main()
