"""How long bodies run: sizes are tried from small ones up; those that take too long are left out, and it is said.

This is the one place that looks at a clock, for no count sees all that a body may do. A body that ends soon is
never told apart from another one, so that its verdict repeats.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf
from types import FrameType
from typing import Any

from boundcheck.checking.plan import Plan
from boundcheck.domains import Raw
from boundcheck.domains.domain import named_dims
from boundcheck.domains.instances import build
from boundcheck.tape.program import Tape, during
from boundcheck.verifier.limits import MOST_NODES
from boundcheck.words.claims import Claim
from boundcheck.words.hypotheses import AS_PRINTED, OutOfReach, asking
from boundcheck.words.meaning import BrokenClaim

SECONDS, GIVEN = 2e-3, 16.0
"""Processor time that all runs of a body have for each unit of work, and that they have anyway."""

LONGEST = 2.0
"""Seconds of one run."""

GROWTH = 16
"""Twice the size may take so many times as long: four loops inside each other."""

HALVINGS = 5
"""How often what takes all of the time is made smaller, and given half of it anew, before no more is run."""


NODES, SHORT = 50, 5000
"""Operations that all recordings of a body may have for each unit of work, and those that each may have anyway."""


class TooLong(OutOfReach):
    """A body takes too long on an instance."""


@dataclass
class Pace:
    """The seconds that all runs of one body are given, and what they have shown of its sizes."""

    claim: Claim
    given: float
    nodes: float
    """Operations that are left to recordings."""
    most: float = inf
    """The largest size that is run; a size is the largest whole number among the parameters."""
    tried: int = 1
    """The largest size that has been run."""
    met: int = 1
    """The largest one since the seconds were given."""
    ended: bool = False
    """Whether a run came to its end: then one that does not is merely long."""
    left_out: bool = False

    def __post_init__(self) -> None:
        self.left, self.least = self.given, self.given / 2**HALVINGS

    @cached_property
    def wholes(self) -> dict[str, int]:
        """The parameters that are whole numbers but no dimensions, and the least value of each."""
        parameters = self.claim.parameters
        return {
            name: ceil(domain.chart.low)
            for name, domain in parameters.items()
            if domain.is_integer and name not in named_dims(parameters)
        }

    @property
    def sentence(self) -> str:
        """What has been left out; empty if nothing has."""
        if not self.left_out:
            return ""
        if not self.most:
            return "the search ended early, for the body takes too long to run"
        if self.most == inf:
            return "instances that take too long to run are left out"
        several = len(self.wholes) > 1
        sizes = "whole numbers" if several else next(iter(self.wholes))
        return f"{sizes} to {self.most}; larger ones take too long to run"

    def run(self, raw: Mapping[str, Raw]) -> Any:
        """What the body returns on an instance. Raises TooLong, and what the body raises."""
        size = self._size(raw)
        while 2 * self.tried < size <= self.most:
            self._try(raw, 2 * self.tried)
        if size > self.most:
            self.left_out = True
            raise TooLong(self.sentence)
        return self._timed(raw, size)

    def _size(self, raw: Mapping[str, Raw]) -> int:
        return max([1, *(int(raw[name]) for name in self.wholes)])

    def _try(self, raw: Mapping[str, Raw], size: int) -> None:
        """Run with whole numbers no larger than a size, to see whether larger ones may be run."""
        smaller = dict(raw)
        for name, least in self.wholes.items():
            smaller[name] = max(min(raw[name], size), least)
        # The first run may compile what is compiled once.
        if self._takes_long(smaller) and self._takes_long(smaller):
            self.most = min(self.most, size)
        self.tried = max(self.tried, size)

    def _takes_long(self, raw: Mapping[str, Raw]) -> bool:
        """Whether a run takes so long that one of twice the size may not end in time."""
        began = time.thread_time()
        try:
            # What it assumes there is none of the hypotheses that are being asked about.
            with asking(AS_PRINTED):
                self._timed(raw, self._size(raw))
        except BrokenClaim:
            raise
        except Exception:  # this need not be an instance
            pass
        return time.thread_time() - began > LONGEST / GROWTH

    def _timed(self, raw: Mapping[str, Raw], size: int) -> Any:
        began = time.thread_time()
        try:
            with _alarm():
                returned = self.claim.body(**build(self.claim.parameters, raw))
            self.ended = True
            return returned
        except TooLong:
            self.left_out = True
            self.most = min(self.most, size // 2 or inf)
            raise
        finally:
            self.tried, self.met = max(self.tried, size), max(self.met, size)
            if size <= self.most:  # what is larger will not run again
                self.left -= min(time.thread_time() - began, LONGEST)
            if self.left < 0:
                self._shorten()

    def _shorten(self) -> None:
        """Leave out larger sizes than half of those that took the time, and give half of it anew."""
        self.most = min(self.most, self.met // 2 or inf)
        self.given = self.left = self.given / 2
        self.met = 1
        if self.given < self.least:
            self.most, self.left_out = 0, True


_pace: ContextVar[Pace | None] = ContextVar("pace", default=None)


@contextmanager
def pacing(claim: Claim, plan: Plan) -> Iterator[Pace]:
    """The body of a claim that runs here has as much time as the plan has work."""
    given = max(SECONDS * plan.work, GIVEN)
    pace = Pace(claim, given, NODES * plan.work)
    with during(_pace, pace):
        yield pace


def stated_at(claim: Claim, raw: Mapping[str, Raw]) -> Any:
    """What a body returns on an instance, in time where it is paced. Raises TooLong, and what the body raises."""
    pace = _pace.get()
    if pace is None or pace.claim.body is not claim.body:
        return claim.body(**build(claim.parameters, raw))
    return pace.run(raw)


@contextmanager
def paced_tape() -> Iterator[Tape]:
    """A tape with room for what a verifier reads, and where a body is paced for what is left to its recordings."""
    pace = _pace.get()
    left = inf if pace is None else max(pace.nodes, SHORT)
    tape = Tape(most=min(left, MOST_NODES))
    try:
        yield tape
    finally:
        if pace is not None:
            pace.nodes -= len(tape.nodes)


def has_ended() -> bool:
    """Whether a body that is paced has come to an end before, so that a run that does not is merely long."""
    pace = _pace.get()
    return pace is not None and pace.ended


@contextmanager
def _alarm() -> Iterator[None]:
    """Raise TooLong in what runs too long, in the main thread of a process; where lines are seen, these are counted."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer") or sys.gettrace():
        yield
        return
    armed = True

    def ring(_number: int, _frame: FrameType | None) -> None:
        if armed and not _compiles():
            raise TooLong("it takes too long to run")

    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        # Again and again, for what is raised in a callback of the garbage collector is lost.
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST, LONGEST)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _compiles() -> bool:
    """Whether Numba compiles here, which it does once: the time for it is none of a run."""
    compiler = sys.modules.get("numba.core.compiler_lock")
    return compiler is not None and compiler.global_compiler_lock.is_locked()
