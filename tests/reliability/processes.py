"""boundcheck in a process of its own, warm (forked) or cold (a new interpreter), and what came of it."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from .isolation import leave
from .small import SMALL, boundcheck

PROGRAM = Path(__file__).with_name("small.py")
PATIENCE = 120.0
"""Seconds after which a process hangs."""


@dataclass(frozen=True)
class Run:
    """A process that leads its own group, and the end of the pipe that it prints to."""

    pid: int
    pipe: int

    def send(self, number: int) -> None:
        """An interrupt goes to the whole group, as from a terminal; other signals to the process alone."""
        (os.killpg if number == signal.SIGINT else os.kill)(self.pid, number)

    def end(self, patience: float = PATIENCE) -> Ended:
        """Wait for the end, and read on the way what is printed; afterwards nothing of the group is left."""
        code, said, last = None, b"", time.monotonic() + patience
        os.set_blocking(self.pipe, False)
        while code is None and time.monotonic() < last:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            code = os.waitstatus_to_exitcode(status) if done else None
            said += self._printed()
            time.sleep(0 if done else 0.005)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if code is None:
            os.waitpid(self.pid, 0)
        said += self._printed()
        os.close(self.pipe)
        return Ended(code, " ".join(said.decode(errors="replace").split()))

    def _printed(self) -> bytes:
        """What is in the pipe, which must not fill up."""
        pieces = []
        with suppress(BlockingIOError):
            while piece := os.read(self.pipe, 1 << 16):
                pieces.append(piece)
        return b"".join(pieces)


@dataclass(frozen=True)
class Ended:
    """The exit code, negative for a signal, None for a process that hung; and all that it printed, on one line."""

    code: int | None
    said: str


def start(arguments: list[str], folder: Path, *, cold: bool = False, first: Callable[[], object] = lambda: None) -> Run:
    """Run `boundcheck ARGUMENTS` in a folder; `first` is called in the new process."""
    folder.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(arguments, folder, writing, cold, first)
    os.close(writing)
    with suppress(PermissionError, ProcessLookupError):
        os.setpgid(pid, pid)  # in both processes, whichever comes first
    return Run(pid, reading)


def _become(arguments: list[str], folder: Path, writing: int, cold: bool, first: Callable[[], object]) -> NoReturn:
    code = 99
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell ignores it
        os.chdir(folder)
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        first()
        if cold:
            os.execv(sys.executable, [sys.executable, str(PROGRAM), *arguments])
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        boundcheck(arguments)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except KeyboardInterrupt:
        code = 130  # before boundcheck began, or after it ended
    except BaseException:
        traceback.print_exc()
    leave(code)


def warm() -> None:
    """Check once in this process, so that all is imported and compiled, and forks start at once."""
    from importlib import import_module

    from boundcheck.checking.judge import judge

    import_module("boundcheck.commands.check")
    for claim in import_module("boundcheck.words.loading").load_claims(PROGRAM.with_name("mixed.py")):
        judge(claim, SMALL, 1e-6)
