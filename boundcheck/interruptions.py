"""Ctrl-C: one process acts on it, always, and nothing swallows it."""

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def interrupted(error: BaseException | None) -> bool:
    """Whether an interruption lies behind the error: a library may have turned Ctrl-C into an error of its own."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or interrupted(error.__cause__ or error.__context__))


@contextmanager
def never_swallowed() -> Iterator[None]:
    """An interruption that falls into a callback of the garbage collector, where Python ignores it, comes again a little later."""
    before = sys.unraisablehook

    def hook(ignored: Any) -> None:
        if isinstance(ignored.exc_value, KeyboardInterrupt):
            threading.Timer(0.01, _thread.interrupt_main).start()
        else:
            before(ignored)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C: it is for this process alone to act on, once they are started."""
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as resource_tracker_of_loky

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
