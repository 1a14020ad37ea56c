"""What every command shares: its options, how it refuses and ends, outputs, progress and tables.

A command of a paper, an entry point of the group `boundcheck.commands`, takes them from here too.
"""

from __future__ import annotations

import errno
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from boundcheck import exits
from boundcheck.checking.plan import PLANS
from boundcheck.checking.verdict import SHOWN, Outcome
from boundcheck.exits import Refused
from boundcheck.report import printable, write_whole, writing
from boundcheck.report.findings import NO_FORMAT, NO_MATPLOTLIB
from boundcheck.running import (
    Workers,
    how_it_ended,
    interrupted,
    never_swallowed,
    now_and_then,
    terminable,
)

if TYPE_CHECKING:
    from rich.text import Text

    from boundcheck.words.claims import Claim
    from boundcheck.words.loading import Selection

Parameter = click.Parameter | None
Context = click.Context | None
Completions = list[CompletionItem]
Option = Callable[[Callable[..., Any]], Callable[..., Any]]
Row = Sequence["str | Text"]

OUTCOMES = {
    outcome.name.lower(): outcome for outcome in Outcome if outcome.exit_code
}
SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True}
LIBRARIES = r"(joblib|numba|distributed|dask|ray|hypothesis|matplotlib)\b"
"""What these warn of, such as a worker that takes long, is nothing that a user could mend."""

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What a system says of a full disk: no output, no file kept by a library, is a defect of ours then."""

# how a command ends


@contextmanager
def guarded() -> Iterator[None]:
    """Whatever happens within ends in one sentence and an exit code that means it; 1 would mean refuted."""
    try:
        with never_swallowed(), terminable(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=LIBRARIES)
            yield
    except (
        click.ClickException,
        click.Abort,
        click.exceptions.Exit,
        BrokenPipeError,
    ):
        raise
    except (KeyboardInterrupt, Exception) as error:
        if interrupted(error):
            said, code = how_it_ended()
            click.echo(f"{said}.", err=True)
            sys.exit(code)
        if isinstance(error, Refused):
            click.echo(f"Error: {one_line(error)}", err=True)
            sys.exit(error.code)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            click.echo(
                f"Error: No room to write ({error.strerror}); make some, and run again.",
                err=True,
            )
            sys.exit(exits.USAGE)
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            click.echo(
                f"Error: {error.strerror}: '{str(error.filename)[:40]}...'; give a shorter one.",
                err=True,
            )
            sys.exit(exits.USAGE)
        if isinstance(error, UnicodeEncodeError):
            cannot = f"'{error.object[:60]}' cannot be written in {error.encoding}, the encoding here"
            click.echo(
                printable(
                    f"Error: {ascii(cannot)[1:-1]}; set PYTHONUTF8=1, and run again."
                ),
                err=True,
            )
            sys.exit(exits.USAGE)
        import traceback

        traceback.print_exc()
        click.echo(
            "This is a defect of boundcheck; nothing that it printed counts.",
            err=True,
        )
        sys.exit(exits.UNTRUSTWORTHY)


class Guarded(click.Command):
    """A command whose arguments, too, are read under guard."""

    def make_context(self, *args: Any, **others: Any) -> click.Context:
        with guarded():
            return super().make_context(*args, **others)

    def invoke(self, ctx: click.Context) -> object:
        with guarded():
            return super().invoke(ctx)


def command(
    name: str | None = None, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command, of `boundcheck` or with a line of its own; its options stand below."""
    return click.command(
        name, cls=Guarded, context_settings=SETTINGS, **attributes
    )


@contextmanager
def refusing(*kinds: type[Exception]) -> Iterator[None]:
    """These errors are the user's to mend: the message says how. Raises UsageError."""
    try:
        yield
    except kinds as error:
        raise click.UsageError(one_line(error)) from error


def one_line(text: object) -> str:
    """A text that no terminal obeys, on one line."""
    return printable(" ".join(str(text).split()))


def outcomes_of(text: str) -> set[Outcome]:
    """'refuted,inconclusive' as a set, 'none' as the empty one. Raises UsageError."""
    wanted = {word.strip().lower() for word in text.split(",")} - {"none", ""}
    if wanted - OUTCOMES.keys():
        raise click.UsageError(
            f"--fail-on takes {', '.join(sorted(OUTCOMES))} or none, not '{text}'."
        )
    return {OUTCOMES[word] for word in wanted}


