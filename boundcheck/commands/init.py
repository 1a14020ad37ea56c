"""The command `boundcheck init`: a first claim, its baseline, and a workflow that keeps it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from boundcheck import __version__
from boundcheck.commands import shell
from boundcheck.running import Workers
from boundcheck.words import own

CLAIMS, BASELINE = Path("claims.py"), Path("baseline.json")
REPORTS, OUT = Path("reports"), Path("out")
WORKFLOW, IGNORED = Path(".github/workflows/boundcheck.yml"), Path(".gitignore")

FIRST = '''\
"""The first claim: put yours in its place."""

from boundcheck import Count, P, Unit, log, quantity, sqrt, theorem


@theorem("Hoeffding 1963, Theorem 2")
def hoeffding(bias: Unit, n: Count, delta: Unit):
    """A mean of n coin flips is seldom far above the bias."""
    mean = quantity(lambda rng, size: rng.binomial(n, bias, size) / n)
    return P(mean - bias <= sqrt(log(1 / delta) / (2 * n))) >= 1 - delta
'''

EACH_PUSH = f"""\
# No verdict may get worse than {BASELINE} says.
name: boundcheck

on: [push, pull_request]

permissions:
  contents: read

jobs:
  claims:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - run: pip install boundcheck=={__version__}
      - run: boundcheck check --budget quick --fail-on none --reports {OUT}
      - run: boundcheck gate {OUT}/verdicts.json --baseline {BASELINE}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: reports
          path: {OUT}
"""


@shell.command("init")
@shell.budget
def command(budget: str) -> None:
    """Begin here: write claims.py with a first claim, baseline.json with the verdicts on the claims of this
    folder, .github/workflows/boundcheck.yml, which compares with it on each push, and .gitignore.

    What is there already stays as it is.
    """
    shell.probe(Path())
    if own():
        click.echo("There are claims here already: no first one is written.")
    else:
        _write(FIRST, CLAIMS)
    _write(EACH_PUSH.replace("--budget quick", f"--budget {budget}"), WORKFLOW)
    _write(f"{REPORTS}/\n{OUT}/\n", IGNORED)
    if BASELINE.exists():
        click.echo(f"Left as it is: {BASELINE}")
    else:
        _baseline(budget)
    click.echo(
        f"Now commit all but {REPORTS}/; `boundcheck check` is the next step."
    )


def _write(text: str, path: Path) -> None:
    """Write a file that is not there yet. Raises Refused."""
    if path.exists():
        click.echo(f"Left as it is: {path}")
    else:
        shell.write(text, path)
        click.echo(f"Written: {path}")


def _baseline(budget: str) -> None:
    """Judge the claims here, and keep the verdicts. Raises CannotLoad, Refused."""
    from boundcheck.commands.check import run
    from boundcheck.report.gate import write_baseline
    from boundcheck.report.reading import read

    found = shell.claims_selected(())
    workers = Workers(os.cpu_count() or 1)
    run(
        found,
        budget=budget,
        seed=None,
        alpha=1e-6,
        workers=workers,
        json_path=None,
        reports=REPORTS,
        resume=False,
        accumulate=False,
        fail_on="none",
    )
    with shell.writing(BASELINE):
        write_baseline(read(REPORTS / "verdicts.json"), BASELINE)
    click.echo(f"Written: {BASELINE}")
