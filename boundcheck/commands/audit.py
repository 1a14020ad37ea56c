"""The command `boundcheck audit`: load, audit, write the reports, print the table and the conclusions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boundcheck.commands import shell
from boundcheck.exits import Refused
from boundcheck.features.audit import SAMPLINGS, AuditPlan, Demand, collected
from boundcheck.running import Workers, how_it_ended


def parse_bandwidth(
    _ctx: click.Context, _option: click.Parameter, value: str
) -> float | None:
    """A number, or None for 'median'."""
    try:
        return None if value == "median" else float(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is no bandwidth; write 'median' or a number."
        ) from None


@shell.command("audit")
@shell.data()
@shell.target
@shell.kernel(AuditPlan.kernel)
@click.option(
    "--bandwidth",
    default="median",
    callback=parse_bandwidth,
    help="'median' distance, or a number.",
)
@click.option("--lam", type=float, help="Ridge; 1 / sqrt(n) by default.")
@click.option(
    "--eps",
    type=float,
    default=AuditPlan.eps,
    help="Accuracy in the K + n lam I norm.",
)
@click.option(
    "--delta",
    type=float,
    default=AuditPlan.delta,
    help="Failure probability allowed.",
)
@click.option(
    "--level",
    type=float,
    default=AuditPlan.level,
    help="Chance that any interval misses.",
)
@click.option(
    "--trials",
    type=int,
    help="Trials at each number of features; by default enough for delta, 1000 at most.",
)
@shell.seed("Of the rows chosen and of the features.", AuditPlan.seed)
@click.option(
    "--scale/--no-scale", default=True, help="Scale each input to [-1, 1]."
)
@shell.on_workers
@shell.reports
def command(
    data: str,
    target: str | None,
    workers: Workers,
    reports: Path,
    **numbers: Any,
) -> None:
    """Which theorems hold on DATA, how many features each demands, and how many are needed.

    DATA is a bundled data set (diabetes, wine, breast_cancer, iris, digits) or the path to a CSV, LIBSVM,
    Parquet, npz or npy file. Of more than 10000 rows a random 10000 are taken. Writes audit-DATA.json, .md
    and .svg.
    """
    if workers.backend != "loky":
        raise click.UsageError(
            "An audit runs on threads of this machine; give --workers a number."
        )
    with shell.refusing(ValueError):
        plan = AuditPlan(**numbers)
        with shell.progress("reading", plan.steps) as tell:
            from boundcheck.features.audit.run import audit
            from boundcheck.features.data import load

            result = audit(
                load(data, target), plan, demands(), workers.count, tell
            )
    from boundcheck.features.audit.records import (
        LEGEND,
        SHORT,
        audit_json,
        audit_markdown,
        conclusions,
        plot,
        short_row,
    )
    from boundcheck.report import file_name

    texts = {".json": audit_json(result), ".md": audit_markdown(result)}
    shell.write_reports(
        reports,
        f"audit-{file_name(result.data)}",
        texts,
        lambda path: plot(result, path),
    )
    rows = [short_row(judged, result) for judged in result.theorems]
    shell.show_table(
        f"{result.data}: features demanded and needed", SHORT, rows
    )
    for sentence in (LEGEND, *conclusions(result)):
        shell.say(f"- {sentence}")
    if result.stopped:
        said, code = how_it_ended()
        done = f"{len(result.needed)} of {len(SAMPLINGS)}"
        click.echo(
            f"{said}; ways of sampling measured: {done}, the rest is left out.",
            err=True,
        )
        sys.exit(code)


def demands() -> list[Demand]:
    """The demands of the papers here, or of those installed beside the engine. Raises CannotLoad, Refused."""
    from boundcheck.words import delivered, theory

    found = collected(theory()) or collected(delivered())
    if not found:
        raise Refused(
            f"No paper in {theory()} has a demands.py; run where theory/ is."
        )
    return found
