"""Many claims, kept as they finish, on any number of workers: here the workers, and what ends them.

Tasks run in processes of this machine, or on a cluster; whichever finishes first comes first. A lost worker
costs nothing, and one process alone acts on an interruption, which nothing swallows. Libraries of workers
are imported where a pool begins: commands start without them.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from socket import create_connection
from types import CodeType
from typing import Any, TypeVar, cast

from boundcheck import exits
from boundcheck.exits import Refused

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
        backend, _, where = (
            text.partition(":") if not text.isdecimal() else ("loky", "", text)
        )
        counted = where.isdecimal()
        if (
            backend not in BACKENDS
            or (backend == "loky" and not counted)
            or (counted and int(where) < 1)
        ):
            wanted = "write a number from 1 on, dask:ADDRESS or ray:ADDRESS"
            raise ValueError(f"{text!r} are no workers; {wanted}.")
        if counted or not where:
            return cls(int(where or os.cpu_count() or 1), backend)
        return cls(os.cpu_count() or 1, backend, where)

    def __str__(self) -> str:
        counted = "1 worker" if self.count == 1 else f"{self.count} workers"
        if self.scheduler:
            return f"{self.backend} at {self.scheduler}"
        return (
            counted
            if self.backend == "loky"
            else f"{counted} of {self.backend}"
        )

    def results(self, tasks: Mapping[Key, Task]) -> Iterator[tuple[Key, Any]]:
        """(key, result) of each task as it finishes, those of a lost worker run again. Raises NoWorkers."""
        if self.backend == "loky" and min(self.count, len(tasks)) <= 1:
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


def _run(
    key: Key, function: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[Key, Any]:
    return key, function(*args)


def _require(module: str, extra: str) -> None:
    if not find_spec(module):
        raise NoWorkers(
            f"There is no {extra} here; run pip install 'boundcheck[{extra}]'."
        )


def _lost_too_often(at: str) -> NoWorkers:
    return NoWorkers(
        f"Workers were lost {1 + MOST_LOSSES} times, at {at}; go on with --resume --workers 1."
    )


def _no_answer(of: str, workers: Workers, error: Exception) -> NoWorkers:
    instead = "start one, or give --workers a number"
    return NoWorkers(
        f"No {of} answers at {workers.scheduler}; {instead}. ({error})"
    )


def _unordered(tasks: Mapping[Key, Task]) -> Iterator[tuple[Key, Any]]:
    """Results of the active pool as they come."""
    import joblib
    from joblib import delayed

    # One task a message, for they last seconds; no memory maps: read-only arrays would recompile kernels.
    pool = cast(Any, joblib.Parallel)(
        return_as="generator_unordered", batch_size=1, max_nbytes=None
    )
    with deaf_to_interrupts():
        results = pool(
            [delayed(_run)(key, *task) for key, task in tasks.items()]
        )
    try:
        yield from results
    except KeyboardInterrupt:
        _end_workers()
        raise


def _end_workers() -> None:
    """The processes of this machine end now, in the middle of whatever they do."""
    from joblib.externals.loky.reusable_executor import _executor

    if _executor is not None:
        _executor.shutdown(wait=False, kill_workers=True)


def _lost() -> tuple[type[BaseException], ...]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    return (BrokenProcessPool,)


@contextmanager
def _dask(workers: Workers) -> Iterator[None]:
    """The cluster behind the scheduler, or one of this machine's own processes."""
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    try:
        own: dict[str, Any] = {
            "n_workers": workers.count,
            "threads_per_worker": 1,
            "dashboard_address": None,
        }
        cluster: Any = workers.scheduler or LocalCluster(**own)
        client = Client(cluster, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise _no_answer("Dask scheduler", workers, error) from None
    ours = nullcontext() if workers.scheduler else cluster
    with ours, client, parallel_config("dask", wait_for_workers_timeout=30):
        yield


def _on_ray(
    workers: Workers, tasks: Mapping[Key, Task]
) -> Iterator[tuple[Key, Any]]:
    """Results as they come from the cluster, or from this machine's processes; Ray runs lost tasks again."""
    _require("ray", "ray")
    import ray  # pyright: ignore[reportMissingImports]

    quiet: dict[str, Any] = {
        "include_dashboard": False,
        "log_to_driver": False,
        "logging_level": "ERROR",
    }
    host, _, port = (
        (workers.scheduler or "").removeprefix("ray://").rpartition(":")
    )
    try:
        if port.isdecimal():
            create_connection(
                (host, int(port)), PATIENCE
            ).close()  # Ray itself asks for more than a minute
        ray.init(
            workers.scheduler,
            num_cpus=None if workers.scheduler else workers.count,
            **quiet,
        )
    except (OSError, ValueError, OverflowError) as error:
        raise _no_answer("Ray cluster", workers, error) from None
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


@contextmanager
def now_and_then(
    tell: Callable[[float], object], wait: float, longest: float
) -> Iterator[None]:
    """Meanwhile `tell` the seconds since the start: after `wait` of them, then ever later to `longest`."""
    over, began = threading.Event(), time.monotonic()

    def running(wait: float = wait) -> None:
        while not over.wait(wait):
            tell(time.monotonic() - began)
            wait = min(2 * wait, longest)

    thread = threading.Thread(target=running, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


# the end of a claim that takes too long


class TimeUp(Exception):
    """A claim took longer than it was given."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise TimeUp after so many seconds, wherever Python then is; in the main thread of a process."""
    if seconds is None:
        yield
        return
    rung: list[int] = []

    def ring(number: int, _frame: object) -> None:
        rung.append(number)
        raise KeyboardInterrupt  # which nothing between here and there swallows

    before = signal.signal(signal.SIGALRM, ring)
    try:
        try:
            # Again each second, for the garbage collector ignores what is raised in its callbacks.
            signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        if rung:
            raise TimeUp from None
        raise
    finally:
        signal.signal(signal.SIGALRM, before)


# Ctrl-C and SIGTERM: one process acts on it, always, and nothing swallows it


_terminated = threading.Event()


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM, which `timeout`, CI and docker send, ends what is done here as Ctrl-C does."""

    def end(number: int, _frame: object) -> None:
        _terminated.set()
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _terminated.clear()
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def how_it_ended() -> tuple[str, int]:
    """What is said of an interruption, and its exit code."""
    if _terminated.is_set():
        return "Terminated", exits.TERMINATED
    return "Interrupted", exits.INTERRUPTED


PAUSE = 0.01
"""Seconds between two looks at what the main thread is doing."""


def interrupted(error: BaseException | None) -> bool:
    """Whether an interruption lies behind the error: a library may have made its own error of Ctrl-C."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return interrupted(error.__cause__ or error.__context__)


@contextmanager
def never_swallowed() -> Iterator[None]:
    """An interruption in a callback of the garbage collector, where Python ignores it, comes again."""
    before = sys.unraisablehook

    def hook(ignored: sys.UnraisableHookArgs) -> None:
        if isinstance(ignored.exc_value, KeyboardInterrupt):
            threading.Thread(
                target=_again_after, args=(hook.__code__,), daemon=True
            ).start()
        else:
            before(ignored)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def _again_after(hook: CodeType) -> None:
    """Interrupt the main thread once it has left the hook, in which this one too would be ignored."""
    main = threading.main_thread().ident or 0
    while any(
        frame.f_code is hook
        for frame, _ in traceback.walk_stack(sys._current_frames().get(main))
    ):
        time.sleep(PAUSE)
    time.sleep(
        PAUSE
    )  # we run since it waits for something, and a signal before it waits would not wake it
    if hasattr(signal, "pthread_kill"):
        # A signal ends a system call that waits; a flag would wait with it.
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C: this process alone acts on it, once they are started."""
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import (
        resource_tracker as resource_tracker_of_loky,
    )

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    for tracker in (resource_tracker, resource_tracker_of_loky):
        tracker.ensure_running()  # when they start they unblock signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