def exit_code(found: Iterable[Outcome], failing: set[Outcome]) -> int:
    """That of the first outcome which fails the run, or FINE."""
    wrong = failing & set(found)
    return next(
        (outcome.exit_code for outcome in Outcome if outcome in wrong),
        exits.FINE,
    )


# options, each with one name in all commands


class Sizes(click.ParamType):
    """Whole numbers such as 16,32,64."""

    name = "s,s,..."

    def convert(
        self, value: str | tuple[int, ...], param: Parameter, ctx: Context
    ) -> tuple[int, ...]:
        try:
            sizes = (
                tuple(int(part) for part in value.split(","))
                if isinstance(value, str)
                else value
            )
        except ValueError:
            self.fail(
                f"{value!r} is no list of whole numbers; write them as 16,32,64.",
                param,
                ctx,
            )
        if min(sizes) < 1:
            self.fail("Sizes are at least 1; leave the others out.", param, ctx)
        return sizes


class Folder(click.Path):
    """A folder for files, found out to take them before anything is spent."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: Parameter, ctx: Context
    ) -> Path:
        folder: Any = super().convert(value, param, ctx)
        probe(folder)
        return folder


class Output(click.Path):
    """A file to write, found out to be possible before anything is spent."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: Parameter, ctx: Context
    ) -> Path:
        path: Any = super().convert(value, param, ctx)
        if path.is_file() or not path.exists():
            probe(path.parent, path)
        return path


class Figure(Output):
    """A figure to draw, in the format of its suffix; it takes Matplotlib."""

    def convert(
        self, value: str | os.PathLike[str], param: Parameter, ctx: Context
    ) -> Path:
        if not find_spec("matplotlib"):
            raise Refused(NO_MATPLOTLIB)
        from matplotlib.backend_bases import FigureCanvasBase

        path, known = (
            super().convert(value, param, ctx),
            FigureCanvasBase.get_supported_filetypes(),
        )
        if path.suffix[1:].lower() not in known:
            self.fail(NO_FORMAT.format(path.name), param, ctx)
        return path


class Target(click.ParamType):
    """A file, claims of a file, or the name of claims; a shell completes ids by texts, which are not run."""

    name = "target"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> Completions:
        from boundcheck.words import ids_here, ids_in

        file, mark, _ = incomplete.partition("::")
        try:
            ids = (
                [f"{file}::{id}" for id in ids_in(Path(file))]
                if mark
                else ids_here()
            )
        except (Refused, OSError):
            ids = []
        fitting = (
            CompletionItem(id) for id in ids if id.startswith(incomplete)
        )
        return [CompletionItem(incomplete, type="file"), *fitting]


FILE = click.Path(dir_okay=False, path_type=Path)

claim = click.argument("claim", type=Target())
files = click.argument("files", nargs=-1, type=Target())
targets = click.argument("targets", nargs=-1, type=Target())
expression = click.option(
    "-k",
    "expression",
    default="",
    show_default=False,
    metavar="EXPRESSION",
    help="Only claims of whose ids it is true: parts of ids with and, or, not, as for pytest.",
)
target = click.option(
    "--target", help="Column to predict; the last one by default."
)
budget = click.option(
    "--budget",
    type=click.Choice(list(PLANS)),
    default="quick",
    help="How much to spend.",
)
reports = click.option(
    "--reports", type=Folder(), default="reports", help="Folder of the reports."
)
fail_on = click.option(
    "--fail-on",
    default="refuted",
    help="Comma-separated outcomes that fail the run; 'none' for none.",
)


def data(default: str = "diabetes") -> Option:
    """A data set: a path, or the name of a bundled one."""
    return click.argument("data", default=default)


def kernel(default: str) -> Option:
    """A kernel that is shift invariant, by name or as a class."""
    return click.option(
        "--kernel",
        default=default,
        help="gaussian, laplace, or MODULE:CLASS of yours.",
    )


def alpha(help: str) -> Option:
    """The error level of a run."""
    kind = click.FloatRange(0, 0.5, min_open=True)
    return click.option("--alpha", type=kind, default=1e-6, help=help)


