"""The benchmarks run, and every contender that is installed finds our numbers; no time is looked at."""

from pathlib import Path

import pytest

if not (Path(__file__).resolve().parent.parent / "benchmarks").is_dir():
    pytest.skip("the sources are not here", allow_module_level=True)

import benchmarks.tasks  # noqa: F401  (registers the tasks)
from benchmarks import scaling
from benchmarks.__main__ import TASKS as LISTED
from benchmarks.rounds import agreement
from benchmarks.task import TASKS


def test_the_command_lists_every_task():
    assert set(LISTED) == set(TASKS)


@pytest.mark.parametrize("key", TASKS)
def test_contenders_agree(key):
    task = TASKS[key]
    contenders = [c for c in task.build(True) if c.name not in ("jax", "torch")]
    assert agreement(contenders, task.tolerance) <= task.tolerance


def test_grids_run():
    for call in (scaling.deviations, scaling.regressions):
        call((100, 200))()
