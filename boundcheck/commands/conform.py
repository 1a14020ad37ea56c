"""The command `boundcheck conform`: load the maps, examine them, write the reports, print the tables."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.commands import shell
from boundcheck.features.conform.contract import (
    Conformance,
    Design,
    conformance_json,
    conformance_markdown,
    full_reason,
    report_name,
)

if TYPE_CHECKING:
    from boundcheck.features.conform.run import Prepared

SCIKIT_LEARN = [
    f"sklearn.kernel_approximation:{name}"
    for name in (
        "RBFSampler",
        "SkewedChi2Sampler",
        "PolynomialCountSketch",
        "Nystroem",
        "AdditiveChi2Sampler",
    )
]


def parse_parameters(
    _ctx: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any]:
    """'gamma=0.5' as a name and a Python literal; what is no literal is text."""
    found: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(
                f"{value!r} sets no parameter; write {option.opts[0]} name=value."
            )
        try:
            found[name] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            found[name] = text
    return found


@shell.command("conform")
@click.argument("targets", nargs=-1, metavar="[MODULE:CLASS]...")
@click.option(
    "--kernel",
    help="gaussian exp(-gamma |x - y|^2), laplace exp(-gamma |x - y|_1), polynomial, skewed_chi2, additive_chi2,"
    " or MODULE:function for k(X, Y).",
)
@click.option(
    "--param",
    "params",
    multiple=True,
    callback=parse_parameters,
    help="Of the constructor, as name=value; repeatable.",
)
@click.option(
    "--kernel-param",
    "kernel_params",
    multiple=True,
    callback=parse_parameters,
    help="Of the kernel, as gamma=0.5, where the map has none of that name; repeatable.",
)
@click.option(
    "--only",
    default="",
    show_default=False,
    metavar="WHAT",
    help="theorems, interface, or items, apart by commas [default: all].",
)
@click.option(
    "--bound", type=float, help="States |phi(x)|^2 <= BOUND for all x."
)
@click.option(
    "--sizes",
    type=shell.Sizes(),
    help="Values of s, in increasing order [default: 2,8,32, or what suits the map].",
)
@click.option(
    "--trials",
    type=int,
    default=Design.trials,
    help="Draws of the map at each size.",
)
@click.option(
    "--inputs", type=int, default=Design.inputs, help="Inputs of a point."
)
@click.option(
    "--level",
    type=float,
    default=Design.level,
    help="Chance that a map that conforms is refuted.",
)
@shell.seed("Of the points and of the draws.", Design.seed)
@shell.fail_on
@shell.reports
def command(
    targets: tuple[str, ...],
    trials: int,
    inputs: int,
    level: float,
    seed: int,
    sizes: tuple[int, ...] | None,
    fail_on: str,
    reports: Path,
    **options: Any,
) -> None:
    """Whether feature maps keep what every theorem on random features needs: unbiased, bounded, 1 / s,
    repeatable, float32.

    MODULE:CLASS is a map in the style of scikit-learn: CLASS(n_components=s, random_state=seed, ...) with
    fit and transform. Without one, the five maps of scikit-learn are examined. Writes conformance-CLASS.json
    and .md, or conformance.json and .md.
    """
    failing, results, ready = shell.outcomes_of(fail_on), [], []
    with shell.refusing(ValueError):
        design = Design(trials=trials, inputs=inputs, level=level, seed=seed)
        names = targets or SCIKIT_LEARN
        with shell.progress(f"looking at {names[0]}", len(names)) as tell:
            from boundcheck.features.conform.run import designed, prepared

            for target in names:
                cls = _class(target)
                ready.append(
                    prepared(
                        cls, design=designed(cls, design, sizes), **options
                    )
                )
                tell(f"looked at {target}")
    try:
        for this in ready:
            results.append(_examined(this))
            if targets:
                _write(results[-1:], reports, report_name(results[-1]))
    finally:
        if results and not targets:
            _write(results, reports, "conformance")
    for result in results:
        _show(result)
    sys.exit(
        shell.exit_code(
            [item.outcome for result in results for item in result.items],
            failing,
        )
    )


def _class(target: str) -> Callable[..., Any]:
    from boundcheck.features.conform.maps import MapError, resolved

    found = resolved(target, "class")
    if not callable(found):
        raise MapError(
            f"{target} is no class; name one with fit and transform."
        )
    return found


def _examined(this: Prepared) -> Conformance:
    from boundcheck.features.conform.run import conformance_of

    name = this.subject.name.partition(":")[2]
    with shell.progress(name, this.steps) as tell:
        return conformance_of(this, lambda now: tell(f"{name}: {now}"))


def _write(results: list[Conformance], folder: Path, stem: str) -> None:
    shell.write_reports(
        folder,
        stem,
        {
            ".json": conformance_json(results),
            ".md": conformance_markdown(results),
        },
    )


def _show(result: Conformance) -> None:
    from rich.text import Text

    rows = [
        (i.name, Text(i.outcome.name, i.outcome.colour), full_reason(i))
        for i in result.items
    ]
    shell.show_table(
        f"{result.map} ({result.kernel})", ("item", "verdict", "why"), rows
    )
