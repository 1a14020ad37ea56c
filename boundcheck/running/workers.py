"""Where tasks run: processes of this machine, or a cluster; whichever finishes first comes first.

A lost worker costs nothing. Libraries of workers are imported where a pool begins: commands start without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
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
        raise NoWorkers(f"Workers were lost {1 + MOST_LOSSES} times, at {min(left)} or beside it; go on with --resume --workers 1.")

    def _pool(self) -> AbstractContextManager[Any]:
        from joblib import parallel_config

        if self.backend == "loky":
            return parallel_config("loky", n_jobs=self.count)
        if not find_spec("distributed" if self.backend == "dask" else self.backend):
            raise NoWorkers(f"There is no {self.backend} here; run pip install 'boundcheck[{self.backend}]'.")
        return _dask(self) if self.backend == "dask" else _ray(self)


ALONE = Workers()


def _run(key: Key, function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Key, Any]:
    return key, function(*args)


def _unordered(tasks: Mapping[Key, Task]) -> Iterator[tuple[Key, Any]]:
    """Results of the active pool as they come; in batches where it gives none before all are there."""
    import joblib
    from joblib import delayed
    from joblib.parallel import get_active_backend

    active: Any = get_active_backend()
    (backend, count), Parallel = active, cast(Any, joblib.Parallel)
    calls = iter([delayed(_run)(key, *task) for key, task in tasks.items()])
    if backend.supports_return_generator:
        # One task a message, for these last seconds; no memory maps, for read-only arrays would recompile kernels.
        pool = Parallel(return_as="generator_unordered", batch_size=1, max_nbytes=None)
        with deaf_to_interrupts():
            results = pool(calls)
        yield from results
        return
    pool = Parallel(batch_size=1)
    while batch := list(islice(calls, 4 * max(count, 1))):
        yield from pool(batch)


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
        raise NoWorkers(f"No Dask scheduler answers at {workers.scheduler}; start one, or leave out --scheduler. ({error})") from None
    with nullcontext() if workers.scheduler else cluster, client, parallel_config("dask", wait_for_workers_timeout=30):
        yield


@contextmanager
def _ray(workers: Workers) -> Iterator[None]:
    """The cluster at the address, or one of this machine's own processes."""
    import ray  # pyright: ignore[reportMissingImports]
    from joblib import parallel_config
    from ray.util.joblib import register_ray  # pyright: ignore[reportMissingImports]

    try:
        ray.init(workers.scheduler, num_cpus=None if workers.scheduler else workers.count, include_dashboard=False, log_to_driver=False)
    except (ConnectionError, ValueError) as error:
        raise NoWorkers(f"No Ray cluster answers at {workers.scheduler}; start one, or leave out --scheduler. ({error})") from None
    register_ray()
    try:
        with parallel_config("ray", n_jobs=-1 if workers.scheduler else workers.count):
            yield
    finally:
        ray.shutdown()
