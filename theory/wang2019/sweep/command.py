"""The command `boundcheck sweep`: run the sweep, write its reports, print a table and the conclusions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.running.workers import NoWorkers, Workers, on_workers
from theory.wang2019.sweep.plan import SweepPlan

if TYPE_CHECKING:
    from rich.table import Table

    from boundcheck.data import DataSet
    from theory.wang2019.sweep.result import Sweep

SIZES = ",".join(map(str, SweepPlan.sizes))


def parse_sizes(_ctx: click.Context, _option: click.Parameter, value: str) -> tuple[int, ...]:
    """'16,32,64' as numbers."""
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of whole numbers; write them as 16,32,64.") from None


@click.command("sweep")
@click.argument("data", default="diabetes")
@click.option("--target", help="Column to predict; the last one by default.")
@click.option("--kernel", default=SweepPlan.kernel, show_default=True, help="gaussian, laplace, or MODULE:CLASS of yours.")
@click.option("--sizes", default=SIZES, callback=parse_sizes, show_default=True, help="Values of s.")
@click.option("--repeats", default=SweepPlan.repeats, show_default=True, help="Draws of the features.")
@click.option("--train", type=int, help="Training points; half of the rows by default, 5000 at most.")
@click.option("--seed", default=SweepPlan.seed, show_default=True, help="Of the split and of the features.")
@on_workers
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default="reports", show_default=True)
def command(data: str, target: str | None, workers: Workers, out: Path, **numbers: Any) -> None:
    """Measure how far random features are from kernel ridge regression on DATA, against their number s.

    The experiment of Wang (2019), Section 6. DATA is a bundled data set (diabetes, wine, breast_cancer, iris,
    digits) or the path to a CSV or LIBSVM file. Writes sweep-DATA-KERNEL.json, .md and .svg.
    """
    try:
        plan = SweepPlan(**numbers)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    try:
        loaded = _load(data, target)
        with _writing_to(out):
            out.mkdir(parents=True, exist_ok=True)
        result = _measure(loaded, plan, workers)
        with _writing_to(out):
            _write(result, out)
        _show(result)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        raise SystemExit(130) from None


@contextmanager
def _writing_to(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise click.UsageError(f"{str(out)!r} cannot be written ({why}); choose another --out.") from None


def _load(source: str, target: str | None) -> DataSet:
    from boundcheck.data import DataError, load

    try:
        return load(source, target)
    except DataError as error:
        raise click.UsageError(str(error)) from None


def _measure(data: DataSet, plan: SweepPlan, workers: Workers) -> Sweep:
    from rich.console import Console
    from rich.progress import Progress

    from boundcheck.data import DataError
    from theory.wang2019.sweep.run import sweep

    console = Console(stderr=True)
    try:
        with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
            task = progress.add_task("repeats", total=plan.repeats)
            return sweep(data, plan, workers, lambda: progress.advance(task))
    except (DataError, NoWorkers) as error:
        raise click.UsageError(str(error)) from None


def _write(result: Sweep, out: Path) -> None:
    from importlib.util import find_spec

    from boundcheck.report.files import write_whole
    from theory.wang2019.sweep.figure import plot
    from theory.wang2019.sweep.records import to_json, to_markdown

    name = f"sweep-{result.data}-{result.plan.kernel}"
    write_whole(to_json(result), out / f"{name}.json")
    write_whole(to_markdown(result), out / f"{name}.md")
    if find_spec("matplotlib"):
        plot(result, out / f"{name}.svg")
    else:
        click.echo("There is no figure without Matplotlib; run pip install 'boundcheck[plots]'.", err=True)
    click.echo(f"Wrote {out / name}.*", err=True)


def _show(result: Sweep) -> None:
    from rich.console import Console

    from theory.wang2019.sweep.sentences import conclusions

    console = Console(highlight=False, markup=False)
    console.print(_table(result))
    for sentence in conclusions(result):
        console.print(f"- {sentence}")


def _table(result: Sweep) -> Table:
    from rich.table import Table
    from rich.text import Text

    from theory.wang2019.sweep.plan import SCALINGS

    first, last = result.plan.sizes[0], result.plan.sizes[-1]
    table = Table(title=Text(f"{result.data}, {result.plan.kernel} kernel: mean MSE against KRR"))
    for name in ("lam sqrt(n)", "features", f"s = {first}", f"s = {last}", "slope", "median slope"):
        table.add_column(name, justify="right")
    for j, ridge in enumerate(result.plan.ridges):
        for c, scaling in enumerate(SCALINGS):
            mse, (low, high) = result.mean_mse[j, :, c], result.slope_intervals[j, c]
            ends = f"{mse[0]:.2e}", f"{mse[-1]:.2e}"
            table.add_row(
                f"{ridge:g}", scaling, *ends, f"{result.slopes[j, c]:.3f}", f"{low:.3f} .. {high:.3f}"
            )
    return table
