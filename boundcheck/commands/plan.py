"""The command `boundcheck plan`: how many trials decide, or how many features theorems ask for."""

from __future__ import annotations

from math import inf
from typing import Any

import click

from boundcheck.commands import shell
from boundcheck.commands.audit import demands

PROBABILITY = click.FloatRange(0, 1, min_open=True, max_open=True)


@shell.command("plan")
@click.option(
    "--delta",
    type=PROBABILITY,
    required=True,
    help="The failure probability that the claim allows.",
)
@click.option(
    "--excess",
    type=click.FloatRange(0, min_open=True),
    default=0.5,
    help="Relative excess to be detected: 0.5 means 1.5 delta.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=1e-6,
    help="Error level of the decision.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    help="Instead: what can this many trials detect?",
)
@click.option(
    "--eps",
    type=float,
    help="Instead: how many features approximate a kernel up to eps?",
)
@click.option(
    "--lam", type=float, help="With --eps: the ridge [default: 1 / sqrt(n)]."
)
@click.option("--data", help="With --eps: the data set, as for `audit`.")
@click.option("--target", help="With --data: the column to predict.")
@click.option(
    "--effective-dimension",
    type=float,
    help="With --eps and --n, instead of --data: Tr K (K + n lam I)^-1.",
)
@click.option(
    "--n",
    type=click.IntRange(min=1),
    help="With --effective-dimension: the number of points.",
)
def command(
    delta: float,
    excess: float,
    level: float,
    trials: int | None,
    eps: float | None,
    **features: Any,
) -> None:
    """How many trials decide P(fail) <= delta, and what a number of trials can detect; or, with --eps, how
    many features.

    With --eps E --delta D --lam L and either --data DATA or --effective-dimension X --n N: how many random
    features each theorem of theory/ demands, as printed and as repaired.
    """
    if eps is not None:
        return _features(eps, delta, **features)
    if given := [name for name, value in features.items() if value is not None]:
        raise click.UsageError(
            f"--{given[0].replace('_', '-')} asks about features; add --eps."
        )
    from boundcheck.checking.confidence import detectable_rate, trials_to_decide

    click.echo(
        f"to hold with no failure seen:      {trials_to_decide(delta, 0.0, level):.0f} trials"
    )
    rate = delta * (1 + excess)
    needed = trials_to_decide(delta, rate, level) if rate < 1 else inf
    click.echo(f"to refute at a rate of {rate:.4g}: about {needed:.0f} trials")
    if trials is not None:
        found = detectable_rate(delta, trials, level, 0.9)
        weak = " (too weak to refute anything)" if found == inf else ""
        click.echo(
            f"{trials} planned trials refute, nine times in ten, a rate of {found:.4g} or more{weak}"
        )


def _features(
    eps: float,
    delta: float,
    lam: float | None,
    data: str | None,
    target: str | None,
    effective_dimension: float | None,
    n: int | None,
) -> None:
    """How many features each theorem demands, for a data set or for an effective dimension."""
    from boundcheck.features.audit import AuditPlan
    from boundcheck.features.audit.records import (
        DEMANDED,
        demand_row,
        demand_setting,
        scene_of_numbers,
    )
    from boundcheck.features.audit.run import scene_of
    from boundcheck.features.data import load

    known = data is not None
    if known == (effective_dimension is not None) or (
        effective_dimension is None
    ) != (n is None):
        raise click.UsageError(
            "Give either --data DATA, or --effective-dimension X and --n N."
        )
    with shell.refusing(ValueError):
        if effective_dimension is not None and n is not None:
            scene = scene_of_numbers(n, effective_dimension, lam, eps, delta)
        else:
            scene = scene_of(
                load(data or "", target),
                AuditPlan(lam=lam, eps=eps, delta=delta),
            )
    click.echo(demand_setting(scene, known))
    rows = [demand_row(demand, scene, known) for demand in demands()]
    shell.show_table("features demanded", DEMANDED, rows)
