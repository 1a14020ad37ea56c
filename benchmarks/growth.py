"""How time and memory grow with n, s and the number of trials, each size in a process of its own, printed as JSON."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.child import pin


@dataclass(frozen=True)
class Growth:
    """`run(size)` prepares and returns the call to be timed; theory is the exponent of its time."""

    what: str
    variable: str
    theory: float
    sizes: tuple[int, ...]
    run: Callable[[int], Callable[[], object]]


def _features(n: int, s: int) -> Callable[[], object]:
    from benchmarks.tasks.design import Design
    from boundcheck.features.kernels import FourierFeatures

    design = Design.draw(n, 10, s)
    features = FourierFeatures(design.turns, design.phases)
    return lambda: features.of(design.X)


def _kernel(n: int) -> Callable[[], object]:
    from boundcheck.features.kernels import Gaussian

    X = np.random.default_rng(0).normal(size=(n, 10))
    return lambda: Gaussian(3.0).matrix(X, X)


def _kernel_ridge(n: int) -> Callable[[], object]:
    from boundcheck.features.kernels import Gaussian
    from boundcheck.features.ridge import Problem, kernel_ridge

    X = np.random.default_rng(0).normal(size=(n + 10, 10))
    problem = Problem(X[:n], np.sin(X[:n]).sum(axis=1), X[n:], Gaussian(3.0))
    return lambda: kernel_ridge(problem, np.array([1e-3]))


def _leverage(n: int, s: int) -> Callable[[], object]:
    from benchmarks.tasks.design import Design
    from boundcheck.features.leverage import ridge_leverage_scores

    design = Design.draw(n, 10, s)
    Z, p = np.sqrt(2) * np.cos(design.X @ design.W.T + design.b), np.full(s, 1 / s)
    return lambda: ridge_leverage_scores(Z, p, design.K, design.ridge)


def _deviations(draws: int) -> Callable[[], object]:
    from boundcheck.features.deviation import block_deviation
    from boundcheck.features.pools import WeightedFeatures

    rng = np.random.default_rng(0)
    case = WeightedFeatures(1, rng.normal(size=(3, 3)), np.full(3, 1 / 3), 1e-3, np.ones(3))
    counts = rng.multinomial(300, case.q, draws)
    return lambda: block_deviation(case, counts, 300, True)


def _tail(s: int) -> Callable[[], object]:
    from boundcheck.features.counts import some_count_outside

    return lambda: some_count_outside(s, s // 100, 0, 160)


GROWTHS = (
    Growth("Fourier features, s = 1000", "n", 1, (1000, 2000, 5000, 10_000), lambda n: _features(n, 1000)),
    Growth("Fourier features, n = 1000", "s", 1, (1000, 2000, 5000, 10_000), lambda s: _features(1000, s)),
    Growth("Gaussian kernel matrix", "n", 2, (1000, 2000, 5000, 10_000), _kernel),
    Growth("kernel ridge regression", "n", 3, (1000, 2000, 5000), _kernel_ridge),
    Growth("leverage scores, s = 5000", "n", 2, (250, 500, 1000, 2000), lambda n: _leverage(n, 5000)),
    Growth("leverage scores, n = 500", "s", 1, (1000, 2000, 5000, 10_000), lambda s: _leverage(500, s)),
    Growth("deviations of a 3 x 3 block", "draws", 1, (10_000, 20_000, 50_000, 100_000), _deviations),
    Growth("multinomial tail, s / 100 cells", "s", 1, (10_000, 20_000, 50_000, 100_000), _tail),
)


def measure(index: int, size: int) -> tuple[float, float]:
    """CPU seconds of the call when it has run once, and peak megabytes of the process."""
    pin()
    call = GROWTHS[index].run(size)
    call()
    repeats = 0
    start = time.process_time()
    while not repeats or (time.process_time() - start < 0.1 and repeats < 20):
        call()
        repeats += 1
    seconds = (time.process_time() - start) / repeats
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return seconds, kilobytes / (1024 if sys.platform != "darwin" else 1024**2)


def exponent(sizes: tuple[int, ...], seconds: list[float]) -> float:
    """Slope of log time over log size on the larger half of the sizes, where fixed costs no longer matter."""
    half = len(sizes) // 2
    return float(np.polyfit(np.log(sizes[half:]), np.log(seconds[half:]), 1)[0])


def main(*arguments: str) -> None:
    if len(arguments) == 2:
        print(json.dumps(measure(int(arguments[0]), int(arguments[1]))))
        return
    parts = []
    for index, growth in enumerate(GROWTHS):
        sizes = growth.sizes[:3] if "--quick" in arguments else growth.sizes
        found = [_apart(index, size) for size in sizes]
        facts = {name: value for name, value in asdict(growth).items() if name != "run"}
        times = [seconds for seconds, _ in found]
        parts.append({**facts, "sizes": sizes, "seconds": times, "megabytes": [mb for _, mb in found], "exponent": exponent(sizes, times)})
    print(json.dumps(parts))


def _apart(index: int, size: int) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.growth", str(index), str(size)]
    return json.loads(subprocess.run(command, env=os.environ, stdout=subprocess.PIPE, check=True, text=True).stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
