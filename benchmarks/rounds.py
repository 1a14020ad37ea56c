"""CPU times in interleaved rounds: every round runs every contender, so that what disturbs one disturbs all."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.task import OURS, PLAIN, Contender, Task

LEAST = 0.01  # CPU seconds of one measurement: shorter calls are repeated


@dataclass(frozen=True)
class Timing:
    """CPU seconds of one call, in each round."""

    seconds: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def over(self, other: "Timing") -> list[float]:
        """Median and quartiles of the ratios, round by round."""
        ratios = [a / b for a, b in zip(self.seconds, other.seconds)]
        return [float(x) for x in np.quantile(ratios, [0.5, 0.25, 0.75])]


def measure(task: Task, quick: bool, rounds: int) -> dict[str, Any]:
    """Times and ratios of one task. Raises ValueError where a contender's numbers are not ours."""
    contenders = list(task.build(quick))
    difference = agreement(contenders, task.tolerance)
    timings = interleaved(contenders, rounds)
    peers = {name: timing.over(timings[OURS]) for name, timing in timings.items() if name != OURS}
    plain = [ratio for name, (ratio, *_) in peers.items() if name.split(",")[0] in PLAIN]
    return {
        "task": task.name,
        "key": task.key,
        "size": task.size,
        "seconds": {name: timing.median for name, timing in timings.items()},
        "ratios": peers,
        "best": min((ratio for ratio, *_ in peers.values()), default=None),
        "plain": min(plain, default=None),
        "target": {"best": task.best, "plain": task.plain},
        "difference": difference,
    }


def interleaved(contenders: Sequence[Contender], rounds: int) -> dict[str, Timing]:
    """Time each call in every round, starting each round with another one. The calls must have run before."""
    repeats = {c.name: max(1, round(LEAST / max(_seconds(c.call, 1), 1e-6))) for c in contenders}
    seconds: dict[str, list[float]] = {c.name: [] for c in contenders}
    for i in range(rounds):
        first = i % len(contenders)
        for c in [*contenders[first:], *contenders[:first]]:
            seconds[c.name].append(_seconds(c.call, repeats[c.name]))
    return {name: Timing(times) for name, times in seconds.items()}


def _seconds(call: Callable[[], Any], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def agreement(contenders: Sequence[Contender], tolerance: float) -> float:
    """The largest difference from our result, relative to its largest entry."""
    results = {c.name: np.asarray(c.read(c.call()), dtype=float) for c in contenders}
    ours = results[OURS]
    scale = float(np.abs(ours).max()) or 1.0
    differences = {name: float(np.abs(result - ours).max()) / scale for name, result in results.items()}
    worst = max(differences, key=differences.__getitem__)
    if not differences[worst] <= tolerance:
        raise ValueError(f"{worst} differs from {OURS} by {differences[worst]:.1e}, more than {tolerance:.0e}.")
    return differences[worst]
