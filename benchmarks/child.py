"""One task on one core, printed as JSON: `python -m benchmarks.child TASK ROUNDS [--quick]`, started by `python -m benchmarks`."""

import json
import os
import sys


def pin() -> None:
    """One core for this process: no peer's thread pool can spread, and CPU time is the work done."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(key: str, rounds: str, *flags: str) -> None:
    pin()
    import benchmarks.tasks  # noqa: F401  (registers the tasks)
    from benchmarks.rounds import measure
    from benchmarks.task import TASKS, optional

    if torch := optional("torch"):
        torch.set_num_threads(1)
    print(json.dumps(measure(TASKS[key], "--quick" in flags, int(rounds))))


if __name__ == "__main__":
    main(*sys.argv[1:])
