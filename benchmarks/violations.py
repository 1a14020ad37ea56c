"""`python -m benchmarks.violations FOLDER`: evaluations and CPU time to the first violation, for boundcheck and general searches."""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.__main__ import ENVIRONMENT, child
from benchmarks.searchers import METHODS, OURS
from boundcheck.words.loading import load_claims

Result = dict[str, Any]
NAMES = (OURS, *METHODS)
TIMES = (0.1, 0.3, 1, 3, 10, 30, 100)


@click.command()
@click.argument("targets", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--seconds", default=20.0, show_default=True, help="CPU time for a statement and method.")
@click.option("--seed", default=0, show_default=True, help="Seed of every search.")
@click.option("--method", "methods", multiple=True, type=click.Choice(NAMES), help="This one only; may be repeated.")
@click.option("-o", "markdown", type=click.Path(path_type=Path), help="Write the tables as Markdown, and a picture beside it as PNG.")
@click.option("--json", "data", type=click.Path(path_type=Path), help="Keep each statement's searches here as a line; go on from it.")
def main(targets: tuple[str, ...], seconds: float, seed: int, methods: tuple[str, ...], markdown: Path | None, data: Path | None) -> None:
    """Search for violations of the claims of TARGETS, one statement and method at a time; the methods begin in turn."""
    chosen = methods or NAMES
    results = [json.loads(line) for line in data.read_text().splitlines()] if data and data.exists() else []
    known = {result["claim"] for result in results}
    for k, claim in enumerate(load_claims(*targets)):
        if claim.id in known:
            continue
        turn = k % len(chosen)
        results.append({"claim": claim.id, "searches": _searches(claim.file, claim.id, seconds, seed, (*chosen[turn:], *chosen[:turn]))})
        click.echo(line(results[-1]))
        if data:
            with data.open("a") as out:
                out.write(json.dumps(results[-1]) + "\n")
    if markdown:
        markdown.write_text("\n".join(page(results, seconds, child("machine"))) + "\n", encoding="utf-8")
        picture(results, markdown.with_suffix(".png"))


def _searches(file: str, claim: str, seconds: float, seed: int, methods: tuple[str, ...]) -> list[Result]:
    """All methods on one statement, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.searchers", file, claim, str(seconds), str(seed), *methods]
    done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode:
        raise click.ClickException(f"{' '.join(command[1:])} failed; the lines above say why.")
    return json.loads(done.stdout.splitlines()[-1])


def line(result: Result) -> str:
    by_name = {s["method"]: s for s in result["searches"]}
    return f"{result['claim']:44} " + "  ".join(f"{name} {cell(by_name[name])}" for name in NAMES if name in by_name)


def cell(search: Result) -> str:
    if not search["found"]:
        return {"HOLDS": "-", None: "-"}.get(search["verdict"], search["verdict"])
    return f"{search['seconds']:.2f} s, {search['evaluations']}"


def page(results: list[Result], seconds: float, machine: Result) -> Iterator[str]:
    """How many were found, by file; the distribution of the times and of the evaluations; each statement."""
    names = [name for name in NAMES if any(s["method"] == name for s in results[0]["searches"])]
    yield "# The first violation\n"
    yield f"{len(results)} statements, {seconds:g} s of CPU time for each statement and method, one process at a time; the methods begin"
    yield "in turn. boundcheck has found what it calls REFUTED by then, with a certificate; the others what is a violation above 1e-6 of"
    yield "its sides in floats and is confirmed by `claim.at`. `apparent`: only such as it could not decide. An evaluation is a body that"
    yield "ran, or a row of a recorded one."
    yield f"{machine['processor']}, {machine['cores']} cores, load {machine['load']:.1f}.\n"
    yield from _table("file", names, _by_file(results, names))
    yield "\nFound within so many seconds of CPU time:\n"
    yield from _table("s", names, _distribution(results, names, "seconds", [t for t in TIMES if t <= seconds]))
    yield "\nFound within so many evaluations:\n"
    yield from _table("evaluations", names, _distribution(results, names, "evaluations", [10**k for k in range(7)]))
    yield "\nSeconds and evaluations to the first violation; `-`: none in the time.\n"
    rows = [(r["claim"], [cell(s) for name in names for s in r["searches"] if s["method"] == name]) for r in results]
    yield from _table("statement", names, rows)


def _table(first: str, names: list[str], rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    yield f"| {first} | {' | '.join(names)} |"
    yield f"| --- |{' --- |' * len(names)}"
    yield from (f"| {label} | {' | '.join(cells)} |" for label, cells in rows)


def _by_file(results: list[Result], names: list[str]) -> list[tuple[str, list[str]]]:
    files = sorted({r["claim"].rpartition(".")[0] for r in results})
    return [(file, [_found([r for r in results if r["claim"].startswith(f"{file}.")], name) for name in names]) for file in files]


def _found(results: list[Result], name: str) -> str:
    found = sizes(results, name, "seconds")
    counts = sizes(results, name, "evaluations")
    medians = f", median {statistics.median(found):.2f} s, {statistics.median(counts):.0f}" if found else ""
    return f"{len(found)} of {len(results)}{medians}"


def sizes(results: list[Result], name: str, of: str) -> list[float]:
    """What the searches of one method that found something took, in increasing order."""
    return sorted(s[of] for r in results for s in r["searches"] if s["method"] == name and s["found"])


def _distribution(results: list[Result], names: list[str], of: str, at: list[float]) -> list[tuple[str, list[str]]]:
    return [(f"{x:g}", [f"{np.searchsorted(sizes(results, name, of), x, 'right') / len(results):.2f}" for name in names]) for x in at]


def picture(results: list[Result], file: Path) -> None:
    """The two empirical distribution functions, with the share of all statements upwards."""
    from matplotlib.figure import Figure

    figure = Figure((10, 4), layout="constrained")
    for axes, of in zip(figure.subplots(1, 2, sharey=True), ("seconds", "evaluations")):
        for name in NAMES:
            x = np.maximum(sizes(results, name, of), 1e-3 if of == "seconds" else 1)
            axes.step(x, np.arange(1, len(x) + 1) / len(results), where="post", label=name)
        axes.set(xscale="log", xlabel=f"{'CPU ' if of == 'seconds' else ''}{of} to the first violation", ylim=(0, 1))
    axes.legend()
    figure.savefig(file, dpi=120)


if __name__ == "__main__":
    main()
