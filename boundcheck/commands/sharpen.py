"""The command `boundcheck sharpen`: up to which value a constant is refuted, from which on it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.checking.plan import PLANS
from boundcheck.commands import shell

if TYPE_CHECKING:
    from boundcheck.report.findings import Panel


@shell.command("sharpen")
@shell.claim
@shell.files
@click.option(
    "--constant",
    help="Which one [default: the first marked constant, else the threshold or the right-hand side].",
)
@shell.budget
@shell.alpha("Chance that a value is refuted wrongly.")
@shell.as_json("Write the slack curve here, point by point.")
@click.option(
    "--plot",
    type=shell.Figure(),
    help="Draw the slack curve here (needs Matplotlib).",
)
def command(
    claim: str,
    files: tuple[str, ...],
    constant: str | None,
    budget: str,
    alpha: float,
    json_path: Path | None,
    plot: Path | None,
) -> None:
    """Bisect a constant of CLAIM (of FILES, or of theory/): up to which value it is refuted, from
    which on it is not; the other way around for a constant that says more when it is larger."""
    from boundcheck.checking.sharpen import Sharpening, bisected, slack_curve

    chosen = shell.one_claim(claim, files)
    with shell.progress(f"sharpening {chosen.id}") as advance:

        def keep(result: Sharpening) -> None:
            if json_path:
                shell.write(
                    json.dumps(slack_curve(result), indent=1) + "\n", json_path
                )
            value, verdict = list(result.asked.items())[-1]
            advance(f"{result.constant} = {value:.6g}", verdict.outcome)

        result = bisected(chosen, PLANS[budget], alpha, constant, tell=keep)
    content = slack_curve(result)
    for point in content["curve"]:
        click.echo(
            f"{content['constant']} = {point['value']:<12.6g} {point['outcome']:13} {point['reason']}"
        )
    click.echo(result)
    if plot:
        from boundcheck.report.findings import draw

        with shell.writing(plot):
            draw([_panel(content)], plot)


def _panel(content: dict[str, Any]) -> Panel:
    from boundcheck.checking.verdict import SHOWN
    from boundcheck.report.findings import Curve, Panel

    curves = []
    for outcome in SHOWN:
        points = [
            (p["value"], p["tightness"] or 1)
            for p in content["curve"]
            if p["outcome"] == outcome.name
        ]
        if points:
            x, y = zip(*points, strict=True)
            curves.append(Curve(outcome.name, x, y, style=f"{outcome.ink}o"))
    heights = [y for curve in curves for y in curve.y]
    curves.append(
        Curve(
            "printed",
            [content["printed"]] * 2,
            [min(heights), max(heights)],
            style="k--",
        )
    )
    return Panel(
        content["claim"],
        content["constant"],
        "worst lhs / rhs found",
        curves,
        "x",
    )
