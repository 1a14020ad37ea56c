"""The command `boundcheck audit`: load, audit, write the reports, print the table and the conclusions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.audit.plan import AuditPlan

if TYPE_CHECKING:
    from boundcheck.audit.demand import Demand
    from boundcheck.audit.result import Audit
    from boundcheck.data import DataSet


def parse_bandwidth(_ctx: click.Context, _option: click.Parameter, value: str) -> float | None:
    """A number, or None for 'median'."""
    if value == "median":
        return None
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no bandwidth; write 'median' or a number.") from None


@click.command("audit")
@click.argument("data", default="diabetes")
@click.option("--target", help="Column to predict; the last one by default.")
@click.option("--kernel", default=AuditPlan.kernel, show_default=True, help="gaussian, laplace, or MODULE:CLASS of yours.")
@click.option("--bandwidth", default="median", callback=parse_bandwidth, show_default=True, help="'median' distance, or a number.")
@click.option("--lam", type=float, help="Ridge; 1 / sqrt(n) by default.")
@click.option("--eps", type=float, default=AuditPlan.eps, show_default=True, help="Accuracy in the K + n lam I norm.")
@click.option("--delta", type=float, default=AuditPlan.delta, show_default=True, help="Failure probability allowed.")
@click.option("--level", type=float, default=AuditPlan.level, show_default=True, help="Chance that any interval misses.")
@click.option("--trials", type=int, help="Trials at each number of features; by default enough for delta, 1000 at most.")
@click.option("--seed", type=int, default=AuditPlan.seed, show_default=True, help="Of the rows chosen and of the features.")
@click.option("--scale/--no-scale", default=True, show_default=True, help="Scale each input to [-1, 1].")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Threads.")
@click.option("-o", "--reports", type=click.Path(file_okay=False, path_type=Path), default="reports", show_default=True, help="Folder.")
def command(data: str, target: str | None, workers: int, reports: Path, **numbers: Any) -> None:
    """Which theorems hold on DATA, how many features each demands, and how many are needed.

    DATA is a bundled data set (diabetes, wine, breast_cancer, iris, digits) or the path to a CSV, LIBSVM, Parquet, npz or npy
    file. Of more than 10000 rows a random 10000 are taken. Writes audit-DATA.json, .md and .svg.
    """
    try:
        plan = AuditPlan(**numbers)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    loaded, theorems = load_data(data, target), demands()
    name = f"audit-{file_name(loaded.name)}"
    _write(reports, {f"{name}.json": "{}\n"}, probe=True)
    result = _measure(loaded, plan, theorems, workers)
    _report(result, reports, name)
    _show(result)


def load_data(source: str, target: str | None) -> DataSet:
    """The data set; what is wrong with it is a usage error."""
    from boundcheck.data import DataError, load

    try:
        return load(source, target)
    except DataError as error:
        raise click.UsageError(_one_line(str(error))) from None


def demands() -> list[Demand]:
    """The demands of the papers here, or of those installed beside the engine."""
    from boundcheck.audit.theorems import collected
    from boundcheck.words.loading import CannotLoad, theory

    try:
        found = collected(theory())
    except CannotLoad as error:
        raise click.UsageError(str(error)) from error
    if not found:
        raise click.UsageError(f"No paper in {theory()} has a demands.py; run where theory/ is.")
    return found


def file_name(text: str) -> str:
    """Text as part of a file name: letters, digits, dot, dash and underscore."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", text)[:80] or "data"


def _one_line(text: str) -> str:
    from boundcheck.report.printable import printable

    return printable(" ".join(text.split()))


def _measure(data: DataSet, plan: AuditPlan, theorems: list[Demand], workers: int) -> Audit:
    from rich.console import Console
    from rich.progress import Progress

    from boundcheck.audit.plan import SAMPLINGS
    from boundcheck.audit.run import audit
    from boundcheck.data import DataError

    console = Console(stderr=True)
    try:
        with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
            task = progress.add_task("trials", total=len(SAMPLINGS) * plan.trials_made)
            return audit(data, plan, theorems, workers, lambda: progress.advance(task))
    except DataError as error:
        raise click.UsageError(_one_line(str(error))) from None


def _report(result: Audit, folder: Path, name: str) -> None:
    from importlib.util import find_spec

    from boundcheck.audit.figure import plot
    from boundcheck.audit.records import to_json, to_markdown

    _write(folder, {f"{name}.json": to_json(result), f"{name}.md": to_markdown(result)})
    if find_spec("matplotlib"):
        plot(result, folder / f"{name}.svg")
    else:
        click.echo("There is no figure without Matplotlib; run pip install 'boundcheck[plots]'.", err=True)
    click.echo(f"Wrote {folder / name}.*", err=True)


def _write(folder: Path, texts: dict[str, str], probe: bool = False) -> None:
    """Write the files whole; as a probe only find out, before anything is spent, whether the folder takes files."""
    from boundcheck.report.files import write_whole

    try:
        for name, text in texts.items():
            path = folder / (f".{name}.probe" if probe else name)
            write_whole(text, path)
            if probe:
                path.unlink()
    except OSError as error:
        raise click.UsageError(f"{str(folder)!r} cannot be written ({error.strerror or error}); choose another --reports.") from None


def _show(result: Audit) -> None:
    from rich.console import Console
    from rich.text import Text

    from boundcheck.audit.sentences import LEGEND, SHORT, conclusions, short_table
    from boundcheck.report.printable import printable

    console = Console(highlight=False, markup=False)
    show_table(f"{result.data}: features demanded and needed", SHORT, short_table(result))
    for sentence in (LEGEND, *conclusions(result)):
        console.print(Text(printable(f"- {sentence}")))


def show_table(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table; whatever its texts hold, the terminal obeys none of it."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from boundcheck.report.printable import printable

    shown = Table(title=Text(printable(title)))
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(printable(cell)) for cell in row))
    Console(highlight=False, markup=False).print(shown)
