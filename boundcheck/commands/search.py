"""The command `boundcheck search`: the worst instance of a claim that a given time finds, whatever verdict it leads to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundcheck.commands.questions import one_claim

if TYPE_CHECKING:
    from boundcheck.checking.observe import Observation
    from boundcheck.checking.plan import Plan
    from boundcheck.words.claims import Claim


def restarts(claim: Claim, plan: Plan, seed: int) -> Iterator[tuple[Observation, dict[str, Any]] | None]:
    """The worst instance of one search after another, each from fresh instances; None where all of them need sampling."""
    from boundcheck.checking.climb import Climber
    from boundcheck.checking.judge import Search
    from boundcheck.checking.sampling import SEARCH, Stream
    from boundcheck.domains.instances import draw_instances
    from boundcheck.words.hypotheses import AS_PRINTED

    for k in count():
        stream, search = Stream.of(seed, claim.id, SEARCH, k), Search(claim, AS_PRINTED)
        climber = Climber(claim.parameters, search.score, plan.work, stream.rng())
        for raw in draw_instances(claim.parameters, plan.instances, stream.number()):
            climber.consider(raw)
        climber.climb()
        yield search.found[0] if search.found else None


@click.command("search")
@click.argument("claim")
@click.argument("files", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0), default=30.0, show_default=True, help="No restart begins after them.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the first start.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the instance here, for `replay`.")
def command(claim: str, files: tuple[str, ...], seconds: float, seed: int, output: Path | None) -> None:
    """Search for the worst instance of CLAIM (of FILES, or of theory/): where lhs / rhs is largest, refuted or not.

    Only instances that need no sampling are looked at. `boundcheck check` is what decides.
    """
    import numpy as np

    from boundcheck.checking.plan import PLANS

    chosen, best, until = one_claim(claim, files), None, time.monotonic() + seconds
    with np.errstate(all="ignore"):
        for k, found in enumerate(restarts(chosen, PLANS["quick"], seed), start=1):
            if found is not None and (best is None or found[0].score > best[0].score):
                best = found
                click.echo(f"start {k}: {_sentence(*found)}")
            if time.monotonic() >= until:
                break
    if best is None:
        raise click.UsageError(f"No instance of {chosen.id} can be looked at without sampling; `boundcheck check` samples.")
    if output is not None:
        _write(chosen.id, best[1], output)


def _sentence(o: Observation, raw: dict[str, Any]) -> str:
    from boundcheck.domains.instances import to_json
    from boundcheck.report.row import spelled

    sides = "P(fail) = {:.6g}, allowed {:.6g}" if o.kind == "probability" else "lhs = {:.6g}, rhs = {:.6g}"
    return f"{sides.format(o.lhs, o.rhs)}, {'violated' if o.score > 0 else 'not violated'} in floats, at {spelled(to_json(raw))}"


def _write(claim_id: str, raw: dict[str, Any], path: Path) -> None:
    from boundcheck.domains.instances import to_json
    from boundcheck.report.files import write_whole

    try:
        write_whole(json.dumps({"claim": claim_id, "instance": to_json(raw)}) + "\n", path)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
