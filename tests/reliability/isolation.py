"""Functions of hostile things, each call in a process that may die: results in order, deaths included, time and memory bounded."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

SECONDS = 60
"""Of processor time, after which a call counts as hanging; ten times as many by the clock, for the machine may be busy."""

HANGS = (signal.SIGPROF, signal.SIGALRM)
MEMORY = 2 << 30
"""Bytes that the calls may take beyond what the process has."""


@dataclass(frozen=True)
class Died:
    """A call that ended its process."""

    signal: int

    def __str__(self) -> str:
        return f"hangs for {SECONDS} s" if self.signal in HANGS else f"ends the process with signal {self.signal}"


def each(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
    """function(item) of each item, or how it Died; an exception of the function is passed on."""
    done = 0
    while done < len(items):
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        if (pid := os.fork()) == 0:
            os.close(reading)
            _work(function, items[done:], writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            for result in _pickles(pipe):
                done += 1
                yield result
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            done += 1
            yield Died(os.WTERMSIG(status))
        elif status:
            raise RuntimeError("A worker failed; its traceback is above.")


def _pickles(pipe: Any) -> Iterator[Any]:
    while True:
        try:
            yield pickle.load(pipe)
        except EOFError:
            return


def _work(function: Callable[[Any], Any], items: Sequence[Any], writing: int) -> NoReturn:
    code = 1
    try:
        for number in HANGS:
            signal.signal(number, signal.SIG_DFL)
        now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() if os.path.exists("/proc/self/statm") else 0
        if now:
            resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
        with os.fdopen(writing, "wb") as pipe:
            for item in items:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                signal.alarm(10 * SECONDS)
                pickle.dump(function(item), pipe)
                pipe.flush()
        code = 0
    except BaseException:
        traceback.print_exc()
    leave(code)


def leave(code: int) -> NoReturn:
    """End a forked process; nothing that its parent put off for the end is done twice."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def peak_mib() -> float:
    """The most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
