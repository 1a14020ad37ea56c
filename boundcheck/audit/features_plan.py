"""The question of `boundcheck plan`: how many features does each theorem demand for this eps, delta and lam?"""

from __future__ import annotations

import math

from boundcheck.audit.demand import Demand, Scene
from boundcheck.audit.judged import judge_demand, number
from boundcheck.audit.plan import AuditPlan
from boundcheck.audit.sentences import shown
from boundcheck.data import DataSet

COLUMNS = ("theorem", "features", "as printed", "as repaired", "if")


def scene_of_numbers(n: int, d_K: float, lam: float | None, eps: float, delta: float) -> Scene:
    """The scene of which only n and the effective dimension are known. Raises ValueError."""
    lam = lam or 1 / math.sqrt(n)
    AuditPlan(lam=lam, eps=eps, delta=delta)
    if not 0 < d_K <= min(n, 1 / lam):
        raise ValueError(f"With k(x, x) = 1 the effective dimension is at most min(n, 1 / lam) = {min(n, 1 / lam):.6g}; {d_K:g} is not.")
    return Scene.at_worst(n, lam, d_K, eps, delta)


def scene_of_data(data: DataSet, lam: float | None, eps: float, delta: float) -> Scene:
    """The scene of a data set, with the kernel and bandwidth that an audit takes. Raises ValueError, DataError."""
    from boundcheck.audit.run import scene_of

    return scene_of(data, AuditPlan(lam=lam, eps=eps, delta=delta))


def rows(demands: list[Demand], scene: Scene, known: bool) -> list[tuple[str, ...]]:
    """What each theorem asks for, under COLUMNS; hypotheses are judged where data are `known`, else told."""
    return [_row(demand, scene, known) for demand in demands]


def _row(demand: Demand, scene: Scene, known: bool) -> tuple[str, ...]:
    repaired = "; ".join(f"{shown(number(f(scene)))} ({claim.split('.', 1)[1]})" for claim, f in demand.repairs.items()) or "-"
    unmet = judge_demand(demand, scene, ()).unmet
    told = [f"{text}{(' (fails)' if text in unmet else ' (holds)') if known else ''}" for text in demand.hypotheses]
    return demand.claim, demand.sampling, shown(number(demand.features(scene))), repaired, "; ".join(told) or "-"


def setting(scene: Scene, known: bool) -> str:
    """The sentence above the table."""
    numbers = f"n = {scene.n}, lam = {scene.lam:.4g}, effective dimension {scene.d_K:.4g}, eps = {scene.eps:g}, delta = {scene.delta:g}"
    assumed = "" if known else "; ||K|| / n = 1, y^T K y / n^2 = 1 and Q = 1 / (4 lam), the largest there are, stand for what is not known"
    return f"Features that each theorem asks for at {numbers}{assumed}."
