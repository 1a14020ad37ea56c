"""The exit codes, one meaning each, and what an interruption is."""

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FINE = 0
"""Nothing that was asked about failed."""

WORSE = 1
"""A claim is refuted, or a verdict is worse than its baseline."""

USAGE = 2
"""Something was asked wrongly; nothing ran."""

UNDECIDED = 3
"""Something stays open where a decision was demanded."""

UNTRUSTWORTHY = 4
"""The engine contradicts itself; its verdicts count for nothing."""

NOTHING = 5
"""Nothing was selected."""

INTERRUPTED = 130
"""The user interrupted; what was done is kept."""


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
