"""The command line: a command is a file of this folder, or of a paper; heavy imports wait until it runs."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import click

from boundcheck import __version__, commands
from boundcheck.commands.shell import SETTINGS, Guarded
from boundcheck.words import delivered


class OfPaper(click.Command):
    """Stands for a command of a paper until it is called, for a paper imports NumPy."""

    def __init__(
        self, name: str, paper: str, load: Callable[[], click.Command]
    ):
        super().__init__(
            name, short_help=f"Of {paper}; see `boundcheck {name} --help`."
        )
        self.load = load

    def make_context(self, *args: Any, **others: Any) -> click.Context:
        return self.load().make_context(*args, **others)


class Commands(Guarded, click.Group):
    """The files of this folder, each with its `command`, and the commands of papers."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_own(), *_of_papers()})

    def get_command(
        self, ctx: click.Context, name: str
    ) -> click.Command | None:
        if name in _own():
            return import_module(f"{commands.__name__}.{name}").command
        return _of_papers().get(name) or super().get_command(ctx, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[Any, Any, list[str]]:
        """The command that is meant. Raises UsageError, which names one that is spelled nearly so."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            meant = "".join(f" Did you mean '{name}'?" for name in near)
            raise click.UsageError(
                f"{error.format_message()}{meant}", ctx
            ) from None


def _own() -> set[str]:
    return {module.name for module in iter_modules(commands.__path__)} - {
        "main",
        "shell",
    }


def _of_papers() -> dict[str, OfPaper]:
    """Of the papers that come with boundcheck each folder with a command.py, by its name; and entry points
    of the group `boundcheck.commands`.
    """
    from importlib.metadata import entry_points

    files = {f.parent.name: f for f in delivered().glob("*/*/command.py")}
    points = entry_points(group="boundcheck.commands")
    return {
        **{
            name: OfPaper(name, f.parts[-3], partial(_in_file, f))
            for name, f in files.items()
        },
        **{
            p.name: OfPaper(p.name, ".".join(p.module.split(".")[:2]), p.load)
            for p in points
        },
    }


def _in_file(file: Path) -> click.Command:
    from boundcheck.words.loading import module_of

    return vars(module_of(file))["command"]


@click.group(cls=Commands, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="boundcheck")
def main() -> None:
    """Verify theorems numerically: search for counterexamples, and certify what is refuted.

    Exit codes: 0 fine, 1 refuted or regression, 2 usage, or the text of a claim fails, 3 undecided where a
    decision was demanded, 4 engine untrustworthy, 5 nothing selected, 130 interrupted,
    143 terminated.
    """


if __name__ == "__main__":
    main()
