"""Where tasks run: processes of this machine, or a cluster; whichever finishes first comes first.

A lost worker costs nothing. Libraries of workers are imported where a pool begins: commands start without them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from socket import create_connection
from typing import Any, TypeVar, cast

from boundcheck.exits import Refused
from boundcheck.running.interruptions import deaf_to_interrupts

BACKENDS = ("loky", "dask", "ray")

PATIENCE = 10.0
"""Seconds in which a scheduler has to answer."""

MOST_LOSSES = 3
"""After so many lost workers a task is taken to kill whoever runs it."""

Key = TypeVar("Key", str, int)
Task = tuple[Callable[..., Any], tuple[Any, ...]]


class NoWorkers(Refused):
    """There is no pool of workers, or it keeps losing them; the message says what to do."""


@dataclass(frozen=True)
class Workers:
    """A pool: so many processes of a backend, or all of the cluster behind a scheduler's address."""

    count: int = 1
    backend: str = "loky"
    scheduler: str | None = None

    @classmethod
    def of(cls, text: str) -> Workers:
        """The workers that 8, dask:ADDRESS, ray:ADDRESS, dask:8 or ray:8 name. Raises ValueError."""
        backend, _, where = text.partition(":") if not text.isdecimal() else ("loky", "", text)
        if backend not in BACKENDS or (backend == "loky" and not where.isdecimal()) or (where.isdecimal() and int(where) < 1):
            raise ValueError(f"{text!r} are no workers; write a number from 1 on, dask:ADDRESS or ray:ADDRESS.")
        if where.isdecimal() or not where:
            return cls(int(where or os.cpu_count() or 1), backend)
        return cls(os.cpu_count() or 1, backend, where)

    def __str__(self) -> str:
        counted = "1 worker" if self.count == 1 else f"{self.count} workers"
        if self.scheduler:
            return f"{self.backend} at {self.scheduler}"
        return counted if self.backend == "loky" else f"{counted} of {self.backend}"

    def results(self, tasks: Mapping[Key, Task]) -> Iterator[tuple[Key, Any]]:
        """(key, result) of every task in the order they finish; tasks of a lost worker are run again. Raises NoWorkers."""
        if self.backend == "loky" and self.count == 1:
            yield from (_run(key, *task) for key, task in tasks.items())
            return
        if self.backend == "ray":
            yield from _on_ray(self, tasks)
            return
        left = dict(tasks)
        with self._pool():
            for _ in range(1 + MOST_LOSSES):
                try:
                    for key, result in _unordered(left):
                        del left[key]
                        yield key, result
                    return
                except _lost():
                    continue
        raise _lost_too_often(f"{min(left)} or beside it")

    def _pool(self) -> AbstractContextManager[Any]:
        from joblib import parallel_config

        if self.backend == "loky":
            return parallel_config("loky", n_jobs=self.count)
        _require("distributed", "dask")
        return _dask(self)


ALONE = Workers()


def _run(key: Key, function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Key, Any]:
    return key, function(*args)


def _require(module: str, extra: str) -> None:
    if not find_spec(module):
        raise NoWorkers(f"There is no {extra} here; run pip install 'boundcheck[{extra}]'.")


def _lost_too_often(at: str) -> NoWorkers:
    return NoWorkers(f"Workers were lost {1 + MOST_LOSSES} times, at {at}; go on with --resume --workers 1.")


def _unordered(tasks: Mapping[Key, Task]) -> Iterator[tuple[Key, Any]]:
    """Results of the active pool as they come."""
    import joblib
    from joblib import delayed

    # One task a message, for these last seconds; no memory maps, for read-only arrays would recompile kernels.
    pool = cast(Any, joblib.Parallel)(return_as="generator_unordered", batch_size=1, max_nbytes=None)
    with deaf_to_interrupts():
        results = pool([delayed(_run)(key, *task) for key, task in tasks.items()])
    yield from results


def _lost() -> tuple[type[BaseException], ...]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    return (BrokenProcessPool,)


@contextmanager
def _dask(workers: Workers) -> Iterator[None]:
    """The cluster behind the scheduler, or one of this machine's own processes."""
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    try:
        own: dict[str, Any] = {"n_workers": workers.count, "threads_per_worker": 1, "dashboard_address": None}
        cluster: Any = workers.scheduler or LocalCluster(**own)
        client = Client(cluster, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise NoWorkers(f"No Dask scheduler answers at {workers.scheduler}; start one, or give --workers a number. ({error})") from None
    with nullcontext() if workers.scheduler else cluster, client, parallel_config("dask", wait_for_workers_timeout=30):
        yield


def _on_ray(workers: Workers, tasks: Mapping[Key, Task]) -> Iterator[tuple[Key, Any]]:
    """Results as they come from the cluster at the address, or one of this machine's own processes; Ray runs lost tasks again."""
    _require("ray", "ray")
    import ray  # pyright: ignore[reportMissingImports]

    own = None if workers.scheduler else workers.count
    host, _, port = (workers.scheduler or "").removeprefix("ray://").rpartition(":")
    try:
        if port.isdecimal():
            create_connection((host, int(port)), PATIENCE).close()  # Ray itself asks for more than a minute
        ray.init(workers.scheduler, num_cpus=own, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, OverflowError) as error:
        raise NoWorkers(f"No Ray cluster answers at {workers.scheduler}; start one, or give --workers a number. ({error})") from None
    try:
        run: Any = ray.remote(num_cpus=1, max_retries=MOST_LOSSES)(_run)
        waiting = {run.remote(key, *task): key for key, task in tasks.items()}
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            key = waiting.pop(done)
            try:
                yield ray.get(done)
            except ray.exceptions.WorkerCrashedError:
                raise _lost_too_often(str(key)) from None
    finally:
        ray.shutdown()
