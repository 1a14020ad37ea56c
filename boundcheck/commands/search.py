"""The command `boundcheck search`: the worst instance of a claim that a given time finds."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.checking.plan import PLANS, Plan
from boundcheck.commands import shell
from boundcheck.exits import Refused

if TYPE_CHECKING:
    from boundcheck.checking.observe import Observation
    from boundcheck.words.claims import Claim


@shell.command("search")
@shell.claim
@shell.files
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=30.0,
    help="No seed begins after them.",
)
@shell.seed("Of the first start.")
@shell.output("Write the instance here, for `replay`, as soon as it is found.")
def command(
    claim: str,
    files: tuple[str, ...],
    seconds: float,
    seed: int,
    output: Path | None,
) -> None:
    """Search for the worst instance of CLAIM (of FILES, or of theory/): where lhs / rhs is largest.

    Refuted or not. Only instances that need no sampling are looked at. `boundcheck check` is what decides.
    """
    import numpy as np

    from boundcheck.domains.in_words import instance_in_words
    from boundcheck.domains.instances import to_json

    chosen, worst, until = (
        shell.one_claim(claim, files),
        None,
        time.monotonic() + seconds,
    )
    with np.errstate(all="ignore"):
        for k, found in enumerate(
            restarts(chosen, PLANS["quick"], seed), start=seed
        ):
            if found is not None and (worst is None or found[0].score > worst):
                worst = found[0].score
                place = instance_in_words(chosen.parameters, found[1])
                click.echo(f"seed {k}: {_sentence(found[0], place)}")
                if output is not None:
                    about = {"claim": chosen.id, "instance": to_json(found[1])}
                    shell.write(json.dumps(about) + "\n", output)
            if time.monotonic() >= until:
                break
    if worst is None:
        without = (
            f"No instance of {chosen.id} can be looked at without sampling"
        )
        raise Refused(f"{without}; `boundcheck check` samples.")


def restarts(
    claim: Claim, plan: Plan, seed: int
) -> Iterator[tuple[Observation, dict[str, Any]] | None]:
    """The worst instance that `check` meets with one seed after another; None where it only samples."""
    from boundcheck.checking.judge import Judge

    claim.begin()
    for k in count(seed):
        yield Judge(claim, replace(plan, seed=k), alpha=1.0).worst()


def _sentence(o: Observation, instance: str) -> str:
    from boundcheck.checking.observe import TOUCH

    sides = (
        "P(fail) = {:.6g}, allowed {:.6g}"
        if o.kind == "probability"
        else "lhs = {:.6g}, rhs = {:.6g}"
    )
    verdict = "violated" if o.score > TOUCH else "not violated"
    return f"{sides.format(o.lhs, o.rhs)}, {verdict} in floats, at {instance}"
