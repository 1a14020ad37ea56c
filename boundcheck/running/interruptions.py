"""Ctrl-C: one process acts on it, always, and nothing swallows it."""

import _thread
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

PAUSE = 0.01
"""Seconds between two looks at what the main thread is doing."""


def interrupted(error: BaseException | None) -> bool:
    """Whether an interruption lies behind the error: a library may have turned Ctrl-C into an error of its own."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or interrupted(error.__cause__ or error.__context__))


@contextmanager
def never_swallowed() -> Iterator[None]:
    """An interruption that falls into a callback of the garbage collector, where Python ignores it, comes again when that is over."""
    before = sys.unraisablehook

    def hook(ignored: Any) -> None:
        if isinstance(ignored.exc_value, KeyboardInterrupt):
            threading.Thread(target=_again_after, args=(hook.__code__,), daemon=True).start()
        else:
            before(ignored)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def _again_after(hook: CodeType) -> None:
    """Interrupt the main thread once it has left the hook, in which another interruption would be ignored like the first."""
    main = threading.main_thread()
    while any(frame.f_code is hook for frame, _ in traceback.walk_stack(sys._current_frames().get(main.ident or 0))):
        time.sleep(PAUSE)
    time.sleep(PAUSE)  # we run since it waits for something, and a signal before it waits would not wake it
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main.ident or 0, signal.SIGINT)  # a signal ends a system call that waits; a flag would wait with it
    else:
        _thread.interrupt_main()


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