def seed(help: str, default: int | None = 0) -> Option:
    """Where all randomness comes from."""
    return click.option(
        "--seed", type=click.IntRange(min=0), default=default, help=help
    )


def output(help: str) -> Option:
    """A file that is written instead of printing, or beside it."""
    return click.option("-o", "--output", type=Output(), help=help)


def as_json(help: str) -> Option:
    """A file with all numbers."""
    return click.option("--json", "json_path", type=Output(), help=help)


class WorkersOf(click.ParamType):
    """Processes of this machine, or a cluster."""

    name = "workers"

    def convert(
        self, value: str | Workers, param: Parameter, ctx: Context
    ) -> Workers:
        try:
            return value if isinstance(value, Workers) else Workers.of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def on_workers(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says where a command runs; it receives it as `workers`."""
    help = "Processes of this machine [default: one for each core], or all of a running cluster."
    return click.option(
        "--workers",
        type=WorkersOf(),
        metavar="N|dask:ADDRESS|ray:ADDRESS",
        help=help,
        show_default=False,
        default=lambda: Workers(os.cpu_count() or 1),
    )(command)


# claims


def claims_selected(
    targets: Sequence[str], expression: str = "", lenient: bool = False
) -> Selection:
    """What targets and an expression select, as words/loading.py says.

    An error of several files is told in a line for each. Raises CannotLoad, UsageError.
    """
    from boundcheck.words import loading

    try:
        return loading.selected(targets, expression, lenient)
    except loading.CannotLoad as error:
        if error.code != exits.USAGE or "\n" not in str(error):
            raise
        raise click.UsageError(
            "\n".join(map(one_line, str(error).split("\n")))
        ) from error


def claims_named(name: str, files: Sequence[str]) -> list[Claim]:
    """What a target selects, of the claims of files if there are some. Raises CannotLoad, UsageError."""
    from boundcheck.words import loading

    if not files or loading.is_text(name):
        return claims_selected(
            [*files, name] if loading.is_text(name) else [name]
        ).chosen
    found = claims_selected(files)
    try:
        return loading.select(found.chosen, [name])
    except loading.CannotLoad as error:
        raise click.UsageError(
            "\n".join(map(one_line, [error, *found.faults.values()]))
        ) from error


def one_claim(name: str, files: Sequence[str]) -> Claim:
    """One claim, of the files or of theory/. Raises CannotLoad, UsageError."""
    chosen = claims_named(name, files)
    if len(chosen) != 1:
        some = ", ".join(c.id for c in chosen[:5])
        raise click.UsageError(
            f"'{name}' names {len(chosen)} claims; name one: {some}."
        )
    return chosen[0]


# outputs


def probe(folder: Path, wanted: Path | None = None) -> None:
    """Find out, before anything is spent, whether files, such as the one wanted, can be written there.

    A folder that is missing is not made yet, and nothing is left behind. Raises Refused.
    """
    from tempfile import TemporaryFile

    with writing(wanted or folder, always=True):
        there = next(
            (path for path in (folder, *folder.parents) if path.exists()),
            folder,
        )
        TemporaryFile(dir=there).close()


def write(text: str, path: Path) -> None:
    """Write a file whole. Raises Refused."""
    with writing(path):
        write_whole(text, path)


def write_reports(
    folder: Path,
    stem: str,
    texts: Mapping[str, str],
    figure: Callable[[Path], object] | None = None,
) -> None:
    """Write the texts, by suffix, and draw the figure as SVG if Matplotlib is there. Raises Refused."""
    for suffix, text in texts.items():
        write(text, folder / f"{stem}{suffix}")
    if figure is not None and find_spec("matplotlib"):
        with writing(folder):
            figure(folder / f"{stem}.svg")
    elif figure is not None:
        click.echo(NO_MATPLOTLIB, err=True)
    click.echo(f"Written: {folder / stem}.*", err=True)


# the terminal


@contextmanager
def progress(
    what: str, total: int | None = None
) -> Iterator[Callable[..., None]]:
    """A bar on terminals, with the time left; in logs a line now and then: after 10 s, 30 s, 70 s, ...

    It goes on by one with each call of what it yields, which may say what is being done, and which outcome
    came of it: outcomes are counted; and a line that stays above the bar.

    `total` is None where nobody knows it. What is left is told from a tenth
    of it on: the first steps, such as reading, are like no others.
    """
    from rich.console import Console
    from rich.text import Text

    done: list[Outcome | None] = []
    console = Console(stderr=True)
    if console.is_terminal and os.environ.get("CI", "false") == "false":
        from rich import progress as shown

        class Left(shown.TimeRemainingColumn):
            def render(self, task: shown.Task) -> Text:
                return (
                    super().render(task)
                    if _tells(len(done), total)
                    else Text("-:--:--")
                )

        now = shown.TextColumn("{task.description}", markup=False)
        counts = shown.TextColumn("{task.fields[counts]}")
        past = shown.TimeElapsedColumn()
        columns = (
            now,
            shown.BarColumn(20),
            shown.MofNCompleteColumn(),
            past,
            Left(),
            counts,
        )
        with shown.Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task(what, total=total, counts="")

            def advance(
                now: str = what, outcome: Outcome | None = None, told: str = ""
            ) -> None:
                done.append(outcome)
                if told:
                    console.print(Text(printable(told)), soft_wrap=True)
                bar.update(
                    task,
                    advance=1,
                    description=printable(now),
                    counts=_counted(done),
                )

            yield advance
        return
    stage: tuple[str, int, float] = (what, 0, time.monotonic())

    def going_on(
        now: str = what, outcome: Outcome | None = None, told: str = ""
    ) -> None:
        nonlocal stage
        doing = what if outcome else printable(now)
        if doing != stage[0]:
            stage = doing, len(done), time.monotonic()
        done.append(outcome)
        if told:
            click.echo(printable(told), err=True)

    with now_and_then(
        lambda s: click.echo(_running(*stage, total, done, s), err=True),
        10.0,
        120.0,
    ):
        yield going_on


LONG, FEW = 20.0, 3
"""Seconds after which so many steps tell what is left."""


def _tells(done: int, total: int | None) -> bool:
    """Whether the time of so many steps says anything about that of the others."""
    return total is not None and 0 < total <= 10 * done


def _running(
    stage: str,
    first: int,
    began: float,
    total: int | None,
    done: Sequence[Outcome | None],
    seconds: float,
) -> str:
    """`checking: 12 of 40 (11 HOLDS, 1 REFUTED) after 30 s, about 70 s left`.

    By the steps of this stage, from the `first` on: those before, such as reading, are like no others. What
    takes long is told from FEW steps of it on.
    """
    of = "" if total is None else f" of {total}"
    made, left = len(done) - first, ""
    took = time.monotonic() - began
    if total is not None and (
        _tells(made, total - first) or (took >= LONG and made >= FEW)
    ):
        left = f", about {duration(took * (total - len(done)) / made)} left"
    counted = f" ({_counted(done)})" if any(done) else ""
    return f"{stage}: {len(done)}{of}{counted} after {seconds:.0f} s{left}"


def _counted(outcomes: Sequence[Outcome | None]) -> str:
    """`1 REFUTED, 11 HOLDS`."""
    counts = ((outcomes.count(outcome), outcome.name) for outcome in SHOWN)
    return ", ".join(f"{count} {name}" for count, name in counts if count)


def duration(seconds: float) -> str:
    """`40 s`, `8 min`, `2.5 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return (
        f"{seconds / 60:.0f} min"
        if seconds < 6000
        else f"{seconds / 3600:.1f} h"
    )


def counted(number: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def say(text: str) -> None:
    """Print a text as wide as the terminal, which obeys none of it; on one line where nobody looks."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    with writing(Path("standard output"), always=True):
        console.print(Text(printable(text)), soft_wrap=not console.is_terminal)


def show_table(
    title: str, columns: Sequence[str], rows: Iterable[Row], right: bool = False
) -> None:
    """Print a table, its cells to the left or the right; the terminal obeys nothing that stands in them."""
    from rich.console import Console
    from rich.text import Text

    from boundcheck.report.terminal import table, width_of

    console = Console(highlight=False, markup=False)
    for line in (
        Text(printable(title), "italic"),
        *table(columns, rows, width_of(console), right),
    ):
        console.print(line, soft_wrap=True)
