"""A theorem's demand at a scene: the numbers it asks for, and why it may say nothing there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.audit.demand import Demand, Scene


class Reason(NamedTuple):
    """Why a theorem says nothing: H a hypothesis fails, T its bound is trivial, N it asks for n features or more."""

    letter: str
    text: str


@dataclass(frozen=True)
class Judged:
    """`printed` and each of `repaired`, by claim id, are numbers of features.

    `unmet` are hypotheses that fail, `vacuous` all reasons why the theorem as printed says nothing; `speaks` is the least and
    the largest of the ridges looked at where it says something, None if it does so at none.
    """

    demand: Demand
    printed: float
    repaired: dict[str, float]
    unmet: tuple[str, ...]
    vacuous: tuple[Reason, ...]
    speaks: tuple[float, float] | None


def judge_demand(demand: Demand, here: Scene, elsewhere: Sequence[Scene]) -> Judged:
    """The demand at `here`, and where among the scenes `elsewhere`, at other ridges, it says something."""
    repaired = {claim: number(features(here)) for claim, features in demand.repairs.items()}
    unmet = tuple(text for text, holds in demand.hypotheses.items() if not holds(here))
    ridges = [scene.lam for scene in elsewhere if not any(vacuities(demand, scene))]
    speaks = (min(ridges), max(ridges)) if ridges else None
    return Judged(demand, number(demand.features(here)), repaired, unmet, tuple(vacuities(demand, here)), speaks)


def vacuities(demand: Demand, scene: Scene) -> Iterator[Reason]:
    """Why the theorem as printed says nothing at the scene."""
    for text, holds in demand.hypotheses.items():
        if not holds(scene):
            yield Reason("H", f"its hypothesis {text} fails")
    for text, holds in demand.trivial.items():
        if holds(scene):
            yield Reason("T", f"its bound is trivial: {text}")
    if number(demand.features(scene)) >= scene.n:
        yield Reason("N", "it asks for as many features as there are points, or more")


def number(x: float) -> float:
    """A number of features: rounded up, at least 1."""
    return float(max(math.ceil(x), 1)) if math.isfinite(x) else math.inf
