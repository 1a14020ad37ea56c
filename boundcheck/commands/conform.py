"""The command `boundcheck conform`: load the maps, examine them, write the reports, print the tables."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.conform.plan import Plan

if TYPE_CHECKING:
    from boundcheck.checking.verdict import Outcome
    from boundcheck.conform.result import Conformance
    from boundcheck.conform.run import Prepared

SCIKIT_LEARN = "RBFSampler", "SkewedChi2Sampler", "PolynomialCountSketch", "Nystroem", "AdditiveChi2Sampler"


def parse_parameters(_ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """'gamma=0.5' as a name and a Python literal; what is no literal is text."""
    found: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{value!r} sets no parameter; write {option.opts[0]} name=value.")
        try:
            found[name] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            found[name] = text
    return found


def parse_sizes(_ctx: click.Context, _option: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """'2,8,32' as numbers."""
    try:
        return None if value is None else tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of whole numbers; write them as 2,8,32.") from None


def parse_outcomes(_ctx: click.Context, _option: click.Parameter, value: str) -> list[Outcome]:
    """'refuted,inconclusive' as outcomes."""
    from boundcheck.checking.verdict import Outcome

    wanted = {word.strip().upper() for word in value.split(",")} - {"NONE", ""}
    if wanted - set(Outcome.__members__):
        raise click.BadParameter(f"{value!r} is no list of {', '.join(o.name.lower() for o in Outcome)}, or none.")
    return [Outcome[name] for name in sorted(wanted)]


@click.command("conform")
@click.argument("targets", nargs=-1, metavar="[MODULE:CLASS]...")
@click.option("--kernel", help="gaussian, laplace, polynomial, skewed_chi2, additive_chi2, or MODULE:function for k(X, Y).")
@click.option("--param", "params", multiple=True, callback=parse_parameters, help="Of the constructor, as name=value; repeatable.")
@click.option("--kernel-param", "kernel_params", multiple=True, callback=parse_parameters, help="Of the kernel, if not the map's.")
@click.option("--bound", type=float, help="States |phi(x)|^2 <= BOUND for all x.")
@click.option("--sizes", callback=parse_sizes, help="Values of s, in increasing order [default: 2,8,32, or what suits the map].")
@click.option("--trials", type=int, default=Plan.trials, show_default=True, help="Draws of the map at each size.")
@click.option("--inputs", type=int, default=Plan.inputs, show_default=True, help="Inputs of a point.")
@click.option("--level", type=float, default=Plan.level, show_default=True, help="Chance that a map that conforms is refuted.")
@click.option("--seed", type=int, default=Plan.seed, show_default=True, help="Of the points and of the draws.")
@click.option("--fail-on", default="refuted", callback=parse_outcomes, show_default=True, help="Comma-separated outcomes, or none.")
@click.option("-o", "--reports", type=click.Path(file_okay=False, path_type=Path), default="reports", show_default=True, help="Folder.")
def command(
    targets: tuple[str, ...], trials: int, inputs: int, level: float, seed: int, sizes: tuple[int, ...] | None,
    fail_on: list[Outcome], reports: Path, **options: Any,
) -> None:  # fmt: skip
    """Whether feature maps keep what every theorem on random features needs: unbiased, bounded, 1 / s, repeatable, float32.

    MODULE:CLASS is a map in the style of scikit-learn: CLASS(n_components=s, random_state=seed, ...) with fit and transform.
    Without one, the five maps of scikit-learn are examined. Writes conformance-CLASS.json and .md, or conformance.json and .md.
    """
    from boundcheck.conform.result import exit_code

    try:
        plan = Plan(trials=trials, inputs=inputs, level=level, seed=seed)
        ready = _ready(targets or [f"sklearn.kernel_approximation:{name}" for name in SCIKIT_LEARN], plan, sizes, options)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    write(reports, {".conformance.probe": ""}, probe=True)
    results = [_examined(this) for this in ready]
    _report(results, reports, together=not targets)
    for result in results:
        _show(result)
    sys.exit(exit_code(results, fail_on))


def _ready(targets: Sequence[str], plan: Plan, sizes: tuple[int, ...] | None, options: dict[str, Any]) -> list[Prepared]:
    """Every map, seen to work before anything is spent; what is wrong with one is a usage error."""
    from boundcheck.conform.maps import MapError
    from boundcheck.conform.run import planned, prepared

    try:
        classes = [_class(target) for target in targets]
        return [prepared(cls, plan=planned(cls, plan, sizes), **options) for cls in classes]
    except MapError as error:
        raise click.UsageError(_one_line(str(error))) from None


def _class(target: str) -> Callable[..., Any]:
    from boundcheck.conform.maps import MapError, named

    found = named(target, "class")
    if not callable(found):
        raise MapError(f"{target} is no class; name one with fit and transform.")
    return found


def _examined(this: Prepared) -> Conformance:
    from rich.console import Console
    from rich.progress import Progress

    from boundcheck.conform.maps import MapError
    from boundcheck.conform.run import examined

    console, total = Console(stderr=True), len(this.plan.sizes) * (this.plan.trials if this.subject.random else 1)
    try:
        with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
            task = progress.add_task("draws", total=total)
            return examined(this, lambda: progress.advance(task))
    except MapError as error:
        raise click.UsageError(_one_line(str(error))) from None


def _report(results: list[Conformance], folder: Path, together: bool) -> None:
    from boundcheck.conform.records import file_name, to_json, to_markdown

    parts = {"conformance": results} if together else {file_name(result): [result] for result in results}
    for stem, part in parts.items():
        write(folder, {f"{stem}.json": to_json(part), f"{stem}.md": to_markdown(part)})
        click.echo(f"Wrote {folder / stem}.*", err=True)


def write(folder: Path, texts: dict[str, str], probe: bool = False) -> None:
    """Write the files whole; as a probe only find out, before anything is spent, whether the folder takes files."""
    from boundcheck.report.files import write_whole

    try:
        for name, text in texts.items():
            write_whole(text, folder / name)
            if probe:
                (folder / name).unlink()
    except OSError as error:
        raise click.UsageError(f"{str(folder)!r} cannot be written ({error.strerror or error}); choose another --reports.") from None


def _show(result: Conformance) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from boundcheck.report.printable import printable

    table = Table(title=Text(printable(f"{result.map} ({result.kernel})")))
    for column in ("item", "verdict", "why"):
        table.add_column(column, overflow="fold")
    for item in result.items:
        table.add_row(item.name, Text(item.outcome.name, item.outcome.colour), Text(printable(item.reason)))
    Console(highlight=False, markup=False).print(table)


def _one_line(text: str) -> str:
    from boundcheck.report.printable import printable

    return printable(" ".join(text.split()))
