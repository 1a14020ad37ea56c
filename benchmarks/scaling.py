"""What a grid of s costs over its largest s, and the clock time that a second worker or thread saves, printed as JSON."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from benchmarks.startup import fact

Call = Callable[[], Any]
Clock = Callable[[], float]
SIZES = (100, 200, 400, 800, 1600, 3200)
TRIALS, COUNT = 16, 40_000_000


def ratio(one: Call, other: Call, clock: Clock, rounds: int) -> float:
    """Median over interleaved rounds of the time of `one` over that of `other`, both having run once."""
    one()
    other()
    return statistics.median(_seconds(one, clock) / _seconds(other, clock) for _ in range(rounds))


def _seconds(call: Call, clock: Clock) -> float:
    start = clock()
    call()
    return clock() - start


def deviations(sizes: Sequence[int]) -> Call:
    """A trial of the audit: whether the deviation of one draw is within eps, at each s."""
    from boundcheck.features.audit.needed import Draws, Whitening, exceedances, pivoted_cholesky
    from boundcheck.features.audit.run import CUT
    from boundcheck.features.kernels import Gaussian

    spectrum = pivoted_cholesky(Gaussian(2.0), np.random.default_rng(0).normal(size=(1000, 2)), 0.1, 1000)
    assert spectrum is not None
    draws = Draws(Whitening(spectrum, 0.05, CUT * 0.5), "plain", 0)
    return lambda: exceedances(draws, 0.5, list(sizes), 0)


def regressions(sizes: Sequence[int]) -> Call:
    """Ridge regression on one draw of features at each s and the ridges of `boundcheck sweep`."""
    from boundcheck.features.ridge import feature_predictions

    problem, lams = _problem(), np.array([0.2, 1.0, 5.0]) / 500**0.5
    return lambda: feature_predictions(problem, problem.features(sizes[-1], 0, 0), tuple(sizes), lams)


def _problem() -> Any:
    from boundcheck.features.kernels import Gaussian
    from boundcheck.features.ridge import Problem

    n, X = 500, np.random.default_rng(0).normal(size=(1000, 10))
    return Problem(X[:n], np.sin(X[:n]).sum(axis=1), X[n:], Gaussian(3.0))


def repeats(workers: int) -> Call:
    """The repeats of a sweep on so many workers."""
    from boundcheck.running import Workers
    from theory.wang2019.sweep.plan import SweepPlan
    from theory.wang2019.sweep.run import repeat_errors

    arguments = _problem(), SweepPlan(sizes=SIZES), np.zeros((500, 3))
    tasks = {r: (repeat_errors, (*arguments, r)) for r in range(TRIALS)}
    return lambda: list(Workers(workers).results(tasks))


def trials(threads: int) -> Call:
    """Draws of features on so many threads."""
    from benchmarks.growth import _features

    call = _features(1000, 1000)

    def share(_: int) -> None:
        for _ in range(4 * TRIALS // threads):
            call()

    def run() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(share, range(threads)))

    return run


def strangers(processes: int) -> Call:
    """Counting, by processes that share nothing but the machine: what a second core brings at the moment."""
    command = [sys.executable, "-c", f"for _ in range({COUNT // processes}): pass"]

    def run() -> None:
        started = [subprocess.Popen(command) for _ in range(processes)]
        for process in started:
            process.wait()

    return run


def largest(call: Callable[[Sequence[int]], Call], clock: Clock, rounds: int) -> float:
    return ratio(call(SIZES), call(SIZES[-1:]), clock, rounds)


def main(*arguments: str) -> None:
    rounds = 3 if "--quick" in arguments else 7
    cpu, wall = time.process_time, time.perf_counter
    facts = {
        "a trial of the audit at 6 values of s to 3200, over 3200 alone": fact(largest(deviations, cpu, rounds), "times the CPU", 1.5),
        "regressions at the same, over 3200 alone": fact(largest(regressions, cpu, rounds), "times the CPU", 1.5),
        "two processes that share nothing, over one": fact(ratio(strangers(2), strangers(1), wall, rounds), "times the clock", 0.6),
        "a sweep on two workers, over one": fact(ratio(repeats(2), repeats(1), wall, rounds), "times the clock", 0.6),
        "Fourier features on two threads, over one": fact(ratio(trials(2), trials(1), wall, rounds), "times the clock", 0.6),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main(*sys.argv[1:])
