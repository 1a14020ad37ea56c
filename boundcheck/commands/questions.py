"""Commands that ask further: sharpen a constant, plan a number of trials or features, replay an instance."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from boundcheck import exits


@click.command()
@click.argument("claim")
@click.argument("files", nargs=-1)
@click.option("--constant", help="Which one [default: the first marked constant, else the threshold or the right-hand side].")
@click.option("--budget", type=click.Choice(["quick", "ci", "nightly"]), default="quick", show_default=True)
@click.option("--alpha", type=click.FloatRange(0, 0.5, min_open=True), default=1e-6, show_default=True)
@click.option("--json", "json_path", type=click.Path(dir_okay=False, path_type=Path), help="Write the slack curve here.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the slack curve here (needs matplotlib).")
def sharpen(
    claim: str, files: tuple[str, ...], constant: str | None, budget: str, alpha: float, json_path: Path | None, plot: Path | None
) -> None:
    """Bisect a constant of CLAIM (of FILES, or of theory/): the largest value that is refuted, the smallest that is not."""
    from boundcheck.checking.judge import PLANS
    from boundcheck.checking.sharpen import NoSuchConstant, record
    from boundcheck.checking.sharpen import sharpen as bisect

    try:
        result = bisect(one_claim(claim, files), PLANS[budget], alpha, constant)
    except NoSuchConstant as error:
        raise click.UsageError(str(error)) from error
    content = record(result)
    for point in content["curve"]:
        click.echo(f"{result.constant} = {point['value']:<12.6g} {point['outcome']:13} {point['reason']}")
    click.echo(_sentence(content))
    if json_path:
        json_path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if plot:
        _draw(content, plot)


def _sentence(content: dict[str, Any]) -> str:
    low, high = content["largest_refuted"], content["smallest_not_refuted"]
    name = f"{content['constant']} of {content['claim']} (printed {content['printed']:g})"
    if low is None:
        return f"{name}: no value asked about is refuted, down to {high:.6g}."
    if high is None:
        return f"{name}: every value asked about is refuted, up to {low:.6g}."
    return f"{name}: refuted up to {low:.6g}, by a certificate; not refuted from {high:.6g} on."


def _draw(content: dict[str, Any], path: Path) -> None:
    try:
        import matplotlib
    except ImportError as error:
        raise click.UsageError("Plots need matplotlib: pip install 'boundcheck[plots]'.") from error
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    from boundcheck.checking.verdict import SHOWN

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for outcome in SHOWN:
        points = [p for p in content["curve"] if p["outcome"] == outcome.name]
        values, heights = [p["value"] for p in points], [p["tightness"] or 1 for p in points]
        axes.plot(values, heights, "o", color=outcome.ink, label=outcome.name if points else None)
    axes.axvline(content["printed"], color="black", linewidth=0.8, linestyle="--", label="printed")
    axes.set(xscale="log", xlabel=content["constant"], ylabel="worst lhs / rhs found", title=content["claim"])
    axes.legend()
    figure.savefig(path)


@click.command()
@click.option(
    "--delta",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    required=True,
    help="The failure probability that the claim allows.",
)
@click.option(
    "--excess",
    type=click.FloatRange(0, min_open=True),
    default=0.5,
    show_default=True,
    help="Relative excess to be detected: 0.5 means 1.5 delta.",
)
@click.option("--level", type=click.FloatRange(0, 0.5, min_open=True), default=1e-6, show_default=True, help="Error level of the decision.")
@click.option("--trials", type=click.IntRange(min=1), help="Instead: what can this many trials detect?")
@click.option("--eps", type=float, help="Instead: how many features approximate a kernel up to eps?")
@click.option("--lam", type=float, help="With --eps: the ridge [default: 1 / sqrt(n)].")
@click.option("--data", help="With --eps: the data set, as for `audit`.")
@click.option("--target", help="With --data: the column to predict.")
@click.option("--effective-dimension", "dimension", type=float, help="With --eps and --n, instead of --data: Tr K (K + n lam I)^-1.")
@click.option("--n", type=click.IntRange(min=1), help="With --effective-dimension: the number of points.")
def plan(delta: float, excess: float, level: float, trials: int | None, eps: float | None, **features: Any) -> None:
    """How many trials decide P(fail) <= delta, and what a number of trials can detect; or, with --eps, how many features.

    With --eps E --delta D --lam L and either --data DATA or --effective-dimension X --n N: how many random features each theorem of
    theory/ demands, as printed and as repaired.
    """
    if eps is not None:
        return _features(eps, delta, **features)
    if given := [name for name, value in features.items() if value is not None]:
        raise click.UsageError(f"--{given[0].replace('dimension', 'effective-dimension')} asks about features; add --eps.")
    from boundcheck.checking.confidence import detectable_rate, trials_to_decide

    click.echo(f"to hold with no failure seen:      {trials_to_decide(delta, 0.0, level):.0f} trials")
    rate = delta * (1 + excess)
    needed = trials_to_decide(delta, rate, level) if rate < 1 else float("inf")
    click.echo(f"to refute at a rate of {rate:.4g}: about {needed:.0f} trials")
    if trials is not None:
        found = detectable_rate(delta, trials, level, 0.9)
        weak = " (too weak to refute anything)" if found == float("inf") else ""
        click.echo(f"{trials} planned trials refute, nine times in ten, a rate of {found:.4g} or more{weak}")


def _features(
    eps: float, delta: float, lam: float | None, data: str | None, target: str | None, dimension: float | None, n: int | None
) -> None:
    """How many features each theorem demands, for a data set or for an effective dimension."""
    from boundcheck.audit.features_plan import COLUMNS, rows, scene_of_data, scene_of_numbers, setting
    from boundcheck.commands.audit import demands, load_data, show_table

    if (data is None) == (dimension is None) or (dimension is None) != (n is None):
        raise click.UsageError("Give either --data DATA, or --effective-dimension X and --n N.")
    try:
        if dimension is not None and n is not None:
            scene = scene_of_numbers(n, dimension, lam, eps, delta)
        else:
            scene = scene_of_data(load_data(data or "", target), lam, eps, delta)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    known = data is not None
    click.echo(setting(scene, known))
    show_table("features demanded", COLUMNS, rows(demands(), scene, known))


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("files", nargs=-1)
def replay(path: Path, files: tuple[str, ...]) -> None:
    """Evaluate again, in floats, the instance that a certificate or an instance file holds; its claim is in FILES or theory/."""
    from boundcheck.checking.observe import Skipped, observe
    from boundcheck.domains.instances import from_json, inside

    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        about = content["claim"] if isinstance(content["claim"], dict) else {"id": content["claim"], "instance": content["instance"]}
        name, raw = str(about["id"]), from_json(about["instance"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise click.UsageError(
            f"{path} holds no instance ({type(error).__name__}); give a certificate, or {{'claim': id, 'instance': ...}}."
        ) from error
    claim = one_claim(name, files)
    if not inside(claim.parameters, raw):
        raise click.UsageError(f"The instance in {path} does not fit {claim.id}: it is not in the domains that `boundcheck show` prints.")
    try:
        seen = observe(claim, raw)
    except Exception as error:
        raise click.UsageError(f"The instance in {path} does not fit {claim.id}: {error}") from error
    if isinstance(seen, Skipped):
        click.echo(f"{claim.id}: the instance says nothing ({seen.reason}{': ' + seen.detail if seen.detail else ''})")
        sys.exit(exits.UNDECIDED)
    for o in seen:
        click.echo(
            f"{claim.id}, part {o.part}: {o.lhs:.10g} against {o.rhs:.10g}, {'violated' if o.score > 0 else 'not violated'} in floats"
        )


def claims_named(name: str, files: tuple[str, ...]) -> list[Any]:
    """The claims of that name, or whose names begin with it, of the files or of theory/; files that cannot be loaded are left out."""
    from boundcheck.words.loading import CannotLoad, load_what_can_be, select, theory

    try:
        claims, faults = load_what_can_be(files or (theory(),))
        try:
            return select(claims, [name])
        except CannotLoad as error:
            raise CannotLoad("\n".join([str(error), *faults.values()])) from error
    except CannotLoad as error:
        raise click.UsageError(str(error)) from error


def one_claim(name: str, files: tuple[str, ...]) -> Any:
    """One claim, of the files or of theory/."""
    chosen = claims_named(name, files)
    if len(chosen) != 1:
        raise click.UsageError(f"'{name}' names {len(chosen)} claims; name one: {', '.join(c.id for c in chosen[:5])}.")
    return chosen[0]
