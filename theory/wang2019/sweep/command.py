"""The command `boundcheck sweep`: run the sweep, write its reports, print a table and the conclusions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boundcheck.commands import shell
from boundcheck.running import Workers, how_it_ended

from .plan import SweepPlan


@shell.command("sweep")
@shell.data()
@shell.target
@shell.kernel(SweepPlan.kernel)
@click.option("--sizes", type=shell.Sizes(), default=",".join(map(str, SweepPlan.sizes)), help="Values of s.")
@click.option("--repeats", default=SweepPlan.repeats, help="Draws of the features.")
@click.option("--train", type=int, help="Training points; half of the rows by default, 5000 at most.")
@shell.seed("Of the split and of the features.", SweepPlan.seed)
@shell.on_workers
@shell.reports
def command(data: str, target: str | None, workers: Workers, reports: Path, **numbers: Any) -> None:
    """Measure how far random features are from kernel ridge regression on DATA, against their number s.

    The experiment of Wang (2019), Section 6. DATA is a bundled data set (diabetes, wine, breast_cancer, iris,
    digits) or the path to a CSV or LIBSVM file. Writes sweep-DATA-KERNEL.json, .md and .svg; interrupted or
    terminated, of the repeats that are done.
    """
    with shell.refusing(ValueError):
        plan = SweepPlan(**numbers)
    from boundcheck.features.data import load
    from boundcheck.report import file_name

    from .records import plot, to_json, to_markdown
    from .run import sweep
    from .sentences import COLUMNS, conclusions, table

    loaded = load(data, target)
    with shell.progress("repeats", plan.repeats) as advance:
        result = sweep(loaded, plan, workers, advance)
    stem = f"sweep-{file_name(result.data)}-{file_name(plan.kernel)}"
    texts = {".json": to_json(result), ".md": to_markdown(result)}
    shell.write_reports(reports, stem, texts, lambda path: plot(result, path))
    heads = [head.format(first=plan.sizes[0], last=plan.sizes[-1]) for head in COLUMNS]
    title = f"{result.data}, {plan.kernel} kernel: mean MSE against KRR"
    shell.show_table(title, heads, table(result), right=True)
    for sentence in conclusions(result):
        shell.say(f"- {sentence}")
    if result.plan.repeats < plan.repeats:
        said, code = how_it_ended()
        click.echo(f"{said}; {result.plan.repeats} of {plan.repeats} repeats are reported, the rest is left out.", err=True)
        sys.exit(code)
