"""A slice of each part of the reliability report, small enough for every run of the tests."""

from __future__ import annotations

import os
import signal
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import ctx, fmpq

from . import certificates, everywhere, faults, honesty, inputs, interrupted, precision, random_programs
from .isolation import Died, each
from .processes import warm

if not hasattr(os, "fork"):
    pytest.skip("the slice forks", allow_module_level=True)


@pytest.fixture(scope="module")
def place():
    """A folder, and the undisturbed run."""
    warm()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        yield home, interrupted.undisturbed(home, ["warm, 1 worker"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_ends_as_an_undisturbed_one(place, number):
    home, reference = place
    trial = interrupted.interrupted(home / f"k{number}", reference, "warm, 1 worker", number, np.random.default_rng(number))
    assert trial.wrong == []


def test_a_write_that_fails_costs_nothing(place):
    home, reference = place
    assert faults.small_files(home, reference, "slice", np.random.default_rng(0)).wrong == []


def test_two_runs_at_once_lose_nothing(place):
    assert faults.two_at_once(place[0], place[1], "slice").wrong == []


PARTS = (everywhere, certificates, inputs, honesty, precision, random_programs)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__.split(".")[-1])
def test_nothing_goes_wrong(part):
    assert part.measure("slice", 0).failures == []


def test_a_call_that_ends_its_process_is_noticed():
    results = list(each(lambda k: os.kill(os.getpid(), signal.SIGKILL) if k == 1 else k, range(3)))
    assert results == [0, Died(signal.SIGKILL), 2]


def test_a_radius_that_is_too_small_is_noticed():
    with ctx.workprec(precision.BITS):
        entries, outside, *_ = precision._compared(np.array([1.0, 0.3]), np.array([0.0, 1e-18]), [fmpq(1), fmpq(3, 10)])
    assert (entries, outside) == (2, 1)


def test_the_same_programs_are_written_again():
    first, again, other = (random_programs.written(20, seed) for seed in (3, 3, 4))
    assert first == again
    assert len({p.text for p in first} | {p.text for p in other}) > 30


def test_every_program_is_python():
    for program in random_programs.written(200, 1):
        compile(program.text, "program.py", "exec")


def test_a_program_that_is_wrong_is_noticed():
    true = next(p for p in random_programs.written(200, 1) if p.true)
    assert random_programs.Judged(true, "p.py", "REFUTED", "").wrong
    assert random_programs.Judged(true, "p.py", "BROKEN", "").wrong
    assert not random_programs.Judged(replace(true, true=False), "p.py", "REFUTED", "").wrong


def test_too_many_false_refutations_are_noticed():
    refuted, held = (honesty.Outcome.REFUTED,) * 3, (honesty.Outcome.HOLDS,) * 3
    assert honesty.false_refutations([refuted] * 30 + [held] * 70, [])[1]
    assert not honesty.false_refutations([refuted] + [held] * 99, [])[1]
