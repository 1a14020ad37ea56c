"""Start-up times, threads inside workers, and what a second worker costs the first, printed as JSON."""

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

FIRST_KERNEL = "import numpy as np; from boundcheck.features.kernels import Gaussian; X = np.eye(8); Gaussian(1.0).matrix(X, X)"
THEOREM = '''"""A theorem whose sampler writes down how many threads its libraries may use."""
import os
from pathlib import Path
import numpy as np
from threadpoolctl import threadpool_info
from boundcheck import P, Unit, quantity, theorem

@theorem("Threads")
def threads(p: Unit):
    """A uniform number is below 2."""
    def sample(rng, size):
        np.ones((64, 64)) @ np.ones((64, 64))
        most = max(pool["num_threads"] for pool in threadpool_info())
        (Path(__file__).parent / f"{os.getpid()}.threads").write_text(str(most))
        return rng.normal(size=size)
    return P(quantity(sample) <= 100.0) >= 1 - 0.5 * p
'''


def fact(value: float, unit: str, limit: float) -> dict[str, Any]:
    return {"value": value, "unit": unit, "limit": limit}


def seconds(*command: str) -> float:
    """The quickest of five runs, by the clock, files being warm."""
    return min(_once(command) for _ in range(5))


def _once(command: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def threads_in_workers(workers: int) -> int:
    """The largest thread pool that a sampler sees in `boundcheck check --workers`, no environment variable helping."""
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "threads.py")
        file.write_text(THEOREM, encoding="utf-8")
        command = [sys.executable, "-m", "boundcheck.commands.main", "check", str(file), "--workers", str(workers), "--reports", folder]
        subprocess.run([*command, "--fail-on", "none"], check=True, stdout=subprocess.DEVNULL, env=free)
        return max(int(path.read_text()) for path in Path(folder).glob("*.threads"))


def inflation() -> float:
    """CPU time of a trial when two threads run trials, over that when one does: 1 where workers do not disturb each other."""
    from benchmarks.growth import _features

    call = _features(1000, 1000)
    call()
    alone, together = [], []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(9):
            alone.append(_cpu(lambda: [_repeat(call, 20), _repeat(call, 20)]))
            together.append(_cpu(lambda: list(pool.map(_repeat, [call, call], [20, 20]))))
    return float(np.median(together) / np.median(alone))


def _repeat(call: Any, times: int) -> None:
    for _ in range(times):
        call()


def _cpu(call: Any) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main(*_: str) -> None:
    facts = {
        "boundcheck --help": fact(seconds("-m", "boundcheck.commands.main", "--help"), "s", 0.3),
        "import boundcheck": fact(seconds("-c", "import boundcheck"), "s", 1.5),
        "first kernel call, code from cache": fact(seconds("-c", FIRST_KERNEL), "s", 1.5),
        "threads of a library in one worker": fact(threads_in_workers(1), "", 1),
        "threads of a library in two workers": fact(threads_in_workers(2), "", 1),
        "CPU time of two threads over one": fact(inflation(), "times", 1.18),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main(*sys.argv[1:])
