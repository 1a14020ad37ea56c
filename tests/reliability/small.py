"""boundcheck with a quick plan that takes seconds; BOUNDCHECK_ORDER shuffles the order in which claims are judged."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

from boundcheck.checking.plan import PLANS, Plan
from boundcheck.commands.main import main
from boundcheck.running import Workers

SMALL = Plan("quick", instances=8, work=60, trials=1000, sampled_instances=2, confirmation_trials=10_000)


def boundcheck(arguments: list[str]) -> None:
    """The command line; ends with SystemExit."""
    PLANS["quick"] = SMALL
    if order := os.environ.get("BOUNDCHECK_ORDER"):
        _shuffle(random.Random(int(order)))
    main(arguments, prog_name="boundcheck")


def _shuffle(rng: random.Random) -> None:
    results = Workers.results

    def shuffled(self: Workers, tasks: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        keys = list(tasks)
        rng.shuffle(keys)
        return results(self, {key: tasks[key] for key in keys})

    Workers.results = shuffled  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    import sys

    boundcheck(sys.argv[1:])
